"""Proofs: a task is real only if its demonstrations solve it and nothing cheaper does.

Everything acts through the screen, under the protocol's actions and the task's budget of steps; time budgets are left
to the environment. A task is proved when

- each demonstration solves it;
- doing nothing, finishing at once and acting at random on visible elements do not;
- no subtask holds at the start that does not say so (the set-up sees to it);
- each near miss gets exactly the score that it declares;
- taking any one criterion away lets some near miss, or finishing at once, pass; and each near miss passes once the one
thing
  that it misses is taken away.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import DeviceError
from mobile_gym.reward.criteria import Place, judge, leaves_of
from mobile_gym.reward.demonstration import (
    DemonstrationError,
    DemonstrationRunner,
    Looked,
    PrimitiveAction,
    perform,
)
from mobile_gym.reward.frame import to_frame
from mobile_gym.reward.process import RequiredOperation, operations_done, parts_of, without_part
from mobile_gym.reward.progress import Protocol, Verdict, succeeded
from mobile_gym.reward.protocol_actions import ALLOWED
from mobile_gym.reward.session import SetupError, TaskSession, Unverifiable
from mobile_gym.reward.steps import Step
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.models import NearMiss, Task

CLAIMS = ("finish", "answer")
ENDS = (*CLAIMS, "finish_infeasible")
_REPEATS = 5
"""ProBench: the same action so many times running ends the episode."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a proof found.

    Attributes:
        severity: a `problem` fails the proof, a `warning` does not.
        text: what it is and what to do.
    """

    severity: Literal["problem", "warning"]
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What the proof of one task found.

    Attributes:
        task_id: the task.
        outcome: `proved`, `failed`, or `unverifiable` where the device lacks what the task requires.
        findings: what was found, problems and warnings.
        episodes: how many episodes were played.
    """

    task_id: str
    outcome: Literal["proved", "failed", "unverifiable"]
    findings: tuple[Finding, ...]
    episodes: int


@dataclass(frozen=True, slots=True)
class Mutant:
    """A task with one thing taken away.

    Attributes:
        label: what is gone, in words.
        without: subtask and place of the criterion that is gone.
        operations: what is left of the required operations; None for all of them.
        in_force_only: whether only the `still_in_force` of an operation is gone.
    """

    label: str
    without: tuple[str, Place] | None = None
    operations: tuple[RequiredOperation, ...] | None = None
    in_force_only: bool = False


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
        found.append(Mutant(str(part), operations=left, in_force_only=part.in_force_only))
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
        kind=ended_by,
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


def prove(
    task: Task,
    device: Device,
    language: Language = "zh",
    random_episodes: int = 2,
    told: Callable[[str], None] = lambda _: None,
) -> Proof:
    """Proves one task on a device.

    Args:
        task: the task, with its parameters drawn.
        device: a device; it stays the caller's.
        language: which language's texts the screen shows.
        random_episodes: how many episodes of random actions are tried.
        told: called with what is being done.

    Raises:
        DeviceError: the device itself failed, in a way that is no answer to an action.
    """
    if task.protocol == "graph":
        # These proofs build on this module's.
        from mobile_gym.task_registry.graph_proofs import prove_graph

        return prove_graph(task, device, language, random_episodes, told)
    return _Prover(task, device, language, random_episodes, told).run()


