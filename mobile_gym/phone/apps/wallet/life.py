"""Services of daily life: bus code, parcels, medical insurance, coupons, points."""

from __future__ import annotations

from mobile_gym.phone.apps.wallet import parts, store
from mobile_gym.phone.apps.wallet.qr import blue_page
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Column,
    Dialog,
    EmptyState,
    Icon,
    IconButton,
    LazyList,
    Row,
    SwitchRow,
    Tabs,
    Text,
    TextField,
)

_STATUS = {
    "moving": ("truck-fast", "inkBlue"),
    "waiting": ("package-variant-closed", "inkOrange"),
    "signed": ("package-check", "inkGreen"),
}


class Bus(Screen):
    """The code for buses and the metro."""

    name = "bus"
    activity = ".life.BusCodeActivity"

    def build(self, ctx: Context) -> Node:
        """The code while it is on; its switch."""
        on = store.flag(ctx.phone, "bus_on")

        def turn(wanted: bool) -> None:
            store.put_pref(ctx.phone, "bus_on", wanted)
            ctx.toast(ctx.tr("bus_on_done" if wanted else "bus_off_done"))

        if on:
            inner = [
                Text(ctx.tr("bus_show"), "bodyMedium", "#59616E", text_align="center"),
                Node(
                    "picture",
                    source=f"qr/BUS{ctx.now_ms // 60_000}",
                    width=220.0,
                    height=220.0,
                    id="bus_qr",
                    desc=ctx.tr("service_bus"),
                ),
                Text(ctx.tr("bus_note"), "bodySmall", "#59616E", text_align="center"),
            ]
        else:
            inner = [
                Icon("bus-stop", 64.0, "#8FA3C2", hidden_from_tree=True),
                Text(ctx.tr("bus_is_off"), "bodyLarge", "#1A1D24", text_align="center", id="bus_is_off"),
                Button(ctx.tr("bus_open"), lambda: turn(True), id="bus_open"),
            ]
        card = Column(
            *inner, width=FILL, align="center", gap=14.0, pad=(16.0, 24.0, 16.0, 24.0), bg="#FFFFFF", radius=14.0
        )
        rides = ctx.db.rows("SELECT * FROM bills WHERE category = 'transport' ORDER BY date DESC, _id DESC LIMIT 5")
        lower = Column(
            SwitchRow(ctx.tr("bus_switch"), on, turn, ctx.tr("bus_switch_text"), id="bus_switch"),
            *([parts.heading(ctx.tr("bus_rides"))] if rides else []),
            *(parts.bill_row(ctx, ride) for ride in rides),
            width=FILL,
            bg="card",
            radius=14.0,
            clip_children=True,
        )
        body = LazyList([Column(card, lower, gap=12.0, width=FILL, pad=(12.0, 4.0, 12.0, 16.0))], id="bus_page")
        return blue_page(ctx, ctx.tr("service_bus"), body)


class Parcels(Screen):
    """Parcels on their way, and those that came."""

    name = "parcels"
    activity = ".life.ParcelsActivity"

    def build(self, ctx: Context) -> Node:
        """Tabs over a list."""
        tab = int(ctx.ui.get("tab", 0))
        where = "status <> 'signed'" if tab == 0 else "status = 'signed'"
        found = ctx.db.rows(
            "SELECT p.*, (SELECT MAX(date) FROM parcel_steps WHERE parcel_id = p._id) AS date "
            f"FROM parcels p WHERE {where} ORDER BY date DESC"
        )
        tabs = parts.panel(
            Tabs(
                [ctx.tr("parcels_open"), ctx.tr("parcels_done")], tab, lambda n: ctx.ui.update(tab=n), id="parcel_tabs"
            ),
            below=8.0,
        )

        def row(parcel: store.Row) -> Node:
            icon, ink = _STATUS.get(parcel["status"], _STATUS["moving"])
            text = (
                ctx.tr("pickup_code", code=parcel["code"])
                if parcel["status"] == "waiting" and parcel["code"]
                else parcel["place"]
            )
            status = ctx.tr(f"parcel_{parcel['status']}") if parcel["status"] in _STATUS else parcel["status"]
            about = f"{parcel['company']} {parcel['number']}\n{text}"
            tag = Text(status, "labelMedium", ink, max_lines=1)
            line = parts.topped_row(parcel["title"], tag, about, parts.glyph(icon, ink))
            line = line.replace(on_tap=ctx.open("parcel", id=parcel["_id"]), id="parcel_row")
            return parts.panel(line, below=8.0)

        empty = EmptyState("package-variant", ctx.tr("no_parcels"))
        return parts.page(ctx, ctx.tr("service_parcels"), found, row=row, head=(tabs,), empty=empty, id="parcel_list")


