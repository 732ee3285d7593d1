"""The files of TransBench's official release: where the rows of a part of a split lie, and each row as it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mobile_gym.task_registry.grounding.items import GroundingSetError

ENDINGS = (".jsonl", ".json", ".parquet")
_SHARD = re.compile(r"-(\d{5})-of-(\d{5})$")


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it was found.

    Attributes:
        file: the file.
        number: of the row in its file, from 1; of a file of JSON lines, the line's.
        value: what it holds.
        problem: why it could not be read; empty where it could.
    """

    file: Path
    number: int
    value: Any = None
    problem: str = ""

    @property
    def where(self) -> str:
        """File and row, for messages."""
        return f"{self.file}, row {self.number}"


def rows_of(root: Path, split: str, part: str) -> Iterator[Row]:
    """All rows of a part of a split, over all files that hold it.

    Raises:
        GroundingSetError: no such file, or a file that cannot be read at all.
    """
    for file in find_files(root, split, part):
        if file.suffix == ".parquet":
            yield from _parquet(file)
        elif file.suffix == ".json":
            yield from _list(file)
        else:
            yield from _lines(file)


def find_files(root: Path, split: str, part: str) -> Sequence[Path]:
    """The file of a part of a split, or its shards in their order.

    Below the folder or its folder `data` it is `<split>_<part>` or `<split>-<part>`, or `<part>` in a folder
    `<split>`; shards go on with `-00000-of-00002`, as datasets on Hugging Face do.

    Raises:
        GroundingSetError: there is none, or a shard is missing.
    """
    stems = (f"{split}_{part}", f"{split}-{part}", f"{split}/{part}")
    for base in (root, root / "data"):
        for stem in stems:
            for ending in ENDINGS:
                file = base / f"{stem}{ending}"
                if file.is_file():
                    return [file]
                shards = sorted(file.parent.glob(f"{file.stem}-*-of-*{ending}"))
                if shards := [shard for shard in shards if _SHARD.fullmatch(shard.stem.removeprefix(file.stem))]:
                    return _whole(shards)
    names = ", ".join(f"{split}_{part}{ending}" for ending in ENDINGS)
    raise GroundingSetError(
        f"{root}: none of {names} is there, nor data/{split}_{part}-00000-of-….parquet; download the release into "
        "this folder"
    )


def _whole(shards: Sequence[Path]) -> Sequence[Path]:
    numbers = [_SHARD.search(shard.stem) for shard in shards]
    found = {(int(one[1]), int(one[2])) for one in numbers if one is not None}
    counts = {count for _, count in found}
    if len(counts) > 1:
        raise GroundingSetError(f"{shards[0]}: there are shards of several downloads here; keep those of one")
    count = counts.pop()
    if missing := sorted(set(range(count)) - {number for number, _ in found}):
        named = ", ".join(f"{number:05}" for number in missing[:5])
        raise GroundingSetError(f"{shards[0]}: of {count} shards {len(missing)} are missing ({named}); download them")
    return shards


def _lines(file: Path) -> Iterator[Row]:
    # Split at line feeds alone: texts may hold U+2028 and others that `splitlines` takes for ends of lines.
    for number, line in enumerate(_bytes(file).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield Row(file, number, json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8")))
        except (ValueError, RecursionError) as error:
            yield Row(file, number, problem=f"not readable as JSON: {error}")


def _list(file: Path) -> Iterator[Row]:
    try:
        found = json.loads(_bytes(file).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise GroundingSetError(
            f"{file}: not readable as JSON: {error}; one list of rows is expected (one row a line is .jsonl)"
        ) from error
    if not isinstance(found, list):
        raise GroundingSetError(f"{file}: a list of rows is expected, not {type(found).__name__}")
    for number, value in enumerate(found, 1):
        yield Row(file, number, value)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise GroundingSetError(f"{file}: {error.strerror}") from error


def _parquet(file: Path) -> Iterator[Row]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise GroundingSetError(
            f"{file}: reading Parquet needs pyarrow (pip install pyarrow), or save it as JSON lines"
        ) from error
    # Group by group, so that damage in one leaves the others.
    failures = (pyarrow.ArrowException, OSError, ValueError)
    try:
        source = parquet.ParquetFile(file)
    except failures as error:
        raise GroundingSetError(f"{file}: not readable as Parquet: {error}; download it again") from error
    number = 0
    with source:
        for group in range(source.num_row_groups):
            count = source.metadata.row_group(group).num_rows
            try:
                values: list[Any] = source.read_row_group(group).to_pylist()
            except failures as error:
                for place in range(count):
                    yield Row(file, number + place + 1, problem=f"not readable as Parquet: {error}")
            else:
                for place, value in enumerate(values):
                    yield Row(file, number + place + 1, value)
            number += count
