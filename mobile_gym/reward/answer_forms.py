"""How answers are read: dates, numbers beside units and currencies, texts without their quotation marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

from mobile_gym.reward.normal_forms import to_number

_BRACKETS = {
    "(": ")",
    "[": "]",
    "<": ">",
    '"': '"',
    "'": "'",
    "\u201c": "\u201d",
    "\u300c": "\u300d",
    "\u300a": "\u300b",
}


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """Words of `answer_words.yaml`: those beside sums by currency, months and days of the week by number."""

    currencies: Mapping[str, tuple[str, ...]]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    year: str
    month: str
    day: tuple[str, ...]
    separators: tuple[str, ...]


@cache
def words() -> AnswerWords:
    """The words around answers, from `answer_words.yaml`."""
    data: dict[str, Any] = yaml.safe_load(files("mobile_gym.reward").joinpath("answer_words.yaml").read_text("utf-8"))

    def numbered(groups: list[list[str]], first: int) -> dict[str, int]:
        return {word: number for number, words in enumerate(groups, start=first) for word in words}

    return AnswerWords(
        {code: tuple(folded(word) for word in words) for code, words in data["currencies"].items()},
        numbered(data["months"], 1),
        numbered(data["weekdays"], 0),
        data["date_marks"]["year"],
        data["date_marks"]["month"],
        tuple(data["date_marks"]["day"]),
        tuple(data["separators"]),
    )


def several(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """One text or several, as several."""
    return (value,) if isinstance(value, str) else value


def folded(text: str) -> str:
    """A text in lower case, of plain width, without white space and marks at its end."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(".!,;\u3002")


def bare(text: str) -> str:
    """A text without brackets or quotation marks around the whole of it."""
    plain = text.strip()
    while len(plain) > 1 and _BRACKETS.get(plain[0]) == plain[-1]:
        plain = plain[1:-1].strip()
    return plain


def number_beside(text: str, beside: Sequence[str]) -> float | None:
    """The number of a folded text that is nothing but it and, before or behind it, words that may be there."""
    plain = bare(text)
    by_length = sorted(beside, key=len, reverse=True)
    before = next((word for word in by_length if plain.startswith(word)), "")
    plain = plain.removeprefix(before)
    behind = next((word for word in by_length if plain.endswith(word)), "")
    plain = plain.removesuffix(behind)
    return to_number(plain)


@dataclass(frozen=True, slots=True)
class ReadDate:
    """A date as it was written; what it did not say is None."""

    year: int | None
    month: int
    day: int
    weekday: int | None = None


@lru_cache(maxsize=4096)
def read_date(text: str) -> ReadDate | None:
    """A date in a usual Chinese, English or ISO form, or None where the text is none or holds more.

    Slashes and dots are read year first, or month and day; `3/4/2026`, whose order nobody knows, is no date.
    """
    forms = words()
    plain = unicodedata.normalize("NFKC", bare(text)).casefold().strip().rstrip(".!\u3002")
    plain, weekday = _without_weekday(plain, forms.weekdays)
    found = _numeric_date(plain, forms) or _named_date(plain, forms.months)
    if found is None:
        return None
    year, month, day = found
    try:
        date(year if year is not None else 2000, month, day)  # 2000 has a 29th of February
    except ValueError:
        return None
    return ReadDate(year, month, day, weekday)


def _without_weekday(text: str, weekdays: Mapping[str, int]) -> tuple[str, int | None]:
    for word in sorted(weekdays, key=len, reverse=True):
        escaped = re.escape(word)
        match = re.fullmatch(rf"(?P<a>.*\d.*?)[\s,(]*{escaped}\.?\s*\)?|{escaped}\.?[\s,]+(?P<b>.+)", text)
        if match is not None:
            return (match["a"] or match["b"]).strip(" ,"), weekdays[word]
    return text, None


def _numeric_date(text: str, words: AnswerWords) -> tuple[int | None, int, int] | None:
    days = "|".join(map(re.escape, words.day))
    year, month = re.escape(words.year), re.escape(words.month)
    patterns = (
        r"(?P<y>\d{4})\s*[-/.]\s*(?P<m>\d{1,2})\s*[-/.]\s*(?P<d>\d{1,2})",
        r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)",
        r"(?P<m>\d{1,2})\s*[-/]\s*(?P<d>\d{1,2})",
        rf"(?:(?P<y>\d{{4}})\s*{year}\s*)?(?P<m>\d{{1,2}})\s*{month}\s*(?P<d>\d{{1,2}})\s*(?:{days})?",
    )
    for pattern in patterns:
        match = re.fullmatch(pattern, text)
        if match is not None:
            named = match.groupdict().get("y")
            return (int(named) if named else None, int(match["m"]), int(match["d"]))
    return None


def _named_date(text: str, months: Mapping[str, int]) -> tuple[int | None, int, int] | None:
    name = rf"(?P<m>{'|'.join(sorted(months, key=len, reverse=True))})\.?"
    day = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
    for order in (rf"{name}\s*{day}", rf"(?:the\s+)?{day}\s*(?:of\s+)?{name}"):
        match = re.fullmatch(rf"{order}(?:\s*,?\s*(?P<y>\d{{4}}))?", text)
        if match is not None:
            return (int(match["y"]) if match["y"] else None, months[match["m"]], int(match["d"]))
    return None
