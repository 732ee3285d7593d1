"""Effects over a whole frame, as the phone's accessibility and display settings apply them after painting."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Frame = NDArray[np.uint8]

# Rows at once: as many as stay in the processor's cache.
_BAND = 64


def invert(frame: Frame) -> Frame:
    """Invert every colour of uint8[H, W, 3], in place; returns the frame."""
    np.invert(frame, out=frame)
    return frame


def grayscale(frame: Frame) -> Frame:
    """Take the colour out of uint8[H, W, 3], in place (ITU-R 601 luma); returns the frame."""
    gray = np.asarray(Image.fromarray(frame).convert("L"))
    for channel in range(3):
        frame[:, :, channel] = gray
    return frame


# Colours that an eye which lacks one kind of cone mixes up, as transforms between cone responses (Vienot et al. 1999).
_LMS = ((17.8824, 43.5161, 4.11935), (3.45565, 27.1554, 3.86714), (0.0299566, 0.184309, 1.46709))
_MISSING = {
    "protanomaly": ((0.0, 2.02344, -2.52581), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "deuteranomaly": ((1.0, 0.0, 0.0), (0.494207, 0.0, 1.24827), (0.0, 0.0, 1.0)),
    "tritanomaly": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-0.395913, 0.801109, 0.0)),
}
# What is lost goes into the channels that are still told apart.
_SHIFT = ((0.0, 0.0, 0.0), (0.7, 1.0, 0.0), (0.7, 0.0, 1.0))


@lru_cache(maxsize=3)
def _correction(kind: str) -> NDArray[np.float32]:
    lms = np.array(_LMS)
    seen = np.linalg.inv(lms) @ np.array(_MISSING[kind]) @ lms
    return np.asarray(np.eye(3) + np.array(_SHIFT) @ (np.eye(3) - seen), np.float32)


def correct_colors(frame: Frame, kind: str) -> Frame:
    """Move the colours of uint8[H, W, 3] that a colour-blind eye mixes up, in place; returns the frame.

    Args:
        frame: the frame.
        kind: protanomaly, deuteranomaly or tritanomaly.

    Raises:
        KeyError: another kind.
    """
    matrix = _correction(kind).T
    for top in range(0, frame.shape[0], _BAND):
        band = frame[top : top + _BAND]
        band[...] = np.clip(band @ matrix + 0.5, 0, 255)
    return frame


def warm(frame: Frame, strength: int) -> Frame:
    """Take blue and some green out of uint8[H, W, 3], in place, as night light does; returns the frame.

    Args:
        frame: the frame.
        strength: 0 (no change) to 100 (about 2600 K).

    Raises:
        ValueError: the strength is out of range.
    """
    if not 0 <= strength <= 100:
        raise ValueError(f"strength must be 0 to 100, it is {strength}")
    height, width = frame.shape[:2]
    # At 2600 K a white has about 68 % of its green and 35 % of its blue.
    gains = (256, 256 - 82 * strength // 100, 256 - 166 * strength // 100)
    row = np.tile(np.array(gains, np.uint16), width)
    view = frame.reshape(height, 3 * width)
    for top in range(0, height, _BAND):
        band = view[top : top + _BAND]
        scaled = np.multiply(band, row, dtype=np.uint16)
        np.right_shift(scaled, 8, out=scaled)
        band[...] = scaled
    return frame


def magnify(frame: Frame, scale: float, cx: int, cy: int) -> Frame:
    """A new frame uint8[H, W, 3] that shows the surroundings of (cx, cy), pixels, enlarged `scale` times.

    The part shown never leaves the frame: near an edge the point is off the centre.

    Raises:
        ValueError: the scale is below 1.
    """
    if scale < 1:
        raise ValueError(f"scale must be at least 1, it is {scale}")
    height, width = frame.shape[:2]
    part_w, part_h = width / scale, height / scale
    left = min(max(cx - part_w / 2, 0), width - part_w)
    top = min(max(cy - part_h / 2, 0), height - part_h)
    image = Image.fromarray(frame).resize(
        (width, height), Image.Resampling.BILINEAR, box=(left, top, left + part_w, top + part_h)
    )
    return np.array(image)
