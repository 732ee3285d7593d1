"""Episodes of proofs: actions carried out under a protocol, and what would have come of them with less required."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mobile_gym.reward.criteria import Place, judge, leaves_of
from mobile_gym.reward.demonstration import Looked, PrimitiveAction, perform
from mobile_gym.reward.frame import to_frame
from mobile_gym.reward.process import AnyOf, ProcessEntry, RequiredOperation, joined, operations_done
from mobile_gym.reward.process_parts import parts_of, without_part
from mobile_gym.reward.progress import Protocol, Verdict, succeeded
from mobile_gym.reward.protocol_actions import ALLOWED
from mobile_gym.reward.session import TaskSession
from mobile_gym.task_registry.models import Task

CLAIMS = ("finish", "answer")
ENDS = (*CLAIMS, "finish_infeasible")
_REPEATS = 5
"""ProBench: the same action so many times running ends the episode."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A task with one thing taken away.

    Attributes:
        label: what is gone, in words.
        without: subtask and place of the criterion that is gone.
        operations: what is left of the required operations; None for all of them.
        stricter: whether the task asks for more without it.
    """

    label: str
    without: tuple[str, Place] | None = None
    operations: tuple[RequiredOperation, ...] | None = None
    stricter: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """How an episode ended.

    Attributes:
        verdict: over the device at the end.
        finished: whether it was said to be done.
        success: whether it is a success.
        turns: how many actions were taken.
        over_budget: whether the budget of steps ended it.
        passes: for each mutant, whether it would have been a success.
        lenient: the same, with side effects not counting.
        changed: paths of all changes.
        held: subtask and place of every criterion that held.
        way: whether all required operations were done on the way, whether they hold still or not.
        taken: of each `any` of `process`, the alternatives that were taken: numbers of entry and alternative.
        kind: how it was ended: the kind of the last action where that is an end, else empty.
    """

    verdict: Verdict
    finished: bool
    success: bool
    turns: int
    over_budget: bool
    passes: tuple[bool, ...]
    lenient: tuple[bool, ...]
    changed: tuple[str, ...]
    held: frozenset[tuple[str, Place]]
    way: bool = True
    taken: frozenset[tuple[int, int]] = frozenset()
    kind: str = ""


def mutants_of(task: Task) -> list[Mutant]:
    """The task without each of its criteria in turn."""
    found = []
    for subtask in task.subtasks:
        for place, leaf in leaves_of(subtask.criterion):
            path = "".join(f"[{index}]" for index in place)
            found.append(Mutant(f"subtask '{subtask.id}' {leaf.kind}{path}: {leaf.plain()}", (subtask.id, place)))
    for part in parts_of(task.process):
        left = without_part(task.process, part)
        found.append(Mutant(str(part), operations=left, stricter=part.stricter))
    return found


def play(session: TaskSession, actions: Iterable[PrimitiveAction], mutants: Sequence[Mutant] = ()) -> Ending:
    """Sets the task up and carries actions out, by the rules of its protocol.

    Raises:
        SetupError: the start could not be made.
        DemonstrationError: a step matches nothing.
        DeviceError: the device refused an action or failed.
    """
    session.setup()
    task, device = session.task, session.device
    assert isinstance(task, Task)
    finished = over = False
    answer: str | None = None
    ended_by = ""
    turns = repeats = 0
    last: PrimitiveAction | None = None
    for action in actions:
        if turns >= task.budget.steps:
            over = True
            break
        turns += 1
        repeats = repeats + 1 if action == last else 1
        last = action
        session.note(action.kind, action.point, action.text)
        perform(device, action)
        if action.kind == "call_user":
            session.ask(action.text)
        if action.kind in ENDS:
            ended_by = action.kind
            finished = action.kind in CLAIMS
            answer = action.text or None if finished else None
            break
        if task.protocol == "workflow" and succeeded(session.check(), task.protocol, False):
            break
        if task.protocol == "process" and repeats >= _REPEATS:
            break
    verdict = session.check(answer, ended_by)
    evidence = session.evidence

    def passes(mutant: Mutant, counting: bool) -> bool:
        result = session.judge_as(evidence, mutant.without, counting, mutant.operations)
        return succeeded(result, task.protocol, finished)

    return Ending(
        verdict=verdict,
        finished=finished,
        success=succeeded(verdict, task.protocol, finished),
        turns=turns,
        over_budget=over,
        passes=tuple(passes(mutant, True) for mutant in mutants),
        lenient=tuple(passes(mutant, False) for mutant in mutants),
        changed=tuple(change.path for change in session.changes),
        held=frozenset(
            (subtask.id, place)
            for subtask in task.subtasks
            for place, part in subtask.criterion.walk()
            if judge(part, evidence).holds
        ),
        way=all(operations_done(task.process, session.record)),
        taken=_taken(task.process, session.record),
        kind=ended_by,
    )


def _taken(operations: Sequence[RequiredOperation], record: Sequence[ProcessEntry]) -> frozenset[tuple[int, int]]:
    whole = joined(record)
    return frozenset(
        (item, number)
        for item, required in enumerate(operations)
        if isinstance(required, AnyOf)
        for number, one in enumerate(required.operations)
        if one.end(whole, 0) is not None
    )


def random_actions(device: Looked, protocol: Protocol, turns: int, seed: str) -> Iterator[PrimitiveAction]:
    """Taps on visible elements that can be tapped, with a swipe or a step back now and then, and at last finish."""
    generator = random.Random(seed)
    for _ in range(turns - 1):
        tree = device.hierarchy()
        boxes = [node.bounds for node in tree.visible() if node.clickable and node.enabled]
        drawn = generator.random()
        if drawn < 0.1:
            yield PrimitiveAction("press_back")
        elif drawn < 0.3 or not boxes:
            low, high = (500, 700), (500, 300)
            yield PrimitiveAction("swipe", *(low, high) if generator.random() < 0.7 else (high, low))
        else:
            box = boxes[generator.randrange(len(boxes))]
            x = min(max(box.center[0], 0), tree.size[0] - 1)
            y = min(max(box.center[1], 0), tree.size[1] - 1)
            yield PrimitiveAction("tap", to_frame(x, y, tree.size))
    if "finish" in ALLOWED[protocol]:
        yield PrimitiveAction("finish")
