"""Splits of a grounding set: by platform and version, and the training partitions of TransBench, appendix B.2."""

from __future__ import annotations

import difflib
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mobile_gym.task_registry.grounding.items import GroundingItem, Transfer

PLATFORM_SPLITS = ("android-old", "android-new", "ios", "web", "all")
PARTITIONS = ("android_low", "ios", "web", "normal", "app")
PARTS = ("train", "test")
PARTITION_SPLITS = tuple(f"{name}_{part}" for name in PARTITIONS for part in PARTS)
SPLITS = (*PLATFORM_SPLITS, *PARTITION_SPLITS)
"""Names of all splits. `ios` is the items of that platform, `ios_test` what is tested after training on it."""
_OTHER_NAMES = {"all_test": "all", "android_low": "android_low_test", "normal": "normal_test", "app": "app_test"}
_TRAIN_SHARE = {
    "android_low": 5000 / 5696,
    "ios": 5000 / 6046,
    "web": 4000 / 4191,
    "normal": 5000 / 22238,
    "app": 5000 / 6247,
}
"""Training items as a share of the partition's candidates: 5,000 of 5,696 and so on."""
_TOP_CATEGORIES = 7 / 15
"""Seven of TransBench's fifteen categories, the largest; a set of fewer gives the same share, so that some are left."""
_TEST_APPS = 0.4


def split_name(text: str) -> str:
    """A split's one name, by which its results are filed; a partition without its part is the test part.

    Raises:
        ValueError: no such split.
    """
    name = _OTHER_NAMES.get(text, text)
    if name not in SPLITS:
        close = difflib.get_close_matches(text, SPLITS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise ValueError(
            f"no split {text!r}{hint} There are {', '.join(PLATFORM_SPLITS)} by platform and version, and "
            f"{', '.join(PARTITION_SPLITS)} by the partitions of TransBench"
        )
    return name


def partition_of(split: str) -> tuple[str, str] | None:
    """The partition and part that a split is; None for a split by platform and version.

    Raises:
        ValueError: no such split.
    """
    name, _, part = split_name(split).rpartition("_")
    return (name, part) if name else None


def of_split(items: Sequence[GroundingItem], split: str) -> list[GroundingItem]:
    """The items of a split, in their order.

    Args:
        items: the whole set.
        split: one of `SPLITS`; partitions are drawn by `partition`.

    Raises:
        ValueError: no such split.
    """
    name, drawn = split_name(split), partition_of(split)
    if drawn is not None:
        train, test = partition(items, drawn[0])
        if drawn[1] == "train":
            return train
        return with_transfer(test, train) if drawn[0] == "app" else test
    if name == "all":
        return list(items)
    platform, _, version = name.partition("-")
    return [item for item in items if item.platform == platform and item.version == version]


def partition(
    items: Sequence[GroundingItem], name: str, seed: int = 42
) -> tuple[list[GroundingItem], list[GroundingItem]]:
    """Training and test items of a partition (appendix B.2): all that is not trained on is tested on.

    The app partition follows B.2: of the largest categories (seven of fifteen) 40% of the apps are held back for
    testing, and training items are drawn from the other apps. (Section 5.3 counts 18 training apps and 35 test apps of
    those categories, which disagrees with that.)

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


def with_transfer(test: Iterable[GroundingItem], train: Sequence[GroundingItem]) -> list[GroundingItem]:
    """Test items of the app partition, each with how its app relates to those that were trained on (figure 3)."""
    apps = {item.app for item in train}
    categories = {item.category for item in train}

    def transfer(item: GroundingItem) -> Transfer:
        if item.app in apps:
            return ""
        return "same category" if item.category in categories else "different category"

    return [replace(item, transfer=transfer(item)) for item in test]


def _app_candidates(items: Sequence[GroundingItem], chance: random.Random) -> list[GroundingItem]:
    sizes = Counter(item.category for item in items)
    largest = sorted(sizes, key=lambda category: (-sizes[category], category))
    top = largest[: max(1, round(len(largest) * _TOP_CATEGORIES))]
    apps = sorted({item.app for item in items if item.category in top})
    held = set(chance.sample(apps, round(len(apps) * _TEST_APPS)))
    return [item for item in items if item.category in top and item.app not in held]
