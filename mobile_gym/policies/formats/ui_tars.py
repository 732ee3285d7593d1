"""UI-TARS: `Thought: …` and `Action: click(start_box='(x,y)')` (github.com/bytedance/UI-TARS, mobile action space)."""

from __future__ import annotations

import re

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.boxes import numbers_of, point_of
from mobile_gym.policies.formats.calls import Call, Grammar, standing_call
from mobile_gym.policies.formats.standing import Place, place, unframed

_START = ("start_box", "point", "start_point", "box", "position", "coordinate")
_END = ("end_box", "end_point")
_SECONDS = ("time", "seconds", "duration")
_TOUCHES = {
    "click": ActionType.TAP,
    "leftsingle": ActionType.TAP,
    "leftdouble": ActionType.DOUBLE_TAP,
    "doubleclick": ActionType.DOUBLE_TAP,
    "longpress": ActionType.LONG_PRESS,
}
_KEYS = {
    "pressback": ActionType.PRESS_BACK,
    "presshome": ActionType.PRESS_HOME,
    "pressenter": ActionType.PRESS_ENTER,
    "pressrecent": ActionType.PRESS_RECENTS,
}
GRAMMAR = Grammar(
    dict.fromkeys(("click", "left_single", "left_double", "double_click", "right_single"), _START)
    | dict.fromkeys(("press_back", "press_home", "press_enter", "press_recent"), ())
    | dict.fromkeys(("drag", "swipe"), (*_START, *_END, "direction"))
    | {
        "long_press": (*_START, *_SECONDS),
        "scroll": (*_START, "direction"),
        "type": ("content", "text"),
        "wait": _SECONDS,
        "finished": ("content",),
        "call_user": ("content",),
        "open_app": ("app_name", "app", "content"),
        "hotkey": ("key",),
    }
)
_LABEL = (
    r"Action[ \t*_]*[:\uff1a][ \t*_]*(?:\r?\n[ \t]*){0,2}(?:```\w*[ \t]*\r?\n[ \t]*|`)?(?=[A-Za-z_]\w*[ \t]?[(\uff08])"
)
_MARK = re.compile(rf"^[ \t*#_]*{_LABEL}", re.MULTILINE | re.ASCII)
_INLINE = re.compile(rf"(?<=[\s*]){_LABEL}", re.ASCII)
_SPOKEN = re.compile(_LABEL, re.ASCII)
_PREFIX = re.compile(r"^\s*\**Thought\**\s*[:\uff1a]\**\s*", re.IGNORECASE)
_MOST_MARKS = 20


def parse(text: str, reader: Reader) -> Action:
    """Reads the first action that has its line for itself; what stands before it is the thought."""
    call, begin = _call(text, reader)
    after = text[call.end :]
    if _MARK.search(after) or GRAMMAR.another.search(after):
        reader.flags.add(Flag.SEVERAL)
    reader.note(_PREFIX.sub("", text[:begin]))
    reader.found(text, begin, call.end, unframed(after), call.closed, _SPOKEN)
    reader.call = text[call.start : call.end]
    return _action(call, reader)


def _call(text: str, reader: Reader) -> tuple[Call, int]:
    """The call, and where its label begins."""
    for number, mark in enumerate(_MARK.finditer(text)):
        if number == _MOST_MARKS:
            break
        call = standing_call(text, mark.end(), GRAMMAR, reader)
        if call is not None:
            return call, mark.start()
    # After a sentence, and with nothing after it, a labelled call is one too; in a sentence it is only spoken of.
    for mark in list(_INLINE.finditer(text))[-1:]:
        if place(text, mark.start()) is Place.SENTENCE:
            call = standing_call(text, mark.end(), GRAMMAR, reader)
            if call is not None and not unframed(text[call.end :]):
                reader.flags.add(Flag.REPAIRED)
                return call, mark.start()
    begin = len(text) - len(text.lstrip("` \t\r\n"))
    if GRAMMAR.begin.match(text, begin):
        call = standing_call(text, begin, GRAMMAR, reader)
        if call is not None:
            reader.flags.add(Flag.REPAIRED)
            return call, begin
    raise Unreadable(f"the answer has no line 'Action: name(…)': {shown(text)}")


def _action(call: Call, reader: Reader) -> Action:
    word = call.word
    if word in _TOUCHES:
        return Action(kind=_TOUCHES[word], point=point_of(call.text(*_START), reader))
    if word in _KEYS:
        return Action(kind=_KEYS[word])
    match word:
        case "drag" | "swipe" if call.get(*_END) is not None or call.get("direction") is None:
            kind = ActionType.DRAG if word == "drag" else ActionType.SWIPE
            start = point_of(call.text(*_START), reader)
            return Action(kind=kind, point=start, lift=point_of(call.text(*_END), reader))
        case "scroll" | "swipe":
            at = call.get(*_START)
            numbers = numbers_of(at) if at else None
            return reader.scroll(call.text("direction"), numbers, finger=word == "swipe")
        case "type":
            content = call.text("content", "text")
            if content.endswith("\n"):
                reader.flags.add(Flag.SUBMITS)
            return Action.type(content)
        case "wait":
            return Action.wait(reader.seconds(call.get(*_SECONDS)))
        case "finished":
            return Action.finish(call.get("content") or "")
        case "calluser":
            return Action.call_user(call.get("content") or "")
        case "openapp":
            return Action.open_app(call.text("app_name", "app", "content"))
        case "hotkey":
            key = f"press{call.text('key').strip().lower()}"
            if key in _KEYS:
                return Action(kind=_KEYS[key])
    raise Unreadable(f"this phone has no action {shown(reader.call)}")
