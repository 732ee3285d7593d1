"""Intents: what users want of elements, said without their labels; no two elements of a page are wanted alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from pydantic import ValidationError

from mobile_gym.phone.ui.fonts import icon_names
from mobile_gym.phone.ui.layout import Layouter
from mobile_gym.phone.ui.metrics import metrics_for
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.theme import theme_for
from mobile_gym.task_registry.grounding.own.android import new_version
from mobile_gym.task_registry.grounding.own.apps import place_of
from mobile_gym.task_registry.grounding.own.capture import Capture
from mobile_gym.task_registry.grounding.own.changes import distance
from mobile_gym.task_registry.grounding.own.crawl import recorded
from mobile_gym.task_registry.grounding.own.elements import Element, elements_of
from mobile_gym.task_registry.grounding.own.instructions import Place, instructions_for
from mobile_gym.task_registry.grounding.own.intents import COMMON, Intent, intent_files, intent_of
from mobile_gym.task_registry.grounding.own.looks import load_data
from mobile_gym.task_registry.grounding.own.naming import holds, is_wordy, number_words, ordinal, part_of
from mobile_gym.task_registry.grounding.own.pages import Page, PageLost, studio
from mobile_gym.task_registry.grounding.own.plan import Planner
from mobile_gym.task_registry.grounding.own.render import lay_out

APPS = ("com.mobench.shop", "com.mobench.wallet", "com.android.messaging", "com.android.settings")
PAGES = 6


def screens(language: str) -> Iterator[Capture]:
    """The first pages of some apps."""
    with studio(language) as place:
        for package in APPS:
            pages = recorded()[package]
            known = {page.id: page for page in pages}
            for page in [page for page in pages if not page.way][:PAGES]:
                try:
                    place.go(package, page, known)
                except PageLost:
                    continue
                yield place.look()


@pytest.fixture(scope="module", params=["zh", "en"])
def shown(request: pytest.FixtureRequest) -> list[Capture]:
    return list(screens(request.param))


def element(name: str, label: str, **changes: object) -> Element:
    values: dict[str, object] = {
        "origin": f"{name}/{label}",
        "role": "row",
        "detail": "",
        "checked": False,
        "box": (0, 0, 10, 10),
        "texts": (label,),
        "icons": (),
        "id": name,
    }
    return Element(label=label, **{**values, **changes})  # type: ignore[arg-type]


def spoken(elements: list[Element], package: str, screen: str = "main", language: str = "zh") -> dict[str, str]:
    said = instructions_for(elements, Place("页面", language, package, screen))
    return {one.element.origin: one.text for one in said}


# ---- the data


def test_every_file_is_of_an_app_of_the_phone_and_says_everything_twice_in_both_languages() -> None:
    with studio("zh") as place:
        packages = {app.package for app in place.apps()}
    files = intent_files()
    assert {file.package for file in files.values()} - {COMMON} == packages
    assert list(files.values())[-1].package == COMMON
    for file in files.values():
        for intent in file.intents:
            assert intent.omit or min(len(set(intent.zh or ())), len(set(intent.en or ()))) >= 2, intent.id


def test_an_intent_with_one_wording_or_an_unknown_slot_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least 2"):
        Intent.model_validate({"id": "x", "zh": ["一"], "en": ["one", "two"]})
    with pytest.raises(ValidationError, match="colour"):
        Intent.model_validate({"id": "x", "zh": ["{colour}的", "二"], "en": ["one", "two"]})
    with pytest.raises(ValidationError, match="needs wordings"):
        Intent.model_validate({"id": "x", "zh": ["一", "二"]})


def test_what_older_versions_had_is_wanted_in_two_ways_and_has_a_sign_that_there_is() -> None:
    data = load_data("retired.yaml")
    entries = [entry for kind in ("rows", "actions") for group in data[kind] for entry in group["entries"]]
    assert {entry["icon"] for entry in entries} <= icon_names()
    for entry in entries:
        for language in ("zh", "en"):
            assert len(set(entry["wish"][language])) >= 2
            assert not any(holds(wish, entry[language]) for wish in entry["wish"][language])


# ---- instructions


def test_a_brightness_slider_is_spoken_of_by_what_is_wrong() -> None:
    slider = element("seekbar", "亮度", role="slider")
    text = spoken([slider], "com.android.settings", "display")[slider.origin]
    assert "屏幕" in text
    assert "亮度" not in text


def test_two_elements_that_are_wanted_alike_get_no_wish_unless_it_tells_them_apart() -> None:
    bells = [element("action_search", "搜索", origin="a"), element("action_search", "搜索", origin="b")]
    assert spoken(bells, "com.android.messaging", "inbox") == {}
    products = [element("product_card", name) for name in ("羊绒围巾 秋冬加厚", "羊毛手套 男女通用")]
    said = spoken(products, "com.mobench.shop", "results")
    assert ["羊绒围巾" in said[products[0].origin], "羊毛手套" in said[products[1].origin]] == [True, True]
    assert not any(holds(said[one.origin], one.label) for one in products)
    same = [element("product_card", "羊绒围巾", origin="a"), element("flash_item", "羊绒围巾", origin="b")]
    assert spoken(same, "com.mobench.shop", "main") == {}


def test_elements_of_one_meaning_are_rivals_though_their_ids_differ() -> None:
    pair = [element("service_scan", "扫一扫", origin="a"), element("home_scan", "扫码", origin="b")]
    said = spoken(pair, "com.mobench.wallet")
    assert all("扫" in text for text in said.values())
    assert len(set(said.values())) == len(said)
    alone = spoken(pair[:1], "com.mobench.wallet")
    assert "扫一扫" not in alone["a"]


def test_a_switch_is_wanted_on_or_off_as_it_stands() -> None:
    off = element("airplane_mode", "飞行模式", role="switch")
    on = element("airplane_mode", "飞行模式", role="switch", checked=True)
    texts = [spoken([one], "com.android.settings", "network")[one.origin] for one in (off, on)]
    assert texts[0] != texts[1]


def test_labels_without_meaning_are_not_spoken() -> None:
    senseless = [element("", label) for label in ("(^_^)", "0.00", "7", "无", "¥")]
    assert spoken(senseless, "com.android.messaging") == {}
    face = element("face", "(T_T)", role="entry")
    assert "T_T" not in spoken([face], "com.android.messaging", "thread/faces")[face.origin]
    assert is_wordy("蓝牙")
    assert not any(map(is_wordy, ("(^o^)", "12:30", "无", "¥ 8.00", "★")))


def test_no_two_elements_of_a_page_have_the_same_wish(shown: list[Capture]) -> None:
    assert len(shown) >= len(APPS) * (PAGES - 1)
    labelled = every = 0
    for screen in shown:
        place = place_of(screen)
        elements = lay_out(new_version(screen)).elements
        said = instructions_for(elements, place)
        assert max(Counter(one.text.casefold() for one in said).values(), default=1) == 1
        wishes = {one.element.origin: one.text for one in said}
        for one in said:
            intent = intent_of(one.element, one.role, place.language, place.package, place.screen)
            if intent is None or "{" in "".join(intent.wordings(place.language, one.role.endswith("_off"))):
                continue
            # What names nothing of its element may be said of one alone.
            rivals = [
                other
                for other in elements
                if other is not one.element
                and intent_of(other, one.role, place.language, place.package, place.screen) is intent
                and wishes[one.element.origin] in intent.wordings(place.language, one.role.endswith("_off"))
                and other.checked == one.element.checked
            ]
            assert not rivals, (screen.package, place.screen, one.text)
        every += len(said)
        labelled += sum(holds(one.text, one.element.label) for one in said)
    assert labelled <= 0.25 * every


# ---- names


def test_names_are_shortened_as_people_do() -> None:
    assert part_of("小丽（女儿）", "zh", []) == "小丽"
    assert part_of("女儿 小丽", "zh", ["女儿 小红"]) == "小丽"
    assert part_of("李桂芬", "zh", []) == "桂芬"
    assert part_of("何师傅", "zh", []) == "何师傅"
    assert part_of("五常稻花香大米 东北新米", "zh", []) == "五常稻花香大米"
    assert part_of("Turkish cotton bath towels, set of 2", "zh", []) == "cotton bath towels"
    assert part_of("Grace Lee", "en", []) == "Grace"
    assert part_of("City Water", "en", []) == "City Water"
    assert part_of("Dr. Chen", "en", []) == "Dr. Chen"


def test_numbers_are_said_in_words() -> None:
    assert [number_words(text, "zh") for text in ("7", "10", "12", "31", "2026")] == [
        "七",
        "十",
        "十二",
        "三十一",
        "2026",
    ]
    assert [number_words(text, "en") for text in ("7", "21", "30", "x")] == ["seven", "twenty-one", "thirty", "x"]
    assert [ordinal(text, "en") for text in ("1", "12", "20", "23")] == [
        "first",
        "twelfth",
        "twentieth",
        "twenty-third",
    ]


# ---- fields


def laid_out(root: Node) -> list[Element]:
    layouter = Layouter(metrics_for(1.0, 1.0), theme_for(False), {}, {})
    layouter.run(root, (0, 0, 400, 800), 0)
    return elements_of(root, (400, 800), 1.0)


def test_a_field_is_its_visible_surface_and_is_called_by_its_label() -> None:
    inner = Node("field", hint="0.00", id="amount", field_id="amount", width=FILL)
    line = Node(
        "row", (Node("text", text="转账金额"), inner.replace(weight=1.0)), width=FILL, pad=(16.0, 16.0, 16.0, 16.0)
    )
    card = Node("col", (line,), width=FILL, height=FILL)
    (found,) = laid_out(card)
    assert found.label == "转账金额"
    assert found.box == line.visible
    filled = Node("field", hint="姓名", id="name", field_id="name", width=FILL)
    box = Node("row", (filled,), width=FILL, min_height=56.0, pad=(16.0, 8.0, 16.0, 8.0), bg="surfaceContainerHighest")
    (found,) = laid_out(Node("col", (box,), width=FILL, height=FILL))
    assert found.box == box.visible
    assert found.label == "姓名"


def test_a_field_beside_a_button_ends_where_the_button_begins() -> None:
    inner = Node("field", hint="短信", id="text", field_id="text", weight=1.0)
    button = Node("box", (Node("icon", icon="send"),), width=48.0, height=48.0, on_tap=lambda: None, desc="发送")
    bar = Node("row", (inner, button), width=FILL, height=56.0)
    found = {one.label: one for one in laid_out(Node("col", (bar,), width=FILL, height=FILL))}
    field = found["短信"]
    assert field.box[2] <= found["发送"].box[0]
    assert field.box[3] - field.box[1] == 56


# ---- the plan


def test_draws_are_chosen_again_when_all_pages_are_known() -> None:
    with studio("zh") as place:
        planner = Planner(place)
        plans = {package: planner.pages(package) for package in ("com.android.launcher3", "org.mobench.calculator")}
        before = distance(planner.counts)
        settled: dict[str, list[Page]] = planner.settled(plans)
    assert distance(planner.counts) <= before
    assert {name: [page.id for page in pages] for name, pages in settled.items()} == {
        name: [page.id for page in pages] for name, pages in plans.items()
    }
