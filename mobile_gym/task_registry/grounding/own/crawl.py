"""The crawl: every page of an app that taps and scrolls reach, the same ones each time."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from mobile_gym.phone.ui.node import Node
from mobile_gym.task_registry.grounding.own.capture import Capture
from mobile_gym.task_registry.grounding.own.pages import Page, Studio, touchables

RECORDED = "pages.json"
DEEPEST = 6
MOST_PAGES = 170
MOST_VARIANTS = (3, 1)
"""Pages of one screen that are kept where their contents differ: without overlays, and with the same ones."""
MOST_SCROLLS = 2
MOST_ALIKE = 4
"""Elements of one id that are tried on a page: more of them lead to more of the same."""
_SAME = 0.6
"""Two pages of a screen are the same where they share more than this of their texts."""
_LEAST_TEXTS = 2


@dataclass(frozen=True, slots=True)
class _Found:
    page: Page
    texts: frozenset[str]


def crawl(studio: Studio, package: str) -> list[Page]:
    """The pages of an app, in the order in which they were found (breadth first).

    Args:
        studio: where it is crawled.
        package: the app.
    """
    found: list[_Found] = []
    queue: deque[tuple[Page, int]] = deque()
    known: dict[str, Page] = {}

    def add(page: Page, texts: frozenset[str], depth: int) -> None:
        found.append(_Found(page, texts))
        known[page.id] = page
        queue.append((page, depth))

    studio.forget(package)
    studio.open_app(package)
    where = studio.where(package)
    if where is None:
        return []
    add(Page("p0", *where), _texts(studio.look()), 0)
    while queue and len(found) < MOST_PAGES:
        page, depth = queue.popleft()
        studio.go(package, page, known)
        state = studio.state()
        for name in _worth_trying(studio) if depth < DEEPEST else ():
            studio.load(state)
            if not studio.touch(name):
                continue
            where = studio.where(package)
            if where is None or len(found) >= MOST_PAGES:
                continue
            look = studio.look()
            texts = _texts(look)
            if _is_new(found, where, texts):
                add(Page(f"p{len(found)}", *where, parent=page.id, tap=name), texts, depth + 1)
        studio.load(state)
        if page.scroll is None:
            for scroll in _scrolls(studio):
                place = (page.screen, page.overlays)
                add(Page(f"p{len(found)}", *place, parent=page.id, scroll=scroll), frozenset(), depth)
    return [entry.page for entry in found]


def _worth_trying(studio: Studio) -> list[str]:
    counts: dict[str, int] = {}
    names = []
    for name, node in touchables(studio.phone):
        if node.on_tap is None:
            continue
        counts[node.id] = counts.get(node.id, 0) + 1
        # Elements without an id have nothing in common.
        if counts[node.id] <= (MOST_ALIKE if node.id else 6 * MOST_ALIKE):
            names.append(name)
    return names


def _scrolls(studio: Studio) -> list[tuple[str, int]]:
    """Positions of the page's largest list, a screen apart."""
    windows = [window for window in studio.phone.windows.windows if window.name in ("app", "overlay")]
    lists = [node for node in windows[-1].root.walk() if node.kind == "list" and node.axis == "v" and node.id]
    if not lists:
        return []
    main = max(lists, key=lambda node: node.w * node.h)
    if not main.more[1] or main.reverse:
        return []
    step = max(len(main.children) - 1, 1)
    last = len(main.rows) - 2
    return [(main.id, main.anchor[0] + step * (n + 1)) for n in range(MOST_SCROLLS) if step * (n + 1) <= last]


def _texts(look: Capture) -> frozenset[str]:
    return frozenset(text for layer in look.layers[-1:] for text in _shown_texts(layer.root))


def _shown_texts(root: Node) -> list[str]:
    return [node.text or node.desc for node in root.walk() if node.text or node.desc]


def _is_new(found: list[_Found], where: tuple[str, tuple[str, ...]], texts: frozenset[str]) -> bool:
    alike = [entry for entry in found if (entry.page.screen, entry.page.overlays) == where and entry.texts]
    if len(alike) >= MOST_VARIANTS[bool(where[1])] or len(texts) < _LEAST_TEXTS:
        return False
    return all(len(texts & entry.texts) <= _SAME * max(len(texts | entry.texts), 1) for entry in alike)


def recorded() -> dict[str, list[Page]]:
    """The pages that were recorded when the package was made, by app."""
    data = json.loads(files(__package__).joinpath("data", RECORDED).read_text(encoding="utf-8"))
    return {package: [Page.read(entry) for entry in entries] for package, entries in data.items()}


def written(pages: dict[str, list[Page]]) -> str:
    """What the file of recorded pages holds: a page a line."""
    parts = []
    for package in sorted(pages):
        lines = ",\n".join(f"    {json.dumps(page.data(), ensure_ascii=False)}" for page in pages[package])
        parts.append(f"  {json.dumps(package)}: [\n{lines}\n  ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def digest(parts: Any) -> str:
    """A short hash of plain data."""
    return sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]
