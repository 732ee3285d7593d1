"""Starting other apps, and knowing who can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ActivityNotFound, PackageNotFound
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import Handler

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

DETAILS = "android.settings.APPLICATION_DETAILS_SETTINGS"
WALLPAPERS = ("android.intent.action.SET_WALLPAPER", "android.settings.WALLPAPER_SETTINGS")
VIEW, WEB_SEARCH = "android.intent.action.VIEW", "android.intent.action.WEB_SEARCH"


def handled(phone: Phone, action: str, data: str | None = None) -> bool:
    """Whether an enabled app has a screen for an implicit intent."""
    return any(
        phone.apps[package].resolve(action, data, None, {}) is not None
        for package in phone.packages.names()
        if package in phone.apps and phone.packages.enabled(package)
    )


def start(ctx: Context, intent: Intent) -> None:
    """Starts an activity; says so where nobody handles the intent."""
    try:
        ctx.phone.activities.start(intent)
    except (ActivityNotFound, PackageNotFound):
        ctx.toast(ctx.tr("not_available"))


def starter(ctx: Context, intent: Intent) -> Handler:
    """A handler that starts an activity."""
    return lambda: start(ctx, intent)


def package_like(phone: Phone, part: str) -> str | None:
    """The first app with an icon whose package has this part in its name."""
    return next((package for package in phone.packages.launchable() if part in package), None)
