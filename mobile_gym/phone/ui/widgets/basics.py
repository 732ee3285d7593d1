"""Text, icons, rows, columns, discs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.ui.node import FILL, Handler, Node

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import LauncherIcon


def Text(text: str, style: str = "bodyLarge", color: str = "onSurface", **attributes: Any) -> Node:
    """Text that wraps; `max_lines=1` cuts it with an ellipsis."""
    return Node("text", text=text, style=style, color=color, **attributes)


def Icon(name: str, size: float = 24.0, color: str = "onSurfaceVariant", **attributes: Any) -> Node:
    """A Material Design icon."""
    return Node("icon", icon=name, icon_size=size, color=color, **attributes)


def Row(*children: Node, gap: float = 0.0, **attributes: Any) -> Node:
    """Children side by side, centred across."""
    return Node("row", children, gap=gap, **attributes)


def Column(*children: Node, gap: float = 0.0, **attributes: Any) -> Node:
    """Children one under the other."""
    return Node("col", children, gap=gap, **attributes)


def Center(child: Node, **attributes: Any) -> Node:
    """A box with its child in the middle."""
    return Node("box", (child.replace(place="center-center"),), **attributes)


def Space(width: float | None = None, height: float | None = None, weight: float = 0.0) -> Node:
    """Nothing, of a size; with a weight, what is left over. No node of the hierarchy."""
    return Node("space", width=width, height=height, weight=weight, hidden_from_tree=True)


def Divider(inset: float = 0.0) -> Node:
    """A hairline across."""
    line = Node("space", width=FILL, height=1.0, bg="outlineVariant", hidden_from_tree=True)
    return Node("box", (line,), width=FILL, pad=(inset, 0.0, inset, 0.0), hidden_from_tree=True)


def Disc(icon: str, size: float, bg: str, ink: str, glyph: float | None = None, **attributes: Any) -> Node:
    """An icon on a round surface."""
    inner = Icon(icon, glyph or size * 0.55, ink, place="center-center")
    return Node("box", (inner,), width=size, height=size, bg=bg, radius=size / 2, **attributes)


def Avatar(text: str, size: float, bg: str, ink: str = "#FFFFFF", icon: str = "", **attributes: Any) -> Node:
    """A person's disc: one letter, or an icon for a service."""
    if icon:
        return Disc(icon, size, bg, ink, size * 0.5, **attributes)
    letter = Node(
        "text",
        text=text,
        size_sp=size * 0.42,
        line_sp=size * 0.55,
        style="titleMedium",
        color=ink,
        place="center-center",
        hidden_from_tree=True,
    )
    return Node("box", (letter,), width=size, height=size, bg=bg, radius=size / 2, **attributes)


def AppDisc(icon: LauncherIcon, size: float, shadow: int = 0, **attributes: Any) -> Node:
    """An app's icon: the glyph on its disc."""
    disc = Node(
        "picture",
        source=f"gradient/{icon.colors[0]}/{icon.colors[1]}",
        width=size,
        height=size,
        radius=size / 2,
        hidden_from_tree=True,
    )
    glyph = Icon(icon.glyph, size / 2, icon.ink, place="center-center", hidden_from_tree=True)
    return Node(
        "box",
        (disc, glyph),
        width=size,
        height=size,
        radius=size / 2,
        shadow=shadow,
        cls="android.widget.ImageView",
        **attributes,
    )


def Tappable(node: Node, on_tap: Handler | None, on_long_press: Handler | None = None) -> Node:
    """The node, with handlers."""
    return node.replace(on_tap=on_tap, on_long_press=on_long_press)


def spread(children: Sequence[Node], columns: int, gap: float = 0.0, row_gap: float = 0.0) -> Node:
    """Children in a grid of equal columns; the last row keeps their width."""
    rows = []
    for start in range(0, len(children), columns):
        part = [child.replace(weight=1.0) for child in children[start : start + columns]]
        part += [Space(weight=1.0) for _ in range(columns - len(part))]
        rows.append(Node("row", part, gap=gap, width=FILL, align="start"))
    return Node("col", rows, gap=row_gap, width=FILL)
