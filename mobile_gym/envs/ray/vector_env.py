"""`RayVectorEnv`: phones on Ray as a `gymnasium.vector.VectorEnv`."""

from __future__ import annotations

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
Step = tuple[Any, NDArray[np.float64], Flags, Flags, dict[str, Any]]


class RayVectorEnv(gym.vector.VectorEnv[Any, Any, NDArray[Any]]):
    """Many phones, stepped together, on one machine or on a Ray cluster.

    Observations, infos and the three autoreset modes are those of `gymnasium.vector.SyncVectorEnv`. Several embedded
    phones share an actor, about one actor a core; an emulator or a handset has an actor of its own, which asks the
    cluster for one `android_device`. Frames of actors on this machine are written straight into one batch of memory
    that the processes share; those of other machines come as bytes.

    ## Faults
    When an actor dies, a call hangs, an environment raises or a device fails, the sub-environments that this touches
    end truncated: reward 0, the last good observation again, and what happened in `infos["env_error"]` (under
    `final_info` in the mode SAME_STEP), which is an empty text for all others. They come back fresh at their next
    reset, on a new actor where theirs has gone; what was on its way is never carried out again. Phones that share a
    dead actor share the mark. A sub-environment whose reset fails three times running is put aside: `put_aside` says
    why, its rows stay still (reward 0, neither terminated nor truncated, `env_error` says why), and the others go on.

    Args:
        specs: one entry for each sub-environment: an id, an `EnvSpec`, `(id or EnvSpec, arguments)`, or a function
            without arguments that gives an environment. Different tasks may stand side by side where their spaces are
            the same.
        autoreset_mode: `gymnasium.vector.AutoresetMode`, or its value as text.
        copy: whether observations are copies. Without, their arrays are the shared memory itself, which later calls
            overwrite.
        phones_per_actor: how many phones an actor holds at most; None for about one actor a core, and one emulator or
            handset an actor.
        threads: whether each phone of an actor has a thread of its own, for steps that are mostly waiting; None for
            where several emulators or handsets share an actor.
        address: the address of a Ray cluster, `auto` for one that runs on this machine. None for the session that this
            process has, or else `RAY_ADDRESS`, or else a new session of this machine alone. A session that is begun
            here ends with the last vector environment that uses it.
        num_cpus: cores that each actor asks for. With 0 actors never wait for one.
        actor_resources: what each actor asks for besides, instead of one `android_device` for each emulator or
            handset that it holds.
        pool: what lends devices, `mobile_gym.envs.ray.pool.DevicePool`; the device `pool` of a spec stands for
            whichever it lends.
        start_timeout: seconds within which actors must start.
        step_timeout: seconds after which a call counts as hung.
        close_timeout: seconds for `close` before actors are killed.

    Attributes:
        put_aside: why sub-environments were put aside, by number.

    Raises:
        ActorsNotPlaced: the actors did not start in time; the message says which resource is missing.
        ValueError: the sub-environments have different spaces, or an argument is out of range.
        ImportError: Ray is not installed.
    """

    def __init__(
        self,
        specs: Sequence[Source],
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        phones_per_actor: int | None = None,
        threads: bool | None = None,
        address: str | None = None,
        num_cpus: float = 0.0,
        actor_resources: Mapping[str, float] | None = None,
        pool: Pool | None = None,
        start_timeout: float = 60.0,
        step_timeout: float = 60.0,
        close_timeout: float = 5.0,
    ) -> None:
        if phones_per_actor is not None and phones_per_actor < 1:
            raise ValueError(f"phones_per_actor must be at least 1, not {phones_per_actor}")
        self.closed = True  # until there is something to close
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.copy = copy
        recipes = recipes_of(specs)
        terms = Terms(phones_per_actor, threads, num_cpus, actor_resources, start_timeout, step_timeout, close_timeout)
        self._crew = Crew(recipes, terms, address, pool)
        try:
            observation_space, action_space, metadata, self.render_mode = self._crew.start()
        except BaseException:
            self._crew.close()
            raise
        self.closed = False
        self.num_envs = len(recipes)
        self.metadata = {**metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space
        self.single_action_space = action_space
        self.observation_space = batch_space(observation_space, self.num_envs)
        self.action_space = batch_space(action_space, self.num_envs)
        assert self._crew.batch is not None
        self._seen = LastSeen(observation_space, self._crew.batch)
        self._bank = 0
        self._over: Flags = np.zeros(self.num_envs, np.bool_)
        self._started: Flags = np.zeros(self.num_envs, np.bool_)

    @property
    def put_aside(self) -> dict[int, str]:
        """Why sub-environments were put aside, by number."""
        return dict(self._crew.put_aside)

    # ---- Gymnasium's interface

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets all sub-environments, or those of a mask.

        Args:
            seed: a number (`seed`, `seed + 1`…), a list with one seed or None for each, or None.
            options: for the sub-environments; `reset_mask`, bool[num_envs], is taken out and says which are reset.

        Returns:
            Observations of all, infos of those that were reset.

        Raises:
            NoPhonesLeft: all sub-environments were put aside.
            ValueError: the list of seeds or the mask has another length, or an environment does not know an option.
        """
        self._check_open()
        seeds = seeds_of(seed, self.num_envs)
        options = dict(options) if options is not None else None
        mask = self._mask(options)
        options = options or None
        bank = 1 - self._bank
        envs = [int(env) for env in np.flatnonzero(mask)]
        replies = self._crew.gather([Command("reset", env, bank, seed=seeds[env], options=options) for env in envs])
        for reply in replies.values():
            if reply.kind == "raised":
                raise reply.value
        infos: dict[str, Any] = {}
        for env in envs:
            self._keep(replies[env], env, bank)
            self._over[env] = False
            self._started[env] = True
            infos = self._add_info(infos, _info(replies[env]), env)
        return self._observations(bank), infos

    def step(self, actions: Any) -> Step:
        """Steps all sub-environments.

        Args:
            actions: a batch of the action space, or a list with one action for each sub-environment.

        Returns:
            Observations, rewards float64[num_envs], terminated and truncated bool[num_envs], infos.

        Raises:
            ResetNeeded: `reset` was not called, or in the mode DISABLED not for a sub-environment that is over.
            NoPhonesLeft: all sub-environments were put aside.
        """
        self._check_open()
        self._check_started()
        chosen = actions_of(self.single_action_space, actions, self.num_envs, self.action_space)
        bank = 1 - self._bank
        commands = [
            Command("reset", env, bank) if self._over[env] else Command("step", env, bank, action)
            for env, action in enumerate(chosen)
        ]
        replies = self._crew.gather(commands)
        rewards = np.zeros(self.num_envs, np.float64)
        terminated, truncated = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        for env, reply in replies.items():
            self._keep(reply, env, bank)
            rewards[env], terminated[env] = reply.reward, reply.terminated
            truncated[env] = reply.truncated or reply.kind == "fault"
        over = terminated | truncated
        last: dict[int, dict[str, Any]] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            last = self._start_over(replies, over, bank)
            self._over[:] = False
        else:
            self._over = over
        infos: dict[str, Any] = {}
        for env in range(self.num_envs):
            if env in last:
                infos = self._add_info(infos, last[env], env)
            infos = self._add_info(infos, _info(replies[env]), env)
        return self._observations(bank), rewards, terminated, truncated, infos

    def render(self) -> tuple[Any, ...] | None:
        """The rendered frames of all sub-environments; None without a render mode."""
        return None if self.render_mode is None else self.call("render")

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls a method of every sub-environment, or reads an attribute; results must be picklable.

        Raises:
            SubEnvLost: an actor died meanwhile, or a sub-environment was put aside.
            Exception: what a sub-environment raises.
        """
        self._check_open()
        return call_all(self._crew, name, args, kwargs)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of every sub-environment."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute: a list or tuple gives each sub-environment its own value."""
        self._check_open()
        set_all(self._crew, name, values)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seeds of all sub-environments."""
        return self.get_attr("np_random_seed")

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """Copies of the generators of all sub-environments."""
        return self.get_attr("np_random")

    def close_extras(self, **kwargs: Any) -> None:
        """Closes the sub-environments and ends the actors, within `close_timeout`."""
        self._crew.close()

    def reset_groups(self, size: int, *, seed: int | Sequence[int | None] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts groups of episodes, each from one state: the first of a group is reset, the others fork its phone.

        Sub-environments `0 … size-1` are the first group, and so on. Where a device can't be forked, or an environment
        doesn't know how, each member is reset with the seed of its group instead; `infos["forked"]` tells.

        Args:
            size: episodes in a group; `num_envs` is a multiple of it.
            seed: a number (`seed`, `seed + 1`… by group), a list with one for each group, or None for random ones.

        Raises:
            ValueError: `num_envs` is no multiple of the size, or the list of seeds has another length.
            NoPhonesLeft: all sub-environments were put aside.
        """
        from mobile_gym.envs.ray.groups import start_groups

        self._check_open()
        if size < 1 or self.num_envs % size:
            raise ValueError(f"{self.num_envs} sub-environments do not make groups of {size}")
        bank = 1 - self._bank
        seeds = seeds_of(seed, self.num_envs // size)
        replies, forked = start_groups(self._crew, size, seeds, bank)
        infos: dict[str, Any] = {}
        for env in range(self.num_envs):
            self._keep(replies[env], env, bank)
            infos = self._add_info(infos, {**_info(replies[env]), "forked": env in forked}, env)
        self._over[:] = False
        self._started[:] = True
        return self._observations(bank), infos

    # ---- parts

    def _start_over(self, replies: dict[int, Reply], over: Flags, bank: int) -> dict[int, dict[str, Any]]:
        """Resets what is over in the same step; gives what was seen last, and puts the new replies in place."""
        envs = [int(env) for env in np.flatnonzero(over)]
        if not envs:
            return {}
        last = {env: {"final_obs": self._seen.one(env), "final_info": _info(replies[env])} for env in envs}
        # Written to the other bank, so that the last observation is there as long as the reset is not known to be good.
        fresh = self._crew.gather([Command("reset", env, 1 - bank) for env in envs])
        for env, reply in fresh.items():
            self._keep(reply, env, 1 - bank)
            self._seen.move(env, bank)
            replies[env] = reply
        return last

    def _keep(self, reply: Reply, env: int, bank: int) -> None:
        if reply.kind == "seen":
            self._seen.take(reply)
        else:
            self._seen.move(env, bank)

    def _observations(self, bank: int) -> Any:
        for env in range(self.num_envs):
            self._seen.move(env, bank)
        self._bank = bank
        return self._seen.all_in(bank, self.copy)

    def _mask(self, options: dict[str, Any] | None) -> Flags:
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options.pop("reset_mask")
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"`options['reset_mask']` must be a numpy array of dtype bool, got {mask!r}")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"`options['reset_mask']` must have shape `({self.num_envs},)`, got {mask.shape}")
        if not mask.any():
            raise ValueError("`options['reset_mask']` must contain at least one True value")
        return mask

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the vector environment is closed; make a new one")

    def _check_started(self) -> None:
        if not self._started.all():
            raise ResetNeeded("not all sub-environments were started; call reset() before step()")
        if self.autoreset_mode == AutoresetMode.DISABLED and self._over.any():
            over = ", ".join(str(env) for env in np.flatnonzero(self._over))
            raise ResetNeeded(
                f"the episodes of sub-environments {over} are over; call reset(options={{'reset_mask': …}}) for them"
            )


def _info(reply: Reply) -> dict[str, Any]:
    """The info of a reply; `env_error` is always there."""
    return {**reply.info, "env_error": reply.error}
