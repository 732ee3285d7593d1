"""A chat: bubbles, composer, what can be done with messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.messenger import bubbles, look, overlays, store
from mobile_gym.phone.apps.messenger.composer import FIELD, composer, panel_open
from mobile_gym.phone.apps.messenger.message_menu import MessageMenu, TapsMessages
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Text

LIST = "message_list"


class Chat(MessageMenu, TapsMessages, Screen):
    """A chat. Arguments: `chat`, or `contact` for the chat with a person; `hit` is a message that a search found."""

    name = "chat"
    activity = ".ui.chatting.ChattingUI"

    def on_open(self, ctx: Context) -> None:
        """Takes the draft up, marks all as read."""
        key, contact = look.number(ctx, "chat"), look.number(ctx, "contact")
        if not key and store.person(ctx.phone, contact) is not None:
            key = store.chat_with(ctx.phone, contact)
        ctx.args["chat"] = key
        row = store.chat(ctx.phone, ctx.args["chat"])
        if row is None:
            return
        ctx.set_field(FIELD, row["draft"])
        store.mark_read(ctx.phone, row["_id"])
        hit = ctx.args.get("hit")
        if hit is not None:
            keys = [message["_id"] for message in store.messages(ctx.phone, row["_id"])]
            if hit in keys:
                ctx.record["scroll"][LIST] = [max(keys.index(hit) - 1, 0), 0]

    def on_resume(self, ctx: Context) -> None:
        """What came meanwhile is read now."""
        store.mark_read(ctx.phone, look.number(ctx, "chat"))

    def on_back(self, ctx: Context) -> bool:
        """Back ends choosing, closes a panel, then leaves."""
        if ctx.ui.get("chosen") is not None:
            ctx.ui["chosen"] = None
            return True
        if panel_open(ctx, "emoji") or panel_open(ctx, "plus"):
            ctx.ui["panel"] = ""
            return True
        return False

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Something was chosen to be sent, or people to be named."""
        key = look.number(ctx, "chat")
        self.to_end(ctx)
        if "sent" in result:
            ctx.toast(ctx.tr("sent"))
        elif "mention" in result:
            name = result["mention"]
            ctx.set_field(FIELD, f"{ctx.field(FIELD).removesuffix('@')}@{name} ")
            store.set_chat(ctx.phone, key, draft=ctx.field(FIELD))
            ctx.focus(FIELD)
        elif "card" in result:
            for contact in result["card"]:
                store.send(ctx.phone, key, "card", store.title_of(ctx.phone, contact), ref_id=contact)
        elif "place" in result:
            store.send(ctx.phone, key, "location", result["place"], source=result["address"])
        elif "file" in result:
            store.send(ctx.phone, key, "file", result["name"], source=result["file"], size=result["size"])
        elif "picture" in result:
            store.send(ctx.phone, key, "image", "", source=result["picture"])

    def to_end(self, ctx: Context) -> None:
        """Shows the newest messages."""
        ctx.record["scroll"].pop(LIST, None)

    def build(self, ctx: Context) -> Node:
        """Bar, bubbles, composer."""
        t = look.tone(ctx)
        chat = store.chat(ctx.phone, look.number(ctx, "chat"))
        if chat is None:
            gone = look.empty(ctx, "chat-outline", ctx.tr("chat_gone"))
            return look.page(ctx, LazyList((), id=LIST, empty=gone), top=look.top_bar(ctx, ""))
        group = chat["kind"] == "group"
        title = chat["title"] or ""
        if group:
            title = ctx.tr("title_count", title=title, count=chat["member_count"])
        chosen: list[int] | None = ctx.ui.get("chosen")
        info = look.bar_button(
            ctx, "dots-horizontal", ctx.tr("chat_info"), ctx.open("chat_info", chat=chat["_id"]), "chat_info"
        )
        top = Node(
            "col",
            (look.top_bar(ctx, title, actions=() if chosen is not None else (info,)), look.hairline(ctx)),
            width=FILL,
            hidden_from_tree=True,
        )
        places = store.setting(ctx.phone, "font_size")
        size = bubbles.FONT_SIZES[int(places) if places in ("0", "1", "2", "3", "4") else 1]

        def row(message: store.Row) -> Node:
            return bubbles.message_row(
                ctx,
                message,
                self.doing(ctx, chat, message, chosen),
                group=group and bool(chat["show_names"]),
                size_sp=size,
                chosen=chosen is not None and message["_id"] in chosen,
                playing=ctx.ui.get("playing") == message["_id"],
                heard=message["_id"] in ctx.ui.get("heard", ()),
            )

        listed = LazyList(
            store.messages(ctx.phone, chat["_id"]), row=row, id=LIST, reverse=True, top_pad=14.0, bottom_pad=2.0
        )
        if chat["announcement"] and group and not ctx.ui.get("announcement_closed"):
            listed = Node(
                "col",
                (self._announcement(ctx, chat), listed.replace(weight=1.0)),
                width=FILL,
                height=FILL,
                hidden_from_tree=True,
            )
        if chosen is not None:
            bottom = self.chosen_bar(ctx, chosen)
        elif group or self._friend(ctx, chat):
            bottom = composer(
                ctx,
                group=group,
                on_send=lambda: self._send(ctx, chat),
                on_change=lambda text: self._written(ctx, chat, text),
                on_voice=lambda held: self._talk(ctx, chat, held),
                on_plus=lambda name: self._plus(ctx, chat, name),
            )
        else:
            bottom = Text(
                ctx.tr("not_friends"),
                "bodyMedium",
                t.faint,
                text_align="center",
                width=FILL,
                bg=t.bar,
                pad=(24.0, 16.0, 24.0, 16.0),
                id="not_friends",
            )
        page = look.page(ctx, listed, top=top, bottom=bottom)
        return look.edged(page, foot=t.bar)

    def _friend(self, ctx: Context, chat: store.Row) -> bool:
        row = store.person(ctx.phone, chat["contact_id"])
        return row is not None and row["status"] == "friend" and not row["blacklisted"]

    def _announcement(self, ctx: Context, chat: store.Row) -> Node:
        t = look.tone(ctx)
        close = Node(
            "box",
            (Icon("close", 18.0, t.faint, place="center-center"),),
            width=36.0,
            height=36.0,
            id="announcement_close",
            desc=ctx.tr("close"),
            on_tap=ctx.set_ui("announcement_closed", True),
        )
        line = Node(
            "row",
            (
                Icon("message-text-outline", 18.0, "#F08C2E", hidden_from_tree=True),
                Text(chat["announcement"], "bodyMedium", t.ink, max_lines=1, weight=1.0, id="announcement_line"),
                close,
            ),
            gap=8.0,
            width=FILL,
            min_height=40.0,
            pad=(14.0, 2.0, 4.0, 2.0),
            bg=t.bar,
            id="announcement_bar",
            on_tap=ctx.show("announcement", text=chat["announcement"]),
        )
        return Node("col", (line, look.hairline(ctx)), width=FILL, hidden_from_tree=True)

    def overlay_announcement(self, ctx: Context, text: str) -> Node:
        """The whole announcement."""
        return overlays.dialog(ctx, ctx.tr("announcement"), text, actions=((ctx.tr("ok"), ctx.dismiss),))

    # ---- writing

    def _send(self, ctx: Context, chat: store.Row) -> None:
        text = ctx.field(FIELD).strip()
        if not text:
            return
        quote = ctx.ui.get("quote")
        ctx.set_field(FIELD, "")
        ctx.ui["quote"] = None
        store.send_text(ctx.phone, chat["_id"], text, quote)
        self.to_end(ctx)

    def _written(self, ctx: Context, chat: store.Row, text: str) -> None:
        before = chat["draft"]
        store.set_chat(ctx.phone, chat["_id"], draft=text)
        if chat["kind"] == "group" and text.endswith("@") and len(text) > len(before):
            ctx.go("pick_people", purpose="mention", chat=chat["_id"])

    def _talk(self, ctx: Context, chat: store.Row, held: bool) -> None:
        if not held:
            ctx.toast(ctx.tr("too_short"))
            return
        store.send(ctx.phone, chat["_id"], "voice", "", seconds=2)
        self.to_end(ctx)

    def _plus(self, ctx: Context, chat: store.Row, name: str) -> None:
        key = chat["_id"]
        ctx.ui["panel"] = ""
        if name == "card":
            ctx.go("pick_people", purpose="card", chat=key)
        elif name == "favourite":
            ctx.go("favourites", chat=key)
        elif name == "poll":
            ctx.go("new_poll", chat=key)
        elif name in ("red_packet", "transfer"):
            ctx.go(name, chat=key)
        else:
            ctx.go({"photo": "pick_picture", "location": "pick_place", "file": "pick_file"}[name])
