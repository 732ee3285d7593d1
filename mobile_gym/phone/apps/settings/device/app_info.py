"""One app: what it may do, what it takes, and what can be done with it."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.battery import level
from mobile_gym.phone.apps.settings.device.permissions import allowed_groups
from mobile_gym.phone.apps.settings.device.store import app_op, base, set_app_op, size_text
from mobile_gym.phone.apps.settings.network import MONTHLY_MB, gigabytes
from mobile_gym.phone.apps.settings.notifications import app_icon, app_label
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import note
from mobile_gym.phone.apps.settings.usage import battery_usage, data_usage
from mobile_gym.phone.door import Intent, PackageInfo
from mobile_gym.phone.system.activities import HOME_PACKAGE
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Group, Icon, ListRow, SwitchRow, Text

KEPT = ("com.android.settings", HOME_PACKAGE, "com.android.messaging", "com.android.dialer")
"""Apps that the phone needs, so that they can't be disabled."""


def app_head(ctx: Context, package: str, detail: str = "") -> Node:
    """Icon, name and a line of detail in the middle of a page's top."""
    parts = [app_icon(ctx, package, 56.0), Text(app_label(ctx, package), "titleLarge", id="entity_header_title")]
    if detail:
        parts.append(Text(detail, "bodyMedium", "onSurfaceVariant", id="entity_header_summary"))
    return Node("col", parts, gap=8.0, width=FILL, align="center", pad=(24.0, 0.0, 24.0, 16.0))


def button_row(buttons: list[tuple[str, str, str, Handler | None]]) -> Node:
    """Buttons side by side, an icon over a label each: icon, label, id, and a handler or None where it is disabled."""
    cells = []
    for icon, label, name, handler in buttons:
        enabled = handler is not None
        cells.append(
            Node(
                "col",
                (
                    Icon(icon, 24.0, "primary", hidden_from_tree=True),
                    Text(label, "labelLarge", "primary", hidden_from_tree=True, text_align="center"),
                ),
                gap=6.0,
                weight=1.0,
                align="center",
                pad=(4.0, 16.0, 4.0, 16.0),
                cls="android.widget.Button",
                id=name,
                text=label,
                enabled=enabled,
                fade=1.0 if enabled else 0.38,
                on_tap=handler,
            )
        )
    return Node("row", cells, width=FILL, align="start")


class AppPage(Page):
    """A page about one app, which `package` names."""

    searchable = False

    def package(self, ctx: Context) -> str:
        """The package; the settings' own where none was given."""
        return str(ctx.args.get("package") or ctx.app.package)

    def rows(self, ctx: Context) -> list[Node]:
        """A word in place of the page where the app is gone."""
        package = self.package(ctx)
        if package not in ctx.phone.packages.names():
            return [note(ctx.tr("app_gone"))]
        return self.app_rows(ctx, package)

    def app_rows(self, ctx: Context, package: str) -> list[Node]:
        """What the page lists about an app that is there."""
        raise NotImplementedError


