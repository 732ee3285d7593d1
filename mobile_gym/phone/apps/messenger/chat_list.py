"""The list of chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.apps.messenger import look, store
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Text

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

_LIST = """
SELECT c.*, CASE c.kind WHEN 'group' THEN c.name ELSE p.title END AS title, p.avatar AS person_avatar,
    m.kind AS last_kind, m.body, m.seconds, m.ref_id, m.recalled, m.sender_id, s.title AS sender
FROM chats c LEFT JOIN people p ON p._id = c.contact_id LEFT JOIN messages m ON m._id = c.last_id
LEFT JOIN people s ON s._id = m.sender_id
WHERE c.hidden = 0 ORDER BY c.pinned DESC, c.date DESC, c._id DESC
"""


def preview(ctx: Context, chat: store.Row) -> str:
    """The last message of a chat in one line, with its sender in a group."""
    if not chat["last_kind"]:
        return ""
    text = store.digest(ctx.phone, {**chat, "kind": chat["last_kind"]})
    others = chat["kind"] == "group" and chat["sender_id"] != store.ME
    if others and chat["last_kind"] != "system" and not chat["recalled"] and chat["sender"]:
        return ctx.tr("said", name=chat["sender"], text=text)
    return text


def chat_rows(ctx: Context) -> Node:
    """All chats that show, pinned ones first."""
    return LazyList(
        ctx.db.rows(_LIST),
        row=lambda chat: _row(ctx, chat),
        id="conversation_list",
        empty=look.empty(ctx, "chat-outline", ctx.tr("no_chats")),
        bg=None,
    )


def group_face(name: str, avatar: str, size: float, **attributes: object) -> Node:
    """A group's picture."""
    return look.face(name, avatar or "icon/account-group/#4C8BC9", size, **attributes)


def _row(ctx: Context, chat: store.Row) -> Node:
    t = look.tone(ctx)
    title = str(chat["title"] or "")
    key = int(chat["_id"])
    if chat["kind"] == "group":
        picture = group_face(title, chat["avatar"], 48.0, id="avatar")
    else:
        picture = look.face(title, chat["person_avatar"] or "", 48.0, id="avatar")
    count = max(chat["unread_count"], chat["marked_unread"])
    picture = look.with_badge(
        picture,
        ctx,
        0 if chat["muted"] else count,
        bool(chat["muted"] and count),
        ctx.tr("unread_desc", count=count),
    )
    second: list[Node] = []
    if chat["mention_count"]:
        second.append(Text(ctx.tr("mentioned_you"), "bodyMedium", t.red, max_lines=1, id="mention_mark"))
    elif chat["draft"]:
        second.append(Text(ctx.tr("draft_mark"), "bodyMedium", t.red, max_lines=1, id="draft_mark"))
    text = chat["draft"] if chat["draft"] and not chat["mention_count"] else preview(ctx, chat)
    if chat["muted"] and count > 1 and not chat["draft"]:
        text = ctx.tr("count_text", count=count, text=text)
    second.append(Text(text, "bodyMedium", t.faint, max_lines=1, weight=1.0, id="last_message"))
    if chat["muted"]:
        second.append(Icon("bell-off-outline", 16.0, t.faint, id="muted_icon", desc=ctx.tr("muted")))
    first = (
        Text(title, "bodyLarge", t.ink, size_sp=17, line_sp=24, max_lines=1, weight=1.0, id="conversation_name"),
        Text(look.age(ctx, chat["date"]), "bodySmall", t.faint, max_lines=1, id="time"),
    )
    texts = Node(
        "col",
        (
            Node("row", first, gap=8.0, width=FILL, hidden_from_tree=True),
            Node("row", second, gap=4.0, width=FILL, hidden_from_tree=True),
        ),
        gap=3.0,
        weight=1.0,
        hidden_from_tree=True,
    )
    line = Node("space", width=FILL, height=1.0, bg=t.line, hidden_from_tree=True)
    inner = Node(
        "row",
        (picture, texts),
        gap=12.0,
        width=FILL,
        min_height=72.0,
        pad=(16.0, 10.0, 16.0, 10.0),
        hidden_from_tree=True,
    )
    return Node(
        "col",
        (inner, Node("box", (line,), width=FILL, pad=(76.0, 0.0, 0.0, 0.0), hidden_from_tree=True)),
        width=FILL,
        bg=t.page if chat["pinned"] else t.card,
        id="conversation_item",
        desc=ctx.tr("pinned") if chat["pinned"] else "",
        on_tap=ctx.open("chat", chat=key),
        on_long_press=ctx.show("chat", chat=key),
    )
