"""POSIX regular expressions, basic and extended, as Python's."""

from __future__ import annotations

import re

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_SPECIAL_EXTENDED = frozenset("*+?{}()|")


class RegexError(Exception):
    """A pattern that is no regular expression."""


def compile_regex(
    pattern: str,
    *,
    extended: bool = False,
    fixed: bool = False,
    ignore_case: bool = False,
    whole_line: bool = False,
    whole_word: bool = False,
) -> re.Pattern[str]:
    """Compiles a POSIX pattern.

    Raises:
        RegexError: the pattern is wrong.
    """
    text = re.escape(pattern) if fixed else _translate(pattern, extended)
    if whole_word:
        text = rf"(?<!\w)(?:{text})(?!\w)"
    if whole_line:
        text = rf"\A(?:{text})\Z"
    try:
        return re.compile(text, re.IGNORECASE if ignore_case else 0)
    except (re.error, OverflowError, RecursionError) as error:
        text = str(error)
        raise RegexError("parentheses not balanced" if "paren" in text or "missing )" in text else text) from error


def _translate(pattern: str, extended: bool) -> str:
    out: list[str] = []
    pos = 0
    start = True
    while pos < len(pattern):
        char = pattern[pos]
        pos += 1
        if char == "[":
            body, pos = _bracket(pattern, pos)
            out.append(body)
        elif char == "\\":
            if pos >= len(pattern):
                raise RegexError("trailing backslash")
            following = pattern[pos]
            pos += 1
            out.append(_escaped(following, extended))
            if following in "(|" and not extended:
                start = True
                continue
        elif char == "*" and start and not extended:
            out.append("\\*")
        elif char == "*" and start:
            raise RegexError("repetition-operator operand invalid")
        elif char == "^":
            out.append("^" if extended or start else "\\^")
            continue
        elif char == "$":
            ends = pos >= len(pattern) or pattern.startswith(("\\)", "\\|"), pos)
            out.append("$" if extended or ends else "\\$")
        elif char in _SPECIAL_EXTENDED and char != "*":
            interval = char == "{" and not re.match(r"\d*,?\d*\}", pattern[pos:])
            out.append(char if extended and not interval else "\\" + char)
            if extended and char in "(|":
                start = True
                continue
        elif char in "*.":
            out.append(char)
        else:
            out.append(re.escape(char))
        start = False
    return "".join(out)


def _escaped(char: str, extended: bool) -> str:
    if char in "(){}+?|" and not extended:
        return char
    if char in "123456789":
        return "\\" + char
    table = {"<": r"\b(?=\w)", ">": r"\b(?<=\w)", "n": "\\n", "t": "\\t"}
    if char in table:
        return table[char]
    if char in "wWsSdDbB":
        return "\\" + char
    return re.escape(char)


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    pos = start
    out = ["["]
    if pattern.startswith("^", pos):
        out.append("^")
        pos += 1
    first = True
    while True:
        if pos >= len(pattern):
            raise RegexError("brackets ([ ]) not balanced")
        if pattern[pos] == "]" and not first:
            return "".join(out) + "]", pos + 1
        named = re.match(r"\[:([a-z]+):\]", pattern[pos:])
        if named:
            if named[1] not in _CLASSES:
                raise RegexError("invalid character class")
            out.append(_CLASSES[named[1]])
            pos += named.end()
        elif pos + 2 < len(pattern) and pattern[pos + 1] == "-" and pattern[pos + 2] != "]":
            if pattern[pos] > pattern[pos + 2]:
                raise RegexError("invalid character range")
            out.append(f"{re.escape(pattern[pos])}-{re.escape(pattern[pos + 2])}")
            pos += 3
        else:
            out.append(re.escape(pattern[pos]))
            pos += 1
        first = False
