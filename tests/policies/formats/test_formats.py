"""Answers as models really write them: what is read, what is flagged, what is refused."""

# ruff: noqa: E501 - answers stand as they came
from __future__ import annotations

import pytest

from mobile_gym.envs.actions import ActionType
from mobile_gym.policies.formats import FORMATS, Flag, Parsed, Screen, Space, adapted, parse, traits_of

PHONE = Screen((1080, 2400))


def kind(parsed: Parsed) -> str:
    assert (parsed.action is None) == bool(parsed.error)
    return parsed.action.kind.word if parsed.action is not None else ""


def read(format: str, text: str, space: Space | None = None, screen: Screen = PHONE) -> Parsed:
    return parse(format, text, screen, space)


# Points: (format, answer, space, kind, pixels, flags).
POINTS = [
    ("ui_tars", "Thought: x\nAction: click(start_box='(691,85)')", None, "tap", [(746, 204)], ""),
    (
        "ui_tars",
        '1. The user has typed "youtube.com", the next logical action is to press the Enter key ...\n'
        "Action: click(start_box='<|box_start|>(691,85)<|box_end|>')",
        None, "tap", [(746, 204)], "",
    ),
    ("ui_tars", "Thought: I need…\n\nAction: click(start_box='[10, 850, 50, 890]')", None, "tap", [(32, 2088)], ""),
    ("ui_tars", "Action: click(point='<point>500 500</point>')", None, "tap", [(540, 1200)], ""),
    ("ui_tars", "Action: click(start_box='<bbox>0 0 1000 1000</bbox>')", None, "tap", [(540, 1200)], ""),
    ("ui_tars", "Action: click(start_box=(500, 500))", None, "tap", [(540, 1200)], ""),
    ("ui_tars", "Action: click('(500, 500)')", None, "tap", [(540, 1200)], "repaired"),
    ("ui_tars", "click(start_box='(540,1200)')", "pixels", "tap", [(540, 1200)], "repaired"),
    ("ui_tars", "Action: click(start_box='(0.5,0.25)')", "unit", "tap", [(540, 600)], ""),
    ("ui_tars", "Action: click(start_box='(500,500)'", None, "tap", [(540, 1200)], "repaired"),
    ("ui_tars", "**Action:** left_double(start_box='(500,500)')<|im_end|>", None, "double_tap", [(540, 1200)], ""),
    ("ui_tars", "Action: long_press(start_box='(500,500)', time='')", None, "long_press", [(540, 1200)], ""),
    (
        "ui_tars", "Thought: slide DOWN\nAction: drag(start_box='(897,1208)', end_box='(244,1208)')", "pixels",
        "drag", [(897, 1208), (244, 1208)], "",
    ),
    (
        "ui_tars", "Thought: slide down\nAction: drag(start_box='(255,690)', end_box='(235,142)')", None,
        "drag", [(275, 1656), (254, 341)], "",
    ),
    (
        "ui_tars", "Action: click(start_box='(1,2)')\n\nThought: next\nAction: click(start_box='(3,4)')", None,
        "tap", [(1, 5)], "several",
    ),
    ("ui_tars", "<think>Action: click(start_box='(9,9)')</think>\nAction: click(start_box='(500,500)')", None, "tap", [(540, 1200)], ""),
    ("autoglm", 'do(action="Tap", element=[500,500])', None, "tap", [(540, 1200)], ""),
    ("autoglm", "<think>tap</think><answer>do(action=\"Tap\", element=[500, 500])</answer>", None, "tap", [(540, 1200)], ""),
    ("autoglm", 'tap it.\ndo(action="Tap", element=[500,500], message="pays")', None, "tap", [(540, 1200)], "sensitive"),
    ("autoglm", 'I press it. do(action="Long Press", element=[500,500])', None, "long_press", [(540, 1200)], "repaired"),
    ("autoglm", 'do(action="Swipe", start=[500,800], end=[500,200])', None, "swipe", [(540, 1920), (540, 480)], ""),
    ("autoglm", '{"action": "Tap", "element": [500, 500]}', None, "tap", [(540, 1200)], "repaired"),
    (
        "qwen",
        'Thought: x\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [540, 1200]}}\n</tool_call>',
        None, "tap", [(540, 1200)], "",
    ),
    ("qwen", '<tool_call>{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [540, 1200]', None, "tap", [(540, 1200)], "repaired"),
    ("qwen", '<tool_call>{"name": "mobile_use", "arguments": "{\\"action\\": \\"click\\", \\"coordinate\\": [1, 2]}"}</tool_call>', None, "tap", [(1, 2)], ""),
    ("qwen", "{'action': 'click', 'coordinate': [540, 1200]}", None, "tap", [(540, 1200)], "repaired"),
    ("qwen", "I tap it.\n```json\n{\"action\": \"long_press\", \"coordinate\": [540, 1200], \"time\": 2}\n```", None, "long_press", [(540, 1200)], "repaired"),
    ("qwen", '{"action": "swipe", "coordinate": [540, 2000], "coordinate2": [540, 400]}', None, "swipe", [(540, 2000), (540, 400)], ""),
    ("qwen", '{"action": "click", "coordinate": [[1080, 2400]]}', None, "tap", [(1079, 2399)], "clipped"),
    ("gui_owl", "{'action': 'click', 'coordinate': [540, 1200]}", None, "tap", [(540, 1200)], "repaired"),
    (
        "gui_owl",
        '### Thought ###\nthe button at (1, 2)\n### Action ###\n{"action": "click", "coordinate": [540, 1200]}\n### Description ###\n{x}',
        None, "tap", [(540, 1200)], "",
    ),
    ("ui_venus", "<think>a</think>\n<action>Click(box=(540,1200))</action>\n<conclusion>(1,1)</conclusion>", None, "tap", [(540, 1200)], ""),
    ("ui_venus", "<think>a</think><action>Scroll(start=(540,2000), end=(540,400), direction='down')</action>", None, "swipe", [(540, 2000), (540, 400)], ""),
    ("ui_venus", "<action>Sequence(actions=[Click(box=(540,1200)), Type(content='a')])</action>", None, "tap", [(540, 1200)], "several"),
    ("ui_venus", "<action>LongPress(box=(540,1200))", None, "long_press", [(540, 1200)], "repaired"),
    ("ui_venus", "[530, 1190, 550, 1210]", None, "tap", [(540, 1200)], ""),
    (
        "cogagent",
        "Status: I clicked [[1,2,3,4]]\nAction: 点击页面顶部工具栏中的“全部标为已读”按钮，将所有邮件标记为已读。\n"
        "Grounded Operation: CLICK(box=[[219,186,311,207]], element_type='可点击文本', element_info='全部标为已读')\n<<一般操作>>",
        None, "tap", [(286, 472)], "",
    ),
    ("cogagent", "Grounded Operation: CLICK(box=[[000,000,100,100]], element_info='付款')\n<<敏感操作>>", None, "tap", [(54, 120)], "sensitive"),
    ("cogagent", "Grounded Operation:tap [[681,808]]", None, "tap", [(735, 1939)], ""),
    ("cogagent", "Plan: x\nGrounded Operation: [button] Search -> CLICK at the box [[219,186,311,207]]", None, "tap", [(286, 472)], ""),
    ("cogagent", "Grounded Operation: SCROLL_DOWN(box=[[000,086,999,932]], step_count=5, element_info='list')", None, "swipe", [(540, 1701), (540, 741)], ""),
    ("json", '{"thought": "x", "action": "tap", "point": [1000, 1000]}', None, "tap", [(1079, 2399)], ""),
    ("json", '```json\n{"action": "drag", "point": [0, 0], "lift": [500, 500]}\n```', None, "drag", [(0, 0), (540, 1200)], ""),
    ("json", '{"action": "scroll", "direction": "down"}', None, "swipe", [(540, 1679), (540, 720)], ""),
]  # fmt: skip


