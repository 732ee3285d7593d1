"""The checkout: what is bought, where to, when, with which coupon, how it is paid."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from mobile_gym.phone.apps.shop import cards, look, ordering, store
from mobile_gym.phone.apps.shop.cart import coupon_sheet
from mobile_gym.phone.apps.shop.sheets import close_row, gap, overlay_state
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.formats import month_day, weekday
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Row, Scaffold, Sheet, Space, Text
from mobile_gym.phone.ui.widgets.fields import field

HOURS = ("09:00-12:00", "12:00-15:00", "15:00-18:00", "18:00-21:00")
PAYMENTS = (("card", "credit-card-outline"), ("wallet", "wallet-outline"), ("cod", "cash"))


def slot_text(ctx: Context, slot: str) -> str:
    """When an order is to be delivered."""
    day, _, hours = slot.partition(" ")
    if not hours:
        return ctx.tr("slot_soon")
    moment = ctx.now.replace(year=int(day[:4]), month=int(day[5:7]), day=int(day[8:10]))
    return f"{month_day(moment, ctx.language)} {weekday(moment, ctx.language, short=True)} {hours}"


class Checkout(Screen):
    """What is bought, and how. Arguments: `lines` (variant and quantity each), `from_cart`, `coupon`."""

    name = "checkout"
    activity = ".CheckoutActivity"

    def on_open(self, ctx: Context) -> None:
        """Starts with the address that is delivered to, as soon as possible, the best coupon and the card."""
        where = store.delivery_address(ctx.phone)
        ctx.ui.update(
            lines=list(ctx.args.get("lines") or ()),
            from_cart=bool(ctx.args.get("from_cart")),
            coupon=ctx.args.get("coupon"),
            address=None if where is None else where["_id"],
            slot="soon",
            payment="card",
        )
        self._tell(ctx)

    def on_resume(self, ctx: Context) -> None:
        """This is the screen in front again."""
        self._tell(ctx)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """An address was chosen."""
        if "address" in result:
            ctx.ui["address"] = int(result["address"])
            self._tell(ctx)

    def _tell(self, ctx: Context) -> None:
        store.note(ctx, self.name, address_id=ctx.ui["address"])

    def _lines(self, ctx: Context) -> list[dict[str, Any]]:
        return store.lines_of(ctx.phone, ctx.ui["lines"])

    def build(self, ctx: Context) -> Node:
        """Address, goods, time, coupon, note, payment, sums."""
        lines = self._lines(ctx)
        if not lines:
            rest = look.empty("cart-outline", ctx.tr("checkout_empty"))
            top = look.bar(ctx, ctx.tr("checkout_title"))
            return Scaffold(Node("box", (rest.replace(place="center-center"),)), top=top, bg="page")
        coupon = ordering.chosen_coupon(ctx.phone, lines, ctx.ui["coupon"])
        totals = ordering.total(lines, coupon)
        items = [
            gap(),
            self._address(ctx),
            gap(),
            self._goods(ctx, lines),
            gap(),
            self._choices(ctx, lines, coupon, totals),
            gap(),
            self._payments(ctx, totals.total),
            gap(),
            sums(ctx, totals.goods, totals.shipping, totals.discount, totals.total),
            gap(),
        ]
        amount = Row(
            Text(ctx.tr("total"), "bodyMedium", max_lines=1),
            look.price(totals.total, 22.0, id="checkout_total"),
            gap=4.0,
            weight=1.0,
            align="baseline",
        )
        submit = look.pill(ctx.tr("order_submit"), lambda: self._submit(ctx), "order_submit", height=44.0)
        body = Node("box", (LazyList(items, id="checkout_list"),), width=FILL, bg="page")
        return Scaffold(
            body, top=look.bar(ctx, ctx.tr("checkout_title")), bottom=look.footer(amount, submit), bg="card"
        )

    def _address(self, ctx: Context) -> Node:
        key = ctx.ui["address"]
        where = None if key is None else store.address(ctx.phone, key)
        go = ctx.open("addresses", pick=True)
        if where is None:
            text = Text(ctx.tr("address_choose"), "titleSmall", weight=1.0, id="address_text")
            return look.card(
                Row(Icon("map-marker-plus-outline", 24.0, "primary"), text, gap=12.0, width=FILL, min_height=48.0),
                on_tap=go,
                id="checkout_address",
            )
        who = f"{where['name']}  {store.shown_phone(where['phone'])}"
        texts = Node(
            "col",
            (
                Text(store.address_text(where, ctx.language), "titleSmall", max_lines=3, id="address_text"),
                Text(who, "bodyMedium", "soft", max_lines=1, id="address_who"),
            ),
            gap=4.0,
            weight=1.0,
        )
        row = Row(
            Icon("map-marker", 24.0, "primary", hidden_from_tree=True),
            texts,
            Icon("chevron-right", 20.0, "soft", hidden_from_tree=True),
            gap=12.0,
            width=FILL,
        )
        return look.card(row, on_tap=go, id="checkout_address")

    def _goods(self, ctx: Context, lines: list[dict[str, Any]]) -> Node:
        rows = []
        for number, line in enumerate(lines):
            tail: tuple[Node, ...] = ()
            if not ctx.ui["from_cart"]:

                def set_quantity(value: int, number: int = number) -> None:
                    entries = list(ctx.ui["lines"])
                    entries[number] = {**entries[number], "quantity": value}
                    ctx.ui["lines"] = entries

                tail = (
                    Row(
                        Text(ctx.tr("quantity"), "bodyMedium", weight=1.0),
                        look.stepper(ctx, line["quantity"], max(line["stock"], 1), set_quantity),
                        width=FILL,
                        min_height=40.0,
                    ),
                )
            rows += [cards.line_item(ctx, line), *tail]
        return look.card(*rows, id="checkout_goods")

    def _choices(self, ctx: Context, lines: list[Any], coupon: Any, totals: ordering.Totals) -> Node:
        if coupon is not None:
            value, color = f"{coupon[f'title_{ctx.language}']}  {look.money(-totals.discount)}", "primary"
        else:
            usable = ordering.usable(ctx.phone, lines)
            value, color = ctx.tr("coupon_not_used" if usable else "coupon_none_usable"), "soft"
        note = Row(
            Text(ctx.tr("order_note"), "bodyMedium"),
            field(
                ctx,
                "note",
                hint=ctx.tr("order_note_hint"),
                weight=1.0,
                style="bodyMedium",
                text_align="end",
                max_length=80,
                height=44.0,
            ),
            gap=12.0,
            width=FILL,
            min_height=48.0,
        )
        return look.card(
            look.line_row(
                ctx.tr("delivery_time"),
                slot_text(ctx, ctx.ui["slot"]),
                ctx.show("slot"),
                "slot_row",
                value_color="onSurface",
            ),
            look.line_row(ctx.tr("coupons"), value, ctx.show("coupon"), "coupon_row", value_color=color),
            note,
            pad=(16.0, 2.0, 12.0, 2.0),
        )

    def _payments(self, ctx: Context, total: int) -> Node:
        return payment_card(ctx, ctx.ui["payment"], total, lambda key: ctx.ui.update(payment=key))

    def _submit(self, ctx: Context) -> None:
        lines = self._lines(ctx)
        if ctx.ui["address"] is None:
            ctx.toast(ctx.tr("address_choose"))
            return
        if any(line["stock"] < line["quantity"] for line in lines):
            ctx.toast(ctx.tr("stock_short_toast"))
            return
        coupon = ordering.chosen_coupon(ctx.phone, lines, ctx.ui["coupon"])
        choice = {
            "address": ctx.ui["address"],
            "slot": ctx.ui["slot"],
            "note": ctx.field("note").strip(),
            "payment": ctx.ui["payment"],
            "coupon": coupon,
            "from_cart": ctx.ui["from_cart"],
        }
        key = ordering.place(ctx.phone, lines, choice)
        ctx.focus(None)
        ctx.finish()
        ctx.go("cashier", order=key, start=True)

    def overlay_slot(self, ctx: Context) -> Node:
        """When to deliver: as soon as possible, or a day and hours."""
        state = overlay_state(ctx)
        day = int(state.setdefault("day", 1))

        def choose(slot: str) -> Handler:
            return ctx.then_dismiss(lambda: ctx.ui.update(slot=slot))

        def pick(number: int) -> Handler:
            return lambda: state.update(day=number)

        chips = []
        for number in range(1, 5):
            moment = ctx.now + timedelta(days=number)
            label = f"{month_day(moment, ctx.language)} {weekday(moment, ctx.language, short=True)}"
            chips.append(look.chip(label, number == day, pick(number), "slot_day"))
        moment = ctx.now + timedelta(days=day)
        entries = [
            (
                hours,
                f"slot_{number}",
                ctx.ui["slot"] == f"{moment:%Y-%m-%d} {hours}",
                choose(f"{moment:%Y-%m-%d} {hours}"),
            )
            for number, hours in enumerate(HOURS)
        ]
        soon = look.choices(ctx, [(ctx.tr("slot_soon"), "slot_soon", ctx.ui["slot"] == "soon", choose("soon"))])
        days = Node(
            "list",
            chips,
            axis="h",
            gap=8.0,
            width=FILL,
            pad=(20.0, 4.0, 20.0, 4.0),
            id="slot_days",
            cls="android.widget.HorizontalScrollView",
        )
        return Sheet(
            ctx, close_row(ctx, ctx.tr("delivery_time")), *soon, days, *look.choices(ctx, entries), Space(height=8.0)
        )

    def overlay_coupon(self, ctx: Context) -> Node:
        """Chooses a coupon, or none."""
        return coupon_sheet(ctx, self._lines(ctx), ctx.ui["coupon"], lambda key: ctx.ui.update(coupon=key))


def payment_card(ctx: Context, current: str, total: int, on_choose: Any) -> Node:
    """The ways to pay; the wallet only where it holds enough."""
    balance = int(store.get_setting(ctx.phone, "balance_cents", "0"))
    rows: list[Node] = [Text(ctx.tr("payment"), "titleSmall", pad=(0.0, 8.0, 0.0, 2.0))]
    for key, icon in PAYMENTS:
        able = key != "wallet" or balance >= total
        detail = ""
        if key == "wallet":
            detail = ctx.tr("wallet_balance" if able else "wallet_short", amount=look.money(balance))
        texts = [Text(ctx.tr(f"pay_{key}"), "bodyMedium", id="title")]
        if detail:
            texts.append(Text(detail, "bodySmall", "soft", id="summary"))

        def choose(key: str = key) -> None:
            on_choose(key)

        rows.append(
            Row(
                Icon(icon, 24.0, "primary", hidden_from_tree=True),
                Node("col", texts, weight=1.0),
                look.check(key == current, None, f"pay_{key}_check"),
                gap=12.0,
                width=FILL,
                min_height=52.0,
                id=f"pay_{key}",
                on_tap=choose if able else None,
                enabled=able,
                fade=1.0 if able else 0.45,
                selected=key == current,
            )
        )
    return look.card(*rows, pad=(16.0, 2.0, 4.0, 6.0), id="payment_card")


def sums(ctx: Context, goods: int, shipping: int, discount: int, total: int) -> Node:
    """Goods, shipping, discount and what is to be paid."""
    rows = [
        look.line_row(ctx.tr("sum_goods"), look.money(goods), id="sum_goods", value_color="onSurface", min_height=36.0),
        look.line_row(
            ctx.tr("sum_shipping"),
            look.money(shipping) if shipping else ctx.tr("shipping_free"),
            id="sum_shipping",
            value_color="onSurface",
            min_height=36.0,
        ),
    ]
    if discount:
        rows.append(
            look.line_row(
                ctx.tr("sum_discount"), look.money(-discount), id="sum_discount", value_color="primary", min_height=36.0
            )
        )
    rows.append(
        look.line_row(
            ctx.tr("total"), look.money(total), id="sum_total", value_color="primary", strong=True, min_height=36.0
        )
    )
    return look.card(*rows, pad=(16.0, 6.0, 16.0, 6.0))
