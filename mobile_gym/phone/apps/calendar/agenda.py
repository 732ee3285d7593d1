"""What lies ahead, day after day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from mobile_gym.phone.apps.calendar import store, texts
from mobile_gym.phone.apps.calendar.month import event_row
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import EmptyState, LazyList, Text

BEFORE, AFTER = 14, 60
"""Days before and after the chosen one that are listed."""


def _items(ctx: Context, day: date) -> list[tuple[date, Any]]:
    """Days with something planned: each as a heading (None), then its occurrences; the chosen day always."""
    first, last = day - timedelta(days=BEFORE), day + timedelta(days=AFTER)
    planned = store.by_day(store.instances(ctx.phone, first, last), first, last)
    planned.setdefault(day, [])
    items: list[tuple[date, Any]] = []
    for here in sorted(planned):
        items.append((here, None))
        items += [(here, one) for one in planned[here]]
        if not planned[here]:
            items.append((here, "empty"))
    return items


def scroll_to_day(ctx: Context, day: date) -> None:
    """Brings the chosen day to the top of the list."""
    row = next(number for number, (here, _) in enumerate(_items(ctx, day)) if here == day)
    ctx.record["scroll"]["agenda_list"] = [row, 0]


def agenda(ctx: Context, day: date) -> Node:
    """The list around a day."""

    def row(item: tuple[date, Any]) -> Node:
        here, one = item
        if one is None:
            today = here == ctx.now.date()
            text = texts.near_day_text(ctx, here)
            lines = [Text(text, "titleSmall", "primary" if today else "onSurfaceVariant", id="day_header")]
            if store.shows_lunar(ctx.phone):
                lines.append(
                    Text(texts.lunar_text(ctx, here, full=True), "bodySmall", "onSurfaceVariant", id="day_lunar")
                )
            return Node("col", lines, width=FILL, pad=(20.0, 14.0, 16.0, 4.0), hidden_from_tree=True)
        if one == "empty":
            return Text(
                ctx.tr("no_events_day"), "bodyMedium", "onSurfaceVariant", pad=(20.0, 8.0, 16.0, 8.0), id="no_events"
            )
        return event_row(ctx, one, here)

    empty = EmptyState("calendar-blank-outline", ctx.tr("no_events"))
    return LazyList(_items(ctx, day), row=row, id="agenda_list", bottom_pad=88.0, empty=empty)
