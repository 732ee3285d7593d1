"""Boxes of whole pixels: left, top, right, bottom."""

from __future__ import annotations

from mobile_gym.phone.ui.display import Clip, Radii


def intersect(a: Clip, b: Clip) -> Clip | None:
    """The common part of two boxes, None where there is none."""
    # Comparisons in place of min and max: this runs for every node of every frame.
    left, top, right, bottom = a
    other_left, other_top, other_right, other_bottom = b
    if other_left > left:
        left = other_left
    if other_top > top:
        top = other_top
    if other_right < right:
        right = other_right
    if other_bottom < bottom:
        bottom = other_bottom
    return (left, top, right, bottom) if left < right and top < bottom else None


def leaves(curve: tuple[int, int, int, int, Radii], x: int, y: int, w: int, h: int) -> bool:
    """Whether a corner of a box lies outside the round corners of a surface, given as x, y, width, height and radii."""
    left, top, wide, high, radii = curve
    near = (x - left, left + wide - x - w)
    far = (y - top, top + high - y - h)
    corners = zip(radii, (0, 1, 1, 0), (0, 0, 1, 1), strict=True)
    for radius, side, end in corners:
        across, along = radius - near[side], radius - far[end]
        if across > 0 and along > 0 and across * across + along * along > radius * radius:
            return True
    return False
