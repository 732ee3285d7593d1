"""Bank cards: the list, one card, adding one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.wallet import parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Chip, Column, Dialog, EmptyState, Icon, IconButton, Row, SwitchRow, Text


def card_face(card: store.Row, kind: str, badge: str = "", on_tap: Any = None) -> Node:
    """A card as it looks: bank, kind, number."""
    head = [
        Icon("bank", 22.0, "#FFFFFF", hidden_from_tree=True),
        Column(
            Text(card["bank"], "titleMedium", "#FFFFFF", max_lines=2, id="card_bank"),
            Text(kind, "bodySmall", "#F0F3F8", max_lines=1),
            weight=1.0,
        ),
    ]
    if badge:
        head.append(
            Row(
                Text(badge, "labelSmall", "#FFFFFF", max_lines=1),
                pad=(8.0, 3.0, 8.0, 3.0),
                radius=10.0,
                border=1.0,
                border_color="#FFFFFF",
                hidden_from_tree=True,
            )
        )
    number = Text(f"****  ****  ****  {card['tail']}", "titleLarge", "#FFFFFF", max_lines=1, id="card_number")
    surface = Column(
        Row(*head, gap=12.0, width=FILL, hidden_from_tree=True),
        number,
        gap=18.0,
        width=FILL,
        pad=16.0,
        radius=14.0,
        bg=store.bank_color(card["bank"]),
        on_tap=on_tap,
        id="card_row",
    )
    return Node("box", (surface,), width=FILL, pad=(12.0, 0.0, 12.0, 10.0), hidden_from_tree=True)


class Cards(Screen):
    """The user's cards."""

    name = "cards"
    activity = ".card.CardListActivity"

    def build(self, ctx: Context) -> Node:
        """Cards, the default one first, and a way to add one."""
        found = store.cards(ctx.phone)

        def row(card: store.Row) -> Node:
            badge = ctx.tr("default_card") if card["is_default"] else ""
            return card_face(card, ctx.tr(f"card_{card['kind']}"), badge, ctx.open("card", id=card["_id"]))

        actions = [IconButton("plus", ctx.open("add_card"), ctx.tr("add_card"), id="add_card_action")]
        return parts.page(
            ctx,
            ctx.tr("service_cards"),
            found,
            row=row,
            actions=actions,
            empty=EmptyState("credit-card-off-outline", ctx.tr("no_cards")),
            bottom=parts.wide_button(ctx.tr("add_card"), ctx.open("add_card"), "add_card"),
            id="card_list",
        )


class Card(Screen):
    """One card: default, unbinding."""

    name = "card"
    activity = ".card.CardDetailActivity"

    def build(self, ctx: Context) -> Node:
        """The card, its facts, what can be done with it."""
        card = store.card(ctx.phone, parts.key(ctx))
        if card is None:
            return parts.page(
                ctx, ctx.tr("card_title"), [], empty=EmptyState("credit-card-off-outline", ctx.tr("card_gone"))
            )
        default = bool(card["is_default"])

        def choose(on: bool) -> None:
            if on:
                ctx.db.update("cards", card["_id"], is_default=1)
                ctx.toast(ctx.tr("default_done"))
            else:
                ctx.toast(ctx.tr("default_needed"))

        facts = parts.panel(
            parts.fact(ctx, ctx.tr("bank"), card["bank"]),
            parts.fact(
                ctx,
                ctx.tr("card_kind"),
                ctx.tr(f"card_{card['kind']}") if card["kind"] in ("debit", "credit") else card["kind"],
            ),
            parts.fact(ctx, ctx.tr("card_phone"), store.masked(card["phone"])),
            parts.fact(ctx, ctx.tr("pay_limit"), ctx.tr("pay_limit_text")),
            pad=(0.0, 6.0, 0.0, 6.0),
        )
        menu = parts.panel(
            SwitchRow(ctx.tr("set_default"), default, choose, ctx.tr("set_default_text"), id="set_default"),
            parts.entry(
                ctx,
                "receipt-text-outline",
                "inkBlue",
                ctx.tr("card_bills"),
                ctx.open("bills", card=card["_id"]),
                "",
                "card_bills",
            ),
        )
        bottom = parts.wide_button(ctx.tr("unbind_card"), ctx.show("unbind"), "unbind_card", tone="tonal")
        rows = [
            card_face(card, ctx.tr(f"card_{card['kind']}") if card["kind"] in ("debit", "credit") else card["kind"]),
            facts,
            menu,
        ]
        return parts.page(ctx, ctx.tr("card_title"), rows, bottom=bottom)

    def overlay_unbind(self, ctx: Context) -> Node:
        """Asks before the PIN is asked."""
        return Dialog(
            ctx,
            ctx.tr("unbind_card"),
            ctx.tr("unbind_card_text"),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("unbind"), ctx.then_dismiss(ctx.go, "pin"))],
        )

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """The PIN was right: the card goes."""
        if result.get("verified"):
            ctx.db.delete("cards", parts.key(ctx))
            ctx.finish()
            ctx.toast(ctx.tr("unbound"))


