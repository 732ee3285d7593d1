"""Red packets and transfers: sending, opening, what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.pin import balance, cents_of
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Column, Icon, LazyList, Text
from mobile_gym.phone.ui.widgets.fields import field

AMOUNT, COUNT, GREETING, NOTE = "amount", "packet_count", "greeting", "transfer_note"
MOST_CENTS = 200_00
"""Most that one red packet holds, as in the real app."""
_RED, _RED_DARK, _GOLD = "#E5473D", "#C93A32", "#F5D9A8"


def _line(ctx: Context, label: str, id: str, hint: str, kind: str, unit: str = "", most: int = 0) -> Node:
    t = look.tone(ctx)
    inner = field(ctx, id, hint=hint, input_type=kind, max_length=most, action="next", weight=1.0, color=t.ink,
                  text_align="end")  # fmt: skip
    parts = [Text(label, "bodyLarge", t.ink, max_lines=1), inner.replace(weight=1.0)]
    if unit:
        parts.append(Text(unit, "bodyLarge", t.ink, max_lines=1))
    row = Node("row", parts, gap=12.0, width=FILL, min_height=56.0, radius=8.0, bg=t.card, pad=(16.0, 8.0, 16.0, 8.0),
               id=f"{id}_row")  # fmt: skip
    return Node("box", (row,), width=FILL, pad=(16.0, 6.0, 16.0, 6.0), hidden_from_tree=True)


class RedPacket(Screen):
    """A red packet for a chat. Argument: `chat`."""

    name = "red_packet"
    activity = ".plugin.luckymoney.ui.LuckyMoneyPrepareUI"

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """The PIN was right: the packet goes."""
        if result.get("paid"):
            ctx.db.insert(
                "red_packets",
                chat_id=int(ctx.args["chat"]),
                sender_id=store.ME,
                amount_cents=result["cents"],
                count=result["count"],
                greeting=result["greeting"],
                date=ctx.now_ms,
            )
            ctx.finish({"done": True})

    def build(self, ctx: Context) -> Node:
        """Amount, number in a group, greeting, button."""
        t = look.tone(ctx)
        chat = store.chat(ctx.phone, int(ctx.args.get("chat", 0)))
        group = chat is not None and chat["kind"] == "group"
        cents = cents_of(ctx.field(AMOUNT))
        count = int(ctx.field(COUNT) or 0) if group else 1
        people = 1 if chat is None else int(chat["member_count"])
        wrong = ""
        if cents > MOST_CENTS * max(count, 1):
            wrong = ctx.tr("packet_too_much", amount=look.money(ctx, MOST_CENTS))
        elif group and count > people:
            wrong = ctx.tr("packet_too_many", count=people)
        elif cents > balance(ctx):
            wrong = ctx.tr("balance_short", amount=look.money(ctx, balance(ctx)))
        elif group and count and 0 < cents < count:
            wrong = ctx.tr("packet_too_little")
        ready = chat is not None and cents > 0 and count > 0 and not wrong

        def pay() -> None:
            greeting = ctx.field(GREETING).strip() or ctx.tr("packet_greeting")
            result = {"cents": cents, "count": count, "greeting": greeting}
            ctx.focus(None)
            ctx.go("pay_pin", title=ctx.tr("packet_foot"), cents=cents, result=result)

        parts: list[Node] = []
        if wrong:
            parts.append(Text(wrong, "bodyMedium", "#FFFFFF", bg=t.red, text_align="center", width=FILL,
                              pad=(16.0, 8.0, 16.0, 8.0), id="packet_error"))  # fmt: skip
        if group:
            parts.append(
                _line(
                    ctx, ctx.tr("packet_count"), COUNT, ctx.tr("packet_count_hint"), "number", ctx.tr("packet_unit"), 3
                )
            )
            parts.append(
                Text(
                    ctx.tr("group_size", count=people),
                    "bodyMedium",
                    t.faint,
                    pad=(32.0, 0.0, 32.0, 4.0),
                    id="group_size",
                )
            )
        parts.append(_line(ctx, ctx.tr("amount"), AMOUNT, "0.00", "decimal", ctx.tr("currency"), 9))
        parts.append(_line(ctx, ctx.tr("greeting"), GREETING, ctx.tr("packet_greeting"), "text", "", 25))
        parts.append(Text(look.money(ctx, cents), "displaySmall", t.ink, text_align="center", width=FILL, text_weight=500,
                          pad=(16.0, 28.0, 16.0, 20.0), id="packet_total"))  # fmt: skip
        put = look.button(ctx, ctx.tr("packet_put"), pay, id="packet_put", enabled=ready, bg=t.red)
        parts.append(Node("box", (put.replace(place="center-center"),), width=FILL, hidden_from_tree=True))
        parts.append(
            Text(
                ctx.tr("balance_line", amount=look.money(ctx, balance(ctx))),
                "bodyMedium",
                t.faint,
                text_align="center",
                width=FILL,
                pad=(16.0, 16.0, 16.0, 16.0),
                id="balance_line",
            )  # fmt: skip
        )
        listed = LazyList(parts, id="packet_form")
        return look.page(ctx, listed, top=look.top_bar(ctx, ctx.tr("packet_title")))


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
        purpose = str(ctx.args.get("purpose", "transfer"))
        if purpose == "transfer":
            chat = store.chat(ctx.phone, int(ctx.args["chat"]))
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
        purpose = str(ctx.args.get("purpose", "transfer"))
        chat = store.chat(ctx.phone, int(ctx.args.get("chat", 0)))
        person = None if chat is None else store.person(ctx.phone, chat["contact_id"] or 0)
        cents = cents_of(ctx.field(AMOUNT))
        short = purpose != "top_up" and cents > balance(ctx)
        ready = cents > 0 and not short and (purpose != "transfer" or person is not None)
        label = ctx.tr("transfer_to", name=person["title"]) if person is not None else ctx.tr(purpose)

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
        amount = field(ctx, AMOUNT, input_type="decimal", max_length=9, action="done", color=t.ink, size_sp=40, line_sp=52,
                       text_weight=500, width=FILL)  # fmt: skip
        line = Node(
            "row",
            (Text(ctx.tr("currency"), "headlineLarge", t.ink, text_weight=500), amount.replace(weight=1.0)),
            gap=10.0,
            width=FILL,
            hidden_from_tree=True,
        )
        note = field(ctx, NOTE, hint=ctx.tr("transfer_note"), max_length=20, width=FILL, color=t.ink, min_height=48.0)
        state = ctx.tr("balance_short" if short else "balance_line", amount=look.money(ctx, balance(ctx)))
        card = [Text(ctx.tr("amount" if person is None else "transfer_amount"), "bodyLarge", t.ink), line,
                look.hairline(ctx)]  # fmt: skip
        if purpose == "transfer":
            card.append(note)
        card.append(Text(state, "bodyMedium", t.red if short else t.faint, id="transfer_state"))
        button = look.button(ctx, ctx.tr(f"{purpose}_do"), pay, id="transfer_button", enabled=ready)
        card.append(Node("box", (button.replace(place="center-center"),), width=FILL, pad=(0.0, 24.0, 0.0, 24.0),
                         hidden_from_tree=True))  # fmt: skip
        parts.append(Node("col", card, gap=10.0, width=FILL, bg=t.card, radius=(14.0, 14.0, 0.0, 0.0),
                          pad=(24.0, 24.0, 24.0, 0.0), hidden_from_tree=True))  # fmt: skip
        title = ctx.tr("transfer_foot" if purpose == "transfer" else purpose)
        return look.page(ctx, LazyList(parts, id="transfer_form"), top=look.top_bar(ctx, title))


def closed_packet(ctx: Context, packet: int) -> Node:
    """The red packet before it is opened, with its round button."""
    row = ctx.db.row("SELECT * FROM view_red_packets WHERE _id = ?", packet)
    if row is None:
        return overlays.dialog(ctx, ctx.tr("packet_gone"), actions=((ctx.tr("ok"), ctx.dismiss),))

    def open_it() -> None:
        take(ctx, packet)
        ctx.dismiss()
        ctx.go("packet_detail", packet=packet)

    sender = store.person(ctx.phone, row["sender_id"]) or {"title": "", "avatar": ""}
    label = Text(ctx.tr("packet_open"), "headlineSmall", "#7A4A12", place="center-center", text_weight=600,
                 hidden_from_tree=True)  # fmt: skip
    coin = Node("box", (label,), width=88.0, height=88.0, radius=44.0, bg=_GOLD, cls="android.widget.Button",
                id="packet_open", text=ctx.tr("packet_open"), on_tap=open_it)  # fmt: skip
    details = Text(ctx.tr("packet_details"), "bodyMedium", _GOLD, id="packet_details",
                   on_tap=ctx.then_dismiss(lambda: ctx.go("packet_detail", packet=packet)))  # fmt: skip
    surface = Node(
        "col",
        (
            look.face(sender["title"], sender["avatar"], 44.0, hidden_from_tree=True),
            Text(ctx.tr("packet_from", name=sender["title"]), "titleMedium", _GOLD, max_lines=1, text_align="center",
                 width=FILL, id="packet_from"),
            Text(row["greeting"] or ctx.tr("packet_greeting"), "headlineSmall", _GOLD, text_align="center", width=FILL,
                 max_lines=2, id="packet_greeting"),
            Node("space", height=36.0, hidden_from_tree=True),
            coin,
            Node("space", height=12.0, hidden_from_tree=True),
            details,
        ),
        gap=12.0,
        align="center",
        width=290.0,
        pad=(24.0, 48.0, 24.0, 28.0),
        radius=14.0,
        bg=_RED,
        place="center-center",
        blocks=True,
        id="closed_packet",
    )  # fmt: skip
    return overlays.over(ctx, overlays.room(surface))


def take(ctx: Context, packet: int) -> None:
    """Takes the owner's share of a red packet: an equal part, the last one what is left."""
    row = ctx.db.row("SELECT * FROM red_packets WHERE _id = ?", packet)
    taken = ctx.db.rows("SELECT * FROM red_packet_shares WHERE red_packet_id = ?", packet)
    if row is None or len(taken) >= row["count"] or any(share["contact_id"] == store.ME for share in taken):
        return
    left = row["amount_cents"] - sum(share["amount_cents"] for share in taken)
    people = row["count"] - len(taken)
    cents = left if people == 1 else max(left // people, 1)
    ctx.db.insert("red_packet_shares", red_packet_id=packet, contact_id=store.ME, amount_cents=cents, date=ctx.now_ms)
    own = row["sender_id"] == store.ME
    name = store.title_of(ctx.phone, row["sender_id"])
    store.tell(ctx.phone, row["chat_id"], ctx.tr("packet_took_own") if own else ctx.tr("packet_took", name=name))


class PacketDetail(Screen):
    """Who took what of a red packet. Argument: `packet`."""

    name = "packet_detail"
    activity = ".plugin.luckymoney.ui.LuckyMoneyDetailUI"

    def build(self, ctx: Context) -> Node:
        """Head with the owner's share, then everybody's."""
        t = look.tone(ctx)
        packet = int(ctx.args.get("packet", 0))
        row = ctx.db.row("SELECT * FROM view_red_packets WHERE _id = ?", packet)
        top = look.top_bar(ctx, ctx.tr("packet_foot"))
        if row is None:
            return look.page(
                ctx, LazyList((), id="share_list", empty=look.empty(ctx, "gift", ctx.tr("packet_gone"))), top=top
            )
        shares = ctx.db.rows(
            "SELECT s.*, p.title, p.avatar FROM red_packet_shares s JOIN people p ON p._id = s.contact_id"
            " WHERE s.red_packet_id = ? ORDER BY s.date, s._id",
            packet,
        )
        mine = next((share["amount_cents"] for share in shares if share["contact_id"] == store.ME), None)
        head = [
            Text(
                ctx.tr("packet_from", name=row["sender"]),
                "titleMedium",
                t.ink,
                text_align="center",
                width=FILL,
                id="packet_from",
            ),
            Text(row["greeting"], "bodyMedium", t.faint, text_align="center", width=FILL, id="packet_greeting"),
        ]
        if mine is not None:
            head.append(Text(look.money(ctx, mine), "displaySmall", "#C9A063", text_align="center", width=FILL,
                             text_weight=500, id="packet_mine"))  # fmt: skip
            head.append(Text(ctx.tr("packet_in_balance"), "bodyMedium", "#B98A45", text_align="center", width=FILL))
        elif row["sender_id"] != store.ME and row["state"] == "finished":
            head.append(
                Text(ctx.tr("packet_gone"), "bodyLarge", t.faint, text_align="center", width=FILL, id="packet_late")
            )
        total = look.money(ctx, row["amount_cents"])
        state = ctx.tr("packet_state", taken=len(shares), count=row["count"], amount=total)
        if row["sender_id"] == store.ME and not shares:
            state = ctx.tr("packet_waiting", amount=total)
        items: list[Any] = [
            Node("space", width=FILL, height=26.0, bg=_RED, radius=(0.0, 0.0, 60.0, 60.0), hidden_from_tree=True),
            Node("col", head, gap=10.0, width=FILL, pad=(24.0, 24.0, 24.0, 28.0), hidden_from_tree=True),
            look.section(ctx, state),
            *shares,
        ]

        def build(share: store.Row) -> Node:
            return look.row(
                ctx,
                share["title"],
                id="share_item",
                summary=look.stamp(ctx, share["date"]),
                leading=look.face(share["title"], share["avatar"], 40.0, hidden_from_tree=True),
                value=look.money(ctx, share["amount_cents"]),
            )

        return look.page(ctx, LazyList(items, row=build, id="share_list"), top=top)


class TransferDetail(Screen):
    """A transfer: taking it, giving it back. Argument: `transfer`."""

    name = "transfer_detail"
    activity = ".plugin.remittance.ui.RemittanceDetailUI"

    def build(self, ctx: Context) -> Node:
        """State, amount, what can be done."""
        t = look.tone(ctx)
        key = int(ctx.args.get("transfer", 0))
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
            Text(look.money(ctx, row["amount_cents"]), "displaySmall", t.ink, text_align="center", width=FILL,
                 text_weight=500, id="transfer_amount"),
        ]  # fmt: skip
        if row["note"]:
            parts.append(
                Text(row["note"], "bodyLarge", t.faint, text_align="center", width=FILL, id="transfer_note_text")
            )

        def settle(state: str) -> None:
            ctx.db.update("transfers", key, state=state, settled_date=ctx.now_ms)
            store.tell(ctx.phone, row["chat_id"], ctx.tr(f"you_{state}", amount=look.money(ctx, row["amount_cents"])))

        if pending and not mine:
            parts.append(look.button(ctx, ctx.tr("transfer_take"), lambda: settle("received"), id="transfer_take"))
            parts.append(Text(ctx.tr("transfer_return"), "bodyMedium", t.blue, id="transfer_return",
                              pad=(12.0, 8.0, 12.0, 8.0), on_tap=ctx.show("give_back", transfer=key)))  # fmt: skip
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
