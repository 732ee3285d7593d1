"""Alarms, timers and world clocks, through the clock app's provider (which a real Android does not export)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_bool, as_int, row_path
from mobile_gym.assets.documents import Strict
from mobile_gym.devices.base import Device

ALARMS = "content://com.android.deskclock/alarms"
TIMERS = "content://com.android.deskclock/timers"
CITIES = "content://com.android.deskclock/cities"
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_GROUPS: Mapping[str, tuple[str, ...]] = {
    "once": (),
    "weekdays": DAYS[:5],
    "weekend": DAYS[5:],
    "daily": DAYS,
}
_PROVIDER = frozenset({"content", "provider:com.android.deskclock"})


def _check_time(text: str) -> str:
    if not re.fullmatch(r"([01]?\d|2[0-3]):[0-5]\d", text):
        raise ValueError(f"'{text}' is no time of day; write hours and minutes of 24 hours, such as \"07:30\"")
    hour, minute = text.split(":")
    return f"{int(hour):02d}:{minute}"


TimeOfDay = Annotated[str, AfterValidator(_check_time)]
"""A time of day, `HH:MM` of 24 hours."""


def _expand_days(value: Any) -> Any:
    return DAY_GROUPS[value] if isinstance(value, str) and value in DAY_GROUPS else value


Days = Annotated[tuple[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"], ...], BeforeValidator(_expand_days)]
"""Days of the week, or `once`, `weekdays`, `weekend`, `daily`."""


class Alarm(Strict):
    """An alarm.

    Attributes:
        time: when it rings.
        days: on which days it repeats; `once` for none.
        label: its label.
        enabled: whether it is on. An expected alarm is on unless this says otherwise; null: either.
        vibrate: whether it vibrates.
        ringtone: URI of its sound.
    """

    time: TimeOfDay | None = None
    days: Days | None = None
    label: str | None = None
    enabled: bool | None = True
    vibrate: bool | None = None
    ringtone: str | None = None


class AlarmType(AssetType):
    """`alarm: {time: "07:30", days: weekdays}`."""

    name = "alarm"
    document = Alarm
    identity = ("time",)
    meanings: ClassVar[Mapping[str, Meaning]] = {"label": Meaning.TEXT}
    requires = _PROVIDER

    def inject(self, device: Device, document: Any) -> None:
        """Inserts an alarm."""
        alarm: Alarm = document
        if alarm.time is None:
            raise ValueError("an alarm needs 'time' to be put on a device")
        hour, minute = alarm.time.split(":")
        values: dict[str, str | int | float | None] = {
            "hour": int(hour),
            "minutes": int(minute),
            "daysofweek": sum(1 << DAYS.index(day) for day in alarm.days or ()),
            "enabled": int(alarm.enabled is not False),
            "vibrate": int(alarm.vibrate is not False),
            "label": alarm.label or "",
        }
        if alarm.ringtone is not None:
            values["ringtone"] = alarm.ringtone
        device.content.insert(ALARMS, values)

    def entries(self, reader: Reader) -> list[Entry]:
        """Alarms, on or off."""
        found = []
        for row in reader.rows(ALARMS):
            key, mask = row_path(ALARMS, row), as_int(row.get("daysofweek")) or 0
            fields = {
                "time": f"{as_int(row.get('hour')) or 0:02d}:{as_int(row.get('minutes')) or 0:02d}",
                "days": frozenset(day for index, day in enumerate(DAYS) if mask & 1 << index),
                "label": str(row.get("label") or ""),
                "enabled": as_bool(row.get("enabled")),
                "vibrate": as_bool(row.get("vibrate")),
                "ringtone": row.get("ringtone"),
            }
            found.append(Entry(key, fields, frozenset({key})))
        return found

    def wanted(self, document: Any) -> dict[str, Any]:
        """The fields given; days as a set."""
        fields = super().wanted(document)
        if "days" in fields:
            fields["days"] = frozenset(fields["days"])
        return fields


class Timer(Strict):
    """A timer of the clock app.

    Attributes:
        seconds: how long it runs in all.
        label: its label.
        running: whether it is counting down.
    """

    seconds: int | None = None
    label: str | None = None
    running: bool | None = None


class TimerType(AssetType):
    """`timer: {seconds: 300, running: true}`."""

    name = "timer"
    document = Timer
    identity = ("seconds",)
    meanings: ClassVar[Mapping[str, Meaning]] = {"label": Meaning.TEXT}
    requires = _PROVIDER

    def inject(self, device: Device, document: Any) -> None:
        """Inserts a timer."""
        timer: Timer = document
        if timer.seconds is None:
            raise ValueError("a timer needs 'seconds' to be put on a device")
        length = timer.seconds * 1000
        now = int(device.clock.now().timestamp() * 1000)
        device.content.insert(
            TIMERS,
            {
                "length_ms": length,
                "remaining_ms": length,
                "total_ms": length,
                "end_ms": now + length if timer.running else 0,
                "label": timer.label or "",
                "state": "running" if timer.running else "reset",
            },
        )

    def entries(self, reader: Reader) -> list[Entry]:
        """Timers in any state."""
        found = []
        for row in reader.rows(TIMERS):
            key = row_path(TIMERS, row)
            fields = {
                "seconds": (as_int(row.get("length_ms")) or 0) // 1000,
                "label": str(row.get("label") or ""),
                "running": str(row.get("state")) == "running",
            }
            found.append(Entry(key, fields, frozenset({key})))
        return found


class City(Strict):
    """A city of the world clock.

    Attributes:
        name: the clock app's own name for it, such as `tokyo`.
    """

    name: str


class CityType(AssetType):
    """`city: {name: ...}`."""

    name = "city"
    document = City
    identity = ("name",)
    meanings: ClassVar[Mapping[str, Meaning]] = {"name": Meaning.TEXT}
    requires = _PROVIDER

    def inject(self, device: Device, document: Any) -> None:
        """Adds a city."""
        device.content.insert(CITIES, {"city": document.name})

    def entries(self, reader: Reader) -> list[Entry]:
        """Cities chosen."""
        found = []
        for row in reader.rows(CITIES):
            key = row_path(CITIES, row)
            found.append(Entry(key, {"name": str(row.get("city") or "")}, frozenset({key})))
        return found
