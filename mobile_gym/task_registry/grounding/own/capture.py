"""Screens as data: the frozen trees of what an app shows, free of the phone that made them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mobile_gym.phone.phone import Phone
from mobile_gym.phone.system.windows import SCRIM, WindowManager
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.theme import Palette

MORE_ROWS = 12
"""Rows of a list that are kept beyond those that show: other renderings have room for more."""
_LAID_OUT = frozenset({"x", "y", "w", "h", "visible", "lines", "anchor", "extent", "rows", "more", "build_row"})
_HANDLERS = (
    "on_tap",
    "on_long_press",
    "on_double_tap",
    "on_drag",
    "on_swipe",
    "on_drop",
    "on_position",
    "on_change",
    "on_submit",
)
_RESTING: dict[str, Any] = {"focused": False, "cursor": None, "selection": None, "underline": None}
_FILE = "file/"
"""What the source of a picture that lies in a file begins with; the path follows."""
_APP_WINDOWS = ("app", "overlay")


def untouched(*_: Any) -> None:
    """Stands for every handler of a frozen tree: it tells that there was one."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One window of a screen.

    Attributes:
        root: its tree, not laid out.
        scrim: percent of black that it lays over what is under it.
    """

    root: Node
    scrim: int


@dataclass(frozen=True, slots=True)
class Capture:
    """What an app shows at one moment.

    Attributes:
        package: the app.
        label: the app's name in the language.
        screen: the screen's name.
        overlays: names of the dialogs, sheets and menus over it, bottom first.
        title: the page's title.
        language: of all texts.
        layers: windows of the app, bottom first.
        palette: colour roles of the app.
        font_scale: of the app's windows.
        status_bar: the status bar's tree.
        light_glyphs: whether the signs of the system's bars are light.
        size: of the phone's screen, pixels.
        density: pixels of one dp.
        files: bytes of the pictures that lie in files, by source.
    """

    package: str
    label: str
    screen: str
    overlays: tuple[str, ...]
    title: str
    language: str
    layers: tuple[Layer, ...]
    palette: Palette
    font_scale: float
    status_bar: Node
    light_glyphs: bool
    size: tuple[int, int]
    density: float
    files: dict[str, bytes | None] = field(repr=False)


def origin_of(node: Node) -> str:
    """By what a node of a frozen tree is known again in every rendering of it; empty for what a rendering added."""
    return str(node.__dict__.get("origin", ""))


def with_origin(node: Node, origin: str) -> Node:
    """The node under an origin, as a new one."""
    return node.replace(origin=origin)


def shown_rows(node: Node) -> int:
    """How many of a frozen list's rows showed on the phone."""
    return int(node.__dict__.get("shown_rows", len(node.children)))


def rewrite(node: Node, rule: Callable[[Node], Node | None]) -> Node:
    """A copy of a tree after a rule, children first; a node for which the rule gives None is left out.

    Raises:
        ValueError: the rule leaves the root out.
    """
    found = _rewrite(node, rule)
    if found is None:
        raise ValueError("a rewriting rule may not leave the whole tree out")
    return found


def _rewrite(node: Node, rule: Callable[[Node], Node | None]) -> Node | None:
    children = [new for child in node.children if (new := _rewrite(child, rule)) is not None]
    return rule(node.replace(children=children))


def in_order(node: Node) -> list[Node]:
    """A node and all nodes below it in the order in which they are read."""
    return [node, *(part for child in node.children for part in in_order(child))]


def copied(node: Node) -> Node:
    """A copy of a tree that may be laid out: the layout writes into nodes."""
    return rewrite(node, lambda inner: inner)


def capture(phone: Phone) -> Capture:
    """What the app in front shows now; keyboard, toasts and other system windows are left out."""
    windows = phone.windows.windows
    record = phone.activities.top()
    ctx = phone.activities.context(record)
    shown = [window for window in windows if window.name in _APP_WINDOWS]
    layers = []
    for number, window in enumerate(shown):
        scrim = SCRIM if window.name == "overlay" and window.root.id != "menu_window" else 0
        layers.append(Layer(_frozen(window.root, f"{number}"), scrim))
    bar = next(window for window in windows if window.name == "status_bar")
    width, height, _ = phone.screen
    overlays = tuple(str(overlay["name"]) for overlay in record["overlays"])
    label = ctx.app.label(phone.language)
    return Capture(
        package=record["package"],
        label=label,
        screen=record["screen"],
        overlays=overlays,
        title=_title([layer.root for layer in layers]) or label,
        language=phone.language,
        layers=tuple(layers),
        palette=ctx.app.palette,
        font_scale=ctx.app.font_scale(phone, phone.font_scale),
        status_bar=_frozen(bar.root, "s"),
        light_glyphs=_light(phone.windows, layers[0].root),
        size=(width, height),
        density=phone.density_dpi / 160,
        files={source: _bytes(phone, source) for layer in layers for source in _files(layer.root)},
    )


def _light(windows: WindowManager, root: Node) -> bool:
    bar = next(window for window in windows.windows if window.name == "status_bar")
    inks = [node.color for node in bar.root.walk() if node.kind == "text" and node.text]
    return bool(inks) and inks[0] not in ("#191C20",)


def _frozen(node: Node, origin: str) -> Node:
    kept = {name: value for name, value in node.__dict__.items() if name not in _LAID_OUT}
    for name in _HANDLERS:
        if kept.get(name) is not None:
            kept[name] = untouched
    kept.update(_RESTING)
    children = list(node.children)
    if node.kind == "list" and node.rows is not None:
        first, count = node.anchor[0], len(children)
        start = max(first - MORE_ROWS, 0) if node.reverse else first
        end = first + count if node.reverse else min(first + count + MORE_ROWS, len(node.rows))
        children = [node.rows.row(number) for number in range(start, end)]
        kept["shown_rows"] = count
    kept.pop("kind")
    kept.pop("children")
    frozen = [_frozen(child, f"{origin}.{number}") for number, child in enumerate(children)]
    return Node(node.kind, frozen, **kept, origin=origin)


def _title(roots: list[Node]) -> str:
    """The title that a person would give the page: that of the topmost window that has one."""
    for root in reversed(roots):
        by_id = {node.id: node.text for node in reversed(root.walk()) if node.kind == "text" and node.text}
        for name in ("alertTitle", "collapsing_title", "toolbar_title"):
            if name in by_id:
                return by_id[name].strip()
    for root in reversed(roots):
        for node in root.walk():
            if node.kind == "text" and node.text and node.style.startswith(("headline", "titleLarge")):
                return node.text.strip()
    return ""


def _files(root: Node) -> list[str]:
    return sorted({node.source for node in root.walk() if node.kind == "picture" and node.source.startswith(_FILE)})


def _bytes(phone: Phone, source: str) -> bytes | None:
    path = "/" + source.removeprefix(_FILE)
    return phone.state.files.read(path) if phone.state.files.exists(path) else None
