"""The device's half of the settings: apps, storage, location, security, accessibility, system, about."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mobile_gym.phone.apps.settings import device
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.system.app import load_strings
from tests.support.apk import make_apk
from tests.support.driver import Driver, faults

SETTINGS = "com.android.settings"
MESSAGES = "com.android.messaging"
CLOCK = "com.android.deskclock"


@pytest.fixture(scope="module")
def kept() -> Iterator[Phone]:
    phone = Phone(snapshot="lived_in", language="zh")
    phone.save_snapshot("first")
    yield phone
    phone.close()


@pytest.fixture
def driver(kept: Phone) -> Driver:
    kept.load_snapshot("first")
    return Driver(kept)


def page(driver: Driver, name: str, **args: str) -> None:
    """Opens a page of the settings by name."""
    screen = next(screen for screen in device.SCREENS if screen.name == name)
    driver.phone.activities.start(Intent(package=SETTINGS, activity=screen.activity, extras=args))
    driver.phone.settle()


def setting(driver: Driver, name: str) -> str | None:
    namespace, key = name.split("/")
    return driver.phone.state.settings.get(namespace, key)


def rows(driver: Driver, table: str) -> list[dict[str, object]]:
    return driver.phone.providers.query(f"content://{SETTINGS}/{table}")


# ---- every page and dialog

OVERLAYS = [
    ("all_apps", "menu", {}),
    ("all_apps", "reset_apps", {}),
    ("app_info", "uninstall", {}),
    ("app_info", "disable", {}),
    ("app_info", "force_stop", {}),
    ("app_storage", "clear", {}),
    ("free_up_space", "confirm", {"packages": [CLOCK], "amount": "1 MB"}),
    ("storage_files", "delete", {"path": "/storage/emulated/0/Download/a.pdf"}),
    ("security", "lock_screen", {}),
    ("screen_lock", "remove", {"kind": "none"}),
    ("talkback", "turn_on", {}),
    ("talkback", "turn_off", {}),
    ("emergency_info", "text", {"column": "allergies"}),
    ("emergency_info", "pick", {"column": "blood_type"}),
    ("emergency_info", "pick", {"column": "organ_donor"}),
    ("emergency_info", "date", {"value": "1958-06-24"}),
    ("emergency_contacts", "remove", {"key": 1, "person": "A"}),
    ("account", "remove", {"key": 1}),
    ("wellbeing", "timer", {"package": CLOCK}),
    ("reset_options", "apps", {}),
    ("reset_options", "network", {}),
    ("erase_all", "last", {}),
    ("languages", "remove", {"tag": "en-US"}),
    ("keyboards", "default", {}),
    ("date_time", "date", {}),
    ("date_time", "clock", {}),
    ("developer", "debugging", {}),
    ("about", "rename", {}),
    ("about", "imei", {"imei": "35"}),
]


@pytest.mark.parametrize(
    ("profile", "language", "dark", "scale"),
    [("pixel_6a", "zh", False, "1.0"), ("pixel_6a", "en", True, "1.3"), ("small", "en", False, "1.3")],
)
def test_every_page_and_dialog_is_laid_out(profile: str, language: str, dark: bool, scale: str) -> None:
    phone = Phone(profile=profile, snapshot="lived_in", language=language)
    phone.put_setting("system", "font_scale", scale)
    phone.put_setting("secure", "ui_night_mode", "2" if dark else "1")
    phone.put_setting("global", "development_settings_enabled", "1")
    wrong = []
    for screen in device.SCREENS:
        phone.activities.start(Intent(package=SETTINGS, activity=screen.activity, clear=True))
        for window in phone.windows.windows:
            wrong += [f"{screen.name}: {fault}" for fault in faults(window.root)]
    for name, overlay, args in OVERLAYS:
        screen = next(screen for screen in device.SCREENS if screen.name == name)
        phone.activities.start(Intent(package=SETTINGS, activity=screen.activity, clear=True))
        phone.activities.context(phone.activities.top()).open_overlay(overlay, **args)
        phone.invalidate()
        for window in phone.windows.windows:
            wrong += [f"{name}/{overlay}: {fault}" for fault in faults(window.root)]
    phone.close()
    assert wrong == []


def test_every_action_opens_its_page(driver: Driver) -> None:
    for screen in device.SCREENS:
        for action in screen.actions if issubclass(screen, Page) else ():
            driver.phone.activities.start(Intent(package=SETTINGS, action=action, clear=True))
            assert driver.phone.activities.top()["screen"] == screen.name, action


def test_texts_do_not_hide_those_of_the_other_pages() -> None:
    own, other = load_strings("mobile_gym.phone.apps.settings.device"), load_strings("mobile_gym.phone.apps.settings")
    assert sorted(set(own) & set(other)) == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("急救", "急救信息"),
        ("助听器", "助听设备"),
        ("24", "使用 24 小时制"),
        ("血型", "血型"),
        ("锁屏密码", "屏幕锁定"),
    ],
)
def test_search_finds_pages_and_rows(driver: Driver, words: str, found: str) -> None:
    driver.open(SETTINGS, ".search.SearchActivity")
    driver.type(words)
    assert driver.has(found)


# ---- apps


def test_details_of_an_app_open_by_its_uri(driver: Driver) -> None:
    intent = Intent(action="android.settings.APPLICATION_DETAILS_SETTINGS", data=f"package:{CLOCK}")
    driver.phone.activities.start(intent)
    assert driver.has("时钟")


def test_all_apps_are_searched_and_sorted(driver: Driver) -> None:
    page(driver, "all_apps")
    driver.tap_id("search_app_list_menu")
    driver.type("短信")
    assert driver.has("短信")
    assert not driver.has("时钟")
    driver.back()
    driver.back()
    assert driver.has("所有应用")
    driver.tap_id("more_options")
    driver.tap_text("按大小排序")
    sizes = [sum(driver.phone.packages.info(p).size_bytes) for p in driver.phone.packages.launchable()]
    label = next(
        driver.phone.packages.info(p).label["zh"]
        for p in driver.phone.packages.launchable()
        if sum(driver.phone.packages.info(p).size_bytes) == max(sizes)
    )
    assert driver.by_id("title").text == label
    assert not driver.has("联系人存储")
    driver.tap_id("more_options")
    driver.tap_text("显示系统应用")
    driver.scroll_to_text("联系人存储")


def test_an_installed_app_is_uninstalled(driver: Driver) -> None:
    driver.phone.packages.install(make_apk("org.example.extra"))
    page(driver, "app_info", package="org.example.extra")
    driver.tap_text("卸载")
    driver.tap_text("确定")
    assert "org.example.extra" not in driver.phone.packages.names()


def test_an_app_is_disabled_and_enabled(driver: Driver) -> None:
    page(driver, "app_info", package=CLOCK)
    driver.tap_text("停用")
    driver.tap_text("停用应用")
    assert not driver.phone.packages.enabled(CLOCK)
    driver.tap_text("启用")
    assert driver.phone.packages.enabled(CLOCK)


def test_force_stop_asks_and_then_has_nothing_more_to_stop(driver: Driver) -> None:
    page(driver, "app_info", package=CLOCK)
    driver.tap_text("强行停止")
    driver.tap_text("确定")
    assert driver.phone.packages.entry(CLOCK)["stopped"]
    assert not driver.by_id("button_force_stop").enabled


def test_cache_and_data_are_cleared(driver: Driver) -> None:
    page(driver, "app_info", package=MESSAGES)
    driver.tap_text("存储空间和缓存")
    driver.tap_text("清除缓存")
    assert driver.phone.packages.info(MESSAGES).size_bytes[2] == 0
    driver.tap_text("清除存储空间")
    driver.tap_text("删除")
    assert driver.phone.packages.info(MESSAGES).size_bytes[1] == 0


def test_a_permission_is_taken_away(driver: Driver) -> None:
    page(driver, "app_info", package=MESSAGES)
    driver.tap_text("应用权限")
    driver.tap_text("通讯录")
    driver.tap_text("不允许")
    granted = driver.phone.packages.info(MESSAGES).permissions
    assert not granted["android.permission.READ_CONTACTS"]
    assert not granted["android.permission.WRITE_CONTACTS"]
    assert granted["android.permission.READ_SMS"]


def test_the_notification_permission_is_the_notification_switch(driver: Driver) -> None:
    packages, permission = driver.phone.packages, "android.permission.POST_NOTIFICATIONS"
    packages.set_permission(MESSAGES, permission, False)
    assert not packages.notifications_allowed(MESSAGES)
    page(driver, "app_info", package=MESSAGES)
    driver.tap_id("app_notification")
    driver.tap_id("main_switch_bar")
    assert packages.info(MESSAGES).permissions[permission]


def test_the_default_sms_app_is_listed(driver: Driver) -> None:
    page(driver, "default_apps")
    driver.tap_text("默认短信应用")
    driver.tap_id("choice")
    assert setting(driver, "secure/sms_default_application") == MESSAGES


# ---- storage


def test_ticked_caches_are_cleared(driver: Driver) -> None:
    page(driver, "free_up_space")
    driver.scroll_to_text("时钟")
    driver.tap_text("时钟")
    driver.scroll_to_id("deletion_helper_button")
    driver.tap_id("deletion_helper_button")
    driver.tap_text("清除")
    sizes = {package: driver.phone.packages.info(package).size_bytes[2] for package in driver.phone.packages.names()}
    assert [package for package, size in sizes.items() if size] == [CLOCK]


def test_a_download_is_deleted(driver: Driver) -> None:
    path = "/storage/emulated/0/Download/report.pdf"
    driver.phone.state.files.write(path, b"x" * 2048, mtime_ms=driver.phone.state.clock.now_ms)
    page(driver, "storage")
    driver.tap_text("下载内容")
    assert driver.has("2 KB · 3月12日")
    driver.tap_text("删除“report.pdf”")
    driver.tap_text("删除")
    assert not driver.phone.state.files.exists(path)


# ---- location, security


def test_location_is_switched_off(driver: Driver) -> None:
    page(driver, "location")
    driver.tap_id("main_switch_bar")
    assert setting(driver, "secure/location_mode") == "0"
    driver.tap_id("main_switch_bar")
    assert setting(driver, "secure/location_mode") == "3"


def enter(driver: Driver, pin: str, button: str) -> None:
    driver.type(pin)
    driver.tap_id(button)


def test_a_pin_is_set_confirmed_and_removed(driver: Driver) -> None:
    page(driver, "security")
    driver.tap_text("屏幕锁定")
    driver.tap_text("PIN 码")
    enter(driver, "12", "next_button")
    assert driver.has("PIN 码至少要有 4 位数")
    enter(driver, "34", "next_button")
    enter(driver, "9999", "confirm_button")
    assert driver.has("PIN 码不匹配，请重新设置")
    enter(driver, "1234", "next_button")
    enter(driver, "1234", "confirm_button")
    assert setting(driver, "secure/lockscreen_pin") == "1234"
    assert setting(driver, "secure/lockscreen_disabled") == "0"
    assert driver.has("安全和隐私")
    driver.tap_text("屏幕锁定")
    enter(driver, "0000", "next_button")
    assert driver.has("PIN 码错误")
    enter(driver, "1234", "next_button")
    driver.tap_text("滑动")
    driver.tap_text("删除")
    assert setting(driver, "secure/lockscreen_pin") is None
    assert setting(driver, "secure/lockscreen_disabled") == "0"


def test_five_wrong_pins_make_one_wait(driver: Driver) -> None:
    driver.phone.put_setting("secure", "lockscreen_pin", "1234")
    page(driver, "screen_lock")
    for _ in range(5):
        enter(driver, "0000", "next_button")
    enter(driver, "1234", "next_button")
    assert not driver.has("选择屏幕锁定方式")
    driver.phone.advance(30_000)
    driver.tap_id("next_button")
    assert driver.has("选择屏幕锁定方式")


def test_a_pin_cannot_be_replaced_without_the_old_one(driver: Driver) -> None:
    driver.phone.put_setting("secure", "lockscreen_pin", "1234")
    page(driver, "choose_pin")
    assert not any(node.kind == "field" for node in driver.nodes())
    driver.tap_id("next_button")
    assert driver.has("确认您的 PIN 码")


def test_installing_from_a_source_is_allowed(driver: Driver) -> None:
    page(driver, "install_unknown")
    driver.tap_text("短信")
    assert driver.phone.state.interface["appops"][MESSAGES] == {"REQUEST_INSTALL_PACKAGES": "allow"}


# ---- accessibility


def test_inversion_turns_every_colour_round(driver: Driver) -> None:
    page(driver, "legal")
    before = driver.phone.frame()
    page(driver, "color_inversion")
    driver.tap_id("main_switch_bar")
    driver.back()
    assert np.array_equal(driver.phone.frame(), 255 - before)
    page(driver, "color_inversion")
    driver.tap_id("main_switch_bar")
    assert setting(driver, "secure/accessibility_display_inversion_enabled") == "0"


def test_grey_takes_the_colour_and_correction_changes_it(driver: Driver) -> None:
    page(driver, "color_correction")
    driver.tap_id("main_switch_bar")
    corrected = driver.phone.frame()
    driver.tap_text("灰度模式")
    grey = driver.phone.frame()
    assert (grey[:, :, 0] == grey[:, :, 2]).all()
    assert not (corrected[:, :, 0] == corrected[:, :, 2]).all()


def test_bold_text_is_wider(driver: Driver) -> None:
    page(driver, "text_display")
    before = driver.phone.frame()
    driver.tap_text("粗体文字")
    assert setting(driver, "secure/font_weight_adjustment") == "300"
    driver.tap_text("粗体文字")
    assert np.array_equal(driver.phone.frame(), before)
    driver.tap_text("高对比度文字")
    assert not np.array_equal(driver.phone.frame(), before)


def test_the_magnifier_belongs_to_its_screen(driver: Driver) -> None:
    page(driver, "magnification")
    driver.tap_id("main_switch_bar")
    driver.tap_id("magnify_now")
    magnified = driver.phone.frame()
    middle = driver.phone.state.interface["magnifier"]["x"]
    driver.phone.input.swipe(700, 800, 300, 800, 600)
    assert driver.phone.state.interface["magnifier"]["x"] > middle
    assert not np.array_equal(driver.phone.frame(), magnified)
    driver.back()
    assert driver.phone.state.interface["magnifier"] is None
    driver.tap_id("magnify_now")
    driver.key("HOME")
    home = driver.phone.frame()
    driver.phone.state.interface["magnifier"] = None
    assert np.array_equal(driver.phone.frame(), home)


def test_talkback_asks_first(driver: Driver) -> None:
    page(driver, "talkback")
    driver.tap_id("main_switch_bar")
    assert setting(driver, "secure/touch_exploration_enabled") == "0"
    driver.tap_text("允许")
    assert setting(driver, "secure/touch_exploration_enabled") == "1"
    assert "talkback" in str(setting(driver, "secure/enabled_accessibility_services"))
    driver.tap_id("main_switch_bar")
    driver.tap_text("停用")
    assert setting(driver, "secure/enabled_accessibility_services") == ""
    assert setting(driver, "secure/accessibility_enabled") == "0"


def test_speech_gets_slower(driver: Driver) -> None:
    page(driver, "text_to_speech")
    driver.tap_id("icon_start")
    assert setting(driver, "secure/tts_default_rate") == "80"


# ---- emergency, accounts, wellbeing


def test_emergency_information_is_written(driver: Driver) -> None:
    page(driver, "emergency_info")
    driver.tap_text("血型")
    driver.tap_text("AB+")
    driver.tap_text("过敏史")
    driver.replace_text("info_text", "penicillin")
    driver.tap_text("保存")
    driver.tap_text("出生日期")
    driver.tap_id("month_navigation_previous")
    driver.tap_text("1958年5月9日")
    driver.tap_text("确定")
    info = rows(driver, "emergency_info")[0]
    assert (info["blood_type"], info["allergies"], info["birth_date"]) == ("AB+", "penicillin", "1958-05-09")


def test_a_year_is_picked(driver: Driver) -> None:
    page(driver, "emergency_info")
    driver.tap_text("出生日期")
    driver.tap_id("month_navigation_fragment_toggle")
    driver.tap_text("1953")
    driver.tap_text("确定")
    assert rows(driver, "emergency_info")[0]["birth_date"] == "1953-06-24"


def test_an_emergency_contact_is_added_and_removed(driver: Driver) -> None:
    contact = driver.phone.providers.query("content://com.android.contacts/data/phones", sort="_id")[0]
    page(driver, "emergency_contacts")
    driver.tap_text("添加联系人")
    driver.tap_id("contact_search")
    driver.type(str(contact["data1"]))
    driver.tap_id("contact_row")
    assert [row["number"] for row in rows(driver, "emergency_contacts")] == [contact["data1"]]
    driver.tap_id("delete_contact")
    driver.tap_text("移除")
    assert rows(driver, "emergency_contacts") == []


def test_a_timer_is_set(driver: Driver) -> None:
    page(driver, "app_time", package=CLOCK)
    driver.tap_text("应用定时器")
    driver.tap_text("30 分钟")
    assert [(row["package"], row["minutes"]) for row in rows(driver, "app_timers")] == [(CLOCK, 30)]


def test_accounts_sync_by_themselves_unless_switched_off(driver: Driver) -> None:
    page(driver, "accounts")
    driver.tap_text("自动同步应用数据")
    assert setting(driver, "global/auto_sync") == "0"
    driver.tap_id("account")
    driver.tap_text("日历")
    assert rows(driver, "accounts")[0]["sync_calendar"] == 0


# ---- system


def test_the_first_language_is_spoken_at_once(driver: Driver) -> None:
    page(driver, "languages")
    driver.tap_text("添加语言")
    driver.tap_text("English (United States)")
    driver.tap_text("上移“English (United States)”")
    assert setting(driver, "system/system_locales") == "en-US,zh-Hans-CN"
    assert driver.has("Languages")
    driver.tap_text("Remove 简体中文（中国）")
    driver.tap_text("Remove")
    assert setting(driver, "system/system_locales") == "en-US"


def test_time_is_set_by_hand_and_comes_back(driver: Driver) -> None:
    phone = driver.phone
    network, up = phone.state.clock.now_ms, phone.state.clock.uptime_ms
    page(driver, "date_time")
    driver.tap_text("自动设置时间")
    driver.tap_id("date")
    driver.tap_text("2026年3月20日")
    driver.tap_text("确定")
    assert phone.state.clock.now().day == 20
    driver.tap_id("time")
    driver.tap_id("material_timepicker_mode_button")
    driver.replace_text("input_hour", "9")
    driver.replace_text("input_minute", "05")
    driver.tap_text("确定")
    assert (phone.state.clock.now().hour, phone.state.clock.now().minute) == (9, 5)
    driver.tap_text("自动设置时间")
    passed = phone.state.clock.uptime_ms - up
    assert phone.state.clock.now_ms == network + passed


def test_a_time_zone_is_found_by_its_city(driver: Driver) -> None:
    page(driver, "date_time")
    driver.tap_text("自动设置时区")
    driver.tap_id("timezone")
    driver.tap_id("zone_search")
    driver.type("东京")
    driver.tap_id("zone")
    assert setting(driver, "global/time_zone") == "Asia/Tokyo"
    assert driver.phone.state.clock.now().hour == 9
    driver.tap_text("自动设置时区")
    assert setting(driver, "global/time_zone") == "Asia/Shanghai"


def test_24_hours(driver: Driver) -> None:
    page(driver, "date_time")
    driver.tap_id("24_hour")
    assert setting(driver, "system/time_12_24") == "24"


def test_the_only_keyboard_stays_on(driver: Driver) -> None:
    page(driver, "keyboards")
    assert not driver.by_id("keyboard").enabled
    driver.phone.packages.install(make_apk("com.android.adbkeyboard"))
    driver.tap_id("keyboard", 1)
    driver.tap_id("current_input_method")
    driver.tap_id("choice", 1)
    assert setting(driver, "secure/default_input_method") == "com.android.adbkeyboard/.AdbIME"
    driver.tap_id("keyboard", 1)
    assert setting(driver, "secure/default_input_method") == "com.android.inputmethod.pinyin/.PinyinIME"


def test_networks_are_forgotten(driver: Driver) -> None:
    page(driver, "reset_options")
    driver.tap_text("重置网络设置")
    driver.tap_text("重置设置")
    assert all(not row["saved"] for row in rows(driver, "wifi_networks"))
    assert setting(driver, "global/wifi_connected") == ""


def test_erasing_makes_a_new_phone(driver: Driver) -> None:
    page(driver, "reset_options")
    driver.tap_id("factory_reset")
    driver.tap_id("initiate_master_clear")
    driver.tap_text("取消")
    assert driver.has("清除所有数据")
    driver.tap_id("initiate_master_clear")
    driver.tap_id("button1")
    assert rows(driver, "emergency_info")[0]["allergies"] == ""
    assert driver.phone.activities.resumed().package == "com.android.launcher3"


def test_the_last_check_for_updates_is_told(driver: Driver) -> None:
    page(driver, "system_update")
    assert driver.has("昨天")
    driver.tap_text("检查更新")
    assert not driver.has("昨天")


# ---- about


def test_seven_taps_make_a_developer(driver: Driver) -> None:
    page(driver, "about")
    node = driver.scroll_to_id("build_number")
    for tap in range(7):
        assert setting(driver, "global/development_settings_enabled") in (None, "0"), tap
        driver.tap_node(node)
    assert setting(driver, "global/development_settings_enabled") == "1"
    page(driver, "system")
    driver.tap_text("开发者选项")
    driver.tap_text("保持唤醒状态")
    assert setting(driver, "global/stay_on_while_plugged_in") == "7"


def test_the_phone_is_renamed(driver: Driver) -> None:
    page(driver, "about")
    driver.tap_id("device_name")
    driver.replace_text("device_name_field", "Fang")
    driver.tap_text("保存")
    assert setting(driver, "global/device_name") == "Fang"
    assert driver.has("Fang")


def test_erasing_and_developer_options_ask_for_the_pin(driver: Driver) -> None:
    driver.phone.put_setting("secure", "lockscreen_pin", "1234")
    page(driver, "about")
    node = driver.scroll_to_id("build_number")
    for _ in range(7):
        driver.tap_node(node)
    assert setting(driver, "global/development_settings_enabled") in (None, "0")
    enter(driver, "1234", "next_button")
    assert setting(driver, "global/development_settings_enabled") == "1"
    page(driver, "erase_all")
    driver.tap_id("initiate_master_clear")
    enter(driver, "1234", "next_button")
    assert driver.has("要清除所有数据吗？")
