"""Tiles of text: glyphs set on one baseline, with the launcher's soft shadow, underlines and coloured emoji."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageFilter

from mobile_gym.phone.ui.display import Font, Text
from mobile_gym.phone.ui.emoji_masks import emoji_masks
from mobile_gym.phone.ui.fonts import EMOJI_EM, FaceName, advance_em, emoji_of, face_of
from mobile_gym.phone.ui.icons import glyph, oversampling
from mobile_gym.phone.ui.text import advances
from mobile_gym.phone.ui.tiles import Layer, Mask, Rgb, Tile, TileCache, flatten, rgb

_Piece = tuple[Mask, int, int, Rgb, int]
"""A mask, the place of its top left pixel, its colour, and how many layers of the same character lie under it."""

# The middle of the capitals above the baseline, in ems: the baseline rule of line boxes has the same number.
_MIDDLE_EM = 0.342
_SHADOW_PERCENT = 55
_SHADOW_BLUR_DP = 4


def text_tiles(cache: TileCache, op: Text, scale: float, unit: float) -> tuple[Tile, ...]:
    """The tile of one line, placed relative to the start of its baseline; none when nothing is to be seen.

    Args:
        cache: where the masks of glyphs are kept.
        op: the line.
        scale: the frame's pixels per pixel of the screen.
        unit: the frame's pixels of one dp.
    """
    pieces = _set_glyphs(cache, op, scale)
    if op.underline:
        size = op.font.size * scale
        thick, long = max(1, round(size / 18)), round(op.w * scale)
        if long > 0:
            line = np.full((thick, long), 255, np.uint8)
            pieces.append((line, 0, max(1, round(size / 10)), rgb(op.color, op.dim), 0))
    if not pieces:
        return ()
    margin = math.ceil(_SHADOW_BLUR_DP * unit * 1.5) + 1 if op.shadow else 0
    left = min(piece[1] for piece in pieces) - margin
    top = min(piece[2] for piece in pieces) - margin
    right = max(piece[1] + piece[0].shape[1] for piece in pieces) + margin
    bottom = max(piece[2] + piece[0].shape[0] for piece in pieces) + margin
    # Characters stand side by side, so one mask a colour is enough for all that lies equally deep in them.
    masks: dict[tuple[int, Rgb], Mask] = {}
    for mask, x, y, color, depth in sorted(pieces, key=lambda piece: piece[4]):
        if (depth, color) not in masks:
            masks[depth, color] = np.zeros((bottom - top, right - left), np.uint8)
        height, width = mask.shape
        part = masks[depth, color][y - top : y - top + height, x - left : x - left + width]
        np.maximum(part, mask, out=part)
    layers: list[Layer] = [(mask, color) for (_, color), mask in masks.items()]
    if op.shadow:
        layers.insert(0, (_shadow(list(masks.values()), unit), (0, 0, 0)))
    under = None if op.bg is None else rgb(op.bg, op.dim)
    return (flatten(layers, under, left, top),)


def _set_glyphs(cache: TileCache, op: Text, scale: float) -> list[_Piece]:
    font, dim, color = op.font, op.dim, rgb(op.color, op.dim)
    size = font.size * scale
    widths = advances(font)
    pen = 0.0
    pieces: list[_Piece] = []
    for char in op.text:
        name = face_of(char)
        start = pen * scale
        pen += widths[char]
        if name is None or char.isspace():
            continue
        emoji = emoji_of(char)
        if emoji is not None:
            side = max(1, round(size * EMOJI_EM))
            top = round(-_MIDDLE_EM * size - side / 2)
            for depth, (mask, ink) in enumerate(emoji_masks(emoji, side)):
                pieces.append((mask, round(start), top, rgb(ink, dim), depth))
            continue
        if font.family == "mono":
            name, start = _in_cell(char, name, font, start, scale)
        steps = oversampling(name, size)
        place = math.floor(start * steps + 0.5)
        mask, dx, dy = glyph(cache, char, name, size, font.weight, place % steps)
        if mask.size:
            pieces.append((mask, place // steps + dx, dy, color, 0))
    return pieces


def _in_cell(char: str, name: FaceName, font: Font, start: float, scale: float) -> tuple[FaceName, float]:
    """The face that fits the character's cell of the `mono` family, and where the pen stands to centre it there."""
    cell = advance_em(char, font.weight, "mono")
    natural = advance_em(char, font.weight, "sans")
    if name == "roboto" and natural > cell:
        name, natural = "roboto_narrow", natural * 0.8  # the narrow cut of a wide letter is about that wide
    return name, start + (cell - natural) / 2 * font.size * scale


def _shadow(masks: list[Mask], unit: float) -> Mask:
    """A black blur of all glyphs, moved down by the blur's quarter as a light from above throws it."""
    union = masks[0]
    for mask in masks[1:]:
        union = np.maximum(union, mask)
    soft = np.asarray(Image.fromarray(union).filter(ImageFilter.GaussianBlur(_SHADOW_BLUR_DP * unit / 2)))
    down = round(unit)
    moved = np.zeros_like(soft)
    moved[down:] = soft[: len(soft) - down]
    return (moved.astype(np.uint16) * _SHADOW_PERCENT // 100).astype(np.uint8)
