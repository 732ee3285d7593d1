"""Which node a finger touches."""

from __future__ import annotations

from collections.abc import Callable

from mobile_gym.phone.ui.node import Node


def contains(node: Node, x: int, y: int) -> bool:
    """Whether a pixel lies in the visible part of a node."""
    box = node.visible
    return box is not None and box[0] <= x < box[2] and box[1] <= y < box[3]


def takes_touch(node: Node) -> bool:
    """Whether a node takes a touch that nothing inside it took."""
    return (
        node.blocks
        or node.on_tap is not None
        or node.on_position is not None
        or node.on_long_press is not None
        or node.on_double_tap is not None
        or node.on_drag is not None
        or node.kind == "field"
    )


def touched(root: Node, x: int, y: int, wanted: Callable[[Node], bool] = takes_touch) -> Node | None:
    """The deepest node at a pixel that is `wanted`; what was painted later comes first."""
    if not contains(root, x, y):
        # A child may be painted outside its parent (a badge); those are no targets, as on Android.
        return None
    for child in reversed(root.children):
        found = touched(child, x, y, wanted)
        if found is not None:
            return found
    return root if wanted(root) else None


def all_at(root: Node, x: int, y: int) -> list[Node]:
    """All nodes whose visible part holds a pixel, parents before children."""
    if not contains(root, x, y):
        return []
    found = [root]
    for child in root.children:
        found += all_at(child, x, y)
    return found
