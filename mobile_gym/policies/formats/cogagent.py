"""CogAgent: `Grounded Operation: CLICK(box=[[x1,y1,x2,y2]], …)` and `<<…>>` (github.com/THUDM/CogAgent)."""

from __future__ import annotations

import re
from importlib.resources import files

import yaml

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown, split_think
from mobile_gym.policies.formats.boxes import numbers_of
from mobile_gym.policies.formats.calls import Call, read_call

_MARK = re.compile(r"^[ \t]*Grounded Operation[ \t]*:[ \t]*", re.MULTILINE | re.IGNORECASE)
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
    "CLICK": ActionType.TAP,
    "DOUBLE_CLICK": ActionType.DOUBLE_TAP,
    "LONG_PRESS": ActionType.LONG_PRESS,
}
_KEYS = {"ENTER": "enter", "RETURN": "enter", "BACK": "back", "HOME": "home"}
_STEP = 80
"""How far one step of a scroll goes, 0-1000 frame."""


def parse(text: str, reader: Reader) -> Action:
    """Reads the operation on its line; boxes in the lines before it are no actions."""
    thought, rest = split_think(text)
    mark = _MARK.search(rest)
    if mark is None:
        raise Unreadable(f"the answer has no line 'Grounded Operation: …': {shown(text)}")
    reader.thought = "\n".join(filter(None, (thought.strip(), rest[: mark.start()].strip())))
    line = rest[mark.end() :].partition("\n")[0].strip()
    for pattern in (_OLD_TOUCH, _OLD_TYPE):
        old = pattern.fullmatch(_CLOSING.sub("", line).strip())
        if old is not None:
            _note_closing(rest[mark.end() :], reader)
            reader.call = line
            return _old_touch(old, reader) if pattern is _OLD_TOUCH else _type(old[1], bool(old[2]), reader)
    call = read_call(rest, mark.end())
    reader.call = rest[call.start : call.end]
    if not call.closed:
        reader.flags.add(Flag.REPAIRED)
    _note_closing(rest[call.end :], reader)
    return _action(call, reader)


def _note_closing(text: str, reader: Reader) -> None:
    words: list[str] = yaml.safe_load(files(__package__).joinpath("cogagent.yaml").read_text("utf-8"))["sensitive"]
    if any(match[1].strip().lower() in words for match in _CLOSING.finditer(text)):
        reader.flags.add(Flag.SENSITIVE)


def _old_touch(match: re.Match[str], reader: Reader) -> Action:
    return Action(kind=_OLD_WORDS[match[1].lower()], point=reader.point(numbers_of(match[2])))


def _type(text: str, box: bool, reader: Reader) -> Action:
    if box:
        reader.flags.add(Flag.UNFOCUSED)
    if _VARIABLE.search(text):
        reader.flags.add(Flag.VARIABLE)
    return Action.type(text)


def _action(call: Call, reader: Reader) -> Action:
    name = call.name.upper()
    if name in _TOUCHES:
        return Action(kind=_TOUCHES[name], point=reader.point(numbers_of(call.text("box"))))
    if name.startswith("SCROLL_"):
        box = call.get("box")
        return reader.scroll(name.removeprefix("SCROLL_"), numbers_of(box) if box else None, _STEP * _steps(call))
    match name:
        case "TYPE":
            return _type(call.text("text"), call.get("box") is not None, reader)
        case "KEY_PRESS":
            key = _KEYS.get(call.text("key").strip().upper())
            if key is not None:
                return Action(kind=ActionType[f"PRESS_{key.upper()}"])
        case "LAUNCH":
            return Action.open_app(call.text("app"))
        case "END":
            return Action.finish()
    raise Unreadable(f"this phone has no action {shown(reader.call)}")


def _steps(call: Call) -> int:
    steps = call.get("step_count") or "5"
    if not re.fullmatch(r"\d{1,4}", steps, re.ASCII):
        raise Unreadable(f"'step_count' is a number, not {shown(steps)}")
    return int(steps)
