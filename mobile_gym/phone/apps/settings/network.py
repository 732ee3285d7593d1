"""Network and internet: SIM, data usage, hotspot, airplane mode."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import (
    main_switch,
    note,
    setting_choice,
    setting_switch,
    text_dialog,
    two_target_row,
)
from mobile_gym.phone.apps.settings.usage import data_usage
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Group, Icon, IconButton, ListRow, SectionTitle, SwitchRow, Text

NETWORK_KINDS = (("33", "network_5g"), ("9", "network_4g"), ("0", "network_3g"))
DATA_LIMITS = (("5", "gb_5"), ("10", "gb_10"), ("20", "gb_20"), ("50", "gb_50"))
MONTHLY_MB = 6574


def airplane(ctx: Context) -> bool:
    """Whether airplane mode is on."""
    return bool(ctx.settings.get_int("global", "airplane_mode_on"))


class Network(Page):
    """The page that leads to all that connects the phone."""

    name = "network"
    activity = ".Settings$NetworkDashboardActivity"
    title = "network"
    icon, disc = "wifi", "Blue"
    keywords = "network_words"
    entries = {"airplane_mode": "airplane_words"}
    actions = ("android.settings.WIRELESS_SETTINGS", "android.settings.AIRPLANE_MODE_SETTINGS")

    def rows(self, ctx: Context) -> list[Node]:
        """Wi-Fi, SIM, airplane mode, hotspot, data usage."""
        wifi_on = bool(ctx.settings.get_int("global", "wifi_on"))
        ssid = ctx.settings.get("global", "wifi_connected") or ctx.tr("not_connected")
        first = [
            two_target_row(
                ctx.tr("wifi"),
                ssid if wifi_on else ctx.tr("off"),
                ctx.open("wifi"),
                wifi_on,
                lambda turned: ctx.put_setting("global", "wifi_on", turned),
                id="wifi",
                leading=Icon("wifi", 24.0),
            ),
            ListRow(
                ctx.tr("sim"),
                ctx.tr("airplane_blocks") if airplane(ctx) else ctx.tr("carrier"),
                icon="sim",
                on_tap=ctx.open("sim"),
                id="sim",
            ),
            SwitchRow(
                ctx.tr("airplane_mode"),
                airplane(ctx),
                lambda turned: ctx.put_setting("global", "airplane_mode_on", turned),
                icon="airplane",
                id="airplane_mode",
            ),
        ]
        second = [
            ListRow(
                ctx.tr("hotspot"),
                ctx.tr("on" if ctx.settings.get_int("global", "wifi_ap_on") else "off"),
                icon="access-point",
                on_tap=ctx.open("hotspot"),
                id="hotspot",
            ),
            ListRow(
                ctx.tr("data_usage"),
                ctx.tr("data_used", amount=gigabytes(MONTHLY_MB)),
                icon="chart-donut",
                on_tap=ctx.open("data_usage"),
                id="data_usage",
            ),
        ]
        return [*Group(first), *Group(second)]


class Sim(Page):
    """The SIM card and mobile data."""

    name = "sim"
    activity = ".Settings$MobileNetworkActivity"
    title = "sim"
    parent = "network"
    keywords = "sim_words"
    entries = {"mobile_data": "mobile_data_words", "roaming": "", "preferred_network": "preferred_network_words"}
    actions = ("android.settings.NETWORK_OPERATOR_SETTINGS", "android.settings.DATA_ROAMING_SETTINGS")

    def rows(self, ctx: Context) -> list[Node]:
        """Mobile data, roaming, kind of network; none of it works in airplane mode."""
        blocked = airplane(ctx)
        why = ctx.tr("airplane_blocks") if blocked else ""
        number = ctx.settings.get("global", "line1_number") or ""
        card = [
            ListRow(ctx.tr("carrier"), ctx.tr("sim_slot"), icon="sim", id="carrier"),
            ListRow(ctx.tr("phone_number"), number, icon="phone", id="phone_number"),
        ]
        data = [
            setting_switch(
                ctx,
                "mobile_data",
                "global",
                "mobile_data",
                summary=why or ctx.tr("mobile_data_summary"),
                enabled=not blocked,
            ),
            setting_switch(
                ctx, "roaming", "global", "data_roaming", summary=why or ctx.tr("roaming_summary"), enabled=not blocked
            ),
            ListRow(
                ctx.tr("data_usage"),
                ctx.tr("data_used", amount=gigabytes(MONTHLY_MB)),
                on_tap=ctx.open("data_usage"),
                id="data_usage",
            ),
        ]
        more = [
            setting_choice(
                ctx, "preferred_network", "global", "preferred_network_mode", NETWORK_KINDS, "33", enabled=not blocked
            ),
            setting_switch(ctx, "volte", "global", "volte_vt_enabled", summary=ctx.tr("volte_summary"), default="1"),
        ]
        return [*Group(card), *Group(data), *Group(more)]


def gigabytes(megabytes: float) -> str:
    """An amount of data: `6.42 GB`, `380 MB`."""
    return f"{megabytes / 1024:.2f} GB" if megabytes >= 1024 else f"{megabytes:.0f} MB"


class DataUsage(Page):
    """How much mobile data went this month, by app."""

    name = "data_usage"
    activity = ".Settings$DataUsageSummaryActivity"
    title = "data_usage"
    parent = "network"
    keywords = "data_usage_words"
    entries = {"data_saver": "data_saver_words", "data_warning": ""}
    actions = ("android.settings.DATA_USAGE_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The sum, a bar against the warning, the saver, then the apps."""
        limit = int(ctx.settings.get("global", "data_warning_gb") or "10")
        share = min(MONTHLY_MB / 1024 / limit, 1.0)
        head = Node(
            "col",
            (
                Text(gigabytes(MONTHLY_MB), "headlineLarge", id="data_usage_sum"),
                Text(ctx.tr("data_this_month", carrier=ctx.tr("carrier")), "bodyMedium", "onSurfaceVariant"),
                progress_bar(share),
                Text(ctx.tr("data_limit_is", limit=limit), "bodyMedium", "onSurfaceVariant", id="data_limits"),
            ),
            gap=8.0,
            width=FILL,
            pad=(20.0, 20.0, 20.0, 20.0),
        )
        switches = [
            setting_switch(ctx, "data_saver", "global", "data_saver", summary=ctx.tr("data_saver_summary")),
            setting_choice(ctx, "data_warning", "global", "data_warning_gb", DATA_LIMITS, "10"),
        ]
        apps = [
            ListRow(use.label, gigabytes(use.amount), leading=use.disc(40.0), id="app_data_usage")
            for use in data_usage(ctx, MONTHLY_MB)
        ]
        return [*Group([head]), *Group(switches), SectionTitle(ctx.tr("app_data_usage")), *Group(apps)]


