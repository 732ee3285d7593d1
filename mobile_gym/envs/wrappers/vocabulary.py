"""The texts that actions of numbers can carry: a fixed list, and pieces of the instruction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gymnasium import spaces

from mobile_gym.envs.wrappers.base import AnyEnv

_QUOTED = re.compile(r'[“"「『‘]([^“”"「」『』‘’]+)[”"」』’]')
_NUMBER = re.compile(r"\d+(?:[:.]\d+)*")


def quoted_texts(instruction: str) -> list[str]:
    """What an instruction puts in quotes, then its numbers and times of day, each once, in this order."""
    found = [*_QUOTED.findall(instruction), *_NUMBER.findall(instruction)]
    return list(dict.fromkeys(text.strip() for text in found if text.strip()))


class Vocabulary:
    """Texts by number.

    Args:
        fixed: texts that are always there.
        slots: how many pieces of the instruction follow them, see `quoted_texts`; what is not there is empty.
    """

    def __init__(self, fixed: Sequence[str], slots: int) -> None:
        if slots < 0:
            raise ValueError(f"instruction_texts is at least 0, not {slots}")
        self._fixed = tuple(fixed)
        self._slots = slots
        self._pieces: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self._fixed) + self._slots

    def read(self, observation: Any) -> None:
        """Takes the pieces of an episode's instruction from its first observation."""
        if self._slots:
            self._pieces = tuple(quoted_texts(observation["instruction"])[: self._slots])

    def text(self, number: int) -> str:
        """A text, or an empty one."""
        texts = (*self._fixed, *self._pieces)
        return texts[number] if number < len(texts) else ""

    def available(self) -> list[bool]:
        """For each number whether there is a text."""
        return [bool(self.text(number)) for number in range(len(self))]


def vocabulary_of(env: AnyEnv, fixed: Sequence[str], slots: int) -> Vocabulary:
    """The vocabulary of a wrapper around `env`.

    Raises:
        ValueError: `slots` is negative, or there is no instruction to take pieces from.
    """
    space = env.observation_space
    if slots > 0 and not (isinstance(space, spaces.Dict) and isinstance(space.spaces.get("instruction"), spaces.Text)):
        raise ValueError("instruction_texts needs the instruction as a text; put EncodeTexts over this wrapper")
    return Vocabulary(fixed, slots)
