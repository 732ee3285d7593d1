"""What can go wrong with a task before or beside the agent's own doing."""

from __future__ import annotations


class SetupError(Exception):
    """A task's start could not be made: the episode did not run, which is no failure of the agent.

    Args:
        task: the task's id.
        where: the asset or field, such as `assets[2].contact`.
        problem: what was wrong and what to do.
    """

    def __init__(self, task: str, where: str, problem: str) -> None:
        super().__init__(f"task {task}, {where}: {problem}")
        self.task = task
        self.where = where
        self.problem = problem


class Unverifiable(SetupError):
    """A device cannot verify a task: it lacks what the task requires. Reported as such, never as failed.

    Args:
        task: the task's id.
        device: the device's serial.
        missing: the capabilities and providers that it lacks.
    """

    def __init__(self, task: str, device: str, missing: tuple[str, ...]) -> None:
        super().__init__(
            task,
            "requires",
            f"{device} cannot verify this task, as it lacks {', '.join(missing)}; run it on a device that has them",
        )
        self.device = device
        self.missing = missing


class DemonstrationError(Exception):
    """A step of a demonstration could not be carried out.

    Args:
        task: the task's id.
        step: which step, from 1; 0 where it is not about one step.
        problem: what it looked for.
        visible: texts that were on the screen.
    """

    def __init__(self, task: str, step: int, problem: str, visible: tuple[str, ...] = ()) -> None:
        shown = f"; on the screen: {' | '.join(visible)}" if visible else ""
        super().__init__(f"task {task}, step {step}: {problem}{shown}")
        self.task = task
        self.step = step
        self.problem = problem
        self.visible = visible


class UserFailed(Exception):
    """The simulated user gave no reply: the episode cannot go on, which is no failure of the agent."""


class JudgementError(Exception):
    """A model that was asked for a verdict gave none that can be read: neither a success nor a failure."""
