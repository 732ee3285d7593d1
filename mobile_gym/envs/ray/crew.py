"""`Crew`: the actors that hold the sub-environments; sends commands, brings replies, and replaces who dies or hangs."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import gymnasium as gym
from ray.exceptions import GetTimeoutError, RayError, RayTaskError

from mobile_gym.envs.ray import actors, cluster
from mobile_gym.envs.ray.batches import SharedBatch, array_spaces
from mobile_gym.envs.ray.cluster import ray
from mobile_gym.envs.ray.errors import ActorsNotPlaced, NoPhonesLeft, SubEnvLost
from mobile_gym.envs.ray.messages import Command, Reply, pack_commands, unpack
from mobile_gym.envs.ray.recipes import POOL, Recipe
from mobile_gym.envs.ray.worker import Description, told

RESET_ATTEMPTS = 3
_TICK = 0.2
"""Seconds between two looks for calls that hang."""


class Pool(Protocol):
    """What lends devices; see `mobile_gym.envs.ray.pool.DevicePool`."""

    def lease(self, owner: Any, timeout: float) -> str:
        """Lends a device."""

    def give_back(self, spec: str) -> None:
        """Ends a lease."""

    def report_failure(self, spec: str, reason: str) -> bool:
        """Says that a reset failed; tells whether the device is put aside now."""

    def report_success(self, spec: str) -> None:
        """Says that a reset was right."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a crew works; see `RayVectorEnv` for what each means."""

    phones_per_actor: int | None = None
    threads: bool | None = None
    num_cpus: float = 0.0
    actor_resources: Mapping[str, float] | None = None
    start_timeout: float = 60.0
    step_timeout: float = 60.0
    close_timeout: float = 5.0
    in_flight: int = 1
    """How many messages may be on their way to an actor; with more than one it works on while a reply is read."""


@dataclass(eq=False, slots=True)
class _Member:
    """One actor.

    Attributes:
        envs: numbers of its sub-environments.
        threads: whether each has a thread of its own.
        resources: what the actor asks for.
        actor: Ray's handle.
        up: whether it has answered since it was hired.
        near: whether it writes to the shared batch; None as long as that is not known.
        outstanding: commands that were sent and not answered, by sub-environment.
        sent: when each of them was sent.
        waiting: packed commands that go with the next message.
        since: when it was last known to get on.
        progress: how many commands it had ended then.
    """

    envs: tuple[int, ...]
    threads: bool
    resources: dict[str, float]
    actor: Any = None
    up: bool = False
    near: bool | None = None
    outstanding: dict[int, Command] = field(default_factory=dict)
    sent: dict[int, float] = field(default_factory=dict)
    waiting: list[bytes] = field(default_factory=list)
    since: float = 0.0
    progress: int = 0


