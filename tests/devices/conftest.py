"""What the tests of devices share: a fake adb server, and devices behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mobile_gym.devices.adb import AdbDevice
from tests.support.fake_adb_server import FakeAdbServer, FakeAndroid

MakeDevice = Callable[..., AdbDevice]


@pytest.fixture
def server() -> Iterator[FakeAdbServer]:
    with FakeAdbServer() as fake:
        yield fake


@pytest.fixture
def phone(server: FakeAdbServer) -> FakeAndroid:
    return server.phone


@pytest.fixture
def make(server: FakeAdbServer) -> MakeDevice:
    def device(**options: Any) -> AdbDevice:
        settings = {"timeout": 5.0, "pause": 0.0, "boot_timeout": 5.0, "verify_text": False, **options}
        return AdbDevice(server.serial, server=server.address, **settings)

    return device


@pytest.fixture
def device(make: MakeDevice) -> AdbDevice:
    return make()
