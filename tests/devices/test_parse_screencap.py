"""Pictures, and what looks like one."""

from __future__ import annotations

import contextlib
import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mobile_gym.devices.parse.screencap import CaptureFailed, ScreencapError, is_black, parse_png, parse_raw

FRAME = np.random.default_rng(0).integers(0, 256, (40, 24, 3), dtype=np.uint8)


def png(frame: np.ndarray = FRAME) -> bytes:
    out = io.BytesIO()
    Image.fromarray(frame).save(out, "PNG")
    return out.getvalue()


def raw(frame: np.ndarray = FRAME, form: int = 1, header: int = 16) -> bytes:
    height, width = frame.shape[:2]
    alpha = np.full((height, width, 1), 255, np.uint8)
    head = struct.pack("<3I", width, height, form) + (struct.pack("<I", 1) if header == 16 else b"")
    return head + np.concatenate([frame, alpha], axis=2).tobytes()


def test_a_png_is_decoded() -> None:
    assert np.array_equal(parse_png(png()), FRAME)


def test_lines_before_the_png_are_left_out() -> None:
    assert np.array_equal(parse_png(b"[Warning] Multiple displays were found!\n" + png()), FRAME)


@pytest.mark.parametrize("end", [b"\r\n", b"\r\r\n"])
def test_line_ends_that_a_terminal_added_are_taken_back(end: bytes) -> None:
    assert np.array_equal(parse_png(png().replace(b"\n", end)), FRAME)


def test_a_cut_png_is_an_error_and_never_half_a_picture() -> None:
    data = png()
    for size in (9, 50, len(data) // 2, len(data) - 13):
        with pytest.raises(ScreencapError):
            parse_png(data[:size])


def test_a_damaged_png_is_an_error() -> None:
    data = bytearray(png())
    data[60] ^= 0xFF
    with pytest.raises(ScreencapError):
        parse_png(bytes(data))


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"Failed to take screenshot. Status: -1\nCapturing failed.\n", b"error: closed"]
)
def test_a_failed_capture_is_told_apart_from_a_black_picture(data: bytes) -> None:
    with pytest.raises(CaptureFailed):
        parse_png(data)
    with pytest.raises(CaptureFailed):
        parse_raw(data)


def test_a_secure_window_is_a_black_picture_and_no_failure() -> None:
    black = parse_png(png(np.zeros((4, 4, 3), np.uint8)))
    assert is_black(black)
    assert not is_black(FRAME)


@pytest.mark.parametrize("header", [12, 16])
def test_the_header_follows_from_the_size(header: int) -> None:
    assert np.array_equal(parse_raw(raw(header=header)), FRAME)
    assert np.array_equal(parse_raw(b"[Warning] Multiple displays were found\n" + raw(header=header)), FRAME)


def test_the_published_header_of_a_720p_screen() -> None:
    head = bytes.fromhex("00050000 D0020000 01000000 01000000".replace(" ", ""))
    frame = parse_raw(head + bytes(1280 * 720 * 4))
    assert frame.shape == (720, 1280, 3)


@pytest.mark.parametrize("wrong", [-1, -4, 1, 8])
def test_a_short_or_long_read_is_an_error_and_not_a_shifted_picture(wrong: int) -> None:
    data = raw()
    with pytest.raises(ScreencapError, match="bytes, not"):
        parse_raw(data[:wrong] if wrong < 0 else data + bytes(wrong))


def test_other_pixel_formats() -> None:
    assert np.array_equal(parse_raw(raw(FRAME[..., ::-1], form=5)), FRAME)
    with pytest.raises(ScreencapError, match="format 99"):
        parse_raw(raw(form=99))
    short = struct.pack("<3I", 1, 2, 4) + struct.pack("<2H", 0xF800, 0xFFFF)
    assert parse_raw(short).tolist() == [[[255, 0, 0]], [[255, 255, 255]]]
    deep = struct.pack("<4I", 1, 1, 43, 0) + struct.pack("<I", 0x3FF | (512 << 10))
    assert parse_raw(deep).tolist() == [[[255, 128, 0]]]
    half = struct.pack("<4I", 1, 1, 22, 0) + np.array([1.0, 0.5, -1.0, 1.0], "<f2").tobytes()
    assert parse_raw(half).tolist() == [[[255, 128, 0]]]


@given(st.binary(max_size=200))
def test_any_bytes_give_a_picture_or_a_screencap_error(data: bytes) -> None:
    for parser in (parse_png, parse_raw):
        with contextlib.suppress(ScreencapError):
            parser(data)


@given(st.binary(max_size=120))
def test_bytes_behind_the_signature_give_a_picture_or_a_screencap_error(data: bytes) -> None:
    with contextlib.suppress(ScreencapError):
        parse_png(png()[:33] + data + b"\0\0\0\0IEND\xaeB`\x82")
