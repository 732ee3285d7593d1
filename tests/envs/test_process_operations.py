"""Operations of process tasks in the environment: told after each turn, kept by trajectories, carried to forks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.evaluation.trajectories import Trajectory
from mobile_gym.policies import make_policy
from mobile_gym.task_registry.catalog import load_task

TASK = "probench-024"
"""It requires two operations that must each bring something about: something in the cart, and two of it."""


def made_env() -> MobileTaskEnv:
    return MobileTaskEnv(TASK, device="embedded:pixel_6a", hierarchy=False)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[MobileTaskEnv, list[Any], list[dict[str, Any]], list[Any]]]:
    """A demonstration: the environment, the actions, what was told after each, and the episode before each."""
    env = made_env()
    policy: Any = make_policy("demonstration")
    policy.attach(env)
    observation, info = env.reset(seed=0)
    policy.reset(load_task(TASK), info, 0)
    written = Trajectory(tmp_path / "one")
    actions, infos, states, over = [], [], [], False
    while not over:
        written.see(observation)
        states.append(env.save_episode())
        actions.append(policy.act(observation, info))
        observation, reward, terminated, truncated, info = env.step(actions[-1])
        written.act(actions[-1], reward, info)
        infos.append(info)
        over = terminated or truncated
    yield env, actions, infos, states
    env.close()


def test_operations_are_told_after_every_turn_and_kept(played: Any, tmp_path: Path) -> None:
    _, _, infos, _ = played
    told = [info["operations"] for info in infos]
    assert told[0] == [False, False]
    assert [True, False] in told
    assert told[-1] == [True, True]
    assert infos[-1]["success"]
    lines = [json.loads(path.read_text("utf-8")) for path in sorted((tmp_path / "one").glob("*.json"))]
    assert [line["operations"] for line in lines] == told


def test_an_episode_that_goes_on_elsewhere_knows_what_was_done(played: Any) -> None:
    _, actions, infos, states = played
    added = next(number for number, info in enumerate(infos) if info["operations"] == [True, False])
    for start in (added, added + 1, len(actions) - 1):
        other = made_env()
        other.reset(options={"episode": states[start]})
        for action, info in zip(actions[start:], infos[start:], strict=True):
            *_, now = other.step(action)
            assert now["operations"] == info["operations"]
        assert now["success"]
        other.close()
