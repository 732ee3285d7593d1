"""Budgets of an episode: turns, and time by a named clock."""

from __future__ import annotations

import copy
from datetime import datetime
from typing import Literal

from mobile_gym.devices.base import Device


class Budget:
    """How long an episode may take.

    Args:
        steps: most turns.
        seconds: most seconds, or None for no limit.
        clock: what the seconds are measured by: `wall` (the machine's monotonic clock, so model time counts), `virtual`
            (the device's clock) or `none`.
    """

    def __init__(self, steps: int, seconds: float | None, clock: Literal["wall", "virtual", "none"]) -> None:
        self.steps = steps
        self._seconds = seconds if clock != "none" else None
        self._clock = clock
        self._wall_start = 0.0
        self._device_start: datetime | None = None

    def start(self, device: Device, now: float) -> None:
        """Starts the clock; `now` is the machine's monotonic clock, seconds."""
        self._wall_start = now
        if self._seconds is not None and self._clock == "virtual":
            self._device_start = device.clock.now()

    def shifted(self, seconds: float) -> Budget:
        """A copy whose wall clock was started later. Monotonic clocks of two processes have nothing in common, so a
        budget travels as one that was started at minus what it has spent."""
        other = copy.copy(self)
        other._wall_start += seconds
        return other

    def time_is_up(self, device: Device, now: float) -> bool:
        """Whether more seconds have passed than allowed; the device's clock is read only where it counts."""
        if self._seconds is None:
            return False
        if self._device_start is not None:
            return (device.clock.now() - self._device_start).total_seconds() > self._seconds
        return now - self._wall_start > self._seconds
