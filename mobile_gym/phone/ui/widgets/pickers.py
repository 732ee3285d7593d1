"""Pickers: a dialog that sets a time of day by a dial or by typing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets.basics import Row, Space, Text
from mobile_gym.phone.ui.widgets.controls import IconButton, TextButton
from mobile_gym.phone.ui.widgets.feedback import Dialog
from mobile_gym.phone.ui.widgets.fields import field

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context, Record

_DIAL, _RING, _INNER, _SPOT = 256.0, 104.0, 68.0, 40.0


def TimePicker(ctx: Context, title: str, hour: int, minute: int, on_set: Callable[[int, int], None]) -> Node:
    """A dialog that sets a time of day, in 12 or 24 hours as the phone shows them.

    Args:
        ctx: the overlay's context; what is being picked lives in the overlay's plain values.
        title: the title.
        hour: the hour to start from, 0 to 23.
        minute: the minute to start from.
        on_set: called with hour (0 to 23) and minute; the dialog is closed before.
    """
    if ctx.overlay is None:
        raise ValueError("TimePicker is built by an overlay of a screen")
    state: Record = ctx.overlay["ui"]
    state.setdefault("hour", hour)
    state.setdefault("minute", minute)
    state.setdefault("part", "hour")
    typing = bool(state.get("typing"))

    def take() -> None:
        chosen = _typed(ctx, state) if typing else (int(state["hour"]), int(state["minute"]))
        if chosen is None:
            state["error"] = True
            return
        ctx.focus(None)
        ctx.dismiss()
        on_set(*chosen)

    def switch_mode() -> None:
        state["typing"] = not typing
        if not typing:
            ctx.set_field("input_hour", str(_shown_hour(ctx, int(state["hour"]))))
            ctx.set_field("input_minute", f"{int(state['minute']):02d}")
        else:
            found = _typed(ctx, state)
            if found is not None:
                state["hour"], state["minute"] = found
            ctx.focus(None)

    head = _typing_head(ctx, state) if typing else _dial_head(ctx, state)
    parts = [head] if typing else [head, _dial(ctx, state)]
    if state.get("error"):
        parts.append(Text(ctx.tr("picker_error"), "bodySmall", "error", id="error"))
    mode = IconButton(
        "clock-outline" if typing else "keyboard-outline",
        switch_mode,
        ctx.tr("picker_dial" if typing else "picker_typing"),
        id="material_timepicker_mode_button",
    )
    buttons = Row(
        mode,
        Space(weight=1.0),
        TextButton(ctx.tr("cancel"), ctx.dismiss, id="material_timepicker_cancel_button"),
        TextButton(ctx.tr("ok"), take, id="material_timepicker_ok_button"),
        width=FILL,
        gap=4.0,
    )
    body = Node("col", (*parts, buttons), gap=20.0, align="center", width=FILL, pad=(24.0, 0.0, 16.0, 0.0))
    return Dialog(ctx, title, body)


def _shown_hour(ctx: Context, hour: int) -> int:
    return hour if ctx.phone.use_24_hours else (hour + 11) % 12 + 1


def _typed(ctx: Context, state: Record) -> tuple[int, int] | None:
    """The time in the two fields; None where it is none."""
    hours, minutes = ctx.field("input_hour"), ctx.field("input_minute")
    if not hours.isdigit() or not minutes.isdigit():
        return None
    hour, minute = int(hours), int(minutes)
    if minute > 59:
        return None
    if ctx.phone.use_24_hours:
        return (hour, minute) if hour <= 23 else None
    if not 1 <= hour <= 12:
        return None
    return hour % 12 + (12 if int(state["hour"]) >= 12 else 0), minute


def _half(ctx: Context, state: Record) -> list[Node]:
    if ctx.phone.use_24_hours:
        return []
    after_noon = int(state["hour"]) >= 12

    def choose(later: bool) -> Handler:
        return lambda: state.update(hour=int(state["hour"]) % 12 + (12 if later else 0))

    def cell(key: str, later: bool) -> Node:
        chosen = later == after_noon
        label = Text(
            ctx.tr(key), "titleMedium", "onTertiaryContainer" if chosen else "onSurfaceVariant", place="center-center"
        )
        corner = (0.0, 0.0, 8.0, 8.0) if later else (8.0, 8.0, 0.0, 0.0)
        return Node(
            "box",
            (label,),
            width=52.0,
            height=40.0,
            radius=corner,
            bg="tertiaryContainer" if chosen else None,
            border=0.0 if chosen else 1.0,
            border_color="outline",
            on_tap=choose(later),
            selected=chosen,
            checkable=True,
            checked=chosen,
            cls="android.widget.RadioButton",
            id=f"material_clock_period_{key}_button",
        )

    return [Space(width=4.0), Node("col", (cell("am", False), cell("pm", True)))]


def _dial_head(ctx: Context, state: Record) -> Node:
    def cell(part: str, text: str) -> Node:
        chosen = state["part"] == part

        def choose() -> None:
            state["part"] = part

        label = Text(
            text,
            "displayMedium",
            "onPrimaryContainer" if chosen else "onSurface",
            place="center-center",
            id=f"material_{part}_text",
        )
        return Node(
            "box",
            (label,),
            width=96.0,
            height=80.0,
            radius=8.0,
            bg="primaryContainer" if chosen else "surfaceContainerHighest",
            on_tap=choose,
            selected=chosen,
            id=f"material_{part}_tv",
        )

    hour = _shown_hour(ctx, int(state["hour"]))
    hours = f"{hour:02d}" if ctx.phone.use_24_hours else str(hour)
    colon = Text(":", "displayMedium", width=20.0, text_align="center")
    cells = (cell("hour", hours), colon, cell("minute", f"{int(state['minute']):02d}"))
    return Node("row", (*cells, *_half(ctx, state)))


def _typing_head(ctx: Context, state: Record) -> Node:
    def cell(name: str, label: str) -> Node:
        box = field(
            ctx,
            name,
            style="displayMedium",
            input_type="number",
            max_length=2,
            select_on_focus=True,
            action="next" if name == "input_hour" else "done",
            width=96.0,
            height=72.0,
            radius=8.0,
            bg="surfaceContainerHighest",
            pad=(16.0, 0.0, 8.0, 0.0),
            on_submit=(lambda: ctx.focus("input_minute")) if name == "input_hour" else None,
        )
        return Node("col", (box, Text(ctx.tr(label), "bodySmall", "onSurfaceVariant")), gap=6.0)

    colon = Text(":", "displayMedium", width=20.0, text_align="center")
    cells = (cell("input_hour", "picker_hour"), colon, cell("input_minute", "picker_minute"))
    return Node("row", (*cells, *_half(ctx, state)), align="start")


def _dial(ctx: Context, state: Record) -> Node:
    hours = state["part"] == "hour"
    wide = hours and ctx.phone.use_24_hours
    marks: list[tuple[int, str, float]] = []
    if hours:
        outer = [
            (number % 12 + (12 if not wide and int(state["hour"]) >= 12 else 0), str(number)) for number in range(1, 13)
        ]
        marks += [(value if not wide else int(label) % 24, label, _RING) for value, label in outer]
        if wide:
            marks += [(number % 24, f"{number % 24:02d}", _INNER) for number in range(13, 25)]
    else:
        marks += [(number, f"{number:02d}", _RING) for number in range(0, 60, 5)]
    value = int(state["hour"] if hours else state["minute"])

    def choose(number: int) -> None:
        if hours:
            state["hour"] = number
            state["part"] = "minute"
        else:
            state["minute"] = number

    def place(x: int, y: int) -> None:
        size = _DIAL * ctx.phone.density_dpi / 160
        dx, dy = x - size / 2, y - size / 2
        turn = math.atan2(dx, -dy) / (2 * math.pi) % 1.0
        if not hours:
            choose(round(turn * 60) % 60)
            return
        number = round(turn * 12) % 12
        if wide:
            inner = math.hypot(dx, dy) < (_RING + _INNER) / 2 * size / _DIAL
            choose((number or 12) + 12 if inner and number else 0 if inner else number or 12)
        else:
            choose(number + (12 if int(state["hour"]) >= 12 else 0))

    def drag(x1: float, y1: float, x2: float, y2: float) -> None:
        size = _DIAL * ctx.phone.density_dpi / 160
        place(round(x2 * size), round(y2 * size))

    children: list[Node] = []
    ring = next((ring for number, _, ring in marks if number == value), _RING)
    turn = value / (12 if hours else 60) * 2 * math.pi
    hand = (math.sin(turn) * ring, -math.cos(turn) * ring)
    middle = _DIAL / 2
    children.append(
        Node(
            "stroke",
            width=FILL,
            height=FILL,
            points=((middle, middle), (middle + hand[0], middle + hand[1])),
            stroke_width=2.0,
            color="primary",
            hidden_from_tree=True,
        )
    )
    children.append(_spot("", hand, True, None, ""))
    for number, label, distance in marks:
        angle = number / (12 if hours else 60) * 2 * math.pi
        at = (math.sin(angle) * distance, -math.cos(angle) * distance)
        children.append(_spot(label, at, number == value, lambda number=number: choose(number), label))  # type: ignore[misc]
    return Node(
        "box",
        children,
        width=_DIAL,
        height=_DIAL,
        radius=_DIAL / 2,
        bg="surfaceContainerHighest",
        on_position=place,
        on_drag=drag,
        id="material_clock_face",
    )


def _spot(label: str, at: tuple[float, float], chosen: bool, on_tap: Handler | None, desc: str) -> Node:
    text = Text(
        label, "bodyLarge", "onPrimary" if chosen else "onSurface", place="center-center", hidden_from_tree=True
    )
    return Node(
        "box",
        (text,) if label else (),
        width=_SPOT,
        height=_SPOT,
        radius=_SPOT / 2,
        bg=None if label else "primary",
        place="center-center",
        offset=at,
        on_tap=on_tap,
        text=label,
        desc=desc,
        selected=chosen,
        hidden_from_tree=not label,
        cls="android.widget.TextView" if label else "",
    )
