"""A canvas for pictures: light and shapes placed in shares of its size, dithered at the end."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from mobile_gym.phone.ui.icons import icon_mask
from mobile_gym.phone.ui.tiles import rgb

Point = tuple[float, float]
Stops = Sequence[tuple[float, str]]
Plane = NDArray[np.float32]
_BAND = 64
"""Rows that are dithered at once: few enough to stay in the processor's cache."""


def seeded(words: str) -> random.Random:
    """A generator that depends on the words alone, equal in every process."""
    return random.Random(int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "big"))


def mixed(first: str, second: str, share: float) -> str:
    """The colour `#RRGGBB` that lies a share (0 to 1) of the way from the first to the second."""
    parts = [round(a + (b - a) * share) for a, b in zip(rgb(first), rgb(second), strict=True)]
    return "#" + "".join(f"{part:02X}" for part in parts)


def curve(points: Sequence[Point], count: int) -> Plane:
    """Heights at `count` places from 0 to 1 of a line that swings from point to point and is level at each."""
    xs = (np.arange(count, dtype=np.float32) + np.float32(0.5)) / np.float32(count)
    places = [x for x, _ in points]
    index = np.clip(np.searchsorted(places, xs, side="right") - 1, 0, len(points) - 2)
    at = np.array(places, np.float32)
    heights = np.array([y for _, y in points], np.float32)
    share = np.clip((xs - at[index]) / (at[index + 1] - at[index]), 0, 1)
    smooth = share * share * (3 - 2 * share)
    line: Plane = (heights[index] + (heights[index + 1] - heights[index]) * smooth).astype(np.float32)
    return line


