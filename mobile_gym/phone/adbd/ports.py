"""The phone's own addresses (`tcp:8080`, `localabstract:name`): what `adb forward` and `adb reverse` lead to and from.

They exist inside the phone only. No socket of the host is ever opened for them by this side.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from mobile_gym.phone.adbd.connection import Connection, Service
from mobile_gym.phone.adbd.streams import Stream, StreamClosed

_FIRST_FREE_PORT = 32768
_ADDRESS = re.compile(r"tcp:\d{1,5}|localabstract:.+", re.DOTALL)


async def echo(stream: Stream) -> None:
    """A handler that sends back what it gets."""
    while data := await stream.read_some():
        await stream.write(data)


async def splice(one: Stream, other: Stream) -> None:
    """Passes bytes both ways until either side closes, then closes both."""

    async def pump(source: Stream, target: Stream) -> None:
        try:
            while data := await source.read_some():
                await target.write(data)
        except StreamClosed:
            return
        finally:
            target.close()

    await asyncio.gather(pump(one, other), pump(other, one))


class VirtualPorts:
    """Who listens where inside the phone. Use it on the server's event loop, or before the server starts."""

    def __init__(self) -> None:
        self._handlers: dict[str, Callable[[Stream], Awaitable[None]]] = {}

    def listen(self, address: str, handler: Callable[[Stream], Awaitable[None]]) -> None:
        """Has `handler` serve streams to an address.

        Raises:
            ValueError: the address is malformed or taken.
        """
        if not _ADDRESS.fullmatch(address):
            raise ValueError(f"bad address {address!r}; use tcp:PORT or localabstract:NAME")
        if address in self._handlers:
            raise ValueError(f"{address} is taken")
        self._handlers[address] = handler

    def close(self, address: str) -> None:
        """Stops listening; does nothing where nobody listens."""
        self._handlers.pop(address, None)

    def find(self, address: str) -> Service | None:
        """Who listens at an address, or None."""
        return self._handlers.get(address)

    def free_port(self) -> int:
        """The lowest port from 32768 on at which nobody listens."""
        port = _FIRST_FREE_PORT
        while f"tcp:{port}" in self._handlers:
            port += 1
        return port


@dataclass(frozen=True, slots=True)
class Reversed:
    """One `adb reverse`: what the phone sends to `local` comes out at `remote` of the host that asked for it."""

    local: str
    remote: str
    owner: Connection


class ReverseTable:
    """The reversed addresses of a phone.

    Args:
        ports: where they listen.
    """

    def __init__(self, ports: VirtualPorts) -> None:
        self._ports = ports
        self._entries: dict[str, Reversed] = {}

    def add(self, entry: Reversed, *, rebind: bool) -> None:
        """Adds an entry, in place of one with the same local address unless `rebind` is off.

        Raises:
            ValueError: the address is malformed or taken.
        """
        if entry.local in self._entries:
            if not rebind:
                raise ValueError("cannot rebind existing socket")
            self.remove(entry.local)

        async def lead_out(stream: Stream) -> None:
            await splice(stream, await entry.owner.open(entry.remote))

        self._ports.listen(entry.local, lead_out)
        self._entries[entry.local] = entry

    def remove(self, local: str) -> bool:
        """Removes an entry; tells whether there was one."""
        if self._entries.pop(local, None) is None:
            return False
        self._ports.close(local)
        return True

    def remove_all(self, owner: Connection | None = None) -> None:
        """Removes all entries, or those that one connection made."""
        for entry in tuple(self._entries.values()):
            if owner is None or entry.owner is owner:
                self.remove(entry.local)

    def entries(self) -> list[Reversed]:
        """The entries, in the order they were made."""
        return list(self._entries.values())


def _hex_text(text: str) -> bytes:
    data = text.encode()
    return b"%04x" % len(data) + data


def reverse_reply(table: ReverseTable, ports: VirtualPorts, connection: Connection, request: str) -> bytes:
    """Does what `reverse:<request>` asks for and gives the answer: `OKAY`, `FAIL` with text, or a listing."""
    verb, _, rest = request.partition(":")
    if request == "list-forward":
        return _hex_text("".join(f"host {entry.local} {entry.remote}\n" for entry in table.entries()))
    if request == "killforward-all":
        table.remove_all()
        return b"OKAY"
    if verb == "killforward":
        return b"OKAY" if table.remove(rest) else b"FAIL" + _hex_text(f"listener '{rest}' not found")
    if verb != "forward":
        return b"FAIL" + _hex_text(f"unknown reverse command: {request}")
    rebind = not rest.startswith("norebind:")
    local, _, remote = rest.removeprefix("norebind:").partition(";")
    if not local or not remote:
        return b"FAIL" + _hex_text(f"bad forward: {rest}")
    resolved = ""
    if local == "tcp:0":
        resolved = str(ports.free_port())
        local = f"tcp:{resolved}"
    try:
        table.add(Reversed(local, remote, connection), rebind=rebind)
    except ValueError as error:
        return b"FAIL" + _hex_text(str(error))
    return b"OKAY" + (_hex_text(resolved) if resolved else b"")
