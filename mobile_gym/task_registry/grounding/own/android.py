"""The Android rendering: the screen as the phone shows it."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.system.windows import NAV_DP, STATUS_DP
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.theme import Theme, theme_for
from mobile_gym.task_registry.grounding.own.capture import Capture, Layer, copied
from mobile_gym.task_registry.grounding.own.render import Pane, Plan


def new_version(screen: Capture) -> Plan:
    """The screen as it is."""
    return on_android(screen, screen.layers, theme_for(False, False, screen.palette), screen.light_glyphs)


def on_android(screen: Capture, layers: tuple[Layer, ...], theme: Theme, light: bool) -> Plan:
    """Layers between Android's bars.

    Args:
        screen: whose bars are shown.
        layers: windows of the app.
        theme: colours.
        light: whether the signs of the bars are light.
    """
    width, height = screen.size
    density = screen.density
    page = layers[0].root.bg
    status = (0, 0, width, int(STATUS_DP * density + 0.5))
    bottom = (0, height - int(NAV_DP * density + 0.5), width, height)
    panes = [Pane(layers[0].root, (0, 0, width, height))]
    panes.append(Pane(copied(screen.status_bar), status, app=False, under=page))
    panes += [Pane(layer.root, (0, 0, width, height), layer.scrim) for layer in layers[1:]]
    panes.append(Pane(_keys(light), bottom, app=False))
    insets = {"status": float(STATUS_DP), "bottom": float(NAV_DP), "snack": 0.0}
    return Plan(screen.size, density, theme, tuple(panes), insets, screen.font_scale, screen.files)


def _keys(light: bool) -> Node:
    ink = "#E1E2E8" if light else "#43474E"
    icons = ("triangle", "circle", "square")
    cells = [
        Node("box", (Node("icon", icon=icon, icon_size=16.0, color=ink, turn=turn, place="center-center"),), **_CELL)
        for icon, turn in zip(icons, (-90, 0, 0), strict=True)
    ]
    return Node("row", cells, width=FILL, height=FILL, pad=(48.0, 0.0, 48.0, 0.0))


_CELL: dict[str, Any] = {"weight": 1.0, "height": 48.0}
