"""The hands: one parsed action carried out on a device."""

from __future__ import annotations

from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import (
    CapabilityMissing,
    CommandFailed,
    DeviceOffline,
    DeviceTimeout,
    ScreenshotUnavailable,
    TextInputUnsupported,
)
from mobile_gym.envs.actions import ActionType, ParsedAction, to_pixel, wait_seconds

REFUSALS = (TextInputUnsupported, CommandFailed, CapabilityMissing)
"""Errors by which a device says that it cannot do what was asked; all others mean that the device itself failed."""


def perform(device: Device, action: ParsedAction, size: tuple[int, int]) -> None:
    """Carries out an action that touches the phone, and lets the screen settle; others do nothing.

    Args:
        device: the phone.
        action: what to do.
        size: (width, height) of the screen that the action's points refer to, pixels.

    Raises:
        DeviceError: one of `REFUSALS` where the device cannot do it, else the device failed.
    """
    kind = action.kind
    start = to_pixel(action.point, size) if action.point is not None else (0, 0)
    end = to_pixel(action.lift, size) if action.lift is not None else (0, 0)
    match kind:
        case ActionType.TAP:
            device.tap(*start)
        case ActionType.DOUBLE_TAP:
            device.double_tap(*start)
        case ActionType.LONG_PRESS:
            device.long_press(*start)
        case ActionType.SWIPE:
            device.swipe(*start, *end)
        case ActionType.DRAG:
            device.drag(*start, *end)
        case ActionType.TYPE:
            device.type_text(action.text)
        case ActionType.PRESS_ENTER:
            device.press("enter")
        case ActionType.PRESS_BACK:
            device.press("back")
        case ActionType.PRESS_HOME:
            device.press("home")
        case ActionType.PRESS_RECENTS:
            device.press("recents")
        case ActionType.OPEN_APP:
            device.open_app(action.text)
        case ActionType.WAIT:
            device.clock.wait(wait_seconds(action.text))
        case _:
            return
    device.settle()


def device_failed(error: BaseException) -> bool:
    """Whether an error, or one that it was raised from, means that the device itself failed."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, DeviceOffline | DeviceTimeout | ScreenshotUnavailable):
            return True
        cause = cause.__cause__
    return False