@pytest.mark.parametrize(("format", "text", "space", "word", "pixels", "flags"), POINTS)
def test_points(
    format: str, text: str, space: Space | None, word: str, pixels: list[tuple[int, int]], flags: str
) -> None:
    parsed = read(format, text, space)
    assert parsed.error == ""
    assert kind(parsed) == word
    for got, want in zip(parsed.pixels, pixels, strict=True):
        assert abs(got[0] - want[0]) <= 1, parsed
        assert abs(got[1] - want[1]) <= 1, parsed
    assert ",".join(sorted(parsed.flags)) == flags
    assert parsed.call


def test_points_of_a_resized_picture_are_scaled() -> None:
    screen = Screen((1080, 2400), (504, 1120))
    for format, text in (
        ("ui_venus", "<action>Click(box=(252,560))</action>"),
        ("qwen", '{"action": "click", "coordinate": [252, 560]}'),
    ):
        assert parse(format, text, screen).pixels == ((540, 1200),)


# Texts: (format, answer, kind, text, flags).
TEXTS = [
    ("ui_tars", r"Action: type(content='it\'s \"5\", ok\n')", "type", 'it\'s "5", ok\n', "submits"),
    ("ui_tars", "Action: type(content='it's 5, ok')", "type", "it's 5, ok", ""),
    ("ui_tars", "Action: type(content='f(x) = [1], {2}')", "type", "f(x) = [1], {2}", ""),
    ("ui_tars", "Action: type(content='two\nlines')", "type", "two\nlines", ""),
    ("ui_tars", "Action: finished(content='42')", "finish", "42", ""),
    ("ui_tars", "Action: finished()", "finish", "", ""),
    ("ui_tars", "Action: press_back()", "press_back", "", ""),
    ("ui_tars", "Action: press_home()", "press_home", "", ""),
    ("ui_tars", "Action: hotkey(key='Enter')", "press_enter", "", ""),
    ("ui_tars", "Action: open_app(app_name='设置')", "open_app", "设置", ""),
    ("ui_tars", "Action: wait()", "wait", "", ""),
    ("ui_tars", "Action: call_user()", "call_user", "", ""),
    ("autoglm", r'do(action="Type", text="say \"hi\" (now)" )', "type", 'say "hi" (now)', ""),
    ("autoglm", 'do(action="Type", text="one\ntwo")', "type", "one\ntwo", ""),
    ("autoglm", "[{'Type\", text=\"coffee\")", "type", "coffee", "repaired"),
    ("autoglm", "[{'Type', text=\"coffee\")", "type", "coffee", "repaired"),
    ("autoglm", 'do(action="Type_Name", text="do(action="x")")', "type", 'do(action="x")', "repaired"),
    ("autoglm", 'do(action="Type", text="""a "b" c""")', "type", 'a "b" c', ""),
    ("autoglm", 'do(action="Launch", app="微信")', "open_app", "微信", ""),
    ("autoglm", 'do(action="Wait", duration="2 seconds")', "wait", "2", ""),
    ("autoglm", 'do(action="Take_over", message="log in")', "call_user", "log in", "takeover"),
    ("autoglm", 'done.\nfinish(message="it is "done", really")', "finish", 'it is "done", really', ""),
    ("autoglm", 'do(action="Back")', "press_back", "", ""),
    ("autoglm", 'do(action="Type", text="<answer>")', "type", "<answer>", ""),
    ("gui_owl", '```json\n{"action":"type","text":"open data.json"}\n```', "type", "open data.json", ""),
    ("gui_owl", "### Action ###\n{'action': 'type', 'text': '```json'}", "type", "```json", "repaired"),
    ("gui_owl", '### Action ###\n{"action": "type", "text": "<tool_call>"}', "type", "<tool_call>", ""),
    ("gui_owl", '{"action": "answer", "text": "it\'s 5 {ok}"}', "answer", "it's 5 {ok}", ""),
    ("qwen", '<tool_call>{"name": "mobile_use", "arguments": {"action": "type", "text": "a</tool_call>b"}}</tool_call>', "type", "a</tool_call>b", ""),
    ("qwen", '{"action": "type", "text": "line one\nline two"}', "type", "line one\nline two", ""),
    ("qwen", '{"action": "system_button", "button": "Enter"}', "press_enter", "", ""),
    ("qwen", '{"action": "key", "text": "back"}', "press_back", "", ""),
    ("qwen", '{"action": "wait", "time": 2}', "wait", "2", ""),
    ("qwen", '{"action": "open", "text": "Clock"}', "open_app", "Clock", ""),
    ("qwen", '{"action": "terminate", "status": "success"}', "finish", "", ""),
    ("qwen", '{"action": "terminate", "status": "failure"}', "finish_infeasible", "", "infeasible"),
    (
        "qwen", '<tool_call>{"name": "mobile_use", "arguments": {"action": "wait"}}</tool_call>\n' * 2,
        "wait", "1", "several",
    ),
    ("ui_venus", "<think> ... </think>\n<action>Type(content='it's 5, ok')</action>\n<conclusion>...</conclusion>", "type", "it's 5, ok", ""),
    ("ui_venus", "<action>PressRecent()</action>", "press_recents", "", ""),
    ("ui_venus", "<action>Finished(content='ok')</action>", "finish", "ok", ""),
    ("ui_venus", "[-1,-1]", "finish_infeasible", "", "infeasible"),
    ("cogagent", "Grounded Operation: TYPE(box=[[387,249,727,317]], text='CogAgent', element_info='a')", "type", "CogAgent", "unfocused"),
    ("cogagent", "Grounded Operation: TYPE(text='see __CogName_price__, ok')", "type", "see __CogName_price__, ok", "variable"),
    ("cogagent", "Grounded Operation: [textbox] Search -> TYPE: it's 5 at the box [[1,2,3,4]]", "type", "it's 5", "unfocused"),
    ("cogagent", "Grounded Operation: END()", "finish", "", ""),
    ("cogagent", "Grounded Operation: KEY_PRESS(key='Enter')", "press_enter", "", ""),
    ("cogagent", "Grounded Operation: LAUNCH(app='设置', url='None')", "open_app", "设置", ""),
    ("json", '{"action": "type", "text": "json {\\"a\\": 1}"}', "type", 'json {"a": 1}', ""),
    ("json", 'I finish now.\n{"action": "finish", "text": "ok"}', "finish", "ok", ""),
    ("json", '{"action": "wait", "seconds": 2.5}', "wait", "2.5", ""),
    ("json", '{"action": "finish_infeasible"}', "finish_infeasible", "", "infeasible"),
]  # fmt: skip


