"""Tasks by demonstration, on the embedded phone in the process and on the same phone behind real ADB.

Plays a share of each suite; with `MOBILE_GYM_OVER_ADB=all` in the environment every task that acts on a phone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

import pytest

from mobile_gym.devices import Device
from mobile_gym.devices.adb import AdbDevice
from mobile_gym.devices.adb_server import AdbServer
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.phone.adbd.announce import announce
from mobile_gym.phone.adbd.serve import PhoneServer
from mobile_gym.phone.adbd.served import served_phone
from mobile_gym.policies import make_policy
from mobile_gym.task_registry.catalog import load_task, task_ids
from tests.support.adb import Adb, adb, free_port_pair

__all__ = ["adb"]

EVERY = {"elder": 3, "probench": 4, "gma": 7, "train": 1}
"""Of each suite every so-manieth task is in the share."""


def tasks() -> list[str]:
    """The tasks that are played."""
    whole = os.environ.get("MOBILE_GYM_OVER_ADB") == "all"
    live = {suite: [task for task in task_ids(suite) if load_task(task).protocol != "graph"] for suite in EVERY}
    return [task for suite, found in live.items() for task in found[:: 1 if whole else EVERY[suite]]]


@pytest.fixture(scope="module")
def device(adb: Adb) -> Iterator[Device]:
    console, port = free_port_pair()
    token = adb.home / ".emulator_console_auth_token"
    phone = partial(served_phone, "pixel_6a", "zh", "clean", 0)
    with PhoneServer(phone, port, console, console_token=token) as running:
        assert announce(port, adb.port)
        adb.text("wait-for-device", serial=running.serial)
        found = AdbDevice(running.serial, server=AdbServer("127.0.0.1", adb.port), console_token=token)
        yield found
        found.close()


def play(task: str, device: str | Device) -> dict[str, object]:
    env = MobileTaskEnv(task=task, device=device, observation_size=(108, 240), time_budget="none")
    try:
        observation, info = env.reset(seed=0)
        policy = make_policy("demonstration")
        policy.attach(env)
        policy.reset(env.task, info, 0)
        terminated = truncated = False
        while not (terminated or truncated):
            observation, _, terminated, truncated, info = env.step(policy.act(observation, info))
        names = ("success", "goal_reached", "progress", "subtasks", "turn", "unexpected_changes", "ended_by")
        return {name: info[name] for name in names} | {"record": env.session.record}
    finally:
        env.close()


@pytest.mark.slow
@pytest.mark.parametrize("task", tasks())
def test_scores_are_equal_and_full_through_both_doors(task: str, device: Device) -> None:
    near = play(task, "embedded:pixel_6a")
    assert near["success"], near
    assert play(task, device) == near
