"""The plan of a set: which pages it has, and which draw makes the older version of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from mobile_gym.task_registry.grounding.own.android import new_version
from mobile_gym.task_registry.grounding.own.capture import Capture
from mobile_gym.task_registry.grounding.own.changes import UNCHANGED_SCREENS, compare, distance
from mobile_gym.task_registry.grounding.own.crawl import crawl
from mobile_gym.task_registry.grounding.own.elements import Element
from mobile_gym.task_registry.grounding.own.instructions import instructions_for
from mobile_gym.task_registry.grounding.own.old import UNCHANGED, draws, old_version
from mobile_gym.task_registry.grounding.own.pages import Page, Studio
from mobile_gym.task_registry.grounding.own.render import lay_out

MOST_PAGES = 44
"""Pages of one app that a set has."""


class Planner:
    """Chooses pages and draws, app after app; shares of the classes of change are held over all of them.

    Args:
        studio: where the pages are looked at.
    """

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.counts: Counter[str] = Counter()
        """Elements so far, by class of change."""
        self.screens = 0
        self.unchanged = 0

    def pages(self, package: str, done: Callable[[str], None] = lambda page: None) -> list[Page]:
        """The pages of an app with their draws; empty for an app that shows nothing.

        Args:
            package: the app.
            done: called with the name of each page that was planned.
        """
        found = chosen(crawl(self._studio, package))
        known = {page.id: page for page in found}
        planned = []
        for page in found:
            if page.way:
                planned.append(page)
                continue
            self._studio.go(package, page, known)
            planned.append(replace(page, variant=self._draw(page)))
            done(page.id)
        return planned

    def _draw(self, page: Page) -> int:
        screen = self._studio.look()
        new = lay_out(new_version(screen))
        asked = _asked(new.elements, screen)
        best: tuple[float, int, Counter[str]] | None = None
        unchanged = (self.unchanged + 1) <= UNCHANGED_SCREENS * (self.screens + 1)
        for variant in (UNCHANGED,) if unchanged else draws():
            old = lay_out(old_version(screen, variant, page.id))
            meant = asked | _asked(old.elements, screen)
            counts = compare(old.elements, new.elements, screen.size).counts(meant)
            found = distance(self.counts + counts), variant, counts
            if best is None or found[:2] < best[:2]:
                best = found
        assert best is not None
        self.counts += best[2]
        self.screens += 1
        self.unchanged += unchanged
        return best[1]


def _asked(elements: Sequence[Element], screen: Capture) -> frozenset[str]:
    """Origins of the elements that get an instruction."""
    return frozenset(said.element.origin for said in instructions_for(elements, screen.title, screen.language))


def chosen(pages: Sequence[Page], most: int = MOST_PAGES) -> list[Page]:
    """The pages that a set has of those that were found, and the ones on the way to them, in their order.

    The first page of every screen comes before second ones, and pages without overlays before those with some.
    """
    ranks: Counter[tuple[str, tuple[str, ...]]] = Counter()
    ranked = []
    for number, page in enumerate(pages):
        place = page.screen, page.overlays
        ranks[place] += 1
        ranked.append((ranks[place] + bool(page.overlays), number))
    kept = {pages[number].id for _, number in sorted(ranked)[:most]}
    by_id = {page.id: page for page in pages}
    needed: set[str] = set()
    for name in sorted(kept):
        while name and name not in needed:
            needed.add(name)
            name = by_id[name].parent
    return [page if page.id in kept else replace(page, way=True) for page in pages if page.id in needed]
