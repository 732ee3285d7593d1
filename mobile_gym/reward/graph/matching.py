"""Which states are equal."""

from __future__ import annotations

from typing import NamedTuple

from mobile_gym.reward.graph.features import Features, alike, overlap, same_choices

SAME_PARTS = 0.8
"""How much of two equal pages' components outside feeds is the same (Jaccard)."""
SAME_ITEMS = 0.5
"""How many of a feed's items another state of the same page must show to be equal by them alone."""

Scroll = tuple[int, int]
"""How far a page was swiped since it was opened: swipes to the left less those to the right, up less down."""


class Likeness(NamedTuple):
    """How alike two equal states are, the best last.

    Attributes:
        same_content: whether they show the same, but for clocks and the order of feeds.
        same_but_counters: the same without badges and counts of feeds.
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
    either share items, or are content of one kind on a page that is known by its anchors, swiped equally far. Nothing
    is set otherwise in items that they share: entries say the same, and the same is checked and selected.

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
    if not same_choices(one.feed, other.feed):
        return None
    if found.items >= SAME_ITEMS or (found.same_scroll and _same_kind_of_feed(one, other)):
        return found
    return None


def _same_kind_of_feed(one: Features, other: Features) -> bool:
    """Whether feeds may be equal though they share few items: content, not a menu, on a page that has a name."""
    rich = all(item.rich for item in (*one.feed, *other.feed))
    kinds = [alike(item.parts, one.feed[0].parts) for item in other.feed]
    return bool(one.anchors) and rich and max(kinds, default=0.0) >= SAME_PARTS
