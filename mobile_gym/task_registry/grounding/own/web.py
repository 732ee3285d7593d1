"""The web-like rendering: the same trees as pages in a browser on a desk. Synthetic."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mobile_gym.phone.ui.metrics import metrics_for
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.text import text_width
from mobile_gym.phone.ui.widgets.basics import Icon, Text
from mobile_gym.task_registry.grounding.own import parts
from mobile_gym.task_registry.grounding.own.capture import Capture, Layer, rewrite
from mobile_gym.task_registry.grounding.own.looks import look, restyled, theme_of
from mobile_gym.task_registry.grounding.own.render import Pane, Plan

NAME = "web"
_LONGEST_LINE = 480.0
"""The longest underline, dp; longer titles are cut."""
_LONGEST_LABEL = 10
"""Icon buttons with a description of at most so many characters show it."""


@dataclass
class _Moved:
    """What a page gives to the site's frame."""

    bar: list[Node] = field(default_factory=list)
    places: list[Node] = field(default_factory=list)
    fab: list[Node] = field(default_factory=list)


def web_like(screen: Capture) -> Plan:
    """The screen as a page of the app's site, in a browser's window."""
    entry = look(NAME)
    width, height = entry["size"]
    density = float(entry["density"])
    top = int(entry["chrome_dp"] * density)
    below = (0, top, width, height)
    panes = [Pane(_page(screen), below)]
    panes += [Pane(_over(layer), below, layer.scrim) for layer in screen.layers[1:]]
    panes.append(Pane(_chrome(screen), (0, 0, width, top), app=False))
    theme = theme_of(NAME, screen.palette)
    insets = {"status": 0.0, "bottom": 0.0, "snack": 0.0}
    return Plan((width, height), density, theme, tuple(panes), insets, screen.font_scale, screen.files)


def is_wide(package: str) -> bool:
    """Whether a site has its places in a column at the left; others have them in the head over a narrow column."""
    return zlib.crc32(package.encode()) % 2 == 0


def _page(screen: Capture) -> Node:
    entry = look(NAME)
    moved = _Moved()
    body = rewrite(screen.layers[0].root, partial(_control, moved=moved))
    # A page of a colour of its own (a scanner, a payment code) keeps it: its texts are made for it.
    ground = "card" if body.bg in (None, "surface", "page", "card") else body.bg
    body = body.replace(height=None, weight=1.0, width=FILL, bg=ground, pad=(0.0, 0.0, 0.0, 0.0))
    wide = is_wide(screen.package)
    title = _title_row(moved)
    content = [title, body] if title is not None else [body]
    column = Node(
        "col",
        content,
        width=entry["wide_dp"] - 20.0 if wide else entry["column_dp"],
        height=FILL,
        bg="card",
        border=1.0,
        radius=entry["corner"],
        clip_children=True,
        hidden_from_tree=True,
    )
    margin = Node("box", (column,), height=FILL, pad=(0.0, 14.0, 0.0, 14.0), hidden_from_tree=True)
    middle = [_side(moved.places), margin] if wide and moved.places else [margin]
    below = Node(
        "row", middle, width=FILL, weight=1.0, justify="center", align="start", gap=20.0, hidden_from_tree=True
    )
    head = _head(screen.label, [] if wide else moved.places)
    return Node("col", (head, below), width=FILL, height=FILL, bg="ground", blocks=True, hidden_from_tree=True)


def _head(label: str, places: list[Node]) -> Node:
    logo = Node("box", width=26.0, height=26.0, radius=6.0, bg="primary")
    name = Text(label, "titleLarge", "onSurface", max_lines=1, text_weight=700)
    links = []
    for place in places:
        ink = "primary" if place.selected else "onSurface"
        text = Text(_label(place), "bodyLarge", ink, max_lines=1, text_weight=600 if place.selected else 400)
        links.append(
            place.replace(kind="row", children=[text], weight=0.0, height=40.0, pad=(12.0, 0.0, 12.0, 0.0), bg=None)
        )
    rest = (
        Node("space", weight=1.0),
        Icon("web", 18.0),
        Node("box", (Icon("account", 18.0, "onSurfaceVariant", place="center-center"),), **_FACE),
    )
    row = Node("row", (logo, name, Node("space", width=20.0), *links, *rest), gap=10.0, width=FILL, height=FILL)
    line = Node("space", width=FILL, height=1.0, bg="outlineVariant")
    inner = Node("box", (row,), width=FILL, weight=1.0, pad=(24.0, 0.0, 24.0, 0.0), hidden_from_tree=True)
    return Node("col", (inner, line), width=FILL, height=look(NAME)["head_dp"], bg="card", hidden_from_tree=True)


_FACE: dict[str, Any] = {"width": 28.0, "height": 28.0, "radius": 14.0, "bg": "surfaceContainerHighest"}


