"""Scores of one point on one element (TransBench, section 4.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass

NO_POINT_DISTANCE = 70.71
"""The distance that counts where no point on the screen was given: half of the diagonal of the 0-100 frame."""


@dataclass(frozen=True, slots=True)
class Box:
    """An element's box in shares of the screen, origin top left.

    Raises:
        ValueError: the box lies outside the screen, is empty or upside down.
    """

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        sides = (self.left, self.top, self.right, self.bottom)
        if not all(math.isfinite(side) and 0.0 <= side <= 1.0 for side in sides):
            raise ValueError(f"a box is given in shares of the screen, 0 to 1, not {sides}")
        if self.left >= self.right or self.top >= self.bottom:
            raise ValueError(f"a box needs left < right and top < bottom, not {sides}")

    @property
    def center(self) -> tuple[float, float]:
        """The middle, in shares of the screen."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class GroundingScore:
    """What one prediction is worth.

    Attributes:
        inside: whether the point lies strictly inside the box; a point on its edge does not count.
        distance: Euclidean distance to the box's centre with both sides of the screen scaled to 0-100 (equation 1).
    """

    inside: bool
    distance: float


def score(point: tuple[float, float] | None, box: Box) -> GroundingScore:
    """Scores a point, given in shares of the screen; None or a point off the screen counts as no point."""
    if point is None or not (0.0 <= point[0] <= 1.0 and 0.0 <= point[1] <= 1.0):
        return GroundingScore(False, NO_POINT_DISTANCE)
    x, y = point
    center = box.center
    distance = math.hypot((x - center[0]) * 100, (y - center[1]) * 100)
    return GroundingScore(box.left < x < box.right and box.top < y < box.bottom, distance)
