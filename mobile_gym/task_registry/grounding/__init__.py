"""Grounding sets: TransBench's official release, and our own set of the embedded phone's screens."""

from mobile_gym.task_registry.grounding.items import GroundingItem, GroundingSetError
from mobile_gym.task_registry.grounding.official import load_official
from mobile_gym.task_registry.grounding.splits import PLATFORM_SPLITS, of_split, partition

__all__ = ["PLATFORM_SPLITS", "GroundingItem", "GroundingSetError", "load_official", "of_split", "partition"]
