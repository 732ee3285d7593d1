"""The calendar app: who it is, its provider, its seeds, the intents and reminders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.apps.calendar import alerts, store
from mobile_gym.phone.apps.calendar.edit import Edit
from mobile_gym.phone.apps.calendar.event import EventPage
from mobile_gym.phone.apps.calendar.main import Main
from mobile_gym.phone.apps.calendar.provider import CalendarProvider
from mobile_gym.phone.apps.calendar.repeat import Repeat
from mobile_gym.phone.apps.calendar.search import Search
from mobile_gym.phone.apps.calendar.settings import Calendars, Settings
from mobile_gym.phone.apps.calendar.texts import to_argb
from mobile_gym.phone.system.app import App, LauncherIcon, Target, translate
from mobile_gym.phone.system.providers import Provider

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_AUTHORITY = "content://com.android.calendar/"
_EVENT_MIMES = ("vnd.android.cursor.item/event", "vnd.android.cursor.dir/event")
_EXTRAS = {
    "title": "title",
    "beginTime": "begin",
    "endTime": "end",
    "allDay": "all_day",
    "eventLocation": "location",
    "description": "description",
    "rrule": "rrule",
    "android.intent.extra.EMAIL": "guests",
}


@lru_cache(maxsize=1)
def _seeds() -> dict[str, Any]:
    text = files(store.MODULE).joinpath("seed.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


class CalendarApp(App):
    """Month, week, day and agenda; events with reminders, guests and recurrence."""

    package = store.PACKAGE
    module = store.MODULE
    icon = LauncherIcon("calendar-month", ("#5C8DF0", "#2A5BC0"))
    screens = (Main, EventPage, Edit, Repeat, Search, Settings, Calendars)
    databases = {"calendar.db": "schema.sql"}
    permissions = {
        "android.permission.POST_NOTIFICATIONS": True,
        "android.permission.READ_CALENDAR": True,
        "android.permission.WRITE_CALENDAR": True,
        "android.permission.READ_CONTACTS": True,
    }
    sizes_mb = (22.4, 1.1, 0.6)

    def providers(self) -> Sequence[Provider]:
        """Events, reminders, attendees, calendars, instances."""
        return (CalendarProvider(),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """The calendars; and the events of a life where somebody lived with the phone."""
        keys = _insert_calendars(phone, language)
        if snapshot == "lived_in":
            for entry in _seeds()["events"]:
                _insert_event(phone, entry, keys[entry["calendar"]], language)
        alerts.reschedule(phone)

    def on_data_cleared(self, phone: Phone) -> None:
        """The calendars are there again, empty."""
        _insert_calendars(phone, phone.language)

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """VIEW of a moment or an event, INSERT and EDIT of an event."""
        ours = data is not None and data.startswith(_AUTHORITY)
        if not ours and mime not in _EVENT_MIMES:
            return None
        head, _, tail = (data or "").removeprefix(_AUTHORITY).strip("/").partition("/")
        if action in ("android.intent.action.INSERT", "android.intent.action.EDIT") and not tail.isdigit():
            args = {name: extras[key] for key, name in _EXTRAS.items() if extras.get(key) is not None}
            return Target("edit", args, ("main",))
        if action == "android.intent.action.EDIT":
            return Target("edit", {"id": int(tail), "occurrence": extras.get("beginTime")}, ("main",))
        if action == "android.intent.action.VIEW" and ours:
            if head == "events" and tail.isdigit():
                return Target("event", {"id": int(tail), "begin": extras.get("beginTime")}, ("main",))
            if head == "time":
                return Target("main", {"time": int(tail)} if tail.isdigit() else {})
        return None

    def next_wakeup(self, phone: Phone) -> int | None:
        """When the next reminder is due."""
        return alerts.next_due(phone)

    def on_wakeup(self, phone: Phone) -> None:
        """Reminds."""
        alerts.fire_due(phone)

    def on_time_changed(self, phone: Phone) -> None:
        """Reminders follow the new time; what lies in the past by now is not made up for."""
        alerts.reschedule(phone)

    def on_broadcast(self, phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
        """The buttons of reminders."""
        return alerts.answer(phone, action, extras)


def _insert_calendars(phone: Phone, language: str) -> dict[str, int]:
    data = store.database(phone)
    return {
        entry["name"]: data.insert(
            "calendars",
            name=entry["name"],
            calendar_displayName=translate(store.MODULE, entry["name"], language, {}),
            calendar_color=to_argb(entry["color"]),
            calendar_access_level=entry["level"],
            isPrimary=entry["primary"],
            calendar_timezone=phone.state.clock.zone,
        )
        for entry in _seeds()["calendars"]
    }


def _insert_event(phone: Phone, entry: Mapping[str, Any], calendar: int, language: str) -> None:
    zone = store.zone_of(phone.state.clock.zone)
    today = phone.state.clock.now().date()

    def moment(days: int) -> datetime:
        hour, minute = (int(part) for part in entry.get("time", "00:00").split(":"))
        day = today + timedelta(days=days)
        return datetime(day.year, day.month, day.day, hour, minute)  # noqa: DTZ001 - local time of the phone

    whole = "days" in entry
    start = moment(entry["day"])
    begin = store.utc_day(start.date()) if whole else store.to_ms(start, zone)
    length = entry["days"] * store.DAY_MS if whole else entry["minutes"] * store.MINUTE_MS
    rrule = entry.get("rrule")
    skipped = [moment(days).strftime("%Y%m%dT%H%M%S") for days in entry.get("exdate", ())]
    texts = {
        column: entry[name][language]
        for column, name in (("eventLocation", "location"), ("description", "description"))
        if name in entry
    }
    data = store.database(phone)
    key = data.insert(
        "events",
        calendar_id=calendar,
        title=entry["title"][language],
        dtstart=begin,
        dtend=begin + length,
        duration=(f"P{entry['days']}D" if whole else f"P{length // 1000}S") if rrule else None,
        allDay=int(whole),
        rrule=rrule,
        exdate=",".join(skipped) or None,
        eventTimezone="UTC" if whole else phone.state.clock.zone,
        **texts,
    )
    for minutes in entry.get("reminders", ()):
        data.insert("reminders", event_id=key, minutes=minutes, method=1)
    for name in entry.get("guests", {}).get(language, ()):
        data.insert("attendees", event_id=key, attendeeName=name, attendeeStatus=1)