class _Prover:
    def __init__(
        self, task: Task, device: Device, language: Language, random_episodes: int, told: Callable[[str], None]
    ) -> None:
        self.task = task
        self.device = device
        self.session = TaskSession(task, device, language)
        self.random_episodes = random_episodes
        self.told = told
        self.findings: list[Finding] = []
        self.episodes = 0
        self.mutants = mutants_of(task.in_language(language))
        self.failing: list[Ending] = []
        self.solving: list[Ending] = []

    def problem(self, text: str) -> None:
        self.findings.append(Finding("problem", text))

    def warning(self, text: str) -> None:
        self.findings.append(Finding("warning", text))

    def run(self) -> Proof:
        try:
            self._prove()
        except Unverifiable as error:
            return Proof(self.task.id, "unverifiable", (Finding("problem", str(error)),), self.episodes)
        except SetupError as error:
            self.problem(f"the start cannot be made: {error}")
        failed = any(finding.severity == "problem" for finding in self.findings)
        return Proof(self.task.id, "failed" if failed else "proved", tuple(self.findings), self.episodes)

    def _play(self, name: str, actions: Callable[[], Iterable[PrimitiveAction]]) -> Ending | None:
        self.told(name)
        self.episodes += 1
        try:
            return play(self.session, actions(), self.mutants)
        except DemonstrationError as error:
            self.problem(f"{name}: {error}")
        except DeviceError as error:
            self.problem(f"{name}: the device refused: {error}")
        return None

    def _steps(self, steps: Sequence[Step]) -> Callable[[], Iterable[PrimitiveAction]]:
        return lambda: DemonstrationRunner(self.device, self.session).steps(steps)

    def _random(self, seed: str) -> Callable[[], Iterable[PrimitiveAction]]:
        return lambda: random_actions(self.device, self.task.protocol, self.task.budget.steps, seed)

    def _prove(self) -> None:
        self._cheap_ways()
        self._demonstrations()
        self._near_misses()
        self._criteria_are_needed()
        self._wrong_way_is_shown()
        self._allowed_changes_are_needed()

    def _cheap_ways(self) -> None:
        nothing = self._play("doing nothing", lambda: ())
        if nothing is not None and (nothing.success or nothing.verdict.goal_reached):
            self.problem("doing nothing reaches the goal")
        finish = self._play("finishing at once", lambda: (PrimitiveAction("finish"),))
        if finish is not None:
            if finish.success:
                self.problem("finishing at once is a success")
            self.failing.append(finish)
        for number in range(self.random_episodes):
            seed = f"{self.task.id}/random/{number}"
            ending = self._play(f"random actions {number}", self._random(seed))
            if ending is not None and ending.success:
                self.problem(f"random actions solve it (seed {number})")

    def _demonstrations(self) -> None:
        if not self.task.demonstrations:
            self.problem("it has no demonstration")
        for number, demonstration in enumerate(self.task.demonstrations):
            name = f"demonstrations[{number}]"
            ending = self._play(name, self._steps(demonstration))
            if ending is None:
                continue
            if ending.success:
                self.solving.append(ending)
            else:
                self.problem(f"{name} does not solve it: {_why(ending)}")

    def _near_misses(self) -> None:
        if not any(not miss.success for miss in self.task.near_misses):
            self.problem("it has no near miss that fails")
        for number, miss in enumerate(self.task.near_misses):
            name = f"near_misses[{number}]"
            ending = self._play(name, self._steps(miss.steps))
            if ending is None:
                continue
            for text in _differences(miss, ending):
                self.problem(f"{name}: {text}; {_why(ending)}")
            if miss.success and ending.success:
                self.solving.append(ending)
            elif not ending.success:
                self.failing.append(ending)
                self._bites(name, miss, ending)

    def _bites(self, name: str, miss: NearMiss, ending: Ending) -> None:
        unclean = ending.verdict.goal_reached and ending.finished
        unfinished = ending.verdict.clean and not ending.finished
        scored = miss.progress is not None or bool(miss.subtasks)
        if not (any(ending.lenient) or unclean or unfinished or scored):
            self.problem(
                f"{name} misses more than one thing, so it proves none of them: no single criterion taken away lets it "
                f"pass. Make it miss one, or declare its progress; {_why(ending)}"
            )

    def _criteria_are_needed(self) -> None:
        for index, mutant in enumerate(self.mutants):
            if not any(ending.passes[index] or ending.lenient[index] for ending in self.failing):
                self.problem(
                    f"nothing shows that this criterion is needed: {mutant.label}. Add a near miss that meets all the "
                    "rest, or remove the criterion"
                )
        for subtask in self.task.subtasks:
            for place, part in subtask.criterion.walk():
                if part.kind == "any":
                    self._alternatives_are_shown(subtask.id, place, len(part.children))

    def _wrong_way_is_shown(self) -> None:
        """Of a process-related task: some near miss ends on the right screen by the wrong way."""
        untold = [index for index, mutant in enumerate(self.mutants) if mutant.operations is not None]
        if not untold or any(not any(one.passes[i] or one.lenient[i] for one in self.failing) for i in untold):
            return  # nothing is required, or what is missing was told of already
        if not any(all(one.verdict.subtasks.values()) and one.finished and not one.way for one in self.failing):
            self.problem(
                "no near miss comes to the right end by the wrong way: one that meets every subtask and leaves out an "
                "operation of 'process'"
            )

    def _alternatives_are_shown(self, subtask: str, place: Place, count: int) -> None:
        """Each alternative of an `any` should be what some successful episode ended with."""
        for index in range(count):
            where = (subtask, (*place, index))
            if not any(where in ending.held for ending in self.solving):
                self.warning(
                    f"subtask '{subtask}': alternative {index} of 'any' is met by no stored way that solves it; show "
                    "it by a demonstration, or by a near miss with success: true"
                )

    def _allowed_changes_are_needed(self) -> None:
        for pattern in self.task.allowed_changes:
            if not any(fnmatchcase(path, pattern) for ending in self.solving for path in ending.changed):
                self.warning(f"allowed_changes '{pattern}' is used by no way that solves it; remove it or narrow it")


def _differences(miss: NearMiss, ending: Ending) -> Iterator[str]:
    if ending.over_budget:
        yield "it does not fit into the budget of steps"
    if ending.success != miss.success:
        yield f"declared success {str(miss.success).lower()}, got {str(ending.success).lower()}"
    exact = 1e-9
    if miss.progress is not None and abs(miss.progress - ending.verdict.progress) > exact:
        yield f"declared progress {miss.progress:g}, got {ending.verdict.progress:g}"
    for name, wanted in miss.subtasks.items():
        if ending.verdict.subtasks[name] != wanted:
            yield f"declared subtask '{name}' {str(wanted).lower()}, got {str(not wanted).lower()}"
    if miss.unexpected is not None and bool(ending.verdict.unexpected_changes) != miss.unexpected:
        yield f"declared unexpected {str(miss.unexpected).lower()}, got {str(not miss.unexpected).lower()}"


def _why(ending: Ending) -> str:
    """An ending in words."""
    missing = [name for name, done in ending.verdict.subtasks.items() if not done]
    parts = [f"ended after {ending.turns} actions", "finished" if ending.finished else "not finished"]
    if ending.over_budget:
        parts.append("over the budget of steps")
    parts.append(f"subtasks not met: {', '.join(missing)}" if missing else "all subtasks met")
    parts += [f"process[{number}] not done" for number, done in enumerate(ending.verdict.operations) if not done]
    if ending.verdict.unexpected_changes:
        parts.append(f"unexpected: {'; '.join(ending.verdict.unexpected_changes)}")
    return ", ".join(parts)
