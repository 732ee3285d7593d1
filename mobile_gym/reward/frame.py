"""The papers' 0-1000 frame of the screen: (0, 0) is the first pixel, (1000, 1000) the last."""

from __future__ import annotations

FRAME = 1000


def to_frame(x: int, y: int, size: tuple[int, int]) -> tuple[int, int]:
    """A pixel in the 0-1000 frame of a screen; the last pixel is 1000."""
    width, height = size
    return (
        min(FRAME, max(0, round(x * FRAME / max(1, width - 1)))),
        min(FRAME, max(0, round(y * FRAME / max(1, height - 1)))),
    )


def to_pixel(point: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    """The pixel of a point of the 0-1000 frame."""
    return round(point[0] * (size[0] - 1) / FRAME), round(point[1] * (size[1] - 1) / FRAME)
