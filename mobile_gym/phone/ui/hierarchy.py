"""The focused window's tree as `uiautomator dump` writes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from mobile_gym.phone.ui.node import Node

# XML 1.0 allows no other control characters, and no half of a surrogate pair.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _attribute(text: str) -> str:
    if not text:
        return ""
    text = _FORBIDDEN.sub("\ufffd", text)
    return escape(text, quote=True).replace("\n", "&#10;")


def _flag(value: bool) -> str:
    return "true" if value else "false"


def shown_text(node: Node) -> str:
    """The text that accessibility reads: a field's hint while it is empty, dots for a password."""
    if node.kind == "field":
        if not node.text:
            return node.hint
        return "\u2022" * len(node.text) if node.password else node.text
    return node.text


def to_xml(root: Node, package: str, rotation: int, above: Sequence[tuple[Node, str]] = ()) -> str:
    """The XML of a laid-out tree; only nodes that show at least one pixel.

    Args:
        root: the window's tree.
        package: package of the window; what resource-ids are prefixed with.
        rotation: quarter turns of the screen.
        above: trees and packages of small windows that lie over it (a menu of text, the volume), bottom first.
    """
    parts = [f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{rotation}\">"]
    _write(parts, [root], package)
    for small, owner in above:
        _write(parts, [small], owner)
    parts.append("</hierarchy>")
    return "".join(parts)


def children_of(node: Node) -> list[Node]:
    """Visible children as the hierarchy has them: a node that is hidden from it gives its place to its own children."""
    found: list[Node] = []
    for child in node.children:
        if child.visible is None:
            continue
        if child.hidden_from_tree:
            found.extend(children_of(child))
        else:
            found.append(child)
    return found


def _write(parts: list[str], nodes: list[Node], package: str) -> None:
    for index, node in enumerate(nodes):
        left, top, right, bottom = node.visible or (0, 0, 0, 0)
        clickable = node.on_tap is not None or node.on_position is not None or node.kind == "field"
        resource = f"{package}:id/{node.id}" if node.id and ":" not in node.id else node.id
        scrollable = node.kind == "list" and node.scrollable and (node.more[0] or node.more[1])
        parts.append(
            f'<node index="{index}" text="{_attribute(shown_text(node))}" resource-id="{_attribute(resource)}" '
            f'class="{node.class_name}" package="{package}" content-desc="{_attribute(node.desc)}" '
            f'checkable="{_flag(node.checkable)}" checked="{_flag(node.checked)}" clickable="{_flag(clickable)}" '
            f'enabled="{_flag(node.enabled)}" focusable="{_flag(clickable or node.focusable)}" '
            f'focused="{_flag(node.focused)}" scrollable="{_flag(scrollable)}" '
            f'long-clickable="{_flag(node.on_long_press is not None)}" password="{_flag(node.password)}" '
            f'selected="{_flag(node.selected)}" bounds="[{left},{top}][{right},{bottom}]" '
            f'hint="{_attribute(node.hint)}"'
        )
        below = children_of(node)
        if below:
            parts.append(">")
            _write(parts, below, package)
            parts.append("</node>")
        else:
            parts.append(" />")
