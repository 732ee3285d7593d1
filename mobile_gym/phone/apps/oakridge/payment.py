"""Payment: cards, store credit, promo codes on offer."""

from __future__ import annotations

import re

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.apps.oakridge.cart import offer_text
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, LazyList, Row, Text, TextField

_EXPIRES = re.compile(r"(0[1-9]|1[0-2])/?(\d{2})$")
_NETWORKS = {"2": "Mastercard", "3": "American Express", "4": "Visa", "5": "Mastercard", "6": "Discover"}


def card_name(row: store.Row) -> str:
    """A card's network and last digits: `Visa ending in 4417` in the shortest form."""
    return f"{row['network']} \u2022\u2022\u2022\u2022 {row['last4']}"


class Payment(Screen):
    """Store credit and cards."""

    name = "payment"
    activity = ".PaymentActivity"

    def build(self, ctx: Context) -> Node:
        """What is there of each."""
        balance = look.section(
            Text(ctx.tr("credit"), "bodyMedium", "soft"),
            look.price(store.credit(ctx.phone), 30.0, id="credit"),
            Text(ctx.tr("credit_note"), "bodySmall", "soft"),
            gap=4.0,
        )
        parts: list[Node] = [balance, look.gap(), look.section(look.title(ctx.tr("cards")))]
        for row in store.cards(ctx.phone):
            parts += [look.divider(), self._card(ctx, row)]
        add = look.button(ctx.tr("card_add"), ctx.open("card_edit"), "card_add", "filled", weight=1.0)
        return look.page(ctx, LazyList(parts, id="card_list"), look.bar(ctx, ctx.tr("payment")), look.footer(add))

    def _card(self, ctx: Context, row: store.Row) -> Node:
        key = row["_id"]
        about = f"{row['holder']} \u00b7 {ctx.tr('card_until', date=row['expires'])}"
        texts = [
            Text(card_name(row), "titleMedium", max_lines=1, id="card_name"),
            Text(about, "bodyMedium", "soft", max_lines=1, id="card_about"),
        ]
        if row["is_default"]:
            texts.append(Text(ctx.tr("card_default"), "labelMedium", "good", max_lines=1, id="default_mark"))
        deeds = [look.button(ctx.tr("remove"), ctx.show("remove_card", card=key), "card_remove", "line", 38.0)]
        if not row["is_default"]:
            deeds.append(
                look.button(
                    ctx.tr("card_set_default"),
                    lambda: store.set_default(ctx.phone, "cards", key),
                    "card_set_default",
                    "line",
                    38.0,
                )
            )
        head = Row(
            Icon("credit-card-outline", 28.0, "primary", hidden_from_tree=True),
            Node("col", texts, weight=1.0, gap=2.0),
            gap=14.0,
            width=FILL,
        )
        return look.section(head, Row(*deeds, gap=8.0, width=FILL), gap=10.0, id="card")

    def overlay_remove_card(self, ctx: Context, card: int) -> Node:
        """Asks before a card is removed."""
        row = store.card(ctx.phone, card)
        act = ctx.then_dismiss(store.database(ctx.phone).delete, "cards", card)
        return Dialog(
            ctx,
            ctx.tr("card_remove_ask"),
            "" if row is None else card_name(row),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("remove"), act)),
        )


class CardEdit(Screen):
    """Adds a card; only its last digits are kept."""

    name = "card_edit"
    activity = ".CardEditActivity"

    def on_open(self, ctx: Context) -> None:
        """No errors yet."""
        ctx.ui["errors"] = {}

    def build(self, ctx: Context) -> Node:
        """Number, holder, month and year."""
        errors = ctx.ui["errors"]

        def text(name: str, kind: str, most: int) -> Node:
            return TextField(
                ctx,
                f"card_{name}",
                ctx.tr(f"card_{name}"),
                input_type=kind,
                max_length=most,
                error=errors.get(name, ""),
                action="next",
            )

        form = look.section(
            text("number", "number", 16), text("holder", "text", 30), text("expires", "text", 5), gap=12.0
        )
        save = look.button(ctx.tr("card_save"), lambda: self._save(ctx), "card_save", "filled", weight=1.0)
        return look.page(
            ctx, LazyList([form], id="card_form"), look.bar(ctx, ctx.tr("card_add")), look.footer(save), bg="card"
        )

    def _save(self, ctx: Context) -> None:
        number = ctx.field("card_number").strip()
        holder = ctx.field("card_holder").strip()
        expires = _EXPIRES.match(ctx.field("card_expires").strip())
        errors = {}
        if len(number) not in (15, 16) or number[0] not in _NETWORKS:
            errors["number"] = ctx.tr("card_number_bad")
        if not holder:
            errors["holder"] = ctx.tr("missing")
        if expires is None:
            errors["expires"] = ctx.tr("card_expires_bad")
        elif (int(expires[2]) + 2000, int(expires[1])) < (ctx.now.year, ctx.now.month):
            errors["expires"] = ctx.tr("card_expired")
        ctx.ui["errors"] = errors
        if errors or expires is None:
            return
        ctx.focus(None)
        key = store.database(ctx.phone).insert(
            "cards",
            network=_NETWORKS[number[0]],
            last4=number[-4:],
            holder=holder,
            expires=f"{expires[1]}/{expires[2]}",
        )
        ctx.finish({"card": key})


class Offers(Screen):
    """Promo codes."""

    name = "offers"
    activity = ".OffersActivity"

    def build(self, ctx: Context) -> Node:
        """Those that are good first."""
        rows = store.database(ctx.phone).rows("SELECT * FROM promos ORDER BY expires_at, _id")
        good = [row for row in rows if row["expires_at"] > ctx.now_ms and not row["used"]]
        rest = [row for row in rows if row not in good]
        parts: list[Node] = [look.gap()]
        for row in (*good, *rest):
            parts += [self._card(ctx, row, row in good), look.gap()]
        return look.page(ctx, LazyList(parts, id="offer_list"), look.bar(ctx, ctx.tr("offers")))

    def _card(self, ctx: Context, row: store.Row, good: bool) -> Node:
        def use() -> None:
            ordering.set_cart_promo(ctx.phone, row["code"])
            ctx.toast(ctx.tr("offer_in_cart", code=row["code"]))

        if good:
            until = ctx.tr("offer_until", day=look.day(ctx, row["expires_at"]))
        else:
            until = ctx.tr("promo_used" if row["used"] else "offer_expired")
        texts = (
            Text(row["code"], "titleMedium", text_weight=700, max_lines=1, id="offer_code"),
            Text(offer_text(ctx, row), "bodyMedium", id="offer_text"),
            Text(until, "bodySmall", "soft", max_lines=1, id="offer_until"),
        )
        parts: list[Node] = [
            Icon("ticket-percent-outline", 28.0, "primary" if good else "outline", hidden_from_tree=True),
            Node("col", texts, weight=1.0, gap=2.0),
        ]
        if good:
            mine = ordering.cart_promo(ctx.phone) == row["code"]
            label = ctx.tr("offer_applied" if mine else "offer_use")
            parts.append(
                look.button(
                    label,
                    use,
                    "offer_use",
                    "line" if mine else "action",
                    40.0,
                    not mine,
                    desc=f"{label}, {row['code']}",
                )
            )
        return look.section(Row(*parts, gap=12.0, width=FILL, id="offer", fade=1.0 if good else 0.5))
