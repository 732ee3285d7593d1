"""The shared action vocabulary: one fixed list of kinds, points in the papers' 0-1000 frame.

A point's frame is the screen as it was shown in the last observation, whatever its size and however it is turned:
(0, 0) is the first pixel, (1000, 1000) the last one (ElderBench, section 4.1). Points never refer to the canvas that a
turned screen is letterboxed on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal, NoReturn

import numpy as np

FRAME = 1000
"""The largest coordinate of the action frame."""

MAX_ACTION_TEXT = 10_000
"""The longest text of an action, characters; a longer one is refused whole, never cut."""

MAX_WAIT_SECONDS = 60.0
"""The longest time that one `wait` may ask for."""

Point = tuple[int, int]
Direction = Literal["up", "down", "left", "right"]
EncodedAction = dict[str, Any]


class ActionType(IntEnum):
    """Kinds of action, in the order of the action space; the order never changes."""

    TAP = 0
    DOUBLE_TAP = 1
    LONG_PRESS = 2
    SWIPE = 3
    DRAG = 4
    TYPE = 5
    PRESS_ENTER = 6
    PRESS_BACK = 7
    PRESS_HOME = 8
    PRESS_RECENTS = 9
    OPEN_APP = 10
    WAIT = 11
    CALL_USER = 12
    ANSWER = 13
    FINISH = 14
    FINISH_INFEASIBLE = 15

    @property
    def word(self) -> str:
        """The kind in lower case, as task files and messages spell it."""
        return self.name.lower()


POINT_KINDS = frozenset(
    {ActionType.TAP, ActionType.DOUBLE_TAP, ActionType.LONG_PRESS, ActionType.SWIPE, ActionType.DRAG}
)
LIFT_KINDS = frozenset({ActionType.SWIPE, ActionType.DRAG})
TEXT_KINDS = frozenset({ActionType.TYPE, ActionType.OPEN_APP, ActionType.ANSWER})
"""Kinds that need a text; `wait`, `call_user`, `finish` and `finish_infeasible` may carry one."""

_BY_WORD = {kind.word: kind for kind in ActionType}
_BY_NUMBER = tuple(ActionType)
_KEYS = frozenset({"action_type", "touch_point", "lift_point", "text"})
_UNREADABLE = "unreadable"
_RAW = "raw"


class MalformedAction(ValueError):
    """An action that cannot be read; the message names the key, what it held and what it should hold."""


@dataclass(frozen=True, slots=True)
class ParsedAction:
    """An action as the environment carries it out; what a kind does not use is None or empty.

    Attributes:
        kind: what to do.
        point: where the finger goes down, 0-1000 frame.
        lift: where the finger lets go, 0-1000 frame.
        text: the text to type, the app to open, the answer, the message; for `wait` the seconds as a number, or empty.
    """

    kind: ActionType
    point: Point | None = None
    lift: Point | None = None
    text: str = ""


def unreadable(why: str, raw: str = "") -> EncodedAction:
    """What a policy gives to `step` where it could not make out an action: it costs a turn, and `why` is told.

    Args:
        why: what was wrong.
        raw: what it could not make out; trajectories keep its beginning.
    """
    return {_UNREADABLE: why, _RAW: raw}


def parse_action(action: object) -> ParsedAction:
    """Reads an action of the environment's Dict space, or an `Action`.

    Numbers may be Python's or numpy's, plain or arrays of one element; points may be arrays, lists or tuples; the kind
    may also be its word, such as `"tap"`. Keys that a kind does not use may be missing and are not read.

    Args:
        action: a mapping with `action_type`, `touch_point`, `lift_point`, `text`, or an `Action`.

    Returns:
        The parsed action.

    Raises:
        MalformedAction: something is missing, misspelt, of a wrong type or out of range.
    """
    if isinstance(action, Action):
        return ParsedAction(action.kind, action.point, action.lift, action.text)
    if not isinstance(action, Mapping):
        _refuse(f"an action is a dict with {', '.join(sorted(_KEYS))}, not {_show(action)}")
    if _UNREADABLE in action:
        _refuse(str(action[_UNREADABLE]))
    unknown = action.keys() - _KEYS
    if unknown:
        names = ", ".join(sorted(map(repr, unknown)))
        _refuse(f"unknown key {names} in the action; the keys are {', '.join(sorted(_KEYS))}")
    if "action_type" not in action:
        _refuse("the action has no 'action_type'")
    kind = _kind(action["action_type"])
    point = _point(action, "touch_point", kind) if kind in POINT_KINDS else None
    lift = _point(action, "lift_point", kind) if kind in LIFT_KINDS else None
    text = "" if kind in POINT_KINDS else _text(action.get("text"))
    if kind in TEXT_KINDS and not text:
        _refuse(f"{kind.word} needs a 'text'")
    if kind is ActionType.WAIT:
        wait_seconds(text)
    return ParsedAction(kind, point, lift, text)


def wait_seconds(text: str) -> float:
    """How long a `wait` with this text lasts: the number that it holds, one second where it is empty.

    Raises:
        MalformedAction: it is no number from 0 to `MAX_WAIT_SECONDS`.
    """
    if not text.strip():
        return 1.0
    try:
        seconds = float(text)
    except ValueError:
        _refuse(f"the 'text' of wait is the number of seconds, or empty, not {_show(text)}")
    if not 0 <= seconds <= MAX_WAIT_SECONDS:
        _refuse(f"wait lasts from 0 to {MAX_WAIT_SECONDS:g} seconds, not {text.strip()}")
    return seconds


def to_pixel(point: Point, size: tuple[int, int]) -> Point:
    """The pixel of a point of the 0-1000 frame: 0 is the first pixel, 1000 the last, halves round up.

    Args:
        point: (x, y), each from 0 to 1000.
        size: (width, height) of the screen, pixels.
    """
    return (point[0] * (size[0] - 1) + 500) // FRAME, (point[1] * (size[1] - 1) + 500) // FRAME


def from_pixel(pixel: Point, size: tuple[int, int]) -> Point:
    """The point of the 0-1000 frame nearest to a pixel; pixels outside the screen count as its edge.

    On a side of at most 1001 pixels `to_pixel` gives the same pixel back; on a longer one, one next to it.

    Args:
        pixel: (x, y) in pixels.
        size: (width, height) of the screen, pixels.
    """
    return _to_frame(pixel[0], size[0]), _to_frame(pixel[1], size[1])


def _to_frame(value: int, length: int) -> int:
    last = length - 1
    if last <= 0:
        return 0
    return (min(max(value, 0), last) * 2 * FRAME + last) // (2 * last)


@dataclass(frozen=True, slots=True)
class Action:
    """An action for people and policies to build, with checks; `encode` gives what `step` takes.

    Attributes:
        kind: what to do.
        point: where the finger goes down, 0-1000 frame.
        lift: where the finger lets go, 0-1000 frame.
        text: the text to type, the app to open, the answer, the message; for `wait` the seconds.

    Raises:
        MalformedAction: something is missing, of a wrong type, out of range, or of no use to this kind.
    """

    kind: ActionType
    point: Point | None = None
    lift: Point | None = None
    text: str = ""

    def __post_init__(self) -> None:
        given = {"action_type": self.kind, "touch_point": self.point, "lift_point": self.lift, "text": self.text}
        parsed = parse_action(given)
        for name, value, kinds in (("point", self.point, POINT_KINDS), ("lift", self.lift, LIFT_KINDS)):
            if value is not None and parsed.kind not in kinds:
                raise MalformedAction(f"{parsed.kind.word} takes no {name}")
        # What was given as a kind's word, as a list or as numpy's numbers is held as what the fields say.
        for name in ("kind", "point", "lift"):
            object.__setattr__(self, name, getattr(parsed, name))
        object.__setattr__(self, "text", _text(self.text))

    def __str__(self) -> str:
        parts = [self.kind.word]
        if self.point is not None:
            parts.append(f"{self.point}")
        if self.lift is not None:
            parts.append(f"to {self.lift}")
        if self.text:
            parts.append(repr(self.text))
        return " ".join(parts)

    def encode(self) -> EncodedAction:
        """The action as the environment's Dict space holds it; unused points are (0, 0), an unused text is empty."""
        encoded: EncodedAction = {"action_type": int(self.kind), "text": self.text}
        for key, value in (("touch_point", self.point), ("lift_point", self.lift)):
            encoded[key] = np.array(value if value is not None else (0, 0), dtype=np.int64)
        return encoded

    @classmethod
    def decode(cls, action: object) -> Action:
        """Reads an encoded action.

        Raises:
            MalformedAction: see `parse_action`.
        """
        parsed = parse_action(action)
        return cls(kind=parsed.kind, point=parsed.point, lift=parsed.lift, text=parsed.text)

    @classmethod
    def tap(cls, x: int, y: int) -> Action:
        """Touches a point briefly."""
        return cls(kind=ActionType.TAP, point=(x, y))

    @classmethod
    def long_press(cls, x: int, y: int) -> Action:
        """Touches a point for a second."""
        return cls(kind=ActionType.LONG_PRESS, point=(x, y))

    @classmethod
    def swipe(cls, x1: int, y1: int, x2: int, y2: int) -> Action:
        """Moves a finger from one point to another and lets go in motion."""
        return cls(kind=ActionType.SWIPE, point=(x1, y1), lift=(x2, y2))

    @classmethod
    def drag(cls, x1: int, y1: int, x2: int, y2: int) -> Action:
        """Takes hold of a point and lets go, at rest, at another."""
        return cls(kind=ActionType.DRAG, point=(x1, y1), lift=(x2, y2))

    @classmethod
    def scroll(cls, direction: Direction, at: Point = (500, 500), distance: int = 400) -> Action:
        """Scrolls, as a swipe: `down` shows what is further down, so the finger moves up.

        Args:
            direction: where to look next.
            at: the middle of the finger's way.
            distance: the length of the finger's way; cut where it would leave the screen.
        """
        dx, dy = {"up": (0, 1), "down": (0, -1), "left": (1, 0), "right": (-1, 0)}[direction]
        half = distance // 2
        x1, y1 = _inside(at[0] - dx * half), _inside(at[1] - dy * half)
        x2, y2 = _inside(at[0] + dx * half), _inside(at[1] + dy * half)
        return cls.swipe(x1, y1, x2, y2)

    @classmethod
    def type(cls, text: str) -> Action:
        """Types at the cursor of the focused field and presses nothing."""
        return cls(kind=ActionType.TYPE, text=text)

    @classmethod
    def open_app(cls, name: str) -> Action:
        """Opens an app by its label or package."""
        return cls(kind=ActionType.OPEN_APP, text=name)

    @classmethod
    def wait(cls, seconds: float = 1.0) -> Action:
        """Lets the device's time pass."""
        return cls(kind=ActionType.WAIT, text=f"{seconds:g}")

    @classmethod
    def answer(cls, text: str) -> Action:
        """Answers the question that the task asks, and ends the episode."""
        return cls(kind=ActionType.ANSWER, text=text)

    @classmethod
    def call_user(cls, text: str) -> Action:
        """Says or asks the user something."""
        return cls(kind=ActionType.CALL_USER, text=text)

    @classmethod
    def finish(cls, text: str = "") -> Action:
        """Claims that the task is done, and ends the episode."""
        return cls(kind=ActionType.FINISH, text=text)

    @classmethod
    def press(cls, key: Literal["enter", "back", "home", "recents"]) -> Action:
        """Presses a key."""
        return cls(kind=_BY_WORD[f"press_{key}"])


