"""Writes our own set to a folder in the official release's format, with pictures as PNG."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from mobile_gym.task_registry.grounding.items import GroundingItem

ROWS = "all_test.jsonl"
NOTICE = "README.txt"
_PLATFORMS = {"android": "Android", "ios": "iOS", "web": "Web"}
_VERSIONS = {"old": "low", "new": "high", "": ""}


def export(
    items: Sequence[GroundingItem], folder: Path, written: Callable[[int, int], None] = lambda done, total: None
) -> Path:
    """Writes rows and pictures; the same items give the same bytes.

    Args:
        items: the items.
        folder: where to; made where it is missing.
        written: told how many rows are done, and of how many.

    Returns:
        The file of rows, which `load_official(folder)` reads.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    painted: set[str] = set()
    for number, item in enumerate(items, 1):
        path = picture_path(item)
        target = folder / path
        if path not in painted:
            painted.add(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            Image.fromarray(item.load()).save(target, optimize=False, compress_level=6)
        rows.append(row_of(item, path))
        written(number, len(items))
    file = folder / ROWS
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    (folder / NOTICE).write_text(
        "Synthetic pictures and instructions, made by mobile-gym from the embedded phone's apps in the row format of\n"
        "TransBench. They are not TransBench's data, and results on them are not comparable with published ones.\n",
        encoding="utf-8",
    )
    return file


def picture_path(item: GroundingItem) -> str:
    """Where an item's picture lies below the folder: items of one page share it."""
    page = item.id.rpartition("-")[0].removeprefix("own-")
    return f"screenshots/{page}.png"


def row_of(item: GroundingItem, path: str) -> dict[str, Any]:
    """The official format's row of an item, with the page's title, the class of change and the source besides."""
    language, text = next(iter(item.instruction.items()))
    box = item.box
    return {
        "grounding_instruction": text,
        "target_bbox": [[round(side, 6) for side in (box.left, box.top, box.right, box.bottom)]],
        "platform_type": _PLATFORMS[item.platform],
        "app_version_type": _VERSIONS[item.version],
        "screenshot_path": path,
        "app_name": item.app,
        "app_type": item.category,
        "page_title": item.page,
        "change_class": item.change,
        "language": language,
        "source": item.source,
    }
