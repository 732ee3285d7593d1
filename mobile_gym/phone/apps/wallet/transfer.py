"""Transfers: to whom, to which card, how much."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.wallet import ledger, parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Avatar,
    Dialog,
    EmptyState,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Row,
    Scaffold,
    SearchField,
    Text,
    TopBar,
)

_COLORS = ("#1F6FEB", "#0E9AA0", "#1F9D55", "#C96A0A", "#C8453A", "#6E55C8")


def face(name: str, size: float = 40.0) -> Node:
    """A person's disc."""
    color = _COLORS[sum(map(ord, name)) % len(_COLORS)]
    letter = name.split(" ")[-1][:1] if name[:1] > "\u2e80" else name[:1]
    return Avatar(letter.upper(), size, color, hidden_from_tree=True)


class Transfer(Screen):
    """The two kinds of transfer, and people paid lately."""

    name = "transfer"
    activity = ".transfer.TransferHomeActivity"

    def build(self, ctx: Context) -> Node:
        """Ways, then recent payees."""
        ways = parts.panel(
            parts.entry(
                ctx,
                "account-arrow-right",
                "inkBlue",
                ctx.tr("to_wallet"),
                ctx.open("transfer_to"),
                "",
                "to_wallet",
                ctx.tr("to_wallet_text"),
            ),
            parts.entry(
                ctx,
                "bank-transfer",
                "inkTeal",
                ctx.tr("to_card"),
                ctx.open("transfer_card"),
                "",
                "to_card",
                ctx.tr("to_card_text"),
            ),
            parts.entry(
                ctx,
                "history",
                "inkPurple",
                ctx.tr("transfer_records"),
                ctx.open("bills", category="transfer"),
                "",
                "transfer_records",
            ),
        )
        recent = ctx.db.rows("SELECT * FROM payees ORDER BY last_used DESC, _id DESC LIMIT 20")
        rows: list[Any] = [ways]
        if recent:
            rows += [parts.panel(parts.heading(ctx.tr("recent_payees")), below=0.0, bg="page"), *recent]
        return parts.page(ctx, ctx.tr("service_transfer"), rows, row=lambda payee: payee_row(ctx, payee))

    def overlay_payee(self, ctx: Context, id: int) -> Node:
        """Takes a payee off the list."""
        return forget_sheet(ctx, id)


def forget_sheet(ctx: Context, id: int) -> Node:
    """What can be done with a payee."""
    payee = ctx.db.row("SELECT * FROM payees WHERE _id = ?", id)

    def delete() -> None:
        ctx.db.delete("payees", id)

    row = ListRow(ctx.tr("delete_payee"), icon="trash-can-outline", on_tap=ctx.then_dismiss(delete), id="delete_payee")
    return parts.sheet(ctx, "" if payee is None else payee["name"], [row])


def payee_row(ctx: Context, payee: store.Row) -> Node:
    """A payee; a long press offers to forget it."""
    is_card = payee["kind"] == "card"
    detail = f"{payee['bank']} ({store.tail(payee['account'])})" if is_card else store.masked(payee["account"])
    tap = (
        ctx.open("transfer_card", name=payee["name"], number=payee["account"])
        if is_card
        else ctx.open("transfer_amount", to=payee["account"], name=payee["name"])
    )
    row = ListRow(
        payee["name"],
        detail,
        leading=face(payee["name"]),
        trailing=Text(parts.age(ctx, payee["last_used"]), "bodySmall", "onSurfaceVariant", max_lines=1),
        on_tap=tap,
        on_long_press=ctx.show("payee", id=payee["_id"]),
        id="payee_row",
    )
    return parts.panel(row, below=2.0)


