"""The adb server's list of devices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from mobile_gym.devices.parse.common import lines

# `no permissions` holds spaces, brackets and an address; the rest are one word.
STATES: Final = (
    "no permissions",
    "unauthorized",
    "authorizing",
    "connecting",
    "bootloader",
    "offline",
    "recovery",
    "sideload",
    "detached",
    "rescue",
    "device",
    "host",
    "unknown",
)
_LINE = re.compile(rf"^(?P<serial>\S.*?)[\t ]+(?P<state>{'|'.join(STATES)})(?=$|[\s(;])(?P<rest>.*)$")
_PROPERTY = re.compile(r"(?:^|\s)(usb|product|model|device|transport_id|features|devpath):(\S*)")


@dataclass(frozen=True, slots=True)
class ListedDevice:
    """One device that the server knows.

    Attributes:
        serial: its serial.
        state: one of `STATES`; `device` means usable.
        detail: what the server adds to the state, such as the reason why there are no permissions.
        properties: `product`, `model`, `device`, `transport_id`, … of the long list.
    """

    serial: str
    state: str
    detail: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        """Whether commands can be sent to it."""
        return self.state == "device"


def parse_devices(text: str) -> list[ListedDevice]:
    """Devices from `host:devices`, `host:devices-l` or the output of `adb devices [-l]`; lines of no device are left
    out (the heading, messages of the daemon)."""
    found = []
    for line in lines(text):
        line = line.strip()
        if not line or line.startswith(("*", "List of devices", "adb server")):
            continue
        match = _LINE.match(line)
        if match is None:
            continue
        rest = match["rest"]
        properties = dict(_PROPERTY.findall(rest))
        detail = _PROPERTY.sub("", rest).strip()
        found.append(ListedDevice(match["serial"], match["state"], detail, properties))
    return found
