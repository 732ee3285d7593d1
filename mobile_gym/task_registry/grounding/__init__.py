"""Grounding sets: TransBench's official release, and our own set of the embedded phone's screens."""

from mobile_gym.task_registry.grounding.items import GroundingItem, GroundingSetError
from mobile_gym.task_registry.grounding.official import RowsLeftOut, load_official
from mobile_gym.task_registry.grounding.splits import PLATFORM_SPLITS, SPLITS, of_split, partition, split_name

__all__ = [
    "PLATFORM_SPLITS",
    "SPLITS",
    "GroundingItem",
    "GroundingSetError",
    "RowsLeftOut",
    "load_official",
    "of_split",
    "partition",
    "split_name",
]
