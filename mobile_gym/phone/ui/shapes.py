"""Masks of shapes: round rectangles, their shadows, and stroked lines, from exact distances and thus never jagged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from mobile_gym.phone.ui.tiles import Mask

Corners = tuple[float, float, float, float]

# Material 3 elevations, from level 1: (offset down, blur, spread, black in percent) of the two layers, dp.
SHADOWS: tuple[tuple[tuple[float, float, float, int], tuple[float, float, float, int]], ...] = (
    ((1, 2, 0, 30), (1, 3, 1, 15)),
    ((1, 2, 0, 30), (2, 6, 2, 15)),
    ((1, 3, 0, 30), (4, 8, 3, 15)),
    ((2, 3, 0, 30), (6, 10, 4, 15)),
    ((4, 4, 0, 30), (8, 12, 6, 15)),
)


def _distance(w: int, h: int, corners: Corners) -> NDArray[np.float32]:
    """Signed distance of every pixel's centre to the edge of a round rectangle, negative inside: float32[h, w]."""
    half_w, half_h = w / 2, h / 2
    xs = np.abs(np.arange(w, dtype=np.float32) + np.float32(0.5 - half_w))
    ys = np.abs(np.arange(h, dtype=np.float32) + np.float32(0.5 - half_h))
    if len(set(corners)) == 1:
        quarter = _quarter(xs[w // 2 :], ys[h // 2 :], half_w, half_h, corners[0])
        # Two mirrors: for an odd size the middle line belongs to both halves.
        bottom = np.concatenate([quarter[:, ::-1][:, : w // 2], quarter], axis=1)
        return np.concatenate([bottom[::-1][: h // 2], bottom], axis=0)
    left, top = w // 2, h // 2
    tl, tr, br, bl = corners
    return np.concatenate(
        [
            np.concatenate(
                [
                    _quarter(xs[:left], ys[:top], half_w, half_h, tl),
                    _quarter(xs[left:], ys[:top], half_w, half_h, tr),
                ],
                axis=1,
            ),
            np.concatenate(
                [
                    _quarter(xs[:left], ys[top:], half_w, half_h, bl),
                    _quarter(xs[left:], ys[top:], half_w, half_h, br),
                ],
                axis=1,
            ),
        ],
        axis=0,
    )


def _quarter(
    xs: NDArray[np.float32], ys: NDArray[np.float32], half_w: float, half_h: float, radius: float
) -> NDArray[np.float32]:
    dx = (xs - np.float32(half_w - radius))[None, :]
    dy = (ys - np.float32(half_h - radius))[:, None]
    outside = np.sqrt(np.square(np.maximum(dx, 0)) + np.square(np.maximum(dy, 0)))
    distance: NDArray[np.float32] = outside + np.minimum(np.maximum(dx, dy), 0) - np.float32(radius)
    return distance


def _coverage(distance: NDArray[np.float32]) -> Mask:
    mask: Mask = (np.clip(0.5 - distance, 0, 1) * 255 + np.float32(0.5)).astype(np.uint8)
    return mask


def round_mask(w: int, h: int, corners: Corners) -> Mask:
    """Coverage of a round rectangle of w x h pixels: uint8[h, w]. Radii run clockwise from the top left."""
    return _coverage(_distance(w, h, corners))


def round_masks(w: int, h: int, corners: Corners, border: float) -> tuple[Mask, Mask]:
    """Coverage of a bordered round rectangle's whole, and of what lies inside its border (pixels, may be broken)."""
    distance = _distance(w, h, corners)
    return _coverage(distance), _coverage(distance + np.float32(border))


def shadow_margin(level: int, unit: float) -> int:
    """How far a shadow may reach beyond its shape, in pixels; `unit` is the pixels of one dp."""
    return math.ceil(max((abs(down) + blur + spread) * unit for down, blur, spread, _ in SHADOWS[level - 1])) + 1


def shadow_mask(w: int, h: int, radius: float, level: int, unit: float) -> Mask:
    """Coverage of the black shadow of a round rectangle, with `shadow_margin` more on every side."""
    margin = shadow_margin(level, unit)
    light = np.ones((h + 2 * margin, w + 2 * margin), np.float32)
    for down, blur, spread, percent in SHADOWS[level - 1]:
        grow = round(spread * unit)
        canvas = Image.new("L", (w + 2 * margin, h + 2 * margin))
        grown = round_mask(w + 2 * grow, h + 2 * grow, (radius + grow,) * 4)
        canvas.paste(Image.fromarray(grown), (margin - grow, margin - grow + round(down * unit)))
        soft = canvas.filter(ImageFilter.GaussianBlur(blur * unit / 2))
        light *= 1 - np.asarray(soft, np.float32) * np.float32(percent / 100 / 255)
    return ((1 - light) * 255 + np.float32(0.5)).astype(np.uint8)


def stroke_mask(points: Sequence[tuple[float, float]], width: float, filled: bool = False) -> tuple[Mask, int, int]:
    """Coverage of a polyline with round caps and joints, and the place of the mask's top left pixel.

    Args:
        points: at least one point, in pixels; a single point is a dot.
        width: of the stroke, in pixels; thinner than one pixel it fades.
        filled: whether the points are a closed outline whose inside is covered too.
    """
    if filled:
        points = [*points, points[0]]
    radius = max(width, 1.0) / 2
    reach = radius + 1
    x0 = math.floor(min(x for x, _ in points) - reach)
    y0 = math.floor(min(y for _, y in points) - reach)
    x1 = math.ceil(max(x for x, _ in points) + reach)
    y1 = math.ceil(max(y for _, y in points) + reach)
    nearest = np.full((y1 - y0, x1 - x0), np.inf, np.float32)
    for (ax, ay), (bx, by) in zip(points[:-1] or points, points[1:] or points, strict=True):
        left, right = math.floor(min(ax, bx) - reach), math.ceil(max(ax, bx) + reach)
        top, bottom = math.floor(min(ay, by) - reach), math.ceil(max(ay, by) + reach)
        px = np.arange(left, right, dtype=np.float32) + np.float32(0.5 - ax)
        py = (np.arange(top, bottom, dtype=np.float32) + np.float32(0.5 - ay))[:, None]
        vx, vy = bx - ax, by - ay
        length2 = vx * vx + vy * vy
        along = np.clip((px * np.float32(vx) + py * np.float32(vy)) / np.float32(length2 or 1), 0, 1)
        distance = np.sqrt(np.square(px - along * np.float32(vx)) + np.square(py - along * np.float32(vy)))
        part = nearest[top - y0 : bottom - y0, left - x0 : right - x0]
        np.minimum(part, distance, out=part)
    if filled:
        nearest[_inside(points, x0, y0, nearest.shape)] = 0
    strength = min(width, 1.0)
    cover = np.clip(np.float32(radius + 0.5) - nearest, 0, 1)
    return (cover * np.float32(255 * strength) + np.float32(0.5)).astype(np.uint8), x0, y0


def _inside(points: Sequence[tuple[float, float]], x0: int, y0: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which pixels' centres lie inside a closed outline (even-odd rule): bool[h, w]."""
    ys = (np.arange(shape[0]) + (y0 + 0.5))[:, None]
    xs = (np.arange(shape[1]) + (x0 + 0.5))[None, :]
    inside = np.zeros(shape, np.bool_)
    for (ax, ay), (bx, by) in pairwise(points):
        if ay != by:
            inside ^= ((ay > ys) != (by > ys)) & (xs < (bx - ax) * (ys - ay) / (by - ay) + ax)
    return inside
