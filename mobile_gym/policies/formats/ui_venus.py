"""UI-Venus: `<think>`, `<action>Click(box=(x, y))</action>`, `<conclusion>` (github.com/inclusionAI/UI-Venus)."""

from __future__ import annotations

import re

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown, split_think
from mobile_gym.policies.formats.boxes import numbers_of
from mobile_gym.policies.formats.calls import Call, read_call

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
_BARE = re.compile(r"[\[(][\d\s.,+\-\[\]()]{1,80}[\])]", re.ASCII)


def parse(text: str, reader: Reader) -> Action:
    """Reads the call in `<action>`; an answer that is a bare point is the grounding format's."""
    thought, rest = split_think(text)
    reader.thought = thought
    _, tag, body = rest.partition("<action>")
    if not tag:
        return _bare(rest, reader)
    begin = len(body) - len(body.lstrip(" \t\r\n`"))
    call = read_call(body, begin)
    if call.name.lower() == "sequence":
        call = _first_of(call)
        reader.flags.add(Flag.SEVERAL)
    reader.call = f"<action>{body[begin : call.end]}</action>"
    if not call.closed or not body[call.end :].lstrip(" \t\r\n`;").startswith("</action>"):
        reader.flags.add(Flag.REPAIRED)
    return _action(call, reader)


def _bare(text: str, reader: Reader) -> Action:
    point = text.strip()
    if _BARE.fullmatch(point) is None:
        raise Unreadable(f"the answer has no <action>: {shown(text)}")
    numbers = numbers_of(point)
    reader.call = point
    if set(numbers) == {-1.0}:
        reader.flags.add(Flag.INFEASIBLE)
        return Action(kind=ActionType.FINISH_INFEASIBLE)
    return Action(kind=ActionType.TAP, point=reader.point(numbers))


def _first_of(call: Call) -> Call:
    inner = call.text("actions").strip().removeprefix("[").lstrip()
    first = read_call(inner)
    return Call(first.name, first.arguments, first.positional, call.start, call.end, call.closed and first.closed)


def _action(call: Call, reader: Reader) -> Action:
    name = call.name.lower().replace("_", "")
    if name in _TOUCHES:
        return Action(kind=_TOUCHES[name], point=_point(call, reader, "box", "point"))
    if name in _KEYS:
        return Action(kind=_KEYS[name])
    match name:
        case "drag" | "swipe":
            kind = ActionType.DRAG if name == "drag" else ActionType.SWIPE
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
            return Action.wait()
        case "finished":
            return Action.finish(call.get("content") or "")
        case "calluser":
            return Action.call_user(call.get("content") or "")
    raise Unreadable(f"this phone has no action {shown(reader.call)}")


def _point(call: Call, reader: Reader, *names: str) -> tuple[int, int]:
    numbers = numbers_of(call.text(*names))
    if set(numbers) == {-1.0}:
        raise Unreadable("(-1, -1) says that the element is not there", Flag.INFEASIBLE)
    return reader.point(numbers)
