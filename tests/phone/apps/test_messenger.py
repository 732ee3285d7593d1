"""The messenger, acted on by what the screen says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mobile_gym.phone.apps.messenger import store
from mobile_gym.phone.apps.messenger.pin import cents_of
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ActivityNotFound, ProviderError
from mobile_gym.phone.phone import Phone
from tests.support.driver import Driver, NotOnScreen

PACKAGE = "com.mobench.messenger"
DAUGHTER, SON, FAMILY, DANCE, ESTATE = "小丽（女儿）", "建军（儿子）", "幸福一家人", "晨光广场舞队", "幸福里居民通知群"


@pytest.fixture(scope="module")
def first() -> Iterator[Phone]:
    phone = Phone(snapshot="lived_in")
    yield phone
    phone.close()


@pytest.fixture
def phone(first: Phone) -> Iterator[Phone]:
    phone = first.fork()
    yield phone
    phone.close()


@pytest.fixture
def driver(phone: Phone) -> Driver:
    driver = Driver(phone)
    driver.open(PACKAGE)
    return driver


def rows(phone: Phone, table: str, where: str | None = None) -> list[dict[str, Any]]:
    return phone.providers.query(f"content://{PACKAGE}/{table}", None, where)


def one(phone: Phone, table: str, where: str) -> dict[str, Any]:
    (row,) = rows(phone, table, where)
    return row


def insert(phone: Phone, table: str, **values: Any) -> str:
    return phone.providers.insert(f"content://{PACKAGE}/{table}", values)


def ids(driver: Driver, name: str) -> list[str]:
    return [node.text for node in driver.nodes() if node.id == name]


def open_chat(driver: Driver, title: str) -> None:
    driver.open(PACKAGE)
    chat = one(driver.phone, "chats", f"title = '{title}'")
    driver.phone.activities.start(
        Intent(action="android.intent.action.VIEW", data=f"mobench-messenger://chat/{chat['_id']}")
    )
    driver.phone.settle()


def pin(driver: Driver, digits: str = "246810") -> None:
    for digit in digits:
        driver.tap_id(f"pin_key_{digit}")


def send(driver: Driver, text: str) -> None:
    driver.tap_id("chat_input")
    driver.type(text)
    driver.tap_id("send_button")


def last(phone: Phone, chat: str) -> dict[str, Any]:
    return phone.providers.query(f"content://{PACKAGE}/messages", None, f"chat = '{chat}'", "date DESC, _id DESC")[0]


# ---- the list


def test_the_list_starts_as_it_should(driver: Driver) -> None:
    assert ids(driver, "conversation_name")[:4] == [FAMILY, DAUGHTER, SON, "好邻超市"]
    assert driver.has("微聊(14)")
    assert "[有人@我]" in driver.texts()


def test_what_the_seed_says_agrees(phone: Phone) -> None:
    chats = rows(phone, "chats")
    assert len(chats) == 26
    assert len([chat for chat in chats if chat["kind"] == "group"]) == 5
    assert len(rows(phone, "messages")) > 190
    assert len(rows(phone, "moments")) >= 15
    for chat in chats:
        unread = rows(phone, "messages", f"chat_id = {chat['_id']} AND read = 0 AND sender_id > 1")
        assert chat["unread_count"] == len(unread), chat["title"]
        dates = [message["date"] for message in rows(phone, "messages", f"chat_id = {chat['_id']}")]
        assert dates == sorted(dates), chat["title"]
        assert max(dates) <= phone.state.clock.now_ms


def test_opening_reads(driver: Driver, phone: Phone) -> None:
    assert SON in [posted.title for posted in phone.notifications()]
    driver.tap_text(SON)
    assert one(phone, "chats", f"title = '{SON}'")["unread_count"] == 0
    assert SON not in [posted.title for posted in phone.notifications()]


@pytest.mark.parametrize(
    ("label", "column", "value"),
    [
        ("取消置顶", "pinned", 0),
        ("消息免打扰", "muted", 1),
        ("标为未读", "marked_unread", 1),
        ("不显示该聊天", "hidden", 1),
    ],
)
def test_the_menu_of_a_chat(driver: Driver, phone: Phone, label: str, column: str, value: int) -> None:
    driver.long_press_text(DAUGHTER)
    driver.tap_text(label)
    assert one(phone, "chats", f"title = '{DAUGHTER}'")[column] == value


def test_deleting_a_chat_and_a_new_message_brings_it_back(driver: Driver, phone: Phone) -> None:
    driver.long_press_text("钱美娟")
    driver.tap_text("删除该聊天")
    driver.tap_text("删除")
    assert rows(phone, "messages", "chat = '钱美娟'") == []
    assert "钱美娟" not in ids(driver, "conversation_name")
    insert(phone, "messages", chat="钱美娟", body="在吗")
    phone.settle()
    assert "钱美娟" in ids(driver, "conversation_name")


def test_search(driver: Driver) -> None:
    driver.tap_id("search")
    driver.type("桂芬")
    driver.tap_id("found_person")
    assert driver.has("李桂芬")
    driver.back()
    driver.replace_text("search_query", "舞队")
    assert driver.has(f"{DANCE}(7)")
    driver.replace_text("search_query", "鲈鱼")
    driver.tap_id("found_message")
    assert any("鲈鱼" in text for text in ids(driver, "message_text"))


# ---- a chat


def test_text_quote_recall_and_draft(driver: Driver, phone: Phone) -> None:
    open_chat(driver, DAUGHTER)
    send(driver, "记得带相机")
    sent = last(phone, DAUGHTER)
    assert (sent["body"], sent["sender_id"], sent["read"], sent["kind"]) == ("记得带相机", 1, 1, "text")
    driver.long_press_text("记得带相机")
    driver.tap_id("message_quote")
    driver.type("还有充电器")
    driver.tap_id("send_button")
    assert last(phone, DAUGHTER)["quote_id"] == sent["_id"]
    assert any("记得带相机" in text for text in ids(driver, "quoted_text"))
    driver.long_press_text("还有充电器")
    driver.tap_id("message_recall")
    assert last(phone, DAUGHTER)["recalled"] == 1
    assert driver.has("你撤回了一条消息")
    driver.tap_id("edit_again")
    assert driver.by_id("chat_input").text == "还有充电器"
    driver.back()
    driver.replace_text("chat_input", "没写完")
    driver.back()
    driver.back()
    assert one(phone, "chats", f"title = '{DAUGHTER}'")["draft"] == "没写完"
    assert driver.has("[草稿]")


def test_nothing_is_recalled_after_two_minutes(driver: Driver, phone: Phone) -> None:
    open_chat(driver, DAUGHTER)
    send(driver, "好的")
    phone.advance(121_000)
    driver.long_press_text("好的")
    assert driver.by_id("message_delete")
    with pytest.raises(NotOnScreen):
        driver.by_id("message_recall")


def test_copy_favour_forward_delete(driver: Driver, phone: Phone) -> None:
    text = "真好看！我穿那件红外套去"
    open_chat(driver, DAUGHTER)
    driver.long_press_text(text)
    driver.tap_id("message_copy")
    assert phone.state.interface["clipboard"] == text
    driver.long_press_text(text)
    driver.tap_id("message_favour")
    assert one(phone, "favourites", f"body = '{text}'")["author"] == "芳姨"
    driver.long_press_text(text)
    driver.tap_id("message_forward")
    driver.tap_text(SON)
    driver.tap_text("发送")
    assert last(phone, SON)["body"] == text
    driver.long_press_text(text)
    driver.tap_id("message_delete")
    driver.tap_text("删除")
    assert rows(phone, "messages", f"chat = '{DAUGHTER}' AND body = '{text}'") == []


def test_several_are_chosen(driver: Driver, phone: Phone) -> None:
    open_chat(driver, "王玉兰")
    before = len(rows(phone, "messages", "chat = '王玉兰'"))
    driver.long_press_text("好，早点睡")
    driver.tap_id("message_choose")
    driver.tap_text("明早还在这儿，七点")
    assert driver.has("已选择 2 条消息")
    driver.tap_id("chosen_delete")
    driver.tap_text("删除")
    assert len(rows(phone, "messages", "chat = '王玉兰'")) == before - 2


def test_emoji_and_voice(driver: Driver, phone: Phone) -> None:
    open_chat(driver, SON)
    driver.tap_id("emoji_button")
    driver.tap_id("emoji")
    driver.tap_id("emoji", 1)
    driver.tap_id("emoji_delete")
    driver.tap_id("emoji_send")
    assert last(phone, SON)["body"] == "😀"
    driver.tap_id("voice_button")
    driver.tap_id("hold_to_talk")
    assert last(phone, SON)["kind"] == "text"
    driver.long_press_id("hold_to_talk")
    assert last(phone, SON)["kind"] == "voice"


def test_a_voice_message_becomes_text(driver: Driver) -> None:
    open_chat(driver, DAUGHTER)
    driver.long_press_id("voice_bar")
    driver.tap_id("message_to_text")
    assert any("南门见" in text for text in ids(driver, "voice_text"))


def test_mention_in_a_group(driver: Driver, phone: Phone) -> None:
    open_chat(driver, DANCE)
    driver.tap_id("chat_input")
    driver.type("@")
    driver.tap_text("王玉兰")
    driver.type("带扇子")
    driver.tap_id("send_button")
    sent = last(phone, DANCE)
    assert sent["body"] == "@王玉兰 带扇子"
    assert sent["mentions"] == str(one(phone, "contacts", "name = '王玉兰'")["_id"])


def test_card_place_and_file(driver: Driver, phone: Phone) -> None:
    phone.state.files.write("/sdcard/Download/菜谱.txt", b"fish", mtime_ms=phone.state.clock.now_ms, parents=True)
    open_chat(driver, SON)
    for entry, choice, kind in (
        ("card", "陈大夫", "card"),
        ("location", "小公园南门", "location"),
        ("file", "菜谱.txt", "file"),
    ):
        driver.tap_id("plus_button")
        driver.tap_id(f"plus_{entry}")
        driver.scroll_to_text(choice)
        driver.tap_text(choice)
        sent = last(phone, SON)
        assert (sent["kind"], sent["body"]) == (kind, choice)
    driver.tap_id("file_bubble")
    assert driver.has("fish")


def test_a_picture_is_sent_and_seen(driver: Driver, phone: Phone) -> None:
    path = "/storage/emulated/0/DCIM/Camera/flowers.png"
    phone.state.files.write(path, b"no image", mtime_ms=phone.state.clock.now_ms + 1, parents=True)
    open_chat(driver, SON)
    driver.tap_id("plus_button")
    driver.tap_id("plus_photo")
    driver.tap_text("flowers.png")
    assert last(phone, SON)["source"] == f"file{path}"
    driver.tap_id("message_image", -1)
    driver.tap_id("full_picture")
    assert driver.by_id("toolbar_title").text == SON


# ---- money


def test_a_red_packet_is_sent_with_the_pin(driver: Driver, phone: Phone) -> None:
    balance = rows(phone, "wallet")[0]["balance_cents"]
    open_chat(driver, DAUGHTER)
    driver.tap_id("plus_button")
    driver.tap_id("plus_red_packet")
    driver.tap_id("amount")
    driver.type("66.6")
    driver.tap_id("greeting")
    driver.type("买水果")
    driver.back()
    driver.tap_id("packet_put")
    pin(driver, "111111")
    assert driver.has("支付密码错误，还可以输入 4 次")
    pin(driver)
    packet = one(phone, "red_packets", "greeting = '买水果'")
    assert (packet["amount_cents"], packet["count"], packet["state"], packet["chat"]) == (6660, 1, "open", DAUGHTER)
    assert last(phone, DAUGHTER)["ref_id"] == packet["_id"]
    assert rows(phone, "wallet")[0]["balance_cents"] == balance - 6660
    assert driver.has("买水果")


def test_a_red_packet_is_opened(driver: Driver, phone: Phone) -> None:
    balance = rows(phone, "wallet")[0]["balance_cents"]
    insert(phone, "red_packets", chat=SON, amount_cents=8800, greeting="给妈买菜")
    open_chat(driver, SON)
    driver.tap_id("red_packet_bubble")
    driver.tap_id("packet_open")
    assert driver.has("¥88.00")
    packet = one(phone, "red_packets", "greeting = '给妈买菜'")
    assert packet["state"] == "finished"
    assert one(phone, "red_packet_shares", f"red_packet_id = {packet['_id']}")["contact"] == "芳姨"
    assert rows(phone, "wallet")[0]["balance_cents"] == balance + 8800
    driver.back()
    assert driver.has(f"你领取了{SON}的红包")


def test_transfers(driver: Driver, phone: Phone) -> None:
    balance = rows(phone, "wallet")[0]["balance_cents"]
    open_chat(driver, SON)
    driver.tap_id("plus_button")
    driver.tap_id("plus_transfer")
    driver.type("99999")
    assert any("余额不足" in text for text in driver.texts())
    driver.replace_text("amount", "50")
    driver.tap_id("transfer_note")
    driver.type("电费")
    driver.back()
    driver.tap_id("transfer_button")
    pin(driver)
    sent = one(phone, "transfers", "note = '电费'")
    assert (sent["amount_cents"], sent["receiver"], sent["state"]) == (5000, SON, "pending")
    open_chat(driver, "出租车老郑")
    driver.tap_id("transfer_bubble")
    driver.tap_id("transfer_take")
    assert one(phone, "transfers", "note = '多收的退您'")["state"] == "received"
    assert rows(phone, "wallet")[0]["balance_cents"] == balance - 5000 + 500
    phone.providers.update(f"content://{PACKAGE}/transfers", {"state": "returned"}, "note = '电费'")
    assert rows(phone, "wallet")[0]["balance_cents"] == balance + 500


def test_top_up_and_records(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_me")
    driver.tap_id("entry_wallet")
    driver.tap_id("top_up")
    driver.type("100")
    driver.back()
    driver.tap_id("transfer_button")
    pin(driver)
    assert driver.has("¥1386.50")
    driver.tap_id("entry_records")
    assert driver.has("+¥100.00")
    assert rows(phone, "wallet_records", "kind = 'top_up'")[0]["amount_cents"] == 10000


def test_the_pin_is_changed(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_me")
    driver.tap_id("entry_wallet")
    driver.tap_id("change_pin")
    pin(driver)
    pin(driver, "135790")
    pin(driver, "135790")
    assert rows(phone, "wallet")[0]["pin"] == "135790"


@pytest.mark.parametrize(("text", "cents"), [("8", 800), ("8.5", 850), (".05", 5), ("", 0), ("1.234", 0), ("1.2.3", 0)])
def test_amounts(text: str, cents: int) -> None:
    assert cents_of(text) == cents


# ---- groups and polls


def test_a_group_is_made_and_left(driver: Driver, phone: Phone) -> None:
    driver.tap_id("more")
    driver.tap_id("menu_new_group")
    driver.tap_text(SON)
    driver.tap_text(DAUGHTER)
    driver.tap_id("pick_done")
    group = rows(phone, "chats", "kind = 'group'")[-1]
    assert group["member_count"] == 3
    driver.tap_id("chat_info")
    driver.tap_id("group_name")
    driver.replace_text("edit_field", "周六聚餐")
    driver.tap_id("save_button")
    assert one(phone, "chats", f"_id = {group['_id']}")["name"] == "周六聚餐"
    driver.tap_id("add_members")
    driver.scroll_to_text("陈静（儿媳）")
    driver.tap_text("陈静（儿媳）")
    driver.tap_id("pick_done")
    assert [row["contact"] for row in rows(phone, "members", f"chat_id = {group['_id']}")][-1] == "陈静（儿媳）"
    driver.tap_id("remove_members")
    driver.tap_text(SON)
    driver.tap_id("pick_done")
    assert len(rows(phone, "members", f"chat_id = {group['_id']}")) == 3
    driver.scroll_to_id("leave_group")
    driver.tap_id("leave_group")
    driver.tap_text("退出")
    assert rows(phone, "chats", f"_id = {group['_id']}") == []
    assert rows(phone, "messages", f"chat_id = {group['_id']}") == []
    assert driver.has("微聊(14)")


def test_switches_and_texts_of_a_group(driver: Driver, phone: Phone) -> None:
    open_chat(driver, FAMILY)
    driver.tap_id("chat_info")
    for id, column in (("mute_chat", "muted"), ("pin_chat", "pinned"), ("save_to_contacts", "saved")):
        before = one(phone, "chats", f"name = '{FAMILY}'")[column]
        driver.scroll_to_id(id)
        driver.tap_id(id)
        assert one(phone, "chats", f"name = '{FAMILY}'")[column] == 1 - before
    driver.scroll_to_id("my_nickname")
    driver.tap_id("my_nickname")
    driver.replace_text("edit_field", "奶奶")
    driver.tap_id("save_button")
    assert one(phone, "members", f"chat = '{FAMILY}' AND contact_id = 1")["nickname"] == "奶奶"
    driver.scroll_to_id("clear_history")
    driver.tap_id("clear_history")
    driver.tap_text("清空")
    assert rows(phone, "messages", f"chat = '{FAMILY}'") == []


def test_an_announcement_names_everybody(driver: Driver, phone: Phone) -> None:
    open_chat(driver, FAMILY)
    driver.tap_id("chat_info")
    driver.tap_id("announcement")
    driver.type("周六十一点吃饭")
    driver.tap_id("save_button")
    assert one(phone, "chats", f"name = '{FAMILY}'")["announcement"] == "周六十一点吃饭"
    assert last(phone, FAMILY)["mentions"] == "all"


def test_voting(driver: Driver, phone: Phone) -> None:
    open_chat(driver, FAMILY)
    driver.tap_id("poll_bubble")
    driver.tap_text("妈家里")
    driver.tap_id("poll_vote")
    assert one(phone, "votes", "contact_id = 1")["choice"] == "妈家里"
    assert driver.has("3票 75%")
    driver.tap_id("poll_again")
    assert rows(phone, "votes", "contact_id = 1") == []


def test_a_poll_is_made_and_closed(driver: Driver, phone: Phone) -> None:
    open_chat(driver, FAMILY)
    driver.tap_id("plus_button")
    driver.tap_id("plus_poll")
    driver.type("周日几点出门？")
    driver.tap_id("poll_option_0")
    driver.type("八点")
    driver.tap_id("poll_option_1")
    driver.type("九点")
    driver.tap_id("poll_publish")
    poll = one(phone, "polls", "question = '周日几点出门？'")
    assert (poll["options"], poll["multiple"], poll["author"]) == ("八点|九点", 0, "芳姨")
    assert last(phone, FAMILY)["kind"] == "poll"
    driver.tap_id("poll_bubble", -1)
    driver.tap_id("poll_close")
    driver.tap_text("结束投票", -1)
    assert one(phone, "polls", f"_id = {poll['_id']}")["closed"] == 1


# ---- contacts


def test_requests(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_contacts")
    driver.tap_id("entry_new_friends")
    driver.tap_id("accept_button")
    assert one(phone, "contacts", "name = '胡琴'")["status"] == "friend"
    assert rows(phone, "messages", "chat = '胡琴' AND sender = '胡琴'")[0]["body"] == "我是合唱队的胡琴，桂芬推荐的"
    driver.long_press_text("毛姐")
    driver.tap_text("删除")
    assert one(phone, "contacts", "name = '毛姐'")["status"] == "stranger"


def test_a_contacts_page(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_contacts")
    driver.scroll_to_text("李桂芬")
    driver.tap_text("李桂芬")
    driver.tap_id("edit_remark")
    driver.type("桂芬姐")
    driver.tap_id("save_button")
    assert driver.by_id("contact_name").text == "桂芬姐"
    driver.tap_id("permissions")
    driver.tap_id("hide_their_moments")
    driver.back()
    driver.tap_id("contact_more")
    driver.tap_id("menu_star")
    row = one(phone, "contacts", "name = '李桂芬'")
    assert (row["remark"], row["hide_their_moments"], row["starred"], row["title"]) == ("桂芬姐", 1, 1, "桂芬姐")
    driver.tap_id("contact_more")
    driver.tap_id("menu_blacklist")
    driver.tap_text("确定")
    assert one(phone, "contacts", "name = '李桂芬'")["blacklisted"] == 1
    driver.tap_id("contact_more")
    driver.tap_id("menu_delete")
    driver.tap_text("删除联系人", -1)
    assert one(phone, "contacts", "name = '李桂芬'")["status"] == "stranger"
    assert rows(phone, "chats", "title IN ('李桂芬', '桂芬姐')") == []


def test_adding_by_number(driver: Driver, phone: Phone) -> None:
    driver.tap_id("more")
    driver.tap_id("menu_add_friend")
    driver.type("13867451190")
    driver.key("ENTER")
    driver.tap_text("林姐")
    driver.tap_id("add_to_contacts")
    driver.tap_text("发送")
    assert one(phone, "contacts", "name = '林姐'")["requested"] == 1
    driver.back()
    driver.replace_text("friend_query", "10000000000")
    driver.key("ENTER")
    assert driver.has("该用户不存在")


def test_index_letters(driver: Driver) -> None:
    driver.tap_id("tab_contacts")
    driver.tap_text("跳到Z")
    assert driver.has("张大爷")


def test_tags_groups_and_blacklist(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_contacts")
    driver.tap_id("entry_tags")
    driver.tap_text("舞友")
    assert driver.has("钱美娟")
    driver.back()
    driver.back()
    driver.tap_id("entry_groups")
    driver.tap_text(f"{DANCE}(7)")
    assert driver.has(f"{DANCE}(7)")
    driver.open(PACKAGE, ".plugin.setting.ui.setting.BlacklistUI")
    driver.tap_id("unblacklist_button")
    assert rows(phone, "contacts", "blacklisted = 1") == []


# ---- moments


def test_like_comment_and_delete(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_discover")
    driver.tap_id("entry_moments")
    driver.tap_id("moment_picture")
    driver.tap_id("full_picture")
    driver.tap_id("moment_more")
    driver.tap_id("like_button")
    moment = one(phone, "moments", "body = '晨练归来，桃花开了！'")
    assert [row["contact"] for row in rows(phone, "likes", f"moment_id = {moment['_id']}")][-1] == "芳姨"
    driver.tap_id("moment_more")
    driver.tap_id("comment_button")
    driver.type("真美")
    driver.tap_id("comment_send")
    assert one(phone, "comments", f"moment_id = {moment['_id']} AND author_id = 1")["body"] == "真美"
    driver.tap_text("芳姨：真美")
    driver.tap_id("comment_delete")
    assert rows(phone, "comments", f"moment_id = {moment['_id']} AND author_id = 1") == []
    driver.tap_text("李桂芬：明天我也去")
    driver.type("我等你")
    driver.key("ENTER")
    assert one(phone, "comments", "body = '我等你'")["reply_to"] == "李桂芬"


def test_posting_and_deleting(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_discover")
    driver.tap_id("entry_moments")
    driver.tap_id("post_moment")
    driver.type("春天来了")
    driver.back()
    driver.tap_id("moment_visibility")
    driver.tap_id("visible_some")
    driver.tap_text(DAUGHTER)
    driver.tap_id("pick_done")
    driver.tap_id("publish")
    post = one(phone, "moments", "body = '春天来了'")
    daughter = one(phone, "contacts", "name = '小丽'")["_id"]
    assert (post["author"], post["visibility"], post["people"]) == ("芳姨", "some", str(daughter))
    driver.tap_id("moment_delete")
    driver.tap_text("删除", -1)
    assert rows(phone, "moments", "body = '春天来了'") == []


# ---- notifications, intents, settings


def test_a_new_message_notifies_and_is_answered(phone: Phone) -> None:
    insert(phone, "messages", chat="王玉兰", body="下楼跳舞啦")
    (posted,) = [n for n in phone.notifier.posted if n["package"] == PACKAGE and n["title"] == "王玉兰"]
    assert posted["text"] == "下楼跳舞啦"
    reply, read = posted["actions"]
    extras = {**reply["extras"], "reply": "马上来"}
    phone.activities.broadcast(Intent(action=reply["broadcast"], package=PACKAGE, extras=extras))
    assert last(phone, "王玉兰")["body"] == "马上来"
    assert one(phone, "chats", "title = '王玉兰'")["unread_count"] == 0
    insert(phone, "messages", chat="王玉兰", body="带上扇子")
    phone.activities.broadcast(Intent(action=read["broadcast"], package=PACKAGE, extras=read["extras"]))
    assert one(phone, "chats", "title = '王玉兰'")["unread_count"] == 0
    assert "王玉兰" not in [n.title for n in phone.notifications()]


def test_muted_old_and_unwanted_messages_are_silent(phone: Phone) -> None:
    def titles() -> list[str]:
        return [n.title for n in phone.notifications()]

    insert(phone, "messages", chat=ESTATE, sender="王玉兰", body="知道了")
    insert(phone, "messages", chat="王玉兰", body="昨天的", date=phone.state.clock.now_ms - 86_400_000)
    assert ESTATE not in titles()
    assert "王玉兰" not in titles()
    insert(phone, "messages", chat=ESTATE, sender="王玉兰", body="@芳姨 停水了")
    assert ESTATE in titles()
    insert(phone, "messages", chat="养生小刘", body="阿姨，神药半价")
    assert rows(phone, "messages", "chat = '养生小刘'") == []


def test_a_message_in_the_open_chat_is_read(driver: Driver, phone: Phone) -> None:
    open_chat(driver, "王玉兰")
    insert(phone, "messages", chat="王玉兰", body="看见了吗")
    phone.settle()
    assert driver.has("看见了吗")
    assert one(phone, "chats", "title = '王玉兰'")["unread_count"] == 0


def test_the_provider_says_what_is_wrong(phone: Phone) -> None:
    with pytest.raises(ProviderError, match="nobody"):
        insert(phone, "messages", chat="没有这个人", body="x")
    with pytest.raises(ProviderError, match="sender_id is needed"):
        insert(phone, "messages", chat=FAMILY, body="x")
    with pytest.raises(ProviderError, match="no chat has"):
        insert(phone, "messages", chat_id=999, body="x")


def test_the_provider_keeps_things_in_line(phone: Phone) -> None:
    insert(phone, "contacts", name="老同事", number="13900001111", remark="老张")
    insert(phone, "polls", chat=FAMILY, author=SON, question="几点？", options="十点|十一点")
    assert last(phone, FAMILY)["sender"] == SON
    key = insert(phone, "messages", chat="老张", body="你好").rpartition("/")[2]
    assert one(phone, "messages", f"_id = {key}")["sender"] == "老张"
    phone.providers.delete(f"content://{PACKAGE}/messages/{key}")
    assert one(phone, "chats", "title = '老张'")["unread_count"] == 0
    phone.providers.delete(f"content://{PACKAGE}/contacts", "name = '老同事'")
    assert rows(phone, "chats", "title = '老张'") == []


def test_a_group_is_set_up_from_outside(driver: Driver, phone: Phone) -> None:
    insert(phone, "chats", kind="group", name="合唱队", members=f"李桂芬|王玉兰|{DAUGHTER}", my_nickname="芳姐")
    assert [row["contact"] for row in rows(phone, "members", "chat = '合唱队'")] == [
        "芳姨",
        "李桂芬",
        "王玉兰",
        DAUGHTER,
    ]
    insert(phone, "messages", chat="合唱队", sender="李桂芬", body="@芳姐 明天练歌")
    phone.settle()
    assert one(phone, "chats", "name = '合唱队'")["mention_count"] == 1
    insert(phone, "contacts", name="新同学", status="request", request_text="我是新同学")
    insert(phone, "contacts", name="老邻居")
    assert one(phone, "contacts", "name = '新同学'")["request_date"] == phone.state.clock.now_ms
    assert one(phone, "contacts", "name = '老邻居'")["request_date"] == 0


def test_sharing_a_text(driver: Driver, phone: Phone) -> None:
    extras = {"android.intent.extra.TEXT": "天气预报：周日晴"}
    phone.activities.start(
        Intent(action="android.intent.action.SEND", package=PACKAGE, mime="text/plain", extras=extras)
    )
    phone.settle()
    driver.tap_text(SON)
    driver.tap_text("发送")
    assert last(phone, SON)["body"] == "天气预报：周日晴"
    assert driver.by_id("toolbar_title").text == SON
    with pytest.raises(ActivityNotFound):
        phone.activities.start(Intent(action="android.intent.action.VIEW", data="mobench-other://x"))


def test_settings(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".plugin.setting.ui.setting.SettingsNotificationUI")
    driver.tap_id("notify_preview")
    insert(phone, "messages", chat="王玉兰", body="秘密")
    assert [n.text for n in phone.notifications() if n.title == "王玉兰"] == ["你收到一条消息"]
    phone.advance(30_000)
    driver.tap_id("notify")
    assert one(phone, "settings", "name = 'notify'")["value"] == "0"
    driver.open(PACKAGE, ".plugin.setting.ui.setting.SettingsGeneralUI")
    driver.slide(driver.by_id("font_slider"), 1.0)
    assert one(phone, "settings", "name = 'font_size'")["value"] == "4"
    driver.tap_id("enter_sends")
    open_chat(driver, SON)
    driver.tap_id("chat_input")
    driver.type("好")
    driver.key("ENTER")
    assert last(phone, SON)["body"] == "好"


def test_the_password_is_changed(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".plugin.setting.ui.setting.SettingsAccountInfoUI")
    driver.tap_id("change_password")
    driver.tap_id("old_password")
    driver.type("wrong")
    driver.tap_id("new_password")
    driver.type("spring2026")
    driver.tap_text("保存")
    assert driver.has("原密码错误")
    driver.replace_text("old_password", "fangyi1958")
    driver.tap_text("保存")
    assert store.setting(phone, "password") == "spring2026"


def test_favourites(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_me")
    driver.tap_id("entry_favourites")
    driver.tap_id("fav_kind_location")
    assert ids(driver, "fav_text") == ["[位置] 小公园南门"]
    driver.long_press_id("favourite_item")
    driver.tap_id("fav_delete")
    driver.tap_text("删除")
    assert rows(phone, "favourites", "kind = 'location'") == []


def test_storage(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".plugin.clean.ui.CleanUI")
    driver.tap_id("clean_cache")
    driver.tap_text("清理", -1)
    assert phone.packages.info(PACKAGE).size_bytes[2] == 0
    driver.tap_id("clear_all")
    driver.tap_text("清空", -1)
    assert rows(phone, "messages") == []


def test_a_new_account_and_cleared_data(phone: Phone) -> None:
    phone.packages.clear(PACKAGE)
    assert rows(phone, "messages") == []
    assert len(rows(phone, "contacts", "status = 'friend'")) == 12
    driver = Driver(phone)
    driver.open(PACKAGE)
    assert driver.has("还没有聊天")
