"""Proofs: a task is real only if its demonstrations solve it and nothing cheaper does.

Everything acts through the screen, under the protocol's actions and the task's budget of steps; time budgets are left
to the environment. A task is proved when

- each demonstration solves it;
- doing nothing, finishing at once and acting at random on visible elements do not;
- no subtask holds at the start that does not say so (the set-up sees to it);
- each near miss gets exactly the score that it declares;
- taking any one criterion away lets some near miss, or finishing at once, pass; and each near miss passes once the one
  thing that it misses is taken away. The same goes for operations, for bans and for what operations state; what narrows
  a ban is needed where some way that solves the task would break the ban without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import DeviceError
from mobile_gym.reward.criteria import Place
from mobile_gym.reward.demonstration import DemonstrationError, DemonstrationRunner, PrimitiveAction
from mobile_gym.reward.process import AnyOf
from mobile_gym.reward.session import SetupError, TaskSession, Unverifiable
from mobile_gym.reward.steps import Step
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.models import NearMiss, Task
from mobile_gym.task_registry.proof_episodes import Ending, Mutant, mutants_of, play, random_actions

__all__ = ["Ending", "Finding", "Mutant", "Proof", "mutants_of", "play", "prove", "random_actions"]


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
            if mutant.stricter:
                if all(ending.passes[index] for ending in self.solving):
                    self.problem(
                        f"nothing shows that this condition is needed: {mutant.label}. Add a way that solves the task "
                        "and would break the ban without it, or remove the condition"
                    )
            elif not any(ending.passes[index] or ending.lenient[index] for ending in self.failing):
                self.problem(
                    f"nothing shows that this criterion is needed: {mutant.label}. Add a near miss that meets all the "
                    "rest, or remove the criterion"
                )
        for subtask in self.task.subtasks:
            for place, part in subtask.criterion.walk():
                if part.kind == "any":
                    self._alternatives_are_shown(subtask.id, place, len(part.children))
        for item, required in enumerate(self.task.process):
            for number in range(len(required.leaves)) if isinstance(required, AnyOf) else ():
                if not any((item, number) in ending.taken for ending in self.solving):
                    self.warning(
                        f"process[{item}]: alternative {number} of 'any' is taken by no stored way that solves it; "
                        "show it by a demonstration, or by a near miss with success: true"
                    )

    def _wrong_way_is_shown(self) -> None:
        """Of a process-related task: some near miss ends on the right screen by the wrong way."""
        untold = [
            index for index, mutant in enumerate(self.mutants) if mutant.operations is not None and not mutant.stricter
        ]
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
