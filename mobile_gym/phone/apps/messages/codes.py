"""Codes in messages: to log in with, or to fetch a parcel with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import yaml

_CODE = re.compile(r"(?<![\w.,:/-])(?:\d+(?:-\d+)+|[A-Z]{1,2}\d{3,6}|\d{4,8})(?![\w:/]|[.,-]\d)", re.ASCII)


@lru_cache(maxsize=1)
def words() -> Mapping[str, Sequence[str]]:
    """Words that a message with a code holds, by kind of code."""
    text = files("mobile_gym.phone.apps.messages").joinpath("codes.yaml").read_text(encoding="utf-8")
    found: dict[str, list[str]] = yaml.safe_load(text)
    return found


def find_code(body: str) -> str | None:
    """The code in a message: the one nearest to a word such as "verification code"; None where there is none."""
    lower = body.lower()
    places = [lower.find(word) for kind in words().values() for word in kind]
    marks = [place for place in places if place >= 0]
    if not marks:
        return None
    codes = list(_CODE.finditer(body))
    if not codes:
        return None
    return min(codes, key=lambda match: min(abs(match.start() - mark) for mark in marks))[0]


def login_condition() -> tuple[str, list[str]]:
    """SQL that holds for messages with a code to log in with, and its parameters."""
    kind = words()["login"]
    return " OR ".join("body LIKE ?" for _ in kind), [f"%{word}%" for word in kind]
