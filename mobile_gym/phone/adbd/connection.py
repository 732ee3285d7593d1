"""One client's connection: the handshake, and packets to and from its streams."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from mobile_gym.phone.adbd.faults import AdbdFaults
from mobile_gym.phone.adbd.packets import (
    MAX_PAYLOAD,
    OLD_MAX_PAYLOAD,
    VERSION,
    VERSION_WITH_CHECKSUMS,
    Command,
    Packet,
    encode_header,
    read_packet,
)
from mobile_gym.phone.adbd.streams import Stream, StreamClosed

# Delayed acknowledgements are left out on purpose: they let a host send many packets a stream ahead.
FEATURES = (
    "shell_v2",
    "cmd",
    "stat_v2",
    "ls_v2",
    "fixed_push_mkdir",
    "fixed_push_symlink_timestamp",
    "sendrecv_v2",
)

Service = Callable[[Stream], Awaitable[None]]
_AUTH_TOKEN = 1
_AUTH_SIGNATURE = 2
_TOKEN_SIZE = 20
_LOG = logging.getLogger(__name__)


def banner(props: Mapping[str, str]) -> bytes:
    """What a device says of itself in its greeting: a few properties and the features that it has."""
    facts = [f"{name}={props.get(name, '')}" for name in ("ro.product.name", "ro.product.model", "ro.product.device")]
    return f"device::{';'.join(facts)};features={','.join(FEATURES)}".encode()


class Connection:
    """The device's end of one connection.

    Args:
        reader: where packets come from.
        writer: where they go.
        greet: gives the device's banner.
        resolve: gives the service that a name stands for, or None where there is no such service.
        faults: what goes wrong.
        going: set while the phone runs; while it is not, what the client sends waits.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        greet: Callable[[], Awaitable[bytes]],
        resolve: Callable[[Connection, str], Service | None],
        faults: AdbdFaults,
        going: asyncio.Event,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._greet = greet
        self._resolve = resolve
        self._faults = faults
        self._going = going
        self._streams: dict[int, Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._last_id = 0
        self._version = VERSION_WITH_CHECKSUMS
        self._max_payload = OLD_MAX_PAYLOAD
        self.online = False

    @property
    def max_payload(self) -> int:
        """The largest payload that both sides take, bytes."""
        return self._max_payload

    async def run(self) -> None:
        """Serves the client until one of the two goes."""
        received = 0
        try:
            while True:
                packet = await read_packet(self._reader)
                received += 1
                await self._going.wait()
                limit = self._faults.drop_after_packets
                if limit is not None and received > limit:
                    return
                await self._handle(packet)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            _LOG.debug("connection ended: %r", error)
        finally:
            await self._wind_up()

    def abort(self) -> None:
        """Cuts the connection, as a dying `adbd` does."""
        self._writer.close()
        self._reader.feed_eof()

    async def open(self, destination: str) -> Stream:
        """Opens a stream to a service of the host, such as `tcp:8080`.

        Raises:
            StreamClosed: the host refused, or is gone.
        """
        stream = self._add_stream(remote_id=0)
        await self.send(Packet(Command.OPEN, stream.local_id, 0, destination.encode() + b"\0"))
        await stream.wait_accepted()
        return stream

    def post(self, packet: Packet) -> None:
        """Queues a packet without waiting; for small ones."""
        if self._writer.is_closing():
            return
        checked = packet.command == Command.CNXN or self._version <= VERSION_WITH_CHECKSUMS
        self._writer.write(encode_header(packet, with_checksum=checked))
        if packet.payload:
            self._writer.write(packet.payload)

    async def send(self, packet: Packet) -> None:
        """Sends a packet, and waits while the socket is full."""
        self.post(packet)
        await self._writer.drain()

    def forget(self, stream: Stream) -> None:
        """Drops a stream that is closed."""
        self._streams.pop(stream.local_id, None)

    async def _handle(self, packet: Packet) -> None:
        if packet.command == Command.CNXN:
            await self._welcome(packet)
        elif packet.command == Command.AUTH and packet.arg0 == _AUTH_SIGNATURE and self._faults.unauthorized:
            self._ask_for_key()  # no key is the right one; the host runs out of them and says `unauthorized`
        elif not self.online:
            _LOG.debug("packet before the greeting: %#x", packet.command)
        elif packet.command == Command.OPEN:
            self._open_service(packet)
        elif packet.command == Command.OKAY:
            stream = self._streams.get(packet.arg1)
            if stream is not None:
                stream.on_okay(packet.arg0)
        elif packet.command == Command.WRTE:
            stream = self._streams.get(packet.arg1)
            if stream is None:
                self.post(Packet(Command.CLSE, 0, packet.arg0))
            else:
                stream.on_write(packet.payload)
        elif packet.command == Command.CLSE:
            self._close_stream(packet)
        # AUTH and STLS ask for what this phone never offered, and unknown commands are for later versions: let pass.

    async def _welcome(self, packet: Packet) -> None:
        self._end_streams()
        self._version = min(packet.arg0, VERSION)
        self._max_payload = max(1, min(packet.arg1, MAX_PAYLOAD))
        if self._faults.offline:
            return
        if self._faults.unauthorized:
            self._ask_for_key()
            return
        self.online = True
        await self.send(Packet(Command.CNXN, VERSION, MAX_PAYLOAD, await self._greet()))

    def _ask_for_key(self) -> None:
        self.post(Packet(Command.AUTH, _AUTH_TOKEN, 0, bytes(_TOKEN_SIZE)))

    def _open_service(self, packet: Packet) -> None:
        name = packet.payload.rstrip(b"\0").decode("utf-8", "surrogateescape")
        service = None if self._faults.refuses(name) else self._resolve(self, name)
        if service is None or packet.arg0 == 0:
            self.post(Packet(Command.CLSE, 0, packet.arg0))
            return
        if self._faults.corrupt_packets:
            self._faults.corrupt_packets = False
            self._writer.write(b"\xde\xad\xbe\xef" * 8)
            return
        stream = self._add_stream(packet.arg0)
        self.post(Packet(Command.OKAY, stream.local_id, stream.remote_id))
        task = asyncio.create_task(self._serve(name, service, stream))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._served(done, name))

    async def _serve(self, name: str, service: Service, stream: Stream) -> None:
        try:
            await asyncio.sleep(self._faults.delay(name))
            garbage = self._faults.garbled(name)
            if self._faults.hangs(name):
                await stream.wait_ended()
            elif garbage is not None:
                await stream.write(garbage)
            else:
                await service(stream)
        except StreamClosed as error:
            _LOG.debug("%s: %s", name, error)
        finally:
            stream.close()

    def _served(self, task: asyncio.Task[None], name: str) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _LOG.error("service %s failed", name, exc_info=error)

    def _close_stream(self, packet: Packet) -> None:
        stream = self._streams.pop(packet.arg1, None)
        if stream is not None:
            stream.on_close()
            if packet.arg0:
                self.post(Packet(Command.CLSE, stream.local_id, stream.remote_id))

    def _add_stream(self, remote_id: int) -> Stream:
        self._last_id += 1
        stream = Stream(self, self._last_id, remote_id)
        self._streams[stream.local_id] = stream
        return stream

    def _end_streams(self) -> None:
        for stream in tuple(self._streams.values()):
            stream.on_close()
        self._streams.clear()

    async def _wind_up(self) -> None:
        self.online = False
        self._end_streams()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except ConnectionError as error:
            _LOG.debug("while closing: %r", error)
