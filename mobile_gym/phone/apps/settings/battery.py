"""Battery: how full it is, what used it, Battery Saver."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.network import progress_bar
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import main_switch, note, setting_choice, setting_switch, two_target_row
from mobile_gym.phone.apps.settings.usage import battery_usage
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Group, ListRow, SectionTitle, Text

TRIGGERS = (
    ("0", "saver_never"),
    ("10", "saver_at_10"),
    ("20", "saver_at_20"),
    ("30", "saver_at_30"),
    ("50", "saver_at_50"),
)
MINUTES_A_PERCENT = 21.3
SAVER_FACTOR = 1.4


def level(ctx: Context) -> int:
    """How full the battery is, percent."""
    return int(ctx.phone.state.interface["battery"]["level"])


def remaining(ctx: Context) -> str:
    """How long the battery lasts, in words, or that it is charging."""
    if ctx.phone.state.interface["battery"]["charging"]:
        return ctx.tr("charging")
    minutes = level(ctx) * MINUTES_A_PERCENT
    if ctx.settings.get_int("global", "low_power"):
        minutes *= SAVER_FACTOR
    hours = round(minutes / 60)
    if hours < 24:
        return ctx.tr("lasts_hours", hours=max(hours, 1))
    return ctx.tr("lasts_days", days=hours // 24, hours=hours % 24)


class Battery(Page):
    """Level, saver, percentage, usage."""

    name = "battery"
    activity = ".Settings$PowerUsageSummaryActivity"
    title = "battery"
    icon, disc = "battery", "Green"
    keywords = "battery_words"
    entries = {"battery_percentage": "battery_percentage_words", "adaptive_battery": ""}
    actions = ("android.intent.action.POWER_USAGE_SUMMARY",)

    def summary(self, ctx: Context) -> str:
        """Level and how long it lasts."""
        return f"{level(ctx)}% - {remaining(ctx)}"

    def rows(self, ctx: Context) -> list[Node]:
        """The figure, then what can be done."""
        saver = bool(ctx.settings.get_int("global", "low_power"))
        head = Node(
            "col",
            (
                Text(f"{level(ctx)}%", "displaySmall", id="battery_percent"),
                Text(remaining(ctx), "bodyMedium", "onSurfaceVariant", id="summary"),
                progress_bar(level(ctx) / 100),
            ),
            gap=8.0,
            width=FILL,
            pad=(20.0, 20.0, 20.0, 24.0),
            id="battery_header",
        )
        rows = [
            ListRow(
                ctx.tr("battery_usage"),
                ctx.tr("battery_usage_summary"),
                on_tap=ctx.open("battery_usage"),
                id="battery_usage",
            ),
            two_target_row(
                ctx.tr("battery_saver"),
                ctx.tr("on" if saver else "off"),
                ctx.open("battery_saver"),
                saver,
                lambda turned: ctx.put_setting("global", "low_power", turned),
                id="battery_saver",
            ),
            setting_switch(
                ctx,
                "adaptive_battery",
                "global",
                "adaptive_battery_management_enabled",
                summary=ctx.tr("adaptive_battery_summary"),
                default="1",
            ),
            setting_switch(
                ctx,
                "battery_percentage",
                "system",
                "status_bar_show_battery_percent",
                summary=ctx.tr("battery_percentage_summary"),
                default="1",
            ),
        ]
        return [*Group([head]), *Group(rows)]


class BatteryUsage(Page):
    """What used the battery since it was full."""

    name = "battery_usage"
    activity = ".Settings$PowerUsageAdvancedActivity"
    title = "battery_usage"
    parent = "battery"
    keywords = "battery_usage_words"

    def rows(self, ctx: Context) -> list[Node]:
        """Screen and system, then apps; together what the battery lost."""
        used = 100 - level(ctx)
        screen = used * 0.38
        apps = [
            ListRow(
                use.label,
                leading=use.disc(40.0),
                trailing=self._percent(use.amount),
                min_height=72.0,
                id="app_battery_usage",
            )
            for use in battery_usage(ctx, used - screen)
        ]
        own = [ListRow(ctx.tr("screen"), icon="cellphone", trailing=self._percent(screen), id="system_battery_usage")]
        return [
            note(ctx.tr("used_since_full", percent=used)),
            SectionTitle(ctx.tr("usage_by_system")),
            *Group(own),
            SectionTitle(ctx.tr("usage_by_app")),
            *Group(apps),
        ]

    def _percent(self, amount: float) -> Node:
        text = f"{amount:.0f}%" if amount >= 1 else "< 1%"
        return Text(text, "bodyMedium", "onSurfaceVariant", id="percent")


class BatterySaver(Page):
    """Battery Saver: the switch and when it goes on by itself."""

    name = "battery_saver"
    activity = ".Settings$BatterySaverSettingsActivity"
    title = "battery_saver"
    parent = "battery"
    keywords = "battery_saver_words"
    entries = {"saver_schedule": "schedule_words"}
    actions = ("android.settings.BATTERY_SAVER_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Switch, schedule, what it does."""
        on = bool(ctx.settings.get_int("global", "low_power"))
        rows = [setting_choice(ctx, "saver_schedule", "global", "low_power_trigger_level", TRIGGERS, "0")]
        return [
            *main_switch(ctx.tr("use_saver"), on, lambda turned: ctx.put_setting("global", "low_power", turned)),
            *Group(rows),
            note(ctx.tr("saver_note")),
        ]


SCREENS = (Battery, BatteryUsage, BatterySaver)
