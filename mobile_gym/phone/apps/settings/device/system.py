"""System: languages, time, gestures, backup, updates, reset."""

from __future__ import annotations

from collections.abc import Mapping

from mobile_gym.phone.apps.settings.device.accounts import moment_text
from mobile_gym.phone.apps.settings.device.apps import reset_apps_dialog
from mobile_gym.phone.apps.settings.device.developer import developer_enabled
from mobile_gym.phone.apps.settings.device.screen_lock import after_pin
from mobile_gym.phone.apps.settings.device.store import base, fact, put_fact
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import main_switch, note, setting_choice, setting_switch
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Button, Dialog, Group, Icon, ListRow, Text

POWER_KEY = (("1", "power_menu_choice"), ("5", "assistant_choice"))


class System(Page):
    """The page that leads to all about the system."""

    name = "system"
    activity = ".Settings$SystemDashboardActivity"
    title = "system"
    icon, disc = "information-outline", "Blue"
    keywords = "system_words"

    def rows(self, ctx: Context) -> list[Node]:
        """One row a page; developer options once they are enabled."""
        pages = [
            ("languages", "translate", "languages_summary"),
            ("keyboards", "keyboard-outline", "keyboards_summary"),
            ("date_time", "clock-outline", "date_time_summary"),
            ("gestures", "gesture-swipe", "gestures_summary"),
            ("backup", "cloud-upload-outline", "backup_summary"),
            ("system_update", "update", "system_update_summary"),
            ("reset_options", "backup-restore", "reset_options_summary"),
        ]
        if developer_enabled(ctx):
            pages.append(("developer", "code-braces", "developer_summary"))
        return Group(
            [
                ListRow(ctx.tr(page), ctx.tr(summary), icon=icon, on_tap=ctx.open(page), id=page)
                for page, icon, summary in pages
            ]
        )


class Gestures(Page):
    """What keys and movements do."""

    name = "gestures"
    activity = ".Settings$GestureSettingsActivity"
    title = "gestures"
    parent = "system"
    keywords = "gestures_words"
    entries = {"quick_camera": "", "lift_to_wake": "lift_words", "power_key": ""}

    def rows(self, ctx: Context) -> list[Node]:
        """A switch each, and the power key."""
        rows = [
            setting_switch(
                ctx, title, "secure", key, summary=ctx.tr(f"{title}_summary"), default=default, on=on, off=off
            )
            for title, key, default, on, off in (
                ("quick_camera", "camera_double_tap_power_gesture_disabled", "0", "0", "1"),
                ("tap_to_wake", "doze_tap_gesture", "1", "1", "0"),
                ("lift_to_wake", "doze_pulse_on_pick_up", "1", "1", "0"),
                ("one_handed", "one_handed_mode_enabled", "0", "1", "0"),
            )
        ]
        rows.append(setting_choice(ctx, "power_key", "global", "power_button_long_press", POWER_KEY, "1"))
        return Group(rows)


