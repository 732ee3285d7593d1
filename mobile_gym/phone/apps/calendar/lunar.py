"""The Chinese calendar: what stands under a day's number."""

from __future__ import annotations

from functools import lru_cache

from lunar_python import Solar

_SHORT = 4
"""A festival's name is shown where it is no longer than this."""


@lru_cache(maxsize=4096)
def lunar_day(year: int, month: int, day: int) -> tuple[str, str, str]:
    """Month, day, and festival or solar term (empty for none) of a date, in Chinese."""
    solar = Solar.fromYmd(year, month, day)
    lunar = solar.getLunar()
    names = [*lunar.getFestivals(), lunar.getJieQi(), *solar.getFestivals()]
    named = next((str(name) for name in names if name and len(name) <= _SHORT), "")
    return str(lunar.getMonthInChinese()), str(lunar.getDayInChinese()), named


@lru_cache(maxsize=4096)
def lunar_number(year: int, month: int, day: int) -> int:
    """The day of the lunar month, 1 to 30."""
    return int(Solar.fromYmd(year, month, day).getLunar().getDay())
