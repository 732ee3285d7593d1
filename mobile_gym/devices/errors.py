"""The few ways in which a device fails. Nothing fails silently and nothing falls back to a made-up value."""

from __future__ import annotations


class DeviceError(Exception):
    """Base of all device failures. The message says what was wrong, on which device, and what to do."""


class DeviceOffline(DeviceError):
    """The device is gone, offline, unauthorized or not permitted; `state` tells which.

    Args:
        message: what happened and what to do.
        state: `offline`, `unauthorized`, `no permissions`, `not found`, `booting` or `no server`.
    """

    def __init__(self, message: str, state: str = "offline") -> None:
        super().__init__(message)
        self.state = state


class DeviceTimeout(DeviceError):
    """A call did not end within its time-out."""


class SnapshotMissing(DeviceError):
    """A snapshot of that name does not exist on the device, or could not be loaded."""


class HierarchyUnavailable(DeviceError):
    """The UI hierarchy could not be read within the retries."""


class ScreenshotUnavailable(DeviceError):
    """The screen could not be captured; never used for a secure window, which gives a black picture."""


class TextInputUnsupported(DeviceError):
    """The device cannot type this text as it is, or no text field has the focus."""


class CapabilityMissing(DeviceError):
    """The device lacks a capability that the call needs; `capability` names it."""

    def __init__(self, message: str, capability: str) -> None:
        super().__init__(message)
        self.capability = capability


class CommandFailed(DeviceError):
    """A device command answered with an error.

    Args:
        message: what was asked and what the device said.
        exit_code: the command's exit status.
    """

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code
