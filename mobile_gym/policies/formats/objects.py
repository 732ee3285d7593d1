"""JSON objects as models write them: in fences, in tags, in prose, with Python's quotes, cut off at the end."""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

from mobile_gym.policies.formats.base import Flag, Unreadable, shown

_FENCE = re.compile(r"^[ \t]*```[\w+-]*[ \t]*$", re.MULTILINE | re.ASCII)
_LONGEST = 40_000
_DEEPEST = 30
_CLOSERS = {"{": "}", "[": "]"}


def read_object(text: str, flags: set[Flag]) -> dict[str, Any]:
    """The object that a text consists of, fences and blanks aside.

    Python's way of writing and missing brackets at the end are read and flagged as repaired. A text in it is never
    changed.

    Raises:
        Unreadable: it is no object.
    """
    body = text.strip()
    if body.startswith("```"):
        body = _FENCE.sub("", body, count=1).strip()
        if body.endswith("```"):
            body = body[:-3].rstrip()
    if len(body) > _LONGEST:
        raise Unreadable(f"the object has {len(body)} characters; at most {_LONGEST} are read")
    # Brackets are added only after a value that is whole: a number at the end may have lost digits.
    closers = _open_brackets(body) if body.endswith(("]", "}", '"', "'")) else None
    value = _loaded(body)
    if value is None and closers is not None:
        value = _loaded(body + closers) if closers else None
        value = _python(body + closers) if value is None else value
        if value is not None:
            flags.add(Flag.REPAIRED)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        value = value[0]
        flags.add(Flag.REPAIRED)
    if not isinstance(value, dict):
        raise Unreadable(f"{shown(body)} is no JSON object")
    return value


def find_object(text: str, key: str, flags: set[Flag]) -> tuple[dict[str, Any], int, int]:
    """The first object in a text that has a key, with where it begins and ends.

    Raises:
        Unreadable: there is none.
    """
    at = text.find("{")
    tries = 0
    while at >= 0 and tries < 20:
        tries += 1
        end = _end_of(text, at)
        found: set[Flag] = set()
        try:
            value = read_object(text[at:end], found)
        except Unreadable:
            value = {}
        if key in value:
            flags |= found
            return value, at, end
        at = text.find("{", at + 1)
    raise Unreadable(f"the answer holds no object with {key!r}: {shown(text)}")


def _loaded(body: str) -> Any:
    try:
        return json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None


def _python(body: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know; they are kept as they are
            return ast.literal_eval(body)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


def _open_brackets(body: str) -> str | None:
    """The brackets that are missing at the end; None where the text nests too deep or ends inside a quoted text."""
    stack: list[str] = []
    at = 0
    while at < len(body):
        char = body[at]
        if char in _CLOSERS:
            stack.append(_CLOSERS[char])
            if len(stack) > _DEEPEST:
                return None
        elif stack and char == stack[-1]:
            stack.pop()
        elif char in "'\"" and stack:
            end = _after_text(body, at)
            if end is None:
                return None
            at = end
            continue
        at += 1
    return "".join(reversed(stack))


def _end_of(text: str, at: int) -> int:
    """Where the object that begins at a place ends; the text's end where it never does."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        elif char in "'\"":
            end = _after_text(text, at)
            if end is None:
                return len(text)
            at = end
            continue
        at += 1
    return len(text)


def _after_text(text: str, at: int) -> int | None:
    quote = text[at]
    at += 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == quote:
            return at + 1
        else:
            at += 1
    return None
