"""From a task's file to a `Task`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from mobile_gym.task_registry.errors import Problem, TaskFileError, problems_of
from mobile_gym.task_registry.ids import is_task_id
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.params import Param, UnknownParameter, Values, draw, fill
from mobile_gym.task_registry.yaml_document import Document, YamlError, parse_yaml, read_yaml

_PARAMS = TypeAdapter(dict[str, Param])


def load_file(path: Path, seed: int | None = None) -> Task:
    """Reads a task's file.

    Args:
        path: the file; its name is the task's id and its folder's name the suite.
        seed: what parameters are drawn by; 0 where none is given.

    Raises:
        TaskFileError: the file is wrong; names line and field.
    """
    try:
        document = read_yaml(path)
    except YamlError as error:
        raise TaskFileError(path, path.stem, [Problem(error.line, "", error.problem)]) from error
    task = _parse(document, str(path), path.stem, seed)
    problems = []
    if task.id != path.stem:
        problems.append(Problem(document.lines.get(("id",), 0), "id", f"must be the file's name, '{path.stem}'"))
    elif not is_task_id(task.id):
        told = f"'{task.id}' ends like a version, and Gymnasium can't register it; use another end"
        problems.append(Problem(document.lines.get(("id",), 0), "id", told))
    folder = path.absolute().parent.name
    if task.suite != folder:
        line = document.lines.get(("suite",), 0)
        problems.append(Problem(line, "suite", f"must be the folder's name, '{folder}'"))
    if problems:
        raise TaskFileError(path, path.stem, problems)
    return task


def parse_task(text: str, seed: int | None = None, name: str = "<text>") -> Task:
    """A task from the text of a file; raises TaskFileError."""
    try:
        document = parse_yaml(text)
    except YamlError as error:
        raise TaskFileError(name, name, [Problem(error.line, "", error.problem)]) from error
    return _parse(document, name, name, seed)


def _parse(document: Document, path: str, name: str, seed: int | None) -> Task:
    data = document.data
    if not isinstance(data, Mapping):
        raise TaskFileError(path, name, [Problem(1, "", "a task is a mapping of fields, such as 'id: elder-031'")])
    if data.get("params"):
        data = _filled(data, document, path, name, 0 if seed is None else seed)
    try:
        return Task.model_validate(data)
    except ValidationError as error:
        raise TaskFileError(path, name, problems_of(error, data, document.lines, Task)) from error


def _filled(data: Mapping[str, Any], document: Document, path: str, name: str, seed: int) -> dict[str, Any]:
    try:
        params = _PARAMS.validate_python(data["params"])
    except ValidationError as error:
        lines = {at[1:]: line for at, line in document.lines.items() if at[:1] == ("params",)}
        found = problems_of(error, data["params"], lines, Param)
        problems = [Problem(problem.line, f"params.{problem.field}".rstrip("."), problem.text) for problem in found]
        raise TaskFileError(path, name, problems) from error
    rest = {key: value for key, value in data.items() if key != "params"}
    problems = []
    filled: dict[str, Any] = {"params": data["params"]}
    try:
        values: Values = draw(str(data.get("id", name)), params, seed, _clock(data))
    except ValueError as error:
        raise TaskFileError(path, name, [Problem(document.lines[("params",)], "params", str(error))]) from error
    for key, value in rest.items():
        try:
            filled[key] = fill(value, values)
        except UnknownParameter as error:
            problems.append(Problem(document.lines.get((key,), 0), key, str(error)))
    if problems:
        raise TaskFileError(path, name, problems)
    return filled


def _clock(data: Mapping[str, Any]) -> datetime | None:
    start = data.get("start")
    text = start.get("clock") if isinstance(start, Mapping) else None
    try:
        return None if text is None else datetime.fromisoformat(str(text))
    except ValueError:
        return None  # the model says what is wrong with it
