"""The plan of a set: which pages it has, and which draw makes the older version of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mobile_gym.task_registry.grounding.own.android import new_version
from mobile_gym.task_registry.grounding.own.apps import place_of
from mobile_gym.task_registry.grounding.own.capture import Capture
from mobile_gym.task_registry.grounding.own.changes import UNCHANGED_SCREENS, compare, distance
from mobile_gym.task_registry.grounding.own.crawl import crawl
from mobile_gym.task_registry.grounding.own.elements import Element
from mobile_gym.task_registry.grounding.own.instructions import instructions_for, is_worth_asking
from mobile_gym.task_registry.grounding.own.old import UNCHANGED, draws, old_version
from mobile_gym.task_registry.grounding.own.pages import Page, Studio
from mobile_gym.task_registry.grounding.own.render import lay_out

MOST_PAGES = 44
"""Pages of one app that a set has."""
_SWEEPS = 10


class Planner:
    """Chooses pages and draws, app after app; shares of the classes of change are held over all of them.

    Args:
        studio: where the pages are looked at.
    """

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.counts: Counter[str] = Counter()
        """Elements so far, by class of change."""
        self._options: dict[tuple[str, str], dict[int, Counter[str]]] = {}
        """Elements by class of change that each page has with each draw."""

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
            planned.append(replace(page, variant=self._draw(package, page)))
            done(page.id)
        return planned

    def settled(self, plans: Mapping[str, Sequence[Page]]) -> dict[str, list[Page]]:
        """The plans of all apps with draws that are chosen again, now that all pages are known.

        The pages with the fewest elements, dialogs and menus most of them, are the screens that do not differ.

        Args:
            plans: what `pages` gave, by package.
        """
        chosen = {(package, page.id): page.variant for package, pages in plans.items() for page in pages}
        still = self._still()
        for key in still:
            self._choose(chosen, key, UNCHANGED)
        for _ in range(_SWEEPS):
            moved = [key for key in self._options if key not in still and self._better(chosen, key)]
            if not moved:
                break
        return {
            package: [replace(page, variant=chosen[package, page.id]) for page in pages]
            for package, pages in plans.items()
        }

    def _still(self) -> frozenset[tuple[str, str]]:
        sizes = {key: sum(options[UNCHANGED].values()) for key, options in self._options.items()}
        fewest = sorted(sizes, key=lambda key: sizes[key])
        return frozenset(fewest[: round(UNCHANGED_SCREENS * len(fewest))])

    def _better(self, chosen: dict[tuple[str, str], int], key: tuple[str, str]) -> bool:
        """Chooses the best draw of a page; whether it is another one than before."""
        before = chosen[key]
        rest = self.counts - self._options[key][before]
        self._choose(chosen, key, self._best(key, rest))
        return chosen[key] != before

    def _choose(self, chosen: dict[tuple[str, str], int], key: tuple[str, str], variant: int) -> None:
        options = self._options[key]
        self.counts = self.counts - options[chosen[key]] + options[variant]
        chosen[key] = variant

    def _best(self, key: tuple[str, str], rest: Counter[str]) -> int:
        options = self._options[key]
        return min(draws(), key=lambda variant: (distance(rest + options[variant]), variant))

    def _draw(self, package: str, page: Page) -> int:
        screen = self._studio.look()
        new = lay_out(new_version(screen))
        asked = _asked(new.elements, screen)
        options = {}
        for variant in (UNCHANGED, *draws()):
            old = lay_out(old_version(screen, variant, page.id))
            meant = asked | _asked(old.elements, screen)
            options[variant] = compare(old.elements, new.elements, screen.size).counts(meant)
        self._options[package, page.id] = options
        best = self._best((package, page.id), self.counts)
        self.counts += options[best]
        return best


def _asked(elements: Sequence[Element], screen: Capture) -> frozenset[str]:
    """Origins of the elements that get an instruction."""
    said = instructions_for(elements, place_of(screen))
    return frozenset(one.element.origin for one in said if is_worth_asking(said))


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
