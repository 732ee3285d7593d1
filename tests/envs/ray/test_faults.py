"""What happens to the others, and to the count, when something fails."""

import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from gymnasium.vector import AutoresetMode

from mobile_gym.envs.ray import ActorsNotPlaced, NoPhonesLeft, RayVectorEnv
from tests.envs.ray.conftest import MakeAsync, MakeVector
from tests.envs.ray.faulty import DIE, END, GO, HANG, OFFLINE, RAISE, WAIT, Faulty, faulty, lines


def pids(envs: Any) -> list[int]:
    """The process of each sub-environment."""
    return [int(process) for process in envs.call("pid")]


def counts(observation: Any) -> list[int]:
    """How many steps the frames show."""
    return [int(frame[0, 0, 0]) for frame in observation["screenshot"]]


@pytest.mark.parametrize(
    ("action", "told"),
    [(RAISE, "ZeroDivisionError: told to"), (OFFLINE, "DeviceOffline: gone")],
    ids=["raise", "offline"],
)
def test_one_fails_and_its_neighbours_go_on(vector: MakeVector, tmp_path: Path, action: int, told: str) -> None:
    envs = vector(faulty(tmp_path, 3))
    envs.reset(seed=0)
    envs.step([GO, GO, GO])
    observation, rewards, terminated, truncated, infos = envs.step([GO, action, GO])
    assert truncated.tolist() == [False, True, False]
    assert not terminated.any()
    assert infos["env_error"].tolist() == ["", told, ""]
    assert infos["_env_error"].all()
    assert [rewards[0], rewards[2]] == [1.0, 1.0]
    assert counts(observation)[::2] == [2, 2]
    observation, rewards, _, truncated, infos = envs.step([GO, GO, GO])
    assert counts(observation) == [3, 0, 3]
    assert rewards.tolist() == [1, 0, 1]
    assert not truncated.any()
    assert infos["env_error"].tolist() == ["", "", ""]
    assert lines(tmp_path, 1) == ["reset", "step 0", f"step {action}", "reset"]
    assert lines(tmp_path, 0) == ["reset", "step 0", "step 0", "step 0"]


def test_a_step_that_raises_gives_no_reward_and_the_last_view(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 2))
    envs.reset(seed=0)
    envs.step([GO, GO])
    before = envs.step([GO, GO])[0]
    observation, rewards, _, _, _ = envs.step([RAISE, GO])
    assert rewards.tolist() == [0, 1]
    assert counts(observation) == [2, 3]
    assert observation["message"][0] == before["message"][0] == "0: 2"


def test_an_actor_that_dies_takes_its_own_phones_only(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 4), phones_per_actor=2)
    envs.reset(seed=0)
    envs.step([GO] * 4)
    observation, rewards, terminated, truncated, infos = envs.step([GO, DIE, GO, GO])
    assert truncated.tolist() == [True, True, False, False]
    assert rewards.tolist() == [0, 0, 1, 1]
    assert not terminated.any()
    assert counts(observation) == [1, 1, 2, 2]  # the last good ones
    assert observation["message"][0] == "0: 1"
    assert ["its actor died" in error for error in infos["env_error"]] == [True, True, False, False]
    observation, rewards, _, truncated, infos = envs.step([GO] * 4)
    assert counts(observation) == [0, 0, 3, 3]
    assert not truncated.any()
    assert set(infos["env_error"]) == {""}
    # What was on its way was not carried out again.
    assert lines(tmp_path, 0) == ["reset", "step 0", "step 0", "reset"]
    assert lines(tmp_path, 1) == ["reset", "step 0", f"step {DIE}", "reset"]


def test_killed_from_outside_between_steps(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 2))
    envs.reset(seed=0)
    os.kill(pids(envs)[0], signal.SIGKILL)
    _, _, _, truncated, infos = envs.step([GO, GO])
    assert truncated.all()
    assert all(infos["env_error"])
    observation, _, _, truncated, _ = envs.step([GO, GO])
    assert not truncated.any()
    assert counts(observation) == [0, 0]
    assert envs.step([GO, GO])[1].tolist() == [1, 1]
    ended = sum(line.startswith("step") for line in lines(tmp_path, 0))
    assert ended == 1


def test_a_call_that_hangs_is_ended(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 3), phones_per_actor=2, step_timeout=2.0)
    envs.reset(seed=0)
    observation, _, _, truncated, infos = envs.step([GO, HANG, GO])
    assert truncated.tolist() == [True, True, False]
    assert "no answer within 2 s" in infos["env_error"][1]
    assert counts(observation) == [0, 0, 1]
    observation, _, _, truncated, _ = envs.step([GO, GO, GO])
    assert counts(observation) == [0, 0, 2]
    assert not truncated.any()


def test_faults_in_the_mode_same_step(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 2), autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=0)
    envs.step([GO, GO])
    observation, _, _, truncated, infos = envs.step([RAISE, GO])
    assert truncated.tolist() == [True, False]
    assert counts(observation) == [0, 2]
    assert infos["final_info"]["env_error"][0] == "ZeroDivisionError: told to"
    assert infos["final_obs"][0]["message"] == "0: 1"
    assert infos["_final_info"].tolist() == [True, False]


