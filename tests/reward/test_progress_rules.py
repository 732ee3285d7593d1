"""Verdicts and rewards."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.reward.progress import Verdict, reward, succeeded, verdict


def test_progress_counts_each_subtask_alike_and_weighted_progress_does_not() -> None:
    found = verdict({"a": True, "b": False}, {"a": 3, "b": 1})
    assert (found.progress, found.weighted_progress, found.goal_reached) == (0.5, 0.75, False)


def test_a_task_without_subtasks_is_never_reached() -> None:
    assert not verdict({}, {}).goal_reached


@pytest.mark.parametrize("protocol", ["online", "process"])
def test_success_needs_finish_goal_and_no_side_effect(protocol: str) -> None:
    reached, unclean = Verdict({"a": True}, 1, 1, True), Verdict({"a": True}, 1, 1, True, ("x",))
    missed = Verdict({"a": False}, 0, 0, False)
    assert succeeded(reached, protocol, True)  # type: ignore[arg-type]
    for result, finished in ((reached, False), (unclean, True), (missed, True), (missed, False)):
        assert not succeeded(result, protocol, finished)  # type: ignore[arg-type]


def test_a_workflow_need_not_be_finished() -> None:
    assert succeeded(Verdict({"a": True}, 1, 1, True), "workflow", False)


def test_protocols_without_subtasks_are_refused() -> None:
    with pytest.raises(ValueError, match="grounding"):
        succeeded(Verdict({}, 0, 0, False), "grounding", True)


@given(st.lists(st.floats(0, 1), max_size=10), st.booleans())
def test_an_episode_sums_to_one_at_most(steps: list[float], success: bool) -> None:
    path = [0.0, *steps, *([1.0] if success else [])]
    last = len(path) - 2
    total = sum(
        reward("progress", one, other, success and index == last)
        for index, (one, other) in enumerate(itertools.pairwise(path))
    )
    assert total <= 1 + 1e-9
    if success:
        assert total == pytest.approx(1)


def test_sparse_reward_is_given_at_success_alone() -> None:
    assert [reward("sparse", 0, 1, False), reward("sparse", 1, 1, True)] == [0, 1]
