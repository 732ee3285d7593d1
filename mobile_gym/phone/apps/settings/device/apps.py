"""Apps: those opened lately, and the list of all."""

from __future__ import annotations

from dataclasses import dataclass

from mobile_gym.phone.apps.settings.device.store import base, size_text
from mobile_gym.phone.apps.settings.notifications import app_icon, app_label
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Dialog,
    EmptyState,
    Group,
    IconButton,
    LargeTitle,
    LazyList,
    ListRow,
    Menu,
    MenuItem,
    Scaffold,
    SearchField,
    SectionTitle,
    TopBar,
)

RECENT = 4
"""How many of the apps that were opened lately the first page shows."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An installed app as lists show it; `size` is that of app, data and cache together, bytes."""

    package: str
    label: str
    size: int
    enabled: bool


def listed(ctx: Context, system: bool = False, by_size: bool = False) -> list[Listed]:
    """Installed apps, by name or the largest first.

    Args:
        ctx: the screen's context.
        system: whether those without an icon, which belong to the system, are among them.
        by_size: the order.
    """
    found = []
    for package in ctx.phone.packages.names():
        entry = ctx.phone.packages.entry(package)
        app = ctx.phone.apps.get(package)
        if system or not entry["system"] or (app is not None and app.icon is not None):
            found.append(Listed(package, app_label(ctx, package), sum(entry["sizes"]), bool(entry["enabled"])))
    if by_size:
        return sorted(found, key=lambda app: (-app.size, app.package))
    return sorted(found, key=lambda app: (app.label.casefold(), app.package))


def app_row(ctx: Context, package: str, summary: str, page: str, **args: str) -> Node:
    """A row with an app's icon and name that opens a page about it."""
    return ListRow(
        app_label(ctx, package),
        summary,
        leading=app_icon(ctx, package),
        on_tap=ctx.open(page, package=package, **args),
        min_height=72.0,
        id="app_row",
    )


