"""Lists: rows are built only where they show; a scroll position is the first row and the pixels of it scrolled away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mobile_gym.phone.ui.node import Node

if TYPE_CHECKING:
    from mobile_gym.phone.ui.layout import Layouter

ENDLESS = 1 << 20


class Rows:
    """Rows of one list in one layout, measured when asked for."""

    __slots__ = ("_found", "_layouter", "across", "gap", "items", "node", "vertical", "viewport")

    def __init__(self, layouter: Layouter, node: Node, across: int, viewport: int) -> None:
        self._layouter = layouter
        self._found: dict[int, Node] = {}
        self.node = node
        self.items = node.children
        self.across = across
        self.viewport = viewport
        self.vertical = node.axis == "v"
        self.gap = layouter.metrics.px(node.gap)

    def __len__(self) -> int:
        return len(self.items)

    def row(self, number: int) -> Node:
        """The row, measured."""
        found = self._found.get(number)
        if found is None:
            item: Any = self.items[number]
            if not isinstance(item, Node):
                build = self.node.build_row
                if build is None:
                    raise TypeError(f"list {self.node.id!r} holds {type(item).__name__} and has no build_row")
                item = build(item)
            found = self._found[number] = item
            if self.vertical:
                self._layouter.measure(item, self.across, ENDLESS, self.across)
            elif self.node.paged:
                self._layouter.measure(item, self.viewport, self.across, self.viewport, self.across)
            else:
                self._layouter.measure(item, ENDLESS, self.across)
        return found

    def size(self, number: int) -> int:
        """A row's size along the axis, with the gap after it."""
        row = self.row(number)
        gap = self.gap if number < len(self.items) - 1 else 0
        return (row.h if self.vertical else row.w) + gap

    def end(self) -> tuple[int, int]:
        """The position that shows the end of the list."""
        total = 0
        for number in range(len(self.items) - 1, -1, -1):
            total += self.size(number)
            if total >= self.viewport:
                return number, total - self.viewport
        return 0, 0

    def move(self, position: tuple[int, int], delta: int) -> tuple[int, int]:
        """The position `delta` pixels further on, within the list."""
        number, offset = position
        offset += delta
        last = len(self.items) - 1
        while number < last and offset >= self.size(number):
            offset -= self.size(number)
            number += 1
        while offset < 0 and number > 0:
            number -= 1
            offset += self.size(number)
        return min((number, max(offset, 0)), self.end())


def measure(layouter: Layouter, node: Node, inner_w: int, inner_h: int) -> tuple[int, int]:
    """Lays out the rows of a list that show; returns the content's size within its room."""
    vertical = node.axis == "v"
    across, viewport = (inner_w, inner_h) if vertical else (inner_h, inner_w)
    rows = Rows(layouter, node, across, viewport)
    count = len(rows)
    saved = layouter.scroll.get(node.id)
    if saved is not None and node.paged:
        position = (min(max(saved[0], 0), max(count - 1, 0)), 0)
    elif saved is not None:
        position = (saved[0], max(saved[1], 0)) if saved[0] < count else rows.end()
    else:
        position = rows.end() if node.reverse and count else (0, 0)
    shown, filled, after = _fill(rows, position)
    if filled < viewport and position > (0, 0) and not node.paged:
        position = rows.end()
        shown, filled, after = _fill(rows, position)
    left, top, _, _ = layouter.edges(node)
    at = -position[1]
    if node.reverse and filled < viewport and viewport < ENDLESS // 2:
        at += viewport - filled
    for row in shown:
        row.x, row.y = (left, top + at) if vertical else (left + at, top)
        at += (row.h if vertical else row.w) + rows.gap
    node.rows = rows
    node.anchor = position
    node.extent = (viewport, count)
    node.children = shown
    node.more = (position > (0, 0), after < count or filled > viewport)
    if vertical:
        return inner_w, min(filled, viewport)
    return min(filled, viewport), max((row.h for row in shown), default=0)


def _fill(rows: Rows, position: tuple[int, int]) -> tuple[list[Node], int, int]:
    number, offset = position
    filled = -offset
    shown: list[Node] = []
    while number < len(rows) and filled < rows.viewport:
        shown.append(rows.row(number))
        filled += rows.size(number)
        number += 1
    return shown, filled, number
