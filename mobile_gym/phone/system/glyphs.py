"""Shapes that the system draws itself: filled polygons with slightly round corners."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import Any

from mobile_gym.phone.ui.node import Node

Points = tuple[tuple[float, float], ...]

_PEN = 1.3
"""Width of the outline's stroke, dp; half of it rounds the corners, so outlines lie that far inside the shape."""


@lru_cache(maxsize=32)
def fan_points(scale: float) -> Points:
    """The Wi-Fi sign: a fan, 16.4 x 12.5 dp in a box of 17."""
    half = 0.739
    apex = (8.5 * scale, (15.8 - 0.96) * scale)
    radius = (12.5 - 0.96 - 0.65) * scale
    steps = 10
    arc = [pi / 2 + half * (1 - 2 * step / steps) for step in range(steps + 1)]
    return (apex, *((apex[0] + radius * cos(a), apex[1] - radius * sin(a)) for a in arc))


@lru_cache(maxsize=32)
def signal_points(scale: float) -> Points:
    """The signal's triangle, 14.5 x 14 dp in a box of 16 x 17; its right angle is at the bottom right."""
    left, right, top, bottom = 2.0 * scale, 14.45 * scale, 2.4 * scale, 14.95 * scale
    return (left, bottom), (right, bottom), (right, top)


@lru_cache(maxsize=4)
def back_points(down: bool) -> Points:
    """The Back key's triangle, 13.5 x 15.8 dp in a box of 24; it points left, or down while the keyboard is up."""
    if down:
        return (4.9, 5.45), (19.1, 5.45), (12.0, 17.4)
    return (18.05, 4.9), (18.05, 19.1), (6.1, 12.0)


def shape(points: Points, width: float, height: float, color: str, **attributes: Any) -> Node:
    """A filled shape as a node, seen as an image."""
    return Node(
        "stroke",
        points=points,
        filled=True,
        stroke_width=_PEN,
        width=width,
        height=height,
        color=color,
        cls="android.widget.ImageView",
        **attributes,
    )
