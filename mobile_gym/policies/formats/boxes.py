"""Points and boxes as models write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mobile_gym.policies.formats.base import Unreadable, shown

_MARKS = re.compile(r"<\|?/?(?:box_start|box_end|point|bbox|box)\|?>")
_NUMBER = r"[+-]?\d{1,7}(?:\.\d{1,12})?"
_SEPARATOR = r"\s*(?:[,\uff0c;]|\s|\]\s*,?\s*\[|\)\s*,?\s*\()\s*"
_BOX = re.compile(rf"[\[(\s]*({_NUMBER}(?:{_SEPARATOR}{_NUMBER}){{1,3}})[\])\s]*", re.ASCII)
_NUMBERS = re.compile(_NUMBER, re.ASCII)
_LONGEST = 200


def numbers_of(value: object) -> tuple[float, ...]:
    """The two or four numbers of a point or box: a text, or lists of numbers, one inside the other.

    The whole text has to be a point: numbers in a sentence are none. Leading zeros (`086`) are fine.

    Raises:
        Unreadable: it is no point.
    """
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, Sequence):
        while len(value) == 1 and isinstance(value[0], list | tuple | str):
            value = value[0]
            if isinstance(value, str):
                return _of_text(value)
        flat = [number for item in value for number in (item if isinstance(item, list | tuple) else (item,))]
        if len(flat) in (2, 4) and all(isinstance(number, int | float | str) for number in flat):
            return tuple(_number(number) for number in flat)
    raise Unreadable(f"{shown(value)} is no point; a point is two numbers, a box four")


def _of_text(text: str) -> tuple[float, ...]:
    inner = _MARKS.sub(" ", text[: _LONGEST + 1]).strip()
    match = _BOX.fullmatch(inner) if len(text) <= _LONGEST else None
    numbers = tuple(float(number) for number in _NUMBERS.findall(match[1])) if match is not None else ()
    if len(numbers) not in (2, 4):
        raise Unreadable(f"{shown(text)} is no point; a point is two numbers, a box four")
    return numbers


def _number(value: object) -> float:
    if isinstance(value, bool):
        raise Unreadable(f"{value} is no number")
    if isinstance(value, str):
        if not _NUMBERS.fullmatch(value.strip()):
            raise Unreadable(f"{shown(value)} is no number")
        return float(value)
    if isinstance(value, int | float) and abs(value) < 1e9:
        return float(value)
    raise Unreadable(f"{shown(value)} is no coordinate")