@pytest.mark.parametrize(("format", "text", "word", "typed", "flags"), TEXTS)
def test_texts(format: str, text: str, word: str, typed: str, flags: str) -> None:
    parsed = read(format, text)
    assert parsed.error == ""
    assert kind(parsed) == word
    assert parsed.action is not None
    assert parsed.action.text == typed or (word, parsed.action.text, typed) == ("wait", "1", "")
    assert ",".join(sorted(parsed.flags)) == flags
    assert parsed.pixels == ()


PROSE = (
    "The button is at (1240, 258). I would click on it.\n```python\nfrom selenium import webdriver\n"
    "driver.find_element('x').click()\n```\n"
)
BROKEN = [
    *((name, text) for name in FORMATS for text in ("", " \n ", "!" * 4000, PROSE, "finish", "[" * 5000, "{" * 5000)),
    ("ui_tars", "Action: click(start_box='=')"),
    ("ui_tars", "Action: click(start_box='(a,b)')"),
    ("ui_tars", "Action: click()"),
    ("ui_tars", "Action: click(start_box='(69"),
    ("ui_tars", "Action: click(start_box='(691)')"),
    ("ui_tars", "Action: click(start_box='(1,2,3)')"),
    ("ui_tars", "Action: click(start_box='tap at 500, 500 please')"),
    ("ui_tars", "Action: click(start_box='(0.5,0.25)')"),
    ("ui_tars", "Action: drag(start_box='(897,1208)', end_box='(244,1208)')"),
    ("ui_tars", "Action: drag(start_box='(1,2)')"),
    ("ui_tars", "Action: type(content='never ends"),
    ("ui_tars", "Action: type(content='')"),
    ("ui_tars", "Action: right_single(start_box='(1,2)')"),
    ("ui_tars", "Action: hotkey(key='ctrl c')"),
    ("ui_tars", "Action: scroll(start_box='(1,2)', direction='forward')"),
    ("ui_tars", "Thought: I should call finished() now"),
    ("ui_tars", "<think>Action: click(start_box='(9,9)')"),
    ("autoglm", "[{'Type': 'Type'}]"),
    ("autoglm", '[{"Type": "Type"}]'),
    ("autoglm", "[{'Type', 'text': 'coffee'}]"),
    ("autoglm", "The task is finished."),
    ("autoglm", '{"_metadata": "finish", "message": "done"}'),
    ("autoglm", 'I could say finish(message="x") but I will not.'),
    ("autoglm", 'do(action="Tap", element=[500,'),
    ("autoglm", 'do(action="Tap", element=[500,1001])'),
    ("autoglm", 'do(action="Tap", element=[500,500], element=[1,1])'),
    ("autoglm", 'do(action="Note", message="True")'),
    ("autoglm", 'do(action="Wait", duration="a while")'),
    ("autoglm", 'do(action="Wait", duration="600 seconds")'),
    ("qwen", '<tool_call>{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [540]}}</tool_call>'),
    ("qwen", '{"action": "click", "coordinate": [540, 12'),
    ("qwen", '{"action": "click", "coordinate": [540, NaN]}'),
    ("qwen", '{"action": "click", "coordinate": [true, false]}'),
    ("qwen", '{"action": "click", "coordinate": [1e400, 3]}'),
    ("qwen", '{"action": "click", "coordinate": [-5, 3]}'),
    ("qwen", '{"action": "click"}'),
    ("qwen", '{"action": "terminate"}'),
    ("qwen", '{"action": "type", "text": 5}'),
    ("qwen", '{"action": "type", "text": "cut of'),
    ("qwen", '{"action": "key", "text": "volume_up"}'),
    ("qwen", '{"arguments": [1]}'),
    ("qwen", 'An example: {"action": "click", "coordinate": [1, 2]} is how one taps.'),
    ("gui_owl", "### Action ###\nNone"),
    ("ui_venus", "Click(box=(540,1200))"),
    ("ui_venus", "<action></action>"),
    ("ui_venus", "<action>Click(box=(540,"),
    ("ui_venus", "<action>Click(box=(-1,-1))</action>"),
    ("ui_venus", "<action>Click(box=(540,2500))</action>"),
    ("cogagent", "Status: CLICK(box=[[1,2,3,4]])"),
    ("cogagent", "Grounded Operation: CLICK(box=[[219,186,311]])"),
    ("cogagent", "Grounded Operation: LLM(prompt='x', output='__CogName_x__')"),
    ("json", '{"action": "click", "point": [1, 2]}'),
    ("json", '{"action": "tap"}'),
    ("json", '{"action": "tap", "point": [1, 1001]}'),
    ("json", '{"action": "open_app"}'),
]


