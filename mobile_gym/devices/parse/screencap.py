"""Pictures as `screencap` sends them: PNG or raw pixels, with whatever comes before, and failures told apart."""

from __future__ import annotations

import io
import re
import struct
from typing import Final

import numpy as np
from PIL import Image

from mobile_gym.devices.base import Frame
from mobile_gym.devices.parse.common import ParseError, excerpt

PNG_MAGIC: Final = b"\x89PNG\r\n\x1a\n"
_MANGLED = re.compile(rb"\x89PNG(\r+)\n\x1a(\r*)\n")
_TEXT = re.compile(rb"[\t\r\n\x20-\x7e]*\n")
_RGBA, _RGBX, _RGB, _RGB565, _BGRA, _FP16, _RGB10A2 = 1, 2, 3, 4, 5, 22, 43
_PIXEL_BYTES: Final = {_RGBA: 4, _RGBX: 4, _RGB: 3, _RGB565: 2, _BGRA: 4, _FP16: 8, _RGB10A2: 4}
_MAX_SIDE: Final = 20_000


class ScreencapError(ParseError):
    """The bytes are no whole picture."""


class CaptureFailed(ScreencapError):
    """`screencap` said that it failed, or sent nothing. This never means that the window is secure."""


def parse_png(data: bytes) -> Frame:
    """Decodes a PNG, with lines of text before it and with the line ends that an old `adb shell` adds.

    Returns:
        uint8[H, W, 3], RGB.

    Raises:
        CaptureFailed: there is no picture but a message, or nothing at all.
        ScreencapError: the picture is cut off or broken.
    """
    start = data.find(PNG_MAGIC)
    if start >= 0:
        picture = data[start:]
    else:
        mangled = _MANGLED.search(data)
        if mangled is None or len(mangled[1]) != len(mangled[2]) + 1:
            raise _no_picture(data)
        picture = data[mangled.start() :].replace(mangled[2] + b"\n", b"\n")
    if b"IEND" not in picture:
        raise ScreencapError(f"the picture is cut off after {len(picture)} bytes")
    try:
        with Image.open(io.BytesIO(picture), formats=("PNG",)) as image:
            if max(image.size) > _MAX_SIDE:
                raise ScreencapError(f"a picture of {image.size[0]}x{image.size[1]} is no screen")
            return np.array(image.convert("RGB"), dtype=np.uint8)
    except (OSError, SyntaxError, ValueError, struct.error, Image.DecompressionBombError) as error:
        if isinstance(error, ScreencapError):
            raise
        raise ScreencapError(f"the picture is broken ({error})") from error


def parse_raw(data: bytes, header: int | None = None) -> Frame:
    """Decodes raw `screencap`: width, height, format and, on newer Android, colour space, each 4 bytes; then pixels.

    Whether the header has 12 or 16 bytes follows from the total size, so that nothing is shifted.

    Args:
        data: what `screencap` sent.
        header: 12 or 16 where the device's Android is known (16 since Android 9). Otherwise 16 bytes that lost the last
            pixel are told from 12 by what stands in place of the colour space.

    Returns:
        uint8[H, W, 3], RGB.

    Raises:
        CaptureFailed: there is no picture but a message, or nothing at all.
        ScreencapError: too few or too many bytes, or a pixel format that is not known.
    """
    text = _TEXT.match(data)
    if text is not None and len(text[0].strip()) >= 8:
        while (text := _TEXT.match(data)) is not None and len(text[0].strip()) >= 8:
            data = data[text.end() :]
        if len(data) < 12:
            raise _no_picture(text[0] if text else data)
    if len(data) < 12:
        raise _no_picture(data)
    width, height, form = struct.unpack_from("<3I", data)
    if not 0 < width <= _MAX_SIDE or not 0 < height <= _MAX_SIDE:
        raise _no_picture(data) if data.isascii() else ScreencapError(f"a screen of {width}x{height} pixels is none")
    depth = _PIXEL_BYTES.get(form)
    if depth is None:
        raise ScreencapError(f"the pixel format {form} is not known")
    body = width * height * depth
    found = len(data) - body
    lost = found == 12 and header is None and len(data) >= 16 and 1 <= struct.unpack_from("<I", data, 12)[0] <= 3
    if found not in ({12, 16} if header is None else {header}) or lost:
        raise ScreencapError(
            f"a screen of {width}x{height} in format {form} takes {body + 12} or {body + 16} bytes, not {len(data)}"
        )
    return _pixels(memoryview(data)[found:], width, height, form)


def _pixels(body: memoryview, width: int, height: int, form: int) -> Frame:
    if form == _RGB565:
        short = np.frombuffer(body, dtype="<u2").reshape(height, width).astype(np.uint16)
        frame = np.empty((height, width, 3), dtype=np.uint8)
        for channel, (shift, bits) in enumerate(((11, 5), (5, 6), (0, 5))):
            top = (1 << bits) - 1
            frame[..., channel] = (((short >> shift) & top).astype(np.uint32) * 255 + top // 2) // top
        return frame
    if form == _RGB10A2:
        word = np.frombuffer(body, dtype="<u4").reshape(height, width)
        return np.stack([(word >> (shift + 2)) & 0xFF for shift in (0, 10, 20)], axis=-1).astype(np.uint8)
    if form == _FP16:
        half = np.frombuffer(body, dtype="<f2").reshape(height, width, 4)[..., :3].astype(np.float32)
        return (np.clip(np.nan_to_num(half), 0.0, 1.0) * 255 + 0.5).astype(np.uint8)
    pixels = np.frombuffer(body, dtype=np.uint8).reshape(height, width, _PIXEL_BYTES[form])
    frame = np.empty((height, width, 3), dtype=np.uint8)
    for channel in range(3):  # twice as fast as one copy of a slice
        frame[..., channel] = pixels[..., 2 - channel if form == _BGRA else channel]
    return frame


def _no_picture(data: bytes) -> ScreencapError:
    if not data.strip():
        return CaptureFailed("screencap sent nothing")
    text = data[:2000].decode("utf-8", "replace")
    shown = sum(char.isprintable() or char.isspace() for char in text)
    if shown >= 0.9 * len(text):
        return CaptureFailed(f"screencap failed: {excerpt(text)}")
    return ScreencapError(f"{len(data)} bytes came that are no picture")


def is_black(frame: Frame) -> bool:
    """Whether every pixel is black, as in a picture of a secure window or of a display that is off."""
    return not frame.any()
