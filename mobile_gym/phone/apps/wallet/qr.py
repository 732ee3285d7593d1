"""Codes on the screen: paying, collecting, scanning a picture of the album."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from mobile_gym.phone.apps.wallet import codes, parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Column,
    Dialog,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Radio,
    Row,
    Scaffold,
    Text,
    TextField,
)

_MINUTE = 60_000


def pay_number(ctx: Context) -> str:
    """The 18 digits of the payment code: new ones every minute, and whenever asked for."""
    seed = ctx.now_ms // _MINUTE * 7919 + store.number(ctx.phone, "code_turn") * 104_729
    return f"28{seed * 6_364_136_223_846_793_005 % 10**16:016d}"


def blue_page(ctx: Context, title: str, body: Node, *actions: Node) -> Node:
    """A blue page with white letters."""
    bar = Row(
        IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="onBrand"),
        Text(title, "titleLarge", "onBrand", weight=1.0, max_lines=1, id="toolbar_title"),
        *actions,
        width=FILL,
        height=64.0,
        gap=4.0,
        pad=(4.0, 0.0, 4.0, 0.0),
        id="toolbar",
    )
    return Scaffold(body, top=bar, bg="brand")


def _bars(number: str) -> Node:
    bars = []
    for place, digit in enumerate(number):
        value = int(digit) + place
        for wide, ink in (
            (1 + value % 3, True),
            (1 + value // 3 % 2, False),
            (1 + value // 2 % 2, True),
            (1 + value % 2, False),
        ):
            bars.append(
                Node("space", width=wide * 1.0, height=64.0, bg="#15181E" if ink else None, hidden_from_tree=True)
            )
    return Row(*bars, id="barcode", cls="android.widget.ImageView")


class PayCode(Screen):
    """The code that a shop scans."""

    name = "paycode"
    activity = ".code.PayCodeActivity"
    single = True

    def build(self, ctx: Context) -> Node:
        """Bars, square code, digits, the way to pay, the balance."""
        number = pay_number(ctx)
        ways = store.methods(ctx.phone)
        way = next((way for way in ways if way["_id"] == ctx.ui.get("way")), ways[0] if ways else None)
        digits = store.grouped(number) if ctx.ui.get("digits") else f"{number[:4]} **** **** ****"
        hidden = store.flag(ctx.phone, "hide_balance")
        balance = store.account(ctx.phone)["balance_cents"]

        def refresh() -> None:
            store.put_pref(ctx.phone, "code_turn", store.number(ctx.phone, "code_turn") + 1)
            ctx.toast(ctx.tr("code_refreshed"))

        card = Column(
            Text(ctx.tr("show_to_shop"), "bodyMedium", "#59616E", text_align="center"),
            _bars(number),
            Node(
                "row",
                (Text(digits, "bodyMedium", "#59616E", max_lines=1, id="code_number"),),
                min_height=40.0,
                on_tap=ctx.toggle_ui("digits"),
                id="show_digits",
                desc=ctx.tr("show_digits"),
            ),
            Node(
                "picture", source=f"qr/{number}", width=190.0, height=190.0, id="pay_qr", desc=ctx.tr("service_paycode")
            ),
            Node(
                "row",
                (
                    Icon("refresh", 18.0, "#1677FF", hidden_from_tree=True),
                    Text(ctx.tr("refresh_code"), "labelLarge", "#1677FF", max_lines=1, hidden_from_tree=True),
                ),
                gap=6.0,
                min_height=44.0,
                pad=(16.0, 0.0, 16.0, 0.0),
                on_tap=refresh,
                id="refresh_code",
                text=ctx.tr("refresh_code"),
                cls="android.widget.Button",
            ),
            width=FILL,
            align="center",
            gap=6.0,
            pad=(12.0, 16.0, 12.0, 8.0),
            bg="#FFFFFF",
            radius=14.0,
        )
        name = (
            ctx.tr("no_way_to_pay") if way is None else parts.method_name(ctx, way["method"], way["bank"], way["tail"])
        )
        amount = Row(
            Text(
                "****" if hidden else store.yuan(balance),
                "bodyMedium",
                "onSurfaceVariant",
                max_lines=1,
                id="code_balance",
            ),
            IconButton(
                "eye-off-outline" if hidden else "eye-outline",
                lambda: store.put_pref(ctx.phone, "hide_balance", not hidden),
                ctx.tr("show_balance" if hidden else "hide_balance"),
                id="hide_balance",
                glyph=20.0,
            ),
            hidden_from_tree=True,
        )
        wallet = Icon("wallet", 24.0, "inkBlue", hidden_from_tree=True)
        money = ListRow(ctx.tr("balance"), leading=wallet, trailing=amount).replace(pad=(16.0, 4.0, 4.0, 4.0))
        lower = Column(
            parts.entry(
                ctx, "credit-card-outline", "inkBlue", ctx.tr("pay_method"), ctx.show("ways"), name, "code_method"
            ),
            money,
            parts.entry(
                ctx, "cash-plus", "inkOrange", ctx.tr("service_collect"), ctx.open("collect"), "", "code_collect"
            ),
            width=FILL,
            bg="card",
            radius=14.0,
            clip_children=True,
        )
        body = LazyList([Column(card, lower, gap=12.0, width=FILL, pad=(12.0, 4.0, 12.0, 16.0))], id="code_page")
        return blue_page(ctx, ctx.tr("service_paycode"), body)

    def overlay_ways(self, ctx: Context) -> Node:
        """Which way this code pays by."""
        ways = store.methods(ctx.phone)
        chosen = ctx.ui.get("way", ways[0]["_id"] if ways else 0)
        rows = [
            ListRow(
                parts.method_name(ctx, way["method"], way["bank"], way["tail"]),
                trailing=Radio(way["_id"] == chosen),
                on_tap=ctx.then_dismiss(ctx.ui.__setitem__, "way", way["_id"]),
                id="way_row",
            )
            for way in ways
        ]
        return parts.sheet(ctx, ctx.tr("pay_method"), rows)


class Collect(Screen):
    """The code that others scan to pay the user."""

    name = "collect"
    activity = ".code.CollectActivity"
    single = True

    def payload(self, ctx: Context) -> str:
        """What the code says."""
        mine = store.account(ctx.phone)
        values = {"to": mine["phone"]}
        if ctx.ui.get("cents"):
            values["amount"] = store.plain(int(ctx.ui["cents"])).replace(",", "")
        if ctx.ui.get("note"):
            values["note"] = str(ctx.ui["note"])
        return f"{codes.SCHEME}://pay?{urlencode(values)}"

    def build(self, ctx: Context) -> Node:
        """The code, its amount and note, what can be done with it."""
        mine, cents, note = store.account(ctx.phone), int(ctx.ui.get("cents", 0)), str(ctx.ui.get("note", ""))
        inner = [Text(ctx.tr("scan_to_pay_me"), "bodyMedium", "#59616E", text_align="center")]
        if cents:
            inner.append(parts.amount(cents, "collect_amount", 32.0, "#1A1D24"))
        if note:
            inner.append(Text(note, "bodyMedium", "#59616E", id="collect_note", text_align="center", max_lines=2))
        inner += [
            Node(
                "picture",
                source=f"qr/{self.payload(ctx)}",
                width=220.0,
                height=220.0,
                id="collect_qr",
                desc=ctx.tr("service_collect"),
            ),
            Text(
                f"{mine['name']} ({store.masked(mine['phone'])})",
                "bodyMedium",
                "#1A1D24",
                max_lines=1,
                id="collect_owner",
            ),
            Row(
                Button(
                    ctx.tr("clear_amount" if cents else "set_amount"),
                    self._clear(ctx) if cents else self._set(ctx),
                    tone="tonal",
                    id="set_amount",
                    weight=1.0,
                ),
                Button(ctx.tr("save_picture"), lambda: self._save(ctx), id="save_picture", weight=1.0),
                gap=12.0,
                width=FILL,
                pad=(4.0, 8.0, 4.0, 4.0),
            ),
        ]
        card = Column(
            *inner, width=FILL, align="center", gap=10.0, pad=(16.0, 20.0, 16.0, 16.0), bg="#FFFFFF", radius=14.0
        )
        lower = Column(
            parts.entry(
                ctx,
                "receipt-text-outline",
                "inkBlue",
                ctx.tr("collect_records"),
                ctx.open("received"),
                "",
                "collect_records",
            ),
            parts.entry(
                ctx, "qrcode", "inkTeal", ctx.tr("service_paycode"), ctx.open("paycode"), "", "collect_paycode"
            ),
            width=FILL,
            bg="card",
            radius=14.0,
            clip_children=True,
        )
        body = LazyList([Column(card, lower, gap=12.0, width=FILL, pad=(12.0, 4.0, 12.0, 16.0))], id="code_page")
        return blue_page(ctx, ctx.tr("service_collect"), body)

    def _clear(self, ctx: Context) -> Any:
        return lambda: ctx.ui.update(cents=0, note="")

    def _set(self, ctx: Context) -> Any:
        def handle() -> None:
            ctx.set_field("amount", "")
            ctx.set_field("note", "")
            ctx.ui.pop("wrong", None)
            ctx.open_overlay("amount")

        return handle

    def _save(self, ctx: Context) -> None:
        path = f"{codes.ALBUM}collect_{ctx.now:%Y%m%d_%H%M%S}.png"
        codes.write_code(ctx.phone, path, self.payload(ctx), ctx.now_ms)
        ctx.toast(ctx.tr("picture_saved"))

    def overlay_amount(self, ctx: Context) -> Node:
        """Amount and note of the code."""

        def close() -> None:
            ctx.focus(None)
            ctx.dismiss()

        def save() -> None:
            cents = store.parse_amount(ctx.field("amount"))
            if cents is None:
                ctx.ui["wrong"] = ctx.tr("wrong_amount")
                return
            ctx.ui.update(cents=cents, note=ctx.field("note").strip())
            close()

        body = Column(
            TextField(
                ctx,
                "amount",
                ctx.tr("amount_yuan"),
                input_type="decimal",
                max_length=10,
                error=str(ctx.ui.get("wrong", "")),
                on_change=lambda _: ctx.ui.pop("wrong", None),
            ),
            TextField(ctx, "note", ctx.tr("note_optional"), max_length=20),
            gap=12.0,
            width=FILL,
            pad=(24.0, 0.0, 24.0, 0.0),
        )
        return Dialog(ctx, ctx.tr("set_amount"), body, actions=[(ctx.tr("cancel"), close), (ctx.tr("ok"), save)])
