"""The policy that plays at random on what is visible."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from mobile_gym.devices.errors import HierarchyUnavailable
from mobile_gym.devices.ui_tree import UiNode, UiTree
from mobile_gym.envs.actions import FRAME, Action, ActionType, Direction, EncodedAction, Point, from_pixel
from mobile_gym.envs.kinds import TaskEnv
from mobile_gym.envs.task_env import Observation
from mobile_gym.policies.base import PolicyError
from mobile_gym.task_registry.models import Task

_WEIGHTS = {
    ActionType.TAP: 0.60,
    ActionType.LONG_PRESS: 0.04,
    ActionType.SWIPE: 0.14,
    ActionType.TYPE: 0.30,
    ActionType.PRESS_ENTER: 0.10,
    ActionType.PRESS_BACK: 0.10,
    ActionType.PRESS_HOME: 0.03,
}
"""How often each kind is drawn among those that are allowed and possible; finish has a probability of its own."""

_DIRECTIONS: tuple[Direction, ...] = ("up", "down", "left", "right")
_LONGEST_WORD = 20
_Item = TypeVar("_Item")


class RandomPolicy:
    """Taps the middles of visible elements, swipes, goes back and home, types words that it sees, and finishes.

    It reads the hierarchy from the device, so that its chances are those of somebody who hits what is there. Where the
    hierarchy cannot be read, it taps anywhere.

    Args:
        finish_probability: chance of finish, each turn.
    """

    name = "random"

    def __init__(self, finish_probability: float = 0.05) -> None:
        if not 0 <= finish_probability <= 1:
            raise ValueError(f"finish_probability is from 0 to 1, not {finish_probability}")
        self._finish = finish_probability
        self._env: TaskEnv | None = None
        self._rng = np.random.default_rng(0)

    def attach(self, env: TaskEnv) -> None:
        """Takes the environment whose screen it reads."""
        self._env = env

    def reset(self, task: Task, info: dict[str, Any], seed: int) -> None:
        """Seeds the draws by seed and task, so that tasks of one run don't repeat each other's moves."""
        self._rng = np.random.default_rng([seed, zlib.crc32(task.id.encode())])

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """A random action among those that the mask allows and the screen offers."""
        if self._env is None:
            raise PolicyError("the random policy reads visible elements; call attach(env) before an episode")
        if self._rng.random() < self._finish:
            return Action.finish().encode()
        try:
            tree = self._env.device.hierarchy()
        except HierarchyUnavailable:
            tree = UiTree(())
        return self._draw(tree, info).encode()

    def _draw(self, tree: UiTree, info: dict[str, Any]) -> Action:
        size: tuple[int, int] = info["screen_size"]
        nodes = [node for node in tree.visible() if node.enabled]
        taps = [node for node in nodes if node.clickable]
        holds = [node for node in nodes if node.long_clickable]
        words = sorted({word for node in nodes for word in node.text.split() if len(word) <= _LONGEST_WORD})
        typing = any(node.focused and "Edit" in node.class_name for node in nodes)
        possible = {
            ActionType.LONG_PRESS: bool(holds),
            ActionType.TYPE: typing and bool(words),
            ActionType.PRESS_ENTER: typing,
        }
        kinds = [kind for kind in _WEIGHTS if info["action_mask"][kind] and possible.get(kind, True)]
        if not kinds:
            return Action.finish()
        weights = np.array([_WEIGHTS[kind] for kind in kinds])
        kind = kinds[int(self._rng.choice(len(kinds), p=weights / weights.sum()))]
        match kind:
            case ActionType.TAP | ActionType.LONG_PRESS:
                return Action(kind=kind, point=self._somewhere(taps if kind is ActionType.TAP else holds, size))
            case ActionType.SWIPE:
                return Action.scroll(self._pick(_DIRECTIONS))
            case ActionType.TYPE:
                return Action.type(self._pick(words))
            case _:
                return Action(kind=kind)

    def _somewhere(self, nodes: Sequence[UiNode], size: tuple[int, int]) -> Point:
        if not nodes:
            x, y = self._rng.integers(FRAME + 1, size=2)
            return int(x), int(y)
        box = self._pick(nodes).bounds
        x = (max(box.left, 0) + min(box.right, size[0])) // 2
        y = (max(box.top, 0) + min(box.bottom, size[1])) // 2
        return from_pixel((x, y), size)

    def _pick(self, items: Sequence[_Item]) -> _Item:
        return items[int(self._rng.integers(len(items)))]