@pytest.mark.parametrize(("format", "text"), BROKEN)
def test_what_cannot_be_read_is_no_action(format: str, text: str) -> None:
    parsed = read(format, text)
    assert parsed.action is None
    assert parsed.error
    assert parsed.pixels == ()
    assert len(parsed.error) < 400
    assert parsed.raw.startswith(text[:2000])
    assert len(parsed.raw) < 2100


def test_why_is_told() -> None:
    assert "'='" in read("ui_tars", "Action: click(start_box='=')").error
    outside = read("ui_tars", "Action: drag(start_box='(897,1208)', end_box='(244,1208)')").error
    assert "(897, 1208) lies outside the picture, which is 1000 x 1000 in the space 'thousand'" in outside
    assert Flag.INFEASIBLE in read("ui_venus", "<action>Click(box=(-1,-1))</action>").flags
    assert read("qwen", '{"action": "type", "text": ""}').error == "type needs a 'text'"
    assert "100001 characters" in read("json", "x" * 100_001).error


def test_thoughts() -> None:
    assert read("ui_tars", "Thought: tap it\nAction: wait()").thought == "tap it"
    assert read("autoglm", '<think>tap it</think><answer>do(action="Back")</answer>').thought == "tap it"
    assert read("qwen", 'Thought: tap it\n<tool_call>{"arguments": {"action": "wait"}}</tool_call>').thought == "tap it"
    assert read("gui_owl", '### Thought ###\ntap it\n### Action ###\n{"action": "wait"}').thought == "tap it"
    assert read("ui_venus", "<think>tap it</think><action>Wait()</action>").thought == "tap it"
    assert read("cogagent", "Action: tap it\nGrounded Operation: END()").thought == "Action: tap it"
    assert read("json", '{"thought": "tap it", "action": "press_back"}').thought == "tap it"


