"""Events and what they become on the days of a calendar; the rows are those of Android's calendar provider."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mobile_gym.phone.apps.calendar.rrule import RuleError, occurrences, parse_moment, parse_rule
from mobile_gym.phone.apps.contacts_provider.people import BIRTHDAY, EVENT
from mobile_gym.phone.apps.contacts_provider.people import DATABASE as CONTACTS
from mobile_gym.phone.state import Database
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import translate
from mobile_gym.phone.ui.widgets.date_picker import locale_first_weekday

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

PACKAGE = "com.android.calendar"
MODULE = "mobile_gym.phone.apps.calendar"
DATABASE = f"{PACKAGE}/calendar.db"
MINUTE_MS, HOUR_MS, DAY_MS = 60_000, 3_600_000, 86_400_000
BIRTHDAYS = "birthdays"
"""Name of the calendar that shows the contacts' birthdays; it holds no events."""
EDITOR = 500
"""Access level from which on a calendar takes events."""

_PLAIN = "SELECT * FROM view_events WHERE COALESCE(rrule, '') = '' AND dtstart < ? AND dtstart > ?"
_RULED = "SELECT * FROM view_events WHERE COALESCE(rrule, '') <> '' AND dtstart < ?"
_LONGEST_MS = 40 * DAY_MS
"""Plain events that are longer than this may be missed by views that begin after them."""
_DURATION = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")


@dataclass(frozen=True, slots=True)
class Instance:
    """One occurrence of an event.

    Attributes:
        event_id: the event; 0 for a birthday.
        title: its title, or empty.
        location: its place, or empty.
        begin: milliseconds since the epoch; of all-day ones a midnight of UTC.
        end: the same, of the end.
        first: the first day, in the phone's zone.
        last: the last day.
        all_day: whether it takes whole days.
        color: signed ARGB.
        calendar_id: its calendar.
        recurring: whether it repeats.
        contact_id: whose birthday it is; 0 for others.
    """

    event_id: int
    title: str
    location: str
    begin: int
    end: int
    first: date
    last: date
    all_day: bool
    color: int
    calendar_id: int
    recurring: bool
    contact_id: int = 0


def database(phone: Phone) -> Database:
    """The calendar's database."""
    return phone.state.database(DATABASE)


# ---- times


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """A time zone by name; UTC where nobody knows the name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def event_zone(phone: Phone, event: Row) -> ZoneInfo:
    """The zone in which an event's times are meant."""
    if event["allDay"]:
        return zone_of("UTC")
    return zone_of(event["eventTimezone"] or phone.state.clock.zone)


def local(ms: int, zone: ZoneInfo) -> datetime:
    """Local time of a moment, naive."""
    return datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone).replace(tzinfo=None)


def to_ms(moment: datetime, zone: ZoneInfo) -> int:
    """Milliseconds since the epoch of a naive local time."""
    return round(moment.replace(tzinfo=zone).timestamp() * 1000)


def day_ms(phone: Phone, day: date) -> int:
    """The midnight at which a day begins on the phone."""
    return phone.state.clock.to_ms(datetime(day.year, day.month, day.day, tzinfo=phone.state.clock.tz))


def utc_day(day: date) -> int:
    """The midnight of UTC that stands for a day in all-day events."""
    return to_ms(datetime(day.year, day.month, day.day), zone_of("UTC"))  # noqa: DTZ001 - naive by intent


