"""The list of threads, and the archive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mobile_gym.phone.apps.messages import look, rows, store
from mobile_gym.phone.apps.messages.store import Thread
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Avatar,
    Checkbox,
    Chip,
    Column,
    Dialog,
    EmptyState,
    Fab,
    IconButton,
    LazyList,
    ListRow,
    Menu,
    MenuItem,
    Row,
    Scaffold,
    Sheet,
    Text,
    TopBar,
)

KINDS = ("all", "unread", "contacts", "codes")


class Threads(Screen):
    """A list of threads in which several can be chosen by a long press."""

    archived: ClassVar[bool] = False

    def build(self, ctx: Context) -> Node:
        """The list under its bar."""
        people = store.people_by_number(ctx.phone)
        kind = ctx.ui.get("kind", "all")
        found = store.list_threads(ctx.phone, archived=self.archived, kind=kind, people=people)
        chosen = self._chosen(ctx)

        def row(thread: Thread) -> Node:
            address = thread["address"]

            def tap() -> None:
                if chosen:
                    self._toggle(ctx, address)
                else:
                    ctx.go("thread", address=address)

            return rows.thread_row(
                ctx,
                thread,
                look.find_person(people, address),
                address in chosen,
                tap,
                lambda: self._toggle(ctx, address),
            )

        listed = LazyList(
            found,
            row=row,
            id="conversation_list",
            bottom_pad=0.0 if self.archived else 88.0,
            empty=self._empty(ctx, kind),
        )
        top = self._selection_bar(ctx, found, chosen) if chosen else self._bar(ctx)
        parts = [] if self.archived else [self._chips(ctx, kind)]
        fab = None
        if not self.archived and not chosen:
            label = ctx.tr("start_chat")
            fab = Fab("message-outline", label, ctx.open("compose"), label, id="start_new_conversation_button")
        body = Node("col", (*parts, listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True)
        return Scaffold(body, top=top, fab=fab)

    def _bar(self, ctx: Context) -> Node:
        raise NotImplementedError

    def _empty(self, ctx: Context, kind: str) -> Node:
        key = "empty_archive" if self.archived else f"empty_{kind}"
        return EmptyState("archive-outline" if self.archived else "message-text-outline", ctx.tr(key))

    def _chips(self, ctx: Context, kind: str) -> Node:
        chips = [
            Chip(ctx.tr(f"kind_{name}"), name == kind, self._choose(ctx, name), id=f"chip_{name}") for name in KINDS
        ]
        return Node(
            "list",
            chips,
            axis="h",
            gap=8.0,
            width=FILL,
            pad=(16.0, 4.0, 16.0, 10.0),
            id="filter_chips",
            cls="android.widget.HorizontalScrollView",
        )

    def _choose(self, ctx: Context, kind: str) -> Any:
        def handle() -> None:
            ctx.ui["kind"] = kind
            ctx.record["scroll"].pop("conversation_list", None)

        return handle

    # ---- choosing several

    def _chosen(self, ctx: Context) -> list[str]:
        chosen: list[str] = ctx.ui.get("chosen", [])
        return chosen

    def _toggle(self, ctx: Context, address: str) -> None:
        chosen = self._chosen(ctx)
        ctx.ui["chosen"] = [a for a in chosen if a != address] if address in chosen else [*chosen, address]

    def _clear(self, ctx: Context) -> None:
        ctx.ui["chosen"] = []

    def _selection_bar(self, ctx: Context, found: list[Thread], chosen: list[str]) -> Node:
        picked = [thread for thread in found if thread["address"] in chosen]
        pin = not all(thread["pinned"] for thread in picked)
        actions = [
            IconButton(
                "pin-outline" if pin else "pin-off-outline",
                lambda: self._flag(ctx, "pinned", pin),
                ctx.tr("pin" if pin else "unpin"),
                id="action_pin",
            )
        ]
        if self.archived:
            actions.append(
                IconButton(
                    "archive-arrow-up-outline",
                    lambda: self._archive(ctx, False),
                    ctx.tr("unarchive"),
                    id="action_unarchive",
                )
            )
        else:
            actions.append(
                IconButton("archive-outline", lambda: self._archive(ctx, True), ctx.tr("archive"), id="action_archive")
            )
        actions.append(IconButton("trash-can-outline", ctx.show("delete"), ctx.tr("delete"), id="action_delete"))
        actions.append(IconButton("dots-vertical", ctx.show("more"), ctx.tr("more_options"), id="action_more"))
        return Node(
            "row",
            (
                IconButton("close", lambda: self._clear(ctx), ctx.tr("cancel"), id="action_mode_close_button"),
                Text(str(len(chosen)), "titleLarge", weight=1.0, id="selection_count"),
                *actions,
            ),
            gap=0.0,
            width=FILL,
            height=64.0,
            pad=(4.0, 0.0, 4.0, 0.0),
            id="action_mode_bar",
        )

    def _flag(self, ctx: Context, flag: str, value: bool) -> None:
        store.set_flag(ctx.phone, self._chosen(ctx), flag, value)
        self._clear(ctx)

    def _archive(self, ctx: Context, value: bool) -> None:
        chosen = self._chosen(ctx)
        store.set_flag(ctx.phone, chosen, "archived", value)
        self._clear(ctx)
        text = ctx.tr("archived_count" if value else "unarchived_count", count=len(chosen))
        ctx.snackbar(text, ctx.tr("undo"), undo={"addresses": chosen, "archived": not value})

    def on_snackbar(self, ctx: Context, undo: Mapping[str, Any]) -> None:
        """Takes archiving back."""
        store.set_flag(ctx.phone, undo["addresses"], "archived", bool(undo["archived"]))

    def on_back(self, ctx: Context) -> bool:
        """Back first ends choosing."""
        if not self._chosen(ctx):
            return False
        self._clear(ctx)
        return True

    def overlay_more(self, ctx: Context) -> Node:
        """What else can be done with the chosen threads."""
        picked = [thread for a in self._chosen(ctx) if (thread := store.thread(ctx.phone, a)) is not None]
        unread = any(thread["unread_count"] for thread in picked)
        mute = not all(thread["muted"] for thread in picked)

        def mark() -> None:
            for thread in picked:
                act = store.mark_read if unread else store.mark_unread
                act(ctx.phone, thread["address"])
            self._clear(ctx)

        items = [
            MenuItem(
                ctx.tr("mark_read" if unread else "mark_unread"),
                ctx.then_dismiss(mark),
                icon="email-open-outline" if unread else "email-outline",
                id="action_mark_read" if unread else "action_mark_unread",
            ),
            MenuItem(
                ctx.tr("mute" if mute else "unmute"),
                ctx.then_dismiss(self._flag, ctx, "muted", mute),
                icon="bell-off-outline" if mute else "bell-outline",
                id="action_mute",
            ),
            MenuItem(
                ctx.tr("block"), ctx.then_dismiss(ctx.open_overlay, "block"), icon="block-helper", id="action_block"
            ),
        ]
        return Menu(ctx, items)

    def overlay_block(self, ctx: Context) -> Node:
        """Asks before numbers are blocked."""
        chosen = self._chosen(ctx)

        def act() -> None:
            for address in chosen:
                store.block(ctx.phone, address)
            self._clear(ctx)
            ctx.toast(ctx.tr("blocked_toast"))

        return Dialog(
            ctx,
            ctx.tr("block_title"),
            ctx.tr("block_text"),
            icon="block-helper",
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("block"), ctx.then_dismiss(act))),
        )

    def overlay_delete(self, ctx: Context) -> Node:
        """Asks before threads are deleted; the numbers may be blocked with them."""
        chosen = self._chosen(ctx)
        return delete_dialog(ctx, chosen, lambda: self._clear(ctx))


def delete_dialog(ctx: Context, addresses: list[str], done: Any) -> Node:
    """The dialog that asks before threads are deleted.

    Args:
        ctx: the screen's context; the dialog's checkbox lives in it.
        addresses: whose threads.
        done: called when they are gone.
    """
    people = store.people_by_number(ctx.phone)
    found = [thread for address in addresses if (thread := store.thread(ctx.phone, address)) is not None]
    count = sum(thread["message_count"] for thread in found)
    state: dict[str, Any] = ctx.overlay["ui"] if ctx.overlay is not None else {}
    block = bool(state.get("block"))

    def act() -> None:
        for address in addresses:
            store.delete_thread(ctx.phone, address)
            if block:
                store.block(ctx.phone, address)
        done()

    def turn() -> None:
        state["block"] = not block

    if len(addresses) == 1:
        name = look.title(look.find_person(people, addresses[0]), addresses[0], ctx.language)
        text = ctx.tr("delete_text", name=name, count=count)
        heading = ctx.tr("delete_title")
    else:
        text = ctx.tr("delete_text_many", count=count)
        heading = ctx.tr("delete_title_many", threads=len(addresses))
    choice = Node(
        "row",
        (
            Checkbox(block, id="block_checkbox", desc=ctx.tr("also_block")),
            Text(ctx.tr("also_block"), "bodyMedium", weight=1.0),
        ),
        gap=14.0,
        width=FILL,
        min_height=48.0,
        pad=(24.0, 0.0, 24.0, 0.0),
        id="also_block",
        on_tap=turn,
    )
    body = Column(
        Text(text, "bodyMedium", "onSurfaceVariant", width=FILL, id="message", pad=(24.0, 0.0, 24.0, 0.0)),
        choice,
        gap=8.0,
    )
    actions = ((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act)))
    return Dialog(ctx, heading, body, icon="trash-can-outline", actions=actions)


class Inbox(Threads):
    """The first page."""

    name = "inbox"
    activity = ".ui.conversationlist.ConversationListActivity"
    single = True

    def _bar(self, ctx: Context) -> Node:
        owner = ctx.tr("owner_letter")
        disc = Node(
            "box",
            (Avatar(owner, 32.0, "#6B5778", place="center-center", hidden_from_tree=True),),
            width=48.0,
            height=48.0,
            id="selected_account_disc",
            desc=ctx.tr("account_and_settings"),
            cls="android.widget.ImageButton",
            on_tap=ctx.show("account"),
        )
        return Row(
            Text(ctx.tr("app_name"), "titleLarge", weight=1.0, max_lines=1, id="toolbar_title"),
            IconButton("magnify", ctx.open("search"), ctx.tr("search"), id="action_search"),
            disc,
            width=FILL,
            height=64.0,
            pad=(24.0, 0.0, 8.0, 0.0),
            id="toolbar",
        )

    def overlay_account(self, ctx: Context) -> Node:
        """The rest of the app."""
        unread = store.unread_total(ctx.phone)

        def read_all() -> None:
            store.mark_all_read(ctx.phone)
            ctx.toast(ctx.tr("all_read_toast"))

        def entry(icon: str, key: str, screen: str) -> Node:
            return ListRow(
                ctx.tr(key), icon=icon, on_tap=ctx.then_dismiss(ctx.go, screen), id=f"menu_{screen}"
            ).replace(pad=_PAD)

        owner = Avatar(ctx.tr("owner_letter"), 40.0, "#6B5778")
        number = ctx.settings.get("global", "line1_number") or ctx.tr("owner_detail")
        return Sheet(
            ctx,
            ListRow(ctx.tr("owner_name"), number, leading=owner, id="account_name").replace(pad=_PAD),
            ListRow(
                ctx.tr("mark_all_read"),
                ctx.tr("unread_total", count=unread) if unread else "",
                icon="email-check-outline",
                on_tap=ctx.then_dismiss(read_all),
                enabled=unread > 0,
                id="menu_mark_all_read",
            ).replace(pad=_PAD),
            entry("star-outline", "starred", "starred"),
            entry("archive-outline", "archive_list", "archive"),
            entry("block-helper", "blocked_list", "blocked"),
            entry("cog-outline", "settings", "settings"),
        )


_PAD = (24.0, 8.0, 24.0, 8.0)


class Archive(Threads):
    """Archived threads."""

    name = "archive"
    activity = ".ui.conversationlist.ArchivedConversationListActivity"
    archived = True

    def _bar(self, ctx: Context) -> Node:
        return TopBar(ctx, ctx.tr("archive_list"))
