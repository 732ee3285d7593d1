"""Makers of tiles: what the painter's operations look like before they are placed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mobile_gym.phone.ui.display import Icon, Line, Radii, Round
from mobile_gym.phone.ui.icons import icon_mask
from mobile_gym.phone.ui.shapes import Corners, round_mask, round_masks, shadow_margin, shadow_mask, stroke_mask
from mobile_gym.phone.ui.tiles import Mask, Opaque, Rgb, Tile, flatten, rgb, tint

# What of its radius a round corner takes from the square within: 1 - sqrt(1/2).
_BITE = 0.293

# Up to so many pixels one tile that blends is quicker than an opaque middle with four bands around it.
_WHOLE = 1 << 16


def under_color(bg: str | None, dim: int) -> Rgb | None:
    """The dimmed colour beneath an operation, None where it is unknown."""
    return None if bg is None else rgb(bg, dim)


@lru_cache(maxsize=1 << 12)
def scaled_corners(radii: Radii, side: int, frame_side: int, scale: float) -> Corners:
    """Radii in the frame's pixels; what is a circle or a pill on the phone is one there too.

    Args:
        radii: the radii on the phone's screen.
        side: the shorter side of the shape there.
        frame_side: the same side in the frame, after its edges were rounded.
        scale: the frame's pixels per pixel of the screen.
    """
    half = frame_side / 2
    tl, tr, br, bl = (half if radius and 2 * radius >= side else min(radius * scale, half) for radius in radii)
    return tl, tr, br, bl


def icon_tiles(op: Icon, scale: float) -> tuple[Tile, ...]:
    """The tile of an icon, placed relative to the box's top left corner."""
    size = op.size * scale
    return _cropped(icon_mask(op.name, size, max(1, round(size)), op.turn), op.color, op.bg, op.dim, 0, 0)


def line_tiles(op: Line, scale: float) -> tuple[Tile, ...]:
    """The tile of a polyline, placed relative to the box's top left corner; none without points."""
    if not op.points:
        return ()
    mask, dx, dy = stroke_mask([(x * scale, y * scale) for x, y in op.points], op.width * scale, op.filled)
    return _cropped(mask, op.color, op.bg, op.dim, dx, dy)


def _cropped(mask: Mask, color: str, bg: str | None, dim: int, dx: int, dy: int) -> tuple[Tile, ...]:
    """A tile of what the mask covers; none at all when that is nothing."""
    rows = np.flatnonzero(mask.any(axis=1))
    columns = np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return ()
    top, left = int(rows[0]), int(columns[0])
    part = mask[top : int(rows[-1]) + 1, left : int(columns[-1]) + 1]
    return (flatten([(part, rgb(color, dim))], under_color(bg, dim), dx + left, dy + top),)


def round_tile(op: Round, w: int, h: int, corners: Corners, border: float) -> Tile:
    """The tile of a round rectangle of w x h pixels, with a border of so many pixels (0: none)."""
    under = under_color(op.bg, op.dim)
    if border and op.border_color is not None:
        whole, inner = round_masks(w, h, corners, border)
        edge_color = rgb(op.border_color, op.dim)
        if op.color is None:
            return flatten([(whole - np.minimum(inner, whole), edge_color)], under)
        return flatten([(whole, edge_color), (inner, rgb(op.color, op.dim))], under)
    if op.color is None:
        raise ValueError(f"a round rectangle at ({op.x}, {op.y}) has neither a colour nor a border")
    return flatten([(round_mask(w, h, corners), rgb(op.color, op.dim))], under)


def picture_tiles(pixels: NDArray[np.uint8], w: int, h: int, corners: Corners, under: Rgb | None) -> tuple[Tile, ...]:
    """The tiles of a picture uint8[h, 3 * w]: over an unknown colour, bands that blend around an opaque middle."""
    if not any(corners):
        return (Opaque(0, 0, w, h, pixels),)
    mask = round_mask(w, h, corners)
    if under is not None or w * h <= _WHOLE:
        return (tint(pixels, mask, under),)
    # What lies this far inside is wholly covered, whatever the radii.
    inset = min(math.ceil(max(corners) * _BITE) + 1, w // 2, h // 2)

    def band(left: int, top: int, right: int, bottom: int) -> Tile:
        piece = pixels[top:bottom, 3 * left : 3 * right]
        return tint(piece, mask[top:bottom, left:right], None, left, top)

    middle = pixels[inset : h - inset, 3 * inset : 3 * (w - inset)]
    return (
        Opaque(inset, inset, w - 2 * inset, h - 2 * inset, middle),
        *_frame(w, h, inset, band),
    )


def shadow_tiles(w: int, h: int, radius: float, level: int, unit: float, under: Rgb | None) -> tuple[Tile, ...]:
    """The tiles of a shadow: bands around the part that its shape is sure to cover."""
    margin = shadow_margin(level, unit)
    edge = math.ceil(radius) + margin
    # The blur is made for a small shape; its middle row and column are repeated to the true size.
    small_w, small_h = min(w, 2 * edge + 1), min(h, 2 * edge + 1)
    small = shadow_mask(small_w, small_h, radius, level, unit)
    columns = _stretched(small_w + 2 * margin, w + 2 * margin)
    rows = _stretched(small_h + 2 * margin, h + 2 * margin)

    def band(left: int, top: int, right: int, bottom: int) -> Tile:
        mask: Mask = small[np.ix_(rows[top:bottom], columns[left:right])]
        return flatten([(mask, (0, 0, 0))], under, left - margin, top - margin)

    full_w, full_h = w + 2 * margin, h + 2 * margin
    if full_w * full_h <= _WHOLE:
        return (band(0, 0, full_w, full_h),)
    side = min(margin + math.ceil(radius * _BITE) + 1, full_w // 2, full_h // 2)
    return tuple(_frame(full_w, full_h, side, band))


def _frame(w: int, h: int, side: int, band: _Band) -> Sequence[Tile]:
    """The four bands of a thickness that frame w x h pixels; those without a pixel are left out."""
    boxes = (
        (0, 0, w, side),
        (0, h - side, w, h),
        (0, side, side, h - side),
        (w - side, side, w, h - side),
    )
    return [band(*box) for box in boxes if box[0] < box[2] and box[1] < box[3]]


class _Band(Protocol):
    def __call__(self, left: int, top: int, right: int, bottom: int) -> Tile: ...


def _stretched(small: int, full: int) -> NDArray[np.intp]:
    """For each of `full` places the place to take it from among `small`, the middle one repeated."""
    half = small // 2
    index = np.arange(full)
    return np.where(index < half, index, np.where(index >= full - (small - half - 1), index - (full - small), half))
