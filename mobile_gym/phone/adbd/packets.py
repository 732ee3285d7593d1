"""The packets of the ADB transport: 24 bytes of header, then the payload.

A header is six little-endian 32-bit words: command, two arguments, length of the payload, checksum, and the command
with all bits flipped. Since protocol version 0x01000001 the checksum is left at zero, except in the first packet,
which is sent before the versions are known.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from enum import IntEnum

VERSION = 0x01000001
VERSION_WITH_CHECKSUMS = 0x01000000
MAX_PAYLOAD = 1 << 20
OLD_MAX_PAYLOAD = 4096

_HEADER = struct.Struct("<6I")
HEADER_SIZE = _HEADER.size


class Command(IntEnum):
    """What a packet asks for; the values are the four letters, first letter in the lowest byte."""

    CNXN = int.from_bytes(b"CNXN", "little")
    AUTH = int.from_bytes(b"AUTH", "little")
    OPEN = int.from_bytes(b"OPEN", "little")
    OKAY = int.from_bytes(b"OKAY", "little")
    CLSE = int.from_bytes(b"CLSE", "little")
    WRTE = int.from_bytes(b"WRTE", "little")
    STLS = int.from_bytes(b"STLS", "little")


class PacketError(ConnectionError):
    """Bytes that are not a packet: the two sides have lost each other, and the connection must end."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet.

    Attributes:
        command: a `Command`, or a number that this side does not know.
        arg0: for streams, the sender's id of the stream.
        arg1: for streams, the receiver's id of the stream.
        payload: what it carries.
    """

    command: int
    arg0: int = 0
    arg1: int = 0
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a packet, checked; `length` bytes of payload follow."""

    command: int
    arg0: int
    arg1: int
    length: int


def checksum(payload: bytes) -> int:
    """The sum of all bytes, cut to 32 bits."""
    return sum(payload) & 0xFFFFFFFF


def encode_header(packet: Packet, *, with_checksum: bool = False) -> bytes:
    """The header that goes before `packet.payload`."""
    return _HEADER.pack(
        packet.command,
        packet.arg0,
        packet.arg1,
        len(packet.payload),
        checksum(packet.payload) if with_checksum else 0,
        packet.command ^ 0xFFFFFFFF,
    )


def encode(packet: Packet, *, with_checksum: bool = False) -> bytes:
    """Header and payload."""
    return encode_header(packet, with_checksum=with_checksum) + packet.payload


def decode_header(data: bytes) -> Header:
    """Reads a header.

    Raises:
        PacketError: the data has another size, the command does not match its flipped copy, or the payload would be
            larger than any that was agreed on.
    """
    if len(data) != HEADER_SIZE:
        raise PacketError(f"a packet's header has {HEADER_SIZE} bytes, not {len(data)}")
    command, arg0, arg1, length, _, magic = _HEADER.unpack(data)
    if command ^ 0xFFFFFFFF != magic:
        raise PacketError(f"bad magic {magic:#010x} for command {command:#010x}")
    if length > MAX_PAYLOAD:
        raise PacketError(f"a payload of {length} bytes; the largest is {MAX_PAYLOAD}")
    return Header(command, arg0, arg1, length)


def decode(data: bytes) -> tuple[Packet, bytes]:
    """The first packet in `data`, and the bytes after it.

    Raises:
        PacketError: no whole packet is there, or it is malformed.
    """
    header = decode_header(data[:HEADER_SIZE])
    end = HEADER_SIZE + header.length
    if len(data) < end:
        raise PacketError(f"{header.length} bytes of payload were announced, {len(data) - HEADER_SIZE} are there")
    return Packet(header.command, header.arg0, header.arg1, data[HEADER_SIZE:end]), data[end:]


async def read_packet(reader: asyncio.StreamReader) -> Packet:
    """Waits for one packet.

    Raises:
        PacketError: what came is no packet.
        asyncio.IncompleteReadError: the other side is gone.
    """
    header = decode_header(await reader.readexactly(HEADER_SIZE))
    payload = await reader.readexactly(header.length) if header.length else b""
    return Packet(header.command, header.arg0, header.arg1, payload)
