"""Older versions look like older versions: legible, closed up, with functions of their app where such stand."""

from __future__ import annotations

from random import Random

import pytest

from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.theme import theme_for
from mobile_gym.task_registry.grounding.own import parts
from mobile_gym.task_registry.grounding.own.capture import Capture, origin_of
from mobile_gym.task_registry.grounding.own.crawl import recorded
from mobile_gym.task_registry.grounding.own.draws import Draw
from mobile_gym.task_registry.grounding.own.dress import retired_copy
from mobile_gym.task_registry.grounding.own.legible import LEAST_CONTRAST, contrast, legible
from mobile_gym.task_registry.grounding.own.old import UNCHANGED, draws, old_version
from mobile_gym.task_registry.grounding.own.pages import Page, PageLost, studio
from mobile_gym.task_registry.grounding.own.render import Plan
from mobile_gym.task_registry.grounding.own.retired import ADDED, retired
from mobile_gym.task_registry.grounding.own.reworks import reworked

APPS = ("com.mobench.shop", "com.mobench.wallet", "com.android.contacts", "com.android.settings")
PAGES = 24
DRAWS = 6


@pytest.fixture(scope="module")
def shown() -> list[tuple[Page, Capture]]:
    """Every third page of some apps."""
    found = []
    with studio("zh") as place:
        for package in APPS:
            pages = recorded()[package]
            known = {page.id: page for page in pages}
            for page in [page for page in pages if not page.way][:PAGES:3]:
                try:
                    place.go(package, page, known)
                except PageLost:
                    continue
                found.append((page, place.look()))
    return found


def old_roots(page: Page, screen: Capture) -> list[list[Node]]:
    return [reworked(screen, variant, page.id) for variant in list(draws())[:DRAWS]]


def pale(plan: Plan) -> list[str]:
    """Texts with too little contrast to the plain surface that they lie on."""
    found: list[str] = []

    def walk(node: Node, ground: str | None) -> None:
        ground = node.bg if node.bg is not None else ground
        if node.kind in ("text", "field") and node.text and ground is not None:
            ratio = contrast(plan.theme.color(node.color), plan.theme.color(ground))
            if ratio < LEAST_CONTRAST:
                found.append(f"{node.text} {ratio:.1f}")
        under = ground
        for child in node.children:
            walk(child, under)
            if node.kind == "box" and (child.kind == "picture" or child.bg is not None):
                under = None

    for pane in plan.panes:
        if pane.app:
            walk(pane.root, pane.root.bg or "surface")
    return found


def test_texts_of_older_versions_are_legible(shown: list[tuple[Page, Capture]]) -> None:
    for page, screen in shown:
        for variant in (UNCHANGED, *list(draws())[:2]):
            assert pale(old_version(screen, variant, page.id)) == [], (screen.package, screen.screen)


def test_red_on_magenta_becomes_legible() -> None:
    chip = Node("row", (Node("text", text="仅退款", color="#F4412D"),), bg="primaryContainer", width=FILL)
    theme = theme_for(False)
    theme.roles["primaryContainer"] = "#D81B60"
    (text,) = legible(chip, theme, theme_for(False)).children
    assert contrast(theme.color(text.color), "#D81B60") >= LEAST_CONTRAST
    theme.roles["primaryContainer"] = theme_for(False).roles["primaryContainer"]


def test_nothing_is_put_into_dialogs_and_forms(shown: list[tuple[Page, Capture]]) -> None:
    closed = 0
    for page, screen in shown:
        nodes = [node for layer in screen.layers for node in layer.root.walk()]
        menu = any(parts.is_menu(node) for node in screen.layers[-1].root.walk())
        form = any(node.kind == "field" and node.action != "search" for node in nodes)
        if not form and (len(screen.layers) == 1 or menu):
            continue
        closed += 1
        for roots in old_roots(page, screen):
            assert not [node for root in roots for node in root.walk() if origin_of(node).startswith(ADDED)]
    assert closed >= 3


