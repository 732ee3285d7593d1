"""The emulator console: replies end with a line `OK` or `KO`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mobile_gym.devices.parse.common import ParseError, lines

_END = re.compile(r"^(OK|KO)(?::\s*(.*))?$")
_SNAPSHOT = re.compile(r"^\s*(?:--|\d+)\s+(\S.*?)\s+\d[\d.]*\s?(?:[KMGT]i?)?B?\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b.*$")
_TOKEN = re.compile(r"'([^'\r\n]+)'")


class ConsoleError(ParseError):
    """What came is no reply of the emulator console."""


@dataclass(frozen=True, slots=True)
class ConsoleReply:
    """A reply: whether it was `OK`, the message behind `OK:` or `KO:`, and the lines before."""

    ok: bool
    message: str
    body: tuple[str, ...]

    @property
    def text(self) -> str:
        """All that was said, for messages."""
        return "\n".join((*self.body, self.message)).strip() or ("OK" if self.ok else "KO")


def parse_reply(text: str) -> ConsoleReply | None:
    """The reply in what has come so far, or None while its end has not come."""
    body: list[str] = []
    for line in text.split("\n")[:-1]:
        line = line.rstrip("\r")
        match = _END.match(line)
        if match is not None:
            return ConsoleReply(match[1] == "OK", match[2] or "", tuple(body))
        body.append(line)
    return None


def parse_snapshots(reply: ConsoleReply) -> list[str]:
    """Names from `avd snapshot list`, sorted.

    Raises:
        ConsoleError: the console refused to list them.
    """
    if not reply.ok:
        raise ConsoleError("the console refused to list snapshots", reply.text)
    names = {match[1].strip() for line in reply.body if (match := _SNAPSHOT.match(line))}
    return sorted(names)


def token_path(greeting: str) -> str | None:
    """Where the authentication token lies, as the greeting of a console that asks for it says; None where it does
    not."""
    if "Authentication required" not in greeting:
        return None
    for line in lines(greeting):
        match = _TOKEN.search(line)
        if match is not None and ("/" in match[1] or "\\" in match[1]):
            return match[1]
    return ""
