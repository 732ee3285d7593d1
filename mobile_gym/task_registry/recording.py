"""Recording trajectories of a task on a device: screenshot, hierarchy and action, step by step (ElderBench, H.1)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace

from PIL import Image

from mobile_gym.devices.base import Capability, Device
from mobile_gym.reward.criteria import judge
from mobile_gym.reward.demonstration import DemonstrationRunner, PrimitiveAction, perform
from mobile_gym.reward.errors import DemonstrationError
from mobile_gym.reward.graph.recordings import RecordedStep, Recording
from mobile_gym.reward.session import TaskSession
from mobile_gym.task_registry.models import Task

CLAIMS = ("finish", "answer")
ENDS = (*CLAIMS, "finish_infeasible")


class Recorder:
    """Records one trajectory of a session that is set up.

    Args:
        session: the session; its device is looked at.
        source: who acts, such as `demonstrations[0]` or `person`.
        verified: whether the task's criteria are checked after each step; without, whoever acts says whether the end
            is right.
    """

    def __init__(self, session: TaskSession, source: str, verified: bool = True) -> None:
        self._session = session
        self._source = source
        self._verified = verified
        self._steps: list[RecordedStep] = []
        self._claimed = False
        self._clean = False

    @property
    def steps(self) -> int:
        """How many steps are recorded."""
        return len(self._steps)

    def before(self, action: PrimitiveAction | None) -> None:
        """Records what is to be seen now and what is about to be done; None where nothing more is done.

        Raises:
            DeviceError: the device cannot be looked at.
        """
        device = self._session.device
        met: frozenset[str] | None = None
        if self._verified:
            answer = action.text if action is not None and action.kind in CLAIMS and action.text else None
            verdict = self._session.check(answer)
            met = _held(self._session)
            self._clean = verdict.clean
        front = device.foreground()
        frame = device.screenshot()
        out = io.BytesIO()
        Image.fromarray(frame).save(out, "PNG", compress_level=3)
        self._steps.append(
            RecordedStep(
                picture=out.getvalue(),
                tree=device.hierarchy(),
                activity=f"{front.package}/{front.name}",
                size=(frame.shape[1], frame.shape[0]),
                now=device.clock.now() if Capability.CLOCK in device.capabilities else None,
                met=met,
                action=action,
            )
        )
        self._claimed = action is not None and action.kind in CLAIMS

    def typed_on(self, text: str) -> bool:
        """Adds to the text of the last action where that was typing too; tells whether it was."""
        last = self._steps[-1] if self._steps else None
        if last is None or last.action is None or last.action.kind != "type":
            return False
        self._steps[-1] = replace(last, action=replace(last.action, text=last.action.text + text))
        return True

    def retype(self, text: str) -> None:
        """Makes another text of the last action, which was typing; without text it was not taken at all."""
        last = self._steps[-1]
        assert last.action is not None
        self._steps[-1:] = [replace(last, action=replace(last.action, text=text))] if text else []

    def missing(self) -> dict[str, list[str]]:
        """What the last look found wanting: subtasks that are not met, changes that were not expected."""
        verdict = self._session.check()
        return {
            "missing": [name for name, holds in verdict.subtasks.items() if not holds],
            "unexpected": list(verdict.unexpected_changes),
        }

    def taken(self) -> tuple[RecordedStep, ...]:
        """The steps so far."""
        return tuple(self._steps)

    def take_back(self, steps: tuple[RecordedStep, ...]) -> None:
        """Goes back to earlier steps, where an action was not carried out after all."""
        self._steps = list(steps)

    def done(self, solved: bool | None = None) -> Recording:
        """The recording.

        Args:
            solved: whether the end is right where nothing was verified; else the criteria tell.
        """
        session = self._session
        task = session.task
        assert isinstance(task, Task)
        right = self._clean if self._verified else bool(solved)
        return Recording(
            task=task.id,
            task_hash=task.content_hash,
            language=session.language,
            device=session.device.serial,
            source=self._source,
            solved=self._claimed and right,
            steps=tuple(self._steps),
        )


def _held(session: TaskSession) -> frozenset[str]:
    """What held at the last check: subtasks by id, and criteria inside them by place, such as `1[0]`."""
    evidence = session.evidence
    return frozenset(
        subtask.id + "".join(f"[{index}]" for index in place)
        for subtask in session.task.subtasks
        for place, part in subtask.criterion.walk()
        if judge(part, evidence).holds
    )


def record(session: TaskSession, source: str, actions: Callable[[], Iterable[PrimitiveAction]]) -> Recording:
    """Sets the session's task up, carries actions out and records each with what was seen before it.

    Args:
        session: the session.
        source: who acts.
        actions: gives the actions, once the task is set up; each is asked for when the one before was carried out.

    Raises:
        SetupError: the start could not be made.
        DemonstrationError: a step matches nothing.
        DeviceError: the device refused an action or failed.
    """
    session.setup()
    recorder = Recorder(session, source)
    for action in actions():
        recorder.before(action)
        if action.kind in ENDS:
            return recorder.done()
        session.note(action.kind, action.point, action.text)
        perform(session.device, action)
    recorder.before(None)
    return recorder.done()


def record_demonstration(session: TaskSession, number: int) -> Recording:
    """Records one of the task's own demonstrations, acting through the screen.

    Args:
        session: the session.
        number: which one, from 0.

    Raises:
        DemonstrationError: there is none of this number, or a step matches nothing.
        SetupError: the start could not be made.
        DeviceError: the device refused an action or failed.
    """
    task = session.task
    assert isinstance(task, Task)
    if not 0 <= number < len(task.demonstrations):
        problem = f"it has {len(task.demonstrations)} demonstrations, numbered from 0; there is no number {number}"
        raise DemonstrationError(task.id, 0, problem)
    steps = task.demonstrations[number]
    runner = DemonstrationRunner(session.device, session)
    return record(session, f"demonstrations[{number}]", lambda: runner.steps(steps))


def record_demonstrations(task: Task, device: Device, language: str = "zh") -> list[Recording]:
    """Records all of a task's demonstrations on a device, each from the task's start; raises as `record` does."""
    session = TaskSession(task, device, "en" if language == "en" else "zh")
    return [record_demonstration(session, number) for number in range(len(task.demonstrations))]
