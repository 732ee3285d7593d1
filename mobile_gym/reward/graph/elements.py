"""Elements under a pixel, and where one state's element is on another's screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.reward.graph import texts
from mobile_gym.reward.graph.nodes import is_badge, label_of, part_of


@dataclass(frozen=True, slots=True)
class _Identity:
    kind: tuple[str, str]
    said: tuple[str, ...]


def carry_over(point: tuple[int, int], source: UiTree, target: UiTree) -> tuple[int, int] | None:
    """The pixel on another state's screen where the element under a pixel is; None where it is not there.

    An element is known by class, id and texts; one without id and texts by its place. Of several the nearest is taken.
    The place inside the element stays the same as far as it reaches.

    Args:
        point: a pixel of the source's screen.
        source: the screen that was touched.
        target: the other screen.
    """
    element = touched(point, source)
    if element is None:
        return point if touched(point, target) is None else None
    node, above = element
    identity = _identity(node, above)
    found = [other.bounds for other, over in _walk(target) if _identity(other, over) == identity]
    if not identity.said and not identity.kind[1]:
        found = [box for box in found if box == node.bounds]
    if not found:
        return None
    box = min(found, key=lambda box: (_far(box.center, node.bounds.center), box.top, box.left))
    return _inside(point[0] - node.bounds.left, box.left, box.right), _inside(
        point[1] - node.bounds.top, box.top, box.bottom
    )


def touched_box(point: tuple[int, int], tree: UiTree) -> Bounds | None:
    """The box of the element under a pixel; None where there is none."""
    found = touched(point, tree)
    return None if found is None else found[0].bounds


def touched(point: tuple[int, int], tree: UiTree) -> tuple[UiNode, tuple[UiNode, ...]] | None:
    """The element under a pixel and what is above it: the last one drawn that can be touched, else the smallest one."""
    under = [(node, above) for node, above in _walk(tree) if node.bounds.contains(*point)]
    touchable = [(node, above) for node, above in under if node.clickable or node.long_clickable or node.checkable]
    if touchable:
        return touchable[-1]
    return min(reversed(under), key=lambda found: _area(found[0].bounds), default=None)


def _area(box: Bounds) -> int:
    return (box.right - box.left) * (box.bottom - box.top)


def _walk(tree: UiTree) -> Iterator[tuple[UiNode, tuple[UiNode, ...]]]:
    def below(node: UiNode, above: tuple[UiNode, ...]) -> Iterator[tuple[UiNode, tuple[UiNode, ...]]]:
        yield node, above
        for child in node.children:
            yield from below(child, (*above, node))

    for root in tree.roots:
        yield from below(root, ())


def _identity(node: UiNode, above: tuple[UiNode, ...]) -> _Identity:
    said = [label_of(other) for other in _lasting(node, above)]
    kept = [texts.without_counters(text) for text in said if text and not texts.is_stamp(text)]
    # An entry of a menu may say nothing but a time, which is what it is known by.
    return _Identity(part_of(node), tuple(dict.fromkeys(kept or filter(None, said))))


def _lasting(node: UiNode, above: tuple[UiNode, ...]) -> Iterator[UiNode]:
    if is_badge(node, above):
        return
    yield node
    for child in node.children:
        yield from _lasting(child, (*above, node))


def _far(one: tuple[int, int], other: tuple[int, int]) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _inside(offset: int, low: int, high: int) -> int:
    return low + min(max(offset, 0), max(high - low - 1, 0))
