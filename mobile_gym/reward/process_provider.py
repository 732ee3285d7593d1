"""The process provider: what an agent did, in words, out of what any device shows (ProBench's evaluation pipeline).

Two parts tell what a click was. The structure description converter reads the tree: the smallest clickable node that
holds the click, by its text and content description, else by its resource-id and what lies in it. The summarizer shows
a vision model the screens before and after, side by side, with the click marked. An evaluator model then judges the
sequence of actions and the last screenshot. On the embedded phone the exact criteria of `mobile_gym.reward.process` say
the same without a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, Protocol

import numpy as np
import yaml
from PIL import Image, ImageDraw

from mobile_gym.devices.base import Device, Frame
from mobile_gym.devices.errors import HierarchyUnavailable
from mobile_gym.devices.ui_tree import UiNode, UiTree
from mobile_gym.models.completion import Completion
from mobile_gym.models.messages import Message, png
from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.errors import JudgementError
from mobile_gym.reward.frame import to_pixel
from mobile_gym.reward.process import node_at
from mobile_gym.reward.task_spec import Language

CLICKS = ("tap", "double_tap", "long_press")
_RED = (255, 0, 0)
_TALLEST = 1600
"""Screens are shown to models no taller than this, pixels."""


class Chat(Protocol):
    """What asks a vision model; `mobile_gym.models.ChatClient` does."""

    def complete(self, messages: Sequence[Message]) -> Completion:
        """The model's answer to a chat."""
        ...


@dataclass(frozen=True, slots=True)
class Moment:
    """One action with what was seen around it.

    Attributes:
        action: the action; its points are in the 0-1000 frame of the screen.
        before: the screen before it, uint8[H, W, 3].
        after: the screen after it.
        tree: the tree before it; None where it could not be read.
    """

    action: PrimitiveAction
    before: Frame
    after: Frame
    tree: UiTree | None = None


# The structure description converter.


def describe_click(tree: UiTree, x: int, y: int, language: Language = "zh") -> str:
    """What a click touched, in words.

    Args:
        tree: the screen before the click.
        x: pixel from the left.
        y: pixel from the top.
        language: of the words.
    """
    node = node_at(tree, x, y)
    if node is None:
        return say("outside", language)
    own = " ".join(dict.fromkeys(text for text in (node.text, node.content_desc) if text))
    if own:
        return say("element", language, text=own)
    details = [part for part in (node.resource_id, _children(node, language)) if part]
    return say("without_text", language, details="; ".join(details) or node.class_name)


def _children(node: UiNode, language: Language) -> str:
    """Texts of what lies in a node, or where there are none the resource-ids."""
    below = [part for part in node.walk() if part is not node]
    texts = [text for part in below for text in (part.text, part.content_desc) if text]
    names = texts or [part.resource_id for part in below if part.resource_id]
    return say("inside", language, texts=", ".join(dict.fromkeys(names))) if names else ""


# The summarizer.


