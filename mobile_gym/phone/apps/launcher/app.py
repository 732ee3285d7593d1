"""The launcher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.launcher import arrangement
from mobile_gym.phone.apps.launcher.home import Home
from mobile_gym.phone.system.app import App, Target
from mobile_gym.phone.system.providers import Provider, Table, TableProvider

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone


class LauncherApp(App):
    """The home screen."""

    package = arrangement.PACKAGE
    module = "mobile_gym.phone.apps.launcher"
    screens = (Home,)
    databases = {"launcher.db": "schema.sql"}
    sizes_mb = (18.0, 1.0, 0.2)

    def providers(self) -> Sequence[Provider]:
        """Where each icon lies."""
        table = Table(arrangement.DATABASE, "favorites", "favorites", sort="container, screen, cell")
        return (TableProvider("com.android.launcher3.settings", {"favorites": table}),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """The icons of a new phone."""
        arrangement.first_layout(phone)

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """Home intents are the activity manager's."""
        return None
