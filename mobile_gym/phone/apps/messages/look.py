"""How people, times and bubbles look; shared by the app's screens."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise, shown
from mobile_gym.phone.apps.contacts_provider.people import Person
from mobile_gym.phone.system import formats
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Avatar

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

_COLORS = ("#39608F", "#8B5000", "#7B294A", "#2B6A46", "#7E5EA8", "#0B7A73", "#8A3B2A", "#545F70")
_UNKNOWN = "#545F70"


def face(person: Person | None, size: float, **attributes: Any) -> Node:
    """A person's disc; an unknown number has a grey one."""
    if person is None:
        return Avatar("", size, _UNKNOWN, icon="account", **attributes)
    kind, _, rest = person.photo.partition("/")
    what, _, color = rest.partition("/")
    if kind == "icon":
        return Avatar("", size, color, icon=what, **attributes)
    if kind == "letter":
        return Avatar(what, size, color, **attributes)
    color = _COLORS[sum(map(ord, person.name)) % len(_COLORS)]
    letter = person.name[:1].upper()
    return Avatar(letter, size, color, **attributes)


def title(person: Person | None, address: str, language: str) -> str:
    """What a thread is called: the contact's name, else the number."""
    return shown(address, language) if person is None else person.name


def find_person(people: dict[str, Person], address: str) -> Person | None:
    """The owner of a number."""
    return people.get(normalise(address))


def at(ctx: Context, ms: int) -> datetime:
    """Local time of a moment."""
    return ctx.phone.state.clock.at(ms)


def age(ctx: Context, ms: int) -> str:
    """The time column of a list."""
    return formats.age_text(at(ctx, ms), ctx.now, ctx.phone.use_24_hours, ctx.language)


def clock(ctx: Context, ms: int) -> str:
    """The time of day."""
    moment = at(ctx, ms)
    return formats.time_text(moment.hour, moment.minute, ctx.phone.use_24_hours, ctx.language)


def day(ctx: Context, ms: int) -> str:
    """The day: today, yesterday, the weekday within a week, else the date."""
    moment, now = at(ctx, ms), ctx.now
    days = (now.date() - moment.date()).days
    if days == 0:
        return ctx.tr("today")
    if days == 1:
        return ctx.tr("yesterday")
    if days == -1:
        return ctx.tr("tomorrow")
    if 0 < days < 7:
        return formats.weekday(moment, ctx.language)
    return formats.month_day(moment, ctx.language, year=moment.year != now.year)


def stamp(ctx: Context, ms: int) -> str:
    """Day and time, as the line between messages has it."""
    return f"{day(ctx, ms)} {clock(ctx, ms)}"


def full_time(ctx: Context, ms: int) -> str:
    """Date, weekday and time, for the details of a message."""
    moment = at(ctx, ms)
    date = formats.month_day(moment, ctx.language, year=True)
    return f"{date} {formats.weekday(moment, ctx.language)} {clock(ctx, ms)}"
