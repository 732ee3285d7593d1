"""What a parser of model answers gives, and how points of a model's space become points of the screen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from mobile_gym.envs.actions import FRAME, Action, ActionType, Direction, Point, from_pixel, to_pixel

Space = Literal["pixels", "thousand", "frame", "unit"]
"""How a model counts: pixels of the picture that it was shown; thousandths of its sides (1000 is the side's length);
the environment's own 0-1000 frame (1000 is the last pixel); shares of its sides from 0 to 1."""

SPACES: tuple[Space, ...] = ("pixels", "thousand", "frame", "unit")

RAW_LIMIT = 2000
"""The longest raw text that is kept, characters."""

ENDINGS = frozenset({ActionType.FINISH, ActionType.ANSWER, ActionType.FINISH_INFEASIBLE})
"""Kinds that end an episode. They are never read out of an answer that leaves a doubt, see `reading.run`."""

_SECONDS = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(?:s|secs?|seconds?)?\.?", re.ASCII | re.IGNORECASE)


class Flag(StrEnum):
    """What is worth knowing of an answer that was read."""

    REPAIRED = "repaired"
    """The answer broke its format's rules; what was meant was plain and was read."""
    SENSITIVE = "sensitive"
    """The model asks for a person's consent before the action."""
    CLIPPED = "clipped"
    """A point lay on the far edge of the picture and was moved to the last pixel."""
    SEVERAL = "several"
    """The answer holds several actions; the first one was read."""
    INFEASIBLE = "infeasible"
    """The model says that what is asked for is not there or cannot be done."""
    UNFOCUSED = "unfocused"
    """The model named the field to type into; the action types where the cursor is."""
    SUBMITS = "submits"
    """The text ends with a line break, by which this format means to press enter; it is typed as it is."""
    VARIABLE = "variable"
    """The text names a variable of the model's own, which nothing here fills in."""
    TAKEOVER = "takeover"
    """The model hands over to a person (a log-in, a captcha)."""
    CUT_OFF = "cut_off"
    """The endpoint cut the answer off; the call was whole before that."""
    SWIPED = "swiped"
    """A drag became a swipe, or a swipe a drag, as the task allows only the other."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen that an answer speaks of.

    Attributes:
        size: (width, height) of the device's screen, pixels.
        shown: (width, height) of the picture that the model was shown, pixels; the screen's own where not given.
    """

    size: tuple[int, int]
    shown: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read from an answer.

    Attributes:
        action: the action, or None where there is none that can be carried out; then `error` says why.
        thought: the reasoning before the action; else empty.
        flags: what is worth knowing.
        error: why there is no action; else empty.
        raw: the answer, cut at `RAW_LIMIT` characters.
        call: the part of the answer that the action was read from; else empty.
        pixels: the action's points in pixels of the device's screen.
    """

    action: Action | None
    thought: str = ""
    flags: frozenset[Flag] = frozenset()
    error: str = ""
    raw: str = ""
    call: str = ""
    pixels: tuple[Point, ...] = ()


class Unreadable(ValueError):
    """An answer, or a part of it, that is no action; parsers raise it and `parse` turns it into `Parsed.error`."""

    def __init__(self, message: str, *flags: Flag) -> None:
        super().__init__(message)
        self.flags = frozenset(flags)


@dataclass
class Reader:
    """Builds one action: turns points, remembers flags, pixels, thought and the call that was read.

    Args:
        screen: the screen.
        space: how the model counts.

    Attributes:
        span: where the call stands in the text that the parser was given.
        whole: whether the call was closed; else its end was added.
        exact: whether a text in a call that was not closed is whole all the same, as a quote in it is escaped.
        spoken: whether the answer speaks of another call before it.
        blocks: where reasoning was left out of the text that the parser was given.
        after: what the answer says after the call and what the format puts there; None until a call was found.
    """

    screen: Screen
    space: Space
    thought: str = ""
    call: str = ""
    span: tuple[int, int] = (0, 0)
    whole: bool = True
    exact: bool = False
    spoken: bool = False
    blocks: Sequence[tuple[int, int]] = ()
    after: str | None = None
    flags: set[Flag] = field(default_factory=set)
    pixels: list[Point] = field(default_factory=list)

    def note(self, *thoughts: str) -> None:
        """Adds to the thought, leaving out what is empty."""
        self.thought = "\n".join(part for thought in (self.thought, *thoughts) if (part := thought.strip()))

    def found(
        self, text: str, start: int, end: int, after: str, whole: bool = True, mark: re.Pattern[str] | None = None
    ) -> None:
        """Says where the call stands.

        Args:
            text: the text that the parser was given.
            start: where the call begins.
            end: where it ends.
            after: what the answer says after it, without what the format puts there.
            whole: whether it was closed.
            mark: what the format's calls are known by, wherever they stand.
        """
        self.spoken = mark is not None and mark.search(text[:start]) is not None
        self.call, self.span, self.whole, self.after = text[start:end], (start, end), whole, after
        if not whole or (after and Flag.SEVERAL not in self.flags):
            self.flags.add(Flag.REPAIRED)

    def seconds(self, value: object) -> float:
        """How long to wait: a number, also in a text (`2 seconds`); one second where none is given.

        Raises:
            Unreadable: it is no number.
        """
        if value is None or value == "":
            return 1.0
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        match = _SECONDS.fullmatch(value.strip()) if isinstance(value, str) else None
        if match is None:
            raise Unreadable(f"the time to wait is a number of seconds, not {shown(value)}")
        return float(match[1])

    def doubt(self, cut_off: bool) -> str:
        """Why the call may not be what the model wants done now; empty where it stands whole and alone."""
        if cut_off:
            return "the answer was cut off"
        if Flag.SEVERAL in self.flags:
            return "there is another call"
        if self.spoken:
            return "the answer speaks of another call before it"
        if self.after is None or self.after or any(first >= self.span[1] for first, _ in self.blocks):
            return "more text follows it"
        return "it is not written as the format wants it" if Flag.REPAIRED in self.flags else ""

    def point(self, numbers: Sequence[float]) -> Point:
        """A point of the action frame from two numbers, or from the four of a box, whose middle it is.

        Raises:
            Unreadable: they are no point, or one outside the picture.
        """
        if len(numbers) not in (2, 4):
            raise Unreadable(f"a point is two numbers and a box four, not {len(numbers)}")
        if not all(math.isfinite(number) for number in numbers):
            raise Unreadable(f"{_show(numbers)} is no point: its numbers are not finite")
        middle = numbers if len(numbers) == 2 else ((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2)
        self._check(numbers)
        width, height = self.screen.size
        if self.space == "frame":
            pixel = to_pixel((_nearest(middle[0]), _nearest(middle[1])), self.screen.size)
        else:
            across, down = self._lengths()
            pixel = (_nearest(middle[0] * width / across), _nearest(middle[1] * height / down))
        pixel = min(pixel[0], width - 1), min(pixel[1], height - 1)
        self.pixels.append(pixel)
        return from_pixel(pixel, self.screen.size)

    def scroll(
        self, direction: str, at: Sequence[float] | None = None, distance: int = 400, finger: bool = False
    ) -> Action:
        """A scroll as a swipe.

        Args:
            direction: up, down, left or right: where to look next.
            at: where, in the model's space; the middle where not given.
            distance: the finger's way, 0-1000 frame.
            finger: whether the direction is the finger's, not the look's.
        """
        word = direction.strip().lower()
        turned: dict[str, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
        if word not in turned:
            raise Unreadable(f"a direction is up, down, left or right, not {shown(direction)}")
        x, y = (FRAME // 2, FRAME // 2) if at is None else self.point(at)
        half = min(max(distance, 50), 900) // 2
        if word in ("up", "down"):
            y = min(max(y, half + 50), FRAME - half - 50)
        else:
            x = min(max(x, half + 50), FRAME - half - 50)
        looks = turned[word] if finger else turned[turned[word]]
        action = Action.scroll(looks, (x, y), 2 * half)
        self.pixels[:] = [to_pixel(end, self.screen.size) for end in (action.point, action.lift) if end is not None]
        return action

    def _lengths(self) -> tuple[float, float]:
        if self.space == "pixels":
            return self.screen.shown or self.screen.size
        return (1.0, 1.0) if self.space == "unit" else (float(FRAME), float(FRAME))

    def _check(self, numbers: Sequence[float]) -> None:
        limits = self._lengths()
        if min(numbers) < 0 or any(number > limits[index % 2] for index, number in enumerate(numbers)):
            far = f"{limits[0]:g} x {limits[1]:g}"
            raise Unreadable(f"{_show(numbers)} lies outside the picture, which is {far} in the space {self.space!r}")
        if self.space != "unit" and max(numbers) <= 1 and any(number != int(number) for number in numbers):
            raise Unreadable(f"{_show(numbers)} are shares from 0 to 1, but the space is {self.space!r}")
        if self.space == "pixels" and any(number == limits[index % 2] for index, number in enumerate(numbers[-2:])):
            self.flags.add(Flag.CLIPPED)


Parser = Callable[[str, Reader], Action]
"""Reads an answer without its `<think>` block: says where the call stands, adds thoughts, flags; raises Unreadable."""


def adapted(parsed: Parsed, allowed: Sequence[int]) -> Parsed:
    """A drag as a swipe, or the other way round, where the task allows only the other; formats have but one of them.

    Args:
        parsed: what was read.
        allowed: the action mask.
    """
    action = parsed.action
    other = {ActionType.DRAG: ActionType.SWIPE, ActionType.SWIPE: ActionType.DRAG}
    if action is None or action.kind not in other or allowed[action.kind] or not allowed[other[action.kind]]:
        return parsed
    turned = Action(kind=other[action.kind], point=action.point, lift=action.lift)
    return replace(parsed, action=turned, flags=parsed.flags | {Flag.SWIPED})


def cut(text: str, limit: int = RAW_LIMIT) -> str:
    """A text's beginning; says how much is missing."""
    return text if len(text) <= limit else f"{text[:limit]}…[{len(text) - limit} more characters]"


def shown(value: object, limit: int = 80) -> str:
    """A value as an error shows it: short, in one line."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}…"


def _nearest(value: float) -> int:
    return math.floor(value + 0.5)


def _show(numbers: Sequence[float]) -> str:
    return f"({', '.join(f'{number:g}' for number in numbers)})"
