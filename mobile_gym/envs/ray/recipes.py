"""Recipes: how a worker makes a sub-environment."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec

from mobile_gym.devices.base import Device

POOL = "pool"
"""The device's spec that stands for "whichever the device pool lends"."""

Source = str | EnvSpec | tuple[str | EnvSpec, Mapping[str, Any]] | Callable[[], gym.Env[Any, Any]]
"""What a sub-environment can be given as: an id, an `EnvSpec`, either with arguments, or a function that makes it."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one sub-environment is made.

    Attributes:
        spec: what Gymnasium makes; None where `make` does it.
        arguments: keyword arguments over those of the spec.
        maker: a function that gives the environment.
    """

    spec: EnvSpec | None
    arguments: Mapping[str, Any]
    maker: Callable[[], gym.Env[Any, Any]] | None = None

    @property
    def device(self) -> str:
        """The spec of the device; empty for an environment without one."""
        if self.spec is None:
            return ""
        found = {**self.spec.kwargs, **self.arguments}.get("device", "")
        return found if isinstance(found, str) else ""

    @property
    def slow(self) -> bool:
        """Whether the device is outside the process, so that a step is mostly waiting."""
        return bool(self.device) and not self.device.startswith("embedded:")

    @property
    def name(self) -> str:
        """The id or the function's name, for messages."""
        if self.spec is not None:
            return self.spec.id
        return getattr(self.maker, "__qualname__", type(self.maker).__name__)

    def on_device(self, device: str) -> Recipe:
        """The same on another device."""
        return replace(self, arguments={**self.arguments, "device": device})

    def make(self) -> gym.Env[Any, Any]:
        """Makes the environment."""
        if self.maker is not None:
            return self.maker()
        assert self.spec is not None
        return gym.make(self.spec, disable_env_checker=True, **self.arguments)


def recipes_of(sources: Sequence[Source]) -> list[Recipe]:
    """Recipes of what the caller gave.

    Raises:
        ValueError: there are none.
        TypeError: one is of another kind, or holds an open device, which cannot go to another process.
        gymnasium.error.Error: an id is not registered.
    """
    if isinstance(sources, str | EnvSpec) or not isinstance(sources, Sequence):
        raise TypeError(
            f"specs must be a list with one entry for each sub-environment, not {sources!r}; write for example "
            '["MoBench/elder-031"] * 8'
        )
    if not sources:
        raise ValueError("specs is empty; give one id, EnvSpec, (id, arguments) or function for each sub-environment")
    return [_recipe(number, source) for number, source in enumerate(sources)]


def _recipe(number: int, source: Source) -> Recipe:
    if isinstance(source, str | EnvSpec):
        return Recipe(_spec(source), {})
    if isinstance(source, tuple) and len(source) == 2 and isinstance(source[1], Mapping):
        recipe = Recipe(_spec(source[0]), dict(source[1]))
        if isinstance(recipe.arguments.get("device"), Device):
            raise TypeError(
                f"specs[{number}]: an open device cannot go to another process; give its spec, such as "
                '"embedded:pixel_6a" or "adb:emulator-5554"'
            )
        return recipe
    if callable(source):
        return Recipe(None, {}, source)
    raise TypeError(
        f"specs[{number}] is {source!r}; it must be an id, an EnvSpec, (id or EnvSpec, arguments) or a function "
        "without arguments that gives an environment"
    )


def _spec(source: str | EnvSpec) -> EnvSpec:
    if isinstance(source, EnvSpec):
        return source
    module, colon, name = source.partition(":")
    if colon:
        importlib.import_module(module)
    return gym.spec(name if colon else source)
