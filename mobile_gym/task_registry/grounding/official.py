"""Reads TransBench's official release: rows as its dataset on Hugging Face has them.

A row holds `grounding_instruction`; `target_bbox`, a list of normalised boxes of which the first counts;
`platform_type`; `app_version_type` (low or high); `screenshot_path`; `app_name`; `app_type`. Exports of our own set add
`page_title`, `change_class`, `language` and `source`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from mobile_gym.reward.grounding import Box
from mobile_gym.task_registry.grounding.items import GroundingItem, GroundingSetError, Platform, Version

SPLITS = ("all", "android_low", "ios", "normal", "web", "app")
PARTS = ("train", "test")
_PLATFORMS: Mapping[str, Platform] = {"android": "android", "ios": "ios", "web": "web"}
_VERSIONS: Mapping[str, Version] = {"low": "old", "high": "new"}


def load_official(folder: str | Path, split: str = "all", part: str = "test") -> list[GroundingItem]:
    """Reads one part of one split.

    The rows lie in `<split>_<part>.jsonl`, `.json` or `.parquet` (or in a folder `<split>` as `<part>.…`); pictures lie
    where `screenshot_path` says, below the folder.

    Args:
        folder: the folder of the release.
        split: one of `SPLITS`.
        part: `train` or `test`.

    Raises:
        GroundingSetError: no such file, or a row that cannot be read; names file, row and field.
    """
    root = Path(folder)
    if split not in SPLITS or part not in PARTS:
        raise GroundingSetError(
            f"no split {split!r} {part!r}; there are {', '.join(SPLITS)}, each {' and '.join(PARTS)}"
        )
    file = _find(root, split, part)
    return [_item(root, file, number, row) for number, row in enumerate(_rows(file), 1)]


def _find(root: Path, split: str, part: str) -> Path:
    wanted = [
        root / f"{split}_{part}",
        root / split / part,
        root / f"{split}-{part}",
        root / "data" / f"{split}_{part}",
    ]
    for stem in wanted:
        for ending in (".jsonl", ".json", ".parquet"):
            file = stem.with_name(stem.name + ending)
            if file.is_file():
                return file
    names = ", ".join(f"{split}_{part}{ending}" for ending in (".jsonl", ".json", ".parquet"))
    raise GroundingSetError(f"{root}: none of {names} is there; download the release into this folder")


def _rows(file: Path) -> Iterator[Any]:
    try:
        if file.suffix == ".parquet":
            yield from _parquet(file)
        elif file.suffix == ".json":
            found = json.loads(file.read_text(encoding="utf-8"))
            if not isinstance(found, list):
                raise GroundingSetError(f"{file}: a list of rows is expected, not {type(found).__name__}")
            yield from found
        else:
            for line in file.read_text(encoding="utf-8").splitlines():
                if line.strip():
                    yield json.loads(line)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise GroundingSetError(f"{file}: not readable as JSON: {error}") from error


def _parquet(file: Path) -> list[Any]:
    try:
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise GroundingSetError(
            f"{file}: reading Parquet needs pyarrow (pip install pyarrow), or save it as JSON lines"
        ) from error
    rows: list[Any] = parquet.read_table(file).to_pylist()
    return rows


def _item(root: Path, file: Path, number: int, row: Any) -> GroundingItem:
    where = f"{file}, row {number}"
    if not isinstance(row, Mapping):
        raise GroundingSetError(f"{where}: an object is expected, not {type(row).__name__}")

    def text(name: str) -> str:
        value = row.get(name)
        if not isinstance(value, str) or not value.strip():
            raise GroundingSetError(f"{where}, {name}: a text is expected, not {value!r}")
        return value

    platform = _PLATFORMS.get(text("platform_type").strip().lower())
    if platform is None:
        raise GroundingSetError(f"{where}, platform_type: {row['platform_type']!r} is none of {', '.join(_PLATFORMS)}")
    version: Version = ""
    if platform == "android":
        found = _VERSIONS.get(text("app_version_type").strip().lower())
        if found is None:
            raise GroundingSetError(f"{where}, app_version_type: {row['app_version_type']!r} is neither low nor high")
        version = found
    return GroundingItem(
        id=f"{file.stem}-{number}",
        instruction={str(row.get("language") or "zh"): text("grounding_instruction")},
        box=_box(where, row.get("target_bbox")),
        platform=platform,
        version=version,
        app=text("app_name"),
        category=text("app_type"),
        page=str(row.get("page_title") or ""),
        change=str(row.get("change_class") or ""),
        source=str(row.get("source") or "transbench"),
        picture=text("screenshot_path"),
        load=partial(_picture, root / text("screenshot_path"), where),
    )


def _box(where: str, value: Any) -> Box:
    if isinstance(value, str):
        # Some exports keep the list as its text.
        try:
            value = json.loads(value)
        except json.JSONDecodeError as error:
            raise GroundingSetError(f"{where}, target_bbox: {value!r} is no list") from error
    if not isinstance(value, list | tuple) or not value:
        raise GroundingSetError(f"{where}, target_bbox: a list of boxes is expected, not {value!r}")
    first = value[0] if isinstance(value[0], list | tuple) else value
    if len(first) != 4 or not all(isinstance(side, int | float) and not isinstance(side, bool) for side in first):
        raise GroundingSetError(f"{where}, target_bbox: a box has four numbers, not {first!r}")
    try:
        return Box(*(float(side) for side in first))
    except ValueError as error:
        raise GroundingSetError(f"{where}, target_bbox: {error}") from error


def _picture(path: Path, where: str) -> NDArray[np.uint8]:
    try:
        with Image.open(path) as image:
            return np.array(image.convert("RGB"))
    except (OSError, UnidentifiedImageError) as error:
        raise GroundingSetError(f"{where}, screenshot_path: {path} cannot be read as a picture: {error}") from error
