"""A new phone: first interface state, first settings and folders, and the factory snapshots."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import yaml

from mobile_gym.phone.profiles import get_profile
from mobile_gym.phone.state import Snapshot, VirtualClock
from mobile_gym.phone.system.activities import HOME_PACKAGE
from mobile_gym.phone.system.app import new_record
from mobile_gym.phone.system.packages import fresh_entry

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

FACTORY_SNAPSHOTS = ("clean", "lived_in")
LANGUAGES = ("zh", "en")
FIRST_LOCAL_TIME = datetime(2026, 3, 12, 8, 26)  # noqa: DTZ001 - local time, whatever the zone
_FOLDERS = (
    "/system/bin",
    "/system/etc",
    "/system/priv-app",
    "/system/app",
    "/vendor",
    "/proc",
    "/dev",
    "/tmp",
    "/cache",
    "/data/app",
    "/data/data",
    "/data/user_de/0",
    "/data/local/tmp",
    "/data/system/users/0",
    "/data/misc",
    *(
        f"/storage/emulated/0/{name}"
        for name in (
            "Alarms",
            "Android/data",
            "Audiobooks",
            "DCIM/Camera",
            "Documents",
            "Download",
            "Movies",
            "Music",
            "Notifications",
            "Pictures/Screenshots",
            "Podcasts",
            "Ringtones",
        )
    ),
)


@lru_cache(maxsize=1)
def default_settings() -> dict[str, dict[str, dict[str, str]]]:
    """Settings of a new phone: `common` and by language, then namespace and key."""
    text = files("mobile_gym.phone.system").joinpath("defaults.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, dict[str, str]]] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


def first_clock(language: str) -> VirtualClock:
    """The clock of a new phone; it was started ten minutes ago."""
    zone = default_settings()[language]["global"]["time_zone"]
    now = round(FIRST_LOCAL_TIME.replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)
    return VirtualClock(now, zone, now - 600_000)


def first_interface() -> dict[str, Any]:
    """Interface state of a new phone, before packages."""
    return {
        "home": new_record(1, HOME_PACKAGE, "home", {}),
        "tasks": [],
        "front": 0,
        "next_uid": 100,
        "next_task": 0,
        "surfaces": {},
        "focus": None,
        "toast": None,
        "notifications": [],
        "dismissed": [],
        "clipboard": "",
        "packages": {},
        "battery": {"level": 82, "charging": False},
        "locked": False,
        "screen_on": True,
        "call": None,
        "magnifier": None,
        "last_tap": None,
    }


def set_up(phone: Phone, snapshot: str, language: str) -> None:
    """Fills an empty phone: folders, settings, packages, then what each app brings for this snapshot."""
    state = phone.state
    now = state.clock.now_ms
    state.interface = first_interface()
    for folder in _FOLDERS:
        state.files.make_dir(folder, mtime_ms=now, parents=True)
    for part in ("common", language):
        for namespace, values in default_settings()[part].items():
            for key, value in values.items():
                state.settings.put(namespace, key, value)
    packages = state.interface["packages"]
    for number, package in enumerate(sorted(phone.apps)):
        packages[package] = fresh_entry(phone.apps[package], now - 90 * 86_400_000, 10_000 + number)
        # All databases exist from the start: a phone that is only looked at must not change.
        for name in phone.apps[package].databases:
            state.database(f"{package}/{name}")
    # Apps without screens (the providers) first, so that the others find the data that they show.
    for package in sorted(phone.apps, key=lambda name: (bool(phone.apps[name].screens), name)):
        phone.apps[package].seed(phone, snapshot, language)
    for surface in phone.surfaces:
        phone.surface_record(surface.name)
    phone.activities.go_home()


@lru_cache(maxsize=16)
def factory_snapshot(profile: str, language: str, name: str) -> Snapshot:
    """A factory snapshot; made once a process, shared by all phones.

    Raises:
        ValueError: no such snapshot or language.
    """
    from mobile_gym.phone.phone import Phone

    if name not in FACTORY_SNAPSHOTS:
        raise ValueError(f"no factory snapshot {name!r}; there are {', '.join(FACTORY_SNAPSHOTS)}")
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; the phone speaks {', '.join(LANGUAGES)}")
    get_profile(profile)
    phone = Phone.bare(profile, language)
    set_up(phone, name, language)
    snapshot = phone.state.save()
    phone.state.close()
    return snapshot
