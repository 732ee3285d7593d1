"""Who points at an item of a grounding set: baselines that need no model, and policies that do without tasks."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from mobile_gym.envs.actions import FRAME, Action, EncodedAction
from mobile_gym.envs.grounding_env import Observation
from mobile_gym.policies.registry import make_policy
from mobile_gym.policies.text_match import match
from mobile_gym.reward.grounding import Box
from mobile_gym.task_registry.grounding import GroundingItem
from mobile_gym.task_registry.grounding.items import PageElement

SUITE = "trans"


class Pointer(Protocol):
    """Who points. A policy of tasks is one where it does without the task (`ModelPolicy`)."""

    @property
    def name(self) -> str: ...

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Begins an item; `task` is the item, of which nobody but the demonstration may read the box."""

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The answer."""


class CenterPointer:
    """Points at the middle of every picture."""

    name = "center"

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The middle."""
        return Action.tap(FRAME // 2, FRAME // 2).encode()


class RandomPointer:
    """Points anywhere, drawn by the item's name."""

    name = "random"

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Seeds the draw."""
        self._rng = np.random.default_rng([seed, zlib.crc32(str(info["item_id"]).encode())])

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """Any point of the picture."""
        x, y = self._rng.integers(FRAME + 1, size=2)
        return Action.tap(int(x), int(y)).encode()


class NoPointer:
    """Gives no point."""

    name = "noop"

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """Finish."""
        return Action.finish().encode()


class DemonstrationPointer:
    """Points at the middle of the right box: whatever is less than all hits is a fault of the set or of the scores."""

    name = "demonstration"

    def __init__(self) -> None:
        self._answer = Action.finish().encode()

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Reads the answer."""
        self._answer = _middle(task.box)

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The answer."""
        return self._answer


class TextMatchPointer:
    """Points at the element whose text reads most like a part of the instruction; gives no point where none does.

    Args:
        threshold: the least match of an element, 0 to 100.
    """

    name = "text_match"

    def __init__(self, threshold: float = 50.0) -> None:
        self._threshold = threshold
        self._elements: Sequence[PageElement] = ()

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Reads the page's texts."""
        self._elements = task.elements() if task.elements is not None else ()

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The best match's middle. Of equal ones the longest text counts, then the first element."""
        said = _plain(str(observation["instruction"]))
        best: tuple[float, int] = (self._threshold, 0)
        answer = Action.finish().encode()
        for element in self._elements:
            for text in map(_plain, element.texts):
                found = (match(text, said), len(text))
                if found > best:
                    best, answer = found, _middle(element.box)
        return answer


POINTERS: dict[str, Callable[[], Pointer]] = {
    "demonstration": DemonstrationPointer,
    "text_match": TextMatchPointer,
    "center": CenterPointer,
    "random": RandomPointer,
    "noop": NoPointer,
}
"""Those that need no model."""


def make_pointer(name: str, **options: Any) -> Pointer:
    """Who points: one of `POINTERS`, or a policy that does without tasks, such as `openai:MODEL`.

    Raises:
        ValueError: there is none of that name, or it takes no such option.
    """
    if "number" in options:
        raise ValueError(f"items of {SUITE} have one answer; --demonstration chooses among those of a task")
    if name in POINTERS:
        return POINTERS[name]()
    if not name.startswith("openai:"):
        raise ValueError(f"--policy for {SUITE} is {', '.join(POINTERS)} or openai:MODEL, not {name!r}")
    return make_policy(name, **options)


def check_pointer(pointer: Pointer, items: Iterable[GroundingItem], dataset: str) -> None:
    """Looks whether the items have what the pointer reads.

    Raises:
        ValueError: they don't.
    """
    if isinstance(pointer, TextMatchPointer) and any(item.elements is None for item in items):
        raise ValueError(
            f"text_match reads the texts on a page, and the set {dataset} has none: its rows hold a picture, an "
            "instruction and a box. Use another --policy, or --dataset own"
        )


def _middle(box: Box) -> EncodedAction:
    x, y = box.center
    return Action.tap(round(x * FRAME), round(y * FRAME)).encode()


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
