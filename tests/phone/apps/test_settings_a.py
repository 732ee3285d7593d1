"""Settings, first half: search, network, Bluetooth, sound, display, notifications, battery."""

from __future__ import annotations

import pytest

from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.system.app import Screen
from tests.support.driver import Driver, faults

PACKAGE = "com.android.settings"
NETWORKS = f"content://{PACKAGE}/wifi_networks"
DEVICES = f"content://{PACKAGE}/bluetooth_devices"


@pytest.fixture
def phone() -> Phone:
    return Phone(snapshot="lived_in", language="zh")


@pytest.fixture
def driver(phone: Phone) -> Driver:
    driver = Driver(phone)
    driver.open(PACKAGE)
    return driver


def get(phone: Phone, name: str) -> str | None:
    namespace, key = name.split("/")
    return phone.state.settings.get(namespace, key)


def go(driver: Driver, *titles: str) -> None:
    for title in titles:
        driver.scroll_to_text(title)
        driver.tap_text(title)


def network(phone: Phone, ssid: str) -> dict[str, object]:
    return phone.providers.query(NETWORKS, None, f"ssid = '{ssid}'")[0]


# ---- first page and search


def test_first_page_lists_groups_and_leads_to_pages(driver: Driver) -> None:
    for title in ("网络和互联网", "已连接的设备", "通知", "声音和振动", "显示和触摸", "电池"):
        driver.scroll_to_text(title)
    assert any(text.startswith("82% - ") for text in driver.texts())
    go(driver, "电池")
    assert driver.phone.activities.resumed().flat() == f"{PACKAGE}/.Settings$PowerUsageSummaryActivity"


def test_search_finds_as_one_types_and_opens(driver: Driver) -> None:
    driver.tap_id("search_action_bar")
    driver.type("字")
    assert driver.has("字体大小")
    driver.type("号")
    driver.tap_text("字体大小")
    assert driver.has("预览")
    driver.back()
    driver.tap_id("search_src_text_clear")
    driver.type("屏幕调暗")
    assert driver.has("亮度")
    driver.tap_id("search_src_text_clear")
    driver.type("没有这个")
    assert driver.has("没有找到结果")


def test_search_in_english_finds_rows_by_other_words() -> None:
    driver = Driver(Phone(language="en"))
    driver.open(PACKAGE)
    driver.tap_id("search_action_bar")
    driver.type("loud")
    driver.tap_text("Alarm volume")
    assert driver.has("Sound & vibration")


def test_every_page_is_found_by_its_title(phone: Phone) -> None:
    driver = Driver(phone)
    app = phone.apps[PACKAGE]
    driver.open(PACKAGE, ".search.SearchActivity")
    for screen in app.screens:
        if getattr(screen, "searchable", False):
            context = phone.activities.context(phone.activities.top())
            title = context.tr(screen.title)  # type: ignore[attr-defined]
            driver.replace_text("search_src_text", title)
            driver.key("BACK")
            assert driver.has(title), title


def test_implicit_intents_open_pages(phone: Phone) -> None:
    phone.activities.start(Intent(action="android.settings.SETTINGS"))
    assert phone.activities.resumed().flat() == f"{PACKAGE}/.Settings"
    phone.activities.start(Intent(action="android.settings.WIFI_SETTINGS"))
    assert phone.activities.resumed().flat() == f"{PACKAGE}/.Settings$WifiSettingsActivity"


# ---- Wi-Fi


def test_wifi_asks_for_the_password_until_it_is_right(driver: Driver, phone: Phone) -> None:
    go(driver, "网络和互联网", "WLAN", "幸福里2402")
    driver.type("1234")
    driver.tap_text("连接")
    assert driver.has("密码至少需要 8 个字符")
    driver.replace_text("password", "12345678")
    driver.tap_text("连接")
    assert driver.has("密码错误，请重新输入")
    assert not network(phone, "幸福里2402")["connected"]
    driver.tap_id("show_password_layout")
    driver.replace_text("password", "88888888")
    assert driver.has("88888888")
    driver.tap_text("连接")
    assert network(phone, "幸福里2402")["connected"] == 1
    assert network(phone, "幸福里2403")["connected"] == 0
    assert get(phone, "global/wifi_connected") == "幸福里2402"


