"""The world clock tab, and the page that adds cities."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

import yaml

from mobile_gym.phone.apps.clock.schedule import MODULE
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import clock_text, half_of_day, month_day, shared, time_text, weekday
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Checkbox, EmptyState, Fab, LazyList, ListRow, SearchField, Text


@lru_cache(maxsize=1)
def cities() -> Mapping[str, Mapping[str, str]]:
    """City by id: `zone`, `zh`, `en`."""
    found: Mapping[str, Mapping[str, str]] = yaml.safe_load(
        files(MODULE).joinpath("cities.yaml").read_text(encoding="utf-8")
    )
    return found


def chosen(ctx: Context) -> list[str]:
    """Ids of the cities that the user added, in that order; ones that the phone doesn't know are passed over."""
    return [row["city"] for row in ctx.db.rows("SELECT city FROM cities ORDER BY _id") if row["city"] in cities()]


def body(ctx: Context) -> Node:
    """The local time, then the cities."""
    now = ctx.now
    time = Text(
        clock_text(now.hour, now.minute, ctx.phone.use_24_hours),
        "displayLarge",
        size_sp=72.0,
        line_sp=84.0,
        text_weight=300,
        id="digital_clock",
    )
    half = () if ctx.phone.use_24_hours else (Text(half_of_day(now.hour, ctx.language), "titleLarge"),)
    date = ctx.tr("date_line", date=month_day(now, ctx.language), weekday=weekday(now, ctx.language))
    head = Node(
        "col",
        (
            Node("row", (time, *half), align="baseline", gap=8.0),
            Text(date, "titleMedium", "onSurfaceVariant", id="date"),
        ),
        width=FILL,
        pad=(32.0, 24.0, 32.0, 24.0),
    )
    rows: list[Node | str] = [head, *chosen(ctx)]
    return LazyList(rows, row=lambda city: _city_row(ctx, city), id="cities", bottom_pad=104.0)


def button(ctx: Context) -> Node:
    """The button that adds a city."""
    return Fab("plus", ctx.tr("add_city"), ctx.open("cities"), large=True)


def difference(ctx: Context, zone: str) -> str:
    """How far a zone is from the local time, in words."""
    there = ctx.now.astimezone(ZoneInfo(zone))
    offset, local = there.utcoffset(), ctx.now.utcoffset()
    assert offset is not None
    assert local is not None
    minutes = round((offset - local).total_seconds() / 60)
    if not minutes:
        return ctx.tr("same_time")
    amount = abs(minutes) / 60
    hours = ctx.tr("hours_amount", n=int(amount) if amount == int(amount) else f"{amount:.2f}".rstrip("0"))
    days = (there.date() - ctx.now.date()).days
    day = {-1: shared("yesterday", ctx.language), 0: shared("today", ctx.language)}.get(days, ctx.tr("tomorrow"))
    separator = "\uff0c" if ctx.language == "zh" else ", "
    return day + separator + ctx.tr("ahead" if minutes > 0 else "behind", hours=hours)


def _city_row(ctx: Context, city: str) -> Node:
    entry = cities()[city]
    there = ctx.now.astimezone(ZoneInfo(entry["zone"]))
    time = Text(
        time_text(there.hour, there.minute, ctx.phone.use_24_hours, ctx.language),
        "headlineMedium",
        id="city_time",
        max_lines=1,
    )
    return ListRow(
        entry[ctx.language],
        difference(ctx, entry["zone"]),
        trailing=time,
        id="city_row",
        min_height=88.0,
        on_long_press=ctx.show("remove_city", city=city),
    ).replace(pad=(32.0, 8.0, 32.0, 8.0))


def search_body(ctx: Context) -> tuple[Node, Node]:
    """The search bar and the list of cities that match."""
    query = ctx.field("search_src_text").strip().casefold()
    names = sorted(
        (
            name
            for name, entry in cities().items()
            if not query or any(query in entry[lang].casefold() for lang in ("zh", "en"))
        ),
        key=lambda name: cities()[name]["en"],
    )
    mine = set(chosen(ctx))
    rows = LazyList(
        names,
        row=lambda name: _choice(ctx, name, name in mine),
        id="cities_list",
        empty=EmptyState("map-search-outline", ctx.tr("no_city_found")),
        bottom_pad=24.0,
    )
    bar = SearchField(ctx, "search_src_text", ctx.tr("search_cities"), on_back=ctx.back(), bg="surfaceContainerHigh")
    return Node("box", (bar,), width=FILL, pad=(16.0, 8.0, 16.0, 8.0)), rows


def _choice(ctx: Context, name: str, mine: bool) -> Node:
    entry = cities()[name]
    there = ctx.now.astimezone(ZoneInfo(entry["zone"]))

    def toggle() -> None:
        if mine:
            ctx.db.execute("DELETE FROM cities WHERE city = ?", name)
        else:
            ctx.db.insert("cities", city=name)

    time = time_text(there.hour, there.minute, ctx.phone.use_24_hours, ctx.language)
    return ListRow(
        entry[ctx.language],
        time,
        leading=Checkbox(mine, desc=entry[ctx.language]),
        on_tap=toggle,
        id="city_choice",
        checkable=True,
        checked=mine,
    )


def remove(ctx: Context, city: str) -> Handler:
    """A handler that removes a city."""

    def handle() -> None:
        ctx.db.execute("DELETE FROM cities WHERE city = ?", city)
        ctx.snackbar(ctx.tr("city_removed", city=cities()[city][ctx.language]), ctx.tr("undo"), {"city": city})

    return ctx.then_dismiss(handle)
