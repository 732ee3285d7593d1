"""Whether a black picture comes from a window that forbids captures."""

from __future__ import annotations

from mobile_gym.devices.base import Frame
from mobile_gym.devices.parse.screencap import is_black
from mobile_gym.devices.ui_tree import UiTree


def likely_secure(frame: Frame, tree: UiTree) -> bool:
    """Whether a window in front is likely secure: the picture is black while the tree shows something.

    A capture that fails raises ScreenshotUnavailable and never comes here; a screen that is off has no such tree.
    """
    return is_black(frame) and any(node.text or node.content_desc or node.clickable for node in tree.visible())