def test_password_dialog_stays_above_the_keyboard(driver: Driver, phone: Phone) -> None:
    go(driver, "网络和互联网", "WLAN", "ChinaNet-8F2A")
    keyboard = next((w for w in phone.windows.windows if w.name == "keyboard"), None)
    if keyboard is not None:
        panel = driver.by_id("parentPanel")
        assert panel.y + panel.h <= keyboard.root.y


def test_forgetting_a_network_takes_the_phone_offline(driver: Driver, phone: Phone) -> None:
    go(driver, "网络和互联网", "WLAN", "幸福里2403的详细信息", "取消保存")
    assert network(phone, "幸福里2403")["saved"] == 0
    assert get(phone, "global/wifi_connected") == ""


def test_wifi_off_and_on_leaves_and_joins(driver: Driver, phone: Phone) -> None:
    go(driver, "网络和互联网", "WLAN", "使用 WLAN")
    assert get(phone, "global/wifi_on") == "0"
    assert get(phone, "global/wifi_connected") == ""
    assert driver.has("要查看可用网络，请打开 WLAN")
    go(driver, "使用 WLAN")
    assert get(phone, "global/wifi_connected") == "幸福里2403"


def test_open_and_hidden_networks(driver: Driver, phone: Phone) -> None:
    go(driver, "网络和互联网", "WLAN", "社区免费WiFi")
    assert get(phone, "global/wifi_connected") == "社区免费WiFi"
    go(driver, "添加网络")
    driver.type("Hidden")
    driver.tap_id("password")
    driver.type("secret12")
    driver.back()
    go(driver, "保存")
    assert network(phone, "Hidden")["saved"] == 1
    assert network(phone, "Hidden")["password"] == "secret12"
    go(driver, "已保存的网络")
    assert driver.has("Hidden")
    assert driver.has("不在范围内")


def test_airplane_mode_silences_radios_and_gives_them_back(driver: Driver, phone: Phone) -> None:
    go(driver, "网络和互联网", "飞行模式")
    assert [get(phone, f"global/{key}") for key in ("airplane_mode_on", "wifi_on", "bluetooth_on")] == ["1", "0", "0"]
    assert get(phone, "global/bluetooth_connected") == ""
    go(driver, "SIM 卡")
    driver.tap_text("移动数据")
    assert get(phone, "global/mobile_data") == "1"
    driver.back()
    go(driver, "飞行模式")
    assert get(phone, "global/wifi_connected") == "幸福里2403"
    assert get(phone, "global/bluetooth_connected") == "助听器"


def test_mobile_data_and_network_kind(driver: Driver, phone: Phone) -> None:
    go(driver, "网络和互联网", "SIM 卡", "移动数据", "首选网络类型", "4G")
    assert get(phone, "global/mobile_data") == "0"
    assert get(phone, "global/preferred_network_mode") == "9"


def test_hotspot_name_and_password(driver: Driver, phone: Phone) -> None:
    go(driver, "网络和互联网", "WLAN 热点", "使用 WLAN 热点", "热点密码")
    driver.replace_text("hotspot_password", "short")
    driver.tap_text("保存")
    assert driver.has("密码至少需要 8 个字符")
    driver.replace_text("hotspot_password", "longenough")
    driver.tap_text("保存")
    go(driver, "热点名称")
    driver.replace_text("hotspot_name", "Fang")
    driver.tap_text("保存")
    assert get(phone, "global/wifi_ap_on") == "1"
    assert get(phone, "global/wifi_ap_passphrase") == "longenough"
    assert get(phone, "global/wifi_ap_ssid") == "Fang"


