"""Words of the calendar: days, times, reminders, rules, colours."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from mobile_gym.phone.apps.calendar import store
from mobile_gym.phone.apps.calendar.lunar import lunar_day, lunar_number
from mobile_gym.phone.apps.calendar.rrule import Rule, RuleError, parse_rule
from mobile_gym.phone.apps.calendar.store import Instance
from mobile_gym.phone.system import formats
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import shared
from mobile_gym.phone.ui.widgets.fitting import size_to_fit

COLORS = ("#3A60C4", "#2B7A4B", "#B3402A", "#8B5000", "#7A4BA3", "#0B7A73", "#A83268", "#545F70")
"""Colours that calendars and events can have."""
REMINDERS = (0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10080)
ALL_DAY_REMINDERS = (-540, 420, 900, 2340, 9540)
"""On the day at 9, the day before at 17 and at 9, two days and a week before at 9."""
_UNITS = ((10080, "week"), (1440, "day"), (60, "hour"), (1, "minute"))


def to_argb(color: str) -> int:
    """A `#RRGGBB` colour as Android keeps it."""
    return int(color[1:], 16) - 0x1000000


def to_hex(color: int) -> str:
    """A kept colour as `#RRGGBB`."""
    return f"#{color & 0xFFFFFF:06X}"


def midnight(day: date) -> datetime:
    """A day as a moment, for what formats moments."""
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001 - only its date is read


def day_text(ctx: Context, day: date, short: bool = False) -> str:
    """A date with its weekday, and the year where it is another one."""
    moment = midnight(day)
    text = formats.month_day(moment, ctx.language, year=day.year != ctx.now.year)
    name = formats.weekday(moment, ctx.language, short=short)
    return f"{text} {name}" if ctx.language == "zh" else f"{name}, {text}"


def near_day_text(ctx: Context, day: date) -> str:
    """A date with its weekday; today and tomorrow by name before it."""
    days = (day - ctx.now.date()).days
    name = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days)
    text = day_text(ctx, day, short=True)
    return f"{ctx.tr(name)} · {text}" if name else text


def month_text(ctx: Context, day: date) -> str:
    """Month and year."""
    return ctx.tr("picker_month", year=day.year, month=day.month, month_name=ctx.tr(f"month_{day.month}"))


def clock(ctx: Context, moment: datetime) -> str:
    """The time of day."""
    return formats.time_text(moment.hour, moment.minute, ctx.phone.use_24_hours, ctx.language)


def hour_text(ctx: Context, hour: int) -> str:
    """An hour at the side of a day."""
    if ctx.phone.use_24_hours:
        return f"{hour:02d}:00"
    half = formats.half_of_day(hour, ctx.language)
    number = (hour + 11) % 12 + 1
    return ctx.tr("hour_label", half=half, hour=number)


def lunar_text(ctx: Context, day: date, full: bool = False) -> str:
    """What stands under a day: festival, solar term, the month on its first day, else the day; or all of it."""
    month, number, named = lunar_day(day.year, day.month, day.day)
    if full:
        text = ctx.tr("lunar_full", month=month, day=number)
        return f"{text} · {named}" if named else text
    if named:
        return named
    return ctx.tr("lunar_month", month=month) if lunar_number(day.year, day.month, day.day) == 1 else number


def span_text(ctx: Context, one: Instance) -> str:
    """The times of an occurrence on one day, for a list."""
    if one.all_day:
        return ctx.tr("all_day")
    at = ctx.phone.state.clock.at
    begin, end = at(one.begin), at(one.end)
    if one.first == one.last and one.begin != one.end:
        return f"{clock(ctx, begin)} – {clock(ctx, end)}"
    if one.begin == one.end:
        return clock(ctx, begin)
    first, last = day_text(ctx, one.first, short=True), day_text(ctx, one.last, short=True)
    return f"{first} {clock(ctx, begin)} – {last} {clock(ctx, end)}"


def when_lines(ctx: Context, one: Instance) -> list[str]:
    """Day and times of an occurrence, one or two lines."""
    if one.all_day:
        if one.first == one.last:
            return [day_text(ctx, one.first), ctx.tr("all_day")]
        return [f"{day_text(ctx, one.first)} – {day_text(ctx, one.last)}", ctx.tr("all_day")]
    if one.first == one.last:
        return [day_text(ctx, one.first), span_text(ctx, one)]
    at = ctx.phone.state.clock.at
    return [
        f"{day_text(ctx, one.first)} {clock(ctx, at(one.begin))} –",
        f"{day_text(ctx, one.last)} {clock(ctx, at(one.end))}",
    ]


def reminder_text(ctx: Context, minutes: int, all_day: bool) -> str:
    """How long before an event it reminds; of whole days, which day and when."""
    if all_day:
        days = -(-minutes // 1440) if minutes > 0 else 0
        left = days * 1440 - minutes
        time = formats.time_text(left // 60, left % 60, ctx.phone.use_24_hours, ctx.language)
        if days == 0:
            return ctx.tr("reminder_same_day", time=time)
        if days == 1:
            return ctx.tr("reminder_day_before", time=time)
        return ctx.tr("reminder_days_before", days=days, time=time)
    if minutes <= 0:
        return ctx.tr("reminder_at_time")
    for size, unit in _UNITS:
        if minutes % size == 0:
            count = minutes // size
            return ctx.tr(f"reminder_{unit}" if count == 1 else f"reminder_{unit}s", n=count)
    return str(minutes)


def rule_text(ctx: Context, rrule: str, start: date) -> str:
    """What a recurrence rule means, in words."""
    if not rrule:
        return ctx.tr("repeat_none")
    try:
        rule = parse_rule(rrule)
    except RuleError:
        return rrule
    return _every(ctx, rule, start) + _limit(ctx, rule)


def _every(ctx: Context, rule: Rule, start: date) -> str:
    unit = rule.freq.lower()
    text = ctx.tr(f"every_{unit}" if rule.interval == 1 else f"every_n_{unit}", n=rule.interval)
    if rule.freq in ("WEEKLY", "DAILY"):
        if rule.by_day == (0, 1, 2, 3, 4) and rule.interval == 1:
            return ctx.tr("every_workday")
        days = rule.by_day or ((start.weekday(),) if rule.freq == "WEEKLY" else ())
        if len(days) == 7 or not days:
            return text
        separator = "\u3001" if ctx.language == "zh" else ", "
        names = separator.join(shared(f"weekday_short_{day}", ctx.language) for day in days)
        return ctx.tr("every_on", every=text, days=names)
    if rule.freq == "MONTHLY" and rule.nth:
        name = shared(f"weekday_{rule.by_day[0]}", ctx.language)
        return ctx.tr("every_on", every=text, days=ctx.tr(f"nth_{rule.nth}", day=name))
    if rule.freq == "MONTHLY":
        return ctx.tr("every_on", every=text, days=ctx.tr("month_day_number", day=rule.by_month_day or start.day))
    return ctx.tr("every_on", every=text, days=formats.month_day(midnight(start), ctx.language))


def _limit(ctx: Context, rule: Rule) -> str:
    if rule.count:
        return ctx.tr("rule_count", n=rule.count)
    if rule.until is not None:
        until = rule.until
        if rule.utc:
            until = store.local(store.to_ms(until, store.zone_of("UTC")), store.zone_of(ctx.phone.state.clock.zone))
        return ctx.tr("rule_until", date=formats.month_day(until, ctx.language, year=True))
    return ""


def lunar_size(ctx: Context, first: date, last: date, width: float) -> float:
    """The size (sp) at which the Chinese days of a page, which stand in columns of a width (dp), are not cut."""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return size_to_fit(ctx, [lunar_text(ctx, day) for day in days], "labelSmall", width, 10.0)


def week_start(day: date, first: int) -> date:
    """The first day of the week that a day lies in; `first` is the weekday that weeks begin with."""
    return day - timedelta(days=(day.weekday() - first) % 7)
