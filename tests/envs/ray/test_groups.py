"""Episodes that start from one state."""

import pickle
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import mobile_gym  # noqa: F401 - registers the tasks
from mobile_gym.devices.errors import CapabilityMissing
from mobile_gym.envs.actions import Action
from mobile_gym.envs.ray import fork_group
from mobile_gym.envs.task_env import MobileTaskEnv
from tests.envs.ray.conftest import MakeVector
from tests.envs.ray.faulty import faulty
from tests.support.stub_phone import StubPhone

SMALL = {"observation_size": (90, 200), "time_budget": "none"}


class Digested(gym.Wrapper[Any, Any, Any, Any]):
    """Tells the phone's digest."""

    def digest(self) -> str:
        found: str = self.get_wrapper_attr("device").digest()
        return found


def make() -> gym.Env[Any, Any]:
    return Digested(gym.make("MoBench/train-settings", **SMALL))


def test_members_begin_alike_and_go_their_own_ways() -> None:
    env = make()
    env.reset(seed=4)
    before, _, _, _, told = env.step(Action.open_app("com.android.settings").encode())
    digest = env.get_wrapper_attr("digest")()
    group = fork_group(env, 3)
    try:
        digests = [member.get_wrapper_attr("digest")() for member in group.envs]
        assert digests == [digest] * 3
        for observation, info in zip(group.observations, group.infos, strict=True):
            np.testing.assert_array_equal(observation["screenshot"], before["screenshot"])
            assert observation["instruction"] == before["instruction"]
            assert {name: info[name] for name in ("turn", "task_seed", "subtasks", "activity")} == {
                name: told[name] for name in ("turn", "task_seed", "subtasks", "activity")
            }
        one, other = (group.envs[number].step(Action.press("home").encode()) for number in (0, 1))
        np.testing.assert_array_equal(one[0]["screenshot"], other[0]["screenshot"])
        assert one[4]["turn"] == told["turn"] + 1
        assert group.envs[0].get_wrapper_attr("digest")() == group.envs[1].get_wrapper_attr("digest")()
        assert group.envs[2].get_wrapper_attr("digest")() == digest
        assert env.get_wrapper_attr("digest")() == digest
    finally:
        group.close()
        env.close()


def test_a_fork_solves_the_task_that_its_parent_began() -> None:
    env = gym.make("MoBench/elder-031", **SMALL)
    env.reset(seed=0)
    env.unwrapped.device.settings.put("system", "volume_music", "12")  # type: ignore[attr-defined]
    group = fork_group(env, 1)
    _, reward, terminated, _, info = group.envs[0].step(Action.finish().encode())
    assert terminated
    assert info["success"], "the fork forgot what held at the start"
    assert reward > 0
    group.close()
    env.close()


def test_what_cannot_be_forked_is_told() -> None:
    env = make()
    with pytest.raises(ResetNeeded):
        fork_group(env, 2)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="at least 1"):
        fork_group(env, 0)
    state = env.get_wrapper_attr("save_episode")()
    other = gym.make("MoBench/elder-031", **SMALL)
    with pytest.raises(ValueError, match="the episode is of task train-settings"):
        other.reset(options={"episode": state})
    other.close()
    env.close()
    stub = MobileTaskEnv("train-settings", device=StubPhone(), observation_size=(90, 200))
    with pytest.raises(CapabilityMissing, match="same seed instead"):
        stub.reset(options={"episode": pickle.loads(pickle.dumps(state))})
    stub.close()


def test_groups_on_ray(vector: MakeVector) -> None:
    envs = vector([make] * 4, phones_per_actor=3)  # the second group is on two actors
    observation, infos = envs.reset_groups(2, seed=11)
    digests = envs.call("digest")
    assert digests[0] == digests[1] != digests[2] == digests[3]
    frames = observation["screenshot"]
    np.testing.assert_array_equal(frames[0], frames[1])
    np.testing.assert_array_equal(frames[2], frames[3])
    assert observation["instruction"][::2] == observation["instruction"][1::2]
    assert infos["forked"].tolist() == [False, True, False, True]
    assert infos["task_seed"].tolist() == [11, 11, 12, 12]
    alike = [Action.open_app("com.android.settings").encode()] * 4
    stepped, _, _, _, infos = envs.step(alike)
    assert infos["turn"].tolist() == [1] * 4
    np.testing.assert_array_equal(stepped["screenshot"][2], stepped["screenshot"][3])
    assert len(set(envs.call("digest"))) == 2
    with pytest.raises(ValueError, match="groups of 3"):
        envs.reset_groups(3)


def test_without_forks_members_share_a_seed(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 4))
    _, infos = envs.reset_groups(2, seed=[5, 6])
    assert infos["forked"].tolist() == [False] * 4
    drawn = [int(np.random.default_rng(seed).integers(1000)) for seed in (5, 5, 6, 6)]
    assert infos["drawn"].tolist() == drawn