def test_provider_of_networks_keeps_one_connected(phone: Phone) -> None:
    phone.providers.insert(NETWORKS, {"ssid": "New", "password": "abcdefgh", "connected": 1})
    rows = phone.providers.query(NETWORKS, None, "connected = 1")
    assert [(row["ssid"], row["saved"]) for row in rows] == [("New", 1)]
    assert get(phone, "global/wifi_connected") == "New"
    phone.providers.delete(NETWORKS, "ssid = 'New'")
    assert get(phone, "global/wifi_connected") == ""


# ---- Bluetooth


def test_pairing_shows_a_code_and_connects(driver: Driver, phone: Phone) -> None:
    go(driver, "已连接的设备", "与新设备配对", "健康手环")
    assert driver.has("518203")
    driver.tap_text("配对")
    row = phone.providers.query(DEVICES, None, "name = '健康手环'")[0]
    assert (row["paired"], row["connected"]) == (1, 1)
    assert driver.has("健康手环")


def test_rename_and_unpair(driver: Driver, phone: Phone) -> None:
    go(driver, "已连接的设备", "助听器的详细信息", "重命名")
    driver.replace_text("name", "左耳")
    driver.tap_id("button1")
    assert get(phone, "global/bluetooth_connected") == "左耳"
    driver.tap_text("取消配对")
    assert driver.has("要取消与左耳的配对吗？")
    driver.tap_id("button1")
    assert phone.providers.query(DEVICES, None, "name = '左耳'")[0]["paired"] == 0
    assert get(phone, "global/bluetooth_connected") == ""


def test_bluetooth_switch_drops_and_restores_links(driver: Driver, phone: Phone) -> None:
    go(driver, "已连接的设备", "蓝牙", "使用蓝牙")
    assert get(phone, "global/bluetooth_connected") == ""
    assert not driver.has("助听器")
    go(driver, "使用蓝牙")
    assert get(phone, "global/bluetooth_connected") == "助听器"


def test_clean_phone_has_nothing_paired() -> None:
    phone = Phone(snapshot="clean", language="en")
    assert phone.providers.query(DEVICES, None, "paired = 1") == []
    assert get(phone, "global/wifi_connected") == "Maple2403"


# ---- sound


def test_volume_sliders(driver: Driver, phone: Phone) -> None:
    go(driver, "声音和振动")
    for title, stream, share, level in (("媒体音量", "music", 1.0, 25), ("闹钟音量", "alarm", 0.0, 0)):
        driver.slide(driver.find(lambda n, t=title: n.desc == t, title), share)
        assert get(phone, f"system/volume_{stream}") == str(level)
    driver.slide(driver.find(lambda n: n.desc == "铃声和通知音量", "ring"), 1.0)
    assert (get(phone, "system/volume_ring"), get(phone, "system/volume_notification")) == ("7", "7")


def test_notification_volume_by_itself(driver: Driver, phone: Phone) -> None:
    go(driver, "声音和振动", "更多音量设置")
    driver.slide(driver.find(lambda n: n.desc == "通知音量", "notification volume"), 0.0)
    assert (get(phone, "system/volume_ring"), get(phone, "system/volume_notification")) == ("5", "0")


def test_ringtone_is_kept_only_by_save(driver: Driver, phone: Phone) -> None:
    go(driver, "声音和振动", "手机铃声", "老式电话铃")
    assert driver.has("正在试听")
    driver.back()
    assert get(phone, "system/ringtone") == "jasmine_piano"
    go(driver, "手机铃声", "老式电话铃", "保存")
    assert get(phone, "system/ringtone") == "old_telephone"
    assert driver.has("老式电话铃")


def test_ringer_mode_and_switches(driver: Driver, phone: Phone) -> None:
    go(driver, "声音和振动", "拨号键盘提示音", "响铃模式", "静音")
    assert get(phone, "system/dtmf_tone") == "0"
    assert (get(phone, "global/mode_ringer"), get(phone, "system/volume_ring")) == ("0", "0")