@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
@pytest.mark.parametrize("at", ["(500,500)", "(1,1)", "(999,999)"])
def test_scrolls_stay_on_the_screen_and_go_the_right_way(direction: str, at: str) -> None:
    action = read("ui_tars", f"Action: scroll(start_box='{at}', direction='{direction}')").action
    assert action is not None
    assert action.kind is ActionType.SWIPE
    assert action.point is not None
    assert action.lift is not None
    way = action.lift[0] - action.point[0], action.lift[1] - action.point[1]
    assert way == {"up": (0, 400), "down": (0, -400), "left": (400, 0), "right": (-400, 0)}[direction]
    along = 0 if direction in ("left", "right") else 1
    assert min(action.point[along], action.lift[along]) >= 50
    assert max(action.point[along], action.lift[along]) <= 950


def test_a_drag_becomes_a_swipe_where_only_that_is_allowed() -> None:
    parsed = read("ui_tars", "Action: drag(start_box='(1,2)', end_box='(3,4)')")
    mask = [1] * len(ActionType)
    assert adapted(parsed, mask) is parsed
    mask[ActionType.DRAG] = 0
    turned = adapted(parsed, mask)
    assert turned.action is not None
    assert turned.action.kind is ActionType.SWIPE
    assert turned.action.lift == parsed.action.lift  # type: ignore[union-attr]
    assert Flag.SWIPED in turned.flags
    mask[ActionType.SWIPE] = 0
    assert adapted(parsed, mask) is parsed


