"""The timers tab: a keypad that sets one, and cards that run."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.clock import schedule
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.forms import asking_text, leaving
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Button, Dialog, Fab, Icon, IconButton, LazyList, Space, Text, TextField
from mobile_gym.phone.ui.widgets import Row as Line


def setting_up(ctx: Context) -> bool:
    """Whether the keypad shows: it was asked for, or there is no timer yet."""
    return bool(ctx.ui.get("new_timer")) or not ctx.db.value("SELECT 1 FROM timers LIMIT 1")


def body(ctx: Context) -> Node:
    """The keypad or the timers."""
    if setting_up(ctx):
        return _keypad(ctx)
    timers = ctx.db.rows("SELECT * FROM timers ORDER BY _id DESC")
    return LazyList(timers, row=lambda timer: card(ctx, timer), id="timers_list", gap=8.0, bottom_pad=104.0)


def button(ctx: Context) -> Node | None:
    """Start on the keypad once a length is set, else the button that adds a timer."""
    if not setting_up(ctx):
        return Fab("plus", ctx.tr("add_timer"), ctx.set_ui("new_timer", True), large=True)
    if not _length(ctx):
        return None
    return Fab("play", ctx.tr("start"), lambda: start_new(ctx), large=True)


def _digits(ctx: Context) -> str:
    return str(ctx.ui.get("digits", ""))


def _length(ctx: Context) -> int:
    digits = _digits(ctx).zfill(6)
    return (int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:])) * 1000


def _keypad(ctx: Context) -> Node:
    digits = _digits(ctx).zfill(6)
    ink = "primary" if _digits(ctx) else "onSurfaceVariant"
    parts: list[Node] = []
    for place, unit in ((0, "hour_unit"), (2, "minute_unit"), (4, "second_unit")):
        parts.append(Text(digits[place : place + 2], "displayLarge", ink, size_sp=56.0, line_sp=64.0))
        parts.append(Text(ctx.tr(unit), "titleLarge", ink, pad=(2.0, 0.0, 10.0, 0.0)))
    reading = Node("row", parts, align="baseline", id="timer_setup_time", desc=schedule.length_text(_length(ctx)))

    def press(text: str) -> Handler:
        def handle() -> None:
            ctx.ui["digits"] = (_digits(ctx) + text).lstrip("0")[:6]

        return handle

    def erase() -> None:
        ctx.ui["digits"] = _digits(ctx)[:-1]

    def key(text: str) -> Node:
        label = Text(text, "headlineMedium", place="center-center", hidden_from_tree=True)
        return _round_key((label,), press(text), f"timer_setup_digit_{text}", "surfaceContainerHigh", text=text)

    rows = [[key(text) for text in line] for line in ("123", "456", "789")]
    icon = Icon("backspace-outline", 28.0, "onSecondaryContainer", place="center-center", hidden_from_tree=True)
    rows.append(
        [
            key("00"),
            key("0"),
            _round_key((icon,), erase, "timer_setup_delete", "secondaryContainer", desc=ctx.tr("delete")),
        ]
    )
    grid = Node("col", [Node("row", row, gap=12.0) for row in rows], gap=12.0)
    tools: list[Node] = [reading, grid]
    if ctx.db.value("SELECT 1 FROM timers LIMIT 1"):
        cancel = Button(
            ctx.tr("cancel"), lambda: ctx.ui.update(new_timer=False, digits=""), tone="tonal", id="timer_cancel"
        )
        tools.append(cancel)
    return Node("col", tools, width=FILL, height=FILL, align="center", gap=24.0, pad=(0.0, 24.0, 0.0, 0.0))


def _round_key(children: tuple[Node, ...], on_tap: Handler, id: str, bg: str, **attributes: Any) -> Node:
    return Node(
        "box",
        children,
        width=84.0,
        height=84.0,
        radius=42.0,
        bg=bg,
        on_tap=on_tap,
        id=id,
        cls="android.widget.Button",
        **attributes,
    )


def add(ctx: Context, length_ms: int, label: str = "", start: bool = True) -> int:
    """Adds a timer and starts it."""
    key = ctx.db.insert("timers", length_ms=length_ms, label=label, remaining_ms=length_ms, total_ms=length_ms)
    if start:
        schedule.start_timer(ctx.phone, key)
    ctx.ui.update(new_timer=False, digits="")
    ctx.record["scroll"].pop("timers_list", None)
    return key


def start_new(ctx: Context) -> None:
    """Starts a timer of the length on the keypad."""
    add(ctx, _length(ctx))


def card(ctx: Context, timer: Row) -> Node:
    """One timer: label, what is left, and its buttons."""
    key, state = timer["_id"], timer["state"]
    left = schedule.remaining(ctx.phone, timer)
    text = ("-" if left < 0 else "") + schedule.length_text(-(-abs(left) // 1000) * 1000)
    name = timer["label"] or ctx.tr("timer_of", length=schedule.length_text(timer["length_ms"]))
    expired = state == "expired"

    def run() -> None:
        if expired:
            schedule.reset_timer(ctx.phone, key)
        elif state == "running":
            schedule.pause_timer(ctx.phone, key)
        else:
            schedule.start_timer(ctx.phone, key)

    rename = asking_text(ctx, "timer_label", "timer_label_edit", timer["label"] or "", typing=False, timer=key)
    main = {"reset": "start", "paused": "resume", "running": "pause", "expired": "stop"}[state]
    head = Line(
        Text(name, "titleMedium", weight=1.0, max_lines=1, id="timer_label", on_tap=rename),
        IconButton("close", lambda: schedule.delete_timer(ctx.phone, key), ctx.tr("delete"), id="delete_timer"),
        width=FILL,
    )
    share = 0.0 if not timer["total_ms"] else min(max(left / timer["total_ms"], 0.0), 1.0)
    bar = Node(
        "row",
        tuple(
            Node("space", weight=part, height=8.0, radius=4.0, bg=color, hidden_from_tree=True)
            for part, color in ((share, "primary"), (1 - share, "secondaryContainer"))
            if part > 0.01
        ),
        gap=4.0,
        width=FILL,
        pad=(0.0, 0.0, 12.0, 0.0),
        cls="android.widget.ProgressBar",
        id="timer_progress",
    )
    buttons = Line(
        Button(ctx.tr(main), run, tone="error" if expired else "filled", id="play_pause"),
        Button(ctx.tr("add_minute"), lambda: schedule.add_minute(ctx.phone, key), tone="tonal", id="add_one_min"),
        Space(weight=1.0),
        *(
            [IconButton("restart", lambda: schedule.reset_timer(ctx.phone, key), ctx.tr("reset"), id="reset_timer")]
            if state in ("paused", "running")
            else []
        ),
        gap=8.0,
        width=FILL,
    )
    reading = Text(text, "displayLarge", "error" if expired else "onSurface", id="timer_time_text", max_lines=1)
    surface = Node(
        "col",
        (head, reading, bar, buttons),
        gap=12.0,
        width=FILL,
        pad=(24.0, 8.0, 12.0, 16.0),
        radius=28.0,
        bg="card",
        id="timer_card",
    )
    return Node("box", (surface,), width=FILL, pad=(16.0, 0.0, 16.0, 0.0), hidden_from_tree=True)


def label_dialog(ctx: Context, key: int) -> Node:
    """A dialog that edits a timer's label."""

    def take() -> None:
        text = ctx.field("timer_label_edit").strip()
        leave()
        ctx.db.update("timers", key, label=text)

    leave = leaving(ctx)
    inner = TextField(ctx, "timer_label_edit", ctx.tr("label"), on_submit=take)
    body = Node("box", (inner,), pad=(24.0, 0.0, 24.0, 0.0))
    return Dialog(ctx, ctx.tr("add_label"), body, actions=[(ctx.tr("cancel"), leave), (ctx.tr("ok"), take)])
