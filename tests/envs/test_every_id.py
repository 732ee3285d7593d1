"""Every registered id: its spec goes through JSON, and Gymnasium's checker has nothing to say about its environment."""

from __future__ import annotations

import json
import warnings

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

import mobile_gym

IDS = sorted(name for name in gym.registry if name.startswith("MoBench/"))
LIVE = [name for name in IDS if str(gym.spec(name).entry_point).endswith(":MobileTaskEnv")]
# The first use of a task graph or of the grounding set builds it, which takes seconds: one of each kind stands for all.
BUILT = sorted({str(gym.spec(name).entry_point): name for name in reversed(IDS) if name not in LIVE}.values())


def test_there_are_ids() -> None:
    assert mobile_gym.__version__
    assert "MoBench/elder-031" in IDS
    assert "MoBench/train-alarm" in IDS


@pytest.mark.parametrize("name", IDS)
def test_its_spec_goes_through_json(name: str) -> None:
    spec = gym.spec(name)
    again = EnvSpec.from_json(spec.to_json())
    assert again.id == name
    assert again.kwargs == spec.kwargs == json.loads(json.dumps(spec.kwargs))
    assert isinstance(spec.entry_point, str)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LIVE, *BUILT])
def test_gymnasiums_checker_is_content(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gym.make(name, observation_size=(54, 120))
        try:
            check_env(env.unwrapped, skip_render_check=True)
        finally:
            env.close()
