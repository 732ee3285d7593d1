"""Runs as they lie on disk, whole or not: what cannot be read is named and left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig
from mobile_gym.evaluation.records import CONFIG, EPISODES, TIMINGS, RecordsError, read_config

_Line = TypeVar("_Line", bound=BaseModel)
_MOST_NAMED = 5
"""How many damaged lines of a file are named one by one."""

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run that is to be shown.

    Attributes:
        folder: where it lies.
        label: its name on the page, unlike that of any other run there.
        config: its configuration; None where it cannot be read.
        records: the newest record of each episode.
        timings: the newest timing of each episode, by task and seed.
        problems: what could not be read, in words.
    """

    folder: Path
    label: str
    config: RunConfig | None
    records: tuple[EpisodeRecord, ...]
    timings: Mapping[Key, EpisodeTiming]
    problems: tuple[str, ...]

    @property
    def done(self) -> list[EpisodeRecord]:
        """The episodes that count in rates."""
        return [record for record in self.records if record.status == "done"]


def load_runs(folders: Sequence[Path]) -> list[LoadedRun]:
    """The runs of some folders, in their order.

    Raises:
        RecordsError: a folder holds no run at all, or is given twice.
    """
    twice = [folder for index, folder in enumerate(folders) if folder.resolve() in _resolved(folders[:index])]
    if twice:
        raise RecordsError(f"the run {twice[0]} is given twice")
    return [_load(folder, label) for folder, label in zip(folders, labels_of(folders), strict=True)]


def labels_of(folders: Sequence[Path]) -> list[str]:
    """Names of folders, with as many of their parents as tell them apart."""
    parts = [folder.resolve().parts for folder in folders]
    deepest = max(map(len, parts), default=1)
    return [
        next(
            (
                "/".join(own[-length:])
                for length in range(1, deepest)
                if [p[-length:] for p in parts].count(own[-length:]) < 2
            ),
            "/".join(own),
        )
        for own in parts
    ]


def _resolved(folders: Iterable[Path]) -> set[Path]:
    return {folder.resolve() for folder in folders}


def _load(folder: Path, label: str) -> LoadedRun:
    if not any((folder / name).exists() for name in (CONFIG, EPISODES)):
        raise RecordsError(f"{folder} holds no run: neither {CONFIG} nor {EPISODES} is there")
    problems: list[str] = []
    config: RunConfig | None = None
    try:
        config = read_config(folder)
    except (RecordsError, OSError) as problem:
        problems.append(str(problem))
    records: dict[Key, EpisodeRecord] = {}
    for record in _lines(folder / EPISODES, EpisodeRecord, problems):
        records[record.key] = record
    timings: dict[Key, EpisodeTiming] = {}
    for timing in _lines(folder / TIMINGS, EpisodeTiming, problems):
        timings[timing.key] = timing
    if not records:
        problems.append("no episode is on record")
    return LoadedRun(folder, label, config, tuple(records.values()), timings, tuple(problems))


def _lines(path: Path, model: type[_Line], problems: list[str]) -> list[_Line]:
    """The lines of a file that can be read; those that cannot are added to the problems."""
    try:
        *whole, torn = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        problems.append(f"{path.name} is missing")
        return []
    except OSError as problem:
        problems.append(f"{path.name} cannot be read: {problem.strerror}")
        return []
    found: list[_Line] = []
    damaged: list[str] = []
    for number, line in enumerate(whole, 1):
        try:
            found.append(model.model_validate_json(line))
        except ValidationError as problem:
            first = problem.errors()[0]
            where = ".".join(map(str, first["loc"]))
            damaged.append(
                f"{path.name}, line {number} is damaged and left out: {where + ': ' if where else ''}{first['msg']}"
            )
    problems += damaged[:_MOST_NAMED]
    if len(damaged) > _MOST_NAMED:
        problems.append(f"{path.name}: {len(damaged) - _MOST_NAMED} further lines are damaged and left out")
    if torn:
        problems.append(f"{path.name} ends with a torn line, which is left out: the run was stopped while writing it")
    return found