class Backup(Page):
    """Whether the phone is backed up, and when it last was."""

    name = "backup"
    activity = ".Settings$PrivacySettingsActivity"
    title = "backup"
    parent = "system"
    keywords = "backup_words"
    actions = ("android.settings.BACKUP_AND_RESET_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Switch, account, the last time, the button."""
        on = ctx.settings.get("secure", "backup_enabled") != "0"
        account = str(base(ctx).value("SELECT address FROM accounts ORDER BY _id") or ctx.tr("no_accounts"))
        last = fact(ctx, "backup_ms")
        rows = [
            ListRow(ctx.tr("backup_account"), account, icon="account-outline", id="backup_account"),
            ListRow(
                ctx.tr("last_backup"),
                moment_text(ctx, int(last)) if last else ctx.tr("never"),
                icon="history",
                id="last_backup",
            ),
        ]

        def back_up() -> None:
            put_fact(ctx, "backup_ms", ctx.now_ms)
            ctx.toast(ctx.tr("backed_up"))

        button = Button(ctx.tr("back_up_now"), back_up if on else None, id="backup_now", enabled=on, width=FILL)
        return [
            *main_switch(ctx.tr("use_backup"), on, lambda turned: ctx.put_setting("secure", "backup_enabled", turned)),
            *Group(rows),
            Node("box", (button,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0), hidden_from_tree=True),
            note(ctx.tr("backup_note")),
        ]


class SystemUpdate(Page):
    """Whether there is a newer system."""

    name = "system_update"
    activity = ".Settings$SystemUpdateActivity"
    title = "system_update"
    parent = "system"
    keywords = "system_update_words"
    actions = ("android.settings.SYSTEM_UPDATE_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """There is none; the version, the last check, the button."""
        last = fact(ctx, "update_checked_ms")
        head = Node(
            "col",
            (
                Icon("check-circle-outline", 48.0, "primary"),
                Text(ctx.tr("up_to_date"), "titleLarge", id="update_status", text_align="center"),
            ),
            gap=12.0,
            align="center",
            width=FILL,
            pad=(16.0, 24.0, 16.0, 24.0),
        )
        rows = [
            ListRow(ctx.tr("android_version"), ctx.phone.profile.release, id="android_version"),
            ListRow(ctx.tr("security_patch"), ctx.tr("security_patch_date"), id="security_patch"),
            ListRow(ctx.tr("last_check"), moment_text(ctx, int(last)) if last else ctx.tr("never"), id="last_check"),
        ]

        def check() -> None:
            put_fact(ctx, "update_checked_ms", ctx.now_ms)
            ctx.toast(ctx.tr("up_to_date"))

        button = Button(ctx.tr("check_for_update"), check, id="check_for_update", width=FILL)
        auto = setting_switch(
            ctx, "auto_update", "global", "ota_automatic_update", summary=ctx.tr("auto_update_summary"), default="1"
        )
        return [
            *Group([head]),
            *Group(rows),
            *Group([auto]),
            Node("box", (button,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0), hidden_from_tree=True),
        ]


class ResetOptions(Page):
    """Ways back to how things were."""

    name = "reset_options"
    activity = ".Settings$ResetDashboardActivity"
    title = "reset_options"
    parent = "system"
    keywords = "reset_words"
    entries = {"reset_network": "reset_network_words", "reset_app_preferences": "", "erase_all": "erase_all_words"}

    def rows(self, ctx: Context) -> list[Node]:
        """Network, app preferences, everything."""
        rows = [
            ListRow(
                ctx.tr("reset_network"),
                ctx.tr("reset_network_summary"),
                icon="wifi-refresh",
                on_tap=ctx.show("network"),
                id="network_reset_pref",
            ),
            ListRow(
                ctx.tr("reset_app_preferences"),
                ctx.tr("reset_app_preferences_summary"),
                icon="apps",
                on_tap=ctx.show("apps"),
                id="reset_app_prefs",
            ),
            ListRow(
                ctx.tr("erase_all"),
                ctx.tr("erase_all_summary"),
                icon="delete-forever-outline",
                on_tap=ctx.open("erase_all"),
                id="factory_reset",
            ),
        ]
        return Group(rows)

    def overlay_apps(self, ctx: Context) -> Node:
        """Asks before app preferences are reset."""
        return reset_apps_dialog(ctx)

    def overlay_network(self, ctx: Context) -> Node:
        """Asks before networks and devices are forgotten."""

        def reset() -> None:
            ctx.dismiss()
            ctx.db.execute("UPDATE wifi_networks SET saved = 0, connected = 0")
            ctx.db.execute("UPDATE bluetooth_devices SET paired = 0, connected = 0")
            ctx.put_setting("global", "airplane_mode_on", "0")
            ctx.put_setting("global", "mobile_data", "1")
            ctx.put_setting("global", "bluetooth_on", "1")
            ctx.put_setting("global", "wifi_on", "1")
            ctx.toast(ctx.tr("network_was_reset"))

        return Dialog(
            ctx,
            ctx.tr("reset_network"),
            ctx.tr("reset_network_text"),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("reset_settings"), reset)],
        )


class EraseAll(Page):
    """Everything goes: told, then asked."""

    name = "erase_all"
    activity = ".Settings$FactoryResetActivity"
    title = "erase_all"
    parent = "reset_options"
    keywords = "erase_all_words"
    actions = ("com.android.settings.action.FACTORY_RESET",)

    def rows(self, ctx: Context) -> list[Node]:
        """What goes, and the button."""
        account = str(base(ctx).value("SELECT address FROM accounts ORDER BY _id") or "")
        what = Text(ctx.tr("erase_all_text"), "bodyLarge", pad=(24.0, 0.0, 24.0, 16.0), width=FILL, id="master_clear")
        rows = [ListRow(account, icon="account-outline", id="account")] if account else []

        def ask() -> None:
            after_pin(ctx, "erase", ctx.show("last"))

        button = Button(ctx.tr("erase_all_button"), ask, tone="error", id="initiate_master_clear")
        return [
            what,
            *(Group(rows) if rows else []),
            Node("row", (button,), width=FILL, justify="end", pad=(24.0, 8.0, 24.0, 24.0)),
        ]

    def on_result(self, ctx: Context, result: Mapping[str, object]) -> None:
        """The PIN was right."""
        if result.get("confirmed") == "erase":
            ctx.open_overlay("last")

    def overlay_last(self, ctx: Context) -> Node:
        """The last question."""

        def erase() -> None:
            ctx.phone.load_snapshot("clean")

        return Dialog(
            ctx,
            ctx.tr("erase_last_title"),
            ctx.tr("erase_last_text"),
            icon="alert-outline",
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("erase_all_button"), erase)],
        )


SCREENS = (System, Gestures, Backup, SystemUpdate, ResetOptions, EraseAll)
