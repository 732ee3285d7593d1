"""Standard input and output of a shell service, over a plain stream or over packets of version 2."""

from __future__ import annotations

import asyncio
from typing import Protocol

from mobile_gym.phone.adbd import shell_wire as wire
from mobile_gym.phone.adbd.shell_port import ShellOutput
from mobile_gym.phone.adbd.shell_wire import Kind
from mobile_gym.phone.adbd.streams import Stream, StreamClosed


class ShellStreams(Protocol):
    """Standard input and output of one shell."""

    async def read(self) -> bytes:
        """Waits for input; empty at its end."""

    async def write(self, data: bytes) -> None:
        """Writes to standard output."""

    async def write_output(self, output: ShellOutput) -> None:
        """Writes what a line gave to standard output and standard error."""

    async def exit(self, code: int) -> None:
        """Tells the exit status, where the protocol has a word for it."""


class PlainStreams:
    """The stream is standard input and output; standard error is merged in, and nobody hears of the exit status."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    async def read(self) -> bytes:
        return await self._stream.read_some()

    async def write(self, data: bytes) -> None:
        await self._stream.write(data)

    async def write_output(self, output: ShellOutput) -> None:
        await self._stream.write(output.merged)

    async def exit(self, code: int) -> None:
        return None


class PacketStreams:
    """Version 2: packets for input, output, errors and the exit status.

    Attributes:
        window: rows and columns that the client's terminal told, or None.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._closed = False
        self.window: tuple[int, int] | None = None

    async def read(self) -> bytes:
        while not self._closed:
            try:
                kind, length = wire.read_header(await self._stream.read_exactly(wire.PACKET_HEADER_SIZE))
                data = await self._stream.read_exactly(length) if length else b""
            except StreamClosed:
                break
            if kind == Kind.STDIN and data:
                return data
            if kind == Kind.CLOSE_STDIN:
                self._closed = True
            elif kind == Kind.WINDOW_SIZE:
                self.window = _window(data) or self.window
        return b""

    async def write(self, data: bytes) -> None:
        await self._stream.write(wire.packets(Kind.STDOUT, data))

    async def write_output(self, output: ShellOutput) -> None:
        both = wire.packets(Kind.STDOUT, output.stdout) + wire.packets(Kind.STDERR, output.stderr)
        await self._stream.write(both)

    async def exit(self, code: int) -> None:
        await self._stream.write(wire.packet(Kind.EXIT, bytes([code & 0xFF])))


def _window(data: bytes) -> tuple[int, int] | None:
    rows, _, columns = data.rstrip(b"\0").partition(b",")[0].partition(b"x")
    return (int(rows), int(columns)) if rows.isdigit() and columns.isdigit() else None


async def read_to_end(streams: ShellStreams) -> bytes:
    """All input until its end."""
    parts = []
    while part := await streams.read():
        parts.append(part)
    return b"".join(parts)


async def first_done(*tasks: asyncio.Task[None]) -> None:
    """Waits for the first of several tasks and cancels the others; raises what the first raised."""
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
