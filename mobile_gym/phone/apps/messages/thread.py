"""A thread: messages with one number, and the bar to answer."""

from __future__ import annotations

from urllib.parse import unquote

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.messages import bubbles, look, store
from mobile_gym.phone.apps.messages.calls import call_button
from mobile_gym.phone.apps.messages.codes import find_code
from mobile_gym.phone.apps.messages.composer import FIELD, Writing, composer
from mobile_gym.phone.apps.messages.inbox import delete_dialog
from mobile_gym.phone.apps.messages.options import MessageOptions
from mobile_gym.phone.apps.messages.store import Message, Thread
from mobile_gym.phone.apps.telephony import threads
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Center,
    Dialog,
    EmptyState,
    IconButton,
    LazyList,
    Menu,
    MenuItem,
    Row,
    Scaffold,
    Text,
    TopBar,
)


class Conversation(Writing, MessageOptions, Screen):
    """Messages with a number. Arguments: `address`, and `hit`, the message that a search found."""

    name = "thread"
    activity = ".ui.conversation.ConversationActivity"
    single = True

    def on_open(self, ctx: Context) -> None:
        """Marks the thread as read, brings the draft back, goes to the message asked for."""
        if not ctx.args.get("address"):
            newest = store.list_threads(ctx.phone, archived=False, kind="all", people={})
            ctx.args["address"] = newest[0]["address"] if newest else ""
        address = str(ctx.args["address"])
        store.mark_read(ctx.phone, address)
        ctx.ui.clear()
        ctx.record["overlays"].clear()
        ctx.record["scroll"].pop("message_list", None)
        ctx.set_field(FIELD, str(ctx.args.get("body") or store.draft(ctx.phone, address)))
        if ctx.args.get("body"):
            self.on_written(ctx, ctx.field(FIELD))
        hit = ctx.args.get("hit")
        found = store.thread(ctx.phone, address)
        if hit is not None and found is not None:
            keys = [message["_id"] for message in store.messages(ctx.phone, found["_id"])]
            if hit in keys:
                ctx.record["scroll"]["message_list"] = [max(keys.index(hit) - 1, 0), 0]

    def on_resume(self, ctx: Context) -> None:
        """What came while the thread was not in front is read now."""
        store.mark_read(ctx.phone, str(ctx.args.get("address", "")))

    def on_written(self, ctx: Context, text: str) -> None:
        """Keeps the draft."""
        store.save_draft(ctx.phone, str(ctx.args["address"]), text)

    def build(self, ctx: Context) -> Node:
        """Bar, bubbles, composer."""
        address = str(ctx.args.get("address", ""))
        if not address:
            return Scaffold(Center(EmptyState("message-text-outline", ctx.tr("empty_all"))), top=TopBar(ctx, ""))
        person = look.find_person(store.people_by_number(ctx.phone), address)
        found = store.thread(ctx.phone, address)
        messages = [] if found is None else store.messages(ctx.phone, found["_id"])
        opened = ctx.ui.get("opened")
        hit = ctx.args.get("hit")

        def row(message: Message) -> Node:
            key = message["_id"]
            return bubbles.bubble(
                ctx,
                message,
                person,
                on_tap=lambda: self._tap(ctx, message),
                on_long_press=ctx.show("options", key=key),
                on_copy=lambda: self._copy_code(ctx, message["body"]),
                hit=key == hit,
                open=key == opened,
            )

        listed = LazyList(messages, row=row, id="message_list", reverse=True, bottom_pad=8.0)
        name = look.title(person, address, ctx.language)
        disc = look.face(
            person, 36.0, id="conversation_icon", desc=ctx.tr("details"), on_tap=ctx.open("details", address=address)
        )
        actions = [call_button(ctx, address)]
        actions.append(
            IconButton("dots-vertical", ctx.show("menu"), ctx.tr("more_options"), id="action_more", color="onSurface")
        )
        top = TopBar(ctx, name, leading=Row(disc, pad=(0.0, 0.0, 8.0, 0.0), hidden_from_tree=True), actions=actions)
        if len(name) > 12:
            # A long name or number fits in smaller letters.
            parts = [part.replace(style="titleMedium") if part.id == "toolbar_title" else part for part in top.children]
            top = top.replace(children=parts)
        blocked = bool(found and found["blocked"]) or normalise(address) in threads.blocked_keys(ctx.phone)
        parts = [listed.replace(weight=1.0)]
        if person is None and not blocked and address.strip("+").replace(" ", "").replace("-", "").isdigit():
            parts.insert(0, self._unknown(ctx, address))
        bottom = self._blocked(ctx, address) if blocked else self._composer(ctx, address)
        return Scaffold(Node("col", parts, width=FILL, hidden_from_tree=True), top=top, bottom=bottom)

    def _composer(self, ctx: Context, address: str) -> Node:
        def send() -> None:
            text = ctx.field(FIELD).strip()
            if text:
                ctx.set_field(FIELD, "")
                store.send(ctx.phone, address, text)
                store.set_flag(ctx.phone, [address], "archived", False)
                ctx.record["scroll"].pop("message_list", None)

        return composer(ctx, send, lambda text: self.on_written(ctx, text))

    def _unknown(self, ctx: Context, address: str) -> Node:
        return Node(
            "row",
            (
                Text(ctx.tr("unknown_number"), "bodyMedium", "onSurfaceVariant", weight=1.0, id="unknown_banner_text"),
                Button(ctx.tr("block"), ctx.show("block"), tone="outlined", id="banner_block").replace(
                    pad=(16.0, 8.0, 16.0, 8.0)
                ),
                Button(
                    ctx.tr("add_contact_short"),
                    ctx.open("add_contact", address=address),
                    tone="tonal",
                    id="banner_add_contact",
                ).replace(pad=(16.0, 8.0, 16.0, 8.0)),
            ),
            gap=8.0,
            width=FILL,
            min_height=56.0,
            bg="surfaceContainer",
            pad=(16.0, 8.0, 12.0, 8.0),
            id="unknown_banner",
        )

    def _blocked(self, ctx: Context, address: str) -> Node:
        def act() -> None:
            threads.unblock(ctx.phone, address)

        return Node(
            "row",
            (
                Text(ctx.tr("blocked_note"), "bodyMedium", "onSurfaceVariant", weight=1.0, id="blocked_note"),
                Button(ctx.tr("unblock"), act, tone="tonal", id="unblock"),
            ),
            gap=12.0,
            width=FILL,
            min_height=64.0,
            pad=(16.0, 8.0, 16.0, 8.0),
            bg="surfaceContainer",
        )

    def _tap(self, ctx: Context, message: Message) -> None:
        if message["type"] == threads.FAILED:
            ctx.open_overlay("failed", key=message["_id"])
        else:
            ctx.ui["opened"] = None if ctx.ui.get("opened") == message["_id"] else message["_id"]

    def _copy_code(self, ctx: Context, body: str) -> None:
        ctx.phone.set_clipboard(find_code(body) or "")
        ctx.toast(ctx.tr("code_copied"))

    # ---- menus and dialogs

    def overlay_menu(self, ctx: Context) -> Node:
        """What can be done with the thread."""
        address = str(ctx.args["address"])
        found = store.thread(ctx.phone, address)
        known = look.find_person(store.people_by_number(ctx.phone), address) is not None
        items = [self._item(ctx, "details", "details", address)]
        if not known:
            items.append(self._item(ctx, "add_contact", "add_contact", address))
        items.append(self._item(ctx, "search_here", "search", address))
        if found is not None:
            items += self._flag_items(ctx, found)
        return Menu(ctx, items)

    def _item(self, ctx: Context, key: str, screen: str, address: str) -> Node:
        def act() -> None:
            ctx.dismiss()
            ctx.go(screen, address=address)

        return MenuItem(ctx.tr(key), act, id=f"menu_{key}")

    def _flag_items(self, ctx: Context, found: Thread) -> list[Node]:
        address = found["address"]

        def flag(name: str, on: str, off: str, leave: bool = False) -> Node:
            value = not found[name]

            def act() -> None:
                ctx.dismiss()
                store.set_flag(ctx.phone, [address], name, value)
                ctx.toast(ctx.tr(f"{name}_toast" if value else f"un{name}_toast"))
                if leave and value:
                    ctx.finish()

            return MenuItem(ctx.tr(on if value else off), act, id=f"menu_{on}")

        items = [
            flag("pinned", "pin", "unpin"),
            flag("muted", "mute", "unmute"),
            flag("archived", "archive", "unarchive", leave=True),
        ]
        if found["blocked"]:

            def unblock() -> None:
                ctx.dismiss()
                threads.unblock(ctx.phone, address)

            items.append(MenuItem(ctx.tr("unblock"), unblock, id="menu_unblock"))
        else:
            items.append(MenuItem(ctx.tr("block"), ctx.then_dismiss(ctx.open_overlay, "block"), id="menu_block"))
        items.append(MenuItem(ctx.tr("delete_chat"), ctx.then_dismiss(ctx.open_overlay, "delete"), id="menu_delete"))
        return items

    def overlay_block(self, ctx: Context) -> Node:
        """Asks before the number is blocked."""
        address = str(ctx.args["address"])

        def act() -> None:
            ctx.dismiss()
            store.block(ctx.phone, address)
            ctx.toast(ctx.tr("blocked_toast"))

        return Dialog(
            ctx,
            ctx.tr("block_title"),
            ctx.tr("block_text"),
            icon="block-helper",
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("block"), act)),
        )

    def overlay_delete(self, ctx: Context) -> Node:
        """Asks before the thread is deleted."""
        return delete_dialog(ctx, [str(ctx.args["address"])], ctx.finish)

    def overlay_failed(self, ctx: Context, key: int) -> Node:
        """Asks whether a message that failed is sent again."""

        def again() -> None:
            ctx.dismiss()
            store.send_again(ctx.phone, key)

        def drop() -> None:
            ctx.dismiss()
            store.delete_message(ctx.phone, key)

        return Dialog(
            ctx,
            ctx.tr("failed_title"),
            ctx.tr("failed_text"),
            actions=((ctx.tr("delete"), drop), (ctx.tr("cancel"), ctx.dismiss), (ctx.tr("send_again"), again)),
        )


def parse_address(data: str) -> tuple[list[str], str]:
    """Numbers and text of `sms:138…,139…?body=…`."""
    rest = data.partition(":")[2].removeprefix("//")
    numbers, _, query = rest.partition("?")
    body = ""
    for part in query.split("&"):
        name, _, value = part.partition("=")
        if name == "body":
            body = unquote(value.replace("+", " "))
    found = [unquote(number).strip() for number in numbers.replace(";", ",").split(",")]
    return [number for number in found if number], body
