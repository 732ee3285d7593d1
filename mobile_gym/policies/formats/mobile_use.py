"""The vocabulary of Qwen's `mobile_use` tool, which GUI-Owl and Mobile-Agent-v3 share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.boxes import numbers_of

_TOUCHES = {
    "click": ActionType.TAP,
    "tap": ActionType.TAP,
    "left_click": ActionType.TAP,
    "double_click": ActionType.DOUBLE_TAP,
    "double_tap": ActionType.DOUBLE_TAP,
    "long_press": ActionType.LONG_PRESS,
}
_BUTTONS = {
    "back": ActionType.PRESS_BACK,
    "home": ActionType.PRESS_HOME,
    "enter": ActionType.PRESS_ENTER,
    "recent": ActionType.PRESS_RECENTS,
    "recents": ActionType.PRESS_RECENTS,
}
_FROM = ("coordinate", "coordinates", "point", "position")
_TO = ("coordinate2", "end_coordinate")


def action_of(arguments: Mapping[str, Any], reader: Reader) -> Action:
    """The action of a tool call's arguments.

    Raises:
        Unreadable: they are none.
    """
    name = arguments.get("action")
    if not isinstance(name, str):
        raise Unreadable(f"'action' is the action's name, not {shown(name)}")
    word = name.strip().lower()
    if word in _TOUCHES:
        return Action(kind=_TOUCHES[word], point=reader.point(numbers_of(_needed(arguments, word, *_FROM))))
    match word:
        case "swipe" | "drag":
            kind = ActionType.DRAG if word == "drag" else ActionType.SWIPE
            start = reader.point(numbers_of(_needed(arguments, word, *_FROM)))
            return Action(kind=kind, point=start, lift=reader.point(numbers_of(_needed(arguments, word, *_TO))))
        case "scroll":
            at = _first(arguments, *_FROM)
            return reader.scroll(_text(arguments, word, "direction"), None if at is None else numbers_of(at))
        case "type" | "input_text":
            return Action.type(_text(arguments, word, "text"))
        case "system_button" | "key":
            return _button(_text(arguments, word, "button", "text", "key"))
        case "open" | "open_app":
            return Action.open_app(_text(arguments, word, "text", "app", "app_name"))
        case "wait":
            return Action.wait(_seconds(_first(arguments, "time", "seconds")))
        case "answer":
            return Action.answer(_text(arguments, word, "text"))
        case "call_user" | "calluser" | "interact" | "ask_user":
            return Action.call_user(_text(arguments, word, "text", "content"))
        case "terminate":
            return _end(arguments, reader)
    raise Unreadable(f"this phone has no action {shown(name)}")


def _end(arguments: Mapping[str, Any], reader: Reader) -> Action:
    status = arguments.get("status")
    told = arguments.get("text")
    text = told if isinstance(told, str) else ""
    if status == "success":
        return Action.finish(text)
    if status in ("failure", "fail", "failed", "infeasible"):
        reader.flags.add(Flag.INFEASIBLE)
        return Action(kind=ActionType.FINISH_INFEASIBLE, text=text)
    raise Unreadable(f"the status of terminate is 'success' or 'failure', not {shown(status)}")


def _button(name: str) -> Action:
    kind = _BUTTONS.get(name.strip().lower())
    if kind is None:
        raise Unreadable(f"this phone has no button {shown(name)}; it has {', '.join(_BUTTONS)}")
    return Action(kind=kind)


def _seconds(value: object) -> float:
    if value is None:
        return 1.0
    try:
        return float(str(value))
    except ValueError:
        raise Unreadable(f"the time to wait is a number of seconds, not {shown(value)}") from None


def _first(arguments: Mapping[str, Any], *names: str) -> object:
    return next((arguments[name] for name in names if arguments.get(name) is not None), None)


def _needed(arguments: Mapping[str, Any], action: str, *names: str) -> object:
    value = _first(arguments, *names)
    if value is None:
        raise Unreadable(f"{action} has no {names[0]!r}")
    return value


def _text(arguments: Mapping[str, Any], action: str, *names: str) -> str:
    value = _needed(arguments, action, *names)
    if not isinstance(value, str):
        raise Unreadable(f"{names[0]!r} of {action} is a text, not {shown(value)}")
    return value
