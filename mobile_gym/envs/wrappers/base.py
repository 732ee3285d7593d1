"""What the wrappers share: they change parts of Dict observations and leave the rest as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

AnyEnv = gym.Env[Any, Any]


def dict_space(wrapper: str, env: AnyEnv) -> spaces.Dict:
    """The Dict observation space of an environment.

    Raises:
        TypeError: its observations are something else; names the wrapper.
    """
    if not isinstance(env.observation_space, spaces.Dict):
        raise TypeError(f"{wrapper} wraps an environment with Dict observations, not {env.observation_space}")
    return env.observation_space


def replaced(space: spaces.Dict, parts: Mapping[str, spaces.Space[Any]]) -> spaces.Dict:
    """The Dict space with some parts replaced or added."""
    return spaces.Dict({**space.spaces, **parts})


class PartWrapper(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """A wrapper that replaces one part of a Dict observation.

    Args:
        env: the environment.
        part: the name of the part.
        arguments: the subclass's own arguments, which its spec keeps.
    """

    def __init__(self, env: AnyEnv, part: str, **arguments: Any) -> None:
        RecordConstructorArgs.__init__(self, **arguments)
        gym.ObservationWrapper.__init__(self, env)
        space = dict_space(type(self).__name__, env)
        if part not in space.spaces:
            raise ValueError(f"{type(self).__name__} changes {part!r}; the observations have {', '.join(space.spaces)}")
        self.part = part
        self.observation_space = replaced(space, {part: self.part_space(space[part])})

    def part_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """The space of the part as it will be."""
        raise NotImplementedError

    def part_of(self, value: Any) -> Any:
        """The part as it will be."""
        raise NotImplementedError

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The observation with the part replaced."""
        return {**observation, self.part: self.part_of(observation[self.part])}
