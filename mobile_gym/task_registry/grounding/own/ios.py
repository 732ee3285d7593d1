"""The iOS-like rendering: the same trees with bars, lists and controls as that system has them. Synthetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.theme import Theme, is_light
from mobile_gym.phone.ui.widgets.basics import Icon, Text
from mobile_gym.task_registry.grounding.own import parts
from mobile_gym.task_registry.grounding.own.capture import Capture, Layer, origin_of, rewrite, with_origin
from mobile_gym.task_registry.grounding.own.looks import look, restyled, theme_of
from mobile_gym.task_registry.grounding.own.render import Pane, Plan

NAME = "ios"
_HAIR = 0.5
_NEUTRAL = ("onSurface", "onSurfaceVariant")


@dataclass
class _Moved:
    """What a page's rows give away: the floating button goes into the bar."""

    fab: list[Node] = field(default_factory=list)


def ios_like(screen: Capture) -> Plan:
    """The screen as an iOS app would show it."""
    entry = look(NAME)
    width, height = entry["size"]
    density = float(entry["density"])
    insets = {"status": float(entry["status_dp"]), "bottom": float(entry["home_dp"]), "snack": 0.0}
    whole = (0, 0, width, height)
    panes = [Pane(_page(screen.layers[0].root), whole)]
    clock = next((node.text for node in screen.status_bar.walk() if node.kind == "text" and node.text), "9:41")
    theme = theme_of(NAME, screen.palette)
    light = _light(screen, panes[0].root, theme)
    panes.append(Pane(_status(clock, light), (0, 0, width, int(insets["status"] * density)), app=False))
    panes += [Pane(_over(layer), whole, layer.scrim) for layer in screen.layers[1:]]
    panes.append(Pane(_home(light), (0, height - int(insets["bottom"] * density), width, height), app=False))
    return Plan((width, height), density, theme, tuple(panes), insets, screen.font_scale, screen.files)


def _light(screen: Capture, root: Node, theme: Theme) -> bool:
    """Whether the system's signs are light on a page."""
    if root.light_glyphs is not None or root.bg is None:
        return screen.light_glyphs
    return not is_light(theme.color(root.bg))


def _page(root: Node) -> Node:
    moved = _Moved()
    root = rewrite(root, partial(_control, moved=moved))
    grouped = any(parts.is_grouped(node) or parts.is_card(node) for node in root.walk())
    root = rewrite(root, partial(_bars, fab=tuple(moved.fab)))
    if moved.fab and not any(node.id == "toolbar" for node in root.walk()):
        root = _with_button(root, moved.fab[0])
    if grouped and root.bg in ("surface", "page"):
        root = root.replace(bg="page")
    return root


def _over(layer: Layer) -> Node:
    root = rewrite(layer.root, partial(_control, moved=_Moved()))
    return rewrite(root, _surface)


# ---- controls and rows


def _control(node: Node, moved: _Moved) -> Node | None:
    node = restyled(node, NAME)
    if parts.is_fab(node) and not any(part.kind == "text" for part in node.walk()):
        moved.fab.append(node)
        return None
    if parts.is_switch(node):
        return _switch(node)
    if parts.is_slider(node):
        return _slider(node)
    if parts.is_search(node):
        return node.replace(radius=10.0, min_height=36.0, bg="surfaceContainerHighest", pad=(4.0, 0.0, 4.0, 0.0))
    if parts.is_chip(node):
        return node.replace(
            radius=16.0, border=0.0, bg="primaryContainer" if node.selected else "surfaceContainerHighest"
        )
    if parts.is_button(node):
        return node.replace(radius=12.0) if node.bg is not None or node.border else node
    if parts.is_grouped(node):
        return _grouped(node)
    if parts.is_card(node):
        corner = look(NAME)["corner"]
        surface = node.children[0]
        return node.replace(children=[surface.replace(radius=corner, children=_ruled(surface.children))])
    if parts.is_row(node):
        return _row(node)
    return node


def _switch(node: Node) -> Node:
    thumb = Node("space", width=27.0, height=27.0, radius=13.5, bg="#FFFFFF", hidden_from_tree=True)
    place = "center-end" if node.checked else "center-start"
    shift = (-2.0, 0.0) if node.checked else (2.0, 0.0)
    color = "good" if node.checked else "surfaceContainerHighest"
    thumb = thumb.replace(place=place, offset=shift)
    return node.replace(children=[thumb], width=51.0, height=31.0, radius=15.5, bg=color, border=0.0)


def _slider(node: Node) -> Node:
    share = parts.slider_share(node)
    thumb = Node("space", width=28.0, height=28.0, radius=14.0, bg="#FFFFFF", shadow=2, hidden_from_tree=True)
    bar: dict[str, Any] = {"height": 4.0, "radius": 2.0, "hidden_from_tree": True}
    children = [
        Node("space", weight=max(share, 0.001), bg="primary", **bar),
        thumb,
        Node("space", weight=max(1 - share, 0.001), bg="surfaceContainerHighest", **bar),
    ]
    return node.replace(children=children, gap=0.0)


