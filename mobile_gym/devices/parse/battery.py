"""`dumpsys battery`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mobile_gym.devices.parse.common import ParseError, android_integer

_FACT = re.compile(r"^ {0,4}([A-Za-z][A-Za-z ]*?): *(\S.*?)\s*$", re.MULTILINE)


class BatteryError(ParseError):
    """The answer does not tell the battery's level."""


@dataclass(frozen=True, slots=True)
class Battery:
    """Level and state of the battery.

    Attributes:
        percent: 0 to 100.
        plugged: whether power comes from anywhere.
        status: Android's number: 2 charging, 3 discharging, 4 not charging, 5 full.
        temperature: degrees Celsius, or None.
    """

    percent: int
    plugged: bool
    status: int | None
    temperature: float | None


def parse_battery(text: str) -> Battery:
    """Reads the battery; makers add lines of their own behind Android's, so the first of a name counts.

    Raises:
        BatteryError: there is no level.
    """
    facts: dict[str, str] = {}
    for match in _FACT.finditer(text):
        facts.setdefault(match[1], match[2])
    level, scale = android_integer(facts.get("level", "")), android_integer(facts.get("scale", "100"))
    if level is None or not scale:
        raise BatteryError("expected 'level: N' from dumpsys battery", text)
    heat = android_integer(facts.get("temperature", ""))
    return Battery(
        percent=round(100 * level / scale),
        plugged=any(value == "true" for name, value in facts.items() if name.endswith("powered")),
        status=android_integer(facts.get("status", "")),
        temperature=None if heat is None else heat / 10,
    )
