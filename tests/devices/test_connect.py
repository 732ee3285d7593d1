"""Connecting by text, and what people are told when the text is wrong."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mobile_gym.devices import Device, connect
from mobile_gym.devices.adb import AdbDevice
from tests.support.fake_adb_server import FakeAdbServer


@pytest.mark.parametrize("spec", ["", "pixel_6a", "embedded:", "ios:1", "adb:"])
def test_a_wrong_text_gives_examples(spec: str) -> None:
    with pytest.raises(ValueError, match=r"embedded:pixel_6a.*adb:emulator-5554"):
        connect(spec)


def test_unknown_profiles_and_options_are_named() -> None:
    with pytest.raises(ValueError, match="pixel_6a"):
        connect("embedded:no_such_profile")
    with pytest.raises(ValueError, match=r"colour.*language"):
        connect("embedded:small", colour="red")
    with pytest.raises(ValueError, match=r"seed.*retries"):
        connect("adb:x", seed=1)


def test_an_adb_device_and_a_device_itself(server: FakeAdbServer) -> None:
    with connect(f"adb:{server.serial}", timeout=5.0, server=server.address, pause=0.0) as device:
        assert isinstance(device, AdbDevice)
        assert device.serial == f"adb:{server.serial}"
        assert device.timeout == 5.0
        assert connect(device) is device
        with pytest.raises(ValueError, match="connected already"):
            connect(device, retries=1)


def test_an_embedded_device_is_a_phone_of_its_own() -> None:
    with connect("embedded:small", language="en", seed=3) as one, connect("embedded:small", language="en") as two:
        assert isinstance(one, Device)
        assert one.info.width == 720
        one.settings.put("global", "mine", "1")
        assert two.settings.get("global", "mine") is None


def test_importing_devices_imports_neither_the_phone_nor_adb() -> None:
    code = (
        "import sys, mobile_gym.devices;"
        "heavy = ('adbutils', 'PIL', 'mobile_gym.phone', 'mobile_gym.devices.adb');"
        "bad = [m for m in sys.modules if m.startswith(heavy)];"
        "sys.exit(repr(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
