"""Answers of declared types: what means the same is right, anything more or else is wrong."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mobile_gym.reward.answer_forms import ReadDate, read_date
from mobile_gym.reward.answers import typed_answer
from mobile_gym.reward.criteria import Criterion, judge
from mobile_gym.reward.leaves import Evidence
from mobile_gym.reward.world import EmptyWorld

NUMBER: dict[str, Any] = {"type": "number", "equals": 1200, "unit": ["km", "公里"]}
MONEY: dict[str, Any] = {"type": "money", "equals": 39.9}
DATE: dict[str, Any] = {"type": "date", "equals": "2026-03-02"}
TIME: dict[str, Any] = {"type": "time", "equals": "15:00"}
PHONE: dict[str, Any] = {"type": "phone", "equals": "13800138000"}
CHOICE: dict[str, Any] = {"type": "choice", "options": {"A": "红色", "B": "蓝色"}, "equals": "B"}
LIST: dict[str, Any] = {"type": "list", "equals": ["牛奶", "鸡蛋"]}
PRICES: dict[str, Any] = {"type": "list", "equals": [12, 3.5], "items": "money", "ordered": True}


@pytest.mark.parametrize(
    ("document", "answers"),
    [
        (NUMBER, ["1200", "1,200 km", "1200公里", "１２００", "1200.0"]),
        ({"type": "number", "equals": 20, "tolerance": 1}, ["19", "21.0"]),
        (MONEY, ["39.9", "¥39.90", "39.9元", "RMB 39.90", "39.90 yuan.", "￥39.9"]),
        ({"type": "money", "equals": 5, "currency": "USD"}, ["$5", "5 dollars", "5.00美元"]),
        ({"type": "text", "equals": "Li Wei"}, ["li  wei", "“Li Wei”", "Li Wei."]),
        ({"type": "text", "equals": ["王芳", "芳姐"]}, ["芳姐"]),
        ({"type": "text", "contains": ["红", "大"]}, ["大号，红色"]),
        (
            DATE,
            ["2026-03-02", "2026/3/2", "3月2日", "2026年3月2日 星期一", "March 2", "2 Mar 2026", "Mon, Mar 2nd, 2026"],
        ),
        (TIME, ["15:00", "3:00 PM", "下午三点", "下午3点。"]),
        (PHONE, ["+86 138-0013-8000", "138 0013 8000"]),
        (CHOICE, ["B", "b.", "(B)", "蓝色", "B. 蓝色", "B、蓝色"]),
        ({**CHOICE, "options": ["红色", "蓝色"], "equals": "蓝色"}, ["蓝色"]),
        (LIST, ["牛奶，鸡蛋", "鸡蛋、牛奶", "牛奶\n鸡蛋"]),
        ({**LIST, "separator": "/"}, ["牛奶/鸡蛋"]),
        (PRICES, ["¥12，3.5元"]),
    ],
)
def test_what_means_the_same_is_right(document: dict[str, Any], answers: list[str]) -> None:
    for answer in answers:
        assert typed_answer(document).holds(answer), answer


@pytest.mark.parametrize(
    ("document", "answers"),
    [
        (NUMBER, ["", "1200 m", "about 1200", "12000", "1200 or 1300"]),
        ({"type": "number", "equals": 20, "tolerance": 1}, ["21.5"]),
        (MONEY, ["$39.9", "3.99", "39.9元或40元", "大概39.9"]),
        ({"type": "text", "equals": "Li Wei"}, ["Mr Li Wei", "Li"]),
        (DATE, ["3/4/2026", "3月2日 星期二", "March", "2025-03-02", "3月2日或3日", "02"]),
        ({**DATE, "year": True}, ["3月2日"]),
        (TIME, ["3:00", "15:01", "15"]),
        (PHONE, ["13800138001", "tel 13800138000", "13800138000 or 10086"]),
        (CHOICE, ["A", "A或B", "B. 红色", "C"]),
        (LIST, ["牛奶", "牛奶,鸡蛋,面包", "牛奶,牛奶"]),
        ({**LIST, "separator": "/"}, ["牛奶,鸡蛋"]),
        (PRICES, ["3.5元，¥12"]),
    ],
)
def test_what_is_more_or_else_is_wrong(document: dict[str, Any], answers: list[str]) -> None:
    for answer in answers:
        assert not typed_answer(document).holds(answer), answer


@given(st.dates(min_value=date(1900, 1, 1)), st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%B %d, %Y", "%d %b %Y"]))
def test_every_date_is_read_back(day: date, form: str) -> None:
    assert read_date(day.strftime(form)) == ReadDate(day.year, day.month, day.day)
    assert read_date(f"{day.month}月{day.day}号") == ReadDate(None, day.month, day.day)


@given(st.text(max_size=30))
def test_reading_never_fails(text: str) -> None:
    read_date(text)
    for document in (NUMBER, MONEY, DATE, TIME, PHONE, CHOICE, LIST, PRICES):
        typed_answer(document).holds(text)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"type": "numbr", "equals": 1}, "no type of answer"),
        ({"type": "number"}, "Field required"),
        ({"type": "date", "equals": "3月2日"}, "no year"),
        ({"type": "date", "equals": "soon"}, "no date"),
        ({"type": "time", "equals": "soon"}, "no time"),
        ({"type": "phone", "equals": "none"}, "no telephone number"),
        ({"type": "choice", "options": ["a", "b"], "equals": "c"}, "none of the options"),
        ({"type": "text"}, "equals"),
        ({"type": "list", "equals": ["x"], "items": "number"}, "number"),
    ],
)
def test_documents_that_make_no_sense_are_refused(document: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Criterion.of("answer", document)


def test_the_criterion_is_met_by_the_answer_alone() -> None:
    empty = EmptyWorld()
    criterion = Criterion.of("answer", MONEY)
    assert criterion.plain() == {"answer": MONEY}
    assert not judge(criterion, Evidence(empty, empty)).holds
    assert judge(criterion, Evidence(empty, empty, "39.9元")).holds
    assert judge(Criterion.of("answer", 25), Evidence(empty, empty, "25")).holds
