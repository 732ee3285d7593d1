"""Phones behind real ADB in `RayVectorEnv`: one actor each, by name or lent by a pool, and one that goes away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
import pytest
import ray

from mobile_gym.envs import RayVectorEnv
from mobile_gym.envs.actions import Action
from mobile_gym.envs.ray.errors import ActorsNotPlaced
from mobile_gym.envs.ray.pool import DevicePool
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.phone.adbd.announce import announce
from mobile_gym.phone.adbd.serve import PhoneServer
from mobile_gym.phone.adbd.served import served_phone
from tests.envs.ray_pool.test_pool import session
from tests.support.adb import Adb, adb, free_port_pair

__all__ = ["adb", "session"]
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("session")]

TASK = "elder-031"
ARGUMENTS: dict[str, Any] = {"time_budget": "none"}  # whole frames: small ones are painted small in the process
WALK = [Action.tap(500, 900), Action.swipe(500, 800, 500, 300), Action.press("home"), Action.tap(300, 500)]
SECONDS = {"step_timeout": 120.0, "start_timeout": 120.0}


class Served:
    """Two phones behind an ADB server."""

    def __init__(self, adb: Adb, stack: ExitStack) -> None:
        self.servers = []
        for _ in range(2):
            console, port = free_port_pair()
            phone = partial(served_phone, "pixel_6a", "zh", "clean", 0)
            token = adb.home / ".emulator_console_auth_token"
            server = stack.enter_context(PhoneServer(phone, port, console, console_token=token))
            assert announce(port, adb.port)
            adb.text("wait-for-device", serial=server.serial)
            self.servers.append(server)
        self.specs = [f"adb:{server.serial}" for server in self.servers]


@pytest.fixture
def served(session: None, adb: Adb) -> Iterator[Served]:
    with ExitStack() as stack:
        yield Served(adb, stack)


def near(seeds: list[int]) -> list[list[Any]]:
    """The same walk on phones in the process: frames and rewards of each turn."""
    rows = []
    for seed in seeds:
        env = MobileTaskEnv(TASK, device="embedded:pixel_6a", **ARGUMENTS)
        frames = [env.reset(seed=seed)[0]["screenshot"]]
        frames += [env.step(action.encode())[0]["screenshot"] for action in WALK]
        env.close()
        rows.append(frames)
    return rows


def walked(envs: RayVectorEnv) -> list[list[Any]]:
    frames = [envs.reset(seed=[3, 4])[0]["screenshot"]]
    for action in WALK:
        observation, _, _, truncated, infos = envs.step([action.encode()] * 2)
        assert infos["env_error"].tolist() == ["", ""]
        assert not truncated.any()
        frames.append(observation["screenshot"])
    return [[frame[env] for frame in frames] for env in range(2)]


def test_by_name_each_phone_has_an_actor_and_shows_what_one_in_the_process_shows(served: Served) -> None:
    # The session serves no emulator, so that the actors ask for nothing.
    sources = [(f"mobile_gym:MoBench/{TASK}", {**ARGUMENTS, "device": spec}) for spec in served.specs]
    envs = RayVectorEnv(sources, actor_resources={}, **SECONDS)
    try:
        there = walked(envs)
    finally:
        envs.close()
    for mine, theirs in zip(near([3, 4]), there, strict=True):
        assert all(np.array_equal(one, other) for one, other in zip(mine, theirs, strict=True))


def test_a_pool_lends_them_and_has_them_back(served: Served) -> None:
    pool = DevicePool(served.specs, check_seconds=60.0)
    source = (f"mobile_gym:MoBench/{TASK}", {**ARGUMENTS, "device": "pool"})
    envs = RayVectorEnv([source] * 2, pool=pool, actor_resources={}, **SECONDS)
    try:
        assert [one.status for one in pool.report().devices] == ["lent", "lent"]
        there = walked(envs)
    finally:
        envs.close()
    assert [one.status for one in pool.report().devices] == ["free", "free"]
    pool.close()
    for mine, theirs in zip(near([3, 4]), there, strict=True):
        assert all(np.array_equal(one, other) for one, other in zip(mine, theirs, strict=True))


def test_a_phone_that_goes_away_ends_its_own_episode(served: Served) -> None:
    sources = [(f"mobile_gym:MoBench/{TASK}", {**ARGUMENTS, "device": spec}) for spec in served.specs]
    envs = RayVectorEnv(sources, actor_resources={}, **SECONDS)
    try:
        envs.reset(seed=0)
        home = Action.press("home").encode()
        served.servers[1].stop()
        observation, rewards, terminated, truncated, infos = envs.step([home] * 2)
        assert truncated.tolist() == [False, True]
        assert not terminated.any()
        assert infos["env_error"][0] == ""
        assert served.specs[1].removeprefix("adb:") in infos["env_error"][1]
        assert rewards[1] == 0
        for _ in range(2):
            observation, _, _, truncated, infos = envs.step([home] * 2)
        assert infos["env_error"][0] == ""
        assert list(envs.put_aside) == [1]
        assert observation["screenshot"].shape == (2, 2400, 1080, 3)
    finally:
        envs.close()


def test_without_a_node_that_serves_devices_the_error_says_so(served: Served) -> None:
    assert "android_device" not in ray.cluster_resources()
    sources = [(f"mobile_gym:MoBench/{TASK}", {**ARGUMENTS, "device": served.specs[0]})]
    with pytest.raises(ActorsNotPlaced, match="android_device"):
        RayVectorEnv(sources, start_timeout=0.5)
