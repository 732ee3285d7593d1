"""What lies around an element: the text that says what it belongs to, and the surface of a text field."""

from __future__ import annotations

from collections.abc import Sequence

from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import Node
from mobile_gym.task_registry.grounding.own.naming import is_wordy

_NEAR_LEVELS = 6
_FIELD_LEVELS = 4
_HIGHEST_FIELD = 3.4
"""A surface that is so many times as high as the field in it is a card, not the field."""
_HIGHEST_LABELLED = 5.0
"""What is higher than so many times a field holds more than the field and its label."""


def is_touchable(node: Node) -> bool:
    """Whether a touch does something."""
    if not node.enabled or node.blocks:
        return False
    handled = node.on_tap is not None or node.on_position is not None or node.on_drag is not None
    return handled or node.kind == "field"


def plain(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


def near(node: Node, above: Sequence[Node]) -> str:
    """The first text beside a node, in the smallest part of the page that has one; empty where there is none.

    Args:
        node: the element.
        above: what holds it, the root first.
    """
    inner = {id(part) for part in node.walk()}
    for parent in list(reversed(above))[:_NEAR_LEVELS]:
        if parent.kind == "list":
            return ""
        parts = parent.walk()
        if node.kind == "field" and (
            parent.h > _HIGHEST_LABELLED * node.h or any(part.kind == "field" and part is not node for part in parts)
        ):
            return ""
        for part in parts:
            if id(part) in inner or part.kind != "text" or part.visible is None or part.id.endswith("_note"):
                continue
            if is_wordy(part.text):
                return plain(part.text)
    return ""


def field_box(node: Node, above: Sequence[Node]) -> Clip | None:
    """What shows of the surface that a person takes for the field: the filled box or the row around its line."""
    box = node.visible
    if box is None or node.bg is not None:
        return box
    for parent in list(reversed(above))[:_FIELD_LEVELS]:
        if parent.visible is None or parent.kind == "list" or parent.h > _HIGHEST_FIELD * node.h:
            break
        parts = [part for part in parent.walk() if part is not node and part is not parent]
        others = [part for part in parts if is_touchable(part) or part.cls.endswith("Button")]
        if any(other.kind == "field" for other in others):
            break
        if others:
            # Beside buttons a field is as high as its bar, and as wide as its own line.
            return (box[0], parent.visible[1], box[2], parent.visible[3]) if parent.kind == "row" else box
        if parent.kind in ("row", "box") or parent.bg is not None or parent.border:
            box = parent.visible
            if parent.bg is not None or parent.border:
                break
    return box
