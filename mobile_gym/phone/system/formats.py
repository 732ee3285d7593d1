"""Times and dates as the phone shows them, by language and 12 or 24 hours."""

from __future__ import annotations

from datetime import datetime

from mobile_gym.phone.system.app import SHARED_STRINGS, translate


def clock_text(hour: int, minute: int, use_24: bool) -> str:
    """`8:05` or `20:05`, without the half of the day."""
    if use_24:
        return f"{hour}:{minute:02d}" if hour >= 10 else f"{hour:02d}:{minute:02d}"
    return f"{(hour + 11) % 12 + 1}:{minute:02d}"


def half_of_day(hour: int, language: str) -> str:
    """AM or PM in the language's words."""
    return shared("am" if hour < 12 else "pm", language)


def time_text(hour: int, minute: int, use_24: bool, language: str) -> str:
    """A time with its half of the day where 12 hours are shown: `8:05 PM`, `20:05`; Chinese puts the half first."""
    text = clock_text(hour, minute, use_24)
    if use_24:
        return text
    half = half_of_day(hour, language)
    return f"{half}{text}" if language == "zh" else f"{text} {half}"


def shared(key: str, language: str, **values: object) -> str:
    """A text that all apps share."""
    return translate(SHARED_STRINGS, key, language, values)


def weekday(moment: datetime, language: str, short: bool = False) -> str:
    """Name of the weekday."""
    return shared(f"weekday_short_{moment.weekday()}" if short else f"weekday_{moment.weekday()}", language)


def month_day(moment: datetime, language: str, year: bool = False) -> str:
    """Month and day, with the year if asked for."""
    key = "date_full" if year else "date_month_day"
    name = shared(f"month_{moment.month}", language)
    return shared(key, language, month=moment.month, month_name=name, day=moment.day, year=moment.year)


def age_text(moment: datetime, now: datetime, use_24: bool, language: str) -> str:
    """A list's time column: the time today, yesterday, the weekday within a week, else the date."""
    days = (now.date() - moment.date()).days
    if days <= 0:
        return clock_text(moment.hour, moment.minute, use_24)
    if days == 1:
        return shared("yesterday", language)
    if days < 7:
        return weekday(moment, language, short=True)
    return month_day(moment, language, year=moment.year != now.year)
