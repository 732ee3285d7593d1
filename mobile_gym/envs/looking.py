"""A look at a device: all that an observation shows of it, taken once a turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import HierarchyUnavailable
from mobile_gym.envs.canvas import Rect, View, capture
from mobile_gym.envs.hierarchy_xml import to_xml


class Look(NamedTuple):
    """What was seen.

    Attributes:
        view: the canvas.
        activity: what is in front, `package/Class`; the class is empty for a system window.
        xml: the hierarchy as XML; empty where it was not asked for or could not be read.
        problem: why the hierarchy could not be read; else empty.
    """

    view: View
    activity: str
    xml: str = ""
    problem: str = ""


def nothing_seen(canvas: tuple[int, int]) -> Look:
    """What there is before the first look: a black canvas of (width, height)."""
    return Look(View(np.zeros((canvas[1], canvas[0], 3), np.uint8), Rect(0, 0, *canvas), canvas), "")


def look_at(device: Device, canvas: tuple[int, int], native: bool, hierarchy: bool) -> Look:
    """Looks at a device; see `capture` for the canvas.

    Raises:
        DeviceError: the device failed. A hierarchy alone that cannot be read is no failure; the look says so.
    """
    view = capture(device, canvas, native)
    front = device.foreground()
    activity = f"{front.package}/{front.name}"
    if not hierarchy:
        return Look(view, activity)
    try:
        return Look(view, activity, to_xml(device.hierarchy()))
    except HierarchyUnavailable as problem:
        return Look(view, activity, problem=str(problem))
