"""The tables of ProBench and GMA."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.protocol_tables import outcome_of
from mobile_gym.evaluation.report import print_summary, row_of
from mobile_gym.evaluation.summary import summarise

Make = Callable[..., EpisodeRecord]


def printed(records: list[EpisodeRecord]) -> str:
    stream = io.StringIO()
    print_summary(Console(file=stream, width=120), summarise(records))
    return stream.getvalue()


@pytest.fixture
def probench(record: Make) -> list[EpisodeRecord]:
    def one(number: int, kind: str, language: str, **fields: Any) -> EpisodeRecord:
        tags = {"kind": kind, "app_language": language}
        return record(f"probench-{number:03}", protocol="process", tags=tags, **fields)

    return [
        one(1, "state", "en", success=True, claimed=True, ended_by="finish"),
        one(2, "state", "zh", claimed=True, ended_by="finish"),
        one(3, "state", "zh", ended_by="steps", truncated=True),
        one(4, "process", "zh", success=True, claimed=True, ended_by="finish"),
        one(5, "process", "en", ended_by="repeated_action"),
        one(6, "process", "en", ended_by="repeated_action"),
        one(7, "process", "en", status="not_run", error="gone"),
    ]


def test_outcomes_are_success_failure_or_uncompleted(probench: list[EpisodeRecord]) -> None:
    assert [outcome_of(one) for one in probench[:6]] == [
        "success",
        "failure",
        "uncompleted",
        "success",
        "uncompleted",
        "uncompleted",
    ]
    assert "uncompleted" in row_of(probench[4])
    assert "not run" in row_of(probench[6])


def test_probench_is_told_by_kind_and_language(probench: list[EpisodeRecord]) -> None:
    found = summarise(probench).process
    assert found is not None
    counts = {place: (rate.successes, rate.episodes) for place, rate in found.cells.items()}
    assert counts == {
        ("state", "en"): (1, 1),
        ("state", "zh"): (0, 2),
        ("state", "all"): (1, 3),
        ("process", "en"): (0, 2),
        ("process", "zh"): (1, 1),
        ("process", "all"): (1, 3),
        ("all", "en"): (1, 3),
        ("all", "zh"): (1, 3),
        ("all", "all"): (2, 6),
    }
    assert found.uncompleted_ratio == pytest.approx(3 / 4)
    assert found.early_stop_ratio == pytest.approx(2 / 3)
    text = " ".join(printed(probench).split())
    assert "state-related" in text
    assert "uncompleted 75.0 % of those that are no success, early stops 66.7 % of the uncompleted" in text


def test_ratios_of_nothing_are_none(record: Make) -> None:
    found = summarise([record(protocol="process", success=True, claimed=True)]).process
    assert found is not None
    assert (found.uncompleted_ratio, found.early_stop_ratio) == (None, None)
    assert found.cells["state", "zh"].episodes == 1, "untagged: by the episode's language"


def test_gma_is_told_by_tier_and_dimension(record: Make) -> None:
    records = [
        record("gma-001", protocol="workflow", tags={"tier": "atomic"}, success=True, progress=1.0),
        record("gma-002", protocol="workflow", tags={"tier": "realistic", "dimensions": ["conditional"]}, progress=0.5),
        record("gma-003", protocol="workflow", tags={"tier": "realistic"}, progress=0.25, weighted_progress=0.9),
        record("gma-004", protocol="workflow", tags={"tier": "realistic"}, progress=1.0, status="not_run"),
    ]
    found = summarise(records).workflow
    assert found is not None
    assert (found.overall.success.successes, found.overall.average) == (1, pytest.approx(1.75 / 3))
    assert found.tiers["realistic"].average == pytest.approx(0.375)
    assert found.tiers["compositional"].average is None
    assert found.dimensions["conditional"].success.episodes == 1
    text = printed(records)
    assert "cross application" in text
    assert "37.5 %" in text


def test_runs_of_other_protocols_have_neither(record: Make) -> None:
    found = summarise([record()])
    assert (found.process, found.workflow) == (None, None)
