"""The connection of an environment to its device: opened when needed, opened again after a fault, never shared."""

from __future__ import annotations

import os

from mobile_gym import devices
from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.envs import leases


class Connection:
    """A device by its spec, such as `embedded:pixel_6a`, or one that is open already.

    A device that this object opened is closed with it; one that it was given is left open for its owner.

    Args:
        device: the spec or the open device.
        holder: whom the device is leased to.
    """

    def __init__(self, device: str | Device, holder: object) -> None:
        self._given = device
        self._holder = holder
        self._open: Device | None = None
        self._pid = 0

    @property
    def spec(self) -> str | None:
        """What the device can be opened with again; None for one that was given open."""
        return self._given if isinstance(self._given, str) else None

    @property
    def name(self) -> str:
        """The spec or the serial, for messages and records."""
        return self._given if isinstance(self._given, str) else self._given.serial

    def device(self) -> Device:
        """The device, opened where it is not.

        A process that was forked after the device had been opened opens its own, since two processes must not talk
        over one connection.

        Raises:
            DeviceInUse: another environment holds it.
            DeviceError: it cannot be reached.
        """
        if self._open is not None and self._pid == os.getpid():
            return self._open
        if self._open is not None and self.spec is None:
            raise DeviceOffline(
                f"this process was forked after the device {self.name} had been opened, and two processes cannot "
                "share one connection; give the environment the device's spec instead of an open device"
            )
        device = devices.connect(self._given) if isinstance(self._given, str) else self._given
        try:
            leases.take(device, self._holder)
        except leases.DeviceInUse:
            if self.spec is not None:
                device.close()
            raise
        self._open, self._pid = device, os.getpid()
        return device

    def drop(self) -> None:
        """Gives the device up; `device` opens it again. No error where it is not open."""
        device, self._open = self._open, None
        if device is None or self._pid != os.getpid():
            return
        leases.give_back(device)
        if self.spec is not None:
            device.close()
