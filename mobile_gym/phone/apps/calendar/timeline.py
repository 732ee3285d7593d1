"""Days by the hour: one of them, or a week of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from mobile_gym.phone.apps.calendar import store, texts
from mobile_gym.phone.apps.calendar.month import open_instance
from mobile_gym.phone.apps.calendar.store import Instance
from mobile_gym.phone.system import formats
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import shared
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.theme import is_light
from mobile_gym.phone.ui.widgets import LazyList, Text
from mobile_gym.phone.ui.widgets.fitting import growth, screen_width

HOUR = 60.0
"""Height of an hour at the default font size, dp."""
_SIDE = 58.0
FIRST_HOUR = 6.5
"""The hour that the view opens at."""

Slot = Callable[[date, int], Handler]


def hour_height(ctx: Context) -> float:
    """Height of an hour, dp: it grows with the text that events of an hour hold."""
    return HOUR * growth(ctx, 13.0)


def timeline(
    ctx: Context,
    days: Sequence[date],
    chosen: date,
    slot: Slot,
    choose: Callable[[date], Handler],
    move: Callable[[int], None],
) -> Node:
    """Days by the hour.

    Args:
        ctx: the screen's context.
        days: one day, or those of a week.
        chosen: the chosen day.
        slot: makes the handler of a free hour of a day.
        choose: makes the handler that opens a day of the head.
        move: called with -1 or 1 by a swipe.
    """
    planned = store.by_day(store.instances(ctx.phone, days[0], days[-1]), days[0], days[-1])
    column = (screen_width(ctx) - _SIDE - 4.0) / len(days)

    def swipe(direction: str) -> bool | None:
        if direction in ("up", "down"):
            return False
        move(1 if direction == "left" else -1)
        return None

    names = [f"{texts.day_text(ctx, day, short=True)} " if len(days) > 1 else "" for day in days]
    hours = [_hour(ctx, hour, days, names, column, slot) for hour in range(24)]
    layers = [Node("col", hours, width=FILL, hidden_from_tree=True)]
    for number, day in enumerate(days):
        left = _SIDE + number * column
        timed = [one for one in planned.get(day, []) if not one.all_day]
        layers += [_block(ctx, one, day, left, column, lane, lanes) for one, lane, lanes in _lanes(timed)]
        if day == ctx.now.date():
            layers.append(_now_line(ctx, left, column))
    body = Node(
        "box", layers, width=FILL, height=24 * hour_height(ctx), on_swipe=swipe, id="timeline", clip_children=True
    )
    listed = LazyList([body], id="day_timeline" if len(days) == 1 else "week_timeline", bottom_pad=80.0)
    head = _head(ctx, days, chosen, column, choose) if len(days) > 1 else _day_head(ctx, days[0])
    whole = _whole_days(ctx, days, planned, column)
    parts = [head.replace(on_swipe=swipe), *whole, listed.replace(weight=1.0)]
    return Node("col", parts, width=FILL, height=FILL, hidden_from_tree=True)


def _hour(ctx: Context, hour: int, days: Sequence[date], names: Sequence[str], column: float, slot: Slot) -> Node:
    time = formats.time_text(hour, 0, ctx.phone.use_24_hours, ctx.language)
    label = Text(
        texts.hour_text(ctx, hour) if hour else "",
        "bodySmall",
        "onSurfaceVariant",
        width=_SIDE - 8.0,
        text_align="end",
        size_sp=11.0 / max(ctx.phone.font_scale, 1.0),  # the column does not grow with the text
        line_sp=14.0 / max(ctx.phone.font_scale, 1.0),
        max_lines=1,
        offset=(0.0, -7.0),
        id="hour_label",
        hidden_from_tree=not hour,
    )
    cells = []
    line = Node("space", width=FILL, height=1.0, bg="outlineVariant", fade=0.6, hidden_from_tree=True)
    for day, name in zip(days, names, strict=True):
        cells.append(
            Node(
                "box",
                (line.replace(),),
                width=column,
                height=hour_height(ctx),
                on_tap=slot(day, hour),
                desc=ctx.tr("slot", time=name + time),
                id="hour_slot",
                cls="android.view.View",
            )
        )
    space = Node("space", width=8.0, hidden_from_tree=True)
    return Node(
        "row", (label, space, *cells), width=FILL, height=hour_height(ctx), align="start", hidden_from_tree=True
    )


def _lanes(found: Sequence[Instance]) -> list[tuple[Instance, int, int]]:
    """Each occurrence with its lane, and how many lanes those have that overlap it, so that none covers another."""
    placed: list[tuple[Instance, int, int]] = []
    cluster: list[tuple[Instance, int]] = []
    ends: list[int] = []

    def close() -> None:
        placed.extend((one, lane, len(ends)) for one, lane in cluster)
        cluster.clear()
        ends.clear()

    for one in sorted(found, key=lambda one: (one.begin, -one.end, one.event_id)):
        end = max(one.end, one.begin + store.HOUR_MS // 2)
        if ends and one.begin >= max(ends):
            close()
        lane = next((number for number, until in enumerate(ends) if until <= one.begin), len(ends))
        if lane == len(ends):
            ends.append(end)
        else:
            ends[lane] = end
        cluster.append((one, lane))
    close()
    return placed


def _block(ctx: Context, one: Instance, day: date, left: float, column: float, lane: int, lanes: int) -> Node:
    at = ctx.phone.state.clock.at
    begin, end = at(one.begin), at(one.end)
    from_hour = begin.hour + begin.minute / 60 if one.first == day else 0.0
    to_hour = end.hour + end.minute / 60 if one.last == day and end.date() == day else 24.0
    hour = hour_height(ctx)
    height = max((to_hour - from_hour) * hour, hour / 2) - 2.0
    width = (column - 2.0) / lanes
    color = texts.to_hex(one.color)
    ink = "#1A1A1A" if is_light(color) else "#FFFFFF"
    title = one.title or ctx.tr("no_title")
    narrow = width < 90.0
    lines = [
        Text(
            title,
            "labelMedium" if not narrow else "labelSmall",
            ink,
            max_lines=max(int((height - 5.0) // (13.0 * growth(ctx, 10.0))), 1) if narrow else 1,
            width=FILL,
            size_sp=10.0 if narrow else 13.0,
            line_sp=13.0 if narrow else 17.0,
            hidden_from_tree=True,
        )
    ]
    if not narrow and height >= 40.0 * growth(ctx, 13.0):
        when = " · ".join(part for part in (texts.span_text(ctx, one), one.location) if part)
        lines.append(Text(when, "bodySmall", ink, max_lines=1, width=FILL, hidden_from_tree=True))
    side = 3.0 if narrow else 8.0
    return Node(
        "col",
        lines,
        width=width - 2.0,
        height=height,
        radius=6.0 if narrow else 8.0,
        bg=color,
        pad=(side, 3.0, side if not narrow else 1.0, 2.0),
        offset=(left + lane * width, from_hour * hour + 1.0),
        on_tap=open_instance(ctx, one),
        clip_children=True,
        text=title,
        desc=f"{title} {texts.span_text(ctx, one)}",
        id="event_block",
        cls="android.view.View",
    )


def _now_line(ctx: Context, left: float, column: float) -> Node:
    now = ctx.now
    dot = Node("space", width=8.0, height=8.0, radius=4.0, bg="error", place="center-start", hidden_from_tree=True)
    line = Node("space", width=FILL, height=2.0, bg="error", place="center-start", hidden_from_tree=True)
    return Node(
        "box",
        (line, dot),
        width=column,
        height=8.0,
        offset=(left, (now.hour + now.minute / 60) * hour_height(ctx) - 4.0),
        hidden_from_tree=True,
    )


def _day_head(ctx: Context, day: date) -> Node:
    lines = [Text(texts.near_day_text(ctx, day), "titleSmall", "primary", id="selected_day")]
    if store.shows_lunar(ctx.phone):
        lines.append(Text(texts.lunar_text(ctx, day, full=True), "bodySmall", "onSurfaceVariant", id="selected_lunar"))
    return Node("col", lines, width=FILL, gap=2.0, pad=(20.0, 8.0, 16.0, 8.0), hidden_from_tree=True)


def _head(ctx: Context, days: Sequence[date], chosen: date, column: float, choose: Callable[[date], Handler]) -> Node:
    cells = []
    lunar = texts.lunar_size(ctx, days[0], days[-1], column - 2.0) if store.shows_lunar(ctx.phone) else 0.0
    for day in days:
        today = day == ctx.now.date()
        number = Text(
            str(day.day),
            "titleMedium",
            "onPrimary" if today else "onSurface",
            place="center-center",
            hidden_from_tree=True,
        )
        disc = Node(
            "box",
            (number,),
            width=34.0,
            height=34.0,
            radius=17.0,
            bg="primary" if today else "surfaceContainerHighest" if day == chosen else None,
            hidden_from_tree=True,
        )
        name = Text(
            shared(f"weekday_letter_{day.weekday()}", ctx.language),
            "labelMedium",
            "onSurfaceVariant",
            hidden_from_tree=True,
        )
        parts = [name, disc]
        if store.shows_lunar(ctx.phone):
            parts.append(
                Text(
                    texts.lunar_text(ctx, day),
                    "labelSmall",
                    "onSurfaceVariant",
                    size_sp=lunar,
                    line_sp=lunar * 1.3,
                    max_lines=1,
                    hidden_from_tree=True,
                )
            )
        cells.append(
            Node(
                "col",
                parts,
                gap=2.0,
                width=column,
                align="center",
                pad=(0.0, 4.0, 0.0, 4.0),
                on_tap=choose(day),
                text=str(day.day),
                desc=texts.day_text(ctx, day),
                selected=day == chosen,
                id="week_day",
                cls="android.view.View",
            )
        )
    space = Node("space", width=_SIDE, hidden_from_tree=True)
    return Node("row", (space, *cells), width=FILL, align="start", hidden_from_tree=True)


def _whole_days(ctx: Context, days: Sequence[date], planned: dict[date, list[Instance]], column: float) -> list[Node]:
    """The events of whole days, over the hours; at most three a day."""
    columns = []
    for day in days:
        chips = []
        for one in [one for one in planned.get(day, []) if one.all_day][:3]:
            color = texts.to_hex(one.color)
            title = one.title or ctx.tr("no_title")
            label = Text(
                title,
                "labelMedium",
                "#1A1A1A" if is_light(color) else "#FFFFFF",
                max_lines=1,
                size_sp=10.0 if len(days) > 1 else 12.0,
                hidden_from_tree=True,
            )
            chips.append(
                Node(
                    "box",
                    (label,),
                    width=FILL,
                    radius=5.0,
                    bg=color,
                    pad=(3.0 if len(days) > 1 else 8.0, 3.0, 2.0, 3.0),
                    on_tap=open_instance(ctx, one),
                    text=title,
                    desc=f"{title} {ctx.tr('all_day')}",
                    id="all_day_event",
                    cls="android.view.View",
                )
            )
        columns.append(Node("col", chips, gap=2.0, width=column, pad=(1.0, 0.0, 1.0, 0.0), hidden_from_tree=True))
    if not any(column.children for column in columns):
        return []
    label = Text(
        ctx.tr("all_day"),
        "bodySmall",
        "onSurfaceVariant",
        width=_SIDE - 8.0,
        text_align="end",
        size_sp=11.0,
        line_sp=14.0,
    )
    space = Node("space", width=8.0, hidden_from_tree=True)
    row = Node(
        "row", (label, space, *columns), width=FILL, align="start", pad=(0.0, 2.0, 0.0, 6.0), hidden_from_tree=True
    )
    line = Node("space", width=FILL, height=1.0, bg="outlineVariant", hidden_from_tree=True)
    return [row, line]


def offset_of(ctx: Context, hour: float) -> list[int]:
    """The scroll position that shows the hours from one on."""
    return [0, round(max(hour, 0.0) * hour_height(ctx) * ctx.phone.density_dpi / 160)]


def week_of(day: date, first: int) -> list[date]:
    """The seven days of a day's week."""
    start = texts.week_start(day, first)
    return [start + timedelta(days=number) for number in range(7)]
