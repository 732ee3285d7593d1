"""Seeds drawn from a range, so that training and held-out episodes never share an instance."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils import RecordConstructorArgs

from mobile_gym.envs.wrappers.base import AnyEnv


class DrawnSeeds(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Resets the environment with a seed drawn from a range each episode.

    A training family draws its instance from the seed of `reset`: with `DrawnSeeds(env, 0, 1_000_000)` for training and
    seeds from a million on for evaluation no held-out seed is ever trained on. An episode's is `info["task_seed"]`.

    Args:
        env: the environment.
        first: the least seed.
        count: how many seeds there are.
    """

    def __init__(self, env: AnyEnv, first: int, count: int) -> None:
        RecordConstructorArgs.__init__(self, first=first, count=count)
        gym.Wrapper.__init__(self, env)
        if first < 0 or count < 1:
            raise ValueError(f"first is at least 0 and count at least 1, not {first} and {count}")
        self._first, self._count = first, count
        self._rng = np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Resets with a drawn seed; `seed` seeds the draws."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        drawn = self._first + int(self._rng.integers(self._count))
        return self.env.reset(seed=drawn, options=options)
