"""How elements differ between two versions of a page (TransBench, table 3), measured on their renderings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from mobile_gym.task_registry.grounding.items import CHANGE_CLASSES
from mobile_gym.task_registry.grounding.own.elements import Element

PUBLISHED = {"layout": 0.100, "text_or_icon": 0.020, "both": 0.136, "addition": 0.308, "deletion": 0.140, "none": 0.296}
"""Shares of table 3."""
UNCHANGED_SCREENS = 1 - 0.746
"""The share of screens that do not differ significantly (section 3.5)."""
MOVED = 0.02
"""An element whose middle lies this share of the screen's side further on has another layout."""
RESIZED = 0.2
"""So has one whose width or height differs by more than this share."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Classes of the elements of two versions of a page, by origin; an addition is in the new one alone."""

    old: Mapping[str, str]
    new: Mapping[str, str]

    def counts(self, meant: Container[str] | None = None) -> Counter[str]:
        """Elements of both versions together, by class; of `meant` alone, where that is given."""
        every = {**self.old, **self.new}
        return Counter(name for origin, name in every.items() if meant is None or origin in meant)


def compare(old: Sequence[Element], new: Sequence[Element], size: tuple[int, int]) -> Changes:
    """Compares two renderings of a page on screens of one size.

    Args:
        old: elements of the older version.
        new: elements of the newer one.
        size: the screen's, pixels.
    """
    before = {element.origin: element for element in old if element.origin}
    after = {element.origin: element for element in new if element.origin}
    classes = {
        origin: _class(before[origin], element, size) if origin in before else "addition"
        for origin, element in after.items()
    }
    olds = {origin: classes.get(origin, "deletion") for origin in before}
    return Changes(olds, classes)


def shares(counts: Mapping[str, int]) -> dict[str, float]:
    """Shares of the classes, in their order."""
    total = sum(counts.values())
    return {name: counts.get(name, 0) / total if total else 0.0 for name in CHANGE_CLASSES}


def distance(counts: Mapping[str, int]) -> float:
    """How far counts are from the published shares: the sum of squared differences."""
    found = shares(counts)
    return sum((found[name] - PUBLISHED[name]) ** 2 for name in CHANGE_CLASSES)


def _class(old: Element, new: Element, size: tuple[int, int]) -> str:
    layout = _moved(old, new, size)
    content = (old.texts, old.icons, old.label) != (new.texts, new.icons, new.label)
    if layout and content:
        return "both"
    return "layout" if layout else "text_or_icon" if content else "none"


def _moved(old: Element, new: Element, size: tuple[int, int]) -> bool:
    for low, high, side in ((0, 2, size[0]), (1, 3, size[1])):
        if abs(old.box[low] + old.box[high] - new.box[low] - new.box[high]) / 2 > MOVED * side:
            return True
        before, after = old.box[high] - old.box[low], new.box[high] - new.box[low]
        if abs(before - after) > RESIZED * max(before, after):
            return True
    return False
