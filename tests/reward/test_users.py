"""Simulated users keep their contract: the facts that are asked for, no others, and no help with the phone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mobile_gym.models.completion import Completion
from mobile_gym.models.errors import ModelTimeout
from mobile_gym.models.messages import Message
from mobile_gym.reward.errors import UserFailed
from mobile_gym.reward.user_clients import make_user
from mobile_gym.reward.user_facts import User
from mobile_gym.reward.users import ModelUser, Reply, ScriptedUser, asked_about

USER = User.model_validate(
    {
        "knows": {
            "budget": {
                "says": {"zh": "预算三百块（300）以内", "en": "At most 300 yuan"},
                "asked_by": {"zh": ["预算", "多少钱"], "en": ["budget", "how much"]},
            },
            "colour": {
                "says": {"zh": "要蓝色的", "en": "Blue, please."},
                "asked_by": ["颜色", "colour", "color"],
                "gives_away": {"zh": "蓝色", "en": "blue"},
            },
            "address": {"zh": "送到公司前台", "en": "To the front desk of my office"},
        }
    }
)


class Model:
    """Answers one thing, or fails."""

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.asked: list[Sequence[Message]] = []
        self.closed = 0

    def complete(self, messages: Sequence[Message]) -> Completion:
        self.asked.append(messages)
        if self.answer is None:
            raise ModelTimeout("too slow")
        return Completion(self.answer, None, None, 0.0, "stop")

    def close(self) -> None:
        self.closed += 1


def scripted(question: str, language: Any = "zh") -> Reply:
    return ScriptedUser().reply(USER, language, "买个杯子", question)


def spoken(question: str, reply: str, topics: Sequence[str] = (), language: Any = "zh") -> Reply:
    model = Model(json.dumps({"topics": list(topics), "reply": reply}, ensure_ascii=False))
    return ModelUser(model).reply(USER, language, "买个杯子", question)


def test_what_is_asked_for_is_told_politely_in_the_instruction_s_language() -> None:
    assert scripted("请问预算是多少？") == Reply("好的，预算三百块（300）以内。", frozenset({"budget"}))
    assert scripted("What's your budget?", "en") == Reply("Sure. At most 300 yuan.", frozenset({"budget"}))
    assert scripted("What's your budget?").text.startswith("好的")
    both = scripted("预算多少？要什么颜色？")
    assert both.told == {"budget", "colour"}
    assert "address" in scripted("what ADDRESS?").told


def test_what_the_user_does_not_know_is_said_so() -> None:
    for question in ("尺寸要多大？", "What size?", "你还有什么要求？"):
        reply = scripted(question)
        assert not reply.told
        assert "不清楚" in reply.text
    assert "don't know" in scripted("What size?", "en").text
    assert "没听清" in scripted("  ").text


@pytest.mark.parametrize("question", ["怎么打开购物车？", "下一步点哪里", "How do I set the budget?", "which button?"])
def test_nobody_is_helped_with_the_phone(question: str) -> None:
    reply = scripted(question)
    assert not reply.told
    assert "怎么操作我说不上来" in reply.text


def test_a_question_is_still_answered_beside_one_for_help() -> None:
    reply = scripted("怎么下单？预算多少？下一步点哪里？")
    assert reply.told == {"budget"}
    assert "300" in reply.text
    assert "怎么操作" in reply.text


def test_words_are_whole_ones() -> None:
    assert asked_about(USER, "Are you colouring?")[0] == ()
    assert asked_about(USER, "Which colours?")[0] == ("colour",)


@given(st.text(max_size=80))
def test_nothing_is_told_unasked(question: str) -> None:
    reply = scripted(question)
    topics, _ = asked_about(USER, question)
    assert reply.told == set(topics)
    told = {"budget": "300", "colour": "蓝色", "address": "前台"}
    assert all((sign in reply.text) == (topic in topics) for topic, sign in told.items())
    assert reply == scripted(question)


def test_a_model_s_own_words_are_passed_on() -> None:
    reply = spoken("预算多少？", "控制在300块以内吧，谢谢。", ["budget"])
    assert reply == Reply("控制在300块以内吧，谢谢。", frozenset({"budget"}))
    paraphrased = spoken("你想要什么样的？", "我想要蓝色的。", ["colour"])
    assert (paraphrased.replaced, paraphrased.told) == ("", {"colour"})


@pytest.mark.parametrize(
    ("question", "reply", "topics", "why"),
    [
        ("预算多少？", "300以内，要蓝色的。", ["budget", "colour"], "colour"),
        ("预算多少？", "300以内，送到公司前台。", ["budget"], "address"),
        ("预算多少？", "300以内，先打开购物车再点结算。", ["budget"], "guides"),
        ("What is your budget?", "At most 300; tap the cart icon.", ["budget"], "guides"),
        ("预算多少？", "500以内。", ["budget"], "does not know"),
        ("预算多少？", "这个你自己看吧。", ["budget"], "back"),
        ("尺寸多大？", "42 码。", [], "does not know"),
        ("你好", "预算300，要蓝色。", ["budget", "colour"], "budget"),
        ("怎么下单？下一步点哪里？", "送到公司前台。", ["address"], "address"),
        ("预算多少？", "", ["budget"], "empty"),
        ("预算多少？", "300" + "。" * 400, ["budget"], "too long"),
    ],
)
def test_a_reply_that_breaks_the_contract_is_replaced(question: str, reply: str, topics: list[str], why: str) -> None:
    got = spoken(question, reply, topics)
    assert why in got.replaced
    assert (got.text, got.told) == (scripted(question).text, scripted(question).told)


@pytest.mark.parametrize("answer", ["", "300以内", '["x"]', '{"reply": 3}', '{"reply": "x", "topics": "budget"}'])
def test_an_answer_that_is_not_the_json_asked_for_is_replaced(answer: str) -> None:
    got = ModelUser(Model(answer)).reply(USER, "zh", "买个杯子", "预算多少？")
    assert got.replaced
    assert got.text == scripted("预算多少？").text


def test_a_model_that_does_not_answer_is_no_reply() -> None:
    with pytest.raises(UserFailed, match="too slow"):
        ModelUser(Model(None)).reply(USER, "zh", "买个杯子", "预算多少？")


def test_the_model_is_told_the_facts_and_what_was_said_before() -> None:
    from mobile_gym.reward.users import Exchange

    model = Model('{"topics": [], "reply": "不清楚"}')
    ModelUser(model).reply(USER, "zh", "买个杯子", "尺寸？", [Exchange("预算多少？", Reply("300以内"))])
    system, asked = (message.text for message in model.asked[0])
    assert "送到公司前台" in system
    assert "买个杯子" in system
    assert "300以内" in asked
    assert "尺寸？" in asked


def test_users_by_name() -> None:
    assert make_user("scripted").name == "scripted"
    model = make_user("openai:qwen@http://127.0.0.1:9/v1")
    assert model.name == "openai:qwen@http://127.0.0.1:9/v1"
    model.close()
    for name in ("nobody", "openai:", "qwen"):
        with pytest.raises(ValueError, match="no simulated user"):
            make_user(name)


@pytest.mark.parametrize("document", [{"knows": {}}, {"knows": {"_": "x"}}, {"knows": {"a": {"asked_by": ["x"]}}}])
def test_users_that_know_nothing_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        User.model_validate(document)
