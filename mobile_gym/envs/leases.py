"""Leases: a device serves one environment at a time."""

from __future__ import annotations

import threading
import weakref

from mobile_gym.devices.base import Device

# A device is a resource of the whole process, so who holds it is known to the whole process.
_holders: weakref.WeakKeyDictionary[Device, weakref.ref[object]] = weakref.WeakKeyDictionary()
_guard = threading.Lock()


class DeviceInUse(RuntimeError):
    """Another open environment of this process acts on the same device."""


def take(device: Device, holder: object) -> None:
    """Gives a device to a holder; a holder that is gone no longer counts.

    Raises:
        DeviceInUse: another holder has this device, or another connection to the same phone.
    """
    with _guard:
        for other, reference in list(_holders.items()):
            other_holder = reference()
            if other_holder is None or other_holder is holder:
                continue
            if other is device or _same_phone(other, device):
                raise DeviceInUse(
                    f"the device {device.serial} is in use by another environment that is still open; close() that one "
                    "first, or give each environment a device of its own"
                )
        _holders[device] = weakref.ref(holder)


def give_back(device: Device) -> None:
    """Ends the lease of a device; no error where there is none."""
    with _guard:
        _holders.pop(device, None)


def _same_phone(one: Device, other: Device) -> bool:
    """Whether two connections reach one phone: each embedded device is a phone of its own, whatever its serial."""
    return one.serial == other.serial and not one.serial.startswith("embedded:")
