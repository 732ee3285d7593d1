"""When a request is sent again, and how long to wait before."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits that grow: `first`, twice that, four times … up to `longest`.

    Attributes:
        retries: how often a request is sent again.
        first: the first wait, seconds.
        longest: the longest wait, seconds; an endpoint that asks for a longer one is given up.
    """

    retries: int = 5
    first: float = 1.0
    longest: float = 60.0

    def __post_init__(self) -> None:
        if self.retries < 0 or self.first < 0 or self.longest < 0:
            raise ValueError("retries and waits are not negative")

    def wait(self, tries: int) -> float:
        """The wait after so many tries (from 1), seconds."""
        return min(self.first * 2.0 ** min(tries - 1, 30), self.longest)


def retryable(status: int) -> bool:
    """Whether a request that got this status may go well later."""
    return status in (408, 425, 429) or status >= 500


def retry_after(header: str | None, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks to wait (a number or a date); None for none, or nonsense."""
    if header is None or not header.strip():
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = parsedate_to_datetime(header)
        except ValueError:
            return None
        when = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
        seconds = (when - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None
