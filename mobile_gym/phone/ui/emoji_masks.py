"""Masks of emoji: their shapes rasterised, one mask a colour from back to front."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from mobile_gym.phone.ui.emoji import BOX, Emoji, Shape
from mobile_gym.phone.ui.icons import draw_icon
from mobile_gym.phone.ui.tiles import Mask


@lru_cache(maxsize=512)
def emoji_masks(emoji: Emoji, side: int) -> tuple[tuple[Mask, str], ...]:
    """The layers of an emoji: masks uint8[side, side] and their colours `#RRGGBB`, back to front."""
    times = 4 if side <= 160 else 2
    layers: list[tuple[Image.Image, str]] = []
    for shape in emoji.shapes:
        image = Image.new("L", (side * times, side * times))
        _draw(image, shape, side * times / BOX)
        if layers and layers[-1][1] == shape.color:
            layers[-1] = ImageChops.lighter(layers[-1][0], image), shape.color
        else:
            layers.append((image, shape.color))
    return tuple((_finished(image, emoji.turn, times), color) for image, color in layers)


def _finished(image: Image.Image, turn: int, times: int) -> Mask:
    if turn % 360:
        image = image.rotate(-turn, resample=Image.Resampling.BILINEAR)
    return np.asarray(image.reduce(times))


def _draw(image: Image.Image, shape: Shape, unit: float) -> None:
    """Draws a shape where one unit is so many pixels."""
    draw, numbers = ImageDraw.Draw(image), shape.numbers
    if shape.kind == "icon":
        x, y, size, *turn = numbers
        draw_icon(image, shape.icon, x * unit, y * unit, size * unit, int(turn[0]) if turn else 0)
    elif shape.kind in ("line", "area"):
        width, points = (0.0, numbers) if shape.kind == "area" else (numbers[0], numbers[1:])
        places = [(points[at] * unit, points[at + 1] * unit) for at in range(0, len(points), 2)]
        if shape.kind == "area":
            draw.polygon(places, fill=255)
            return
        draw.line(places, fill=255, width=max(1, round(width * unit)), joint="curve")
        for x, y in (places[0], places[-1]):  # round ends
            reach = width * unit / 2
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)
    else:
        x, y, across, down, *rest = numbers
        box = tuple(value * unit for value in (x - across, y - down, x + across, y + down))
        if shape.kind == "dot":
            draw.ellipse(box, fill=255)
        elif shape.kind == "chord":
            draw.chord(box, rest[0], rest[1], fill=255)
        else:
            draw.arc(box, rest[0], rest[1], fill=255, width=max(1, round(rest[2] * unit)))
