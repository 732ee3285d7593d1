"""Elements of a laid-out screen that an instruction may mean, each with its box, its role and its texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import Node
from mobile_gym.task_registry.grounding.own import surroundings
from mobile_gym.task_registry.grounding.own.capture import in_order, origin_of
from mobile_gym.task_registry.grounding.own.naming import is_wordy
from mobile_gym.task_registry.grounding.own.surroundings import is_touchable, plain

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
        id: its resource-id.
        within: resource-ids of what holds it, nearest first.
        near: a text beside it that says what it belongs to: a field's label, the title of the row around a button.
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
    id: str = ""
    within: tuple[str, ...] = ()
    near: str = ""


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
    if is_touchable(node) and _large_enough(node, size, density):
        element = _element(node, above, repeated)
        # A part that says the same as what holds it and does the same is not an element of its own.
        same = holder is not None and element is not None and holder.label == element.label
        if element is not None and not (same and element.role not in _CONTROLS):
            found.append(element)
            holder = element
    for child in node.children:
        _walk(child, holder, (*above, node), repeated, size, density, found)


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
    inner = in_order(node)
    texts = [part for part in inner if part.kind in ("text", "field") and part.visible is not None]
    shown = tuple(plain(part.text or part.hint) for part in texts if part.text or part.hint)
    near = surroundings.near(node, above)
    label, detail = _label(node, texts, near)
    if not label or len(label) > _LONGEST:
        return None
    box = surroundings.field_box(node, above) if node.kind == "field" else node.visible
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
        id=node.id,
        within=tuple(parent.id for parent in reversed(above) if parent.id),
        near=near,
    )


def _label(node: Node, texts: Sequence[Node], near: str) -> tuple[str, str]:
    """An element's title and one further text of it; a field is called by its label, not by its placeholder."""
    if node.kind == "field":
        search = node.action == "search"
        return (plain(node.hint or node.desc) if search or not near else near), ""
    words = [(part, plain(part.text or part.hint)) for part in texts if part is not node]
    words = [(part, word) for part, word in words if word]
    title = next((word for part, word in words if part.id == "title"), "")
    own = plain(node.text) or plain(node.desc)
    # A letter in a disc, a count on a badge and a price are no titles where a word follows.
    first = next((word for _, word in words if is_wordy(word)), words[0][1] if words else "")
    label = own or title or first
    if not label:
        label = next((plain(part.desc) for part in node.walk() if part.desc), "")
    detail = next((word for _, word in words if word != label and word not in label and 1 < len(word) <= _LONGEST), "")
    return label, detail


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
        if node.id and is_touchable(node):
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
