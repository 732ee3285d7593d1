"""Observations and actions of arrays only, nothing left out: the plainest wrapper for libraries without texts."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mobile_gym.envs.actions import FRAME, ActionType
from mobile_gym.envs.task_env import Observation
from mobile_gym.envs.wrappers.texts import MAX_BYTES, text_bytes


class ArrayEnv(gym.Wrapper[Any, Any, Any, Any]):
    """Makes observations and actions of arrays only, as Stable-Baselines3 needs them.

    PPO and its kin take neither texts nor Dict actions, and say so in ways that are hard to read. Here

    - observations are `Dict(screenshot=Box(H, W, 3), instruction=Box(512), message=Box(512))`, texts as UTF-8 bytes
      padded with zeros (a longer text is cut at a whole character and ends with `…[cut]`), or the screenshot alone
      where `texts=False`;
    - actions are `MultiDiscrete([16, 1001, 1001, 1001, 1001])`: kind, touch x, y, lift x, y. They carry no text, so
      kinds that need one (`type`, `open_app`, `answer`) type from `vocabulary`, chosen by the touch point's x, where
      it is given; else they are malformed and cost a turn.

    The frame is as large as the environment's canvas; give that a small `observation_size` (such as 84 x 168) for
    training, since a rollout buffer keeps every frame.

    Args:
        env: a `MobileTaskEnv`, wrapped or not.
        texts: whether observations keep the texts.
        vocabulary: texts that the actions can carry.
    """

    def __init__(
        self, env: gym.Env[Observation, dict[str, Any]], texts: bool = True, vocabulary: tuple[str, ...] = ()
    ) -> None:
        super().__init__(env)
        if not isinstance(env.observation_space, spaces.Dict):
            raise TypeError(f"ArrayEnv wraps an environment with Dict observations, not {env.observation_space}")
        parts: dict[str, spaces.Space[Any]] = {"screenshot": env.observation_space["screenshot"]}
        if texts:
            parts |= {name: spaces.Box(0, 255, (MAX_BYTES,), np.uint8) for name in ("instruction", "message")}
        self._texts = texts
        self._vocabulary = tuple(vocabulary)
        self.observation_space = spaces.Dict(parts)
        self.action_space = spaces.MultiDiscrete([len(ActionType), *[FRAME + 1] * 4])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.uint8]], dict[str, Any]]:
        """Resets the environment; see `MobileTaskEnv.reset`."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._arrays(observation), info

    def step(self, action: NDArray[np.int64]) -> tuple[dict[str, NDArray[np.uint8]], float, bool, bool, dict[str, Any]]:
        """Steps the environment with an action of five numbers."""
        observation, reward, terminated, truncated, info = self.env.step(self._decoded(action))
        return self._arrays(observation), float(reward), terminated, truncated, info

    def _decoded(self, action: NDArray[np.int64]) -> dict[str, Any]:
        kind, x, y, lift_x, lift_y = (int(number) for number in action)
        text = ""
        if self._vocabulary and kind in (ActionType.TYPE, ActionType.OPEN_APP, ActionType.ANSWER):
            text = self._vocabulary[x * len(self._vocabulary) // (FRAME + 1)]
        return {"action_type": kind, "touch_point": (x, y), "lift_point": (lift_x, lift_y), "text": text}

    def _arrays(self, observation: Observation) -> dict[str, NDArray[np.uint8]]:
        arrays = {"screenshot": observation["screenshot"]}
        if self._texts:
            arrays |= {name: text_bytes(observation[name]) for name in ("instruction", "message")}
        return arrays