def _side(places: list[Node]) -> Node:
    rows = []
    for place in places:
        ink = "primary" if place.selected else "onSurface"
        children = [Icon(parts.icon_of(place), 18.0, ink)] if parts.icon_of(place) else []
        children.append(Text(_label(place), "bodyLarge", ink, max_lines=1))
        rows.append(
            place.replace(
                kind="row",
                children=children,
                weight=0.0,
                width=FILL,
                height=38.0,
                gap=10.0,
                pad=(12.0, 0.0, 12.0, 0.0),
                justify="start",
                align="center",
                radius=4.0,
                bg="secondaryContainer" if place.selected else None,
            )
        )
    width = look(NAME)["side_dp"]
    return Node("col", rows, width=width, pad=(0.0, 14.0, 0.0, 0.0), gap=2.0, hidden_from_tree=True)


def _title_row(moved: _Moved) -> Node | None:
    """Back as a link, the title as a heading, actions as buttons with words."""
    left: list[Node] = []
    right: list[Node] = []
    titled = False
    for child in moved.bar:
        if child.kind == "text":
            titled = True
            left.append(
                child.replace(
                    weight=1.0, color="onSurface", style="headlineMedium", size_sp=22.0, line_sp=30.0, text_weight=700
                )
            )
        elif child.kind == "space":
            continue
        elif not titled:
            left.append(_back(child) if child.id == "back" else child)
        else:
            right.append(_worded(child))
    right += [_worded(fab, strong=True) for fab in moved.fab]
    if not left and not right:
        return None
    if not titled:
        left.append(Node("space", weight=1.0))
    return Node(
        "row", (*left, *right), gap=8.0, width=FILL, min_height=56.0, pad=(20.0, 8.0, 20.0, 8.0), id="page_head"
    )


def _back(node: Node) -> Node:
    link = _underlined(restyled(Text(parts.text_of(node), "bodyLarge", "link", max_lines=1), NAME))
    return node.replace(
        kind="row", children=[Icon("arrow-left", 16.0, "link"), link], gap=4.0, width=None, height=32.0, bg=None
    )


def _underlined(text: Node) -> Node:
    """A text over a line of its own width."""
    metrics = metrics_for(float(look(NAME)["density"]), 1.0)
    font, _ = metrics.style(text.style, text.text_weight, text.size_sp, text.line_sp)
    width = min(text_width(text.text, font) / metrics.density, _LONGEST_LINE)
    line = Node("space", width=width, height=1.0, bg="link", hidden_from_tree=True)
    return Node("col", (text, line), **_HIDDEN)


_HIDDEN: dict[str, Any] = {"hidden_from_tree": True}


def _worded(node: Node, strong: bool = False) -> Node:
    """An icon button as a button that says what it does."""
    icon, label = parts.icon_of(node), node.desc
    if not icon or not label:
        return node
    ink = "onPrimary" if strong else "onSurface"
    children = [Icon(icon, 16.0, ink, hidden_from_tree=True)]
    if len(label) <= _LONGEST_LABEL or strong:
        children.append(Text(label, "labelLarge", ink, max_lines=1, hidden_from_tree=True))
    look_of_it: dict[str, Any] = (
        {"bg": "primary"} if strong else {"bg": None, "border": 1.0, "border_color": "outlineVariant"}
    )
    return node.replace(
        kind="row",
        children=children,
        gap=6.0,
        width=None,
        height=32.0,
        min_width=32.0,
        min_height=0.0,
        justify="center",
        pad=(10.0, 0.0, 10.0, 0.0) if len(children) > 1 else (7.0, 0.0, 7.0, 0.0),
        radius=look(NAME)["corner"],
        shadow=0,
        offset=(0.0, 0.0),
        **look_of_it,
    )


def _label(node: Node) -> str:
    return next((part.text for part in node.walk() if part.kind == "text" and len(part.text) > 1), parts.text_of(node))


# ---- controls and rows


def _control(node: Node, moved: _Moved | None) -> Node | None:
    node = restyled(node, NAME)
    if moved is not None:
        if parts.is_toolbar(node) and not moved.bar:
            moved.bar += node.children
            return None
        if parts.is_bottom_nav(node) and not moved.places:
            moved.places += node.children
            return None
        if parts.is_fab(node) and node.on_tap is not None:
            moved.fab.append(node)
            return None
    if parts.is_switch(node):
        return _checkbox(node)
    if parts.is_slider(node):
        return _range(node)
    if parts.is_search(node):
        return _search(node)
    if parts.is_chip(node) or parts.is_button(node):
        low = 28.0 if parts.is_chip(node) else 34.0
        return node.replace(radius=look(NAME)["corner"], min_height=low, pad=_narrow(node))
    if parts.is_grouped(node):
        surface = node.children[0]
        line = Node("space", width=FILL, height=1.0, bg="outlineVariant", hidden_from_tree=True)
        both = Node("col", (surface.replace(radius=0.0), line), width=FILL, hidden_from_tree=True)
        return node.replace(children=[both], pad=(8.0, 0.0, 8.0, 0.0))
    if parts.is_card(node):
        surface = node.children[0]
        return node.replace(children=[surface.replace(radius=look(NAME)["corner"], border=1.0)])
    if parts.is_row(node):
        return _row(node)
    if node.inset and node.kind == "space":
        return None
    return node


