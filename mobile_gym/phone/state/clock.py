"""The virtual clock: it moves only with actions and waits, never with the host's time."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo


class VirtualClock:
    """Milliseconds since the epoch, and the time zone that the phone shows.

    Args:
        now_ms: milliseconds since 1970-01-01T00:00Z.
        zone: IANA name of the time zone.
        boot_ms: when the phone was started, in the same milliseconds; what `uptime_ms` counts from.
    """

    __slots__ = ("boot_ms", "now_ms", "zone")

    def __init__(self, now_ms: int, zone: str, boot_ms: int) -> None:
        self.now_ms = now_ms
        self.zone = zone
        self.boot_ms = boot_ms

    @property
    def tz(self) -> tzinfo:
        """The time zone as a tzinfo."""
        return ZoneInfo(self.zone)

    @property
    def uptime_ms(self) -> int:
        """Milliseconds since the phone was started; setting the time does not change it."""
        return self.now_ms - self.boot_ms

    def now(self) -> datetime:
        """The phone's local time, with its zone."""
        return self.at(self.now_ms)

    def at(self, ms: int) -> datetime:
        """Local time of a moment given in milliseconds since the epoch."""
        return datetime.fromtimestamp(ms / 1000, UTC).astimezone(self.tz)

    def to_ms(self, moment: datetime) -> int:
        """Milliseconds since the epoch; a naive datetime is read in the phone's zone."""
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self.tz)
        return round(moment.timestamp() * 1000)

    def advance(self, ms: int) -> None:
        """Moves the clock forward."""
        if ms < 0:
            raise ValueError(f"the clock moves forward only, got {ms} ms; use set_time to set it")
        self.now_ms += ms

    def set_time(self, now_ms: int) -> None:
        """Sets the time of day; the uptime goes on as it was."""
        self.boot_ms += now_ms - self.now_ms
        self.now_ms = now_ms
