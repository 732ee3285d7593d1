"""Devices: the one interface to a phone, and how to connect to one.

from mobile_gym.devices import connect

with connect("embedded:pixel_6a") as device:
    device.open_app("Settings")
"""

from __future__ import annotations

from typing import Any, Final

from mobile_gym.devices.base import Activity, Capability, Device, DeviceInfo, Frame, Key, Result, Row
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree

__all__ = [
    "Activity",
    "Bounds",
    "Capability",
    "Device",
    "DeviceInfo",
    "Frame",
    "Key",
    "Result",
    "Row",
    "UiNode",
    "UiTree",
    "check_spec",
    "connect",
]

_EXAMPLES: Final = "'embedded:pixel_6a', 'adb:emulator-5554', 'adb:10.0.0.2:5555'"


def connect(spec: str | Device, *, timeout: float = 20.0, **options: Any) -> Device:
    """Connects to a device.

    Args:
        spec: `embedded:<profile>` (options `language`, `snapshot`, `seed`), `adb:<serial>` or `adb:<host>:<port>` (the
            options of `AdbDevice`), or a device, which comes back as it is. An embedded device is a phone of its own
            each time.
        timeout: seconds that a call may take.
        **options: options of the kind of device.

    Raises:
        ValueError: the text names no device, or a profile or an option that does not exist.
        DeviceOffline: the device cannot be reached.
    """
    if isinstance(spec, Device):
        if options:
            raise ValueError(f"{spec.serial} is connected already and takes no options: {', '.join(sorted(options))}")
        return spec
    kind, name = check_spec(spec)
    if kind == "embedded":
        from mobile_gym.devices.embedded import EmbeddedDevice

        _check(spec, options, ("language", "snapshot", "seed"))
        return EmbeddedDevice(name, timeout=timeout, **options)
    from mobile_gym.devices.adb import ADB_OPTIONS, AdbDevice

    _check(spec, options, ADB_OPTIONS)
    return AdbDevice(name, timeout, **options)


def check_spec(spec: str) -> tuple[str, str]:
    """The kind (`embedded` or `adb`) and the name that a text for `connect` is made of; connects to nothing.

    Raises:
        ValueError: the text names no device, or a profile that does not exist.
    """
    kind, colon, name = spec.partition(":")
    if not colon or not name.strip():
        raise ValueError(f"{spec!r} names no device; write for example {_EXAMPLES}")
    if kind not in ("embedded", "adb"):
        raise ValueError(f"{spec!r}: there is no kind of device {kind!r}; write for example {_EXAMPLES}")
    if kind == "embedded":
        from mobile_gym.phone.profiles import get_profile

        get_profile(name)
    return kind, name


def _check(spec: str, options: dict[str, Any], known: tuple[str, ...]) -> None:
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise ValueError(f"{spec!r} does not take {', '.join(unknown)}; it takes {', '.join(known)}")
