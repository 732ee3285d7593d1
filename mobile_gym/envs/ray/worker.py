"""`PhoneWorker`: the sub-environments of one process. Knows nothing of Ray."""

from __future__ import annotations

import contextlib
import pickle
import queue
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

from mobile_gym.envs.ray.batches import BatchHandle, SharedBatch, split
from mobile_gym.envs.ray.messages import Command, Reply, as_float
from mobile_gym.envs.ray.recipes import Recipe

_JOIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Description:
    """What a worker tells of its sub-environments.

    Attributes:
        kinds: the different pairs of observation and action space.
        kind_of: for each sub-environment the place of its pair in `kinds`.
        metadata: of the first one.
        render_mode: of the first one.
    """

    kinds: tuple[tuple[gym.Space[Any], gym.Space[Any]], ...]
    kind_of: Mapping[int, int]
    metadata: dict[str, Any]
    render_mode: str | None


class _Episodes:
    """Reads saved episodes; members of a group in one process share what the last one was read to."""

    def __init__(self) -> None:
        self._last: tuple[bytes, Any] | None = None
        self._guard = threading.Lock()

    def load(self, data: bytes) -> Any:
        with self._guard:
            if self._last is None or self._last[0] != data:
                self._last = (data, pickle.loads(data))
            return self._last[1]


class SubEnv:
    """One sub-environment: made when first needed, made anew after a fault."""

    def __init__(self, number: int, recipe: Recipe, episodes: _Episodes) -> None:
        self.number = number
        self._episodes = episodes
        self.recipe = recipe
        self.batch: SharedBatch | None = None
        self._env: gym.Env[Any, Any] | None = None

    @property
    def env(self) -> gym.Env[Any, Any]:
        """The environment."""
        if self._env is None:
            self._env = self.recipe.make()
        return self._env

    def run(self, command: Command) -> Reply:
        """Does what a command says. What the environment raises comes back as a reply."""
        batch = self.batch
        if batch is not None:
            batch.started[self.number] += 1
        try:
            if command.kind == "step":
                return self._step(command)
            if command.kind == "reset":
                return self._reset(command)
            return self._call(command)
        finally:
            if batch is not None:
                batch.done[self.number] += 1

    def close(self) -> None:
        """Closes the environment; what it raises then is of no use to anybody."""
        env, self._env = self._env, None
        if env is None:
            return
        with contextlib.suppress(Exception):  # it is thrown away, and a broken one may fail in any way
            env.close()

    def _step(self, command: Command) -> Reply:
        try:
            observation, reward, terminated, truncated, info = self.env.step(command.action)
            reply = self._seen(command, observation, info)
            reply.reward = as_float(reward)
        except Exception as error:  # noqa: BLE001 - whatever it raises ends this episode and no other
            self.close()
            return Reply(self.number, "fault", command.bank, error=told(error))
        reply.terminated, reply.truncated = bool(terminated), bool(truncated)
        if reply.truncated:
            reply.error = str(info.get("device_error", ""))
        return reply

    def _reset(self, command: Command) -> Reply:
        if command.fresh:
            self.close()
        try:
            options = command.options if command.state is None else {"episode": self._episodes.load(command.state)}
            observation, info = self.env.reset(seed=command.seed, options=options)
            return self._seen(command, observation, info)
        except Exception as error:  # noqa: BLE001 - whatever it raises is tried again, and then reported
            if command.options and isinstance(error, ValueError | TypeError):
                return Reply(self.number, "raised", value=error)
            return Reply(self.number, "failed", command.bank, error=told(error))

    def _call(self, command: Command) -> Reply:
        try:
            if command.kind == "set":
                self.env.set_wrapper_attr(command.name, command.arguments[0])
                return Reply(self.number, "value", value=pickle.dumps(None))
            found = self.env.get_wrapper_attr(command.name)
            if callable(found):
                positional, keywords = command.arguments
                found = found(*positional, **keywords)
        except Exception as error:  # noqa: BLE001 - it is the caller's
            error.add_note(f"raised by sub-environment {self.number} ({self.recipe.name})")
            return Reply(self.number, "raised", value=error)
        try:
            return Reply(self.number, "value", value=pickle.dumps(found, protocol=5))
        except (pickle.PicklingError, TypeError, AttributeError) as problem:
            what = f"{command.name!r} of sub-environment {self.number} is a {type(found).__name__} and cannot be sent "
            return Reply(self.number, "raised", value=TypeError(f"{what}between processes: {problem}"))

    def _seen(self, command: Command, observation: Any, info: dict[str, Any]) -> Reply:
        arrays, plain = split(self.env.observation_space, observation)
        if self.batch is None:
            return Reply(self.number, "seen", command.bank, arrays, plain, info=info)
        for target, array in zip(self.batch.banks[command.bank], arrays, strict=True):
            target[self.number] = array
        return Reply(self.number, "seen", command.bank, None, plain, info=info)


