"""Summaries: success rates with intervals, overall and by tag, and what the policy cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mobile_gym.evaluation.elder_metrics import MODES, Metrics, metrics
from mobile_gym.evaluation.intervals import wilson
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming
from mobile_gym.evaluation.protocol_tables import ProcessSummary, WorkflowSummary, process_summary, workflow_summary
from mobile_gym.evaluation.rates import Rate, rate_of

__all__ = ["Rate", "Summary", "rate_of", "summarise"]

TAGS = ("semantics", "syntax", "scenario")
"""The tags that ElderBench's tables are grouped by."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run came to.

    Attributes:
        overall: the rate over all done episodes.
        by_tag: rates by the values of a tag, in the order of `TAGS`.
        strict: the rate of the episodes over task graphs in strict matching; None where there are none.
        goal_reached: done episodes that ended with every subtask met, claimed or not.
        claimed: done episodes in which the agent said that it was done.
        not_run: records of episodes that the set-up, the device or the policy kept from being played.
        unverifiable: records of tasks that the device cannot verify.
        latency_seconds: average inference latency a turn (equation 2); None where the policy reports none.
        tokens: tokens a task (equation 3); None where the policy reports none.
        cost: money a task, in the currency of the user's price table; None where the policy reports none.
        modes: ElderBench's results overall, online and offline (table 2); empty where none of its tasks was done.
        process: ProBench's results; None where no task of its protocol was done.
        workflow: GMA's results; None where no task of its protocol was done.
    """

    overall: Rate
    by_tag: dict[str, tuple[Rate, ...]]
    strict: Rate | None
    goal_reached: int
    claimed: int
    not_run: tuple[EpisodeRecord, ...]
    unverifiable: tuple[EpisodeRecord, ...]
    latency_seconds: float | None
    tokens: float | None
    cost: float | None = None
    modes: tuple[Metrics, ...] = ()
    process: ProcessSummary | None = None
    workflow: WorkflowSummary | None = None


def summarise(records: Iterable[EpisodeRecord], timings: Iterable[EpisodeTiming] = ()) -> Summary:
    """Sums a run up; only episodes with the status `done` count in rates and costs."""
    every = list(records)
    done = [record for record in every if record.status == "done"]
    keys = {record.key for record in done}
    measured = [timing for timing in timings if timing.key in keys]
    return Summary(
        overall=rate_of("all", done),
        by_tag={tag: rates for tag in TAGS if (rates := _by_tag(tag, done))},
        strict=_strict(done),
        goal_reached=sum(record.goal_reached for record in done),
        claimed=sum(record.claimed for record in done),
        not_run=tuple(record for record in every if record.status == "not_run"),
        unverifiable=tuple(record for record in every if record.status == "unverifiable"),
        latency_seconds=_latency(measured),
        tokens=_tokens(measured),
        cost=_cost(measured),
        modes=_modes(done, measured),
        process=process_summary(done),
        workflow=workflow_summary(done),
    )


def _modes(done: Sequence[EpisodeRecord], measured: Sequence[EpisodeTiming]) -> tuple[Metrics, ...]:
    elder = [record for record in done if record.protocol in ("online", "graph")]
    return tuple(metrics(elder, measured, mode) for mode in MODES) if elder else ()


def _strict(records: Sequence[EpisodeRecord]) -> Rate | None:
    told = [record.strict_success for record in records if record.strict_success is not None]
    return Rate("graph, strict", sum(told), len(told), *wilson(sum(told), len(told))) if told else None


def _by_tag(tag: str, records: Sequence[EpisodeRecord]) -> tuple[Rate, ...]:
    groups: dict[str, list[EpisodeRecord]] = {}
    for record in records:
        value = record.tags.get(tag)
        for name in value if isinstance(value, list | tuple) else [value]:
            if name is not None:
                groups.setdefault(str(name), []).append(record)
    return tuple(rate_of(name, groups[name]) for name in sorted(groups))


def _latency(timings: Sequence[EpisodeTiming]) -> float | None:
    turns = [turn for timing in timings for turn in timing.turns if turn.reasoning_seconds is not None]
    if not turns:
        return None
    return sum((turn.reasoning_seconds or 0.0) + (turn.parsing_seconds or 0.0) for turn in turns) / len(turns)


def _tokens(timings: Sequence[EpisodeTiming]) -> float | None:
    metered = [timing for timing in timings if any(turn.prompt_tokens is not None for turn in timing.turns)]
    if not metered:
        return None
    turns = [turn for timing in metered for turn in timing.turns]
    return sum((turn.prompt_tokens or 0) + (turn.generated_tokens or 0) for turn in turns) / len(metered)


def _cost(timings: Sequence[EpisodeTiming]) -> float | None:
    metered = [timing for timing in timings if any(turn.cost is not None for turn in timing.turns)]
    if not metered:
        return None
    return sum(turn.cost or 0.0 for timing in metered for turn in timing.turns) / len(metered)
