"""Pages of apps: how each is reached, and the phone on which that is done again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.state.snapshots import Snapshot
from mobile_gym.phone.system.app import App
from mobile_gym.phone.ui.hit import takes_touch
from mobile_gym.phone.ui.node import Node
from mobile_gym.task_registry.grounding.own.capture import Capture, capture

PROFILE = "pixel_6a"
SNAPSHOT = "lived_in"
_LARGEST = 0.6
"""Nodes that cover more of the screen than this are surfaces, no elements."""


class PageLost(Exception):
    """A page that the recorded taps no longer lead to; the message says which and where."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of an app.

    Attributes:
        id: its name within the app.
        screen: the screen that it shows.
        overlays: dialogs, sheets and menus over it.
        parent: the page that it is reached from; empty for the one that the launcher opens.
        tap: what is touched there: `resource-id#n`, the n-th element of that id from the top.
        scroll: the list that is scrolled there, and its first row; in place of `tap`.
        variant: the draw that makes its older version (`own.plan`).
        way: whether it is only passed on the way to others, and no page of the set.
    """

    id: str
    screen: str
    overlays: tuple[str, ...] = ()
    parent: str = ""
    tap: str = ""
    scroll: tuple[str, int] | None = None
    variant: int = 0
    way: bool = False

    def data(self) -> dict[str, Any]:
        """As it is written to a file: without what is empty."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Page:
        """The page of a file's entry."""
        found = dict(data)
        found["overlays"] = tuple(found.get("overlays", ()))
        scroll = found.get("scroll")
        found["scroll"] = None if scroll is None else (str(scroll[0]), int(scroll[1]))
        return cls(**found)


def touchables(phone: Phone) -> list[tuple[str, Node]]:
    """Elements of the app's topmost window that take a touch, by what a recorded tap names them."""
    window = next(window for window in reversed(phone.windows.windows) if window.name in ("app", "overlay"))
    width, height, _ = phone.screen
    counts: dict[str, int] = {}
    found: list[tuple[str, Node]] = []
    for node in window.root.walk():
        if node.visible is None or not takes_touch(node) or not node.enabled:
            continue
        number = counts.get(node.id, 0)
        counts[node.id] = number + 1
        left, top, right, bottom = node.visible
        if (right - left) * (bottom - top) <= _LARGEST * width * height:
            found.append((f"{node.id}#{number}", node))
    return found


class Studio:
    """A phone that goes to pages. Every page starts from the same state, whatever was shown before.

    Args:
        phone: the phone; its state is the start of every page.
    """

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self._start = phone.state.save()
        self._states: dict[tuple[str, str], Snapshot] = {}

    def forget(self, package: str) -> None:
        """Forgets the states of an app's pages, so that pages of the same names may be others."""
        self._states = {key: state for key, state in self._states.items() if key[0] != package}

    def apps(self) -> list[App]:
        """Apps that have screens, in the order of their packages."""
        return [app for package, app in sorted(self.phone.apps.items()) if app.screens]

    def open_app(self, package: str) -> None:
        """Goes to the first page of an app."""
        self.phone.load_state(self._start)
        self.phone.activities.start(Intent(package=package))
        self._rest()

    def go(self, package: str, page: Page, pages: Mapping[str, Page]) -> None:
        """Goes to a page.

        Raises:
            PageLost: the way does not lead there.
        """
        state = self._states.get((package, page.id))
        if state is not None:
            self.phone.load_state(state)
            return
        if not page.parent:
            self.open_app(package)
        else:
            self.go(package, pages[page.parent], pages)
            if page.scroll is not None:
                self.scroll(*page.scroll)
            elif not self.touch(page.tap):
                raise PageLost(f"{package}, page {page.id}: there is no {page.tap} on the page {page.parent}")
        where = self.where(package)
        if where != (page.screen, page.overlays):
            raise PageLost(f"{package}, page {page.id}: {where} shows, not {(page.screen, page.overlays)}")
        self._states[package, page.id] = self.phone.state.save()

    def touch(self, name: str) -> bool:
        """Taps an element; False where there is none of the name."""
        node = next((node for found, node in touchables(self.phone) if found == name), None)
        if node is None or node.visible is None:
            return False
        left, top, right, bottom = node.visible
        self.phone.input.tap((left + right) // 2, (top + bottom) // 2)
        self._rest()
        return True

    def scroll(self, name: str, row: int) -> None:
        """Scrolls a list to a row."""
        self.phone.activities.top()["scroll"][name] = [row, 0]
        self.phone.invalidate()

    def where(self, package: str) -> tuple[str, tuple[str, ...]] | None:
        """Screen and overlays that show; None where another app or a system window is in front."""
        top = self.phone.activities.top()
        if top["package"] != package or self.phone.windows.focused_surface() is not None:
            return None
        return str(top["screen"]), tuple(str(overlay["name"]) for overlay in top["overlays"])

    def state(self) -> Snapshot:
        """The present state."""
        return self.phone.state.save()

    def load(self, state: Snapshot) -> None:
        """Goes back to a state."""
        self.phone.load_state(state)

    def look(self) -> Capture:
        """What shows."""
        return capture(self.phone)

    def _rest(self) -> None:
        self.phone.settle()
        self.phone.text_input.focus(None)
        self.phone.invalidate()


@contextmanager
def studio(language: str) -> Iterator[Studio]:
    """A studio with a phone of its own, in a language."""
    phone = Phone(PROFILE, language, SNAPSHOT)
    try:
        yield Studio(phone)
    finally:
        phone.close()
