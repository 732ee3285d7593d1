"""The tables of ProBench and GMA: outcomes, kinds of task, tiers and dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.rates import Rate, rate_of

Outcome = Literal["success", "failure", "uncompleted"]
KINDS = ("state", "process")
LANGUAGES = ("en", "zh")
TIERS = ("atomic", "compositional", "cross_application", "realistic")
EARLY_STOP = "repeated_action"


def outcome_of(record: EpisodeRecord) -> Outcome:
    """How an episode came out by ProBench: done; finished wrongly; or never finished, early stops among them."""
    if record.success:
        return "success"
    return "failure" if record.claimed else "uncompleted"


@dataclass(frozen=True, slots=True)
class ProcessSummary:
    """ProBench's results over done episodes.

    Attributes:
        cells: accuracy by (kind of task, language of the app); `all` for either.
        outcomes: how many episodes came out how.
        early_stops: how many of the uncompleted were stopped at the fifth equal action.
    """

    cells: Mapping[tuple[str, str], Rate]
    outcomes: Mapping[Outcome, int]
    early_stops: int

    @property
    def uncompleted_ratio(self) -> float | None:
        """Share of the uncompleted among the episodes that are no success; None where all are."""
        missed = self.outcomes["failure"] + self.outcomes["uncompleted"]
        return self.outcomes["uncompleted"] / missed if missed else None

    @property
    def early_stop_ratio(self) -> float | None:
        """Share of early stops among the uncompleted; None where none is."""
        return self.early_stops / self.outcomes["uncompleted"] if self.outcomes["uncompleted"] else None


def process_summary(records: Iterable[EpisodeRecord]) -> ProcessSummary | None:
    """ProBench's results of a run, or None where it has no done episode of this protocol.

    A task without the tag `app_language` counts by the language of its episode, one without `kind` as state-related.
    """
    done = [record for record in records if record.status == "done" and record.protocol == "process"]
    if not done:
        return None

    def of(kind: str, language: str) -> list[EpisodeRecord]:
        return [
            record
            for record in done
            if kind in ("all", record.tags.get("kind", "state"))
            and language in ("all", record.tags.get("app_language", record.language))
        ]

    cells = {
        (kind, language): rate_of(f"{kind}, {language}", of(kind, language))
        for kind in (*KINDS, "all")
        for language in (*LANGUAGES, "all")
    }
    found = [outcome_of(record) for record in done]
    early = sum(
        outcome == "uncompleted" and record.ended_by == EARLY_STOP for outcome, record in zip(found, done, strict=True)
    )
    outcomes: dict[Outcome, int] = {
        "success": found.count("success"),
        "failure": found.count("failure"),
        "uncompleted": found.count("uncompleted"),
    }
    return ProcessSummary(cells, outcomes, early)


@dataclass(frozen=True, slots=True)
class Score:
    """Success and Average of a group (GMA, section 4.1).

    Attributes:
        success: the success rate with its interval.
        average: mean share of subtasks met, each counting the same, 0 to 1; None where no episode was done.
    """

    success: Rate
    average: float | None


@dataclass(frozen=True, slots=True)
class WorkflowSummary:
    """GMA's results over done episodes.

    Attributes:
        overall: over all of them.
        tiers: by tier, in the paper's order.
        dimensions: by dimension; an episode may be in several, or none.
    """

    overall: Score
    tiers: Mapping[str, Score]
    dimensions: Mapping[str, Score]


def workflow_summary(records: Iterable[EpisodeRecord]) -> WorkflowSummary | None:
    """GMA's results of a run, or None where it has no done episode of this protocol."""
    done = [record for record in records if record.status == "done" and record.protocol == "workflow"]
    if not done:
        return None
    names = sorted({str(name) for record in done for name in record.tags.get("dimensions", ())})

    def of_tier(tier: str) -> list[EpisodeRecord]:
        return [record for record in done if record.tags.get("tier") == tier]

    def of_dimension(name: str) -> list[EpisodeRecord]:
        return [record for record in done if name in record.tags.get("dimensions", ())]

    return WorkflowSummary(
        score_of("all", done),
        {tier: score_of(tier, of_tier(tier)) for tier in TIERS},
        {name: score_of(name, of_dimension(name)) for name in names},
    )


def score_of(group: str, records: Sequence[EpisodeRecord]) -> Score:
    """Success and Average of done episodes."""
    average = sum(record.progress for record in records) / len(records) if records else None
    return Score(rate_of(group, records), average)