class Parcel(Screen):
    """One parcel and where it was."""

    name = "parcel"
    activity = ".life.ParcelActivity"

    def build(self, ctx: Context) -> Node:
        """Code, facts, steps."""
        parcel = ctx.db.row("SELECT * FROM parcels WHERE _id = ?", parts.key(ctx))
        if parcel is None:
            return parts.page(
                ctx, ctx.tr("service_parcels"), [], empty=EmptyState("package-variant", ctx.tr("parcel_gone"))
            )
        icon, ink = _STATUS.get(parcel["status"], _STATUS["moving"])
        steps = ctx.db.rows(
            "SELECT * FROM parcel_steps WHERE parcel_id = ? ORDER BY date DESC, _id DESC", parcel["_id"]
        )
        top = [
            parts.glyph(icon, ink, 48.0),
            Text(parcel["title"], "titleMedium", text_align="center"),
            Text(
                ctx.tr(f"parcel_{parcel['status']}") if parcel["status"] in _STATUS else parcel["status"],
                "bodyMedium",
                ink,
                id="parcel_status",
            ),
        ]
        if parcel["code"] and parcel["status"] == "waiting":
            top.append(Text(parcel["code"], "headlineMedium", text_weight=500, id="pickup_code", max_lines=1))
        facts = [
            parts.fact(ctx, ctx.tr("courier"), parcel["company"]),
            parts.fact(ctx, ctx.tr("parcel_number"), parcel["number"], "parcel_number"),
            parts.fact(ctx, ctx.tr("place"), parcel["place"]),
        ]

        def line(step: store.Row, first: bool) -> Node:
            dot = Node(
                "space",
                width=10.0,
                height=10.0,
                radius=5.0,
                bg="primary" if first else "outlineVariant",
                hidden_from_tree=True,
            )
            return Row(
                Node("box", (dot,), pad=(0.0, 6.0, 0.0, 0.0), hidden_from_tree=True),
                Column(
                    Text(step["text"], "bodyMedium", "onSurface" if first else "onSurfaceVariant"),
                    Text(parts.stamp(ctx, step["date"]), "bodySmall", "onSurfaceVariant"),
                    weight=1.0,
                ),
                gap=14.0,
                width=FILL,
                align="start",
                pad=(18.0, 8.0, 16.0, 8.0),
            )

        rows = [
            parts.panel(*top, align="center", gap=6.0, pad=(16.0, 20.0, 16.0, 20.0)),
            parts.panel(*facts, pad=(0.0, 6.0, 0.0, 6.0)),
            parts.panel(parts.heading(ctx.tr("parcel_steps")), *(line(step, n == 0) for n, step in enumerate(steps))),
        ]

        def copy() -> None:
            ctx.phone.set_clipboard(parcel["number"])
            ctx.toast(ctx.tr("copied"))

        def collected() -> None:
            ctx.db.update("parcels", parcel["_id"], status="signed")
            ctx.db.insert("parcel_steps", parcel_id=parcel["_id"], date=ctx.now_ms, text=ctx.tr("collected_step"))
            ctx.toast(ctx.tr("collected_done"))

        bottom = (
            parts.wide_button(ctx.tr("mark_collected"), collected, "mark_collected")
            if parcel["status"] == "waiting"
            else None
        )
        actions = [IconButton("content-copy", copy, ctx.tr("copy_number"), id="copy_number")]
        return parts.page(ctx, ctx.tr("parcel_title"), rows, actions=actions, bottom=bottom)