class AppInfo(AppPage):
    """App info."""

    name = "app_info"
    activity = ".applications.InstalledAppDetails"
    title = "app_info"
    parent = "all_apps"
    actions = ("android.settings.APPLICATION_DETAILS_SETTINGS",)

    def app_rows(self, ctx: Context, package: str) -> list[Node]:
        """Head, buttons, what it may do, what it takes."""
        info = ctx.phone.packages.info(package)
        state = "" if info.enabled else ctx.tr("disabled_app")
        access = [
            self._row(ctx, "app_notifications_row", self._notifications(ctx, package), "app_notification", package),
            self._row(ctx, "app_permissions", self._permissions(ctx, package), "app_permissions", package),
            self._row(ctx, "storage_cache", size_text(sum(info.size_bytes)), "app_storage", package),
            self._row(ctx, "open_by_default", self._links(ctx, package), "open_by_default", package),
        ]
        data = next((use.amount for use in data_usage(ctx, MONTHLY_MB) if use.package == package), 0.0)
        battery = next(
            (use.amount for use in battery_usage(ctx, (100 - level(ctx)) * 0.62) if use.package == package), 0
        )
        spent = base(ctx).value(
            "SELECT minutes FROM app_usage WHERE package = ? AND day = ?", package, ctx.now.date().isoformat()
        )
        use = [
            ListRow(
                ctx.tr("app_data"),
                ctx.tr("app_data_used", amount=gigabytes(data)),
                on_tap=ctx.open("data_usage"),
                id="data_settings",
            ),
            ListRow(
                ctx.tr("app_battery"),
                ctx.tr("app_battery_used", percent=f"{battery:.0f}" if battery >= 1 else "< 1"),
                on_tap=ctx.open("battery_usage"),
                id="battery",
            ),
            ListRow(
                ctx.tr("screen_time"),
                ctx.tr("minutes_today", count=spent or 0),
                on_tap=ctx.open("app_time", package=package),
                id="time_spent_in_app",
            ),
        ]
        unused = [
            SwitchRow(
                ctx.tr("pause_if_unused"),
                app_op(ctx, package, "AUTO_REVOKE_PERMISSIONS_IF_UNUSED", True),
                lambda turned: set_app_op(ctx, package, "AUTO_REVOKE_PERMISSIONS_IF_UNUSED", turned),
                ctx.tr("pause_if_unused_summary"),
                id="app_hibernation",
            )
        ]
        return [
            app_head(ctx, package, state),
            *Group([self._buttons(ctx, info)]),
            *Group(access),
            *Group(use),
            *Group(unused),
            note(ctx.tr("app_version", version=info.version_name, package=package)),
        ]

    def _row(self, ctx: Context, title: str, summary: str, page: str, package: str) -> Node:
        return ListRow(ctx.tr(title), summary, on_tap=ctx.open(page, package=package), id=page)

    def _notifications(self, ctx: Context, package: str) -> str:
        return ctx.tr("on" if ctx.phone.packages.notifications_allowed(package) else "off")

    def _permissions(self, ctx: Context, package: str) -> str:
        allowed, asked = allowed_groups(ctx, package)
        if not asked:
            return ctx.tr("no_permissions_asked")
        names = [ctx.tr(f"group_{group}") for group in allowed]
        return ctx.tr("list_comma").join(names) if names else ctx.tr("no_permissions_allowed")

    def _links(self, ctx: Context, package: str) -> str:
        return ctx.tr("links_open" if app_op(ctx, package, "OPEN_SUPPORTED_LINKS", True) else "links_not_open")

    def _buttons(self, ctx: Context, info: PackageInfo) -> Node:
        package = info.package
        can_open = info.launcher is not None and info.enabled

        def start() -> None:
            ctx.phone.activities.start(Intent(package=package))

        buttons: list[tuple[str, str, str, Handler | None]] = [
            ("open-in-new", ctx.tr("open_app"), "button_open", start if can_open else None)
        ]
        if not info.system:
            buttons.append(("trash-can-outline", ctx.tr("uninstall"), "button_uninstall", ctx.show("uninstall")))
        elif info.enabled:
            able = info.launcher is not None and package not in KEPT
            buttons.append(("cancel", ctx.tr("disable"), "button_disable", ctx.show("disable") if able else None))
        else:
            buttons.append(
                ("check", ctx.tr("enable"), "button_enable", lambda: ctx.phone.packages.set_enabled(package, True))
            )
        running = not info.stopped and info.enabled
        buttons.append(
            (
                "alert-octagon-outline",
                ctx.tr("force_stop"),
                "button_force_stop",
                ctx.show("force_stop") if running else None,
            )
        )
        return button_row(buttons)

    def overlay_uninstall(self, ctx: Context) -> Node:
        """Asks before the app goes."""
        package = self.package(ctx)

        def remove() -> None:
            label = app_label(ctx, package)
            ctx.dismiss()
            ctx.phone.packages.uninstall(package)
            ctx.toast(ctx.tr("uninstalled", app=label))
            ctx.finish()

        return Dialog(
            ctx,
            app_label(ctx, package),
            ctx.tr("uninstall_ask"),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("ok"), remove)],
        )

    def overlay_disable(self, ctx: Context) -> Node:
        """Asks before the app is disabled."""
        package = self.package(ctx)
        return Dialog(
            ctx,
            body=ctx.tr("disable_ask"),
            actions=[
                (ctx.tr("cancel"), ctx.dismiss),
                (ctx.tr("disable_app"), ctx.then_dismiss(ctx.phone.packages.set_enabled, package, False)),
            ],
        )

    def overlay_force_stop(self, ctx: Context) -> Node:
        """Asks before the app is stopped."""
        package = self.package(ctx)
        return Dialog(
            ctx,
            ctx.tr("force_stop_title"),
            ctx.tr("force_stop_ask"),
            actions=[
                (ctx.tr("cancel"), ctx.dismiss),
                (ctx.tr("ok"), ctx.then_dismiss(ctx.phone.activities.force_stop, package)),
            ],
        )


