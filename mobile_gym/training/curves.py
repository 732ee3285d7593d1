"""Curves of a run as one SVG file, with nothing but text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 360, 56, 32, 16, 40
_COLOURS = ("#1f6feb", "#d1495b", "#2a9d58", "#8957e5", "#b7791f")

Points = Sequence[tuple[float, float]]


def curves_svg(title: str, across: str, curves: Mapping[str, Points], top: float = 1.0) -> str:
    """Curves over a common axis.

    Args:
        title: what is shown.
        across: what the horizontal axis counts.
        curves: points (x, y) by name; y from 0 to `top`.
        top: the end of the vertical axis.

    Returns:
        The file's text.
    """
    last = max((x for points in curves.values() for x, _ in points), default=1.0) or 1.0
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> str:
        return f"{_LEFT + wide * x / last:.1f},{_TOP + high * (1 - min(max(y, 0.0), top) / top):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14">{escape(title)}</text>',
    ]
    for step in range(6):
        value = top * step / 5
        y = _TOP + high * (1 - step / 5)
        parts.append(f'<path d="M{_LEFT} {y:.1f}h{wide}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        x = _LEFT + wide * step / 5
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 20}" text-anchor="middle">{last * step / 5:g}</text>')
    parts.append(f'<text x="{_LEFT + wide / 2:.0f}" y="{_HEIGHT - 5}" text-anchor="middle">{escape(across)}</text>')
    for number, (name, points) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        way = " ".join(place(x, y) for x, y in points)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = 20 + 14 * number
        parts.append(f'<text x="{_WIDTH - _RIGHT}" y="{y}" text-anchor="end" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
