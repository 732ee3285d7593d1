"""The painter: a display list to pixels.

Tiles (text, icons, corners, shadows, pictures) are rasterised once and kept in the shared cache; a repaint copies
rows. A smaller frame is painted at its own scale from the same list, not shrunk: edges are rounded after scaling, so
that boxes that meet on the phone meet in the frame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mobile_gym.phone.ui.display import Clip, Fill, Icon, Line, Op, Picture, Round, Shadow, Text
from mobile_gym.phone.ui.effects import grayscale, invert, magnify, warm
from mobile_gym.phone.ui.lettering import text_tiles
from mobile_gym.phone.ui.pictures import PictureSource, picture, picture_key
from mobile_gym.phone.ui.rasters import (
    icon_tiles,
    line_tiles,
    picture_tiles,
    round_tile,
    scaled_corners,
    shadow_tiles,
    under_color,
)
from mobile_gym.phone.ui.tiles import Opaque, Rgb, Tile, TileCache, Veil, color_row, dimmed, rgb, shared_tiles

__all__ = ["Frame", "grayscale", "invert", "magnify", "paint", "warm"]

Frame = NDArray[np.uint8]

DENSITY = 2.625
"""Pixels of one dp on the reference phone; only the softness of shadows depends on it."""


def paint(
    ops: Sequence[Op],
    size: tuple[int, int],
    scale: float = 1.0,
    out: Frame | None = None,
    *,
    pictures: PictureSource | None = None,
    density: float = DENSITY,
    tiles: TileCache | None = None,
) -> Frame:
    """Paint a display list.

    Args:
        ops: the operations, back to front, in pixels of the phone's screen.
        size: (width, height) of the frame to make, in its own pixels.
        scale: the frame's pixels per pixel of the screen.
        out: a contiguous uint8[height, width, 3] to paint into; where no operation draws it keeps what it had.
            Without it a new black frame is made.
        pictures: gives the bytes of pictures that aren't drawn by rule, such as files of the phone.
        density: pixels of one dp on the phone's screen, for the size of shadows.
        tiles: the cache of tiles; by default the one that the process shares.

    Returns:
        The frame, uint8[height, width, 3]; `out` itself when given.

    Raises:
        ValueError: `out` has another shape or isn't contiguous, or a colour or picture source is malformed.
        KeyError: an icon's name is unknown.
    """
    width, height = size
    if out is None:
        frame: Frame = np.zeros((height, width, 3), np.uint8)
    elif out.shape != (height, width, 3) or out.dtype != np.uint8 or not out.flags.c_contiguous:
        raise ValueError(f"out must be a contiguous uint8[{height}, {width}, 3], it is {out.dtype}{list(out.shape)}")
    else:
        frame = out
    canvas = _Canvas(frame, scale, pictures, density, tiles if tiles is not None else shared_tiles())
    for index in range(_first_seen(ops, canvas), len(ops)):
        canvas.draw(ops[index])
    return frame


def _first_seen(ops: Sequence[Op], canvas: _Canvas) -> int:
    """Index of the last operation that covers the whole frame with opaque pixels: what lies before it is hidden."""
    whole = (0, 0, canvas.width, canvas.height)
    for index in range(len(ops) - 1, -1, -1):
        op = ops[index]
        if isinstance(op, Fill) or (isinstance(op, Picture) and op.radii == (0, 0, 0, 0)):
            x0, y0, x1, y1 = canvas.box(op.x, op.y, op.w, op.h)
            if x0 <= 0 and y0 <= 0 and x1 >= canvas.width and y1 >= canvas.height and canvas.clip(op.clip) == whole:
                return index
    return 0


class _Canvas:
    """A frame while it is painted. Boxes and clips inside are in the frame's own pixels."""

    def __init__(
        self, frame: Frame, scale: float, pictures: PictureSource | None, density: float, tiles: TileCache
    ) -> None:
        self.height, self.width = frame.shape[:2]
        self._view = frame.reshape(self.height, 3 * self.width)
        self._scale = scale
        self._pictures = pictures
        self._unit = density * scale
        self._tiles = tiles
        self._clips: dict[Clip, Clip] = {}

    def clip(self, clip: Clip) -> Clip:
        """A clip of the display list, in the frame's pixels and within the frame."""
        found = self._clips.get(clip)
        if found is None:
            left, top, right, bottom = clip
            scale = self._scale
            found = (
                max(round(left * scale), 0),
                max(round(top * scale), 0),
                min(round(right * scale), self.width),
                min(round(bottom * scale), self.height),
            )
            self._clips[clip] = found
        return found

    def box(self, x: int, y: int, w: int, h: int) -> Clip:
        """(left, top, right, bottom) of a box, in the frame's pixels."""
        scale = self._scale
        if scale == 1:
            return x, y, x + w, y + h
        return round(x * scale), round(y * scale), round((x + w) * scale), round((y + h) * scale)

    def draw(self, op: Op) -> None:
        """Paint one operation."""
        clip = self.clip(op.clip)
        if clip[2] <= clip[0] or clip[3] <= clip[1]:
            return
        if isinstance(op, Text):
            self._text(op, clip)
        elif isinstance(op, Fill):
            self._fill(rgb(op.color, op.dim), self.box(op.x, op.y, op.w, op.h), clip)
        elif isinstance(op, Round):
            self._round(op, clip)
        elif isinstance(op, Icon):
            self._icon(op, clip)
        elif isinstance(op, Picture):
            self._picture(op, clip)
        elif isinstance(op, Shadow):
            self._shadow(op, clip)
        else:
            self._line(op, clip)

    # What reaches the frame: rows of a colour, copied pixels, blended pixels.

    def _fill(self, color: Rgb, box: Clip, clip: Clip) -> None:
        left, top = max(box[0], clip[0]), max(box[1], clip[1])
        right, bottom = min(box[2], clip[2]), min(box[3], clip[3])
        if left < right and top < bottom:
            self._view[top:bottom, 3 * left : 3 * right] = color_row(color, self.width)[: 3 * (right - left)]

    def _rows(self, row: NDArray[np.uint8], box: Clip, clip: Clip) -> None:
        """Fill a box with copies of one row, uint8[3 * width of the box]."""
        left, top = max(box[0], clip[0]), max(box[1], clip[1])
        right, bottom = min(box[2], clip[2]), min(box[3], clip[3])
        if left < right and top < bottom:
            self._view[top:bottom, 3 * left : 3 * right] = row[3 * (left - box[0]) : 3 * (right - box[0])]

    def _copy(self, pixels: NDArray[np.uint8], x: int, y: int, clip: Clip) -> None:
        height, width = pixels.shape
        right, bottom = x + width // 3, y + height
        left, top, clip_right, clip_bottom = clip
        if x >= left and y >= top and right <= clip_right and bottom <= clip_bottom:
            self._view[y:bottom, 3 * x : 3 * right] = pixels
            return
        left, top, right, bottom = max(x, left), max(y, top), min(right, clip_right), min(bottom, clip_bottom)
        if left < right and top < bottom:
            part = pixels[top - y : bottom - y, 3 * (left - x) : 3 * (right - x)]
            self._view[top:bottom, 3 * left : 3 * right] = part

    def _blend(self, add: NDArray[np.uint16], inv: NDArray[np.uint16], x: int, y: int, clip: Clip) -> None:
        height, width = add.shape
        left, top = max(x, clip[0]), max(y, clip[1])
        right, bottom = min(x + width // 3, clip[2]), min(y + height, clip[3])
        if left >= right or top >= bottom:
            return
        rows, columns = slice(top - y, bottom - y), slice(3 * (left - x), 3 * (right - x))
        under = self._view[top:bottom, 3 * left : 3 * right]
        mixed = under.astype(np.uint16)
        mixed *= inv[rows, columns]
        mixed += add[rows, columns]
        mixed >>= 8
        under[...] = mixed

    def _place(self, tiles: tuple[Tile, ...], x: int, y: int, clip: Clip) -> None:
        for tile in tiles:
            if isinstance(tile, Opaque):
                self._copy(tile.pixels, x + tile.dx, y + tile.dy, clip)
            else:
                self._blend(tile.add, tile.inv, x + tile.dx, y + tile.dy, clip)

    # The operations.

    def _text(self, op: Text, clip: Clip) -> None:
        scale = self._scale
        key = ("text", op.text, op.font, op.color, op.bg, op.dim, op.shadow, op.underline and op.w, scale)
        found = self._tiles.get(key)
        if found is None:
            found = text_tiles(self._tiles, op, scale, self._unit)
            self._tiles.put(key, found)
        self._place(found, round(op.x * scale), round(op.y * scale), clip)

    def _icon(self, op: Icon, clip: Clip) -> None:
        scale = self._scale
        key = ("icon", op.name, op.size, op.color, op.bg, op.dim, op.turn, scale)
        found = self._tiles.get(key)
        if found is None:
            found = icon_tiles(op, scale)
            self._tiles.put(key, found)
        self._place(found, round(op.x * scale), round(op.y * scale), clip)

    def _line(self, op: Line, clip: Clip) -> None:
        scale = self._scale
        key = ("line", op.points, op.width, op.filled, op.color, op.bg, op.dim, scale)
        found = self._tiles.get(key)
        if found is None:
            found = line_tiles(op, scale)
            self._tiles.put(key, found)
        self._place(found, round(op.x * scale), round(op.y * scale), clip)

    def _round(self, op: Round, clip: Clip) -> None:
        x0, y0, x1, y1 = self.box(op.x, op.y, op.w, op.h)
        w, h = x1 - x0, y1 - y0
        if w <= 0 or h <= 0 or x0 >= clip[2] or x1 <= clip[0] or y0 >= clip[3] or y1 <= clip[1]:
            return
        border = op.border * self._scale if op.border_color is not None else 0.0
        color = None if op.color is None else rgb(op.color, op.dim)
        if border == 0 and color is None:
            return
        if border == 0 and color is not None and op.radii == (0, 0, 0, 0):
            self._fill(color, (x0, y0, x1, y1), clip)
            return
        corners = scaled_corners(op.radii, min(op.w, op.h), min(w, h), self._scale)
        edge = math.ceil(max(*corners, border))
        # The tile holds the corners and one row (and column) between them, which is repeated to the true size.
        # Over a known colour whole rows are stored, over an unknown one only what must blend.
        tile_h = min(h, 2 * edge + 1)
        tile_w = w if op.bg is not None or border else min(w, 2 * edge + 1)
        key = ("round", tile_w, tile_h, corners, op.color, border, op.border_color, op.bg, op.dim)
        tile = self._tiles.get(key)
        if tile is None:
            tile = round_tile(op, tile_w, tile_h, corners, border)
            self._tiles.put(key, tile)
        if isinstance(tile, Opaque):
            if tile_h == h:
                self._copy(tile.pixels, x0, y0, clip)
                return
            self._copy(tile.pixels[:edge], x0, y0, clip)
            self._copy(tile.pixels[edge + 1 :], x0, y1 - edge, clip)
            self._rows(tile.pixels[edge], (x0, y0 + edge, x1, y1 - edge), clip)
        elif isinstance(tile, Veil):
            self._round_veil(tile, (x0, y0, x1, y1), edge, border, color, clip)

    def _round_veil(self, tile: Veil, box: Clip, edge: int, border: float, color: Rgb | None, clip: Clip) -> None:
        x0, y0, x1, y1 = box
        tall, wide = tile.h < y1 - y0, tile.w < x1 - x0
        top, bottom = y0 + (edge if tall else tile.h), y1 - (edge if tall else 0)
        row_parts = ((slice(0, edge), y0), (slice(edge + 1, None), bottom)) if tall else ((slice(None), y0),)
        if wide:
            cut = 3 * edge
            column_parts: tuple[tuple[slice, int], ...] = (
                (slice(0, cut), x0),
                (slice(cut + 3, None), x1 - edge),
            )
        else:
            column_parts = ((slice(None), x0),)
        for rows, y in row_parts:
            for columns, x in column_parts:
                self._blend(tile.add[rows, columns], tile.inv[rows, columns], x, y, clip)
        if wide and color is not None:  # only without a border: what lies between the corners is plain
            for y_from, y_to in ((y0, top), (bottom, y1)):
                self._fill(color, (x0 + edge, y_from, x1 - edge, y_to), clip)
        if not tall:
            return
        side = math.ceil(border)
        if color is not None:
            self._fill(color, (x0 + side, top, x1 - side, bottom), clip)
        if not side:
            return
        add, inv = tile.add[edge], tile.inv[edge]
        # Borders that meet are one strip.
        strips = ((x0, x1),) if 2 * side >= x1 - x0 else ((x0, x0 + side), (x1 - side, x1))
        for left, right in strips:
            columns, shape = slice(3 * (left - x0), 3 * (right - x0)), (bottom - top, 3 * (right - left))
            self._blend(np.broadcast_to(add[columns], shape), np.broadcast_to(inv[columns], shape), left, top, clip)

    def _picture(self, op: Picture, clip: Clip) -> None:
        x0, y0, x1, y1 = self.box(op.x, op.y, op.w, op.h)
        w, h = x1 - x0, y1 - y0
        if w <= 0 or h <= 0 or x0 >= clip[2] or x1 <= clip[0] or y0 >= clip[3] or y1 <= clip[1]:
            return
        if op.radii == (0, 0, 0, 0) and not op.dim:
            self._copy(picture(op.source, w, h, self._pictures, self._tiles).reshape(h, 3 * w), x0, y0, clip)
            return
        corners = scaled_corners(op.radii, min(op.w, op.h), min(w, h), self._scale)
        key = ("picture tiles", picture_key(op.source, w, h, self._pictures), corners, op.bg, op.dim)
        found = self._tiles.get(key)
        if found is None:
            pixels = picture(op.source, w, h, self._pictures, self._tiles).reshape(h, 3 * w)
            found = picture_tiles(dimmed(pixels, op.dim), w, h, corners, under_color(op.bg, op.dim))
            self._tiles.put(key, found)
        self._place(found, x0, y0, clip)

    def _shadow(self, op: Shadow, clip: Clip) -> None:
        x0, y0, x1, y1 = self.box(op.x, op.y, op.w, op.h)
        w, h = x1 - x0, y1 - y0
        if w <= 0 or h <= 0:
            return
        radius = scaled_corners((op.radius,) * 4, min(op.w, op.h), min(w, h), self._scale)[0]
        key = ("shadow", w, h, radius, op.level, self._unit, op.bg, op.dim)
        found = self._tiles.get(key)
        if found is None:
            found = shadow_tiles(w, h, radius, op.level, self._unit, under_color(op.bg, op.dim))
            self._tiles.put(key, found)
        self._place(found, x0, y0, clip)
