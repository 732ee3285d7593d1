"""Modes that go on and off by the time of day: Do Not Disturb, dark theme, Night Light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

DAY_MS = 86_400_000
NIGHT_START = str(22 * 3_600_000)
NIGHT_END = str(7 * 3_600_000)


@dataclass(frozen=True, slots=True)
class Schedule:
    """One mode. Times are settings in `secure`, milliseconds since midnight.

    Attributes:
        enabled: the setting in `secure` that is 1 while the schedule holds.
        start: the setting of the time at which the mode goes on.
        end: the setting of the time at which it goes off.
        target: namespace and key of the mode's own setting.
        on: the value of the mode's setting while it is on.
        off: its value while it is off.
    """

    enabled: str
    start: str
    end: str
    target: tuple[str, str]
    on: str = "1"
    off: str = "0"


SCHEDULES = (
    Schedule("zen_schedule_enabled", "zen_schedule_start", "zen_schedule_end", ("global", "zen_mode")),
    Schedule(
        "dark_theme_schedule_enabled",
        "dark_theme_custom_start_time",
        "dark_theme_custom_end_time",
        ("secure", "ui_night_mode"),
        "2",
        "1",
    ),
    Schedule(
        "night_display_auto_mode",
        "night_display_custom_start_time",
        "night_display_custom_end_time",
        ("secure", "night_display_activated"),
    ),
)


def next_change(phone: Phone) -> int | None:
    """When a schedule next turns its mode, milliseconds since the epoch; None while none holds."""
    found: int | None = None
    for schedule in SCHEDULES:
        if phone.state.settings.get("secure", schedule.enabled) == "1":
            for at in _times(phone, schedule):
                due = phone.state.clock.now_ms + ((at - _of_day(phone) - 1) % DAY_MS) + 1
                found = due if found is None else min(found, due)
    return found


def turn_due(phone: Phone) -> None:
    """Turns every mode whose time is now."""
    for schedule in SCHEDULES:
        if phone.state.settings.get("secure", schedule.enabled) == "1":
            start, end = _times(phone, schedule)
            now = _of_day(phone)
            if now in (start, end):
                phone.put_setting(*schedule.target, schedule.on if now == start else schedule.off)


def setting_changed(phone: Phone, name: str) -> None:
    """A schedule was set: its mode goes on or off at once, by the time that it is."""
    for schedule in SCHEDULES:
        if name in (f"secure/{schedule.enabled}", f"secure/{schedule.start}", f"secure/{schedule.end}"):
            _apply(phone, schedule)


def apply_all(phone: Phone) -> None:
    """The clock was set: every mode with a schedule goes on or off."""
    for schedule in SCHEDULES:
        _apply(phone, schedule)


def _apply(phone: Phone, schedule: Schedule) -> None:
    if phone.state.settings.get("secure", schedule.enabled) == "1":
        start, end = _times(phone, schedule)
        inside = (_of_day(phone) - start) % DAY_MS < (end - start) % DAY_MS
        phone.put_setting(*schedule.target, schedule.on if inside else schedule.off)


def _times(phone: Phone, schedule: Schedule) -> tuple[int, int]:
    settings = phone.state.settings
    return (
        settings.get_int("secure", schedule.start, int(NIGHT_START)) % DAY_MS,
        settings.get_int("secure", schedule.end, int(NIGHT_END)) % DAY_MS,
    )


def _of_day(phone: Phone) -> int:
    now = phone.state.clock.now()
    return ((now.hour * 60 + now.minute) * 60 + now.second) * 1000 + now.microsecond // 1000