class PhoneWorker:
    """Sub-environments of one process, stepped one after the other or, where steps are mostly waiting, each by a
    thread of its own.

    Args:
        recipes: how each sub-environment is made, by its number.
        threads: whether each sub-environment has a thread of its own. That thread makes, steps and closes it.
    """

    def __init__(self, recipes: Mapping[int, Recipe], threads: bool = False) -> None:
        episodes = _Episodes()
        self._subs = {number: SubEnv(number, recipe, episodes) for number, recipe in recipes.items()}
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._owners = {number: _Owner(sub, self._replies) for number, sub in self._subs.items()} if threads else {}

    def describe(self) -> Description:
        """Makes the sub-environments and tells what they are.

        Raises:
            Exception: whatever making one raises.
        """
        kinds: list[tuple[gym.Space[Any], gym.Space[Any]]] = []
        kind_of = {}
        for number, sub in self._subs.items():
            env = self._owners[number].ask(lambda sub=sub: sub.env) if self._owners else sub.env
            pair = (env.observation_space, env.action_space)
            if pair not in kinds:
                kinds.append(pair)
            kind_of[number] = kinds.index(pair)
        first = next(iter(self._subs.values())).env
        return Description(tuple(kinds), kind_of, dict(first.metadata), first.render_mode)

    def attach(self, handle: BatchHandle) -> bool:
        """Writes observations to a shared batch from now on; tells whether it can be reached from here."""
        batch = SharedBatch.attach(handle)
        for sub in self._subs.values():
            sub.batch = batch
        return batch is not None

    def run(self, commands: Sequence[Command]) -> list[Reply]:
        """Does commands in order."""
        return [self._subs[command.env].run(command) for command in commands]

    def submit(self, commands: Sequence[Command]) -> None:
        """Hands commands to the threads of their sub-environments."""
        for command in commands:
            self._owners[command.env].put(command)

    def collect(self, seconds: float) -> list[Reply]:
        """Replies to submitted commands: waits for the first one, some seconds at most, and brings all."""
        found: list[Reply] = []
        try:
            found.append(self._replies.get(timeout=seconds))
            while True:
                found.append(self._replies.get_nowait())
        except queue.Empty:
            return found

    def close(self) -> None:
        """Closes all sub-environments, each in its own thread where it has one."""
        for owner in self._owners.values():
            owner.stop()
        for owner in self._owners.values():
            owner.join()
        if not self._owners:
            for sub in self._subs.values():
                sub.close()


class _Owner:
    """The thread that owns one sub-environment."""

    def __init__(self, sub: SubEnv, replies: queue.SimpleQueue[Reply]) -> None:
        self._sub = sub
        self._replies = replies
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=f"sub-environment {sub.number}", daemon=True)
        self._thread.start()

    def put(self, command: Command) -> None:
        self._inbox.put(command)

    def ask(self, question: Any) -> Any:
        """Runs a function in the thread; gives what it gives or raises what it raises."""
        answer: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._inbox.put((question, answer))
        value, error = answer.get()
        if error is not None:
            raise error
        return value

    def stop(self) -> None:
        self._inbox.put(None)

    def join(self) -> None:
        self._thread.join(_JOIN_SECONDS)

    def _work(self) -> None:
        while (item := self._inbox.get()) is not None:
            if isinstance(item, Command):
                self._replies.put(self._sub.run(item))
                continue
            question, answer = item
            try:
                answer.put((question(), None))
            except Exception as error:  # noqa: BLE001 - handed to whoever asked
                answer.put((None, error))
        self._sub.close()


def told(error: BaseException) -> str:
    """An exception in one line: its kind and its words."""
    words = str(error).strip()
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