def _row(node: Node) -> Node:
    """A list row: lower, with a chevron where a tap opens a page."""
    children = list(node.children)
    if parts.opens(node):
        children.append(Icon("chevron-right", 20.0, "outline", hidden_from_tree=True))
    height = 44.0 if node.min_height <= 56.0 else 60.0
    pad = node.pad if isinstance(node.pad, tuple) else (16.0, 8.0, 16.0, 8.0)
    return node.replace(children=children, min_height=height, pad=(pad[0], 6.0, pad[2], 6.0), gap=12.0)


def _grouped(node: Node) -> Node:
    """One row of an inset group: only the outer corners are round, and a hairline parts it from the next one."""
    surface = node.children[0]
    radius, pad = surface.radius, node.pad
    assert isinstance(radius, tuple)
    assert isinstance(pad, tuple)
    corner = float(look(NAME)["corner"])
    outer = max(radius)
    first, last = radius[0] == outer, radius[2] == outer
    top, bottom = (corner if first else 0.0), (corner if last else 0.0)
    surface = surface.replace(radius=(top, top, bottom, bottom))
    if last:
        return node.replace(children=[surface])
    line = Node("space", width=FILL, height=_HAIR, bg="outlineVariant", hidden_from_tree=True)
    under = Node("box", (line,), width=FILL, pad=(16.0, 0.0, 0.0, 0.0), bg="card", hidden_from_tree=True)
    both = Node("col", (surface, under), width=FILL, hidden_from_tree=True)
    return node.replace(children=[both], pad=(pad[0], pad[1], pad[2], 0.0))


def _ruled(rows: Sequence[Node]) -> list[Node]:
    """Rows of one card, parted by hairlines."""
    found: list[Node] = []
    for number, row in enumerate(rows):
        if number and parts.is_row(row) and parts.is_row(rows[number - 1]):
            line = Node("space", width=FILL, height=_HAIR, bg="outlineVariant", hidden_from_tree=True)
            found.append(Node("box", (line,), width=FILL, pad=(16.0, 0.0, 0.0, 0.0), hidden_from_tree=True))
        found.append(row)
    return found


# ---- bars


def _bars(node: Node, fab: tuple[Node, ...]) -> Node:
    if parts.is_toolbar(node):
        return _navigation_bar(node, fab)
    if parts.is_bottom_nav(node):
        return _tab_bar(node)
    if parts.is_tabs(node):
        return _segments(node)
    return node


def _navigation_bar(node: Node, fab: tuple[Node, ...]) -> Node:
    """Back with a chevron at the left, the title in the middle, actions at the right."""
    left: list[Node] = []
    right: list[Node] = []
    title: Node | None = None
    for child in node.children:
        if child.id == "toolbar_title" or (title is None and child.kind == "text" and child.weight):
            title = child
        elif child.kind == "space":
            continue
        elif title is None:
            left.append(_tinted(child))
        else:
            right.append(_tinted(child))
    right += [_plain_button(button) for button in fab]
    side = 46.0 * max(len(left), len(right), 1)
    children = [Node("row", left, place="center-start", hidden_from_tree=True)]
    if title is not None:
        width = look(NAME)["size"][0] / look(NAME)["density"] - 2 * side - 16.0
        children.append(
            title.replace(
                weight=0.0,
                place="center-center",
                max_width=max(width, 60.0),
                size_sp=17.0,
                line_sp=22.0,
                text_weight=600,
                text_align="center",
                max_lines=1,
            )
        )
    children.append(Node("row", right, place="center-end", hidden_from_tree=True))
    bar = Node("box", children, width=FILL, height=look(NAME)["bar_dp"], id="toolbar", bg=node.bg)
    return with_origin(bar.replace(pad=(4.0, 0.0, 8.0, 0.0)), origin_of(node))


def _tinted(node: Node) -> Node:
    if not parts.is_icon_button(node):
        return node
    # White signs on an app's own coloured bar stay as they are.
    children = [
        child.replace(color="primary") if child.color in _NEUTRAL else child
        for child in node.children
        if child.kind == "icon"
    ]
    if node.id == "back":
        children = [child.replace(icon_size=30.0) for child in children]
    return node.replace(children=children, width=44.0, height=44.0)


def _plain_button(fab: Node) -> Node:
    """A floating button as one of a bar."""
    icon = parts.icon_of(fab) or "plus"
    glyph = Icon(icon, 26.0, "primary", place="center-center", hidden_from_tree=True)
    return fab.replace(
        kind="box",
        children=[glyph],
        width=44.0,
        height=44.0,
        bg=None,
        shadow=0,
        radius=0.0,
        pad=0.0,
        min_height=0.0,
        offset=(0.0, 0.0),
    )


