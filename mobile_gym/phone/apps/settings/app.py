"""The settings app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.settings import device
from mobile_gym.phone.apps.settings.connections import TABLES, bluetooth_switched, seed_connections, sync, wifi_switched
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.pages import SCREENS
from mobile_gym.phone.apps.settings.schedules import apply_all, next_change, setting_changed, turn_due
from mobile_gym.phone.system.app import App, LauncherIcon, Target
from mobile_gym.phone.system.providers import Provider, TableProvider

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone


class SettingsApp(App):
    """Android's settings: a first page, search, and the pages that `pages` lists."""

    package = "com.android.settings"
    module = "mobile_gym.phone.apps.settings"
    string_modules = ("mobile_gym.phone.apps.settings.device",)
    icon = LauncherIcon("cog", ("#8A93A3", "#5B6372"))
    screens = SCREENS
    databases = {"settings.db": "schema.sql", **device.DATABASES}

    def providers(self) -> Sequence[Provider]:
        """Wi-Fi networks, Bluetooth devices, and what the device's pages export."""
        return (TableProvider("com.android.settings", {**TABLES, **device.TABLES}),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """Networks and devices around the phone, and what the device's pages bring."""
        seed_connections(phone, snapshot, language)
        device.seed(phone, snapshot, language)

    def on_setting(self, phone: Phone, name: str, value: str) -> None:
        """Radios take their links up or drop them; schedules act at once."""
        if name == "global/wifi_on":
            wifi_switched(phone)
        elif name == "global/bluetooth_on":
            bluetooth_switched(phone)
        else:
            setting_changed(phone, name)

    def next_wakeup(self, phone: Phone) -> int | None:
        """When a schedule next turns a mode."""
        return next_change(phone)

    def on_wakeup(self, phone: Phone) -> None:
        """Turns the modes whose time it is."""
        turn_due(phone)

    def on_data_cleared(self, phone: Phone) -> None:
        """No network and no device is known any more."""
        sync(phone)

    def on_time_changed(self, phone: Phone) -> None:
        """Modes with a schedule go by the new time."""
        apply_all(phone)

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """The page that names the action; `android.settings.SETTINGS` opens the first one."""
        if action == "android.settings.SETTINGS":
            return Target("main", {})
        for screen in SCREENS:
            if issubclass(screen, Page) and action in screen.actions:
                about = {"package": data.removeprefix("package:")} if data and data.startswith("package:") else {}
                return Target(screen.name, {**extras, **about})
        return None
