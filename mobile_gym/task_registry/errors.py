"""What is wrong with a task file, for people: file, line, field, problem, hint."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from mobile_gym.task_registry.wording import shown, wanted
from mobile_gym.task_registry.yaml_document import Location


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a file.

    Attributes:
        line: the line, from 1; 0 where it has none.
        field: the field, such as `subtasks[0].any[1].setting.above`; empty for the whole file.
        text: what is wrong and what to do.
    """

    line: int
    field: str
    text: str

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.field}: {self.text}" if self.field else f"{where}{self.text}"


class TaskFileError(ValueError):
    """A task file, or a suite's file, is wrong.

    Args:
        path: the file.
        task: the task's id.
        problems: what is wrong, one a field.
    """

    def __init__(self, path: Path | str, task: str, problems: Sequence[Problem]) -> None:
        lines = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"task {task} ({path}):\n{lines}")
        self.path = Path(path)
        self.task = task
        self.problems = tuple(problems)


def field_name(location: Location) -> str:
    """A location as people write it: `subtasks[0].any[1]`."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def problems_of(error: ValidationError, data: Any, lines: Mapping[Location, int], model: Any) -> list[Problem]:
    """The problems that a validation found, one a field, with hints.

    Args:
        error: pydantic's error.
        data: the document that was validated.
        lines: the line of each location in it.
        model: the model that it was validated as, for hints about keys.
    """
    best: dict[Location, tuple[int, Problem]] = {}
    for entry in error.errors(include_url=False):
        location = _in_document(entry["loc"], data)
        rank, text = _say(entry, model)
        problem = Problem(_line(location, lines), field_name(location), text)
        # Of several ways to read a value the one that says most is kept.
        if location not in best or rank < best[location][0]:
            best[location] = (rank, problem)
    deepest = {location: item for location, item in best.items() if not _explained_below(location, best)}
    return [problem for _, problem in sorted(deepest.values(), key=lambda item: (item[1].line, item[1].field))]


def _explained_below(location: Location, best: Mapping[Location, tuple[int, Problem]]) -> bool:
    return best[location][0] >= _VAGUE and any(
        other[: len(location)] == location and len(other) > len(location) for other in best
    )


_VAGUE = 5


def _in_document(location: Sequence[str | int], data: Any) -> Location:
    """Pydantic's location without the names of unions' branches, which no document has."""
    found: list[str | int] = []
    here = data
    for position, part in enumerate(location):
        last = position == len(location) - 1
        if isinstance(here, Mapping) and (part in here or (last and isinstance(part, str))):
            found.append(part)
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            found.append(part)
            here = here[part]
    return tuple(found)


def _line(location: Location, lines: Mapping[Location, int]) -> int:
    while location and location not in lines:
        location = location[:-1]
    return lines.get(location, 0)


def _say(entry: Any, model: Any) -> tuple[int, str]:
    """How much an error says (0 is most) and its text."""
    kind, message = entry["type"], entry["msg"]
    if kind == "extra_forbidden":
        return 0, f"unknown field{_hint(str(entry['loc'][-1]), _all_fields(model))}"
    if kind == "unknown_kind":
        context = entry["ctx"]
        known = context["known"].split(", ")
        hint = _hint(context["kind"], known)
        return 0, f"unknown {context['what']} '{context['kind']}'{hint}; there are {context['known']}"
    if kind == "missing":
        return 1, "is missing; this field must be given"
    if kind in ("value_error", "assertion_error"):
        return 0, message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    if kind in ("one_key", "literal_error", "enum"):
        return 2, f"{wanted(entry)}, not {shown(entry['input'])}"
    return _VAGUE, f"{wanted(entry)}, not {shown(entry['input'])}"


def _hint(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f"; did you mean '{near[0]}'?" if near else ""


def _all_fields(model: Any, seen: set[type] | None = None) -> list[str]:
    """Names of the fields of a model and of all models below it."""
    seen = set() if seen is None else seen
    names: list[str] = []
    pending = [model]
    while pending:
        current = pending.pop()
        for part in getattr(current, "__args__", ()):
            pending.append(part)
        if not isinstance(current, type) or current in seen:
            continue
        seen.add(current)
        kinds = getattr(current, "kinds", None)
        if kinds is not None:
            table = kinds()
            names += list(table)
            pending += list(table.values())
        elif issubclass(current, BaseModel):
            for name, field in current.model_fields.items():
                names.append(field.alias or name)
                pending.append(field.annotation)
    return names
