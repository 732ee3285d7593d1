"""The device's date, as `date` prints it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from mobile_gym.devices.parse.common import ParseError

_EPOCH = re.compile(r"^\s*(\d{1,12})\s+([+-])(\d\d):?(\d\d)\s*$")
_HUMAN = re.compile(
    r"^\s*\w{3}\s+(\w{3})\s+(\d{1,2})\s+(\d\d):(\d\d):(\d\d)\s+(?:(UTC|GMT)?([+-]\d\d:?\d\d)?)\s*(\d{4})\s*$"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class DateError(ParseError):
    """The answer is no date, or one whose zone has only a name that several zones share."""


def parse_date(text: str) -> datetime:
    """The device's local time with its zone, from `date '+%s %z'` or from plain `date`.

    Raises:
        DateError: the text is neither, or plain `date` names a zone other than UTC and GMT±HH:MM.
    """
    match = _EPOCH.match(text)
    if match is not None:
        zone = _zone(match[2] + match[3] + match[4], text)
        try:
            return datetime.fromtimestamp(int(match[1]), zone)
        except (OverflowError, OSError, ValueError) as error:
            raise DateError("the date is out of range", text) from error
    human = _HUMAN.match(text)
    if human is None or human[1] not in _MONTHS or not (human[6] or human[7]):
        raise DateError("expected seconds since 1970 and the zone from date '+%s %z'", text)
    zone = _zone(human[7].replace(":", ""), text) if human[7] else UTC
    try:
        return datetime(
            int(human[8]),
            _MONTHS.index(human[1]) + 1,
            int(human[2]),
            int(human[3]),
            int(human[4]),
            int(human[5]),
            tzinfo=zone,
        )
    except ValueError as error:
        raise DateError("the date does not exist", text) from error


def _zone(offset: str, text: str) -> timezone:
    hours, minutes = int(offset[1:3]), int(offset[3:5])
    if hours > 23 or minutes > 59:
        raise DateError("the zone does not exist", text)
    delta = timedelta(hours=hours, minutes=minutes)
    return timezone(-delta if offset[0] == "-" else delta)