def duration_ms(text: str) -> int:
    """Milliseconds of a duration such as `P3600S`, `PT1H` or `P1D`; 0 for what is none."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        return 0
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000


def length_of(event: Row) -> int:
    """How long an event is, milliseconds."""
    if event["dtend"] is not None:
        return max(int(event["dtend"]) - int(event["dtstart"]), 0)
    return duration_ms(event["duration"] or "") or (DAY_MS if event["allDay"] else 0)


# ---- occurrences


@lru_cache(maxsize=1024)
def starts(rrule: str, exdate: str, dtstart: int, zone: str, begin: int, end: int) -> tuple[int, ...]:
    """When occurrences of a repeating event begin, within [begin, end); milliseconds since the epoch.

    A rule that nobody understands gives the first occurrence only.
    """
    tz = zone_of(zone)
    first = local(dtstart, tz)
    try:
        rule = parse_rule(rrule)
        skipped = {parse_moment(text) for text in exdate.split(",") if text.strip()}
    except RuleError:
        return (dtstart,) if begin <= dtstart < end else ()
    if rule.until is not None and rule.utc:
        until = rule.until.replace(tzinfo=UTC).astimezone(tz).replace(tzinfo=None)
        rule = type(rule)(rule.freq, rule.interval, rule.count, until, False, rule.by_day, rule.nth, rule.by_month_day)
    found = occurrences(rule, first, local(begin, tz), local(end, tz))
    return tuple(to_ms(moment, tz) for moment in found if moment not in skipped)


def event_starts(phone: Phone, event: Row, begin: int, end: int) -> tuple[int, ...]:
    """When occurrences of any event begin, within [begin, end)."""
    start = int(event["dtstart"])
    if not event["rrule"]:
        return (start,) if begin <= start < end else ()
    zone = event_zone(phone, event).key
    return starts(event["rrule"], event["exdate"] or "", start, zone, begin, end)


def instance_at(phone: Phone, event: Row, begin: int) -> Instance:
    """The occurrence of an event that begins at a moment."""
    length = length_of(event)
    if event["allDay"]:
        first = local(begin, zone_of("UTC")).date()
        last = first + timedelta(days=max(-(-length // DAY_MS), 1) - 1)
    else:
        first = phone.state.clock.at(begin).date()
        last = phone.state.clock.at(begin + max(length - 1, 0)).date()
    return Instance(
        event_id=int(event["_id"]),
        title=event["title"] or "",
        location=event["eventLocation"] or "",
        begin=begin,
        end=begin + length,
        first=first,
        last=last,
        all_day=bool(event["allDay"]),
        color=int(event["displayColor"]),
        calendar_id=int(event["calendar_id"]),
        recurring=bool(event["rrule"]),
    )


def instances(phone: Phone, first: date, last: date, hidden: bool = False) -> list[Instance]:
    """What lies on the days from `first` to `last`, by day, whole days first.

    Args:
        phone: the phone.
        first: the first day.
        last: the last day.
        hidden: whether events of calendars that are switched off count too.
    """
    data = database(phone)
    # All-day events are kept in UTC, so a day more on both sides.
    begin, end = day_ms(phone, first) - DAY_MS, day_ms(phone, last) + 2 * DAY_MS
    rows = data.rows(_PLAIN, end, begin - _LONGEST_MS) + data.rows(_RULED, end)
    found = []
    for event in rows:
        if not hidden and not event["visible"]:
            continue
        for start in event_starts(phone, event, begin - length_of(event), end):
            instance = instance_at(phone, event, start)
            if instance.first <= last and instance.last >= first:
                found.append(instance)
    found += birthdays(phone, first, last, hidden)
    return sorted(found, key=lambda one: (one.first, not one.all_day, one.begin, one.event_id, one.contact_id))


def by_day(found: Sequence[Instance], first: date, last: date) -> dict[date, list[Instance]]:
    """Instances by each of the days that they lie on; whole days come first."""
    days: dict[date, list[Instance]] = {}
    for instance in found:
        day = max(instance.first, first)
        while day <= min(instance.last, last):
            days.setdefault(day, []).append(instance)
            day += timedelta(days=1)
    for listed in days.values():
        listed.sort(key=lambda one: (not one.all_day, one.begin))
    return days


def birthdays(phone: Phone, first: date, last: date, hidden: bool = False) -> list[Instance]:
    """The contacts' birthdays on these days."""
    calendar = database(phone).row("SELECT * FROM calendars WHERE name = ? ORDER BY _id LIMIT 1", BIRTHDAYS)
    if calendar is None or not (hidden or calendar["visible"]):
        return []
    rows = phone.state.database(CONTACTS).rows(
        f"SELECT raw_contact_id, data1, display_name FROM view_data WHERE mimetype = '{EVENT}'"
        f" AND data2 = '{BIRTHDAY}' ORDER BY _id"
    )
    found = []
    for row in rows:
        match = re.fullmatch(r"(?:(\d{4})|-)-(\d\d)-(\d\d)", row["data1"] or "")
        if match is None:
            continue
        born, month, day_number = int(match[1] or 0), int(match[2]), int(match[3])
        for year in range(max(first.year, born), last.year + 1):
            day = _birthday(year, month, day_number)
            if day is None or not first <= day <= last:
                continue
            name = row["display_name"] or ""
            key = "birthday_age" if born and year > born else "birthday_of"
            title = translate(MODULE, key, phone.language, {"name": name, "years": year - born})
            begin = utc_day(day)
            found.append(
                Instance(
                    event_id=0,
                    title=title,
                    location="",
                    begin=begin,
                    end=begin + DAY_MS,
                    first=day,
                    last=day,
                    all_day=True,
                    color=int(calendar["calendar_color"]),
                    calendar_id=int(calendar["_id"]),
                    recurring=True,
                    contact_id=int(row["raw_contact_id"]),
                )
            )
    return found


