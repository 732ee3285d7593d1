"""What a state of the screen is known by: page signature, anchor texts, controls, feeds (ElderBench, appendix H.2)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from mobile_gym.devices.ui_tree import UiNode, UiTree
from mobile_gym.reward.graph import texts
from mobile_gym.reward.graph.elements import touched
from mobile_gym.reward.graph.nodes import Part, hidden, is_badge, is_field, label_of, part_of

_LISTS = ("RecyclerView", "ListView", "GridView", "ViewPager", "ViewPager2")
_STATIC = ("ScrollView", "HorizontalScrollView", "NestedScrollView")
_FEED = 3
"""From how many items of one kind on the children of a list are a feed, whose order means nothing."""
_ALIKE = 0.6
"""How much of what two items are made of is the same where they are of one kind."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a feed.

    Attributes:
        name: its first text, without counters.
        rich: whether it shows more than one text, as items of content do and entries of a menu do not.
        parts: what it is made of.
        flags: what is checked, selected or typed in it, in document order.
    """

    name: str
    rich: bool
    parts: frozenset[Part]
    flags: tuple[str, ...]


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


def features_of(
    tree: UiTree, activity: str, now: datetime | None = None, touch: tuple[int, int] | None = None
) -> Features:
    """The features of a screen.

    Windows of others over the app in front, such as a notification that slides in, count only where they are used.

    Args:
        tree: its hierarchy.
        activity: what is in front, `package/Class`.
        now: the device's local time, by which clocks are told from other times; None where it is not known.
        touch: the pixel where a finger goes down next; None where none does.
    """
    reader = _Reader(tree, now)
    for root in windows_of(tree, activity, touch):
        reader.read(root, (), in_list=False)
    return Features(
        package=activity.partition("/")[0],
        activity=activity,
        size=tree.size,
        anchors=frozenset(reader.anchors),
        parts=frozenset(reader.parts),
        controls=frozenset(reader.controls),
        feed=tuple(sorted(reader.items, key=lambda item: (item.name, item.rich, sorted(item.parts), item.flags))),
        content=_digest(activity, reader.lines, reader.feeds),
        uncounted=_digest(
            activity,
            [texts.without_counters(line) for line in reader.lines],
            [[texts.without_counters(line) for line in feed] for feed in reader.feeds],
        ),
    )


def windows_of(tree: UiTree, activity: str, touch: tuple[int, int] | None) -> tuple[UiNode, ...]:
    """The roots of the windows that make up the state: the app's, and others that are touched or typed into."""
    package = activity.partition("/")[0]
    if not any(root.package == package for root in tree.roots):
        return tree.roots
    found = touched(touch, tree) if touch is not None else None
    used = None if found is None else (found[1] or (found[0],))[0]

    def counts(root: UiNode) -> bool:
        typed_into = any(node.focused and is_field(node) for node in root.walk())
        return root.package == package or root is used or typed_into

    return tuple(root for root in tree.roots if counts(root))


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

    def read(self, node: UiNode, above: tuple[UiNode, ...], in_list: bool) -> None:
        if hidden(node, self._size) or is_badge(node, above):
            return
        self._note(node, in_list)
        in_list = in_list or is_list(node)
        feed = {id(item) for item in feed_of(node, self._size)}
        lines: list[str] = []
        for child in node.children:
            if id(child) in feed:
                self.items.append(_item(child, self._size))
                lines.append("\x1f".join(self._item_lines(child, (*above, node))))
            else:
                self.read(child, (*above, node), in_list)
        if lines:
            self.feeds.append(lines)

    def _note(self, node: UiNode, in_list: bool) -> None:
        part = part_of(node)
        shown = "" if texts.is_ambient(node.resource_id) else self._lasting(label_of(node))
        if in_list:
            shown = texts.without_stamps(shown)
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
        if hidden(node, self._size) or is_badge(node, above):
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


def feed_of(node: UiNode, size: tuple[int, int]) -> list[UiNode]:
    """The children of a list that are items of a feed: at least three of one kind."""
    if not is_list(node):
        return []
    kinds: list[tuple[UiNode, list[UiNode]]] = []
    for child in node.children:
        if hidden(child, size) or not (child.clickable or child.children):
            continue
        for sample, members in kinds:
            if one_kind(sample, child, size):
                members.append(child)
                break
        else:
            kinds.append((child, [child]))
    return [child for _, members in kinds if len(members) >= _FEED for child in members]


def is_list(node: UiNode) -> bool:
    """Whether a node is a list whose content comes and goes, by its class or as it scrolls."""
    short = node.class_name.rpartition(".")[2]
    return short in _LISTS or (node.scrollable and short not in _STATIC)


def one_kind(one: UiNode, other: UiNode, size: tuple[int, int]) -> bool:
    """Whether two items are of one kind: of one class, with the same id or made of the same parts.

    Where they have ids in them, most of those in the item with fewer are in the other: items of a kind may lack some,
    such as a picture or a badge.
    """
    if (part_of(one)[0], one.clickable) != (part_of(other)[0], other.clickable):
        return False
    if one.resource_id and one.resource_id == other.resource_id:
        return True
    parts = _parts_below(one, size), _parts_below(other, size)
    named, others = ({part for part in found if part[1]} for found in parts)
    if not named and not others:
        return alike(*parts) >= _ALIKE
    fewer = min(len(named), len(others))
    return fewer > 0 and len(named & others) / fewer >= _ALIKE


def alike(one: frozenset[Part], other: frozenset[Part]) -> float:
    """How much two sets share, 0 to 1 (Jaccard); two empty ones are the same."""
    return len(one & other) / len(one | other) if one or other else 1.0


def overlap(one: Sequence[Item], other: Sequence[Item]) -> float:
    """How many items of the shorter feed the other one has too, 0 to 1, in whatever order."""
    shorter = min(len(one), len(other))
    common = Counter(item.name for item in one) & Counter(item.name for item in other)
    return common.total() / shorter if shorter else float(len(one) == len(other))


def same_flags(one: Sequence[Item], other: Sequence[Item]) -> bool:
    """Whether nothing is checked, selected or typed otherwise in the items that two feeds share."""
    flags: dict[str, set[tuple[str, ...]]] = {}
    for item in one:
        flags.setdefault(item.name, set()).add(item.flags)
    return all(item.flags in flags[item.name] for item in other if item.name in flags)


def _parts_below(node: UiNode, size: tuple[int, int]) -> frozenset[Part]:
    return frozenset(part_of(other) for other in node.walk() if other is not node and not hidden(other, size))


def _item(node: UiNode, size: tuple[int, int]) -> Item:
    said = [label for other in node.walk() if not hidden(other, size) and (label := label_of(other))]
    lasting = [texts.without_counters(text) for text in said if not texts.is_stamp(text) and not texts.is_count(text)]
    names = lasting or said
    return Item(names[0] if names else "", len(set(said)) > 1, _parts_below(node, size), tuple(_flags(node, size)))


def _flags(node: UiNode, size: tuple[int, int]) -> Iterator[str]:
    for other in node.walk():
        if hidden(other, size):
            continue
        if is_field(other):
            yield f"typed {label_of(other)}"
        elif other.checkable:
            yield "checked" if other.checked else "unchecked"
        elif other.selected:
            yield "selected"


def _line(node: UiNode, shown: str) -> str:
    flags = (node.checked, node.selected, node.enabled, node.focused and is_field(node))
    return "\x1c".join((*part_of(node), shown, "".join(str(int(flag)) for flag in flags)))
