"""`Driver`: acts on an embedded phone as a person does, by what the screen says."""

from __future__ import annotations

from collections.abc import Callable

from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.ui.node import Node

Found = Callable[[Node], bool]


class NotOnScreen(AssertionError):
    """Nothing on the screen fits; the message lists the texts that show."""


class Driver:
    """Finds nodes by text or resource-id in the window that has the focus, and touches them.

    Every touch goes through `phone.input`, in pixels, and lets the phone settle.

    Args:
        phone: the phone.
    """

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    # ---- looking

    def nodes(self) -> list[Node]:
        """Nodes of the focused window that show, parents first."""
        return [node for node in self.phone.windows.focused().root.walk() if node.visible is not None]

    def texts(self) -> list[str]:
        """Texts and content descriptions that show."""
        return [text for node in self.nodes() for text in (node.text, node.desc) if text]

    def has(self, text: str) -> bool:
        """Whether a text or content description shows."""
        return any(text in (node.text, node.desc) for node in self.nodes())

    def find(self, wanted: Found, what: str, index: int = 0) -> Node:
        """The node that fits; the one nearest to the top left by order of the tree, or a later one by `index`."""
        found = [node for node in self.nodes() if wanted(node)]
        if not -len(found) <= index < len(found):
            raise NotOnScreen(f"{what} (number {index}) is not on the screen, which shows {self.texts()}")
        return found[index]

    def by_text(self, text: str, index: int = 0) -> Node:
        """The node with a text or content description."""
        return self.find(lambda node: text in (node.text, node.desc), f"text {text!r}", index)

    def by_id(self, id: str, index: int = 0) -> Node:
        """The node with a resource-id."""
        return self.find(lambda node: node.id == id, f"id {id!r}", index)

    # ---- touching

    def _center(self, node: Node) -> tuple[int, int]:
        assert node.visible is not None
        left, top, right, bottom = node.visible
        return (left + right) // 2, (top + bottom) // 2

    def tap_node(self, node: Node) -> None:
        """Taps the middle of what shows of a node."""
        self.phone.input.tap(*self._center(node))
        self.phone.settle()

    def tap_text(self, text: str, index: int = 0) -> None:
        """Taps a text or content description."""
        self.tap_node(self.by_text(text, index))

    def tap_id(self, id: str, index: int = 0) -> None:
        """Taps the node with a resource-id."""
        self.tap_node(self.by_id(id, index))

    def long_press_text(self, text: str, index: int = 0) -> None:
        """Holds a text or content description."""
        self.phone.input.long_press(*self._center(self.by_text(text, index)))
        self.phone.settle()

    def long_press_id(self, id: str, index: int = 0) -> None:
        """Holds the node with a resource-id."""
        self.phone.input.long_press(*self._center(self.by_id(id, index)))
        self.phone.settle()

    def slide(self, node: Node, share: float) -> None:
        """Drags along a slider to a share (0 to 1) of its width."""
        assert node.visible is not None
        left, top, right, bottom = node.visible
        y = (top + bottom) // 2
        end = min(max(left + round((right - left) * share), left), right - 1)
        self.phone.input.swipe((left + right) // 2, y, end, y, 600)
        self.phone.settle()

    def scroll(self, down: bool = True) -> bool:
        """Moves the largest list on by most of its height; whether it moved."""
        lists = [node for node in self.nodes() if node.kind == "list" and node.scrollable and node.axis == "v"]
        if not lists:
            return False
        largest = max(lists, key=lambda node: node.w * node.h)
        if not largest.more[1 if down else 0]:
            return False
        assert largest.visible is not None
        left, top, right, bottom = largest.visible
        # Near the edge, where sliders and maps that take drags themselves seldom are.
        x = left + (right - left) // 40 + 1
        far, near = top + (bottom - top) * 4 // 5, top + (bottom - top) // 5
        self.phone.input.swipe(x, far if down else near, x, near if down else far, 600)
        self.phone.settle()
        return True

    def scroll_to(self, wanted: Found, what: str) -> Node:
        """Scrolls down until a node fits, all of its height in sight where it can be."""
        for _ in range(40):
            found = [node for node in self.nodes() if wanted(node)]
            if found and (_whole(found[0]) or not self.scroll()):
                return self.find(wanted, what)
            if not found and not self.scroll():
                break
        return self.find(wanted, what)

    def scroll_to_text(self, text: str) -> Node:
        """Scrolls down until a text or content description shows."""
        return self.scroll_to(lambda node: text in (node.text, node.desc), f"text {text!r}")

    def scroll_to_id(self, id: str) -> Node:
        """Scrolls down until a node with a resource-id shows."""
        return self.scroll_to(lambda node: node.id == id, f"id {id!r}")

    # ---- keys and typing

    def type(self, text: str) -> None:
        """Types at the cursor of the focused field."""
        if not self.phone.input.text(text):
            raise NotOnScreen(f"no text field has the focus; the screen shows {self.texts()}")
        self.phone.settle()

    def replace_text(self, id: str, text: str) -> None:
        """Puts a text in place of what a field holds."""
        self.tap_id(id)
        self.phone.text_input.select_all()
        self.type(text)

    def key(self, name: str) -> None:
        """Presses a key, such as `BACK` or `ENTER`."""
        self.phone.input.key(name)
        self.phone.settle()

    def back(self) -> None:
        """Presses Back."""
        self.key("BACK")

    # ---- apps

    def open(self, package: str, activity: str | None = None, **extras: object) -> None:
        """Starts an app, or one of its activities."""
        self.phone.activities.start(Intent(package=package, activity=activity, extras=extras))
        self.phone.settle()


def _whole(node: Node) -> bool:
    assert node.visible is not None
    return node.visible[3] - node.visible[1] >= node.h


def faults(root: Node) -> list[str]:
    """What is wrong with a laid-out tree: misspelt attributes, texts cut at the side, targets one over the other.

    Args:
        root: the root of a window, as `phone.windows.windows` holds it.
    """
    found: list[str] = []
    for node in root.walk():
        found += [f"{node.kind} {node.id!r}: unknown attribute {name}" for name in node.unknown_attributes()]
        children = [child for child in node.children if isinstance(child, Node)]
        for child in children:
            if (
                child.kind == "text"
                and child.text
                and child.visible is not None
                and child.x + child.w > node.x + node.w
            ):
                found.append(f"text {child.text!r} is wider than its parent {node.id!r}")
            if child.kind == "text" and child.text and child.w <= 0:
                found.append(f"text {child.text!r} has no room")
        targets = [child for child in children if child.on_tap is not None and child.visible is not None]
        for number, one in enumerate(targets):
            for other in targets[number + 1 :]:
                if _overlap(one, other):
                    found.append(
                        f"{one.id!r} ({one.text or one.desc}) lies over {other.id!r} ({other.text or other.desc})"
                    )
    return found


def _overlap(one: Node, other: Node) -> bool:
    """Whether two targets share more than a corner (the hours of a dial do)."""
    a, b = one.visible, other.visible
    assert a is not None
    assert b is not None
    across = min(a[2], b[2]) - max(a[0], b[0])
    along = min(a[3], b[3]) - max(a[1], b[1])
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return across > 0 and along > 0 and across * along > smaller * 0.15
