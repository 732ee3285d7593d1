"""A month's days over what is planned on the chosen one."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import Any

from mobile_gym.phone.apps.calendar import store, texts
from mobile_gym.phone.apps.calendar.store import Instance
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import shared
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Text
from mobile_gym.phone.ui.widgets.fitting import screen_width

_DOTS = 3


def event_row(ctx: Context, one: Instance, day: date | None = None) -> Node:
    """An occurrence in a list: a bar in its colour, title, times and place.

    Args:
        ctx: the screen's context.
        one: the occurrence.
        day: the day under which it is listed; None where no day stands over it.
    """
    title = one.title or ctx.tr("no_title")
    when = texts.span_text(ctx, one)
    if day is None:
        when = f"{texts.day_text(ctx, one.first, short=True)} · {when}"
    lines = [
        Text(title, "bodyLarge", max_lines=2, id="title"),
        Text(" · ".join(part for part in (when, one.location) if part), "bodyMedium", "onSurfaceVariant", id="when"),
    ]
    bar = Node("space", width=4.0, height=FILL, radius=2.0, bg=texts.to_hex(one.color), hidden_from_tree=True)
    parts: list[Node] = [
        Node("box", (bar,), width=4.0, height=40.0, hidden_from_tree=True),
        Node("col", lines, weight=1.0, hidden_from_tree=True),
    ]
    if one.contact_id:
        parts.append(Icon("cake-variant-outline", 20.0))
    elif one.recurring:
        parts.append(Icon("repeat", 18.0, desc=ctx.tr("repeat")))
    return Node(
        "row",
        parts,
        gap=14.0,
        width=FILL,
        min_height=64.0,
        pad=(20.0, 8.0, 16.0, 8.0),
        on_tap=open_instance(ctx, one),
        id="event_row",
        desc=title,
    )


def open_instance(ctx: Context, one: Instance) -> Handler:
    """A handler that opens an occurrence's page; of a birthday that too."""
    if one.contact_id:
        return ctx.open("event", contact=one.contact_id, begin=one.begin)
    return ctx.open("event", id=one.event_id, begin=one.begin)


def month_view(ctx: Context, day: date, choose: Any, move: Any) -> Node:
    """The month of a day.

    Args:
        ctx: the screen's context.
        day: the chosen day.
        choose: makes the handler that chooses a day.
        move: called with the number of months that a swipe goes on.
    """
    first = store.first_weekday(ctx.phone)
    start = texts.week_start(day.replace(day=1), first)
    end = day.replace(day=calendar.monthrange(day.year, day.month)[1])
    weeks = (end - start).days // 7 + 1
    last = start + timedelta(days=weeks * 7 - 1)
    planned = store.by_day(store.instances(ctx.phone, start, last), start, last)
    lunar = texts.lunar_size(ctx, start, last, screen_width(ctx) / 7 - 4.0) if store.shows_lunar(ctx.phone) else 0.0

    def swipe(direction: str) -> bool | None:
        if direction in ("up", "down"):
            return False
        move(1 if direction == "left" else -1)
        return None

    names = [
        Text(
            shared(f"weekday_letter_{(first + number) % 7}", ctx.language),
            "labelMedium",
            "onSurfaceVariant",
            weight=1.0,
            text_align="center",
        )
        for number in range(7)
    ]
    rows = [Node("row", names, width=FILL, height=28.0, hidden_from_tree=True)]
    for week in range(weeks):
        cells = [
            _cell(ctx, here, day, planned.get(here, []), lunar, choose(here))
            for here in (start + timedelta(days=week * 7 + number) for number in range(7))
        ]
        rows.append(Node("row", cells, width=FILL, hidden_from_tree=True))
    grid = Node("col", rows, width=FILL, pad=(8.0, 0.0, 8.0, 8.0), on_swipe=swipe, id="month_grid")
    heading = texts.near_day_text(ctx, day)
    head = [Text(heading, "titleSmall", "primary", id="selected_day")]
    if store.shows_lunar(ctx.phone):
        head.append(Text(texts.lunar_text(ctx, day, full=True), "bodySmall", "onSurfaceVariant", id="selected_lunar"))
    listed = planned.get(day, [])
    items: list[Node] = [
        grid,
        Node("col", head, width=FILL, gap=2.0, pad=(20.0, 10.0, 16.0, 6.0), bg=None, hidden_from_tree=True),
        *(event_row(ctx, one, day) for one in listed),
    ]
    if not listed:
        items.append(
            Text(
                ctx.tr("no_events_day"), "bodyMedium", "onSurfaceVariant", pad=(20.0, 12.0, 16.0, 12.0), id="no_events"
            )
        )
    return LazyList(items, id="month_list", bottom_pad=88.0)


def _cell(ctx: Context, here: date, chosen: date, listed: list[Instance], lunar: float, on_tap: Handler) -> Node:
    inside = here.month == chosen.month
    today, picked = here == ctx.now.date(), here == chosen
    ink = "onPrimary" if today else "onPrimaryContainer" if picked else "onSurface" if inside else "outline"
    number = Text(str(here.day), "bodyLarge", ink, place="center-center", hidden_from_tree=True)
    disc = Node(
        "box",
        (number,),
        width=34.0,
        height=34.0,
        radius=17.0,
        bg="primary" if today else "primaryContainer" if picked else None,
        border=2.0 if picked and today else 0.0,
        border_color="onPrimaryContainer",
        hidden_from_tree=True,
    )
    parts = [disc]
    if lunar:
        text = texts.lunar_text(ctx, here)
        parts.append(
            Text(
                text,
                "labelSmall",
                "onSurfaceVariant" if inside else "outline",
                size_sp=lunar,
                line_sp=lunar * 1.3,
                max_lines=1,
                hidden_from_tree=True,
            )
        )
    dots = [
        Node("space", width=5.0, height=5.0, radius=2.5, bg=texts.to_hex(one.color), hidden_from_tree=True)
        for one in listed[:_DOTS]
    ]
    parts.append(Node("row", dots, gap=2.0, height=7.0, fade=1.0 if inside else 0.5, hidden_from_tree=True))
    desc = texts.day_text(ctx, here)
    if listed:
        desc += " " + ctx.tr("event_count_one" if len(listed) == 1 else "event_count", n=len(listed))
    return Node(
        "col",
        parts,
        gap=1.0,
        align="center",
        weight=1.0,
        pad=(0.0, 2.0, 0.0, 3.0),
        on_tap=on_tap,
        text=str(here.day),
        desc=desc,
        selected=picked,
        id="day_cell",
        cls="android.view.View",
    )
