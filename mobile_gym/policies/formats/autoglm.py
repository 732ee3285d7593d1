"""AutoGLM: `do(action="Tap", element=[x,y])` and `finish(message="…")` (github.com/zai-org/Open-AutoGLM)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.boxes import point_of
from mobile_gym.policies.formats.calls import Call, Grammar, read_call, standing_call
from mobile_gym.policies.formats.objects import read_object
from mobile_gym.policies.formats.standing import Place, introduces, place, unframed

GRAMMAR = Grammar(
    {
        "do": ("action", "element", "start", "end", "text", "app", "message", "duration", "instruction"),
        "finish": ("message",),
    }
)
_TOUCHES = {"tap": ActionType.TAP, "double_tap": ActionType.DOUBLE_TAP, "long_press": ActionType.LONG_PRESS}
_KEYS = {"back": ActionType.PRESS_BACK, "home": ActionType.PRESS_HOME, "enter": ActionType.PRESS_ENTER}
_OTHERS = ("swipe", "type", "type_name", "launch", "wait", "take_over", "interact")
_ACTIONS = (*_TOUCHES, *_KEYS, *_OTHERS)
_ANSWER = re.compile(r"<answer>[\s`]*")
# A list or dict that begins with the action's name and goes on as the call's arguments.
_HALF = re.compile(r"[\[{\s]*['\"](\w+(?: \w+)?)['\"]\s*,\s*(\w+\s*=.*)", re.DOTALL | re.ASCII)
_SPOKEN = re.compile(r"\b(?:do\(\s*action|finish\(\s*message)|<answer>")
_MOST_CALLS = 20


def parse(text: str, reader: Reader) -> Action:
    """Reads the call in `<answer>`, or after the reasoning; a broken one is repaired or refused, never a finish."""
    begin = len(text) - len(text.lstrip("` \t\r\n"))
    tag = None if GRAMMAR.begin.match(text, begin) else _tag(text)
    if tag is not None:
        reader.note(text[: tag.start()])
        if GRAMMAR.begin.match(text, tag.end()):
            call = standing_call(text, tag.end(), GRAMMAR, reader)
        else:
            return _repaired(text, tag.end(), reader)
    else:
        call = _untagged(text, reader)
    if call is None:
        return _repaired(text, 0, reader)
    after = text[call.end :]
    if GRAMMAR.another.search(after) or (tag is not None and _ANSWER.search(after)):
        reader.flags.add(Flag.SEVERAL)
    if tag is None:
        reader.note(text[: call.start])
    begin = call.start if tag is None else tag.start()
    reader.found(text, begin, call.end, unframed(after), call.closed, _SPOKEN)
    reader.call = text[call.start : call.end]
    return Action.finish(call.get("message") or "") if call.word == "finish" else _do(call.arguments, reader)


def _tag(text: str) -> re.Match[str] | None:
    for tag in _ANSWER.finditer(text):
        where = place(text, tag.start())
        if where is Place.LINE or (
            where is Place.SENTENCE and not unframed(text[tag.end() :].rpartition("</answer>")[2])
        ):
            return tag
    return None


def _untagged(text: str, reader: Reader) -> Call | None:
    """The first call that has its line for itself, or one that ends the answer after a sentence."""
    for number, match in enumerate(GRAMMAR.line.finditer(text)):
        if number == _MOST_CALLS:
            break
        call = standing_call(text, match.start(1), GRAMMAR, reader)
        if call is not None:
            if introduces(text[: match.start()]):
                reader.flags.add(Flag.REPAIRED)
            return call
    for match in list(GRAMMAR.begin.finditer(text))[-1:]:
        if place(text, match.start()) is Place.SENTENCE:
            call = standing_call(text, match.start(), GRAMMAR, reader)
            if call is not None and not unframed(text[call.end :]):
                reader.flags.add(Flag.REPAIRED)
                return call
    return None


def _repaired(text: str, at: int, reader: Reader) -> Action:
    """An action in the shape of a list or dict; never a finish."""
    body = text[at:].rstrip().removesuffix("</answer>")
    reader.flags.add(Flag.REPAIRED)
    half = _HALF.fullmatch(body.strip())
    if half is not None and _action_word(half[1]) in _ACTIONS:
        call = read_call(f'do(action="{half[1]}", {half[2]}', 0, GRAMMAR)
        if call.closed and not unframed(half[2][call.end - len(f'do(action="{half[1]}", ') :]).strip("]}"):
            reader.found(text, at, at + len(body), "")
            return _do(call.arguments, reader)
    try:
        value = read_object(body, set())
    except Unreadable:
        value = {}
    if isinstance(value.get("action"), str) and value.get("_metadata", "do") == "do":
        reader.found(text, at, at + len(body), "")
        return _do(value, reader)
    raise Unreadable(f"the answer has no call do(action=…) or finish(message=…): {shown(text[at:])}")


def _do(arguments: Mapping[str, Any], reader: Reader) -> Action:
    action = _text(arguments, "action")
    word = _action_word(action)
    if word in _TOUCHES:
        if arguments.get("message"):
            reader.flags.add(Flag.SENSITIVE)
        return Action(kind=_TOUCHES[word], point=point_of(_needed(arguments, "element"), reader))
    if word in _KEYS:
        return Action(kind=_KEYS[word])
    match word:
        case "swipe":
            start = point_of(_needed(arguments, "start"), reader)
            return Action(kind=ActionType.SWIPE, point=start, lift=point_of(_needed(arguments, "end"), reader))
        case "type" | "type_name":
            return Action.type(_text(arguments, "text"))
        case "launch":
            return Action.open_app(_text(arguments, "app"))
        case "wait":
            return Action.wait(reader.seconds(arguments.get("duration")))
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


def _action_word(action: str) -> str:
    return action.strip().lower().replace(" ", "_")
