"""What a state of the screen is known by: page signature, anchor texts, controls, feeds (ElderBench, appendix H.2)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from mobile_gym.devices.ui_tree import UiNode, UiTree
from mobile_gym.reward.graph import texts

_LISTS = ("RecyclerView", "ListView", "GridView", "ViewPager", "ViewPager2")
_STATIC = ("ScrollView", "HorizontalScrollView", "NestedScrollView")
_FEED = 3
"""From how many items of one kind on the children of a list are a feed, whose order means nothing."""
_ALIKE = 0.6
"""How much of what two items are made of is the same where they are of one kind (Jaccard)."""

Part = tuple[str, str]
"""A component by short class and name of its resource-id."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a feed.

    Attributes:
        name: its first text, without counters.
        rich: whether it shows more than one text, as items of content do and entries of a menu do not.
        parts: what it is made of.
    """

    name: str
    rich: bool
    parts: frozenset[Part]


@dataclass(frozen=True, slots=True)
class Features:
    """A state's features.

    Attributes:
        package: the package in front.
        activity: the activity in front, `package/Class`.
        size: (width, height) of the screen, pixels.
        anchors: texts and descriptions outside feeds, without clocks, badges and counters.
        parts: components outside feeds.
        controls: what is checked, selected or typed outside feeds, and which field has the focus.
        feed: items of feeds, sorted.
        content: digest of all that is shown but clocks, time stamps, badges and the order of feeds.
        uncounted: the same without counters.
    """

    package: str
    activity: str
    size: tuple[int, int]
    anchors: frozenset[str]
    parts: frozenset[Part]
    controls: frozenset[tuple[str, ...]]
    feed: tuple[Item, ...]
    content: str
    uncounted: str


def features_of(tree: UiTree, activity: str, now: datetime | None = None) -> Features:
    """The features of a screen.

    Args:
        tree: its hierarchy.
        activity: what is in front, `package/Class`.
        now: the device's local time, by which clocks are told from other times; None where it is not known.
    """
    reader = _Reader(tree, now)
    for root in tree.roots:
        reader.read(root, ())
    return Features(
        package=activity.partition("/")[0],
        activity=activity,
        size=tree.size,
        anchors=frozenset(reader.anchors),
        parts=frozenset(reader.parts),
        controls=frozenset(reader.controls),
        feed=tuple(sorted(reader.items, key=lambda item: (item.name, item.rich, sorted(item.parts)))),
        content=_digest(activity, reader.lines, reader.feeds),
        uncounted=_digest(
            activity,
            [texts.without_counters(line) for line in reader.lines],
            [[texts.without_counters(line) for line in feed] for feed in reader.feeds],
        ),
    )


def _digest(activity: str, lines: Sequence[str], feeds: Sequence[Sequence[str]]) -> str:
    parts = [activity, *lines, *("\x1d".join(sorted(feed)) for feed in feeds)]
    return hashlib.sha256("\x1e".join(parts).encode("utf-8", "replace")).hexdigest()


class _Reader:
    """Reads a tree once, top down."""

    def __init__(self, tree: UiTree, now: datetime | None) -> None:
        self._size = tree.size
        self._now = now
        self.anchors: list[str] = []
        self.parts: list[Part] = []
        self.controls: list[tuple[str, ...]] = []
        self.items: list[Item] = []
        self.lines: list[str] = []
        self.feeds: list[list[str]] = []

    def read(self, node: UiNode, above: tuple[UiNode, ...]) -> None:
        if _hidden(node, self._size) or is_badge(node, above):
            return
        self._note(node)
        feed = {id(item) for item in feed_of(node, self._size)}
        lines: list[str] = []
        for child in node.children:
            if id(child) in feed:
                self.items.append(_item(child, self._size))
                lines.append("\x1f".join(self._item_lines(child, (*above, node))))
            else:
                self.read(child, (*above, node))
        if lines:
            self.feeds.append(lines)

    def _note(self, node: UiNode) -> None:
        part = part_of(node)
        shown = "" if texts.is_ambient(node.resource_id) else self._lasting(label_of(node))
        self.parts.append(part)
        self.lines.append(_line(node, shown))
        if is_field(node):
            self.controls.append((*part, "field", shown, "focused" if node.focused else ""))
            return
        if shown:
            self.anchors.append(texts.without_counters(shown))
        if node.checkable or node.selected:
            flags = ("checked" if node.checked else "", "selected" if node.selected else "")
            self.controls.append((*part, texts.without_counters(shown), *flags))

    def _lasting(self, text: str) -> str:
        """The text, or nothing where it is a clock."""
        return "" if texts.is_stamp(text) and texts.tells_now(text, self._now) else text

    def _item_lines(self, node: UiNode, above: tuple[UiNode, ...]) -> Iterator[str]:
        if _hidden(node, self._size) or is_badge(node, above):
            return
        shown = label_of(node)
        passing = texts.is_ambient(node.resource_id) or self._passing(shown)
        yield _line(node, "" if passing else shown)
        for child in node.children:
            yield from self._item_lines(child, (*above, node))

    def _passing(self, text: str) -> bool:
        """Whether a text inside an item of a feed tells when it came; a bare time may be an alarm's, and stays."""
        if not texts.is_stamp(text):
            return False
        return texts.tells_now(text, self._now) or not text.replace(":", "").isdigit()


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
    the two buttons of a stepper.
    """
    if node.children or node.clickable or node.checkable or is_field(node):
        return False
    if texts.is_badge_id(node.resource_id):
        return True
    if not texts.is_count(label_of(node)):
        return False
    holder = next((other for other in reversed(above) if other.clickable), None)
    return holder is not None and any(
        (said := label_of(other)) and not texts.is_count(said) for other in holder.walk() if other is not node
    )


def feed_of(node: UiNode, size: tuple[int, int]) -> list[UiNode]:
    """The children of a list that are items of a feed: at least three of one kind."""
    short = node.class_name.rpartition(".")[2]
    if not (short in _LISTS or (node.scrollable and short not in _STATIC)):
        return []
    kinds: list[tuple[Part, bool, frozenset[Part], list[UiNode]]] = []
    for child in node.children:
        if _hidden(child, size) or not (child.clickable or child.children):
            continue
        outline = (child.class_name.rpartition(".")[2], ""), child.clickable
        parts = _parts_below(child, size)
        for known, clickable, sample, members in kinds:
            if (known, clickable) == outline and alike(sample, parts) >= _ALIKE:
                members.append(child)
                break
        else:
            kinds.append((*outline, parts, [child]))
    return [child for *_, members in kinds if len(members) >= _FEED for child in members]


def alike(one: frozenset[Part], other: frozenset[Part]) -> float:
    """How much two sets share, 0 to 1 (Jaccard); two empty ones are the same."""
    return len(one & other) / len(one | other) if one or other else 1.0


def overlap(one: Sequence[Item], other: Sequence[Item]) -> float:
    """How many items of the shorter feed the other one has too, 0 to 1, in whatever order."""
    shorter = min(len(one), len(other))
    common = Counter(item.name for item in one) & Counter(item.name for item in other)
    return common.total() / shorter if shorter else float(len(one) == len(other))


def _parts_below(node: UiNode, size: tuple[int, int]) -> frozenset[Part]:
    return frozenset(part_of(other) for other in node.walk() if other is not node and not _hidden(other, size))


def _item(node: UiNode, size: tuple[int, int]) -> Item:
    said = [label for other in node.walk() if not _hidden(other, size) and (label := label_of(other))]
    lasting = [texts.without_counters(text) for text in said if not texts.is_stamp(text) and not texts.is_count(text)]
    names = lasting or said
    return Item(names[0] if names else "", len(set(lasting)) > 1, _parts_below(node, size))


def _line(node: UiNode, shown: str) -> str:
    flags = (node.checked, node.selected, node.enabled, node.focused and is_field(node))
    return "\x1c".join((*part_of(node), shown, "".join(str(int(flag)) for flag in flags)))


def _hidden(node: UiNode, size: tuple[int, int]) -> bool:
    box = node.bounds
    return box.empty or box.left >= size[0] or box.top >= size[1] or box.right <= 0 or box.bottom <= 0
