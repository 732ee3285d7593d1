"""The applications that come with the phone, and those of other packages (entry points `mobile_gym.apps`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points

from mobile_gym.phone.system.app import App

BUILT_IN = (
    "mobile_gym.phone.apps.calculator:CalculatorApp",
    "mobile_gym.phone.apps.calendar:CalendarApp",
    "mobile_gym.phone.apps.clock:ClockApp",
    "mobile_gym.phone.apps.launcher:LauncherApp",
    "mobile_gym.phone.apps.settings:SettingsApp",
    "mobile_gym.phone.apps.contacts:ContactsApp",
    "mobile_gym.phone.apps.contacts_provider:ContactsProviderApp",
    "mobile_gym.phone.apps.telephony:TelephonyApp",
    "mobile_gym.phone.apps.telephony:BlockedNumberApp",
    "mobile_gym.phone.apps.messages:MessagesApp",
    "mobile_gym.phone.apps.shop:ShopApp",
    "mobile_gym.phone.apps.oakridge:OakridgeApp",
    "mobile_gym.phone.apps.messenger:MessengerApp",
    "mobile_gym.phone.apps.wallet:WalletApp",
)


def load_app(reference: str) -> App:
    """Makes the app that `module:Class` names."""
    module, _, name = reference.partition(":")
    app: App = getattr(import_module(module), name)()
    return app


@lru_cache(maxsize=1)
def installed_apps() -> Mapping[str, App]:
    """All apps by package; they hold no state, so every phone shares them."""
    references = [*BUILT_IN, *(point.value for point in entry_points(group="mobile_gym.apps"))]
    apps = [load_app(reference) for reference in references]
    return {app.package: app for app in apps}
