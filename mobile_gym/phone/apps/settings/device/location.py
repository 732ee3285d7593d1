"""Location: the switch, who used it lately, and the services that help to find the place."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.device.apps import app_row
from mobile_gym.phone.apps.settings.device.permissions import askers
from mobile_gym.phone.apps.settings.device.store import base
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import main_switch, note, setting_switch
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import age_text
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Group, ListRow, SectionTitle

DAY_MS = 86_400_000


def location_on(ctx: Context) -> bool:
    """Whether apps may know where the phone is."""
    return ctx.settings.get("secure", "location_mode") != "0"


def recent_uses(ctx: Context, group: str) -> list[dict[str, object]]:
    """Uses of a permission group within a day, the last one of each app, newest first."""
    known = ctx.phone.packages.names()
    found = base(ctx).rows(
        "SELECT package, max(used_ms) AS used_ms FROM permission_uses WHERE permission_group = ? AND used_ms > ?"
        " GROUP BY package ORDER BY max(used_ms) DESC, package",
        group,
        ctx.now_ms - DAY_MS,
    )
    return [use for use in found if use["package"] in known]


def use_row(ctx: Context, use: dict[str, object], group: str) -> Node:
    """An app that used a permission, and when."""
    moment = ctx.phone.state.clock.at(int(str(use["used_ms"])))
    when = age_text(moment, ctx.now, ctx.phone.use_24_hours, ctx.language)
    return app_row(ctx, str(use["package"]), when, "app_permission", group=group)


class Location(Page):
    """The switch of all, and what hangs on it."""

    name = "location"
    activity = ".Settings$LocationSettingsActivity"
    title = "location"
    icon, disc = "map-marker", "Green"
    keywords = "location_words"
    entries = {"wifi_scanning": "scanning_words", "bluetooth_scanning": "scanning_words"}
    actions = ("android.settings.LOCATION_SOURCE_SETTINGS",)

    def summary(self, ctx: Context) -> str:
        """Whether it is on, and for how many apps."""
        if not location_on(ctx):
            return ctx.tr("off")
        return ctx.tr("location_on_summary", count=sum(askers(ctx, "location").values()))

    def rows(self, ctx: Context) -> list[Node]:
        """Switch, recent access, apps, services."""
        on = location_on(ctx)
        items = main_switch(
            ctx.tr("use_location"), on, lambda turned: ctx.put_setting("secure", "location_mode", 3 if turned else 0)
        )
        uses = recent_uses(ctx, "location")
        if on:
            items.append(SectionTitle(ctx.tr("recent_access")))
            items += (
                Group([use_row(ctx, use, "location") for use in uses]) if uses else [note(ctx.tr("no_recent_access"))]
            )
        found = askers(ctx, "location")
        rows = [
            ListRow(
                ctx.tr("app_location_permissions"),
                ctx.tr("apps_allowed_of", count=sum(found.values()), total=len(found))
                if on
                else ctx.tr("location_off"),
                on_tap=ctx.open("permission_group", group="location"),
                id="app_level_permissions",
            ),
            ListRow(
                ctx.tr("location_services"),
                ctx.tr("location_services_summary"),
                on_tap=ctx.open("location_services"),
                id="location_services",
            ),
        ]
        return [*items, *Group(rows), note(ctx.tr("location_note"))]


class LocationServices(Page):
    """Scanning, accuracy, emergencies."""

    name = "location_services"
    activity = ".Settings$LocationServicesActivity"
    title = "location_services"
    parent = "location"
    keywords = "scanning_words"
    actions = ("android.settings.LOCATION_SCANNING_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """A switch each."""
        rows = [
            setting_switch(ctx, title, namespace, key, summary=ctx.tr(f"{title}_summary"), default=default)
            for title, namespace, key, default in (
                ("emergency_location", "global", "enable_gnss_emergency_location", "1"),
                ("location_accuracy", "global", "assisted_gps_enabled", "1"),
                ("wifi_scanning", "global", "wifi_scan_always_enabled", "0"),
                ("bluetooth_scanning", "global", "ble_scan_always_enabled", "0"),
            )
        ]
        return Group(rows)


SCREENS = (Location, LocationServices)
