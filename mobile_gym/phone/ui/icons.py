"""Masks of glyphs and icons, rasterised from the fonts without hinting and at fractions of a pixel.

Pillow places glyphs on whole pixels and hints them; drawn larger and averaged down they get true shapes and true
places, as Android draws them. Large glyphs need less of that, so they cost no more than small ones.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from mobile_gym.phone.ui.fonts import FaceName, face, icon_char
from mobile_gym.phone.ui.tiles import Mask, TileCache

# Ascent of the icon font's em box: 448 of 512 units.
_ICON_ASCENT = 0.875

Glyph = tuple[NDArray[np.uint8], int, int]
"""A mask uint8[h, w], and the place of its top left pixel from the pen on the baseline."""


def oversampling(name: FaceName, size: float) -> int:
    """How many times larger a glyph is drawn before it is averaged down; 1/n pixel is the step of its place."""
    if name == "sc":
        return 4 if size <= 24 else 1
    return 4 if size <= 80 else 2 if size <= 160 else 1


def glyph(cache: TileCache, char: str, name: FaceName, size: float, weight: int, shift: int) -> Glyph:
    """The mask of one character.

    Args:
        cache: where masks are kept.
        char: the character.
        name: the face that has it.
        size: em size in pixels, a fraction is fine.
        weight: 100 to 900.
        shift: place of the pen to the right of a whole pixel, in steps of 1 / `oversampling`.
    """
    key = ("glyph", char, name, size, weight, shift)
    found: Glyph | None = cache.get(key)
    if found is None:
        found = _draw_glyph(char, name, size, weight, shift)
        cache.put(key, found)
    return found


def _draw_glyph(char: str, name: FaceName, size: float, weight: int, shift: int) -> Glyph:
    times = oversampling(name, size)
    font = face(name, size * times, weight)
    left, top, right, bottom = font.getbbox(char, anchor="ls")
    x0, y0 = math.floor((left + shift) / times), math.floor(top / times)
    x1, y1 = math.ceil((right + shift) / times) + 1, math.ceil(bottom / times)
    if x1 <= x0 or y1 <= y0:
        return np.zeros((0, 0), np.uint8), 0, 0
    image = Image.new("L", ((x1 - x0) * times, (y1 - y0) * times))
    ImageDraw.Draw(image).text((shift - x0 * times, -y0 * times), char, fill=255, font=font, anchor="ls")
    if times > 1:
        image = image.reduce(times)
    box = image.getbbox()
    if box is None:
        return np.zeros((0, 0), np.uint8), 0, 0
    return np.asarray(image.crop(box)), x0 + box[0], y0 + box[1]


def icon_mask(name: str, size: float, side: int, turn: int) -> Mask:
    """The mask of an icon whose em box fills a square.

    Args:
        name: public name of a Material Design icon.
        size: size of the em box in pixels.
        side: side of the mask in whole pixels, `size` rounded.
        turn: clockwise degrees.

    Returns:
        uint8[side, side].
    """
    times = 4 if size <= 160 else 2
    image = Image.new("L", (side * times, side * times))
    middle = side * times / 2
    draw_icon(image, name, middle, middle, size * times, turn)
    return np.asarray(image.reduce(times))


def draw_icon(image: Image.Image, name: str, x: float, y: float, size: float, turn: int) -> None:
    """Draws an icon into a mask.

    Args:
        image: a picture of the kind `L`; what it holds already stays, unless the icon is turned.
        name: public name of a Material Design icon.
        x: the middle of its em box, pixels.
        y: the same downwards.
        size: size of the em box in pixels.
        turn: clockwise degrees around its middle.
    """
    font = face("icons", size, 400)
    place = (round(x - size / 2), round(y - size / 2 + _ICON_ASCENT * size))
    ImageDraw.Draw(image).text(place, icon_char(name), fill=255, font=font, anchor="ls")
    if turn % 360:
        image.paste(image.rotate(-turn, resample=Image.Resampling.BILINEAR, center=(x, y)))
