"""Packets: what is encoded is decoded again, and nothing else is taken for a packet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.adbd.packets import (
    HEADER_SIZE,
    MAX_PAYLOAD,
    Command,
    Packet,
    PacketError,
    checksum,
    decode,
    decode_header,
    encode,
)

words = st.integers(0, 0xFFFFFFFF)
packets = st.builds(Packet, words, words, words, st.binary(max_size=2000))


@given(packets, st.binary(max_size=50), st.booleans())
def test_a_packet_comes_back_and_what_follows_it_is_left(packet: Packet, rest: bytes, with_checksum: bool) -> None:
    assert decode(encode(packet, with_checksum=with_checksum) + rest) == (packet, rest)


@given(packets, st.integers(0, 31))
def test_a_flipped_bit_in_the_command_is_noticed(packet: Packet, bit: int) -> None:
    data = bytearray(encode(packet))
    data[bit // 8] ^= 1 << bit % 8
    with pytest.raises(PacketError, match="bad magic"):
        decode(bytes(data))


@given(packets, st.data())
def test_half_a_packet_is_no_packet(packet: Packet, data: st.DataObject) -> None:
    whole = encode(packet)
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(PacketError):
        decode(whole[:cut])


def test_the_wire_form_is_the_one_of_adb() -> None:
    data = encode(Packet(Command.OPEN, 1, 0, b"sync:\0"))
    assert data[:HEADER_SIZE].hex() == "4f50454e010000000000000006000000" + "00000000" + "b0afbab1"
    assert encode(Packet(Command.CNXN, payload=b"\xff\x02"), with_checksum=True)[16:20] == (257).to_bytes(4, "little")


def test_a_payload_beyond_the_largest_is_refused() -> None:
    data = encode(Packet(Command.WRTE))
    huge = data[:12] + (MAX_PAYLOAD + 1).to_bytes(4, "little") + data[16:]
    with pytest.raises(PacketError, match="largest"):
        decode_header(huge)


@given(st.binary(max_size=300))
def test_the_checksum_does_not_depend_on_the_order(data: bytes) -> None:
    assert checksum(data) == checksum(data[::-1]) == sum(data)
