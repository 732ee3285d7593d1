"""Calls as models write them: `click(start_box='(1,2)')`, `do(action="Type", text="it's")`.

They look like Python and are not: quotes stand unescaped in texts, numbers have leading zeros, brackets are missing.
So a quoted text ends at the first quote of its kind that is followed by what can follow an argument.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from mobile_gym.policies.formats.base import Unreadable, shown

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*", re.ASCII)
_QUOTES = "'\""
# After a text: the next argument, the call's end (then a line's end, a tag, a fence, a bracket), or the answer's end.
_AFTER_TEXT = re.compile(r"\s*+(?:,\s*+[A-Za-z_]\w*\s*=|(?:,\s*+)?\)\s*(?:$|[\r\n<`;,\])}])|$)", re.ASCII)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Call:
    """A call.

    Attributes:
        name: its name.
        arguments: texts of the named arguments: quoted ones without their quotes and escapes, others as they stand.
        positional: those without a name.
        start: where it begins in the text.
        end: where it ends, after the bracket.
        closed: whether its bracket was there.
    """

    name: str
    arguments: dict[str, str]
    positional: tuple[str, ...]
    start: int
    end: int
    closed: bool

    def text(self, *names: str) -> str:
        """An argument by the first of these names that is there.

        Raises:
            Unreadable: none is there.
        """
        value = self.get(*names)
        if value is None:
            raise Unreadable(f"{self.name} has no {names[0]!r}")
        return value

    def get(self, *names: str) -> str | None:
        """An argument by the first of these names that is there, or None."""
        return next((self.arguments[name] for name in names if name in self.arguments), None)


def read_call(text: str, start: int = 0) -> Call:
    """Reads the call that begins at a place.

    Raises:
        Unreadable: there is none, or a text or list in it never ends.
    """
    match = _NAME.match(text, start)
    if match is None or text[match.end() : match.end() + 1] != "(":
        raise Unreadable(f"{shown(text[start : start + 60])} is no call")
    arguments: dict[str, str] = {}
    positional: list[str] = []
    at = match.end() + 1
    while True:
        at = _skip(text, at, _SPACE + ",")
        if at >= len(text):
            return Call(match[0], arguments, tuple(positional), start, at, closed=False)
        if text[at] == ")":
            return Call(match[0], arguments, tuple(positional), start, at + 1, closed=True)
        key = _KEY.match(text, at)
        value, at = _value(text, key.end() if key else at)
        if key is None:
            positional.append(value)
        elif key[1] in arguments:
            raise Unreadable(f"{match[0]} has {key[1]!r} twice")
        else:
            arguments[key[1]] = value


def find_calls(text: str, names: Collection[str]) -> list[Call]:
    """The calls of these names that stand at the beginning of a line, in order, none inside another.

    Raises:
        Unreadable: one of them never ends.
    """
    alternatives = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    begin = re.compile(rf"^[ \t`*>\-]*({alternatives})\(", re.MULTILINE | re.ASCII)
    found: list[Call] = []
    match = begin.search(text)
    while match is not None:
        found.append(read_call(text, match.start(1)))
        match = begin.search(text, found[-1].end)
    return found


def _value(text: str, at: int) -> tuple[str, int]:
    if at < len(text) and text[at] in _QUOTES:
        return _quoted(text, at)
    depth, begin = 0, at
    while at < len(text):
        char = text[at]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif char in ",\r\n" and depth == 0:
            break
        elif char in _QUOTES and depth:
            # a quote inside a list: skip to its end in the same line
            end = text.find(char, at + 1)
            at = end if end >= 0 else at
        at += 1
    if depth:
        raise Unreadable(f"{shown(text[begin : begin + 60])} is cut off: a bracket never closes")
    value = text[begin:at].strip()
    if not value:
        raise Unreadable("an argument has no value")
    return value, at


def _quoted(text: str, at: int) -> tuple[str, int]:
    quote, begin = text[at], at
    triple = text.find(quote * 3, at + 3) if text.startswith(quote * 3, at) else -1
    if triple >= 0 and _AFTER_TEXT.match(text, triple + 3):
        return text[at + 3 : triple], triple + 3
    at += 1
    parts: list[str] = []
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text) and text[at + 1] in _ESCAPES:
            parts.append(_ESCAPES[text[at + 1]])
            at += 2
            continue
        if char == quote and _AFTER_TEXT.match(text, at + 1):
            return "".join(parts), at + 1
        parts.append(char)
        at += 1
    raise Unreadable(f"{shown(text[begin : begin + 60])} is cut off: its quote never closes")


def _skip(text: str, at: int, chars: str) -> int:
    while at < len(text) and text[at] in chars:
        at += 1
    return at
