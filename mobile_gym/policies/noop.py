"""The policy that does nothing: it claims at once that the task is done."""

from __future__ import annotations

from typing import Any

from mobile_gym.envs.actions import Action, EncodedAction
from mobile_gym.envs.task_env import Observation
from mobile_gym.task_registry.models import Task


class NoopPolicy:
    """Finishes in the first turn, so it succeeds only where a task is solved before anybody acts.

    It does not wait for the budget to end: not every protocol has a `wait`, and without a finish most protocols call
    nothing a success.
    """

    name = "noop"

    def reset(self, task: Task, info: dict[str, Any], seed: int) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """Finish."""
        return Action.finish().encode()
