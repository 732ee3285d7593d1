"""Streams: many two-way byte pipes over one connection."""

from __future__ import annotations

import asyncio
from typing import Protocol

from mobile_gym.phone.adbd.packets import Command, Packet

# What a stream takes in before it lets the sender wait; the sender has at most one packet under way beyond it.
_READ_AHEAD = 1 << 20


class StreamClosed(ConnectionError):
    """The other side closed the stream, or the connection is gone."""


class Link(Protocol):
    """What a stream needs of its connection."""

    @property
    def max_payload(self) -> int:
        """The largest payload that both sides take."""

    def post(self, packet: Packet) -> None:
        """Queues a packet without waiting; for small ones."""

    async def send(self, packet: Packet) -> None:
        """Sends a packet, and waits while the socket is full."""

    def forget(self, stream: Stream) -> None:
        """Drops a stream that is closed."""


class Stream:
    """One stream. At most one WRTE is under way in each direction: the next one waits for OKAY.

    Args:
        link: the connection.
        local_id: this side's id, not 0.
        remote_id: the other side's id; 0 for a stream that this side opens, until it is accepted.
    """

    def __init__(self, link: Link, local_id: int, remote_id: int) -> None:
        self.local_id = local_id
        self.remote_id = remote_id
        self._link = link
        self._incoming = bytearray()
        self._arrived = asyncio.Event()
        self._acknowledged = asyncio.Event()
        self._ended = asyncio.Event()
        self._writing = asyncio.Lock()
        self._owes_okay = False

    @property
    def ended(self) -> bool:
        """Whether the other side closed the stream or the connection is gone; bytes may still be left to read."""
        return self._ended.is_set()

    async def write(self, data: bytes | memoryview) -> None:
        """Sends all of the data, in pieces that the other side takes.

        Raises:
            StreamClosed: the other side closed the stream first.
        """
        view = memoryview(data)
        async with self._writing:
            for start in range(0, len(view), self._link.max_payload):
                if self.ended:
                    raise StreamClosed(f"stream {self.local_id} is closed")
                self._acknowledged.clear()
                piece = bytes(view[start : start + self._link.max_payload])
                await self._link.send(Packet(Command.WRTE, self.local_id, self.remote_id, piece))
                await self._acknowledged.wait()
            if self.ended:
                raise StreamClosed(f"stream {self.local_id} is closed")

    async def read_exactly(self, count: int) -> bytes:
        """Waits for `count` bytes.

        Raises:
            StreamClosed: the stream ended before.
        """
        while len(self._incoming) < count:
            if self.ended:
                raise StreamClosed(f"stream {self.local_id} ended before {count} bytes came")
            await self._wait_for_bytes()
        data = bytes(memoryview(self._incoming)[:count])
        del self._incoming[:count]
        self._settle_okay()
        return data

    async def read_some(self) -> bytes:
        """Waits for bytes and returns all that came; empty at the end of the stream."""
        while not self._incoming:
            if self.ended:
                return b""
            await self._wait_for_bytes()
        data = bytes(self._incoming)
        self._incoming.clear()
        self._settle_okay()
        return data

    async def wait_ended(self) -> None:
        """Waits until the other side closes the stream or the connection goes."""
        await self._ended.wait()

    async def wait_accepted(self) -> None:
        """Waits until the other side takes a stream that this side opened.

        Raises:
            StreamClosed: it refused.
        """
        await self._acknowledged.wait()
        if self.ended:
            raise StreamClosed(f"stream {self.local_id} was refused")

    def close(self) -> None:
        """Closes this side and tells the other; once is enough, more does nothing."""
        self._link.forget(self)
        if not self.ended:
            self._end()
            self._link.post(Packet(Command.CLSE, self.local_id, self.remote_id))

    def on_okay(self, remote_id: int) -> None:
        """The other side took the last packet, or accepted the stream."""
        if self.remote_id == 0:
            self.remote_id = remote_id
        self._acknowledged.set()

    def on_write(self, payload: bytes) -> None:
        """Bytes came."""
        self._incoming += payload
        self._owes_okay = True
        self._settle_okay()
        self._arrived.set()

    def on_close(self) -> None:
        """The other side closed the stream, or the connection is gone."""
        self._end()

    def _end(self) -> None:
        self._ended.set()
        self._arrived.set()
        self._acknowledged.set()

    async def _wait_for_bytes(self) -> None:
        # A reader that wants more than the read-ahead holds must not be kept waiting by it.
        if self._owes_okay:
            self._send_okay()
        self._arrived.clear()
        if not self.ended:
            await self._arrived.wait()

    def _settle_okay(self) -> None:
        if self._owes_okay and len(self._incoming) <= _READ_AHEAD:
            self._send_okay()

    def _send_okay(self) -> None:
        self._owes_okay = False
        if not self.ended:
            self._link.post(Packet(Command.OKAY, self.local_id, self.remote_id))
