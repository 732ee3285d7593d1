"""Words of the clock: repeat days, lengths, time to go."""

from __future__ import annotations

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import shared

EVERY_DAY, WORKDAYS, WEEKEND = 127, 31, 96


def repeat_text(ctx: Context, days: int) -> str:
    """The days an alarm repeats on; empty for none."""
    named = {EVERY_DAY: "every_day", WORKDAYS: "workdays", WEEKEND: "weekend"}
    if days in named:
        return ctx.tr(named[days])
    separator = "\u3001" if ctx.language == "zh" else ", "
    return separator.join(shared(f"weekday_short_{day}", ctx.language) for day in range(7) if days >> day & 1)


def left_text(ctx: Context, ms: int) -> str:
    """Days, hours and minutes to go, rounded up to whole minutes."""
    total = -(-ms // 60_000)
    parts = [("days", total // 1440), ("hours", total // 60 % 24), ("minutes", total % 60)]
    words = [ctx.tr(key, n=number) for key, number in parts if number]
    return " ".join(words) if words else ctx.tr("less_than_a_minute")


def precise_text(ms: int) -> tuple[str, str]:
    """A stopwatch's reading: minutes and seconds (with hours where there are any), and hundredths."""
    seconds, hundredths = divmod(ms // 10, 100)
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    main = f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes:02d}:{rest:02d}"
    return main, f"{hundredths:02d}"
