"""The pool on Ray: leases end with the actors that have them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import ray

from mobile_gym.devices import connect
from mobile_gym.devices.errors import DeviceError
from mobile_gym.envs.ray.avd import Avd
from mobile_gym.envs.ray.health import ailment
from mobile_gym.envs.ray.pool import DevicePool, LeaseTimeout, NoDeviceLeft, PoolError, PoolPlan
from mobile_gym.phone.adbd.announce import announce
from mobile_gym.phone.adbd.serve import PhoneServer
from mobile_gym.phone.adbd.served import served_phone
from tests.envs.ray_pool.fake_sdk import make_sdk
from tests.support.adb import Adb, adb, free_port_pair

__all__ = ["adb"]

ONE, TWO = "embedded:pixel_6a", "embedded:small"
LONG = 60.0


class Borrower:
    def __init__(self, pool: DevicePool) -> None:
        self.pool = pool

    def lease(self) -> str:
        return self.pool.lease(timeout=LONG)

    def lease_as(self, name: str) -> str:
        return self.pool.lease(name, timeout=LONG)

    def pid(self) -> int:
        return os.getpid()


@ray.remote(num_cpus=0, max_retries=0)
def lease_in_a_task(pool: DevicePool, name: str) -> tuple[str, int]:
    return pool.lease(name, timeout=LONG), os.getpid()


DRIVER = """
import os, sys, ray
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="error")
pool = ray.cloudpickle.loads(bytes.fromhex(sys.argv[2]))
print(pool.lease("another driver", timeout=60.0), flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def session(adb: Adb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANDROID_HOME", str(make_sdk(tmp_path_factory.mktemp("android"))))
        token = Path.home() / ".ray" / "auth_token"
        if token.exists():  # of an earlier session, which Ray goes on with
            patch.setenv("RAY_AUTH_TOKEN_PATH", str(token))
        patch.setenv("HOME", str(adb.home))
        patch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
        ray.init(
            address="local", num_cpus=2, include_dashboard=False, object_store_memory=80 * 2**20,
            log_to_driver=False, logging_level="error",
        )  # fmt: skip
        yield
        ray.shutdown()


@pytest.fixture(scope="module")
def shared(session: None) -> Iterator[DevicePool]:
    made = DevicePool([ONE, TWO])
    yield made
    made.close()


@pytest.fixture
def pool(shared: DevicePool) -> DevicePool:
    """A pool whose devices are all free and sound."""
    for spec in (ONE, TWO):
        shared.give_back(spec)
        shared.put_back(spec)
    return shared


def borrower(pool: DevicePool, restarts: int = 0) -> Any:
    return ray.remote(Borrower).options(num_cpus=0, max_restarts=restarts).remote(pool)


def test_leases_end_with_the_actor(pool: DevicePool) -> None:
    actor = borrower(pool)
    theirs, ours = ray.get(actor.lease.remote()), pool.lease("me")
    assert {theirs, ours} == {ONE, TWO}
    assert [one.status for one in pool.report().devices] == ["lent", "lent"]
    with pytest.raises(LeaseTimeout, match="no device became free within 0"):
        pool.lease("another", timeout=0.01)
    os.kill(ray.get(actor.pid.remote()), signal.SIGKILL)
    assert pool.lease("another", timeout=LONG) == theirs
    pool.give_back(ours)
    assert pool.lease("a third", timeout=LONG) == ours


def test_a_restarted_actor_has_lost_its_lease(pool: DevicePool) -> None:
    actor = borrower(pool, restarts=1)
    theirs = ray.get(actor.lease.remote())
    assert pool.lease("me") != theirs
    ray.kill(actor, no_restart=False)
    assert pool.lease("another", timeout=LONG) == theirs


def test_a_lease_by_name_ends_with_the_actor_that_asked(pool: DevicePool) -> None:
    one, other = borrower(pool), borrower(pool)
    assert {ray.get(one.lease_as.remote("me")), ray.get(other.lease_as.remote("you"))} == {ONE, TWO}
    ours, theirs = (next(d.spec for d in pool.report().devices if d.owner == name) for name in ("me", "you"))
    pool.give_back(ours)
    assert pool.lease("me", timeout=LONG) == ours  # the same name and device, but a lease of this process
    ray.kill(one)
    os.kill(ray.get(other.pid.remote()), signal.SIGKILL)
    assert pool.lease("a third", timeout=LONG) == theirs
    assert {device.spec: device.owner for device in pool.report().devices} == {ours: "me", theirs: "a third"}


def test_a_lease_by_name_ends_with_the_process_of_a_task(pool: DevicePool) -> None:
    theirs, process = ray.get(lease_in_a_task.remote(pool, "a task"))
    assert pool.lease("me") != theirs
    with pytest.raises(LeaseTimeout):  # the task is over, its process not
        pool.lease("another", timeout=0.5)
    os.kill(process, signal.SIGKILL)
    assert pool.lease("another", timeout=LONG) == theirs


def test_a_lease_by_name_ends_with_the_driver_that_asked(pool: DevicePool) -> None:
    address = ray.get_runtime_context().gcs_address
    arguments = [sys.executable, "-c", DRIVER, address, ray.cloudpickle.dumps(pool).hex()]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        theirs = driver.stdout.readline().strip()
        assert pool.lease("me") != theirs
        driver.kill()
    assert pool.lease("another", timeout=LONG) == theirs


def test_a_handle_can_be_the_owner(pool: DevicePool) -> None:
    actor = borrower(pool)
    assert {pool.lease(actor), pool.lease(actor)} == {ONE, TWO}
    ray.kill(actor)
    assert {pool.lease("one", timeout=LONG), pool.lease("two", timeout=LONG)} == {ONE, TWO}


def test_devices_that_fail_are_put_aside_and_told(pool: DevicePool) -> None:
    assert [pool.report_failure(ONE, "no start") for _ in range(3)] == [False, False, True]
    for _ in range(3):
        pool.report_failure(TWO, "no screen")
    with pytest.raises(NoDeviceLeft, match=f"{ONE}: no start; {TWO}: no screen"):
        pool.lease("me", timeout=LONG)
    assert [one.spec for one in pool.report().aside] == [ONE, TWO]
    pool.put_back(TWO)
    pool.report_failure(TWO, "slow")
    pool.report_success(TWO)
    assert pool.report().devices[1].failures == 0
    assert pool.lease("me", timeout=LONG) == TWO


def test_what_makes_no_sense_is_refused(pool: DevicePool) -> None:
    with pytest.raises(PoolError, match="is in the pool twice"):
        DevicePool([ONE, ONE])
    with pytest.raises(ValueError, match="needs an owner"):
        pool.lease()
    with pytest.raises(PoolError, match="has no device 'adb:z'"):
        pool.give_back("adb:z")


def test_a_real_device_is_looked_at_before_it_is_lent(session: None, adb: Adb) -> None:
    console, port = free_port_pair()
    phone = partial(served_phone, "small", "zh", "clean", 0)
    with PhoneServer(phone, port, console) as running:
        assert announce(port, adb.port)
        adb.text("wait-for-device", serial=running.serial)
        sound = f"adb:{running.serial}"
        pool = DevicePool(["adb:nobody", sound], check_seconds=LONG)
        assert ailment("embedded:small") == ""
        assert {pool.lease("me", timeout=LONG)} == {sound}
        with pytest.raises((NoDeviceLeft, LeaseTimeout), match="not found"):
            pool.lease("me", timeout=0.0)
        first = pool.report().devices[0]
        assert (first.spec, first.status, first.failures) == ("adb:nobody", "aside", 3)
        pool.close()
        pool.close()


def test_virtual_devices_are_started_and_lent(session: None) -> None:
    pool = DevicePool(PoolPlan(avds=(Avd(name="pixel"), Avd(name="broken"))))
    spec = pool.lease("me", timeout=LONG)
    with connect(spec) as device:
        assert device.shell("echo here").stdout.strip() == "here"
    with pytest.raises(LeaseTimeout):
        pool.lease("another", timeout=0.0)
    assert [pool.report_failure(spec, "gone") for _ in range(3)] == [False, False, True]
    with pytest.raises(NoDeviceLeft, match=r"broken did not start: .* the system image is missing"):
        pool.lease("another", timeout=LONG)
    assert [one.spec for one in pool.report().aside] == [spec, "avd:broken"]
    pool.close()
    with pytest.raises(DeviceError):
        connect(spec, timeout=1.0, boot_timeout=0.1)
