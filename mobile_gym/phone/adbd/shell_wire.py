"""The shell service's own little protocols: how a request is named, and the packets of version 2. Pure functions."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

_PACKET = struct.Struct("<BI")
PACKET_HEADER_SIZE = _PACKET.size
MAX_PACKET = 1 << 20


class Kind(IntEnum):
    """What a packet of version 2 carries."""

    STDIN = 0
    STDOUT = 1
    STDERR = 2
    EXIT = 3
    CLOSE_STDIN = 4
    WINDOW_SIZE = 5


@dataclass(frozen=True, slots=True)
class ShellRequest:
    """What a client asks the shell service for.

    Attributes:
        line: the command line; empty for an interactive shell.
        packets: whether the stream speaks version 2, with exit status and standard error apart.
        terminal: whether the shell sits behind a terminal: it prompts, echoes and turns newlines into CR LF.
    """

    line: str
    packets: bool
    terminal: bool


def parse_request(name: str) -> ShellRequest | None:
    """Reads `shell[,ARG…]:LINE` or `exec:LINE`; None for another service."""
    head, colon, line = name.partition(":")
    service, *args = head.split(",")
    if not colon or service not in ("shell", "exec") or (service == "exec" and args):
        return None
    terminal = service == "shell" and not line
    for arg in args:
        if arg in ("pty", "raw"):
            terminal = arg == "pty"
    return ShellRequest(line, "v2" in args, terminal)


def packet(kind: Kind, data: bytes = b"") -> bytes:
    """One packet of version 2."""
    return _PACKET.pack(kind, len(data)) + data


def packets(kind: Kind, data: bytes, largest: int = MAX_PACKET // 4) -> bytes:
    """Data of any size as packets; nothing for no data, since clients may skip what follows an empty packet."""
    return b"".join(packet(kind, data[start : start + largest]) for start in range(0, len(data), largest))


def read_header(data: bytes) -> tuple[int, int]:
    """Kind and length of a packet, from its 5 bytes of header."""
    kind, length = _PACKET.unpack(data)
    return kind, length
