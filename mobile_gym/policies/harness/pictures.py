"""The picture that a model is shown: the screen alone, of a size that its server leaves as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from mobile_gym.models.messages import Picture, png
from mobile_gym.policies.formats import Screen

MAX_PIXELS = 1_310_720
"""The most pixels of a picture, where nothing else is asked for (1280 x 1024)."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a model is shown.

    Attributes:
        picture: the screen as a file.
        screen: the sizes that points are turned by.
    """

    picture: Picture
    screen: Screen


def look_of(
    observation: Mapping[str, Any], info: Mapping[str, Any], factor: int = 1, max_pixels: int = MAX_PIXELS
) -> Look:
    """The screen of an observation, without the canvas around it.

    Args:
        observation: with `screenshot`, uint8[H, W, 3].
        info: with `screen`, the screen's rectangle on the canvas, and `screen_size`.
        factor: the picture's sides are multiples of this.
        max_pixels: larger screens are shrunk.
    """
    left, top, width, height = info["screen"]
    frame = observation["screenshot"][top : top + height, left : left + width]
    size = fitted((width, height), factor, max_pixels)
    if size != (width, height):
        frame = np.asarray(Image.fromarray(frame).resize(size, Image.Resampling.LANCZOS))
    return Look(png(frame), Screen(tuple(info["screen_size"]), size))


def fitted(size: tuple[int, int], factor: int, max_pixels: int) -> tuple[int, int]:
    """A size of nearly the same aspect, with sides that are multiples of a factor and at most so many pixels."""
    scale = min(1.0, math.sqrt(max_pixels / (size[0] * size[1])))
    if factor == 1 and scale == 1.0:
        return size
    round_to = round if scale == 1.0 else math.floor
    width, height = (max(factor, round_to(side * scale / factor) * factor) for side in size)
    return width, height
