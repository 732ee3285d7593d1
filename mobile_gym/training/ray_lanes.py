"""Lanes whose phones live in Ray actors, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np

from mobile_gym.envs.actions import EncodedAction
from mobile_gym.envs.ray import RayAsyncEnv
from mobile_gym.envs.task_env import Observation
from mobile_gym.training.rollouts import Outcome, Start, groups_of, saved_episode

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
        """Begins an episode.

        Args:
            seed: of the environment's reset.
            options: `task`, which one (the last one without it); `save`, whether the info gets the episode that began
                as `saved_episode`, None where it cannot be saved; others are the environment's.
        """
        rest = dict(options or {})
        task, save = rest.pop("task", None), rest.pop("save", False)
        if task is not None:
            if task not in self._envs:
                self._envs[task] = self._make(task)
            self._now = self._envs[task]
        observation, info = self._now.reset(seed=seed, options=rest or None)
        return observation, {**info, "saved_episode": saved_episode(self._now)} if save else info

    def step(self, action: EncodedAction) -> tuple[Observation, Any, bool, bool, dict[str, Any]]:
        """One turn of the task that is played."""
        return self._now.step(action)

    def close(self) -> None:
        """Closes all of them."""
        for env in self._envs.values():
            env.close()


class RayLanes:
    """Lanes on Ray. Members of a group begin on forks of one phone, on whichever actors they are, where the device can
    be forked. No phone waits for the slowest, except at the end of a turn, when answers are drawn for all.

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
        groups = list(filter(None, map(self._here, groups_of(starts))))
        kinds: dict[tuple[str, bool], list[int]] = {}
        for head, *members in groups:
            kinds.setdefault((starts[head].task, bool(members)), []).append(head)
        for (task, save), heads in kinds.items():
            self._envs.async_reset([starts[head].seed for head in heads], {"task": task, "save": save}, heads)
        found = self._received(len(groups))
        forked: set[int] = set()
        waiting = 0
        for head, *others in groups:
            state = found[head][4].pop("saved_episode", None)
            if not (members := self._here(others)):
                continue
            waiting += len(members)
            options = {"task": starts[head].task}
            if state is None:
                self._envs.async_reset([starts[head].seed] * len(members), options, members)
            else:
                forked.update(members)
                self._envs.async_reset(None, options | {"episode": state}, members)
        found |= self._received(waiting)
        return [
            (found[lane][0], {**found[lane][4], "forked": lane in forked})
            if lane in found
            else ({}, {"env_error": self._why(lane)})
            for lane in range(len(starts))
        ]

    def step(self, actions: Mapping[int, EncodedAction]) -> dict[int, Outcome]:
        """See `Lanes`."""
        lanes = self._here(actions)
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

    def _here(self, lanes: Iterable[int]) -> list[int]:
        """Those that were not put aside."""
        aside = self._envs.put_aside
        return [lane for lane in lanes if lane not in aside]

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
