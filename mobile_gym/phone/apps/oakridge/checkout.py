"""The checkout: delivery, payment, review, one step after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.apps.oakridge.cart import promo_box
from mobile_gym.phone.apps.oakridge.payment import card_name
from mobile_gym.phone.apps.oakridge.placed import bill
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Checkbox, Icon, LazyList, Row, Text
from mobile_gym.phone.ui.widgets.fields import field

STEPS = ("delivery", "payment", "review")


class Checkout(Screen):
    """Three steps. Arguments: `from_cart`, or `lines` (`variant` and `quantity` each).

    Plain values: `step`, `address` (key of the book), `once` (an address for this order alone), `speed`, `gift`,
    `payment` (card or credit), `card`.
    """

    name = "checkout"
    activity = ".CheckoutActivity"

    def on_open(self, ctx: Context) -> None:
        """Starts from the defaults of the account."""
        default = store.address(ctx.phone)
        cards = store.cards(ctx.phone)
        ctx.ui.update(
            step=0,
            address=None if default is None else default["_id"],
            once=None,
            speed="standard",
            gift=False,
            payment="card",
            card=cards[0]["_id"] if cards else None,
        )
        store.end_list(ctx, self.name)

    def on_resume(self, ctx: Context) -> None:
        """No list is in front."""
        store.end_list(ctx, self.name)

    def on_back(self, ctx: Context) -> bool:
        """Back goes to the step before."""
        if ctx.ui["step"] == 0:
            return False
        self._go(ctx, ctx.ui["step"] - 1)
        return True

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """An address or a card that was added is the one to use."""
        if "address" in result:
            ctx.ui.update(address=result["address"], once=None)
        if "once" in result:
            ctx.ui["once"] = dict(result["once"])
        if "card" in result:
            ctx.ui.update(card=result["card"], payment="card")

    def _go(self, ctx: Context, step: int) -> None:
        ctx.focus(None)
        ctx.ui["step"] = step
        ctx.record["scroll"].pop("checkout_list", None)

    def _lines(self, ctx: Context) -> list[store.Row]:
        if ctx.args.get("lines"):
            return store.lines_of(ctx.phone, ctx.args["lines"])
        return store.cart_lines(ctx.phone)

    def _address(self, ctx: Context) -> store.Row | None:
        once: store.Row | None = ctx.ui["once"]
        return once or store.address(ctx.phone, ctx.ui["address"] or 0)

    def _speed(self, ctx: Context, lines: list[store.Row]) -> str:
        return str(ctx.ui["speed"]) if ordering.takes_express(lines) else "standard"

    def _totals(self, ctx: Context, lines: list[store.Row]) -> ordering.Totals:
        place = self._address(ctx)
        code = ordering.promo_in_force(ctx.phone, lines)
        state = "OR" if place is None else place["state"]
        return ordering.total(lines, self._speed(ctx, lines), ctx.ui["gift"], code, state)

    def build(self, ctx: Context) -> Node:
        """The steps' names over the step in front, and the button that goes on."""
        lines = self._lines(ctx)
        step = int(ctx.ui["step"])
        top = Node("col", (look.bar(ctx, ctx.tr("checkout")), self._steps(ctx, step)), width=FILL, bg="header")
        if not lines:
            return look.page(ctx, Node("box", (look.empty("cart-outline", ctx.tr("cart_empty")),)), top)
        builder = (self._delivery, self._payment, self._review)[step]
        body = LazyList([look.gap(), *builder(ctx, lines), look.gap()], id="checkout_list")
        return look.page(ctx, body, top, self._foot(ctx, step, lines))

    def _steps(self, ctx: Context, current: int) -> Node:
        cells = []
        for number, key in enumerate(STEPS):
            done, here = number < current, number == current
            ink = "onHeader" if here or done else "headerSoft"
            mark = "check-circle" if done else f"numeric-{number + 1}-circle" + ("" if here else "-outline")
            cells.append(
                Row(
                    Icon(mark, 20.0, "action" if here else ink, hidden_from_tree=True),
                    Text(
                        ctx.tr(f"step_{key}"),
                        "labelLarge",
                        ink,
                        max_lines=1,
                        text_weight=700 if here else 500,
                        hidden_from_tree=True,
                    ),
                    gap=5.0,
                    weight=1.0,
                    justify="center",
                    min_height=40.0,
                    id=f"step_{key}",
                    text=ctx.tr(f"step_{key}"),
                    selected=here,
                    on_tap=(lambda number=number: self._go(ctx, number)) if done else None,
                )
            )
        return Row(*cells, width=FILL, pad=(8.0, 0.0, 8.0, 6.0), id="steps")

    def _foot(self, ctx: Context, step: int, lines: list[store.Row]) -> Node:
        total = look.money(self._totals(ctx, lines).total)
        amount = Node(
            "col",
            (
                Text(ctx.tr("order_total"), "bodySmall", "soft", max_lines=1),
                Text(total, "titleMedium", text_weight=700, max_lines=1, id="foot_total"),
            ),
            min_width=92.0,
        )
        if step < 2:
            ready = self._address(ctx) is not None if step == 0 else self._can_pay(ctx, lines)
            label = ctx.tr(f"continue_{STEPS[step + 1]}")
            go = look.button(label, lambda: self._go(ctx, step + 1), "checkout_continue", enabled=ready, weight=1.0)
        else:
            go = look.button(ctx.tr("place_order"), lambda: self._place(ctx, lines), "place_order", weight=1.0)
        return look.footer(amount, go, gap=12.0)

    def _can_pay(self, ctx: Context, lines: list[store.Row]) -> bool:
        if ctx.ui["payment"] == "credit":
            return store.credit(ctx.phone) >= self._totals(ctx, lines).total
        return store.card(ctx.phone, ctx.ui["card"]) is not None

    # ---- the first step

    def _delivery(self, ctx: Context, lines: list[store.Row]) -> list[Node]:
        once = ctx.ui["once"]

        def choose(key: int) -> Handler:
            return lambda: ctx.ui.update(address=key, once=None)

        entries = [
            look.radio_row(
                row["name"],
                store.address_text(row),
                once is None and row["_id"] == ctx.ui["address"],
                choose(row["_id"]),
                "ship_to",
            )
            for row in store.addresses(ctx.phone)
        ]
        if once is not None:
            entries.append(look.radio_row(once["name"], store.address_text(once), True, None, "ship_to_once"))
        more = Row(
            look.link(ctx.tr("address_add"), ctx.open("address_edit"), "checkout_address_add"),
            look.link(ctx.tr("address_other"), ctx.open("address_edit", once=True), "checkout_address_once"),
            gap=20.0,
            width=FILL,
        )
        able = ordering.takes_express(lines)
        speed = self._speed(ctx, lines)
        free = ordering.goods(lines) >= ordering.FREE_FROM_CENTS

        def faster(key: str) -> Handler:
            return lambda: ctx.ui.update(speed=key)

        speeds = []
        for key in ordering.SPEEDS:
            cents = ordering.EXPRESS_CENTS if key == "express" else 0 if free else ordering.STANDARD_CENTS
            comes = ctx.tr("arrives", day=look.day(ctx, ordering.arrival(ctx.now_ms, key)))
            enabled = key == "standard" or able
            amount = ctx.tr("free") if cents == 0 else look.money(cents)
            price = Text(amount, "bodyLarge", text_weight=600, max_lines=1, id="speed_price")
            speeds.append(
                look.radio_row(
                    ctx.tr(f"speed_{key}"),
                    comes if enabled else ctx.tr("express_not"),
                    key == speed,
                    faster(key),
                    f"speed_{key}",
                    price,
                    enabled,
                )
            )
        return [
            look.section(look.title(ctx.tr("ship_to")), look.chosen_list(entries), more),
            look.gap(),
            look.section(look.title(ctx.tr("speed")), look.chosen_list(speeds)),
            look.gap(),
            self._gift(ctx),
        ]

    def _gift(self, ctx: Context) -> Node:
        on = bool(ctx.ui["gift"])
        row = Row(
            Checkbox(on),
            Node(
                "col",
                (
                    Text(ctx.tr("gift_title"), "bodyLarge", text_weight=600, hidden_from_tree=True),
                    Text(ctx.tr("gift_note", amount=look.money(ordering.WRAP_CENTS)), "bodySmall", "soft"),
                ),
                weight=1.0,
                gap=1.0,
            ),
            gap=12.0,
            width=FILL,
            min_height=48.0,
            id="gift_toggle",
            text=ctx.tr("gift_title"),
            checkable=True,
            checked=on,
            on_tap=ctx.toggle_ui("gift"),
        )
        if not on:
            return look.section(row)
        message = field(
            ctx,
            "gift_message",
            hint=ctx.tr("gift_message"),
            max_length=120,
            multiline=True,
            max_lines=3,
            width=FILL,
            min_height=64.0,
            radius=8.0,
            border=1.0,
            border_color="outline",
            pad=(12.0, 10.0, 12.0, 10.0),
        )
        return look.section(row, message)

    # ---- the second step

    def _payment(self, ctx: Context, lines: list[store.Row]) -> list[Node]:
        def choose(kind: str, key: int | None) -> Handler:
            return lambda: ctx.ui.update(payment=kind, **({} if key is None else {"card": key}))

        by_card = ctx.ui["payment"] == "card"
        entries = [
            look.radio_row(
                card_name(row),
                ctx.tr("card_until", date=row["expires"]),
                by_card and row["_id"] == ctx.ui["card"],
                choose("card", row["_id"]),
                "pay_card",
            )
            for row in store.cards(ctx.phone)
        ]
        credit = store.credit(ctx.phone)
        enough = credit >= self._totals(ctx, lines).total
        note = (
            ctx.tr("credit_has", amount=look.money(credit))
            if enough
            else ctx.tr("credit_short", amount=look.money(credit))
        )
        entries.append(
            look.radio_row(ctx.tr("credit"), note, not by_card, choose("credit", None), "pay_credit", None, enough)
        )
        more = look.link(ctx.tr("card_add"), ctx.open("card_edit"), "checkout_card_add")
        return [
            look.section(look.title(ctx.tr("pay_with")), look.chosen_list(entries), more),
            look.gap(),
            promo_box(ctx, lines),
        ]

    # ---- the third step

    def _review(self, ctx: Context, lines: list[store.Row]) -> list[Node]:
        place = self._address(ctx)
        speed = self._speed(ctx, lines)
        comes = look.day(ctx, ordering.arrival(ctx.now_ms, speed))
        card = store.card(ctx.phone, ctx.ui["card"])
        pay = ctx.tr("credit") if ctx.ui["payment"] == "credit" else "" if card is None else card_name(card)
        name = "" if place is None else place["name"]
        text = "" if place is None else store.address_text(place)
        items = [self._item(ctx, line) for line in lines]
        gift = f" \u00b7 {ctx.tr('gift_short')}" if ctx.ui["gift"] else ""
        return [
            look.section(
                self._part(ctx, 0, ctx.tr("ship_to"), name, text),
                look.divider(),
                self._part(ctx, 0, ctx.tr("speed"), f"{ctx.tr(f'speed_{speed}')}{gift}", ctx.tr("arrives", day=comes)),
                look.divider(),
                self._part(ctx, 1, ctx.tr("pay_with"), pay, ""),
            ),
            look.gap(),
            look.section(look.title(ctx.tr("items", count=sum(line["quantity"] for line in lines))), *items, gap=10.0),
            look.gap(),
            look.section(look.title(ctx.tr("summary")), *bill(ctx, self._totals(ctx, lines)), gap=4.0),
        ]

    def _part(self, ctx: Context, step: int, title: str, first: str, second: str) -> Node:
        texts = [
            Text(title, "bodySmall", "soft", max_lines=1),
            Text(first, "bodyLarge", text_weight=600, id="review_value"),
            *([Text(second, "bodyMedium", "soft", id="review_detail")] if second else []),
        ]
        change = look.link(ctx.tr("change"), lambda: self._go(ctx, step), "change")
        return Row(Node("col", texts, weight=1.0, gap=1.0), change, gap=10.0, width=FILL, min_height=52.0)

    def _item(self, ctx: Context, line: store.Row) -> Node:
        about = ", ".join(part for part in (line["variant"], ctx.tr("quantity_of", count=line["quantity"])) if part)
        return Row(
            look.picture(line["picture"], 56.0),
            Node(
                "col",
                (
                    Text(line["name"], "bodyMedium", max_lines=2, id="title"),
                    Text(about, "bodySmall", "soft", max_lines=2, id="variant"),
                ),
                weight=1.0,
                gap=1.0,
            ),
            Text(
                look.money(line["price_cents"] * line["quantity"]),
                "bodyMedium",
                text_weight=600,
                max_lines=1,
                id="line_sum",
            ),
            gap=12.0,
            width=FILL,
        )

    def _place(self, ctx: Context, lines: list[store.Row]) -> None:
        place = self._address(ctx)
        short = next((line for line in lines if line["quantity"] > line["stock"]), None)
        if short is not None:
            ctx.toast(ctx.tr("cart_short", name=short["name"]))
            return
        if place is None or not self._can_pay(ctx, lines):
            self._go(ctx, 0 if place is None else 1)
            return
        key = ordering.place(
            ctx.phone,
            lines,
            {
                "address": place,
                "speed": self._speed(ctx, lines),
                "gift": bool(ctx.ui["gift"]),
                "gift_message": ctx.field("gift_message").strip(),
                "payment": ctx.ui["payment"],
                "card_id": ctx.ui["card"],
                "promo": ordering.promo_in_force(ctx.phone, lines),
                "from_cart": not ctx.args.get("lines"),
            },
        )
        ctx.finish()
        ctx.go("placed", order=key)
