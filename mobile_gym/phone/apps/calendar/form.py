"""What the event form holds: plain values in the screen's state, read from an event and made into a draft."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from mobile_gym.phone.apps.calendar import editing, store
from mobile_gym.phone.apps.calendar.editing import Draft
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import Handler

FIELDS = ("title", "location", "description")
_NAMES = {"begin": "beginTime", "end": "endTime", "all_day": "allDay", "location": "eventLocation"}
"""What the arguments are called where they come from another app's intent."""


def argument(ctx: Context, name: str) -> Any:
    """An argument of the form, by its own name or by that of Android's extras."""
    found = ctx.args.get(name)
    return ctx.args.get(_NAMES.get(name, "")) if found is None else found


def _moment(value: Any) -> int | None:
    text = str(value)
    return int(text) if text.isdigit() and len(text) < 14 else None


def fill_new(ctx: Context) -> None:
    """A new event: from the arguments where they say something, else the next full hour."""
    zone = store.zone_of(ctx.phone.state.clock.zone)
    begin = _moment(argument(ctx, "begin"))
    if begin is None:
        hour = ctx.now.replace(minute=0, second=0, microsecond=0, tzinfo=None) + timedelta(hours=1)
        begin = store.to_ms(hour, zone)
    end = _moment(argument(ctx, "end"))
    if end is None:
        end = begin + int(store.pref(ctx.phone, "duration", "60")) * store.MINUTE_MS
    all_day = str(argument(ctx, "all_day")).lower() in ("1", "true")
    before = store.default_reminder(ctx.phone)
    guests = [["", mail.strip()] for mail in str(ctx.args.get("guests") or "").split(",") if mail.strip()]
    ctx.ui.update(
        begin=store.local(begin, zone).isoformat(timespec="minutes"),
        end=store.local(end, zone).isoformat(timespec="minutes"),
        all_day=all_day,
        rrule=str(ctx.args.get("rrule") or ""),
        calendar=store.default_calendar(ctx.phone),
        color=None,
        availability=0,
        reminders=[] if before is None or all_day else [before],
        guests=guests,
    )
    for name in FIELDS:
        ctx.set_field(name, str(argument(ctx, name) or ""))


def fill_from(ctx: Context, key: int, copy: bool) -> None:
    """An event that is there; of a series the occurrence that the arguments name."""
    event = store.event(ctx.phone, key)
    if event is None:
        fill_new(ctx)
        ctx.args["id"] = None
        return
    start = _moment(ctx.args.get("occurrence"))
    if start is None or not event["rrule"]:
        start = int(event["dtstart"])
    one = store.instance_at(ctx.phone, event, start)
    ctx.args["occurrence"] = start
    zone = store.zone_of("UTC") if one.all_day else store.zone_of(ctx.phone.state.clock.zone)
    begin = store.local(one.begin, zone)
    end = store.local(one.end, zone)
    if one.all_day:
        # The form counts whole days to the last one, and has hours ready should the event get some.
        begin = begin.replace(hour=9)
        end = end.replace(hour=10) - timedelta(days=1)
    ctx.ui.update(
        begin=begin.isoformat(timespec="minutes"),
        end=max(begin, end).isoformat(timespec="minutes"),
        all_day=one.all_day,
        rrule="" if copy else event["rrule"] or "",
        calendar=int(event["calendar_id"]),
        color=event["eventColor"],
        availability=int(event["availability"]),
        reminders=store.reminders(ctx.phone, key),
        guests=[list(guest) for guest in editing.guests_of(ctx.phone, key)],
    )
    for name, column in (("title", "title"), ("location", "eventLocation"), ("description", "description")):
        ctx.set_field(name, event[column] or "")


def moments(ctx: Context) -> tuple[datetime, datetime]:
    """Beginning and end in the form, local and naive."""
    return datetime.fromisoformat(str(ctx.ui["begin"])), datetime.fromisoformat(str(ctx.ui["end"]))


def set_begin(ctx: Context, begin: datetime) -> None:
    """Sets the beginning; the end goes with it."""
    old, end = moments(ctx)
    ctx.ui["begin"] = begin.isoformat(timespec="minutes")
    if end >= old:
        ctx.ui["end"] = (end + (begin - old)).isoformat(timespec="minutes")
    ctx.ui["error"] = ""


def set_end(ctx: Context, end: datetime) -> None:
    """Sets the end; one before the beginning is refused when it is saved, and said at once."""
    ctx.ui["end"] = end.isoformat(timespec="minutes")
    ctx.ui["error"] = "end_before_start" if is_reversed(ctx) else ""


def is_reversed(ctx: Context) -> bool:
    """Whether the end lies before the beginning."""
    begin, end = moments(ctx)
    return end.date() < begin.date() if ctx.ui["all_day"] else end < begin


def first_day(ctx: Context) -> date:
    """The day on which the event begins."""
    return moments(ctx)[0].date()


def draft(ctx: Context) -> Draft:
    """The event as the form has it now."""
    begin, end = moments(ctx)
    if ctx.ui["all_day"]:
        start, stop = store.utc_day(begin.date()), store.utc_day(end.date()) + store.DAY_MS
    else:
        zone = store.zone_of(ctx.phone.state.clock.zone)
        start, stop = store.to_ms(begin, zone), store.to_ms(end, zone)
    return Draft(
        title=ctx.field("title").strip(),
        begin=start,
        end=stop,
        all_day=bool(ctx.ui["all_day"]),
        rrule=str(ctx.ui["rrule"]),
        location=ctx.field("location").strip(),
        description=ctx.field("description").strip(),
        calendar_id=int(ctx.ui["calendar"]),
        color=ctx.ui["color"],
        availability=int(ctx.ui["availability"]),
        reminders=tuple(dict.fromkeys(int(minutes) for minutes in ctx.ui["reminders"])),
        guests=tuple((str(name), str(mail)) for name, mail in ctx.ui["guests"]),
    )


def asking(ctx: Context, name: str, **args: Any) -> Handler:
    """A handler that opens a dialog over a form; the field that had the focus loses it, and the keyboard goes."""

    def handle() -> None:
        ctx.focus(None)
        ctx.open_overlay(name, **args)

    return handle
