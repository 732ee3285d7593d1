"""Connected devices: Bluetooth, paired devices, pairing."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.settings import connections
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import entity_header, main_switch, note, text_dialog, two_target_row
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Dialog,
    EmptyState,
    Group,
    Icon,
    IconButton,
    ListRow,
    SectionTitle,
    SwitchRow,
    Text,
)

DeviceRow = dict[str, Any]
ICONS = {
    "hearing_aid": "ear-hearing",
    "headset": "headphones",
    "speaker": "speaker",
    "watch": "watch",
    "car": "car",
    "computer": "laptop",
    "keyboard": "keyboard",
    "phone": "cellphone",
    "tv": "television",
    "other": "bluetooth",
}


def bluetooth_on(ctx: Context) -> bool:
    """Whether Bluetooth is on."""
    return bool(ctx.settings.get_int("global", "bluetooth_on"))


def switch_bluetooth(ctx: Context, on: bool) -> None:
    """Turns Bluetooth on or off."""
    ctx.put_setting("global", "bluetooth_on", on)


def device_state(ctx: Context, device: DeviceRow) -> str:
    """Second line of a device: connected, with its battery, or not."""
    if not device["connected"]:
        return ctx.tr("saved_device")
    if device["battery"] is None:
        return ctx.tr("connected")
    return ctx.tr("connected_battery", level=device["battery"])


def paired_row(ctx: Context, device: DeviceRow) -> Node:
    """A paired device: a tap connects it or drops the link, the gear opens its page."""
    key = int(device["_id"])
    details = ctx.open("bluetooth_device", id=key)

    def turn() -> None:
        if device["connected"]:
            ctx.go("bluetooth_device", id=key)
        elif device["in_reach"]:
            connections.set_bluetooth(ctx.phone, key, connected=1)
        else:
            ctx.toast(ctx.tr("cannot_connect", name=device["name"]))

    return ListRow(
        device["name"],
        device_state(ctx, device),
        icon=ICONS[device["kind"]],
        trailing=IconButton(
            "cog-outline", details, ctx.tr("device_details", name=device["name"]), id="settings_button"
        ),
        on_tap=turn,
        on_long_press=details,
        id="bluetooth_device",
    )


def paired(ctx: Context, connected: int) -> list[DeviceRow]:
    """Paired devices that are connected, or that are not."""
    return ctx.db.rows("SELECT * FROM bluetooth_devices WHERE paired = 1 AND connected = ? ORDER BY _id", connected)


class ConnectedDevices(Page):
    """Devices in use, saved devices, pairing, and the way to Bluetooth's own page."""

    name = "connected_devices"
    activity = ".Settings$ConnectedDeviceDashboardActivity"
    title = "connected_devices"
    icon, disc = "devices", "Blue"
    keywords = "connected_devices_words"

    def rows(self, ctx: Context) -> list[Node]:
        """Bluetooth, connected devices, pairing, the others."""
        on = bluetooth_on(ctx)
        switch = two_target_row(
            ctx.tr("bluetooth"),
            ctx.tr("on" if on else "off"),
            ctx.open("bluetooth"),
            on,
            lambda turned: switch_bluetooth(ctx, turned),
            id="bluetooth",
            leading=Icon("bluetooth", 24.0),
        )
        items = Group([switch])
        if not on:
            return [*items, note(ctx.tr("bluetooth_off_note"))]
        used = [paired_row(ctx, device) for device in paired(ctx, 1)]
        if used:
            items += [SectionTitle(ctx.tr("devices_in_use")), *Group(used)]
        others = [paired_row(ctx, device) for device in paired(ctx, 0)]
        items += Group([pair_row(ctx)])
        if others:
            items += [SectionTitle(ctx.tr("saved_devices")), *Group(others)]
        return [*items, note(ctx.tr("bluetooth_visible", name=own_name(ctx)))]


def own_name(ctx: Context) -> str:
    """The name by which other devices see the phone."""
    return ctx.settings.get("global", "device_name") or ctx.phone.profile.model


