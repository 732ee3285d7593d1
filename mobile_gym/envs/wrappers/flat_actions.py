"""Actions as four numbers: what to do, where on a grid, in which direction, with which text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from mobile_gym.envs.actions import FRAME, LIFT_KINDS, POINT_KINDS, TEXT_KINDS, ActionType, EncodedAction, Point
from mobile_gym.envs.wrappers.base import AnyEnv
from mobile_gym.envs.wrappers.vocabulary import vocabulary_of

DIRECTIONS = ("up", "down", "left", "right")
"""Where the finger moves, in the order of the numbers."""

_MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_WITH_TEXT = TEXT_KINDS | {ActionType.CALL_USER}


def kinds_of(words: Sequence[str] | None) -> tuple[ActionType, ...]:
    """Kinds of action by their words; all where None.

    Raises:
        ValueError: a word names no kind, or there is none.
    """
    if words is None:
        return tuple(ActionType)
    by_word = {kind.word: kind for kind in ActionType}
    unknown = [word for word in words if word not in by_word]
    if unknown or not words:
        raise ValueError(f"kinds are among {', '.join(by_word)}, not {', '.join(unknown) or 'none at all'}")
    return tuple(by_word[word] for word in words)


class FlatActions(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Actions of `MultiDiscrete([kinds, grid points, directions, texts])`, for PPO and its kin.

    - kind: one of `kinds`, in the order given.
    - grid point: the middle of a cell, row by row; a tap, long press, swipe or drag puts the finger down there.
    - direction: where the finger of a swipe or drag moves (`DIRECTIONS`), by `distance`, cut at the screen's edge.
    - text: a text of the vocabulary, for type, open_app, answer and call_user.

    What a kind does not use is not read. A kind that needs a text where there is none costs a turn, as any malformed
    action does. `action_masks()` tells which numbers are of use, as sb3-contrib's `MaskablePPO` takes it.

    Args:
        env: an environment with the actions of `MobileTaskEnv`.
        grid: (columns, rows), each at least 2; papers use at least 12 x 24.
        kinds: words of the kinds, such as `("tap", "press_back", "finish")`; None for all sixteen.
        vocabulary: texts that the actions can carry.
        instruction_texts: how many pieces of the instruction come after them (what it puts in quotes, its numbers).
        distance: the length of a swipe or drag, in the 0-1000 frame.
    """

    def __init__(
        self,
        env: AnyEnv,
        grid: Sequence[int] = (12, 24),
        kinds: Sequence[str] | None = None,
        vocabulary: Sequence[str] = (),
        instruction_texts: int = 0,
        distance: int = 400,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            grid=list(grid),
            kinds=None if kinds is None else list(kinds),
            vocabulary=list(vocabulary),
            instruction_texts=instruction_texts,
            distance=distance,
        )
        gym.Wrapper.__init__(self, env)
        if len(grid) != 2 or min(grid) < 2:
            raise ValueError(f"grid is (columns, rows), each at least 2, not {tuple(grid)!r}")
        if not 1 <= distance <= FRAME:
            raise ValueError(f"distance is from 1 to {FRAME}, not {distance}")
        self._columns, self._rows = int(grid[0]), int(grid[1])
        self._kinds = kinds_of(kinds)
        self._vocabulary = vocabulary_of(env, vocabulary, instruction_texts)
        self._distance = distance
        self._mask = np.ones(len(ActionType), np.bool_)
        sizes = [len(self._kinds), self._columns * self._rows, len(DIRECTIONS), max(len(self._vocabulary), 1)]
        self.action_space = spaces.MultiDiscrete(sizes)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Resets the environment and reads the instruction's texts."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._vocabulary.read(observation)
        self._mask = info["action_mask"].astype(np.bool_)
        return observation, info

    def step(self, action: NDArray[np.int64]) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Steps the environment with an action of four numbers."""
        outcome = self.env.step(self.decoded(action))
        self._mask = outcome[4]["action_mask"].astype(np.bool_)
        return outcome

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[kinds + grid points + directions + texts]: which numbers are of use now.

        Kinds that the protocol forbids or that need a text where there is none are masked; points and directions never.
        Where nothing would be left of a number's choices all are.
        """
        texts = self._vocabulary.available()
        kinds = [bool(self._mask[kind]) and (kind not in TEXT_KINDS or any(texts)) for kind in self._kinds]
        points = [True] * (self._columns * self._rows + len(DIRECTIONS))
        return np.array([*_or_all(kinds), *points, *_or_all(texts or [True])], np.bool_)

    def decoded(self, action: NDArray[np.int64]) -> EncodedAction:
        """The environment's action for four numbers."""
        kind_number, cell, direction, text = (int(number) for number in action)
        kind = self._kinds[kind_number]
        encoded: EncodedAction = {"action_type": int(kind), "touch_point": (0, 0), "lift_point": (0, 0), "text": ""}
        if kind in POINT_KINDS:
            encoded["touch_point"] = self.point(cell)
        if kind in LIFT_KINDS:
            encoded["lift_point"] = _moved(encoded["touch_point"], DIRECTIONS[direction], self._distance)
        if kind in _WITH_TEXT:
            encoded["text"] = self._vocabulary.text(text)
        return encoded

    def point(self, cell: int) -> Point:
        """The middle of a grid cell in the 0-1000 frame."""
        row, column = divmod(cell, self._columns)
        x, y = ((2 * at + 1) * FRAME // (2 * count) for at, count in ((column, self._columns), (row, self._rows)))
        return x, y


def _or_all(choices: Sequence[bool]) -> list[bool]:
    """The choices, or all where none is left: a mask must leave something."""
    return list(choices) if any(choices) else [True] * len(choices)


def _moved(point: Point, direction: str, distance: int) -> Point:
    dx, dy = _MOVES[direction]
    x, y = (min(max(at + step * distance, 0), FRAME) for at, step in zip(point, (dx, dy), strict=True))
    return x, y