def _narrow(node: Node) -> tuple[float, float, float, float]:
    left, _, right, _ = node.pad if isinstance(node.pad, tuple) else (8.0, 0.0, 8.0, 0.0)
    return (min(left, 14.0), 4.0, min(right, 14.0), 4.0)


def _checkbox(node: Node) -> Node:
    mark = Icon("check-bold", 12.0, "onPrimary", place="center-center", hidden_from_tree=True)
    on: dict[str, Any] = {"bg": "primary", "border": 0.0}
    off: dict[str, Any] = {"bg": "card", "border": 1.5, "border_color": "outline"}
    square = Node(
        "box",
        (mark,) if node.checked else (),
        width=16.0,
        height=16.0,
        radius=3.0,
        place="center-center",
        hidden_from_tree=True,
        **(on if node.checked else off),
    )
    return node.replace(children=[square], width=28.0, height=24.0, radius=0.0, bg=None, border=0.0)


def _range(node: Node) -> Node:
    share = parts.slider_share(node)
    thumb = Node("space", width=14.0, height=14.0, radius=7.0, bg="primary", hidden_from_tree=True)
    bar: dict[str, Any] = {"height": 4.0, "radius": 2.0, "hidden_from_tree": True}
    children = [
        Node("space", weight=max(share, 0.001), bg="primary", **bar),
        thumb,
        Node("space", weight=max(1 - share, 0.001), bg="outlineVariant", **bar),
    ]
    return node.replace(children=children, gap=0.0, height=28.0)


def _search(node: Node) -> Node:
    return node.replace(
        radius=look(NAME)["corner"],
        min_height=36.0,
        bg="card",
        border=1.0,
        border_color="outline",
        pad=(4.0, 0.0, 4.0, 0.0),
    )


def _row(node: Node) -> Node:
    """A list row; the title of one that opens a page is an underlined link."""
    low = 40.0 if node.min_height <= 56.0 else 52.0
    children = [_linked(child) if child.kind == "col" and child.weight else child for child in node.children]
    if not parts.opens(node):
        children = list(node.children)
    return node.replace(children=children, min_height=low, pad=(16.0, 5.0, 16.0, 5.0), gap=12.0)


def _linked(texts: Node) -> Node:
    children = list(texts.children)
    number = next((n for n, child in enumerate(children) if child.kind == "text" and child.text), None)
    if number is None:
        return texts
    title = children[number].replace(color="link", max_lines=1)
    children[number] = _underlined(title)
    return texts.replace(children=children)


# ---- what comes up over a page


def _over(layer: Layer) -> Node:
    root = rewrite(layer.root, partial(_control, moved=None))
    return rewrite(root, _surface)


def _surface(node: Node) -> Node:
    entry = look(NAME)
    if parts.is_dialog(node):
        return node.replace(width=entry["dialog_dp"], radius=8.0)
    if parts.is_sheet(node):
        return node.replace(width=entry["dialog_dp"] + 40.0, radius=8.0, place="center-center", max_width=0.0)
    if parts.is_menu(node):
        side = (entry["size"][0] - entry["column_dp"]) / 2
        shift = -side - 20.0 if node.place.endswith("end") else side + 20.0
        return node.replace(radius=4.0, width=200.0, offset=(shift, entry["head_dp"] + 60.0))
    return node


# ---- the browser's own


def _chrome(screen: Capture) -> Node:
    ink = "#474747"
    title = Text(f"{screen.title} - {screen.label}", "bodySmall", "#1F1F1F", max_lines=1, weight=1.0)
    dot = Node("box", width=14.0, height=14.0, radius=3.0, bg="primary")
    tab = Node(
        "row",
        (dot, title, Icon("close", 14.0, ink)),
        gap=8.0,
        width=236.0,
        height=32.0,
        pad=(12.0, 0.0, 10.0, 0.0),
        radius=(10.0, 10.0, 0.0, 0.0),
        bg="#FFFFFF",
    )
    strip = Node("row", (tab, Icon("plus", 18.0, ink)), gap=10.0, width=FILL, height=38.0, align="end", **_STRIP)
    where = f"https://www.{screen.package.rpartition('.')[2]}.example/{screen.screen.replace('_', '-')}"
    bar = Node(
        "row",
        (Icon("tune-variant", 15.0, ink), Text(where, "bodyMedium", "#1F1F1F", max_lines=1, weight=1.0)),
        gap=8.0,
        weight=1.0,
        height=28.0,
        radius=14.0,
        bg="#EDF1F7",
        pad=(12.0, 0.0, 12.0, 0.0),
    )
    icons = [Icon(name, 19.0, ink) for name in ("arrow-left", "arrow-right", "refresh")]
    tools = Node(
        "row",
        (*icons, bar, Icon("star-outline", 18.0, ink), Icon("dots-vertical", 19.0, ink)),
        gap=14.0,
        width=FILL,
        height=40.0,
        pad=(14.0, 0.0, 14.0, 0.0),
        bg="#FFFFFF",
    )
    return Node("col", (strip, tools), width=FILL, height=FILL, bg="chrome")


_STRIP: dict[str, Any] = {"pad": (10.0, 0.0, 10.0, 0.0)}