class AppStorage(AppPage):
    """What an app takes, and how to get it back."""

    name = "app_storage"
    activity = ".applications.AppStorageSettings"
    title = "storage_cache"
    parent = "app_info"

    def app_rows(self, ctx: Context, package: str) -> list[Node]:
        """Buttons and sizes."""
        info = ctx.phone.packages.info(package)
        size, data, cache = info.size_bytes
        # The settings would close themselves, and the launcher holds the home screen.
        clearable = data + cache > 0 and package not in (ctx.app.package, HOME_PACKAGE)

        def clear_cache() -> None:
            ctx.phone.packages.clear_cache(package)

        buttons: list[tuple[str, str, str, Handler | None]] = [
            (
                "trash-can-outline",
                ctx.tr("clear_storage"),
                "clear_storage",
                ctx.show("clear") if clearable else None,
            ),
            ("broom", ctx.tr("clear_cache"), "clear_cache", clear_cache if cache else None),
        ]
        rows = [
            ListRow(ctx.tr("app_size"), size_text(size), id="app_size"),
            ListRow(ctx.tr("user_data"), size_text(data), id="data_size"),
            ListRow(ctx.tr("cache"), size_text(cache), id="cache_size"),
            ListRow(ctx.tr("total"), size_text(size + data + cache), id="total_size"),
        ]
        return [app_head(ctx, package), *Group([button_row(buttons)]), *Group(rows)]

    def overlay_clear(self, ctx: Context) -> Node:
        """Asks before the app's data go."""
        package = self.package(ctx)
        return Dialog(
            ctx,
            ctx.tr("clear_ask_title"),
            ctx.tr("clear_ask"),
            actions=[
                (ctx.tr("cancel"), ctx.dismiss),
                (ctx.tr("delete"), ctx.then_dismiss(ctx.phone.packages.clear, package)),
            ],
        )


class OpenByDefault(AppPage):
    """Whether an app opens the links that it supports."""

    name = "open_by_default"
    activity = ".applications.intentpicker.AppLaunchSettings"
    title = "open_by_default"
    parent = "app_info"

    def app_rows(self, ctx: Context, package: str) -> list[Node]:
        """The switch."""
        on = app_op(ctx, package, "OPEN_SUPPORTED_LINKS", True)
        row = SwitchRow(
            ctx.tr("open_links"),
            on,
            lambda turned: set_app_op(ctx, package, "OPEN_SUPPORTED_LINKS", turned),
            ctx.tr("open_links_summary"),
            id="open_by_default_supported_links",
        )
        return [app_head(ctx, package), *Group([row]), note(ctx.tr("open_links_note"))]


SCREENS = (AppInfo, AppStorage, OpenByDefault)
