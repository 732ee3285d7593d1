"""What a seeded draw does to a page's tree: members of rows and lists go and close up, retired ones stand among
functions of their kind, names and icons are older ones, rows have another height, a strip tells of news.

Nothing is put into dialogs and sheets, or between the fields of forms; lists of contents and choices get
nothing that is not of their kind: what shows more there are the rows that follow.
"""

from __future__ import annotations

from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.task_registry.grounding.own import parts
from mobile_gym.task_registry.grounding.own.capture import Capture, copied, rewrite, shown_rows
from mobile_gym.task_registry.grounding.own.draws import Draw, drawn
from mobile_gym.task_registry.grounding.own.dress import core_of, has_picture, renamed, resized, retired_copy

_LISTS = ("col", "list", "row")
_EXTRAS = 3
"""A list of functions had at most so many more, besides those that stood for others."""
_DONE = "regridded"
"""Marks the lines of a grid whose cells the draw has dealt with."""
_LEAST_PLACES = 3
"""A bar of places keeps so many."""
_CONTENTS = 0.8
"""Contents are gone less often than functions."""
_CELLS = 3
"""Rows of at least so many cells, one under the other, are a grid."""


def reworked(screen: Capture, variant: int, page: str) -> list[Node]:
    """The roots of a page's layers after a draw; only the topmost one changes.

    Args:
        screen: the page as it is.
        variant: the draw.
        page: the page's name, which the draw starts from.
    """
    draw = drawn(screen, variant, page)
    roots = [layer.root for layer in screen.layers]
    top = rewrite(roots[-1], _kept if draw.rises else _cut)
    return [*(rewrite(root, _cut) for root in roots[:-1]), _changed(_noticed(top, draw), draw, False)]


def _cut(node: Node) -> Node:
    """A list holds the rows that showed and no others, so that none comes into sight from below."""
    if node.kind != "list" or node.reverse:
        return node
    return node.replace(children=list(node.children)[: shown_rows(node)])


def _kept(node: Node) -> Node:
    return node


def _noticed(root: Node, draw: Draw) -> Node:
    """A page with the strip under its bar that told of news; what is below it lies lower."""
    children = list(root.children)
    heads = [number for number, child in enumerate(children[:3]) if _is_head(child)]
    if not draw.notice or not heads or root.kind != "col":
        return root
    place = heads[-1]
    text = Node("text", text=draw.notice, style="bodyMedium", color="onSecondaryContainer", max_lines=1, weight=1.0)
    sign = Node("icon", icon="bullhorn-outline", icon_size=18.0, color="onSecondaryContainer")
    strip = Node("row", (sign, text), gap=10.0, width=FILL, height=44.0, pad=(16.0, 0.0, 16.0, 0.0))
    children.insert(place + 1, strip.replace(bg="secondaryContainer"))
    return root.replace(children=children)


def _is_head(node: Node) -> bool:
    """Whether a part of a page holds its bar, or the room for the status bar above it."""
    return any(parts.is_toolbar(part) or part.inset == "status" for part in node.walk())


def _changed(node: Node, draw: Draw, inside: bool, bar: bool = False) -> Node:
    """A copy of a tree after the draw, parents first. Bars at the top never move, so that their names seldom change."""
    bar = bar or parts.is_toolbar(node)
    if not inside and _is_element(node):
        node = resized(node, draw)
        if draw.chance.random() < (draw.rename / 5 if bar else draw.rename):
            return copied(renamed(node, draw))
        inside = True
    children = list(node.children)
    if node.kind in _LISTS and not inside:
        children = _members(node, children, draw)
    return node.replace(children=[_changed(child, draw, inside, bar) for child in children])


# ---- who is there


def _members(node: Node, children: list[Node], draw: Draw) -> list[Node]:
    """Children of a row, column or list: some gone, some retired ones among them, some swapped."""
    if node.id == "buttonPanel" or node.reverse:  # questions keep their answers, and talks what was said
        return children
    if node.__dict__.get(_DONE):
        return children
    if parts.is_toolbar(node):
        return _actions(children, draw)
    grid = _grid(children)
    if grid:
        return _regridded(children, grid, draw)
    if node.kind == "row" and (
        _is_stepper(children) or _in_columns(children) or (draw.over and _cells(node) >= _CELLS)
    ):
        return children
    places = _places(children)
    if len(places) < 2:
        return children
    if draw.over and _alike(children, places):
        return _shortened(node, children, places, draw)
    functions = not _alike(children, places) and node.kind != "row"
    if parts.is_bottom_nav(node) or parts.is_tabs(node):
        places = [*places[:1], *draw.chance.sample(places[1:], max(len(places) - _LEAST_PLACES, 0))]
    left = _thinned(children, places[1:], draw, functions)
    for _ in range(_EXTRAS if functions else 0):
        extra = retired_copy(children[places[-1]], draw) if draw.chance.random() < draw.insert / 2 else None
        if extra is not None:
            left.insert(draw.chance.choice(_places(left) or [len(left)]), extra)
    return _swapped(left, draw) if functions else left


def _shortened(node: Node, children: list[Node], places: list[int], draw: Draw) -> list[Node]:
    """A few choices that were fewer: the last ones came later. Long lists of them are as they were."""
    if node.kind == "list":
        return children
    fewer = len(places) - int(draw.chance.random() * draw.drop * len(places))
    gone = places[max(fewer, _LEAST_PLACES) :]
    if any(_is_chosen(children[number]) or children[number].checked for number in gone):
        return children
    return [child for number, child in enumerate(children) if number not in gone]


