"""Toasts: a short word at the bottom that goes by itself."""

from __future__ import annotations

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets.basics import AppDisc

_NAV_DP = 48


class Toast(Surface):
    """Shows `interface["toast"]`: `{"text", "package", "until"}`."""

    name = "toast"
    layer = 30

    def visible(self, ctx: Context) -> bool:
        """Until its time is over."""
        return ctx.phone.state.interface["toast"] is not None

    def box(self, ctx: Context, width: int, height: int) -> Clip:
        """The lower part of the screen, above the navigation bar; the shadow needs some of it."""
        density = ctx.phone.density_dpi / 160
        return (0, height - round(192 * density), width, height - round(_NAV_DP * density))

    def build(self, ctx: Context) -> Node:
        """A pill with the app's icon and the text."""
        toast = ctx.phone.state.interface["toast"]
        app = ctx.phone.apps.get(toast["package"])
        children = [Node("text", text=toast["text"], style="bodyMedium", color="onSurface", max_lines=2, id="message")]
        if app is not None and app.icon is not None:
            children.insert(0, AppDisc(app.icon, 24.0))
        pill = Node(
            "row",
            children,
            bg="toast",
            radius=24.0,
            pad=(12.0, 12.0, 20.0, 12.0),
            gap=10.0,
            shadow=2,
            min_height=48.0,
            max_width=340.0,
            place="bottom-center",
            offset=(0.0, -24.0),
        )
        return Node("box", (pill,), width=FILL, height=FILL)

    def next_wakeup(self, ctx: Context) -> int | None:
        """When it goes."""
        toast = ctx.phone.state.interface["toast"]
        return None if toast is None else int(toast["until"])

    def on_wakeup(self, ctx: Context) -> None:
        """Goes."""
        ctx.phone.state.interface["toast"] = None
