"""Rows of lists and the cards that group them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets.basics import Column, Disc, Icon, Text
from mobile_gym.phone.ui.widgets.controls import Slider, Switch

_DISCS = ("Blue", "Purple", "Green", "Orange", "Teal", "Yellow")


def ListRow(
    title: str,
    subtitle: str = "",
    *,
    leading: Node | None = None,
    icon: str = "",
    disc: str = "",
    trailing: Node | None = None,
    on_tap: Handler | None = None,
    on_long_press: Handler | None = None,
    id: str = "",
    enabled: bool = True,
    min_height: float = 0.0,
    title_color: str = "onSurface",
    bg: str | None = None,
    **attributes: Any,
) -> Node:
    """A row: something at its left, title and subtitle, something at its right.

    Args:
        title: the first line; wraps.
        subtitle: the second line.
        leading: a node at the left, in place of `icon`.
        icon: an icon at the left.
        disc: the colour of a round surface behind the icon: Blue, Purple, Green, Orange, Teal or Yellow.
        trailing: a node at the right.
        on_tap: tap handler.
        on_long_press: long-press handler.
        id: resource-id of the row.
        enabled: whether it reacts; a disabled one is pale.
        min_height: least height, dp; 56 for one line and 72 for two by default.
        title_color: role of the title's colour.
        bg: the row's own colour.
        attributes: attributes of the row's node.
    """
    if leading is None and icon:
        leading = (
            Disc(icon, 40.0, f"disc{disc}", f"onDisc{disc}", 22.0, id="icon_frame")
            if disc
            else Icon(icon, 24.0, id="icon")
        )
    texts = [Text(title, "bodyLarge", title_color, id="title")]
    if subtitle:
        texts.append(Text(subtitle, "bodyMedium", "onSurfaceVariant", id="summary"))
    parts = [Node("col", texts, weight=1.0)]
    if leading is not None:
        parts.insert(0, leading)
    if trailing is not None:
        parts.append(trailing)
    if not enabled:  # what is in it is pale, the row's own surface is not
        parts = [part.replace(fade=0.38) for part in parts]
    return Node(
        "row",
        parts,
        gap=16.0,
        width=FILL,
        min_height=min_height or (72.0 if subtitle else 56.0),
        pad=(16.0, 13.0, 16.0, 13.0) if subtitle else (16.0, 8.0, 16.0, 8.0),
        id=id,
        bg=bg,
        on_tap=on_tap if enabled else None,
        on_long_press=on_long_press,
        enabled=enabled,
        **attributes,
    )


def SwitchRow(
    title: str,
    checked: bool,
    on_change: Callable[[bool], None],
    subtitle: str = "",
    *,
    id: str = "",
    enabled: bool = True,
    **options: Any,
) -> Node:
    """A row whose tap turns a switch."""
    return ListRow(
        title,
        subtitle,
        trailing=Switch(checked, enabled=True, desc=title),
        on_tap=lambda: on_change(not checked),
        id=id,
        enabled=enabled,
        min_height=72.0,
        **options,
    )


def SliderRow(
    title: str,
    icon: str,
    value: float,
    on_change: Callable[[float], None],
    *,
    id: str,
    steps: int = 0,
    enabled: bool = True,
    desc: str = "",
) -> Node:
    """A title over an icon and a slider (volume, brightness)."""
    slider = Slider(value, on_change, id="seekbar", desc=desc or title, steps=steps, enabled=enabled)
    return Column(
        Text(title, "bodyLarge", id="title"),
        Node("row", (Icon(icon, 24.0), slider.replace(weight=1.0)), gap=16.0, width=FILL, height=44.0),
        width=FILL,
        pad=(16.0, 12.0, 16.0, 12.0),
        gap=6.0,
        id=id,
    )


def SectionTitle(text: str, inset: float = 32.0) -> Node:
    """A group's title."""
    return Text(text, "labelLarge", "primary", pad=(inset, 4.0, 16.0, 8.0), id="section_title", max_lines=1)


def Card(*children: Node, **attributes: Any) -> Node:
    """One surface with round corners and a side margin of 16."""
    inner = Node(
        "col", children, width=FILL, bg=attributes.pop("bg", "card"), radius=20.0, clip_children=True, **attributes
    )
    return Node("box", (inner,), width=FILL, pad=(16.0, 0.0, 16.0, 0.0), hidden_from_tree=True)


def Group(rows: Sequence[Node]) -> list[Node]:
    """Rows as the settings group them: cards 2 dp apart, the first and the last with round outer corners.

    Returns one node a row, so that a list can build them one by one.
    """
    found: list[Node] = []
    last = len(rows) - 1
    for number, row in enumerate(rows):
        top = 20.0 if number == 0 else 4.0
        bottom = 20.0 if number == last else 4.0
        surface = row.replace(bg="card", radius=(top, top, bottom, bottom))
        gap = 16.0 if number == last else 2.0
        found.append(Node("box", (surface,), width=FILL, pad=(16.0, 0.0, 16.0, gap), hidden_from_tree=True))
    return found
