"""Where commands read from and write to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol


def encode(text: str) -> bytes:
    """Text as UTF-8; bytes that were no UTF-8 when they came in go out as they were."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def decode(data: bytes) -> str:
    """UTF-8 as text; other bytes are kept as surrogates for `encode`."""
    return data.decode("utf-8", "surrogateescape")


class Sink(Protocol):
    """Something that takes bytes."""

    def write(self, data: bytes) -> None:
        """Takes bytes."""


class Recorder:
    """Keeps what was written to each descriptor, in order."""

    def __init__(self) -> None:
        self.chunks: list[tuple[int, bytes]] = []

    def sink(self, fd: int) -> Sink:
        """The sink for a descriptor."""
        return _RecorderSink(self.chunks, fd)

    def joined(self, fd: int | None = None) -> bytes:
        """What was written to a descriptor, or to all in the order of writing."""
        return b"".join(data for number, data in self.chunks if fd is None or number == fd)


@dataclass(slots=True)
class _RecorderSink:
    chunks: list[tuple[int, bytes]]
    fd: int

    def write(self, data: bytes) -> None:
        if data:
            self.chunks.append((self.fd, data))


@dataclass(slots=True)
class Buffer:
    """A pipe: what one command writes and the next reads."""

    chunks: list[bytes] = field(default_factory=list)

    def write(self, data: bytes) -> None:
        """Takes bytes."""
        self.chunks.append(data)

    def joined(self) -> bytes:
        """All of it."""
        return b"".join(self.chunks)


class Null:
    """`/dev/null`."""

    def write(self, data: bytes) -> None:
        """Drops bytes."""


@dataclass(slots=True)
class FileSink:
    """Writes to a file when it is closed."""

    save: Callable[[bytes], None]
    chunks: list[bytes] = field(default_factory=list)

    def write(self, data: bytes) -> None:
        """Takes bytes."""
        self.chunks.append(data)

    def flush(self) -> None:
        """Saves what was taken since the last flush."""
        if self.chunks:
            self.save(b"".join(self.chunks))
            self.chunks.clear()


@dataclass(slots=True)
class Input:
    """Standard input: bytes, and how far they were read."""

    data: bytes = b""
    pos: int = 0

    def read(self) -> bytes:
        """The rest."""
        found = self.data[self.pos :]
        self.pos = len(self.data)
        return found

    def line(self) -> bytes | None:
        """The next line with its newline; None at the end."""
        if self.pos >= len(self.data):
            return None
        end = self.data.find(b"\n", self.pos)
        end = len(self.data) if end < 0 else end + 1
        found = self.data[self.pos : end]
        self.pos = end
        return found


@dataclass(slots=True)
class Io:
    """Standard input and the open descriptors for output."""

    stdin: Input
    sinks: dict[int, Sink]

    def copy(self) -> Io:
        """A copy that can be redirected on its own; the input is shared."""
        return replace(self, sinks=dict(self.sinks))

    def with_output(self, sink: Sink) -> Io:
        """A copy whose standard output goes elsewhere."""
        return Io(self.stdin, {**self.sinks, 1: sink})

    def out(self, data: bytes) -> None:
        """Writes to standard output, if it is open."""
        if 1 in self.sinks:
            self.sinks[1].write(data)

    def err(self, data: bytes) -> None:
        """Writes to standard error, if it is open."""
        if 2 in self.sinks:
            self.sinks[2].write(data)
