"""The terminal behind an interactive shell: it echoes what is typed and edits the line. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

_INTERRUPT, _END, _ERASE, _KILL, _DELETE = 0x03, 0x04, 0x08, 0x15, 0x7F
_NEWLINES = (0x0A, 0x0D)


class Signal(Enum):
    """What a typed control character asks for."""

    INTERRUPT = "interrupt"
    END = "end"


@dataclass(frozen=True, slots=True)
class Typed:
    """What came of one piece of typing.

    Attributes:
        echo: what the terminal shows.
        event: a whole line, without its newline; a signal; or None.
    """

    echo: bytes
    event: bytes | Signal | None = None


class LineEditor:
    """Takes bytes as they are typed and gives lines."""

    def __init__(self) -> None:
        self._line = bytearray()

    def feed(self, data: bytes) -> list[Typed]:
        """What the typed bytes show and mean, in order."""
        found: list[Typed] = []
        shown = bytearray()
        for byte in data:
            if byte in _NEWLINES:
                found.append(Typed(bytes(shown) + b"\r\n", bytes(self._line)))
                self._line.clear()
                shown.clear()
            elif byte == _INTERRUPT:
                found.append(Typed(bytes(shown) + b"^C\r\n", Signal.INTERRUPT))
                self._line.clear()
                shown.clear()
            elif byte == _END:
                if not self._line:
                    found.append(Typed(bytes(shown), Signal.END))
                    shown.clear()
            elif byte in (_ERASE, _DELETE):
                shown += self._erase()
            elif byte == _KILL:
                while self._line:
                    shown += self._erase()
            elif byte >= 0x20 or byte == 0x09:
                self._line.append(byte)
                shown.append(byte)
        if shown:
            found.append(Typed(bytes(shown)))
        return found

    def _erase(self) -> bytes:
        """Takes the last character off the line; what the terminal shows for it."""
        if not self._line:
            return b""
        while self._line and self._line[-1] & 0xC0 == 0x80:
            self._line.pop()
        self._line.pop()
        return b"\b \b"


def show(data: bytes) -> bytes:
    """Output as a terminal passes it on: each newline as CR LF."""
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
