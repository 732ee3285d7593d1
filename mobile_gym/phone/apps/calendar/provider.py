"""The calendar provider: `content://com.android.calendar`."""

from __future__ import annotations

import re
import sqlite3
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.calendar import alerts, store
from mobile_gym.phone.apps.calendar.rrule import RuleError, parse_moment, parse_rule
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.state import Database
from mobile_gym.phone.system.providers import Table, TableProvider, Values

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_WHEN = re.compile(r"instances/(when|whenbyday)/(-?\d+)/(-?\d+)")
_EPOCH_DAY = 2_440_588
"""The Julian day of 1970-01-01, from which `startDay` counts."""
_MOST_DAYS = 3660
_COLUMNS = (
    "_id",
    "event_id",
    "begin",
    "end",
    "startDay",
    "endDay",
    "startMinute",
    "endMinute",
    "title",
    "description",
    "eventLocation",
    "dtstart",
    "dtend",
    "allDay",
    "rrule",
    "calendar_id",
    "calendar_displayName",
    "eventTimezone",
    "eventColor",
    "calendar_color",
    "displayColor",
    "hasAlarm",
    "availability",
    "eventStatus",
    "visible",
)


def _check_event(values: Values) -> None:
    for name in ("dtstart", "dtend"):
        value = values.get(name)
        if value is not None and not (isinstance(value, int) and abs(value) < 7_258_118_400_000):
            raise ProviderError(f"events: {name} must be milliseconds since the epoch, not {value!r}")
    start, end = values.get("dtstart"), values.get("dtend")
    if isinstance(start, int) and isinstance(end, int) and end < start:
        raise ProviderError("events: dtend must not be before dtstart")
    try:
        if values.get("rrule"):
            parse_rule(str(values["rrule"]))
        for text in str(values.get("exdate") or "").split(","):
            if text.strip():
                parse_moment(text)
    except RuleError as error:
        raise ProviderError(f"events: {error}") from error


def _end(phone: Phone, values: Values) -> int | None:
    if values.get("duration"):
        return int(values["dtstart"]) + store.duration_ms(str(values["duration"]))
    if "dtstart" not in values:
        raise ProviderError("events: dtstart is needed")
    return int(values["dtstart"]) + (store.DAY_MS if values.get("allDay") in (1, "1", True) else store.HOUR_MS)


def _zone(phone: Phone, values: Values) -> str:
    return "UTC" if values.get("allDay") in (1, "1", True) else phone.state.clock.zone


def _calendar(phone: Phone, values: Values) -> int | None:
    found = store.calendars(phone, writable=True)
    return int(found[0]["_id"]) if found else None


class CalendarProvider(TableProvider):
    """Events, reminders, attendees and calendars are tables; instances are worked out from the events."""

    def __init__(self) -> None:
        def table(name: str, source: str = "", **options: Any) -> Table:
            return Table(store.DATABASE, source or name, name, on_change=alerts.reschedule, **options)

        super().__init__(
            "com.android.calendar",
            {
                "events": table(
                    "events",
                    "view_events",
                    defaults={"dtend": _end, "eventTimezone": _zone, "calendar_id": _calendar},
                    sort="dtstart, _id",
                    check=_check_event,
                ),
                "reminders": table("reminders"),
                "attendees": table("attendees"),
                "calendars": table("calendars"),
                "calendar_alerts": Table(store.DATABASE, "calendar_alerts", sort="alarmTime, _id"),
                "properties": Table(store.DATABASE, "prefs", "prefs"),
            },
        )

    def query(self, phone: Phone, path: str, where: str | None, sort: str | None) -> list[dict[str, Any]]:
        """Rows at a path; `instances/when/<begin>/<end>` are the occurrences between two moments."""
        match = _WHEN.fullmatch(path)
        if match is None:
            if path.startswith("instances"):
                raise ProviderError(
                    "instances are asked for as content://com.android.calendar/instances/when/<ms>/<ms>"
                )
            return super().query(phone, path, where, sort)
        begin, end = int(match[2]), int(match[3])
        if match[1] == "when":
            if not 0 <= begin <= end < 7_258_118_400_000:
                raise ProviderError(f"instances/when/{begin}/{end}: milliseconds since the epoch are needed, in order")
            first, last = phone.state.clock.at(begin).date(), phone.state.clock.at(end).date()
        else:
            if not _EPOCH_DAY <= begin <= end < _EPOCH_DAY + 84_000:
                raise ProviderError(f"instances/whenbyday/{begin}/{end}: Julian days are needed, in order")
            first = date(1970, 1, 1) + timedelta(days=begin - _EPOCH_DAY)
            last = date(1970, 1, 1) + timedelta(days=end - _EPOCH_DAY)
        if (last - first).days > _MOST_DAYS:
            raise ProviderError("instances: at most ten years at once")
        rows = _instances(phone, first, last)
        if match[1] == "when":
            rows = [row for row in rows if row["allDay"] or (row["begin"] <= end and row["end"] >= begin)]
        return _select(rows, where, sort or "begin, _id")


def _instances(phone: Phone, first: date, last: date) -> list[dict[str, Any]]:
    rows = []
    for number, one in enumerate(store.instances(phone, first, last, hidden=True), start=1):
        event = store.event(phone, one.event_id)
        if event is None:  # a birthday, which is no event of the provider
            continue
        zone = store.zone_of("UTC") if one.all_day else store.zone_of(phone.state.clock.zone)
        begin, end = store.local(one.begin, zone), store.local(one.end, zone)
        worked_out = {
            "_id": number,
            "event_id": one.event_id,
            "begin": one.begin,
            "end": one.end,
            "startDay": one.first.toordinal() - date(1970, 1, 1).toordinal() + _EPOCH_DAY,
            "endDay": one.last.toordinal() - date(1970, 1, 1).toordinal() + _EPOCH_DAY,
            "startMinute": begin.hour * 60 + begin.minute,
            "endMinute": end.hour * 60 + end.minute or 1440,
        }
        rows.append({name: worked_out.get(name, event.get(name)) for name in _COLUMNS})
    return rows


def _select(rows: list[dict[str, Any]], where: str | None, sort: str) -> list[dict[str, Any]]:
    """Rows that a condition holds for, in an order; both are SQL."""
    scratch = Database()
    try:
        columns = ", ".join(f'"{name}"' for name in _COLUMNS)
        scratch.script(f"CREATE TABLE instances ({columns})")
        scratch.insert_many("instances", _COLUMNS, [tuple(row.values()) for row in rows])
        condition = f" WHERE {where}" if where else ""
        return scratch.rows(f"SELECT * FROM instances{condition} ORDER BY {sort}")
    except sqlite3.Error as error:
        raise ProviderError(f"instances: {error}") from error
    finally:
        scratch.close()
