"""Answers that are nearly in their format: what leaves no doubt is read and flagged, what leaves one is told."""

from __future__ import annotations

import re

import pytest

from mobile_gym.policies.formats import Flag, parse
from tests.policies.formats.test_formats import PHONE, kind, read

# Odd ways to write that leave no doubt of what is meant: (format, answer, kind, text, pixels, flags).
NEIGHBOURS = [
    ("ui_tars", "Action\uff1aclick(start_box='(500,500)')", "tap", "", [(540, 1200)], ""),
    ("ui_tars", "Action\uff1afinished()", "finish", "", [], ""),
    ("ui_tars", "Action: click(start_box='\uff08500\uff0c500\uff09')", "tap", "", [(540, 1200)], "repaired"),
    ("ui_tars", "Action: click\uff08start_box='(500,500)'\uff09", "tap", "", [(540, 1200)], "repaired"),
    ("ui_tars", "Action: click (start_box='(500,500)')", "tap", "", [(540, 1200)], "repaired"),
    ("ui_tars", "Action:\n```\nclick(start_box='(500,500)')\n```", "tap", "", [(540, 1200)], ""),
    ("ui_tars", "Action: `finished()`", "finish", "", [], ""),
    ("ui_tars", "Thought: I see it. Action: click(start_box='(500,500)')", "tap", "", [(540, 1200)], "repaired"),
    ("ui_tars", "Action: type('hello')", "type", "hello", [], "repaired"),
    ("ui_tars", "Action: wait(seconds=5)", "wait", "5", [], ""),
    ("ui_tars", "Action: wait(time='2 s')", "wait", "2", [], ""),
    ("ui_tars", "Action: type(content='a') # done", "type", "a", [], "repaired"),
    ("ui_tars", "I see</think>Action: press_back()", "press_back", "", [], ""),
    ("autoglm", 'do(action="Type", text=\u201c\u5496\u5561\u201d)', "type", "\u5496\u5561", [], "repaired"),
    ("autoglm", 'do(action="Type", text="say "x", y=2 ok")', "type", 'say "x", y=2 ok', [], ""),
    ("autoglm", 'do(action="Type", text="hello") # it\ndo(action="Back")', "type", "hello", [], "repaired,several"),
    ("autoglm", 'do(action="Type", text="hello").\ndo(action="Back")', "type", "hello", [], "repaired,several"),
    ("autoglm", 'do(action="Type", text="a") finish(message="b")', "type", "a", [], "repaired,several"),
    ("autoglm", 'do(action="Back"); do(action="Home")', "press_back", "", [], "repaired,several"),
    ("autoglm", '<answer>do("Back")</answer><answer>finish()</answer>', "press_back", "", [], "repaired,several"),
    ("autoglm", 'finish(message="x") would be wrong.\ndo(action="Back")', "press_back", "", [], "repaired"),
    ("autoglm", 'do("Back")', "press_back", "", [], "repaired"),
    ("ui_venus", "<action>PressBack()</action>\n<action>Finished()</action>", "press_back", "", [], "several"),
    ("cogagent", "**Grounded Operation:** CLICK(box=[[500,500,500,500]])", "tap", "", [(540, 1200)], ""),
    ("cogagent", "Grounded Operation\uff1aEND()", "finish", "", [], ""),
    ("gui_owl", '### Action ### {"action": "wait"}', "wait", "1", [], ""),
    ("qwen", '{"action": "click", "coordinate": {"x": 540, "y": 1200}}', "tap", "", [(540, 1200)], "repaired"),
    ("qwen", '<thinking>x</thinking>\n{"action": "answer", "text": "7"}', "answer", "7", [], ""),
    ("json", '{"action": "wait", "seconds": "5"}', "wait", "5", [], ""),
    ("json", 'Action: {"action": "finish"}', "finish", "", [], ""),
    ("json", 'It is done.\n```json\n{"action": "finish"}\n```', "finish", "", [], ""),
    ("json", '{"action": "press_back"}\n{"action": "finish"}', "press_back", "", [], "several"),
]  # fmt: skip


@pytest.mark.parametrize(("format", "text", "word", "typed", "pixels", "flags"), NEIGHBOURS)
def test_neighbours_are_read(
    format: str, text: str, word: str, typed: str, pixels: list[tuple[int, int]], flags: str
) -> None:
    parsed = read(format, text)
    assert parsed.error == ""
    assert kind(parsed) == word
    assert parsed.action is not None
    assert parsed.action.text == typed
    assert list(parsed.pixels) == pixels
    assert ",".join(sorted(parsed.flags)) == flags


@pytest.mark.parametrize(
    ("format", "text", "told"),
    [
        ("ui_tars", "Action: finished(", "finish ends the episode.*not written as the format wants"),
        ("ui_tars", "Action: finished()\nAction: press_back()", "there is another call"),
        ("ui_tars", "Action: finished()\nNow I wait.", "more text follows it"),
        ("ui_tars", "Action: click(start_box='(1,2)', count=2)", "there is no argument 'count'"),
        ("ui_tars", "Action: type(content='it'", "its text may be cut off"),
        ("ui_tars", "Action: wait(seconds=soon)", "a number of seconds"),
        ("autoglm", 'do(action="Type", text="a") x") y', "nobody can tell where it ends"),
        ("qwen", '<tool_call>{"name": "get_weather", "arguments": {"action": "wait"}}</tool_call>', "no tool"),
        ("qwen", '{"action": "click", "coordinate": [[540, 1200], [1, 1]]}', "is no point"),
        ("json", '{"action": "tap", "point": [1, 2], "action": "finish"}', "no JSON object"),
        ("json", "{'action': 'press_back', 'action': 'finish'}", "no JSON object"),
        ("json", '{"action": "wait", "seconds": true}', "a number of seconds"),
        ("json", '{"plan": [{"action": "finish"}]}', "no JSON object with 'action'"),
    ],
)
def test_doubts_are_told(format: str, text: str, told: str) -> None:
    parsed = read(format, text)
    assert parsed.action is None
    assert re.search(told, parsed.error), parsed.error


def test_what_the_endpoint_cut_off_is_not_mended() -> None:
    call = "Action: click(start_box='(500,500)'"
    assert kind(parse("ui_tars", call, PHONE)) == "tap"
    assert parse("ui_tars", call, PHONE, cut_off=True).error == "the answer was cut off in the middle of its call"
    whole = parse("ui_tars", f"{call})", PHONE, cut_off=True)
    assert kind(whole) == "tap"
    assert whole.flags == {Flag.CUT_OFF}
    for format, text in (("ui_tars", "Action: finished()"), ("json", '{"action": "finish"}')):
        assert "the answer was cut off" in parse(format, text, PHONE, cut_off=True).error
