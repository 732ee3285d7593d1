"""Pages: scaffold, bars, lists, tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets.basics import Icon, Space, Text
from mobile_gym.phone.ui.widgets.controls import IconButton

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context


def Scaffold(
    body: Node,
    *,
    top: Node | None = None,
    bottom: Node | None = None,
    fab: Node | None = None,
    fab_place: str = "bottom-end",
    bg: str = "surface",
    **attributes: Any,
) -> Node:
    """A page: room for the status bar, a bar, the body, a bar, room for navigation bar or keyboard.

    Args:
        body: what fills the page; give it `weight=1.0` or a height of FILL to take all there is.
        top: the bar on top.
        bottom: the bar at the bottom.
        fab: a floating action button over the body; moves up with a snackbar.
        fab_place: where: `bottom-end` or `bottom-center`.
        bg: the page's colour, under the system's bars too.
        attributes: attributes of the page's node.
    """
    middle = body.replace(weight=1.0, width=FILL)
    if fab is not None:
        lifted = Node(
            "col",
            (fab, Node("space", inset="snack", hidden_from_tree=True)),
            place=fab_place,
            offset=(-16.0 if fab_place == "bottom-end" else 0.0, -16.0),
            hidden_from_tree=True,
        )
        inner = body.replace(width=FILL, height=FILL)
        middle = Node("box", (inner, lifted), weight=1.0, width=FILL, hidden_from_tree=True)
    parts = [Node("space", inset="status", hidden_from_tree=True)]
    parts += [part for part in (top, middle, bottom) if part is not None]
    parts.append(Node("space", inset="bottom", hidden_from_tree=True))
    return Node(
        "col", parts, width=FILL, height=FILL, bg=bg, cls="android.widget.FrameLayout", blocks=True, **attributes
    )


def TopBar(
    ctx: Context,
    title: str,
    *,
    back: bool = True,
    actions: Sequence[Node] = (),
    leading: Node | None = None,
    disc: bool = False,
    bg: str | None = None,
) -> Node:
    """A small app bar, 64 dp: Back, title, actions.

    Args:
        ctx: the screen's context.
        title: the title; empty for none.
        back: whether there is a Back button.
        actions: icon buttons at the right.
        leading: a node between Back and title (an avatar), or in place of Back.
        disc: whether Back lies on a round surface, as the settings have it.
        bg: the bar's own colour.
    """
    parts: list[Node] = []
    if back:
        parts.append(
            IconButton(
                "arrow-left",
                ctx.back(),
                ctx.tr("back"),
                id="back",
                color="onSurface",
                bg="surfaceContainerHighest" if disc else None,
            )
        )
    else:
        parts.append(Space(width=16.0))
    if leading is not None:
        parts.append(leading)
    parts.append(Text(title, "titleLarge", "onSurface", max_lines=1, weight=1.0, id="toolbar_title"))
    parts += actions
    # An icon's touch box reaches nearly to the edge, a button's surface keeps the page's margin.
    right = 16.0 if actions and actions[-1].bg is not None else 4.0
    pad = (12.0 if disc else 4.0, 0.0, right, 0.0)
    return Node("row", parts, gap=4.0, width=FILL, height=64.0, pad=pad, id="toolbar", bg=bg)


def LargeTitle(text: str) -> Node:
    """The large title of a settings page; scrolls with it."""
    return Text(text, "headlineMedium", "onSurface", pad=(24.0, 8.0, 24.0, 20.0), width=FILL, id="collapsing_title")


def LazyList(
    items: Sequence[Any],
    *,
    row: Callable[[Any], Node] | None = None,
    id: str,
    gap: float = 0.0,
    empty: Node | None = None,
    top_pad: float = 0.0,
    bottom_pad: float = 0.0,
    reverse: bool = False,
    **attributes: Any,
) -> Node:
    """A list that scrolls. Rows are built only where they show.

    Args:
        items: nodes, or items that `row` turns into nodes; both may be mixed.
        row: makes the node of an item.
        id: resource-id; names the scroll offset.
        gap: dp between rows.
        empty: what shows where there are no items.
        top_pad: dp before the first row; scrolls with it.
        bottom_pad: dp after the last row.
        reverse: starts at its end (a chat).
        attributes: attributes of the node.
    """
    if not items and empty is not None:
        return Node("box", (empty.replace(place="center-center"),), width=FILL, height=FILL, **attributes)
    rows: list[Any] = list(items)
    if top_pad:
        rows.insert(0, Space(height=top_pad))
    if bottom_pad:
        rows.append(Space(height=bottom_pad))
    return Node("list", rows, build_row=row, id=id, gap=gap, width=FILL, height=FILL, reverse=reverse, **attributes)


def BottomNav(items: Sequence[tuple[str, str, str, Handler]], selected: int) -> Node:
    """A navigation bar, 80 dp: `(icon, label, id, handler)` each."""
    cells = []
    for number, (icon, label, name, handler) in enumerate(items):
        chosen = number == selected
        pill = Node(
            "box",
            (Icon(icon, 24.0, "onSecondaryContainer" if chosen else "onSurfaceVariant", place="center-center"),),
            width=64.0,
            height=32.0,
            radius=16.0,
            bg="secondaryContainer" if chosen else None,
        )
        text = Text(
            label,
            "labelMedium",
            "onSurface" if chosen else "onSurfaceVariant",
            max_lines=1,
            text_weight=700 if chosen else 500,
        )
        cells.append(
            Node(
                "col",
                (pill, text),
                gap=4.0,
                align="center",
                justify="center",
                weight=1.0,
                height=80.0,
                id=name,
                desc=label,
                selected=chosen,
                on_tap=handler,
            )
        )
    return Node("row", cells, width=FILL, height=80.0, id="navigation_bar")


def Tabs(labels: Sequence[str], selected: int, on_select: Callable[[int], None], id: str = "tabs") -> Node:
    """Tabs in equal parts, the chosen one underlined."""
    cells = []
    for number, label in enumerate(labels):
        chosen = number == selected
        ink = "primary" if chosen else "onSurfaceVariant"

        def handler(number: int = number) -> None:
            on_select(number)

        bar = Node("space", width=FILL, height=3.0, bg="primary" if chosen else None, radius=1.5, hidden_from_tree=True)
        cells.append(
            Node(
                "col",
                (
                    Node(
                        "box",
                        (Text(label, "titleSmall", ink, max_lines=1, place="center-center"),),
                        width=FILL,
                        height=45.0,
                    ),
                    bar,
                ),
                weight=1.0,
                height=48.0,
                align="center",
                id=f"tab_{number}",
                selected=chosen,
                on_tap=handler,
            )
        )
    return Node("row", cells, width=FILL, height=48.0, id=id)


def Loading() -> Node:
    """A page that is still loading."""
    ring = Icon("loading", 40.0, "primary", place="center-center", id="progress")
    return Node(
        "box",
        (ring.replace(cls="android.widget.ProgressBar"),),
        width=FILL,
        height=FILL,
        bg="surface",
        cls="android.widget.FrameLayout",
        blocks=True,
    )
