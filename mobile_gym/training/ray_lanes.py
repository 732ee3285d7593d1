"""Lanes whose phones live in Ray actors, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np

from mobile_gym.envs.actions import EncodedAction
from mobile_gym.envs.ray import RayAsyncEnv
from mobile_gym.envs.task_env import Observation
from mobile_gym.training.rollouts import Outcome, Start

Make = Callable[[str], gym.Env[Observation, EncodedAction]]
"""Makes an environment of a task's id or file."""


class TaskMix(gym.Env[Observation, EncodedAction]):
    """Plays the task that each reset names; an environment is kept for each.

    Args:
        make: makes an environment of a task.
        first: the task that the spaces are taken from; all others have the same.
    """

    def __init__(self, make: Make, first: str) -> None:
        self._make = make
        self._envs = {first: make(first)}
        self._now = self._envs[first]
        self.observation_space = self._now.observation_space
        self.action_space = self._now.action_space
        self.metadata = self._now.metadata

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode of `options["task"]`, or of the last one where it names none."""
        task = (options or {}).get("task")
        if task is not None:
            if task not in self._envs:
                self._envs[task] = self._make(task)
            self._now = self._envs[task]
        return self._now.reset(seed=seed)

    def step(self, action: EncodedAction) -> tuple[Observation, Any, bool, bool, dict[str, Any]]:
        """One turn of the task that is played."""
        return self._now.step(action)

    def close(self) -> None:
        """Closes all of them."""
        for env in self._envs.values():
            env.close()


class RayLanes:
    """Lanes on Ray. No phone waits for the slowest, except at the end of a turn, when answers are drawn for all.

    A lane whose actor died or whose device failed ends its episode with `info["env_error"]` and comes back fresh.

    Args:
        make: makes an environment of a task; it is sent to the actors, so it must be a function that can be pickled.
        tasks: the tasks that will be played.
        count: how many lanes.
        options: of `mobile_gym.envs.RayAsyncEnv`, such as `address="auto"` for a running cluster.
    """

    def __init__(self, make: Make, tasks: Sequence[str], count: int, **options: Any) -> None:
        self._count = count
        self._envs = RayAsyncEnv([partial(TaskMix, make, tasks[0])] * count, **options)

    @property
    def count(self) -> int:
        """See `Lanes`."""
        return self._count

    def reset(self, starts: Sequence[Start]) -> list[tuple[Observation, dict[str, Any]]]:
        """See `Lanes`."""
        lanes = {lane: start for lane, start in enumerate(starts) if lane not in self._envs.put_aside}
        for task in dict.fromkeys(start.task for start in lanes.values()):
            chosen = [lane for lane, start in lanes.items() if start.task == task]
            self._envs.async_reset([lanes[lane].seed for lane in chosen], {"task": task}, chosen)
        found = self._received(len(lanes))
        return [
            (found[lane][0], found[lane][4]) if lane in found else ({}, {"env_error": self._why(lane)})
            for lane in range(len(starts))
        ]

    def step(self, actions: Mapping[int, EncodedAction]) -> dict[int, Outcome]:
        """See `Lanes`."""
        lanes = [lane for lane in actions if lane not in self._envs.put_aside]
        if lanes:
            self._envs.send([actions[lane] for lane in lanes], lanes)
        found = self._received(len(lanes))
        gone: dict[int, Outcome] = {
            lane: ({}, 0.0, False, True, {"env_error": self._why(lane)}) for lane in actions if lane not in found
        }
        return found | gone

    def close(self) -> None:
        """See `Lanes`."""
        self._envs.close()

    def _why(self, lane: int) -> str:
        return self._envs.put_aside.get(lane, "the sub-environment was put aside")

    def _received(self, count: int) -> dict[int, Outcome]:
        """What comes from that many lanes."""
        found: dict[int, Outcome] = {}
        while len(found) < count:
            observations, rewards, terminated, truncated, infos = self._envs.recv(min_envs=count - len(found))
            for row, lane in enumerate(infos["env_id"]):
                found[int(lane)] = (
                    {name: _one(values[row]) for name, values in observations.items()},
                    float(rewards[row]),
                    bool(terminated[row]),
                    bool(truncated[row]),
                    _row(infos, row),
                )
        return found


def _row(infos: Mapping[str, Any], row: int) -> dict[str, Any]:
    """One lane's part of what Gymnasium's vector environments make of infos; nested ones are left out."""
    return {
        name: _one(values[row])
        for name, values in infos.items()
        if not name.startswith("_")
        and isinstance(values, np.ndarray)
        and infos.get(f"_{name}", [True] * (row + 1))[row]
    }


def _one(value: Any) -> Any:
    """A value without numpy around it, arrays apart."""
    return value.item() if isinstance(value, np.generic) else value
