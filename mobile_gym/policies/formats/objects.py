"""JSON objects as models write them: in fences, after reasoning, with Python's quotes, cut off at the end."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.standing import Place, introduces, place, unframed

SPOKEN = re.compile(r"<tool_call>|[\"']action[\"']\s*:")
"""What calls as objects are known by."""

_FENCE = re.compile(r"```[\w+-]*\s*", re.ASCII)
_BEGIN = re.compile(r"[{\[]")
_LONGEST = 40_000
_DEEPEST = 30
_MOST_TRIES = 20
_CLOSERS = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Found:
    """An object in a text.

    Attributes:
        value: the object.
        start: where it begins.
        end: where it ends.
        whole: whether it was closed; else its end was added.
        odd: whether it broke the rules of JSON and was read all the same.
    """

    value: dict[str, Any]
    start: int
    end: int
    whole: bool = True
    odd: bool = False


def read_object(text: str, flags: set[Flag]) -> dict[str, Any]:
    """The object that a text consists of, fences and blanks aside.

    Python's way of writing and missing brackets at the end are read and flagged as repaired. A text in it is never
    changed.

    Raises:
        Unreadable: it is no object.
    """
    start = _skip_fence(text)
    found = object_at(text, start, len(text))
    if found.odd:
        flags.add(Flag.REPAIRED)
    if text[found.end :].strip("` \t\r\n"):
        raise Unreadable(f"{shown(text.strip())} is no JSON object")
    return found.value


def object_at(text: str, start: int, stop: int) -> Found:
    """The object that begins at a place.

    Args:
        text: the text.
        start: where it begins.
        stop: where it ends at the latest, unless its brackets and quotes are as they should be.

    Raises:
        Unreadable: there is none.
    """
    if text[start : start + 1] not in ("{", "["):
        raise Unreadable(f"{shown(text[start : start + 80])} is no JSON object")
    value, end, whole, odd = *_strict(text, start), True, False
    if value is None:
        end, odd = _end_of(text, start), True
        if end - start <= _LONGEST:
            value = _python(text[start:end])
    if value is None:
        body = text[start : min(stop, start + _LONGEST)].rstrip("` \t\r\n")
        # Brackets are added only after a value that is whole: a number at the end may have lost digits.
        closers = _open_brackets(body) if body.endswith(("]", "}", '"', "'")) else None
        if closers:
            value, _ = _strict(body + closers, 0)
            value = _python(body + closers) if value is None else value
            end, whole = start + len(body), False
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        value, odd = value[0], True
    if not isinstance(value, dict):
        raise Unreadable(f"{shown(text[start:stop].strip())} is no JSON object")
    return Found(value, start, end, whole, odd)


def answered_object(text: str, keys: Iterable[str], reader: Reader) -> dict[str, Any]:
    """The object that an answer consists of or ends with, having its line for itself; more than one is flagged.

    Only an object of the answer itself counts, none inside another one and none in a sentence.

    Args:
        text: the answer without its `<think>` block.
        keys: the object has one of them.
        reader: is told where it stands.

    Raises:
        Unreadable: there is none.
    """
    wanted = frozenset(keys)
    at = _skip_fence(text)
    for _ in range(_MOST_TRIES):
        match = _BEGIN.search(text, at)
        if match is None:
            break
        at = match.start()
        where = place(text, at)
        try:
            found = object_at(text, at, len(text)) if where is not Place.INSIDE else None
        except Unreadable:
            found = None
        at = _end_of(text, at) if found is None else found.end
        if found is None or not wanted & found.value.keys():
            continue
        after = unframed(text[found.end :])
        if _objects_only(after):
            reader.flags.add(Flag.SEVERAL)
        elif after:
            break
        before = text[: found.start]
        if found.odd or where is not Place.LINE or introduces(before):
            reader.flags.add(Flag.REPAIRED)
        reader.note(unfenced(before))
        reader.found(text, found.start, found.end, after, found.whole, SPOKEN)
        reader.exact = True
        return found.value
    told = " or ".join(map(repr, sorted(wanted)))
    raise Unreadable(f"the answer is no JSON object with {told}, and does not end with one: {shown(text)}")


def unfenced(text: str) -> str:
    """A text without the fence that opens at its end."""
    return re.sub(r"```[\w+-]*\s*\Z", "", text).strip()


def _objects_only(text: str) -> bool:
    """Whether a text is nothing but further objects."""
    at = 0
    while at < len(text):
        if text[at] not in "{[":
            return False
        end = _end_of(text, at)
        at = end + len(text[end:]) - len(text[end:].lstrip(" \t\r\n,`"))
    return bool(text)


def _skip_fence(text: str) -> int:
    at = len(text) - len(text.lstrip())
    fence = _FENCE.match(text, at)
    return fence.end() if fence is not None else at


def _strict(text: str, at: int) -> tuple[Any, int]:
    """JSON that begins at a place, and where it ends; None where it is none."""
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name stands twice")
    return value


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_unique)


def _python(body: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know; they are kept as they are
            tree = ast.parse(body, mode="eval")
            value = ast.literal_eval(tree)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            names = [ast.dump(key) for key in node.keys if key is not None]
            if len(set(names)) != len(names):
                return None
    return value


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
