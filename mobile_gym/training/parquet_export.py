"""Trajectories of runs as one Parquet file that `datasets` reads, pictures and all."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from mobile_gym.evaluation.instructions import instruction_of
from mobile_gym.evaluation.models import EpisodeRecord, RunConfig
from mobile_gym.evaluation.records import CONFIG, EPISODES, RecordsError, read_config
from mobile_gym.task_registry.catalog import UnknownTask, load_task
from mobile_gym.training.parquet_schema import schema

_PNG = b"\x89PNG\r\n\x1a\n"
_NAME = re.compile(r"(\d{3,})\.(png|xml|json)")
_GROUP_ROWS, _GROUP_BYTES = 256, 32 << 20


@dataclass(frozen=True, slots=True)
class Exported:
    """What came of an export.

    Attributes:
        episodes: episodes that were written.
        rows: rows that were written.
        left_out: episodes on record without a trajectory, or that were not asked for.
    """

    episodes: int
    rows: int
    left_out: int


def export(
    runs: Sequence[Path],
    out: Path,
    successes: bool = False,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Exported:
    """Writes the trajectories of runs into one file, row group by row group, so that no run is held in memory.

    Args:
        runs: folders of runs that were made with `--trajectories`.
        out: the file; it is there wholly or not at all.
        successes: whether only successful episodes are written.
        progress: called with the episodes that are done and all of them.

    Raises:
        RecordsError: a run or a trajectory is missing or damaged; names the file.
    """
    names = _names(runs)
    configs = {name: read_config(folder) for name, folder in names.items()}
    episodes = [(name, line, record) for name, folder in names.items() for line, record in _records(folder)]
    wanted = [one for one in episodes if (one[2].success or not successes) and _folder(names[one[0]], one[2]).exists()]
    if not wanted:
        raise RecordsError(
            f"there are no trajectories to export in {', '.join(map(str, runs))}; make runs with --trajectories"
        )
    texts = {name: (folder / CONFIG).read_text("utf-8") for name, folder in names.items()}
    part = out.with_name(out.name + ".part")
    rows = 0
    try:
        with pq.ParquetWriter(part, schema(texts), compression="zstd") as writer:
            waiting = _Group(writer)
            for done, (name, line, record) in enumerate(wanted):
                progress(done, len(wanted))
                for row in _rows(_folder(names[name], record), name, line, record, configs[name]):
                    waiting.add(row)
                    rows += 1
            waiting.flush()
        os.replace(part, out)
    except OSError as problem:
        raise RecordsError(f"{out} could not be written: {problem.strerror or problem}") from problem
    finally:
        part.unlink(missing_ok=True)
    progress(len(wanted), len(wanted))
    return Exported(len(wanted), rows, len(episodes) - len(wanted))


class _Group:
    """Rows that wait until they are worth a row group."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        self._bytes += len(row["screenshot"]["bytes"]) + len(row["hierarchy"] or "")
        if len(self._rows) >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._writer.schema))
        self._rows, self._bytes = [], 0


def _names(runs: Sequence[Path]) -> dict[str, Path]:
    names: dict[str, Path] = {}
    for run in runs:
        name = run.resolve().name
        if name in names:
            raise RecordsError(f"{names[name]} and {run} are both called {name!r}; rename one of the folders")
        names[name] = run
    return names


def _records(folder: Path) -> list[tuple[str, EpisodeRecord]]:
    """The newest record of each episode, with its line."""
    path = folder / EPISODES
    newest: dict[tuple[str, int], tuple[str, EpisodeRecord]] = {}
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1] if path.exists() else (), 1):
        try:
            record = EpisodeRecord.model_validate_json(line)
        except ValidationError as problem:
            raise RecordsError(f"{path}, line {number} is damaged: {problem.errors()[0]['msg']}") from problem
        newest[record.key] = (line.decode("utf-8"), record)
    return list(newest.values())


def _folder(run: Path, record: EpisodeRecord) -> Path:
    return run / "trajectories" / record.task / f"seed-{record.seed}"


def _rows(folder: Path, run: str, line: str, record: EpisodeRecord, config: RunConfig) -> Iterator[dict[str, Any]]:
    pictures = _turns(folder)
    instruction = _instruction(record)
    for turn in range(pictures):
        picture, tree, step = (folder / f"{turn:03d}.{kind}" for kind in ("png", "xml", "json"))
        data = picture.read_bytes()
        if not data.startswith(_PNG):
            raise RecordsError(f"{picture} is no PNG file; play the episode again (`mobile-gym eval … --trajectories`)")
        text = _text(step) if step.exists() else None
        over = turn == pictures - 2  # the action before the last picture
        row = {
            "run": run,
            "policy": config.policy,
            "language": config.language,
            "task": record.task,
            "seed": record.seed,
            "turn": turn,
            "instruction": instruction,
            "screenshot": {"bytes": data, "path": f"{record.task}-{record.seed}-{picture.name}"},
            "hierarchy": _text(tree) if tree.exists() else None,
            "episode_success": record.success,
            "episode_reward": record.reward,
            "record": line,
            "step": text,
        }
        if text is not None:
            row |= _step(step, text)
            row |= {"terminated": over and record.terminated, "truncated": over and record.truncated}
        yield row


def _turns(folder: Path) -> int:
    """How many pictures an episode has.

    Raises:
        RecordsError: the files are not those of one episode.
    """
    found: dict[str, set[int]] = {"png": set(), "xml": set(), "json": set()}
    for path in sorted(folder.iterdir()):
        match = _NAME.fullmatch(path.name)
        if match is None:
            raise RecordsError(f"{path} is no file of a trajectory; take it away")
        found[match[2]].add(int(match[1]))
    count = len(found["png"])
    if not count or found["png"] != set(range(count)):
        gone = next(turn for turn in range(count + 1) if turn not in found["png"])
        raise RecordsError(f"{folder / f'{gone:03d}.png'} is missing; play the episode again")
    if found["json"] not in (set(range(count - 1)), set(range(count))):
        gone = next(turn for turn in range(count + 1) if turn not in found["json"])
        raise RecordsError(f"{folder / f'{gone:03d}.json'} is missing; play the episode again")
    if not found["xml"] <= found["png"]:
        raise RecordsError(f"{folder} has hierarchies without pictures; play the episode again")
    return count


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as problem:
        raise RecordsError(f"{path} is no text in UTF-8; play the episode again") from problem


def _step(path: Path, text: str) -> dict[str, Any]:
    try:
        step = json.loads(text)
        policy: Mapping[str, Any] = step.get("policy", {})
        return {
            "action": json.dumps(step["action"], ensure_ascii=False),
            "reward": float(step["reward"]),
            "success": bool(step["success"]),
            "progress": float(step["progress"]),
            "activity": str(step["activity"]),
            "action_error": str(step["action_error"]),
            "ended_by": str(step["ended_by"]),
            "thought": _said(policy, "thought"),
            "answer": _said(policy, "answer"),
        }
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise RecordsError(f"{path} is damaged ({problem!r}); play the episode again") from problem


def _said(policy: Mapping[str, Any], name: str) -> str | None:
    value = policy.get(name)
    return None if value is None else str(value)


def _instruction(record: EpisodeRecord) -> str | None:
    """The instruction of an episode; None where the task is not installed or has changed since."""
    try:
        task = load_task(record.task, record.seed)
    except UnknownTask:
        return None
    return instruction_of(record) if task.content_hash == record.task_hash else None
