"""`date`, `uptime`, and every way of writing a moment that they and `touch` understand."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from mobile_gym.phone.shell.commands.call import Call, Command, options
from mobile_gym.phone.state.clock import VirtualClock

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
# Moments of the years 2 to 9998, seconds since the epoch: what a date can be in any time zone.
_FIRST, _LAST = -62_104_060_800, 253_370_764_800
_PLAIN_FORMS = (
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d",
    "%H:%M:%S",
    "%H:%M",
    "%a %b %d %H:%M:%S UTC %Y",
    "%a %b %d %H:%M:%S %Y",
)


def parse_date(text: str, clock: VirtualClock, *, utc: bool = False, touch: bool = False) -> int | None:
    """Milliseconds since the epoch of a moment; None where the text is not one.

    Knows `@EPOCH`, `MMDDhhmm[[CC]YY][.ss]` (`[[CC]YY]MMDDhhmm[.ss]` for `touch -t`), and ISO forms with a blank or a T.

    Args:
        text: the moment.
        clock: the phone's clock: its zone counts, and what the text leaves out is taken from it.
        utc: whether the text is in UTC.
        touch: whether the year comes first.
    """
    found = re.fullmatch(r"@(-?\d{1,12})(\.\d+)?", text)
    if found:
        seconds = float(text[1:])
        return round(seconds * 1000) if _FIRST < seconds < _LAST else None
    zone = UTC if utc else clock.tz
    now = clock.now() if not utc else clock.now().astimezone(UTC)
    try:
        moment = _digits(text, now, touch) or _words(text, now)
    except (ValueError, OverflowError):
        return None
    if moment is None or not 1 < moment.year < 9999:
        return None
    if text.endswith("Z") or " UTC " in text:
        zone = UTC
    return round(moment.replace(tzinfo=moment.tzinfo or zone).timestamp() * 1000)


def _digits(text: str, now: datetime, touch: bool) -> datetime | None:
    found = re.fullmatch(r"(\d{8}|\d{10}|\d{12})(?:\.(\d\d))?", text)
    if found is None:
        return None
    digits = found[1]
    if touch:
        year, rest = digits[:-8], digits[-8:]
    else:
        year, rest = digits[8:], digits[:8]
    number = now.year if not year else int(year)
    if len(year) == 2:
        number += 2000 if number < 69 else 1900
    month, day, hour, minute = (int(rest[start : start + 2]) for start in (0, 2, 4, 6))
    return now.replace(number, month, day, hour, minute, int(found[2] or 0), 0, tzinfo=None)


def _words(text: str, now: datetime) -> datetime | None:
    text = re.sub(r"\s+", " ", text.strip())
    fraction = re.fullmatch(r"(.*:\d\d)\.(\d+)(.*)", text)
    if fraction:
        text = fraction[1] + fraction[3]
    offset = re.fullmatch(r"(.*\d) ?([-+]\d\d):?(\d\d)", text)
    if offset:
        moment = _words(offset[1], now)
        if moment is None:
            return None
        sign = -1 if offset[2].startswith("-") else 1
        shift = timedelta(hours=int(offset[2]), minutes=sign * int(offset[3]))
        return (moment - shift).replace(tzinfo=UTC)
    text = text.removesuffix("Z")
    for form in _PLAIN_FORMS:
        try:
            moment = datetime.strptime(text, form)  # noqa: DTZ007 - the zone is the phone's, added by the caller
        except ValueError:
            continue
        if form.startswith("%H"):
            return moment.replace(year=now.year, month=now.month, day=now.day)
        return moment
    return None


def format_date(form: str, moment: datetime) -> str:
    """A moment by strftime's letters, in English whatever the host's language."""
    hour12 = moment.hour % 12 or 12
    millis = round(moment.timestamp() * 1000)
    zone = moment.tzname() or "UTC"
    table = {
        "%": "%",
        "A": _DAY_NAMES[moment.weekday()],
        "B": _MONTH_NAMES[moment.month - 1],
        "C": f"{moment.year // 100:02d}",
        "H": f"{moment.hour:02d}",
        "I": f"{hour12:02d}",
        "M": f"{moment.minute:02d}",
        "N": f"{millis % 1000:03d}000000",
        "S": f"{moment.second:02d}",
        "Y": f"{moment.year:04d}",
        "Z": zone,
        "a": _DAYS[moment.weekday()],
        "b": _MONTHS[moment.month - 1],
        "d": f"{moment.day:02d}",
        "e": f"{moment.day:2d}",
        "h": _MONTHS[moment.month - 1],
        "j": f"{moment.timetuple().tm_yday:03d}",
        "k": f"{moment.hour:2d}",
        "l": f"{hour12:2d}",
        "m": f"{moment.month:02d}",
        "n": "\n",
        "p": "AM" if moment.hour < 12 else "PM",
        "s": str(millis // 1000),
        "t": "\t",
        "u": str(moment.isoweekday()),
        "w": str(moment.isoweekday() % 7),
        "y": f"{moment.year % 100:02d}",
        "z": moment.strftime("%z"),
    }
    whole = {
        "D": "%m/%d/%y",
        "F": "%Y-%m-%d",
        "R": "%H:%M",
        "T": "%H:%M:%S",
        "X": "%H:%M:%S",
        "c": "%a %b %e %H:%M:%S %Y",
        "r": "%I:%M:%S %p",
        "x": "%m/%d/%y",
    }
    form = re.sub(r"%([DFRTXcrx])", lambda found: whole[found[1]], form)

    def field(found: re.Match[str]) -> str:
        text = table.get(found[3])
        if text is None:
            return found[0]
        if found[3] == "N" and found[2]:
            text = text[: int(found[2])]
        return (text.lstrip("0 ") or "0") if found[1] == "-" else text

    return re.sub(r"%([-_]?)(\d?)(.)", field, form)


def date(call: Call) -> int:
    """Prints the time, or sets it."""
    parsed = options(call, "uI", "dDrs", {"date": "d", "set": "s", "utc": "u"})
    clock = call.phone.state.clock
    utc = "u" in parsed
    moment_ms = clock.now_ms
    form: str | None = None
    setting: str | None = parsed.values.get("s")
    for operand in parsed.operands:
        if operand.startswith("+"):
            form = operand[1:]
        else:
            setting = operand if setting is None else f"{setting} {operand}"
    if "d" in parsed:
        found = parse_date(parsed.values["d"], clock, utc=utc)
        if found is None:
            call.fail(f"bad date {parsed.values['d']}")
        moment_ms = found
    elif "r" in parsed:
        moment_ms = call.files.entry(call.path(parsed.values["r"])).mtime_ms
    elif setting is not None:
        found = parse_date(setting, clock, utc=utc)
        if found is None:
            call.fail(f"bad date {setting}")
        if not call.state.root:
            call.fail("cannot set date: Operation not permitted")
        call.phone.set_time(found)
        moment_ms = found
    moment = datetime.fromtimestamp(moment_ms / 1000, UTC) if utc else clock.at(moment_ms)
    call.line(format_date("%a %b %e %H:%M:%S %Z %Y" if form is None else form, moment))
    return 0


def uptime(call: Call) -> int:
    """How long the phone has been up."""
    parsed = options(call, "ps")
    clock = call.phone.state.clock
    if "s" in parsed:
        call.line(clock.at(clock.boot_ms).strftime("%Y-%m-%d %H:%M:%S"))
        return 0
    minutes = clock.uptime_ms // 60_000
    days, minutes = divmod(minutes, 1440)
    hours, minutes = divmod(minutes, 60)
    up = f"{hours:2d}:{minutes:02d}" if hours else f"{minutes} min"
    up = f"{days} day{'s' if days > 1 else ''}, {up}" if days else up
    call.line(f" {clock.now().strftime('%H:%M:%S')} up {up},  0 users,  load average: 0.00, 0.00, 0.00")
    return 0


COMMANDS: dict[str, Command] = {"date": date, "uptime": uptime}
