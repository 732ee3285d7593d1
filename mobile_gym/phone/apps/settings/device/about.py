"""About the phone: its name, numbers, model, versions."""

from __future__ import annotations

from collections.abc import Mapping

from mobile_gym.phone.apps.settings.device.developer import ENABLED, developer_enabled
from mobile_gym.phone.apps.settings.device.screen_lock import after_pin
from mobile_gym.phone.apps.settings.device.store import load_yaml
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import note, text_dialog
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Dialog, Group, ListRow, SectionTitle, Text

TAPS = 7
"""Taps on the build number that enable developer options."""
TOLD_FROM = 3
"""The tap from which on a toast counts down."""


def build_number(ctx: Context) -> str:
    """The build's id, from the fingerprint that `getprop` tells."""
    parts = ctx.phone.props["ro.build.fingerprint"].split("/")
    return f"{parts[3]}.{parts[4].partition(':')[0]}"


def uptime_text(ctx: Context) -> str:
    """How long the phone has been on: `1:05:09`."""
    seconds = ctx.phone.state.clock.uptime_ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


class About(Page):
    """What the phone is."""

    name = "about"
    activity = ".Settings$MyDeviceInfoActivity"
    title = "about"
    icon, disc = "cellphone-information", "Yellow"
    keywords = "about_words"
    entries = {
        "own_name": "own_name_words",
        "own_number": "own_number_words",
        "model": "model_words",
        "imei": "imei_words",
        "build_number": "build_number_words",
        "up_time": "",
    }
    actions = ("android.settings.DEVICE_INFO_SETTINGS", "android.settings.DEVICE_NAME")

    def summary(self, ctx: Context) -> str:
        """The phone's name."""
        return ctx.settings.get("global", "device_name") or ctx.phone.profile.model

    def rows(self, ctx: Context) -> list[Node]:
        """Basics, legal, device, network, build."""
        name = self.summary(ctx)
        facts = load_yaml("hardware.yaml")
        wifi_on = ctx.settings.get("global", "wifi_on") == "1" and ctx.settings.get("global", "wifi_connected")

        def rename() -> None:
            ctx.set_field("device_name_field", name)
            ctx.open_overlay("rename")
            ctx.focus("device_name_field")

        def plain(title: str, value: str) -> Node:
            return ListRow(ctx.tr(title), value, id=title)

        basics = [
            ListRow(ctx.tr("own_name"), name, on_tap=rename, id="device_name"),
            plain("own_number", ctx.settings.get("global", "line1_number") or ctx.tr("unknown")),
        ]
        legal = [
            ListRow(ctx.tr("legal"), ctx.tr("legal_summary"), on_tap=ctx.open("legal"), id="legal_container"),
            ListRow(
                ctx.tr("emergency_info"),
                ctx.tr("emergency_info_summary"),
                on_tap=ctx.open("emergency_info"),
                id="emergency_info",
            ),
        ]
        device = [
            plain("model", ctx.phone.profile.model),
            ListRow(ctx.tr("imei"), facts["imei"], on_tap=ctx.show("imei", imei=facts["imei"]), id="imei_info"),
            plain("android_version", ctx.phone.profile.release),
            plain("security_patch", ctx.tr("security_patch_date")),
            plain("battery_cycles", str(facts["battery_cycles"])),
        ]
        network = [
            plain("own_ip", facts["ip"] if wifi_on else ctx.tr("not_available")),
            plain("wifi_mac", facts["wifi_mac"]),
            plain("bluetooth_mac", facts["bluetooth_mac"]),
            plain("up_time", uptime_text(ctx)),
        ]
        build = ListRow(
            ctx.tr("build_number"), build_number(ctx), on_tap=lambda: self._tap_build(ctx), id="build_number"
        )
        return [
            SectionTitle(ctx.tr("basic_info")),
            *Group(basics),
            SectionTitle(ctx.tr("legal_section")),
            *Group(legal),
            SectionTitle(ctx.tr("device_details_section")),
            *Group(device),
            SectionTitle(ctx.tr("device_identifiers")),
            *Group(network),
            *Group([build]),
        ]

    def _tap_build(self, ctx: Context) -> None:
        if developer_enabled(ctx):
            ctx.toast(ctx.tr("developer_already"))
            return
        taps = int(ctx.ui.get("taps", 0)) + 1
        ctx.ui["taps"] = taps
        if taps >= TAPS:
            ctx.ui["taps"] = 0
            after_pin(ctx, "developer", lambda: self._enable(ctx))
        elif taps >= TOLD_FROM:
            ctx.toast(ctx.tr("developer_steps", count=TAPS - taps))

    def _enable(self, ctx: Context) -> None:
        ctx.put_setting("global", ENABLED, True)
        ctx.toast(ctx.tr("developer_now"))

    def on_result(self, ctx: Context, result: Mapping[str, object]) -> None:
        """The PIN was right."""
        if result.get("confirmed") == "developer":
            self._enable(ctx)

    def overlay_rename(self, ctx: Context) -> Node:
        """The phone's name."""

        def save(text: str) -> str:
            ctx.put_setting("global", "device_name", text)
            return ""

        return text_dialog(ctx, ctx.tr("own_name"), "device_name_field", ctx.tr("own_name"), save)

    def overlay_imei(self, ctx: Context, imei: str) -> Node:
        """The number, larger."""
        return Dialog(ctx, ctx.tr("imei"), imei, actions=[(ctx.tr("ok"), ctx.dismiss)])


class Legal(Page):
    """Who made what is inside."""

    name = "legal"
    activity = ".Settings$LegalSettingsActivity"
    title = "legal"
    parent = "about"
    keywords = "legal_words"

    def rows(self, ctx: Context) -> list[Node]:
        """Parts with their licences."""
        rows = [
            ListRow(part["name"], part["license"], icon="file-document-outline", id="license")
            for part in load_yaml("hardware.yaml")["licenses"]
        ]
        text = Text(ctx.tr("legal_text"), "bodyMedium", "onSurfaceVariant", pad=(32.0, 0.0, 32.0, 16.0), width=FILL)
        return [text, *Group(rows), note(ctx.tr("legal_note"))]


SCREENS = (About, Legal)
