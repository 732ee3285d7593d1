"""Touch and keys: double taps, long presses, selections, flings, odd settings."""

from __future__ import annotations

import pytest

from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from tests.support.driver import Driver


@pytest.fixture
def driver() -> Driver:
    phone = Phone(snapshot="lived_in")
    phone.activities.start(Intent(package="com.android.settings"))
    return Driver(phone)


def search_field(driver: Driver, text: str) -> tuple[int, int]:
    driver.phone.activities.open_screen("com.android.settings", "search", {})
    field = driver.find(lambda node: node.kind == "field", "a field")
    driver.phone.input.tap(field.x + 40, field.y + field.h // 2)
    driver.type(text)
    field = driver.find(lambda node: node.kind == "field", "a field")
    return field.x + 40, field.y + field.h // 2


def test_two_quick_taps_select_a_word_as_a_double_tap_does(driver: Driver) -> None:
    x, y = search_field(driver, "wifi name")
    driver.phone.input.double_tap(x, y)
    assert driver.phone.text_input.selected() == "wifi"
    driver.phone.settle()
    driver.phone.input.tap(x, y)
    assert driver.phone.text_input.selected() == ""
    driver.phone.input.tap(x, y)
    assert driver.phone.text_input.selected() == "wifi"


def test_two_slow_taps_are_two_taps(driver: Driver) -> None:
    x, y = search_field(driver, "wifi name")
    driver.phone.input.tap(x, y)
    driver.phone.advance(400)
    driver.phone.input.tap(x, y)
    assert driver.phone.text_input.selected() == ""


def test_select_all_copy_cut_and_paste_by_keys(driver: Driver) -> None:
    search_field(driver, "abc")
    driver.phone.input.key_combination(["CTRL_LEFT", "A"])
    driver.phone.input.key_combination(["CTRL_LEFT", "X"])
    assert driver.find(lambda node: node.kind == "field", "a field").text == ""
    driver.phone.input.key_combination(["CTRL_LEFT", "V"])
    driver.phone.input.key("PASTE")
    assert driver.find(lambda node: node.kind == "field", "a field").text == "abcabc"


def test_the_cursor_goes_where_the_finger_touches(driver: Driver) -> None:
    x, y = search_field(driver, "0123456789")
    driver.phone.settle()
    driver.phone.input.tap(x - 39, y)
    driver.type("<")
    driver.phone.input.key("MOVE_END")
    driver.type(">")
    assert driver.find(lambda node: node.kind == "field", "a field").text == "<0123456789>"


def test_a_fast_swipe_goes_further_than_a_drag_and_back_is_the_way_back(driver: Driver) -> None:
    driver.phone.activities.start(Intent(package="com.android.messaging"))
    start = driver.texts()
    driver.phone.input.drag(500, 1500, 500, 1200)
    dragged = max(driver.phone.activities.top()["scroll"].values())
    driver.phone.input.drag(500, 1200, 500, 1500)
    assert driver.texts() == start
    driver.phone.input.swipe(500, 1500, 500, 1200, 100)
    flung = max(driver.phone.activities.top()["scroll"].values())
    assert flung > dragged


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("system/font_scale", "0"),
        ("system/font_scale", "big"),
        ("secure/display_density_forced", "0"),
        ("secure/display_density_forced", "-5"),
        ("global/display_size_forced", "1,1"),
        ("global/time_zone", "No/Where"),
        ("system/screen_brightness", "bright"),
        ("system/volume_music", "loud"),
        ("system/user_rotation", "7"),
    ],
)
def test_no_setting_breaks_the_screen(driver: Driver, key: str, value: str) -> None:
    driver.phone.put_setting(*key.split("/"), value)
    for screen in ("main", "sound", "display"):
        driver.phone.activities.open_screen("com.android.settings", screen, {})
        driver.phone.frame((108, 240))
        assert driver.texts()


def test_a_turned_screen_is_laid_out_anew(driver: Driver) -> None:
    driver.phone.put_setting("system", "user_rotation", "1")
    assert driver.phone.screen == (2400, 1080, 1)
    assert driver.phone.frame().shape == (1080, 2400, 3)
    assert 'rotation="1"' in driver.phone.hierarchy_xml()
    assert max((node.visible or (0, 0, 0, 0))[2] for node in driver.nodes()) == 2400
