"""What a policy is, and what it may tell about its costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from mobile_gym.envs.actions import EncodedAction
from mobile_gym.envs.kinds import TaskEnv
from mobile_gym.envs.task_env import Observation
from mobile_gym.task_registry.models import Task


class PolicyError(Exception):
    """A policy that cannot act: the message says why. The episode counts as not run, not as failed."""


class Policy(Protocol):
    """Who acts in an environment.

    Attributes:
        name: what records and tables call it.
    """

    @property
    def name(self) -> str: ...

    def reset(self, task: Task, info: dict[str, Any], seed: int) -> None:
        """Begins an episode, after the environment's own reset.

        Args:
            task: the task as it is played; an agent uses no more of it than its instruction and app list.
            info: the info that the environment's reset gave.
            seed: the seed of all that the policy draws.
        """

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The next action, as the environment's action space holds it.

        Raises:
            PolicyError: the policy cannot act.
        """


@runtime_checkable
class Privileged(Protocol):
    """A policy that looks behind the screen (demonstrations, random play on visible elements); agents don't."""

    def attach(self, env: TaskEnv) -> None:
        """Gives the environment whose device and session the policy reads; called before `reset`."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one action cost (ElderBench, 4.2.3).

    Attributes:
        reasoning_seconds: time of the model's inference, or None where it was not asked.
        parsing_seconds: time of parsing its answer into an action.
        prompt_tokens: tokens sent, or None where the endpoint does not tell.
        generated_tokens: tokens received, or None.
        cost: money, in the currency of the user's price table, or None where no price is known.
    """

    reasoning_seconds: float | None
    parsing_seconds: float
    prompt_tokens: int | None
    generated_tokens: int | None
    cost: float | None = None


@runtime_checkable
class Metered(Protocol):
    """A policy that tells what its last action cost."""

    def usage(self) -> Usage:
        """The cost of the last `act`."""


@runtime_checkable
class Explained(Protocol):
    """A policy that tells why it did what it did; trajectories keep it."""

    def explanation(self) -> dict[str, Any]:
        """What is worth keeping of the last `act` beside its action: JSON values by name."""


@runtime_checkable
class Stoppable(Protocol):
    """A policy that may come to a point from which no further episode can be played (a spent budget, a refused key)."""

    def stop_reason(self) -> str:
        """Why no further episode can be played; empty while they can."""


@runtime_checkable
class Closable(Protocol):
    """A policy that holds connections."""

    def close(self) -> None:
        """Gives them up; calling it twice is fine."""
