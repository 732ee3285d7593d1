"""Collects transitions with plain Gymnasium, as a trainer's env-runner does: nothing but `reset`, `step` and spaces.

    python examples/env_runner.py                     # phones in Ray actors
    python examples/env_runner.py --mode sync         # in this process

What it knows of phones is the vector environment's id. Observations go into buffers that are made once; steps in which
an episode only begins (autoreset NEXT_STEP) are marked, since their actions did nothing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import mobile_gym  # noqa: F401 - registers the tasks

Policy = Callable[[dict[str, Any], dict[str, Any]], Any]
"""Observations and infos of all sub-environments to a batch of actions."""


@dataclass
class Batch:
    """What was collected: [steps, sub-environments] first.

    Attributes:
        screenshots: uint8[T, N, H, W, 3], what was seen before each action.
        actions: what was done, one batch a step.
        rewards: float32[T, N].
        terminated: bool[T, N].
        truncated: bool[T, N].
        real: bool[T, N], false where the step only began an episode.
        returns: of the episodes that ended.
        successes: whether they ended with success.
    """

    screenshots: NDArray[np.uint8]
    actions: list[Any]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    real: NDArray[np.bool_]
    returns: list[float]
    successes: list[bool]


class EnvRunner:
    """Steps a vector environment and remembers where it stands, so that `collect` can be called again and again.

    Args:
        envs: any `gymnasium.vector.VectorEnv` of tasks, with the autoreset mode NEXT_STEP.
        seed: of the first reset.
    """

    def __init__(self, envs: gym.vector.VectorEnv[Any, Any, Any], seed: int) -> None:
        self.envs = envs
        self._observations, self._infos = envs.reset(seed=seed)
        self._over = np.zeros(envs.num_envs, np.bool_)
        self._totals = np.zeros(envs.num_envs)

    def collect(self, policy: Policy, steps: int) -> Batch:
        """Steps all sub-environments a number of times."""
        count = self.envs.num_envs
        frame = self.envs.single_observation_space["screenshot"].shape
        flags = {name: np.zeros((steps, count), np.bool_) for name in ("terminated", "truncated", "real")}
        batch = Batch(np.zeros((steps, count, *frame), np.uint8), [], np.zeros((steps, count), np.float32), **flags,
                      returns=[], successes=[])  # fmt: skip
        for step in range(steps):
            batch.screenshots[step] = self._observations["screenshot"]
            batch.real[step] = ~self._over
            batch.actions.append(policy(self._observations, self._infos))
            self._observations, rewards, terminated, truncated, self._infos = self.envs.step(batch.actions[-1])
            batch.rewards[step], batch.terminated[step], batch.truncated[step] = rewards, terminated, truncated
            self._totals += rewards
            self._over = terminated | truncated
            for index in np.flatnonzero(self._over):
                batch.returns.append(float(self._totals[index]))
                batch.successes.append(bool(self._infos["success"][index]))
            self._totals[self._over] = 0
        return batch


def random_policy(envs: gym.vector.VectorEnv[Any, Any, Any], seed: int) -> Policy:
    """Draws among the kinds that the action mask allows, so that no turn is lost to what a task forbids."""
    envs.action_space.seed(seed)
    rng = np.random.default_rng(seed)

    def act(observations: dict[str, Any], infos: dict[str, Any]) -> Any:
        actions = envs.action_space.sample()
        allowed = [np.flatnonzero(mask) for mask in infos["action_mask"]]
        actions["action_type"] = np.array([rng.choice(kinds) if len(kinds) else 0 for kinds in allowed])
        return actions

    return act


def make(task: str, count: int, mode: str, size: tuple[int, int]) -> gym.vector.VectorEnv[Any, Any, Any]:
    """A vector environment of one task: on Ray, or in this process."""
    chosen = "vector_entry_point" if mode == "ray" else "sync"
    options: dict[str, Any] = {"language": "en", "observation_size": size, "time_budget": "none"}
    if mode == "ray":  # machines that are busy with other things take their time
        options |= {"start_timeout": 300.0, "step_timeout": 300.0}
    return gym.make_vec(task, num_envs=count, vectorization_mode=chosen, **options)


def main(given: list[str] | None = None) -> Batch:
    """Collects, and says how fast and with what returns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="MoBench/train-settings")
    parser.add_argument("--envs", type=int, default=4)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--mode", choices=("ray", "sync"), default="ray")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(given)
    envs = make(chosen.task, chosen.envs, chosen.mode, (84, 168))
    try:
        runner = EnvRunner(envs, chosen.seed)
        began = time.monotonic()
        batch = runner.collect(random_policy(envs, chosen.seed), chosen.steps)
        seconds = time.monotonic() - began
    finally:
        envs.close()
    mean = sum(batch.returns) / len(batch.returns) if batch.returns else 0.0
    print(f"{batch.real.sum()} transitions of {chosen.envs} phones, {batch.real.sum() / seconds:.0f} a second")
    print(f"{len(batch.returns)} episodes ended, mean return {mean:.3f}, {sum(batch.successes)} successes")
    return batch


if __name__ == "__main__":
    main()
