"""What goes to a worker and what comes back. Plain data: it is pickled once for each actor, not once for each phone."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

Arrays = list[NDArray[Any]]


class Command(NamedTuple):
    """One thing for one sub-environment to do. A tuple, as it is pickled for every step and those are quick.

    Attributes:
        kind: what.
        env: number of the sub-environment.
        bank: which half of the shared batch the observation goes to.
        action: for `step`.
        seed: for `reset`.
        options: for `reset`.
        fresh: for `reset`: whether the environment is closed and made anew first.
        state: for `reset`: a pickled episode to go on from, instead of the task's start.
        name: for `call` and `set`: the attribute.
        arguments: for `call`: positional and keyword arguments; for `set`: the value.
    """

    kind: Literal["reset", "step", "call", "set"]
    env: int
    bank: int = 0
    action: Any = None
    seed: int | None = None
    options: dict[str, Any] | None = None
    fresh: bool = False
    state: bytes | None = None
    name: str = ""
    arguments: tuple[Any, ...] = ()


@dataclass(slots=True)
class Reply:
    """What came of a command.

    Attributes:
        env: number of the sub-environment.
        kind: `seen` brings an observation, `value` what a call gave, `raised` the caller's own mistake, `fault` a step
            that failed, `failed` a reset that failed, `aside` a sub-environment that was put aside.
        bank: which half of the shared batch the observation is in.
        arrays: the observation's arrays; None where they were written to the shared batch.
        plain: the observation's other parts.
        reward: of the step.
        terminated: of the step.
        truncated: of the step.
        info: of the step or reset.
        error: what went wrong; empty where nothing did.
        value: for `value`: pickled bytes; for `raised`: the exception.
    """

    env: int
    kind: Literal["seen", "value", "raised", "fault", "failed", "aside"]
    bank: int = 0
    arrays: Arrays | None = None
    plain: list[Any] = field(default_factory=list)
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    info: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    value: Any = None


_UNPICKLABLE = (pickle.PicklingError, TypeError, AttributeError, RecursionError, ValueError)


def pack(replies: Sequence[Reply]) -> bytes:
    """Replies as bytes; one that cannot be sent becomes the fault of its own sub-environment alone."""
    try:
        return pickle.dumps(list(replies), protocol=5)
    except _UNPICKLABLE:
        return pickle.dumps([_sendable(reply) for reply in replies], protocol=5)


def unpack(data: bytes) -> list[Reply]:
    """The replies that `pack` made bytes of."""
    return cast("list[Reply]", pickle.loads(data))


def pack_commands(commands: Sequence[Command]) -> bytes:
    """Commands as bytes; raises the pickler's error where an action or an argument cannot be sent."""
    return pickle.dumps(list(commands), protocol=5)


def unpack_commands(data: bytes) -> list[Command]:
    """The commands that `pack_commands` made bytes of."""
    return cast("list[Command]", pickle.loads(data))


def _sendable(reply: Reply) -> Reply:
    try:
        pickle.dumps(reply, protocol=5)
    except _UNPICKLABLE as problem:
        what = f"what the environment gave cannot be sent between processes: {problem}"
        if reply.kind == "raised":
            return Reply(reply.env, "raised", value=RuntimeError(f"{type(reply.value).__name__}: {reply.value}"))
        return Reply(reply.env, "fault" if reply.kind == "seen" else reply.kind, reply.bank, error=what)
    return reply


def as_float(value: Any) -> float:
    """A reward as a float, whatever number it came as."""
    return float(np.asarray(value).item()) if not isinstance(value, int | float) else float(value)