class Scene:
    """Planes of red, green and blue light float32[3, h, w].

    All places and sizes are shares of the width or height from 0 to 1.
    """

    def __init__(self, w: int, h: int) -> None:
        self.w, self.h = w, h
        self._planes = np.zeros((3, h, w), np.float32)

    def vertical(self, stops: Stops) -> None:
        """Fill with colours that change from top to bottom."""
        rows = (np.arange(self.h, dtype=np.float32) + np.float32(0.5)) / np.float32(self.h)
        for plane, values in zip(self._planes, zip(*(rgb(color) for _, color in stops), strict=True), strict=True):
            plane[:] = np.interp(rows, [at for at, _ in stops], values).astype(np.float32)[:, None]

    def diagonal(self, first: str, second: str) -> None:
        """Fill with a change of colour from the top left to the bottom right."""
        xs = (np.arange(self.w, dtype=np.float32) + np.float32(0.5)) / np.float32(self.w)
        ys = (np.arange(self.h, dtype=np.float32) + np.float32(0.5)) / np.float32(self.h)
        share = (xs[None, :] + ys[:, None]) / 2
        for plane, a, b in zip(self._planes, rgb(first), rgb(second), strict=True):
            np.multiply(share, np.float32(b - a), out=plane)
            plane += a

    def glow(self, x: float, y: float, rx: float, ry: float, color: str, strength: float) -> None:
        """A soft light around a place; radii are shares of the width, both of them."""
        left, right = max(0, int((x - rx) * self.w)), min(self.w, math.ceil((x + rx) * self.w))
        cy, reach = y * self.h, ry * self.w
        top, bottom = max(0, int(cy - reach)), min(self.h, math.ceil(cy + reach))
        if left >= right or top >= bottom:
            return
        dx = (np.arange(left, right, dtype=np.float32) + np.float32(0.5 - x * self.w)) / np.float32(rx * self.w)
        dy = (np.arange(top, bottom, dtype=np.float32) + np.float32(0.5 - cy)) / np.float32(reach)
        fall = np.clip(1 - (np.square(dx)[None, :] + np.square(dy)[:, None]), 0, 1)
        self._lay(np.square(fall) * np.float32(strength), left, top, color)

    def hill(self, points: Sequence[Point], top: str, bottom: str, depth: float = 0.2, alpha: float = 1.0) -> None:
        """Fill below a curve; the colour goes from `top` at its highest point to `bottom` a `depth` further down."""
        line = curve(points, self.w) * np.float32(self.h)
        first = max(0, int(line.min()) - 1)
        if first >= self.h:
            return
        rows = np.arange(first, self.h, dtype=np.float32) + np.float32(0.5)
        cover = np.clip(rows[:, None] - line[None, :] + np.float32(0.5), 0, 1) * np.float32(alpha)
        share = np.clip((rows - first) / np.float32(depth * self.h), 0, 1)
        for plane, a, b in zip(self._planes, rgb(top), rgb(bottom), strict=True):
            part = plane[first:]
            part += ((a + (b - a) * share)[:, None] - part) * cover

    def polygon(
        self, points: Sequence[Point], top: str, bottom: str | None = None, alpha: float = 1.0, soft: float = 0.0
    ) -> None:
        """Fill a polygon, evenly or with a change from top to bottom; `soft` blurs it, a share of the width."""
        self._mask_shape([(x * self.w, y * self.h) for x, y in points], "polygon", top, bottom, alpha, soft)

    def ellipse(
        self, x: float, y: float, rx: float, ry: float, top: str, bottom: str | None = None, *,
        alpha: float = 1.0, soft: float = 0.0,
    ) -> None:  # fmt: skip
        """Fill an ellipse; both radii are shares of the width."""
        cx, cy, dx, dy = x * self.w, y * self.h, rx * self.w, ry * self.w
        self._mask_shape([(cx - dx, cy - dy), (cx + dx, cy + dy)], "ellipse", top, bottom, alpha, soft)

    def ball(self, x: float, y: float, rx: float, ry: float, light: str, dark: str) -> None:
        """An ellipsoid lit from the top left; radii are shares of the width."""
        cx, cy, dx, dy = x * self.w, y * self.h, rx * self.w, ry * self.w
        cover, left, top = self._cover([(cx - dx, cy - dy), (cx + dx, cy + dy)], "ellipse", 0.0, 0.0)
        if cover is None:
            return
        xs = (np.arange(cover.shape[1], dtype=np.float32) + np.float32(left + 0.5 - cx + 0.35 * dx)) / np.float32(dx)
        ys = (np.arange(cover.shape[0], dtype=np.float32) + np.float32(top + 0.5 - cy + 0.35 * dy)) / np.float32(dy)
        share = np.clip(np.sqrt(np.square(xs)[None, :] + np.square(ys)[:, None]) / np.float32(1.45), 0, 1)
        self._mix(cover, left, top, np.square(share), light, dark)

    def lit(self, points: Sequence[Point], light: str, dark: str) -> None:
        """A polygon of something round and soft, lit from the top left."""
        cover, left, top = self._cover([(x * self.w, y * self.h) for x, y in points], "polygon", 0.0, 0.0)
        if cover is None:
            return
        high, wide = cover.shape
        xs = (np.arange(wide, dtype=np.float32) / np.float32(wide) - np.float32(0.3)) / np.float32(0.85)
        ys = (np.arange(high, dtype=np.float32) / np.float32(high) - np.float32(0.22)) / np.float32(0.95)
        share = np.clip(np.square(xs)[None, :] + np.square(ys)[:, None], 0, 1)
        self._mix(cover, left, top, share, light, dark)

    def turned(self, points: Sequence[Point], light: str, dark: str) -> None:
        """A polygon shaded from side to side like something round and upright, lit from the left."""
        cover, left, top = self._cover([(x * self.w, y * self.h) for x, y in points], "polygon", 0.0, 0.0)
        if cover is None:
            return
        place = np.linspace(0, 1, cover.shape[1], dtype=np.float32)
        share = np.clip(np.abs(place - np.float32(0.32)) * np.where(place < 0.32, 1.5, 1.45), 0, 1)
        self._mix(cover, left, top, np.square(share)[None, :].astype(np.float32), light, dark)

    def rect(
        self, left: float, top: float, right: float, bottom: float, color: str, to: str | None = None, *,
        radius: float = 0.0, alpha: float = 1.0,
    ) -> None:  # fmt: skip
        """Fill a rectangle; `radius` of its corners is a share of the width."""
        box = [(left * self.w, top * self.h), (right * self.w, bottom * self.h)]
        self._mask_shape(box, "rectangle", color, to, alpha, 0.0, radius * self.w)

    def flat(self, left: int, top: int, right: int, bottom: int, color: str) -> None:
        """Fill whole pixels, given as such, with one colour."""
        for plane, value in zip(self._planes, rgb(color), strict=True):
            plane[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = value

    def line(self, points: Sequence[Point], width: float, color: str, alpha: float = 1.0) -> None:
        """Stroke a polyline; `width` is a share of the width."""
        self._mask_shape([(x * self.w, y * self.h) for x, y in points], "line", color, None, alpha, 0.0, width * self.w)

    def icon(self, name: str, x: float, y: float, size: float, top: str, bottom: str | None = None, *,
             alpha: float = 1.0, turn: int = 0) -> None:  # fmt: skip
        """Draw a Material Design icon with its middle at (x, y); `size` is a share of the shorter side."""
        side = max(1, round(size * min(self.w, self.h)))
        mask = icon_mask(name, side, side, turn).astype(np.float32) * np.float32(alpha / 255)
        self._lay(mask, round(x * self.w - side / 2), round(y * self.h - side / 2), top, bottom)

    def finish(self) -> NDArray[np.uint8]:
        """The picture uint8[h, w, 3]; ordered dither keeps gradients free of bands."""
        noise = np.tile(_bayer(), (_BAND // 8, self.w // 8 + 1))[:, : self.w]
        out = np.empty((self.h, self.w, 3), np.uint8)
        for top in range(0, self.h, _BAND):
            for channel, plane in enumerate(self._planes):
                band = plane[top : top + _BAND]
                out[top : top + _BAND, :, channel] = np.clip(band + noise[: len(band)], 0, 255)
        return out

    def _mask_shape(
        self, points: list[Point], kind: str, top: str, bottom: str | None, alpha: float, soft: float,
        extra: float = 0.0,
    ) -> None:  # fmt: skip
        cover, x, y = self._cover(points, kind, soft * self.w, extra)
        if cover is not None:
            self._lay(cover * np.float32(alpha), x, y, top, bottom)

    def _cover(self, points: list[Point], kind: str, blur: float, extra: float) -> tuple[Plane | None, int, int]:
        """Coverage 0 to 1 of a shape where it meets the canvas, and its place; None where it doesn't."""
        times = 3
        reach = math.ceil(3 * blur + (extra if kind == "line" else 0)) + 1
        x0 = max(0, math.floor(min(x for x, _ in points)) - reach)
        y0 = max(0, math.floor(min(y for _, y in points)) - reach)
        x1 = min(self.w, math.ceil(max(x for x, _ in points)) + reach)
        y1 = min(self.h, math.ceil(max(y for _, y in points)) + reach)
        if x0 >= x1 or y0 >= y1:
            return None, 0, 0
        image = Image.new("L", ((x1 - x0) * times, (y1 - y0) * times))
        pen = ImageDraw.Draw(image)
        moved = [((x - x0) * times, (y - y0) * times) for x, y in points]
        if kind == "polygon":
            pen.polygon(moved, fill=255)
        elif kind == "ellipse":
            pen.ellipse(moved, fill=255)
        elif kind == "rectangle":
            pen.rounded_rectangle(moved, radius=extra * times, fill=255)
        else:
            pen.line(moved, fill=255, width=max(1, round(extra * times)), joint="curve")
        image = image.reduce(times)
        if blur:
            image = image.filter(ImageFilter.GaussianBlur(blur))
        return np.asarray(image, np.float32) * np.float32(1 / 255), x0, y0

    def _mix(self, cover: Plane, x: int, y: int, share: Plane, light: str, dark: str) -> None:
        """Blend a change of colour by a cover that lies wholly on the canvas."""
        height, width = cover.shape
        first, last = _column(light), _column(dark)
        target = self._planes[:, y : y + height, x : x + width]
        target += (first + (last - first) * share - target) * cover

    def _lay(self, cover: Plane, x: int, y: int, top: str, bottom: str | None = None) -> None:
        """Blend a colour, or a change of colour from the cover's top to its bottom, by a cover float32[h, w]."""
        height, width = cover.shape
        left, up = max(x, 0), max(y, 0)
        right, down = min(x + width, self.w), min(y + height, self.h)
        if left >= right or up >= down:
            return
        part = cover[up - y : down - y, left - x : right - x]
        color: Plane = _column(top)
        if bottom is not None:
            share = (np.arange(up - y, down - y, dtype=np.float32) / np.float32(max(height - 1, 1)))[:, None]
            color = (color + (_column(bottom) - color) * share).astype(np.float32)
        target = self._planes[:, up:down, left:right]
        target += (color - target) * part


def _column(color: str) -> Plane:
    """A colour as one value for each plane: float32[3, 1, 1]."""
    return np.array(rgb(color), np.float32)[:, None, None]


def _bayer() -> Plane:
    """The 8 x 8 matrix of ordered dither, values 0 to 1."""
    matrix = np.zeros((1, 1), np.float32)
    for _ in range(3):
        matrix = np.block([[4 * matrix, 4 * matrix + 2], [4 * matrix + 3, 4 * matrix + 1]])
    bayer: Plane = ((matrix + np.float32(0.5)) / 64).astype(np.float32)
    return bayer
