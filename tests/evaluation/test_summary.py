"""Rates, their groups and what is kept apart."""

from collections.abc import Callable

import pytest

from mobile_gym.evaluation.intervals import wilson
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, TurnTiming
from mobile_gym.evaluation.summary import summarise


def turn(reasoning: float | None = None, tokens: int | None = None) -> TurnTiming:
    parsing = None if reasoning is None else 0.5
    return TurnTiming(
        policy_seconds=9, env_seconds=9, reasoning_seconds=reasoning, parsing_seconds=parsing,
        prompt_tokens=tokens, generated_tokens=None if tokens is None else 1,
    )  # fmt: skip


def test_only_done_episodes_count(record: Callable[..., EpisodeRecord]) -> None:
    records = [
        record("elder-001", success=True, goal_reached=True, claimed=True),
        record("elder-002", goal_reached=True),
        record("elder-003", claimed=True),
        record("elder-004", status="not_run", error="gone"),
        record("elder-005", status="unverifiable", error="lacks sms"),
    ]
    summary = summarise(records)
    assert (summary.overall.successes, summary.overall.episodes) == (1, 3)
    assert (summary.overall.low, summary.overall.high) == wilson(1, 3)
    assert summary.overall.rate == pytest.approx(1 / 3)
    assert (summary.goal_reached, summary.claimed) == (2, 2)
    assert [record.task for record in summary.not_run] == ["elder-004"]
    assert [record.task for record in summary.unverifiable] == ["elder-005"]
    assert summary.latency_seconds is None
    assert summary.tokens is None


def test_groups_by_tag(record: Callable[..., EpisodeRecord]) -> None:
    records = [
        record("elder-001", success=True, tags={"semantics": "indirect_speech", "syntax": "narrative"}),
        record("elder-002", tags={"semantics": "indirect_speech", "syntax": ["narrative", "compound"]}),
        record("elder-003", tags={"semantics": "clear"}),
    ]
    summary = summarise(records)
    assert list(summary.by_tag) == ["semantics", "syntax"]
    assert [(rate.group, rate.successes, rate.episodes) for rate in summary.by_tag["semantics"]] == [
        ("clear", 0, 1),
        ("indirect_speech", 1, 2),
    ]
    assert [(rate.group, rate.successes, rate.episodes) for rate in summary.by_tag["syntax"]] == [
        ("compound", 0, 1),
        ("narrative", 1, 2),
    ]


def test_costs_by_the_papers_equations(
    record: Callable[..., EpisodeRecord], timing: Callable[..., EpisodeTiming]
) -> None:
    records = [record("elder-001"), record("elder-002"), record("elder-003", status="not_run")]
    timings = [
        timing("elder-001", turns=(turn(1.0, 100), turn(2.0, 200), turn(3.0, 300))),
        timing("elder-002", turns=(turn(6.0, 97),)),
        timing("elder-003", turns=(turn(100.0, 10_000),)),
    ]
    summary = summarise(records, timings)
    assert summary.latency_seconds == pytest.approx((1 + 2 + 3 + 6 + 4 * 0.5) / 4)
    assert summary.tokens == pytest.approx((100 + 200 + 300 + 3 + 97 + 1) / 2)


def test_nothing_done_has_no_rate() -> None:
    assert summarise([]).overall.rate is None
