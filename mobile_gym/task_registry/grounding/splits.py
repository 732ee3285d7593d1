"""Splits of a grounding set: by platform and version, and the training partitions of TransBench, appendix B.2."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from mobile_gym.task_registry.grounding.items import GroundingItem

PLATFORM_SPLITS = ("android-old", "android-new", "ios", "web", "all")
PARTITIONS = ("android_low", "ios", "web", "normal", "app")
_TRAIN_SHARE = {
    "android_low": 5000 / 5696,
    "ios": 5000 / 6046,
    "web": 4000 / 4191,
    "normal": 5000 / 22238,
    "app": 5000 / 6247,
}
"""Training items as a share of the partition's candidates: 5,000 of 5,696 and so on."""
_TOP_CATEGORIES = 7
_TEST_APPS = 0.4


def of_split(items: Sequence[GroundingItem], split: str) -> list[GroundingItem]:
    """The items of a platform split, in their order.

    Raises:
        ValueError: no such split.
    """
    if split not in PLATFORM_SPLITS:
        raise ValueError(f"no split {split!r}; there are {', '.join(PLATFORM_SPLITS)}")
    if split == "all":
        return list(items)
    platform, _, version = split.partition("-")
    return [item for item in items if item.platform == platform and item.version == version]


def partition(
    items: Sequence[GroundingItem], name: str, seed: int = 42
) -> tuple[list[GroundingItem], list[GroundingItem]]:
    """Training and test items of a partition (appendix B.2): all that is not trained on is tested on.

    The app partition follows B.2: of the seven largest categories 40% of the apps are held back for testing, and
    training items are drawn from the other apps. (Section 5.3 counts 18 training apps and 35 test apps of those
    categories, which disagrees with that.)

    Args:
        items: the whole set.
        name: one of `PARTITIONS`.
        seed: seed of the draw.

    Raises:
        ValueError: no such partition.
    """
    chance = random.Random(f"{name}/{seed}")
    if name == "android_low":
        candidates = of_split(items, "android-old")
    elif name in ("ios", "web"):
        candidates = of_split(items, name)
    elif name == "normal":
        candidates = list(items)
    elif name == "app":
        candidates = _app_candidates(items, chance)
    else:
        raise ValueError(f"no partition {name!r}; there are {', '.join(PARTITIONS)}")
    train = chance.sample(candidates, round(len(candidates) * _TRAIN_SHARE[name]))
    chosen = {item.id for item in train}
    order = [item for item in candidates if item.id in chosen]
    return order, [item for item in items if item.id not in chosen]


def _app_candidates(items: Sequence[GroundingItem], chance: random.Random) -> list[GroundingItem]:
    sizes = Counter(item.category for item in items)
    top = sorted(sizes, key=lambda category: (-sizes[category], category))[:_TOP_CATEGORIES]
    apps = sorted({item.app for item in items if item.category in top})
    held = set(chance.sample(apps, round(len(apps) * _TEST_APPS)))
    return [item for item in items if item.category in top and item.app not in held]
