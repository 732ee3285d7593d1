"""Calls as models write them: `click(start_box='(1,2)')`, `do(action="Type", text="it's")`.

They look like Python and are not: quotes stand unescaped in texts, numbers have leading zeros, brackets are missing or
fullwidth. Each format has a `Grammar` of its calls and their arguments, so that what a text holds and what follows it
can be told apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.quotes import PAIRS, Quoting
from mobile_gym.policies.formats.standing import Tail, tail

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*([=\uff1d])\s*", re.ASCII)
_OPEN, _CLOSE, _COMMA = "(\uff08", ")\uff09", ",\uff0c"
# An argument without quotes that is no plain text: a number, a list, a box, a call, a word of Python.
_LITERAL = re.compile(r"[\[({<\uff08+\-\d]|(?:True|False|None)\Z|[A-Za-z_]\w*\(", re.ASCII)
_LABEL = r"(?:[A-Z]\w*(?: [A-Z]\w*)?[ \t*]*[:\uff1a][ \t*`]*)?"
_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Call:
    """A call.

    Attributes:
        name: its name, as it was written.
        word: its name in lower case, without underscores.
        arguments: texts of the arguments: quoted ones without their quotes and escapes, others as they stand.
        start: where it begins in the text.
        end: where it ends, after the bracket.
        closed: whether its bracket was there.
        odd: whether it broke the rules and was read all the same.
    """

    name: str
    word: str
    arguments: Mapping[str, str]
    start: int
    end: int
    closed: bool
    odd: bool

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


@dataclass(frozen=True)
class Grammar:
    """The calls of a format.

    Attributes:
        calls: what each call may be told, by the call's name; the first argument may be given without its name.
    """

    calls: Mapping[str, tuple[str, ...]]
    _by_word: Mapping[str, tuple[str, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_word", {_word(name): names for name, names in self.calls.items()})

    @cached_property
    def names(self) -> str:
        """A pattern of a call's beginning: its name and bracket."""
        longest_first = sorted(map(re.escape, self.calls), key=len, reverse=True)
        return rf"(?<![\w.])(?:{'|'.join(longest_first)})[ \t]?[{_OPEN}]"

    @cached_property
    def begin(self) -> re.Pattern[str]:
        """The beginning of a call."""
        return re.compile(self.names, re.ASCII)

    @cached_property
    def line(self) -> re.Pattern[str]:
        """The beginning of a call that stands at the beginning of its line, perhaps after a label."""
        return re.compile(rf"^[ \t`*]*{_LABEL}({self.names})", re.ASCII | re.MULTILINE)

    @cached_property
    def another(self) -> re.Pattern[str]:
        """In what follows a call: a further one, at its beginning, on a line or after a label, a tag or a semicolon."""
        return re.compile(rf"(?:\A|^|[;>])[ \t`*,\u3002.]*{_LABEL}{self.names}", re.ASCII | re.MULTILINE)

    @cached_property
    def quoting(self) -> Quoting:
        """How the end of a quoted text is found."""
        return Quoting(self.begin, self.line)

    def arguments(self, word: str) -> tuple[str, ...] | None:
        """What a call may be told; None for one that there is not."""
        return self._by_word.get(word)


def read_call(text: str, start: int, grammar: Grammar) -> Call:
    """Reads the call that begins at a place.

    Raises:
        Unreadable: there is none, or it holds what does not belong there, or a text or list in it never ends.
    """
    match = _NAME.match(text, start)
    at = _skip(text, match.end(), " \t") if match is not None else start
    if match is None or text[at : at + 1] not in (*_OPEN,):
        raise Unreadable(f"{shown(text[start : start + 60])} is no call")
    name, word = match[0], _word(match[0])
    known = grammar.arguments(word)
    if known is None:
        raise Unreadable(f"there is no action {shown(text[start : start + 60])}")
    odd = at > match.end() or text[at] == _OPEN[1]
    arguments: dict[str, str] = {}
    at = _skip(text, at + 1, _SPACE)
    closed = False
    while at < len(text):
        if text[at] in _CLOSE:
            odd |= text[at] == _CLOSE[1]
            at, closed = at + 1, True
            break
        key = _KEY.match(text, at)
        if key is None and (arguments or not known):
            raise Unreadable(f"{name} takes {_names(known)}, not {shown(text[at : at + 60])}")
        argument = key[1] if key is not None else known[0]
        odd |= key is None or key[2] != "="
        if argument not in known:
            raise Unreadable(f"{name} has no argument {argument!r}; it takes {_names(known)}")
        if argument in arguments:
            raise Unreadable(f"{name} has {argument!r} twice")
        arguments[argument], at, strange = _value(text, key.end() if key else at, grammar.quoting, known)
        odd |= strange
        at = _skip(text, at, _SPACE)
        if text[at : at + 1] in (*_COMMA,):
            odd |= text[at] == _COMMA[1]
            at = _skip(text, at + 1, _SPACE)
        elif at < len(text) and text[at] not in _CLOSE:
            raise Unreadable(f"{name} is cut off before {shown(text[at : at + 60])}")
    return Call(name, word, arguments, start, at, closed, odd)


def standing_call(text: str, at: int, grammar: Grammar, reader: Reader) -> Call | None:
    """The call that begins here; None where its line goes on with words, so that it is a part of a sentence.

    Raises:
        Unreadable: see `read_call`.
    """
    call = read_call(text, at, grammar)
    ending = tail(text, call.end)
    if ending is Tail.WORDS and grammar.another.search(text[call.end :].split("\n", 1)[0]) is None:
        reader.flags.add(Flag.REPAIRED)  # what is read after this is less plain for it
        return None
    if call.odd or ending is not Tail.CLEAN:
        reader.flags.add(Flag.REPAIRED)
    return call


def _value(text: str, at: int, quoting: Quoting, known: tuple[str, ...]) -> tuple[str, int, bool]:
    """A value, where it ends, and whether it was written oddly."""
    if at < len(text) and text[at] in PAIRS:
        return quoting.read(text, at, known)
    depth, begin = 0, at
    while at < len(text):
        char = text[at]
        if char in "([{\uff08":
            depth += 1
        elif char in ")]}\uff09":
            if depth == 0:
                break
            depth -= 1
        elif char in ",\uff0c\r\n" and depth == 0:
            break
        elif char in "'\"" and depth:
            # a quote inside a list: skip to its end in the same line
            end = text.find(char, at + 1)
            at = end if end >= 0 else at
        at += 1
    if depth:
        raise Unreadable(f"{shown(text[begin : begin + 60])} is cut off: a bracket never closes")
    value = text[begin:at].strip()
    if not value:
        raise Unreadable("an argument has no value")
    if at == len(text) and value[-1] not in ")]}\uff09":
        raise Unreadable(f"{shown(value)} is cut off: more may have followed")
    return value, at, _LITERAL.match(value) is None


def _word(name: str) -> str:
    return name.lower().replace("_", "")


def _names(known: tuple[str, ...]) -> str:
    return ", ".join(known) or "nothing"


def _skip(text: str, at: int, chars: str) -> int:
    while at < len(text) and text[at] in chars:
        at += 1
    return at
