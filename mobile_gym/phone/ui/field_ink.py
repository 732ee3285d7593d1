"""How a text field is drawn: its text, selection, cursor, and what is still being composed."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from mobile_gym.phone.ui.boxes import intersect
from mobile_gym.phone.ui.display import Clip, Fill, Text
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.text import baseline, prefix_widths, text_width

if TYPE_CHECKING:
    from mobile_gym.phone.ui.layout import Layouter


def draw_field(layouter: Layouter, node: Node, x: int, y: int, clip: Clip, bg: str | None, fade: float) -> None:
    """Adds to a layouter's display list what draws a laid-out text field.

    Args:
        layouter: lays the window out.
        node: the field.
        x: its left edge, pixels of the screen.
        y: its upper edge.
        clip: its visible part.
        bg: the colour behind it, where that is known.
        fade: strength of its colours.
    """
    font, line = layouter.metrics.style(node.style, node.text_weight, node.size_sp, node.line_sp)
    left, top, right, bottom = layouter.edges(node)
    empty = not node.text
    color = layouter.ink("hint" if empty else node.color, bg, fade)
    room = node.w - left - right
    inner = intersect(clip, (x + left, y, x + node.w - right, y + node.h))
    if inner is None:
        return
    free = node.h - top - bottom - line * len(node.lines)
    at = y + top + (free // 2 if free > 0 else 0)
    shown = "".join(node.lines) if not empty else ""
    row, column = cursor_place(node, shown)
    shift = 0
    if node.max_lines == 1 and node.cursor is not None and not empty:
        # A line longer than the field scrolls so that the cursor shows.
        shift = max(ceil(prefix_widths(node.lines[0], font)[column]) - room + layouter.metrics.px(2), 0)
    for number, text in enumerate(node.lines):
        _draw_selection(layouter, node, number, text, x + left - shift, at, line, inner)
        if text:
            width = ceil(text_width(text, font))
            ink = at + int(baseline(line, font))
            known = bg if node.selection is None else None
            layouter.ops.append(Text(x + left - shift, ink, width, text, font, color, inner, known, layouter.dim))
            if node.underline is not None and not empty:
                _draw_range(layouter, node, number, node.underline, x + left - shift, at + line - 2, 2, color, inner)
        if node.cursor is not None and number == row:
            offset = ceil(prefix_widths(text, font)[column]) if not empty else 0
            wide = layouter.metrics.px(2)
            caret = intersect(inner, (x, y, x + node.w, y + node.h)) or inner
            layouter.ops.append(Fill(x + left - shift + offset, at, wide, line, layouter.theme.color("primary"), caret))
        at += line


def _draw_selection(
    layouter: Layouter, node: Node, number: int, text: str, x: int, y: int, line: int, clip: Clip
) -> None:
    if node.selection is not None and node.text:
        _draw_range(layouter, node, number, node.selection, x, y, line, layouter.theme.color("primaryContainer"), clip)


def _draw_range(
    layouter: Layouter,
    node: Node,
    number: int,
    part: tuple[int, int],
    x: int,
    y: int,
    height: int,
    color: str,
    clip: Clip,
) -> None:
    text = node.lines[number]
    before = sum(len(earlier) for earlier in node.lines[:number])
    start, end = max(part[0] - before, 0), min(part[1] - before, len(text))
    if start < end:
        font, _ = layouter.metrics.style(node.style, node.text_weight, node.size_sp, node.line_sp)
        widths = prefix_widths(text, font)
        left, right = x + int(widths[start]), x + ceil(widths[end])
        layouter.ops.append(Fill(left, y, right - left, height, color, clip, layouter.dim))


def cursor_place(node: Node, shown: str) -> tuple[int, int]:
    """Line and column of a field's cursor; (0, 0) where it is empty or has none."""
    if node.cursor is None or not shown:
        return 0, 0
    left = min(node.cursor, len(node.text))
    place = 0
    for number, line in enumerate(node.lines):
        # A newline or a space at the break belongs to no line; it is skipped in the text.
        while (
            place < len(node.text) and node.text[place : place + 1] in "\n " and not line.startswith(node.text[place])
        ):
            place += 1
        if left <= place + len(line) or number == len(node.lines) - 1:
            return number, max(min(left - place, len(line)), 0)
        place += len(line)
    return 0, 0
