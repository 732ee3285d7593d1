"""Pages about the device: apps, storage, location, security, accessibility, language, time, system, accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.system.providers import Table

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

SCREENS: tuple[type[Page], ...] = ()
DATABASES: Mapping[str, str] = {}
"""Once there is a schema: `{"device.db": "device/schema.sql"}`."""
TABLES: Mapping[str, Table] = {}


def seed(phone: Phone, snapshot: str, language: str) -> None:
    """Fills this part's tables for a factory snapshot."""
