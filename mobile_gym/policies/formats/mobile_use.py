"""The vocabulary of Qwen's `mobile_use` tool, which GUI-Owl and Mobile-Agent-v3 share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.boxes import numbers_of, point_of
from mobile_gym.policies.formats.objects import read_object

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
_TOOL = "mobileuse"
_FROM = ("coordinate", "coordinates", "point", "position")
_TO = ("coordinate2", "end_coordinate")


def call_of(value: Mapping[str, Any], reader: Reader) -> Action:
    """The action of a tool call, `{"name": "mobile_use", "arguments": {…}}`, or of its arguments alone.

    Raises:
        Unreadable: it calls another tool, or is no action.
    """
    if "arguments" not in value:
        return action_of(value, reader)
    name, arguments = value.get("name"), value["arguments"]
    if name is None:
        reader.flags.add(Flag.REPAIRED)
    elif not isinstance(name, str) or _plain(name) != _TOOL:
        raise Unreadable(f"there is no tool {shown(name)}; the phone is used with 'mobile_use'")
    if isinstance(arguments, str):
        arguments = read_object(arguments, reader.flags)
    if not isinstance(arguments, Mapping):
        raise Unreadable(f"'arguments' is an object, not {shown(arguments)}")
    return action_of(arguments, reader)


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
        return Action(kind=_TOUCHES[word], point=point_of(_needed(arguments, word, *_FROM), reader))
    match word:
        case "swipe" | "drag":
            kind = ActionType.DRAG if word == "drag" else ActionType.SWIPE
            start = point_of(_needed(arguments, word, *_FROM), reader)
            return Action(kind=kind, point=start, lift=point_of(_needed(arguments, word, *_TO), reader))
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
            return Action.wait(reader.seconds(_first(arguments, "time", "seconds")))
        case "answer":
            return Action.answer(_text(arguments, word, "text"))
        case "call_user" | "calluser" | "interact" | "ask_user":
            return Action.call_user(_text(arguments, word, "text", "content"))
        case "terminate":
            return _end(arguments, reader)
    raise Unreadable(f"this phone has no action {shown(name)}")


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "").replace("-", "")


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
