"""Intervals for rates."""

from __future__ import annotations

import math

Z_95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


def wilson(successes: int, trials: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval of a rate; (0, 1) where nothing was tried.

    Args:
        successes: how many succeeded.
        trials: how many were tried.
        z: how many standard deviations wide; the default gives 95 %.

    Raises:
        ValueError: counts that are negative, or more successes than trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials make no rate")
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    scale = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / scale
    half = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / scale
    # At the ends the interval touches 0 or 1; rounding must not move it past them.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return low, high
