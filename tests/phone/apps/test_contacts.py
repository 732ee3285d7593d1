"""The contacts app, acted on by what the screen says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.apps.contacts.store import Contact, Item, split_name
from mobile_gym.phone.apps.contacts.vcard import read_vcards, write_vcards
from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from tests.support.cut_texts import cut_texts
from tests.support.driver import Driver, faults

PACKAGE = "com.android.contacts"
DATA = "content://com.android.contacts/data"
CONTACTS = "content://com.android.contacts/contacts"
GROUPS = "content://com.android.contacts/groups_summary"
NUMBER = "vnd.android.cursor.item/phone_v2"
EMAIL = "vnd.android.cursor.item/email_v2"
SON, SON_NUMBER = "儿子 建军", "13857102618"


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


def ids(phone: Phone, name: str) -> list[int]:
    return [row["_id"] for row in phone.providers.query(CONTACTS, ["_id"], f"display_name = '{name}'")]


def data(phone: Phone, name: str, mimetype: str, *columns: str) -> list[Any]:
    kind = f"vnd.android.cursor.item/{mimetype}" if "/" not in mimetype else mimetype
    rows = phone.providers.query(DATA, ["_id", *columns], f"display_name = '{name}' AND mimetype = '{kind}'")
    return [tuple(row[column] for column in columns) for row in rows]


def names(driver: Driver) -> list[str]:
    return [node.text for node in driver.nodes() if node.id == "cliv_name_textview"]


def open_contact(driver: Driver, name: str) -> None:
    driver.scroll_to_text(name)
    driver.tap_text(name)


def view(driver: Driver, name: str) -> None:
    (key,) = ids(driver.phone, name)
    driver.phone.activities.start(Intent(action="android.intent.action.VIEW", data=f"{CONTACTS}/{key}"))
    driver.phone.settle()


# ---- the list


def test_contacts_stand_under_their_letters(driver: Driver) -> None:
    headers = [node.text for node in driver.nodes() if node.id == "section_header"]
    assert headers[:3] == ["C", "D", "E"]
    assert names(driver)[:3] == ["陈大夫", "出租车 老郑", "大哥 国庆"]
    assert driver.has("40 位联系人")


def test_a_letter_of_the_index_jumps_to_its_section(driver: Driver) -> None:
    driver.tap_text("Z")
    assert "赵淑华" in names(driver)
    assert "陈大夫" not in names(driver)


@pytest.mark.parametrize(("query", "name"), [("建军", SON), ("ezjj", SON), ("1385710", SON), ("合唱", "李桂芬")])
def test_search_finds_by_name_letters_number_and_note(driver: Driver, query: str, name: str) -> None:
    driver.tap_id("search_view")
    driver.type(query)
    assert names(driver) == [name]
    driver.tap_id("search_view_clear")
    driver.type("zzzz")
    assert driver.has("找不到相符的联系人")
    driver.tap_id("back")
    assert len(names(driver)) > 5


# ---- one contact


def test_calling_and_writing_from_the_page(driver: Driver) -> None:
    view(driver, "王玉兰")
    driver.tap_id("quick_message")
    assert driver.phone.activities.resumed().package == "com.android.messaging"
    assert driver.has("王玉兰")
    view(driver, "王玉兰")
    driver.tap_id("quick_call")
    assert driver.phone.state.interface["call"]["number"] == "13958036617"


def test_several_numbers_are_asked_for(driver: Driver) -> None:
    view(driver, SON)
    driver.tap_id("quick_call")
    driver.tap_id("number_choice", 1)
    assert driver.phone.state.interface["call"]["number"] == "057188213306"


def test_an_address_is_copied_by_a_long_press(driver: Driver) -> None:
    view(driver, SON)
    driver.long_press_text("jianjun.zhou@mail.example")
    assert driver.phone.state.interface["clipboard"] == "jianjun.zhou@mail.example"


def test_starring_shows_in_the_favourites(driver: Driver) -> None:
    view(driver, "王玉兰")
    driver.tap_id("menu_star")
    driver.back()
    driver.tap_id("nav_favorites")
    assert driver.has("王玉兰")
    assert driver.phone.providers.query(CONTACTS, ["starred"], "display_name = '王玉兰'") == [{"starred": 1}]


def test_a_ringtone_and_the_voicemail_switch(driver: Driver) -> None:
    view(driver, SON)
    driver.scroll_to_id("ringtone_row")
    driver.tap_id("ringtone_row")
    driver.tap_text("喜庆锣鼓")
    driver.scroll_to_id("voicemail_row")
    driver.tap_id("voicemail_row")
    where = f"display_name = '{SON}'"
    (row,) = driver.phone.providers.query(CONTACTS, ["custom_ringtone", "send_to_voicemail"], where)
    assert row == {"custom_ringtone": "festive_drums", "send_to_voicemail": 1}


def test_blocking_and_unblocking(driver: Driver) -> None:
    blocked = "content://com.android.blockednumber/blocked"
    before = len(driver.phone.providers.query(blocked))
    view(driver, SON)
    driver.scroll_to_id("block_row")
    driver.tap_id("block_row")
    driver.tap_text("屏蔽")
    assert len(driver.phone.providers.query(blocked)) == before + 2
    driver.tap_id("block_row")
    assert len(driver.phone.providers.query(blocked)) == before


def test_deleting_asks_first(driver: Driver) -> None:
    view(driver, "孙建国")
    driver.scroll_to_id("delete_row")
    driver.tap_id("delete_row")
    driver.tap_text("取消")
    assert ids(driver.phone, "孙建国")
    driver.tap_id("delete_row")
    driver.tap_text("删除", -1)
    assert not ids(driver.phone, "孙建国")
    assert driver.phone.activities.resumed().activity.endswith("PeopleActivity")


# ---- the form


def test_a_new_contact_with_all_it_may_have(driver: Driver) -> None:
    driver.tap_id("floating_action_button")
    driver.type("林阿姨")
    driver.replace_text("company", "老年大学")
    driver.back()
    driver.replace_text("phone_0", "13900001111")
    driver.key("ENTER")
    driver.tap_id("phone_0_type")
    driver.tap_id("type_work")
    driver.scroll_to_id("add_phone")
    driver.tap_id("add_phone")
    driver.type("057188000000")
    driver.back()
    driver.scroll_to_id("add_email")
    driver.tap_id("add_email")
    driver.type("lin@mail.example")
    driver.back()
    driver.scroll_to_id("add_birthday")
    driver.tap_id("add_birthday")
    driver.tap_id("month_navigation_previous")
    driver.tap_text("2026年2月8日")
    driver.tap_text("确定")
    driver.scroll_to_id("add_groups")
    driver.tap_id("add_groups")
    driver.tap_text("朋友邻居")
    driver.tap_id("groups_done")
    driver.scroll_to_id("note")
    driver.replace_text("note", "周三聚会")
    driver.back()
    driver.tap_id("editor_menu_save_button")
    name = "林阿姨"
    assert driver.has(name)
    assert driver.phone.activities.resumed().activity.endswith("QuickContactActivity")
    assert data(driver.phone, name, NUMBER, "data1", "data2") == [("13900001111", "3"), ("057188000000", "2")]
    assert data(driver.phone, name, EMAIL, "data1", "data2") == [("lin@mail.example", "1")]
    assert data(driver.phone, name, "organization", "data1") == [("老年大学",)]
    assert data(driver.phone, name, "contact_event", "data1", "data2") == [("2026-02-08", "3")]
    assert data(driver.phone, name, "note", "data1") == [("周三聚会",)]
    assert data(driver.phone, name, "group_membership", "data1") == [("2",)]


def test_the_form_refuses_nothing_and_bad_addresses(driver: Driver) -> None:
    driver.tap_id("floating_action_button")
    driver.tap_id("editor_menu_save_button")
    assert driver.has("请输入姓名或电话号码")
    driver.replace_text("name", "某人")
    driver.back()
    driver.scroll_to_id("add_email")
    driver.tap_id("add_email")
    driver.type("nobody")
    driver.back()
    driver.tap_id("editor_menu_save_button")
    assert driver.has("请输入有效的电子邮件地址")
    assert not ids(driver.phone, "某人")


def test_leaving_the_form_asks_only_where_something_was_typed(driver: Driver) -> None:
    driver.tap_id("floating_action_button")
    driver.type("半个名字")
    driver.tap_id("close")
    driver.tap_text("继续编辑")
    driver.tap_id("close")
    driver.tap_text("放弃")
    assert driver.phone.activities.resumed().activity.endswith("PeopleActivity")
    view(driver, SON)
    driver.tap_id("menu_edit")
    driver.tap_id("close")
    assert driver.phone.activities.resumed().activity.endswith("QuickContactActivity")


def test_editing_keeps_rows_that_stay(driver: Driver) -> None:
    before = driver.phone.providers.query(DATA, ["_id", "data1"], f"display_name = '{SON}'")
    view(driver, SON)
    driver.tap_id("menu_edit")
    driver.replace_text("phone_0", "13800000000")
    driver.back()
    driver.tap_id("editor_menu_save_button")
    after = driver.phone.providers.query(DATA, ["_id", "data1"], f"display_name = '{SON}'")
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert [(old["data1"], new["data1"]) for old, new in changed] == [(SON_NUMBER, "13800000000")]
    assert driver.has("138 0000 0000")


def test_a_label_of_ones_own(driver: Driver) -> None:
    view(driver, SON)
    driver.tap_id("menu_edit")
    driver.tap_id("phone_1_type")
    driver.tap_id("type_custom")
    driver.type("办公室")
    driver.tap_text("确定")
    driver.tap_id("editor_menu_save_button")
    assert data(driver.phone, SON, NUMBER, "data2", "data3")[1] == ("0", "办公室")
    assert driver.has("办公室")


# ---- several contacts


def test_several_are_deleted_at_once(driver: Driver) -> None:
    driver.long_press_text("陈大夫")
    driver.tap_text("出租车 老郑")
    assert driver.has("已选择 2 项")
    driver.tap_id("menu_delete")
    driver.tap_text("删除", -1)
    assert not ids(driver.phone, "陈大夫")
    assert not ids(driver.phone, "出租车 老郑")
    assert driver.has("38 位联系人")


def test_sharing_as_text_and_as_a_file(driver: Driver) -> None:
    view(driver, "王玉兰")
    driver.tap_id("menu_more")
    driver.tap_id("menu_share")
    driver.tap_id("share_file")
    text = driver.phone.state.files.read("/sdcard/Download/王玉兰.vcf").decode()
    assert "FN:王玉兰\r\n" in text
    assert "13958036617" in text
    driver.tap_id("menu_more")
    driver.tap_id("menu_share")
    driver.tap_text("以文字发送：信息") if driver.has("以文字发送：信息") else driver.tap_id("share_text")
    assert driver.phone.activities.resumed().package != PACKAGE


def test_export_then_import_and_merge(driver: Driver) -> None:
    driver.tap_id("menu_more")
    driver.tap_id("menu_import_export")
    driver.tap_id("export_vcf")
    driver.tap_text("导出")
    assert driver.phone.state.files.exists("/sdcard/Download/contacts.vcf")
    driver.tap_id("import_vcf")
    driver.tap_text("contacts.vcf")
    assert len(driver.phone.providers.query(CONTACTS)) == 80
    driver.back()
    driver.tap_id("menu_more")
    driver.tap_id("menu_merge")
    driver.tap_id("merge_all")
    assert driver.has("没有重复的联系人")
    assert len(driver.phone.providers.query(CONTACTS)) == 40
    assert len(ids(driver.phone, SON)) == 1
    assert len(data(driver.phone, SON, NUMBER, "data1")) == 2


# ---- groups


def test_a_group_from_its_making_to_its_end(driver: Driver) -> None:
    driver.tap_id("nav_groups")
    driver.tap_id("floating_action_button")
    driver.type("家人")
    driver.tap_text("确定")
    assert driver.has("已有同名群组")
    driver.replace_text("group_name", "太极拳队")
    driver.tap_text("确定")
    assert driver.has("群组里还没有联系人")
    driver.tap_id("floating_action_button")
    driver.tap_text("陈大夫")
    driver.tap_text("大哥 国庆")
    driver.tap_id("menu_done")
    assert names(driver) == ["陈大夫", "大哥 国庆"]
    driver.long_press_text("陈大夫")
    driver.tap_id("menu_remove_members")
    assert names(driver) == ["大哥 国庆"]
    driver.tap_id("menu_more")
    driver.tap_id("menu_rename_group")
    driver.phone.text_input.select_all()
    driver.type("晨练")
    driver.tap_text("确定")
    counts = {row["title"]: row["summ_count"] for row in driver.phone.providers.query(GROUPS)}
    assert counts == {"家人": 8, "朋友邻居": 7, "看病买药": 5, "晨练": 1}
    driver.tap_id("menu_more")
    driver.tap_id("menu_delete_group")
    driver.tap_text("删除")
    assert not driver.has("晨练")
    assert ids(driver.phone, "大哥 国庆")


def test_writing_to_a_group(driver: Driver) -> None:
    driver.tap_id("nav_groups")
    driver.tap_text("看病买药")
    driver.tap_id("menu_message_group")
    assert driver.phone.activities.resumed().package == "com.android.messaging"


# ---- settings and intents


def test_sort_order_and_name_format() -> None:
    phone = Phone(language="en", snapshot="clean")
    driver = Driver(phone)
    driver.open(PACKAGE)
    driver.tap_id("menu_more")
    driver.tap_id("menu_settings")
    driver.tap_id("sort_order")
    driver.tap_text("Last name")
    driver.tap_id("name_format")
    driver.tap_text("Last name first")
    driver.back()
    driver.tap_id("search_view")
    driver.type("Grace")
    assert names(driver) == ["Lee, Grace"]
    driver.tap_id("back")
    driver.tap_text("Q")
    assert names(driver)[0] == "Quinn, Maria"
    phone.close()


def test_insert_by_intent_fills_the_form(driver: Driver) -> None:
    extras = {"name": "社区护士", "phone": "13811112222", "email": "nurse@mail.example"}
    kind = "vnd.android.cursor.dir/raw_contact"
    driver.phone.activities.start(Intent(action="android.intent.action.INSERT", mime=kind, extras=extras))
    driver.phone.settle()
    driver.tap_id("editor_menu_save_button")
    assert data(driver.phone, "社区护士", NUMBER, "data1") == [("13811112222",)]
    assert data(driver.phone, "社区护士", EMAIL, "data1") == [("nurse@mail.example",)]


def test_pick_by_intent(driver: Driver) -> None:
    driver.phone.activities.start(Intent(action="android.intent.action.PICK", data=CONTACTS))
    driver.phone.settle()
    driver.tap_text("陈大夫")
    assert driver.phone.activities.resumed().activity.endswith("PeopleActivity")


# ---- vCards and names

_text = st.text(st.characters(codec="utf-8", exclude_characters="\r\x85\u2028\u2029\x0b\x0c\x1c\x1d\x1e"), max_size=30)
_line = _text.map(lambda text: " ".join(text.split())).filter(bool)


@given(
    st.builds(
        Contact,
        name=_line,
        phones=st.lists(st.builds(Item, _line, st.sampled_from([1, 2, 3, 4, 5, 7, 12])), max_size=3).map(tuple),
        emails=st.lists(st.builds(Item, _line, st.sampled_from([1, 2, 3, 4])), max_size=2).map(tuple),
        note=_line,
        company=_line,
        birthday=st.dates().map(str),
    )
)
def test_a_written_card_reads_the_same(contact: Contact) -> None:
    assert read_vcards(write_vcards([contact])) == [contact]


@given(st.text(max_size=200))
def test_any_text_reads_as_some_cards(text: str) -> None:
    for contact in read_vcards(text):
        assert contact.name or contact.phones


def test_cards_of_older_phones() -> None:
    text = "\n".join(
        [
            "BEGIN:VCARD",
            "VERSION:2.1",
            "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E5=BC=A0;=E4=B8=89;;;",
            "TEL;CELL:138 0000 0000",
            "TEL;WORK;FAX:0571-1",
            "END:VCARD",
        ]
    )
    (contact,) = read_vcards(text)
    assert contact.name == "张三"
    assert [(item.value, item.type) for item in contact.phones] == [("138 0000 0000", 2), ("0571-1", 4)]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Grace Lee", ("Grace", "Lee")),
        ("王玉兰", ("玉兰", "王")),
        ("Joe (taxi)", ("Joe (taxi)", "")),
        ("居委会 小徐", ("居委会 小徐", "")),
    ],
)
def test_names_are_split_where_they_tell(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts


# ---- mail, weeks, large text


def test_the_mail_button_works_only_where_an_app_takes_mail(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    open_contact(driver, SON)
    assert driver.by_id("quick_call").enabled
    assert not driver.by_id("quick_email").enabled
    app = driver.phone.apps["com.android.messaging"]
    resolve = app.resolve

    def takes_mail(action: str | None, data: str | None, mime: str | None, extras: Any) -> Any:
        return resolve(action, str(data).replace("mailto:", "smsto:"), mime, extras)

    monkeypatch.setattr(app, "resolve", takes_mail)
    driver.phone.invalidate()
    driver.tap_id("quick_email")
    assert driver.phone.activities.resumed().package == "com.android.messaging"


@pytest.mark.parametrize(("language", "letter"), [("zh", "一"), ("en", "S")])
def test_the_date_picker_begins_weeks_as_the_locale_does(language: str, letter: str) -> None:
    phone = Phone(language=language, snapshot="lived_in")
    driver = Driver(phone)
    driver.open(PACKAGE)
    driver.tap_id("floating_action_button")
    driver.back()
    driver.scroll_to_id("add_birthday")
    driver.tap_id("add_birthday")
    (grid,) = [node for node in driver.nodes() if node.id == "month_grid"]
    assert next(node.text for node in grid.walk() if node.kind == "text") == letter
    phone.close()


@pytest.mark.parametrize(("language", "scale"), [("zh", "2.0"), ("en", "1.5"), ("en", "2.0")])
def test_large_text_is_not_cut(language: str, scale: str) -> None:
    phone = Phone(language=language, snapshot="lived_in")
    phone.put_setting("system", "font_scale", scale)
    driver = Driver(phone)
    driver.open(PACKAGE)
    for tab in ("nav_favorites", "nav_groups", "nav_contacts"):
        driver.tap_id(tab)
        assert cut_texts(phone.windows.focused().root) == []
    driver.tap_id("floating_action_button")
    assert cut_texts(phone.windows.focused().root) == []
    phone.close()


# ---- every screen and overlay

_WALK = (
    "nav_favorites nav_groups floating_action_button CANCEL group_row menu_more menu_rename_group CANCEL"
    " menu_more menu_delete_group CANCEL floating_action_button BACK BACK nav_contacts menu_more menu_select"
    " cliv_root menu_share BACK menu_delete CANCEL selection_close menu_more menu_merge BACK menu_more"
    " menu_import_export import_vcf CLOSE export_vcf CANCEL BACK menu_more menu_settings sort_order CANCEL"
    " blocked_numbers floating_action_button CANCEL BACK BACK floating_action_button BACK BACK SON quick_call"
    " BACK menu_more BACK ringtone_row CANCEL block_row CANCEL delete_row CANCEL menu_edit phone_0_type BACK"
    " birthday CANCEL groups groups_done close"
)


@pytest.mark.parametrize(
    ("language", "dark", "scale", "profile"),
    [
        ("zh", "1", "1.0", "pixel_6a"),
        ("en", "2", "1.3", "pixel_6a"),
        ("zh", "1", "1.3", "small"),
        ("en", "1", "1.0", "small"),
    ],
)
def test_every_screen_and_overlay(language: str, dark: str, scale: str, profile: str) -> None:
    phone = Phone(profile=profile, language=language, snapshot="lived_in")
    phone.put_setting("secure", "ui_night_mode", dark)
    phone.put_setting("system", "font_scale", scale)
    driver = Driver(phone)
    driver.open(PACKAGE)
    for step in _WALK.split():
        if step == "BACK":
            driver.back()
        elif step == "CANCEL":
            driver.tap_text("取消" if language == "zh" else "Cancel")
        elif step == "CLOSE":
            driver.tap_id("button1")
        elif step == "SON":
            open_contact(driver, SON if language == "zh" else "Jason (son)")
        else:
            if not any(node.id == step for node in driver.nodes()):
                driver.scroll_to_id(step)
            driver.tap_id(step)
        found = [fault for window in phone.windows.windows for fault in faults(window.root)]
        assert not found, (step, found)
    assert phone.activities.resumed().activity.endswith("QuickContactActivity")
    phone.close()


@pytest.mark.parametrize("snapshot", ["clean", "lived_in"])
def test_every_activity_starts_without_arguments(snapshot: str) -> None:
    phone = Phone(language="en", snapshot=snapshot)
    driver = Driver(phone)
    for screen in phone.apps[PACKAGE].screens:
        driver.open(PACKAGE, screen.activity)
        assert phone.activities.resumed().activity.endswith(screen.activity)
        found = [fault for window in phone.windows.windows for fault in faults(window.root)]
        assert not found, (screen.activity, found)
    phone.close()
