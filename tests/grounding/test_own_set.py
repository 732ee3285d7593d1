"""Our own grounding set: what is in it, how it is rendered, and that it comes out the same in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.task_registry.grounding import GroundingItem, GroundingSetError, load_official, of_split
from mobile_gym.task_registry.grounding.items import CHANGE_CLASSES
from mobile_gym.task_registry.grounding.own.apps import kind_of
from mobile_gym.task_registry.grounding.own.build import (
    PLATFORMS,
    Recipe,
    _recipes,
    build,
    items_of,
    own_items,
    verbatim,
)
from mobile_gym.task_registry.grounding.own.capture import Capture, origin_of, rewrite
from mobile_gym.task_registry.grounding.own.changes import PUBLISHED, compare, shares
from mobile_gym.task_registry.grounding.own.crawl import crawl, recorded
from mobile_gym.task_registry.grounding.own.elements import Element
from mobile_gym.task_registry.grounding.own.instructions import Place, fits, instructions_for, role_of
from mobile_gym.task_registry.grounding.own.ios import ios_like
from mobile_gym.task_registry.grounding.own.looks import load_data
from mobile_gym.task_registry.grounding.own.old import old_version
from mobile_gym.task_registry.grounding.own.pages import Page, PageLost, studio
from mobile_gym.task_registry.grounding.own.plan import chosen
from mobile_gym.task_registry.grounding.own.render import Rendered, lay_out
from mobile_gym.task_registry.grounding.own.web import web_like

APP = "com.mobench.messenger"
PAGES = 3
Recipes = dict[str, list[Recipe]]


@pytest.fixture(scope="module")
def recipes() -> Recipes:
    return {platform: build("zh", platform, [APP], PAGES)[1] for platform in PLATFORMS}


@pytest.fixture(scope="module")
def screens() -> list[tuple[Page, Capture]]:
    pages = recorded()[APP]
    known = {page.id: page for page in pages}
    found = []
    with studio("zh") as place:
        for page in [page for page in pages if not page.way][:PAGES]:
            place.go(APP, page, known)
            found.append((page, place.look()))
    return found


def renderings(page: Page, screen: Capture) -> list[Rendered]:
    return [lay_out(plan) for plan in (old_version(screen, page.variant, page.id), ios_like(screen), web_like(screen))]


def test_every_platform_has_items_and_every_change_is_a_class(recipes: Recipes) -> None:
    assert all(len(found) >= 2 * PAGES for found in recipes.values())
    assert {recipe.version for recipe in recipes["android"]} == {"old", "new"}
    assert {recipe.change for recipe in recipes["android"]} <= set(CHANGE_CLASSES)
    assert not any(r.change == "addition" for r in recipes["android"] if r.version == "old")
    assert not any(r.change == "deletion" for r in recipes["android"] if r.version == "new")


def test_an_instruction_is_alone_on_its_screen_and_seldom_holds_the_label(recipes: Recipes) -> None:
    for found in recipes.values():
        counts = Counter((recipe.page, recipe.version, recipe.text) for recipe in found)
        assert set(counts.values()) == {1}
    every = verbatim(recipe for found in recipes.values() for recipe in found)
    assert sum(held for _, held in every.values()) <= 0.25 * sum(items for items, _ in every.values())


def test_a_page_is_asked_of_for_more_than_one_thing_or_a_way_back(recipes: Recipes) -> None:
    for found in recipes.values():
        pages: dict[tuple[str, str], list[str]] = {}
        for recipe in found:
            pages.setdefault((recipe.page, recipe.version), []).append(recipe.role)
        assert all(len(roles) >= 2 and set(roles) != {"back"} for roles in pages.values())


def test_every_app_of_the_phone_has_a_category_of_its_own() -> None:
    with studio("zh") as place:
        packages = {app.package for app in place.apps()}
    assert packages <= set(load_data("apps.yaml")["apps"])
    assert all(kind_of(package)["category"] for package in packages)
    assert kind_of("com.mobench.oakridge")["category"] == "Shopping"


def test_boxes_lie_between_the_bars_and_never_overlap_by_halves(screens: list[tuple[Page, Capture]]) -> None:
    for page, screen in screens:
        for shown in renderings(page, screen):
            boxes = [element.box for element in shown.elements]
            width, height = shown.plan.size
            assert all(0 <= box[0] < box[2] <= width and 0 < box[1] < box[3] <= height for box in boxes)
            for number, one in enumerate(boxes):
                for other in boxes[number + 1 :]:
                    assert not overlap_by_halves(one, other), (screen.screen, one, other)


def overlap_by_halves(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return wide > 0 and high > 0 and 0.1 * min(areas) < wide * high < 0.98 * min(areas)


def test_ios_centres_its_titles_and_the_web_has_words_in_place_of_bars(screens: list[tuple[Page, Capture]]) -> None:
    titled = 0
    for _, screen in screens:
        plan = ios_like(screen)
        for node in plan.panes[0].root.walk():
            if node.id == "toolbar_title" and node.text:
                assert (node.place, node.text_align) == ("center-center", "center")
                titled += 1
        assert not [node for pane in web_like(screen).panes for node in pane.root.walk() if node.id == "toolbar"]
    assert titled


def test_a_draw_gives_the_same_older_version_and_another_one_another(screens: list[tuple[Page, Capture]]) -> None:
    page, screen = screens[0]
    plans = [lay_out(old_version(screen, variant, page.id)).elements for variant in (3, 3, 4, 0)]
    assert plans[0] == plans[1]
    assert plans[0] != plans[2]
    new = {origin_of(node) for layer in screen.layers for node in layer.root.walk()}
    assert {element.origin for element in plans[3]} <= new


def test_rewriting_does_not_touch_the_tree_that_it_copies(screens: list[tuple[Page, Capture]]) -> None:
    root = screens[0][1].layers[0].root
    before = [(node.kind, node.text, node.icon) for node in root.walk()]
    rewrite(root, lambda node: node.replace(text="x", icon="check"))
    assert [(node.kind, node.text, node.icon) for node in root.walk()] == before
    with pytest.raises(ValueError, match="whole tree"):
        rewrite(root, lambda node: None)


def test_a_way_that_no_longer_leads_there_is_told() -> None:
    page = Page("p1", "main", parent="p0", tap="gone#7")
    with studio("zh") as place, pytest.raises(PageLost, match="gone#7"):
        place.go(APP, page, {"p0": recorded()[APP][0], "p1": page})


def test_an_app_is_crawled_anew_after_its_recorded_pages_were_looked_at() -> None:
    package = "org.mobench.calculator"
    known = {page.id: page for page in recorded()[package]}
    with studio("zh") as place:
        fresh = [page.data() for page in crawl(place, package)]
        place.forget(package)
        place.go(package, replace(known["p0"], id="p1"), {})
        assert [page.data() for page in crawl(place, package)] == fresh


def test_a_few_lost_pages_are_left_out_and_many_are_told() -> None:
    pages = recorded()[APP]
    gone = Page("gone", "main", parent="p0", tap="gone#7")
    with studio("zh") as place:
        few = list(_recipes(place, APP, [pages[0], gone, *pages[1:]], "ios", 4))
        assert few
        assert all(recipe.page != "gone" for recipe in few)
        with pytest.raises(PageLost):
            list(_recipes(place, APP, [pages[0], gone], "ios", 0))


def test_pages_that_are_kept_bring_their_ways() -> None:
    pages = [Page("p0", "a"), Page("p1", "a", parent="p0"), Page("p2", "b", parent="p1"), Page("p3", "a", parent="p2")]
    kept = chosen(pages, 2)
    assert [(page.id, page.way) for page in kept] == [("p0", False), ("p1", True), ("p2", False)]


def element(label: str, role: str = "row", detail: str = "", checked: bool = False, **changes: object) -> Element:
    texts = tuple(text for text in (label, detail) if text)
    values: dict[str, object] = {"origin": label, "box": (0, 0, 10, 10), "icons": ()}
    return Element(role=role, label=label, detail=detail, checked=checked, texts=texts, **{**values, **changes})  # type: ignore[arg-type]


@given(
    st.lists(
        st.builds(
            element,
            st.sampled_from(["Wi-Fi", "wi-fi", "Sound", "Mum"]),
            st.sampled_from(["row", "entry", "switch", "button", "back", "slider", "checkbox", "tab"]),
            st.sampled_from(["", "on", "off"]),
            st.booleans(),
        ),
        max_size=8,
    ),
    st.sampled_from(["zh", "en"]),
)
def test_no_instruction_fits_two_elements(elements: list[Element], language: str) -> None:
    said = instructions_for(elements, Place("Page", language))
    assert len({one.text for one in said}) == len(said)
    for one in said:
        rivals = [
            other
            for other in elements
            if other is not one.element and fits(one.element.label, one.role, other, role_of(other))
        ]
        # Where another element has the name too, the sentence has a text that only the one meant has.
        assert all(one.element.detail in one.text and one.element.detail not in other.texts for other in rivals)


def test_classes_of_change() -> None:
    size = (1000, 2000)
    new = [element(name, box=(0, 100, 100, 200)) for name in ("same", "moved", "said", "both", "added")]
    old = [
        element("same", box=(0, 110, 100, 210)),
        element("moved", box=(0, 300, 100, 400)),
        element("was said", origin="said", box=(0, 100, 100, 200)),
        element("was both", origin="both", box=(0, 100, 100, 160)),
        element("gone", box=(0, 100, 100, 200)),
    ]
    changes = compare(old, new, size)
    assert dict(changes.new) == {
        "same": "none",
        "moved": "layout",
        "said": "text_or_icon",
        "both": "both",
        "added": "addition",
    }
    assert changes.old["gone"] == "deletion"
    assert sum(changes.counts().values()) == 6


def test_published_shares_are_those_of_table_3() -> None:
    assert sum(PUBLISHED.values()) == pytest.approx(1.0)
    assert set(shares({"none": 2, "both": 2})) == set(CHANGE_CLASSES)
    assert shares({"none": 2, "both": 2})["both"] == 0.5


def test_changes_come_in_the_published_proportions() -> None:
    _, recipes = build("zh", "android")
    counts = Counter(one.change for one in recipes if one.version == "old" or one.change == "addition")
    for name, share in shares(counts).items():
        assert share == pytest.approx(PUBLISHED[name], abs=0.015), name
    assert len(recipes) >= 4000


def test_pictures_are_painted_when_looked_at_and_boxes_are_not_blank(recipes: Recipes) -> None:
    pages = {APP: recorded()[APP]}
    items = items_of("zh", pages, [recipes[platform][0] for platform in PLATFORMS])
    for item in items:
        frame = item.load()
        height, width, _ = frame.shape
        box = item.box
        inside = frame[
            round(box.top * height) : round(box.bottom * height), round(box.left * width) : round(box.right * width)
        ]
        assert len(np.unique(inside.reshape(-1, 3), axis=0)) > 2
        assert item.source == "synthetic"


def test_items_have_the_same_picture_exactly_where_they_are_of_one_rendering(recipes: Recipes) -> None:
    pages = {APP: recorded()[APP]}
    every = [recipe for platform in PLATFORMS for recipe in recipes[platform]]
    names = {}
    for recipe, item in zip(every, items_of("zh", pages, every), strict=True):
        names.setdefault((recipe.page, recipe.platform, recipe.version), set()).add(item.picture)
    assert all(len(found) == 1 for found in names.values())
    assert len(set().union(*names.values())) == len(names)


def test_a_language_that_there_is_not() -> None:
    with pytest.raises(GroundingSetError, match="fr"):
        own_items("fr")


def test_environments_are_registered_without_cost() -> None:
    for split in ("android-old", "android-new", "ios", "web", "all"):
        spec = gymnasium.spec(f"MoBench/trans-{split}")
        assert isinstance(spec.entry_point, str)
        assert json.loads(json.dumps(spec.kwargs)) == spec.kwargs
    code = (
        "import mobile_gym, sys; print([m for m in sys.modules if m.startswith(('mobile_gym.phone', 'numpy.random'))])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "mobile_gym.phone" not in loaded


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same small part of the set, written by two processes."""
    folders = [tmp_path_factory.mktemp("export") / name for name in ("one", "two")]
    command = "import sys; from mobile_gym.cli import main; main(sys.argv[1:])"
    processes = []
    for number, folder in enumerate(folders):
        arguments = ["trans", "build", "--apps", APP, "--pages", "1", "--out", str(folder)]
        environment = {**os.environ, "PYTHONHASHSEED": str(number + 1)}
        whole = [sys.executable, "-c", command, *arguments]
        processes.append(subprocess.Popen(whole, env=environment, stdout=subprocess.DEVNULL))
    assert [process.wait() for process in processes] == [0, 0]
    return folders


def test_two_processes_write_the_same_bytes(exports: list[Path]) -> None:
    first, second = ({p.relative_to(root): p.read_bytes() for p in root.rglob("*") if p.is_file()} for root in exports)
    assert len(first) >= 6
    assert first == second


def test_the_official_loader_reads_what_was_written(exports: list[Path]) -> None:
    items: list[GroundingItem] = load_official(exports[0])
    assert {item.source for item in items} == {"synthetic"}
    assert all(of_split(items, split) for split in ("android-old", "android-new", "ios"))
    assert {item.change for item in of_split(items, "ios")} == {""}
    assert any(item.change for item in of_split(items, "android-new"))
    assert items[0].load().ndim == 3
    assert all(item.page for item in items)