class Apps(Page):
    """The page that leads to all about apps."""

    name = "apps"
    activity = ".Settings$AppDashboardActivity"
    title = "apps"
    icon, disc = "apps", "Purple"
    keywords = "apps_words"
    actions = ("android.settings.APPS_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Apps opened lately, all apps, and what holds for several."""
        recent = self._recent(ctx)
        items: list[Node] = []
        if recent:
            items.append(SectionTitle(ctx.tr("recently_opened")))
        every = ListRow(
            ctx.tr("see_all_apps", count=len(listed(ctx))),
            icon="apps",
            on_tap=ctx.open("all_apps"),
            id="see_all_apps",
        )
        items += Group([*(app_row(ctx, p, self._used(ctx, p), "app_info") for p in recent), every])
        general = [
            ListRow(
                ctx.tr("default_apps"),
                ctx.tr("default_apps_summary"),
                on_tap=ctx.open("default_apps"),
                id="default_apps",
            ),
            ListRow(
                ctx.tr("permission_manager"),
                ctx.tr("permission_manager_summary"),
                on_tap=ctx.open("permission_manager"),
                id="permission_manager",
            ),
            ListRow(
                ctx.tr("screen_time"), ctx.tr("screen_time_summary"), on_tap=ctx.open("wellbeing"), id="screen_time"
            ),
            ListRow(ctx.tr("battery_usage"), on_tap=ctx.open("battery_usage"), id="battery_usage"),
            ListRow(
                ctx.tr("install_unknown"),
                ctx.tr("install_unknown_summary"),
                on_tap=ctx.open("install_unknown"),
                id="install_unknown",
            ),
        ]
        return [*items, SectionTitle(ctx.tr("general")), *Group(general)]

    def _recent(self, ctx: Context) -> list[str]:
        """Packages of open tasks, then those that are used most today; without the settings themselves."""
        order = [task["stack"][0]["package"] for task in ctx.phone.state.interface["tasks"]]
        used = base(ctx).rows(
            "SELECT package FROM app_usage WHERE day = ? ORDER BY minutes DESC, package", ctx.now.date().isoformat()
        )
        order += [row["package"] for row in used]
        known = ctx.phone.packages.names()
        found = [package for package in dict.fromkeys(order) if package != ctx.app.package and package in known]
        return found[:RECENT]

    def _used(self, ctx: Context, package: str) -> str:
        minutes = base(ctx).value(
            "SELECT minutes FROM app_usage WHERE package = ? AND day = ?", package, ctx.now.date().isoformat()
        )
        return ctx.tr("minutes_today", count=minutes) if minutes else ""


class AllApps(Page):
    """All apps: searched, sorted by name or size, with or without those of the system."""

    name = "all_apps"
    activity = ".Settings$ManageApplicationsActivity"
    title = "all_apps"
    parent = "apps"
    keywords = "all_apps_words"
    actions = (
        "android.settings.APPLICATION_SETTINGS",
        "android.settings.MANAGE_APPLICATIONS_SETTINGS",
        "android.settings.MANAGE_ALL_APPLICATIONS_SETTINGS",
    )

    def _rows(self, ctx: Context) -> list[Node]:
        by_size = bool(ctx.ui.get("by_size"))
        words = ctx.field("search_src_text").casefold().strip() if ctx.ui.get("searching") else ""
        found = [app for app in listed(ctx, bool(ctx.ui.get("system")), by_size) if words in app.label.casefold()]
        return Group(
            [
                app_row(
                    ctx,
                    app.package,
                    size_text(app.size) if app.enabled else ctx.tr("disabled_app"),
                    "app_info",
                )
                for app in found
            ]
        )

    def build(self, ctx: Context) -> Node:
        """The bar, or the search bar, over the list."""
        rows = self._rows(ctx)
        empty = EmptyState("magnify", ctx.tr("no_apps_found"))
        if ctx.ui.get("searching"):
            field = SearchField(ctx, "search_src_text", ctx.tr("search_apps"), on_back=ctx.back())
            top = Node("box", (field,), width=FILL, pad=(16.0, 8.0, 16.0, 12.0), hidden_from_tree=True)
            return Scaffold(LazyList(rows, id="recycler_view", empty=empty), top=top, bg="page")
        sort = SectionTitle(ctx.tr("sorted_by_size" if ctx.ui.get("by_size") else "sorted_by_name"))
        body = LazyList([LargeTitle(self.heading(ctx)), sort, *rows], id="recycler_view", bottom_pad=8.0)
        actions = (
            IconButton("magnify", self._search(ctx), ctx.tr("search_apps"), id="search_app_list_menu"),
            IconButton("dots-vertical", ctx.show("menu"), ctx.tr("more_options"), id="more_options"),
        )
        return Scaffold(body, top=TopBar(ctx, "", disc=True, actions=actions), bg="page")

    def _search(self, ctx: Context) -> Handler:
        def handle() -> None:
            ctx.ui["searching"] = True
            ctx.set_field("search_src_text", "")
            ctx.focus("search_src_text")

        return handle

    def on_back(self, ctx: Context) -> bool:
        """Back leaves the search first."""
        if not ctx.ui.get("searching"):
            return False
        ctx.ui["searching"] = False
        ctx.focus(None)
        return True

    def overlay_menu(self, ctx: Context) -> Node:
        """Order, the system's apps, and the way back to how apps were."""
        by_size, system = bool(ctx.ui.get("by_size")), bool(ctx.ui.get("system"))
        items = [
            MenuItem(
                ctx.tr("sort_by_name" if by_size else "sort_by_size"),
                ctx.then_dismiss(ctx.set_ui("by_size", not by_size)),
                id="sort_order",
            ),
            MenuItem(
                ctx.tr("hide_system" if system else "show_system"),
                ctx.then_dismiss(ctx.set_ui("system", not system)),
                id="show_system",
            ),
            MenuItem(
                ctx.tr("reset_app_preferences"),
                ctx.then_dismiss(ctx.show("reset_apps")),
                id="reset_app_preferences",
            ),
        ]
        return Menu(ctx, items)

    def overlay_reset_apps(self, ctx: Context) -> Node:
        """Asks before app preferences are reset."""
        return reset_apps_dialog(ctx)


def reset_apps_dialog(ctx: Context) -> Node:
    """Asks before app preferences are reset."""

    def reset() -> None:
        ctx.dismiss()
        for package in ctx.phone.packages.names():
            if not ctx.phone.packages.entry(package)["enabled"]:
                ctx.phone.packages.set_enabled(package, True)
            if not ctx.phone.packages.notifications_allowed(package):
                ctx.phone.packages.set_notifications(package, True)
        ctx.phone.state.interface.pop("appops", None)
        for key in ("browser", "dialer", "sms", "home"):
            ctx.phone.delete_setting("secure", f"{key}_default_application")
        ctx.put_setting("secure", "sms_default_application", "com.android.messaging")
        ctx.toast(ctx.tr("app_preferences_reset"))

    return Dialog(
        ctx,
        ctx.tr("reset_app_preferences_ask"),
        ctx.tr("reset_app_preferences_text"),
        actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("reset_apps"), reset)],
    )


SCREENS = (Apps, AllApps)
