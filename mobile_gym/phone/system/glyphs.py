"""Shapes that the system draws itself: plain filled polygons with slightly round corners."""

from __future__ import annotations

from functools import lru_cache
from math import cos, hypot, pi, sin
from typing import Any

from mobile_gym.phone.ui.node import Node

Points = tuple[tuple[float, float], ...]

_PEN = 1.3
"""Width of the stroke that fills a shape, dp; half of it rounds the corners."""


def filled(outline: Points, centre: tuple[float, float], reach: float) -> Points:
    """A polyline that fills a convex outline when it is stroked with `_PEN`: the outline, drawn ever smaller.

    Args:
        outline: corners of the shape, dp.
        centre: the point with the same distance from all sides.
        reach: that distance.
    """
    points: list[tuple[float, float]] = []
    inset = _PEN / 2
    while inset < reach + _PEN / 2:
        keep = max(1 - inset / reach, 0.0)
        ring = [(centre[0] + (x - centre[0]) * keep, centre[1] + (y - centre[1]) * keep) for x, y in outline]
        points += [*ring, ring[0]]
        inset += _PEN * 0.8
    return tuple(points)


@lru_cache(maxsize=32)
def fan_points(scale: float) -> Points:
    """The Wi-Fi sign: a fan, 16.4 x 12.5 dp in a box of 17."""
    radius, half = 12.5 * scale, 0.739
    apex = (8.5 * scale, 14.8 * scale)
    steps = 8
    arc = [pi / 2 + half * (1 - 2 * step / steps) for step in range(steps + 1)]
    outline = (apex, *((apex[0] + radius * cos(a), apex[1] - radius * sin(a)) for a in arc))
    reach = radius * sin(half) / (1 + sin(half))
    return filled(outline, (apex[0], apex[1] - radius + reach), reach)


@lru_cache(maxsize=32)
def signal_points(scale: float) -> Points:
    """The signal's triangle, 14.5 x 14 dp in a box of 16 x 17."""
    left, right, top, bottom = 0.4 * scale, 15.1 * scale, 0.8 * scale, 15.6 * scale
    return right_triangle(left, right, top, bottom)


def right_triangle(left: float, right: float, top: float, bottom: float) -> Points:
    """A triangle with its right angle at the bottom right."""
    wide, high = right - left, bottom - top
    reach = wide * high / (wide + high + hypot(wide, high))
    return filled(((left, bottom), (right, bottom), (right, top)), (right - reach, bottom - reach), reach)


@lru_cache(maxsize=4)
def back_points(down: bool) -> Points:
    """The Back key's triangle, 13.5 x 15.8 dp in a box of 24; it points left, or down while the keyboard is up."""
    wide, high = 13.9, 16.4
    reach = wide * high / (high + 2 * hypot(wide, high / 2))
    if down:
        outline = ((3.8, 4.8), (3.8 + high, 4.8), (3.8 + high / 2, 4.8 + wide))
        return filled(outline, (3.8 + high / 2, 4.8 + reach), reach)
    outline = ((4.8 + wide, 3.8), (4.8 + wide, 3.8 + high), (4.8, 3.8 + high / 2))
    return filled(outline, (4.8 + wide - reach, 3.8 + high / 2), reach)


def shape(points: Points, width: float, height: float, color: str, **attributes: Any) -> Node:
    """A filled shape as a node, seen as an image."""
    return Node(
        "stroke",
        points=points,
        stroke_width=_PEN,
        width=width,
        height=height,
        color=color,
        cls="android.widget.ImageView",
        **attributes,
    )
