"""How much room texts take at the user's font scale: what a page asks before it decides how to lay itself out."""

from __future__ import annotations

from collections.abc import Sequence

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.display import Font
from mobile_gym.phone.ui.metrics import metrics_for
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.text import break_lines
from mobile_gym.phone.ui.text import text_width as width_px


def text_width(ctx: Context, text: str, style: str, size_sp: float = 0.0) -> float:
    """Width of a text on one line, dp."""
    font, _ = _style(ctx, style, size_sp, 0.0)
    return width_px(text, font) / _density(ctx)


def widest_word(ctx: Context, text: str, style: str) -> float:
    """Width of the longest part of a label that should stay on one line (a Latin word, all of a Chinese text), dp."""
    return max(text_width(ctx, word, style) for word in text.split(" "))


def text_height(
    ctx: Context, text: str, style: str, room: float, *, size_sp: float = 0.0, line_sp: float = 0.0, max_lines: int = 0
) -> float:
    """Height of a text that is broken to so much room (dp), dp."""
    font, line = _style(ctx, style, size_sp, line_sp)
    count = len(break_lines(text, font, room * _density(ctx), max_lines or None))
    return count * line / _density(ctx)


def in_rows(
    ctx: Context, parts: Sequence[Node], style: str, *, side: float, gap: float, room: float
) -> list[list[Node]]:
    """Labels in as many rows as they need; each is as wide as its text with `side` more at both ends, dp."""
    rows: list[list[Node]] = [[]]
    used = 0.0
    for part in parts:
        width = text_width(ctx, part.text, style) + 2 * side
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(part)
        used += width + gap
    return rows


def _style(ctx: Context, style: str, size_sp: float, line_sp: float) -> tuple[Font, int]:
    scale = ctx.app.font_scale(ctx.phone, ctx.phone.font_scale)
    return metrics_for(_density(ctx), scale).style(style, 0, size_sp, line_sp)


def _density(ctx: Context) -> float:
    return float(ctx.phone.density_dpi / 160)
