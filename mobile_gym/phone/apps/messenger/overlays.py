"""The app's dialogs and sheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mobile_gym.phone.apps.messenger.look import cards, hairline, row, tone
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Text

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

Action = tuple[str, Handler]
Entry = tuple[str, str, Callable[[], object]]
"""An entry of a sheet: resource-id, label, what it does."""


def over(ctx: Context, surface: Node, dismissable: bool = True) -> Node:
    """A surface over the page; a tap beside it closes it."""
    return Node(
        "box",
        (surface,),
        width=FILL,
        height=FILL,
        on_tap=ctx.dismiss if dismissable else None,
        blocks=True,
        cls="android.widget.FrameLayout",
    )


def room(surface: Node) -> Node:
    """The surface in the middle of what bars and keyboard leave."""
    middle = Node("box", (surface,), width=FILL, weight=1.0, hidden_from_tree=True)
    return Node(
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


def dialog(
    ctx: Context, title: str, body: str | Node = "", *, actions: Sequence[Action] = (), strong: str = ""
) -> Node:
    """A dialog: title, text or a node, buttons side by side; the last one is green, or has the colour `strong`."""
    t = tone(ctx)
    parts: list[Node] = []
    if title:
        parts.append(
            Text(
                title,
                "titleMedium",
                t.ink,
                size_sp=17,
                line_sp=24,
                text_align="center",
                width=FILL,
                pad=(24.0, 0.0, 24.0, 0.0),
                id="alertTitle",
            )
        )
    if isinstance(body, str):
        if body:
            parts.append(
                Text(
                    body,
                    "bodyLarge",
                    t.faint if title else t.ink,
                    text_align="center",
                    width=FILL,
                    pad=(24.0, 0.0, 24.0, 0.0),
                    id="message",
                )
            )
    else:
        parts.append(body)
    cells: list[Node] = []
    for number, (label, handler) in enumerate(actions):
        last = number == len(actions) - 1
        if number:
            cells.append(Node("space", width=1.0, height=54.0, bg=t.line, hidden_from_tree=True))
        cells.append(
            Node(
                "row",
                (
                    Text(
                        label, "titleMedium", (strong or t.blue) if last else t.ink, max_lines=1, hidden_from_tree=True
                    ),
                ),
                justify="center",
                weight=1.0,
                min_height=54.0,
                pad=(8.0, 0.0, 8.0, 0.0),
                cls="android.widget.Button",
                id=f"button{len(actions) - number}",
                text=label,
                on_tap=handler,
            )
        )
    foot = (hairline(ctx), Node("row", cells, width=FILL, hidden_from_tree=True)) if cells else ()
    surface = Node(
        "col",
        (Node("col", parts, gap=12.0, width=FILL, pad=(0.0, 26.0, 0.0, 26.0), hidden_from_tree=True), *foot),
        width=310.0,
        radius=12.0,
        bg=t.incoming,
        place="center-center",
        clip_children=True,
        blocks=True,
        id="parentPanel",
    )
    return over(ctx, room(surface))


def ask(ctx: Context, title: str, text: str, label: str, act: Callable[[], object], danger: bool = True) -> Node:
    """A dialog with Cancel and one deed, which closes it."""
    return dialog(
        ctx,
        title,
        text,
        actions=((ctx.tr("cancel"), ctx.dismiss), (label, ctx.then_dismiss(act))),
        strong=tone(ctx).red if danger else "",
    )


def sheet(ctx: Context, entries: Sequence[Entry], title: str = "") -> Node:
    """A sheet of `(id, label, deed)` with Cancel under them."""
    t = tone(ctx)
    rows: list[Node] = []
    if title:
        rows.append(
            Text(
                title,
                "bodyMedium",
                t.faint,
                text_align="center",
                width=FILL,
                pad=(16.0, 16.0, 16.0, 12.0),
                id="sheet_title",
            )
        )
    for name, label, deed in entries:
        danger = name.endswith(("delete", "leave", "clear", "recall"))
        rows.append(row(ctx, label, id=name, center=True, color=t.red if danger else "", on_tap=ctx.then_dismiss(deed)))
    rows.append(Node("space", width=FILL, height=8.0, bg=t.page, hidden_from_tree=True))
    rows.append(row(ctx, ctx.tr("cancel"), id="sheet_cancel", center=True, on_tap=ctx.dismiss, line=False))
    surface = Node(
        "col",
        (*cards(rows), Node("space", inset="bottom", hidden_from_tree=True)),
        width=FILL,
        radius=(12.0, 12.0, 0.0, 0.0),
        bg=t.card,
        place="bottom-start",
        blocks=True,
        clip_children=True,
        id="action_sheet",
    )
    return over(ctx, surface)


def picture_viewer(ctx: Context, source: str) -> Node:
    """A picture over the whole screen; a tap closes it."""
    picture = Node(
        "picture",
        source=source,
        width=FILL,
        height=480.0,
        place="center-center",
        id="full_picture",
        desc=ctx.tr("picture"),
        on_tap=ctx.dismiss,
    )
    # Counts as a sheet at the bottom, so that the navigation bar's signs fit its colour.
    ground = Node(
        "box",
        (picture,),
        width=FILL,
        height=FILL,
        bg="#0C0D0E",
        place="bottom-start",
        on_tap=ctx.dismiss,
        blocks=True,
        id="picture_viewer",
    )
    return Node("box", (ground,), width=FILL, height=FILL, blocks=True, hidden_from_tree=True)
