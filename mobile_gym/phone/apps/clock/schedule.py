"""When alarms and timers go off, and what happens then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.state import Database
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import translate
from mobile_gym.phone.system.formats import time_text

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

PACKAGE = "com.android.deskclock"
MODULE = "mobile_gym.phone.apps.clock"
DATABASE = f"{PACKAGE}/alarms.db"
MINUTE_MS = 60_000
SILENCE_AFTER_MS = 10 * MINUTE_MS
"""An alarm that nobody stops falls silent and is reported as missed."""
FIRE = f"{PACKAGE}.action."


def database(phone: Phone) -> Database:
    """The clock's database."""
    return phone.state.database(DATABASE)


def next_time(now: datetime, hour: int, minute: int, days: int) -> datetime:
    """The first moment after `now` at which an alarm with these days rings.

    Args:
        now: local time.
        hour: hour of the alarm.
        minute: minute of the alarm.
        days: the days it repeats on, bit 0 is Monday; 0 for none: then the next such time.
    """
    first = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    for ahead in range(8):
        moment = first + timedelta(days=ahead)
        if moment > now and (not days or days >> moment.weekday() & 1):
            return moment
    raise ValueError(f"alarm {hour}:{minute:02d} with days {days} never rings")


def reschedule(phone: Phone) -> None:
    """Brings the instances in line with the alarms and the clock; snoozed and ringing ones stay."""
    data = database(phone)
    now = phone.state.clock.now()
    kept = {row["alarm_id"]: row for row in data.rows("SELECT * FROM instances WHERE state != 'scheduled'")}
    wanted: dict[int, tuple[int, str]] = {}
    for alarm in data.rows("SELECT * FROM alarms ORDER BY _id"):
        old = kept.get(alarm["_id"])
        if old is not None:
            wanted[alarm["_id"]] = (old["due_ms"], old["state"])
        elif alarm["enabled"]:
            moment = next_time(now, alarm["hour"], alarm["minutes"], alarm["daysofweek"])
            wanted[alarm["_id"]] = (phone.state.clock.to_ms(moment), "scheduled")
    found = {row["alarm_id"]: (row["due_ms"], row["state"]) for row in data.rows("SELECT * FROM instances")}
    for key in sorted({*found, *wanted}):
        if key not in wanted:
            data.execute("DELETE FROM instances WHERE alarm_id = ?", key)
        elif found.get(key) != wanted[key]:
            data.execute("INSERT OR REPLACE INTO instances VALUES (?, ?, ?)", key, *wanted[key])
    phone.invalidate()


def check_alarm(values: Any) -> None:
    """Refuses values that no alarm can have."""
    limits = {"hour": (0, 23), "minutes": (0, 59), "daysofweek": (0, 127), "enabled": (0, 1), "vibrate": (0, 1)}
    for name, (low, high) in limits.items():
        if name in values and not (isinstance(values[name], int) and low <= values[name] <= high):
            raise ProviderError(f"alarm: {name} must be a whole number from {low} to {high}, not {values[name]!r}")


def set_alarm(phone: Phone, key: int, **values: Any) -> None:
    """Changes an alarm; a snooze of it is over."""
    data = database(phone)
    data.update("alarms", key, **values)
    data.execute("DELETE FROM instances WHERE alarm_id = ? AND state != 'ringing'", key)
    reschedule(phone)


def due(phone: Phone) -> int | None:
    """When the next alarm or timer goes off."""
    found: int | None = database(phone).value(
        "SELECT min(at) FROM (SELECT min(due_ms) AS at FROM instances"
        " UNION ALL SELECT min(end_ms) FROM timers WHERE state = 'running')"
    )
    return found


def go_off(phone: Phone) -> None:
    """Lets what is due ring, and alarms that have been ringing for too long fall silent."""
    data = database(phone)
    now = phone.state.clock.now_ms
    for instance in data.rows("SELECT * FROM instances WHERE due_ms <= ? ORDER BY due_ms", now):
        if instance["state"] == "ringing":
            stop_alarm(phone, instance["alarm_id"])
            _notify_missed(phone, instance["alarm_id"])
        else:
            _ring(phone, instance["alarm_id"])
    for timer in data.rows("SELECT * FROM timers WHERE state = 'running' AND end_ms <= ? ORDER BY end_ms", now):
        data.update("timers", timer["_id"], state="expired", remaining_ms=0)
        _notify_timer(phone, timer)


def _alarm(phone: Phone, key: int) -> Row:
    found = database(phone).row("SELECT * FROM alarms WHERE _id = ?", key)
    return found or {"hour": 0, "minutes": 0, "label": "", "daysofweek": 0}


def _ring(phone: Phone, key: int) -> None:
    until = phone.state.clock.now_ms + SILENCE_AFTER_MS
    database(phone).execute("INSERT OR REPLACE INTO instances VALUES (?, ?, 'ringing')", key, until)
    alarm = _alarm(phone, key)
    language = phone.language
    when = time_text(alarm["hour"], alarm["minutes"], phone.use_24_hours, language)
    phone.notifier.post(
        PACKAGE,
        f"alarm-{key}",
        alarm["label"] or translate(MODULE, "alarm", language, {}),
        when,
        icon="alarm",
        ongoing=True,
        target={"screen": "ringing", "args": {"alarm": key}},
        actions=[
            {
                "label": translate(MODULE, "snooze", language, {}),
                "broadcast": FIRE + "SNOOZE",
                "extras": {"alarm": key},
            },
            {
                "label": translate(MODULE, "dismiss", language, {}),
                "broadcast": FIRE + "DISMISS",
                "extras": {"alarm": key},
            },
        ],
    )
    if not phone.state.interface["screen_on"] or phone.activities.locked():
        phone.state.interface["screen_on"] = True


