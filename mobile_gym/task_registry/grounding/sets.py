"""Finds a grounding set by name: our own, or a folder with TransBench's official release."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from mobile_gym.task_registry.grounding.items import GroundingItem, GroundingSetError, Platform
from mobile_gym.task_registry.grounding.official import Release, RowsLeftOut, read_release
from mobile_gym.task_registry.grounding.splits import of_split, partition_of, split_name

if TYPE_CHECKING:
    from mobile_gym.task_registry.grounding.own.build import Progress

OWN = "own"


def load_set(name: str, split: str, language: str = "zh") -> tuple[GroundingItem, ...]:
    """The items of a set and split; warns of what is left out (`RowsLeftOut`). Arguments and errors: `read_set`."""
    release = read_set(name, split, language)
    if told := release.told():
        warnings.warn(told, RowsLeftOut, stacklevel=2)
    return release.items


@lru_cache(maxsize=16)
def read_set(name: str, split: str, language: str = "zh") -> Release:
    """A set's items of a split and what is left out, read once a process.

    Our own set is built from the embedded phone's apps when it is first asked for, which takes some seconds and shows
    how far it is; later it is read from the cache folder.

    Args:
        name: `own`, or the folder of the official release: partitions are read from their own files, splits by
            platform and version from the test part of all items.
        split: one of `splits.SPLITS`.
        language: of our own set's pictures and instructions; the official release is Chinese.

    Raises:
        GroundingSetError: there is no such set, or it cannot be read.
        ValueError: there is no such split.
    """
    drawn = partition_of(split)
    if name == OWN:
        return Release(tuple(of_split(_own(split_name(split), language), split)))
    if not Path(name).is_dir():
        raise GroundingSetError(f"no folder {name}; give `{OWN}` or the folder of the official release")
    if drawn is not None:
        return read_release(name, *drawn)
    whole = read_release(name)
    return Release(tuple(of_split(whole.items, split)), whole.left_out, whole.lacking)


def _own(split: str, language: str) -> list[GroundingItem]:
    # The phone and its apps are read in only where our own set is asked for.
    from mobile_gym.task_registry.grounding.own.build import PLATFORMS, own_items
    from mobile_gym.task_registry.grounding.texts import with_elements

    whole = split == "all" or partition_of(split) is not None
    platforms: tuple[Platform, ...] = tuple(p for p in PLATFORMS if whole or split == p or split.startswith(f"{p}-"))
    with told() as progress:
        return [with_elements(item) for item in own_items(language, platforms, progress)]


@contextmanager
def told() -> Iterator[Progress]:
    """A bar on the terminal's error stream that tells how far the building of our own set is."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("building the grounding set: {task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        line = bar.add_task("", total=None, visible=False)

        def tell(package: str, done: int, total: int) -> None:
            bar.update(line, description=package, completed=done, total=total, visible=True)

        yield tell
