"""Search over all pages of the settings and what lies on them."""

from __future__ import annotations

from dataclasses import dataclass

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import EmptyState, Group, LazyList, ListRow, Scaffold, SearchField


@dataclass(frozen=True, slots=True)
class Found:
    """A result: what it is called, the way to it, the page to open, and the look of its icon."""

    title: str
    way: str
    page: str
    icon: str
    disc: str


def find(ctx: Context, query: str) -> list[Found]:
    """Pages, and rows on them, whose title or keywords hold every word of the query; the best title first."""
    words = query.casefold().split()
    if not words:
        return []
    pages = {screen.name: screen() for screen in ctx.app.screens if issubclass(screen, Page)}
    ranked: list[tuple[int, int, int, Found]] = []
    seen: set[str] = set()
    for page in pages.values():
        if not page.searchable:
            continue
        for title_key, words_key in ((page.title, page.keywords), *page.entries.items()):
            title = ctx.tr(title_key)
            place = f"{title} {ctx.tr(words_key) if words_key else ''}".casefold()
            if title in seen or not all(_holds(place, word) for word in words):
                continue
            seen.add(title)
            folded = title.casefold()
            rank = 0 if folded.startswith(words[0]) else 1 if words[0] in folded else 2 if words[0] in place else 3
            # Keywords stand in the order in which they fit; an early one counts more.
            ranked.append((rank, place.find(words[0]) - len(title), len(ranked), _found(ctx, pages, page, title)))
    return [item[-1] for item in sorted(ranked, key=lambda item: item[:3])]


def _holds(place: str, word: str) -> bool:
    """Whether a word is in a text; of a word in a script without spaces, all characters do, in any order."""
    return word in place or (not word.isascii() and all(char in place for char in word))


def _found(ctx: Context, pages: dict[str, Page], page: Page, title: str) -> Found:
    own = ctx.tr(page.title)
    way = [] if title == own else [own]
    top = page
    while top.parent in pages:
        top = pages[top.parent]
        way.insert(0, ctx.tr(top.title))
    return Found(title, " > ".join(way) or ctx.tr("app_name"), page.name, top.icon, top.disc)


class Search(Screen):
    """The search page: results as one types."""

    name = "search"
    activity = ".search.SearchActivity"

    def on_open(self, ctx: Context) -> None:
        """The field has the focus at once."""
        ctx.focus("search_src_text")

    def build(self, ctx: Context) -> Node:
        """The search bar and what it found."""
        query = ctx.field("search_src_text").strip()
        field = SearchField(ctx, "search_src_text", ctx.tr("search_settings"), on_back=ctx.back())
        top = Node("box", (field,), width=FILL, pad=(16.0, 8.0, 16.0, 12.0), hidden_from_tree=True)
        found = find(ctx, query)
        empty = EmptyState("magnify", ctx.tr("no_results") if query else ctx.tr("search_prompt"))
        body = LazyList(Group([self._row(ctx, item) for item in found]), id="list_results", empty=empty)
        return Scaffold(body, top=top, bg="page")

    def _row(self, ctx: Context, found: Found) -> Node:
        return ListRow(
            found.title, found.way, icon=found.icon, disc=found.disc, on_tap=ctx.open(found.page), id="search_result"
        )
