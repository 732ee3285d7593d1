"""Notifications: who may post them, what was posted, what the lock screen shows."""

from __future__ import annotations

from datetime import datetime

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_dialog, main_switch, note, setting_switch, two_target_row
from mobile_gym.phone.apps.settings.sound import tone_row
from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.formats import age_text
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import AppDisc, Disc, EmptyState, Group, ListRow, SectionTitle, Text

APP_PACKAGE = "android.provider.extra.APP_PACKAGE"
LOCK_SCREEN = ("lock_all", "lock_hide_sensitive", "lock_none")


def app_icon(ctx: Context, package: str, size: float = 40.0) -> Node:
    """An app's icon; a robot for what has none."""
    app = ctx.phone.apps.get(package)
    if app is None or app.icon is None:
        return Disc("android", size, "discGreen", "onDiscGreen")
    return AppDisc(app.icon, size)


def app_label(ctx: Context, package: str) -> str:
    """An app's name; the package's where it has none."""
    app = ctx.phone.apps.get(package)
    return package if app is None else app.label(ctx.language)


def set_allowed(ctx: Context, package: str, allowed: bool) -> None:
    """Allows or blocks an app's notifications."""
    ctx.phone.packages.set_notifications(package, allowed)


class Notifications(Page):
    """The page that leads to all about notifications."""

    name = "notifications"
    activity = ".Settings$ConfigureNotificationSettingsActivity"
    title = "notifications"
    icon, disc = "bell", "Orange"
    keywords = "notifications_words"
    entries = {"lock_screen_notifications": "lock_screen_words", "heads_up": "heads_up_words", "dots": ""}
    actions = ("android.settings.NOTIFICATION_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Apps, history, lock screen, heads-up, sound."""
        blocked = sum(not ctx.phone.packages.notifications_allowed(p) for p in ctx.phone.packages.launchable())
        manage = [
            ListRow(
                ctx.tr("app_notifications"),
                ctx.tr("apps_blocked", count=blocked) if blocked else ctx.tr("apps_all_allowed"),
                on_tap=ctx.open("app_notifications"),
                id="app_notifications",
            ),
            ListRow(
                ctx.tr("notification_history"),
                ctx.tr("notification_history_summary"),
                on_tap=ctx.open("notification_history"),
                id="notification_history",
            ),
        ]
        privacy = [
            ListRow(
                ctx.tr("lock_screen_notifications"),
                ctx.tr(self.lock_choice(ctx)),
                on_tap=ctx.show("lock_screen"),
                id="lock_screen_notifications",
            )
        ]
        quiet = bool(ctx.settings.get_int("global", "zen_mode"))
        general = [
            two_target_row(
                ctx.tr("dnd"),
                ctx.tr("on" if quiet else "off"),
                ctx.open("dnd"),
                quiet,
                lambda turned: ctx.put_setting("global", "zen_mode", turned),
                id="dnd",
            ),
            setting_switch(
                ctx,
                "heads_up",
                "global",
                "heads_up_notifications_enabled",
                summary=ctx.tr("heads_up_summary"),
                default="1",
            ),
            setting_switch(ctx, "dots", "secure", "notification_badging", summary=ctx.tr("dots_summary"), default="1"),
            tone_row(ctx, "notification_sound", "notification"),
        ]
        return [
            SectionTitle(ctx.tr("manage")),
            *Group(manage),
            SectionTitle(ctx.tr("privacy")),
            *Group(privacy),
            SectionTitle(ctx.tr("general")),
            *Group(general),
        ]

    def lock_choice(self, ctx: Context) -> str:
        """String key of what the lock screen shows."""
        if not ctx.settings.get_int("secure", "lock_screen_show_notifications", 1):
            return "lock_none"
        private = ctx.settings.get_int("secure", "lock_screen_allow_private_notifications", 1)
        return "lock_all" if private else "lock_hide_sensitive"

    def overlay_lock_screen(self, ctx: Context) -> Node:
        """What the lock screen shows."""

        def choose(choice: str) -> None:
            ctx.put_setting("secure", "lock_screen_show_notifications", choice != "lock_none")
            ctx.put_setting("secure", "lock_screen_allow_private_notifications", choice == "lock_all")

        choices = [(choice, ctx.tr(choice)) for choice in LOCK_SCREEN]
        return choice_dialog(ctx, ctx.tr("lock_screen_notifications"), choices, self.lock_choice(ctx), choose)


class AppNotifications(Page):
    """All apps, each with its switch."""

    name = "app_notifications"
    activity = ".Settings$NotificationAppListActivity"
    title = "app_notifications"
    parent = "notifications"
    keywords = "app_notifications_words"
    actions = ("android.settings.ALL_APPS_NOTIFICATION_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Apps by name."""
        packages = sorted(ctx.phone.packages.launchable(), key=lambda package: (app_label(ctx, package), package))
        return Group([self._row(ctx, package) for package in packages])

    def _row(self, ctx: Context, package: str) -> Node:
        posted = sum(entry["package"] == package for entry in ctx.phone.notifier.posted)
        return two_target_row(
            app_label(ctx, package),
            ctx.tr("notifications_count", count=posted) if posted else "",
            ctx.open("app_notification", package=package),
            ctx.phone.packages.notifications_allowed(package),
            lambda allowed: set_allowed(ctx, package, allowed),
            id="app_row",
            leading=app_icon(ctx, package),
        )


class AppNotification(Page):
    """One app's notifications."""

    name = "app_notification"
    activity = ".Settings$AppNotificationSettingsActivity"
    title = "app_notifications"
    parent = "app_notifications"
    actions = ("android.settings.APP_NOTIFICATION_SETTINGS",)
    searchable = False

    def rows(self, ctx: Context) -> list[Node]:
        """The app, its switch, and what it posted."""
        package = str(ctx.args.get("package") or ctx.args.get(APP_PACKAGE) or ctx.app.package)
        if package not in ctx.phone.packages.names():
            return [note(ctx.tr("app_gone"))]
        label = app_label(ctx, package)
        head = Node(
            "col",
            (app_icon(ctx, package, 56.0), Text(label, "titleLarge", id="entity_header_title")),
            gap=8.0,
            width=FILL,
            align="center",
            pad=(24.0, 0.0, 24.0, 16.0),
        )
        allowed = ctx.phone.packages.notifications_allowed(package)
        items = [
            head,
            *main_switch(
                ctx.tr("all_app_notifications", app=label), allowed, lambda turned: set_allowed(ctx, package, turned)
            ),
        ]
        if not allowed:
            return [*items, note(ctx.tr("app_blocked_note", app=label))]
        posted = [entry for entry in ctx.phone.notifier.posted if entry["package"] == package]
        if not posted:
            return [*items, note(ctx.tr("app_quiet_note"))]
        return [*items, SectionTitle(ctx.tr("recent")), *Group([posted_row(ctx, entry) for entry in posted])]


def posted_row(ctx: Context, entry: Record) -> Node:
    """A notification as a row: app, what it says, when it came."""
    moment = datetime.fromtimestamp(entry["posted_ms"] / 1000, ctx.now.tzinfo)
    when = age_text(moment, ctx.now, ctx.phone.use_24_hours, ctx.language)
    return ListRow(
        entry["title"],
        entry["text"],
        leading=app_icon(ctx, entry["package"]),
        trailing=Text(when, "bodySmall", "onSurfaceVariant", id="timestamp"),
        id="notification_row",
    )


class History(Page):
    """What was posted lately, and what was dismissed."""

    name = "notification_history"
    activity = ".notification.history.NotificationHistoryActivity"
    title = "notification_history"
    parent = "notifications"
    keywords = "notification_history_words"
    actions = ("android.settings.NOTIFICATION_HISTORY",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch; while it is on dismissed and current notifications."""
        on = ctx.settings.get_int("secure", "notification_history_enabled", 1) == 1
        items = main_switch(
            ctx.tr("use_history"), on, lambda turned: ctx.put_setting("secure", "notification_history_enabled", turned)
        )
        if not on:
            return [*items, note(ctx.tr("history_off"))]
        dismissed = [posted_row(ctx, entry) for entry in ctx.phone.state.interface["dismissed"]]
        current = [posted_row(ctx, entry) for entry in ctx.phone.notifier.posted]
        if not dismissed and not current:
            return [*items, EmptyState("history", ctx.tr("history_empty"))]
        for title, rows in (("recently_dismissed", dismissed), ("last_24_hours", current)):
            if rows:
                items += [SectionTitle(ctx.tr(title)), *Group(rows)]
        return items


SCREENS = (Notifications, AppNotifications, AppNotification, History)
