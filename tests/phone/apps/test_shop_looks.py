"""How the shop's pages hold together: bars over what scrolls, large text, one seller and one count everywhere."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mobile_gym.phone.apps.shop import store
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.ui.node import Node
from tests.support.driver import Driver

PACKAGE = "com.mobench.shop"
RICE = 301


def start(scale: str = "1.0", language: str = "zh") -> Driver:
    driver = Driver(Phone(snapshot="lived_in", language=language, profile="pixel_6a"))
    driver.phone.state.settings.put("system", "font_scale", scale)
    driver.open(PACKAGE)
    return driver


def go(driver: Driver, screen: str, **args: object) -> None:
    driver.phone.activities.open_screen(PACKAGE, screen, args)
    driver.phone.invalidate()
    driver.phone.settle()


def box(node: Node) -> tuple[int, int, int, int]:
    return node.x, node.y, node.x + node.w, node.y + node.h


def text_of(node: Node) -> Node:
    """The text inside a button."""
    return next(part for part in node.walk() if part.kind == "text")


def bar_of(driver: Driver, id: str) -> Node:
    """The row that holds a button."""
    return driver.find(lambda node: any(child.id == id for child in node.children), f"what holds {id!r}")


def test_the_bar_hides_what_scrolls_under_it_once_the_picture_is_gone() -> None:
    driver = start()
    go(driver, "detail", product=RICE)
    assert bar_of(driver, "open_search").bg is None, "discs over the picture"
    driver.scroll_to_id("facts_title")
    bar = bar_of(driver, "open_search")
    assert bar.bg == "card"
    assert bar.w == driver.phone.screen[0]
    while driver.scroll(down=False):
        pass
    assert bar_of(driver, "open_search").bg is None


def test_the_number_of_the_picture_never_lies_under_a_button() -> None:
    driver = start()
    go(driver, "detail", product=RICE)
    for _ in range(30):
        driver.phone.input.swipe(540, 1500, 540, 1420, 600)
        driver.phone.settle()
        numbers = [node for node in driver.nodes() if node.id == "picture_number"]
        bar = bar_of(driver, "open_search")
        if not numbers:
            break
        if bar.bg is None:
            assert numbers[0].y >= bar.y + bar.h


def test_the_search_field_is_a_surface_that_its_button_stays_in() -> None:
    """Only inside a surface of its own are the corners of the button blended with the outline behind them."""
    driver = start()
    driver.tap_id("search_bar")
    bar = driver.by_id("search_bar")
    assert bar.border
    assert bar.bg is not None


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_seller_is_the_same_on_every_page(language: str) -> None:
    driver = start(language=language)
    go(driver, "detail", product=RICE)
    seller = driver.scroll_to_id("shop_name").text
    driver.tap_id("shop_visit")
    assert driver.by_id("shop_name").text == seller
    driver.back()
    driver.tap_id("bottom_service")
    assert driver.by_id("toolbar_title").text == seller
    go(driver, "results", query="五常" if language == "zh" else "Wuchang")
    assert driver.by_id("shop_name").text == seller
    go(driver, "main", tab="cart")
    assert seller in driver.texts()


def test_the_carts_title_and_its_badge_count_the_same() -> None:
    driver = start()
    driver.tap_id("tab_cart")
    count = store.cart_count(driver.phone)
    assert count == 5
    assert driver.has(f"购物车（{count}）")
    assert str(count) in [node.text for node in driver.nodes() if node.id == "badge"]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("scale", ["1.0", "1.3", "1.5", "2.0"])
def test_large_text_has_room(scale: str, language: str) -> None:
    driver = start(scale, language)
    banner = box(driver.by_id("banner"))
    button = driver.by_id("banner_button")
    for node in (driver.by_id("banner_title"), driver.by_id("banner_detail"), button):
        assert box(node)[3] <= banner[3], f"{node.id} ends below the banner"
        assert not any(line.endswith("…") for line in node.lines)
    label = text_of(button)
    assert button.y <= label.y
    assert label.y + label.h <= button.y + button.h
    tab = driver.by_id("home_tab_recommend")
    head = driver.by_id("home_head")
    assert tab.y + sum(part.h for part in tab.children) <= head.y + head.h
    names = [node for node in driver.nodes() if node.id == "category_name"]
    rows: dict[int, list[Node]] = {}
    for node in names:
        rows.setdefault(node.y, []).append(node)
    for row in rows.values():
        for left, right in pairwise(row):
            gap = (right.w - max(right.line_widths)) / 2 + (left.w - max(left.line_widths)) / 2
            assert right.x - left.x - left.w + gap >= driver.phone.density_dpi / 160 * 5, "names run together"
    go(driver, "detail", product=RICE)
    for tag in (node for node in driver.nodes() if node.id == "tag"):
        assert text_of(tag).lines == (tag.text,), "cut short"
    for id in ("add_to_cart", "buy_now"):
        pill = driver.by_id(id)
        label = text_of(pill)
        assert len(label.lines) == 1
        assert label.lines[0] == pill.text, "cut short"
        assert pill.x + pill.w <= driver.phone.screen[0]


@pytest.mark.parametrize("query", ["保温杯", "台灯", "毛巾", "thermos", "towel"])
def test_common_goods_leave_a_choice(query: str) -> None:
    found = store.list_products(start().phone, {"query": query, "sort": "price_asc"})
    assert len(found) >= 2
    assert len({product["price_cents"] for product in found}) > 1, "sorting by price shows"
