"""The catalogue of tasks: which there are, and loading one. Listing reads file names only."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mobile_gym.task_registry.suite_files import SUITE_FILE, suite_folders, task_files

if TYPE_CHECKING:
    from mobile_gym.task_registry.errors import TaskFileError
    from mobile_gym.task_registry.models import Task


class UnknownTask(KeyError):
    """There is no task, or no suite, of that name."""

    def __str__(self) -> str:
        return str(self.args[0])


def suites() -> list[str]:
    """Names of all suites, sorted."""
    return sorted(suite_folders())


def task_ids(suite: str | None = None) -> list[str]:
    """Ids of the tasks of a suite, or of all, sorted.

    Raises:
        UnknownTask: there is no such suite.
    """
    if suite is not None and suite not in suite_folders():
        raise UnknownTask(f"there is no suite {suite!r}; there are {', '.join(suites())}")
    return sorted(name for name, path in task_files().items() if suite is None or _suite_name(path) == suite)


def _suite_name(path: Path) -> str:
    return next(name for name, folder in suite_folders().items() if folder == path.parent)


def task_file(task_id: str) -> Path:
    """The file of a task; raises UnknownTask."""
    path = task_files().get(task_id)
    if path is None:
        import difflib

        near = difflib.get_close_matches(task_id, task_files(), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "; `mobile-gym tasks list` shows all"
        raise UnknownTask(f"there is no task {task_id!r}{hint}")
    return path


def suite_of(task_id: str) -> str:
    """The suite of a task; raises UnknownTask."""
    return _suite_name(task_file(task_id))


def load_task(task_id: str, seed: int | None = None) -> Task:
    """The task of an id.

    Args:
        task_id: its id, such as `elder-031`.
        seed: what its parameters are drawn by; 0 where none is given. Tasks without parameters are the same for all
            seeds.

    Raises:
        UnknownTask: there is none.
        TaskFileError: its file is wrong.
    """
    from mobile_gym.task_registry.loading import load_file

    return load_file(task_file(task_id), seed)


def load_tasks(ids: Iterable[str]) -> tuple[list[Task], list[TaskFileError]]:
    """The tasks of some ids, and what is wrong with the files of those that cannot be loaded.

    Raises:
        UnknownTask: there is none of an id.
    """
    from mobile_gym.task_registry.errors import TaskFileError

    tasks, wrong = [], []
    for task_id in ids:
        try:
            tasks.append(load_task(task_id))
        except TaskFileError as error:
            wrong.append(error)
    return tasks, wrong


def suite_facts(suite: str) -> dict[str, Any]:
    """What a suite's `suite.yaml` says: `version`, `title`, and `statistics` that a suite of its kind should have.

    Raises:
        UnknownTask: there is no such suite.
        TaskFileError: the file is missing or wrong.
    """
    from mobile_gym.task_registry.errors import Problem, TaskFileError
    from mobile_gym.task_registry.yaml_document import YamlError, read_yaml

    if suite not in suite_folders():
        raise UnknownTask(f"there is no suite {suite!r}; there are {', '.join(suites())}")
    path = suite_folders()[suite] / SUITE_FILE
    try:
        data = read_yaml(path).data
    except (YamlError, FileNotFoundError) as error:
        raise TaskFileError(path, f"suite {suite}", [Problem(0, "", str(error))]) from error
    if not isinstance(data, dict) or not isinstance(data.get("version"), str):
        raise TaskFileError(path, f"suite {suite}", [Problem(0, "version", 'must be given as text, such as "0.1.0"')])
    return data


def suite_version(suite: str) -> str:
    """The version of a suite; raises as `suite_facts` does."""
    return str(suite_facts(suite)["version"])
