"""Dialogs, sheets, menus, snackbars: what comes up over a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets.basics import Column, Icon, Text
from mobile_gym.phone.ui.widgets.controls import TextButton

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context, Record


def Dialog(
    ctx: Context,
    title: str = "",
    body: str | Node = "",
    *,
    icon: str = "",
    actions: Sequence[tuple[str, Handler]] = (),
    dismissable: bool = True,
) -> Node:
    """A dialog in the middle of the screen.

    Args:
        ctx: the screen's context.
        title: the title.
        body: text, or a node (choices, a field), which scrolls where it is taller than the room.
        icon: an icon above the title.
        actions: label and handler of each button; they do not dismiss by themselves.
        dismissable: whether a tap beside it dismisses it.
    """
    children: list[Node] = []
    if icon:
        children.append(Node("box", (Icon(icon, 24.0, "secondary", place="center-center"),), width=FILL, height=24.0))
    if title:
        children.append(
            Text(
                title,
                "headlineSmall",
                text_align="center" if icon else "start",
                width=FILL,
                id="alertTitle",
                pad=(24.0, 0.0, 24.0, 0.0),
            )
        )
    if isinstance(body, str):
        if body:
            children.append(
                Text(body, "bodyMedium", "onSurfaceVariant", width=FILL, id="message", pad=(24.0, 0.0, 24.0, 0.0))
            )
    elif body.kind == "list":
        children.append(body.replace(width=FILL, weight=1.0))
    else:
        # A body that is taller than the room above the keyboard scrolls; title and buttons stay.
        inner = (body.replace(width=FILL),)
        children.append(Node("list", inner, width=FILL, weight=1.0, id="scrollView", cls="android.widget.ScrollView"))
    if actions:
        buttons = [
            TextButton(label, handler, id=f"button{len(actions) - n}") for n, (label, handler) in enumerate(actions)
        ]
        children.append(
            Node("row", buttons, gap=8.0, width=FILL, justify="end", pad=(12.0, 8.0, 12.0, 0.0), id="buttonPanel")
        )
    surface = Node(
        "col",
        children,
        gap=16.0,
        width=339.0,
        pad=(0.0, 24.0, 0.0, 20.0 if actions else 24.0),
        radius=28.0,
        bg="surfaceContainerHigh",
        place="center-center",
        blocks=True,
        id="parentPanel",
        clip_children=True,
    )
    # In the middle of what the bars and the keyboard leave, so that a field in it stays in sight.
    middle = Node("box", (surface,), width=FILL, weight=1.0, hidden_from_tree=True)
    room = Node(
        "col",
        (
            Node("space", inset="status", hidden_from_tree=True),
            middle,
            Node("space", inset="bottom", hidden_from_tree=True),
        ),
        width=FILL,
        height=FILL,
        hidden_from_tree=True,
    )
    return _Over(ctx, room, dismissable)


def Sheet(ctx: Context, *children: Node, title: str = "") -> Node:
    """A sheet at the bottom, above the navigation bar."""
    handle = Node(
        "box",
        (Node("space", width=32.0, height=4.0, radius=2.0, bg="onSurfaceVariant", fade=0.4, place="center-center"),),
        width=FILL,
        height=36.0,
        on_swipe=lambda direction: ctx.dismiss() if direction == "down" else None,
        id="drag_handle",
    )
    heading = [Text(title, "titleLarge", pad=(24.0, 0.0, 24.0, 16.0), id="title")] if title else []
    surface = Node(
        "col",
        (handle, *heading, *children, Node("space", inset="bottom", hidden_from_tree=True)),
        width=FILL,
        radius=(28.0, 28.0, 0.0, 0.0),
        bg="surfaceContainerLow",
        place="bottom-start",
        blocks=True,
        id="design_bottom_sheet",
    )
    return _Over(ctx, surface, True)


def MenuItem(label: str, on_tap: Handler, icon: str = "", id: str = "", enabled: bool = True) -> Node:
    """An entry of a menu."""
    parts = [Icon(icon, 24.0)] if icon else []
    parts.append(Text(label, "bodyLarge", max_lines=2, weight=1.0, id="title"))
    return Node(
        "row",
        parts,
        gap=12.0,
        width=FILL,
        min_height=48.0,
        pad=(12.0, 4.0, 24.0, 4.0),
        on_tap=on_tap if enabled else None,
        id=id,
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
    )


def Menu(ctx: Context, items: Sequence[Node], *, top: float = 60.0, place: str = "top-end") -> Node:
    """A menu that drops from a button near the top right (or where `place` and `top` say, dp from the top)."""
    surface = Node(
        "col",
        items,
        width=220.0,
        pad=(0.0, 8.0, 0.0, 8.0),
        radius=8.0,
        bg="surfaceContainer",
        shadow=2,
        place=place,
        offset=(-12.0 if place.endswith("end") else 12.0, top),
        blocks=True,
        cls="android.widget.ListView",
        align="stretch",
    )
    return _Over(ctx, surface, True, "menu_window")


def _Over(ctx: Context, surface: Node, dismissable: bool, id: str = "") -> Node:
    return Node(
        "box",
        (surface,),
        width=FILL,
        height=FILL,
        on_tap=ctx.dismiss if dismissable else None,
        blocks=True,
        id=id,
        cls="android.widget.FrameLayout",
    )


def Snackbar(ctx: Context, snack: Record) -> Node:
    """The bar at the bottom that tells what was done and can take it back."""
    parts: list[Node] = [
        Text(snack["text"], "bodyMedium", "inverseOnSurface", weight=1.0, max_lines=2, id="snackbar_text")
    ]
    if snack["action"]:

        def act() -> None:
            undo = snack["undo"]
            ctx.record["snack"] = None
            screen: Any = ctx.phone.activities.screen(ctx.record)
            screen.on_snackbar(ctx, undo)

        parts.append(TextButton(snack["action"], act, id="snackbar_action", color="inversePrimary"))
    bar = Node(
        "row",
        parts,
        width=FILL,
        min_height=48.0,
        pad=(16.0, 4.0, 8.0, 4.0),
        radius=4.0,
        bg="inverseSurface",
        shadow=3,
        blocks=True,
    )
    return Node("box", (bar,), width=FILL, height=FILL, pad=(16.0, 0.0, 16.0, 16.0))


def EmptyState(icon: str, text: str, detail: str = "") -> Node:
    """What a list shows while it is empty."""
    parts = [
        Icon(icon, 48.0, "outline"),
        Text(text, "titleMedium", "onSurfaceVariant", id="empty", text_align="center"),
    ]
    if detail:
        parts.append(Text(detail, "bodyMedium", "onSurfaceVariant", text_align="center"))
    return Column(*parts, gap=12.0, align="center", pad=(32.0, 0.0, 32.0, 0.0))
