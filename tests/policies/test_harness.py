"""The harness: what a model is sent, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from mobile_gym.envs.actions import ActionType
from mobile_gym.models.completion import Completion
from mobile_gym.models.errors import EmptyAnswer
from mobile_gym.models.messages import Message, Picture, png
from mobile_gym.policies.formats import FORMATS, ModelTraits, Screen, parse, traits_of
from mobile_gym.policies.harness import (
    Captioner,
    FreeState,
    Harness,
    Look,
    Prompts,
    StructuredState,
    look_of,
    state_tracking,
)
from mobile_gym.policies.harness.pictures import fitted
from mobile_gym.policies.harness.prompts import Language
from mobile_gym.policies.harness.state import split_state

ALL = [1] * len(ActionType)


def look(shade: int = 0) -> Look:
    picture = png(np.full((20, 9, 3), shade, np.uint8))
    return Look(picture, Screen((90, 200), (9, 20)))


def play(harness: Harness, turns: int, said: str = '{{"thought": "t{0}", "action": "press_back"}}') -> list[Message]:
    harness.begin("louder")
    for turn in range(1, turns + 1):
        harness.messages(look(turn), f"m{turn}", ALL)
        answer = said.format(turn)
        harness.record(harness.take_state(answer), parse("json", answer, Screen((90, 200))))
    return harness.messages(look(turns + 1), "", ALL)


def prompts(format: str = "json", language: Language = "en") -> Prompts:
    return Prompts(traits_of("m", format), language)


def pictures(chat: Sequence[Message]) -> list[Picture]:
    return [part for message in chat for part in message.parts if isinstance(part, Picture)]


@pytest.mark.parametrize("images", [1, 2, 4, 16])
def test_the_newest_screenshots_and_all_texts_are_sent(images: int) -> None:
    chat = play(Harness(prompts(), images), 5)
    assert [message.role for message in chat] == ["system"] + ["user", "assistant"] * 5 + ["user"]
    newest = [look(turn).picture for turn in range(1, 7)][-images:]
    assert pictures(chat) == newest
    said = "\n".join(message.text for message in chat)
    assert said.count("Task: louder") == 1
    for turn in range(1, 6):
        assert f"says: m{turn}" in said
        assert f'"thought": "t{turn}"' in said
    assert said.count("no longer shown") == max(0, 6 - images)


def test_without_thoughts_the_actions_alone_are_sent() -> None:
    chat = play(Harness(prompts(), thoughts=False), 2, 'because {0}\n{{"action": "press_back"}}')
    said = [message.text for message in chat if message.role == "assistant"]
    assert said == ['{"action": "press_back"}'] * 2
    broken = play(Harness(prompts(), thoughts=False), 1, "x" * 5000)
    assert len(broken[2].text) < 2100
    assert play(Harness(prompts()), 1, "")[2].text == "(no answer)"


class Model:
    """Answers what it is told to, and remembers what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[Message]] = []

    def complete(self, messages: Sequence[Message]) -> Completion:
        self.asked.append(messages)
        answer = self.answers.pop(0)
        if not answer:
            raise EmptyAnswer("nothing")
        return Completion(answer, 1, 1, 0.0, "stop")


def test_captions_take_the_place_of_screenshots_once() -> None:
    model = Model("a list", "", "a form")
    chat = play(Harness(prompts(), 2, captioner=Captioner(model.complete)), 4)
    assert [pictures(asked) for asked in model.asked] == [[look(turn).picture] for turn in (1, 2, 3)]
    assert "Task: louder" in model.asked[0][0].text
    assert "of this turn showed: a list" in chat[1].text
    assert "no longer shown" in chat[3].text
    assert "of this turn showed: a form" in chat[5].text
    assert pictures(chat) == [look(4).picture, look(5).picture]


def test_a_record_belongs_to_a_look() -> None:
    harness = Harness(prompts())
    harness.begin("x")
    with pytest.raises(RuntimeError, match="after messages"):
        harness.record("", parse("json", "", Screen((1, 1))))
    with pytest.raises(ValueError, match="at least the present"):
        Harness(prompts(), images=0)


def test_free_state_replaces_itself() -> None:
    state = FreeState()
    chat = play(Harness(prompts(), state=state), 2, '<state>done {0}</state>\n{{"action": "press_back"}}')
    assert state.shown() == "done 2"
    assert "<state>" in chat[0].text
    assert "noted so far:\ndone 2" in chat[-1].text
    assert all("done" not in message.text for message in chat[1:-1])
    assert state.take("no block") == "no block"
    assert state.shown() == "done 2"
    state.begin()
    assert state.shown() == ""


