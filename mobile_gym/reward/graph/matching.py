"""Which states are equal, and where one state's element is on another's screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.reward.graph import texts
from mobile_gym.reward.graph.features import Features, alike, is_badge, label_of, overlap, part_of

SAME_PARTS = 0.8
"""How much of two equal pages' components outside feeds is the same (Jaccard)."""
SAME_ITEMS = 0.5
"""How many of a feed's items another state of the same page must show to be equal by them alone."""

Scroll = tuple[int, int]
"""How far a page was swiped since it was opened: swipes to the left less those to the right, up less down."""


class Likeness(NamedTuple):
    """How alike two equal states are, the best last.

    Attributes:
        same_content: whether they show the same, but for clocks, badges and the order of feeds.
        same_but_counters: the same without counters.
        items: share of common items of feeds.
        same_scroll: whether they were swiped equally far.
    """

    same_content: bool
    same_but_counters: bool
    items: float
    same_scroll: bool


def likeness(one: Features, other: Features, scrolls: tuple[Scroll, Scroll] = ((0, 0), (0, 0))) -> Likeness | None:
    """How alike two states are, or None where they are not the same page.

    Equal states have the same activity, size, controls and anchor texts, nearly the same components, and feeds that
    either share items, or are content of one kind on a page that is known by its anchors, swiped equally far.

    Args:
        one: a state.
        other: another.
        scrolls: how far each was swiped.
    """
    found = Likeness(
        one.content == other.content,
        one.uncounted == other.uncounted,
        overlap(one.feed, other.feed),
        scrolls[0] == scrolls[1],
    )
    if found.same_content:
        return found
    if (one.activity, one.size, one.controls, one.anchors) != (
        other.activity,
        other.size,
        other.controls,
        other.anchors,
    ):
        return None
    if alike(one.parts, other.parts) < SAME_PARTS or bool(one.feed) != bool(other.feed):
        return None
    if found.items >= SAME_ITEMS or (found.same_scroll and _same_kind_of_feed(one, other)):
        return found
    return None


def _same_kind_of_feed(one: Features, other: Features) -> bool:
    """Whether feeds may be equal though they share few items: content, not a menu, on a page that has a name."""
    rich = all(item.rich for item in (*one.feed, *other.feed))
    kinds = [alike(item.parts, one.feed[0].parts) for item in other.feed]
    return bool(one.anchors) and rich and max(kinds, default=0.0) >= SAME_PARTS


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
    touched = _touched(point, source)
    if touched is None:
        return point if _touched(point, target) is None else None
    node, above = touched
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
    found = _touched(point, tree)
    return None if found is None else found[0].bounds


def _touched(point: tuple[int, int], tree: UiTree) -> tuple[UiNode, tuple[UiNode, ...]] | None:
    """The element under a pixel: the last one in drawing order that can be touched, else the last one at all."""
    under = [(node, above) for node, above in _walk(tree) if node.bounds.contains(*point)]
    touchable = [(node, above) for node, above in under if node.clickable or node.long_clickable or node.checkable]
    chosen = touchable or under
    return chosen[-1] if chosen else None


def _walk(tree: UiTree) -> Iterator[tuple[UiNode, tuple[UiNode, ...]]]:
    def below(node: UiNode, above: tuple[UiNode, ...]) -> Iterator[tuple[UiNode, tuple[UiNode, ...]]]:
        yield node, above
        for child in node.children:
            yield from below(child, (*above, node))

    for root in tree.roots:
        yield from below(root, ())


def _identity(node: UiNode, above: tuple[UiNode, ...]) -> _Identity:
    said = [label_of(other) for other in _lasting(node, above)]
    kept = (texts.without_counters(text) for text in said if text and not texts.is_stamp(text))
    return _Identity(part_of(node), tuple(dict.fromkeys(kept)))


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
