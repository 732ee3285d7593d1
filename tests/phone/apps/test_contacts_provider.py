"""Contacts, calls, blocked numbers and messages through the content providers, as the shell and tasks use them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.apps.contacts_provider.numbers import normalise, shown
from mobile_gym.phone.apps.contacts_provider.people import directory, people
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.phone import Phone

RAW = "content://com.android.contacts/raw_contacts"
DATA = "content://com.android.contacts/data"
CONTACTS = "content://com.android.contacts/contacts"
NAME = "vnd.android.cursor.item/name"
NUMBER = "vnd.android.cursor.item/phone_v2"


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone()
    yield phone
    phone.close()


def add(phone: Phone, name: str | None, *numbers: str) -> int:
    key = int(phone.providers.insert(RAW, {"account_type": None, "account_name": None}).rpartition("/")[2])
    if name is not None:
        phone.providers.insert(DATA, {"raw_contact_id": key, "mimetype": NAME, "data1": name})
    for number in numbers:
        phone.providers.insert(DATA, {"raw_contact_id": key, "mimetype": NUMBER, "data1": number, "data2": 2})
    return key


# ---- numbers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("13800137725", "138 0013 7725"),
        ("+86 138-0013-7725", "13800137725"),
        ("008613800137725", "13800137725"),
        ("+1 (555) 013-7725", "5550137725"),
        ("0571-88450216", "057188450216"),
    ],
)
def test_ways_to_write_a_number_are_one(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"), [("13800137725", "13800137726"), ("95598", "95577"), ("10086", "+8610010086")]
)
def test_other_numbers_differ(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_a_sender_may_be_a_name() -> None:
    assert normalise("Parcel Shop") == "parcel shop"


@given(st.text(max_size=30))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True))
def test_a_shown_number_is_still_that_number(number: str) -> None:
    assert normalise(shown(number, "zh")) == number


# ---- contacts


def test_a_name_row_names_the_contact(phone: Phone) -> None:
    key = add(phone, "林阿姨", "139 0000 1111")
    (row,) = phone.providers.query(RAW, where=f"_id = {key}")
    assert row["display_name"] == "林阿姨"
    assert row["contact_id"] == key
    (contact,) = phone.providers.query(CONTACTS, where=f"_id = {key}")
    assert (contact["display_name"], contact["has_phone_number"], contact["starred"]) == ("林阿姨", 1, 0)
    names = {row["display_name"] for row in phone.providers.query(DATA, where=f"raw_contact_id = {key}")}
    assert names == {"林阿姨"}
    assert phone.providers.query("content://contacts/phones/", ["display_name", "number"], f"person = {key}") == [
        {"display_name": "林阿姨", "number": "139 0000 1111"}
    ]


def test_given_and_family_name_make_the_name(phone: Phone) -> None:
    key = add(phone, None)
    phone.providers.insert(DATA, {"raw_contact_id": key, "mimetype": NAME, "data2": "Ada", "data3": "Lovelace"})
    assert phone.providers.query(RAW, ["display_name"], f"_id = {key}") == [{"display_name": "Ada Lovelace"}]


def test_without_a_name_the_number_names_it(phone: Phone) -> None:
    key = add(phone, None, "13900002222")
    assert phone.providers.query(RAW, ["display_name"], f"_id = {key}") == [{"display_name": "13900002222"}]


def test_renaming_and_unnaming(phone: Phone) -> None:
    key = add(phone, "旧名", "13900003333")
    where = f"raw_contact_id = {key} AND mimetype = '{NAME}'"
    assert phone.providers.update(DATA, {"data1": "新名"}, where) == 1
    assert phone.providers.query(RAW, ["display_name"], f"_id = {key}") == [{"display_name": "新名"}]
    assert phone.providers.delete(DATA, where) == 1
    assert phone.providers.query(RAW, ["display_name"], f"_id = {key}") == [{"display_name": "13900003333"}]


def test_deleting_a_contact_takes_its_data(phone: Phone) -> None:
    key = add(phone, "要删的人", "13900004444")
    assert phone.providers.delete(CONTACTS, f"_id = {key}") == 1
    assert phone.providers.query(DATA, where=f"raw_contact_id = {key}") == []
    assert phone.providers.query(RAW, where=f"_id = {key}") == []


def test_starring_through_contacts(phone: Phone) -> None:
    key = add(phone, "常联系", "13900005555")
    phone.providers.update(f"{CONTACTS}/{key}", {"starred": 1})
    assert phone.providers.query(RAW, ["starred"], f"_id = {key}") == [{"starred": 1}]


def test_data_of_no_contact_is_refused(phone: Phone) -> None:
    with pytest.raises(ProviderError, match="raw_contact_id"):
        phone.providers.insert(DATA, {"raw_contact_id": 9999, "mimetype": NAME, "data1": "x"})


def test_the_directory_finds_all_numbers_of_a_contact(phone: Phone) -> None:
    key = add(phone, "两个号码", "+86 139 0000 6666", "0571 8600 0001")
    found = directory(phone)
    assert found["13900006666"].contact_id == found["057186000001"].contact_id == key


@pytest.mark.parametrize("query", ["建军", "jianjun", "ezjj", "jj", "1385710", "138 571"])
def test_people_match_name_spelling_initials_number(phone: Phone, query: str) -> None:
    assert "儿子 建军" in [person.name for person in people(phone) if person.matches(query)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_contacts_are_there_from_the_start_and_calls_only_in_a_life(language: str) -> None:
    for snapshot, calls, messages in (("clean", 0, 0), ("lived_in", 30, 381)):
        phone = Phone(language=language, snapshot=snapshot)
        assert len(phone.providers.query(CONTACTS)) == 40
        assert len(phone.providers.query("content://call_log/calls")) == calls
        assert len(phone.providers.query("content://sms")) == messages
        phone.close()


# ---- calls and blocked numbers


def test_a_call_gets_time_and_name(phone: Phone) -> None:
    phone.providers.insert("content://call_log/calls", {"number": "138 5710 2618", "type": 3, "new": 1})
    (call,) = phone.providers.query("content://call_log/calls")
    assert (call["name"], call["date"], call["duration"]) == ("儿子 建军", phone.state.clock.now_ms, 0)


def test_an_ended_call_is_logged(phone: Phone) -> None:
    phone.incoming_call("13967104471")
    phone.answer_call()
    phone.advance(5000)
    phone.end_call()
    (call,) = phone.providers.query("content://call_log/calls")
    assert (call["name"], call["type"], call["duration"]) == ("女儿 小丽", 1, 5)


def test_blocking_flags_the_thread_and_back(phone: Phone) -> None:
    blocked = "content://com.android.blockednumber/blocked"
    conversations = "content://com.android.messaging/conversations"
    phone.providers.insert("content://sms", {"address": "+86 17000001111", "body": "x", "date": 1000})
    phone.providers.insert(blocked, {"original_number": "170 0000 1111"})
    assert phone.providers.query(conversations, ["blocked"]) == [{"blocked": 1}]
    phone.providers.update(conversations, {"blocked": 0}, "address = '+86 17000001111'")
    assert phone.providers.query(blocked) == []
    phone.providers.update(conversations, {"blocked": 1})
    assert [row["original_number"] for row in phone.providers.query(blocked)] == ["+86 17000001111"]


# ---- messages


def test_messages_of_one_number_share_a_thread(phone: Phone) -> None:
    for address in ("13800137725", "138 0013 7725", "+86-138-0013-7725"):
        phone.providers.insert("content://sms/inbox", {"address": address, "body": "x", "date": 1000, "read": 1})
    phone.providers.insert("content://sms/sent", {"address": "13800137726", "body": "y"})
    threads = phone.providers.query("content://sms", ["thread_id"])
    assert len({row["thread_id"] for row in threads}) == 2
    both = phone.providers.query("content://mms-sms/conversations?simple=true", ["message_count", "snippet", "read"])
    assert both == [
        {"message_count": 1, "snippet": "y", "read": 1},
        {"message_count": 3, "snippet": "x", "read": 1},
    ]


def test_boxes_hold_their_types(phone: Phone) -> None:
    for box in ("inbox", "sent", "draft", "failed"):
        phone.providers.insert(f"content://sms/{box}", {"address": "10010", "body": box, "date": 1000})
    for box, kind in (("inbox", 1), ("sent", 2), ("draft", 3), ("failed", 5)):
        rows = phone.providers.query(f"content://sms/{box}", ["body", "type"])
        assert rows == [{"body": box, "type": kind}]
    assert len(phone.providers.query("content://sms")) == 4


def test_counts_follow_reading_and_deleting(phone: Phone) -> None:
    conversations = "content://com.android.messaging/conversations"
    first = phone.providers.insert("content://sms", {"address": "10010", "body": "a", "date": 1000})
    phone.providers.insert("content://sms", {"address": "10010", "body": "b", "date": 2000})
    columns = ["snippet", "message_count", "unread_count"]
    assert phone.providers.query(conversations, columns) == [{"snippet": "b", "message_count": 2, "unread_count": 2}]
    phone.providers.update(first, {"read": 1})
    assert phone.providers.query(conversations, columns) == [{"snippet": "b", "message_count": 2, "unread_count": 1}]
    phone.providers.delete("content://sms", "body = 'b'")
    assert phone.providers.query(conversations, columns) == [{"snippet": "a", "message_count": 1, "unread_count": 0}]
    phone.providers.delete("content://sms")
    assert phone.providers.query(conversations) == []


def test_deleting_a_conversation_takes_its_messages(phone: Phone) -> None:
    for address in ("10010", "10010", "10011"):
        phone.providers.insert("content://sms", {"address": address, "body": "x", "date": 1000})
    conversations = "content://com.android.messaging/conversations"
    assert phone.providers.delete(conversations, "address = '10010'") == 1
    assert [row["address"] for row in phone.providers.query("content://sms")] == ["10011"]
    assert [row["address"] for row in phone.providers.query(conversations)] == ["10011"]


def test_a_message_needs_an_address(phone: Phone) -> None:
    with pytest.raises(ProviderError, match="address"):
        phone.providers.insert("content://sms", {"body": "nobody"})


def test_only_new_messages_notify(phone: Phone) -> None:
    now = phone.state.clock.now_ms
    phone.providers.insert("content://sms", {"address": "10010", "body": "old", "date": now - 1})
    phone.providers.insert("content://sms", {"address": "10010", "body": "read", "date": now, "read": 1})
    phone.providers.insert("content://sms", {"address": "10010", "body": "mine", "date": now, "type": 2})
    assert phone.notifications() == []
    phone.receive_sms("138 5710 2618", "到了吗")
    (posted,) = phone.notifications()
    assert (posted.title, posted.text, posted.package) == ("儿子 建军", "到了吗", "com.android.messaging")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_seed_times_are_local_times_whatever_the_zone_did(language: str) -> None:
    phone = Phone(language=language, snapshot="lived_in")
    (row,) = phone.providers.query("content://sms", ["date"], "body LIKE '%160 元' OR body LIKE '%two units are%'")
    moment = phone.state.clock.at(row["date"])
    assert (moment.day, moment.hour, moment.minute) == (7, 10, 31)
    phone.close()
