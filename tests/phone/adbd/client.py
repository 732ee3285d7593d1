"""A client of `adbd` for tests: a plain socket that speaks packets and nothing else."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Self

from mobile_gym.phone.adbd.packets import HEADER_SIZE, MAX_PAYLOAD, VERSION, Command, Packet, decode_header, encode


class Client:
    """One connection, seen from the host.

    Args:
        port: the port of `adbd`.
    """

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.header = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def send(self, command: int, arg0: int = 0, arg1: int = 0, payload: bytes = b"") -> None:
        self.send_bytes(encode(Packet(command, arg0, arg1, payload), with_checksum=True))

    def receive(self) -> Packet:
        self.header = self._exactly(HEADER_SIZE)
        header = decode_header(self.header)
        return Packet(header.command, header.arg0, header.arg1, self._exactly(header.length))

    def at_end(self) -> bool:
        """Whether the phone cut the connection."""
        try:
            return self._socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def greet(self, version: int = VERSION, max_payload: int = MAX_PAYLOAD) -> Packet:
        self.send(Command.CNXN, version, max_payload, b"host::features=shell_v2")
        return self.receive()

    def open(self, service: str, local_id: int = 1) -> int:
        """Opens a stream and returns the phone's id of it."""
        self.send(Command.OPEN, local_id, 0, service.encode() + b"\0")
        answer = self.receive()
        assert (answer.command, answer.arg1) == (Command.OKAY, local_id), answer
        return answer.arg0

    def read_stream(self, local_id: int = 1) -> list[bytes]:
        """The payloads of a stream up to its end."""
        parts = []
        while (packet := self.receive()).command != Command.CLSE:
            if packet.command == Command.WRTE:
                parts.append(packet.payload)
                self.send(Command.OKAY, local_id, packet.arg0)
        return parts

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self._socket.recv(count - len(data))
            if not part:
                raise EOFError(f"{count - len(data)} bytes are missing")
            data += part
        return data
