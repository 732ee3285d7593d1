"""Tiles: small rasters made once and copied many times, and the one cache that holds them for all phones.

A tile is either `Opaque` (bytes of RGB, copied row by row) or a `Veil` (blended: `out = (under * inv + add) / 256`,
the cheapest exact form: full and no coverage give the very colour). All colour arithmetic is integer, so equal inputs
give equal bytes anywhere, and the two kinds of tile give the same pixels over one colour.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
"""Coverage uint8[h, w], 0 outside and 255 inside."""

Rgb = tuple[int, int, int]

DEFAULT_CAP = 96 << 20


class Opaque(NamedTuple):
    """Pixels uint8[h, 3 * w] to copy at an offset from the operation's own place."""

    dx: int
    dy: int
    w: int
    h: int
    pixels: NDArray[np.uint8]

    @property
    def nbytes(self) -> int:
        """Memory that the tile takes."""
        return self.pixels.nbytes


class Veil(NamedTuple):
    """Pixels to blend: `add` uint16[h, 3 * w] is colour times coverage plus 128, `inv` is 256 minus the coverage.

    Coverage runs from 0 to 256 here, so that full coverage is a whole.
    """

    dx: int
    dy: int
    w: int
    h: int
    add: NDArray[np.uint16]
    inv: NDArray[np.uint16]

    @property
    def nbytes(self) -> int:
        """Memory that the tile takes."""
        return self.add.nbytes + self.inv.nbytes


Tile = Opaque | Veil
Cached = Tile | tuple[Tile, ...] | NDArray[np.uint8] | tuple[NDArray[np.uint8], int, int]


class TileCache:
    """The last used tiles, as many as fit a cap in bytes. Safe to share among threads.

    Two threads that miss the same key at once both make the tile; they are equal, and the second one stays.
    """

    def __init__(self, cap: int = DEFAULT_CAP) -> None:
        self.cap = cap
        self._bytes = 0
        self._items: OrderedDict[Hashable, tuple[Cached, int]] = OrderedDict()
        self._lock = Lock()

    @property
    def nbytes(self) -> int:
        """Memory that all cached tiles take."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: Hashable) -> Any:
        """What was put under a key, or None; the key's first word says what kind of `Cached` it is."""
        with self._lock:
            found = self._items.get(key)
            if found is None:
                return None
            self._items.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: Cached) -> None:
        """Keep a tile; the least recently used ones go when the cap is passed. One above the cap isn't kept."""
        size = _size(value)
        if size > self.cap:
            return
        with self._lock:
            old = self._items.pop(key, None)
            if old is not None:
                self._bytes -= old[1]
            self._items[key] = (value, size)
            self._bytes += size
            while self._bytes > self.cap:
                _, (_, gone) = self._items.popitem(last=False)
                self._bytes -= gone

    def clear(self) -> None:
        """Forget every tile."""
        with self._lock:
            self._items.clear()
            self._bytes = 0


def _size(value: Cached) -> int:
    overhead = 300
    if isinstance(value, np.ndarray | Opaque | Veil):
        return value.nbytes + overhead
    return sum(part.nbytes for part in value if not isinstance(part, int)) + overhead


@cache
def shared_tiles() -> TileCache:
    """The cache that all painters of this process share."""
    return TileCache()


@lru_cache(maxsize=1 << 12)
def rgb(color: str, dim: int = 0) -> Rgb:
    """The bytes of `#RRGGBB` with `dim` percent of black over them.

    Raises:
        ValueError: the colour is not of the form `#RRGGBB`.
    """
    if len(color) != 7 or color[0] != "#":
        raise ValueError(f"colour {color!r} is not of the form #RRGGBB")
    value = int(color[1:], 16)
    red, green, blue = value >> 16, value >> 8 & 255, value & 255
    if not dim:
        return red, green, blue
    keep = 100 - dim
    return (red * keep + 50) // 100, (green * keep + 50) // 100, (blue * keep + 50) // 100