def _inside(value: int) -> int:
    return min(max(value, 0), FRAME)


def _kind(value: object) -> ActionType:
    if isinstance(value, str):
        kind = _BY_WORD.get(value)
        if kind is None:
            _refuse(f"unknown 'action_type' {value!r}; the kinds are {', '.join(_BY_WORD)}")
        return kind
    number = _integer(value)
    if number is None or not 0 <= number < len(_BY_NUMBER):
        _refuse(f"'action_type' is a number from 0 to {len(_BY_NUMBER) - 1} or a kind's word, not {_show(value)}")
    return _BY_NUMBER[number]


def _point(action: Mapping[Any, Any], key: str, kind: ActionType) -> Point:
    if key not in action or action[key] is None:
        _refuse(f"{kind.word} needs a '{key}'")
    value = action[key]
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 2:
        _refuse(f"'{key}' is two numbers from 0 to {FRAME}, not {_show(action[key])}")
    x, y = _integer(value[0]), _integer(value[1])
    if x is None or y is None or not (0 <= x <= FRAME and 0 <= y <= FRAME):
        _refuse(f"'{key}' is two whole numbers from 0 to {FRAME}, not {_show(action[key])}")
    return x, y


def _integer(value: object) -> int | None:
    """The whole number that a value holds, or None; booleans are no numbers."""
    if isinstance(value, np.ndarray | np.generic):
        if value.size != 1:
            return None
        value = value.item()
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return int(value)
    return None


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, str):
        _refuse(f"'text' is a string, not {_show(value)}")
    if len(value) > MAX_ACTION_TEXT:
        _refuse(f"'text' has {len(value)} characters; at most {MAX_ACTION_TEXT} are allowed")
    if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
        _refuse("'text' holds half of a surrogate pair, which is no character")
    return str(value)


def _show(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."


def _refuse(message: str) -> NoReturn:
    raise MalformedAction(message)