def test_what_is_put_in_is_of_the_app_and_the_page(shown: list[tuple[Page, Capture]]) -> None:
    put_in = 0
    for page, screen in shown:
        known = {entry["zh"] for kind in ("rows", "actions") for entry in retired(kind, screen.package, screen.screen)}
        for roots in old_roots(page, screen):
            added = [node for root in roots for node in root.walk() if origin_of(node).startswith(ADDED)]
            texts = {text for node in added for text in (node.text, node.desc) if text}
            assert texts <= known, (screen.package, screen.screen, texts - known)
            put_in += len(texts)
    assert put_in


def test_a_function_that_went_has_neither_the_count_nor_the_red_of_what_stood_there() -> None:
    entry = {"zh": "使用说明", "en": "How it works", "icon": "help-circle-outline"}
    draw = Draw(Random(0), 0.5, 1.0, 0.0, 0.0, (1.0, None), "", True, "zh", False, False, [entry, entry], [entry])
    badge = Node("row", (Node("text", text="5"),), bg="primary", id="badge")
    cart = Node("box", (Node("icon", icon="cart"), badge), width=48.0, cls="android.widget.ImageButton", id="open_cart")
    action = retired_copy(cart.replace(on_tap=lambda: None, desc="购物车"), draw)
    assert action is not None
    assert [(part.id, part.icon, part.desc) for part in action.walk()] == [
        ("", "", "使用说明"),
        ("", "help-circle-outline", ""),
    ]
    words = Node("col", (Node("text", text="删除对话", color="error"),), weight=1.0)
    row = Node("row", (words,), width=FILL, min_height=56.0, on_tap=lambda: None, id="delete")
    copy = retired_copy(row, draw)
    assert copy is not None
    assert [(part.text, part.color) for part in copy.walk() if part.text] == [("使用说明", "onSurface")]


def test_pages_keep_what_they_are_for_and_both_ends_of_sliders(shown: list[tuple[Page, Capture]]) -> None:
    kept = 0
    for page, screen in shown:
        if len(screen.layers) > 1:
            continue
        nodes = screen.layers[-1].root.walk()
        filled = {origin_of(node) for node in nodes if parts.is_button(node) and node.bg is not None}
        sliders = [node for node in nodes if any(child.on_drag is not None for child in node.children)]
        ends = {origin_of(child) for node in sliders for child in node.children}
        for roots in old_roots(page, screen):
            left = {origin_of(node) for node in roots[-1].walk()}
            # A list's rows that are gone, or not reached, take what is in them along.
            holders = {
                origin_of(part)
                for node in nodes
                if node.kind == "list"
                for child in node.children
                for part in child.walk()
            }
            assert (filled | ends) - holders <= left, (screen.package, screen.screen)
            kept += len(filled | ends)
    assert kept


def test_grids_close_up(shown: list[tuple[Page, Capture]]) -> None:
    page, screen = next(pair for pair in shown if pair[1].package == "com.mobench.wallet")
    gone = 0
    for roots in old_roots(page, screen):
        for node in (node for root in roots for node in root.walk()):
            lines = [child for child in node.children if child.__dict__.get("regridded")]
            for number, line in enumerate(lines):
                blanks = [cell.kind == "space" for cell in line.children]
                assert blanks == sorted(blanks)
                assert not any(blanks) or number == len(lines) - 1
                gone += sum(blanks)
    assert gone


def test_bars_of_places_keep_the_one_that_shows_and_two_more(shown: list[tuple[Page, Capture]]) -> None:
    bars = 0
    for page, screen in shown:
        for roots in old_roots(page, screen):
            for bar in (node for root in roots for node in root.walk() if parts.is_bottom_nav(node)):
                bars += 1
                assert len(bar.children) >= 3
                assert any(part.selected for part in bar.walk())
    assert bars
