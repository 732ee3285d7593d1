"""Reads TransBench's official release: rows as its dataset on Hugging Face has them.

A row holds `grounding_instruction`; `target_bbox`, a list of normalised boxes of which the first counts;
`platform_type`; `app_version_type` (low or high); `screenshot_path`; `app_name`; `app_type`. Exports of our own set add
`page_title`, `change_class`, `language` and `source`.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from mobile_gym.reward.grounding import Box
from mobile_gym.task_registry.grounding.items import GroundingItem, GroundingSetError, Platform, Version
from mobile_gym.task_registry.grounding.release_files import Row, rows_of
from mobile_gym.task_registry.grounding.splits import PARTITIONS, PARTS, with_transfer

SPLITS = ("all", *PARTITIONS)
NOISE = 0.001
"""How far a box may stick out of the screen, as a share of it: about a pixel, which is what rounding does."""
_MOST_NAMED = 3
_PLATFORMS: Mapping[str, Platform] = {"android": "android", "ios": "ios", "web": "web"}
_VERSIONS: Mapping[str, Version] = {"low": "old", "high": "new"}
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Release:
    """One part of one split, as far as it can be read.

    Attributes:
        items: the items.
        left_out: why each other row is left out; names file, row and field.
        lacking: what else is not known, in a sentence; empty where all is.
    """

    items: tuple[GroundingItem, ...]
    left_out: tuple[str, ...] = ()
    lacking: str = ""

    def told(self) -> str:
        """What is left out and what is not known, in words; empty where nothing is."""
        found = [self.lacking] if self.lacking else []
        if count := len(self.left_out):
            more = f"; and {count - _MOST_NAMED} more" if count > _MOST_NAMED else ""
            rows = "1 row is" if count == 1 else f"{count} rows are"
            named = "; ".join(self.left_out[:_MOST_NAMED])
            found.insert(0, f"{rows} wrong and left out, {len(self.items)} are read: {named}{more}")
        return ". ".join(found)


class RowsLeftOut(UserWarning):
    """Rows of a grounding set that are wrong and were left out."""


def load_official(folder: str | Path, split: str = "all", part: str = "test") -> list[GroundingItem]:
    """The items of one part of one split; rows that are wrong are left out with a warning (`RowsLeftOut`).

    Args:
        folder: the folder of the release.
        split: one of `SPLITS`.
        part: `train` or `test`.

    Raises:
        GroundingSetError: no such file, or nothing in it can be read; names file, row and field.
    """
    release = read_release(folder, split, part)
    if told := release.told():
        warnings.warn(told, RowsLeftOut, stacklevel=2)
    return list(release.items)


def read_release(folder: str | Path, split: str = "all", part: str = "test") -> Release:
    """Reads one part of one split. Which files hold it is told by `release_files.find_files`.

    Pictures lie where `screenshot_path` says, below the folder. Items of the test part of `app` know whether apps of
    their category were trained on, which the training part tells.

    Args:
        folder: the folder of the release.
        split: one of `SPLITS`.
        part: `train` or `test`.

    Raises:
        GroundingSetError: no such file, or nothing in it can be read; names file, row and field.
    """
    root = Path(folder)
    if split not in SPLITS or part not in PARTS:
        raise GroundingSetError(
            f"no split {split!r} {part!r}; there are {', '.join(SPLITS)}, each {' and '.join(PARTS)}"
        )
    items: list[GroundingItem] = []
    wrong: list[str] = []
    for place, row in enumerate(rows_of(root, split, part), 1):
        try:
            # Items are named by their place among all rows, so that a wrong row renames none.
            items.append(_item(root, f"{split}_{part}-{place}", row))
        except GroundingSetError as problem:
            wrong.append(str(problem))
    if wrong and not items:
        raise GroundingSetError(f"none of {len(wrong)} rows can be read; the first: {wrong[0]}")
    lacking = ""
    if (split, part) == ("app", "test"):
        try:
            items = with_transfer(items, read_release(root, split, "train").items)
        except GroundingSetError as problem:
            lacking = f"apps of the same and of different categories cannot be told apart: {problem}"
    return Release(tuple(items), tuple(wrong), lacking)


def _item(root: Path, name: str, row: Row) -> GroundingItem:
    where, found = row.where, row.value
    if row.problem:
        raise GroundingSetError(f"{where}: {row.problem}")
    if not isinstance(found, Mapping):
        raise GroundingSetError(f"{where}: an object is expected, not {type(found).__name__}")

    def text(field: str) -> str:
        value = found.get(field)
        if not isinstance(value, str) or not value.strip():
            raise GroundingSetError(f"{where}, {field}: a text is expected, not {value!r}")
        return value

    platform = _PLATFORMS.get(text("platform_type").strip().lower())
    if platform is None:
        raise GroundingSetError(
            f"{where}, platform_type: {found['platform_type']!r} is none of {', '.join(_PLATFORMS)}"
        )
    version: Version = ""
    if platform == "android":
        known = _VERSIONS.get(text("app_version_type").strip().lower())
        if known is None:
            raise GroundingSetError(f"{where}, app_version_type: {found['app_version_type']!r} is neither low nor high")
        version = known
    path = text("screenshot_path").strip().replace("\\", "/")
    return GroundingItem(
        id=name,
        instruction={str(found.get("language") or "zh"): text("grounding_instruction")},
        box=_box(where, found.get("target_bbox")),
        platform=platform,
        version=version,
        app=text("app_name"),
        category=text("app_type"),
        page=str(found.get("page_title") or ""),
        change=str(found.get("change_class") or ""),
        source=str(found.get("source") or "transbench"),
        picture=path,
        load=partial(_picture, root, path, where),
    )


def _box(where: str, value: Any) -> Box:
    if isinstance(value, str):
        # Some exports keep the list as its text.
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise GroundingSetError(f"{where}, target_bbox: {value!r} is no list") from error
    if not isinstance(value, list | tuple) or not value:
        raise GroundingSetError(f"{where}, target_bbox: a list of boxes is expected, not {value!r}")
    first: Sequence[Any] = value[0] if isinstance(value[0], list | tuple) else value
    if len(first) != 4 or not all(isinstance(side, int | float) and not isinstance(side, bool) for side in first):
        raise GroundingSetError(f"{where}, target_bbox: a box has four numbers, not {first!r}")
    try:
        return Box(*(_side(side) for side in first))
    except (ValueError, OverflowError) as error:
        raise GroundingSetError(f"{where}, target_bbox: {error}") from error


def _side(value: float) -> float:
    """A side of a box, within the screen where only rounding carries it out."""
    side = float(value)
    return min(max(side, 0.0), 1.0) if -NOISE <= side <= 1.0 + NOISE else side


def _picture(root: Path, path: str, where: str) -> NDArray[np.uint8]:
    file = _below(root, path)
    if file is None:
        raise GroundingSetError(f"{where}, screenshot_path: there is no picture {path} below {root}")
    try:
        with Image.open(file) as image:
            return np.array(image.convert("RGB"))
    except (OSError, UnidentifiedImageError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise GroundingSetError(f"{where}, screenshot_path: {file} cannot be read as a picture: {error}") from error


def _below(root: Path, path: str) -> Path | None:
    """The picture's file. Paths may begin with folders of the machine that the rows were written on."""
    steps = [step for step in path.split("/") if step not in ("", ".", "..") and not _DRIVE.fullmatch(step)]
    candidates = (root.joinpath(*steps[begin:]) for begin in range(len(steps)))
    return next((file for file in candidates if file.is_file()), None)
