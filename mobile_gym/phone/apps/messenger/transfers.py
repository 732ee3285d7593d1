"""Transfers to people, and money into and out of the wallet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.pin import balance, cents_of
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Column, Icon, LazyList, Text
from mobile_gym.phone.ui.widgets.fields import field

AMOUNT, NOTE = "amount", "transfer_note"


def _purpose(ctx: Context) -> str:
    """What the money is for."""
    given = ctx.args.get("purpose")
    return str(given) if given in ("top_up", "withdraw") else "transfer"


class Transfer(Screen):
    """Money for one person, or into and out of the wallet.

    Arguments: `chat`, or `purpose` (top_up, withdraw).
    """

    name = "transfer"
    activity = ".plugin.remittance.ui.RemittanceUI"

    def on_open(self, ctx: Context) -> None:
        """The cursor stands in the amount."""
        ctx.focus(AMOUNT)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """The PIN was right: the money goes."""
        if not result.get("paid"):
            return
        purpose = _purpose(ctx)
        if purpose == "transfer":
            chat = store.chat(ctx.phone, look.number(ctx, "chat"))
            assert chat is not None
            ctx.db.insert(
                "transfers",
                chat_id=chat["_id"],
                sender_id=store.ME,
                receiver_id=chat["contact_id"],
                amount_cents=result["cents"],
                note=result["note"],
                date=ctx.now_ms,
            )
        else:
            cents = result["cents"] if purpose == "top_up" else -result["cents"]
            ctx.db.insert("wallet_records", kind=purpose, amount_cents=cents, date=ctx.now_ms)
        ctx.finish({"done": True})

    def build(self, ctx: Context) -> Node:
        """Whom to, amount, note, button."""
        t = look.tone(ctx)
        purpose = _purpose(ctx)
        chat = store.chat(ctx.phone, look.number(ctx, "chat"))
        person = None if chat is None else store.person(ctx.phone, chat["contact_id"] or 0)
        cents = cents_of(ctx.field(AMOUNT))
        short = purpose != "top_up" and cents > balance(ctx)
        ready = cents > 0 and not short and (purpose != "transfer" or person is not None)
        title = ctx.tr("transfer_foot" if purpose == "transfer" else purpose)
        label = ctx.tr("transfer_to", name=person["title"]) if person is not None else title

        def pay() -> None:
            ctx.focus(None)
            ctx.go("pay_pin", title=label, cents=cents, result={"cents": cents, "note": ctx.field(NOTE).strip()})

        parts: list[Node] = []
        if person is not None:
            parts.append(
                Node(
                    "row",
                    (
                        Text(label, "bodyLarge", t.ink, weight=1.0, max_lines=2, id="transfer_to"),
                        look.face(person["title"], person["avatar"], 46.0, hidden_from_tree=True),
                    ),
                    gap=12.0,
                    width=FILL,
                    pad=(24.0, 8.0, 24.0, 20.0),
                    hidden_from_tree=True,
                )
            )
        amount = field(
            ctx,
            AMOUNT,
            input_type="decimal",
            max_length=9,
            action="done",
            color=t.ink,
            size_sp=40,
            line_sp=52,
            text_weight=500,
            width=FILL,
        )
        line = Node(
            "row",
            (Text(ctx.tr("currency"), "headlineLarge", t.ink, text_weight=500), amount.replace(weight=1.0)),
            gap=10.0,
            width=FILL,
            hidden_from_tree=True,
        )
        note = field(ctx, NOTE, hint=ctx.tr("transfer_note"), max_length=20, width=FILL, color=t.ink, min_height=48.0)
        state = ctx.tr("balance_short" if short else "balance_line", amount=look.money(ctx, balance(ctx)))
        card = [
            Text(ctx.tr("amount" if person is None else "transfer_amount"), "bodyLarge", t.ink),
            line,
            look.hairline(ctx),
        ]
        if purpose == "transfer":
            card.append(note)
        card.append(Text(state, "bodyMedium", t.red if short else t.faint, id="transfer_state"))
        button = look.button(ctx, ctx.tr(f"{purpose}_do"), pay, id="transfer_button", enabled=ready)
        card.append(
            Node(
                "box",
                (button.replace(place="center-center"),),
                width=FILL,
                pad=(0.0, 24.0, 0.0, 24.0),
                hidden_from_tree=True,
            )
        )
        parts.append(
            Node(
                "col",
                card,
                gap=10.0,
                width=FILL,
                bg=t.card,
                radius=(14.0, 14.0, 0.0, 0.0),
                pad=(24.0, 24.0, 24.0, 0.0),
                hidden_from_tree=True,
            )
        )
        return look.page(ctx, LazyList(parts, id="transfer_form"), top=look.top_bar(ctx, title))


class TransferDetail(Screen):
    """A transfer: taking it, giving it back. Argument: `transfer`."""

    name = "transfer_detail"
    activity = ".plugin.remittance.ui.RemittanceDetailUI"

    def build(self, ctx: Context) -> Node:
        """State, amount, what can be done."""
        t = look.tone(ctx)
        key = look.number(ctx, "transfer")
        row = ctx.db.row("SELECT * FROM view_transfers WHERE _id = ?", key)
        top = look.top_bar(ctx, ctx.tr("transfer_foot"))
        if row is None:
            return look.page(
                ctx, LazyList((), id="transfer_list", empty=look.empty(ctx, "cancel", ctx.tr("quote_gone"))), top=top
            )
        mine = row["sender_id"] == store.ME
        pending = row["state"] == "pending"
        icon = "clock-outline" if pending else "check-circle" if row["state"] == "received" else "undo-variant"
        color = "#10AEFF" if pending else t.green
        if pending:
            text = ctx.tr("transfer_wait_for", name=row["receiver"]) if mine else ctx.tr("transfer_take_it")
        else:
            text = ctx.tr(f"transfer_{row['state']}")
        parts = [
            Icon(icon, 64.0, color, hidden_from_tree=True),
            Text(text, "titleMedium", t.ink, text_align="center", width=FILL, id="transfer_state"),
            Text(
                look.money(ctx, row["amount_cents"]),
                "displaySmall",
                t.ink,
                text_align="center",
                width=FILL,
                text_weight=500,
                id="transfer_amount",
            ),
        ]
        if row["note"]:
            parts.append(
                Text(row["note"], "bodyLarge", t.faint, text_align="center", width=FILL, id="transfer_note_text")
            )

        def settle(state: str) -> None:
            ctx.db.update("transfers", key, state=state, settled_date=ctx.now_ms)
            store.tell(ctx.phone, row["chat_id"], ctx.tr(f"you_{state}", amount=look.money(ctx, row["amount_cents"])))

        if pending and not mine:
            parts.append(look.button(ctx, ctx.tr("transfer_take"), lambda: settle("received"), id="transfer_take"))
            parts.append(
                Text(
                    ctx.tr("transfer_return"),
                    "bodyMedium",
                    t.blue,
                    id="transfer_return",
                    pad=(12.0, 8.0, 12.0, 8.0),
                    on_tap=ctx.show("give_back", transfer=key),
                )
            )
        head = Column(*parts, gap=16.0, width=FILL, align="center", pad=(24.0, 40.0, 24.0, 24.0))
        items = [head, look.row(ctx, ctx.tr("transfer_time"), id="transfer_time", value=look.stamp(ctx, row["date"]))]
        if row["settled_date"]:
            value = look.stamp(ctx, row["settled_date"])
            items.append(look.row(ctx, ctx.tr("settled_time"), id="settled_time", value=value, line=False))
        return look.page(ctx, LazyList(items, id="transfer_list"), top=top)

    def overlay_give_back(self, ctx: Context, transfer: int) -> Node:
        """Asks before a transfer is given back."""
        row = ctx.db.row("SELECT * FROM view_transfers WHERE _id = ?", transfer)
        assert row is not None

        def act() -> None:
            ctx.db.update("transfers", transfer, state="returned", settled_date=ctx.now_ms)
            store.tell(ctx.phone, row["chat_id"], ctx.tr("you_returned", amount=look.money(ctx, row["amount_cents"])))

        return overlays.ask(
            ctx, "", ctx.tr("transfer_return_text", name=row["sender"]), ctx.tr("transfer_return_do"), act
        )