class AddCard(Screen):
    """Adds a card by its number."""

    name = "add_card"
    activity = ".card.AddCardActivity"

    def on_open(self, ctx: Context) -> None:
        """The owner's own name and number are filled in."""
        mine = store.account(ctx.phone)
        ctx.set_field("holder", mine["real_name"])
        ctx.set_field("phone", mine["phone"])

    def build(self, ctx: Context) -> Node:
        """The form; the bank shows as soon as its digits are known."""
        wrong: Mapping[str, str] = ctx.ui.get("wrong") or {}
        number = ctx.field("number").replace(" ", "")
        kind = str(ctx.ui.get("kind", "debit"))
        chips = [
            Chip(ctx.tr(f"kind_{name}"), name == kind, ctx.set_ui("kind", name), id=f"kind_{name}")
            for name in ("debit", "credit")
        ]
        form = parts.panel(
            parts.text_row(
                ctx, "holder", ctx.tr("holder"), ctx.tr("holder_hint"), error=wrong.get("holder", ""), max_length=20
            ),
            parts.text_row(
                ctx,
                "number",
                ctx.tr("card_number"),
                ctx.tr("card_number_hint"),
                error=wrong.get("number", ""),
                input_type="number",
                max_length=19,
            ),
            *(
                (parts.fact(ctx, ctx.tr("bank"), store.bank_of(number, ctx.language), "bank_name"),)
                if len(number) >= 6
                else ()
            ),
            Row(
                Text(ctx.tr("card_kind"), "bodyLarge", width=96.0),
                *chips,
                gap=8.0,
                width=FILL,
                min_height=56.0,
                pad=(16.0, 4.0, 8.0, 4.0),
            ),
            parts.text_row(
                ctx,
                "phone",
                ctx.tr("card_phone"),
                ctx.tr("phone_number"),
                error=wrong.get("phone", ""),
                input_type="phone",
                max_length=16,
            ),
            pad=(0.0, 6.0, 0.0, 6.0),
        )
        note = Text(ctx.tr("add_card_note"), "bodySmall", "onSurfaceVariant", pad=(28.0, 0.0, 28.0, 0.0))
        return parts.page(
            ctx,
            ctx.tr("add_card"),
            [form, note],
            bottom=parts.wide_button(ctx.tr("agree_and_add"), lambda: self._add(ctx), "add_button"),
        )

    def _add(self, ctx: Context) -> None:
        number, holder, phone = (
            ctx.field("number").replace(" ", ""),
            ctx.field("holder").strip(),
            normalise(ctx.field("phone")),
        )
        wrong = {}
        if not holder:
            wrong["holder"] = ctx.tr("wrong_name")
        if not store.valid_card(number):
            wrong["number"] = ctx.tr("wrong_card")
        elif ctx.db.value("SELECT 1 FROM cards WHERE number = ?", number):
            wrong["number"] = ctx.tr("card_known")
        if not store.valid_mobile(phone, ctx.language):
            wrong["phone"] = ctx.tr("wrong_number")
        ctx.ui["wrong"] = wrong
        if wrong:
            return
        ctx.focus(None)
        ctx.go("pin", about="add")

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """The PIN was right: the card is added."""
        if not result.get("verified"):
            return
        number = ctx.field("number").replace(" ", "")
        ctx.db.insert(
            "cards",
            bank=store.bank_of(number, ctx.language),
            kind=str(ctx.ui.get("kind", "debit")),
            number=number,
            phone=normalise(ctx.field("phone")),
            date=ctx.now_ms,
        )
        ctx.finish()
        ctx.toast(ctx.tr("card_added"))
