"""The embedded phone behind real ADB: the bundled adb server, and a phone that it knows as an emulator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from mobile_gym.devices import Device
from mobile_gym.devices.adb import AdbDevice
from mobile_gym.devices.adb_server import AdbServer
from mobile_gym.devices.selectors import Selector, find, tap_point
from mobile_gym.phone.adbd.announce import announce
from mobile_gym.phone.adbd.serve import PhoneServer
from mobile_gym.phone.phone import Phone
from tests.support.adb import Adb, free_port_pair

PROFILE, LANGUAGE, SEED = "small", "en", 7


@contextmanager
def served(adb: Adb, **options: Any) -> Iterator[PhoneServer]:
    """A phone that the private adb server knows."""
    console, port = free_port_pair()
    token = adb.home / ".emulator_console_auth_token"
    phone = partial(Phone, PROFILE, LANGUAGE, "clean", SEED)
    with PhoneServer(phone, port, console, console_token=token, **options) as running:
        assert announce(port, adb.port)
        adb.text("wait-for-device", serial=running.serial)
        yield running


def over_adb(adb: Adb, server: PhoneServer, **options: Any) -> AdbDevice:
    """The phone as an AdbDevice."""
    return AdbDevice(
        server.serial,
        server=AdbServer("127.0.0.1", adb.port),
        console_token=adb.home / ".emulator_console_auth_token",
        **{"pause": 0.02, "retries": 2, **options},
    )


def focus_search(device: Device) -> None:
    """Brings up the empty search field of the settings."""
    device.press("home")
    device.reset_app("com.android.settings")
    device.open_app("com.android.settings")
    device.settle()
    for wanted in (Selector(desc="Search settings"), Selector(class_name="EditText")):
        tree = device.hierarchy()
        (node,) = find(tree, wanted)
        device.tap(*tap_point(tree, node))
        device.settle()
