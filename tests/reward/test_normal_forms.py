"""Comparison by meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.reward.normal_forms import (
    contains_text,
    minute_of_day,
    normal_phone,
    normal_text,
    same_person,
    same_phone,
    same_text,
    same_time,
    same_value,
    to_number,
)

DIGITS = "〇一二三四五六七八九"


@pytest.mark.parametrize(
    "text",
    [
        "15:00",
        "3:00 PM",
        "3:00\u200aPM",
        "3:00\u202fPM",
        "3:00\u00a0pm",
        "３：００ PM",
        "3 p.m.",
        "下午3点",
        "下午三点",
        "下午3:00",
        "下午三点整",
        "15点",
        "十五点",
        "15:00:30",
    ],
)
def test_all_ways_to_write_three_in_the_afternoon(text: str) -> None:
    assert minute_of_day(text) == 15 * 60


@pytest.mark.parametrize(
    "text", ["03:00", "3:00", "3:00 AM", "13:00 PM", "13:00", "凌晨3点", "三点", "15:01", "at 3:00 PM"]
)
def test_what_is_not_three_in_the_afternoon(text: str) -> None:
    assert not same_time("3:00 PM", text)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("下午3点半", "15:30"),
        ("三点一刻", "03:15"),
        ("晚上八点二十", "20:20"),
        ("晚上12点", "00:00"),
        ("中午12点", "12:00"),
        ("中午1点", "13:00"),
        ("12:00 AM", "00:00"),
        ("12:30 pm", "12:30"),
        ("早上七点零五分", "07:05"),
        ("二十三点五十九分", "23:59"),
    ],
)
def test_spoken_times(text: str, clock: str) -> None:
    assert same_time(text, clock)


@pytest.mark.parametrize("text", ["7", "", "24:00", "7:60", "上午下午3点", "早上15点半钟", "AM", "13:00 AM", "一百点"])
def test_what_is_no_time(text: str) -> None:
    assert minute_of_day(text) is None


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_time_reads_the_same_in_all_its_forms(hour: int, minute: int) -> None:
    twelve, period = (hour - 1) % 12 + 1, "PM" if hour >= 12 else "AM"
    forms = [
        f"{hour}:{minute:02d}",
        f"{hour:02d}:{minute:02d}",
        f"{twelve}:{minute:02d} {period}",
        f"{hour}点{minute}分",
    ]
    assert {minute_of_day(form) for form in forms} == {60 * hour + minute}


@given(st.text(max_size=20))
def test_any_text_is_a_time_of_the_day_or_none(text: str) -> None:
    minutes = minute_of_day(text)
    assert minutes is None or 0 <= minutes < 24 * 60


@pytest.mark.parametrize(
    "text",
    [
        "13800138000",
        "138 0013 8000",
        "138-0013-8000",
        "+86 138 0013 8000",
        "+86-13800138000",
        "0086 13800138000",
        "8613800138000",
        "１３８００１３８０００",
        "(138) 0013 8000",
    ],
)
def test_all_ways_to_write_a_mobile_number(text: str) -> None:
    assert normal_phone(text) == "13800138000"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("010-12345678", "+86 10 1234 5678", True),
        ("+1 (415) 555-0100", "001 415 555 0100", True),
        ("10086", "+8610086", True),
        ("10086", "1008", False),
        ("13800138000", "3800138000", False),
        ("4155550100", "+14155550100", False),
        ("*100#", "100", False),
        ("", "", False),
        ("abc", "abc", False),
    ],
)
def test_which_numbers_are_the_same(one: str, other: str, same: bool) -> None:
    assert same_phone(one, other) is same


@given(st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True), st.integers(0, 10))
def test_separators_and_country_code_make_no_difference(number: str, at: int) -> None:
    assert same_phone(number, f"+86 {number[:at]}-{number[at:]}")


@given(st.text(max_size=30))
def test_normal_forms_are_fixed_points(text: str) -> None:
    assert normal_text(normal_text(text)) == normal_text(text)
    assert normal_phone(normal_phone(text)) == normal_phone(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("好的。", "好的", True),
        ("好 的", "好的", True),
        ("Hello  World!", "hello world", True),
        ("Ｗｉ－Ｆｉ", "wi-fi", True),
        ("买 3 斤苹果", "买3斤苹果", True),
        ("new york", "newyork", False),
        ("好", "好的", False),
        ("?", "!", False),
        ("\u200b好的", "好的", True),
    ],
)
def test_which_texts_are_the_same(one: str, other: str, same: bool) -> None:
    assert same_text(one, other) is same


def test_a_part_of_a_number_is_not_found_in_a_longer_one() -> None:
    assert not contains_text("13:00 PM", "3:00 PM")
    assert contains_text("闹钟 3:00 PM 响", "3:00 pm")
    assert not contains_text("共 125 元", "25")
    assert contains_text("共 25 元", "25")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Li Wei", "Wei Li", True),
        ("Li, Wei", "wei li", True),
        ("王芳", "王 芳", True),
        ("芳 王", "王芳", True),
        ("王芳", "芳王", False),
        ("阿卜杜拉·买买提", "阿卜杜拉买买提", True),
        ("王芳", "王芳芳", False),
        ("Anna", "Ann", False),
        ("", "王芳", False),
    ],
)
def test_which_names_are_the_same(one: str, other: str, same: bool) -> None:
    assert same_person(one, other) is same


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1.0", 1.0),
        ("1,234.5", 1234.5),
        ("８０％", 80.0),
        (True, 1.0),
        ("-3", -3.0),
        ("1e3", 1000.0),
        ("1 2", None),
        (None, None),
    ],
)
def test_numbers(value: object, number: float | None) -> None:
    assert to_number(value) == number


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        (1, "1.0", True),
        ("15:00", "3:00 PM", True),
        (None, None, True),
        (None, "", False),
        ("12", "123", False),
        (1, "", False),
    ],
)
def test_values(expected: object, actual: object, same: bool) -> None:
    assert same_value(expected, actual) is same
