"""From a Parquet file of trajectories back to the folders of the runs, byte for byte."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mobile_gym.evaluation.records import CONFIG, EPISODES, RecordsError
from mobile_gym.training.parquet_schema import runs_of

_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
_COLUMNS = ["run", "task", "seed", "turn", "screenshot", "hierarchy", "record", "step"]


def import_runs(
    source: Path, out: Path, progress: Callable[[int, int], None] = lambda done, all: None
) -> tuple[Path, ...]:
    """Writes the runs of a file as folders: `run.json`, `episodes.jsonl` and the trajectories; timings are not kept.

    Args:
        source: the file.
        out: the folder of the runs' folders; none of them may be there yet.
        progress: called with the rows that are done and all of them.

    Returns:
        The folders of the runs.

    Raises:
        RecordsError: the file is damaged or of another kind, or a run's folder is there already.
    """
    try:
        with pq.ParquetFile(source) as file:
            return _write(file, source, out, progress)
    except FileNotFoundError as problem:
        raise RecordsError(f"there is no file {source}") from problem
    except (pa.ArrowInvalid, pa.ArrowIOError) as problem:
        raise RecordsError(f"{source} is damaged or no Parquet file: {problem}") from problem
    except ValueError as problem:
        raise RecordsError(f"{source} cannot be read: {problem}") from problem


def _write(file: Any, source: Path, out: Path, progress: Callable[[int, int], None]) -> tuple[Path, ...]:
    runs = runs_of(file.schema_arrow)
    for name in runs:
        if (out / _plain(name, source)).exists():
            raise RecordsError(f"{out / name} is there already; use another folder with --out")
    parts = {name: out / f".{name}.part" for name in runs}
    total, done = file.metadata.num_rows, 0
    try:
        for name, text in runs.items():
            shutil.rmtree(parts[name], ignore_errors=True)
            parts[name].mkdir(parents=True)
            (parts[name] / CONFIG).write_bytes(text.encode("utf-8"))
            (parts[name] / EPISODES).write_bytes(b"")
        for batch in file.iter_batches(batch_size=16, columns=_COLUMNS):
            for row in batch.to_pylist():
                if row["run"] not in parts:
                    raise RecordsError(f"{source} has rows of a run {row['run']!r} that it does not describe")
                _row(row, parts[row["run"]], source)
                done += 1
            progress(done, total)
        for name, part in parts.items():
            os.replace(part, out / name)
    finally:
        for part in parts.values():
            shutil.rmtree(part, ignore_errors=True)
    return tuple(out / name for name in runs)


def _row(row: dict[str, Any], run: Path, source: Path) -> None:
    folder = run / "trajectories" / _plain(row["task"], source) / f"seed-{int(row['seed'])}"
    stem = folder / f"{int(row['turn']):03d}"
    if row["turn"] == 0:
        folder.mkdir(parents=True, exist_ok=True)
        with open(run / EPISODES, "ab") as file:
            file.write(row["record"].encode("utf-8") + b"\n")
    if stem.with_suffix(".png").exists() or not folder.exists():
        raise RecordsError(f"{source}: turn {row['turn']} of {row['task']}, seed {row['seed']}, is out of order")
    stem.with_suffix(".png").write_bytes(row["screenshot"]["bytes"])
    for suffix, text in ((".xml", row["hierarchy"]), (".json", row["step"])):
        if text is not None:
            stem.with_suffix(suffix).write_bytes(text.encode("utf-8"))


def _plain(name: str, source: Path) -> str:
    """A name that is one part of a path; files come from anywhere."""
    if _PLAIN.fullmatch(name) is None:
        raise RecordsError(f"{source} names a folder {name!r}, which is no plain name; it is not imported")
    return name
