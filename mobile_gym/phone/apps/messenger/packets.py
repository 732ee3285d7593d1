"""Red packets: sending, opening, who took what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.pin import balance, cents_of
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import LazyList, Text
from mobile_gym.phone.ui.widgets.fields import field

AMOUNT, COUNT, GREETING = "amount", "packet_count", "greeting"
MOST_CENTS = 200_00
"""Most that one red packet holds, as in the real app."""
_RED, _GOLD, _COIN = "#E5473D", "#F5D9A8", "#BE9150"
_FLAP, _BOW, _FACE = 132.0, 26.0, 56.0
"""The red head of a packet's page: its height, how far its foot is bent, and the face on it, dp."""


def _line(ctx: Context, label: str, id: str, hint: str, kind: str, unit: str = "", most: int = 0) -> Node:
    t = look.tone(ctx)
    inner = field(
        ctx, id, hint=hint, input_type=kind, max_length=most, action="next", weight=1.0, color=t.ink, text_align="end"
    )
    parts = [Text(label, "bodyLarge", t.ink, max_lines=1), inner.replace(weight=1.0)]
    if unit:
        parts.append(Text(unit, "bodyLarge", t.ink, max_lines=1))
    row = Node(
        "row",
        parts,
        gap=12.0,
        width=FILL,
        min_height=56.0,
        radius=8.0,
        bg=t.card,
        pad=(16.0, 8.0, 16.0, 8.0),
        id=f"{id}_row",
    )
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
                chat_id=look.number(ctx, "chat"),
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
        chat = store.chat(ctx.phone, look.number(ctx, "chat"))
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
            parts.append(
                Text(
                    wrong,
                    "bodyMedium",
                    "#FFFFFF",
                    bg=t.red,
                    text_align="center",
                    width=FILL,
                    pad=(16.0, 8.0, 16.0, 8.0),
                    id="packet_error",
                )
            )
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
        parts.append(
            Text(
                look.money(ctx, cents),
                "displaySmall",
                t.ink,
                text_align="center",
                width=FILL,
                text_weight=500,
                pad=(16.0, 28.0, 16.0, 20.0),
                id="packet_total",
            )
        )
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
            )
        )
        listed = LazyList(parts, id="packet_form")
        return look.page(ctx, listed, top=look.top_bar(ctx, ctx.tr("packet_title")))


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
    label = Text(
        ctx.tr("packet_open"), "headlineSmall", "#7A4A12", place="center-center", text_weight=600, hidden_from_tree=True
    )
    coin = Node(
        "box",
        (label,),
        width=88.0,
        height=88.0,
        radius=44.0,
        bg=_GOLD,
        cls="android.widget.Button",
        id="packet_open",
        text=ctx.tr("packet_open"),
        on_tap=open_it,
    )
    details = Text(
        ctx.tr("packet_details"),
        "bodyMedium",
        _GOLD,
        id="packet_details",
        on_tap=ctx.then_dismiss(lambda: ctx.go("packet_detail", packet=packet)),
    )
    surface = Node(
        "col",
        (
            look.face(sender["title"], sender["avatar"], 44.0, hidden_from_tree=True),
            Text(
                ctx.tr("packet_from", name=sender["title"]),
                "titleMedium",
                _GOLD,
                max_lines=1,
                text_align="center",
                width=FILL,
                id="packet_from",
            ),
            Text(
                row["greeting"] or ctx.tr("packet_greeting"),
                "headlineSmall",
                _GOLD,
                text_align="center",
                width=FILL,
                max_lines=2,
                id="packet_greeting",
            ),
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
    )
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
        """The red head with the sender's face, the owner's share, then everybody's."""
        t = look.tone(ctx)
        packet = look.number(ctx, "packet")
        row = ctx.db.row("SELECT * FROM view_red_packets WHERE _id = ?", packet)
        if row is None:
            gone = look.empty(ctx, "gift", ctx.tr("packet_gone"))
            bar = look.top_bar(ctx, ctx.tr("packet_foot"))
            return look.page(ctx, LazyList((), id="share_list", empty=gone), top=bar)
        shares = ctx.db.rows(
            "SELECT s.*, p.title, p.avatar FROM red_packet_shares s JOIN people p ON p._id = s.contact_id"
            " WHERE s.red_packet_id = ? ORDER BY s.date, s._id",
            packet,
        )
        total = look.money(ctx, row["amount_cents"])
        state = ctx.tr("packet_state", taken=len(shares), count=row["count"], amount=total)
        if row["sender_id"] == store.ME and not shares:
            state = ctx.tr("packet_waiting", amount=total)
        about = self._line(state, "bodyMedium", t.faint, "packet_state", pad=(16.0, 10.0, 16.0, 10.0))
        items: list[Any] = [self._head(ctx, row), *self._texts(ctx, row, shares), look.hairline(ctx), about, *shares]

        def build(share: store.Row) -> Node:
            return look.row(
                ctx,
                share["title"],
                id="share_item",
                summary=look.stamp(ctx, share["date"]),
                leading=look.face(share["title"], share["avatar"], 40.0, hidden_from_tree=True),
                value=look.money(ctx, share["amount_cents"]),
                line=share is not shares[-1],
            )

        top = look.top_bar(ctx, ctx.tr("packet_foot"), bg=_RED, ink=_GOLD)
        page = look.page(ctx, LazyList(items, row=build, id="share_list"), top=top, bg=t.card)
        return look.edged(page, head=_RED)

    def _head(self, ctx: Context, row: store.Row) -> Node:
        """The packet's flap, round below, and on its edge the face of whoever sent it."""
        wide = ctx.phone.screen[0] * 160 / ctx.phone.density_dpi
        bow = [(wide * step / 40, _FLAP - _BOW * (step / 20 - 1) ** 2) for step in range(41)]
        red = Node(
            "stroke",
            width=wide,
            height=_FLAP,
            points=((0.0, 0.0), *bow, (wide, 0.0)),
            filled=True,
            stroke_width=0.5,
            color=_RED,
            hidden_from_tree=True,
        )
        # In a box of its own: over a bare shape the face would take the page's colour for the one behind its corners.
        flap = Node("box", (red,), hidden_from_tree=True)
        sender = store.person(ctx.phone, row["sender_id"]) or {"title": row["sender"] or "", "avatar": ""}
        face = look.face(sender["title"], sender["avatar"], _FACE, place="bottom-center", id="packet_sender")
        return Node(
            "box",
            (flap, face.replace(desc=ctx.tr("avatar_of", name=sender["title"]))),
            width=FILL,
            height=_FLAP + _FACE / 2,
            hidden_from_tree=True,
        )

    def _texts(self, ctx: Context, row: store.Row, shares: list[store.Row]) -> list[Node]:
        """Whose it is, its greeting, and what the owner got."""
        t = look.tone(ctx)
        texts = [
            self._line(ctx.tr("packet_from", name=row["sender"]), "titleMedium", t.ink, "packet_from"),
            self._line(row["greeting"], "bodyMedium", t.faint, "packet_greeting"),
        ]
        mine = next((share["amount_cents"] for share in shares if share["contact_id"] == store.ME), None)
        if mine is not None:
            texts.append(self._line(look.money(ctx, mine), "displaySmall", _COIN, "packet_mine", text_weight=500))
            texts.append(self._line(ctx.tr("packet_in_balance"), "bodyMedium", _COIN, "packet_note"))
        elif row["sender_id"] == store.ME:
            amount = look.money(ctx, row["amount_cents"])
            texts.append(self._line(amount, "displaySmall", _COIN, "packet_amount", text_weight=500))
        elif row["state"] == "finished":
            texts.append(self._line(ctx.tr("packet_gone"), "bodyLarge", t.faint, "packet_late"))
        return [Node("col", texts, gap=10.0, width=FILL, pad=(24.0, 14.0, 24.0, 30.0), hidden_from_tree=True)]

    def _line(self, text: str, style: str, color: str, id: str, **more: Any) -> Node:
        return Text(text, style, color, text_align="center", width=FILL, id=id, **more)
