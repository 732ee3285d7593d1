"""Date and time: automatic or set by hand, the zone, 12 or 24 hours."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from mobile_gym.phone.apps.settings.device.store import carded, fact, load_yaml, put_fact
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import note
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import month_day, time_text
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    EmptyState,
    Group,
    LazyList,
    ListRow,
    Scaffold,
    SearchField,
    SectionTitle,
    SwitchRow,
)
from mobile_gym.phone.ui.widgets.date_picker import DatePicker
from mobile_gym.phone.ui.widgets.pickers import TimePicker


@lru_cache(maxsize=128)
def _zone(name: str) -> ZoneInfo:
    # ZoneInfo itself keeps only a few and reads the others' files again.
    return ZoneInfo(name)


def set_clock(ctx: Context, moment: datetime) -> None:
    """Sets the clock by hand, and keeps how far it is from the network's time."""
    to = ctx.phone.state.clock.to_ms(moment)
    put_fact(ctx, "clock_offset_ms", int(fact(ctx, "clock_offset_ms", "0")) + to - ctx.now_ms)
    ctx.phone.set_time(to)


def set_automatic_time(ctx: Context, on: bool) -> None:
    """Takes the network's time from now on, or leaves the clock to the user."""
    ctx.put_setting("global", "auto_time", on)
    offset = int(fact(ctx, "clock_offset_ms", "0"))
    if on and offset:
        put_fact(ctx, "clock_offset_ms", 0)
        ctx.phone.set_time(ctx.now_ms - offset)


def set_automatic_zone(ctx: Context, on: bool) -> None:
    """Takes the network's time zone from now on, or leaves it to the user."""
    ctx.put_setting("global", "auto_time_zone", on)
    zone = fact(ctx, "network_zone")
    if on and zone and zone != ctx.phone.state.clock.zone:
        ctx.put_setting("global", "time_zone", zone)


def offset_text(moment: datetime) -> str:
    """`GMT+08:00`."""
    offset = moment.utcoffset() or timedelta()
    minutes = round(offset.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"GMT{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def zone_name(ctx: Context, zone: str) -> str:
    """The city of a zone."""
    known = load_yaml("zones.yaml").get(zone)
    return str(known[ctx.language]) if known else zone.rpartition("/")[2].replace("_", " ")


class DateTime(Page):
    """The page of it all."""

    name = "date_time"
    activity = ".Settings$DateTimeSettingsActivity"
    title = "date_time"
    parent = "system"
    keywords = "date_time_words"
    entries = {
        "automatic_time": "automatic_time_words",
        "time_zone": "time_zone_words",
        "use_24_hours": "use_24_hours_words",
    }
    actions = ("android.settings.DATE_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Time, zone, format. What is automatic can't be set by hand."""
        automatic = ctx.settings.get("global", "auto_time") != "0"
        auto_zone = ctx.settings.get("global", "auto_time_zone") != "0"
        now, use_24 = ctx.now, ctx.phone.use_24_hours
        time_rows = [
            SwitchRow(
                ctx.tr("automatic_time"),
                automatic,
                lambda turned: set_automatic_time(ctx, turned),
                ctx.tr("automatic_time_summary"),
                id="auto_time",
            ),
            ListRow(
                ctx.tr("set_date"),
                month_day(now, ctx.language, year=True),
                on_tap=ctx.show("date"),
                id="date",
                enabled=not automatic,
            ),
            ListRow(
                ctx.tr("set_time"),
                time_text(now.hour, now.minute, use_24, ctx.language),
                on_tap=ctx.show("clock"),
                id="time",
                enabled=not automatic,
            ),
        ]
        zone_rows = [
            SwitchRow(
                ctx.tr("automatic_zone"),
                auto_zone,
                lambda turned: set_automatic_zone(ctx, turned),
                ctx.tr("automatic_zone_summary"),
                id="auto_zone",
            ),
            ListRow(
                ctx.tr("time_zone"),
                f"{offset_text(now)} {zone_name(ctx, ctx.phone.state.clock.zone)}",
                on_tap=ctx.open("time_zone"),
                id="timezone",
                enabled=not auto_zone,
            ),
        ]
        format_rows = [
            SwitchRow(
                ctx.tr("use_24_hours"),
                use_24,
                lambda turned: ctx.put_setting("system", "time_12_24", "24" if turned else "12"),
                time_text(13, 0, use_24, ctx.language),
                id="24_hour",
            )
        ]
        return [
            SectionTitle(ctx.tr("time_section")),
            *Group(time_rows),
            SectionTitle(ctx.tr("time_zone")),
            *Group(zone_rows),
            SectionTitle(ctx.tr("time_format")),
            *Group(format_rows),
            *([note(ctx.tr("automatic_note"))] if automatic or auto_zone else []),
        ]

    def overlay_date(self, ctx: Context) -> Node:
        """The date."""
        now = ctx.now
        return DatePicker(
            ctx,
            ctx.tr("set_date"),
            (now.year, now.month, now.day),
            lambda year, month, day: set_clock(ctx, ctx.now.replace(year=year, month=month, day=day, tzinfo=None)),
        )

    def overlay_clock(self, ctx: Context) -> Node:
        """The time of day."""
        now = ctx.now
        return TimePicker(
            ctx,
            ctx.tr("set_time"),
            now.hour,
            now.minute,
            lambda hour, minute: set_clock(
                ctx, ctx.now.replace(hour=hour, minute=minute, second=0, microsecond=0, tzinfo=None)
            ),
        )


class TimeZone(Page):
    """Zones by city."""

    name = "time_zone"
    activity = ".Settings$TimeZonePickerActivity"
    title = "time_zone"
    parent = "date_time"
    searchable = False

    def build(self, ctx: Context) -> Node:
        """The search bar over the cities."""
        words = ctx.field("zone_search").casefold().strip()
        found = [
            (zone, names)
            for zone, names in load_yaml("zones.yaml").items()
            if words in names["zh"] or words in names["en"].casefold() or words in zone.casefold().replace("_", " ")
        ]
        field = SearchField(ctx, "zone_search", ctx.tr("search_zones"), on_back=ctx.back())
        top = Node("box", (field,), width=FILL, pad=(16.0, 8.0, 16.0, 12.0), hidden_from_tree=True)
        empty = EmptyState("earth", ctx.tr("no_zones"))
        last = len(found) - 1
        items = [(zone, names[ctx.language], number == 0, number == last) for number, (zone, names) in enumerate(found)]
        body = LazyList(items, row=lambda item: self._row(ctx, *item), id="tz_list", empty=empty)
        return Scaffold(body, top=top, bg="page")

    def _row(self, ctx: Context, zone: str, name: str, first: bool, last: bool) -> Node:
        now = ctx.phone.state.clock.now().astimezone(_zone(zone))
        when = time_text(now.hour, now.minute, ctx.phone.use_24_hours, ctx.language)
        row = ListRow(name, f"{offset_text(now)} · {when}", on_tap=self._choose(ctx, zone), id="zone")
        return carded(row, first, last)

    def _choose(self, ctx: Context, zone: str) -> Handler:
        def handle() -> None:
            ctx.focus(None)
            ctx.put_setting("global", "time_zone", zone)
            ctx.finish()

        return handle


SCREENS = (DateTime, TimeZone)
