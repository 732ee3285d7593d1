"""A dialog that sets a date by a month's days."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets.basics import Space, Text
from mobile_gym.phone.ui.widgets.controls import IconButton
from mobile_gym.phone.ui.widgets.feedback import Dialog

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context, Record

FIRST_YEAR, LAST_YEAR = 1900, 2100
_CELL = 40.0


def locale_first_weekday(language: str) -> int:
    """The weekday that weeks begin with where no app says otherwise, 0 is Monday."""
    return 0 if language == "zh" else 6


def DatePicker(
    ctx: Context,
    title: str,
    start: tuple[int, int, int],
    on_set: Callable[[int, int, int], None],
    first_weekday: int | None = None,
) -> Node:
    """A dialog that sets a date: arrows move by a month, the title opens the list of years, a tap takes a day.

    Args:
        ctx: the overlay's context; what is being picked lives in the overlay's plain values.
        title: the title.
        start: year, month (1 to 12) and day to start from.
        on_set: called with year, month and day; the dialog is closed before.
        first_weekday: the weekday that weeks begin with, 0 is Monday; None for that of the locale.

    Raises:
        ValueError: it isn't built by an overlay.
    """
    if ctx.overlay is None:
        raise ValueError("DatePicker is built by an overlay of a screen")
    state: Record = ctx.overlay["ui"]
    year, month, day = state.setdefault("date", list(start))
    shown_year, shown_month = state.setdefault("shown", [year, month])

    def take() -> None:
        ctx.dismiss()
        on_set(year, month, day)

    chosen = date(year, month, day)
    head = Text(
        _date_text(ctx, chosen), "headlineMedium", width=FILL, pad=(24.0, 0.0, 24.0, 0.0), id="date_picker_header"
    )
    years = bool(state.get("years"))
    bar = _bar(ctx, state, shown_year, shown_month, years)
    first = locale_first_weekday(ctx.language) if first_weekday is None else first_weekday
    grid = (
        _years(state, shown_year, shown_month) if years else _days(ctx, state, shown_year, shown_month, chosen, first)
    )
    body = Node("col", (head, bar, grid), gap=8.0, width=FILL)
    return Dialog(ctx, title, body, actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("ok"), take)])


def _date_text(ctx: Context, day: date) -> str:
    return ctx.tr("date_full", year=day.year, month=day.month, month_name=ctx.tr(f"month_{day.month}"), day=day.day)


def _bar(ctx: Context, state: Record, year: int, month: int, years: bool) -> Node:
    def move(by: int) -> Handler:
        def handle() -> None:
            number = year * 12 + month - 1 + by
            if FIRST_YEAR <= number // 12 <= LAST_YEAR:
                state["shown"] = [number // 12, number % 12 + 1]

        return handle

    def toggle() -> None:
        state["years"] = not years
        # The list of years opens around the one that shows.
        ctx.record["scroll"]["year_list"] = [max((year - FIRST_YEAR) // 4 - 2, 0), 0]

    label = Node(
        "row",
        (
            Text(ctx.tr("picker_month", year=year, month=month, month_name=ctx.tr(f"month_{month}")), "titleSmall"),
            Node("icon", icon="menu-up" if years else "menu-down", color="onSurfaceVariant", hidden_from_tree=True),
        ),
        min_height=48.0,
        pad=(12.0, 0.0, 8.0, 0.0),
        on_tap=toggle,
        desc=ctx.tr("picker_years"),
        id="month_navigation_fragment_toggle",
    )
    parts = [label, Space(weight=1.0)]
    if not years:
        parts += [
            IconButton("chevron-left", move(-1), ctx.tr("picker_previous"), id="month_navigation_previous"),
            IconButton("chevron-right", move(1), ctx.tr("picker_next"), id="month_navigation_next"),
        ]
    return Node("row", parts, width=FILL, pad=(12.0, 0.0, 12.0, 0.0))


def _years(state: Record, shown: int, month: int) -> Node:
    def choose(year: int) -> Handler:
        def handle() -> None:
            day = min(int(state["date"][2]), calendar.monthrange(year, int(state["date"][1]))[1])
            state.update(date=[year, int(state["date"][1]), day], shown=[year, int(state["date"][1])], years=False)

        return handle

    rows = []
    for first in range(FIRST_YEAR, LAST_YEAR + 1, 4):
        cells = []
        for year in range(first, min(first + 4, LAST_YEAR + 1)):
            on = year == shown
            cells.append(
                Node(
                    "box",
                    (Text(str(year), "bodyLarge", "onPrimary" if on else "onSurface", place="center-center"),),
                    weight=1.0,
                    height=_CELL,
                    radius=_CELL / 2,
                    bg="primary" if on else None,
                    selected=on,
                    on_tap=choose(year),
                    id="year",
                )
            )
        rows.append(Node("row", cells, width=FILL, height=48.0, pad=(16.0, 0.0, 16.0, 0.0)))
    return Node("list", rows, width=FILL, height=_CELL * 7, id="year_list")


def _days(ctx: Context, state: Record, year: int, month: int, chosen: date, first: int) -> Node:
    def choose(day: int) -> Handler:
        return lambda: state.update(date=[year, month, day])

    def line(cells: list[Node]) -> Node:
        return Node("row", cells, width=FILL, height=_CELL, pad=(20.0, 0.0, 20.0, 0.0), hidden_from_tree=True)

    names = [
        Text(ctx.tr(f"weekday_letter_{(number + first) % 7}"), "bodySmall", weight=1.0, text_align="center")
        for number in range(7)
    ]
    rows = [line(names)]
    today = ctx.now.date()
    blank = (calendar.monthrange(year, month)[0] - first) % 7
    last = calendar.monthrange(year, month)[1]
    for week in range(-(-(blank + last) // 7)):
        cells = []
        for column in range(7):
            day = week * 7 + column - blank + 1
            if not 1 <= day <= last:
                cells.append(Space(weight=1.0))
                continue
            here = date(year, month, day)
            on = here == chosen
            label = Text(
                str(day),
                "bodyMedium",
                "onPrimary" if on else "primary" if here == today else "onSurface",
                place="center-center",
                hidden_from_tree=True,
            )
            disc = Node(
                "box",
                (label,),
                width=36.0,
                height=36.0,
                radius=18.0,
                bg="primary" if on else None,
                border=1.0 if here == today and not on else 0.0,
                border_color="primary",
                place="center-center",
                hidden_from_tree=True,
            )
            cells.append(
                Node(
                    "box",
                    (disc,),
                    weight=1.0,
                    height=_CELL,
                    on_tap=choose(day),
                    text=str(day),
                    desc=_date_text(ctx, here),
                    selected=on,
                    cls="android.widget.TextView",
                    id="day",
                )
            )
        rows.append(line(cells))
    return Node("col", rows, width=FILL, id="month_grid")
