"""A task of one step for a tiny model: the picture is red or blue, and each has its word."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from mobile_gym.envs import spaces
from mobile_gym.envs.actions import Action, ActionType, parse_action
from mobile_gym.training.codecs import WordCodec
from mobile_gym.training.loading import make_policy
from mobile_gym.training.tiny_vlm import tiny_model, tiny_processor, tiny_tokenizer
from mobile_gym.training.vision_policy import Sampling, VisionPolicy

WORDS = {
    "left": Action.tap(250, 500),
    "right": Action.tap(750, 500),
    "back": Action.press("back"),
    "finish": Action.finish(),
}
PICTURE = (56, 56)
ASKED = "Tap the right side"


class ColourEnv(gym.Env[dict[str, Any], dict[str, Any]]):
    """Red (even seeds) wants a tap on the left half, blue one on the right; the instruction never says which."""

    def __init__(self) -> None:
        self.observation_space = spaces.observation_space(PICTURE, False)
        self.action_space = spaces.action_space()
        self._red = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self._red = (seed or 0) % 2 == 0
        return self._seen(), self._info(False)

    def step(self, action: dict[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        parsed = parse_action(action)
        right = parsed.point is not None and (parsed.point[0] < 500) == self._red
        return self._seen(), float(right), True, False, self._info(right)

    def _seen(self) -> dict[str, Any]:
        frame = np.zeros((PICTURE[1], PICTURE[0], 3), np.uint8)
        frame[..., 0 if self._red else 2] = 255
        return {"screenshot": frame, "instruction": ASKED, "message": ""}

    def _info(self, success: bool) -> dict[str, Any]:
        return {
            "success": success,
            "ended_by": "finish",
            "device_error": "",
            "action_mask": np.ones(len(ActionType), np.int8),
            "screen": (0, 0, *PICTURE),
            "screen_size": PICTURE,
        }


def codec() -> WordCodec:
    return WordCodec(WORDS, PICTURE)


def tiny_policy(longest: int = 1, reference: bool = True, seed: int = 0) -> VisionPolicy:
    tokenizer = tiny_tokenizer([ASKED] * 4, list(WORDS), size=290)
    only = tuple(tokenizer.convert_tokens_to_ids(list(WORDS)))
    if longest > 1:
        only = (*only, tokenizer.eos_token_id)
    return make_policy(tiny_model(tokenizer, seed), tiny_processor(tokenizer), Sampling(longest, 1.0, only), reference)
