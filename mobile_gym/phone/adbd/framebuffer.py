"""`framebuffer:`, the raw picture of the screen."""

from __future__ import annotations

import struct

import numpy as np

from mobile_gym.phone.adbd.streams import Stream
from mobile_gym.phone.adbd.worker import PhoneWorker
from mobile_gym.phone.door import Frame

_HEADER = struct.Struct("<14I")
_VERSION = 2
_BITS = 32
_SRGB = 1
# Offset and length in bits of red, blue, green and alpha: in this order on the wire.
_CHANNELS = (0, 8, 16, 8, 8, 8, 24, 8)


def encode_frame(frame: Frame) -> bytes:
    """A frame uint8[H, W, 3] as the service sends it: version 2 of the header, then RGBA, row by row."""
    height, width, _ = frame.shape
    pixels = np.full((height, width, 4), 255, np.uint8)
    pixels[..., :3] = frame
    return _HEADER.pack(_VERSION, _BITS, _SRGB, pixels.nbytes, width, height, *_CHANNELS) + pixels.tobytes()


async def serve_framebuffer(stream: Stream, worker: PhoneWorker) -> None:
    """Sends one frame."""
    await stream.write(await worker.ask(lambda phone: encode_frame(phone.frame())))
