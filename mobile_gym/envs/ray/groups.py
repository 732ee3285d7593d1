"""Groups: episodes that start from one state, for group-relative methods."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np

from mobile_gym.envs.ray.crew import Crew
from mobile_gym.envs.ray.messages import Command, Reply


@dataclass(frozen=True, slots=True)
class Group:
    """Episodes of this process that begin at one state.

    Attributes:
        envs: an environment for each.
        observations: what each begins with; all equal.
        infos: likewise.
    """

    envs: tuple[gym.Env[Any, Any], ...]
    observations: tuple[Any, ...]
    infos: tuple[dict[str, Any], ...]

    def close(self) -> None:
        """Closes the environments."""
        for env in self.envs:
            env.close()


def fork_group(env: gym.Env[Any, Any], size: int) -> Group:
    """Forks the running episode of an environment; the environment itself is left as it is.

    Each member has a phone of its own, with the same digest. It may be forked at any turn: the members go on with the
    turns that were taken and what is left of the budget. Wrappers are copied with the environment, and reset.

    Args:
        env: a `MobileTaskEnv` on an embedded phone that it was given by its spec, wrapped or not.
        size: how many episodes.

    Raises:
        ValueError: the size is less than 1.
        ResetNeeded: no episode is running.
        CapabilityMissing: the device cannot be forked. `RayVectorEnv.reset_groups` resets the members with one seed
            then, each on a device of its own.
        TypeError: the environment was given an open device.
    """
    if size < 1:
        raise ValueError(f"a group has at least 1 member, not {size}")
    state = env.get_wrapper_attr("save_episode")()
    image = pickle.dumps(env)
    members: list[gym.Env[Any, Any]] = []
    begun = []
    try:
        for _ in range(size):
            members.append(pickle.loads(image))
            begun.append(members[-1].reset(options={"episode": state}))
    except BaseException:
        for member in members:
            member.close()
        raise
    return Group(tuple(members), tuple(observation for observation, _ in begun), tuple(info for _, info in begun))


def start_groups(crew: Crew, size: int, seeds: Sequence[int | None], bank: int) -> tuple[dict[int, Reply], set[int]]:
    """Starts the sub-environments of a crew in groups; see `RayVectorEnv.reset_groups`.

    Returns:
        The replies of all, and who was forked from its group's first.
    """
    draw = np.random.default_rng()
    chosen = [int(draw.integers(2**31)) if seed is None else seed for seed in seeds]
    heads = range(0, size * len(seeds), size)
    replies = crew.gather([Command("reset", head, bank, seed=chosen[head // size]) for head in heads])
    well = [head for head in heads if replies[head].kind == "seen"]
    saved = crew.gather([Command("call", head, name="save_episode", arguments=((), {})) for head in well])
    states = {head: saved[head].value for head in well if saved[head].kind == "value"}
    commands = []
    for head in heads:
        for env in range(head + 1, head + size):
            if head in states:
                commands.append(Command("reset", env, bank, state=states[head]))
            else:
                commands.append(Command("reset", env, bank, seed=chosen[head // size]))
    replies |= crew.gather(commands)
    return replies, {env for env in replies if env not in heads and env - env % size in states}
