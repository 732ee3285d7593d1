"""Points and boxes as models write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from mobile_gym.envs.actions import Point
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown

_MARKS = re.compile(r"<\|?/?(?:box_start|box_end|point|bbox|box)\|?>")
_NUMBER = r"[+-]?\d{1,7}(?:\.\d{1,12})?"
_SEPARATOR = r"\s*(?:[,\uff0c;]|\s|\]\s*,?\s*\[|\)\s*,?\s*\()\s*"
_BOX = re.compile(rf"[\[(\s]*({_NUMBER}(?:{_SEPARATOR}{_NUMBER}){{1,3}})[\])\s]*", re.ASCII)
_NUMBERS = re.compile(_NUMBER, re.ASCII)
_LONGEST = 200


def point_of(value: object, reader: Reader) -> Point:
    """The point of the action frame that a value holds, see `numbers_of`.

    Raises:
        Unreadable: it is no point, or one outside the picture.
    """
    numbers = numbers_of(value)
    if isinstance(value, Mapping) or (isinstance(value, str) and _plain(value) != value):
        reader.flags.add(Flag.REPAIRED)
    return reader.point(numbers)


def numbers_of(value: object) -> tuple[float, ...]:
    """The two or four numbers of a point or box: a text, lists of numbers, one inside the other, or named x and y.

    The whole text has to be a point: numbers in a sentence are none. Leading zeros (`086`) and fullwidth characters
    are fine. Two points in a list of lists are no box: nothing says which one is meant.

    Raises:
        Unreadable: it is no point.
    """
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, Mapping) and value.keys() == {"x", "y"}:
        value = [value["x"], value["y"]]
    if isinstance(value, Sequence):
        while len(value) == 1 and isinstance(value[0], list | tuple | str):
            value = value[0]
            if isinstance(value, str):
                return _of_text(value)
        if len(value) in (2, 4) and all(isinstance(number, int | float | str) for number in value):
            return tuple(_number(number) for number in value)
    raise Unreadable(f"{shown(value)} is no point; a point is two numbers, a box four")


def _of_text(text: str) -> tuple[float, ...]:
    inner = _MARKS.sub(" ", _plain(text[: _LONGEST + 1])).strip()
    match = _BOX.fullmatch(inner) if len(text) <= _LONGEST else None
    numbers = tuple(float(number) for number in _NUMBERS.findall(match[1])) if match is not None else ()
    if len(numbers) not in (2, 4):
        raise Unreadable(f"{shown(text)} is no point; a point is two numbers, a box four")
    return numbers


def _plain(text: str) -> str:
    """A text with fullwidth digits, brackets and commas as plain ones."""
    return unicodedata.normalize("NFKC", text)


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
