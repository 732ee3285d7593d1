"""Proofs of tasks that are played over task graphs (ElderBench, section 4.2.2).

A task is proved when, on a live phone, each of its demonstrations solves it by the task's criteria; all of them merge
into one graph with two simple ways to DONE or more, to which each demonstration adds one; over the graph each reaches
DONE, in lenient and in strict matching; every simple way, also those that no demonstration went as a whole, solves the
task on the phone; and doing nothing, finishing at once and acting at random do not. Where the task stores near misses,
its criteria are proved on the phone as those of online tasks are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import DeviceError
from mobile_gym.reward.demonstration import DemonstrationRunner, PrimitiveAction
from mobile_gym.reward.errors import DemonstrationError, SetupError, Unverifiable
from mobile_gym.reward.graph.merging import merge
from mobile_gym.reward.graph.model import GraphError, TaskGraph
from mobile_gym.reward.graph.recordings import Recording
from mobile_gym.reward.graph.walking import GraphScreen, Position, walk
from mobile_gym.reward.graph.ways import Way, replayed, simple_ways
from mobile_gym.reward.progress import Verdict
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.proofs import Finding, Proof, play, prove, random_actions
from mobile_gym.task_registry.recording import record_demonstration

WAYS = 40
"""How many simple ways of a graph are played on the phone, the shortest first."""


@dataclass(frozen=True, slots=True)
class _Spoken:
    task: Task
    language: Language


def prove_graph(
    task: Task, device: Device, language: Language, random_episodes: int, told: Callable[[str], None]
) -> Proof:
    """Proves one task of the protocol graph; see `mobile_gym.task_registry.proofs.prove` for the arguments.

    Raises:
        DeviceError: the device itself failed, in a way that is no answer to an action.
    """
    prover = _Prover(task, device, language, random_episodes, told)
    try:
        prover.run()
    except Unverifiable as error:
        return Proof(task.id, "unverifiable", (Finding("problem", str(error)),), prover.episodes)
    except SetupError as error:
        prover.problem(f"the start cannot be made: {error}")
    failed = any(finding.severity == "problem" for finding in prover.findings)
    return Proof(task.id, "failed" if failed else "proved", tuple(prover.findings), prover.episodes)


class _Prover:
    def __init__(
        self, task: Task, device: Device, language: Language, random_episodes: int, told: Callable[[str], None]
    ) -> None:
        self.task = task
        self.device = device
        self.language: Language = language
        self.random_episodes = random_episodes
        self.told = told
        self.findings: list[Finding] = []
        self.episodes = 0

    def problem(self, text: str) -> None:
        self.findings.append(Finding("problem", text))

    def run(self) -> None:
        recordings = self._recordings()
        if len(recordings) == len(self.task.demonstrations) and recordings:
            try:
                graph = merge(recordings)
            except GraphError as error:
                self.problem(f"the demonstrations give no graph: {error}")
            else:
                self._ways_differ(recordings)
                self._demonstrations(graph)
                self._ways(graph)
                self._cheap_ways(graph)
        if self.task.near_misses:
            self._criteria()

    def _recordings(self) -> list[Recording]:
        session = TaskSession(self.task, self.device, self.language)
        found = []
        for number in range(len(self.task.demonstrations)):
            name = f"demonstrations[{number}]"
            self.told(name)
            self.episodes += 1
            try:
                recording = record_demonstration(session, number)
            except DemonstrationError as error:
                self.problem(f"{name}: {error}")
                continue
            except DeviceError as error:
                self.problem(f"{name}: the device refused: {error}")
                continue
            if recording.solved:
                found.append(recording)
                continue
            self.problem(f"{name} does not solve it: {_missed(session.check()) or 'it does not finish'}")
        return found

    def _ways_differ(self, recordings: Sequence[Recording]) -> None:
        """Looks for a simple way that each demonstration adds: a detour that joins the way of another adds none."""
        known = 0
        for number in range(len(recordings)):
            ways = len(list(islice(simple_ways(merge(recordings[: number + 1])), WAYS)))
            if ways == known < WAYS:
                self.problem(
                    f"demonstrations[{number}] adds no way to DONE to those before it: what is other in it leads back "
                    "to where it left off. Show another way, or take it out"
                )
            known = ways
        if known < 2:
            self.problem("the graph has one way to DONE; it needs two or more, so that no way is the golden one")

    def _ways(self, graph: TaskGraph) -> None:
        """Plays the graph's simple ways on the phone: what the graph takes for a success must be one."""
        session = TaskSession(self.task.played_as("online"), self.device, self.language)
        ways = list(islice(simple_ways(graph), WAYS + 1))
        if len(ways) > WAYS:
            self.findings.append(
                Finding("warning", f"of the graph's ways to DONE only the {WAYS} shortest were played")
            )
        for way in ways[:WAYS]:
            nodes = " > ".join(map(str, (0, *(edge.target for edge in way))))
            name = f"the way {nodes} of the graph"
            self.told(name)
            self.episodes += 1
            told = self._live(session, way, graph)
            if told:
                self.problem(
                    f"{name} is no success on the phone: {told}. States were taken for equal that are not; let the "
                    "demonstrations tell them apart"
                )

    def _live(self, session: TaskSession, way: Way, graph: TaskGraph) -> str:
        """Why a way is no success on the phone, or nothing."""
        if len(way) >= self.task.budget.steps:
            return ""  # over the budget it is none over the graph either
        try:
            ending = play(session, replayed(way, graph, self.device))
        except DeviceError as error:
            return f"the device refused: {error}"
        return "" if ending.success else _missed(ending.verdict) or "it does not finish"

    def _demonstrations(self, graph: TaskGraph) -> None:
        session = _Spoken(self.task.in_language(self.language), self.language)
        for number, steps in enumerate(self.task.demonstrations):
            name = f"demonstrations[{number}] over the graph"
            screen = GraphScreen(graph)
            try:
                position = self._walk(name, screen, DemonstrationRunner(screen, session).steps(steps))
            except DemonstrationError as error:
                self.problem(f"{name}: {error}")
                continue
            if not position.success:
                self.problem(f"{name} does not reach DONE: it ends in node {position.node}")
            elif not position.strict_success:
                self.problem(f"{name} is no success in strict matching: {position.mismatches} actions match no edge")

    def _cheap_ways(self, graph: TaskGraph) -> None:
        if graph.nodes[0].done:
            self.problem("the start is a DONE node: doing nothing but finish is a success")
        for number in range(self.random_episodes):
            screen = GraphScreen(graph)
            seed = f"{self.task.id}/random/{number}"
            actions = random_actions(screen, self.task.protocol, self.task.budget.steps, seed)
            if self._walk(f"random actions {number} over the graph", screen, actions).success:
                self.problem(f"random actions solve it (seed {number})")

    def _walk(self, name: str, screen: GraphScreen, actions: Iterable[PrimitiveAction]) -> Position:
        """Takes actions as far as the budget of steps goes."""
        self.told(name)
        self.episodes += 1
        for action in actions:
            if screen.position.turns >= self.task.budget.steps or screen.position.finished:
                break
            screen.position = walk(screen.graph, screen.position, action)
        return screen.position

    def _criteria(self) -> None:
        live = prove(self.task.played_as("online"), self.device, self.language, self.random_episodes, self.told)
        self.findings += [Finding(found.severity, f"on the phone: {found.text}") for found in live.findings]
        self.episodes += live.episodes


def _missed(verdict: Verdict) -> str:
    missing = [subtask for subtask, done in verdict.subtasks.items() if not done]
    parts = [f"subtasks not met: {', '.join(missing)}"] if missing else []
    parts += [f"unexpected: {'; '.join(verdict.unexpected_changes)}"] if verdict.unexpected_changes else []
    return ", ".join(parts)
