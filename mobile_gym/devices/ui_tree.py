"""The UI hierarchy as UIAutomator dumps it: one immutable tree of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Bounds:
    """A box in pixels of the screen: left and top inside, right and bottom outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        """Whether the box holds no pixel (scrolled away, inverted or never laid out)."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def center(self) -> tuple[int, int]:
        """The middle pixel."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def contains(self, x: int, y: int) -> bool:
        """Whether a pixel lies in the box."""
        return self.left <= x < self.right and self.top <= y < self.bottom


@dataclass(frozen=True, slots=True)
class UiNode:
    """One node, with UIAutomator's attributes under Python names; missing ones have UIAutomator's defaults."""

    index: int = 0
    text: str = ""
    resource_id: str = ""
    class_name: str = ""
    package: str = ""
    content_desc: str = ""
    checkable: bool = False
    checked: bool = False
    clickable: bool = False
    enabled: bool = True
    focusable: bool = False
    focused: bool = False
    scrollable: bool = False
    long_clickable: bool = False
    password: bool = False
    selected: bool = False
    bounds: Bounds = Bounds(0, 0, 0, 0)
    hint: str = ""
    children: tuple[UiNode, ...] = ()

    def walk(self) -> Iterator[UiNode]:
        """This node and all below it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class UiTree:
    """What is on the screen: the roots of the windows read (mostly one) and how the screen is turned.

    Attributes:
        roots: root nodes.
        rotation: quarter turns, 0 to 3.
        size: width and height of the screen in pixels, as it is turned.
    """

    roots: tuple[UiNode, ...]
    rotation: int = 0
    size: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = field(default=())

    def walk(self) -> Iterator[UiNode]:
        """All nodes in document order."""
        for root in self.roots:
            yield from root.walk()

    def visible(self) -> Iterator[UiNode]:
        """Nodes whose box holds at least one pixel of the screen."""
        width, height = self.size
        for node in self.walk():
            box = node.bounds
            if not box.empty and box.left < width and box.top < height and box.right > 0 and box.bottom > 0:
                yield node