def pair_row(ctx: Context) -> Node:
    """The row that leads to pairing."""
    return ListRow(
        ctx.tr("pair_new"),
        ctx.tr("pair_new_summary"),
        icon="plus",
        on_tap=ctx.open("bluetooth_pair"),
        id="add_bt_devices",
    )


class Bluetooth(Page):
    """Bluetooth's switch, the phone's own name, paired devices."""

    name = "bluetooth"
    activity = ".Settings$BluetoothSettingsActivity"
    title = "bluetooth"
    parent = "connected_devices"
    keywords = "bluetooth_words"
    entries = {"own_device_name": ""}
    actions = ("android.settings.BLUETOOTH_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch; while it is on the rest."""
        items = main_switch(ctx.tr("use_bluetooth"), bluetooth_on(ctx), lambda turned: switch_bluetooth(ctx, turned))
        if not bluetooth_on(ctx):
            return [*items, note(ctx.tr("bluetooth_off_note"))]

        def rename() -> None:
            ctx.set_field("device_name", own_name(ctx))
            ctx.open_overlay("rename")
            ctx.focus("device_name")

        items += Group(
            [
                ListRow(ctx.tr("own_device_name"), own_name(ctx), on_tap=rename, id="bluetooth_device_name"),
                pair_row(ctx),
            ]
        )
        known = [paired_row(ctx, device) for device in (*paired(ctx, 1), *paired(ctx, 0))]
        if known:
            items += [SectionTitle(ctx.tr("paired_devices")), *Group(known)]
        return [*items, note(ctx.tr("bluetooth_visible", name=own_name(ctx)))]

    def overlay_rename(self, ctx: Context) -> Node:
        """The dialog that renames the phone."""

        def save(text: str) -> str:
            ctx.put_setting("global", "device_name", text)
            return ""

        return text_dialog(ctx, ctx.tr("own_device_name"), "device_name", ctx.tr("own_device_name"), save)


class PairNew(Page):
    """Devices in reach that are not paired."""

    name = "bluetooth_pair"
    activity = ".Settings$BluetoothPairingActivity"
    title = "pair_new"
    parent = "connected_devices"
    keywords = "pair_words"
    actions = ("android.settings.BLUETOOTH_PAIRING_SETTINGS",)

    def on_open(self, ctx: Context) -> None:
        """Pairing turns Bluetooth on, as on Android."""
        if not bluetooth_on(ctx):
            switch_bluetooth(ctx, True)

    def rows(self, ctx: Context) -> list[Node]:
        """The phone's own name and what is in reach."""
        found = ctx.db.rows("SELECT * FROM bluetooth_devices WHERE paired = 0 AND in_reach = 1 ORDER BY _id")
        items = [
            *Group([ListRow(ctx.tr("own_device_name"), own_name(ctx), icon="cellphone", id="bluetooth_device_name")]),
            SectionTitle(ctx.tr("available_devices")),
        ]
        if not found:
            return [*items, EmptyState("bluetooth", ctx.tr("no_devices"))]
        rows = [
            ListRow(
                device["name"],
                icon=ICONS[device["kind"]],
                on_tap=ctx.show("pair", id=int(device["_id"])),
                min_height=72.0,
                id="bluetooth_device",
            )
            for device in found
        ]
        return [*items, *Group(rows), note(ctx.tr("pair_note"))]

    def overlay_pair(self, ctx: Context, id: int) -> Node:
        """The code that both sides show; pairing connects the device."""
        device = ctx.db.row("SELECT * FROM bluetooth_devices WHERE _id = ?", id)
        assert device is not None
        # Devices that a provider brought without a code show one that follows from their row.
        code = device["code"] or f"{100000 + id * 7919 % 900000}"

        def confirm() -> None:
            ctx.dismiss()
            ctx.finish()
            connections.pair(ctx.phone, id)

        body = Node(
            "col",
            (
                Text(ctx.tr("pairing_code"), "bodyMedium", "onSurfaceVariant", id="pairing_caption"),
                Text(code, "headlineMedium", "onSurface", id="pairing_subhead"),
                Text(ctx.tr("pairing_text"), "bodyMedium", "onSurfaceVariant", id="message"),
            ),
            gap=8.0,
            width=FILL,
            pad=(24.0, 0.0, 24.0, 0.0),
        )
        actions = [(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("pair"), confirm)]
        return Dialog(ctx, ctx.tr("pair_with", name=device["name"]), body, actions=actions)


class BluetoothDevice(Page):
    """One paired device: connect, rename, unpair, what it is used for."""

    name = "bluetooth_device"
    activity = ".bluetooth.BluetoothDeviceDetailsActivity"
    title = "device_details_title"
    parent = "connected_devices"
    searchable = False

    def _device(self, ctx: Context) -> DeviceRow | None:
        if "id" in ctx.args:
            return ctx.db.row("SELECT * FROM bluetooth_devices WHERE _id = ?", int(ctx.args["id"]))
        return ctx.db.row("SELECT * FROM bluetooth_devices WHERE paired = 1 ORDER BY connected DESC, _id")

    def bar_actions(self, ctx: Context) -> list[Node]:
        """The pencil that renames."""
        device = self._device(ctx)
        if device is None:
            return []
        return [IconButton("pencil-outline", self._rename(ctx, device), ctx.tr("rename"), id="edit_device_name")]

    def _rename(self, ctx: Context, device: DeviceRow) -> Handler:
        def handle() -> None:
            ctx.set_field("name", device["name"])
            ctx.open_overlay("rename", id=int(device["_id"]))
            ctx.focus("name")

        return handle

    def rows(self, ctx: Context) -> list[Node]:
        """Name and state, buttons, uses, address."""
        device = self._device(ctx)
        if device is None or not device["paired"]:
            return [note(ctx.tr("device_gone"))]
        key = int(device["_id"])
        connected = bool(device["connected"])
        can = bluetooth_on(ctx) and (connected or bool(device["in_reach"]))
        head = entity_header(ICONS[device["kind"]], device["name"], device_state(ctx, device))

        def turn() -> None:
            connections.set_bluetooth(ctx.phone, key, connected=int(not connected))

        buttons = (
            Button(
                ctx.tr("unpair"),
                ctx.show("unpair", id=key),
                icon="delete-outline",
                tone="tonal",
                id="button1",
                weight=1.0,
            ),
            Button(
                ctx.tr("disconnect" if connected else "connect"),
                turn if can else None,
                icon="close" if connected else "plus",
                tone="tonal",
                id="button2",
                enabled=can,
                weight=1.0,
            ),
        )
        bar = Node("row", buttons, gap=8.0, width=FILL, pad=(16.0, 0.0, 16.0, 16.0))
        uses = [
            SwitchRow(
                ctx.tr(f"use_{column}"),
                bool(device[column]),
                self._setter(ctx, key, column),
                enabled=connected,
                id=f"use_{column}",
            )
            for column in ("calls", "media")
        ]
        facts = [
            ListRow(ctx.tr("device_name"), device["name"], on_tap=self._rename(ctx, device), id="device_name"),
            ListRow(ctx.tr("device_address"), device["address"], id="device_address"),
        ]
        return [head, bar, *Group(uses), *Group(facts)]

    def _setter(self, ctx: Context, key: int, column: str) -> Any:
        return lambda turned: connections.set_bluetooth(ctx.phone, key, **{column: int(turned)})

    def overlay_rename(self, ctx: Context, id: int) -> Node:
        """The dialog that renames the device."""

        def save(text: str) -> str:
            connections.set_bluetooth(ctx.phone, id, name=text)
            return ""

        return text_dialog(ctx, ctx.tr("rename_device"), "name", ctx.tr("device_name"), save, action=ctx.tr("rename"))

    def overlay_unpair(self, ctx: Context, id: int) -> Node:
        """Asks before the pairing goes."""
        name = str(ctx.db.value("SELECT name FROM bluetooth_devices WHERE _id = ?", id))

        def unpair() -> None:
            ctx.dismiss()
            ctx.finish()
            connections.set_bluetooth(ctx.phone, id, paired=0, connected=0)

        actions = [(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("unpair"), unpair)]
        return Dialog(ctx, ctx.tr("unpair_title", name=name), ctx.tr("unpair_text"), actions=actions)


SCREENS = (ConnectedDevices, Bluetooth, PairNew, BluetoothDevice)
