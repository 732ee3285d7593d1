"""Default apps: who opens web pages, makes calls, sends messages, is the home screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mobile_gym.phone.apps.settings.notifications import app_label
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_rows, note
from mobile_gym.phone.system.activities import HOME_PACKAGE
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Group, ListRow


@dataclass(frozen=True, slots=True)
class Role:
    """A task that one app has; `secure/<key>` holds its package.

    Attributes:
        icon: icon of the row.
        key: the setting in `secure`.
        action: action of an intent that apps which can do it handle; empty for the home screen.
        data: URI of that intent.
    """

    icon: str
    key: str
    action: str
    data: str


ROLES: Mapping[str, Role] = {
    "browser": Role("web", "browser_default_application", "android.intent.action.VIEW", "https://example.com/"),
    "home": Role("home-outline", "home_default_application", "", ""),
    "phone": Role("phone-outline", "dialer_default_application", "android.intent.action.DIAL", "tel:10086"),
    "sms": Role("message-outline", "sms_default_application", "android.intent.action.SENDTO", "smsto:10086"),
}


def candidates(ctx: Context, role: Role) -> list[str]:
    """Enabled apps that can do it, by package."""
    if not role.action:
        return [HOME_PACKAGE]
    return [
        package
        for package in ctx.phone.packages.launchable()
        if ctx.phone.apps[package].resolve(role.action, role.data, None, {}) is not None
    ]


def holder(ctx: Context, role: Role) -> str:
    """The package that does it; empty where none can."""
    able = candidates(ctx, role)
    chosen = ctx.settings.get("secure", role.key)
    return chosen if chosen in able and chosen is not None else able[0] if able else ""


class DefaultApps(Page):
    """The roles."""

    name = "default_apps"
    activity = "com.android.permissioncontroller.role.ui.DefaultAppListActivity"
    title = "default_apps"
    parent = "apps"
    keywords = "default_apps_words"
    entries = {"role_browser": "role_browser_words", "role_phone": "", "role_sms": "role_sms_words", "role_home": ""}
    actions = ("android.settings.MANAGE_DEFAULT_APPS_SETTINGS", "android.settings.HOME_SETTINGS")

    def rows(self, ctx: Context) -> list[Node]:
        """Each role with the app that has it."""
        rows = []
        for name, role in ROLES.items():
            package = holder(ctx, role)
            rows.append(
                ListRow(
                    ctx.tr(f"role_{name}"),
                    app_label(ctx, package) if package else ctx.tr("no_app_can"),
                    icon=role.icon,
                    on_tap=ctx.open("default_app", role=name),
                    id=f"role_{name}",
                    enabled=bool(package),
                )
            )
        return [*Group(rows), note(ctx.tr("default_apps_note"))]


class DefaultApp(Page):
    """Who has one role."""

    name = "default_app"
    activity = "com.android.permissioncontroller.role.ui.DefaultAppActivity"
    title = "default_apps"
    parent = "default_apps"
    searchable = False

    def heading(self, ctx: Context) -> str:
        """The role."""
        return ctx.tr(f"role_{self._role(ctx)}")

    def _role(self, ctx: Context) -> str:
        name = str(ctx.args.get("role", "sms"))
        return name if name in ROLES else "sms"

    def rows(self, ctx: Context) -> list[Node]:
        """Apps that can do it."""
        role = ROLES[self._role(ctx)]
        choices = [(package, app_label(ctx, package)) for package in candidates(ctx, role)]
        if not choices:
            return [note(ctx.tr("no_app_can"))]
        return [
            *choice_rows(choices, holder(ctx, role), lambda package: ctx.put_setting("secure", role.key, package)),
            note(ctx.tr("default_app_note")),
        ]


SCREENS = (DefaultApps, DefaultApp)
