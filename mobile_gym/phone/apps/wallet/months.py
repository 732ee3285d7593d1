"""Bills by month: the months' names and heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mobile_gym.phone.apps.wallet import parts, store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import shared
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Column, Text


def name(ctx: Context, ms: int) -> str:
    """Year and month of a moment."""
    at = parts.moment(ctx, ms)
    month = shared(f"month_{at.month}", ctx.language)
    return ctx.tr("month_of_year", year=at.year, month=at.month, month_name=month)


def by_month(ctx: Context, found: Sequence[store.Row]) -> list[dict[str, Any]]:
    """Bills, newest first, with a head before those of each month: a moment of it, and what went out and came in."""
    items: list[dict[str, Any]] = []
    month: tuple[int, int] | None = None
    first: dict[str, Any] = {}
    for bill in found:
        at = parts.moment(ctx, bill["date"])
        if (at.year, at.month) != month:
            month = (at.year, at.month)
            first = {"head": bill["date"], "out": 0, "in": 0}
            items.append(first)
        if bill["direction"] in ("out", "in"):
            first[bill["direction"]] += bill["amount_cents"]
        items.append(bill)
    return items


def head(ctx: Context, ms: int, totals: str) -> Node:
    """The head over a month's bills."""
    lines = [Text(name(ctx, ms), "titleMedium", id="month_title")]
    if totals:
        lines.append(Text(totals, "bodyMedium", "onSurfaceVariant", id="month_totals"))
    return Column(*lines, gap=2.0, width=FILL, pad=(16.0, 14.0, 16.0, 8.0))


def row(ctx: Context, bill: store.Row) -> Node:
    """A bill under its month's head."""
    return Node("box", (parts.bill_row(ctx, bill),), width=FILL, bg="card", hidden_from_tree=True)
