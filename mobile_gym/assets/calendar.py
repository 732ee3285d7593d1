"""Events of the calendar, through Android's calendar provider."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Annotated, Any, ClassVar, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BeforeValidator, Field, model_validator

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_int, newest_id, row_path
from mobile_gym.assets.documents import Strict
from mobile_gym.devices.base import Device, Row
from mobile_gym.devices.errors import CommandFailed

EVENTS = "content://com.android.calendar/events"
REMINDERS = "content://com.android.calendar/reminders"
CALENDARS = "content://com.android.calendar/calendars"
_CONTRIBUTOR = 500
"""The least access level of a calendar that events may be put into."""
_DURATION = re.compile(
    r"P(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?(?:T?(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+)S)?)?"
)


def _moment(value: Any) -> str:
    """A date or a local time of a day, as `2026-03-15` or `2026-03-15T14:00`."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M")
    if isinstance(value, date):
        return value.isoformat()
    text = str(value).strip()
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return date.fromisoformat(text).isoformat()
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"'{text}' is no date (2026-03-15) and no time of one (2026-03-15T14:00)") from error
    if moment.tzinfo is not None:
        raise ValueError("an event's times are the device's local ones; leave the zone out")
    return moment.strftime("%Y-%m-%dT%H:%M")


Moment = Annotated[str, BeforeValidator(_moment)]


class Event(Strict):
    """An event.

    Attributes:
        title: its title.
        start: when it begins, local time; a date alone for an event of whole days.
        end: when it ends; of whole days, the last one. An hour, or the day, after the start where it is injected
            without.
        location: where it is.
        description: the notes.
        reminder: minutes before it that it reminds, or several.
        repeat: how often it comes again.
        rrule: the recurrence rule, where `repeat` cannot say it.
        calendar: the name of the calendar that it is in.
    """

    title: str | None = None
    start: Moment | None = None
    end: Moment | None = None
    location: str | None = None
    description: str | None = None
    reminder: int | tuple[int, ...] | None = Field(default=None)
    repeat: Literal["never", "daily", "weekly", "monthly", "yearly"] | None = None
    rrule: str | None = None
    calendar: str | None = None

    @model_validator(mode="after")
    def _fits(self) -> Event:
        if self.start is not None and self.end is not None:
            if ("T" in self.start) != ("T" in self.end):
                raise ValueError("'start' and 'end' are both dates, or both have a time")
            if self.end < self.start:
                raise ValueError("'end' is before 'start'")
        return self


