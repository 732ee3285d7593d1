"""One grounding item: a picture, an instruction, the box that it means, and where all of it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mobile_gym.reward.grounding import Box

Platform = Literal["android", "ios", "web"]
Version = Literal["old", "new", ""]
CHANGE_CLASSES = ("layout", "text_or_icon", "both", "addition", "deletion", "none")
"""How an element differs between two versions of its app (TransBench, table 3)."""
Transfer = Literal["same category", "different category", ""]


class GroundingSetError(ValueError):
    """A grounding set that cannot be read; the message names file, row and field."""


@dataclass(frozen=True, slots=True)
class PageElement:
    """An element of an item's page: the texts in it, its description among them, and its box."""

    texts: tuple[str, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class GroundingItem:
    """One item.

    Attributes:
        id: its name within the set.
        instruction: what the user wants, by language; a set of one language has that alone.
        box: the element meant, in shares of the screen.
        platform: android, ios or web.
        version: old or new for Android, empty for the others.
        app: the app's name.
        category: the app's category.
        page: the page's title; empty where the set has none.
        change: the element's class of change between versions (`CHANGE_CLASSES`); empty where the set has none.
        source: the set's name; `synthetic` sets are never reported beside the paper's figures.
        load: reads or paints the picture, uint8[H, W, 3].
        picture: the picture's name within the set, the same for all items that are asked of it; empty where the set
            gives it none.
        transfer: in the test part of the app partition, whether apps of this one's category were trained on
            (TransBench, figure 3); empty for apps that were trained on themselves, and in every other split.
        elements: finds the elements of the page, parents first; None where the set knows no texts.
    """

    id: str
    instruction: dict[str, str]
    box: Box
    platform: Platform
    version: Version
    app: str
    category: str
    page: str
    change: str
    source: str
    load: Callable[[], NDArray[np.uint8]] = field(compare=False, repr=False)
    picture: str = field(default="", compare=False)
    transfer: Transfer = field(default="", compare=False)
    elements: Callable[[], Sequence[PageElement]] | None = field(default=None, compare=False, repr=False)

    def spoken(self, language: str) -> str:
        """The instruction in a language, or in the only one that there is."""
        found = self.instruction.get(language)
        return found if found is not None else next(iter(self.instruction.values()))
