"""Vector environments for Stable-Baselines3: what it is told of episodes' ends, seeds, calls and spaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

pytest.importorskip("stable_baselines3")

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor, VecTransposeImage

import mobile_gym  # noqa: F401 - registers MoBench/...
from mobile_gym.envs.wrappers import ArrayEnv, DrawnSeeds, ElementActions, EncodeTexts, FlatActions
from mobile_gym.training.sb3 import SB3VecEnv, UnsuitableSpace, check_spaces

pytestmark = pytest.mark.filterwarnings("ignore:.*WARN:UserWarning")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Torch's threads wait for each other where other tests run beside."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Counter(gym.Env[Any, Any]):
    """Counts the steps of an episode; ends at `ends`, is cut short at 5."""

    observation_space = spaces.Dict({"count": spaces.Box(0, 99, (1,), np.float32)})
    action_space = spaces.Discrete(3)

    def __init__(self, ends: int = 3) -> None:
        self.ends, self.count, self.episodes, self.seen = ends, 0, 0, ""

    def _look(self) -> tuple[dict[str, Any], dict[str, Any]]:
        info = {"turn": self.count, "success": self.count == 3, "subtasks": {"one": self.count > 1}, "seed": self.seen}
        return {"count": np.array([self.count], np.float32)}, info

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.count, self.episodes, self.seen = 0, self.episodes + 1, f"{seed} {options}"
        return self._look()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.count += 1
        observation, info = self._look()
        return observation, float(action), self.count >= self.ends, self.count >= 5, info

    def told(self, word: str, times: int = 1) -> str:
        return word * times * self.ends


class Passing(gym.Wrapper[Any, Any, Any, Any]):
    """A wrapper that does nothing."""


def counters(kind: type, mode: AutoresetMode) -> SB3VecEnv:
    return SB3VecEnv(kind([lambda: Passing(Counter(3)), lambda: Counter(9)], autoreset_mode=mode))


@pytest.fixture(params=[SyncVectorEnv, AsyncVectorEnv])
def kind(request: pytest.FixtureRequest) -> type:
    return request.param


@pytest.fixture(params=[AutoresetMode.SAME_STEP, AutoresetMode.DISABLED])
def vec(request: pytest.FixtureRequest, kind: type) -> Iterator[SB3VecEnv]:
    env = counters(kind, request.param)
    yield env
    env.close()


def test_ends_of_episodes_are_told_as_stable_baselines_wants_them(vec: SB3VecEnv) -> None:
    observation = vec.reset()
    assert observation["count"].tolist() == [[0], [0]]
    ends = []
    for step in range(1, 7):
        observation, rewards, dones, infos = vec.step(np.array([1, 2]))
        assert rewards.tolist() == [1.0, 2.0]
        assert rewards.dtype == np.float32
        for index in range(2):
            assert ("terminal_observation" in infos[index]) == bool(dones[index])
            if dones[index]:
                ends.append((step, index, infos[index]))
                assert observation["count"][index] == 0
                assert vec.reset_infos[index]["turn"] == 0
    assert [(step, index) for step, index, _ in ends] == [(3, 0), (5, 1), (6, 0)]
    first, second, third = (info for _, _, info in ends)
    assert first["terminal_observation"]["count"].tolist() == [3]
    assert (first["turn"], first["is_success"], first["subtasks"]) == (3, True, {"one": True})
    assert (first["TimeLimit.truncated"], second["TimeLimit.truncated"]) == (False, True)
    assert (first["episode"]["r"], first["episode"]["l"]) == (3.0, 3)
    assert (second["episode"]["r"], second["episode"]["l"], second["is_success"]) == (10.0, 5, False)
    assert (third["episode"]["r"], third["episode"]["l"]) == (3.0, 3)
    assert type(first["turn"]) is int


def test_seeds_and_options_go_into_the_next_reset_only(vec: SB3VecEnv) -> None:
    assert vec.seed(7) == [7, 8]
    vec.set_options({"level": 2})
    vec.reset()
    assert [info["seed"] for info in vec.reset_infos] == ["7 {'level': 2}", "8 {'level': 2}"]
    vec.reset()
    assert [info["seed"] for info in vec.reset_infos] == ["None None", "None None"]
    vec.set_options([{"level": 1}, {"level": 2}])
    with pytest.raises(ValueError, match="one dict of options"):
        vec.reset()


def test_calls_and_attributes(vec: SB3VecEnv) -> None:
    vec.reset()
    assert vec.env_method("told", "x", times=2) == ["x" * 6, "x" * 18]
    assert vec.get_attr("ends") == [3, 9]
    assert vec.get_attr("ends", indices=1) == [9]
    assert vec.has_attr("ends")
    assert not vec.has_attr("nothing_like_that")
    assert vec.env_is_wrapped(Passing) == [True, False]
    assert vec.env_is_wrapped(Passing, indices=[1]) == [False]
    vec.set_attr("ends", 4, indices=1)
    assert vec.get_attr("ends") == [3, 4]


def test_a_method_of_some_environments_only() -> None:
    sync = counters(SyncVectorEnv, AutoresetMode.SAME_STEP)
    assert sync.env_method("told", "x", indices=[1]) == ["x" * 9]
    sync.close()
    both = counters(AsyncVectorEnv, AutoresetMode.SAME_STEP)
    with pytest.raises(ValueError, match="on 1 of 2"):
        both.env_method("told", "x", indices=0)
    both.close()


def test_resets_in_the_next_step_are_refused() -> None:
    with pytest.raises(ValueError, match="SAME_STEP"):
        SB3VecEnv(SyncVectorEnv([Counter]))


def test_waiting_for_nothing_is_told(vec: SB3VecEnv) -> None:
    vec.reset()
    with pytest.raises(RuntimeError, match="step_async"):
        vec.step_wait()


# Our own environments.


def launcher() -> gym.Env[Any, Any]:
    return gym.make("MoBench/train-launcher", observation_size=(36, 80), language="en", disable_env_checker=True)


def flat() -> gym.Env[Any, Any]:
    return EncodeTexts(FlatActions(DrawnSeeds(launcher(), 0, 1000), kinds=("tap", "finish")))


def elements() -> gym.Env[Any, Any]:
    return EncodeTexts(ElementActions(launcher(), most=16))


def test_spaces_that_it_cannot_take_are_told_with_the_wrapper_that_helps() -> None:
    raw = launcher()
    encoded, arrays = EncodeTexts(raw), ArrayEnv(raw)
    with pytest.raises(UnsuitableSpace, match=r"'instruction' is a text.*EncodeTexts"):
        SB3VecEnv(SyncVectorEnv([launcher], autoreset_mode=AutoresetMode.SAME_STEP))
    with pytest.raises(UnsuitableSpace, match=r"actions are a Dict.*FlatActions.*ElementActions"):
        check_spaces(encoded.observation_space, encoded.action_space)
    with pytest.raises(UnsuitableSpace, match="actions are a Text"):
        check_spaces(arrays.observation_space, spaces.Text(3))
    with pytest.raises(UnsuitableSpace, match="'pair' is a Tuple"):
        check_spaces(spaces.Dict({"pair": spaces.Tuple([])}), arrays.action_space)
    check_spaces(arrays.observation_space, arrays.action_space)
    raw.close()


def test_ppo_trains_on_two_phones() -> None:
    vec = SB3VecEnv(SyncVectorEnv([flat, flat], autoreset_mode=AutoresetMode.SAME_STEP))
    model = PPO("MultiInputPolicy", vec, n_steps=8, batch_size=16, n_epochs=1, device="cpu", seed=0)
    assert isinstance(model.env, VecTransposeImage)
    assert model.observation_space["screenshot"].shape == (3, 80, 36)
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(16)
    assert any((old != new).any() for old, new in zip(before, model.policy.parameters(), strict=True))
    assert len(model.ep_success_buffer) > 0, "some random episode has ended"
    model.env.close()


def test_masks_reach_maskable_ppo() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    vec = VecMonitor(SB3VecEnv(SyncVectorEnv([elements], autoreset_mode=AutoresetMode.SAME_STEP)))
    model = contrib.MaskablePPO("MultiInputPolicy", vec, n_steps=8, batch_size=8, n_epochs=1, device="cpu", seed=0)
    model.learn(8)
    masks = model.rollout_buffer.action_masks.reshape(8, -1)
    assert masks.shape == (8, 21)
    assert not masks.all(), "elements that are not there are masked"
    taken = model.rollout_buffer.actions.reshape(-1).astype(int)
    assert all(masks[row, action] for row, action in enumerate(taken))
    vec.close()
