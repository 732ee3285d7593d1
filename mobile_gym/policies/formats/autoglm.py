"""AutoGLM: `do(action="Tap", element=[x,y])` and `finish(message="…")` (github.com/zai-org/Open-AutoGLM)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown, split_think
from mobile_gym.policies.formats.boxes import numbers_of
from mobile_gym.policies.formats.calls import Call, find_calls, read_call
from mobile_gym.policies.formats.objects import read_object

_TOUCHES = {"tap": ActionType.TAP, "double_tap": ActionType.DOUBLE_TAP, "long_press": ActionType.LONG_PRESS}
_KEYS = {"back": ActionType.PRESS_BACK, "home": ActionType.PRESS_HOME, "enter": ActionType.PRESS_ENTER}
_OTHERS = ("swipe", "type", "type_name", "launch", "wait", "take_over", "interact")
_ACTIONS = (*_TOUCHES, *_KEYS, *_OTHERS)
_NAMES = ("do", "finish")
_INLINE = re.compile(r"\b(?:do|finish)\(")
# A list or dict that begins with the action's name and goes on as the call's arguments.
_HALF = re.compile(r"[\[{\s]*(['\"])(\w+(?: \w+)?)\1\s*,\s*(\w+\s*=.*)", re.DOTALL | re.ASCII)
_SECONDS = re.compile(r"\s*(\d+(?:\.\d+)?)", re.ASCII)


def parse(text: str, reader: Reader) -> Action:
    """Reads the call in `<answer>`, or after the reasoning; a broken one is repaired or refused, never a finish."""
    thought, rest = split_think(text)
    before, tag, body = rest.partition("<answer>")
    if not tag or rest.lstrip().startswith(("do(", "finish(")):
        before, body = "", rest
    body = body.removesuffix("\n").rstrip().removesuffix("</answer>")
    call = _call(body, reader)
    if call is None:
        arguments = _repaired(body)
        reader.flags.add(Flag.REPAIRED)
        reader.call = body.strip()
    else:
        before += body[: call.start]
        reader.call = body[call.start : call.end]
        if not call.closed:
            reader.flags.add(Flag.REPAIRED)
        if call.name == "finish":
            reader.thought = _joined(thought, before)
            return Action.finish(call.get("message") or "")
        arguments = call.arguments
    reader.thought = _joined(thought, before)
    return _do(arguments, reader)


def _call(body: str, reader: Reader) -> Call | None:
    calls = find_calls(body, _NAMES)
    if calls:
        if len(calls) > 1:
            reader.flags.add(Flag.SEVERAL)
        return calls[0]
    for match in reversed(list(_INLINE.finditer(body))[-20:]):
        try:
            call = read_call(body, match.start())
        except Unreadable:
            continue
        # In the middle of a line a call counts only where the answer ends with it: prose speaks of calls too.
        if call.closed and not body[call.end :].strip("`. \n"):
            reader.flags.add(Flag.REPAIRED)
            return call
    return None


def _repaired(body: str) -> Mapping[str, Any]:
    half = _HALF.fullmatch(body.strip())
    if half is not None and _word(half[2]) in _ACTIONS:
        call = read_call(f'do(action="{half[2]}", {half[3]}')
        if call.closed and not call.positional:
            return call.arguments
    flags: set[Flag] = set()
    try:
        value = read_object(body, flags)
    except Unreadable:
        value = {}
    if isinstance(value.get("action"), str) and value.get("_metadata", "do") == "do":
        return value
    raise Unreadable(f"the answer has no call do(action=…) or finish(message=…): {shown(body)}")


def _do(arguments: Mapping[str, Any], reader: Reader) -> Action:
    action = _text(arguments, "action")
    word = _word(action)
    if word in _TOUCHES:
        if arguments.get("message"):
            reader.flags.add(Flag.SENSITIVE)
        return Action(kind=_TOUCHES[word], point=reader.point(numbers_of(_needed(arguments, "element"))))
    if word in _KEYS:
        return Action(kind=_KEYS[word])
    match word:
        case "swipe":
            start = reader.point(numbers_of(_needed(arguments, "start")))
            return Action(kind=ActionType.SWIPE, point=start, lift=reader.point(numbers_of(_needed(arguments, "end"))))
        case "type" | "type_name":
            return Action.type(_text(arguments, "text"))
        case "launch":
            return Action.open_app(_text(arguments, "app"))
        case "wait":
            seconds = _SECONDS.match(str(arguments.get("duration", "1")))
            if seconds is None:
                raise Unreadable(f"the duration {shown(arguments['duration'])} begins with no number")
            return Action.wait(float(seconds[1]))
        case "take_over" | "interact":
            reader.flags.add(Flag.TAKEOVER)
            return Action.call_user(str(arguments.get("message", "")))
    raise Unreadable(f"this phone has no action {shown(action)}")


def _needed(arguments: Mapping[str, Any], name: str) -> object:
    if name not in arguments:
        raise Unreadable(f"{shown(arguments.get('action'))} has no {name!r}")
    return arguments[name]


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = _needed(arguments, name)
    if not isinstance(value, str):
        raise Unreadable(f"{name!r} is a text, not {shown(value)}")
    return value


def _word(action: str) -> str:
    return action.strip().lower().replace(" ", "_")


def _joined(*thoughts: str) -> str:
    return "\n".join(part for thought in thoughts if (part := thought.strip()))
