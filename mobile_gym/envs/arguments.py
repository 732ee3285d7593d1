"""Checks of what an environment is made with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mobile_gym.reward.task_spec import Instructions
from mobile_gym.task_registry.catalog import load_task
from mobile_gym.task_registry.loading import load_file
from mobile_gym.task_registry.models import Task


def find_task(source: str | Task, seed: int | None = None, instructions: Instructions = "original") -> Task:
    """A task by its id or file, or the one that was given, whose parameters are filled in already.

    Raises:
        UnknownTask: there is no task of this id; says which is near.
        TaskFileError: the file is wrong; says where.
        ValueError: `instructions` is neither, or the task has no normalised one.
    """
    one_of("instructions", instructions, ("original", "normalized"))
    if isinstance(source, Task):
        task = source
    else:
        task = load_file(Path(source), seed) if is_file(source) else load_task(source, seed)
    return task.normalized() if instructions == "normalized" else task


MOST_PIXELS = 10_000
"""The longest side of an observation; screens have some thousand pixels."""


def is_file(source: str) -> bool:
    """Whether a text names a task's file; otherwise it is an id."""
    return source.endswith((".yaml", ".yml"))


def canvas_size(size: Sequence[int]) -> tuple[int, int]:
    """An `observation_size` as (width, height).

    Raises:
        ValueError: it is not two whole numbers of pixels, or too large to be a screen.
    """
    if (
        not isinstance(size, Sequence)
        or len(size) != 2
        or any(isinstance(side, bool) or int(side) != side or side < 1 for side in size)
    ):
        raise ValueError(f"observation_size is (width, height) in pixels, each at least 1, not {size!r}")
    if max(size) > MOST_PIXELS:
        raise ValueError(f"observation_size is (width, height) in pixels, each at most {MOST_PIXELS}, not {size!r}")
    return int(size[0]), int(size[1])


def one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Checks that an argument has one of a few values; raises ValueError."""
    if value not in allowed:
        raise ValueError(f"{name} is one of {', '.join(map(repr, allowed))}, not {value!r}")