class TransferTo(Screen):
    """Chooses a wallet account: by number, or among the phone's contacts."""

    name = "transfer_to"
    activity = ".transfer.ChooseAccountActivity"

    def build(self, ctx: Context) -> Node:
        """A field for name or number over the contacts."""
        query = ctx.field("query").strip()
        people = [p for p in store.mobiles(ctx.phone, ctx.language) if not query or p.matches(query)]

        def go() -> None:
            text = ctx.field("query").strip()
            if store.valid_mobile(text, ctx.language):
                ctx.go("transfer_amount", to=normalise(text))
            elif len(people) == 1 and text:
                ctx.go("transfer_amount", to=normalise(people[0].number), name=people[0].name)
            else:
                ctx.ui["wrong"] = ctx.tr("no_such_account")

        bar = SearchField(
            ctx,
            "query",
            ctx.tr("account_hint"),
            height=48.0,
            on_change=lambda _: ctx.ui.pop("wrong", None),
            on_submit=go,
            input_type="text",
        )
        head = [Node("box", (bar,), width=FILL, pad=(12.0, 4.0, 12.0, 8.0), hidden_from_tree=True)]
        if ctx.ui.get("wrong"):
            head.append(Text(str(ctx.ui["wrong"]), "bodyMedium", "alert", id="query_error", pad=(28.0, 0.0, 16.0, 8.0)))
        listed = LazyList(
            people,
            row=lambda p: ListRow(
                p.name,
                store.masked(normalise(p.number)),
                leading=face(p.name),
                on_tap=ctx.open("transfer_amount", to=normalise(p.number), name=p.name),
                id="contact_row",
                bg="card",
            ),
            id="contact_list",
            empty=EmptyState("account-search-outline", ctx.tr("nobody_found")),
        )
        body = Node("col", (*head, listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True)
        return Scaffold(
            body,
            top=TopBar(ctx, ctx.tr("to_wallet")),
            bottom=parts.wide_button(ctx.tr("next"), go, "next_button", bool(query)),
            bg="page",
        )


class TransferAmount(Screen):
    """How much goes to a wallet account, and a note."""

    name = "transfer_amount"
    activity = ".transfer.TransferAmountActivity"

    def on_open(self, ctx: Context) -> None:
        """Fills in what a link or a code asked for."""
        to = str(ctx.args.get("to", ""))
        if not ctx.args.get("merchant") and not store.valid_mobile(to, ctx.language):
            person = next((p for p in store.mobiles(ctx.phone, ctx.language) if to and to == p.name), None)
            if person is not None:
                ctx.args.update(to=normalise(person.number), name=person.name)
            elif to:
                ctx.args["merchant"] = "1"
        if store.parse_amount(str(ctx.args.get("amount", ""))) is not None:
            ctx.set_field("amount", str(ctx.args["amount"]))
        if ctx.args.get("note"):
            ctx.set_field("note", str(ctx.args["note"]))
        ctx.focus("amount")

    def _payee(self, ctx: Context) -> tuple[str, str, bool]:
        to = str(ctx.args.get("to", ""))
        if ctx.args.get("merchant"):
            return to, "", False
        known = ctx.args.get("name") or store.owner(ctx.phone, to)
        paid = ctx.db.value("SELECT name FROM payees WHERE kind = 'wallet' AND account = ?", to)
        return str(known or paid or ctx.tr("user_of", tail=store.tail(to))), to, not (known or paid)

    def build(self, ctx: Context) -> Node:
        """The payee, the amount, a note."""
        name, account, stranger = self._payee(ctx)
        merchant = bool(ctx.args.get("merchant"))
        payee = Row(
            face(name, 48.0) if not merchant else parts.glyph("store", "inkOrange", 48.0),
            Node(
                "col",
                (
                    Text(name, "titleMedium", id="payee_name"),
                    *(
                        (Text(store.masked(account), "bodyMedium", "onSurfaceVariant", id="payee_account"),)
                        if account
                        else ()
                    ),
                ),
                weight=1.0,
            ),
            gap=14.0,
            width=FILL,
            pad=16.0,
        )
        rows = [
            parts.panel(payee),
            parts.panel(
                parts.amount_field(
                    ctx,
                    "amount",
                    ctx.tr("pay_amount_label" if merchant else "transfer_amount_label"),
                    error=str(ctx.ui.get("wrong", "")),
                    note=ctx.tr("balance_is", amount=store.yuan(store.account(ctx.phone)["balance_cents"])),
                )
            ),
            parts.panel(parts.text_row(ctx, "note", ctx.tr("note"), ctx.tr("note_hint"), max_length=30)),
        ]
        if stranger:
            rows.insert(1, parts.panel(parts.banner(ctx.tr("stranger_warning"), "alert-outline", id="stranger")))
        title = ctx.tr("pay_merchant" if merchant else "to_wallet")
        return parts.page(ctx, title, rows, bottom=parts.wide_button(ctx.tr("next"), self._next(ctx), "next_button"))

    def _next(self, ctx: Context) -> Handler:
        def handle() -> None:
            name, account, stranger = self._payee(ctx)
            cents = store.parse_amount(ctx.field("amount"))
            if cents is None or not name:
                ctx.ui["wrong"] = ctx.tr("wrong_amount")
                return
            if account and account == store.account(ctx.phone)["phone"]:
                ctx.ui["wrong"] = ctx.tr("not_to_self")
                return
            ctx.focus(None)
            order: ledger.Order = {
                "kind": "pay" if ctx.args.get("merchant") else "transfer",
                "target": "wallet",
                "amount": cents,
                "title": name,
                "to": name,
                "account": account,
                "note": ctx.field("note").strip(),
                "via": ["balance", "fund", "card"],
                "stranger": stranger,
            }
            ctx.go("cashier", order=order)

        return handle


class TransferCard(Screen):
    """A transfer to a bank card: name, number, amount."""

    name = "transfer_card"
    activity = ".transfer.TransferCardActivity"

    def on_open(self, ctx: Context) -> None:
        """Fills in a payee that was chosen."""
        if ctx.args.get("name"):
            ctx.set_field("name", str(ctx.args["name"]))
        if ctx.args.get("number"):
            ctx.set_field("number", str(ctx.args["number"]))

    def build(self, ctx: Context) -> Node:
        """The form."""
        wrong: Mapping[str, str] = ctx.ui.get("wrong") or {}
        number = ctx.field("number").replace(" ", "")
        bank = store.bank_of(number, ctx.language) if len(number) >= 6 else ""
        rows = [
            parts.panel(
                parts.text_row(
                    ctx,
                    "name",
                    ctx.tr("receiver"),
                    ctx.tr("receiver_hint"),
                    error=wrong.get("name", ""),
                    max_length=20,
                    action="next",
                ),
                parts.text_row(
                    ctx,
                    "number",
                    ctx.tr("card_number"),
                    ctx.tr("card_number_hint"),
                    error=wrong.get("number", ""),
                    input_type="number",
                    max_length=19,
                    trailing=IconButton("history", ctx.show("recent"), ctx.tr("recent_payees"), id="recent_cards"),
                ),
                *((parts.fact(ctx, ctx.tr("bank"), bank, "bank_name"),) if bank else ()),
            ),
            parts.panel(
                parts.amount_field(
                    ctx,
                    "amount",
                    ctx.tr("transfer_amount_label"),
                    error=wrong.get("amount", ""),
                    note=ctx.tr("balance_is", amount=store.yuan(store.account(ctx.phone)["balance_cents"])),
                )
            ),
            parts.panel(parts.text_row(ctx, "note", ctx.tr("note"), ctx.tr("note_hint"), max_length=30)),
        ]
        return parts.page(
            ctx, ctx.tr("to_card"), rows, bottom=parts.wide_button(ctx.tr("next"), self._next(ctx), "next_button")
        )

    def _next(self, ctx: Context) -> Handler:
        def handle() -> None:
            name, number = ctx.field("name").strip(), ctx.field("number").replace(" ", "")
            cents = store.parse_amount(ctx.field("amount"))
            wrong = {}
            if not name:
                wrong["name"] = ctx.tr("wrong_name")
            if not store.valid_card(number):
                wrong["number"] = ctx.tr("wrong_card")
            if cents is None:
                wrong["amount"] = ctx.tr("wrong_amount")
            ctx.ui["wrong"] = wrong
            if wrong:
                return
            ctx.focus(None)
            order: ledger.Order = {
                "kind": "transfer",
                "target": "card",
                "amount": cents,
                "title": name,
                "to": name,
                "account": number,
                "bank": store.bank_of(number, ctx.language),
                "note": ctx.field("note").strip(),
                "via": ["balance", "fund", "card"],
            }
            ctx.go("cashier", order=order)

        return handle

    def overlay_recent(self, ctx: Context) -> Node:
        """Cards that were paid before."""
        rows = [
            ListRow(
                row["name"],
                f"{row['bank']} ({store.tail(row['account'])})",
                leading=Icon("credit-card", 24.0, store.bank_color(row["bank"])),
                on_tap=ctx.then_dismiss(self._fill, ctx, row),
                id="recent_card",
            )
            for row in ctx.db.rows("SELECT * FROM payees WHERE kind = 'card' ORDER BY last_used DESC LIMIT 5")
        ]
        if not rows:
            return Dialog(
                ctx, ctx.tr("recent_payees"), ctx.tr("no_recent_cards"), actions=[(ctx.tr("ok"), ctx.dismiss)]
            )
        return parts.sheet(ctx, ctx.tr("recent_payees"), rows)

    def _fill(self, ctx: Context, row: store.Row) -> None:
        ctx.set_field("name", row["name"])
        ctx.set_field("number", row["account"])
        ctx.ui.pop("wrong", None)
