"""Virtual devices: where the SDK is, how the emulator is called, and what is told where it does not start."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from mobile_gym.devices import connect
from mobile_gym.devices.errors import DeviceError
from mobile_gym.envs.ray.avd import Avd, AvdError, Sdk, SdkMissing, avd_names, command_line, find_sdk, start_avd
from tests.envs.ray_pool.fake_sdk import make_sdk
from tests.support.adb import Adb, adb

__all__ = ["adb"]


@pytest.fixture
def sdk(tmp_path: Path, adb: Adb, monkeypatch: pytest.MonkeyPatch) -> Sdk:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    monkeypatch.setenv("HOME", str(adb.home))
    return find_sdk({"ANDROID_HOME": str(make_sdk(tmp_path))})


def test_where_the_sdk_is_looked_for(tmp_path: Path) -> None:
    root = make_sdk(tmp_path)
    manager = root / "cmdline-tools" / "latest" / "bin" / "avdmanager"
    for environment in ({"ANDROID_HOME": str(root)}, {"ANDROID_HOME": "/nowhere", "ANDROID_SDK_ROOT": str(root)}):
        assert find_sdk(environment) == Sdk(root / "emulator" / "emulator", None)
    manager.parent.mkdir(parents=True)
    manager.write_text("#!/bin/sh\n")
    manager.chmod(0o755)
    assert find_sdk({"ANDROID_SDK_ROOT": str(root)}).avdmanager == manager
    assert find_sdk({"PATH": f"/nowhere:{root / 'emulator'}"}).emulator == root / "emulator" / "emulator"
    with pytest.raises(SdkMissing, match="no Android emulator is installed here") as raised:
        find_sdk({"ANDROID_HOME": "/nowhere", "PATH": "/nowhere"})
    assert "/nowhere/emulator" in str(raised.value)


def test_how_the_emulator_is_called(sdk: Sdk) -> None:
    line = command_line(sdk, Avd(name="pixel", options=("-gpu", "host")), 5580)
    assert line == [
        str(sdk.emulator), "-avd", "pixel", "-port", "5580", "-no-window", "-no-audio", "-no-boot-anim",
        "-no-snapshot-save", "-gpu", "host",
    ]  # fmt: skip
    assert avd_names(sdk) == ["pixel", "broken"]


@pytest.mark.parametrize("port", [5555, 5552, 5684])
def test_ports_that_the_emulator_does_not_take(port: int) -> None:
    with pytest.raises(ValidationError):
        Avd(name="pixel", port=port)


def test_a_virtual_device_boots_and_stops(sdk: Sdk) -> None:
    running = start_avd(Avd(name="pixel"), sdk)
    try:
        running.wait_booted()
        with connect(running.spec) as device:
            assert device.shell("getprop sys.boot_completed").stdout.strip() == "1"
    finally:
        running.stop()
    running.stop()
    with pytest.raises(DeviceError):
        connect(running.spec, timeout=1.0, boot_timeout=0.1)


def test_what_does_not_start_is_told(sdk: Sdk) -> None:
    with pytest.raises(AvdError, match="no virtual device 'nexus'; there are: pixel, broken"):
        start_avd(Avd(name="nexus"), sdk)
    running = start_avd(Avd(name="broken"), sdk)
    with pytest.raises(AvdError, match=r"ended with 1\. It printed last: PANIC: the system image is missing"):
        running.wait_booted()
    running.stop()
