"""The older Android version of a page: its tree with elements taken away, put in, moved and renamed by a seeded draw.

The draw is a number that a page's record holds; `plan` chooses it so that the classes of change over all pages come to
table 3's shares. The older look (colours, corners, a coloured bar) is the same on every page and moves nothing.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mobile_gym.phone.ui.fonts import icon_names
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.theme import is_light
from mobile_gym.task_registry.grounding.own import parts
from mobile_gym.task_registry.grounding.own.android import on_android
from mobile_gym.task_registry.grounding.own.capture import (
    Capture,
    Layer,
    copied,
    origin_of,
    rewrite,
    shown_rows,
    with_origin,
)
from mobile_gym.task_registry.grounding.own.looks import load_data, look, theme_of
from mobile_gym.task_registry.grounding.own.render import Plan

NAME = "old"
DRAWS = 24
"""How many draws there are for a page, without the one that changes nothing."""
UNCHANGED = 0
"""The draw that changes nothing but the look."""
_LISTS = ("col", "list", "row")


@dataclass
class _Draw:
    """What a draw does, and what it has still to give out."""

    chance: random.Random
    drop: float
    insert: float
    rename: float
    swap: float
    rows: tuple[float, float | None]
    notice: str
    language: str
    taken: set[str] = field(default_factory=set)
    rows_left: list[dict[str, str]] = field(default_factory=list)
    actions_left: list[dict[str, str]] = field(default_factory=list)
    made: int = 0


def old_version(screen: Capture, variant: int, page: str) -> Plan:
    """The page as an older version of the app showed it.

    Args:
        screen: the page as it is.
        variant: the draw; `UNCHANGED` changes the look alone.
        page: the page's name, which the draw starts from.
    """
    draw = _drawn(screen, variant, page)
    layers = []
    for number, layer in enumerate(screen.layers):
        top = number == len(screen.layers) - 1
        root = rewrite(layer.root, _cut)
        if draw is not None and top:
            root = _changed(_noticed(root, draw), draw, False)
        layers.append(Layer(_aged(root), layer.scrim))
    theme = theme_of(NAME, screen.palette)
    colored = any(node.bg == "oldStatus" for node in layers[0].root.walk())
    theme.roles.update({"oldBar": look(NAME)["bar"], "oldStatus": look(NAME)["status"]})
    if not colored:
        return on_android(screen, tuple(layers), theme, screen.light_glyphs)
    status = screen.status_bar if screen.light_glyphs else rewrite(screen.status_bar, _white)
    plan = on_android(replace(screen, status_bar=status), tuple(layers), theme, False)
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


def _drawn(screen: Capture, variant: int, page: str) -> _Draw | None:
    if variant <= UNCHANGED:
        return None
    chance = random.Random(f"{screen.package}/{page}/{variant}")
    texts = {node.text for layer in screen.layers for node in layer.root.walk() if node.text}
    texts |= {node.desc for layer in screen.layers for node in layer.root.walk() if node.desc}
    retired = load_data("retired.yaml")
    language = screen.language
    left = [entry for entry in retired["rows"] if entry[language] not in texts]
    actions = [entry for entry in retired["actions"] if entry[language] not in texts]
    chance.shuffle(left)
    chance.shuffle(actions)
    heights = look(NAME)["rows"]
    factor, pad = heights[chance.randrange(len(heights))]
    return _Draw(
        chance,
        drop=chance.choice((0.4, 0.55, 0.65, 0.8)),
        insert=chance.choice((0.15, 0.35, 0.5)),
        rename=chance.choice((0.0, 0.3, 0.7, 1.0)),
        swap=chance.choice((0.0, 0.0, 0.3, 0.6)),
        rows=(float(factor), None if pad is None else float(pad)),
        notice=chance.choice([entry[language] for entry in retired["notices"]]) if chance.random() < 0.6 else "",
        language=language,
        taken=texts,
        rows_left=left,
        actions_left=actions,
    )


def _cut(node: Node) -> Node:
    """A list holds the rows that showed and no others, so that none comes into sight from below."""
    if node.kind != "list" or node.reverse:
        return node
    return node.replace(children=list(node.children)[: shown_rows(node)])


# ---- what changes


def _noticed(root: Node, draw: _Draw) -> Node:
    """A page with the strip under its bar that told of news; what is below it lies lower."""
    children = list(root.children)
    place = next((number for number, child in enumerate(children) if parts.is_toolbar(child)), None)
    if place is None:
        place = next((number for number, child in enumerate(children) if child.inset == "status"), None)
    if not draw.notice or place is None or root.kind != "col":
        return root
    text = Node("text", text=draw.notice, style="bodyMedium", color="onSecondaryContainer", max_lines=1, weight=1.0)
    sign = Node("icon", icon="bullhorn-outline", icon_size=18.0, color="onSecondaryContainer")
    strip = Node("row", (sign, text), gap=10.0, width=FILL, height=44.0, pad=(16.0, 0.0, 16.0, 0.0))
    children.insert(place + 1, strip.replace(bg="secondaryContainer"))
    return root.replace(children=children)


def _changed(node: Node, draw: _Draw, inside: bool) -> Node:
    """A copy of a tree after the draw, parents first."""
    if not inside and _is_element(node):
        node = _resized(node, draw)
        if draw.chance.random() < draw.rename:
            return copied(_renamed(node, draw))
        inside = True
    children = list(node.children)
    if node.kind in _LISTS:
        children = _members(node, children, draw)
    return node.replace(children=[_changed(child, draw, inside) for child in children])


def _members(node: Node, children: list[Node], draw: _Draw) -> list[Node]:
    """Children of a row, column or list: some gone, some retired ones in their place or after them, some swapped."""
    if node.id == "buttonPanel":  # a question without its answers is none
        return children
    places = [number for number, child in enumerate(children) if _member(child)]
    if parts.is_toolbar(node):
        places = [number for number in places if _core(children[number]).id != "back"]
    elif len(places) < 2:
        return children
    found: list[Node | None] = list(children)
    keep_first = bool(places) and not parts.is_toolbar(node)
    for number in places[1:] if keep_first else places:
        child = children[number]
        if draw.chance.random() < draw.drop:
            new = _retired(child, draw) if draw.chance.random() < draw.insert else None
            if new is None and node.kind == "row" and child.weight:
                new = Node("space", weight=child.weight, hidden_from_tree=True)
            found[number] = new
    if places and draw.chance.random() < draw.insert / 2 and node.kind != "row":
        extra = _retired(children[places[-1]], draw)
        if extra is not None:
            found.insert(draw.chance.choice(places), extra)
    left = [child for child in found if child is not None]
    alike = [number for number, child in enumerate(left) if _member(child) and _core(child).id != "back"]
    if len(alike) >= 2 and draw.chance.random() < draw.swap:
        first, second = draw.chance.sample(alike, 2)
        left[first], left[second] = left[second], left[first]
    return left


def _is_element(node: Node) -> bool:
    return (
        (node.on_tap is not None or node.on_drag is not None)
        and not node.blocks
        and (node.width != FILL or parts.is_row(node))
    )


def _member(node: Node) -> bool:
    """Whether a child is one element, with at most a margin around it."""
    core = _core(node)
    label = parts.text_of(core)
    # Days of a month and keys of a pad never come and go.
    return core.on_tap is not None and not core.blocks and len(label) > 1 and not label.isdigit()


def _core(node: Node) -> Node:
    """The element in a margin."""
    while node.on_tap is None and len(node.children) == 1:
        node = node.children[0]
    return node


def _resized(node: Node, draw: _Draw) -> Node:
    factor, pad = draw.rows
    if not parts.is_row(node) or factor == 1.0:
        return node
    left, top, right, bottom = node.pad if isinstance(node.pad, tuple) else (node.pad,) * 4
    edges = (left, top if pad is None else pad, right, bottom if pad is None else pad)
    return node.replace(min_height=round(node.min_height * factor), pad=edges)


def _renamed(node: Node, draw: _Draw) -> Node:
    """An element with what it was called before, or another icon, or without its second line."""
    words = load_data("retired.yaml")["words"]
    icons = look(NAME)["icons"]

    def rule(inner: Node) -> Node:
        if inner.text or inner.desc:
            text, desc = inner.text, inner.desc
            for entry in words:
                now, before = entry[draw.language]
                text, desc = text.replace(now, before), desc.replace(now, before)
            if text != inner.text or desc != inner.desc:
                inner = inner.replace(text=text, desc=desc)
        if inner.kind == "icon":
            return inner.replace(icon=icons.get(inner.icon) or _other_icon(inner.icon))
        return inner

    before = rewrite(node, rule)
    if _shown(before) == _shown(node):
        before = rewrite(node, _without_second)
    return before


def _shown(node: Node) -> list[tuple[str, str]]:
    return [(inner.text, inner.icon) for inner in node.walk()]


def _other_icon(name: str) -> str:
    other = name.removesuffix("-outline") if name.endswith("-outline") else f"{name}-outline"
    return other if other in icon_names() else name


def _without_second(node: Node) -> Node:
    texts = [child for child in node.children if child.kind == "text"]
    if node.kind == "col" and len(texts) == 2 and len(node.children) == 2:
        return node.replace(children=[node.children[0]])
    return node


def _retired(node: Node, draw: _Draw) -> Node | None:
    """A copy of an element that says what an older version had in its place; None where nothing is left to say."""
    core = _core(node)
    if core.checkable and not parts.is_chip(core):
        return None
    source = draw.actions_left if parts.is_icon_button(core) else draw.rows_left
    if not source:
        return None
    entry = source.pop()
    name = entry[draw.language]
    draw.made += 1
    told = False

    def rule(inner: Node) -> Node | None:
        nonlocal told
        origin = f"old{draw.made}.{origin_of(inner)}"
        new = with_origin(inner, origin)
        if inner.checkable and origin_of(inner) != origin_of(core):
            return None
        if inner.kind == "text" and inner.text:
            if inner.text.isdigit():  # a count on a badge
                return None
            if len(inner.text) == 1 and len(name) > 1:  # the letter in a disc
                return new.replace(text=name[0], lines=())
            if told:
                return None
            told = True
            new = new.replace(text=name, lines=())
        elif inner.text:
            new = new.replace(text=name)
        if inner.desc:
            new = new.replace(desc=name)
        if inner.kind == "icon":
            new = new.replace(icon=entry["icon"])
        return new

    copy = rewrite(node, rule)
    return copy.replace(desc=name) if not told and copy.on_tap is not None else copy


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
        return node.replace(radius=(node.height or node.min_height) / 2)
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
