"""Making, changing and deleting events, of a series also parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.calendar import alerts, store
from mobile_gym.phone.apps.calendar.rrule import (
    RuleError,
    occurrences,
    parse_moment,
    parse_rule,
    write_moment,
    write_rule,
)
from mobile_gym.phone.state.database import Row

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

THIS, FOLLOWING, ALL = "this", "following", "all"


@dataclass(frozen=True, slots=True)
class Draft:
    """An event as the form has it; `begin` and `end` in milliseconds, guests are pairs of name and address."""

    title: str
    begin: int
    end: int
    all_day: bool = False
    rrule: str = ""
    location: str = ""
    description: str = ""
    calendar_id: int = 1
    color: int | None = None
    availability: int = 0
    reminders: tuple[int, ...] = ()
    guests: tuple[tuple[str, str], ...] = field(default=())


def _columns(phone: Phone, draft: Draft) -> dict[str, Any]:
    length = draft.end - draft.begin
    duration = None
    if draft.rrule:
        duration = f"P{length // store.DAY_MS}D" if draft.all_day else f"P{length // 1000}S"
    return {
        "title": draft.title,
        "dtstart": draft.begin,
        "dtend": draft.end,
        "duration": duration,
        "allDay": int(draft.all_day),
        "rrule": draft.rrule or None,
        "eventLocation": draft.location or None,
        "description": draft.description or None,
        "calendar_id": draft.calendar_id,
        "eventColor": draft.color,
        "availability": draft.availability,
        "eventTimezone": "UTC" if draft.all_day else phone.state.clock.zone,
    }


def create(phone: Phone, draft: Draft, **columns: Any) -> int:
    """Makes an event; returns its id."""
    key = store.database(phone).insert("events", **_columns(phone, draft), **columns)
    _belongings(phone, key, draft)
    alerts.reschedule(phone)
    return key


def _belongings(phone: Phone, key: int, draft: Draft) -> None:
    """Makes reminders and guests of an event what the draft says; what stays keeps its row."""
    data = store.database(phone)
    there = store.reminders(phone, key)
    if sorted(there) != sorted(draft.reminders):
        for minutes in sorted(set(there) - set(draft.reminders)):
            data.execute("DELETE FROM reminders WHERE event_id = ? AND minutes = ?", key, minutes)
        for minutes in draft.reminders:
            if minutes not in there:
                data.insert("reminders", event_id=key, minutes=minutes, method=1)
    guests = {
        (row["attendeeName"] or "", row["attendeeEmail"] or ""): row["_id"] for row in store.attendees(phone, key)
    }
    for guest, row in guests.items():
        if guest not in draft.guests:
            data.delete("attendees", row)
    for name, email in draft.guests:
        if (name, email) not in guests:
            data.insert("attendees", event_id=key, attendeeName=name, attendeeEmail=email or None)


def update(phone: Phone, key: int, occurrence: int, draft: Draft, scope: str) -> int:
    """Changes an event, or part of a series; returns the id of the event that the draft became.

    Args:
        phone: the phone.
        key: the event.
        occurrence: when the occurrence that was edited begins.
        draft: the new values, of that occurrence.
        scope: `this`, `following` or `all`.
    """
    event = store.event(phone, key)
    if event is None:
        return create(phone, draft)
    if event["rrule"] and scope == THIS:
        _skip(phone, event, occurrence)
        single = replace(draft, rrule="")
        return create(phone, single, original_id=key, originalInstanceTime=occurrence)
    if event["rrule"] and scope == FOLLOWING and occurrence > event["dtstart"]:
        rest = _rest_of(phone, event, occurrence)
        same = draft.rrule == event["rrule"]
        _end_before(phone, event, occurrence)
        return create(phone, replace(draft, rrule=rest if same else draft.rrule))
    _update_all(phone, event, occurrence, draft)
    return key


def _update_all(phone: Phone, event: Row, occurrence: int, draft: Draft) -> None:
    values = _columns(phone, draft)
    if event["rrule"] and bool(event["allDay"]) == draft.all_day:
        # The series moves as far as the occurrence was moved, in local time.
        zone = store.event_zone(phone, event)
        shift = store.local(draft.begin, zone) - store.local(occurrence, zone)
        begin = store.to_ms(store.local(event["dtstart"], zone) + shift, zone)
        values.update(dtstart=begin, dtend=begin + draft.end - draft.begin)
        values["eventTimezone"] = event["eventTimezone"]
        if event["exdate"] and shift:
            moved = (parse_moment(text) + shift for text in event["exdate"].split(","))
            values["exdate"] = ",".join(write_moment(moment) for moment in moved)
    store.database(phone).update("events", event["_id"], **values)
    _belongings(phone, event["_id"], draft)
    alerts.reschedule(phone)


def delete(phone: Phone, key: int, occurrence: int, scope: str) -> None:
    """Deletes an event, or part of a series."""
    event = store.event(phone, key)
    if event is None:
        return
    if event["rrule"] and scope == THIS:
        _skip(phone, event, occurrence)
    elif event["rrule"] and scope == FOLLOWING and occurrence > event["dtstart"]:
        _end_before(phone, event, occurrence)
    else:
        store.database(phone).delete("events", key)
    alerts.forget(phone, key, None if scope == ALL else occurrence)
    alerts.reschedule(phone)


def _skip(phone: Phone, event: Row, occurrence: int) -> None:
    """Leaves one occurrence of a series out."""
    moment = write_moment(store.local(occurrence, store.event_zone(phone, event)))
    dates = [text for text in (event["exdate"] or "").split(",") if text]
    if moment not in dates:
        store.database(phone).update("events", event["_id"], exdate=",".join((*dates, moment)))


def _end_before(phone: Phone, event: Row, occurrence: int) -> None:
    """Ends a series before one of its occurrences."""
    rule = parse_rule(event["rrule"])
    until = datetime.fromtimestamp(occurrence / 1000, UTC).replace(tzinfo=None) - timedelta(seconds=1)
    text = write_rule(replace(rule, count=0, until=until, utc=True))
    store.database(phone).update("events", event["_id"], rrule=text)


def _rest_of(phone: Phone, event: Row, occurrence: int) -> str:
    """The rule of what is left of a series from an occurrence on: a count is less by those that were."""
    try:
        rule = parse_rule(event["rrule"])
    except RuleError:
        return ""
    if not rule.count:
        return str(event["rrule"])
    zone = store.event_zone(phone, event)
    first = store.local(event["dtstart"], zone)
    gone = occurrences(rule, first, first, store.local(occurrence, zone))
    return write_rule(replace(rule, count=max(rule.count - len(gone), 1)))


def guests_of(phone: Phone, key: int) -> Sequence[tuple[str, str]]:
    """Guests of an event as a draft has them."""
    return [(row["attendeeName"] or "", row["attendeeEmail"] or "") for row in store.attendees(phone, key)]
