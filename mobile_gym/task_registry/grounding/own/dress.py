"""Elements as an older version of their app had them: other sizes, names and icons, and functions that went later."""

from __future__ import annotations

from mobile_gym.phone.ui.fonts import icon_names
from mobile_gym.phone.ui.node import Node
from mobile_gym.task_registry.grounding.own import parts
from mobile_gym.task_registry.grounding.own.capture import in_order, origin_of, rewrite, with_origin
from mobile_gym.task_registry.grounding.own.draws import LOOK, Draw
from mobile_gym.task_registry.grounding.own.looks import look
from mobile_gym.task_registry.grounding.own.naming import is_wordy
from mobile_gym.task_registry.grounding.own.retired import ADDED, earlier_names

_MARKS = ("checkbox", "radiobox", "check", "circle")


def core_of(node: Node) -> Node:
    """The element in a margin."""
    while node.on_tap is None and len(node.children) == 1:
        node = node.children[0]
    return node


def has_picture(node: Node) -> bool:
    """Whether a picture is in a node."""
    return any(part.kind == "picture" for part in node.walk())


def resized(node: Node, draw: Draw) -> Node:
    """A row with the draw's height."""
    factor, pad = draw.rows
    if not parts.is_row(node) or factor == 1.0:
        return node
    left, top, right, bottom = node.pad if isinstance(node.pad, tuple) else (node.pad,) * 4
    edges = (left, top if pad is None else pad, right, bottom if pad is None else pad)
    return node.replace(min_height=round(node.min_height * factor), pad=edges)


def renamed(node: Node, draw: Draw) -> Node:
    """An element with what it was called before, or another icon, or without its second line."""
    names = earlier_names(draw.language)
    icons = look(LOOK)["icons"]

    def rule(inner: Node) -> Node:
        if inner.text in names or inner.desc in names:
            return inner.replace(text=names.get(inner.text, inner.text), desc=names.get(inner.desc, inner.desc))
        if inner.kind == "icon":
            return inner.replace(icon=icons.get(inner.icon) or _other_icon(inner.icon))
        return inner

    before = rewrite(node, rule)
    return _plainer(node) if _shown(before) == _shown(node) else before


def _shown(node: Node) -> list[tuple[str, str]]:
    return [(inner.text, inner.icon) for inner in node.walk()]


def _other_icon(name: str) -> str:
    if name.startswith(_MARKS):  # filled and hollow ones mean chosen and not chosen
        return name
    other = name.removesuffix("-outline") if name.endswith("-outline") else f"{name}-outline"
    return other if other in icon_names() else name


def _plainer(node: Node) -> Node:
    """An element without its last further line of words; prices and counts stay."""
    words = [part for part in in_order(node) if part.kind == "text" and is_wordy(part.text)]
    if len(words) < 2:
        return node
    last = origin_of(words[-1])
    return rewrite(node, lambda part: None if origin_of(part) == last and part.kind == "text" else part)


def retired_copy(node: Node, draw: Draw) -> Node | None:
    """A copy of an element that says what an older version had in its place; None where nothing fits there."""
    core = core_of(node)
    action = parts.is_icon_button(core)
    inner = core.walk()
    plain = not core.checkable and not any(part.checkable for part in inner) and not has_picture(core)
    row = parts.is_row(core) or (bool(node.weight) and any(part.kind == "icon" for part in inner))
    source = draw.actions_left if action else draw.rows_left
    if draw.closed or not plain or not (action or row) or not source:
        return None
    entry = source.pop()
    name = entry[draw.language]
    draw.made += 1
    told = False

    def rule(part: Node) -> Node | None:
        nonlocal told
        new = with_origin(part, f"{ADDED}{draw.made}.{origin_of(part)}")
        if origin_of(part) == origin_of(core):
            new = new.replace(id="")
        if part.kind == "text" and part.text:
            # A count on a badge, a second line or a value belongs to what stood here.
            if part.text.isdigit() or told:
                return None
            told = True
            new = new.replace(text=name, lines=(), color=_ink(part.color))
        elif part.text:
            new = new.replace(text=name)
        elif part.kind in ("row", "box") and part.bg is not None and not part.children:
            return None  # the disc of a count
        if part.desc:
            new = new.replace(desc=name)
        # An arrow that tells that a row opens stays.
        arrow = not action and part.icon.startswith(("chevron", "arrow-right"))
        return new.replace(icon=entry["icon"]) if part.kind == "icon" and not arrow else new

    copy = rewrite(node, rule)
    return copy.replace(desc=name) if not told and copy.on_tap is not None else copy


def _ink(color: str) -> str:
    """Red is for what cannot be taken back, which no retired function is."""
    return "onSurface" if color == "error" else color
