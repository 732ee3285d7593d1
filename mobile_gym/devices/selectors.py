"""Finding a node by what it says, and the pixel where a finger can touch it."""

from __future__ import annotations

from dataclasses import dataclass

from mobile_gym.devices.errors import DeviceError
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree


class NoPlace(DeviceError):
    """A node has no pixel on the screen where it could be touched; scroll it into view first."""


@dataclass(frozen=True, slots=True)
class Selector:
    """What a node must be; what is None does not matter.

    Attributes:
        text: its whole text.
        text_contains: a part of its text.
        resource_id: its whole resource id, or the part behind `:id/`.
        desc: its whole content description.
        class_name: its whole class, or the part behind the last dot.
        index: which of the nodes that fit, from 0; negative from the end.
    """

    text: str | None = None
    text_contains: str | None = None
    resource_id: str | None = None
    desc: str | None = None
    class_name: str | None = None
    index: int | None = None

    def __post_init__(self) -> None:
        if all(
            value is None for value in (self.text, self.text_contains, self.resource_id, self.desc, self.class_name)
        ):
            raise ValueError(
                "a selector says something of a node: text, text_contains, resource_id, desc or class_name"
            )

    def fits(self, node: UiNode) -> bool:
        """Whether a node is what the selector says, leaving `index` aside."""
        return (
            (self.text is None or node.text == self.text)
            and (self.text_contains is None or self.text_contains in node.text)
            and (self.resource_id is None or _id_fits(self.resource_id, node.resource_id))
            and (self.desc is None or node.content_desc == self.desc)
            and (self.class_name is None or _class_fits(self.class_name, node.class_name))
        )


def find(tree: UiTree, selector: Selector) -> list[UiNode]:
    """The nodes that a selector means, in document order; with an `index` at most one. Hidden nodes count too."""
    found = [node for node in tree.walk() if selector.fits(node)]
    if selector.index is None:
        return found
    if -len(found) <= selector.index < len(found):
        return [found[selector.index]]
    return []


def tap_point(tree: UiTree, node: UiNode) -> tuple[int, int]:
    """The pixel in the middle of what is visible of a node: inside its own box, its parents' boxes and the screen.

    A node without any box, such as the label of a tab on some phones, is touched where its nearest clickable ancestor
    with a box is. A node that has a box which lies elsewhere, scrolled away or inverted, is nowhere.

    Raises:
        NoPlace: there is no such pixel, or the node is not in the tree.
    """
    path = _path(tree, node)
    visible = _visible(tree, path)
    if visible is not None:
        return visible.center
    box = node.bounds
    if (box.left, box.top, box.right, box.bottom) == (0, 0, 0, 0):
        for depth in range(len(path) - 1, 0, -1):
            ancestor = path[depth - 1]
            place = _visible(tree, path[:depth])
            if ancestor.clickable and place is not None:
                return place.center
    raise NoPlace(
        f"{_name(node)} has no place on the screen of {tree.size[0]}x{tree.size[1]}: its bounds are "
        f"[{box.left},{box.top}][{box.right},{box.bottom}]. Scroll it into view."
    )


def _visible(tree: UiTree, path: tuple[UiNode, ...]) -> Bounds | None:
    """What is visible of the last node of a path from a root, or None.

    Parents whose box is empty do not clip: Android gives such boxes to parents of nodes that are there.
    """
    box = path[-1].bounds
    if box.empty:
        return None
    left, top, right, bottom = 0, 0, tree.size[0], tree.size[1]
    for node in path:
        if not node.bounds.empty:
            left, top = max(left, node.bounds.left), max(top, node.bounds.top)
            right, bottom = min(right, node.bounds.right), min(bottom, node.bounds.bottom)
    visible = Bounds(left, top, right, bottom)
    return None if visible.empty else visible


def _path(tree: UiTree, wanted: UiNode) -> tuple[UiNode, ...]:
    """The nodes from a root down to one, which is told by identity first and by equality second."""
    for same in (lambda node: node is wanted, lambda node: node == wanted):
        stack: list[tuple[UiNode, ...]] = [(root,) for root in reversed(tree.roots)]
        while stack:
            path = stack.pop()
            if same(path[-1]):
                return path
            stack.extend((*path, child) for child in reversed(path[-1].children))
    raise NoPlace(f"{_name(wanted)} is not in the tree; it is of another moment")


def _name(node: UiNode) -> str:
    words = node.text or node.content_desc or node.resource_id or node.class_name
    return f"the element {words!r}"


def _id_fits(wanted: str, resource_id: str) -> bool:
    return resource_id == wanted or resource_id.rpartition(":id/")[2] == wanted


def _class_fits(wanted: str, class_name: str) -> bool:
    return class_name == wanted or class_name.rpartition(".")[2] == wanted
