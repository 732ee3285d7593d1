"""A group's page, and the dialog that names a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mobile_gym.phone.apps.contacts import look, store
from mobile_gym.phone.apps.contacts.store import Entry
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.forms import asking_text, leaving
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Dialog,
    EmptyState,
    Fab,
    IconButton,
    LazyList,
    Menu,
    MenuItem,
    Scaffold,
    Text,
    TextField,
    TopBar,
)


def name_dialog(ctx: Context, group: int | None, on_name: Callable[[str], None]) -> Node:
    """A dialog that asks for a group's name and refuses none and one that is taken.

    Args:
        ctx: the overlay's context; whoever opens it fills the field `group_name`.
        group: the group that is renamed; None for a new one.
        on_name: called with the name; the dialog is closed before.
    """
    if ctx.overlay is None:
        raise ValueError("name_dialog is built by an overlay of a screen")
    state = ctx.overlay["ui"]

    def take() -> None:
        title = ctx.field("group_name").strip()
        if not title:
            state["error"] = "group_name_missing"
        elif store.name_taken(ctx.phone, title, group):
            state["error"] = "group_name_taken"
        else:
            ctx.focus(None)
            ctx.dismiss()
            on_name(title)

    error = ctx.tr(state["error"]) if state.get("error") else ""
    box = TextField(ctx, "group_name", ctx.tr("group_name"), error=error, max_length=40, on_submit=take)
    body = Node("col", (box,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
    title = ctx.tr("new_group" if group is None else "rename_group")
    return Dialog(ctx, title, body, actions=((ctx.tr("cancel"), leaving(ctx)), (ctx.tr("ok"), take)))


class GroupPage(Screen):
    """The contacts of a group; a long press chooses some to be taken out. Argument: `id`."""

    name = "group"
    activity = ".activities.GroupDetailActivity"

    def on_open(self, ctx: Context) -> None:
        """Without an id: the first group."""
        if not ctx.args.get("id"):
            found = store.groups(ctx.phone)
            ctx.args["id"] = int(found[0]["_id"]) if found else 0

    def build(self, ctx: Context) -> Node:
        """The members."""
        group = int(ctx.args["id"])
        title = store.group_title(ctx.phone, group)
        if title is None:
            return Scaffold(EmptyState("account-group-outline", ctx.tr("no_groups")), top=TopBar(ctx, ""))
        inside = set(store.members(ctx.phone, group))
        found = [entry for entry in store.entries(ctx.phone) if entry.id in inside]
        chosen: list[int] = ctx.ui.get("chosen", [])

        def row(entry: Entry) -> Node:
            def tap() -> None:
                if chosen:
                    self._toggle(ctx, entry.id)
                else:
                    ctx.go("contact", id=entry.id)

            return look.contact_row(
                entry,
                tap,
                on_long_press=lambda: self._toggle(ctx, entry.id),
                chosen=entry.id in chosen if chosen else None,
                detail=look.number_text(ctx, entry.number),
            )

        empty = EmptyState("account-group-outline", ctx.tr("no_members"))
        listed = LazyList(found, row=row, id="member_list", bottom_pad=88.0, empty=empty)
        if chosen:
            return Scaffold(listed, top=self._choosing_bar(ctx, group, chosen))
        numbers = [entry.number for entry in found if entry.number]
        text = look.text_to(ctx, numbers) if numbers else (lambda: ctx.toast(ctx.tr("nobody_to_text")))
        actions = (
            IconButton("message-text-outline", text, ctx.tr("message_group"), id="menu_message_group"),
            IconButton("dots-vertical", ctx.show("more"), ctx.tr("more_options"), id="menu_more"),
        )
        pick = ctx.open("pick", multi=True, without=sorted(inside), purpose="group", title=ctx.tr("add_members"))
        fab = Fab("account-plus-outline", ctx.tr("add_members"), pick, id="floating_action_button")
        return Scaffold(listed, top=TopBar(ctx, title, actions=actions), fab=fab)

    def _toggle(self, ctx: Context, key: int) -> None:
        chosen: list[int] = ctx.ui.get("chosen", [])
        ctx.ui["chosen"] = [one for one in chosen if one != key] if key in chosen else [*chosen, key]

    def _choosing_bar(self, ctx: Context, group: int, chosen: list[int]) -> Node:
        def remove() -> None:
            store.remove_members(ctx.phone, group, chosen)
            ctx.ui["chosen"] = []
            ctx.snackbar(
                ctx.tr("removed_members", count=len(chosen)), ctx.tr("undo"), undo={"group": group, "ids": chosen}
            )

        close = IconButton("close", ctx.set_ui("chosen", []), ctx.tr("cancel"), id="selection_close")
        label = Text(ctx.tr("selected_count", count=len(chosen)), "titleLarge", weight=1.0, max_lines=1)
        button = IconButton(
            "account-remove-outline", remove, ctx.tr("remove_members"), id="menu_remove_members", color="onSurface"
        )
        return Node("row", (close, label, button), width=FILL, height=64.0, pad=(4.0, 0.0, 4.0, 0.0), id="toolbar")

    def on_snackbar(self, ctx: Context, undo: Mapping[str, Any]) -> None:
        """Puts those back that were taken out."""
        store.add_members(ctx.phone, int(undo["group"]), [int(key) for key in undo["ids"]])

    def on_back(self, ctx: Context) -> bool:
        """Back first ends choosing."""
        if not ctx.ui.get("chosen"):
            return False
        ctx.ui["chosen"] = []
        return True

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Contacts that were picked as members."""
        keys = [int(key) for key in result.get("ids", [])]
        if keys:
            store.add_members(ctx.phone, int(ctx.args["id"]), keys)
            ctx.toast(ctx.tr("added_members", count=len(keys)))

    def overlay_more(self, ctx: Context) -> Node:
        """Rename, delete."""
        title = store.group_title(ctx.phone, int(ctx.args["id"])) or ""
        rename = asking_text(ctx, "rename", "group_name", title)
        items = [
            MenuItem(ctx.tr("rename_group"), ctx.then_dismiss(rename), id="menu_rename_group"),
            MenuItem(ctx.tr("delete_group"), ctx.then_dismiss(ctx.open_overlay, "delete"), id="menu_delete_group"),
        ]
        return Menu(ctx, items)

    def overlay_rename(self, ctx: Context) -> Node:
        """Asks for another name."""
        group = int(ctx.args["id"])

        def rename(title: str) -> None:
            store.database(ctx.phone).update("groups", group, title=title)
            ctx.phone.invalidate()

        return name_dialog(ctx, group, rename)

    def overlay_delete(self, ctx: Context) -> Node:
        """Asks before the group is deleted."""
        group = int(ctx.args["id"])

        def act() -> None:
            ctx.dismiss()
            store.database(ctx.phone).delete("groups", group)
            ctx.toast(ctx.tr("group_deleted"))
            ctx.finish()

        title = ctx.tr("delete_group_title", name=store.group_title(ctx.phone, group) or "")
        actions = ((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), act))
        return Dialog(ctx, title, ctx.tr("delete_group_text"), actions=actions)
