"""What a vector environment shows: last good observations, batches of them, and calls that go to all."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, iterate
from numpy.typing import NDArray

from mobile_gym.envs.ray.batches import SharedBatch, array_spaces, batch, blank, join
from mobile_gym.envs.ray.buffers import Buffers
from mobile_gym.envs.ray.crew import Crew
from mobile_gym.envs.ray.errors import SubEnvLost
from mobile_gym.envs.ray.messages import Command, Reply


class LastSeen:
    """The last good observation of each sub-environment: its arrays in the shared batch, its other parts here.

    Args:
        space: of a single observation.
        shared: the shared batch.

    Attributes:
        bank: for each sub-environment the half of the batch that holds it.
    """

    def __init__(self, space: gym.Space[Any], shared: SharedBatch) -> None:
        self._space = space
        self._shared = shared
        self._buffers = [Buffers(part.shape, part.dtype) for part in array_spaces(space)]
        self.bank: NDArray[np.int8] = np.zeros(shared.handle.count, np.int8)
        self.plain: list[list[Any]] = [blank(space) for _ in range(shared.handle.count)]

    def take(self, reply: Reply) -> None:
        """Keeps the observation of a reply; one of another machine is copied into the batch."""
        if reply.arrays is not None:
            for target, array in zip(self._shared.banks[reply.bank], reply.arrays, strict=True):
                target[reply.env] = array
        self.bank[reply.env] = reply.bank
        self.plain[reply.env] = reply.plain

    def move(self, env: int, bank: int) -> None:
        """Puts the last good observation into a bank, over what a step that failed may have left there."""
        if self.bank[env] != bank:
            for target, source in zip(self._shared.banks[bank], self._shared.banks[self.bank[env]], strict=True):
                target[env] = source[env]
            self.bank[env] = bank

    def one(self, env: int) -> Any:
        """A copy of one observation."""
        arrays = [array[env].copy() for array in self._shared.banks[self.bank[env]]]
        return join(self._space, arrays, self.plain[env])

    def all_in(self, bank: int, copy: bool) -> Any:
        """The batch of all, which all lie in one bank: copied, or the memory itself."""
        arrays = self._shared.banks[bank]
        if copy:
            copies = [buffer.take(len(source)) for buffer, source in zip(self._buffers, arrays, strict=True)]
            for target, source in zip(copies, arrays, strict=True):
                np.copyto(target, source)
            arrays = copies
        return batch(self._space, arrays, self.plain)

    def some(self, envs: Sequence[int]) -> Any:
        """The batch of some, copied, in the order given."""
        arrays = []
        for number, buffer in enumerate(self._buffers):
            rows = buffer.take(len(envs))
            for row, env in zip(rows, envs, strict=True):
                np.copyto(row, self._shared.banks[self.bank[env]][number][env])
            arrays.append(rows)
        return batch(self._space, arrays, [self.plain[env] for env in envs])


def actions_of(single: gym.Space[Any], actions: Any, count: int, batched: gym.Space[Any] | None = None) -> list[Any]:
    """One action for each sub-environment, of a batch or a list of them.

    Args:
        single: the action space of one.
        actions: the batch or the list.
        count: how many there must be.
        batched: the space of the batch where it is known; it takes a while to make.

    Raises:
        ValueError: they are not as many as there are sub-environments.
    """
    if isinstance(actions, list | tuple) and not isinstance(single, spaces.Tuple):
        found = list(actions)
    else:
        found = list(iterate(batch_space(single, count) if batched is None else batched, actions))
    if len(found) != count:
        raise ValueError(f"there are {len(found)} actions for {count} sub-environments")
    return found


def seeds_of(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """A seed for each sub-environment: of one number (`seed`, `seed + 1`…), or a list.

    Raises:
        ValueError: the list has another length.
    """
    if seed is None:
        return [None] * count
    if isinstance(seed, int | np.integer):
        return [int(seed) + number for number in range(count)]
    if len(seed) != count:
        raise ValueError(
            f"If seeds are passed as a list the length must match num_envs={count} but got length={len(seed)}."
        )
    return [None if one is None else int(one) for one in seed]


def call_all(crew: Crew, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
    """Calls a method of every sub-environment, or reads an attribute; see `gymnasium.vector.VectorEnv.call`.

    Raises:
        SubEnvLost: an actor died meanwhile, or the sub-environment was put aside.
        Exception: what a sub-environment raises.
    """
    commands = [Command("call", env, name=name, arguments=(arguments, keywords)) for env in range(len(crew.recipes))]
    return tuple(_values(crew, commands))


def set_all(crew: Crew, name: str, values: Any) -> None:
    """Sets an attribute of every sub-environment; see `gymnasium.vector.VectorEnv.set_attr`."""
    count = len(crew.recipes)
    if not isinstance(values, list | tuple):
        values = [values] * count
    if len(values) != count:
        raise ValueError(
            "Values must be a list or tuple with length equal to the number of environments. "
            f"Got `{len(values)}` values for {count} environments."
        )
    _values(crew, [Command("set", env, name=name, arguments=(value,)) for env, value in enumerate(values)])


def _values(crew: Crew, commands: Sequence[Command]) -> list[Any]:
    replies = crew.gather(commands)
    found = []
    for env in sorted(replies):
        reply = replies[env]
        if reply.kind == "raised":
            raise reply.value
        if reply.kind != "value":
            raise SubEnvLost(f"sub-environment {env}: {reply.error}")
        found.append(pickle.loads(reply.value))
    return found
