"""Whatever a model writes: nothing is raised, nothing is made up, and texts come out as they went in."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobile_gym.envs.actions import ActionType
from mobile_gym.policies.formats import FORMATS, SPACES, Screen, Space, parse

PIECES = [
    "Action: ", "click(", "start_box=", "'(1,2)'", "'", '"', ")", "do(action=", "finish(message=", '"Tap"', "element=",
    "[500,500]", "<tool_call>", "</tool_call>", '{"action": ', '"click"', '"coordinate": [1, 2]', "}", "<action>",
    "</action>", "Click(box=", "Grounded Operation: ", "[[1,2,3,4]]", "<think>", "</think>", "```json", "\n", "\\", "{",
    "[", "]", ",", "=", "type(content=", "NaN", "-1", "1e9", "0.5", "### Action ###", "<answer>", "<<敏感操作>>",
    "\x00",
]  # fmt: skip
ANSWERS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
WORDS = [
    "json", "```", "'", '"', "(", ")", "[", "]", "{", "}", ",", "=", "\n", "Action: ", "a", "声音", "😀", " ", "%s",
    "$x", "it's", "\\", "<answer>", "</tool_call>", "<action>",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map("".join)


@given(ANSWERS, st.sampled_from(sorted(FORMATS)), st.sampled_from(SPACES))
@settings(max_examples=300)
def test_nothing_is_raised_and_nothing_is_made_up(text: str, format: str, space: Space) -> None:
    parsed = parse(format, text, Screen((1080, 2400), (504, 1120)), space)
    assert (parsed.action is None) == bool(parsed.error)
    if parsed.action is None:
        assert parsed.pixels == ()
    else:
        parsed.action.encode()
        assert parsed.call
    # Whatever has a point has the digits of one.
    if parsed.action is not None and parsed.action.point is not None:
        assert any(char.isdigit() for char in text) or "direction" in text or "SCROLL" in text
    if parsed.action is not None and parsed.action.kind is ActionType.FINISH:
        assert any(word in text for word in ("finish", "Finished", "END", "success"))


def escaped(text: str, quote: str) -> str:
    return text.replace("\\", "\\\\").replace(quote, f"\\{quote}")


@given(TEXTS, st.sampled_from("'\""), st.booleans())
@settings(max_examples=150)
def test_escaped_texts_survive_in_calls(text: str, quote: str, newline: bool) -> None:
    inner = escaped(text, quote)
    if newline:
        inner = inner.replace("\n", "\\n")
    argument = f"{quote}{inner}{quote}"
    screen = Screen((1080, 2400))
    for format, answer in (
        ("ui_tars", f"Thought: x\nAction: type(content={argument})"),
        ("autoglm", f'do(action="Type", text={argument})'),
        ("ui_venus", f"<think>x</think><action>Type(content={argument})</action>"),
        ("cogagent", f"Grounded Operation: TYPE(box=[[1,2,3,4]], text={argument}, element_info='x')\n<<x>>"),
    ):
        parsed = parse(format, answer, screen)
        assert parsed.action is not None, (format, parsed.error)
        assert parsed.action.text == text, format


@given(TEXTS, st.booleans())
@settings(max_examples=150)
def test_texts_survive_in_objects(text: str, ascii_only: bool) -> None:
    inner = {"action": "type", "text": text}
    line = json.dumps(inner, ensure_ascii=ascii_only)
    call = json.dumps({"name": "mobile_use", "arguments": inner}, ensure_ascii=ascii_only)
    for format, answer in (
        ("qwen", f"<tool_call>\n{call}\n</tool_call>"),
        ("qwen", f"<tool_call>\n{call}"),
        ("qwen", f"```json\n{line}\n```"),
        ("qwen", repr(inner)),
        ("gui_owl", f"### Thought ###\nx\n### Action ###\n{line}\n### Description ###\ny"),
        ("gui_owl", f"```\n{line}\n```"),
        ("json", line),
        ("json", f"I type it: \n{line}"),
    ):
        parsed = parse(format, answer, Screen((1080, 2400)))
        assert parsed.action is not None, (format, answer, parsed.error)
        assert parsed.action.text == text, format


@given(st.integers(0, 1079), st.integers(0, 2399))
@settings(max_examples=100)
def test_pixels_come_out_as_they_went_in(x: int, y: int) -> None:
    for format, answer in (
        ("ui_tars", f"Action: click(start_box='<|box_start|>({x},{y})<|box_end|>')"),
        ("qwen", f'{{"action": "click", "coordinate": [{x}, {y}]}}'),
        ("ui_venus", f"<action>Click(box=({x},{y}))</action>"),
        ("cogagent", f"Grounded Operation: CLICK(box=[[{x:04},{y:04},{x:04},{y:04}]])"),
    ):
        parsed = parse(format, answer, Screen((1080, 2400)), "pixels")
        assert parsed.pixels == ((x, y),), format


@pytest.mark.parametrize("space", SPACES)
def test_corners_are_the_screen_s(space: Space) -> None:
    far = {"pixels": (1080, 2400), "thousand": (1000, 1000), "frame": (1000, 1000), "unit": (1, 1)}[space]
    for x, y, pixel in ((0, 0, (0, 0)), (*far, (1079, 2399))):
        parsed = parse("qwen", f'{{"action": "click", "coordinate": [{x}, {y}]}}', Screen((1080, 2400)), space)
        assert parsed.pixels == (pixel,)
