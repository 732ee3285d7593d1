"""`TaskEnv`: what policies and evaluation use of an environment, whether it plays a live phone or a task graph."""

from __future__ import annotations

from typing import Any, Protocol

from mobile_gym.reward.demonstration import Looked, Spoken
from mobile_gym.task_registry.models import Task


class TaskEnv(Protocol):
    """An environment of one task: `MobileTaskEnv` or `TaskGraphEnv`."""

    @property
    def task(self) -> Task:
        """The task as it is played."""

    @property
    def session(self) -> Spoken:
        """The running session."""

    @property
    def device(self) -> Looked:
        """What shows the screen."""

    def seen(self) -> dict[str, list[str]]:
        """What the verifier found of each subtask at the last check, in words; none where a graph is the verifier."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins an episode, as `gymnasium.Env.reset`."""

    def step(self, action: dict[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """One turn, as `gymnasium.Env.step`."""

    def close(self) -> None:
        """Gives up what the environment holds."""