def _with_button(root: Node, fab: Node) -> Node:
    """A page without a bar: the button lies over its lower right corner."""
    size = 52.0
    button = _plain_button(fab).replace(width=size, height=size, bg="card", radius=size / 2, shadow=2)
    lifted = Node(
        "box",
        (button.replace(place="bottom-end", offset=(-16.0, -110.0)),),
        width=FILL,
        height=FILL,
        hidden_from_tree=True,
    )
    return Node("box", (root, lifted), width=FILL, height=FILL, bg=root.bg, hidden_from_tree=True)


def _tab_bar(node: Node) -> Node:
    cells = []
    for cell in node.children:
        ink = "primary" if cell.selected else "secondary"
        icon = Icon(parts.icon_of(cell), 26.0, ink, hidden_from_tree=True)
        label = next(
            (part.text for part in cell.walk() if part.kind == "text" and len(part.text) > 1), parts.text_of(cell)
        )
        text = Text(label, "labelSmall", ink, max_lines=1, size_sp=10.0, line_sp=13.0)
        cells.append(
            cell.replace(
                children=[icon, text], gap=2.0, height=look(NAME)["tab_dp"], bg=None, pad=0.0, justify="center"
            )
        )
    line = Node("space", width=FILL, height=_HAIR, bg="outlineVariant", hidden_from_tree=True)
    bar = node.replace(children=cells, height=look(NAME)["tab_dp"], bg=None)
    return Node("col", (line, bar), width=FILL, bg="surfaceContainer", hidden_from_tree=True)


def _segments(node: Node) -> Node:
    cells = []
    for cell in node.children:
        label = Text(parts.text_of(cell), "bodySmall", "onSurface", max_lines=1, place="center-center")
        surface: dict[str, Any] = {"bg": "#FFFFFF" if cell.selected else None}
        cells.append(
            cell.replace(
                kind="box", children=[label.replace(text_weight=600)], height=28.0, radius=7.0, pad=0.0, **surface
            )
        )
    track = node.replace(children=cells, height=32.0, bg="surfaceContainerHighest", radius=9.0, pad=2.0, gap=2.0)
    return Node("box", (track,), width=FILL, pad=(16.0, 6.0, 16.0, 8.0), hidden_from_tree=True)


# ---- what comes up over a page


def _surface(node: Node) -> Node:
    if parts.is_dialog(node):
        children = [_centred(child) for child in node.children]
        return node.replace(children=children, width=280.0, radius=14.0, gap=8.0, pad=(0.0, 20.0, 0.0, 0.0))
    if parts.is_sheet(node):
        return node.replace(radius=(12.0, 12.0, 0.0, 0.0))
    if parts.is_menu(node):
        return node.replace(
            radius=13.0, width=250.0, pad=0.0, children=_lines(node.children), offset=(node.offset[0], 104.0)
        )
    return node


def _centred(node: Node) -> Node:
    if node.kind == "text":
        return node.replace(text_align="center", pad=(16.0, 0.0, 16.0, 0.0))
    if node.id != "buttonPanel":
        return node
    buttons: list[Node] = []
    for number, button in enumerate(node.children):
        if number:
            buttons.append(Node("space", width=_HAIR, height=44.0, bg="outlineVariant", hidden_from_tree=True))
        buttons.append(button.replace(weight=1.0, height=44.0, pad=(4.0, 4.0, 4.0, 4.0)))
    line = Node("space", width=FILL, height=_HAIR, bg="outlineVariant", hidden_from_tree=True)
    row = node.replace(children=buttons, gap=0.0, pad=0.0)
    return Node("col", (line, row), width=FILL, pad=(0.0, 8.0, 0.0, 0.0), hidden_from_tree=True)


def _lines(rows: Sequence[Node]) -> list[Node]:
    found: list[Node] = []
    for number, row in enumerate(rows):
        if number:
            found.append(Node("space", width=FILL, height=_HAIR, bg="outlineVariant", hidden_from_tree=True))
        found.append(row.replace(min_height=44.0, pad=(16.0, 4.0, 16.0, 4.0)) if row.kind == "row" else row)
    return found


# ---- the system's own


def _status(clock: str, light: bool) -> Node:
    ink = "#FFFFFF" if light else "#000000"
    time = Text(clock, "titleMedium", ink, max_lines=1, text_weight=600, size_sp=17.0, line_sp=22.0)
    glyphs = [Icon(name, 19.0, ink) for name in ("signal-cellular-3", "wifi", "battery-80")]
    parts_of_bar = (time, Node("space", weight=1.0), Node("row", glyphs, gap=5.0))
    return Node("row", parts_of_bar, width=FILL, height=FILL, pad=(44.0, 12.0, 28.0, 6.0))


def _home(light: bool) -> Node:
    ink = "#FFFFFF" if light else "#000000"
    bar = Node("space", width=140.0, height=5.0, radius=2.5, bg=ink, place="bottom-center", offset=(0.0, -8.0))
    return Node("box", (bar,), width=FILL, height=FILL)
