"""Finds a grounding set by name: our own, or a folder with TransBench's official release."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from mobile_gym.task_registry.grounding.items import GroundingItem, GroundingSetError, Platform
from mobile_gym.task_registry.grounding.official import load_official
from mobile_gym.task_registry.grounding.splits import PLATFORM_SPLITS, of_split

if TYPE_CHECKING:
    from mobile_gym.task_registry.grounding.own.build import Progress

OWN = "own"


@lru_cache(maxsize=16)
def load_set(name: str, split: str, language: str = "zh") -> tuple[GroundingItem, ...]:
    """The items of a set and split, read once a process.

    Our own set is built from the embedded phone's apps when it is first asked for, which takes some seconds and shows
    how far it is; later it is read from the cache folder.

    Args:
        name: `own`, or the folder of the official release (its test part of all items is read).
        split: a platform split.
        language: of our own set's pictures and instructions; the official release is Chinese.

    Raises:
        GroundingSetError: there is no such set, or it cannot be read.
        ValueError: there is no such split.
    """
    if name == OWN:
        return tuple(of_split(_own(split, language), split))
    if not Path(name).is_dir():
        raise GroundingSetError(f"no folder {name}; give `{OWN}` or the folder of the official release")
    return tuple(of_split(load_official(name), split))


def _own(split: str, language: str) -> list[GroundingItem]:
    # The phone and its apps are read in only where our own set is asked for.
    from mobile_gym.task_registry.grounding.own.build import PLATFORMS, own_items

    if split not in PLATFORM_SPLITS:
        raise ValueError(f"no split {split!r}; there are {', '.join(PLATFORM_SPLITS)}")
    platforms: tuple[Platform, ...] = tuple(p for p in PLATFORMS if split in ("all", p) or split.startswith(f"{p}-"))
    with told() as progress:
        return own_items(language, platforms, progress)


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