@lru_cache(maxsize=512)
def color_row(color: Rgb, width: int) -> NDArray[np.uint8]:
    """One row of a colour: uint8[3 * width], not writable."""
    row = np.tile(np.array(color, np.uint8), width)
    row.setflags(write=False)
    return row


def coverage256(mask: Mask) -> NDArray[np.uint32]:
    """Coverage 0 to 255 as 0 to 256, three times for every pixel: uint32[h, 3 * w]."""
    wide = np.repeat(mask, 3, axis=1).astype(np.uint32)
    return wide + (wide >> np.uint32(7))


Layer = tuple[Mask, Rgb]


def flatten(layers: Sequence[Layer], under: Rgb | None, dx: int = 0, dy: int = 0) -> Tile:
    """Lay coverage masks of one size over each other, back to front, into a tile.

    Args:
        layers: masks uint8[h, w], each with its colour.
        under: the colour beneath; None makes a tile that blends.
        dx: offset of the tile from the operation's place, pixels.
        dy: the same downwards.
    """
    height, width = layers[0][0].shape
    if len(layers) == 1:
        mask, color = layers[0]
        if under is not None:
            return Opaque(dx, dy, width, height, _blend_table(color, under)[mask].reshape(height, 3 * width))
        if color == (0, 0, 0):  # black adds nothing: shadows need no memory for it
            add = np.broadcast_to(np.uint16(128), (height, 3 * width))
        else:
            add = _add_table(color)[mask].reshape(height, 3 * width)
        return Veil(dx, dy, width, height, add, (256 - coverage256(mask)).astype(np.uint16))
    eight = np.uint32(8)
    total = np.zeros((height, 3 * width), np.uint32)
    inv = np.full((height, 3 * width), 256, np.uint32)
    for mask, color in layers:
        alpha = coverage256(mask)
        total = ((total * (256 - alpha) + 128) >> eight) + color_row(color, width) * alpha
        inv = (inv * (256 - alpha)) >> eight
    return _finished(total + 128, inv, under, dx, dy)


def tint(pixels: NDArray[np.uint8], mask: Mask, under: Rgb | None, dx: int = 0, dy: int = 0) -> Tile:
    """A picture uint8[h, 3 * w] seen through a mask uint8[h, w]."""
    alpha = coverage256(mask)
    return _finished(pixels * alpha + 128, 256 - alpha, under, dx, dy)


def _finished(add: NDArray[np.uint32], inv: NDArray[np.uint32], under: Rgb | None, dx: int, dy: int) -> Tile:
    height, width = add.shape[0], add.shape[1] // 3
    if under is None:
        return Veil(dx, dy, width, height, add.astype(np.uint16), inv.astype(np.uint16))
    full = (color_row(under, width) * inv + add) >> np.uint32(8)
    return Opaque(dx, dy, width, height, full.astype(np.uint8))


def dimmed(pixels: NDArray[np.uint8], dim: int) -> NDArray[np.uint8]:
    """Pixels with `dim` percent of black over them."""
    if not dim:
        return pixels
    table: NDArray[np.uint8] = ((np.arange(256) * (100 - dim) + 50) // 100).astype(np.uint8)
    return table[pixels]


@lru_cache(maxsize=256)
def _blend_table(color: Rgb, under: Rgb) -> NDArray[np.uint8]:
    """The colour over another at each coverage: uint8[256, 3]."""
    alpha = coverage256(np.arange(256, dtype=np.uint8)[:, None])
    mixed = (np.array(under, np.uint32) * (256 - alpha) + np.array(color, np.uint32) * alpha + 128) >> np.uint32(8)
    return mixed.astype(np.uint8)


@lru_cache(maxsize=256)
def _add_table(color: Rgb) -> NDArray[np.uint16]:
    """What the colour adds at each coverage: uint16[256, 3]."""
    alpha = coverage256(np.arange(256, dtype=np.uint8)[:, None])
    return (np.array(color, np.uint32) * alpha + 128).astype(np.uint16)
