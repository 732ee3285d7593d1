"""The launcher, used as a person uses it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mobile_gym.phone.phone import Phone
from mobile_gym.phone.ui.node import Node
from tests.support.driver import Driver, faults

CLOCK, CALCULATOR, SETTINGS = "com.android.deskclock", "org.mobench.calculator", "com.android.settings"
LAUNCHER = "com.android.launcher3"


@pytest.fixture
def phone() -> Iterator[Phone]:
    made = Phone(snapshot="clean", language="zh")
    yield made
    made.close()


@pytest.fixture
def screen(phone: Phone) -> Driver:
    return Driver(phone)


def rows(phone: Phone, where: str = "1") -> list[dict[str, object]]:
    return phone.providers.query("content://com.android.launcher3.settings/favorites", where=where)


def row_of(phone: Phone, package: str) -> dict[str, object]:
    return rows(phone, f"package = '{package}'")[0]


def centre(node: Node) -> tuple[int, int]:
    assert node.visible is not None
    left, top, right, bottom = node.visible
    return (left + right) // 2, (top + bottom) // 2


def label(phone: Phone, package: str) -> str:
    return phone.apps[package].label(phone.language)


def carry(phone: Phone, screen: Driver, what: str, onto: str) -> None:
    phone.input.drag(*centre(screen.by_text(what)), *centre(screen.by_text(onto)))
    phone.settle()


def make_folder(phone: Phone, screen: Driver) -> None:
    carry(phone, screen, "计算器", "时钟")


def open_drawer(phone: Phone) -> None:
    width, height, _ = phone.screen
    phone.input.swipe(width // 2, height * 6 // 10, width // 2, height // 4)
    phone.settle()


def test_first_screen_tells_time_and_both_dates(screen: Driver) -> None:
    assert screen.by_id("clock").text == "8:26"
    assert screen.by_id("date").text == "3月12日 星期四"
    assert screen.by_id("lunar_date").text == "正月廿四"


def test_every_app_has_one_icon(phone: Phone) -> None:
    assert sorted(str(row["package"]) for row in rows(phone)) == phone.packages.launchable()
    places = [(row["container"], row["screen"], row["cell"]) for row in rows(phone)]
    assert len(set(places)) == len(places)


def test_icons_open_apps_and_home_comes_back(phone: Phone, screen: Driver) -> None:
    screen.tap_text("设置")
    assert phone.activities.resumed().package == SETTINGS
    screen.key("HOME")
    assert phone.activities.resumed().package == LAUNCHER


def test_icon_moves_to_a_free_cell(phone: Phone, screen: Driver) -> None:
    taken = {(row["screen"], row["cell"]) for row in rows(phone, "container = -100")}
    free = next(cell for cell in range(19, -1, -1) if (0, cell) not in taken)
    x = 145 + 242 * (free % 4)
    y = centre(screen.by_text("时钟"))[1]
    first = int(str(row_of(phone, CLOCK)["cell"])) // 4
    phone.input.drag(*centre(screen.by_text("时钟")), x, y + (free // 4 - first) * 262)
    assert row_of(phone, CLOCK)["cell"] == free


def test_icon_on_icon_makes_a_folder_that_can_be_named_and_dissolved(phone: Phone, screen: Driver) -> None:
    place = row_of(phone, CLOCK)
    make_folder(phone, screen)
    folder = rows(phone, "itemType = 2")[0]
    assert (folder["screen"], folder["cell"]) == (place["screen"], place["cell"])
    assert {str(row["package"]) for row in rows(phone, f"container = {folder['_id']}")} == {CLOCK, CALCULATOR}
    screen.tap_id("folder")
    assert screen.has("时钟")
    assert screen.has("计算器")
    screen.tap_id("folder_name")
    screen.type("工具")
    assert rows(phone, "itemType = 2")[0]["title"] == "工具"
    screen.key("HOME")
    assert screen.has("工具")
    screen.tap_id("folder")
    screen.tap_text("计算器")
    assert phone.activities.resumed().package == CALCULATOR
    screen.key("HOME")
    screen.long_press_id("folder")
    screen.tap_text("解散文件夹")
    assert not rows(phone, "itemType = 2")
    assert screen.has("时钟")
    assert screen.has("计算器")


def test_folder_is_renamed_from_its_menu(phone: Phone, screen: Driver) -> None:
    make_folder(phone, screen)
    screen.long_press_id("folder")
    screen.tap_text("重命名")
    screen.type("常用")
    screen.tap_text("保存")
    assert screen.has("常用")


def test_taking_the_last_but_one_out_ends_the_folder(phone: Phone, screen: Driver) -> None:
    make_folder(phone, screen)
    screen.tap_id("folder")
    screen.long_press_text("时钟")
    screen.tap_text("移出文件夹")
    assert not rows(phone, "itemType = 2")
    assert {row_of(phone, package)["container"] for package in (CLOCK, CALCULATOR)} == {-100}


def test_app_goes_to_a_folder_by_its_menu(phone: Phone, screen: Driver) -> None:
    screen.long_press_text("时钟")
    screen.tap_text("移入文件夹")
    screen.tap_text("计算器", -1)
    assert len(rows(phone, "itemType = 2")) == 1


def test_app_info(phone: Phone, screen: Driver) -> None:
    screen.long_press_text("时钟")
    screen.tap_text("应用信息")
    assert phone.activities.resumed().package == SETTINGS
    assert screen.has("时钟")


def test_removed_icon_stays_in_the_drawer_and_comes_back(phone: Phone, screen: Driver) -> None:
    screen.long_press_text("时钟")
    screen.tap_text("从主屏幕移除")
    assert not rows(phone, f"package = '{CLOCK}'")
    screen.key("HOME")
    assert not screen.has("时钟")
    open_drawer(phone)
    screen.long_press_text("时钟")
    screen.tap_text("添加到主屏幕")
    screen.key("HOME")
    assert screen.has("时钟")


def test_uninstalled_apps_vanish_and_installed_ones_get_a_cell(phone: Phone, screen: Driver) -> None:
    entry = phone.packages.entry(CALCULATOR)
    entry["system"] = False
    phone.invalidate()
    screen.long_press_text("计算器")
    screen.tap_text("卸载")
    assert screen.has("要卸载“计算器”吗？")
    screen.tap_text("确定")
    assert CALCULATOR not in phone.packages.names()
    assert not screen.has("计算器")
    assert not rows(phone, f"package = '{CALCULATOR}'")
    phone.state.interface["packages"][CALCULATOR] = entry
    phone.invalidate()
    assert screen.has("计算器")
    screen.key("HOME")
    assert row_of(phone, CALCULATOR)["container"] == -100


def test_system_apps_cannot_be_uninstalled(screen: Driver) -> None:
    screen.long_press_text("时钟")
    assert not screen.has("卸载")


def test_full_pages_go_on_on_a_next_one(phone: Phone, screen: Driver) -> None:
    for _ in range(24):
        phone.providers.insert(
            "content://com.android.launcher3.settings/favorites",
            {"package": SETTINGS, "screen": 1, "cell": len(rows(phone, "screen = 1"))},
        )
    assert screen.by_id("page_indicator").desc == "主屏幕：第 1 屏，共 2 屏"
    phone.input.swipe(900, 1200, 200, 1200)
    assert screen.by_id("page_indicator").desc == "主屏幕：第 2 屏，共 2 屏"
    assert len([node for node in screen.nodes() if node.id == "icon" and node.text == "设置"]) == 24
    screen.key("HOME")
    assert screen.by_id("page_indicator").desc == "主屏幕：第 1 屏，共 2 屏"


def test_drawer_lists_all_apps_by_name(phone: Phone, screen: Driver) -> None:
    screen.tap_id("all_apps_handle")
    names = [node.text for node in screen.nodes() if node.id == "icon"]
    assert set(names) <= {label(phone, package) for package in phone.packages.launchable()}
    assert names.index("计算器") < names.index("设置") < names.index("时钟")
    screen.back()
    assert screen.has("8:26")
    open_drawer(phone)
    screen.key("HOME")
    assert screen.has("8:26")


@pytest.mark.parametrize("query", ["计算", "jsq", "calc"])
def test_search_finds_apps_by_name_initials_and_english_name(phone: Phone, screen: Driver, query: str) -> None:
    screen.tap_id("search_bar")
    screen.type(query)
    assert [node.text for node in screen.nodes() if node.id == "icon"] == ["计算器"]
    screen.key("ENTER")
    assert phone.activities.resumed().package == CALCULATOR


def test_search_without_a_result_says_so(screen: Driver) -> None:
    screen.tap_id("search_bar")
    screen.type("zzqq没有")
    assert screen.has("没有与“zzqq没有”匹配的结果") or screen.has("在网上搜索“zzqq没有”")


def test_notification_dots(phone: Phone, screen: Driver) -> None:
    phone.notifier.post(CLOCK, "a", "闹钟", "", posted_ms=0)
    assert screen.has("时钟，有 1 条通知")
    phone.notifier.clear()
    assert not screen.has("时钟，有 1 条通知")


def test_wallpaper_menu_and_pulling_down(phone: Phone, screen: Driver) -> None:
    phone.input.long_press(540, 1500)
    phone.settle()
    screen.tap_text("设置", -1)
    assert phone.activities.resumed().package == SETTINGS
    screen.key("HOME")
    phone.input.swipe(540, 900, 540, 1500)
    assert phone.windows.focused().name == "shade"


def test_layout_survives_a_snapshot(phone: Phone, screen: Driver) -> None:
    make_folder(phone, screen)
    phone.save_snapshot("folder")
    screen.long_press_id("folder")
    screen.tap_text("解散文件夹")
    phone.load_snapshot("folder")
    assert screen.by_id("folder").text == "文件夹"


@pytest.mark.parametrize(
    ("profile", "language", "dark", "scale"),
    [
        ("pixel_6a", "zh", "1", "1.0"),
        ("pixel_6a", "en", "2", "1.3"),
        ("small", "zh", "2", "1.3"),
        ("small", "en", "1", "1.0"),
    ],
)
def test_every_view_is_whole(profile: str, language: str, dark: str, scale: str) -> None:
    phone = Phone(profile, language, "lived_in")
    phone.put_setting("secure", "ui_night_mode", dark)
    phone.put_setting("system", "font_scale", scale)
    screen = Driver(phone)
    found: list[str] = []

    def check() -> None:
        for window in phone.windows.windows:
            found.extend(faults(window.root))

    check()
    names = [node for node in screen.nodes() if node.id == "icon" and node.y < phone.screen[1] // 2]
    phone.input.drag(*centre(names[0]), *centre(names[1]))
    check()
    screen.tap_id("folder")
    check()
    screen.key("HOME")
    screen.long_press_id("icon")
    check()
    screen.back()
    screen.long_press_id("folder")
    check()
    screen.back()
    open_drawer(phone)
    check()
    screen.tap_id("search_box")
    screen.type("s")
    check()
    phone.close()
    assert not found


def test_turned_screen_keeps_all_icons(phone: Phone, screen: Driver) -> None:
    before = {node.text for node in screen.nodes() if node.id == "icon"}
    phone.put_setting("system", "user_rotation", "1")
    assert {node.text for node in screen.nodes() if node.id == "icon"} == before
