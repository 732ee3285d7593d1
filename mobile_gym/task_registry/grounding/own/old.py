"""The older Android version of a page: its tree with elements taken away, put in, moved and renamed by a seeded draw.

The draw is a number that a page's record holds; `plan` chooses it so that the classes of change over all pages come to
table 3's shares. What a draw does to the tree is in `reworks`; the older look (colours, corners, a coloured bar), which
moves nothing and is the same on every page, is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.theme import is_light, theme_for
from mobile_gym.task_registry.grounding.own import parts
from mobile_gym.task_registry.grounding.own.android import on_android
from mobile_gym.task_registry.grounding.own.capture import Capture, Layer, rewrite
from mobile_gym.task_registry.grounding.own.legible import deepened, legible
from mobile_gym.task_registry.grounding.own.looks import look, theme_of
from mobile_gym.task_registry.grounding.own.render import Plan
from mobile_gym.task_registry.grounding.own.reworks import reworked

NAME = "old"
DRAWS = 40
"""How many draws there are for a page, without the one that changes nothing."""
UNCHANGED = 0
"""The draw that changes nothing but the look."""


def old_version(screen: Capture, variant: int, page: str) -> Plan:
    """The page as an older version of the app showed it.

    Args:
        screen: the page as it is.
        variant: the draw; `UNCHANGED` changes the look alone.
        page: the page's name, which the draw starts from.
    """
    roots = reworked(screen, variant, page) if variant > UNCHANGED else [layer.root for layer in screen.layers]
    theme = deepened(theme_of(NAME, screen.palette))
    before = theme_for(False, False, screen.palette)
    entry = look(NAME)
    theme.roles.update({"oldBar": entry["bar"], "oldStatus": entry["status"], "oldAccent": entry["accent"]})
    layers = tuple(
        Layer(legible(_aged(root), theme, before), layer.scrim)
        for root, layer in zip(roots, screen.layers, strict=True)
    )
    colored = any(node.bg == "oldStatus" for node in layers[0].root.walk())
    if not colored:
        return on_android(screen, layers, theme, screen.light_glyphs)
    status = screen.status_bar if screen.light_glyphs else rewrite(screen.status_bar, _white)
    plan = on_android(replace(screen, status_bar=status), layers, theme, False)
    panes = tuple(pane if pane.app or pane.under is None else replace(pane, under="oldStatus") for pane in plan.panes)
    return replace(plan, panes=panes)


def _white(node: Node) -> Node:
    new = node
    if node.color in ("#191C20", "#43474E"):
        new = new.replace(color="#FFFFFF")
    elif node.color == "#FFFFFF" and node.kind == "text":
        new = new.replace(color="#191C20")
    if node.bg == "#191C20":
        new = new.replace(bg="#FFFFFF")
    return new


# ---- the look


def _aged(node: Node) -> Node:
    """The older look: flat cards, a coloured bar with white signs; nothing moves."""
    root = rewrite(node, _aged_part)
    if any(part.bg == "oldBar" for part in root.walk()):
        return rewrite(root, _status_strip)
    return root


def _status_strip(node: Node) -> Node:
    return node.replace(bg="oldStatus", width=FILL) if node.inset == "status" else node


def _aged_part(node: Node) -> Node:
    entry = look(NAME)
    corner = float(entry["corner"])
    if parts.is_toolbar(node) and node.bg is None:
        return rewrite(node.replace(bg="oldBar"), lambda inner: _inked(inner, entry["ink"]))
    if parts.is_grouped(node) or parts.is_card(node):
        return node.replace(children=[node.children[0].replace(radius=corner)])
    if parts.is_button(node) and node.radius:
        return node.replace(radius=corner + 2.0)
    if parts.is_fab(node):
        return node.replace(radius=(node.height or node.min_height) / 2, bg="oldAccent")
    if parts.is_dialog(node) or parts.is_sheet(node) or parts.is_menu(node):
        return node.replace(radius=corner)
    if parts.is_search(node):
        return node.replace(radius=corner)
    return node


def _inked(node: Node, ink: str) -> Node:
    if node.kind in ("text", "icon") and not (node.color[0] == "#" and is_light(node.color)):
        return node.replace(color=ink)
    if node.kind == "space" and node.bg is not None and node.bg != "oldBar":
        return node.replace(bg=None)
    return node


def draws() -> Sequence[int]:
    """The draws that change something."""
    return range(1, DRAWS + 1)
