"""Texts of a screen without what changes by itself: clocks, time stamps and counts of feeds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_TIME = re.compile(r"(?<!\d)(\d{1,2})[:：](\d{2})(?:[:：]\d{2})?(?!\d)")
_NUMERIC_DATE = re.compile(r"(?<!\d)(?:\d{4}[-/.年])?(\d{1,2})[-/.](\d{1,2})(?!\d)")
_SEPARATORS = r"[\s,，、·•.。/|\-–—]*"
_COUNT = re.compile(r"\d{1,3}\+?|99\+|…|···|•")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of `words.yaml` as patterns.

    Attributes:
        stamp: matches a text that is a time stamp as a whole.
        ago: matches a text that as a whole tells how long ago something was.
        count: matches a count of a feed.
        date_zh: matches a Chinese date; groups are month and day.
        date_en: matches an English date; groups `month`, and `before` or `after` for the day.
        months: the first three letters of the months' names.
        ambient: matches parts of the ids of clocks and batteries.
        ambient_label: matches the names of rows that tell the battery.
        badge: matches parts of the ids of badges.
        filler: matches words that mean little.
    """

    stamp: re.Pattern[str]
    ago: re.Pattern[str]
    count: re.Pattern[str]
    date_zh: re.Pattern[str]
    date_en: re.Pattern[str]
    months: tuple[str, ...]
    ambient: re.Pattern[str]
    ambient_label: re.Pattern[str]
    badge: re.Pattern[str]
    filler: re.Pattern[str]


@cache
def words() -> Words:
    """The patterns, read once."""
    data: dict[str, Any] = yaml.safe_load(
        files("mobile_gym.reward.graph").joinpath("words.yaml").read_text(encoding="utf-8")
    )
    months = data["months"]
    date_en = rf"(?:(?P<before>\d{{1,2}})\s+)?(?P<month>{months})\.?\s*(?P<after>\d{{1,2}})?"
    dates = (r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?", r"\d{4}年?", rf"(?:\d{{1,2}}\s+)?(?:{months})\.?(?:\s*\d{{1,2}})?")
    numeric = (r"(?:\d{4}[-/.])?\d{1,2}[-/.]\d{1,2}", data["date_zh"].replace("(", "(?:"))
    token = "|".join(f"(?:{part})" for part in (*numeric, *dates, *data["stamps"], *data["ago"]))
    ago = "|".join(f"(?:{part})" for part in data["ago"])
    return Words(
        stamp=re.compile(rf"{_SEPARATORS}(?:(?:{token}){_SEPARATORS})+", re.IGNORECASE),
        ago=re.compile(ago, re.IGNORECASE),
        count=re.compile("|".join(f"(?:{part})" for part in data["counts"]), re.IGNORECASE),
        date_zh=re.compile(data["date_zh"]),
        date_en=re.compile(rf"\b{date_en}\b", re.IGNORECASE),
        months=tuple(data["month_starts"]),
        ambient=re.compile(data["ambient_ids"]),
        ambient_label=re.compile(data["ambient_labels"], re.IGNORECASE),
        badge=re.compile(data["badge_ids"]),
        filler=re.compile(data["fillers"], re.IGNORECASE),
    )


def plain(text: str) -> str:
    """The text in one form of width, case and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def is_stamp(text: str) -> bool:
    """Whether a text is a time stamp as a whole: times, dates, days of the week, how long ago."""
    return bool(text) and any(char.isalnum() for char in text) and words().stamp.fullmatch(text) is not None


def is_count(text: str) -> bool:
    """Whether a text is a small number, as badges show."""
    return _COUNT.fullmatch(text) is not None


def without_counters(text: str) -> str:
    """The text with every count of a feed, such as `3 条评论` or `(3)`, as `#`. Values such as `5 分钟` stay."""
    return words().count.sub(lambda found: re.sub(r"\d+(?:[.,]\d+)*", "#", found[0]), text)


def is_feed_count(text: str) -> bool:
    """Whether a text is a count of a feed as a whole."""
    return words().count.fullmatch(text) is not None


def without_stamps(text: str) -> str:
    """The text without the parts, as they are divided by dots and bars, that are time stamps."""
    return _parts_but(text, is_stamp)


def without_ago(text: str) -> str:
    """The text without the parts that tell how long ago something was, which changes while one looks on."""
    return _parts_but(text, lambda part: words().ago.fullmatch(part) is not None)


def _parts_but(text: str, gone: Callable[[str], bool]) -> str:
    parts = re.split(r"\s*[·•|]\s*", text)
    kept = [part for part in parts if not gone(part)]
    return text if len(kept) == len(parts) else " · ".join(kept)


def is_ambient(resource_id: str) -> bool:
    """Whether a resource-id is that of a clock, a date or a battery: its name as a whole."""
    return words().ambient.fullmatch(resource_id.rpartition("/")[2]) is not None


def is_ambient_label(text: str) -> bool:
    """Whether a text is the name of a row that tells the battery."""
    return words().ambient_label.fullmatch(text) is not None


def is_badge_id(resource_id: str) -> bool:
    """Whether a part of a resource-id's name is that of a badge."""
    name = resource_id.rpartition("/")[2]
    return any(words().badge.fullmatch(part) for part in (name, *name.split("_")))


def tells_now(text: str, now: datetime | None) -> bool:
    """Whether a time stamp tells the device's own time or date: all of its times are now, all of its dates today.

    Args:
        text: a time stamp, see `is_stamp`.
        now: the device's local time; None where it is not known, then nothing tells it.
    """
    if now is None:
        return False
    times = [(int(found[1]), int(found[2])) for found in _TIME.finditer(text)]
    rest = _TIME.sub(" ", text)
    dates = list(_dates(rest))
    return (
        bool(times or dates) and all(_is_now(*one, now) for one in times) and all(_is_today(one, now) for one in dates)
    )


def _dates(text: str) -> Iterable[tuple[int, int]]:
    for found in words().date_zh.finditer(text):
        yield int(found[1]), int(found[2])
    for found in words().date_en.finditer(text):
        day = found["before"] or found["after"]
        if day:
            yield words().months.index(found["month"][:3].casefold()) + 1, int(day)
    for found in _NUMERIC_DATE.finditer(text):
        yield int(found[1]), int(found[2])


def _is_now(hour: int, minute: int, now: datetime) -> bool:
    near = (now + step * timedelta(minutes=1) for step in range(-2, 3))
    return any(
        moment.minute == minute and hour in (moment.hour, moment.hour % 12 or 12, moment.hour % 12) for moment in near
    )


def _is_today(date: tuple[int, int], now: datetime) -> bool:
    return date == (now.month, now.day)
