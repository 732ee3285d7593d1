"""Counting a suite's labels beside what it should have."""

from __future__ import annotations

from typing import Any

import pytest

from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.statistics import statistics


def task(number: int, text: str, **tags: Any) -> Task:
    return Task.model_validate(
        {
            "id": f"test-{number}",
            "suite": "test",
            "protocol": "online",
            "instruction": {"zh": text, "en": "Test"},
            "tags": tags,
            "subtasks": [{"activity": "a"}],
        }
    )


TASKS = [
    task(1, "声音太小", semantics="indirect_speech", syntax="narrative", verbs=[]),
    task(2, "打开" * 15, semantics="clear_and_explicit", syntax="canonical", verbs=["打开", "打开"]),
    task(3, "字大点", semantics="under_specification", syntax="elliptical", verbs=["大"]),
    task(4, "打开", semantics="under_specification", syntax="canonical", verbs=["打开"]),
]


def test_counts_and_means() -> None:
    found = statistics(TASKS)
    counts = {share.name: share.count for share in found.shares}
    assert counts["semantics: under_specification"] == 2
    assert counts["shorter than 20 characters"] == 3
    assert counts["indirect speech without a verb"] == 1
    assert found.mean_verbs == 1
    assert found.mean_length == pytest.approx((4 + 30 + 3 + 2) / 4)


def test_shares_are_held_within_one_task() -> None:
    facts = {
        "tags": {
            "semantics": {"under_specification": 0.25, "disfluency_or_correction": 0.5},
            "syntax": {"elliptical+narrative": 0.5},
        },
        "shorter_than_20": 0.1,
    }
    off = {share.name for share in statistics(TASKS, facts).off}
    assert off == {"semantics: disfluency_or_correction", "shorter than 20 characters"}


def test_no_tasks_are_refused() -> None:
    with pytest.raises(ValueError, match="no tasks"):
        statistics([])
