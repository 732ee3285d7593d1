"""Comparison by meaning: text, telephone numbers, times of day, names of people, numbers.

All functions are pure. Two values are the same when their normal forms are equal; one lying inside the other never
counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import permutations
from typing import Any

import yaml

_CJK = r"\u2e80-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_SPACE_BY_CJK = re.compile(rf"(?<=[{_CJK}]) +| +(?=[{_CJK}])")
_END_MARKS = ".!?~;,: \u3002\uff01\uff1f\uff5e\uff1b\uff0c\uff1a\u2026\u3001"
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060\ufeff\ufe0e\ufe0f\u00ad]")


@lru_cache(maxsize=4096)
def normal_text(text: str) -> str:
    """Text without what makes no difference to a reader.

    Full-width forms become plain ones, case goes, runs of white space of any kind become one space (none beside
    Chinese, Japanese or Korean characters), invisible marks go, and so does punctuation at the end, unless nothing
    else is left.
    """
    folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
    folded = unicodedata.normalize("NFKC", folded)
    spaced = _SPACE_BY_CJK.sub("", " ".join(folded.split()))
    stripped = spaced.rstrip(_END_MARKS)
    return stripped or spaced


def same_text(one: str, other: str) -> bool:
    """Whether two texts read the same."""
    return normal_text(one) == normal_text(other)


def contains_text(whole: str, part: str) -> bool:
    """Whether a text holds another, by their normal forms; a number is not found inside a longer one."""
    needle = normal_text(part)
    before = r"(?<!\d)" if needle[:1].isdigit() else ""
    after = r"(?!\d)" if needle[-1:].isdigit() else ""
    return re.search(before + re.escape(needle) + after, normal_text(whole)) is not None


@lru_cache(maxsize=4096)
def normal_phone(text: str) -> str:
    """A telephone number as dialled inside China; other countries' keep `+` and code. Empty without any digit.

    Spaces, dashes, brackets and full-width digits make no difference; nor does +86 or 0086 before a mobile number, and
    +86 before an area code stands for its 0.
    """
    digits = re.sub(r"[^\d+*#]", "", unicodedata.normalize("NFKC", text))
    if not any(character.isdigit() for character in digits):
        return ""
    digits = "+" + digits[2:] if re.match(r"00[1-9]\d{6}", digits) else digits
    if digits.startswith("+86") or (digits.startswith("86") and re.fullmatch(r"861[3-9]\d{9}", digits)):
        rest = digits.removeprefix("+").removeprefix("86")
        if re.fullmatch(r"1[3-9]\d{9}", rest) or rest.startswith("0") or len(rest) < 9:
            return rest or digits
        return "0" + rest
    return digits


def same_phone(one: str, other: str) -> bool:
    """Whether two telephone numbers reach the same line."""
    form = normal_phone(one)
    return bool(form) and form == normal_phone(other)


def same_person(one: str, other: str) -> bool:
    """Whether two names are the same person's: family name first or last, with or without spaces, dots and commas."""
    first, second = _name_parts(one), _name_parts(other)
    if not first or not second:
        return False
    if sorted(first) == sorted(second):
        return True
    if "".join(first) == "".join(second):
        return True
    few = 4
    if len(first) > few or len(second) > few:
        return False
    return not {"".join(order) for order in permutations(first)}.isdisjoint(
        "".join(order) for order in permutations(second)
    )


def _name_parts(name: str) -> tuple[str, ...]:
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name)).casefold()
    return tuple(part for part in re.split(r"[\s,.\u00b7\u30fb\u2022]+", plain) if part)


@dataclass(frozen=True, slots=True)
class _TimeWords:
    periods: Mapping[str, str]
    digits: Mapping[str, int]
    ten: str
    pattern: re.Pattern[str]


@cache
def _time_words() -> _TimeWords:
    data: dict[str, Any] = yaml.safe_load(files("mobile_gym.reward").joinpath("time_words.yaml").read_text("utf-8"))
    periods = {word: period for period, words in data["periods"].items() for word in words}

    def either(words: list[str] | dict[str, Any]) -> str:
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))

    digits = data["digits"]
    number = rf"\d{{1,2}}|[{''.join(digits)}{data['ten']}]{{1,3}}"
    pattern = re.compile(
        rf"(?P<before>{either(periods)})?\s*(?P<hour>{number})\s*"
        rf"(?:(?::|{either(data['hour_marks'])})\s*"
        rf"(?:(?P<half>{either(data['half'])})|(?P<quarters>[1-3]|[{''.join(digits)}])\s*(?:{either(data['quarter'])})"
        rf"|(?P<exact>{either(data['exact'])})"
        rf"|(?P<minute>{number})(?::\d\d)?\s*(?:{either(data['minute_marks'])})?)?)?"
        rf"\s*(?P<after>{either(periods)})?"
    )
    return _TimeWords(periods, digits, data["ten"], pattern)


def _small_number(text: str, words: _TimeWords) -> int | None:
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition(words.ten)
    if ten:
        if len(tens) > 1 or len(ones) > 1:
            return None
        return 10 * words.digits.get(tens, 1) + words.digits.get(ones, 0)
    value = 0
    for character in text:
        value = 10 * value + words.digits[character]
    return value


def _hour_of_day(hour: int, period: str | None) -> int | None:
    if period is None or hour > 12:
        return hour if hour < 24 and not (period == "am" and hour > 12) else None
    shifted = {
        "am": hour % 12,
        "pm": hour % 12 + 12,
        "noon": hour if hour >= 10 else hour + 12,
        "night": hour % 12 if hour < 6 or hour == 12 else hour + 12,
    }
    return shifted[period]


@lru_cache(maxsize=4096)
def minute_of_day(text: str) -> int | None:
    """A time of day as minutes after midnight, or None where the text is no time (or holds more than a time).

    Reads `15:00`, `3:00 PM` with any space, `3 p.m.`, and Chinese forms by the words of `time_words.yaml`. A bare
    number is no time; an hour without a period is one of 24.
    """
    words = _time_words()
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().strip()
    match = words.pattern.fullmatch(plain)
    if match is None or plain == match["hour"]:
        return None
    before, after = match["before"], match["after"]
    if before and after:
        return None
    hour = _small_number(match["hour"], words)
    minute: int | None = 0
    if match["half"]:
        minute = 30
    elif match["quarters"]:
        minute = 15 * (_small_number(match["quarters"], words) or 0)
    elif match["minute"]:
        minute = _small_number(match["minute"], words)
    if hour is None or minute is None or minute > 59:
        return None
    hour = _hour_of_day(hour, words.periods.get(before or after))
    return None if hour is None else 60 * hour + minute


def same_time(one: str, other: str) -> bool:
    """Whether two texts name the same time of day."""
    minutes = minute_of_day(one)
    return minutes is not None and minutes == minute_of_day(other)


def to_number(value: object) -> float | None:
    """A number, or text that is one (any width, `%`, thousands' commas), as a float; None for anything else."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    plain = unicodedata.normalize("NFKC", value).strip().removesuffix("%").strip()
    if not re.fullmatch(r"[-+]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?(e[-+]?\d+)?", plain, re.IGNORECASE):
        return None
    number = float(plain.replace(",", ""))
    return number if abs(number) != float("inf") else None


def same_value(expected: object, actual: object) -> bool:
    """Whether two plain values mean the same: as numbers where both are, else as times, else as text."""
    if expected is None or actual is None:
        return expected is None and actual is None
    first, second = to_number(expected), to_number(actual)
    if first is not None and second is not None:
        return first == second
    one, other = str(expected), str(actual)
    return same_text(one, other) or same_time(one, other)
