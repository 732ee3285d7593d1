"""What a state of the screen is known by: page signature, anchor texts, controls, feeds (ElderBench, appendix H.2)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
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
        name: its first text, without counts.
        rich: whether it shows more than one text, as items of content do and entries of a menu do not.
        parts: what it is made of.
        flags: what is checked, selected or typed in it, in document order.
        values: what it says beside its name, without counts; None for items of content, which may say something else
            another time: those that tell when they came.
    """

    name: str
    rich: bool
    parts: frozenset[Part]
    flags: tuple[str, ...]
    values: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Features:
    """A state's features.

    Attributes:
        package: the package in front.
        activity: the activity in front, `package/Class`.
        size: (width, height) of the screen, pixels.
        anchors: texts and descriptions outside feeds, without clocks, badges and counts.
        parts: components outside feeds.
        controls: what is checked, selected or typed outside feeds, and which field has the focus.
        feed: items of feeds, sorted.
        content: digest of all that is shown but clocks, time stamps that grow old and the order of feeds.
        uncounted: the same without badges and counts of feeds. Values, such as a row's `5 分钟`, are in both.
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
        feed=tuple(
            sorted(
                reader.items, key=lambda item: (item.name, item.rich, sorted(item.parts), item.flags, item.values or ())
            )
        ),
        content=_digest(activity, reader.page, reader.badges),
        uncounted=_digest(activity, reader.uncounted, []),
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


def _digest(activity: str, page: Page, badges: Sequence[str]) -> str:
    parts = [activity, *page.lines, *("\x1d".join(sorted(feed)) for feed in page.feeds), *badges]
    return hashlib.sha256("\x1e".join(parts).encode("utf-8", "replace")).hexdigest()


@dataclass(slots=True)
class Page:
    """What a page shows: its lines in document order, and of each feed the items."""

    lines: list[str] = field(default_factory=list)
    feeds: list[list[str]] = field(default_factory=list)


class _Reader:
    """Reads a tree once, top down."""

    def __init__(self, tree: UiTree, now: datetime | None) -> None:
        self._size = tree.size
        self._now = now
        self.anchors: list[str] = []
        self.parts: list[Part] = []
        self.controls: list[tuple[str, ...]] = []
        self.items: list[Item] = []
        self.page = Page()
        self.uncounted = Page()
        self.badges: list[str] = []

    def read(self, node: UiNode, above: tuple[UiNode, ...], in_list: bool) -> None:
        if hidden(node, self._size):
            return
        if is_badge(node, above):
            self.badges.append(_line(node, label_of(node)))
            return
        self._note(node, row_of(node, above), in_list)
        in_list = in_list or is_list(node)
        feed = {id(item) for item in feed_of(node, self._size)}
        exact: list[str] = []
        loose: list[str] = []
        for child in node.children:
            if id(child) in feed:
                self.items.append(_item(child, self._size, self._now))
                lines = list(self._item_lines(child, (*above, node), tells_ambient(child)))
                exact.append("\x1f".join(line for line, _ in lines))
                loose.append("\x1f".join(line for _, line in lines))
            else:
                self.read(child, (*above, node), in_list)
        if exact:
            self.page.feeds.append(exact)
            self.uncounted.feeds.append(loose)

    def _note(self, node: UiNode, row: UiNode | None, in_list: bool) -> None:
        part = part_of(node)
        shown = "" if texts.is_ambient(node.resource_id) else self._lasting(label_of(node))
        if row is not None and row is not node and tells_ambient(row) and not texts.is_ambient_label(shown):
            shown = ""
        # A count that is all that a row says beside its name is the row's value.
        counted = row is not None and row is not node and texts.is_feed_count(shown)
        loose = shown if counted else texts.without_counters(shown)
        self.parts.append(part)
        self.page.lines.append(_line(node, shown))
        self.uncounted.lines.append(_line(node, loose))
        if is_field(node):
            self.controls.append((*part, "field", shown, "focused" if node.focused else ""))
            return
        if in_list and (row is None or is_content(row, self._size, self._now)):
            loose = texts.without_stamps(loose)
        if loose:
            self.anchors.append(loose)
        if node.checkable or node.selected:
            flags = ("checked" if node.checked else "", "selected" if node.selected else "")
            self.controls.append((*part, loose, *flags))

    def _lasting(self, text: str) -> str:
        """The text without what changes while one looks on; nothing where it is a clock."""
        return "" if texts.is_stamp(text) and texts.tells_now(text, self._now) else texts.without_ago(text)

    def _item_lines(self, node: UiNode, above: tuple[UiNode, ...], ambient: bool) -> Iterator[tuple[str, str]]:
        """The lines of an item of a feed, each with and without counts."""
        if hidden(node, self._size):
            return
        if is_badge(node, above):
            self.badges.append(_line(node, label_of(node)))
            return
        shown = "" if texts.is_ambient(node.resource_id) else self._lasting(label_of(node))
        if ambient and not texts.is_ambient_label(shown):
            shown = ""
        yield _line(node, shown), _line(node, texts.without_counters(shown))
        for child in node.children:
            yield from self._item_lines(child, (*above, node), ambient)


def row_of(node: UiNode, above: Sequence[UiNode]) -> UiNode | None:
    """The row that a node is in: the nearest element that can be tapped, the node itself among them."""
    return next((other for other in (node, *reversed(above)) if other.clickable), None)


def tells_ambient(row: UiNode) -> bool:
    """Whether a row tells the battery, by its name."""
    first = next((label for other in row.walk() if (label := label_of(other))), "")
    return texts.is_ambient_label(first)


def is_content(item: UiNode, size: tuple[int, int], now: datetime | None) -> bool:
    """Whether an item is content that came at some time, such as a message, by a time stamp in it.

    A time that stands in a row that can be tapped, beside a name alone, is the row's value, as is a bare time of day,
    which may be an alarm's.
    """

    def came(node: UiNode, row: UiNode | None) -> bool:
        if hidden(node, size):
            return False
        row = node if node.clickable else row
        if _came(label_of(node), now) and (row is None or len(_said_lasting(row, size, now)) > 1):
            return True
        return any(came(child, row) for child in node.children)

    return came(item, None)


def _said_lasting(row: UiNode, size: tuple[int, int], now: datetime | None) -> set[str]:
    said = (label_of(node) for node in row.walk() if not hidden(node, size))
    return {text for text in said if text and not _came(text, now)}


def _came(text: str, now: datetime | None) -> bool:
    """Whether a text tells when something came, and not at what time of day it will be."""
    if not texts.is_stamp(text):
        return False
    return texts.tells_now(text, now) or not text.replace(":", "").isdigit()


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


def same_choices(one: Sequence[Item], other: Sequence[Item]) -> bool:
    """Whether nothing is checked, selected, typed or set otherwise in the items that two feeds share."""
    ours, theirs = _by_name(one), _by_name(other)
    return all(
        _within({item.flags for item in ours[name]}, {item.flags for item in theirs[name]})
        and (
            any(item.values is None for item in (*ours[name], *theirs[name]))
            or _within({item.values for item in ours[name]}, {item.values for item in theirs[name]})
        )
        for name in ours.keys() & theirs.keys()
    )


def _by_name(feed: Sequence[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in feed:
        found.setdefault(item.name, []).append(item)
    return found


def _within(one: Set[object], other: Set[object]) -> bool:
    """Whether one of two sets holds the other: of items of one name some may be out of sight."""
    return one <= other or other <= one


def _parts_below(node: UiNode, size: tuple[int, int]) -> frozenset[Part]:
    return frozenset(part_of(other) for other in node.walk() if other is not node and not hidden(other, size))


def _item(node: UiNode, size: tuple[int, int], now: datetime | None) -> Item:
    said = [label for other in node.walk() if not hidden(other, size) and (label := label_of(other))]
    lasting = [texts.without_counters(text) for text in said if not texts.is_stamp(text) and not texts.is_count(text)]
    name = next(iter(lasting or said), "")
    content = is_content(node, size, now) or tells_ambient(node)
    return Item(
        name,
        len(set(said)) > 1,
        _parts_below(node, size),
        tuple(_flags(node, size)),
        None if content else tuple(_values(node, size, name)),
    )


def _values(node: UiNode, size: tuple[int, int], name: str) -> Iterator[str]:
    """What an entry says beside its name, in document order."""

    def below(other: UiNode, above: tuple[UiNode, ...]) -> Iterator[str]:
        if hidden(other, size) or is_badge(other, above):
            return
        yield texts.without_counters(texts.without_ago(label_of(other)))
        for child in other.children:
            yield from below(child, (*above, other))

    return (text for text in below(node, ()) if text and text != name)


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
