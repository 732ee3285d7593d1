"""The small protocols inside streams: shell requests and packets, typed lines, sync records, announced input."""

import stat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.adbd import shell_wire, sync_wire
from mobile_gym.phone.adbd.announced import announced_size
from mobile_gym.phone.adbd.framebuffer import encode_frame
from mobile_gym.phone.adbd.shell_wire import Kind, ShellRequest, parse_request
from mobile_gym.phone.adbd.terminal import LineEditor, Signal, show
from mobile_gym.phone.state.files import FileEntry


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("shell:ls -l", ShellRequest("ls -l", packets=False, terminal=False)),
        ("shell:", ShellRequest("", packets=False, terminal=True)),
        ("shell,v2,TERM=xterm,raw:echo a:b", ShellRequest("echo a:b", packets=True, terminal=False)),
        ("shell,v2,TERM=xterm,pty:", ShellRequest("", packets=True, terminal=True)),
        ("shell,v2,raw:", ShellRequest("", packets=True, terminal=False)),
        ("shell,pty:ls", ShellRequest("ls", packets=False, terminal=True)),
        ("exec:screencap -p", ShellRequest("screencap -p", packets=False, terminal=False)),
    ],
)
def test_shell_requests(name: str, request_: ShellRequest) -> None:
    assert parse_request(name) == request_


@pytest.mark.parametrize("name", ["sync:", "shell", "exec,v2:ls", "shellfish:", "jdwp:1"])
def test_other_services_are_no_shell_requests(name: str) -> None:
    assert parse_request(name) is None


@given(st.binary(max_size=300), st.integers(1, 50))
def test_shell_packets_carry_all_the_data_in_pieces(data: bytes, largest: int) -> None:
    wire, found = shell_wire.packets(Kind.STDERR, data, largest), b""
    while wire:
        kind, length = shell_wire.read_header(wire[: shell_wire.PACKET_HEADER_SIZE])
        wire = wire[shell_wire.PACKET_HEADER_SIZE :]
        assert kind == Kind.STDERR
        assert 0 < length <= largest
        found, wire = found + wire[:length], wire[length:]
    assert found == data


@given(
    st.text(st.characters(codec="utf-8", min_codepoint=32, exclude_characters="\x7f"), max_size=30), st.integers(1, 7)
)
def test_typed_text_is_echoed_and_given_as_a_line_however_it_is_cut(text: str, size: int) -> None:
    data = text.encode() + b"\r"
    editor = LineEditor()
    typed = [one for start in range(0, len(data), size) for one in editor.feed(data[start : start + size])]
    assert b"".join(one.echo for one in typed) == text.encode() + b"\r\n"
    assert [one.event for one in typed if one.event is not None] == [text.encode()]


def test_a_terminal_edits_lines() -> None:
    def events(data: bytes) -> list[bytes | Signal]:
        return [one.event for one in LineEditor().feed(data) if one.event is not None]

    assert events("lz\x7fs 好\x7f好\n".encode()) == ["ls 好".encode()]
    assert events(b"wrong\x15right\n") == [b"right"]
    assert events(b"half\x03whole\n") == [Signal.INTERRUPT, b"whole"]
    assert events(b"text\x04\n\x04") == [b"text", Signal.END]
    assert show(b"a\nb\r\n") == b"a\r\nb\r\n"


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("cmd package 'install' -S 123", 123),
        ("cmd package 'install' '-r' '-t' '-g' -S 5", 5),
        ("pm install -S 7", 7),
        ("cmd package install-write -S 9 1 base -", 9),
        ("cmd package install-create -S 9", None),
        ("pm install -r /data/local/tmp/a.apk", None),
        ("pm install -S 9 /data/local/tmp/a.apk", None),
        ("cmd package install -S", None),
        ("echo 'open", None),
        ("", None),
    ],
)
def test_lines_announce_how_much_input_they_take(line: str, size: int | None) -> None:
    assert announced_size(line) == size


@given(st.binary(max_size=300_000), st.sampled_from([1, 65_536, 1 << 20]))
def test_file_chunks_give_the_file(data: bytes, batch: int) -> None:
    wire, found = b"".join(sync_wire.chunks(data, batch)), bytearray()
    while True:
        name, value = sync_wire.read_word(wire[:8])
        wire = wire[8:]
        if name == b"DONE":
            break
        assert name == b"DATA"
        assert value <= sync_wire.MAX_CHUNK
        found += wire[:value]
        wire = wire[value:]
    assert bytes(found) == data
    assert not wire


def test_sync_records_have_the_sizes_that_clients_read() -> None:
    entry = FileEntry(stat.S_IFREG | 0o644, 1_700_000_000_999, b"abc", "u0_a12", "media_rw")
    first = sync_wire.stat_1(entry)
    assert len(first) == 16
    assert first[12:] == (1_700_000_000).to_bytes(4, "little")
    second = sync_wire.stat_2(b"STA2", "/x", entry)
    assert len(second) == 72
    assert int.from_bytes(second[32:36], "little") == 10012
    assert int.from_bytes(second[40:48], "little") == 3
    assert len(sync_wire.stat_2(b"STA2", "/x", None)) == 72
    assert sync_wire.stat_2(b"STA2", "/x", None)[4] == 2
    assert len(sync_wire.dent_1("ab", entry)) == 22
    assert len(sync_wire.dent_2("/ab", "ab", entry)) == 78
    assert len(sync_wire.end_of_list(1)) == 20
    assert len(sync_wire.end_of_list(2)) == 76


def test_pushed_files_give_all_what_the_owner_has() -> None:
    assert sync_wire.pushed_mode(0o100600) == 0o666
    assert sync_wire.pushed_mode(0o100755) == 0o777
    assert sync_wire.pushed_mode(0o100444) == 0o444


def test_a_frame_is_sent_as_rgba_with_a_header_of_version_2() -> None:
    frame = np.array([[[1, 2, 3], [4, 5, 6]]], np.uint8)
    data = encode_frame(frame)
    header = np.frombuffer(data[:56], "<u4").tolist()
    assert header == [2, 32, 1, 8, 2, 1, 0, 8, 16, 8, 8, 8, 24, 8]
    assert data[56:] == bytes([1, 2, 3, 255, 4, 5, 6, 255])
