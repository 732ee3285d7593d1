"""Groups whose phones live in Ray actors, and in this process."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("ray")
pytest.importorskip("torch")  # rollouts name the policy

from mobile_gym.envs.actions import Action
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.training.ray_lanes import RayLanes
from mobile_gym.training.rollouts import Lanes, LocalLanes, Start, groups_of
from tests.envs.ray.conftest import session
from tests.training.tiny_world import ColourEnv

__all__ = ["session"]
EXAMPLE = Path(__file__).parents[2] / "examples" / "env_runner.py"
TASKS = ["train-alarm", "elder-031"]
SWIPE, FINISH = Action.swipe(500, 800, 500, 300).encode(), Action.finish().encode()


class Digested(gym.Wrapper[Any, Any, Any, Any]):
    """Tells the phone's digest with each info."""

    def reset(self, **options: Any) -> Any:
        observation, info = self.env.reset(**options)
        return observation, self._told(info)

    def step(self, action: Any) -> Any:
        *seen, info = self.env.step(action)
        return *seen, self._told(info)

    def _told(self, info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "digest": self.get_wrapper_attr("device").digest()}


def make(task: str) -> Any:
    return Digested(MobileTaskEnv(task, language="en", observation_size=(45, 100), time_budget="none"))


def make_colour(task: str) -> Any:
    return ColourEnv()


PATIENT = {"start_timeout": 240.0, "step_timeout": 240.0, "close_timeout": 1.0}
"""For machines that are busy with other things."""


def _local(count: int) -> Lanes:
    return LocalLanes(make, count)


def _ray(count: int) -> Lanes:
    return RayLanes(make, TASKS, count, phones_per_actor=2, **PATIENT)  # a group is on two actors


@pytest.fixture(params=["local", pytest.param("ray", marks=pytest.mark.slow)])
def on_ray(request: pytest.FixtureRequest) -> bool:
    if request.param == "local":
        return False
    request.getfixturevalue("session")
    return True


def test_members_of_a_group_begin_at_one_state(on_ray: bool) -> None:
    starts = [Start("train-alarm", 3)] * 3 + [Start("elder-031", 0)]
    lanes = (_ray if on_ray else _local)(4)
    try:
        begun = lanes.reset(starts)
        assert [info["task_id"] for _, info in begun] == ["train-alarm"] * 3 + ["elder-031"]
        assert [info["forked"] for _, info in begun] == [False, True, True, False]
        digests = [info["digest"] for _, info in begun]
        assert digests[0] == digests[1] == digests[2] != digests[3]
        for observation, info in begun[1:3]:
            assert np.array_equal(observation["screenshot"], begun[0][0]["screenshot"])
            assert observation["instruction"] == begun[0][0]["instruction"]
            assert info["task_seed"] == 3
        # From there each goes its own way.
        first = lanes.step({0: SWIPE, 1: FINISH, 2: SWIPE, 3: {"unreadable": "no action"}})
        assert [first[lane][2] for lane in range(4)] == [False, True, False, False]
        assert first[0][4]["digest"] == first[2][4]["digest"]
        assert np.array_equal(first[0][0]["screenshot"], first[2][0]["screenshot"])
        assert "no action" in first[3][4]["action_error"]
        second = lanes.step({0: FINISH, 2: SWIPE})
        assert sorted(second) == [0, 2]
        assert second[0][2]
        # A lane that is in the middle of an episode begins another one.
        again = lanes.reset(starts[:2])
        assert [info["digest"] for _, info in again] == digests[:2]
        assert [info["turn"] for _, info in again] == [0, 0]
    finally:
        lanes.close()


@pytest.mark.slow
def test_lanes_on_ray_play_as_those_of_this_process(session: None) -> None:
    starts = [Start("train-alarm", 3), Start("train-alarm", 3), Start("elder-031", 0)]
    seen = []
    for lanes in (_local(3), _ray(3)):
        try:
            begun = lanes.reset(starts)
            stepped = lanes.step({0: SWIPE, 1: SWIPE, 2: FINISH})
            seen.append([*begun, *((stepped[lane][0], stepped[lane][4]) for lane in range(3))])
        finally:
            lanes.close()
    for one, two in zip(*seen, strict=True):
        assert one[0]["instruction"] == two[0]["instruction"]
        assert np.array_equal(one[0]["screenshot"], two[0]["screenshot"])
        assert {name: one[1][name] for name in ("digest", "progress", "turn", "success")} == {
            name: two[1][name] for name in ("digest", "progress", "turn", "success")
        }


def test_what_cannot_be_forked_shares_a_seed(on_ray: bool) -> None:
    lanes: Lanes = RayLanes(make_colour, ["colour"], 4, **PATIENT) if on_ray else LocalLanes(make_colour, 4)
    try:
        begun = lanes.reset([Start("colour", 6)] * 2 + [Start("colour", 7)] * 2)
        assert [bool(info["forked"]) for _, info in begun] == [False] * 4
        colours = [int(observation["screenshot"][0, 0].argmax()) for observation, _ in begun]
        assert colours == [0, 0, 2, 2]
    finally:
        lanes.close()


@pytest.mark.slow
def test_the_env_runner_collects_on_ray_what_it_collects_here(session: None) -> None:
    example = runpy.run_path(str(EXAMPLE), run_name="example")
    batches = []
    for mode in ("sync", "ray"):
        given = ["--mode", mode, "--envs", "2", "--steps", "6", "--task", "MoBench/elder-031"]
        batches.append(example["main"](given))
    one, two = batches
    assert np.array_equal(one.screenshots, two.screenshots)
    for name in ("rewards", "terminated", "truncated", "real"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    assert (one.returns, one.successes) == (two.returns, two.successes)
    assert two.real.any()


def test_groups_are_equal_starts_next_to_each_other() -> None:
    a, b = Start("a", 1), Start("a", 2)
    assert [list(group) for group in groups_of([a, a, b, a])] == [[0, 1], [2], [3]]
    assert groups_of([]) == []