def _birthday(year: int, month: int, day: int) -> date | None:
    """The day of a birthday in a year; who was born on 29 February has it on the 28th in most years."""
    if (month, day) == (2, 29) and (year % 4 or (year % 100 == 0 and year % 400)):
        day = 28
    try:
        return date(year, month, day)
    except ValueError:
        return None


# ---- rows


def event(phone: Phone, key: int) -> Row | None:
    """An event with the columns of its calendar, or None where it is gone."""
    return database(phone).row("SELECT * FROM view_events WHERE _id = ?", key)


def reminders(phone: Phone, key: int) -> list[int]:
    """Minutes before an event at which it reminds, fewest first."""
    rows = database(phone).rows("SELECT minutes FROM reminders WHERE event_id = ? ORDER BY minutes, _id", key)
    return [int(row["minutes"]) for row in rows]


def attendees(phone: Phone, key: int) -> list[Row]:
    """Who is invited."""
    return database(phone).rows("SELECT * FROM attendees WHERE event_id = ? ORDER BY _id", key)


def calendars(phone: Phone, writable: bool = False) -> list[Row]:
    """The calendars; those that take events only, where asked for."""
    least = EDITOR if writable else 0
    return database(phone).rows("SELECT * FROM calendars WHERE calendar_access_level >= ? ORDER BY _id", least)


def find_events(phone: Phone, query: str) -> list[Row]:
    """Events whose title, place, notes or guests hold the query, earliest first."""
    wanted = f"%{query.strip()}%"
    return database(phone).rows(
        "SELECT * FROM view_events WHERE title LIKE ?1 OR eventLocation LIKE ?1 OR description LIKE ?1 OR _id IN"
        " (SELECT event_id FROM attendees WHERE attendeeName LIKE ?1 OR attendeeEmail LIKE ?1) ORDER BY dtstart, _id",
        wanted,
    )


# ---- preferences


def pref(phone: Phone, name: str, default: str) -> str:
    """A preference of the app."""
    found = database(phone).value("SELECT value FROM prefs WHERE name = ?", name)
    return default if found is None else str(found)


def set_pref(phone: Phone, name: str, value: str) -> None:
    """Sets a preference of the app."""
    database(phone).execute(
        "INSERT INTO prefs (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = ?2", name, value
    )
    phone.invalidate()


def first_weekday(phone: Phone) -> int:
    """The weekday that weeks begin with, 0 is Monday."""
    usual = locale_first_weekday(phone.language)
    value = pref(phone, "first_day", str(usual))
    return int(value) if value in ("0", "5", "6") else usual


def shows_lunar(phone: Phone) -> bool:
    """Whether days carry those of the Chinese calendar."""
    return phone.language == "zh" and pref(phone, "lunar", "1") == "1"


def default_reminder(phone: Phone) -> int | None:
    """Minutes before a new event at which it reminds; None for not at all."""
    value = pref(phone, "default_reminder", "10")
    return int(value) if value.isdigit() else None


def default_calendar(phone: Phone) -> int:
    """The calendar that new events go to."""
    found = [int(row["_id"]) for row in calendars(phone, writable=True)]
    wanted = pref(phone, "default_calendar", "")
    if wanted.isdigit() and int(wanted) in found:
        return int(wanted)
    return found[0] if found else 1
