"""Where a quoted text ends, as models forget to escape the quotes in it.

The first quote ends the text where an argument or the call's end follows. Where something else follows, it is a part
of the text, and the text goes on to a quote that does end it; but never over the beginning of another call, as then
two calls would become one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mobile_gym.policies.formats.base import Unreadable, shown

PAIRS = {"'": "'", '"': '"', "\u201c": "\u201d", "\u2018": "\u2019"}
"""Quotes that open a text, and those that close it."""

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_ESCAPE = re.compile(r"\\([ntr\\'\"])")
_CLOSED = r"\s*+(?:[,\uff0c]\s*+)?[)\uff09]"
# The call's end and nothing after it but a line's end, a tag, a fence or a bracket.
_LAST = re.compile(rf"{_CLOSED}[ \t]*(?:$|[\r\n<`*;,\])}}])", re.ASCII)
# The call's end with something else after it.
_PERHAPS = re.compile(rf"{_CLOSED}(?![\"'\u201d\u2019])")
_ARGUMENT = re.compile(r"\s*[,\uff0c]\s*([A-Za-z_]\w*)\s*=", re.ASCII)
_OVER = re.compile(r"\s*\Z")
_TAG = re.compile(r"</?(?:think|thinking|answer|action|conclusion|tool_call)>")


class Quoting:
    """Finds the ends of texts in the calls of one grammar.

    Args:
        call: the beginning of a call.
        line: the beginning of a call that begins a line.
    """

    def __init__(self, call: re.Pattern[str], line: re.Pattern[str]) -> None:
        self._call = call
        self._line = line

    def read(self, text: str, at: int, known: tuple[str, ...]) -> tuple[str, int, bool]:
        """The text whose quote opens at a place, without its quotes and escapes; where it ends; whether that is odd.

        Args:
            text: the answer.
            at: where the quote is.
            known: the names of the arguments that may follow.

        Raises:
            Unreadable: it never ends, or nobody can tell where.
        """
        mark = text[at]
        if mark in "'\"" and text.startswith(mark * 3, at):
            for match in re.finditer(re.escape(mark * 3), text[at + 3 :]):
                end = at + 3 + match.start()
                if self._ends(text, end + 3, known):
                    return text[at + 3 : end], end + 3, False
        end, odd = self._end(text, at, known)
        inner = _ESCAPE.sub(lambda escape: _ESCAPES[escape[1]], text[at + 1 : end])
        return inner, end + 1, odd or mark not in "'\""

    def _end(self, text: str, at: int, known: tuple[str, ...]) -> tuple[int, bool]:
        limit = len(text)
        maybe: list[int] = []
        first = True
        for quote in _quotes(text, at):
            if quote > limit:
                break
            if self._ends(text, quote + 1, known):
                doubtful = not first and ("\n" in text[at:quote] or self._call.search(text, at, quote) is not None)
                return quote, bool(maybe) or doubtful
            if first:
                limit = min(limit, self._next(text, at + 1))
                first = False
            if _PERHAPS.match(text, quote + 1):
                if not maybe:
                    limit = min(limit, _start(self._call.search(text, quote), limit))
                maybe.append(quote)
        if len(maybe) != 1:
            unknown = next(filter(None, (_ARGUMENT.match(text, quote + 1) for quote in _quotes(text, at))), None)
            if unknown is not None:
                raise Unreadable(f"there is no argument {unknown[1]!r}; there are {', '.join(known)}")
            why = "nobody can tell where it ends" if maybe else "its quote never closes"
            raise Unreadable(f"{shown(text[at : at + 60])} is cut off: {why}")
        return maybe[0], False

    def _ends(self, text: str, at: int, known: tuple[str, ...]) -> bool:
        return any(pattern.match(text, at) is not None for pattern in (_following(known), _LAST, _OVER))

    def _next(self, text: str, at: int) -> int:
        """Where the next line begins with a call, or the next tag stands."""
        newline = text.find("\n", at)
        line = self._line.search(text, newline + 1) if newline >= 0 else None
        return min(_start(line, len(text)), _start(_TAG.search(text, at), len(text)))


@cache
def _following(known: tuple[str, ...]) -> re.Pattern[str]:
    """The next argument; only one that the call takes: texts hold commas and equals signs too."""
    if not known:
        return re.compile(r"(?!)")
    return re.compile(rf"\s*+[,\uff0c]\s*+(?:{'|'.join(map(re.escape, known))})\s*[=\uff1d]")


def _quotes(text: str, at: int) -> Iterator[int]:
    """Places of the closing quotes after an opening one, less the escaped ones."""
    closing, escapes = PAIRS[text[at]], text[at] in "'\""
    at += 1
    while at < len(text):
        if escapes and text[at] == "\\" and text[at + 1 : at + 2] in (*_ESCAPES,):
            at += 2
            continue
        if text[at] == closing:
            yield at
        at += 1


def _start(match: re.Match[str] | None, otherwise: int) -> int:
    return match.start() if match is not None else otherwise
