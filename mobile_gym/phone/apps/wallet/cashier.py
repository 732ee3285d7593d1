"""Confirming a payment, the PIN, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.wallet import ledger, parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Column, Dialog, Icon, ListRow, Radio, Row, Scaffold, Space, Text, TopBar

_DIGITS = 6
_KINDS = ("transfer", "pay", "topup", "utility", "recharge", "withdraw", "fund_in", "fund_out")
_METHOD_ICONS = {"balance": "wallet", "fund": "sack", "card": "credit-card"}


def _order(ctx: Context) -> ledger.Order:
    """The order that the screen was opened with; empty where an intent from outside brought none."""
    order = ctx.args.get("order")
    return order if isinstance(order, dict) else {}


class Cashier(Screen):
    """The order, the way to pay, the coupon; then the PIN."""

    name = "cashier"
    activity = ".pay.CashierActivity"

    def on_open(self, ctx: Context) -> None:
        """Takes the best coupon and the first way that has the money."""
        order = _order(ctx)
        if not order:
            return
        coupons = ledger.fitting_coupons(ctx.phone, order)
        ctx.ui["coupon"] = coupons[0]["_id"] if coupons else 0
        way = ledger.best_method(ctx.phone, order, self._due(ctx, order))
        ctx.ui["way"] = way["_id"] if way else 0

    def _coupon(self, ctx: Context, order: ledger.Order) -> store.Row | None:
        chosen = ctx.ui.get("coupon", 0)
        return next((row for row in ledger.fitting_coupons(ctx.phone, order) if row["_id"] == chosen), None)

    def _due(self, ctx: Context, order: ledger.Order) -> int:
        coupon = self._coupon(ctx, order)
        return int(order["amount"]) - (coupon["amount_cents"] if coupon else 0)

    def _way(self, ctx: Context, order: ledger.Order) -> store.Row | None:
        chosen = ctx.ui.get("way", 0)
        return next((way for way in store.methods(ctx.phone, order["via"]) if way["_id"] == chosen), None)

    def build(self, ctx: Context) -> Node:
        """What is paid, to whom, how."""
        order = _order(ctx)
        if not order:
            return parts.page(ctx, ctx.tr("cashier"), [parts.panel(Text(ctx.tr("no_order"), pad=24.0))])
        due, way, coupon = self._due(ctx, order), self._way(ctx, order), self._coupon(ctx, order)
        top = parts.panel(
            Text(
                order.get("label") or ctx.tr(f"order_{order['kind']}"),
                "bodyMedium",
                "onSurfaceVariant",
                text_align="center",
                id="order_kind",
            ),
            parts.amount(due, "pay_amount", 40.0),
            *(
                (Text(ctx.tr("before_coupon", amount=store.yuan(order["amount"])), "bodySmall", "onSurfaceVariant"),)
                if coupon
                else ()
            ),
            align="center",
            gap=4.0,
            pad=(16.0, 24.0, 16.0, 20.0),
        )
        facts = [parts.fact(ctx, ctx.tr("pay_to"), order["to"], "pay_to")]
        if order.get("account"):
            shown = store.grouped(order["account"]) if order.get("target") == "card" else order["account"]
            facts.append(parts.fact(ctx, ctx.tr(f"account_{order['kind']}"), shown, "pay_account"))
        if order.get("note"):
            facts.append(parts.fact(ctx, ctx.tr("note"), order["note"], "pay_note"))
        name = (
            ctx.tr("no_way_to_pay") if way is None else parts.method_name(ctx, way["method"], way["bank"], way["tail"])
        )
        short = way is None or way["funds"] < due
        ways = [
            parts.entry(
                ctx,
                _METHOD_ICONS.get(way["method"] if way else "", "wallet"),
                "inkBlue",
                ctx.tr("pay_method"),
                ctx.show("ways"),
                name,
                "pay_method",
                ctx.tr("not_enough_here") if short else "",
            )
        ]
        if ledger.fitting_coupons(ctx.phone, order):
            text = f"-{store.yuan(coupon['amount_cents'])}" if coupon else ctx.tr("no_coupon")
            ways.append(
                parts.entry(ctx, "ticket-percent", "inkRed", ctx.tr("coupon"), ctx.show("coupons"), text, "pay_coupon")
            )
        rows = [top, parts.panel(*facts, pad=(0.0, 6.0, 0.0, 6.0)), parts.panel(*ways)]
        if order.get("stranger"):
            rows.insert(0, parts.panel(parts.banner(ctx.tr("stranger_warning"), "alert-outline", id="stranger")))
        button = parts.wide_button(
            ctx.tr("confirm_pay", amount=store.yuan(due)), self._confirm(ctx, order), "confirm_button"
        )
        return parts.page(ctx, ctx.tr("cashier"), rows, bottom=button)

    def _confirm(self, ctx: Context, order: ledger.Order) -> Handler:
        def handle() -> None:
            way, due = self._way(ctx, order), self._due(ctx, order)
            if way is None or way["funds"] < due:
                ctx.open_overlay("short")
            elif ledger.needs_pin(ctx.phone, due):
                ctx.go("pin", amount=due, to=order["to"])
            else:
                self._pay(ctx, order)

        return handle

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """The PIN was right: pays."""
        order = _order(ctx)
        if order and result.get("verified"):
            self._pay(ctx, order)

    def _pay(self, ctx: Context, order: ledger.Order) -> None:
        way, due = self._way(ctx, order), self._due(ctx, order)
        if way is None or way["funds"] < due:
            ctx.open_overlay("short")
            return
        bill = ledger.execute(ctx.phone, order, way["method"], way["card_id"], self._coupon(ctx, order))
        ctx.finish()
        ctx.go("result", id=bill, kind=order["kind"], to=order["to"], amount=due)

    def overlay_short(self, ctx: Context) -> Node:
        """There is not enough money there."""
        return Dialog(
            ctx,
            ctx.tr("not_enough_title"),
            ctx.tr("not_enough_text"),
            actions=[
                (ctx.tr("cancel"), ctx.dismiss),
                (ctx.tr("other_way"), ctx.then_dismiss(ctx.open_overlay, "ways")),
            ],
        )

    def overlay_ways(self, ctx: Context) -> Node:
        """Ways to pay; one without the money is pale and says so."""
        order = _order(ctx)
        due = self._due(ctx, order)
        rows = []
        for way in store.methods(ctx.phone, order["via"]):
            enough = way["funds"] >= due
            text = "" if way["method"] == "card" else ctx.tr("left", amount=store.yuan(way["funds"]))
            rows.append(
                ListRow(
                    parts.method_name(ctx, way["method"], way["bank"], way["tail"]),
                    text if enough else ctx.tr("not_enough_here"),
                    leading=Icon(_METHOD_ICONS[way["method"]], 24.0, "inkBlue"),
                    trailing=Radio(way["_id"] == ctx.ui.get("way")),
                    on_tap=ctx.then_dismiss(ctx.ui.__setitem__, "way", way["_id"]),
                    id="way_row",
                    selected=way["_id"] == ctx.ui.get("way"),
                )
            )
        rows.append(
            ListRow(
                ctx.tr("add_card"),
                icon="credit-card-plus-outline",
                on_tap=ctx.then_dismiss(ctx.go, "add_card"),
                id="way_add",
            )
        )
        return parts.sheet(ctx, ctx.tr("pay_method"), rows)

    def overlay_coupons(self, ctx: Context) -> Node:
        """Coupons that fit, and none."""
        order = _order(ctx)
        rows = [
            ListRow(
                row["title"],
                f"-{store.yuan(row['amount_cents'])}",
                trailing=Radio(row["_id"] == ctx.ui.get("coupon")),
                on_tap=ctx.then_dismiss(ctx.ui.__setitem__, "coupon", row["_id"]),
                id="coupon_row",
            )
            for row in ledger.fitting_coupons(ctx.phone, order)
        ]
        rows.append(
            ListRow(
                ctx.tr("no_coupon"),
                trailing=Radio(not ctx.ui.get("coupon")),
                on_tap=ctx.then_dismiss(ctx.ui.__setitem__, "coupon", 0),
                id="coupon_none",
            )
        )
        return parts.sheet(ctx, ctx.tr("coupon"), rows)


def keypad(ctx: Context, press: Any, erase: Handler) -> Node:
    """Twelve keys for a PIN."""

    def key(label: str, on_tap: Handler | None, id: str, desc: str = "", icon: str = "") -> Node:
        inner = (
            Icon(icon, 26.0, "onSurface", place="center-center", hidden_from_tree=True)
            if icon
            else Text(label, "headlineSmall", place="center-center", hidden_from_tree=True)
        )
        return Node(
            "box",
            (inner,) if label or icon else (),
            weight=1.0,
            height=56.0,
            bg="card" if on_tap else "page",
            radius=8.0,
            on_tap=on_tap,
            id=id,
            text=label,
            desc=desc,
            hidden_from_tree=on_tap is None,
            cls="android.widget.Button",
        )

    def digit(name: str) -> Node:
        return key(name, lambda: press(name), f"pin_key_{name}")

    rows = [Row(*(digit(name) for name in line), gap=6.0, width=FILL) for line in ("123", "456", "789")]
    rows.append(
        Row(
            key("", None, ""),
            digit("0"),
            key("", erase, "pin_key_delete", ctx.tr("delete"), "backspace-outline"),
            gap=6.0,
            width=FILL,
        )
    )
    return Column(*rows, gap=6.0, width=FILL, pad=(6.0, 8.0, 6.0, 8.0), bg="page", id="pin_keypad")


def boxes(length: int, id: str = "pin_boxes") -> Node:
    """Six boxes, a dot in each that has a digit."""
    cells = []
    for place in range(_DIGITS):
        dot = Node(
            "space", width=12.0, height=12.0, radius=6.0, bg="onSurface", place="center-center", hidden_from_tree=True
        )
        cells.append(
            Node(
                "box",
                (dot,) if place < length else (),
                width=44.0,
                height=48.0,
                radius=8.0,
                border=1.0,
                border_color="outline",
                hidden_from_tree=True,
            )
        )
    return Row(*cells, gap=6.0, id=id, text="\u2022" * length, cls="android.widget.EditText")


class Pin(Screen):
    """Asks for the payment PIN; finishes with `verified` once it is right."""

    name = "pin"
    activity = ".pay.PinActivity"

    def build(self, ctx: Context) -> Node:
        """What it is for, six boxes, the keys."""
        pin = str(ctx.ui.get("pin", ""))
        minutes = ledger.lock_minutes(ctx.phone)
        wrong = ctx.tr("pin_locked", minutes=minutes) if minutes else str(ctx.ui.get("wrong", ""))

        def press(digit: str) -> None:
            if ledger.lock_minutes(ctx.phone) or len(pin) >= _DIGITS:
                return
            ctx.ui.update(pin=pin + digit, wrong="")
            if len(pin) + 1 == _DIGITS:
                self._check(ctx, pin + digit)

        def erase() -> None:
            ctx.ui["pin"] = pin[:-1]

        middle = [Text(ctx.tr("enter_pin"), "titleLarge", text_align="center", id="pin_title")]
        if "amount" in ctx.args:
            middle.append(
                Text(
                    ctx.tr("pin_for", to=ctx.args.get("to", "")),
                    "bodyMedium",
                    "onSurfaceVariant",
                    text_align="center",
                    max_lines=2,
                )
            )
            middle.append(parts.amount(parts.whole(ctx.args["amount"]), "pin_amount", 32.0))
        middle.append(boxes(len(pin)))
        if wrong:
            middle.append(Text(wrong, "bodyMedium", "alert", text_align="center", id="pin_error"))
        body = Node(
            "col",
            (
                Node(
                    "list",
                    (Column(*middle, gap=14.0, align="center", width=FILL, pad=(24.0, 16.0, 24.0, 16.0)),),
                    weight=1.0,
                    width=FILL,
                    id="pin_page",
                ),
                keypad(ctx, press, erase),
            ),
            width=FILL,
            hidden_from_tree=True,
        )
        return Scaffold(body, top=TopBar(ctx, ctx.tr("pin")), bg="surface")

    def _check(self, ctx: Context, pin: str) -> None:
        found = ledger.check_pin(ctx.phone, pin)
        if found == ledger.RIGHT:
            ctx.finish({"verified": True, "about": ctx.args.get("about", "")})
            return
        ctx.ui["pin"] = ""
        ctx.ui["wrong"] = ctx.tr("pin_wrong", n=ledger.tries_left(ctx.phone)) if found == ledger.WRONG else ""


class Result(Screen):
    """What came of a payment."""

    name = "result"
    activity = ".pay.PayResultActivity"

    def build(self, ctx: Context) -> Node:
        """A tick, the amount, where to go from here."""
        kind = ctx.args.get("kind")
        kind = kind if kind in _KINDS else "pay"
        body = Column(
            Space(height=40.0),
            Icon("check-circle", 64.0, "primary", id="result_icon"),
            Text(ctx.tr(f"result_{kind}"), "titleLarge", text_align="center", id="result_title"),
            parts.amount(parts.whole(ctx.args.get("amount")), "result_amount", 40.0),
            Text(str(ctx.args.get("to", "")), "bodyLarge", "onSurfaceVariant", text_align="center", id="result_to"),
            gap=12.0,
            align="center",
            width=FILL,
            pad=(24.0, 0.0, 24.0, 0.0),
        )
        bottom = Column(
            parts.wide_button(ctx.tr("done"), ctx.open("main"), "done_button"),
            parts.wide_button(ctx.tr("see_bill"), ctx.open("bill", id=parts.key(ctx)), "see_bill", tone="tonal"),
            width=FILL,
            hidden_from_tree=True,
        )
        return Scaffold(body, top=TopBar(ctx, "", back=False), bottom=bottom, bg="surface")

    def on_back(self, ctx: Context) -> bool:
        """Back leads to the first page, not to the form that was just used."""
        ctx.go("main")
        return True
