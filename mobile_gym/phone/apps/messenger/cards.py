"""Messages that are cards: money, people, places, files, polls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.apps.messenger import look, store
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, Text

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

_ORANGE, _ORANGE_FAINT = "#FA9D3B", "#FCE3C4"


def paid_color(ctx: Context, row: store.Row) -> str:
    """The colour of a red packet or a transfer: paler once the owner took it."""
    return _ORANGE_FAINT if row["sender_id"] != store.ME and money_state(ctx, row)[1] else _ORANGE


def money_state(ctx: Context, row: store.Row) -> tuple[str, bool]:
    """What became of a red packet or a transfer: the text under its title, and whether it is settled."""
    if row["kind"] == "transfer":
        state = ctx.db.value("SELECT state FROM transfers WHERE _id = ?", row["ref_id"]) or "pending"
        if state == "pending":
            return ctx.tr("transfer_waiting" if row["sender_id"] == store.ME else "transfer_to_take"), False
        return ctx.tr(f"transfer_{state}"), True
    mine = ctx.db.value("SELECT 1 FROM red_packet_shares WHERE red_packet_id = ? AND contact_id = 1", row["ref_id"])
    state = ctx.db.value("SELECT state FROM red_packets WHERE _id = ?", row["ref_id"])
    if mine:
        return ctx.tr("packet_taken"), True
    if state == "finished":
        single = row["sender_id"] == store.ME
        return ctx.tr("packet_taken" if single else "packet_gone"), True
    return "", False


def money_bubble(ctx: Context, row: store.Row) -> Node:
    """A red packet or a transfer."""
    state, settled = money_state(ctx, row)
    pale = settled and row["sender_id"] != store.ME
    ink = "#A8712C" if pale else "#FFFFFF"
    if row["kind"] == "transfer":
        cents = ctx.db.value("SELECT amount_cents FROM transfers WHERE _id = ?", row["ref_id"]) or 0
        title = look.money(ctx, cents)
        badge = Icon("swap-horizontal", 26.0, ink, hidden_from_tree=True)
        picture = Node(
            "box",
            (badge.replace(place="center-center"),),
            width=38.0,
            height=38.0,
            radius=19.0,
            border=2.0,
            border_color=ink,
            hidden_from_tree=True,
        )
        second = row["body"] or state
        foot = ctx.tr("transfer_foot") if not row["body"] else f"{ctx.tr('transfer_foot')} \u00b7 {state}"
    else:
        title, second, foot = row["body"] or ctx.tr("packet_greeting"), state, ctx.tr("packet_foot")
        picture = _envelope()
    texts = [Text(title, "bodyLarge", ink, size_sp=17, line_sp=24, max_lines=1, id="money_title")]
    if second:
        texts.append(Text(second, "bodySmall", ink, max_lines=1, id="money_state"))
    head = Node(
        "row",
        (picture, Node("col", texts, weight=1.0, hidden_from_tree=True)),
        gap=12.0,
        width=FILL,
        min_height=62.0,
        pad=(14.0, 10.0, 14.0, 8.0),
        hidden_from_tree=True,
    )
    line = Node("space", width=FILL, height=1.0, bg="#FFFFFF", fade=0.28, hidden_from_tree=True)
    return Node(
        "col",
        (
            head,
            Node("box", (line,), width=FILL, pad=(14.0, 0.0, 14.0, 0.0), hidden_from_tree=True),
            Text(foot, "bodySmall", ink, max_lines=1, pad=(14.0, 3.0, 14.0, 5.0), id="money_foot"),
        ),
        width=236.0,
        bg=_ORANGE_FAINT if pale else _ORANGE,
        radius=6.0,
        id=f"{row['kind']}_bubble",
        desc=ctx.tr("packet_foot" if row["kind"] == "red_packet" else "transfer_foot"),
    )


def _envelope() -> Node:
    flap = Node(
        "stroke",
        width=34.0,
        height=14.0,
        points=((0.0, 0.0), (34.0, 0.0), (34.0, 6.0), (17.0, 13.0), (0.0, 6.0)),
        filled=True,
        stroke_width=0.5,
        color="#EF6A60",
        hidden_from_tree=True,
    )
    coin = Node(
        "space",
        width=12.0,
        height=12.0,
        radius=6.0,
        bg="#FDD37C",
        place="center-center",
        offset=(0.0, -3.0),
        hidden_from_tree=True,
    )
    return Node(
        "box",
        (flap, coin),
        width=34.0,
        height=40.0,
        radius=3.0,
        bg="#E5473D",
        clip_children=True,
        hidden_from_tree=True,
    )


def card_bubble(ctx: Context, row: store.Row) -> Node:
    """A contact card."""
    t = look.tone(ctx)
    contact = store.person(ctx.phone, int(row["ref_id"] or 0)) or {"title": row["body"], "avatar": ""}
    head = Node(
        "row",
        (
            look.face(contact["title"], contact["avatar"], 46.0, hidden_from_tree=True),
            Text(contact["title"], "bodyLarge", t.ink, size_sp=17, line_sp=24, max_lines=1, weight=1.0, id="card_name"),
        ),
        gap=12.0,
        width=FILL,
        pad=(14.0, 12.0, 14.0, 12.0),
        hidden_from_tree=True,
    )
    return _boxed(ctx, "card_bubble", head, ctx.tr("card_foot"))


def _boxed(ctx: Context, id: str, head: Node, foot: str) -> Node:
    t = look.tone(ctx)
    line = Node("space", width=FILL, height=1.0, bg=t.line, hidden_from_tree=True)
    return Node(
        "col",
        (
            head,
            Node("box", (line,), width=FILL, pad=(14.0, 0.0, 14.0, 0.0), hidden_from_tree=True),
            Text(foot, "bodySmall", t.faint, max_lines=1, pad=(14.0, 3.0, 14.0, 5.0), id="card_foot"),
        ),
        width=236.0,
        bg=t.incoming,
        radius=6.0,
        id=id,
    )


def place_bubble(ctx: Context, row: store.Row) -> Node:
    """A place on its map."""
    t = look.tone(ctx)
    picture = Node("picture", source=f"map/{row['body']}", width=236.0, height=92.0, hidden_from_tree=True)
    pin = Icon("map-marker", 30.0, t.red, place="center-center", hidden_from_tree=True)
    return Node(
        "col",
        (
            Node(
                "col",
                (
                    Text(row["body"], "bodyLarge", t.ink, max_lines=1, id="place_name"),
                    Text(row["source"], "bodySmall", t.faint, max_lines=1, id="place_address"),
                ),
                width=FILL,
                pad=(12.0, 8.0, 12.0, 8.0),
                hidden_from_tree=True,
            ),
            Node("box", (picture, pin), width=236.0, height=92.0, hidden_from_tree=True),
        ),
        width=236.0,
        bg=t.incoming,
        radius=6.0,
        clip_children=True,
        id="location_bubble",
    )


def size_text(size: int) -> str:
    """A file's size: `512 B`, `20.4 KB`, `1.2 MB`."""
    if size < 1024:
        return f"{size} B"
    return f"{size / 1024:.1f} KB" if size < 1024 * 1024 else f"{size / 1024 / 1024:.1f} MB"


