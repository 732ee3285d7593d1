"""Security and privacy: the lock, what the lock screen shows, who used what, installing from elsewhere."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.device.default_apps import ROLES, candidates
from mobile_gym.phone.apps.settings.device.location import recent_uses, use_row
from mobile_gym.phone.apps.settings.device.permissions import groups
from mobile_gym.phone.apps.settings.device.screen_lock import lock_kind
from mobile_gym.phone.apps.settings.device.store import app_op, set_app_op
from mobile_gym.phone.apps.settings.notifications import Notifications, app_icon, app_label
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import note, setting_switch
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Group, ListRow, SectionTitle, SwitchRow

INSTALL = "REQUEST_INSTALL_PACKAGES"


class Security(Page):
    """The page that leads to all about security and privacy."""

    name = "security"
    activity = ".Settings$SecurityDashboardActivity"
    title = "security"
    icon, disc = "shield-check", "Green"
    keywords = "security_words"
    entries = {
        "find_my_device": "find_my_device_words",
        "camera_access": "sensor_words",
        "microphone_access": "sensor_words",
        "show_passwords": "",
        "clipboard_access": "",
    }
    actions = ("android.settings.SECURITY_SETTINGS", "android.settings.PRIVACY_SETTINGS")

    def rows(self, ctx: Context) -> list[Node]:
        """Device unlock, finding the phone, privacy, controls."""
        lock = [
            ListRow(
                ctx.tr("screen_lock"),
                ctx.tr(f"screen_lock_{lock_kind(ctx)}"),
                icon="lock-outline",
                on_tap=ctx.open("screen_lock"),
                id="unlock_set_or_change",
            ),
            ListRow(
                ctx.tr("lock_screen_notifications"),
                ctx.tr(Notifications().lock_choice(ctx)),
                icon="bell-outline",
                on_tap=ctx.show("lock_screen"),
                id="lock_screen_notifications",
            ),
        ]
        finders = [
            setting_switch(
                ctx, "find_my_device", "secure", "find_my_device_enabled", summary=ctx.tr("find_my_device_summary")
            ),
        ]
        privacy = [
            ListRow(
                ctx.tr("privacy_dashboard"),
                ctx.tr("privacy_dashboard_summary"),
                on_tap=ctx.open("privacy_dashboard"),
                id="privacy_dashboard",
            ),
            ListRow(
                ctx.tr("permission_manager"),
                ctx.tr("permission_manager_summary"),
                on_tap=ctx.open("permission_manager"),
                id="permission_manager",
            ),
        ]
        controls = [
            setting_switch(
                ctx, title, namespace, key, summary=ctx.tr(f"{title}_summary"), default=default, on=on, off=off
            )
            for title, namespace, key, default, on, off in (
                ("camera_access", "secure", "sensor_privacy_camera", "0", "0", "1"),
                ("microphone_access", "secure", "sensor_privacy_microphone", "0", "0", "1"),
                ("clipboard_access", "secure", "clipboard_show_access_notifications", "1", "1", "0"),
                ("show_passwords", "system", "show_password", "1", "1", "0"),
            )
        ]
        more = [
            ListRow(
                ctx.tr("install_unknown"),
                ctx.tr("install_unknown_summary"),
                on_tap=ctx.open("install_unknown"),
                id="install_unknown",
            )
        ]
        return [
            SectionTitle(ctx.tr("device_unlock")),
            *Group(lock),
            SectionTitle(ctx.tr("device_finders")),
            *Group(finders),
            SectionTitle(ctx.tr("privacy")),
            *Group(privacy),
            SectionTitle(ctx.tr("privacy_controls")),
            *Group(controls),
            *Group(more),
        ]

    def overlay_lock_screen(self, ctx: Context) -> Node:
        """What the lock screen shows."""
        return Notifications().overlay_lock_screen(ctx)


class PrivacyDashboard(Page):
    """Who used what within a day."""

    name = "privacy_dashboard"
    activity = "com.android.permissioncontroller.permission.ui.ReviewPermissionUsageActivity"
    title = "privacy_dashboard"
    parent = "security"
    keywords = "privacy_dashboard_words"

    def rows(self, ctx: Context) -> list[Node]:
        """Groups that were used, each with its apps; then the groups that weren't."""
        items: list[Node] = [note(ctx.tr("privacy_dashboard_note"))]
        unused = []
        for name, group in groups().items():
            uses = recent_uses(ctx, name)
            if not uses:
                unused.append(ListRow(ctx.tr(f"group_{name}"), ctx.tr("not_used"), icon=group.icon, id=f"usage_{name}"))
                continue
            items.append(SectionTitle(ctx.tr("used_by_apps", name=ctx.tr(f"group_{name}"))))
            items += Group([use_row(ctx, use, name) for use in uses])
        return [*items, SectionTitle(ctx.tr("not_used_lately")), *Group(unused)]


class InstallUnknown(Page):
    """Which apps may install others."""

    name = "install_unknown"
    activity = ".Settings$ManageExternalSourcesActivity"
    title = "install_unknown"
    parent = "apps"
    keywords = "install_unknown_words"
    actions = ("android.settings.MANAGE_UNKNOWN_APP_SOURCES",)

    def rows(self, ctx: Context) -> list[Node]:
        """A switch each for apps that files come in by."""
        packages = sorted({*candidates(ctx, ROLES["browser"]), *candidates(ctx, ROLES["sms"])})
        rows = [self._row(ctx, package) for package in packages]
        return [*(Group(rows) if rows else []), note(ctx.tr("install_unknown_note"))]

    def _row(self, ctx: Context, package: str) -> Node:
        return SwitchRow(
            app_label(ctx, package),
            app_op(ctx, package, INSTALL, False),
            lambda turned: set_app_op(ctx, package, INSTALL, turned),
            ctx.tr("allow_from_source"),
            leading=app_icon(ctx, package),
            id="app_row",
        )


SCREENS = (Security, PrivacyDashboard, InstallUnknown)
