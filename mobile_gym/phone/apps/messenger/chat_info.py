"""About a chat: members, name, announcement, switches, clearing and leaving."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Text
from mobile_gym.phone.ui.widgets.basics import spread

_SHOWN = 18
"""So many members show before "all members" is tapped."""


class ChatInfo(Screen):
    """Facts and switches of a chat. Argument: `chat`."""

    name = "chat_info"
    activity = ".ui.chatting.ChatroomInfoUI"

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """People were chosen to be added, removed, or made a group of."""
        key = look.number(ctx, "chat")
        people = list(result.get("people", ()))
        chat = store.chat(ctx.phone, key)
        if not people or chat is None:
            return
        if result["purpose"] == "remove_members":
            store.remove_members(ctx.phone, key, people)
        elif chat["kind"] == "group":
            store.add_members(ctx.phone, key, people)
        else:
            ctx.go("chat", chat=store.make_group(ctx.phone, [chat["contact_id"], *people]))

    def build(self, ctx: Context) -> Node:
        """Members, then rows."""
        chat = store.chat(ctx.phone, look.number(ctx, "chat"))
        if chat is None:
            gone = look.empty(ctx, "chat-outline", ctx.tr("chat_gone"))
            return look.page(ctx, LazyList((), id="chat_info_list", empty=gone), top=look.top_bar(ctx, ""))
        group = chat["kind"] == "group"
        title = ctx.tr("chat_info")
        if group:
            title = ctx.tr("title_count", title=title, count=chat["member_count"])
        rows: list[Node] = [self._members(ctx, chat), look.gap()]
        if group:
            rows += self._group_rows(ctx, chat)
        rows += [
            look.row(
                ctx,
                ctx.tr("find_messages"),
                id="find_messages",
                on_tap=ctx.open("search", chat=chat["_id"]),
                line=False,
            ),
            look.gap(),
            self._switch(ctx, chat, "muted", "mute_chat"),
            self._switch(ctx, chat, "pinned", "pin_chat"),
        ]
        if group:
            rows.append(self._switch(ctx, chat, "saved", "save_to_contacts"))
            rows.append(look.gap())
            rows.append(
                look.row(
                    ctx,
                    ctx.tr("my_nickname"),
                    id="my_nickname",
                    value=chat["my_nickname"] or store.title_of(ctx.phone, store.ME),
                    on_tap=ctx.open("edit_text", what="my_nickname", key=chat["_id"]),
                )
            )
            rows.append(self._switch(ctx, chat, "show_names", "show_names"))
        rows += [
            look.gap(),
            look.row(ctx, ctx.tr("clear_history"), id="clear_history", on_tap=ctx.show("clear"), line=False),
        ]
        if group:
            red = look.tone(ctx).red
            rows.append(look.gap())
            rows.append(
                look.row(
                    ctx,
                    ctx.tr("leave_group"),
                    id="leave_group",
                    center=True,
                    color=red,
                    on_tap=ctx.show("leave"),
                    line=False,
                )
            )
        listed = LazyList(look.cards(rows), id="chat_info_list", bottom_pad=24.0)
        return look.page(ctx, listed, top=look.top_bar(ctx, title))

    def _switch(self, ctx: Context, chat: store.Row, column: str, key: str) -> Node:
        def turn(on: bool) -> None:
            store.set_chat(ctx.phone, chat["_id"], **{column: int(on)})

        return look.switch_row(ctx, ctx.tr(key), bool(chat[column]), turn, id=key)

    def _group_rows(self, ctx: Context, chat: store.Row) -> list[Node]:
        return [
            look.row(
                ctx,
                ctx.tr("group_name"),
                id="group_name",
                value=chat["name"],
                on_tap=ctx.open("edit_text", what="group_name", key=chat["_id"]),
            ),
            look.row(
                ctx,
                ctx.tr("announcement"),
                id="announcement",
                summary=chat["announcement"],
                value="" if chat["announcement"] else ctx.tr("not_set"),
                on_tap=ctx.open("edit_text", what="announcement", key=chat["_id"]),
                line=False,
            ),
            look.gap(),
        ]

    def _members(self, ctx: Context, chat: store.Row) -> Node:
        key = chat["_id"]
        group = chat["kind"] == "group"
        if group:
            everyone = store.members(ctx.phone, key)
        else:
            row = store.person(ctx.phone, chat["contact_id"])
            everyone = [] if row is None else [{**row, "shown": row["title"]}]
        shown = everyone if ctx.ui.get("all") else everyone[:_SHOWN]
        cells = [
            self._cell(
                ctx,
                look.face(row["title"], row["avatar"], 50.0, hidden_from_tree=True),
                row["shown"],
                ctx.open("contact", contact=row["_id"]),
                "member",
            )
            for row in shown
        ]
        cells.append(self._tool(ctx, "plus", "add_members", ctx.open("pick_people", purpose="add_members", chat=key)))
        if group and chat["owner_id"] == store.ME and len(everyone) > 1:
            act = ctx.open("pick_people", purpose="remove_members", chat=key)
            cells.append(self._tool(ctx, "minus", "remove_members", act))
        t = look.tone(ctx)
        parts = [spread(cells, 5, 4.0, 14.0)]
        if len(shown) < len(everyone):
            parts.append(
                Text(
                    ctx.tr("all_members"),
                    "bodyMedium",
                    t.faint,
                    text_align="center",
                    width=FILL,
                    pad=(0.0, 14.0, 0.0, 4.0),
                    id="all_members",
                    on_tap=ctx.set_ui("all", True),
                )
            )
        return Node("col", parts, width=FILL, bg=t.card, pad=(10.0, 16.0, 10.0, 16.0), id="members")

    def _cell(self, ctx: Context, picture: Node, label: str, on_tap: Handler, id: str) -> Node:
        t = look.tone(ctx)
        text = Text(label, "bodySmall", t.faint, max_lines=2, text_align="center", width=FILL, id="member_name")
        return Node("col", (picture, text), gap=5.0, align="center", width=FILL, id=id, desc=label, on_tap=on_tap)

    def _tool(self, ctx: Context, icon: str, key: str, on_tap: Handler) -> Node:
        t = look.tone(ctx)
        box = Node(
            "box",
            (Icon(icon, 26.0, t.faint, place="center-center", hidden_from_tree=True),),
            width=50.0,
            height=50.0,
            radius=7.0,
            border=1.0,
            border_color=t.faint,
            hidden_from_tree=True,
        )
        return Node("col", (box,), align="center", width=FILL, id=key, desc=ctx.tr(key), on_tap=on_tap)

    def overlay_clear(self, ctx: Context) -> Node:
        """Asks before the history goes."""
        return overlays.ask(
            ctx,
            "",
            ctx.tr("clear_history_text"),
            ctx.tr("clear_do"),
            lambda: store.clear_history(ctx.phone, look.number(ctx, "chat")),
        )

    def overlay_leave(self, ctx: Context) -> Node:
        """Asks before the group is left."""

        def act() -> None:
            store.leave_group(ctx.phone, look.number(ctx, "chat"))
            ctx.go("main")

        return overlays.ask(ctx, "", ctx.tr("leave_group_text"), ctx.tr("leave_do"), act)