def file_bubble(ctx: Context, row: store.Row) -> Node:
    """A file."""
    t = look.tone(ctx)
    texts = Node(
        "col",
        (
            Text(row["body"], "bodyLarge", t.ink, max_lines=2, id="file_name"),
            Text(size_text(int(row["size"])), "bodySmall", t.faint, max_lines=1, id="file_size"),
        ),
        gap=4.0,
        weight=1.0,
        hidden_from_tree=True,
    )
    icon = Icon("file-document", 42.0, "#4C8BC9", hidden_from_tree=True)
    return Node(
        "row",
        (texts, icon),
        gap=12.0,
        width=236.0,
        min_height=72.0,
        pad=(14.0, 10.0, 12.0, 10.0),
        bg=t.incoming,
        radius=6.0,
        id="file_bubble",
    )


def poll_bubble(ctx: Context, row: store.Row) -> Node:
    """A poll of the group."""
    t = look.tone(ctx)
    poll = ctx.db.row("SELECT * FROM polls WHERE _id = ?", row["ref_id"])
    closed = poll is not None and bool(poll["closed"])
    voters = ctx.db.value("SELECT COUNT(DISTINCT contact_id) FROM votes WHERE poll_id = ?", row["ref_id"]) or 0
    mine = ctx.db.value("SELECT 1 FROM votes WHERE poll_id = ? AND contact_id = 1", row["ref_id"])
    state = ctx.tr("poll_closed" if closed else "poll_voted" if mine else "poll_not_voted")
    head = Node(
        "col",
        (
            Text(row["body"], "bodyLarge", t.ink, size_sp=17, line_sp=24, max_lines=2, id="poll_question"),
            Text(ctx.tr("poll_line", count=voters, state=state), "bodySmall", t.faint, max_lines=1, id="poll_state"),
        ),
        gap=4.0,
        width=FILL,
        pad=(14.0, 12.0, 14.0, 12.0),
        hidden_from_tree=True,
    )
    return _boxed(ctx, "poll_bubble", head, ctx.tr("poll_foot"))
