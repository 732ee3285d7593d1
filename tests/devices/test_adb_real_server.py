"""AdbDevice on the real adb server, with the phone's transport going wrong."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from mobile_gym.devices.adb import AdbDevice
from mobile_gym.devices.adb_server import AdbServer, Deadline
from mobile_gym.devices.errors import CommandFailed, DeviceOffline, DeviceTimeout, ScreenshotUnavailable
from mobile_gym.phone.adbd.announce import announce
from mobile_gym.phone.adbd.serve import PhoneServer
from mobile_gym.phone.phone import Phone
from tests.devices.phone_over_adb import over_adb, served
from tests.support.adb import Adb, adb, free_port, free_port_pair

__all__ = ["adb"]


@pytest.fixture(scope="module")
def running(adb: Adb) -> Iterator[PhoneServer]:
    with served(adb) as server:
        yield server


@pytest.fixture
def server(running: PhoneServer) -> Iterator[PhoneServer]:
    yield running
    running.faults.clear()


@pytest.fixture
def device(adb: Adb, server: PhoneServer) -> Iterator[AdbDevice]:
    with over_adb(adb, server, timeout=10.0) as device:
        yield device


def test_the_server_is_started_where_none_runs(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Adb(free_port(), tmp_path_factory.mktemp("home"))
    for name, value in own.environment.items():
        monkeypatch.setenv(name, value)
    try:
        server = AdbServer.from_environment()
        assert server.port == own.port
        assert server.version(Deadline(20, "version")) >= 40
        assert server.devices(Deadline(20, "devices")) is not None
    finally:
        own.kill()


def test_a_service_that_never_answers_runs_into_the_time_out(adb: Adb, server: PhoneServer, device: AdbDevice) -> None:
    device._link.timeout = 0.3
    server.faults.hang = ("shell",)
    with pytest.raises(DeviceTimeout, match=r"0\.3 seconds \(shell,v2,raw began and sent 0 bytes\)"):
        device.shell("echo")


def test_garbage_is_never_taken_for_an_answer(server: PhoneServer, device: AdbDevice) -> None:
    server.faults.garbage = {"exec": b"\x89PN", "sync": b"HELLOHELLO" * 9}
    with pytest.raises(ScreenshotUnavailable):
        device.screenshot()
    with pytest.raises(CommandFailed, match="HELL"):
        device.files.read("/sdcard/x")
    server.faults.garbage = {"shell": b"\x09\xff\xff\xff\x7fgarbage"}
    with pytest.raises(CommandFailed, match="kind 9"):
        device.shell("echo")


def test_a_refused_service_is_told(server: PhoneServer, device: AdbDevice) -> None:
    server.faults.refuse = ("sync",)
    with pytest.raises(DeviceOffline, match="closed"):
        device.files.read("/sdcard/x")
    server.faults.clear()
    assert device.files.exists("/sdcard")


def _child(device: AdbDevice, queue: Any) -> None:
    queue.put([device.shell(f"echo {number}").stdout for number in range(20)])


def test_parent_and_forked_child_use_a_device_at_the_same_time(device: AdbDevice) -> None:
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(device, queue))
    child.start()
    expected = [f"{number}\n" for number in range(20)]
    assert [device.shell(f"echo {number}").stdout for number in range(20)] == expected
    assert queue.get(timeout=20) == expected
    child.join(10)
    assert child.exitcode == 0
    queue.close()
    queue.join_thread()


def test_a_daemon_that_wants_a_key_is_unauthorized_and_not_offline(adb: Adb) -> None:
    console, port = free_port_pair()
    server = PhoneServer(partial(Phone, "small"), port, console, console_token=adb.home / "token")
    server.faults.unauthorized = True
    with server:
        announce(port, adb.port)
        with pytest.raises(DeviceOffline, match="Accept the dialog") as caught:
            over_adb(adb, server, boot_timeout=15.0)
        assert caught.value.state == "unauthorized"


def test_a_phone_that_is_gone_is_not_found(adb: Adb) -> None:
    with served(adb) as server:
        device = over_adb(adb, server, timeout=3.0)
        serial = server.serial
    with pytest.raises(DeviceOffline, match=serial):
        device.shell("echo")


def test_big_answers_and_files_come_whole(device: AdbDevice) -> None:
    data = bytes(range(256)) * 12_000
    device.files.write("/sdcard/big.bin", data)
    assert device.files.read("/sdcard/big.bin") == data
    assert device.shell("for i in 1 2 3; do cat /sdcard/big.bin | wc -c; done").stdout.split() == [str(len(data))] * 3
    device.files.delete("/sdcard/big.bin")
