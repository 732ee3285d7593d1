"""CogAgent: `Grounded Operation: CLICK(box=[[x1,y1,x2,y2]], …)` and `<<…>>` (github.com/THUDM/CogAgent)."""

from __future__ import annotations

import re
from importlib.resources import files

import yaml

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.boxes import numbers_of, point_of
from mobile_gym.policies.formats.calls import Call, Grammar, standing_call
from mobile_gym.policies.formats.standing import unframed

_MARK = re.compile(
    r"^[ \t*#]*Grounded Operation[ \t*]*[:\uff1a][ \t*]*(?:\r?\n[ \t]*)?[`]*", re.MULTILINE | re.IGNORECASE
)
_SPOKEN = re.compile(r"Grounded Operation\W", re.IGNORECASE)
_ELEMENT = ("element_type", "element_info")
GRAMMAR = Grammar(
    dict.fromkeys(("CLICK", "DOUBLE_CLICK", "RIGHT_CLICK", "LONG_PRESS", "HOVER"), ("box", *_ELEMENT))
    | dict.fromkeys(("SCROLL_DOWN", "SCROLL_UP", "SCROLL_LEFT", "SCROLL_RIGHT"), ("box", "step_count", *_ELEMENT))
    | {
        "TYPE": ("text", "box", *_ELEMENT),
        "KEY_PRESS": ("key", *_ELEMENT),
        "GESTURE": ("keys", *_ELEMENT),
        "LAUNCH": ("app", "url", *_ELEMENT),
        "QUOTE_TEXT": ("box", "output", *_ELEMENT),
        "QUOTE_CLIPBOARD": ("output", *_ELEMENT),
        "LLM": ("prompt", "output", *_ELEMENT),
        "END": (),
    }
)
_CLOSING = re.compile(r"<<([^<>\n]{1,60})>>")
_VARIABLE = re.compile(r"__CogName_\w+?__")
_BOX = r"(\[\[[^\]\n]{1,80}\]\])"
# The models before CogAgent-9B: `tap [[x,y]]`, `[button] Search -> CLICK at the box [[…]]`, `… -> TYPE: words at …`.
_OLD_TOUCH = re.compile(
    rf"(?:.{{0,300}}->\s*)?(tap|click|double tap|long press)\s*(?:at the box\s*)?{_BOX}\W*", re.IGNORECASE
)
_OLD_TYPE = re.compile(rf".{{0,300}}->\s*TYPE:\s*(.{{1,2000}}?)(?:\s+at the box\s*{_BOX})?\s*", re.IGNORECASE)
_OLD_WORDS = {
    "tap": ActionType.TAP,
    "click": ActionType.TAP,
    "double tap": ActionType.DOUBLE_TAP,
    "long press": ActionType.LONG_PRESS,
}
_TOUCHES = {
    "click": ActionType.TAP,
    "doubleclick": ActionType.DOUBLE_TAP,
    "longpress": ActionType.LONG_PRESS,
}
_KEYS = {"ENTER": "enter", "RETURN": "enter", "BACK": "back", "HOME": "home"}
_MOST_MARKS = 20
_STEP = 80
"""How far one step of a scroll goes, 0-1000 frame."""


def parse(text: str, reader: Reader) -> Action:
    """Reads the first operation that has its line for itself; boxes in the lines before it are no actions."""
    for number, mark in enumerate(_MARK.finditer(text)):
        if number == _MOST_MARKS:
            break
        line = unframed(_CLOSING.sub("", text[mark.end() :].partition("\n")[0]))
        for pattern, read in ((_OLD_TOUCH, _old_touch), (_OLD_TYPE, _old_type)):
            old = pattern.fullmatch(line)
            if old is not None:
                _found(text, mark, mark.end() + len(text[mark.end() :].partition("\n")[0]), True, reader)
                return read(old, reader)
        # What closes the operation may stand on its line, and is no part of a sentence.
        call = standing_call(_CLOSING.sub(_blank, text), mark.end(), GRAMMAR, reader)
        if call is not None:
            _found(text, mark, call.end, call.closed, reader)
            return _action(call, reader)
    raise Unreadable(f"the answer has no line 'Grounded Operation: …': {shown(text)}")


def _found(text: str, mark: re.Match[str], end: int, whole: bool, reader: Reader) -> None:
    after = text[end:]
    if _MARK.search(after) or GRAMMAR.another.search(after):
        reader.flags.add(Flag.SEVERAL)
    reader.note(text[: mark.start()])
    reader.found(text, mark.start(), end, unframed(_CLOSING.sub("", after)), whole, _SPOKEN)
    reader.call = text[mark.end() : end]
    _note_closing(text[mark.end() :], reader)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _note_closing(text: str, reader: Reader) -> None:
    words: list[str] = yaml.safe_load(files(__package__).joinpath("cogagent.yaml").read_text("utf-8"))["sensitive"]
    if any(match[1].strip().lower() in words for match in _CLOSING.finditer(text)):
        reader.flags.add(Flag.SENSITIVE)


def _old_touch(match: re.Match[str], reader: Reader) -> Action:
    return Action(kind=_OLD_WORDS[match[1].lower()], point=point_of(match[2], reader))


def _old_type(match: re.Match[str], reader: Reader) -> Action:
    return _type(match[1], bool(match[2]), reader)


def _type(text: str, box: bool, reader: Reader) -> Action:
    if box:
        reader.flags.add(Flag.UNFOCUSED)
    if _VARIABLE.search(text):
        reader.flags.add(Flag.VARIABLE)
    return Action.type(text)


def _action(call: Call, reader: Reader) -> Action:
    word = call.word
    if word in _TOUCHES:
        return Action(kind=_TOUCHES[word], point=point_of(call.text("box"), reader))
    if word.startswith("scroll"):
        box = call.get("box")
        return reader.scroll(word.removeprefix("scroll"), numbers_of(box) if box else None, _STEP * _steps(call))
    match word:
        case "type":
            return _type(call.text("text"), call.get("box") is not None, reader)
        case "keypress":
            key = _KEYS.get(call.text("key").strip().upper())
            if key is not None:
                return Action(kind=ActionType[f"PRESS_{key.upper()}"])
        case "launch":
            return Action.open_app(call.text("app"))
        case "end":
            return Action.finish()
    raise Unreadable(f"this phone has no action {shown(reader.call)}")


def _steps(call: Call) -> int:
    steps = call.get("step_count") or "5"
    if not re.fullmatch(r"\d{1,4}", steps, re.ASCII):
        raise Unreadable(f"'step_count' is a number, not {shown(steps)}")
    return int(steps)