@pytest.mark.parametrize("how", ["raise", "die"])
def test_a_reset_may_fail_twice(vector: MakeVector, tmp_path: Path, how: str) -> None:
    makers = [*faulty(tmp_path, 1, bad_resets=2, how=how), partial(Faulty, str(tmp_path), "well")]
    envs = vector(makers)
    observation, infos = envs.reset(seed=0)
    assert infos["env_error"].tolist() == ["", ""]
    assert infos["drawn"].tolist() == [int(np.random.default_rng(seed).integers(1000)) for seed in (0, 1)]
    assert lines(tmp_path, 0) == ["reset"] * 3
    assert counts(observation) == [0, 0]
    assert envs.put_aside == {}


@pytest.mark.parametrize("how", ["raise", "die"])
def test_who_never_starts_is_put_aside(vector: MakeVector, tmp_path: Path, how: str) -> None:
    makers = [*faulty(tmp_path, 1, bad_resets=99, how=how), partial(Faulty, str(tmp_path), "well")]
    envs = vector(makers)
    _, infos = envs.reset(seed=0)
    assert list(envs.put_aside) == [0]
    assert "after 3 resets" in envs.put_aside[0]
    assert infos["env_error"].tolist() == [envs.put_aside[0], ""]
    for number in (1, 2):
        observation, rewards, terminated, truncated, infos = envs.step([GO, GO])
        assert rewards.tolist() == [0, 1]
        assert not (terminated | truncated).any()
        assert counts(observation) == [0, number]
        assert infos["env_error"].tolist() == [envs.put_aside[0], ""]
    assert lines(tmp_path, 0) == ["reset"] * 3


def test_none_is_left(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 2, bad_resets=99))
    envs.reset(seed=0)
    with pytest.raises(NoPhonesLeft, match=r"all 2 .* no start could be made"):
        envs.step([GO, GO])


def test_asynchronously_nothing_is_lost_or_doubled(apart: MakeAsync, tmp_path: Path) -> None:
    envs = apart(faulty(tmp_path, 4), phones_per_actor=2)
    envs.async_reset(seed=0)
    plan = {0: [GO, END, GO, GO], 1: [GO, DIE, GO, GO], 2: [RAISE, GO, END, GO], 3: [GO] * 4}
    seen: dict[int, list[tuple[float, bool, bool, bool]]] = {env: [] for env in plan}
    while any(len(rows) <= 4 for rows in seen.values()):
        _, rewards, terminated, truncated, infos = envs.recv(min_envs=1)
        again = []
        for row, env in enumerate(int(number) for number in infos["env_id"]):
            seen[env].append((rewards[row], terminated[row], truncated[row], bool(infos["env_error"][row])))
            if len(seen[env]) <= 4:
                again.append(env)
        if again:
            envs.send([plan[env][len(seen[env]) - 1] for env in again], again)
    start, step, fault = (0.0, False, False, False), (1.0, False, False, False), (0.0, False, True, True)
    assert seen[3] == [start, step, step, step, step]
    assert seen[2] == [start, fault, start, (1.0, True, False, False), start]
    assert seen[1][2] == fault
    assert seen[1][3] == start
    assert sum(row == fault for row in seen[0]) <= 1  # it shares the actor, and may have been between two episodes
    assert sum(line == f"step {DIE}" for line in lines(tmp_path, 1)) == 1
    with pytest.raises(RuntimeError, match="nothing is on its way"):
        envs.recv()


def test_a_hang_among_threads(apart: MakeAsync, tmp_path: Path) -> None:
    envs = apart(faulty(tmp_path, 2), threads=True, step_timeout=2.0)
    envs.async_reset(seed=0)
    envs.recv(min_envs=2)
    envs.send([HANG, GO], [0, 1])
    _, rewards, _, truncated, infos = envs.recv(min_envs=1)
    assert infos["env_id"].tolist() == [1]
    assert rewards.tolist() == [1]
    _, _, _, truncated, infos = envs.recv(min_envs=1)
    assert infos["env_id"].tolist() == [0]
    assert truncated.all()
    # The other one lost its phone with the actor: told with its next step, which is not carried out.
    envs.send([GO], [1])
    _, rewards, _, truncated, infos = envs.recv()
    assert (rewards[0], truncated[0], "killed" in infos["env_error"][0]) == (0.0, True, True)
    assert lines(tmp_path, 1) == ["reset", "step 0"]


def test_the_slow_one_keeps_nobody(apart: MakeAsync, tmp_path: Path) -> None:
    envs = apart(faulty(tmp_path, 3), threads=True)
    envs.async_reset(seed=0)
    envs.recv(min_envs=3)
    envs.send([WAIT, GO, GO], [0, 1, 2])
    quick = 0
    while 0 not in (come := envs.recv(min_envs=1)[4]["env_id"].tolist()):
        quick += len(come)
        envs.send([GO] * len(come), come)
    assert quick > 4


def test_a_lack_is_told(session: None, tmp_path: Path) -> None:
    with pytest.raises(ActorsNotPlaced, match=r"for lack of android_device \(each asks for 5; the cluster has 2"):
        RayVectorEnv(faulty(tmp_path, 1), actor_resources={"android_device": 5}, start_timeout=0.5)
    assert ray.available_resources()["android_device"] == 2
