"""What a trained model's answer is read as."""

from __future__ import annotations

import gymnasium as gym
import pytest

import mobile_gym  # noqa: F401
from mobile_gym.envs.actions import ActionType
from mobile_gym.policies.formats import traits_of
from mobile_gym.training.codecs import HarnessCodec

FINISH = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "terminate", "status": "success"}}\n</tool_call>'


@pytest.mark.parametrize("cut_off", [False, True])
def test_an_answer_that_ran_out_of_tokens_never_finishes(cut_off: bool) -> None:
    env = gym.make("MoBench/train-launcher", observation_size=(90, 200))
    try:
        observation, info = env.reset(seed=0)
        codec = HarnessCodec(traits_of("qwen2.5-vl-7b"))
        codec.begin(observation)
        codec.chat(observation, {**info, "action_mask": [1] * len(ActionType)})
        action = codec.read(FINISH, cut_off)
        assert (action.get("action_type") == ActionType.FINISH) != cut_off
        if cut_off:
            error = env.step(action)[4]["action_error"]
            assert "cut off" in error
    finally:
        env.close()
