"""Shell patterns (`*`, `?`, `[…]`) as regular expressions, and file names that match them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Piece = tuple[str, bool]
"""Text, and whether it was quoted."""

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


def has_magic(pieces: Sequence[Piece]) -> bool:
    """Whether unquoted text holds a pattern."""
    return any(not quoted and any(char in text for char in "*?[") for text, quoted in pieces)


def to_regex(pieces: Sequence[Piece]) -> str:
    """A regular expression for the whole text; quoted text stands for itself."""
    out: list[str] = []
    for text, quoted in pieces:
        if quoted:
            out.append(re.escape(text))
            continue
        pos = 0
        while pos < len(text):
            char = text[pos]
            pos += 1
            if char == "*":
                out.append(".*")
            elif char == "?":
                out.append(".")
            elif char == "[":
                end, body = _bracket(text, pos)
                out.append(body)
                pos = end
            elif char == "\\" and pos < len(text):
                out.append(re.escape(text[pos]))
                pos += 1
            else:
                out.append(re.escape(char))
    return "".join(out)


def _bracket(text: str, start: int) -> tuple[int, str]:
    """Where a bracket expression ends and what it is as a regular expression; `[` itself where it is not one."""
    pos = start
    negated = pos < len(text) and text[pos] in "!^"
    pos += negated
    body: list[str] = []
    first = True
    while pos < len(text) and (text[pos] != "]" or first):
        first = False
        name = re.match(r"\[:([a-z]+):\]", text[pos:])
        if name and name[1] in _CLASSES:
            body.append(_CLASSES[name[1]])
            pos += name.end()
            continue
        if pos + 2 < len(text) and text[pos + 1] == "-" and text[pos + 2] != "]":
            low, high = text[pos], text[pos + 2]
            if low <= high:
                body.append(f"{re.escape(low)}-{re.escape(high)}")
            pos += 3
            continue
        body.append(re.escape(text[pos]))
        pos += 1
    if pos >= len(text):
        return start, re.escape("[")
    if not body:
        return pos + 1, "(?!)" if not negated else "."
    return pos + 1, f"[{'^' if negated else ''}{''.join(body)}]"


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern without quotes matches a whole text."""
    return re.fullmatch(to_regex([(pattern, False)]), text, re.DOTALL) is not None


def expand_paths(pieces: Sequence[Piece], names: Callable[[str], Sequence[str]]) -> list[str]:
    """Paths that match a word with a pattern, sorted; `names` lists a directory and gives nothing where it is none.

    Args:
        pieces: the word.
        names: lists the names in a directory, given as it is written in the word (empty for the current directory).
    """
    parts: list[list[Piece]] = [[]]
    for text, quoted in pieces:
        for index, chunk in enumerate(text.split("/")):
            if index:
                parts.append([])
            if chunk:
                parts[-1].append((chunk, quoted))
    found = [""]
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        tail = "" if last else "/"
        plain = "".join(text for text, _ in part)
        if not has_magic(part):
            found = [prefix + plain + tail for prefix in found]
            if last and index and plain:
                found = [path for path in found if path.rsplit("/", 1)[1] in names(path.rsplit("/", 1)[0] + "/")]
            continue
        regex = re.compile(to_regex(part), re.DOTALL)
        hidden = plain.startswith(".")
        found = [
            prefix + name + tail
            for prefix in found
            for name in names(prefix)
            if (hidden or not name.startswith(".")) and regex.fullmatch(name)
        ]
    return sorted(found)
