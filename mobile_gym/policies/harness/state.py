"""State tracking: what the model notes of the task, kept outside its history (GMA, sections 5.2 and 5.3)."""

from __future__ import annotations

import json
import re
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from mobile_gym.policies.formats.base import Flag, Unreadable, cut
from mobile_gym.policies.formats.objects import read_object

_FIRST = re.compile(r"\s*(<think>.*?</think>\s*)?<state>(.*?)</state>\s*", re.DOTALL)
_LAST = re.compile(r"\s*<state>((?:(?!<state>).)*)</state>\s*\Z", re.DOTALL)
_LONGEST = 4000

StateKind = Literal["none", "free", "structured"]


class StateTracking(Protocol):
    """A way to keep the task's state."""

    @property
    def rule(self) -> str:
        """The name of the sentence that asks the model for it; empty for none."""

    def begin(self) -> None:
        """Forgets all."""

    def take(self, answer: str) -> str:
        """Takes the state out of an answer and gives the rest."""

    def shown(self) -> str:
        """The state as the model is shown it; empty while there is none."""

    def problem(self) -> str:
        """What was wrong with the last state; else empty."""


class NoState:
    """No state tracking."""

    rule = ""

    def begin(self) -> None:
        """Nothing to forget."""

    def take(self, answer: str) -> str:
        """The answer as it is."""
        return answer

    def shown(self) -> str:
        """Nothing."""
        return ""

    def problem(self) -> str:
        """Nothing."""
        return ""


class FreeState:
    """State in the model's own words; each new one replaces the last."""

    rule = "state_free"

    def __init__(self) -> None:
        self._text = ""

    def begin(self) -> None:
        """Forgets all."""
        self._text = ""

    def take(self, answer: str) -> str:
        """Keeps what the `<state>` block says; an answer without one changes nothing."""
        block, rest = split_state(answer)
        if block is not None and block.strip():
            self._text = cut(block.strip(), _LONGEST)
        return rest

    def shown(self) -> str:
        """The last state."""
        return self._text

    def problem(self) -> str:
        """Nothing can be wrong with it."""
        return ""


class Subgoal(BaseModel):
    """A part of the task and how far it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    goal: str
    status: Literal["todo", "doing", "done", "failed"]


class TaskState(BaseModel):
    """The fields of a structured state: requirements, progress of subgoals, and how the execution stands.

    Attributes:
        requirements: what the task asks for.
        subgoals: its parts.
        facts: what was seen and will be needed.
        screen: which app and page is open.
        next: what comes next.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    requirements: list[str] = []
    subgoals: list[Subgoal] = []
    facts: dict[str, str | int | float | bool | list[str] | None] = {}
    screen: str = ""
    next: str = ""


class StructuredState:
    """State in fixed fields; the model writes those that change. Facts are added to those that there are."""

    rule = "state_structured"

    def __init__(self) -> None:
        self._state = TaskState()
        self._problem = ""

    @property
    def state(self) -> TaskState:
        """The state."""
        return self._state

    def begin(self) -> None:
        """Forgets all."""
        self._state = TaskState()
        self._problem = ""

    def take(self, answer: str) -> str:
        """Updates the fields that the `<state>` block writes; one that cannot be read changes nothing."""
        block, rest = split_state(answer)
        self._problem = ""
        if block is None:
            return rest
        flags: set[Flag] = set()
        try:
            update = TaskState.model_validate(read_object(block, flags))
        except Unreadable as problem:
            self._problem = str(problem)
        except ValidationError as problem:
            first = problem.errors()[0]
            self._problem = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        else:
            written = {name: getattr(update, name) for name in update.model_fields_set}
            if "facts" in written:
                written["facts"] = self._state.facts | written["facts"]
            self._state = self._state.model_copy(update=written)
        return rest

    def shown(self) -> str:
        """The fields that are filled, as JSON."""
        filled = self._state.model_dump(exclude_defaults=True)
        return cut(json.dumps(filled, ensure_ascii=False), _LONGEST) if filled else ""

    def problem(self) -> str:
        """Why the last block could not be read; else empty."""
        return self._problem


def state_tracking(kind: str) -> StateTracking:
    """State tracking by its name.

    Raises:
        ValueError: there is none of that name.
    """
    made: dict[str, type[NoState] | type[FreeState] | type[StructuredState]] = {
        "none": NoState,
        "free": FreeState,
        "structured": StructuredState,
    }
    if kind not in made:
        raise ValueError(f"state tracking is {', '.join(made)}, not {kind!r}")
    return made[kind]()


def split_state(answer: str) -> tuple[str | None, str]:
    """The `<state>` block at an answer's beginning (after its reasoning) or end, and the answer without it."""
    first = _FIRST.match(answer)
    if first is not None:
        return first[2], (first[1] or "") + answer[first.end() :]
    last = _LAST.search(answer)
    return (last[1], answer[: last.start()]) if last is not None else (None, answer)
