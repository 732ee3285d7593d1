"""How a vision-language policy is asked and how its answers are read: one codec an episode.

`HarnessCodec` asks as an evaluation does (prompts, formats and histories of `mobile_gym.policies`), so that what is
trained is what is evaluated. `WordCodec` has one word an action, for models too small to write JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from PIL import Image

from mobile_gym.envs.actions import FRAME, Action, ActionType, EncodedAction, unreadable
from mobile_gym.envs.task_env import Observation
from mobile_gym.models.messages import Message, png
from mobile_gym.policies.formats import ModelTraits, Screen, adapted, parse
from mobile_gym.policies.harness.chat import Harness
from mobile_gym.policies.harness.pictures import look_of
from mobile_gym.policies.harness.prompts import Language, Prompts

Chat = tuple[Message, ...]
"""What a model is sent in one turn: texts and pictures."""


class Codec(Protocol):
    """Turns observations into chats and answers into actions, for one episode."""

    def begin(self, observation: Observation) -> None:
        """Begins an episode."""

    def chat(self, observation: Observation, info: Mapping[str, Any]) -> Chat:
        """What the model is sent in this turn."""

    def read(self, answer: str, cut_off: bool = False) -> EncodedAction:
        """The action of an answer; one that the environment refuses, at the cost of a turn, where it holds none.

        Args:
            answer: what the model said.
            cut_off: whether it had more to say than it was let; such an answer never ends an episode.
        """


class HarnessCodec:
    """Asks with the prompts and the history of `ModelPolicy`.

    Args:
        traits: how the model prints actions; see `mobile_gym.policies.formats.traits_of`.
        language: of the prompts.
        images: how many screenshots are sent, the present one among them.
        thoughts: whether earlier reasoning is sent.
        max_pixels: the most pixels of a screenshot.
    """

    def __init__(
        self,
        traits: ModelTraits,
        language: Language = "en",
        images: int = 1,
        thoughts: bool = False,
        max_pixels: int = 512 * 28 * 28,
    ) -> None:
        self._traits = traits
        self._max_pixels = max_pixels
        self._harness = Harness(Prompts(traits, language), images, thoughts)
        self._screen: Screen | None = None
        self._mask: Sequence[int] = ()

    def begin(self, observation: Observation) -> None:
        """See `Codec`."""
        self._harness.begin(observation["instruction"])

    def chat(self, observation: Observation, info: Mapping[str, Any]) -> Chat:
        """See `Codec`."""
        look = look_of(observation, info, self._traits.factor, self._max_pixels)
        self._screen, self._mask = look.screen, info["action_mask"]
        return tuple(self._harness.messages(look, observation["message"], self._mask))

    def read(self, answer: str, cut_off: bool = False) -> EncodedAction:
        """See `Codec`."""
        if self._screen is None:
            raise RuntimeError("read() belongs after chat()")
        parsed = adapted(parse(self._traits.format, answer, self._screen, self._traits.space, cut_off), self._mask)
        self._harness.record(answer, parsed)
        if parsed.action is None:
            return unreadable(parsed.error, parsed.raw)
        return parsed.action.encode()


class WordCodec:
    """One word an action: the instruction, the environment's message and the small screen; no history.

    Args:
        words: actions by word.
        size: (width, height) of the picture, multiples of the model's factor.
    """

    def __init__(self, words: Mapping[str, Action], size: tuple[int, int] = (84, 168)) -> None:
        self._words = words
        self._size = size

    def begin(self, observation: Observation) -> None:
        """See `Codec`."""

    def chat(self, observation: Observation, info: Mapping[str, Any]) -> Chat:
        """See `Codec`."""
        left, top, width, height = info["screen"]
        frame = observation["screenshot"][top : top + height, left : left + width]
        small = np.asarray(Image.fromarray(frame).resize(self._size, Image.Resampling.BOX))
        said = "\n".join(text for text in (observation["instruction"], observation["message"]) if text)
        return (Message.of("user", png(small), said),)

    def read(self, answer: str, cut_off: bool = False) -> EncodedAction:
        """See `Codec`."""
        word = answer.strip()
        action = self._words.get(word)
        return unreadable("the answer is none of the words", word) if action is None else action.encode()


def grid_words(columns: int, rows: int, kinds: Sequence[ActionType] = (ActionType.FINISH,)) -> dict[str, Action]:
    """A word for a tap on the middle of each cell of a grid, `tap_<column>_<row>`, and one for each further kind.

    Args:
        columns: cells across.
        rows: cells down.
        kinds: kinds that need neither a point nor a text.
    """
    words = {
        f"tap_{column}_{row}": Action.tap(
            (2 * column + 1) * FRAME // (2 * columns), (2 * row + 1) * FRAME // (2 * rows)
        )
        for row in range(rows)
        for column in range(columns)
    }
    return words | {kind.word: Action(kind=kind) for kind in kinds}
