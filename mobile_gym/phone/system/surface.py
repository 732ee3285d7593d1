"""System surfaces: windows that belong to no app (shade, keyboard, volume panel, permission dialog, recents, …)."""

from __future__ import annotations

from typing import ClassVar

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import Node


class Surface:
    """One system window. Stateless; `ctx.record` is its interface state and lives in the phone's state.

    A surface is open while `ctx.ui["open"]` is true, unless it overrides `visible`.
    """

    name: ClassVar[str]
    layer: ClassVar[int]
    """Higher ones lie above: keyboard 20, toast 30, volume panel 40, shade 50, recents 60, permission dialog 70, call
    and power menu 80."""
    package: ClassVar[str] = "com.android.systemui"
    activity: ClassVar[str] = ""
    """Full class name where the surface is an activity (the permission dialog is)."""
    focusable: ClassVar[bool] = False
    """Whether it is the window that the hierarchy shows while it is open."""

    listed: ClassVar[bool] = False
    """Whether the hierarchy shows it beside the focused window under it, because the user acts in it."""

    scales_text: ClassVar[bool] = True
    """Whether its text grows with the user's font scale; that of keys does not."""

    def visible(self, ctx: Context) -> bool:
        """Whether it shows now."""
        return bool(ctx.ui.get("open"))

    def box(self, ctx: Context, width: int, height: int) -> Clip:
        """The window's place on a screen of this size, pixels."""
        return (0, 0, width, height)

    def dim(self, ctx: Context) -> int:
        """Percent of black over everything under it."""
        return 0

    def build(self, ctx: Context) -> Node:
        """The window as it is now."""
        raise NotImplementedError

    def on_back(self, ctx: Context) -> bool:
        """Deals with Back; True when it did. By default closes a focusable surface."""
        if self.focusable:
            ctx.phone.close_surface(self.name)
            return True
        return False

    def next_wakeup(self, ctx: Context) -> int | None:
        """When it next changes by itself (a toast goes), milliseconds since the epoch."""
        return None

    def on_wakeup(self, ctx: Context) -> None:
        """Does what was due."""