def test_do_not_disturb_goes_on_and_off_by_its_schedule(driver: Driver, phone: Phone) -> None:
    go(driver, "声音和振动", "勿扰", "每晚定时开启")
    assert get(phone, "secure/zen_schedule_enabled") == "1"
    assert get(phone, "global/zen_mode") == "0"
    hour = 3_600_000
    phone.advance(14 * hour)
    assert get(phone, "global/zen_mode") == "1"
    phone.advance(9 * hour)
    assert get(phone, "global/zen_mode") == "0"
    go(driver, "允许的来电", "所有人", "开启勿扰")
    assert get(phone, "global/zen_calls") == "anyone"
    assert get(phone, "global/zen_mode") == "1"


def test_setting_the_clock_applies_a_schedule(driver: Driver, phone: Phone) -> None:
    go(driver, "声音和振动", "勿扰", "每晚定时开启")
    phone.set_time(phone.state.clock.now_ms + 15 * 3_600_000)
    assert get(phone, "global/zen_mode") == "1"


def test_clearing_the_data_forgets_networks_and_devices(phone: Phone) -> None:
    phone.packages.clear(PACKAGE)
    assert (get(phone, "global/wifi_connected"), get(phone, "global/bluetooth_connected")) == ("", "")


# ---- display


def test_font_size_scales_what_shows(driver: Driver, phone: Phone) -> None:
    go(driver, "显示和触摸", "字体大小")
    before = driver.by_text("小雨").h
    driver.tap_text("放大")
    driver.tap_text("放大")
    assert get(phone, "system/font_scale") == "1.3"
    assert driver.by_text("小雨").h > before
    driver.slide(driver.by_id("seekbar"), 1.0)
    assert get(phone, "system/font_scale") == "2.0"
    driver.scroll_to_text("恢复默认大小")
    driver.tap_text("恢复默认大小")
    assert get(phone, "system/font_scale") == "1.0"


def test_display_size_scales_everything(driver: Driver, phone: Phone) -> None:
    go(driver, "显示和触摸", "显示大小")
    before = driver.by_id("seekbar").h
    driver.tap_text("放大")
    assert int(get(phone, "secure/display_density_forced") or 0) > 420
    assert driver.by_id("seekbar").h > before
    driver.tap_text("缩小")
    assert get(phone, "secure/display_density_forced") is None


def test_brightness_timeout_rotation_dark_theme(driver: Driver, phone: Phone) -> None:
    go(driver, "显示和触摸")
    driver.slide(driver.find(lambda n: n.desc == "亮度", "brightness"), 1.0)
    go(driver, "自动调节亮度", "屏幕自动关闭", "5 分钟", "自动旋转屏幕")
    assert int(get(phone, "system/screen_brightness") or 0) > 250
    assert get(phone, "system/screen_brightness_mode") == "1"
    assert get(phone, "system/screen_off_timeout") == "300000"
    assert get(phone, "system/accelerometer_rotation") == "1"


def test_dark_theme_by_switch_and_by_schedule(driver: Driver, phone: Phone) -> None:
    go(driver, "显示和触摸", "深色主题", "使用深色主题")
    assert get(phone, "secure/ui_night_mode") == "2"
    assert phone.dark
    go(driver, "定时开启")
    assert get(phone, "secure/ui_night_mode") == "1", "it is morning, and the schedule says dark at night"


def test_schedule_time_is_set_in_a_dialog(driver: Driver, phone: Phone) -> None:
    go(driver, "显示和触摸")
    driver.scroll_to_text("护眼模式")
    driver.tap_text("护眼模式")
    go(driver, "使用护眼模式", "定时开启")
    assert get(phone, "secure/night_display_activated") == "0"
    go(driver, "开始时间")
    driver.tap_text("确定")
    assert get(phone, "secure/night_display_custom_start_time") == str(22 * 3_600_000)


def test_wallpaper_is_previewed_and_set(driver: Driver, phone: Phone) -> None:
    go(driver, "显示和触摸", "壁纸", "大海", "设置壁纸", "主屏幕")
    assert get(phone, "system/wallpaper") == "wallpaper/ocean"
    assert get(phone, "system/lock_wallpaper") == "wallpaper/dusk"


# ---- notifications and battery


