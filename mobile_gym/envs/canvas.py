"""The canvas of an environment: screens of any size and turn on one picture of fixed size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PIL import Image

from mobile_gym.devices.base import Device, Frame


class Rect(NamedTuple):
    """Where the screen lies on the canvas, canvas pixels."""

    left: int
    top: int
    width: int
    height: int


class View(NamedTuple):
    """What the canvas shows.

    Attributes:
        frame: uint8[H, W, 3], RGB; black beside the screen.
        screen: where the screen lies on the canvas.
        size: width and height of the device's own screen as it is turned, pixels; the frame of action points.
    """

    frame: Frame
    screen: Rect
    size: tuple[int, int]


def fit(size: tuple[int, int], canvas: tuple[int, int]) -> Rect:
    """The largest centred rectangle on the canvas with the screen's aspect; sizes are (width, height)."""
    (width, height), (canvas_width, canvas_height) = size, canvas
    if canvas_width * height <= canvas_height * width:
        inner = canvas_width, min(canvas_height, max(1, (2 * height * canvas_width + width) // (2 * width)))
    else:
        inner = min(canvas_width, max(1, (2 * width * canvas_height + height) // (2 * height))), canvas_height
    return Rect((canvas_width - inner[0]) // 2, (canvas_height - inner[1]) // 2, *inner)


def capture(device: Device, canvas: tuple[int, int], native: bool) -> View:
    """Takes one screenshot onto the canvas.

    Args:
        device: the phone.
        canvas: (width, height) of the canvas.
        native: whether the canvas has the size of the device's screen in its natural turn: then the screen is read as
            it is, and its size is the picture's own.

    Returns:
        The view; its frame belongs to the caller.
    """
    if native:
        frame = device.screenshot()
        size = (frame.shape[1], frame.shape[0])
        rect = fit(size, canvas)
    else:
        info = device.info
        size = (info.width, info.height)
        rect = fit(size, canvas)
        frame = device.screenshot((rect.width, rect.height))
    return place(frame, canvas, size)


def place(frame: Frame, canvas: tuple[int, int], size: tuple[int, int] | None = None) -> View:
    """Puts a picture onto the canvas, shrunk or grown to fit, with black beside it.

    Args:
        frame: uint8[H, W, 3].
        canvas: (width, height) of the canvas.
        size: the size of the screen that it shows, where that is not its own.
    """
    size = size or (frame.shape[1], frame.shape[0])
    rect = fit(size, canvas)
    if (frame.shape[1], frame.shape[0]) != (rect.width, rect.height):
        frame = np.array(Image.fromarray(frame).resize((rect.width, rect.height), Image.Resampling.BOX))
    if (rect.width, rect.height) == canvas:
        return View(frame, rect, size)
    whole = np.zeros((canvas[1], canvas[0], 3), dtype=np.uint8)
    whole[rect.top : rect.top + rect.height, rect.left : rect.left + rect.width] = frame
    return View(whole, rect, size)
