"""Gymnasium's vector environments as Stable-Baselines3's `VecEnv`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, SupportsIndex

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

try:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn
except ModuleNotFoundError as missing:
    raise ImportError("mobile_gym.training.sb3 needs Stable-Baselines3: pip install 'mobile-gym[sb3]'") from missing

_ACTIONS = (spaces.Box, spaces.Discrete, spaces.MultiDiscrete, spaces.MultiBinary)


class UnsuitableSpace(TypeError):
    """A space that Stable-Baselines3 cannot train on; the message says which wrapper makes one that it can."""


def check_spaces(observations: spaces.Space[Any], actions: spaces.Space[Any]) -> None:
    """Checks that Stable-Baselines3 can train on an environment's spaces.

    Raises:
        UnsuitableSpace: it can't.
    """
    parts = observations.spaces if isinstance(observations, spaces.Dict) else {"": observations}
    for name, part in parts.items():
        where = f"the observation's {name!r}" if name else "the observation"
        if isinstance(part, spaces.Text):
            raise UnsuitableSpace(
                f"{where} is a text, which Stable-Baselines3 cannot take; wrap each environment in "
                "mobile_gym.envs.wrappers.EncodeTexts (or ArrayEnv)"
            )
        if not isinstance(part, _ACTIONS):
            raise UnsuitableSpace(f"{where} is a {type(part).__name__}, which Stable-Baselines3 cannot take: {part}")
    if isinstance(actions, spaces.Dict):
        raise UnsuitableSpace(
            "the actions are a Dict, which Stable-Baselines3 cannot take; wrap each environment in "
            "mobile_gym.envs.wrappers.FlatActions (points of a grid), ElementActions (what the screen offers) or "
            "ArrayEnv"
        )
    if not isinstance(actions, _ACTIONS):
        raise UnsuitableSpace(f"the actions are a {type(actions).__name__}, which Stable-Baselines3 cannot take")


class SB3VecEnv(VecEnv):
    """A `gymnasium.vector.VectorEnv` (Sync, Async, Ray's) for Stable-Baselines3 and sb3-contrib.

    What Stable-Baselines3 wants of a step that ends an episode is made here: the observation is the next episode's
    first, `info["terminal_observation"]` is the last one, `info["TimeLimit.truncated"]` says whether it was cut short,
    `info["episode"]` holds its return, length and seconds, and `info["is_success"]` its success where the environment
    tells one. `reset_infos` holds the first infos. Seeds and options that were set go into the next `reset`.

    Args:
        env: the vector environment; autoreset SAME_STEP or DISABLED, since Stable-Baselines3 knows no steps whose
            action is thrown away, as NEXT_STEP has them.

    Raises:
        UnsuitableSpace: it cannot train on the spaces; says which wrapper helps.
        ValueError: the autoreset mode is NEXT_STEP.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        check_spaces(env.single_observation_space, env.single_action_space)
        self._mode = AutoresetMode(env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
        if self._mode is AutoresetMode.NEXT_STEP:
            raise ValueError(
                "the vector environment resets in the next step, which Stable-Baselines3 does not know; make it with "
                "autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP"
            )
        self.env: Any = env  # `call`, `get_attr` and seeds by list are of the subclasses
        self._actions: NDArray[Any] | None = None
        self._returns = np.zeros(env.num_envs)
        self._lengths = np.zeros(env.num_envs, np.int64)
        self._start = time.monotonic()
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> VecEnvObs:
        """Resets all environments, with the seeds and options that were set."""
        seeds = None if all(seed is None for seed in self._seeds) else list(self._seeds)
        options = self._options[0] or None
        if any(other != self._options[0] for other in self._options):
            raise ValueError("a vector environment takes one dict of options for all its environments")
        observations, infos = self.env.reset(seed=seeds, options=options)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [info_of(infos, index) for index in range(self.num_envs)]
        self._returns[:] = 0.0
        self._lengths[:] = 0
        return _copied(observations)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Takes the actions; asynchronous environments begin at once."""
        self._actions = actions
        begin = getattr(self.env, "step_async", None)
        if begin is not None:
            begin(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Ends the step."""
        if self._actions is None:
            raise RuntimeError("step_wait() needs a step_async() before it")
        wait = getattr(self.env, "step_wait", None)
        begun = wait is not None and hasattr(self.env, "step_async")
        outcome = wait() if wait is not None and begun else self.env.step(self._actions)
        self._actions = None
        observations, rewards, terminations, truncations, infos = outcome
        observations = _copied(observations)
        dones = np.logical_or(terminations, truncations)
        self._returns += rewards
        self._lengths += 1
        last = self._last_observations(observations, dones, infos)
        told: list[dict[str, Any]] = []
        for index in range(self.num_envs):
            info = info_of(infos, index)
            if dones[index]:
                info = self._ended(info, index, last[index], bool(truncations[index] and not terminations[index]))
            told.append(info)
        if self._mode is AutoresetMode.DISABLED and dones.any():
            observations = self._reset_ended(dones)
        return observations, np.asarray(rewards, np.float32), dones, told

    def close(self) -> None:
        """Closes the vector environment."""
        self.env.close()

    def has_attr(self, attr_name: str) -> bool:
        """Whether every environment has the attribute; asked, not tried, as a worker that raises is gone."""
        return all(self.env.call("has_wrapper_attr", attr_name))

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of each environment, found through its wrappers."""
        values = self.env.get_attr(attr_name)
        return [values[index] for index in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Sets an attribute of each environment, or of some."""
        chosen = set(self._chosen(indices))
        if len(chosen) == self.num_envs:
            values = [value] * self.num_envs
        else:
            values = [value if index in chosen else old for index, old in enumerate(self.env.get_attr(attr_name))]
        self.env.set_attr(attr_name, values)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls a method of each environment.

        Raises:
            ValueError: some are meant only, and the vector environment can only call all.
        """
        chosen = self._chosen(indices)
        envs: Sequence[gym.Env[Any, Any]] | None = getattr(self.env, "envs", None)
        if len(chosen) == self.num_envs:
            return list(self.env.call(method_name, *method_args, **method_kwargs))
        if envs is None:
            raise ValueError(
                f"{type(self.env).__name__} calls methods of all environments at once; {method_name} was to be called "
                f"on {len(chosen)} of {self.num_envs}"
            )
        return [envs[index].get_wrapper_attr(method_name)(*method_args, **method_kwargs) for index in chosen]

    def env_is_wrapped(
        self, wrapper_class: type[gym.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Whether each environment has a wrapper of this class, by its name, as environments may live elsewhere."""
        shown = self.env.call("__str__")
        return [f"<{wrapper_class.__name__}<" in shown[index] for index in self._chosen(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """What each environment renders."""
        return list(self.env.call("render"))

    # Parts.

    def _chosen(self, indices: VecEnvIndices) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        if isinstance(indices, SupportsIndex):
            return [int(indices)]
        return [int(index) for index in indices]

    def _last_observations(self, observations: Any, dones: NDArray[np.bool_], infos: dict[str, Any]) -> dict[int, Any]:
        """The last observation of each environment whose episode ended."""
        if self._mode is AutoresetMode.DISABLED:
            return {int(index): _row(observations, int(index)) for index in np.flatnonzero(dones)}
        return {int(index): final_observation(infos, int(index)) for index in np.flatnonzero(dones)}

    def _ended(self, info: dict[str, Any], index: int, last: Any, truncated: bool) -> dict[str, Any]:
        """The info of an episode's last step; what came with the next reset goes to `reset_infos`."""
        if self._mode is AutoresetMode.SAME_STEP:
            final = info.pop("final_info", {})
            info.pop("final_obs", None)
            self.reset_infos[index], info = info, final
        episode = {
            "r": round(float(self._returns[index]), 6),
            "l": int(self._lengths[index]),
            "t": round(time.monotonic() - self._start, 6),
        }
        self._returns[index], self._lengths[index] = 0.0, 0
        info = {"episode": episode, **info, "terminal_observation": last, "TimeLimit.truncated": truncated}
        if "success" in info:
            info["is_success"] = bool(info["success"])
        return info

    def _reset_ended(self, dones: NDArray[np.bool_]) -> VecEnvObs:
        observations, infos = self.env.reset(options={"reset_mask": dones.copy()})
        for index in np.flatnonzero(dones):
            self.reset_infos[index] = info_of(infos, int(index))
        return _copied(observations)


def info_of(infos: dict[str, Any], index: int) -> dict[str, Any]:
    """One environment's info from the infos of a vector environment, with Python's own numbers."""
    found: dict[str, Any] = {}
    for key, value in infos.items():
        if key.startswith("_") and key[1:] in infos:
            continue
        there = infos.get(f"_{key}")
        if there is not None and not there[index]:
            continue
        found[key] = info_of(value, index) if isinstance(value, dict) else _plain(value[index])
    return found


def final_observation(infos: dict[str, Any], index: int) -> Any:
    """The last observation that a SAME_STEP environment keeps in its infos."""
    return info_of({name: infos[name] for name in ("final_obs", "_final_obs") if name in infos}, index)["final_obs"]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _row(observations: Any, index: int) -> Any:
    if isinstance(observations, dict):
        return {name: part[index].copy() for name, part in observations.items()}
    return observations[index].copy()


def _copied(observations: Any) -> VecEnvObs:
    """A copy that the vector environment will not write over."""
    if isinstance(observations, dict):
        return {name: np.array(part) for name, part in observations.items()}
    return np.array(observations)
