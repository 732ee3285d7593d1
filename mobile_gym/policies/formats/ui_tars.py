"""UI-TARS: `Thought: …` and `Action: click(start_box='(x,y)')` (github.com/bytedance/UI-TARS, mobile action space)."""

from __future__ import annotations

import re

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown, split_think
from mobile_gym.policies.formats.boxes import numbers_of
from mobile_gym.policies.formats.calls import Call, find_calls, read_call

_TOUCHES = {
    "click": ActionType.TAP,
    "left_single": ActionType.TAP,
    "left_double": ActionType.DOUBLE_TAP,
    "double_click": ActionType.DOUBLE_TAP,
    "long_press": ActionType.LONG_PRESS,
}
_KEYS = {
    "press_back": ActionType.PRESS_BACK,
    "press_home": ActionType.PRESS_HOME,
    "press_enter": ActionType.PRESS_ENTER,
    "press_recent": ActionType.PRESS_RECENTS,
}
_OTHERS = ("drag", "swipe", "scroll", "type", "wait", "finished", "call_user", "open_app", "hotkey", "right_single")
NAMES = (*_TOUCHES, *_KEYS, *_OTHERS)
_MARK = re.compile(r"^[ \t*#]*Action[ \t*]*:[ \t*]*\n?[ \t]*(?=\w+\()", re.MULTILINE | re.ASCII)
_INLINE = re.compile(r"\bAction: *(?=\w+\()", re.ASCII)
_PREFIX = re.compile(r"^\s*\**Thought\**\s*:\**\s*", re.IGNORECASE)
_START = ("start_box", "point", "start_point", "box", "position", "coordinate")
_END = ("end_box", "end_point")


def parse(text: str, reader: Reader) -> Action:
    """Reads the first action line; what stands before it is the thought."""
    thought, rest = split_think(text)
    call, before = _call(rest, reader)
    reader.thought = "\n".join(filter(None, (thought.strip(), _PREFIX.sub("", before).strip())))
    reader.call = rest[call.start : call.end]
    if not call.closed:
        reader.flags.add(Flag.REPAIRED)
    after = rest[call.end :]
    if _MARK.search(after) or _known(after):
        reader.flags.add(Flag.SEVERAL)
    return _action(call, reader)


def _call(text: str, reader: Reader) -> tuple[Call, str]:
    mark = _MARK.search(text)
    if mark is None:
        mark = _INLINE.search(text)
        if mark is not None:
            reader.flags.add(Flag.REPAIRED)
    if mark is not None:
        return read_call(text, mark.end()), text[: mark.start()]
    begin = len(text) - len(text.lstrip())
    if text[begin:].startswith(tuple(f"{name}(" for name in NAMES)):
        reader.flags.add(Flag.REPAIRED)
        return read_call(text, begin), ""
    raise Unreadable(f"the answer has no line 'Action: name(…)': {shown(text)}")


def _known(text: str) -> bool:
    try:
        return bool(find_calls(text, NAMES))
    except Unreadable:
        return True


def _action(call: Call, reader: Reader) -> Action:
    name = call.name
    if name in _TOUCHES:
        return Action(kind=_TOUCHES[name], point=reader.point(_numbers(call, reader, _START)))
    if name in _KEYS:
        return Action(kind=_KEYS[name])
    match name:
        case "drag" | "swipe" if call.get(*_END) is not None or call.get("direction") is None:
            kind = ActionType.DRAG if name == "drag" else ActionType.SWIPE
            start = reader.point(_numbers(call, reader, _START))
            return Action(kind=kind, point=start, lift=reader.point(numbers_of(call.text(*_END))))
        case "scroll" | "swipe":
            at = call.get(*_START)
            numbers = numbers_of(at) if at else None
            return reader.scroll(call.text("direction"), numbers, finger=name == "swipe")
        case "type":
            content = call.text("content", "text")
            if content.endswith("\n"):
                reader.flags.add(Flag.SUBMITS)
            return Action.type(content)
        case "wait":
            return Action.wait()
        case "finished":
            return Action.finish(call.get("content") or "")
        case "call_user":
            return Action.call_user(call.get("content") or "")
        case "open_app":
            return Action.open_app(call.text("app_name", "app", "content"))
        case "hotkey":
            key = f"press_{call.text('key').strip().lower()}"
            if key in _KEYS:
                return Action(kind=_KEYS[key])
    raise Unreadable(f"this phone has no action {shown(reader.call)}")


def _numbers(call: Call, reader: Reader, names: tuple[str, ...]) -> tuple[float, ...]:
    value = call.get(*names)
    if value is None and call.positional:
        value = call.positional[0]
        reader.flags.add(Flag.REPAIRED)
    if value is None:
        raise Unreadable(f"{call.name} has no {names[0]!r}")
    return numbers_of(value)