class Crew:
    """The actors of a vector environment.

    Args:
        recipes: how each sub-environment is made.
        terms: how to work.
        address: of the Ray cluster.
        pool: what lends devices where a recipe's device is `pool`.

    Attributes:
        recipes: as given.
        batch: the shared batch; there once `start` has been called.
        put_aside: why sub-environments were put aside, by number.
    """

    def __init__(self, recipes: Sequence[Recipe], terms: Terms, address: str | None, pool: Pool | None) -> None:
        self.recipes = list(recipes)
        self.put_aside: dict[int, str] = {}
        self.batch: SharedBatch | None = None
        self._terms = terms
        self._pool = pool
        self._name = f"sub-environments {id(self):x}"
        self._leased: dict[int, str] = {}
        self._failures = dict.fromkeys(range(len(recipes)), 0)
        self._lost: dict[int, str] = {}
        self._ready: list[Reply] = []
        self._calls: dict[Any, _Member] = {}
        self._closed = False
        if pool is None and any(recipe.device == POOL for recipe in recipes):
            raise ValueError(f'a sub-environment has the device "{POOL}", but no pool was given; pass pool=…')
        self._session = cluster.Lease(address, sum(recipe.slow for recipe in recipes))
        self._members = self._plan()
        self._member_of = {env: member for member in self._members for env in member.envs}

    def _plan(self) -> list[_Member]:
        """Who goes with whom: embedded phones evenly over the actors, an emulator or handset alone."""
        terms = self._terms
        slow = [env for env, recipe in enumerate(self.recipes) if recipe.slow]
        quick = [env for env, recipe in enumerate(self.recipes) if not recipe.slow]
        members = []
        if quick:
            limit = terms.phones_per_actor
            count = math.ceil(len(quick) / limit) if limit else min(len(quick), cluster.cores())
            size, more = divmod(len(quick), count)
            first = 0
            for number in range(count):
                last = first + size + (number < more)
                members.append(
                    _Member(tuple(quick[first:last]), bool(terms.threads), dict(terms.actor_resources or {}))
                )
                first = last
        size = terms.phones_per_actor or 1
        for first in range(0, len(slow), size):
            envs = tuple(slow[first : first + size])
            asked = terms.actor_resources
            resources = dict(asked) if asked is not None else {cluster.DEVICE_RESOURCE: float(len(envs))}
            threads = len(envs) > 1 if terms.threads is None else terms.threads
            members.append(_Member(envs, threads, resources))
        return members

    # ---- start and end

    def start(self) -> tuple[gym.Space[Any], gym.Space[Any], dict[str, Any], str | None]:
        """Starts the actors and makes the sub-environments.

        Returns:
            Observation and action space of a single sub-environment, the first one's metadata and render mode.

        Raises:
            ActorsNotPlaced: not all actors started in time.
            ValueError: the sub-environments have different spaces.
            Exception: whatever making a sub-environment raises.
        """
        terms = self._terms
        for member in self._members:
            self._hire(member)
        lives = {member.actor.ready.remote(): member for member in self._members}
        _, waiting = ray.wait(list(lives), num_returns=len(lives), timeout=terms.start_timeout)
        if waiting:
            asked = {"CPU": terms.num_cpus, **lives[waiting[0]].resources}
            resources = {name: amount for name, amount in asked.items() if amount}
            raise ActorsNotPlaced(cluster.lack(len(waiting), len(lives), resources, terms.start_timeout))
        told_by = self._ask_all("describe")
        spaces, metadata, render_mode = self._agreed(told_by)
        self.batch = SharedBatch.create(array_spaces(spaces[0]), len(self.recipes))
        for member, near in self._ask_all("attach", self.batch.handle).items():
            member.near, member.up = near, True
        return (*spaces, metadata, render_mode)

    def _ask_all(self, method: str, *arguments: Any) -> dict[_Member, Any]:
        calls = {member: getattr(member.actor, method).remote(*arguments) for member in self._members}
        limit = self._terms.start_timeout + self._terms.step_timeout
        found = {}
        for member, call in calls.items():
            names = ", ".join(sorted({self.recipes[env].name for env in member.envs}))
            try:
                found[member] = ray.get(call, timeout=limit)
            except RayTaskError as failure:
                raise failure.cause from None
            except GetTimeoutError:
                raise TimeoutError(f"{names} could not be made within {limit:g} s") from None
            except RayError as death:
                raise SubEnvLost(f"{names} could not be made: the actor died: {death}") from None
        return found

    def _agreed(
        self, found: Mapping[_Member, Description]
    ) -> tuple[tuple[gym.Space[Any], gym.Space[Any]], dict[str, Any], str | None]:
        first = found[self._member_of[0]]
        wanted = first.kinds[first.kind_of[0]]
        for member, description in found.items():
            for env in member.envs:
                pair = description.kinds[description.kind_of[env]]
                for what, one, other in zip(("observation", "action"), wanted, pair, strict=True):
                    if one != other:
                        raise ValueError(
                            f"sub-environments side by side need the same {what} space: number 0 "
                            f"({self.recipes[0].name}) has {one}, number {env} ({self.recipes[env].name}) has {other}. "
                            "Give all of them the same observation_size and hierarchy"
                        )
        return wanted, first.metadata, first.render_mode

    def close(self) -> None:
        """Closes the sub-environments, ends the actors, gives devices back; calling it twice is fine."""
        if self._closed:
            return
        self._closed = True
        if ray.is_initialized():
            hired = [member.actor for member in self._members if member.actor is not None]
            ends = [actor.close.remote() for actor in hired]
            if ends:
                ray.wait(ends, num_returns=len(ends), timeout=self._terms.close_timeout)
            for actor in hired:
                ray.kill(actor)
            for spec in self._leased.values():
                assert self._pool is not None
                self._pool.give_back(spec)
        self._leased.clear()
        self._calls.clear()
        if self.batch is not None:
            self.batch.close()
        self._session.release()

    # ---- commands and replies

    def send(self, commands: Sequence[Command]) -> None:
        """Sends commands, at most one for a sub-environment that has not answered yet.

        Raises:
            NoPhonesLeft: all sub-environments were put aside.
            TypeError: an action cannot be sent.
        """
        if len(self.put_aside) == len(self.recipes):
            raise NoPhonesLeft(self._why_none())
        parcels: dict[int, list[Command]] = {}
        for command in commands:
            env = command.env
            if env in self.put_aside:
                self._ready.append(Reply(env, "aside", command.bank, error=self.put_aside[env]))
                continue
            lost = self._lost.pop(env, None)
            if lost is not None and command.kind == "step":
                self._ready.append(Reply(env, "fault", command.bank, error=lost))
                continue
            parcels.setdefault(id(self._member_of[env]), []).append(command)
        for parcel in parcels.values():
            self._dispatch(self._member_of[parcel[0].env], parcel)

    def poll(self, seconds: float | None) -> list[Reply]:
        """Replies as they come: waits for the first one and brings all that there are.

        Args:
            seconds: how long to wait at most; None for as long as any call may take.

        Returns:
            Replies; none where nothing was sent, or nothing came in time.
        """
        end = math.inf if seconds is None else time.monotonic() + seconds
        while not self._ready and self._calls:
            left = end - time.monotonic()
            come, _ = ray.wait(list(self._calls), num_returns=1, timeout=max(0.0, min(left, _TICK)))
            if come and len(self._calls) > 1:
                come, _ = ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
            for call in come:
                self._receive(call)
            self._end_what_hangs()
            if left <= 0:
                break
        found, self._ready = self._ready, []
        return found

    def gather(self, commands: Sequence[Command]) -> dict[int, Reply]:
        """Sends commands and waits for all replies, by sub-environment."""
        self.send(commands)
        found: dict[int, Reply] = {}
        while len(found) < len(commands):
            for reply in self.poll(None):
                found[reply.env] = reply
        return found

    def _why_none(self) -> str:
        reasons = "; ".join(f"{env} ({self.recipes[env].name}): {why}" for env, why in sorted(self.put_aside.items()))
        return f"all {len(self.recipes)} sub-environments were put aside: {reasons}"

    def _dispatch(self, member: _Member, commands: Sequence[Command]) -> None:
        now = time.monotonic()
        if not member.outstanding:
            member.since = now
        size = math.ceil(len(member.envs) / self._terms.in_flight)
        parts = [commands[first : first + size] for first in range(0, len(commands), size)]
        member.waiting += [pack_commands(part) for part in parts]
        for command in commands:
            member.outstanding[command.env] = command
            member.sent[command.env] = now
        self._pump(member)

    def _pump(self, member: _Member) -> None:
        """Sends what waits, as far as the actor has room. What came meanwhile goes as one message: a message costs
        about as much as a third of a step."""
        flying = sum(whose is member for whose in self._calls.values())
        if member.threads:
            if member.waiting:
                member.actor.submit.remote(member.waiting)
            member.waiting = []
            if member.outstanding and not flying:
                self._calls[member.actor.collect.remote()] = member
            return
        while member.waiting and flying < self._terms.in_flight:
            flying += 1
            # Nothing is on its way: begin with a part, so that the rest follows while it is read.
            count = 1 if flying < self._terms.in_flight else len(member.waiting)
            self._calls[member.actor.run.remote(member.waiting[:count])] = member
            member.waiting = member.waiting[count:]

    def _receive(self, call: Any) -> None:
        member = self._calls.pop(call, None)
        if member is None:
            return
        try:
            replies = unpack(ray.get(call))
        except RayTaskError as failure:
            self._bury(member, f"its worker failed: {told(failure.cause)}")
            return
        except RayError as death:
            self._bury(member, f"its actor died: {told(death)}")
            return
        member.up, member.since = True, time.monotonic()
        for reply in replies:
            command = member.outstanding.pop(reply.env, None)
            if command is None:
                continue
            if reply.kind == "seen":
                member.near = reply.arrays is None
            if reply.kind == "failed":
                self._try_again(member, command, reply.error)
            else:
                if reply.kind == "seen" and command.kind == "reset":
                    self._reset_was_right(reply.env)
                self._ready.append(reply)
        self._pump(member)

    # ---- faults

    def _hire(self, member: _Member) -> None:
        recipes = {}
        for env in member.envs:
            recipe = self.recipes[env]
            if recipe.device == POOL and env not in self.put_aside:
                assert self._pool is not None
                if env not in self._leased:
                    self._leased[env] = self._pool.lease(f"{self._name}/{env}", self._terms.start_timeout)
                recipe = recipe.on_device(self._leased[env])
            recipes[env] = recipe
        handle = None if self.batch is None else self.batch.handle
        member.actor = actors.hire(recipes, member.threads, handle, self._terms.num_cpus, member.resources)
        member.up, member.near = False, None
        member.since, member.progress = time.monotonic(), 0

    def _bury(self, member: _Member, reason: str) -> None:
        """Replaces an actor that died or was given up. What it had not answered is never carried out again."""
        ray.kill(member.actor)
        for call in [call for call, whose in self._calls.items() if whose is member]:
            del self._calls[call]
        outstanding, member.outstanding, member.waiting = member.outstanding, {}, []
        guilty = self._at_work(member, outstanding)
        if self.batch is not None:
            for env in member.envs:
                self.batch.started[env] = self.batch.done[env] = 0
        for env in member.envs:
            if env not in self.put_aside:
                self._lost[env] = reason
        self._hire(member)
        for env, command in outstanding.items():
            if command.kind == "step":
                self._lost.pop(env, None)
                self._ready.append(Reply(env, "fault", command.bank, error=reason))
            elif command.kind != "reset":
                self._ready.append(Reply(env, "raised", value=SubEnvLost(f"sub-environment {env}: {reason}")))
            elif env in guilty:
                self._try_again(member, command, reason)
            else:
                self._lost.pop(env, None)
                self._dispatch(member, [command])

    def _at_work(self, member: _Member, outstanding: Mapping[int, Command]) -> set[int]:
        """The sub-environments that the actor was busy with when it ended; all, where that cannot be known."""
        if self.batch is None or not member.near:
            return set(outstanding)
        return {env for env in outstanding if self.batch.started[env] > self.batch.done[env]} or set(outstanding)

    def _try_again(self, member: _Member, command: Command, reason: str) -> None:
        """A reset failed: once more with everything new, or the sub-environment is put aside."""
        env = command.env
        self._lost.pop(env, None)
        self._failures[env] += 1
        aside = self._failures[env] >= RESET_ATTEMPTS
        leased = self._leased.get(env)
        if leased is not None and self._pool is not None:
            aside = self._pool.report_failure(leased, reason)
            if aside:
                # The pool has put the device aside; the sub-environment goes on with another one if there is one.
                del self._leased[env]
                try:
                    self._leased[env] = self._pool.lease(f"{self._name}/{env}", self._terms.start_timeout)
                except RuntimeError as nothing:
                    reason = f"{reason}; no other device: {nothing}"
                else:
                    aside = False
                    self._bury(member, f"its device {leased} was put aside: {reason}")
        if not aside:
            self._dispatch(member, [command._replace(fresh=True)])
            return
        self.put_aside[env] = f"put aside after {self._failures[env]} resets that failed: {reason}"
        self._ready.append(Reply(env, "aside", command.bank, error=self.put_aside[env]))

    def _reset_was_right(self, env: int) -> None:
        self._failures[env] = 0
        if env in self._leased and self._pool is not None:
            self._pool.report_success(self._leased[env])

    def _end_what_hangs(self) -> None:
        now = time.monotonic()
        for member in self._members:
            if not member.outstanding:
                continue
            limit = self._terms.step_timeout
            if member.threads:
                since = min(member.sent[env] for env in member.outstanding)
            else:
                since = self._last_progress(member, now)
                if not member.near:
                    limit *= len(member.outstanding)
            if member.up:
                if now - since > limit:
                    self._bury(member, f"no answer within {limit:g} s; its actor was killed and replaced")
            elif now - since > limit + self._terms.start_timeout:
                asked = {"CPU": self._terms.num_cpus, **member.resources}
                resources = {name: amount for name, amount in asked.items() if amount}
                self._bury(member, cluster.lack(1, 1, resources, limit + self._terms.start_timeout))

    def _last_progress(self, member: _Member, now: float) -> float:
        if self.batch is not None:
            done = int(self.batch.done[list(member.envs)].sum())
            if done != member.progress:
                member.progress, member.since = done, now
        return member.since