def _notify_missed(phone: Phone, key: int) -> None:
    alarm = _alarm(phone, key)
    when = time_text(alarm["hour"], alarm["minutes"], phone.use_24_hours, phone.language)
    title = translate(MODULE, "missed_alarm", phone.language, {})
    phone.notifier.post(PACKAGE, f"missed-{key}", title, when, icon="alarm-off", silent=True)


def _notify_timer(phone: Phone, timer: Row) -> None:
    language = phone.language
    phone.notifier.post(
        PACKAGE,
        f"timer-{timer['_id']}",
        translate(MODULE, "times_up", language, {}),
        timer["label"] or length_text(timer["length_ms"]),
        icon="timer-sand",
        ongoing=True,
        target={"screen": "main", "args": {"tab": "timer"}},
        actions=[
            {
                "label": translate(MODULE, "stop", language, {}),
                "broadcast": FIRE + "STOP_TIMER",
                "extras": {"timer": timer["_id"]},
            },
            {
                "label": translate(MODULE, "add_minute", language, {}),
                "broadcast": FIRE + "ADD_MINUTE",
                "extras": {"timer": timer["_id"]},
            },
        ],
    )


def stop_alarm(phone: Phone, key: int) -> None:
    """Stops a ringing or snoozed alarm; one without days is turned off."""
    data = database(phone)
    alarm = data.row("SELECT * FROM alarms WHERE _id = ?", key)
    data.execute("DELETE FROM instances WHERE alarm_id = ?", key)
    if alarm is not None and not alarm["daysofweek"]:
        data.update("alarms", key, enabled=0)
    phone.notifier.cancel(PACKAGE, f"alarm-{key}")
    reschedule(phone)


def snooze_alarm(phone: Phone, key: int) -> None:
    """Lets a ringing alarm ring again after the snooze length."""
    minutes = int(pref(phone, "snooze_minutes", "10"))
    at = phone.state.clock.now_ms + minutes * MINUTE_MS
    database(phone).execute("INSERT OR REPLACE INTO instances VALUES (?, ?, 'snoozed')", key, at)
    phone.notifier.cancel(PACKAGE, f"alarm-{key}")
    phone.invalidate()


# ---- timers


def remaining(phone: Phone, timer: Row) -> int:
    """Milliseconds that a timer has left; below 0 once it has expired."""
    if timer["state"] in ("running", "expired"):
        return int(timer["end_ms"] - phone.state.clock.now_ms)
    return int(timer["remaining_ms"])


def start_timer(phone: Phone, key: int) -> None:
    """Starts or goes on with a timer."""
    timer = database(phone).row("SELECT * FROM timers WHERE _id = ?", key)
    if timer is not None and timer["state"] in ("reset", "paused"):
        end = phone.state.clock.now_ms + timer["remaining_ms"]
        database(phone).update("timers", key, state="running", end_ms=end)


def pause_timer(phone: Phone, key: int) -> None:
    """Holds a running timer."""
    timer = database(phone).row("SELECT * FROM timers WHERE _id = ?", key)
    if timer is not None and timer["state"] == "running":
        database(phone).update("timers", key, state="paused", remaining_ms=max(remaining(phone, timer), 0), end_ms=0)


def reset_timer(phone: Phone, key: int) -> None:
    """Puts a timer back to its length; an expired one stops ringing."""
    data = database(phone)
    data.execute(
        "UPDATE timers SET state = 'reset', remaining_ms = length_ms, total_ms = length_ms, end_ms = 0 WHERE _id = ?",
        key,
    )
    phone.notifier.cancel(PACKAGE, f"timer-{key}")


def add_minute(phone: Phone, key: int) -> None:
    """Adds a minute; an expired timer runs for one more."""
    data = database(phone)
    timer = data.row("SELECT * FROM timers WHERE _id = ?", key)
    if timer is None:
        return
    left = max(remaining(phone, timer), 0) + MINUTE_MS
    total = timer["total_ms"] + MINUTE_MS
    if timer["state"] in ("running", "expired"):
        end = phone.state.clock.now_ms + left
        data.update("timers", key, state="running", end_ms=end, total_ms=total)
        phone.notifier.cancel(PACKAGE, f"timer-{key}")
    else:
        data.update("timers", key, remaining_ms=left, total_ms=total)


def delete_timer(phone: Phone, key: int) -> None:
    """Removes a timer."""
    database(phone).delete("timers", key)
    phone.notifier.cancel(PACKAGE, f"timer-{key}")


def length_text(ms: int) -> str:
    """A length as `1:05:00` or `05:00`."""
    seconds = max(ms, 0) // 1000
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes:02d}:{rest:02d}"


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