def test_blocking_an_app_takes_its_notifications_away(driver: Driver, phone: Phone) -> None:
    phone.notifier.post(PACKAGE, "k", "更新", "有新版本")
    go(driver, "通知", "应用通知", "设置")
    assert driver.has("有新版本")
    go(driver, "所有“设置”的通知")
    assert not phone.packages.notifications_allowed(PACKAGE)
    assert driver.has("“设置”不会显示任何通知。")
    assert phone.notifications() == [n for n in phone.notifications() if n.package != PACKAGE]


def test_lock_screen_choice_and_history(driver: Driver, phone: Phone) -> None:
    phone.notifier.post(PACKAGE, "k", "更新", "有新版本", silent=True)
    go(driver, "通知", "锁定屏幕上的通知", "隐藏敏感内容")
    assert get(phone, "secure/lock_screen_show_notifications") == "1"
    assert get(phone, "secure/lock_screen_allow_private_notifications") == "0"
    go(driver, "横幅通知", "通知历史记录")
    assert get(phone, "global/heads_up_notifications_enabled") == "0"
    driver.scroll_to_text("有新版本")
    driver.scroll_to(lambda node: node.text == "更新", "title")


def test_battery_saver_and_percentage(driver: Driver, phone: Phone) -> None:
    go(driver, "电池", "电量百分比", "省电模式", "使用省电模式", "自动开启", "电量低于 20% 时")
    assert get(phone, "system/status_bar_show_battery_percent") == "0"
    assert get(phone, "global/low_power") == "1"
    assert get(phone, "global/low_power_trigger_level") == "20"


# ---- every screen and overlay

OVERLAYS: dict[str, tuple[str, dict[str, object]]] = {
    "wifi": ("password", {"id": 2}),
    "wifi_details": ("share", {"id": 1}),
    "wifi_add": ("security", {}),
    "hotspot": ("edit", {"what": "hotspot_name"}),
    "bluetooth": ("rename", {}),
    "bluetooth_pair": ("pair", {"id": 3}),
    "bluetooth_device": ("unpair", {"id": 1}),
    "wallpaper_preview": ("where", {"paper": "ocean"}),
    "notifications": ("lock_screen", {}),
    "display": (
        "choose",
        {
            "title": "screen_timeout",
            "namespace": "system",
            "key": "screen_off_timeout",
            "choices": [[str(n), f"minutes_{n}"] for n in (1, 2, 5, 10, 30)],
            "default": "1",
        },
    ),
    "dark_theme": (
        "time",
        {"title": "start_time", "namespace": "secure", "key": "dark_theme_custom_start_time", "default": "0"},
    ),
}


def own_screens(phone: Phone) -> list[type[Screen]]:
    return [screen for screen in phone.apps[PACKAGE].screens if ".device" not in screen.__module__]


@pytest.mark.parametrize(
    ("profile", "language", "dark", "scale"),
    [
        ("pixel_6a", "zh", False, 1.0),
        ("pixel_6a", "en", True, 1.3),
        ("small", "en", False, 1.0),
        ("small", "zh", True, 2.0),
    ],
)
def test_every_screen_lays_out_soundly(profile: str, language: str, dark: bool, scale: float) -> None:
    phone = Phone(profile=profile, snapshot="lived_in", language=language)
    phone.put_setting("secure", "ui_night_mode", "2" if dark else "1")
    phone.put_setting("system", "font_scale", str(scale))
    driver = Driver(phone)
    for screen in own_screens(phone):
        driver.open(PACKAGE, screen.activity)
        record = phone.activities.top()
        found = [fault for window in phone.windows.windows for fault in faults(window.root)]
        while driver.scroll():
            found += faults(phone.windows.focused().root)
        if screen.name in OVERLAYS:
            name, args = OVERLAYS[screen.name]
            record["overlays"].append({"name": name, "args": args, "ui": {}})
            phone.invalidate()
            found += faults(phone.windows.focused().root)
            record["overlays"].clear()
            phone.invalidate()
        assert not found, (screen.name, found)
