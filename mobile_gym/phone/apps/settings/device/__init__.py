"""Pages about the device: apps, storage, location, security, accessibility, language, time, system, accounts."""

from __future__ import annotations

from collections.abc import Mapping

from mobile_gym.phone.apps.settings.device import (
    about,
    accessibility,
    accounts,
    app_info,
    apps,
    colors,
    date_time,
    default_apps,
    developer,
    emergency,
    hearing,
    languages,
    location,
    permissions,
    screen_lock,
    security,
    storage,
    system,
    wellbeing,
)
from mobile_gym.phone.apps.settings.device.store import TABLES, seed
from mobile_gym.phone.system.app import Screen

__all__ = ["DATABASES", "SCREENS", "TABLES", "seed"]

_PARTS = (
    apps,
    app_info,
    default_apps,
    permissions,
    storage,
    location,
    security,
    screen_lock,
    accessibility,
    colors,
    hearing,
    emergency,
    accounts,
    wellbeing,
    system,
    languages,
    date_time,
    developer,
    about,
)

SCREENS: tuple[type[Screen], ...] = tuple(screen for part in _PARTS for screen in part.SCREENS)
DATABASES: Mapping[str, str] = {"device.db": "device/schema.sql"}
