"""The cashier, who asks for the payment PIN, and the page that says that all went well."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import look, ordering, store
from mobile_gym.phone.apps.shop.checkout import payment_card, slot_text
from mobile_gym.phone.apps.shop.sheets import close_row, gap, overlay_state
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, LazyList, Row, Scaffold, Sheet, Text

_TRIES = 3


class Cashier(Screen):
    """Pays an order. Argument: `order`; `start` asks for the PIN at once."""

    name = "cashier"
    activity = ".CashierActivity"

    def on_open(self, ctx: Context) -> None:
        """An order that was just placed is paid at once; one to pay at the door needs no PIN."""
        found = _order(ctx)
        ctx.ui.update(payment="card" if found is None else found["payment"], tries=0)
        store.note(ctx, self.name)
        if found is None or not ctx.args.get("start"):
            return
        if found["payment"] == "cod":
            self._paid(ctx)
        else:
            ctx.open_overlay("pin")

    def build(self, ctx: Context) -> Node:
        """The amount, what is left of the time, ways to pay."""
        found = _order(ctx)
        if found is None or found["status"] != "to_pay":
            rest = look.empty("receipt-text-outline", ctx.tr("order_gone"))
            return Scaffold(
                Node("box", (rest.replace(place="center-center"),)), top=look.bar(ctx, ctx.tr("cashier")), bg="page"
            )
        left = max(found["created_at"] + ordering.PAY_MS - ctx.now_ms, 0) // 60_000
        head = Node(
            "col",
            (
                look.price(found["total_cents"], 36.0, "onSurface", id="cashier_total"),
                Text(ctx.tr("pay_left", hours=left // 60, minutes=left % 60), "bodyMedium", "soft", id="pay_left"),
            ),
            gap=6.0,
            align="center",
            width=FILL,
            pad=(0.0, 24.0, 0.0, 20.0),
        )
        methods = payment_card(ctx, ctx.ui["payment"], found["total_cents"], lambda key: ctx.ui.update(payment=key))

        def start() -> None:
            if ctx.ui["payment"] == "cod":
                self._paid(ctx)
            else:
                ctx.open_overlay("pin")

        pay = look.pill(
            ctx.tr("pay_now", amount=look.money(found["total_cents"])), start, "pay_now", height=46.0, weight=1.0
        )
        body = Node("box", (LazyList([head, methods], id="cashier_list"),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("cashier")), bottom=look.footer(pay), bg="card")

    def on_back(self, ctx: Context) -> bool:
        """Asks before an order is left without payment."""
        found = _order(ctx)
        if found is None or found["status"] != "to_pay":
            return False
        ctx.open_overlay("leave")
        return True

    def _paid(self, ctx: Context) -> None:
        key = int(ctx.args["order"])
        ordering.pay(ctx.phone, key, ctx.ui["payment"])
        ctx.finish()
        ctx.go("placed", order=key)

    def overlay_leave(self, ctx: Context) -> Node:
        """The order stays for a day."""

        def leave() -> None:
            ctx.finish()
            ctx.go("order", order=int(ctx.args["order"]))

        return Dialog(
            ctx,
            ctx.tr("pay_leave_title"),
            ctx.tr("pay_leave_text"),
            actions=((ctx.tr("pay_leave"), ctx.then_dismiss(leave)), (ctx.tr("pay_go_on"), ctx.dismiss)),
        )

    def overlay_pin(self, ctx: Context) -> Node:
        """Asks for the six digits of the payment PIN."""
        state = overlay_state(ctx)
        digits = str(state.setdefault("digits", ""))
        found = _order(ctx)

        def press(key: str) -> Handler:
            def handle() -> None:
                state["error"] = ""
                state["digits"] = digits[:-1] if key == "delete" else (digits + key)[:6]
                if len(state["digits"]) == 6:
                    self._check(ctx, state)

            return handle

        dots = [
            Node(
                "box",
                (
                    Node(
                        "space",
                        width=12.0,
                        height=12.0,
                        radius=6.0,
                        bg="onSurface",
                        place="center-center",
                        hidden_from_tree=True,
                    ),
                )
                if number < len(digits)
                else (),
                width=44.0,
                height=48.0,
                radius=6.0,
                border=1.0,
                border_color="outline",
                hidden_from_tree=True,
            )
            for number in range(6)
        ]
        parts = [
            close_row(ctx, ctx.tr("pin_title")),
            Text(
                ctx.tr(f"pay_{ctx.ui['payment']}"),
                "bodyMedium",
                "soft",
                text_align="center",
                width=FILL,
                id="pin_payment",
            ),
            Node(
                "col",
                (look.price(found["total_cents"] if found else 0, 30.0, "onSurface", id="pin_amount"),),
                align="center",
                width=FILL,
            ),
            Row(
                *dots,
                gap=6.0,
                width=FILL,
                justify="center",
                pad=(0.0, 12.0, 0.0, 4.0),
                id="pin_dots",
                desc=ctx.tr("pin_entered", count=len(digits)),
                cls="android.widget.EditText",
            ),
            Text(state.get("error") or " ", "bodySmall", "primary", text_align="center", width=FILL, id="pin_error"),
        ]
        rows = [("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"), ("", "0", "delete")]
        keys = []
        for row in rows:
            cells = []
            for key in row:
                inner: Node = Text(key, "titleLarge", text_align="center", place="center-center", hidden_from_tree=True)
                if key == "delete":
                    inner = Icon("backspace-outline", 24.0, "onSurface", place="center-center", hidden_from_tree=True)
                cells.append(
                    Node(
                        "box",
                        (inner,) if key else (),
                        weight=1.0,
                        height=52.0,
                        bg="card" if key else None,
                        radius=6.0,
                        id=f"pin_{key}" if key else "",
                        text=key if key.isdigit() else "",
                        desc=ctx.tr("delete") if key == "delete" else "",
                        on_tap=press(key) if key else None,
                        cls="android.widget.Button" if key else "",
                        hidden_from_tree=not key,
                    )
                )
            keys.append(Row(*cells, gap=6.0, width=FILL))
        pad = Node("col", keys, gap=6.0, width=FILL, bg="pale", pad=(6.0, 8.0, 6.0, 8.0), id="pin_keyboard")
        return Sheet(ctx, *parts, pad)

    def _check(self, ctx: Context, state: dict[str, Any]) -> None:
        if state["digits"] == store.get_setting(ctx.phone, "pay_pin"):
            ctx.dismiss()
            self._paid(ctx)
            return
        ctx.ui["tries"] += 1
        state["digits"] = ""
        if ctx.ui["tries"] >= _TRIES:
            ctx.ui["tries"] = 0
            ctx.dismiss()
            ctx.toast(ctx.tr("pin_locked"))
            return
        state["error"] = ctx.tr("pin_wrong", count=_TRIES - ctx.ui["tries"])


def _order(ctx: Context) -> dict[str, Any] | None:
    return ordering.order(ctx.phone, int(ctx.args.get("order") or 0))


class Placed(Screen):
    """The order is paid. Argument: `order`."""

    name = "placed"
    activity = ".OrderPlacedActivity"

    def on_open(self, ctx: Context) -> None:
        """This is the screen in front."""
        store.note(ctx, self.name)

    def build(self, ctx: Context) -> Node:
        """What was paid, where it goes, where to go on."""
        found = _order(ctx)
        if found is None:
            rest = look.empty("receipt-text-outline", ctx.tr("order_gone"))
            return Scaffold(Node("box", (rest.replace(place="center-center"),)), top=look.bar(ctx, ""), bg="page")
        cod = found["payment"] == "cod"
        head = Node(
            "col",
            (
                Icon("check-circle", 64.0, "good", hidden_from_tree=True),
                Text(ctx.tr("placed_cod" if cod else "placed"), "titleLarge", id="placed_title"),
                look.price(found["total_cents"], 28.0, "onSurface", id="placed_total"),
            ),
            gap=10.0,
            align="center",
            width=FILL,
            pad=(16.0, 32.0, 16.0, 20.0),
        )

        def see() -> None:
            ctx.finish()
            ctx.go("order", order=found["_id"])

        buttons = Row(
            look.pill(ctx.tr("order_see"), see, "order_see", "red", 42.0, weight=1.0),
            look.pill(ctx.tr("go_shopping"), ctx.open("main", tab="home"), "go_home", height=42.0, weight=1.0),
            gap=12.0,
            width=FILL,
            pad=(24.0, 4.0, 24.0, 20.0),
        )
        where = look.card(
            look.line_row(ctx.tr("deliver_to"), found["address"], value_color="onSurface", id="placed_address"),
            look.line_row(
                ctx.tr("receiver"), f"{found['name']} {store.shown_phone(found['phone'])}", value_color="onSurface"
            ),
            look.line_row(ctx.tr("delivery_time"), slot_text(ctx, found["slot"]), value_color="onSurface"),
            pad=(16.0, 4.0, 16.0, 4.0),
        )
        body = Node("box", (LazyList([head, buttons, where, gap(16.0)], id="placed_list"),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("placed_bar")), bg="card")
