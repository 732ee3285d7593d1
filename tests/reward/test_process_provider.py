"""The process provider: clicks in words by the tree or by a model, and verdicts that are read strictly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.models.completion import Completion
from mobile_gym.models.messages import Message, Picture
from mobile_gym.reward.demonstration import PrimitiveAction, perform
from mobile_gym.reward.errors import JudgementError
from mobile_gym.reward.process_provider import (
    Evaluator,
    Moment,
    ProcessProvider,
    Summarizer,
    action_sequence,
    describe_click,
    read_judgement,
    side_by_side,
)
from tests.support.stub_phone import LOUDER_AT, NOWHERE_AT, StubPhone

WHITE = np.full((40, 20, 3), 255, np.uint8)
BLACK = np.zeros((40, 20, 3), np.uint8)


class Model:
    """Answers in turn, and keeps what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[Message]] = []

    def complete(self, messages: Sequence[Message]) -> Completion:
        self.asked.append(messages)
        return Completion(self.answers.pop(0), None, None, 0.0, "stop")


def tree(*nodes: UiNode) -> UiTree:
    return UiTree((UiNode(bounds=Bounds(0, 0, 100, 100), children=nodes),), 0, (100, 100))


def test_a_click_is_told_by_the_smallest_clickable_node() -> None:
    card = UiNode(clickable=True, text="商品", bounds=Bounds(0, 0, 100, 50))
    button = UiNode(clickable=True, text="买", content_desc="购买", bounds=Bounds(10, 10, 30, 30))
    label = UiNode(text="小字", bounds=Bounds(12, 12, 14, 14))
    assert describe_click(tree(card, button, label), 13, 13) == "“买 购买”"
    assert describe_click(tree(card, button), 60, 40, "en") == '"商品"'
    assert describe_click(tree(card), 500, 500, "en") == "a place without an element"


def test_a_node_without_words_is_told_by_its_id_and_what_lies_in_it() -> None:
    inner = UiNode(text="价格", bounds=Bounds(0, 0, 10, 10))
    row = UiNode(clickable=True, resource_id="shop:id/sort", bounds=Bounds(0, 0, 50, 50), children=(inner,))
    assert describe_click(tree(row), 5, 5, "en") == "an element without text (shop:id/sort; with 价格 in it)"
    bare = UiNode(clickable=True, class_name="android.widget.ImageView", bounds=Bounds(0, 0, 50, 50))
    assert "ImageView" in describe_click(tree(bare), 5, 5)


def test_the_two_screens_stand_side_by_side_with_the_click_marked() -> None:
    both = side_by_side(WHITE, BLACK, (500, 500))
    assert both.shape == (40, 40, 3)
    red = (both == (255, 0, 0)).all(axis=2)
    assert red[:, :20].any()
    assert not both[:, 20:].any()
    assert (WHITE == 255).all(), "the frame itself is left as it is"


def test_a_click_that_changed_nothing_is_invalid_without_asking() -> None:
    model = Model()
    tap = PrimitiveAction("tap", (500, 500))
    assert Summarizer(model).summarise(Moment(tap, WHITE, WHITE.copy())) == "Invalid click"
    assert model.asked == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [("点击了“价格”，\n列表改为升序", "点击了“价格”， 列表改为升序"), ("invalid click.", "Invalid click")],
)
def test_the_summarizer_passes_the_model_s_words_on(answer: str, told: str) -> None:
    model = Model(answer)
    assert Summarizer(model).summarise(Moment(PrimitiveAction("tap", (500, 500)), WHITE, BLACK)) == told
    [picture] = [part for part in model.asked[0][1].parts if isinstance(part, Picture)]
    assert picture.size == (40, 40)


def test_every_kind_of_action_has_words() -> None:
    actions = [
        PrimitiveAction("swipe", (500, 700), (500, 300)),
        PrimitiveAction("type", text="$5 面包"),
        PrimitiveAction("press_back"),
        PrimitiveAction("finish"),
    ]
    told = action_sequence([Moment(action, WHITE, BLACK) for action in actions], "en")
    assert told == ["swipe up", 'type "$5 面包"', "press back", "say that the task is done"]


def test_the_provider_takes_an_episode_down_on_any_device() -> None:
    phone = StubPhone()
    provider = ProcessProvider(phone, "en")
    for point in (LOUDER_AT, NOWHERE_AT):
        action = PrimitiveAction("tap", point)
        provider.before(action)
        perform(phone, action)
        provider.after()
    first, second = provider.sequence()
    assert first.startswith("tap ")
    assert "Invalid click" not in first
    assert second.endswith("(Invalid click)")
    with pytest.raises(RuntimeError, match="before"):
        provider.after()


def test_the_evaluator_is_shown_the_way_and_the_last_screen() -> None:
    model = Model('{"success": true, "reason": "排序了"}')
    judgement = Evaluator(model).judge("买最便宜的", ["点击“价格”"], WHITE)
    assert judgement.success
    assert "1. 点击“价格”" in model.asked[0][1].text
    state = Model('```json\n{"success": false, "reason": "no"}\n```')
    assert not Evaluator(state, "en").judge("Buy it", None, WHITE).success
    assert "Actions" not in state.asked[0][1].text


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "success",
        "true",
        '{"success": "true", "reason": "x"}',
        '{"success": 1, "reason": "x"}',
        '{"success": true}',
        '{"success": true, "reason": null}',
        '{"success": true, "reason": "x", "note": 1}',
        '{"success": false, "success": true, "reason": "x"}',
        'Sure! {"success": true, "reason": "x"}',
        '[{"success": true, "reason": "x"}]',
        '{"success": true, "reason": "x"} {"success": false, "reason": "y"}',
        "[" * 100000,
    ],
)
def test_a_malformed_verdict_is_an_error_and_no_success(answer: str) -> None:
    with pytest.raises(JudgementError):
        read_judgement(answer)


@given(st.text())
def test_no_text_is_taken_for_a_verdict_by_chance(answer: str) -> None:
    with pytest.raises(JudgementError):
        read_judgement(answer)
