"""The messages tab: notices of payments, bills and parcels."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.wallet import parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Chip,
    Dialog,
    EmptyState,
    IconButton,
    LazyList,
    ListRow,
    Row,
    Scaffold,
    Text,
    TopBar,
)

_LOOK = {
    "payment": ("check-decagram", "inkBlue"),
    "transfer": ("swap-horizontal", "inkGreen"),
    "arrears": ("bell-ring", "inkOrange"),
    "logistics": ("truck-fast", "inkTeal"),
    "system": ("shield-check", "inkPurple"),
}
KINDS = ("all", *_LOOK)
_LINKS = ("bill", "bills", "utility", "parcel", "security")


def head(ctx: Context) -> Node:
    """Title, and what can be done with all."""
    return Row(
        Text(ctx.tr("tab_inbox"), "titleLarge", "onBrand", weight=1.0, max_lines=1, id="toolbar_title"),
        *_tools(ctx, "onBrand"),
        width=FILL,
        min_height=56.0,
        pad=(16.0, 0.0, 4.0, 0.0),
    )


def _tools(ctx: Context, ink: str) -> tuple[Node, Node]:
    def read_all() -> None:
        if not store.unread(ctx.phone):
            ctx.toast(ctx.tr("no_unread"))
            return
        ctx.db.execute("UPDATE messages SET read = 1 WHERE read = 0")
        ctx.toast(ctx.tr("all_read"))

    return (
        IconButton("broom", read_all, ctx.tr("mark_all_read"), id="mark_all_read", color=ink),
        IconButton(
            "trash-can-outline", ctx.show("clear_messages"), ctx.tr("clear_messages"), id="clear_messages", color=ink
        ),
    )


def body(ctx: Context) -> Node:
    """Chips and the notices."""
    kind = str(ctx.ui.get("kind", "all"))
    where = "" if kind == "all" else " WHERE kind = ?"
    found = ctx.db.rows(
        f"SELECT * FROM messages{where} ORDER BY date DESC, _id DESC", *([] if kind == "all" else [kind])
    )
    chips = [
        Chip(ctx.tr(f"inbox_{name}"), name == kind, ctx.set_ui("kind", name), id=f"inbox_{name}") for name in KINDS
    ]
    bar = Node(
        "list",
        chips,
        axis="h",
        gap=8.0,
        width=FILL,
        pad=(12.0, 8.0, 12.0, 8.0),
        id="inbox_chips",
        cls="android.widget.HorizontalScrollView",
    )
    listed = LazyList(
        found,
        row=lambda row: _row(ctx, row),
        id="message_list",
        bottom_pad=16.0,
        empty=EmptyState("message-text-outline", ctx.tr("no_messages")),
    )
    return Node("col", (bar, listed.replace(weight=1.0)), width=FILL, height=FILL, hidden_from_tree=True)


def _row(ctx: Context, row: dict[str, Any]) -> Node:
    icon, ink = _LOOK.get(row["kind"], _LOOK["system"])
    dot = Node("space", width=8.0, height=8.0, radius=4.0, bg="#D92D20", hidden_from_tree=True)
    tail = Node(
        "col",
        (
            Text(parts.age(ctx, row["date"]), "bodySmall", "onSurfaceVariant", max_lines=1, id="date"),
            *(() if row["read"] else (dot,)),
        ),
        gap=8.0,
        align="end",
        hidden_from_tree=True,
    )
    return parts.panel(
        ListRow(
            row["title"],
            row["text"],
            leading=parts.glyph(icon, ink),
            trailing=tail,
            on_tap=_open(ctx, row),
            on_long_press=ctx.show("message", id=row["_id"]),
            id="message_row",
            align="start",
        ),
        below=8.0,
    )


def _open(ctx: Context, row: dict[str, Any]) -> Handler:
    def handle() -> None:
        ctx.db.update("messages", row["_id"], read=1)
        screen, _, about = str(row["link"]).partition("/")
        if screen in _LINKS:
            ctx.go(screen, **({"id": int(about)} if about.isdigit() else {}))

    return handle


def actions(ctx: Context, id: int) -> Node:
    """The sheet of one notice."""
    row = ctx.db.row("SELECT * FROM messages WHERE _id = ?", id)
    read = 0 if row is not None and row["read"] else 1

    def flip() -> None:
        ctx.db.update("messages", id, read=read)

    def delete() -> None:
        ctx.db.delete("messages", id)

    rows = [
        ListRow(
            ctx.tr("mark_read" if read else "mark_unread"),
            icon="email-open-outline" if read else "email-outline",
            on_tap=ctx.then_dismiss(flip),
            id="message_flip",
        ),
        ListRow(ctx.tr("delete"), icon="trash-can-outline", on_tap=ctx.then_dismiss(delete), id="message_delete"),
    ]
    return parts.sheet(ctx, "" if row is None else row["title"], rows)


def clear_dialog(ctx: Context) -> Node:
    """Asks before all notices go."""

    def clear() -> None:
        ctx.db.execute("DELETE FROM messages")

    return Dialog(
        ctx,
        ctx.tr("clear_messages"),
        ctx.tr("clear_messages_text"),
        actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("clear"), ctx.then_dismiss(clear))],
    )


class Notices(Screen):
    """The notices as a page of their own (elder mode)."""

    name = "notices"
    activity = ".message.NoticesActivity"

    def build(self, ctx: Context) -> Node:
        """Bar and notices."""
        return Scaffold(
            body(ctx), top=TopBar(ctx, ctx.tr("tab_inbox"), actions=_tools(ctx, "onSurfaceVariant")), bg="page"
        )

    def overlay_message(self, ctx: Context, id: int) -> Node:
        """What can be done with a notice."""
        return actions(ctx, id)

    def overlay_clear_messages(self, ctx: Context) -> Node:
        """Asks before all notices go."""
        return clear_dialog(ctx)
