"""The policy that follows a task's own demonstration, through the same door as any agent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mobile_gym.envs.actions import Action, EncodedAction
from mobile_gym.envs.kinds import TaskEnv
from mobile_gym.envs.task_env import Observation
from mobile_gym.policies.base import PolicyError
from mobile_gym.reward.demonstration import DemonstrationRunner, PrimitiveAction
from mobile_gym.task_registry.models import Task


class DemonstrationPolicy:
    """Turns each step into primitive actions by looking at the screen, and finishes when there are no more.

    Args:
        number: which of the task's demonstrations, from 0.
    """

    name = "demonstration"

    def __init__(self, number: int = 0) -> None:
        if number < 0:
            raise ValueError(f"demonstrations are counted from 0, not {number}")
        self._number = number
        self._env: TaskEnv | None = None
        self._actions: Iterator[PrimitiveAction] = iter(())

    def attach(self, env: TaskEnv) -> None:
        """Takes the environment whose screen it reads."""
        self._env = env

    def reset(self, task: Task, info: dict[str, Any], seed: int) -> None:
        """Begins the demonstration.

        Raises:
            PolicyError: the task has no demonstration of this number, or `attach` was not called.
        """
        if self._env is None:
            raise PolicyError("the demonstration policy reads the screen; call attach(env) before an episode")
        if self._number >= len(task.demonstrations):
            raise PolicyError(
                f"task {task.id} has {len(task.demonstrations)} demonstrations; there is no number {self._number}"
            )
        runner = DemonstrationRunner(self._env.device, self._env.session)
        self._actions = runner.steps(task.demonstrations[self._number])

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The next action.

        Raises:
            DemonstrationError: a step does not match the screen.
        """
        action = next(self._actions, None)
        if action is None:
            return Action.finish().encode()
        return encode(action)


def encode(action: PrimitiveAction) -> EncodedAction:
    """A demonstration's action as the environment takes it."""
    return Action.decode(
        {
            "action_type": action.kind,
            "touch_point": action.point or (0, 0),
            "lift_point": action.lift or (0, 0),
            "text": action.text,
        }
    ).encode()
