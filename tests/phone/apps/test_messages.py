"""The messaging app, acted on by what the screen says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.apps.messages.codes import find_code
from mobile_gym.phone.apps.messages.thread import parse_address
from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from tests.support.driver import Driver, faults

PACKAGE = "com.android.messaging"
SON, CLINIC, UNKNOWN = "13857102618", "057187630120", "13800137725"
CONVERSATIONS = "content://com.android.messaging/conversations"


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone(snapshot="lived_in")
    yield phone
    phone.close()


@pytest.fixture
def driver(phone: Phone) -> Driver:
    driver = Driver(phone)
    driver.open(PACKAGE)
    return driver


def rows(phone: Phone, where: str, *columns: str) -> list[dict[str, Any]]:
    return phone.providers.query("content://sms", columns or None, where)


def flags(phone: Phone, address: str) -> dict[str, Any]:
    columns = ("pinned", "muted", "archived", "blocked", "unread_count")
    found = phone.providers.query(CONVERSATIONS, columns, f"address = '{address}'")
    return found[0] if found else {}


def names(driver: Driver) -> list[str]:
    return [node.text for node in driver.nodes() if node.id == "conversation_name"]


# ---- the list


def test_the_list_starts_as_it_should(driver: Driver) -> None:
    assert names(driver)[:5] == ["儿子 建军", "社区卫生服务中心", "王玉兰", "快递通知", "95000 银行服务"]
    badges = [(node.text, node.desc) for node in driver.nodes() if node.id == "unread_badge"]
    assert badges == [("2", "2 条未读短信"), ("1", "1 条未读短信")]
    for name in ("130 1892 6655", "170 8162 0433"):
        assert not driver.has(name)


def test_chips_filter(driver: Driver) -> None:
    driver.tap_text("未读")
    assert names(driver) == ["儿子 建军", "社区卫生服务中心", "106917330029"]
    driver.tap_text("验证码")
    assert "106980095188" in names(driver)
    assert "95000 银行服务" not in names(driver)
    driver.tap_text("联系人")
    assert "138 0013 7725" not in names(driver)
    driver.tap_text("全部")
    assert "138 0013 7725" in names(driver)


def test_opening_marks_as_read_and_takes_the_notification(driver: Driver, phone: Phone) -> None:
    assert "儿子 建军" in [posted.title for posted in phone.notifications()]
    driver.tap_text("儿子 建军")
    assert flags(phone, SON)["unread_count"] == 0
    assert "儿子 建军" not in [posted.title for posted in phone.notifications()]
    driver.back()
    assert [node.text for node in driver.nodes() if node.id == "unread_badge"] == ["1"]


def test_pinning_puts_a_thread_first(driver: Driver, phone: Phone) -> None:
    driver.long_press_text("供电服务")
    driver.tap_id("action_pin")
    assert names(driver)[0] == "供电服务"
    assert flags(phone, "95598")["pinned"] == 1
    driver.long_press_text("供电服务")
    driver.tap_text("取消置顶")
    assert names(driver)[0] == "儿子 建军"


def test_archiving_several_and_undo(driver: Driver, phone: Phone) -> None:
    driver.long_press_text("王玉兰")
    driver.tap_text("快递通知")
    driver.tap_text("归档")
    assert "王玉兰" not in names(driver)
    assert "快递通知" not in names(driver)
    left, top, right, bottom = _snack_action(phone)
    phone.input.tap((left + right) // 2, (top + bottom) // 2)
    phone.settle()
    assert names(driver)[2:4] == ["王玉兰", "快递通知"]
    assert flags(phone, "106903290012")["archived"] == 0


def _snack_action(phone: Phone) -> tuple[int, int, int, int]:
    for window in phone.windows.windows:
        for node in window.root.walk():
            if node.id == "snackbar_action" and node.visible is not None:
                return node.visible
    raise AssertionError("no snackbar")


def test_back_ends_choosing(driver: Driver) -> None:
    driver.long_press_text("王玉兰")
    assert driver.by_id("selection_count").text == "1"
    driver.back()
    assert driver.has("短信")
    assert not any(node.id == "selection_count" for node in driver.nodes())


def test_deleting_a_thread_and_blocking_its_number(driver: Driver, phone: Phone) -> None:
    driver.long_press_text("快递通知")
    driver.tap_text("删除")
    assert driver.has("与“快递通知”的 18 条短信将从这部手机上永久删除，删除后无法恢复。")
    driver.tap_text("取消")
    assert len(rows(phone, "address = '106903290012'")) == 18
    driver.tap_text("删除")
    driver.tap_id("also_block")
    assert driver.by_id("block_checkbox").checked
    driver.tap_text("删除")
    assert rows(phone, "address = '106903290012'") == []
    blocked = phone.providers.query("content://com.android.blockednumber/blocked")
    assert "106903290012" in [row["original_number"] for row in blocked]
    assert "快递通知" not in names(driver)


def test_mute_unread_and_block_from_the_menu(driver: Driver, phone: Phone) -> None:
    driver.long_press_text("王玉兰")
    driver.tap_id("action_more")
    driver.tap_text("静音")
    assert flags(phone, "13958036617")["muted"] == 1
    driver.long_press_text("王玉兰")
    driver.tap_id("action_more")
    driver.tap_text("标为未读")
    assert flags(phone, "13958036617")["unread_count"] == 1
    driver.long_press_text("138 0013 7725")
    driver.tap_id("action_more")
    driver.tap_text("屏蔽")
    driver.tap_text("屏蔽")
    assert flags(phone, UNKNOWN)["blocked"] == 1
    assert "138 0013 7725" not in names(driver)


def test_mark_all_read(driver: Driver, phone: Phone) -> None:
    driver.tap_id("selected_account_disc")
    driver.tap_text("全部标为已读")
    assert rows(phone, "read = 0 AND address NOT IN ('17081620433', '16532178800')") == []
    assert [posted.title for posted in phone.notifications() if posted.package == PACKAGE] == ["快递通知"]


# ---- a thread


def test_reply_is_sent_then_delivered(driver: Driver, phone: Phone) -> None:
    driver.tap_text("儿子 建军")
    driver.tap_id("compose_message_text")
    driver.type("好，路上慢点")
    driver.tap_id("send_message_button")
    (sent,) = rows(phone, "body = '好，路上慢点'")
    assert (sent["type"], sent["status"], sent["address"]) == (2, 32, SON)
    assert any("正在发送" in text for text in driver.texts())
    phone.advance(3000)
    (sent,) = rows(phone, "body = '好，路上慢点'")
    assert (sent["type"], sent["status"]) == (2, 0)
    assert any("已送达" in text for text in driver.texts())
    assert rows(phone, f"address = '{SON}' AND type = 3") == []


def test_enter_sends(driver: Driver, phone: Phone) -> None:
    driver.tap_text("王玉兰")
    driver.tap_id("compose_message_text")
    driver.type("好的")
    driver.key("ENTER")
    assert len(rows(phone, "body = '好的' AND address = '13958036617' AND type = 2")) == 1


def test_a_draft_is_kept(driver: Driver, phone: Phone) -> None:
    driver.tap_text("陈大夫")
    driver.tap_id("compose_message_text")
    driver.type("大夫您好")
    driver.back()
    driver.back()
    assert driver.by_text("草稿：大夫您好")
    assert rows(phone, "type = 3", "body") == [{"body": "大夫您好"}]
    driver.tap_text("陈大夫")
    assert driver.by_id("compose_message_text").text == "大夫您好"
    driver.replace_text("compose_message_text", " ")
    assert rows(phone, "type = 3") == []


def test_without_radio_sending_fails_and_can_be_tried_again(driver: Driver, phone: Phone) -> None:
    driver.tap_text("王玉兰")
    phone.put_setting("global", "airplane_mode_on", "1")
    driver.tap_id("compose_message_text")
    driver.type("七点我到")
    driver.key("ENTER")
    assert rows(phone, "body = '七点我到'", "type") == [{"type": 5}]
    phone.put_setting("global", "airplane_mode_on", "0")
    driver.back()
    driver.tap_text("七点我到")
    driver.tap_text("重新发送")
    phone.advance(3000)
    assert rows(phone, "body = '七点我到'", "type", "status") == [{"type": 2, "status": 0}]


def test_message_options(driver: Driver, phone: Phone) -> None:
    text = "明早还是七点小公园门口见，带上扇子"
    driver.tap_text("王玉兰")
    driver.long_press_text(text)
    driver.tap_text("复制文字")
    assert phone.state.interface["clipboard"] == text
    driver.long_press_text(text)
    driver.tap_text("收藏这条短信")
    assert rows(phone, "locked = 1", "body") == [{"body": text}]
    driver.long_press_text(text)
    driver.tap_text("短信详情")
    assert any("139 5803 6617" in shown for shown in driver.texts())
    driver.tap_text("关闭")
    driver.long_press_text(text)
    driver.tap_text("删除")
    driver.tap_text("删除")
    assert rows(phone, f"body = '{text}'") == []
    assert not driver.has(text)


def test_a_starred_message_is_found_again(driver: Driver) -> None:
    driver.tap_text("王玉兰")
    driver.long_press_text("今天你跳得真好，钱老师都夸你")
    driver.tap_text("收藏这条短信")
    driver.back()
    driver.tap_id("selected_account_disc")
    driver.tap_text("已收藏的短信")
    driver.tap_text("今天你跳得真好，钱老师都夸你")
    assert driver.by_id("toolbar_title").text == "王玉兰"


def test_forwarding(driver: Driver, phone: Phone) -> None:
    driver.tap_text("快递通知")
    driver.long_press_id("message_text", -1)
    driver.tap_text("转发给儿子 建军")
    driver.tap_id("send_message_button")
    found = rows(phone, f"address = '{SON}' AND type = 2 AND body LIKE '%6-2-3017%'")
    assert len(found) == 1
    assert driver.by_id("toolbar_title").text == "儿子 建军"


def test_a_reminder_posts_a_notification(driver: Driver, phone: Phone) -> None:
    text = "明早还是七点小公园门口见，带上扇子"
    driver.tap_text("王玉兰")
    driver.long_press_text(text)
    driver.tap_text("到时提醒我")
    driver.tap_text("今天 下午5:00")
    (row,) = phone.providers.query("content://com.android.messaging/reminders")
    assert phone.state.clock.at(row["at"]).hour == 17
    phone.advance(9 * 3_600_000)
    assert [posted.text for posted in phone.notifications() if posted.title == "短信提醒"] == [text]
    assert phone.providers.query("content://com.android.messaging/reminders") == []


def test_a_code_is_copied(driver: Driver, phone: Phone) -> None:
    driver.tap_text("验证码")
    driver.tap_text("106980095188")
    driver.tap_text("复制“730226”")
    assert phone.state.interface["clipboard"] == "730226"


def test_calling_and_why_it_cannot(driver: Driver, phone: Phone) -> None:
    driver.tap_text("王玉兰")
    phone.put_setting("global", "airplane_mode_on", "1")
    driver.tap_text("呼叫")
    assert phone.state.interface["toast"]["text"] == "请关闭飞行模式后再拨打电话"
    phone.put_setting("global", "airplane_mode_on", "0")
    driver.tap_text("呼叫")
    call = phone.state.interface["call"]
    assert (call["number"], call["outgoing"]) == ("13958036617", True)
    phone.end_call()
    phone.receive_sms("NOTICE", "hello")
    phone.activities.start(Intent(action="android.intent.action.SENDTO", data="sms:NOTICE"))
    driver.tap_text("呼叫")
    assert phone.state.interface["call"] is None
    assert phone.state.interface["toast"]["text"] == "这个发件人不是电话号码，无法呼叫"


def test_a_blocked_number_does_not_ring(phone: Phone) -> None:
    phone.incoming_call("+86 170 8162 0433")
    assert phone.state.interface["call"] is None
    assert phone.providers.query("content://call_log/calls")[0]["type"] == 6


def test_quick_phrase_and_card(driver: Driver, phone: Phone) -> None:
    driver.tap_text("王玉兰")
    driver.tap_id("attach_media_button")
    driver.tap_text("常用语")
    driver.tap_text("好的，知道了")
    driver.tap_id("attach_media_button")
    driver.tap_text("联系人名片")
    driver.tap_text("陈大夫")
    assert driver.by_id("compose_message_text").text == "好的，知道了陈大夫：13757188306"
    driver.tap_id("send_message_button")
    assert len(rows(phone, "body = '好的，知道了陈大夫：13757188306' AND type = 2")) == 1


# ---- people


def test_an_unknown_number_becomes_a_contact(driver: Driver, phone: Phone) -> None:
    driver.tap_text("138 0013 7725")
    driver.tap_text("添加")
    driver.tap_id("save_contact")
    assert driver.has("请输入姓名")
    driver.tap_id("contact_name")
    driver.type("空调小赵")
    driver.tap_id("save_contact")
    assert driver.by_id("toolbar_title").text == "空调小赵"
    found = phone.providers.query("content://contacts/phones", where="display_name = '空调小赵'")
    assert [row["number"] for row in found] == [UNKNOWN]
    assert not any(node.id == "unknown_banner" for node in driver.nodes())


def test_a_number_is_given_to_a_contact(driver: Driver, phone: Phone) -> None:
    driver.tap_text("138 0013 7725")
    driver.tap_id("conversation_icon")
    driver.tap_text("添加到已有联系人")
    driver.tap_text("陈大夫")
    found = phone.providers.query("content://contacts/phones", where="display_name = '陈大夫'")
    assert UNKNOWN in [row["number"] for row in found]


def test_details_switch_notifications_off(driver: Driver, phone: Phone) -> None:
    driver.tap_text("儿子 建军")
    driver.tap_id("conversation_icon")
    assert driver.has("jianjun.zhou@mail.example")
    driver.tap_node(driver.scroll_to_id("switch_notifications"))
    assert flags(phone, SON)["muted"] == 1
    phone.receive_sms(SON, "在吗")
    assert "在吗" not in [posted.text for posted in phone.notifications()]


def test_block_and_unblock_a_number(driver: Driver, phone: Phone) -> None:
    driver.tap_text("138 0013 7725")
    driver.tap_text("屏蔽")
    driver.tap_text("屏蔽")
    assert driver.has("你已屏蔽此号码")
    phone.receive_sms("+86 138 0013 7725", "还要洗吗")
    assert "还要洗吗" not in [posted.text for posted in phone.notifications()]
    driver.back()
    assert "138 0013 7725" not in names(driver)
    driver.tap_id("selected_account_disc")
    driver.tap_text("已屏蔽的号码")
    driver.tap_text("取消屏蔽138 0013 7725")
    driver.tap_text("取消屏蔽")
    assert flags(phone, UNKNOWN)["blocked"] == 0
    driver.back()
    assert "138 0013 7725" in names(driver)


def test_a_number_is_blocked_by_hand(driver: Driver, phone: Phone) -> None:
    driver.tap_id("selected_account_disc")
    driver.tap_text("已屏蔽的号码")
    driver.tap_text("添加号码")
    driver.type("13800001111")
    driver.tap_text("屏蔽")
    blocked = phone.providers.query("content://com.android.blockednumber/blocked")
    assert "13800001111" in [row["original_number"] for row in blocked]


# ---- a new message


def test_compose_to_a_contact_by_initials(driver: Driver, phone: Phone) -> None:
    driver.tap_text("发短信")
    driver.type("wyl")
    driver.tap_text("王玉兰")
    driver.tap_id("compose_message_text")
    driver.type("晚上来吃饭")
    driver.tap_id("send_message_button")
    assert len(rows(phone, "address = '13958036617' AND body = '晚上来吃饭' AND type = 2")) == 1
    assert driver.by_id("toolbar_title").text == "王玉兰"


def test_compose_to_a_number(driver: Driver, phone: Phone) -> None:
    driver.tap_text("发短信")
    driver.type("13912345678")
    driver.tap_text("发送至 139 1234 5678")
    driver.type("你好")
    driver.key("ENTER")
    assert len(rows(phone, "address = '13912345678' AND body = '你好'")) == 1


def test_compose_to_several(driver: Driver, phone: Phone) -> None:
    driver.tap_text("发短信")
    for name in ("建军", "小丽"):
        driver.tap_id("recipient_text_view")
        driver.type(name)
        driver.tap_id("contact_item")
    driver.tap_id("compose_message_text")
    driver.type("周日一起吃饭")
    driver.tap_id("send_message_button")
    found = rows(phone, "body = '周日一起吃饭'", "address", "type")
    assert sorted(row["address"] for row in found) == [SON, "13967104471"]


def test_a_message_begun_is_kept_as_draft(driver: Driver, phone: Phone) -> None:
    driver.tap_text("发短信")
    driver.type("wyl")
    driver.tap_text("王玉兰")
    driver.type("晚点说")
    driver.back()
    driver.back()
    assert rows(phone, "type = 3", "body", "address") == [{"body": "晚点说", "address": "13958036617"}]


# ---- search


def test_search_leads_to_the_message(driver: Driver) -> None:
    driver.tap_id("action_search")
    driver.type("雪里蕻")
    driver.tap_text("我腌的雪里蕻好了，给你留了一罐")
    node = driver.by_text("我腌的雪里蕻好了，给你留了一罐")
    assert node.id == "message_text"
    assert node.bg == "tertiaryContainer"


def test_search_finds_threads_by_name_and_number(driver: Driver) -> None:
    driver.tap_id("action_search")
    driver.type("桂芬")
    assert "李桂芬" in names(driver)
    driver.replace_text("search_src_text", "95598")
    assert "供电服务" in names(driver)
    driver.replace_text("search_src_text", "没有这样的话")
    assert driver.has("没有找到相关内容")


# ---- notifications and intents


def posted(phone: Phone, address: str) -> dict[str, Any]:
    return next(n for n in phone.notifier.posted if n["key"] == f"sms:{address}")


def press(phone: Phone, notification: dict[str, Any], label: str, **more: str) -> None:
    action = next(action for action in notification["actions"] if action["label"] == label)
    phone.activities.broadcast(Intent(action=action["broadcast"], package=PACKAGE, extras={**action["extras"], **more}))


def test_a_notification_can_be_answered(phone: Phone) -> None:
    phone.receive_sms("13958036617", "来不来？")
    press(phone, posted(phone, "13958036617"), "回复", reply="马上来")
    assert len(rows(phone, "body = '马上来' AND type = 2")) == 1
    assert flags(phone, "13958036617")["unread_count"] == 0
    assert "来不来？" not in [shown.text for shown in phone.notifications()]


def test_a_notification_copies_a_code(phone: Phone) -> None:
    phone.receive_sms("106980095188", "【好邻购物】验证码 604417，5 分钟内有效。")
    press(phone, posted(phone, "106980095188"), "复制“604417”")
    assert phone.state.interface["clipboard"] == "604417"


def test_an_open_thread_reads_what_comes(driver: Driver, phone: Phone) -> None:
    driver.tap_text("王玉兰")
    phone.receive_sms("13958036617", "我到了")
    assert driver.has("我到了")
    assert flags(phone, "13958036617")["unread_count"] == 0
    assert "我到了" not in [shown.text for shown in phone.notifications()]
    phone.press_home()
    phone.receive_sms("13958036617", "你在哪")
    assert flags(phone, "13958036617")["unread_count"] == 1
    driver.open(PACKAGE)
    assert flags(phone, "13958036617")["unread_count"] == 0


def test_notifications_can_hide_the_text(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".ui.appsettings.ApplicationSettingsActivity")
    driver.tap_text("在通知中显示内容")
    phone.receive_sms(SON, "秘密")
    assert posted(phone, SON)["text"] == "新短信"
    driver.tap_id("pref_notifications")
    assert not phone.packages.notifications_allowed(PACKAGE)


def test_without_reports_a_message_is_just_sent(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".ui.appsettings.ApplicationSettingsActivity")
    driver.tap_text("送达报告")
    phone.activities.start(
        Intent(action="android.intent.action.SENDTO", data=f"smsto:{SON}", extras={"sms_body": "到了"})
    )
    driver.tap_id("send_message_button")
    phone.advance(5000)
    assert rows(phone, "body = '到了'", "status") == [{"status": -1}]
    assert any("已发送" in text for text in driver.texts())


def test_a_new_message_takes_its_thread_from_the_archive(phone: Phone) -> None:
    assert flags(phone, "13018926655")["archived"] == 1
    phone.receive_sms("13018926655", "今天有樱桃")
    assert flags(phone, "13018926655")["archived"] == 0


@given(st.text())
def test_any_address_is_read(data: str) -> None:
    numbers, body = parse_address(data)
    assert all(number.strip() for number in numbers)
    assert isinstance(body, str)


@given(st.text(alphabet="验证码codepassword 0123456789-.,:/ABab", max_size=60))
def test_a_found_code_stands_in_the_text(body: str) -> None:
    code = find_code(body)
    assert code is None or code in body


def test_sms_addresses_are_read() -> None:
    assert parse_address("sms:10086?body=a%20b") == (["10086"], "a b")
    assert parse_address("smsto:10086,%2B8613800137725;139") == (["10086", "+8613800137725", "139"], "")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("【好邻购物】验证码 482913，用于登录，5 分钟内有效。", "482913"),
        ("动态密码 917342，您正在向尾号 0921 转账 1,000.00 元", "917342"),
        ("包裹已到小区南门驿站，取件码 6-2-3017，营业至 21:00", "6-2-3017"),
        ("Your verification code is 105764, valid for 5 minutes.", "105764"),
        ("工作人员不会向您索要验证码", None),
        ("您尾号 4826 的账户收入 3,682.50 元", None),
        ("明天 14:00 见", None),
    ],
)
def test_codes_are_found(body: str, code: str | None) -> None:
    assert find_code(body) == code


# ---- every screen, in every look


SCREENS = (
    (".ui.conversationlist.ConversationListActivity", {}),
    (".ui.conversation.ConversationActivity", {}),
    (".ui.contact.ContactPickerActivity", {"body": "text"}),
    (".ui.search.ZeroStateSearchActivity", {}),
    (".ui.conversationsettings.PeopleAndOptionsActivity", {}),
    (".ui.contact.AddContactActivity", {}),
    (".ui.conversationlist.ArchivedConversationListActivity", {}),
    (".ui.starred.StarredMessagesActivity", {}),
    (".ui.BlockedParticipantsActivity", {}),
    (".ui.appsettings.ApplicationSettingsActivity", {}),
)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("look", ["plain", "dark", "large", "small"])
def test_every_screen_and_overlay(language: str, look: str) -> None:
    phone = Phone(profile="small" if look == "small" else "pixel_6a", language=language, snapshot="lived_in")
    driver = Driver(phone)
    if look == "dark":
        phone.put_setting("secure", "ui_night_mode", "2")
    if look in ("large", "small"):
        phone.put_setting("system", "font_scale", "1.3")
    found: list[str] = []

    def check(where: str) -> None:
        for window in phone.windows.windows:
            if window.package == PACKAGE:
                found.extend(f"{where}: {fault}" for fault in faults(window.root))

    for activity, extras in SCREENS:
        driver.open(PACKAGE, activity, **extras)
        check(activity)
    key = phone.providers.query("content://sms", ["_id"], "type = 1")[0]["_id"]
    overlays = {
        ".ui.conversationlist.ConversationListActivity": ("account", "more", "delete", "block"),
        ".ui.conversation.ConversationActivity": (
            "menu", "block", "delete", "attach", "phrases", "card", "faces",
            "options", "remind", "info", "delete_message", "failed",
        ),
        ".ui.conversationsettings.PeopleAndOptionsActivity": ("block", "delete", "existing"),
        ".ui.BlockedParticipantsActivity": ("unblock", "add"),
    }  # fmt: skip
    for activity, names in overlays.items():
        phone.activities.start(Intent(package=PACKAGE, activity=f"{PACKAGE}{activity}", clear=True))
        ctx = phone.activities.context(phone.activities.top())
        if activity.endswith("ConversationListActivity"):
            ctx.ui["chosen"] = [row["address"] for row in phone.providers.query(CONVERSATIONS)[:2]]
        for name in names:
            args = {"unblock": {"number": "13800001111"}}.get(name, {})
            if name in ("options", "remind", "info", "delete_message", "failed"):
                args = {"key": key}
            ctx.open_overlay(name, **args)
            phone.settle()
            phone.invalidate()
            check(f"{activity} {name}")
            ctx.dismiss()
    assert found == []
    phone.close()


def test_screens_open_without_any_message() -> None:
    phone = Phone()
    for activity, _ in SCREENS:
        phone.activities.start(Intent(package=PACKAGE, activity=f"{PACKAGE}{activity}", clear=True))
        for window in phone.windows.windows:
            assert faults(window.root) == []
    assert phone.providers.query(CONVERSATIONS) == []
    phone.close()


def test_looking_changes_nothing(phone: Phone) -> None:
    before = phone.digest()
    fork = phone.fork()
    fork.hierarchy_xml()
    assert fork.digest() == before
    fork.close()