def test_models_are_known_by_name() -> None:
    def known(model: str, **told: str) -> tuple[str, str, int]:
        traits = traits_of(model, **told)
        return traits.format, traits.space, traits.factor

    assert known("ByteDance-Seed/UI-TARS-1.5-7B") == ("ui_tars", "pixels", 28)
    assert known("ui_tars_7b_dpo") == ("ui_tars", "thousand", 28)
    assert known("zai-org/AutoGLM-Phone-9B") == ("autoglm", "thousand", 28)
    assert known("Qwen/Qwen3-VL-8B-Instruct") == ("qwen", "thousand", 32)
    assert known("gpt-5.6") == ("json", "frame", 1)
    assert known("qwen2.5vl:7b") == known("Qwen2.5VL") == known("qwen-vl-max") == ("qwen", "pixels", 28)
    assert known("qwen3vl") == ("qwen", "thousand", 32)
    assert known("MobileAgentV3") == ("gui_owl", "pixels", 28)
    assert known("UI TARS 1.5") == ("ui_tars", "pixels", 28)
    assert not traits_of("gpt-5.6", space="pixels").known
    assert traits_of("gpt-5.6", format="json").known
    assert traits_of("qwen3vl").known
    assert known("gpt-5.6", format="UI-TARS", space="pixels") == ("ui_tars", "pixels", 28)
    assert known("Qwen3-VL", format="json") == ("json", "frame", 1)
    with pytest.raises(ValueError, match="no format 'x'; there are ui_tars"):
        traits_of("m", format="x")
    with pytest.raises(ValueError, match="no space 'x'"):
        traits_of("m", space="x")
    with pytest.raises(ValueError, match="no format"):
        parse("x", "", PHONE)


@pytest.mark.parametrize(
    "text",
    [
        "type(content='a'" + " " * 90_000 + "x",
        "Action: type(content='" + "' " * 40_000,
        "Grounded Operation: " + "-> " * 30_000,
        "do(\n" * 20_000,
        '{"action":' * 9_000,
    ],
)
def test_long_junk_is_no_action(text: str) -> None:
    for format in FORMATS:
        assert read(format, text).action is None