def side_by_side(before: Frame, after: Frame, point: tuple[int, int]) -> Frame:
    """Two screens beside each other with a red ring around a click on the first, uint8[H, W1 + W2, 3].

    Args:
        before: the screen before the click, uint8[H, W, 3].
        after: the screen after it; a turned one is set on black.
        point: the click, 0-1000 frame.
    """
    first = Image.fromarray(before)
    x, y = to_pixel(point, first.size)
    radius = max(first.size) // 50 + 4
    pen = ImageDraw.Draw(first)
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), outline=_RED, width=max(3, radius // 5))
    second = Image.fromarray(after)
    canvas = Image.new("RGB", (first.width + second.width, max(first.height, second.height)))
    canvas.paste(first, (0, 0))
    canvas.paste(second, (first.width, 0))
    return np.asarray(_fitting(canvas))


def _fitting(image: Image.Image) -> Image.Image:
    if image.height <= _TALLEST:
        return image
    return image.resize((image.width * _TALLEST // image.height, _TALLEST))


class Summarizer:
    """Has a vision model say what a click did.

    Args:
        client: asks the model.
        language: of the prompt and the summary.
    """

    def __init__(self, client: Chat, language: Language = "zh") -> None:
        self._client = client
        self._language: Language = language

    def summarise(self, moment: Moment) -> str:
        """What the click of a moment did; `Invalid click`, without asking, where no pixel changed.

        Raises:
            ModelError: the model did not answer.
            ValueError: the action has no point.
        """
        if moment.action.point is None:
            raise ValueError(f"{moment.action.kind} is no click")
        invalid: str = _words()["invalid"]
        if np.array_equal(moment.before, moment.after):
            return invalid
        picture = png(side_by_side(moment.before, moment.after, moment.action.point))
        system = _words()["summarizer"]["system"][self._language]
        said = self._client.complete([Message.of("system", system), Message.of("user", picture)]).text
        line = " ".join(said.split())
        return invalid if line.casefold().strip(".\"'\u3002") == invalid.casefold() else line


# The sequence.


class ProcessProvider:
    """Takes down an episode on any device and tells it in words.

    Args:
        device: the device.
        language: of the words.
        summarizer: has a model describe clicks; without one the tree does.
    """

    def __init__(self, device: Device, language: Language = "zh", summarizer: Summarizer | None = None) -> None:
        self._device = device
        self._language: Language = language
        self._summarizer = summarizer
        self._moments: list[Moment] = []
        self._open: tuple[PrimitiveAction, Frame, UiTree | None] | None = None

    def before(self, action: PrimitiveAction) -> None:
        """Looks at the screen; to be called before an action is carried out.

        Raises:
            DeviceError: the device failed. A tree that cannot be read is no failure.
        """
        tree: UiTree | None = None
        if action.kind in (*CLICKS, "drag"):
            try:
                tree = self._device.hierarchy()
            except HierarchyUnavailable:
                tree = None
        self._open = action, self._device.screenshot(), tree

    def after(self) -> None:
        """Looks again; to be called when the action was carried out and the screen has settled.

        Raises:
            DeviceError: the device failed.
            RuntimeError: `before` was not called.
        """
        if self._open is None:
            raise RuntimeError("after() belongs after before()")
        (action, frame, tree), self._open = self._open, None
        self._moments.append(Moment(action, frame, self._device.screenshot(), tree))

    @property
    def moments(self) -> tuple[Moment, ...]:
        """What was taken down."""
        return tuple(self._moments)

    def sequence(self) -> list[str]:
        """The actions in words, in order.

        Raises:
            ModelError: the summarizer's model did not answer.
        """
        return action_sequence(self._moments, self._language, self._summarizer)


def action_sequence(
    moments: Sequence[Moment], language: Language = "zh", summarizer: Summarizer | None = None
) -> list[str]:
    """Moments in words, one a line.

    Raises:
        ModelError: the summarizer's model did not answer.
    """
    return [_told(moment, language, summarizer) for moment in moments]


def _told(moment: Moment, language: Language, summarizer: Summarizer | None) -> str:
    action = moment.action
    if summarizer is not None and action.kind in CLICKS and action.point is not None:
        return summarizer.summarise(moment)
    what = way = ""
    if action.point is not None:
        what = say("outside", language)
        if moment.tree is not None:
            what = describe_click(moment.tree, *to_pixel(action.point, moment.tree.size), language)
    if action.point is not None and action.lift is not None:
        across, down = action.lift[0] - action.point[0], action.lift[1] - action.point[1]
        name = ("left" if across < 0 else "right") if abs(across) > abs(down) else ("up" if down < 0 else "down")
        way = _words()["ways"][language][name]
    text = Template(_words()["actions"][action.kind][language]).substitute(what=what, way=way, text=action.text)
    unchanged = action.kind in CLICKS and np.array_equal(moment.before, moment.after)
    return f"{text} ({_words()['invalid']})" if unchanged else text


# The evaluator.


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's verdict.

    Attributes:
        success: whether the task was done, and by the way that it asks for.
        reason: why, in the model's words.
    """

    success: bool
    reason: str


class Evaluator:
    """Has a vision model judge an episode.

    Args:
        client: asks the model.
        language: of the prompt.
    """

    def __init__(self, client: Chat, language: Language = "zh") -> None:
        self._client = client
        self._language: Language = language

    def judge(self, instruction: str, sequence: Sequence[str] | None, screen: Frame) -> Judgement:
        """The verdict over an episode.

        Args:
            instruction: the task.
            sequence: the actions in words; None for a state-related task, which the last screen alone decides.
            screen: the last screen, uint8[H, W, 3].

        Raises:
            JudgementError: the model's answer is not the JSON that was asked for; it is no verdict then.
            ModelError: the model did not answer.
        """
        prompt, language = _words()["evaluator"], self._language
        kind = "" if sequence is not None else "state_"
        lines = "\n".join(f"{number}. {line}" for number, line in enumerate(sequence or (), 1))
        task = Template(prompt[f"{kind}task"][language]).substitute(
            instruction=instruction, actions=lines or prompt["none"][language]
        )
        picture = png(np.asarray(_fitting(Image.fromarray(screen))))
        chat = [Message.of("system", prompt[f"{kind}system"][language]), Message.of("user", task, picture)]
        return read_judgement(self._client.complete(chat).text)


_FENCED = re.compile(r"```(?:json)?\s*(?P<json>.*?)\s*```", re.DOTALL)


def read_judgement(answer: str) -> Judgement:
    """A verdict out of a model's answer: one JSON object, alone or in a code block, with exactly what was asked for.

    Raises:
        JudgementError: it is anything else.
    """
    plain = answer.strip()
    fenced = _FENCED.fullmatch(plain)
    try:
        data = json.loads(fenced["json"] if fenced else plain, object_pairs_hook=_once)
    except (ValueError, RecursionError) as problem:
        raise JudgementError(f"the evaluator's answer is no JSON: {answer[:200]!r}") from problem
    if not isinstance(data, dict) or data.keys() != {"success", "reason"}:
        raise JudgementError(f"the evaluator's answer has not just 'success' and 'reason': {answer[:200]!r}")
    success, reason = data["success"], data["reason"]
    if not isinstance(success, bool) or not isinstance(reason, str):
        raise JudgementError(f"'success' is true or false and 'reason' is a text: {answer[:200]!r}")
    return Judgement(success, reason)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a key is given twice")
    return dict(pairs)


# Words.


def say(name: str, language: Language, **values: str) -> str:
    """A phrase of `judge_words.yaml`."""
    return Template(_words()[name][language]).substitute(values)


@cache
def _words() -> Mapping[str, Any]:
    data: dict[str, Any] = yaml.safe_load(files("mobile_gym.reward").joinpath("judge_words.yaml").read_text("utf-8"))
    return data
