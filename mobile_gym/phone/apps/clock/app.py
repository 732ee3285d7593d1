"""The clock app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.apps.clock import schedule
from mobile_gym.phone.apps.clock.main import Cities, ClockSettings, Main, Ringing
from mobile_gym.phone.system.app import App, LauncherIcon, Target
from mobile_gym.phone.system.providers import Provider, Table, TableProvider

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_SHOW = {
    "android.intent.action.SHOW_ALARMS": "alarm",
    "android.intent.action.SHOW_TIMERS": "timer",
}


@lru_cache(maxsize=1)
def _seeds() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(files(schedule.MODULE).joinpath("seed.yaml").read_text(encoding="utf-8"))
    return found


class ClockApp(App):
    """Alarms, world clock, timers, stopwatch; after AOSP's DeskClock."""

    package = schedule.PACKAGE
    module = schedule.MODULE
    icon = LauncherIcon("clock", ("#414A63", "#20273A"))
    version_name = "7.17"
    version_code = 717
    screens = (Main, Cities, ClockSettings, Ringing)
    databases = {"alarms.db": "schema.sql"}
    permissions = {"android.permission.POST_NOTIFICATIONS": True}
    sizes_mb = (14.2, 0.3, 0.1)

    def providers(self) -> Sequence[Provider]:
        """Alarms, timers and cities."""
        timer_defaults: dict[str, Any] = {
            "label": "",
            "state": "reset",
            "remaining_ms": lambda phone, values: values["length_ms"],
            "total_ms": lambda phone, values: values["length_ms"],
        }
        tables = {
            "alarms": Table(
                schedule.DATABASE, "alarms", "alarms", on_change=schedule.reschedule, check=schedule.check_alarm
            ),
            "timers": Table(schedule.DATABASE, "timers", "timers", defaults=timer_defaults),
            "cities": Table(schedule.DATABASE, "cities", "cities"),
            "laps": Table(schedule.DATABASE, "laps"),
            "stopwatch": Table(schedule.DATABASE, "stopwatch"),
            "prefs": Table(schedule.DATABASE, "prefs", "prefs"),
        }
        return (TableProvider(self.package, tables),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """Alarms, timers and cities of the owner's days."""
        data = schedule.database(phone)
        seeds = _seeds()[snapshot][language]
        data.insert("stopwatch", _id=1, state="reset", started_ms=0, elapsed_ms=0)
        for alarm in seeds["alarms"]:
            data.insert("alarms", **alarm)
        for timer in seeds["timers"]:
            length = timer["length_ms"]
            data.insert("timers", length_ms=length, label=timer["label"], remaining_ms=length, total_ms=length)
        for city in seeds["cities"]:
            data.insert("cities", city=city)
        schedule.reschedule(phone)

    def on_data_cleared(self, phone: Phone) -> None:
        """The stopwatch stands at zero again."""
        schedule.database(phone).insert("stopwatch", _id=1, state="reset", started_ms=0, elapsed_ms=0)

    def on_time_changed(self, phone: Phone) -> None:
        """Alarms ring at the new local time; what lies in the past by now is not made up for."""
        schedule.reschedule(phone)

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """SHOW_ALARMS and SHOW_TIMERS open their tabs; SET_ALARM and SET_TIMER open them with the values."""
        if action in _SHOW:
            return Target("main", {"tab": _SHOW[action]})
        if action == "android.intent.action.SET_ALARM":
            return Target("main", {"tab": "alarm", "set": {k.rpartition(".")[2]: v for k, v in extras.items()}})
        if action == "android.intent.action.SET_TIMER":
            return Target("main", {"tab": "timer", "set": {k.rpartition(".")[2]: v for k, v in extras.items()}})
        return None

    def status_icons(self, phone: Phone) -> Sequence[tuple[str, str]]:
        """An alarm clock while an alarm is set."""
        return (("alarm", "Alarm"),) if schedule.database(phone).value("SELECT 1 FROM instances LIMIT 1") else ()

    def next_wakeup(self, phone: Phone) -> int | None:
        """The next alarm or timer."""
        return schedule.due(phone)

    def on_wakeup(self, phone: Phone) -> None:
        """Rings."""
        schedule.go_off(phone)

    def on_broadcast(self, phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
        """The buttons of the notifications."""
        if not action.startswith(schedule.FIRE):
            return None
        deed = action.removeprefix(schedule.FIRE)
        if deed == "SNOOZE":
            schedule.snooze_alarm(phone, int(extras["alarm"]))
        elif deed == "DISMISS":
            schedule.stop_alarm(phone, int(extras["alarm"]))
        elif deed == "STOP_TIMER":
            schedule.reset_timer(phone, int(extras["timer"]))
        elif deed == "ADD_MINUTE":
            schedule.add_minute(phone, int(extras["timer"]))
        return 0, None
