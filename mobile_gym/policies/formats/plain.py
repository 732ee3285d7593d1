"""The plain format of this package: one JSON object in the environment's own words, for models without a format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.envs.actions import LIFT_KINDS, POINT_KINDS, Action, ActionType, Point
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.boxes import numbers_of, point_of
from mobile_gym.policies.formats.objects import answered_object

_KINDS = {kind.word: kind for kind in ActionType}


def parse(text: str, reader: Reader) -> Action:
    """Reads an answer that is an object, or ends with one."""
    value = answered_object(text, ("action",), reader)
    told = value.get("thought")
    reader.note(told if isinstance(told, str) else "")
    return _action(value, reader)


def _action(value: Mapping[str, Any], reader: Reader) -> Action:
    word = value.get("action")
    if word == "scroll":
        at = value.get("point")
        return reader.scroll(_text(value, "direction"), None if at is None else numbers_of(at))
    kind = _KINDS.get(word) if isinstance(word, str) else None
    if kind is None:
        raise Unreadable(f"'action' is one of {', '.join(_KINDS)}, scroll; not {shown(word)}")
    point = _point(value, "point", kind, reader) if kind in POINT_KINDS else None
    lift = _point(value, "lift", kind, reader) if kind in LIFT_KINDS else None
    if kind is ActionType.FINISH_INFEASIBLE:
        reader.flags.add(Flag.INFEASIBLE)
    if kind is ActionType.WAIT and value.get("seconds") is not None:
        return Action(kind=kind, text=f"{reader.seconds(value['seconds']):g}")
    text = "" if kind in POINT_KINDS or value.get("text") is None else _text(value, "text")
    return Action(kind=kind, point=point, lift=lift, text=text)


def _point(value: Mapping[str, Any], name: str, kind: ActionType, reader: Reader) -> Point:
    if value.get(name) is None:
        raise Unreadable(f"{kind.word} needs a {name!r}")
    return point_of(value[name], reader)


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise Unreadable(f"{name!r} is a text, not {shown(text)}")
    return text
