"""Reminders: which is due when, the notification, snooze and dismiss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.calendar import store
from mobile_gym.phone.apps.calendar.store import DAY_MS, MINUTE_MS
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import translate
from mobile_gym.phone.system.formats import month_day, time_text, weekday

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

SCHEDULED, FIRED, DISMISSED = 0, 1, 2
ACTION = f"{store.PACKAGE}.action."
_HORIZONS = (8 * DAY_MS, 70 * DAY_MS, 800 * DAY_MS)
"""How far ahead the next occurrence is looked for, one after the other."""


def alarm_time(phone: Phone, all_day: bool, begin: int, minutes: int) -> int:
    """When a reminder is due: minutes before the beginning, for whole days before the phone's midnight."""
    if all_day:
        begin = store.day_ms(phone, store.local(begin, store.zone_of("UTC")).date())
    return begin - minutes * MINUTE_MS


def reschedule(phone: Phone) -> None:
    """Brings the scheduled alerts in line with events, reminders and clock; snoozed ones stay."""
    data = store.database(phone)
    now = phone.state.clock.now_ms
    wanted: dict[tuple[int, int], Row] = {}
    rows = data.rows(
        "SELECT view_events.*, reminders.minutes AS before FROM reminders"
        " JOIN view_events ON view_events._id = reminders.event_id WHERE visible = 1 ORDER BY reminders._id"
    )
    for event in rows:
        found = _next(phone, event, int(event["before"]), now)
        if found is not None:
            wanted[event["_id"], int(event["before"])] = found
    there = data.rows("SELECT * FROM calendar_alerts WHERE state = 0 AND snoozed = 0 ORDER BY _id")
    for row in there:
        alert = wanted.pop((row["event_id"], row["minutes"]), None)
        if alert is None:
            data.delete("calendar_alerts", row["_id"])
        elif any(row[name] != value for name, value in alert.items()):
            data.update("calendar_alerts", row["_id"], **alert)
    for alert in wanted.values():
        data.insert("calendar_alerts", **alert)
    phone.invalidate()


def _next(phone: Phone, event: Row, minutes: int, now: int) -> Row | None:
    """The first alert of a reminder that is still to come."""
    all_day = bool(event["allDay"])
    begin = now + minutes * MINUTE_MS - (DAY_MS if all_day else 0)
    for horizon in _HORIZONS:
        for start in store.event_starts(phone, event, begin, begin + horizon):
            at = alarm_time(phone, all_day, start, minutes)
            if at > now:
                end = start + store.length_of(event)
                key = int(event["_id"])
                return {"event_id": key, "begin": start, "end": end, "alarmTime": at, "minutes": minutes}
        if not event["rrule"]:
            return _single(phone, event, minutes, now)
    return None


def _single(phone: Phone, event: Row, minutes: int, now: int) -> Row | None:
    """The alert of an event that does not repeat, however far off it is."""
    start = int(event["dtstart"])
    at = alarm_time(phone, bool(event["allDay"]), start, minutes)
    if at <= now:
        return None
    end = start + store.length_of(event)
    return {"event_id": int(event["_id"]), "begin": start, "end": end, "alarmTime": at, "minutes": minutes}


def next_due(phone: Phone) -> int | None:
    """When the next reminder is due."""
    found: int | None = store.database(phone).value("SELECT MIN(alarmTime) FROM calendar_alerts WHERE state = 0")
    return found


def fire_due(phone: Phone) -> None:
    """Shows what is due, then plans what follows."""
    data = store.database(phone)
    now = phone.state.clock.now_ms
    for alert in data.rows("SELECT * FROM calendar_alerts WHERE state = 0 AND alarmTime <= ? ORDER BY alarmTime", now):
        data.update("calendar_alerts", alert["_id"], state=FIRED)
        event = store.event(phone, alert["event_id"])
        if event is not None:
            _post(phone, alert, event)
    reschedule(phone)


def when_text(phone: Phone, event: Row, begin: int) -> str:
    """Day and time of an occurrence, for its notification."""
    language = phone.language
    if event["allDay"]:
        moment = store.local(begin, store.zone_of("UTC"))
    else:
        moment = phone.state.clock.at(begin)
    days = (moment.date() - phone.state.clock.now().date()).days
    named = {0: "today", 1: "tomorrow"}.get(days)
    day = (
        translate(store.MODULE, named, language, {})
        if named
        else f"{month_day(moment, language)} {weekday(moment, language, short=True)}"
    )
    if event["allDay"]:
        return f"{day} {translate(store.MODULE, 'all_day', language, {})}"
    return f"{day} {time_text(moment.hour, moment.minute, phone.use_24_hours, language)}"


def _post(phone: Phone, alert: Row, event: Row) -> None:
    language = phone.language
    texts = [when_text(phone, event, alert["begin"]), event["eventLocation"] or ""]
    key = int(alert["_id"])
    snooze = int(store.pref(phone, "snooze", "5"))
    phone.notifier.post(
        store.PACKAGE,
        f"alert-{key}",
        event["title"] or translate(store.MODULE, "no_title", language, {}),
        " · ".join(text for text in texts if text),
        channel="reminders",
        icon="calendar",
        target={"screen": "event", "args": {"id": event["_id"], "begin": alert["begin"], "alert": key}},
        actions=[
            {
                "label": translate(store.MODULE, "snooze_for", language, {"minutes": snooze}),
                "broadcast": ACTION + "SNOOZE",
                "extras": {"alert": key},
            },
            {
                "label": translate(store.MODULE, "dismiss", language, {}),
                "broadcast": ACTION + "DISMISS",
                "extras": {"alert": key},
            },
        ],
    )


def answer(phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
    """The buttons of a reminder; None for what is not one of them."""
    if action == ACTION + "SNOOZE":
        snooze(phone, int(extras["alert"]), int(store.pref(phone, "snooze", "5")))
        return -1, None
    if action == ACTION + "DISMISS":
        dismiss(phone, int(extras["alert"]))
        return -1, None
    return None


def snooze(phone: Phone, key: int, minutes: int) -> None:
    """Lets a reminder come again after some minutes."""
    at = phone.state.clock.now_ms + minutes * MINUTE_MS
    store.database(phone).update("calendar_alerts", key, state=SCHEDULED, snoozed=1, alarmTime=at)
    phone.notifier.cancel(store.PACKAGE, f"alert-{key}")


def dismiss(phone: Phone, key: int) -> None:
    """Takes a reminder's notification away for good."""
    store.database(phone).update("calendar_alerts", key, state=DISMISSED)
    phone.notifier.cancel(store.PACKAGE, f"alert-{key}")


def forget(phone: Phone, event: int, begin: int | None) -> None:
    """Takes the notifications of a deleted event away, or of its occurrences from a moment on."""
    data = store.database(phone)
    rows = phone.notifier.posted
    gone = []
    for posted in rows:
        target = posted["target"] or {}
        args = target.get("args", {})
        ours = posted["package"] == store.PACKAGE and args.get("id") == event
        if ours and (begin is None or args.get("begin", 0) >= begin):
            gone.append((posted["key"], args.get("alert")))
    for key, alert in gone:
        phone.notifier.cancel(store.PACKAGE, key)
        if alert is not None:
            data.update("calendar_alerts", alert, state=DISMISSED)
