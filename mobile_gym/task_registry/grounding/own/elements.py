"""Elements of a laid-out screen that an instruction may mean, each with its box, its role and its texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import Node
from mobile_gym.task_registry.grounding.own.capture import origin_of

LEAST_DP = (20.0, 18.0)
"""An element is at least this wide and high."""
LEAST_SHOWN = 0.7
"""The share of an element's height (and width) that shows."""
LARGEST = 0.45
"""Of the screen: what covers more is a surface."""
_CONTROLS = ("switch", "checkbox", "radio", "slider")
_ENTRIES = 3
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Element:
    """One element.

    Attributes:
        origin: by what it is known in other renderings; empty for what a rendering added.
        role: see `instructions.yaml`.
        label: its title or description.
        detail: a further text in it, such as a list entry's second line.
        checked: whether it is on.
        box: left, top, right, bottom of what shows of it, pixels.
        texts: all texts in it, in order.
        icons: the icons in it, in order.
        chosen: whether it is the chosen one of several (a tab).
    """

    origin: str
    role: str
    label: str
    detail: str
    checked: bool
    box: Clip
    texts: tuple[str, ...]
    icons: tuple[str, ...]
    chosen: bool = False


def elements_of(root: Node, size: tuple[int, int], density: float) -> list[Element]:
    """Elements of a laid-out window, parents first.

    Args:
        root: the tree, laid out.
        size: the screen's, pixels.
        density: pixels of one dp.
    """
    found: list[Element] = []
    _walk(root, None, (), _repeated(root), size, density, found)
    return _apart(found)


def _walk(
    node: Node,
    holder: Element | None,
    above: tuple[Node, ...],
    repeated: frozenset[str],
    size: tuple[int, int],
    density: float,
    found: list[Element],
) -> None:
    if node.visible is None:
        return
    if _touchable(node) and _large_enough(node, size, density):
        element = _element(node, above, repeated)
        # A part that says the same as what holds it and does the same is not an element of its own.
        same = holder is not None and element is not None and holder.label == element.label
        if element is not None and not (same and element.role not in _CONTROLS):
            found.append(element)
            holder = element
    for child in node.children:
        _walk(child, holder, (*above, node), repeated, size, density, found)


def _touchable(node: Node) -> bool:
    if not node.enabled or node.blocks:
        return False
    handled = node.on_tap is not None or node.on_position is not None or node.on_drag is not None
    return handled or node.kind == "field"


def _large_enough(node: Node, size: tuple[int, int], density: float) -> bool:
    assert node.visible is not None
    left, top, right, bottom = node.visible
    wide, high = right - left, bottom - top
    if wide < LEAST_DP[0] * density or high < LEAST_DP[1] * density:
        return False
    if wide < LEAST_SHOWN * node.w or high < LEAST_SHOWN * node.h:
        return False
    return wide * high <= LARGEST * size[0] * size[1]


def _element(node: Node, above: tuple[Node, ...], repeated: frozenset[str]) -> Element | None:
    inner = node.walk()
    texts = [part for part in inner if part.kind in ("text", "field") and part.visible is not None]
    shown = tuple(_plain(part.text or part.hint) for part in texts if part.text or part.hint)
    label, detail = _label(node, texts)
    if not label or len(label) > _LONGEST:
        return None
    box = node.visible
    assert box is not None
    return Element(
        origin=origin_of(node),
        role=_role(node, above, repeated),
        label=label,
        detail=detail,
        checked=node.checked or any(part.checkable and part.checked and part.on_tap is None for part in inner),
        box=box,
        texts=shown,
        icons=tuple(part.icon for part in inner if part.kind == "icon" and part.visible is not None),
        chosen=node.selected,
    )


def _label(node: Node, texts: Sequence[Node]) -> tuple[str, str]:
    """An element's title and one further text of it."""
    if node.kind == "field":
        return _plain(node.hint or node.desc), ""
    words = [(part, _plain(part.text or part.hint)) for part in texts if part is not node]
    words = [(part, word) for part, word in words if word]
    title = next((word for part, word in words if part.id == "title"), "")
    own = _plain(node.text) or _plain(node.desc)
    label = own or title or (words[0][1] if words else "")
    if not label:
        label = next((_plain(part.desc) for part in node.walk() if part.desc), "")
    detail = next((word for _, word in words if word != label and word not in label and 1 < len(word) <= _LONGEST), "")
    return label, detail


def _plain(text: str) -> str:
    return " ".join(text.split())


def _role(node: Node, above: tuple[Node, ...], repeated: frozenset[str]) -> str:
    name = node.class_name.rpartition(".")[2]
    inner = node.walk()
    if node.id == "back":
        return "back"
    if node.kind == "field":
        return "search" if node.action == "search" else "field"
    if node.on_drag is not None and name == "SeekBar":
        return "slider"
    # A switch that has a handler of its own does something else than the row around it.
    switches = [part for part in inner if part.checkable and (part is node or part.on_tap is None)]
    if node.id.startswith(("tab_", "nav_")) or any(parent.id in ("navigation_bar", "tabs") for parent in above[-2:]):
        return "tab"
    if name == "CompoundButton":
        return "chip"
    if switches and len(switches) == 1:
        kind = switches[0].class_name.rpartition(".")[2]
        if kind in ("Switch", "CheckBox", "RadioButton"):
            return {"Switch": "switch", "CheckBox": "checkbox", "RadioButton": "radio"}[kind]
    if len(node.text or node.desc) == 1 or (len(node.text) <= 3 and node.text.replace(".", "").isdigit()):
        return "key"
    if any(parent.id == "buttonPanel" for parent in above):
        return "choice"
    if any("ListView" in parent.cls for parent in above):
        return "menu"
    if name in ("Button", "ImageButton"):
        return "button"
    texts = [part for part in inner if part.kind == "text" and part.text]
    if not texts:
        return "picture" if any(part.kind == "picture" for part in inner) else "button"
    if node.id and node.id in repeated:
        return "entry"
    return "row"


def _repeated(root: Node) -> frozenset[str]:
    counts: dict[str, int] = {}
    for node in root.walk():
        if node.id and _touchable(node):
            counts[node.id] = counts.get(node.id, 0) + 1
    return frozenset(name for name, count in counts.items() if count >= _ENTRIES)


def _apart(found: list[Element]) -> list[Element]:
    """Elements whose middle no later one covers, unless that is a part of them that leaves their title free."""
    kept = []
    for number, element in enumerate(found):
        left, top, right, bottom = element.box
        x, y = (left + right) // 2, (top + bottom) // 2
        covers = [
            other
            for other in found[number + 1 :]
            if other.box[0] <= x < other.box[2] and other.box[1] <= y < other.box[3]
        ]
        if not covers and not any(_partly(element.box, other.box) for other in found if other is not element):
            kept.append(element)
    return kept


def _partly(one: Clip, other: Clip) -> bool:
    """Whether two boxes overlap by more than a sliver and neither lies in the other."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    if left >= right or top >= bottom:
        return False
    shared = (right - left) * (bottom - top)
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return 0.1 * smaller < shared < 0.98 * smaller
