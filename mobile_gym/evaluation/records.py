"""Records of a run: a folder with `run.json`, `episodes.jsonl`, `timings.jsonl` and, if asked for, `trajectories/`.

Every episode is on disk (written and synced) before the next begins. A run that was killed goes on where it stopped.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from pydantic import BaseModel, ValidationError

from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig

CONFIG, EPISODES, TIMINGS, LOCK = "run.json", "episodes.jsonl", "timings.jsonl", ".lock"
TRAJECTORIES = "trajectories"
_Line = TypeVar("_Line", bound=BaseModel)


class RecordsError(Exception):
    """Records that cannot be read, written or continued; the message says which file and what to do."""


class RunRecords:
    """The records of one run, open for appending by one process at a time.

    Args:
        folder: where they lie; made where it is missing.
        config: the configuration that is to be run.

    Raises:
        RecordsError: the folder holds another configuration's records, is in use, or is damaged.
    """

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self.folder = folder
        self.config = config
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = open(folder / LOCK, "w")  # noqa: SIM115 - held until close
        except (FileExistsError, NotADirectoryError) as problem:
            raise RecordsError(f"{folder} is a file, or lies in one; a run needs a folder") from problem
        except OSError as problem:
            raise _writing(folder, problem) from problem
        try:
            self._take()
            self._match_config()
            _repair(folder / EPISODES)
            _repair(folder / TIMINGS)
            self._records = {record.key: record for record in read_records(folder)}
        except RecordsError:
            self._lock.close()
            raise

    def get(self, task: str, seed: int) -> EpisodeRecord | None:
        """The record of an episode, or None where there is none yet."""
        return self._records.get((task, seed))

    def all(self) -> list[EpisodeRecord]:
        """The newest record of each episode, in the order of the first time that it was played."""
        return list(self._records.values())

    def append(self, record: EpisodeRecord, timing: EpisodeTiming) -> None:
        """Writes an episode down and syncs it to the disk.

        Raises:
            RecordsError: it could not be written, for a full disk say; nothing that was written before is lost.
        """
        _append(self.folder / TIMINGS, timing)
        _append(self.folder / EPISODES, record)
        self._records[record.key] = record

    def arrange(self, order: Sequence[tuple[str, int]]) -> None:
        """Writes the episodes in an order, each once, so that the file is the same however they were played.

        The file is replaced as a whole: a process that is killed meanwhile leaves the old one.

        Args:
            order: tasks and seeds; episodes that it does not name stay before them, as they were.

        Raises:
            RecordsError: it could not be written.
        """
        place = {key: number for number, key in enumerate(order)}
        self._records = dict(sorted(self._records.items(), key=lambda item: place.get(item[0], -1)))
        lines = "".join(record.model_dump_json() + "\n" for record in self._records.values())
        _replace(self.folder / EPISODES, lines)

    def close(self) -> None:
        """Gives the folder up; calling it twice is fine."""
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _take(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            raise RecordsError(
                f"another process writes to {self.folder}; let it end, or use another folder with --out"
            ) from problem

    def _match_config(self) -> None:
        path = self.folder / CONFIG
        if not path.exists():
            if any((self.folder / name).exists() for name in (EPISODES, TIMINGS)):
                raise RecordsError(f"{self.folder} holds records but no {CONFIG}; use another folder with --out")
            _replace(path, self.config.model_dump_json(indent=2) + "\n")
            return
        stored = read_config(self.folder)
        ours, theirs = self.config.model_dump(mode="json"), stored.model_dump(mode="json")
        differences = [
            f"  {name}: the records have {theirs[name]!r}, this run has {ours[name]!r}"
            for name in ours
            if ours[name] != theirs[name]
        ]
        if differences:
            raise RecordsError(
                f"{self.folder} holds the records of another configuration, and results of two don't mix:\n"
                + "\n".join(differences)
                + "\nRun with the same settings to continue it, or use another folder with --out."
            )


def read_config(folder: Path) -> RunConfig:
    """The configuration of the run in a folder.

    Raises:
        RecordsError: there is none, or it is damaged.
    """
    path = folder / CONFIG
    try:
        return RunConfig.model_validate_json(path.read_bytes())
    except FileNotFoundError as problem:
        raise RecordsError(f"{folder} holds no run: {CONFIG} is missing") from problem
    except ValidationError as problem:
        raise RecordsError(
            f"{path} is no run's configuration: {problem.errors()[0]['msg']}; put the right "
            "file back, or name another folder"
        ) from problem


def read_records(folder: Path) -> list[EpisodeRecord]:
    """The newest record of each episode of a run.

    Raises:
        RecordsError: a line is damaged, other than a torn last one.
    """
    newest: dict[tuple[str, int], EpisodeRecord] = {}
    for record in _read(folder / EPISODES, EpisodeRecord):
        newest[record.key] = record
    return list(newest.values())


def read_timings(folder: Path) -> list[EpisodeTiming]:
    """The newest timing of each episode of a run.

    Raises:
        RecordsError: a line is damaged, other than a torn last one.
    """
    newest: dict[tuple[str, int], EpisodeTiming] = {}
    for timing in _read(folder / TIMINGS, EpisodeTiming):
        newest[timing.key] = timing
    return list(newest.values())


def _read(path: Path, model: type[_Line]) -> Iterator[_Line]:
    if not path.exists():
        return
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], 1):
        try:
            yield model.model_validate_json(line)
        except ValidationError as problem:
            raise RecordsError(
                f"{path}, line {number} is damaged: {problem.errors()[0]['msg']}. "
                "Without that line, its episode is played again"
            ) from problem


def _repair(path: Path) -> None:
    """Takes a torn last line away: what a process that was killed while writing leaves behind."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole == len(data):
        return
    with open(path, "r+b") as file:
        file.truncate(whole)
        os.fsync(file.fileno())


def _append(path: Path, line: BaseModel) -> None:
    data = line.model_dump_json().encode() + b"\n"
    try:
        with open(path, "ab", buffering=0) as file:
            start = file.tell()
            try:
                written = file.write(data)
                while written < len(data):
                    written += file.write(data[written:])
                os.fsync(file.fileno())
            except OSError:
                file.truncate(start)
                raise
    except OSError as problem:
        raise _writing(path, problem) from problem


def _replace(path: Path, text: str) -> None:
    """Writes a whole file so that it is there wholly or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as problem:
        raise _writing(path, problem) from problem


def _writing(path: Path, problem: OSError) -> RecordsError:
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return RecordsError(
            f"the disk is full: {path} could not be written. What was written before is whole; free some space and "
            "run the same command to continue"
        )
    return RecordsError(f"{path} could not be written: {problem.strerror}")