class Medical(Screen):
    """The medical insurance card."""

    name = "medical"
    activity = ".life.MedicalCardActivity"

    def build(self, ctx: Context) -> Node:
        """The card, its code, its balance."""
        card = ctx.db.row("SELECT * FROM insurance ORDER BY _id LIMIT 1")
        if card is None:
            button = parts.wide_button(ctx.tr("medical_bind"), self._ask(ctx), "medical_bind")
            return parts.page(
                ctx,
                ctx.tr("service_medical"),
                [],
                empty=EmptyState("card-account-details-outline", ctx.tr("no_medical")),
                bottom=button,
            )
        shown = bool(ctx.ui.get("code"))
        hidden = store.flag(ctx.phone, "hide_balance")
        number = f"{card['number'][:4]} **** **** {card['number'][-4:]}"
        surface = Column(
            Row(
                Icon("medical-bag", 24.0, "#FFFFFF", hidden_from_tree=True),
                Text(ctx.tr("medical_title"), "titleMedium", "#FFFFFF", weight=1.0, max_lines=2),
                Text(card["city"], "bodyMedium", "#E8F6EE", max_lines=1),
                gap=10.0,
                width=FILL,
            ),
            Text(card["name"], "titleLarge", "#FFFFFF", max_lines=1, id="medical_name"),
            Text(number, "bodyLarge", "#FFFFFF", max_lines=1, id="medical_number"),
            Text(card["kind"], "bodySmall", "#E8F6EE"),
            gap=8.0,
            width=FILL,
            pad=18.0,
            radius=14.0,
            bg="#17805A",
        )
        rows = [Node("box", (surface,), width=FILL, pad=(12.0, 0.0, 12.0, 10.0), hidden_from_tree=True)]
        if shown:
            code = Node(
                "picture",
                source=f"qr/YB{card['number']}{ctx.now_ms // 60_000}",
                width=200.0,
                height=200.0,
                id="medical_qr",
                desc=ctx.tr("medical_code"),
            )
            rows.append(parts.panel(code, align="center", pad=20.0, bg="#FFFFFF"))
        rows += [
            parts.panel(
                parts.fact(
                    ctx,
                    ctx.tr("medical_balance"),
                    "****" if hidden else store.yuan(card["balance_cents"]),
                    "medical_balance",
                ),
                parts.fact(ctx, ctx.tr("medical_hospital"), card["hospital"], "medical_hospital"),
                pad=(0.0, 6.0, 0.0, 6.0),
            ),
            parts.panel(parts.banner(ctx.tr("medical_note"))),
        ]
        button = parts.wide_button(
            ctx.tr("medical_hide" if shown else "medical_show"), ctx.toggle_ui("code"), "medical_code"
        )
        return parts.page(ctx, ctx.tr("service_medical"), rows, bottom=button)

    def _ask(self, ctx: Context) -> Handler:
        def handle() -> None:
            ctx.set_field("id_number", "")
            ctx.ui.pop("wrong", None)
            ctx.open_overlay("bind")

        return handle

    def overlay_bind(self, ctx: Context) -> Node:
        """The number of the card."""

        def close() -> None:
            ctx.focus(None)
            ctx.dismiss()

        def save() -> None:
            number = ctx.field("id_number").strip().upper()
            if len(number) != 18:
                ctx.ui["wrong"] = ctx.tr("wrong_id_number")
                return
            mine = store.account(ctx.phone)
            ctx.db.insert(
                "insurance",
                name=mine["real_name"],
                number=number,
                city=ctx.tr("city"),
                kind=ctx.tr("medical_kind"),
                hospital=ctx.tr("medical_none"),
                balance_cents=0,
            )
            close()

        field = TextField(
            ctx,
            "id_number",
            ctx.tr("id_number"),
            max_length=18,
            error=str(ctx.ui.get("wrong", "")),
            on_change=lambda _: ctx.ui.pop("wrong", None),
        )
        body = Node("box", (field,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        return Dialog(ctx, ctx.tr("medical_bind"), body, actions=[(ctx.tr("cancel"), close), (ctx.tr("ok"), save)])