def _actions(children: list[Node], draw: Draw) -> list[Node]:
    """What a bar held beside its title: some of today's actions, and some that went later."""
    buttons = [number for number in _places(children) if parts.is_icon_button(core_of(children[number]))]
    left = _thinned(children, [n for n in buttons if core_of(children[n]).id != "back"], draw, True)
    button = next((child for child in left if parts.is_icon_button(core_of(child))), None)
    if button is not None and left[0] is button and draw.chance.random() < draw.insert / 2:
        extra = retired_copy(button, draw)
        return left if extra is None else [*left, extra]
    return left


def _in_columns(children: list[Node]) -> bool:
    """Whether members are cards of one width: without one of them a column would have a hole."""
    cells = [core_of(child) for child in children if _is_member(child)]
    widths = {cell.width for cell in cells}
    return len(cells) >= 2 and len(widths) == 1 and (cells[0].width or 0) > 0 and has_picture(cells[0])


def _thinned(children: list[Node], places: list[int], draw: Draw, functions: bool) -> list[Node]:
    """Some members are gone, with the headings that are left without any; retired functions stand for some."""
    found: list[Node | None] = list(children)
    share = draw.drop / 2 if draw.over else draw.drop if functions else _CONTENTS * draw.drop
    for number in places:
        if draw.chance.random() < share and not _is_kept(children[number]):
            found[number] = (
                retired_copy(children[number], draw) if functions and draw.chance.random() < draw.insert else None
            )
    for number, child in enumerate(children[:-1]):
        after = [other for other in found[number + 1 :] if other is not None]
        if _is_heading(child) and number + 1 in places and not (after and _is_member(after[0])):
            found[number] = None
    return [child for child in found if child is not None]


def _swapped(children: list[Node], draw: Draw) -> list[Node]:
    places = _places(children)
    if len(places) >= 2 and draw.chance.random() < draw.swap:
        first, second = draw.chance.sample(places, 2)
        children[first], children[second] = children[second], children[first]
    return children


def _places(children: list[Node]) -> list[int]:
    return [number for number, child in enumerate(children) if _is_member(child)]


def _is_member(node: Node) -> bool:
    """Whether a child is one element, with at most a margin around it."""
    core = core_of(node)
    label = parts.text_of(core)
    # Days of a month and keys of a pad never come and go.
    return core.on_tap is not None and not core.blocks and len(label) > 1 and not label.isdigit()


def _is_kept(node: Node) -> bool:
    """Whether every version has it: the place that shows, and what the page is for, its filled buttons."""
    core = core_of(node)
    return _is_chosen(node) or (parts.is_button(core) and core.bg is not None)


def _is_stepper(children: list[Node]) -> bool:
    """Whether members are the ends of a slider, or less and more around a number."""
    return any(child.on_drag is not None or child.text.isdigit() for child in children)


def _is_chosen(node: Node) -> bool:
    return any(part.selected for part in node.walk())


def _is_heading(node: Node) -> bool:
    inner = node.walk()
    return any(part.kind == "text" for part in inner) and not any(part.on_tap or part.on_drag for part in inner)


def _alike(children: list[Node], places: list[int]) -> bool:
    """Whether members are entries of one kind, which no function stands among."""
    return len({core_of(children[number]).id for number in places}) < len(places)


# ---- grids


def _grid(children: list[Node]) -> list[int]:
    """Numbers of the first lines, one under the other, that have equally many cells; empty where there is no grid."""
    run: list[int] = []
    for number, child in enumerate(children):
        if _is_line(child) and (not run or len(child.children) <= len(children[run[0]].children)):
            run.append(number)
        elif child.kind == "space" and not child.bg:
            continue
        elif len(run) >= 2:
            break
        else:
            run = []
    return run if len(run) >= 2 else []


def _is_line(node: Node) -> bool:
    """Whether a row is a line of a grid: cells that share its width, or cards of one width."""
    if node.kind != "row" or node.on_tap is not None or not node.children:
        return False
    if all(part.weight for part in node.children):
        return len(node.children) >= _CELLS and _cells(node) >= 1
    widths = {core_of(part).width for part in node.children}
    return len(widths) == 1 and (widths.pop() or 0) > 0 and all(_is_member(part) for part in node.children)


def _cells(row: Node) -> int:
    return sum(_is_cell(child) for child in row.children)


def _is_cell(node: Node) -> bool:
    return bool(node.weight) and _is_member(node)


def _regridded(children: list[Node], lines: list[int], draw: Draw) -> list[Node]:
    """A grid without some cells, the others closed up; what stands around it is as it was."""
    if draw.over:
        return children
    first = children[lines[0]]
    wide = len(first.children)
    cells = [cell for number in lines for cell in children[number].children if _is_member(cell)]
    cells = _thinned(cells, list(range(1, len(cells))), draw, not _alike(cells, list(range(len(cells)))))
    made = [_line(first, cells[start : start + wide], wide) for start in range(0, len(cells), wide)]
    found: list[Node | None] = list(children)
    for place, number in enumerate(lines):
        found[number] = made[place] if place < len(made) else None
        if place >= len(made) and children[number - 1].kind == "space":
            found[number - 1] = None
    found[lines[-1] + 1 : lines[-1] + 1] = made[len(lines) :]
    return [child for child in found if child is not None]


def _line(like: Node, cells: list[Node], wide: int) -> Node:
    blank = Node("space", weight=like.children[0].weight, hidden_from_tree=True)
    blanks = [blank] * (wide - len(cells)) if like.children[0].weight else []
    return like.replace(children=[*cells, *blanks], **{_DONE: True})


def _is_element(node: Node) -> bool:
    return (
        (node.on_tap is not None or node.on_drag is not None)
        and not node.blocks
        and (node.width != FILL or parts.is_row(node))
    )
