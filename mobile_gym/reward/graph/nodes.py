"""What single nodes of a hierarchy say and are."""

from __future__ import annotations

from collections.abc import Sequence

from mobile_gym.devices.ui_tree import UiNode
from mobile_gym.reward.graph import texts

Part = tuple[str, str]
"""A component by short class and name of its resource-id."""


def part_of(node: UiNode) -> Part:
    """A component by short class and name of its resource-id."""
    return node.class_name.rpartition(".")[2], node.resource_id.rpartition("/")[2]


def label_of(node: UiNode) -> str:
    """What a node says: its text, else its description, in a plain form."""
    return texts.plain(node.text or node.content_desc)


def is_field(node: UiNode) -> bool:
    """Whether one types into a node."""
    return "EditText" in node.class_name or "AutoComplete" in node.class_name


def is_badge(node: UiNode, above: Sequence[UiNode]) -> bool:
    """Whether a node is a badge: a small number that has a badge's id, or hangs on something that can be tapped.

    A number that can be tapped itself, such as a key or an hour of a dial, is none, and neither is the number between
    the two buttons of a stepper, nor one in a row across the screen: that is what the row is set to.
    """
    if node.children or node.clickable or node.checkable or is_field(node):
        return False
    if texts.is_badge_id(node.resource_id):
        return True
    if not texts.is_count(label_of(node)):
        return False
    holder = next((other for other in reversed(above) if other.clickable), None)
    if holder is not None and label_of(node).isdigit() and 2 * _width(holder) > _width(above[0]):
        return False
    return holder is not None and any(
        (said := label_of(other)) and not texts.is_count(said) for other in holder.walk() if other is not node
    )


def _width(node: UiNode) -> int:
    return node.bounds.right - node.bounds.left


def hidden(node: UiNode, size: tuple[int, int]) -> bool:
    """Whether no pixel of a node lies on a screen of (width, height)."""
    box = node.bounds
    return box.empty or box.left >= size[0] or box.top >= size[1] or box.right <= 0 or box.bottom <= 0
