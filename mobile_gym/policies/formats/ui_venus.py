"""UI-Venus: `<think>`, `<action>Click(box=(x, y))</action>`, `<conclusion>` (github.com/inclusionAI/UI-Venus)."""

from __future__ import annotations

import re
from dataclasses import replace

from mobile_gym.envs.actions import Action, ActionType, Point
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.boxes import numbers_of, point_of
from mobile_gym.policies.formats.calls import Call, Grammar, read_call
from mobile_gym.policies.formats.standing import Place, Tail, place, tail, unframed

_BOX = ("box", "point")
_SECONDS = ("time", "seconds", "duration")
_TOUCHES = {
    "click": ActionType.TAP,
    "tap": ActionType.TAP,
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
    dict.fromkeys(("Click", "Tap", "DoubleClick"), _BOX)
    | dict.fromkeys(("PressBack", "PressHome", "PressEnter", "PressRecent"), ())
    | dict.fromkeys(("Drag", "Swipe", "Scroll"), ("start", "end", "direction"))
    | {
        "LongPress": (*_BOX, *_SECONDS),
        "Type": ("content", "text"),
        "Launch": ("app", "url"),
        "Wait": _SECONDS,
        "Finished": ("content",),
        "CallUser": ("content",),
        "Sequence": ("actions",),
    }
)
_TAG = re.compile(r"<action>[\s`]*")
_CLOSE = re.compile(r"[\s`;]*</action>")
_CONCLUSION = re.compile(r"<conclusion>.*?(?:</conclusion>|\Z)", re.DOTALL)
_BARE = re.compile(r"[\[(][\d\s.,+\-\[\]()]{1,80}[\])]", re.ASCII)
_MOST_TAGS = 20


def parse(text: str, reader: Reader) -> Action:
    """Reads the call in `<action>`; an answer that is a bare point is the grounding format's."""
    found = _tagged(text, reader)
    if found is None:
        return _bare(text, reader)
    call, begin, end, closed = found
    after = text[end:]
    if _TAG.search(after) or GRAMMAR.another.search(after):
        reader.flags.add(Flag.SEVERAL)
    reader.note(text[:begin])
    reader.found(text, begin, end, unframed(_CONCLUSION.sub("", after)), call.closed and closed, _TAG)
    reader.call = f"<action>{text[call.start : call.end]}</action>"
    if call.word == "sequence":
        call = _first_of(call)
        reader.flags.add(Flag.SEVERAL)
    return _action(call, reader)


def _tagged(text: str, reader: Reader) -> tuple[Call, int, int, bool] | None:
    """The call in the first tag that has its line for itself; where that begins and ends; whether it is closed."""
    for number, tag in enumerate(_TAG.finditer(text)):
        where = place(text, tag.start())
        if where is Place.INSIDE or number == _MOST_TAGS:
            continue
        call = read_call(text, tag.end(), GRAMMAR)
        close = _CLOSE.match(text, call.end)
        end = close.end() if close is not None else call.end
        ending = tail(_CONCLUSION.sub("", text[end:]), 0)
        if close is None and unframed(text[call.end :]).strip(";"):
            raise Unreadable(f"the tag <action> never closes: {shown(text[tag.start() :])}")
        if ending is Tail.WORDS and not text[end:].lstrip().startswith("<"):
            reader.flags.add(Flag.REPAIRED)  # what is read after this is less plain for it
            continue
        if where is Place.SENTENCE and unframed(_CONCLUSION.sub("", text[end:])):
            continue
        if call.odd or ending is not Tail.CLEAN or where is not Place.LINE:
            reader.flags.add(Flag.REPAIRED)
        return call, tag.start(), end, close is not None
    return None


def _bare(text: str, reader: Reader) -> Action:
    point = text.strip()
    if _BARE.fullmatch(point) is None:
        raise Unreadable(f"the answer has no <action>: {shown(text)}")
    reader.found(text, 0, len(text), "")
    reader.call = point
    if set(numbers_of(point)) == {-1.0}:
        reader.flags.add(Flag.INFEASIBLE)
        return Action(kind=ActionType.FINISH_INFEASIBLE)
    return Action(kind=ActionType.TAP, point=point_of(point, reader))


def _first_of(call: Call) -> Call:
    inner = call.text("actions").strip().removeprefix("[").lstrip()
    return replace(read_call(inner, 0, GRAMMAR), start=call.start, end=call.end)


def _action(call: Call, reader: Reader) -> Action:
    word = call.word
    if word in _TOUCHES:
        return Action(kind=_TOUCHES[word], point=_point(call, reader, *_BOX))
    if word in _KEYS:
        return Action(kind=_KEYS[word])
    match word:
        case "drag" | "swipe":
            kind = ActionType.DRAG if word == "drag" else ActionType.SWIPE
            return Action(kind=kind, point=_point(call, reader, "start"), lift=_point(call, reader, "end"))
        case "scroll":
            if call.get("end"):
                start = _point(call, reader, "start")
                return Action(kind=ActionType.SWIPE, point=start, lift=_point(call, reader, "end"))
            at = call.get("start")
            return reader.scroll(call.text("direction"), numbers_of(at) if at else None)
        case "type":
            return Action.type(call.text("content", "text"))
        case "launch":
            return Action.open_app(call.text("app", "url"))
        case "wait":
            return Action.wait(reader.seconds(call.get(*_SECONDS)))
        case "finished":
            return Action.finish(call.get("content") or "")
        case "calluser":
            return Action.call_user(call.get("content") or "")
    raise Unreadable(f"this phone has no action {shown(reader.call)}")


def _point(call: Call, reader: Reader, *names: str) -> Point:
    value = call.text(*names)
    if set(numbers_of(value)) == {-1.0}:
        raise Unreadable("(-1, -1) says that the element is not there", Flag.INFEASIBLE)
    return point_of(value, reader)
