"""Which part of a page a node is: bars, tabs, rows, buttons, as the widgets of the phone make them."""

from __future__ import annotations

from mobile_gym.phone.ui.node import Node


def is_toolbar(node: Node) -> bool:
    """A small app bar."""
    return node.kind == "row" and node.id == "toolbar"


def is_bottom_nav(node: Node) -> bool:
    """A navigation bar: cells with an icon over a label."""
    return (
        node.kind == "row"
        and node.id in ("navigation_bar", "tab_bar")
        and len(node.children) >= 3
        and all(child.on_tap is not None and _has(child, "icon") for child in node.children)
    )


def is_tabs(node: Node) -> bool:
    """Tabs: texts side by side, one of them underlined."""
    return (
        node.kind == "row"
        and len(node.children) >= 2
        and all(child.id.startswith("tab_") and child.on_tap is not None for child in node.children)
        and not any(_has(child, "icon") for child in node.children)
    )


def is_switch(node: Node) -> bool:
    """A switch as the kit draws it."""
    return node.cls == "android.widget.Switch" and node.width == 52.0


def is_slider(node: Node) -> bool:
    """A slider as the kit draws it."""
    return node.cls == "android.widget.SeekBar" and node.kind == "row" and node.on_drag is not None


def slider_share(node: Node) -> float:
    """Where a slider stands, 0 to 1: the share of the part that is filled."""
    filled = [child.weight for child in node.children if child.weight and child.bg == "primary"]
    empty = [child.weight for child in node.children if child.weight and child.bg != "primary"]
    total = sum(filled) + sum(empty)
    return sum(filled) / total if total else 0.0


def is_fab(node: Node) -> bool:
    """A floating action button."""
    return node.bg == "primaryContainer" and node.shadow == 3 and node.on_tap is not None


def is_dialog(node: Node) -> bool:
    """The surface of a dialog."""
    return node.id == "parentPanel"


def is_sheet(node: Node) -> bool:
    """The surface of a sheet."""
    return node.id == "design_bottom_sheet"


def is_menu(node: Node) -> bool:
    """The surface of a menu."""
    return node.cls == "android.widget.ListView" and node.blocks


def is_grouped(node: Node) -> bool:
    """One row of a group of cards: a margin around a surface with corners of its own."""
    if node.kind != "box" or not node.hidden_from_tree or len(node.children) != 1:
        return False
    surface = node.children[0]
    return isinstance(surface.radius, tuple) and surface.bg is not None and isinstance(node.pad, tuple)


def is_card(node: Node) -> bool:
    """A surface with round corners inside a margin."""
    if node.kind != "box" or not node.hidden_from_tree or len(node.children) != 1:
        return False
    surface = node.children[0]
    return surface.kind == "col" and surface.bg in ("card", "surface") and surface.radius == 20.0


def is_button(node: Node) -> bool:
    """A button with a surface or a rim, and a label."""
    return node.cls == "android.widget.Button" and node.kind == "row" and bool(node.text)


def is_icon_button(node: Node) -> bool:
    """An icon in a touch box."""
    return node.cls == "android.widget.ImageButton" and node.kind == "box" and not node.shadow


def is_chip(node: Node) -> bool:
    """A filter chip."""
    return node.cls == "android.widget.CompoundButton" and node.kind == "row"


def is_search(node: Node) -> bool:
    """A search bar: a pill with a field, or a pill that opens a page for searching."""
    return node.kind == "row" and node.id.endswith("_bar") and any(child.kind == "field" for child in node.children)


def is_row(node: Node) -> bool:
    """A row of a list that can be touched, as the kit makes them."""
    return (
        node.kind == "row"
        and node.on_tap is not None
        and node.min_height >= 48.0
        and not node.weight
        and any(child.kind == "col" and child.weight for child in node.children)
    )


def opens(node: Node) -> bool:
    """Whether a row has nothing at its right that tells what a tap does: it opens a page."""
    last = node.children[-1] if node.children else None
    return last is not None and last.kind == "col" and bool(last.weight)


def text_of(node: Node) -> str:
    """The first text of a node: its own, its description, or that of a node in it."""
    for part in node.walk():
        if part.text or part.desc:
            return part.text or part.desc
    return ""


def icon_of(node: Node) -> str:
    """The first icon of a node; empty where it has none."""
    return next((part.icon for part in node.walk() if part.kind == "icon"), "")


def _has(node: Node, kind: str) -> bool:
    return any(part.kind == kind for part in node.walk())
