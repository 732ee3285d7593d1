"""No action out of prose, out of thoughts or out of a broken call, and above all no end of an episode."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mobile_gym.policies.formats import FORMATS, Flag, Parsed, Screen, parse
from mobile_gym.policies.formats.base import ENDINGS

PHONE = Screen((1080, 2400))


@dataclass(frozen=True)
class Sample:
    """Calls of one format as it wants them, and what may stand before and after them."""

    tap: str
    ending: str
    head: str = ""
    foot: str = ""
    split: str = "\n"


def tool(**arguments: object) -> str:
    return f"<tool_call>\n{json.dumps({'name': 'mobile_use', 'arguments': arguments})}\n</tool_call>"


SAMPLES = {
    "ui_tars": [
        Sample("Action: click(start_box='(500,300)')", "Action: finished(content='all set')", "Thought: I see.\n"),
        Sample("Action: click(point='<point>500 300</point>')", "Action: finished()", split="\n\n"),
    ],
    "autoglm": [
        Sample('do(action="Tap", element=[500,300])', 'finish(message="all set")', "I see.\n"),
        Sample(
            '<answer>do(action="Tap", element=[500,300])</answer>', '<answer>finish(message="all set")</answer>',
            "<think>I see</think>",
        ),
    ],
    "qwen": [
        Sample(
            tool(action="click", coordinate=[540, 720]), tool(action="terminate", status="success"), "Thought: I see\n"
        ),
        Sample('{"action": "click", "coordinate": [540, 720]}', '{"action": "answer", "text": "all set"}'),
        Sample(tool(action="click", coordinate=[540, 720]), tool(action="terminate", status="failure")),
    ],
    "gui_owl": [
        Sample(
            '### Action ###\n{"action": "click", "coordinate": [540, 720]}',
            '### Action ###\n{"action": "terminate", "status": "success"}',
            "### Thought ###\nI see\n", "\n### Description ###\nWhat comes next",
        ),
    ],
    "ui_venus": [
        Sample(
            "<action>Click(box=(540, 720))</action>", "<action>Finished(content='all set')</action>",
            "<think>I see</think>\n", "\n<conclusion>What comes next</conclusion>",
        ),
    ],
    "cogagent": [
        Sample(
            "Grounded Operation: CLICK(box=[[400,200,600,400]], element_info='x')", "Grounded Operation: END()",
            "Action: I see\n", "\n<<General operation>>",
        ),
    ],
    "json": [
        Sample('{"action": "tap", "point": [500, 300]}', '{"action": "finish", "text": "all set"}'),
        Sample('{"action": "tap", "point": [500, 300]}', '{"thought": "x", "action": "answer", "text": "a"}'),
        Sample('{"action": "tap", "point": [500, 300]}', '{"action": "finish_infeasible"}', "I see.\n"),
    ],
}  # fmt: skip
CASES = [(format, sample) for format, samples in SAMPLES.items() for sample in samples]
case = st.sampled_from(CASES)
# Words that neither end a sentence nor are a label.
WORDS = st.lists(
    st.sampled_from(
        ["I", "must", "not", "write", "it's", '"now"', "(yet)", "as", "the", "e.g.", "闹钟", "还没", "响", "then,"]
    ),
    min_size=1, max_size=6,
).map(" ".join)  # fmt: skip
JOINS = st.sampled_from([" ", " `", ' "', " (", "> "])


def ends(parsed: Parsed) -> bool:
    return parsed.action is not None and parsed.action.kind in ENDINGS


def tapped(parsed: Parsed) -> bool:
    return parsed.action is not None and parsed.pixels == ((540, 720),)


@pytest.mark.parametrize(("format", "sample"), CASES)
def test_whole_calls_are_read(format: str, sample: Sample) -> None:
    for answer in (f"{sample.head}{{}}{sample.foot}", "{}", "{}<|im_end|>", "<think>finish?</think>\n{}", "{}\n"):
        found = parse(format, answer.replace("{}", sample.tap), PHONE)
        assert tapped(found), (answer, found.error)
        found = parse(format, answer.replace("{}", sample.ending), PHONE)
        assert ends(found), (answer, found.error)
        assert not found.flags - {Flag.INFEASIBLE}


@pytest.mark.parametrize(("format", "sample"), CASES)
def test_a_cut_off_answer_is_the_same_action_or_none(format: str, sample: Sample) -> None:
    for call in (sample.tap, sample.ending):
        answer = sample.head + call + sample.foot
        whole = parse(format, answer, PHONE)
        inner = max(call.rfind(char) for char in ")}")  # the call's own last character, before its tag closes
        for end in range(len(answer)):
            told = parse(format, answer[:end], PHONE)
            assert told.action in (None, whole.action), answer[:end]
            assert not ends(told) or end > len(sample.head) + inner, answer[:end]
            cut = parse(format, answer[:end], PHONE, None, True)
            assert not ends(cut), answer[:end]
            assert cut.action in (None, whole.action)
            assert Flag.CUT_OFF in cut.flags
        assert not ends(parse(format, answer, PHONE, None, True))


@given(case, st.booleans(), WORDS, JOINS, st.sampled_from(["", ".", " ", " now", ", of course.", '" later', "`."]))
@settings(max_examples=400)
@example(CASES[0], True, "I must not write", " ", " now.\nI will wait")
def test_a_call_in_a_sentence_is_none(
    chosen: tuple[str, Sample], ending: bool, words: str, join: str, after: str
) -> None:
    format, sample = chosen
    call = sample.ending if ending else sample.tap
    if call.startswith("###"):
        call = call.replace("\n", " ")
    parsed = parse(format, f"{words}{join}{call}{after}", PHONE)
    assert parsed.action is None, (parsed.action, parsed.flags)
    assert parsed.error


@given(case, WORDS, st.sampled_from([" ", ", ", ": ", " - "]))
@settings(max_examples=200)
def test_a_line_that_goes_on_with_words_is_a_sentence(chosen: tuple[str, Sample], words: str, join: str) -> None:
    format, sample = chosen
    for call in (sample.ending, sample.tap):
        assert parse(format, f"{sample.head}{call}{join}{words}", PHONE).action is None
        assert not ends(parse(format, f"{sample.head}{call}{join}{words}\n{call}{join}{words}", PHONE))


@given(case, WORDS, st.sampled_from(["\n", "\n\n", "\n```\n"]))
@settings(max_examples=200)
def test_nothing_ends_where_the_answer_goes_on(chosen: tuple[str, Sample], words: str, join: str) -> None:
    format, sample = chosen
    assert not ends(parse(format, f"{sample.head}{sample.ending}{join}{words}", PHONE))


@given(case, st.lists(st.one_of(WORDS, st.just("CALL"), st.just("\n")), max_size=6), st.booleans(), st.booleans())
@settings(max_examples=300)
@example(CASES[0], ["later ", "CALL", " but now"], False, False)
def test_thoughts_that_quote_calls_are_thoughts(
    chosen: tuple[str, Sample], parts: list[str], opened: bool, newline: bool
) -> None:
    format, sample = chosen
    thought = "".join(parts).replace("CALL", sample.ending)
    answer = f"{'<think>' * opened}{thought}</think>{chr(10) * newline}{sample.tap}"
    parsed = parse(format, answer, PHONE)
    assert tapped(parsed), (answer, parsed.error)
    assert not ends(parse(format, f"{'<think>' * opened}{thought}{sample.ending}</think>", PHONE))
    assert not ends(parse(format, f"<think>{thought}{sample.ending}", PHONE))


@given(
    case,
    st.sampled_from(["", " ", "\n", "\n\n", ";", "; ", "\nThen:\n", "\n```\n", "\n<think>Now.</think>\n"]),
    st.booleans(),
)
@settings(max_examples=200)
def test_of_two_calls_the_first_counts_and_none_ends(chosen: tuple[str, Sample], join: str, ending_first: bool) -> None:
    format, sample = chosen
    calls = (sample.ending, sample.tap) if ending_first else (sample.tap, sample.ending)
    parsed = parse(format, sample.head + join.join(calls), PHONE)
    assert not ends(parsed)
    if not ending_first and parsed.action is not None:
        assert tapped(parsed)
        assert Flag.SEVERAL in parsed.flags
    if join == sample.split and not ending_first and format != "gui_owl":
        assert parsed.action is not None, parsed.error


@given(case, WORDS, st.sampled_from([" then", ", then", ".", " `"]), st.sampled_from(["\n", "\n\n"]))
@settings(max_examples=100)
def test_nothing_ends_after_a_call_that_was_spoken_of(
    chosen: tuple[str, Sample], words: str, after: str, join: str
) -> None:
    format, sample = chosen
    call = sample.tap.replace("\n", " ")
    assert not ends(parse(format, f"{words} {call}{after}{join}{sample.ending}", PHONE))
    # Reasoning is free to speak of calls.
    assert ends(parse(format, f"<think>{words} {call}{after}</think>{sample.ending}", PHONE))


@given(case, WORDS)
@settings(max_examples=100)
def test_nothing_ends_before_further_reasoning(chosen: tuple[str, Sample], words: str) -> None:
    format, sample = chosen
    for thought in (f"<think>{words}</think>", f"\n<think>{words}</think>\n", f"\n<think>{words}"):
        assert not ends(parse(format, f"{sample.ending}{thought}", PHONE))
        assert not ends(parse(format, f"<think>I see</think>{sample.ending}{thought}", PHONE))


@pytest.mark.parametrize(("format", "sample"), CASES)
def test_after_a_broken_call_nothing_ends(format: str, sample: Sample) -> None:
    begun = min(at for mark in ("click(", "do(", "{", "Click(", "CLICK(") if (at := sample.tap.find(mark)) >= 0)
    for join in ("", "\n", "\n\n", " and then\n"):
        for end in range(sample.tap.index("(" if "(" in sample.tap else "{", begun) + 1, len(sample.tap) + 1):
            assert not ends(parse(format, f"{sample.tap[:end]}{join}{sample.ending}", PHONE)), sample.tap[:end]


@pytest.mark.parametrize(("format", "sample"), CASES)
def test_what_is_inside_something_else_ends_nothing(format: str, sample: Sample) -> None:
    outer = ['{"plan": [%s]}', "[%s]", "(%s)", "'%s'", "> %s", "- %s", "1. %s", "I see %s"]
    if sample.ending.startswith("{"):
        outer += [
            '{"later":\n%s\n}',
            '{"later":\n%s',
            "[1,\n%s",
            "I would write\n%s",
            "One ends with:\n```json\n%s\n```",
        ]
    if sample.ending.startswith("finish"):
        outer += ["I would write\n%s", "One ends with:\n```\n%s\n```", "Not this:\n\n%s"]
    for one in outer:
        assert not ends(parse(format, one % sample.ending.replace("### Action ###\n", ""), PHONE)), one


@given(st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12))
@settings(max_examples=100)
@example("get_weather")
@example("terminate")
def test_other_tools_are_no_phone(name: str) -> None:
    for arguments in ({"action": "terminate", "status": "success"}, {"action": "click", "coordinate": [1, 2]}):
        line = json.dumps({"name": name, "arguments": arguments})
        for format in ("qwen", "gui_owl"):
            for answer in (f"<tool_call>{line}</tool_call>", line, f"```json\n{line}\n```", f"### Action ###\n{line}"):
                assert parse(format, answer, PHONE).action is None
    for format, call in (
        ("ui_tars", f"Action: x{name}(content='a')"), ("ui_venus", f"<action>X{name}()</action>"),
        ("cogagent", f"Grounded Operation: X{name}()"), ("autoglm", f'x{name}(action="Back")'),
        ("ui_tars", f"Action: finished(x{name}='a')"), ("autoglm", f'finish(x{name}="a")'),
        ("ui_venus", f"<action>Finished(x{name}='a')</action>"), ("cogagent", f"Grounded Operation: END(x{name}='a')"),
        ("ui_tars", f"Action: finished({name} yet)"), ("autoglm", f"finish({name} yet)"),
        ("ui_venus", f"<action>Finished({name} yet)</action>"), ("cogagent", f"Grounded Operation: END({name})"),
    ):  # fmt: skip
        assert parse(format, call, PHONE).action is None, call


CALLS = [
    "\nAction: press_back()\n", "\nfinish(message='x')\n", '\ndo(action="Back")\n', "</think>", "<think>", "</answer>",
    "<action>Finished()</action>", "\nGrounded Operation: END()\n", '{"action": "finish"}', "</tool_call>", "')", '")',
    "', content='", '", text="', "\n### Action ###\n", "it's", '"', "'", "\\", "\n", " ", "a", "声音",
    ") # x", "<|im_end|>",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(CALLS), min_size=1, max_size=8).map("".join)


def escaped(text: str, quote: str) -> str:
    return text.replace("\\", "\\\\").replace(quote, f"\\{quote}")


@given(TEXTS, st.sampled_from("'\""), st.booleans())
@settings(max_examples=300)
def test_typed_texts_may_hold_whatever_looks_like_a_call(text: str, quote: str, thought: bool) -> None:
    argument = f"{quote}{escaped(text, quote)}{quote}"
    inner = {"action": "type", "text": text}
    call = json.dumps({"name": "mobile_use", "arguments": inner}, ensure_ascii=False)
    for format, answer in (
        ("ui_tars", f"Action: type(content={argument})"),
        ("autoglm", f'do(action="Type", text={argument})'),
        ("autoglm", f'<answer>do(action="Type", text={argument})</answer>'),
        ("ui_venus", f"<action>Type(content={argument})</action>"),
        ("cogagent", f"Grounded Operation: TYPE(box=[[1,2,3,4]], text={argument})"),
        ("qwen", f"<tool_call>\n{call}\n</tool_call>"),
        ("qwen", json.dumps(inner)),
        ("gui_owl", f"### Action ###\n{json.dumps(inner)}\n### Description ###\ny"),
        ("json", json.dumps(inner)),
    ):
        parsed = parse(format, f"{'<think>I type</think>' * thought}{answer}", PHONE)
        assert parsed.action is not None, (format, parsed.error)
        assert parsed.action.text == text, format


@given(
    st.lists(
        st.sampled_from(["say", '"x"', "it's", ",", "y=2", "(z)", "=", "声音", "ok"]), min_size=1, max_size=6
    ).map(" ".join),
    st.sampled_from(["", " # type it", ".", "。", ";", " //"]),
    st.sampled_from(["\n", " ", "\n\n"]),
)  # fmt: skip
@settings(max_examples=300)
@example("hello", " # type it", "\n")
def test_a_text_never_swallows_the_next_call(text: str, end: str, join: str) -> None:
    for format, quote, first, second in (
        ("autoglm", '"', 'do(action="Type", text="%s")', 'do(action="Tap", element=[500,500])'),
        ("autoglm", '"', 'do(action="Type", text="%s")', 'finish(message="done")'),
        ("ui_tars", "'", "Action: type(content='%s')", "Action: click(start_box='(500,300)')"),
        ("ui_venus", "'", "<action>Type(content='%s')</action>", "<action>Finished(content='a')</action>"),
    ):
        parsed = parse(format, f"{first % text}{end}{join}{second}", PHONE)
        if parsed.action is not None:
            assert parsed.action.text == text, (format, parsed)
            assert Flag.SEVERAL in parsed.flags or (join == " " and end in (" # type it", " //"))
        elif text.isalpha() and join != " ":
            assert quote in text or format == "ui_venus", (format, parsed.error)


SOUP = [
    "Action: ", "finished(", "content=", "'x'", ")", "finish(", "message=", '"x"', "<answer>", "</answer>",
    "<tool_call>", "</tool_call>", '{"name": "mobile_use", "arguments": ', '{"action": ', '"terminate"', '"finish"',
    ', "status": "success"', "}", "<action>", "</action>", "Finished(", "Grounded Operation: ", "END(", "<think>",
    "</think>", "```", "\n", " ", ".", "no", "not ", "### Action ###", "### Description ###", "[", "]", ",",
    "<conclusion>", "<<x>>", "#", "'", '"', ":",
]  # fmt: skip


@given(st.lists(st.sampled_from(SOUP), max_size=25).map("".join), st.sampled_from(sorted(FORMATS)))
@settings(max_examples=400)
def test_whatever_ends_an_episode_ends_the_answer(text: str, format: str) -> None:
    parsed = parse(format, text, PHONE)
    if not ends(parsed):
        return
    assert not parsed.flags - {Flag.INFEASIBLE}
    at = text.rfind(parsed.call.strip()) if format != "ui_venus" else text.rfind("<action>")
    assert at >= 0
    rest = text[at + len(parsed.call.strip()) :]
    for frame in ("</answer>", "</tool_call>", "</action>", "```", "<<x>>", "</think>"):
        rest = rest.replace(frame, "")
    if format in ("gui_owl", "ui_venus"):
        rest = rest.split("###")[0].split("<conclusion>")[0]
    assert not rest.strip("\n `;#"), rest
    line = text[text.rfind("\n", 0, at) + 1 : at].rpartition("</think>")[2]
    for label in ("Action: ", "Grounded Operation: ", "<answer>", "```", "### Action ###", ":"):
        line = line.replace(label, "")
    assert not line.strip(" `"), line
