"""A model as judge of an episode: final screenshot, sampled frames, active activity (ElderBench, section 4.2.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Protocol, TypeVar

import yaml

from mobile_gym.devices.base import Frame
from mobile_gym.models.messages import Message, jpeg

FRAMES = 4
"""How many frames between start and end a judge is shown at most."""
TRIES = 2
"""How often a judge is asked before its answer counts as none."""
_SHOWN = 200

_Item = TypeVar("_Item")


class Answer(Protocol):
    """A model's answer."""

    @property
    def text(self) -> str: ...


class Completes(Protocol):
    """A client that completes chats, such as `mobile_gym.models.ChatClient`."""

    def complete(self, messages: Sequence[Message]) -> Answer:
        """The model's answer; raises ModelError."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a judge is shown.

    Attributes:
        instruction: what the person asked.
        final: the last screenshot, uint8[H, W, 3].
        frames: screenshots before it, in order; some of them are sampled.
        activity: what is in front at the end, `package/Class`.
    """

    instruction: str
    final: Frame
    frames: tuple[Frame, ...]
    activity: str


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What a judge said.

    Attributes:
        passed: whether the task is done; None where the judge gave no readable verdict.
        reason: its reason, or what was wrong with its answer.
    """

    passed: bool | None
    reason: str

    def success(self, finished: bool) -> bool:
        """Success = Agent_Finished and Judge_Passed; no verdict is no success."""
        return finished and self.passed is True


class MalformedVerdict(ValueError):
    """An answer that holds no verdict; the message says why."""


class Judge:
    """Asks a model for verdicts, with no examples.

    Args:
        client: the model.
        frames: how many frames between start and end are shown at most.
        tries: how often it is asked before an unreadable answer counts as no verdict.
    """

    def __init__(self, client: Completes, frames: int = FRAMES, tries: int = TRIES) -> None:
        if frames < 0 or tries < 1:
            raise ValueError(f"a judge is shown 0 or more frames and asked at least once, not {frames} and {tries}")
        self._client = client
        self._frames = frames
        self._tries = tries

    def judge(self, evidence: Evidence) -> JudgeVerdict:
        """The verdict over an episode.

        Raises:
            ModelError: the model could not be asked.
        """
        messages = list(messages_of(evidence, self._frames))
        problem = ""
        for _ in range(self._tries):
            text = self._client.complete(messages).text
            try:
                return parse_verdict(text)
            except MalformedVerdict as error:
                problem = str(error)
                messages += [Message.of("assistant", text or "…"), Message.of("user", _words()["again"])]
        return JudgeVerdict(None, problem)


def sample(items: Sequence[_Item], count: int) -> list[_Item]:
    """At most `count` items, evenly spread, the first and the last among them where there are two or more."""
    if count <= 0 or not items:
        return []
    if len(items) <= count:
        return list(items)
    if count == 1:
        return [items[len(items) // 2]]
    return [items[round(index * (len(items) - 1) / (count - 1))] for index in range(count)]


def messages_of(evidence: Evidence, frames: int = FRAMES) -> tuple[Message, ...]:
    """What the judge is asked, pictures as JPEG."""
    words = _words()
    parts: list[Any] = [words["instruction"].format(instruction=evidence.instruction)]
    shown = sample(evidence.frames, frames)
    for number, frame in enumerate(shown, 1):
        parts += [words["frame"].format(number=number, count=len(shown)), jpeg(frame)]
    parts += [words["final"], jpeg(evidence.final), words["activity"].format(activity=evidence.activity)]
    return Message.of("system", words["system"]), Message.of("user", *parts)


def parse_verdict(text: str) -> JudgeVerdict:
    """Reads the last JSON object of an answer that has `success`; text and code fences around it don't matter.

    Raises:
        MalformedVerdict: there is none, or `success` is neither true nor false.
    """
    found: dict[str, Any] | None = None
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            if isinstance(value, dict) and "success" in value:
                found = value
        start = text.find("{", end)
    shown = " ".join(text.split())[:_SHOWN]
    if found is None:
        raise MalformedVerdict(f"the judge's answer holds no JSON object with 'success': {shown or 'it is empty'}")
    if not isinstance(found["success"], bool):
        raise MalformedVerdict(f"the judge's 'success' is neither true nor false: {shown}")
    return JudgeVerdict(found["success"], str(found.get("reason") or ""))


@cache
def _words() -> dict[str, str]:
    loaded: dict[str, str] = yaml.safe_load(
        files("mobile_gym.reward").joinpath("judge.yaml").read_text(encoding="utf-8")
    )
    return loaded
