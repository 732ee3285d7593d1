"""Ids, specs, vectors and other processes, as Gymnasium's users meet them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector.utils import CloudpickleWrapper

from mobile_gym import devices
from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.envs.actions import ActionType
from mobile_gym.envs.connection import Connection
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.envs.wrappers import MAX_BYTES, ArrayEnv, text_bytes
from tests.envs.conftest import MakeEnv
from tests.support.stub_phone import LOUDER_AT, StubPhone

TASK = """\
id: stub-009
suite: stub
protocol: online
instruction: {zh: 声音太小了, en: It is too low}
start: {settings: {system/volume_music: 3}}
budget: {steps: 6}
subtasks:
  - setting: {key: system/volume_music, above: start}
allowed_changes: [system/*]
"""
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EnvSpec]:
    folder = tmp_path / "stub"
    folder.mkdir()
    path = folder / "stub-009.yaml"
    path.write_text(TASK, "utf-8")
    monkeypatch.setattr(devices, "connect", lambda spec: StubPhone("embedded:stub"), raising=False)
    gym.register(
        "Stub/louder",
        entry_point="mobile_gym.envs.task_env:MobileTaskEnv",
        kwargs={"task": str(path), "device": "embedded:stub", "observation_size": [45, 100]},
    )
    yield gym.spec("Stub/louder")
    del gym.registry["Stub/louder"]


def test_a_spec_goes_through_json_and_pickle(spec: EnvSpec) -> None:
    env = gym.make(spec, language="en")
    assert env.spec is not None
    for copied in (EnvSpec.from_json(env.spec.to_json()), CloudpickleWrapper(env.spec).fn):
        twin = gym.make(copied)
        observation, info = twin.reset(seed=5)
        assert observation["instruction"] == "It is too low"
        assert observation["screenshot"].shape == (100, 45, 3)
        assert (info["task_id"], info["task_seed"]) == ("stub-009", 5)
        twin.close()
    env.close()


def test_async_vectors_give_what_sync_ones_give(spec: EnvSpec) -> None:
    batch = {
        "action_type": np.array([0, 14]),
        "touch_point": np.array([LOUDER_AT, (0, 0)]),
        "lift_point": np.zeros((2, 2), np.int64),
        "text": ("", ""),
    }
    outcomes = []
    for mode, arguments in (("sync", {}), ("async", {"shared_memory": False})):
        vector = gym.make_vec(spec, num_envs=2, vectorization_mode=mode, vector_kwargs=arguments)
        first, _ = vector.reset(seed=[1, 2])
        observation, reward, terminated, truncated, info = vector.step(batch)
        outcomes.append((first, observation, reward, terminated, truncated, info))
        vector.close()
    for left, right in zip(*outcomes, strict=True):
        assert type(left) is type(right)
    (first, observation, reward, *_), (other_first, other_observation, other_reward, *_) = outcomes
    assert first["screenshot"].shape == (2, 100, 45, 3)
    for left, right in ((first, other_first), (observation, other_observation)):
        assert np.array_equal(left["screenshot"], right["screenshot"])
        assert left["instruction"] == right["instruction"] == ("声音太小了",) * 2
    assert reward.tolist() == other_reward.tolist() == [0.5, 0.0]


def test_shared_memory_is_refused_with_the_way_out(spec: EnvSpec) -> None:
    with pytest.raises(ValueError, match="shared_memory=False"):
        gym.make_vec(spec, num_envs=2, vectorization_mode="async")


def test_a_forked_process_opens_its_own_device(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[StubPhone] = []

    def connect(spec: str) -> StubPhone:
        opened.append(StubPhone(spec))
        return opened[-1]

    monkeypatch.setattr(devices, "connect", connect, raising=False)

    class Holder:
        pass

    holder = Holder()
    connection = Connection("adb:stub", holder)
    given = Connection(StubPhone("stub:given"), holder)
    assert connection.device() is connection.device() is opened[0]
    given.device()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert connection.device() is opened[1]
    assert opened[0].closed == 0
    with pytest.raises(DeviceOffline, match="forked"):
        given.device()
    connection.drop()
    assert [phone.closed for phone in opened] == [0, 1]


def test_the_linked_folder_is_for_people() -> None:
    command = [sys.executable, "-c", "import envs"]
    result = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=30, check=False)
    assert result.returncode != 0
    assert "import it as 'mobile_gym.envs'" in result.stderr


# Wrappers.


def test_array_env_holds_arrays_only(make_env: MakeEnv) -> None:
    env = ArrayEnv(make_env(), vocabulary=("你好", "bye"))
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    assert bytes(observation["instruction"]).rstrip(b"\0").decode() == "声音太小了，我听不见"
    observation, reward, *_ = env.step(np.array([ActionType.TAP, *LOUDER_AT, 0, 0]))
    assert reward == 0.5
    *_, info = env.step(np.array([ActionType.TYPE, 1000, 0, 0, 0]))
    assert "no field has the focus" in info["action_error"]
    bare = ArrayEnv(env.env, texts=False)
    observation, _ = bare.reset()
    assert list(observation) == ["screenshot"]
    *_, info = bare.step(np.array([ActionType.TYPE, 0, 0, 0, 0]))
    assert "type needs a 'text'" in info["action_error"]
    with pytest.raises(TypeError, match="Dict observations"):
        ArrayEnv(gym.make("CartPole-v1"))


def test_texts_are_cut_at_whole_characters() -> None:
    data = text_bytes("声" * 400)
    assert data.shape == (MAX_BYTES,)
    text = bytes(data).rstrip(b"\0").decode()
    assert text.endswith("…[cut]")
    assert set(text.removesuffix("…[cut]")) == {"声"}
    assert MAX_BYTES - 3 < len(text.encode()) <= MAX_BYTES


@pytest.mark.slow
def test_stable_baselines_trains_on_it(make_env: MakeEnv) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    from stable_baselines3 import PPO

    env: MobileTaskEnv = make_env(observation_size=(36, 80))
    wrapped = ArrayEnv(env)
    checker.check_env(wrapped)
    PPO("MultiInputPolicy", wrapped, n_steps=32, batch_size=32, n_epochs=1, device="cpu").learn(64)
