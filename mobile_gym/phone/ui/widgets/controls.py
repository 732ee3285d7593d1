"""Switches, sliders, chips, buttons. Geometry after Material 3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets.basics import Icon, Text


def Switch(
    checked: bool,
    on_change: Callable[[bool], None] | None = None,
    id: str = "switch_widget",
    enabled: bool = True,
    desc: str = "",
) -> Node:
    """A switch, 52x32 dp. Without a handler it only shows (the row around it takes the tap)."""
    if checked:
        thumb = Node(
            "box",
            (Icon("check", 16.0, "primary", place="center-center", hidden_from_tree=True),),
            width=24.0,
            height=24.0,
            radius=12.0,
            bg="onPrimary",
            place="center-start",
            offset=(24.0, 0.0),
            hidden_from_tree=True,
        )
        track: dict[str, Any] = {"bg": "primary"}
    else:
        thumb = Node(
            "box",
            width=16.0,
            height=16.0,
            radius=8.0,
            bg="outline",
            place="center-start",
            offset=(8.0, 0.0),
            hidden_from_tree=True,
        )
        track = {"bg": "surfaceContainerHighest", "border": 2.0, "border_color": "outline"}
    return checkable_box(
        thumb,
        (52.0, 32.0),
        "Switch",
        checked,
        id,
        desc,
        None if on_change is None else (lambda: on_change(not checked)),
        radius=16.0,
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
        **track,
    )


def checkable_box(
    mark: Node,
    size: tuple[float, float],
    kind: str,
    checked: bool,
    id: str,
    desc: str = "",
    on_tap: Handler | None = None,
    **look: Any,
) -> Node:
    """What is on or off: a mark in a box that is touched, and told in the tree as one of Android's widgets.

    Args:
        mark: what is seen in the box.
        size: width and height of the box, dp.
        kind: the widget, such as `CheckBox`.
        checked: whether it is on.
        id: the resource's name.
        desc: what is read out.
        on_tap: what a touch does; None where what is around it takes the touch.
        look: further attributes of the box.
    """
    return Node(
        "box",
        (mark,),
        width=size[0],
        height=size[1],
        cls=f"android.widget.{kind}",
        id=id,
        desc=desc,
        checkable=True,
        checked=checked,
        on_tap=on_tap,
        **look,
    )


def Checkbox(
    checked: bool, on_change: Callable[[bool], None] | None = None, id: str = "checkbox", desc: str = ""
) -> Node:
    """A checkbox, 18 dp in a box of 24."""
    if checked:
        mark = Node(
            "box",
            (Icon("check-bold", 14.0, "onPrimary", place="center-center", hidden_from_tree=True),),
            width=18.0,
            height=18.0,
            radius=2.0,
            bg="primary",
            place="center-center",
            hidden_from_tree=True,
        )
    else:
        mark = Node(
            "box",
            width=18.0,
            height=18.0,
            radius=2.0,
            border=2.0,
            border_color="onSurfaceVariant",
            place="center-center",
            hidden_from_tree=True,
        )
    on_tap = None if on_change is None else (lambda: on_change(not checked))
    return checkable_box(mark, (24.0, 24.0), "CheckBox", checked, id, desc, on_tap)


def Radio(checked: bool, id: str = "radio") -> Node:
    """A radio mark, 20 dp in a box of 24; the row around it takes the tap."""
    color = "primary" if checked else "onSurfaceVariant"
    inner = (
        (Node("box", width=10.0, height=10.0, radius=5.0, bg="primary", place="center-center", hidden_from_tree=True),)
        if checked
        else ()
    )
    ring = Node(
        "box",
        inner,
        width=20.0,
        height=20.0,
        radius=10.0,
        border=2.0,
        border_color=color,
        place="center-center",
        hidden_from_tree=True,
    )
    return checkable_box(ring, (24.0, 24.0), "RadioButton", checked, id)


def Slider(
    value: float,
    on_change: Callable[[float], None],
    id: str = "seekbar",
    desc: str = "",
    enabled: bool = True,
    steps: int = 0,
) -> Node:
    """A slider: a tap or a horizontal drag sets it.

    Args:
        value: 0 to 1.
        on_change: called with the new value, 0 to 1, on a step where `steps` is given.
        id: resource-id.
        desc: content description.
        enabled: whether it reacts.
        steps: how many steps it has; 0 for none.
    """
    value = min(max(value, 0.0), 1.0)

    def moved(x1: float, y1: float, x2: float, y2: float) -> None:
        share = min(max(x2, 0.0), 1.0)
        on_change(round(share * steps) / steps if steps else share)

    active = Node(
        "space", weight=max(value, 0.001), height=16.0, bg="primary", radius=(8.0, 2.0, 2.0, 8.0), hidden_from_tree=True
    )
    handle = Node("space", width=4.0, height=44.0, bg="primary", radius=2.0, hidden_from_tree=True)
    stop = Node(
        "space",
        width=4.0,
        height=4.0,
        bg="primary",
        radius=2.0,
        place="center-end",
        offset=(-6.0, 0.0),
        hidden_from_tree=True,
    )
    rest = Node(
        "box",
        (stop,) if value < 0.96 else (),
        weight=max(1 - value, 0.001),
        height=16.0,
        bg="secondaryContainer",
        radius=(2.0, 8.0, 8.0, 2.0),
        hidden_from_tree=True,
    )
    parts = [part for part, shown in ((active, value > 0.0), (handle, True), (rest, value < 1.0)) if shown]
    return Node(
        "row",
        parts,
        gap=6.0,
        width=FILL,
        height=44.0,
        cls="android.widget.SeekBar",
        id=id,
        desc=desc,
        enabled=enabled,
        focusable=True,
        fade=1.0 if enabled else 0.38,
        on_drag=moved if enabled else None,
    )


def Chip(label: str, selected: bool = False, on_tap: Handler | None = None, icon: str = "", id: str = "chip") -> Node:
    """A filter chip, 32 dp high; a chosen one carries a tick."""
    ink = "onSecondaryContainer" if selected else "onSurfaceVariant"
    mark = "check" if selected and not icon else icon
    children = [Icon(mark, 18.0, ink)] if mark else []
    children.append(Text(label, "labelLarge", ink, max_lines=1))
    look: dict[str, Any] = (
        {"bg": "secondaryContainer"} if selected else {"border": 1.0, "border_color": "outlineVariant"}
    )
    return Node(
        "row",
        children,
        gap=8.0,
        min_height=32.0,
        radius=8.0,
        pad=(8.0 if mark else 16.0, 4.0, 16.0, 4.0),
        id=id,
        cls="android.widget.CompoundButton",
        checkable=True,
        checked=selected,
        selected=selected,
        desc=label,
        on_tap=on_tap,
        **look,
    )


def Button(
    label: str,
    on_tap: Handler | None,
    icon: str = "",
    tone: str = "filled",
    id: str = "button",
    enabled: bool = True,
    **attributes: Any,
) -> Node:
    """A button, 40 dp high; tone is filled, tonal, outlined, elevated or error."""
    colors = {
        "filled": ("primary", "onPrimary"),
        "tonal": ("secondaryContainer", "onSecondaryContainer"),
        "outlined": (None, "primary"),
        "elevated": ("surfaceContainerLow", "primary"),
        "error": ("error", "onError"),
    }
    bg, ink = colors[tone]
    children = [Icon(icon, 18.0, ink)] if icon else []
    children.append(Text(label, "labelLarge", ink, max_lines=1, hidden_from_tree=True))
    # A button that shares a row has its width from there; its label needs the room.
    left, right = (8.0, 8.0) if attributes.get("weight") else (16.0 if icon else 24.0, 24.0)
    return Node(
        "row",
        children,
        gap=8.0,
        min_height=40.0,
        justify="center",
        radius=20.0,
        pad=(left, 8.0, right, 8.0),
        bg=bg,
        border=1.0 if tone == "outlined" else 0.0,
        border_color="outline",
        cls="android.widget.Button",
        id=id,
        text=label,
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
        on_tap=on_tap,
        **attributes,
    )


def TextButton(
    label: str, on_tap: Handler | None, id: str = "button", color: str = "primary", enabled: bool = True
) -> Node:
    """A button without a surface."""
    return Node(
        "row",
        (Text(label, "labelLarge", color, max_lines=1, hidden_from_tree=True),),
        min_height=40.0,
        min_width=48.0,
        justify="center",
        pad=(12.0, 8.0, 12.0, 8.0),
        cls="android.widget.Button",
        id=id,
        text=label,
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
        on_tap=on_tap,
    )


def IconButton(
    icon: str,
    on_tap: Handler | None,
    desc: str,
    id: str = "",
    color: str = "onSurfaceVariant",
    bg: str | None = None,
    size: float = 48.0,
    glyph: float = 24.0,
    enabled: bool = True,
) -> Node:
    """An icon in a touch box; with `bg`, on a round surface of 40 dp."""
    inner = Icon(icon, glyph, color, place="center-center", hidden_from_tree=True)
    children: list[Node] = []
    if bg is not None:
        children.append(
            Node(
                "space",
                width=size - 8,
                height=size - 8,
                radius=(size - 8) / 2,
                bg=bg,
                place="center-center",
                hidden_from_tree=True,
            )
        )
    children.append(inner)
    return Node(
        "box",
        children,
        width=size,
        height=size,
        cls="android.widget.ImageButton",
        id=id,
        desc=desc,
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
        on_tap=on_tap,
    )


def Fab(icon: str, desc: str, on_tap: Handler | None, label: str = "", large: bool = False, id: str = "fab") -> Node:
    """A floating action button; with a label it is extended, and `large` ones are 80 dp."""
    if label:
        return Node(
            "row",
            (Icon(icon, 24.0, "onPrimaryContainer"), Text(label, "titleMedium", "onPrimaryContainer", max_lines=1)),
            gap=12.0,
            min_height=56.0,
            pad=(16.0, 8.0, 20.0, 8.0),
            radius=16.0,
            bg="primaryContainer",
            shadow=3,
            id=id,
            desc=desc,
            cls="android.widget.Button",
            on_tap=on_tap,
        )
    size = 80.0 if large else 56.0
    return Node(
        "box",
        (Icon(icon, 32.0 if large else 24.0, "onPrimaryContainer", place="center-center", hidden_from_tree=True),),
        width=size,
        height=size,
        radius=24.0 if large else 16.0,
        bg="primaryContainer",
        shadow=3,
        id=id,
        desc=desc,
        cls="android.widget.ImageButton",
        on_tap=on_tap,
    )
