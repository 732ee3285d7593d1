"""Times of seed data, counted back from the phone's first day."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone


def days_ago(phone: Phone, days: int, time: str) -> int:
    """Milliseconds since the epoch of a local time (`hh:mm`) some days before today, whatever the zone did since."""
    hour, minute = (int(part) for part in time.split(":"))
    today = phone.state.clock.now().replace(hour=hour, minute=minute, second=0, microsecond=0)
    return phone.state.clock.to_ms(today - timedelta(days=days))