class EventType(AssetType):
    """`event: {title: ..., start: 2026-03-15T14:00}`."""

    name = "event"
    document = Event
    identity = ("title",)
    meanings: ClassVar[Mapping[str, Meaning]] = {
        "title": Meaning.TEXT,
        "location": Meaning.TEXT,
        "description": Meaning.TEXT,
        "calendar": Meaning.TEXT,
    }
    requires = frozenset({"content", "provider:com.android.calendar"})

    def inject(self, device: Device, document: Any) -> None:
        """Inserts the event and its reminders."""
        event: Event = document
        if event.title is None or event.start is None:
            raise ValueError("an event needs 'title' and 'start' to be put on a device")
        whole = "T" not in event.start
        name = "UTC" if whole else _zone_name(device)
        begin, end = _span(event.start, event.end, ZoneInfo(name))
        values: dict[str, str | int | float | None] = {
            "calendar_id": _calendar(device, event.calendar),
            "title": event.title,
            "dtstart": begin,
            "allDay": int(whole),
            "eventTimezone": name,
            "eventLocation": event.location,
            "description": event.description,
        }
        rule = event.rrule or (f"FREQ={event.repeat.upper()}" if event.repeat not in (None, "never") else None)
        if rule is None:
            values["dtend"] = end
        else:
            # A recurring event has a duration instead of an end.
            seconds = (end - begin) // 1000
            values |= {"rrule": rule, "duration": f"P{seconds // 86400}D" if whole else f"P{seconds}S"}
        device.content.insert(EVENTS, values)
        key = newest_id(device.content.query(EVENTS))
        for minutes in (event.reminder,) if isinstance(event.reminder, int) else event.reminder or ():
            device.content.insert(REMINDERS, {"event_id": key, "minutes": minutes, "method": 1})

    def entries(self, reader: Reader) -> list[Entry]:
        """Events with their reminders; occurrences of a recurring one are not told apart."""
        reminders: dict[str, list[Row]] = {}
        for row in reader.rows(REMINDERS):
            reminders.setdefault(str(row.get("event_id")), []).append(row)
        return [self._entry(row, reminders.get(str(row.get("_id")), ())) for row in reader.rows(EVENTS)]

    def _entry(self, row: Row, reminders: Sequence[Row]) -> Entry:
        whole = str(row.get("allDay")) in ("1", "true")
        zone = _zone("UTC" if whole else str(row.get("eventTimezone") or "UTC"))
        begin = as_int(row.get("dtstart")) or 0
        end = as_int(row.get("dtend"))
        if end is None:
            end = begin + _milliseconds(str(row.get("duration") or ""))
        rule = str(row.get("rrule") or "")
        often = re.search(r"FREQ=(\w+)", rule)
        key = row_path(EVENTS, row)
        fields = {
            "title": str(row.get("title") or ""),
            "start": _said(begin, zone, whole),
            # The end of whole days is the midnight after the last one.
            "end": _said(max(begin, end - 1) if whole else end, zone, whole),
            "location": str(row.get("eventLocation") or ""),
            "description": str(row.get("description") or ""),
            "reminder": tuple(as_int(one.get("minutes")) for one in reminders),
            "repeat": often[1].lower() if often else "never",
            "rrule": rule,
            "calendar": str(row.get("calendar_displayName") or ""),
        }
        return Entry(key, fields, frozenset({key, *(row_path(REMINDERS, one) for one in reminders)}))


def _zone_name(device: Device) -> str:
    """The name of the device's time zone, as calendars keep it: an event outlives the offset of the day."""
    zone = device.clock.now().tzinfo or UTC
    if isinstance(zone, ZoneInfo):
        return zone.key
    if zone is UTC:
        return "UTC"
    # Behind ADB the clock tells an offset alone.
    name = device.shell("getprop persist.sys.timezone").stdout.strip()
    if name not in available_timezones():
        raise CommandFailed(
            f"{device.serial}: an event needs the device's time zone, and persist.sys.timezone is {name!r}; set one"
        )
    return name


def _zone(name: str) -> tzinfo:
    """A zone by its name; other calendars also write offsets, such as `GMT+08:00`."""
    offset = re.fullmatch(r"(?:UTC|GMT)([+-])(\d{1,2}):?(\d{2})", name, re.ASCII)
    if offset is None:
        return ZoneInfo(name)
    shift = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
    return timezone(-shift if offset[1] == "-" else shift)


def _span(start: str, end: str | None, zone: Any) -> tuple[int, int]:
    """Beginning and end in milliseconds since the epoch."""
    whole = "T" not in start
    begin = datetime.fromisoformat(start).replace(tzinfo=zone)
    if end is None:
        finish = begin + (timedelta(days=1) if whole else timedelta(hours=1))
    else:
        finish = datetime.fromisoformat(end).replace(tzinfo=zone) + (timedelta(days=1) if whole else timedelta())
    return round(begin.timestamp() * 1000), round(finish.timestamp() * 1000)


def _said(milliseconds: int, zone: tzinfo, whole: bool) -> str:
    moment = datetime.fromtimestamp(milliseconds // 1000, zone)
    return moment.date().isoformat() if whole else moment.strftime("%Y-%m-%dT%H:%M")


def _milliseconds(duration: str) -> int:
    match = _DURATION.fullmatch(duration)
    if match is None:
        return 0
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * (days + 7 * weeks))))


def _calendar(device: Device, name: str | None) -> int:
    rows = [
        row
        for row in device.content.query(CALENDARS)
        if (as_int(row.get("calendar_access_level")) or 0) >= _CONTRIBUTOR
        and (name is None or row.get("calendar_displayName") == name)
    ]
    if not rows:
        raise ValueError(f"the device has no calendar {name!r} to write to" if name else "the device has no calendar")
    return as_int(rows[0].get("_id")) or 0