def test_structured_state_updates_its_fields() -> None:
    state = StructuredState()
    rest = state.take(
        '<think>hm</think><state>{"requirements": ["loud"], "facts": {"price": 5}, '
        '"subgoals": [{"goal": "open", "status": "doing"}]}</state>{"action": "wait"}'
    )
    assert rest == '<think>hm</think>{"action": "wait"}'
    state.take('{"action": "wait"}\n<state>\n```json\n{"facts": {"seat": "7A"}, "next": "pay"}\n```\n</state>')
    assert (state.state.requirements, state.state.next) == (["loud"], "pay")
    assert state.state.facts == {"price": 5, "seat": "7A"}
    assert '"next": "pay"' in state.shown()
    before = state.state
    for block, told in (
        ("{broken", "no JSON object"),
        ('{"mood": "fine"}', "mood"),
        ('{"next": 5}', "next"),
        ("[1]", "no JSON"),
    ):
        assert state.take(f"<state>{block}</state>ok") == "ok"
        assert told in state.problem()
        assert state.state == before
    harness = Harness(prompts(), state=state)
    chat = play(harness, 1, '<state>nonsense</state>{{"action": "wait"}}')
    assert "could not be read and changed nothing" in chat[-1].text
    with pytest.raises(ValueError, match="state tracking is none, free, structured"):
        state_tracking("both")


def test_a_typed_text_with_the_tag_is_no_state() -> None:
    answer = '{"action": "type", "text": "<state>x</state> y"}'
    assert split_state(answer) == (None, answer)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("format", sorted(FORMATS))
def test_prompts_list_what_the_task_allows_in_words_that_the_parser_reads(format: str, language: Language) -> None:
    mask = [0] * len(ActionType)
    mask[ActionType.TAP] = mask[ActionType.FINISH] = 1
    few = Prompts(traits_of("m", format), language).system(mask, (504, 1120))
    many = Prompts(traits_of("m", format), language).system(ALL, (504, 1120), "state_structured")
    assert few.count("\n- ") < many.count("\n- ")
    assert "$" not in many
    assert len(few) < len(many) < 4000
    listed = [line[2:].split("  ")[0] for line in many.splitlines() if line.startswith("- ") and "  " in line]
    assert len(listed) >= 9
    wrap = {
        "ui_tars": "Action: {}", "ui_venus": "<action>{}</action>", "cogagent": "Grounded Operation: {}",
        "gui_owl": "### Action ###\n{}",
    }.get(format, "{}")  # fmt: skip
    fill = {
        "[[x1,y1,x2,y2]]": "[[1,2,3,4]]", "(x,y)": "(1,2)", "(x, y)": "(1, 2)", "(x1, y1)": "(1, 2)",
        "(x2, y2)": "(3, 4)", "[x,y]": "[1,2]", "[x, y]": "[1, 2]", "[x1,y1]": "[1,2]", "[x2,y2]": "[3,4]",
        "[x2, y2]": "[3, 4]", "down or up or right or left": "down", "down/up/right/left": "down",
        "up|down|left|right": "down", "content=''": "content='a'", "text=''": "text='a'", "app=''": "app='a'",
        "app_name=''": "app_name='a'",
    }  # fmt: skip
    for line in listed:
        written = line
        for placeholder, value in fill.items():
            written = written.replace(placeholder, value)
        parsed = parse(format, wrap.format(written), Screen((504, 1120)), "pixels")
        assert parsed.action is not None, (line, parsed.error)


def test_prompts_tell_how_to_count() -> None:
    pixels = Prompts(ModelTraits("qwen", "pixels", 28), "en").system(ALL, (504, 1120))
    assert "(504, 1120)" in pixels
    assert "(1000, 1000)" in Prompts(ModelTraits("qwen", "thousand", 32), "en").system(ALL, (504, 1120))
    with pytest.raises(ValueError, match="zh or en"):
        Prompts(traits_of("m"), "fr")  # type: ignore[arg-type]


def test_pictures_show_the_screen_alone() -> None:
    canvas = np.zeros((100, 100, 3), np.uint8)
    canvas[:, 25:75] = 200
    info: dict[str, Any] = {"screen": (25, 0, 50, 100), "screen_size": (1080, 2160)}
    seen = look_of({"screenshot": canvas}, info)
    assert (seen.picture.size, seen.screen) == ((50, 100), Screen((1080, 2160), (50, 100)))
    assert seen.picture == png(np.full((100, 50, 3), 200, np.uint8))
    shrunk = look_of({"screenshot": canvas}, info, factor=7, max_pixels=2000)
    assert shrunk.picture.size == shrunk.screen.shown == (28, 63)
    assert fitted((1080, 2400), 28, 10_000_000) == (1092, 2408)
    assert fitted((1080, 2400), 1, 10_000_000) == (1080, 2400)
    width, height = fitted((1080, 2400), 28, 1_310_720)
    assert width * height <= 1_310_720
    assert abs(width / height - 0.45) < 0.02
    assert fitted((5, 5), 28, 100) == (28, 28)
