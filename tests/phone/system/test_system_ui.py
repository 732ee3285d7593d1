"""The system's own windows, used as a person uses them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.ui.node import Node
from tests.support.driver import Driver, faults

SETTINGS = "com.android.settings"
CAMERA = "android.permission.CAMERA"
LOCATION = "android.permission.ACCESS_FINE_LOCATION"


@pytest.fixture
def phone() -> Iterator[Phone]:
    made = Phone(snapshot="clean", language="zh")
    yield made
    made.close()


def nodes(phone: Phone, id: str, window: str = "") -> list[Node]:
    """Nodes with a resource-id that show, in any window or in the one named."""
    return [
        node
        for found in phone.windows.windows
        if window in ("", found.name)
        for node in found.root.walk()
        if node.id == id and node.visible is not None
    ]


def centre(node: Node) -> tuple[int, int]:
    assert node.visible is not None
    left, top, right, bottom = node.visible
    return (left + right) // 2, (top + bottom) // 2


def tap(phone: Phone, id: str, index: int = 0) -> None:
    phone.input.tap(*centre(nodes(phone, id)[index]))


def setting(phone: Phone, name: str) -> str | None:
    namespace, _, key = name.partition("/")
    return phone.state.settings.get(namespace, key)


def pull_down(phone: Phone) -> Driver:
    phone.input.swipe(500, 20, 500, 1200)
    phone.settle()
    return Driver(phone)


def post(phone: Phone, key: str, title: str, text: str = "", **options: object) -> None:
    options.setdefault("posted_ms", phone.state.clock.now_ms - 120_000)
    phone.notifier.post(SETTINGS, key, title, text, **options)  # type: ignore[arg-type]


# ---- status bar


def bar_descriptions(phone: Phone) -> set[str]:
    window = next(window for window in phone.windows.windows if window.name == "status_bar")
    return {node.desc for node in window.root.walk() if node.desc}


def test_status_bar_tells_modes_and_radios(phone: Phone) -> None:
    phone.put_setting("global", "zen_mode", "1")
    phone.put_setting("global", "mode_ringer", "1")
    phone.put_setting("global", "low_power", "1")
    told = bar_descriptions(phone)
    assert {"勿扰", "振铃器振动", "省电模式", "移动网络信号满格", "电池电量：百分之 82"} <= told
    phone.put_setting("global", "airplane_mode_on", "1")
    told = bar_descriptions(phone)
    assert "飞行模式" in told
    assert "移动网络信号满格" not in told


def test_status_bar_names_the_network_only_without_wifi(phone: Phone) -> None:
    phone.put_setting("global", "wifi_connected", "Home")
    assert not nodes(phone, "mobile_type", "status_bar")
    phone.put_setting("global", "wifi_on", "0")
    assert [node.text for node in nodes(phone, "mobile_type", "status_bar")] == ["4G"]


@pytest.mark.parametrize("scale", ["1.0", "1.3", "2.0"])
def test_status_bar_stays_on_the_screen(phone: Phone, scale: str) -> None:
    phone.put_setting("system", "font_scale", scale)
    bar = next(window for window in phone.windows.windows if window.name == "status_bar")
    battery = nodes(phone, "battery", "status_bar")[0]
    assert battery.x + battery.w < phone.screen[0]
    assert not faults(bar.root)


def test_charging_is_told(phone: Phone) -> None:
    phone.state.interface["battery"].update(charging=True, level=100)
    phone.invalidate()
    assert "正在充电，已完成百分之 100" in bar_descriptions(phone)


def test_navigation_keys_work_over_a_dialog(phone: Phone) -> None:
    phone.open_surface("volume_panel")
    phone.input.tap(*centre(nodes(phone, "home", "navigation_bar")[0]))
    assert phone.windows.focused().name == "app"


# ---- shade


def test_shade_opens_by_swipe_and_closes_by_back_or_swipe(phone: Phone) -> None:
    screen = pull_down(phone)
    assert phone.windows.focused().name == "shade"
    assert screen.has("没有通知")
    screen.back()
    assert phone.windows.focused().name == "app"
    pull_down(phone)
    phone.input.swipe(500, 2200, 500, 1400)
    assert phone.windows.focused().name == "app"


def test_brightness_slider(phone: Phone) -> None:
    screen = pull_down(phone)
    slider = screen.by_id("brightness_slider")
    x, y = centre(slider)
    phone.input.swipe(x, y, slider.x + slider.w * 9 // 10, y, 600)
    assert int(setting(phone, "system/screen_brightness") or 0) == pytest.approx(230, abs=2)
    phone.input.tap(slider.x + 2, y)
    assert int(setting(phone, "system/screen_brightness") or 0) <= 3


@pytest.mark.parametrize(
    ("tile", "name", "before", "after"),
    [
        ("tile_internet", "global/wifi_on", "1", "0"),
        ("tile_bt", "global/bluetooth_on", "1", "0"),
        ("tile_flashlight", "secure/flashlight_enabled", None, "1"),
        ("tile_dnd", "global/zen_mode", "0", "1"),
        ("tile_rotation", "system/accelerometer_rotation", "0", "1"),
        ("tile_font_scaling", "system/font_scale", "1.0", "1.3"),
    ],
)
def test_tiles_turn_settings_and_back(phone: Phone, tile: str, name: str, before: str | None, after: str) -> None:
    screen = pull_down(phone)
    assert setting(phone, name) == before
    checked = screen.by_id(tile).checked
    screen.tap_id(tile)
    assert setting(phone, name) == after
    assert screen.by_id(tile).checked is not checked
    screen.tap_id(tile)
    assert setting(phone, name) == (before or "0")


def test_tiles_of_the_second_page(phone: Phone) -> None:
    screen = pull_down(phone)
    x, y = centre(screen.by_id("qs_pager"))
    phone.input.swipe(x + 300, y, x - 300, y)
    screen.tap_id("tile_dark")
    assert setting(phone, "secure/ui_night_mode") == "2"
    screen.tap_id("tile_location")
    assert setting(phone, "secure/location_mode") == "0"
    screen.tap_id("page_indicator")
    screen.tap_id("tile_screenshot")
    assert phone.windows.focused().name == "app"
    assert len(phone.state.files.list("/storage/emulated/0/Pictures/Screenshots")) == 1


def test_long_press_on_a_tile_opens_its_settings(phone: Phone) -> None:
    screen = pull_down(phone)
    screen.long_press_id("tile_internet")
    assert phone.windows.focused().name == "app"
    assert phone.activities.resumed().package == SETTINGS


def test_tiles_are_edited(phone: Phone) -> None:
    screen = pull_down(phone)
    screen.tap_id("edit_tiles")
    screen.tap_text("移除“手电筒”")
    screen.tap_text("添加“颜色反转”")
    order = (setting(phone, "secure/sysui_qs_tiles") or "").split(",")
    assert "flashlight" not in order
    assert order[-1] == "inversion"
    first, third = screen.by_id("tile_internet"), screen.by_id("tile_dnd")
    phone.input.drag(*centre(third), *centre(first))
    assert (setting(phone, "secure/sysui_qs_tiles") or "").split(",")[:3] == ["dnd", "internet", "bt"]
    screen.back()
    assert screen.has("蓝牙")
    assert not screen.has("手电筒")
    screen.tap_id("edit_tiles")
    screen.tap_text("重置")
    assert setting(phone, "secure/sysui_qs_tiles") is None


def test_a_few_tiles_must_stay(phone: Phone) -> None:
    phone.put_setting("secure", "sysui_qs_tiles", "internet,bt,dnd,dark")
    screen = pull_down(phone)
    screen.tap_id("edit_tiles")
    screen.tap_text("移除“蓝牙”")
    assert setting(phone, "secure/sysui_qs_tiles") == "internet,bt,dnd,dark"
    assert nodes(phone, "message")[0].text == "至少要保留 4 个图块"


def test_gear_opens_settings_and_power_opens_its_menu(phone: Phone) -> None:
    screen = pull_down(phone)
    screen.tap_id("settings_button_container")
    assert phone.activities.resumed().package == SETTINGS
    screen = pull_down(phone)
    screen.tap_id("pm_lite")
    assert phone.windows.focused().name == "power_menu"


def test_tap_on_a_notification_opens_its_target_over_the_app(phone: Phone) -> None:
    post(phone, "a", "找到网络", target={"screen": "search", "args": {}})
    screen = pull_down(phone)
    screen.tap_text("找到网络")
    assert phone.activities.resumed().package == SETTINGS
    assert [record["screen"] for record in phone.activities.front_task()["stack"]] == ["main", "search"]  # type: ignore[index]
    assert phone.notifier.posted == []
    assert phone.windows.focused().name == "app"


def test_notifications_are_swiped_away_but_not_ongoing_ones(phone: Phone) -> None:
    post(phone, "a", "第一条")
    post(phone, "b", "正在播放", ongoing=True)
    screen = pull_down(phone)
    for title in ("第一条", "正在播放"):
        x, y = centre(screen.by_text(title))
        phone.input.swipe(x, y, x + 500, y)
    assert [notice["key"] for notice in phone.notifier.posted] == ["b"]
    assert not screen.has("全部清除")


def test_clear_all_and_history(phone: Phone) -> None:
    post(phone, "old", "旧的", posted_ms=phone.state.clock.now_ms - 7_200_000)
    post(phone, "new", "新的")
    post(phone, "kept", "留下的", ongoing=True)
    screen = pull_down(phone)
    screen.tap_text("全部清除")
    assert [notice["key"] for notice in phone.notifier.posted] == ["kept"]
    screen.tap_text("历史记录")
    titles = [node.text for node in screen.nodes() if node.id == "title"]
    assert titles == ["新的", "旧的"]
    screen.tap_text("返回")
    assert screen.has("留下的")


def test_expander_shows_text_and_actions(phone: Phone) -> None:
    text = "包裹已到南门驿站，取件码 6-2-3017，请在今天晚上八点以前凭码领取，逾期会退回"
    action = {"label": "知道了", "broadcast": "x", "extras": {}}
    post(phone, "a", "快递通知", text, posted_ms=phone.state.clock.now_ms - 7_200_000, actions=[action])
    post(phone, "b", "别的")
    screen = pull_down(phone)
    assert not screen.has("知道了")
    screen.tap_id("expand_button", 1)
    assert screen.has("知道了")
    assert len(screen.by_text(text).lines) > 1
    screen.tap_id("expand_button", 1)
    assert not screen.has("知道了")


def test_reply_is_typed_in_the_shade_and_reaches_the_app(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Intent] = []

    def hear(intent: Intent) -> tuple[int, str | None]:
        heard.append(intent)
        return 0, None

    monkeypatch.setattr(phone.activities, "broadcast", hear)
    reply = {"label": "回复", "broadcast": "reply", "extras": {"thread": 3}, "reply": True}
    post(phone, "a", "孙女 乐乐", "奶奶好", actions=[reply])
    screen = pull_down(phone)
    screen.tap_text("回复")
    assert any(window.name == "keyboard" for window in phone.windows.windows)
    screen.type("好的")
    screen.tap_id("remote_input_send")
    assert [(i.package, i.action, i.extras) for i in heard] == [(SETTINGS, "reply", {"thread": 3, "reply": "好的"})]
    assert not any(window.name == "keyboard" for window in phone.windows.windows)


def test_closing_the_shade_takes_the_keyboard_away(phone: Phone) -> None:
    post(phone, "a", "问题", actions=[{"label": "回复", "broadcast": "reply", "extras": {}, "reply": True}])
    screen = pull_down(phone)
    screen.tap_text("回复")
    phone.close_surface("shade")
    assert phone.state.interface["focus"] is None
    assert not any(window.name == "keyboard" for window in phone.windows.windows)


# ---- heads-up


def test_heads_up_shows_then_goes(phone: Phone) -> None:
    post(phone, "a", "新消息", "晚上回家吃饭", posted_ms=phone.state.clock.now_ms)
    assert nodes(phone, "heads_up")
    assert "晚上回家吃饭" in phone.hierarchy_xml()
    phone.advance(6000)
    assert not nodes(phone, "heads_up")
    assert [notice["key"] for notice in phone.notifier.posted] == ["a"]


def test_heads_up_opens_or_goes_up(phone: Phone) -> None:
    post(phone, "a", "新消息", posted_ms=phone.state.clock.now_ms)
    x, y = centre(nodes(phone, "title", "heads_up")[0])
    phone.input.swipe(x, y, x, y - 200)
    assert not nodes(phone, "heads_up")
    post(phone, "b", "又一条", posted_ms=phone.state.clock.now_ms)
    phone.input.tap(*centre(nodes(phone, "title", "heads_up")[0]))
    assert phone.activities.resumed().package == SETTINGS
    assert [notice["key"] for notice in phone.notifier.posted] == ["a"]


def test_heads_up_reply_is_typed_in_the_shade(phone: Phone) -> None:
    reply = {"label": "回复", "broadcast": "reply", "extras": {}, "reply": True}
    post(phone, "a", "新消息", actions=[reply], posted_ms=phone.state.clock.now_ms)
    tap(phone, "action0")
    screen = Driver(phone)
    assert phone.windows.focused().name == "shade"
    screen.type("好")
    assert screen.by_id("remote_input_text").text == "好"


def test_no_heads_up_while_do_not_disturb_is_on(phone: Phone) -> None:
    phone.put_setting("global", "zen_mode", "1")
    post(phone, "a", "新消息", posted_ms=phone.state.clock.now_ms)
    assert not nodes(phone, "heads_up")


# ---- volume


def test_volume_keys_show_a_slider_that_drags(phone: Phone) -> None:
    before = int(setting(phone, "system/volume_music") or 0)
    phone.input.key("VOLUME_UP")
    assert int(setting(phone, "system/volume_music") or 0) == before + 1
    slider = nodes(phone, "volume_row_slider")[0]
    x, y = centre(slider)
    phone.input.swipe(x, y, x, slider.y + 2, 600)
    assert setting(phone, "system/volume_music") == "25"
    phone.advance(4000)
    assert not nodes(phone, "volume_row_slider")


def test_ringer_mode_from_the_volume_panel(phone: Phone) -> None:
    phone.input.key("VOLUME_DOWN")
    tap(phone, "ringer_icon")
    assert setting(phone, "global/mode_ringer") == "1"
    assert setting(phone, "system/volume_ring") == "0"


def test_all_volumes(phone: Phone) -> None:
    phone.input.key("VOLUME_DOWN")
    tap(phone, "settings")
    screen = Driver(phone)
    slider = screen.find(lambda node: node.desc == "闹钟音量" and node.id == "seekbar", "alarm slider")
    screen.slide(slider, 1.0)
    assert setting(phone, "system/volume_alarm") == "7"
    screen.tap_id("done")
    assert phone.windows.focused().name == "app"


# ---- recents


def test_recents_resumes_removes_and_clears(phone: Phone) -> None:
    phone.activities.start(Intent(package=SETTINGS))
    phone.input.key("HOME")
    phone.input.key("APP_SWITCH")
    screen = Driver(phone)
    screen.tap_id("task")
    assert phone.activities.resumed().package == SETTINGS
    phone.input.key("APP_SWITCH")
    x, y = centre(screen.by_id("snapshot"))
    phone.input.swipe(x, y, x, y - 700)
    assert phone.activities.tasks() == []
    assert phone.windows.focused().package == "com.android.launcher3"
    phone.activities.start(Intent(package=SETTINGS))
    phone.input.key("APP_SWITCH")
    screen.tap_text("全部清除")
    assert phone.activities.tasks() == []
    phone.input.key("APP_SWITCH")
    assert screen.has("近期没有任何内容")


def test_recents_draw_every_app_in_its_own_colours(phone: Phone) -> None:
    packages = phone.packages.launchable()
    for package in packages:
        phone.activities.start(Intent(package=package))
        phone.settle()
    phone.input.key("APP_SWITCH")
    screen = Driver(phone)
    seen: set[str] = set()
    for _ in range(2 * len(packages)):  # a swipe may move on by less than a card
        phone.frame((108, 240))
        seen |= {node.desc for node in screen.nodes() if node.id == "task"}
        phone.input.swipe(900, 1200, 300, 1200, 600)
    assert seen == {phone.apps[package].label("zh") for package in packages}


# ---- permissions


def ask(phone: Phone, permission: str) -> Driver:
    phone.packages.entry(SETTINGS)["permissions"].setdefault(permission, False)
    assert phone.request_permission(SETTINGS, permission) is False
    return Driver(phone)


def test_permission_is_allowed_or_denied_one_after_the_other(phone: Phone) -> None:
    screen = ask(phone, CAMERA)
    ask(phone, LOCATION)
    assert phone.activities.foreground().package == "com.android.permissioncontroller"
    assert screen.has("要允许“设置”拍摄照片和录制视频吗？")
    screen.tap_text("使用时允许")
    assert phone.packages.granted(SETTINGS, CAMERA)
    assert screen.has("要允许“设置”获取此设备的位置信息吗？")
    screen.tap_text("不允许")
    assert not phone.packages.granted(SETTINGS, LOCATION)
    assert phone.windows.focused().name == "app"
    assert phone.request_permission(SETTINGS, CAMERA) is True
    assert phone.windows.focused().name == "app"


@pytest.mark.parametrize("end", ["recents", "reboot", "force-stop"])
def test_only_this_time_lasts_until_the_app_is_closed(phone: Phone, end: str) -> None:
    phone.activities.start(Intent(package=SETTINGS))
    ask(phone, CAMERA).tap_text("仅限这一次")
    phone.input.key("HOME")
    assert phone.packages.granted(SETTINGS, CAMERA)
    if end == "recents":
        phone.input.key("APP_SWITCH")
        Driver(phone).tap_text("关闭“设置”")
    elif end == "reboot":
        phone.reboot()
    else:
        phone.activities.force_stop(SETTINGS)
    assert not phone.packages.granted(SETTINGS, CAMERA)


def test_back_denies_and_the_app_under_the_dialog_is_out_of_reach(phone: Phone) -> None:
    screen = ask(phone, CAMERA)
    phone.input.tap(100, 1000)
    assert phone.windows.focused().name == "permission"
    screen.back()
    assert not phone.packages.granted(SETTINGS, CAMERA)
    assert phone.windows.focused().name == "app"


# ---- power menu, screenshot, screen off


def test_power_menu_takes_a_screenshot_and_restarts(phone: Phone) -> None:
    phone.activities.start(Intent(package=SETTINGS))
    folder = "/storage/emulated/0/Pictures/Screenshots"
    phone.input.key_combination(["POWER", "VOLUME_UP"])
    screen = Driver(phone)
    assert screen.by_id("power_off").enabled is False
    screen.tap_text("屏幕截图")
    assert len(phone.state.files.list(folder)) == 1
    assert nodes(phone, "message")[0].text == "屏幕截图已保存"
    phone.advance(6000)
    assert not nodes(phone, "screenshot_static")
    phone.open_surface("power_menu")
    screen.tap_text("重新启动")
    assert phone.activities.tasks() == []
    assert phone.windows.focused().name == "app"


def test_a_screenshot_can_be_deleted_at_once(phone: Phone) -> None:
    phone.input.key_combination(["POWER", "VOLUME_DOWN"])
    assert "屏幕截图已保存" in phone.hierarchy_xml()
    tap(phone, "screenshot_delete")
    assert phone.state.files.list("/storage/emulated/0/Pictures/Screenshots") == []


def test_the_screen_that_is_off_is_black(phone: Phone) -> None:
    assert phone.frame((108, 240)).any()
    phone.input.key("POWER")
    assert not phone.frame((108, 240)).any()
    phone.input.key("POWER")
    assert phone.frame((108, 240)).any()


# ---- lock screen


def lock(phone: Phone, pin: str = "") -> Driver:
    phone.put_setting("secure", "lockscreen_disabled", "0")
    if pin:
        phone.put_setting("secure", "lockscreen_pin", pin)
    phone.input.key("POWER")
    phone.input.key("POWER")
    assert phone.activities.locked()
    return Driver(phone)


def swipe_up(phone: Phone) -> None:
    phone.input.swipe(500, 1900, 500, 900)


def test_swipe_up_unlocks(phone: Phone) -> None:
    screen = lock(phone)
    assert screen.by_id("lockscreen_clock_view").text == "8:26"
    for key in ("HOME", "BACK", "APP_SWITCH"):
        phone.input.key(key)
    assert phone.activities.locked()
    swipe_up(phone)
    assert not phone.activities.locked()


def test_pin_pad(phone: Phone) -> None:
    screen = lock(phone, "2468")
    swipe_up(phone)
    assert phone.activities.locked()
    for digit in "2469":
        screen.tap_text(digit)
    screen.tap_id("key_enter")
    assert screen.has("PIN 码错误")
    for digit in "2468":
        screen.tap_text(digit)
    screen.tap_id("key_enter")
    assert not phone.activities.locked()


def test_pin_can_be_typed(phone: Phone) -> None:
    lock(phone, "2468")
    swipe_up(phone)
    assert phone.input.text("2468")
    phone.input.key("ENTER")
    assert not phone.activities.locked()


def test_five_wrong_pins_make_the_pad_wait(phone: Phone) -> None:
    screen = lock(phone, "2468")
    swipe_up(phone)
    for _ in range(5):
        phone.input.text("1111")
        phone.input.key("ENTER")
    assert screen.has("请在 30 秒后重试。")
    phone.input.text("2468")
    phone.input.key("ENTER")
    assert phone.activities.locked()
    phone.advance(31_000)
    assert screen.has("输入 PIN 码")
    phone.input.text("2468")
    phone.input.key("ENTER")
    assert not phone.activities.locked()


def test_a_notification_on_the_lock_screen_opens_after_the_pin(phone: Phone) -> None:
    post(phone, "a", "新消息", target={"screen": "search", "args": {}})
    screen = lock(phone, "2468")
    screen.tap_text("新消息")
    assert phone.activities.locked()
    phone.input.text("2468")
    phone.input.key("ENTER")
    assert phone.activities.resumed().package == SETTINGS


# ---- calls


def call_state(phone: Phone) -> str | None:
    call = phone.state.interface["call"]
    return None if call is None else str(call["state"])


def test_call_is_answered_muted_and_ended(phone: Phone) -> None:
    phone.incoming_call("13900001111")
    screen = Driver(phone)
    assert screen.has("来电")
    assert phone.activities.foreground().package == "com.android.dialer"
    screen.back()
    assert call_state(phone) == "ringing"
    screen.tap_text("接听")
    phone.advance(65_000)
    assert screen.by_id("call_timer").text == "01:05"
    screen.tap_text("静音")
    assert screen.by_id("mute_button").checked
    screen.tap_text("拨号键盘")
    screen.tap_text("5")
    screen.tap_text("#")
    assert screen.by_id("dtmf_digits").text == "5#"
    screen.tap_text("挂断")
    assert call_state(phone) is None
    assert phone.windows.focused().name == "app"


def test_a_call_goes_on_behind_other_screens(phone: Phone) -> None:
    phone.incoming_call("13900001111")
    tap(phone, "call_answer")
    phone.input.key("HOME")
    assert phone.windows.focused().name == "app"
    assert call_state(phone) == "active"
    tap(phone, "ongoing_call_chip")
    assert phone.windows.focused().name == "call"


def test_a_call_that_nobody_answers_is_missed(phone: Phone) -> None:
    phone.incoming_call("13900001111")
    phone.advance(29_000)
    assert call_state(phone) == "ringing"
    phone.advance(2000)
    assert call_state(phone) is None
    assert phone.windows.focused().name == "app"


def test_declined(phone: Phone) -> None:
    phone.incoming_call("13900001111")
    tap(phone, "call_decline")
    assert call_state(phone) is None


def log(phone: Phone) -> list[tuple[object, ...]]:
    rows = phone.providers.query("content://call_log/calls", sort="date DESC")
    return [(row["number"], row["name"], row["type"], row["duration"]) for row in rows]


def test_calls_are_logged_with_the_contact_and_missed_ones_as_such(phone: Phone) -> None:
    contact = phone.providers.query("content://com.android.contacts/data/phones")[0]
    number, name = contact["data1"], contact["display_name"]
    phone.incoming_call("+86 " + number)
    assert Driver(phone).has(name)
    tap(phone, "call_answer")
    phone.advance(10_000)
    tap(phone, "incall_end_call")
    phone.incoming_call(number)
    tap(phone, "call_decline")
    phone.incoming_call(number)
    phone.advance(31_000)
    missed, declined, answered = log(phone)[:3]
    assert missed == (number, name, 3, 0)
    assert declined == (number, name, 5, 0)
    assert answered[1:3] == (name, 1)
    assert answered[3] in (10, 11)


def test_broadcasts_open_and_close_the_shade(phone: Phone) -> None:
    for word, name in (("EXPAND_SHADE", "shade"), ("COLLAPSE_SHADE", "app"), ("EXPAND_SETTINGS", "shade")):
        phone.activities.broadcast(Intent(action=f"mobile_gym.intent.action.{word}"))
        assert phone.windows.focused().name == name


def test_the_other_end_answers(phone: Phone) -> None:
    phone.place_call("10086")
    assert Driver(phone).has("正在拨号…")
    phone.advance(4000)
    assert call_state(phone) == "active"


# ---- text menu


def search(phone: Phone) -> Driver:
    phone.activities.start(Intent(package=SETTINGS))
    screen = Driver(phone)
    screen.tap_id("search_action_bar")
    return screen


def field(phone: Phone) -> Node:
    return next(node for node in phone.windows.focused().root.walk() if node.kind == "field")


def test_text_menu_selects_copies_and_pastes(phone: Phone) -> None:
    screen = search(phone)
    screen.tap_node(field(phone))
    screen.type("wifi")
    phone.input.long_press(*centre(field(phone)))
    assert "全选" in phone.hierarchy_xml() or nodes(phone, "floating_toolbar_copy")
    tap(phone, "floating_toolbar_copy")
    assert phone.state.interface["clipboard"] == "wifi"
    assert not nodes(phone, "floating_popup_container")
    phone.text_input.move(99)
    phone.input.long_press(*centre(field(phone)))
    tap(phone, "floating_toolbar_cut")
    assert field(phone).text == ""
    phone.input.long_press(*centre(field(phone)))
    tap(phone, "floating_toolbar_paste")
    assert field(phone).text == "wifi"


def test_text_menu_over_a_reply_in_the_shade(phone: Phone) -> None:
    reply = {"label": "回复", "broadcast": "reply", "extras": {}, "reply": True}
    post(phone, "a", "新消息", actions=[reply])
    screen = pull_down(phone)
    screen.tap_text("回复")
    screen.type("fine")
    phone.input.long_press(*centre(field(phone)))
    tap(phone, "floating_toolbar_cut")
    assert phone.state.interface["clipboard"] == "fine"


def test_text_menu_goes_with_typing(phone: Phone) -> None:
    screen = search(phone)
    screen.tap_node(field(phone))
    screen.type("wifi 5")
    phone.input.long_press(*centre(field(phone)))
    assert nodes(phone, "floating_popup_container")
    screen.type("x")
    assert not nodes(phone, "floating_popup_container")


# ---- all windows, in both languages, dark, with large letters, on a small phone


@pytest.mark.parametrize(
    ("profile", "language", "dark", "scale"),
    [
        ("pixel_6a", "zh", "1", "1.0"),
        ("pixel_6a", "en", "2", "1.3"),
        ("small", "zh", "2", "1.3"),
        ("small", "en", "1", "1.0"),
    ],
)
def test_every_window_is_whole(profile: str, language: str, dark: str, scale: str) -> None:
    phone = Phone(profile, language, "lived_in")
    phone.put_setting("secure", "ui_night_mode", dark)
    phone.put_setting("system", "font_scale", scale)
    phone.put_setting("secure", "lockscreen_pin", "1234")
    found: list[str] = []

    def check(name: str) -> None:
        phone.invalidate()
        for window in phone.windows.windows:
            if window.surface is not None and window.surface.name == name:
                found.extend(f"{name}: {fault}" for fault in faults(window.root))
                return
        raise AssertionError(f"{name} does not show")

    post(phone, "a", "A title that is rather long for one line of a card", "text " * 30, posted_ms=0)
    post(phone, "b", "B", actions=[{"label": "OK", "broadcast": "x", "extras": {}}])
    check("heads_up") if phone.surface_record("heads_up")["ui"].get("open") else None
    phone.expand_shade(quick_settings=False)
    for view in ("", "edit", "history"):
        phone.surface_record("shade")["ui"]["view"] = view
        check("shade")
    phone.close_surfaces()
    phone.change_volume(1)
    check("volume")
    for name in ("volume_panel", "power_menu", "recents"):
        phone.open_surface(name)
        check(name)
        phone.close_surfaces()
    for permission in (CAMERA, "android.permission.POST_NOTIFICATIONS"):
        phone.surface_record("permission")["ui"]["queue"] = [{"package": SETTINGS, "permission": permission}]
        check("permission")
    phone.surface_record("permission")["ui"]["queue"] = []
    phone.state.interface["locked"] = True
    check("lock")
    swipe = phone.screen[1]
    phone.input.swipe(300, swipe * 3 // 4, 300, swipe // 3)
    check("lock")
    phone.state.interface["locked"] = False
    phone.incoming_call("13900001111")
    check("call")
    phone.answer_call()
    check("call")
    phone.surface_record("call")["ui"]["keypad"] = True
    check("call")
    phone.close()
    assert not found


def test_looking_changes_nothing(phone: Phone) -> None:
    post(phone, "a", "新消息")
    phone.expand_shade(quick_settings=False)
    before = phone.digest()
    phone.frame((108, 240))
    phone.hierarchy_xml()
    assert phone.digest() == before
