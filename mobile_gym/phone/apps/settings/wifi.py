"""Wi-Fi: networks in reach, their passwords, saved networks, a network added by hand."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.settings import connections
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_dialog, entity_header, main_switch, note
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Checkbox,
    Dialog,
    EmptyState,
    Group,
    Icon,
    IconButton,
    ListRow,
    SectionTitle,
    SwitchRow,
    Text,
    TextField,
)

NetworkRow = dict[str, Any]
SHORTEST_PASSWORD = 8


def signal_icon(network: NetworkRow) -> str:
    """The fan of a network: how strong it is, and whether it asks for a password."""
    signal = int(network["signal"])
    if not signal:
        return "wifi-strength-off-outline"
    return f"wifi-strength-{signal}" + ("" if network["security"] == "open" else "-lock")


def show_password(ctx: Context) -> Node:
    """The box that shows a password while it is typed."""
    shown = bool(ctx.ui.get("show_password"))
    return Node(
        "row",
        (Checkbox(shown, id="show_password"), Text(ctx.tr("show_password"), "bodyLarge", weight=1.0)),
        gap=16.0,
        width=FILL,
        min_height=48.0,
        on_tap=ctx.toggle_ui("show_password"),
        id="show_password_layout",
    )


class Wifi(Page):
    """The switch, networks in reach, and the way to saved ones."""

    name = "wifi"
    activity = ".Settings$WifiSettingsActivity"
    title = "wifi"
    parent = "network"
    keywords = "wifi_words"
    entries = {"add_network": ""}
    actions = ("android.settings.WIFI_SETTINGS",)

    def summary(self, ctx: Context) -> str:
        """The network that the phone is connected to."""
        if not ctx.settings.get_int("global", "wifi_on"):
            return ctx.tr("off")
        return ctx.settings.get("global", "wifi_connected") or ctx.tr("not_connected")

    def rows(self, ctx: Context) -> list[Node]:
        """Switch; the network in use; the others, saved and strong ones first."""
        on = bool(ctx.settings.get_int("global", "wifi_on"))
        items = main_switch(ctx.tr("use_wifi"), on, lambda turned: ctx.put_setting("global", "wifi_on", turned))
        saved = ListRow(
            ctx.tr("saved_networks"), self._saved_count(ctx), on_tap=ctx.open("wifi_saved"), id="saved_networks"
        )
        if not on:
            return [
                *items,
                EmptyState("wifi-off", ctx.tr("wifi_off_text")),
                Node("space", height=24.0),
                *Group([saved]),
            ]
        found = ctx.db.rows(
            "SELECT * FROM wifi_networks WHERE signal > 0 ORDER BY connected DESC, saved DESC, signal DESC, _id"
        )
        connected = [self._row(ctx, row) for row in found if row["connected"]]
        others = [self._row(ctx, row) for row in found if not row["connected"]]
        others.append(ListRow(ctx.tr("add_network"), icon="plus", on_tap=ctx.open("wifi_add"), id="add_network"))
        if connected:
            items += [SectionTitle(ctx.tr("connected_network")), *Group(connected)]
        return [*items, SectionTitle(ctx.tr("available_networks")), *Group(others), *Group([saved])]

    def _saved_count(self, ctx: Context) -> str:
        return ctx.tr("networks_count", count=ctx.db.value("SELECT count(*) FROM wifi_networks WHERE saved = 1"))

    def _row(self, ctx: Context, network: NetworkRow) -> Node:
        key = int(network["_id"])
        details = ctx.open("wifi_details", id=key)
        if network["connected"]:
            state, action = ctx.tr("connected"), details
        elif network["saved"]:
            state, action = ctx.tr("saved"), self._connect(ctx, key)
        elif network["security"] == "open":
            state, action = ctx.tr("open_network"), self._connect(ctx, key)
        else:
            state, action = "", self._ask(ctx, key)
        trailing = None
        if network["saved"]:
            trailing = IconButton(
                "cog-outline", details, ctx.tr("network_details", name=network["ssid"]), id="settings_button"
            )
        return ListRow(
            network["ssid"],
            state,
            icon=signal_icon(network),
            trailing=trailing,
            on_tap=action,
            on_long_press=details if network["saved"] else None,
            min_height=72.0,
            id="wifi_network",
        )

    def _connect(self, ctx: Context, key: int) -> Handler:
        return lambda: connections.connect_wifi(ctx.phone, key)

    def _ask(self, ctx: Context, key: int) -> Handler:
        def handle() -> None:
            ctx.set_field("password", "")
            ctx.ui.pop("wrong", None)
            ctx.ui.pop("show_password", None)
            ctx.open_overlay("password", id=key)
            ctx.focus("password")

        return handle

    def overlay_password(self, ctx: Context, id: int) -> Node:
        """The dialog that asks for a network's password; it stays when the password is wrong."""
        network = ctx.db.row("SELECT * FROM wifi_networks WHERE _id = ?", id)
        assert network is not None
        typed = ctx.field("password")

        def forget_error(text: str) -> None:
            ctx.ui.pop("wrong", None)

        def cancel() -> None:
            ctx.focus(None)
            ctx.dismiss()

        def connect() -> None:
            if len(typed) < SHORTEST_PASSWORD:
                ctx.ui["wrong"] = "password_short"
            elif typed != network["password"]:
                ctx.ui["wrong"] = "password_wrong"
            else:
                cancel()
                connections.connect_wifi(ctx.phone, id)

        wrong = ctx.ui.get("wrong")
        field = TextField(
            ctx,
            "password",
            ctx.tr("password"),
            error=ctx.tr(wrong) if wrong else "",
            password=not ctx.ui.get("show_password"),
            input_type="password",
            action="go",
            on_change=forget_error,
            on_submit=connect,
            max_length=63,
        )
        body = Node("col", (field, show_password(ctx)), gap=4.0, width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        return Dialog(ctx, network["ssid"], body, actions=[(ctx.tr("cancel"), cancel), (ctx.tr("connect"), connect)])


class WifiDetails(Page):
    """One saved network: connect, forget, share, facts."""

    name = "wifi_details"
    activity = ".wifi.details.WifiNetworkDetailsActivity"
    title = "network_details_title"
    parent = "wifi"
    searchable = False

    def _network(self, ctx: Context) -> NetworkRow | None:
        if "id" in ctx.args:
            return ctx.db.row("SELECT * FROM wifi_networks WHERE _id = ?", int(ctx.args["id"]))
        return ctx.db.row("SELECT * FROM wifi_networks WHERE connected = 1")

    def rows(self, ctx: Context) -> list[Node]:
        """Name, buttons, switches, facts."""
        network = self._network(ctx)
        if network is None:
            return [note(ctx.tr("network_gone"))]
        key = int(network["_id"])
        connected = bool(network["connected"])
        in_reach = bool(network["signal"]) and bool(ctx.settings.get_int("global", "wifi_on"))
        state = "connected" if connected else "saved" if in_reach else "out_of_reach"
        head = entity_header(signal_icon(network), network["ssid"], ctx.tr(state))

        def forget() -> None:
            ctx.finish()
            connections.forget_wifi(ctx.phone, key)

        def turn() -> None:
            if connected:
                connections.disconnect_wifi(ctx.phone, key)
            else:
                connections.connect_wifi(ctx.phone, key)

        buttons = [
            Button(ctx.tr("forget"), forget, icon="delete-outline", tone="tonal", id="button1", weight=1.0),
            Button(
                ctx.tr("disconnect" if connected else "connect"),
                turn if connected or in_reach else None,
                icon="wifi-off" if connected else "wifi",
                tone="tonal",
                id="button2",
                enabled=connected or in_reach,
                weight=1.0,
            ),
        ]
        bar = Node("row", buttons, gap=8.0, width=FILL, pad=(16.0, 0.0, 16.0, 16.0))
        flags = [
            self._flag(ctx, key, "auto_join", "auto_connect", "auto_connect_summary", bool(network["auto_join"])),
            self._flag(ctx, key, "metered", "metered", "metered_summary", bool(network["metered"])),
            ListRow(
                ctx.tr("share_network"),
                ctx.tr("share_network_summary"),
                icon="qrcode",
                on_tap=ctx.show("share", id=key),
                id="share",
            ),
        ]
        facts = [
            ListRow(ctx.tr("signal_strength"), ctx.tr(f"signal_{network['signal']}"), id="signal_strength"),
            ListRow(ctx.tr("security_kind"), ctx.tr(f"security_{network['security']}"), id="security"),
        ]
        if connected:
            facts.append(ListRow(ctx.tr("ip_address"), "192.168.1.24", id="ip_address"))
        return [head, bar, *Group(flags), *Group(facts)]

    def _flag(self, ctx: Context, key: int, column: str, title: str, summary: str, on: bool) -> Node:
        return SwitchRow(
            ctx.tr(title),
            on,
            lambda turned: connections.set_wifi(ctx.phone, key, **{column: int(turned)}),
            ctx.tr(summary),
            id=title,
        )

    def overlay_share(self, ctx: Context, id: int) -> Node:
        """The network as a code that another phone scans, with the password under it."""
        network = ctx.db.row("SELECT * FROM wifi_networks WHERE _id = ?", id)
        assert network is not None
        kind = "nopass" if network["security"] == "open" else "WPA"
        code = f"WIFI:S:{network['ssid']};T:{kind};P:{network['password']};;"
        picture = Node(
            "picture", source=f"qr/{code}", width=220.0, height=220.0, id="qrcode_view", desc=ctx.tr("share_network")
        )
        texts = [Text(network["ssid"], "titleMedium")]
        if network["password"]:
            texts.append(
                Text(
                    ctx.tr("wifi_password_is", password=network["password"]),
                    "bodyMedium",
                    "onSurfaceVariant",
                    text_align="center",
                    id="password",
                )
            )
        body = Node("col", (picture, *texts), gap=8.0, width=FILL, align="center", pad=(24.0, 0.0, 24.0, 0.0))
        return Dialog(ctx, ctx.tr("share_network"), body, actions=[(ctx.tr("done"), ctx.dismiss)])


class SavedNetworks(Page):
    """All networks whose password the phone knows, in reach or not."""

    name = "wifi_saved"
    activity = ".Settings$SavedAccessPointsSettingsActivity"
    title = "saved_networks"
    parent = "wifi"

    def rows(self, ctx: Context) -> list[Node]:
        """One row a network."""
        found = ctx.db.rows("SELECT * FROM wifi_networks WHERE saved = 1 ORDER BY connected DESC, signal DESC, _id")
        if not found:
            return [EmptyState("wifi-cog", ctx.tr("no_saved_networks"))]
        return Group([self._row(ctx, row) for row in found])

    def _row(self, ctx: Context, row: NetworkRow) -> Node:
        state = "connected" if row["connected"] else "saved" if row["signal"] else "out_of_reach"
        return ListRow(
            row["ssid"],
            ctx.tr(state),
            icon=signal_icon(row),
            trailing=Icon("chevron-right", 24.0),
            on_tap=ctx.open("wifi_details", id=int(row["_id"])),
            id="wifi_network",
        )


class AddNetwork(Page):
    """A network that doesn't show its name: name, security, password."""

    name = "wifi_add"
    activity = ".wifi.AddNetworkActivity"
    title = "add_network"
    parent = "wifi"
    searchable = False

    def on_open(self, ctx: Context) -> None:
        """The name has the focus."""
        ctx.ui["security"] = "wpa2"
        ctx.focus("ssid")

    def rows(self, ctx: Context) -> list[Node]:
        """Name, security, password, and the button that saves."""
        security = str(ctx.ui.get("security", "wpa2"))
        wrong = ctx.ui.get("wrong")
        name = TextField(ctx, "ssid", ctx.tr("network_name"), action="next", max_length=32)
        parts = [
            Node("box", (name,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0)),
            *Group(
                [
                    ListRow(
                        ctx.tr("security_kind"),
                        ctx.tr(f"security_{security}"),
                        trailing=Icon("chevron-down", 24.0),
                        on_tap=ctx.show("security"),
                        id="security",
                    )
                ]
            ),
        ]
        if security != "open":
            field = TextField(
                ctx,
                "password",
                ctx.tr("password"),
                error=ctx.tr(wrong) if wrong else "",
                password=not ctx.ui.get("show_password"),
                input_type="password",
                on_submit=lambda: self._save(ctx),
                max_length=63,
            )
            parts.append(Node("col", (field, show_password(ctx)), gap=4.0, width=FILL, pad=(16.0, 0.0, 16.0, 8.0)))
        ready = bool(ctx.field("ssid").strip())
        button = Button(
            ctx.tr("save"), (lambda: self._save(ctx)) if ready else None, enabled=ready, id="save", width=FILL
        )
        parts.append(Node("box", (button,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0)))
        return parts

    def overlay_security(self, ctx: Context) -> Node:
        """How the network is secured."""
        choices = [(kind, ctx.tr(f"security_{kind}")) for kind in ("open", "wpa2", "wpa3")]

        def choose(kind: str) -> None:
            ctx.ui["security"] = kind

        return choice_dialog(ctx, ctx.tr("security_kind"), choices, str(ctx.ui.get("security", "wpa2")), choose)

    def _save(self, ctx: Context) -> None:
        security = str(ctx.ui.get("security", "wpa2"))
        ssid, password = ctx.field("ssid").strip(), ctx.field("password") if security != "open" else ""
        known = ctx.db.row("SELECT * FROM wifi_networks WHERE ssid = ?", ssid)
        if security != "open" and len(password) < SHORTEST_PASSWORD:
            ctx.ui["wrong"] = "password_short"
            return
        if known is not None and known["signal"] and known["password"] != password:
            ctx.ui["wrong"] = "password_wrong"
            return
        connections.add_wifi(ctx.phone, ssid, security, password)
        ctx.finish()


SCREENS = (Wifi, WifiDetails, SavedNetworks, AddNetwork)