def progress_bar(share: float) -> Node:
    """A bar that is filled from 0 to 1."""
    share = min(max(share, 0.01), 1.0)
    done = Node("space", weight=share, height=8.0, bg="primary", radius=4.0, hidden_from_tree=True)
    rest = Node("space", weight=1 - share, height=8.0, bg="secondaryContainer", radius=4.0, hidden_from_tree=True)
    parts = (done, rest) if share < 1.0 else (done,)
    return Node("row", parts, gap=2.0, width=FILL, height=8.0, cls="android.widget.ProgressBar", id="progress")


class Hotspot(Page):
    """The phone as a Wi-Fi access point for others."""

    name = "hotspot"
    activity = ".Settings$TetherSettingsActivity"
    title = "hotspot"
    parent = "network"
    keywords = "hotspot_words"
    entries = {"hotspot_name": "hotspot_words", "hotspot_password": "hotspot_words"}
    actions = ("android.settings.TETHER_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch, name, security and password."""
        on = bool(ctx.settings.get_int("global", "wifi_ap_on"))
        secured = (ctx.settings.get("global", "wifi_ap_security") or "wpa2") != "open"
        password = ctx.settings.get("global", "wifi_ap_passphrase") or ""
        name = ctx.settings.get("global", "wifi_ap_ssid") or ""
        shown = bool(ctx.ui.get("show_password"))
        settings = [
            ListRow(ctx.tr("hotspot_name"), name, on_tap=self._edit(ctx, "hotspot_name", name), id="hotspot_name"),
            setting_choice(
                ctx,
                "security_kind",
                "global",
                "wifi_ap_security",
                (("wpa3", "security_wpa3"), ("wpa2", "security_wpa2"), ("open", "security_open")),
                "wpa2",
                id="hotspot_security",
            ),
        ]
        if secured:
            settings.append(
                ListRow(
                    ctx.tr("hotspot_password"),
                    password if shown else "\u2022" * len(password),
                    on_tap=self._edit(ctx, "hotspot_password", password),
                    trailing=self._eye(ctx, shown),
                    id="hotspot_password",
                )
            )
        more = [
            setting_switch(
                ctx,
                "hotspot_auto_off",
                "global",
                "soft_ap_timeout_enabled",
                summary=ctx.tr("hotspot_auto_off_summary"),
                default="1",
            )
        ]
        return [
            *main_switch(ctx.tr("use_hotspot"), on, lambda turned: ctx.put_setting("global", "wifi_ap_on", turned)),
            *Group(settings),
            *Group(more),
            note(ctx.tr("hotspot_note")),
        ]

    def _eye(self, ctx: Context, shown: bool) -> Node:
        return IconButton(
            "eye-off-outline" if shown else "eye-outline",
            ctx.toggle_ui("show_password"),
            ctx.tr("hide_password" if shown else "show_password"),
            id="show_password",
        )

    def _edit(self, ctx: Context, what: str, start: str) -> Handler:
        def handle() -> None:
            ctx.set_field(what, start)
            ctx.ui.pop("wrong", None)
            ctx.open_overlay("edit", what=what)
            ctx.focus(what)

        return handle

    def overlay_edit(self, ctx: Context, what: str) -> Node:
        """The dialog that changes the name or the password."""

        def save(text: str) -> str:
            if what == "hotspot_password" and len(text) < 8:
                return ctx.tr("password_short")
            ctx.put_setting("global", "wifi_ap_passphrase" if what == "hotspot_password" else "wifi_ap_ssid", text)
            return ""

        return text_dialog(ctx, ctx.tr(what), what, ctx.tr(what), save, max_length=63 if "password" in what else 32)


SCREENS = (Network, Sim, DataUsage, Hotspot)
