"""How much room texts take, for grids and bars that must not cut them where the font is larger."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mobile_gym.phone.ui.display import Font
from mobile_gym.phone.ui.metrics import Metrics, metrics_for, scaled_sp
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.text import break_lines, text_width
from mobile_gym.phone.ui.theme import TYPE_SCALE

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

# What a line never ends within: letters, digits and signs without spaces; a character of East Asia stands alone.
_WORD = re.compile("[^\\s\u2e80-\uffff]+|[\u2e80-\uffff]")


def screen_width(ctx: Context) -> float:
    """The screen's width in dp."""
    width: int = ctx.phone.screen[0]
    return width * 160 / ctx.phone.density_dpi


def _metrics(ctx: Context) -> Metrics:
    bolder = min(max(ctx.settings.get_int("secure", "font_weight_adjustment"), 0), 500)
    return metrics_for(ctx.phone.density_dpi / 160, ctx.app.font_scale(ctx.phone, ctx.phone.font_scale), bolder)


def _font(ctx: Context, style: str, size_sp: float = 0.0) -> tuple[Font, float]:
    """The font of a text style, and the pixels of one dp."""
    metrics = _metrics(ctx)
    return metrics.style(style, size_sp=size_sp)[0], metrics.density


def width_of(ctx: Context, text: str, style: str, size_sp: float = 0.0) -> float:
    """Width of a text on one line, dp."""
    font, density = _font(ctx, style, size_sp)
    return text_width(text, font) / density


def widest_word(ctx: Context, text: str, style: str) -> float:
    """Width of the longest part of a label that should stay on one line (a Latin word, all of a Chinese text), dp."""
    return max(width_of(ctx, word, style) for word in text.split(" "))


def height_of(
    ctx: Context, text: str, style: str, room: float, *, size_sp: float = 0.0, line_sp: float = 0.0, max_lines: int = 0
) -> float:
    """Height of a text that is broken to so much room (dp), dp."""
    metrics = _metrics(ctx)
    font, line = metrics.style(style, size_sp=size_sp, line_sp=line_sp)
    return len(break_lines(text, font, room * metrics.density, max_lines or None)) * line / metrics.density


def in_rows(
    ctx: Context, parts: Sequence[Node], style: str, *, side: float, gap: float, room: float
) -> list[list[Node]]:
    """Labels in as many rows as they need; each is as wide as its text with `side` more at both ends, dp."""
    rows: list[list[Node]] = [[]]
    used = 0.0
    for part in parts:
        width = width_of(ctx, part.text, style) + 2 * side
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(part)
        used += width + gap
    return rows


def fits(ctx: Context, text: str, style: str, width: float, lines: int = 1, size_sp: float = 0.0) -> bool:
    """Whether a text fits a width (dp) in so many lines, with no word or number broken."""
    font, density = _font(ctx, style, size_sp)
    room = int(width * density) - 1  # columns may differ by a pixel
    if any(text_width(word, font) > room for word in _WORD.findall(text)):
        return False
    return len(break_lines(text, font, room)) <= lines


def columns(
    ctx: Context, texts: Sequence[str], style: str, room: float, most: int, *, gap: float = 0.0, lines: int = 1
) -> int:
    """How many columns a grid has: as many as `most`, fewer where larger text asks for wider ones.

    Args:
        ctx: the screen's context.
        texts: what stands in the cells; each must fit one.
        style: the texts' style.
        room: width of the grid without what its cells need beside the text, dp; that of one column.
        most: how many columns there are at most.
        gap: what each further column takes from the room, dp: the gap, and what its cell needs beside the text.
        lines: lines that a text may have.
    """
    for count in range(most, 1, -1):
        width = (room - gap * (count - 1)) / count
        if all(fits(ctx, text, style, width, lines) for text in texts):
            return count
    return 1


def size_to_fit(ctx: Context, texts: Sequence[str], style: str, width: float, size_sp: float = 0.0) -> float:
    """The largest size (sp) at which each text fits a width (dp) on one line; `size_sp` where that one does.

    Args:
        ctx: the screen's context.
        texts: the texts.
        style: their style.
        width: the width.
        size_sp: the size wanted; 0 for the style's own.
    """
    size = size_sp or float(TYPE_SCALE[style][0])
    if all(fits(ctx, text, style, width, size_sp=size) for text in texts):
        return size_sp
    while size > 6.0 and not all(fits(ctx, text, style, width, size_sp=size) for text in texts):
        size -= 0.5
    return size


def growth(ctx: Context, size_sp: float) -> float:
    """How many times as large as by default text of a size is; never below 1."""
    return max(scaled_sp(size_sp, _metrics(ctx).font_scale) / size_sp, 1.0)
