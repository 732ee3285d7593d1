"""`GroundingEnv`: one instruction, one picture, one point (TransBench)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded

from mobile_gym.devices.base import Frame
from mobile_gym.envs import spaces
from mobile_gym.envs.actions import FRAME, ActionType, MalformedAction, parse_action
from mobile_gym.envs.arguments import canvas_size
from mobile_gym.envs.canvas import View, place
from mobile_gym.reward.grounding import NO_POINT_DISTANCE, GroundingScore, score
from mobile_gym.task_registry.grounding import GroundingItem
from mobile_gym.task_registry.grounding.sets import load_set

Observation = dict[str, Any]


class GroundingEnv(gym.Env[Observation, dict[str, Any]]):
    """Grounding of instructions on pictures of screens (TransBench, sections 3 and 4).

    ### Description
    An episode is one item of a grounding set: a picture and what a user wants on it. The agent gives one point.

    ### Action Space
    The action space of all environments (`mobile_gym.envs.actions`); only `tap` is allowed, its `touch_point` is the
    answer in the 0-1000 frame of the picture. Anything else counts as no point.

    ### Observation Space
    Dict of `screenshot` (uint8[H, W, 3], the picture letterboxed on the canvas), `instruction` and `message`.

    ### Rewards
    1 for a point strictly inside the element's box, else 0.

    ### Starting State
    An item drawn by the seed, or the one that `options={"index": i}` names.

    ### Episode End
    Terminates at the first step.

    ### Arguments
    Args:
        split: `android-old`, `android-new`, `ios`, `web` or `all`; or a partition of appendix B.2 with its part, such
            as `app_train` and `app_test` (`mobile_gym.task_registry.grounding.SPLITS`).
        dataset: `own` for our own synthetic set of the embedded phone's screens, or the folder of TransBench's official
            release, or a sequence of items.
        language: zh or en: language of our own set's pictures and instructions.
        observation_size: (width, height) of the canvas, pixels.
        render_mode: None or `rgb_array`.

    Raises:
        GroundingSetError: the set cannot be read.
        ValueError: no such split, or no items in it.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}

    def __init__(
        self,
        split: str = "all",
        dataset: str | Sequence[GroundingItem] = "own",
        language: str = "zh",
        observation_size: tuple[int, int] = (540, 1200),
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.language = language
        self._canvas = canvas_size(observation_size)
        self.observation_space = spaces.observation_space(self._canvas, hierarchy=False)
        self.action_space = spaces.action_space()
        self._split = split
        self._items: Sequence[GroundingItem] | None = None
        self._dataset: Callable[[], Sequence[GroundingItem]]
        if isinstance(dataset, str):
            self._dataset = lambda: load_set(dataset, split, language)
        else:
            self._dataset = lambda: dataset
        self._item: GroundingItem | None = None
        self._view: View | None = None
        self._index = -1

    @property
    def items(self) -> Sequence[GroundingItem]:
        """The items of the split; read when first asked for."""
        if self._items is None:
            found = self._dataset()
            if not found:
                raise ValueError(f"the split {self._split!r} holds no items")
            self._items = found
        return self._items

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Draws an item, or takes the one that `options={"index": i}` names.

        Raises:
            ValueError: an unknown option, or an index that is no whole number or out of range; or no items.
            GroundingSetError: the set, or the item's picture, cannot be read.
        """
        super().reset(seed=seed)
        options = options or {}
        unknown = sorted(set(options) - {"index"})
        if unknown:
            raise ValueError(f"unknown reset options {', '.join(unknown)}; there is index")
        index = options.get("index")
        if index is None:
            index = int(self.np_random.integers(len(self.items)))
        elif isinstance(index, bool) or not isinstance(index, Integral):
            raise ValueError(f"index is a whole number from 0 to {len(self.items) - 1}, not {index!r}")
        elif not 0 <= int(index) < len(self.items):
            raise ValueError(f"index {index} is out of range: the split {self._split!r} has {len(self.items)} items")
        self._index = int(index)
        self._item = self.items[self._index]
        self._view = place(self._item.load(), self._canvas)
        return self._observation(""), self._info(None, "")

    def step(self, action: dict[str, Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Scores the point; the episode is over.

        Raises:
            ResetNeeded: the episode is over or was never started.
        """
        item = self._item
        if item is None:
            raise ResetNeeded("the episode is over or was never started; call reset() before step()")
        point: tuple[float, float] | None = None
        error = ""
        try:
            parsed = parse_action(action)
            if parsed.kind is ActionType.TAP and parsed.point is not None:
                point = (parsed.point[0] / FRAME, parsed.point[1] / FRAME)
            else:
                error = f"{parsed.kind.word} gives no point; only tap does"
        except MalformedAction as problem:
            error = f"malformed action: {problem}"
        result = score(point, item.box)
        observation, info = self._observation(error), self._info(result, error)
        self._item = None
        return observation, float(result.inside), True, False, info

    def render(self) -> Frame | None:
        """The canvas as it was last shown; None where no render mode is set."""
        return None if self.render_mode is None or self._view is None else self._view.frame.copy()

    def _observation(self, message: str) -> Observation:
        assert self._view is not None
        assert self._item is not None
        return {
            "screenshot": self._view.frame.copy(),
            "instruction": spaces.cut(self._item.spoken(self.language), spaces.MAX_INSTRUCTION),
            "message": spaces.cut(message, spaces.MAX_MESSAGE),
        }

    def _info(self, result: GroundingScore | None, error: str) -> dict[str, Any]:
        assert self._view is not None
        assert self._item is not None
        item = self._item
        mask = np.zeros(len(ActionType), dtype=np.int8)
        mask[ActionType.TAP] = 1
        info: dict[str, Any] = {
            "success": result is not None and result.inside,
            "distance": NO_POINT_DISTANCE if result is None else result.distance,
            "action_error": error,
            "action_mask": mask,
            "screen": tuple(self._view.screen),
            "screen_size": self._view.size,
            "index": self._index,
            "item_id": item.id,
            "platform": item.platform,
            "version": item.version,
            "app": item.app,
            "category": item.category,
            "page": item.page,
            "source": item.source,
            "turn": int(result is not None),
        }
        if result is not None:
            # What the answer was is told only once it has been given.
            info["box"] = (item.box.left, item.box.top, item.box.right, item.box.bottom)
            info["change"] = item.change
        return info
