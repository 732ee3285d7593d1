"""`RayAsyncEnv`: phones on Ray, each handed out as soon as its step is done."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mobile_gym.envs.ray.crew import Crew, Pool, Terms
from mobile_gym.envs.ray.messages import Command, Reply
from mobile_gym.envs.ray.recipes import Source, recipes_of
from mobile_gym.envs.ray.views import LastSeen, actions_of, call_all, seeds_of, set_all

Flags = NDArray[np.bool_]
Received = tuple[Any, NDArray[np.float64], Flags, Flags, dict[str, Any]]


class RayAsyncEnv:
    """Many phones, each stepped on its own: `send` actions for some, `recv` whichever are done.

    ```python
    envs = RayAsyncEnv(["MoBench/elder-031"] * 32)
    envs.async_reset(seed=0)
    while training:
        observations, rewards, terminated, truncated, infos = envs.recv(min_envs=8)
        envs.send(policy(observations), infos["env_id"])
    envs.close()
    ```

    Rows are those of `RayVectorEnv` in the mode NEXT_STEP: the action that is sent to a sub-environment whose episode
    is over resets it, and its row has reward 0. Faults are handled in the same way. A sub-environment that is put aside
    comes once more, with the reason in `infos["env_error"]`; actions that are sent to it afterwards are dropped.

    Args:
        specs: see `RayVectorEnv`, as for all others.
        in_flight: how many messages may be on their way to an actor whose phones have no threads. With 2 it works on
            while a reply is read; what is sent meanwhile goes with the next message.

    Attributes:
        num_envs: number of sub-environments.
        single_observation_space: of one.
        single_action_space: of one.
        metadata: of the first one, with the autoreset mode.

    Raises:
        ActorsNotPlaced: the actors did not start in time; the message says which resource is missing.
        ValueError: the sub-environments have different spaces, or an argument is out of range.
        ImportError: Ray is not installed.
    """

    def __init__(
        self,
        specs: Sequence[Source],
        *,
        phones_per_actor: int | None = None,
        threads: bool | None = None,
        address: str | None = None,
        num_cpus: float = 0.0,
        actor_resources: Mapping[str, float] | None = None,
        pool: Pool | None = None,
        start_timeout: float = 60.0,
        step_timeout: float = 60.0,
        close_timeout: float = 5.0,
        in_flight: int = 2,
    ) -> None:
        for name, value in (("phones_per_actor", phones_per_actor), ("in_flight", in_flight)):
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        recipes = recipes_of(specs)
        terms = Terms(
            phones_per_actor, threads, num_cpus, actor_resources, start_timeout, step_timeout, close_timeout, in_flight
        )
        self._crew = Crew(recipes, terms, address, pool)
        try:
            observation_space, action_space, metadata, self.render_mode = self._crew.start()
        except BaseException:
            self._crew.close()
            raise
        self.closed = False
        self.num_envs = len(recipes)
        self.metadata = {**metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space: gym.Space[Any] = observation_space
        self.single_action_space: gym.Space[Any] = action_space
        self.action_space = batch_space(action_space, self.num_envs)
        self.observation_space = batch_space(observation_space, self.num_envs)
        assert self._crew.batch is not None
        self._seen = LastSeen(observation_space, self._crew.batch)
        self._over: Flags = np.zeros(self.num_envs, np.bool_)
        self._started: Flags = np.zeros(self.num_envs, np.bool_)
        self._busy: set[int] = set()
        self._come: deque[Reply] = deque()
        self._spaces = {self.num_envs: self.action_space}

    @property
    def put_aside(self) -> dict[int, str]:
        """Why sub-environments were put aside, by number."""
        return dict(self._crew.put_aside)

    def async_reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
        env_ids: Sequence[int] | NDArray[np.int64] | None = None,
    ) -> None:
        """Begins to reset sub-environments; `recv` brings them.

        Args:
            seed: a number (`seed`, `seed + 1`…), a list with one for each of `env_ids`, or None.
            options: for the sub-environments.
            env_ids: which; None for all.

        Raises:
            RuntimeError: one of them has not been received since something was sent to it.
            NoPhonesLeft: all sub-environments were put aside.
        """
        envs = self._free(range(self.num_envs) if env_ids is None else env_ids)
        seeds = seeds_of(seed, len(envs))
        self._send(
            [
                Command("reset", env, self._other_bank(env), seed=one, options=options)
                for env, one in zip(envs, seeds, strict=True)
                if env not in self._crew.put_aside
            ]
        )

    def send(self, actions: Any, env_ids: Sequence[int] | NDArray[np.int64]) -> None:
        """Sends one action to each of some sub-environments and returns at once.

        Args:
            actions: a batch of that many actions, or a list of them.
            env_ids: whom they are for, in the same order.

        Raises:
            ResetNeeded: one of them was never reset.
            RuntimeError: one of them has not been received since something was sent to it.
            NoPhonesLeft: all sub-environments were put aside.
        """
        envs = self._free(env_ids)
        listed = isinstance(actions, list | tuple)
        chosen = actions_of(self.single_action_space, actions, len(envs), None if listed else self._batched(len(envs)))
        if not all(self._started[env] for env in envs):
            raise ResetNeeded("call async_reset() before send()")
        self._send(
            [
                Command("reset", env, self._other_bank(env))
                if self._over[env]
                else Command("step", env, self._other_bank(env), action)
                for env, action in zip(envs, chosen, strict=True)
                if env not in self._crew.put_aside
            ]
        )

    def recv(self, min_envs: int = 1, max_envs: int | None = None, timeout: float | None = None) -> Received:
        """Waits for sub-environments that are done.

        Args:
            min_envs: for how many to wait; fewer come where fewer are on their way.
            max_envs: how many to bring at most; None for all that are done.
            timeout: seconds to wait at most; then those come that are done.

        Returns:
            Observations, rewards float64[n], terminated and truncated bool[n], infos, whose `env_id` int64[n] says
            whose row it is. Everything belongs to the caller.

        Raises:
            TimeoutError: none was done in time.
            RuntimeError: nothing is on its way.
            ValueError: an environment does not know an option of its reset.
        """
        self._check_open()
        if not self._busy:
            raise RuntimeError("nothing is on its way; call send() or async_reset() first")
        if max_envs is not None and not 1 <= min_envs <= max_envs:
            raise ValueError(f"min_envs must be from 1 to max_envs, not {min_envs} with max_envs={max_envs}")
        end = None if timeout is None else time.monotonic() + timeout
        while len(self._come) < min(min_envs, len(self._busy)):
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                break
            self._come.extend(self._crew.poll(left))
        if not self._come:
            raise TimeoutError(f"no sub-environment was done within {timeout:g} s")
        count = len(self._come) if max_envs is None else min(max_envs, len(self._come))
        return self._rows([self._come.popleft() for _ in range(count)])

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """See `RayVectorEnv.call`; nothing may be on its way meanwhile."""
        self._check_idle()
        return call_all(self._crew, name, args, kwargs)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of every sub-environment."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """See `RayVectorEnv.set_attr`; nothing may be on its way meanwhile."""
        self._check_idle()
        set_all(self._crew, name, values)

    def close(self) -> None:
        """Closes the sub-environments and ends the actors; calling it twice is fine."""
        self.closed = True
        self._crew.close()

    # ---- parts

    def _send(self, commands: list[Command]) -> None:
        self._crew.send(commands)
        self._busy.update(command.env for command in commands)
        for command in commands:
            if command.kind == "reset":
                self._started[command.env] = True

    def _rows(self, replies: list[Reply]) -> Received:
        wrong = next((reply for reply in replies if reply.kind == "raised"), None)
        if wrong is not None:
            # The others are not lost with it.
            self._come.extendleft(reply for reply in reversed(replies) if reply is not wrong)
            self._busy.discard(wrong.env)
            raise wrong.value
        for reply in replies:
            self._busy.discard(reply.env)
        envs = [reply.env for reply in replies]
        rewards = np.array([reply.reward for reply in replies], np.float64)
        terminated = np.array([reply.terminated for reply in replies], np.bool_)
        truncated = np.array([reply.truncated or reply.kind == "fault" for reply in replies], np.bool_)
        adder = _InfoAdder(len(replies))
        infos: dict[str, Any] = {}
        for row, reply in enumerate(replies):
            if reply.kind == "seen":
                self._seen.take(reply)
            self._over[reply.env] = terminated[row] or truncated[row]
            infos = adder._add_info(infos, {**reply.info, "env_error": reply.error}, row)
        infos["env_id"] = np.array(envs, np.int64)
        return self._seen.some(envs), rewards, terminated, truncated, infos

    def _batched(self, count: int) -> gym.Space[Any]:
        if count not in self._spaces:
            self._spaces[count] = batch_space(self.single_action_space, count)
        return self._spaces[count]

    def _free(self, env_ids: Any) -> list[int]:
        self._check_open()
        envs = [int(env) for env in env_ids]
        if len(set(envs)) != len(envs) or not all(0 <= env < self.num_envs for env in envs):
            raise ValueError(f"env_ids must be different numbers from 0 to {self.num_envs - 1}, not {envs}")
        busy = [env for env in envs if env in self._busy]
        if busy:
            raise RuntimeError(f"sub-environments {busy} are still at work; recv() them first")
        return envs

    def _other_bank(self, env: int) -> int:
        return 1 - int(self._seen.bank[env])

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed; make a new one")

    def _check_idle(self) -> None:
        self._check_open()
        if self._busy:
            raise RuntimeError(f"{len(self._busy)} sub-environments are still at work; recv() them first")


class _InfoAdder(gym.vector.VectorEnv[Any, Any, NDArray[Any]]):
    """Gymnasium's rule for infos of a vector, for as many rows as there are."""

    def __init__(self, count: int) -> None:
        self.num_envs = count
        self.closed = True
