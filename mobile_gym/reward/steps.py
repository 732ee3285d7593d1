"""Steps of a demonstration, as task files write them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from mobile_gym.assets.documents import OneKey, Strict, by_keys
from mobile_gym.reward.targets import Target, TargetSpec, TextOrWords, Words

Direction = Literal["up", "down", "left", "right"]
Coordinate = Annotated[int, Field(ge=0, le=1000)]
Point = tuple[Coordinate, Coordinate]
"""A point of the papers' 0-1000 frame of the screen."""


class At(Strict):
    """A point instead of an element.

    Attributes:
        point: where, 0-1000 frame.
    """

    point: Point


Place = Annotated[str | Words | TargetSpec | At, by_keys(TargetSpec, ("zh", Words), ("en", Words), ("point", At))]
"""An element or a point."""


class DragSpec(Strict):
    """A slow movement of the finger: a slider to a share of its length, or from one place to another.

    Attributes:
        slider: the slider, by the label beside it or by itself.
        start: where the finger goes down (`from`).
        to: the slider's share, 0 to 1, or where the finger lets go.
    """

    slider: Target | None = None
    start: Place | None = Field(default=None, alias="from")
    to: float | Place

    @model_validator(mode="after")
    def _fits(self) -> DragSpec:
        if (self.slider is None) == (self.start is None):
            raise ValueError("a drag has either 'slider' or 'from'")
        share = isinstance(self.to, float)
        if share != (self.slider is not None):
            raise ValueError("'to' is a share from 0 to 1 for a slider, and an element or point for 'from'")
        if isinstance(self.to, float) and not 0 <= self.to <= 1:
            raise ValueError(f"'to' is a share of the slider from 0 to 1, not {self.to}")
        return self


class SwipeSpec(Strict):
    """A quick movement of the finger. A list moves with it: `up` shows what is further down.

    Attributes:
        direction: which way the finger moves.
        on: the element that it starts on; else the screen.
    """

    direction: Direction
    on: Target | None = None


class ScrollSpec(Strict):
    """Swipes until an element is on the screen.

    Attributes:
        target: the element (`to`).
        direction: which way the finger moves.
        on: the element that the swipes start on; else the screen.
        most: how many swipes at most.
    """

    target: Target = Field(alias="to")
    direction: Direction = "up"
    on: Target | None = None
    most: int = Field(default=15, ge=1, le=50)


class TypeSpec(Strict):
    """Text to type.

    Attributes:
        text: the text.
        into: the field to tap first.
    """

    text: TextOrWords
    into: Target | None = None


class Step(OneKey):
    """One step of a demonstration, such as `tap: Sound`."""

    what = "step"

    @classmethod
    def kinds(cls) -> Mapping[str, Any]:
        """Values by kind of step."""
        return _kinds()


@cache
def _kinds() -> Mapping[str, Any]:
    return MappingProxyType(
        {
            "tap": Place,
            "double_tap": Place,
            "long_press": Place,
            "swipe": Annotated[Direction | SwipeSpec, by_keys(SwipeSpec)],
            "scroll_to": Annotated[
                str | Words | TargetSpec | ScrollSpec,
                by_keys(TargetSpec, ("zh", Words), ("en", Words), ("to", ScrollSpec)),
            ],
            "drag": DragSpec,
            "type": Annotated[str | Words | TypeSpec, by_keys(TypeSpec, ("zh", Words), ("en", Words))],
            "open_app": TextOrWords,
            "wait": Annotated[float, Field(ge=0, le=60)],
            "enter": None,
            "back": None,
            "home": None,
            "recents": None,
            "answer": TextOrWords,
            "call_user": TextOrWords,
            "finish": None,
            "finish_infeasible": None,
        }
    )
