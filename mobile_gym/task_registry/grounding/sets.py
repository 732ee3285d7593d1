"""Finds a grounding set by name: our own, or a folder with TransBench's official release."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from mobile_gym.task_registry.grounding.items import GroundingItem, GroundingSetError
from mobile_gym.task_registry.grounding.official import load_official
from mobile_gym.task_registry.grounding.splits import of_split

OWN = "own"


@lru_cache(maxsize=16)
def load_set(name: str, split: str) -> tuple[GroundingItem, ...]:
    """The items of a set and split, read once a process.

    Args:
        name: `own`, or the folder of the official release (its test part of all items is read).
        split: a platform split.

    Raises:
        GroundingSetError: there is no such set, or it cannot be read.
    """
    if name == OWN:
        raise GroundingSetError("our own grounding set is not built yet; give the folder of the official release")
    if not Path(name).is_dir():
        raise GroundingSetError(f"no folder {name}; give `{OWN}` or the folder of the official release")
    return tuple(of_split(load_official(name), split))
