"""Recurrence rules, a part of RFC 5545 (section 3.3.10) that phones write: one rule, and days that are left out.

Times are naive local ones of the event's own zone, so that an event at nine stays at nine when clocks change.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
LAST_YEAR = 2200
"""Rules without an end are followed to here."""
_IGNORED = ("WKST",)


class RuleError(ValueError):
    """A recurrence rule that means nothing, or more than is understood here."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A recurrence rule.

    Attributes:
        freq: DAILY, WEEKLY, MONTHLY or YEARLY.
        interval: every how many of them.
        count: how many occurrences there are at most; 0 for no limit.
        until: the last moment at which one may begin; None for no limit.
        utc: whether `until` was written in UTC; else it is local time of the event's zone.
        by_day: weekdays, 0 is Monday. Of a weekly rule those it falls on; of a monthly one, with `nth`, the weekday.
        nth: of a monthly rule with a weekday: which of the month, 1 to 5, or -1 for the last; 0 where it goes by date.
        by_month_day: of a monthly rule: the day of the month, 1 to 31; 0 for that of the start.
    """

    freq: str
    interval: int = 1
    count: int = 0
    until: datetime | None = None
    utc: bool = False
    by_day: tuple[int, ...] = ()
    nth: int = 0
    by_month_day: int = 0


def parse_moment(text: str) -> datetime:
    """`20260313`, `20260313T093000` or the same with Z; the Z is left to the caller.

    Raises:
        RuleError: it is none of them.
    """
    plain = text.strip().removesuffix("Z")
    try:
        form = "%Y%m%dT%H%M%S" if "T" in plain else "%Y%m%d"
        return datetime.strptime(plain, form)  # noqa: DTZ007 - local time of the event's zone, see above
    except ValueError as error:
        raise RuleError(f"{text!r} is no date such as 20260313T093000") from error


def write_moment(moment: datetime) -> str:
    """A moment as rules write it."""
    return moment.strftime("%Y%m%dT%H%M%S")


@lru_cache(maxsize=512)
def parse_rule(text: str) -> Rule:
    """Reads a rule such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=10`.

    Raises:
        RuleError: it is none, or has parts that are not understood.
    """
    parts: dict[str, str] = {}
    for part in text.strip().removeprefix("RRULE:").split(";"):
        name, equals, value = part.partition("=")
        if part and not equals:
            raise RuleError(f"rule {text!r}: {part!r} has no value")
        if part:
            parts[name.strip().upper()] = value.strip().upper()
    freq = parts.pop("FREQ", "")
    if freq not in FREQUENCIES:
        raise RuleError(f"rule {text!r}: FREQ must be one of {', '.join(FREQUENCIES)}")
    rule = Rule(freq, interval=_number(text, parts, "INTERVAL", 1), count=_number(text, parts, "COUNT", 0))
    until = parts.pop("UNTIL", "")
    if until:
        moment = parse_moment(until)
        if "T" not in until:
            moment = moment.replace(hour=23, minute=59, second=59)
        rule = replace(rule, until=moment, utc=until.endswith("Z"))
    by_day = parts.pop("BYDAY", "")
    if by_day:
        rule = _with_days(text, rule, by_day)
    if freq == "MONTHLY" and "BYMONTHDAY" in parts:
        day = _number(text, parts, "BYMONTHDAY", 0)
        if day > 31:
            raise RuleError(f"rule {text!r}: BYMONTHDAY must be from 1 to 31")
        rule = replace(rule, by_month_day=day)
    unknown = sorted(set(parts) - set(_IGNORED))
    if unknown:
        raise RuleError(f"rule {text!r}: {', '.join(unknown)} is not understood in a {freq} rule")
    return rule


def _number(text: str, parts: dict[str, str], name: str, default: int) -> int:
    value = parts.pop(name, "")
    if not value:
        return default
    if not value.isdecimal() or not 1 <= int(value) <= 9999:
        raise RuleError(f"rule {text!r}: {name} must be a whole number from 1 to 9999")
    return int(value)


def _with_days(text: str, rule: Rule, value: str) -> Rule:
    names = value.split(",")
    if rule.freq in ("WEEKLY", "DAILY") and all(name in DAYS for name in names):
        return replace(rule, by_day=tuple(sorted({DAYS.index(name) for name in names})))
    which, name = value[:-2], value[-2:]
    if rule.freq == "MONTHLY" and name in DAYS and which in ("1", "2", "3", "4", "5", "-1", "+1", "+2", "+3", "+4"):
        return replace(rule, by_day=(DAYS.index(name),), nth=int(which))
    raise RuleError(f"rule {text!r}: BYDAY={value} is not understood in a {rule.freq} rule")


def write_rule(rule: Rule) -> str:
    """A rule as text; `parse_rule` reads the same rule from it."""
    parts = [f"FREQ={rule.freq}"]
    if rule.interval > 1:
        parts.append(f"INTERVAL={rule.interval}")
    if rule.count:
        parts.append(f"COUNT={rule.count}")
    if rule.until is not None:
        parts.append(f"UNTIL={write_moment(rule.until)}{'Z' if rule.utc else ''}")
    if rule.by_day:
        days = ",".join(DAYS[day] for day in rule.by_day)
        parts.append(f"BYDAY={rule.nth}{days}" if rule.nth else f"BYDAY={days}")
    if rule.by_month_day:
        parts.append(f"BYMONTHDAY={rule.by_month_day}")
    return ";".join(parts)


def occurrences(rule: Rule, start: datetime, begin: datetime, end: datetime) -> list[datetime]:
    """The occurrences that begin in [begin, end), in order. The start is the first one, whatever the rule says.

    Args:
        rule: the rule; its `until` is read as local time here, whatever it was written in.
        start: when the event first begins.
        begin: from when on, naive as `start` is.
        end: until when.
    """
    found = []
    for number, moment in enumerate(_all(rule, start, begin)):
        if (rule.count and number >= rule.count) or moment >= end:
            break
        if rule.until is not None and moment > rule.until:
            break
        if moment >= begin:
            found.append(moment)
    return found


def _all(rule: Rule, start: datetime, begin: datetime) -> Iterator[datetime]:
    """All moments of a rule; without a count those long before `begin` are jumped over."""
    yield start
    skip = 0
    if not rule.count and begin > start:
        days = (begin - start).days
        periods = {"DAILY": days, "WEEKLY": days // 7, "MONTHLY": days // 31, "YEARLY": days // 366}[rule.freq]
        skip = max(periods // rule.interval - 1, 0)
    step = skip
    while True:
        moments = _period(rule, start, step * rule.interval)
        if moments is None:
            return
        for moment in moments:
            if moment > start:
                yield moment
        step += 1


def _period(rule: Rule, start: datetime, ahead: int) -> list[datetime] | None:
    """Moments in the period (day, week, month, year) that lies `ahead` of the start's; None beyond the last year."""
    if rule.freq in ("DAILY", "WEEKLY"):
        first = start + timedelta(days=ahead) if rule.freq == "DAILY" else start + timedelta(weeks=ahead)
        if first.year > LAST_YEAR:
            return None
        if rule.freq == "DAILY":
            return [first] if not rule.by_day or first.weekday() in rule.by_day else []
        monday = first - timedelta(days=first.weekday())
        return [monday + timedelta(days=day) for day in rule.by_day or (start.weekday(),)]
    months = ahead * (12 if rule.freq == "YEARLY" else 1) + start.month - 1
    year, month = start.year + months // 12, months % 12 + 1
    if year > LAST_YEAR:
        return None
    last = calendar.monthrange(year, month)[1]
    if rule.freq == "MONTHLY" and rule.nth:
        day = _nth_day(year, month, last, rule.by_day[0], rule.nth)
    else:
        day = rule.by_month_day or start.day
    return [start.replace(year=year, month=month, day=day)] if 1 <= day <= last else []


def _nth_day(year: int, month: int, last: int, weekday: int, nth: int) -> int:
    """The day of the nth such weekday of a month; 0 where it has none."""
    if nth < 0:
        return last - (calendar.weekday(year, month, last) - weekday) % 7
    day = 1 + (weekday - calendar.weekday(year, month, 1)) % 7 + (nth - 1) * 7
    return day if day <= last else 0
