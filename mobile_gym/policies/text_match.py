"""The baseline that matches texts: taps what reads like the instruction, types what the instruction quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from rapidfuzz import fuzz

from mobile_gym.devices.errors import HierarchyUnavailable
from mobile_gym.devices.ui_tree import UiNode, UiTree
from mobile_gym.envs.actions import Action, ActionType, EncodedAction, from_pixel
from mobile_gym.envs.kinds import TaskEnv
from mobile_gym.envs.task_env import Observation
from mobile_gym.policies.base import PolicyError
from mobile_gym.task_registry.models import Task

_LONGEST_LABEL = 40
_FIELD = "EditText"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Something to tap: how well it reads, its label, its middle pixel, and by what it is known again."""

    score: float
    label: str
    at: tuple[int, int]
    key: tuple[str, str, str]


class TextMatchPolicy:
    """Each turn: types the next quoted text where a field has the focus; taps a field where one is left to type; else
    taps the element whose text matches the instruction best; finishes when nothing matches well enough.

    No model, no draws: the same screens give the same actions. Nothing is tapped twice in an episode, so it ends.

    Args:
        threshold: the least match of an element, 0 to 100.
    """

    name = "text_match"

    def __init__(self, threshold: float = 50.0) -> None:
        if not 0 < threshold <= 100:
            raise ValueError(f"threshold is more than 0 and at most 100, not {threshold}")
        self._threshold = threshold
        self._env: TaskEnv | None = None
        self._tapped: set[tuple[str, str, str]] = set()
        self._texts: list[str] | None = None

    def attach(self, env: TaskEnv) -> None:
        """Takes the environment whose screen it reads."""
        self._env = env

    def reset(self, task: Task, info: dict[str, Any], seed: int) -> None:
        """Forgets the last episode."""
        self._tapped = set()
        self._texts = None

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The next action.

        Raises:
            PolicyError: `attach` was not called.
        """
        if self._env is None:
            raise PolicyError("the text_match policy reads visible elements; call attach(env) before an episode")
        instruction = str(observation["instruction"])
        if self._texts is None:
            self._texts = quoted(instruction)
        try:
            tree = self._env.device.hierarchy()
        except HierarchyUnavailable:
            return Action.finish().encode()
        allowed = info["action_mask"]
        fields = [node for node in tree.visible() if node.enabled and _FIELD in node.class_name]
        if self._texts and allowed[ActionType.TYPE]:
            if any(node.focused for node in fields):
                return Action.type(self._texts.pop(0)).encode()
            for node in fields:
                candidate = _candidate(node, node, 100.0, info["activity"])
                if candidate.key not in self._tapped:
                    return self._tap(candidate, info)
        best = self._best(tree, instruction, info["activity"])
        if best is None:
            return Action.finish().encode()
        return self._tap(best, info)

    def _best(self, tree: UiTree, instruction: str, activity: str) -> _Candidate | None:
        said = _plain(instruction)
        best: _Candidate | None = None
        for node, target in _touchable(tree):
            for label in (node.text, node.content_desc):
                score = match(_plain(label), said)
                if score < self._threshold:
                    continue
                found = _candidate(node, target, score, activity, label)
                if found.key in self._tapped:
                    continue
                if best is None or (found.score, len(found.label)) > (best.score, len(best.label)):
                    best = found
        return best

    def _tap(self, candidate: _Candidate, info: dict[str, Any]) -> EncodedAction:
        self._tapped.add(candidate.key)
        x, y = from_pixel(candidate.at, info["screen_size"])
        return Action.tap(x, y).encode()


def match(label: str, instruction: str) -> float:
    """How well a label reads like a part of an instruction, 0 to 100; single letters match nothing."""
    if not 2 <= len(label) <= _LONGEST_LABEL or len(label) > 2 * len(instruction):
        return 0.0
    return float(fuzz.partial_ratio(label, instruction))


def quoted(instruction: str) -> list[str]:
    """The texts in quotes, in order."""
    inner = "|".join(f"{re.escape(pair[0])}([^{re.escape(pair)}]+){re.escape(pair[1])}" for pair in _quotes())
    return [next(group for group in match.groups() if group) for match in re.finditer(inner, instruction)]


@cache
def _quotes() -> tuple[str, ...]:
    return tuple(yaml.safe_load(files(__package__).joinpath("text_match.yaml").read_text("utf-8"))["quotes"])


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _touchable(tree: UiTree) -> list[tuple[UiNode, UiNode]]:
    """Visible, enabled elements with a label, each with what a tap on it touches: itself or what holds it.

    What stands in a field is no label.
    """
    visible = {id(node) for node in tree.visible()}
    found: list[tuple[UiNode, UiNode]] = []
    stack: list[tuple[UiNode, UiNode | None]] = [(root, None) for root in reversed(tree.roots)]
    while stack:
        node, holder = stack.pop()
        target = node if node.clickable else holder
        labelled = bool(node.text or node.content_desc) and _FIELD not in node.class_name
        if target is not None and node.enabled and labelled and id(node) in visible:
            found.append((node, target))
        stack.extend((child, target) for child in reversed(node.children))
    return found


def _candidate(node: UiNode, target: UiNode, score: float, activity: str, label: str = "") -> _Candidate:
    key = (activity, label or node.text, target.resource_id or node.resource_id)
    return _Candidate(score, label, node.bounds.center, key)
