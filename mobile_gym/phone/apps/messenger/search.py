"""Search over people, groups and messages; inside one chat over its messages."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.messenger import look, store
from mobile_gym.phone.apps.messenger.chat_list import group_face
from mobile_gym.phone.apps.messenger.contact_list import person_row
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import LazyList, SearchField, Text

QUERY = "search_query"
_FEW = 5


class Search(Screen):
    """Finds people, groups and messages. Argument: `chat` to look in one chat only."""

    name = "search"
    activity = ".plugin.fts.ui.FTSMainUI"

    def on_open(self, ctx: Context) -> None:
        """The cursor stands in the field."""
        ctx.set_field(QUERY, str(ctx.args.get("query", "")))
        ctx.focus(QUERY)

    def build(self, ctx: Context) -> Node:
        """Field and what was found."""
        t = look.tone(ctx)
        query = ctx.field(QUERY).strip()
        chat = look.number(ctx, "chat") or None
        bar = SearchField(
            ctx, QUERY, ctx.tr("search"), on_back=ctx.back(), bg=t.card, height=44.0, on_submit=lambda: ctx.focus(None)
        ).replace(radius=6.0)
        top = Node("box", (bar,), width=FILL, pad=(10.0, 8.0, 10.0, 8.0), hidden_from_tree=True)
        items: list[Any] = []
        if query:
            if chat is None:
                items += self._people(ctx, query) + self._groups(ctx, query)
            items += self._messages(ctx, query, chat)
        text = (
            ctx.tr("search_none", text=query)
            if query
            else ctx.tr("search_start" if chat is None else "search_chat_start")
        )
        listed = LazyList(items, id="search_list", empty=look.empty(ctx, "magnify", text), row=lambda make: make())
        return look.page(ctx, listed, top=top)

    def _people(self, ctx: Context, query: str) -> list[Any]:
        found = [row for row in store.friends(ctx.phone) if store.matches(row, query)]
        if not found:
            return []
        shown = found if ctx.ui.get("all_people") else found[:_FEW]
        items: list[Any] = [look.section(ctx, ctx.tr("tab_contacts"))]
        for row in shown:
            summary = ctx.tr("nickname_line", name=row["name"]) if row["remark"] else ""

            def open_it(key: int = row["_id"]) -> None:
                ctx.go("chat", chat=store.chat_with(ctx.phone, key))

            line = row is not shown[-1] or len(shown) < len(found)
            items.append(person_row(ctx, row, open_it, summary=summary, id="found_person", line=line))
        if len(shown) < len(found):
            more = ctx.tr("more_found", count=len(found))
            items.append(
                look.row(
                    ctx,
                    more,
                    id="more_people",
                    color=look.tone(ctx).blue,
                    on_tap=ctx.set_ui("all_people", True),
                    line=False,
                )
            )
        return items

    def _groups(self, ctx: Context, query: str) -> list[Any]:
        like = f"%{query}%"
        rows = ctx.db.rows(
            "SELECT v.*, (SELECT p.title FROM members m JOIN people p ON p._id = m.contact_id WHERE m.chat_id = v._id"
            " AND p.title LIKE ? ORDER BY m._id LIMIT 1) AS member FROM view_chats v WHERE v.kind = 'group'"
            " AND (v.name LIKE ? OR member IS NOT NULL) ORDER BY v.date DESC LIMIT 8",
            like,
            like,
        )
        items: list[Any] = [look.section(ctx, ctx.tr("group_chats"))] if rows else []
        for chat in rows:
            items.append(
                look.row(
                    ctx,
                    ctx.tr("title_count", title=chat["title"], count=chat["member_count"]),
                    id="found_group",
                    summary=ctx.tr("contains", name=chat["member"]) if chat["member"] else "",
                    leading=group_face(chat["title"], chat["avatar"], 40.0, hidden_from_tree=True),
                    on_tap=ctx.open("chat", chat=chat["_id"]),
                    arrow=False,
                    line=chat is not rows[-1],
                )
            )
        return items

    def _messages(self, ctx: Context, query: str, chat: int | None) -> list[Any]:
        where = "" if chat is None else f" AND m.chat_id = {chat}"
        rows = ctx.db.rows(
            "SELECT m.*, p.avatar, c.kind AS chat_kind, c.avatar AS chat_avatar, q.avatar AS partner_avatar"
            " FROM view_messages m JOIN chats c ON c._id = m.chat_id LEFT JOIN people p ON p._id = m.sender_id"
            " LEFT JOIN people q ON q._id = c.contact_id"
            f" WHERE m.body LIKE ? AND m.kind <> 'system' AND m.recalled = 0{where} ORDER BY m.date DESC, m._id DESC"
            " LIMIT 60",
            f"%{query}%",
        )
        items: list[Any] = [look.section(ctx, ctx.tr("messages_found", count=len(rows)))] if rows else []
        items += [self._message(ctx, row, chat is None, row is not rows[-1]) for row in rows]
        return items

    def _message(self, ctx: Context, row: store.Row, with_chat: bool, line: bool) -> Any:
        def build() -> Node:
            title = row["chat"] if with_chat else row["sender"]
            # Of a voice message its words were found, so they show.
            text = row["body"] if row["kind"] == "voice" else store.digest(ctx.phone, row)
            if with_chat:
                text = ctx.tr("said", name=row["sender"], text=text)
            time = Text(look.age(ctx, row["date"]), "bodySmall", look.tone(ctx).faint, max_lines=1, id="found_time")
            return look.row(
                ctx,
                title or "",
                id="found_message",
                summary=text,
                leading=_face_of(row, with_chat),
                trailing=time,
                line=line,
                on_tap=ctx.open("chat", chat=row["chat_id"], hit=row["_id"]),
            )

        return build


def _face_of(row: store.Row, with_chat: bool) -> Node:
    """The face of what a found message's row is headed with: its chat, or inside one chat its sender."""
    if not with_chat:
        return look.face(row["sender"] or "", row["avatar"] or "", 40.0, hidden_from_tree=True)
    if row["chat_kind"] == "group":
        return group_face(row["chat"] or "", row["chat_avatar"], 40.0, hidden_from_tree=True)
    return look.face(row["chat"] or "", row["partner_avatar"] or "", 40.0, hidden_from_tree=True)
