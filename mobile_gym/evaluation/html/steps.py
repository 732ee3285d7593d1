"""What an episode's trajectory shows: each step, the way that was taken, and where it went wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mobile_gym.devices.parse.hierarchy import HierarchyError, parse_hierarchy
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.reward.frame import to_pixel
from mobile_gym.reward.process import Never, ProcessEntry, RequiredOperation, element_at, joined
from mobile_gym.reward.process_parts import without_conditions

_DROP = 1e-9


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of a trajectory.

    Attributes:
        turn: its number, from 1.
        picture: the file of what was seen before the action; None where it is missing.
        tree: the file of the hierarchy; None where there is none.
        line: what was written about the action; empty after the last.
    """

    turn: int
    picture: Path | None
    tree: Path | None
    line: Mapping[str, Any]

    @property
    def action(self) -> Mapping[str, Any]:
        """The action; empty where there was none."""
        found = self.line.get("action")
        return found if isinstance(found, Mapping) else {}


@dataclass(frozen=True, slots=True)
class Trail:
    """A trajectory as it lies on disk.

    Attributes:
        steps: the turns, the last of them without an action.
        problems: files that are missing or damaged, in words.
    """

    steps: tuple[Step, ...] = ()
    problems: tuple[str, ...] = field(default=())


def folder_of(run: Path, record: EpisodeRecord) -> Path:
    """Where an episode's trajectory lies."""
    return run / "trajectories" / record.task / f"seed-{record.seed}"


def read_trail(run: Path, record: EpisodeRecord) -> Trail:
    """An episode's trajectory; without steps where the run kept none."""
    folder = folder_of(run, record)
    # A task's name comes from a file: it must not lead out of the run.
    if not folder.resolve().is_relative_to(run.resolve()) or not folder.is_dir():
        return Trail()
    numbers = sorted({int(path.stem) for path in folder.iterdir() if path.stem.isdecimal() and path.stem.isascii()})
    steps, problems = [], []
    for number in range(numbers[-1] + 1 if numbers else 0):
        stem = folder / f"{number:03d}"
        picture, tree, lines = stem.with_suffix(".png"), stem.with_suffix(".xml"), stem.with_suffix(".json")
        if not picture.is_file():
            problems.append(f"{picture.name} is missing")
        line: Any = {}
        if lines.is_file():
            try:
                line = json.loads(lines.read_text(encoding="utf-8"))
            except (OSError, ValueError) as problem:
                problems.append(f"{lines.name} is damaged: {problem}")
        elif number < numbers[-1]:
            problems.append(f"{lines.name} is missing")
        if not isinstance(line, Mapping):
            problems.append(f"{lines.name} is damaged: it holds no mapping")
            line = {}
        seen = (picture if picture.is_file() else None, tree if tree.is_file() else None)
        steps.append(Step(number + 1, *seen, line))
    return Trail(tuple(steps), tuple(problems))


@dataclass(frozen=True, slots=True)
class Loss:
    """A turn after which less held than before.

    Attributes:
        turn: the turn.
        before: progress before it.
        after: progress after it.
        subtasks: ids of the subtasks that no longer hold, where the trajectory tells.
    """

    turn: int
    before: float
    after: float
    subtasks: tuple[str, ...]


def first_loss(steps: Sequence[Step]) -> Loss | None:
    """The first turn that lost what held before; None where none did."""
    progress: float | None = None
    held: set[str] = set()
    for step in steps:
        now, told = step.line.get("progress"), step.line.get("subtasks")
        met = {str(name) for name, holds in told.items() if holds} if isinstance(told, Mapping) else set()
        lost = tuple(sorted(held - met)) if isinstance(told, Mapping) else ()
        if isinstance(now, int | float):
            if lost or (progress is not None and now < progress - _DROP):
                return Loss(step.turn, progress or 0.0, float(now), lost)
            progress = float(now)
        if isinstance(told, Mapping):
            held = met
    return None


def process_record(steps: Sequence[Step]) -> list[tuple[int, ProcessEntry]]:
    """What was done, with its turn: kind, the element that was touched, text, app.

    Actions that could not be read, or that the environment refused, are left out. Elements are known where the
    trajectory has the hierarchy.
    """
    found = []
    before = ""
    for step in steps:
        kind = step.action.get("kind")
        if isinstance(kind, str) and not step.line.get("action_error"):
            text = step.action.get("text", "")
            package = before or _package(step)
            found.append((step.turn, ProcessEntry(kind, _element(step), str(text), package)))
        before = str(step.line.get("activity", "")).partition("/")[0]
    return found


@dataclass(frozen=True, slots=True)
class Doing:
    """What became of one required operation.

    Attributes:
        right: whether it is as required at the end: done, or left alone where it is banned.
        turn: the last turn that changed this; None where none did.
        known: whether the verifier told so; else it is taken from the actions alone.
    """

    right: bool
    turn: int | None
    known: bool = True


def doings(operations: Sequence[RequiredOperation], steps: Sequence[Step]) -> list[Doing]:
    """What became of each required operation: by the verifier's word after each action, else by the actions."""
    told = [(step.turn, step.line["operations"]) for step in steps if _tells_of(operations, step.line)]
    if not told:
        return _likely(operations, operation_turns(operations, process_record(steps)))
    found = []
    for number, required in enumerate(operations):
        right, turn = isinstance(required, Never), None
        for at, now in told:
            if bool(now[number]) != right:
                right, turn = not right, at
        found.append(Doing(right, turn))
    return found


def _tells_of(operations: Sequence[RequiredOperation], line: Mapping[str, Any]) -> bool:
    told = line.get("operations")
    return isinstance(told, list) and len(told) == len(operations)


def _likely(operations: Sequence[RequiredOperation], turns: Sequence[int | None]) -> list[Doing]:
    return [
        Doing((turn is None) == isinstance(required, Never), turn, not any(one.criteria for one in required.leaves))
        for required, turn in zip(operations, turns, strict=True)
    ]


def operation_turns(
    operations: Sequence[RequiredOperation], record: Sequence[tuple[int, ProcessEntry]]
) -> list[int | None]:
    """The turn of the first action that may be each required operation, each after the one before it; None for none.

    What operations state to hold is not in the record, so it is not asked for. For what must not be done, the turn of
    the first action that may be it.
    """
    whole: list[tuple[int, ProcessEntry]] = []
    for length in range(1, len(record) + 1):
        entries = joined([entry for _, entry in record[:length]])
        whole[len(entries) - 1 :] = [(record[length - 1][0], entries[-1])]
    entries = [entry for _, entry in whole]
    turns: list[int | None] = []
    at = 0
    for required in operations:
        bare = without_conditions(required)
        if isinstance(bare, Never):
            place = bare.broken(entries)
            turns.append(None if place is None else whole[place][0])
            continue
        end = bare.end(entries, at)
        turns.append(None if end is None else whole[end - 1][0])
        at = at if end is None else end
    return turns


def _element(step: Step) -> tuple[str, ...]:
    point = step.action.get("point")
    if step.tree is None or not isinstance(point, list) or len(point) != 2:
        return ()
    try:
        tree = parse_hierarchy(step.tree.read_bytes())
        return element_at(tree, *to_pixel((int(point[0]), int(point[1])), tree.size))
    except (HierarchyError, OSError, ValueError, TypeError):
        return ()


def _package(step: Step) -> str:
    if step.tree is None:
        return ""
    try:
        return next((node.package for node in parse_hierarchy(step.tree.read_bytes()).walk() if node.package), "")
    except (HierarchyError, OSError):
        return ""
