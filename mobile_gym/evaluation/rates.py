"""Success rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mobile_gym.evaluation.intervals import wilson
from mobile_gym.evaluation.models import EpisodeRecord


@dataclass(frozen=True, slots=True)
class Rate:
    """A success rate (ElderBench, equation 1) with its 95 % Wilson interval.

    Attributes:
        group: what the episodes have in common.
        successes: how many succeeded.
        episodes: how many were done.
        low: lower end of the interval, 0 to 1.
        high: upper end of the interval, 0 to 1.
    """

    group: str
    successes: int
    episodes: int
    low: float
    high: float

    @property
    def rate(self) -> float | None:
        """Successes a done episode, 0 to 1; None where none was done."""
        return self.successes / self.episodes if self.episodes else None


def rate_of(group: str, records: Sequence[EpisodeRecord]) -> Rate:
    """The success rate of done episodes."""
    successes = sum(record.success for record in records)
    return Rate(group, successes, len(records), *wilson(successes, len(records)))
