"""Messages of a chat, with texts and pictures."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture.

    Attributes:
        data: the file's bytes.
        media_type: `image/png` or `image/jpeg`.
        size: (width, height), pixels.
    """

    data: bytes
    media_type: Literal["image/png", "image/jpeg"]
    size: tuple[int, int]

    @property
    def url(self) -> str:
        """The picture as a data URL."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode('ascii')}"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat.

    Attributes:
        role: who speaks.
        parts: texts and pictures in their order.
    """

    role: Role
    parts: tuple[str | Picture, ...]

    @classmethod
    def of(cls, role: Role, *parts: str | Picture) -> Message:
        """A message of these parts; empty texts are left out."""
        return cls(role, tuple(part for part in parts if part != ""))

    @property
    def text(self) -> str:
        """The texts alone, one a line."""
        return "\n".join(part for part in self.parts if isinstance(part, str))


def png(frame: NDArray[np.uint8]) -> Picture:
    """A frame, uint8[H, W, 3], as a PNG file."""
    return _encoded(frame, "image/png", compress_level=3)


def jpeg(frame: NDArray[np.uint8], quality: int = 90) -> Picture:
    """A frame, uint8[H, W, 3], as a JPEG file of a quality from 1 to 95."""
    return _encoded(frame, "image/jpeg", quality=quality)


def _encoded(frame: NDArray[np.uint8], media_type: Literal["image/png", "image/jpeg"], **options: int) -> Picture:
    image = Image.fromarray(frame)
    buffer = io.BytesIO()
    image.save(buffer, format=media_type.removeprefix("image/").upper(), **options)
    return Picture(buffer.getvalue(), media_type, image.size)


def as_json(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages as the protocol writes them; a message of one text is a plain string, which every server reads."""
    return [{"role": message.role, "content": _content(message.parts)} for message in messages]


def _content(parts: tuple[str | Picture, ...]) -> str | list[dict[str, Any]]:
    if all(isinstance(part, str) for part in parts):
        return "\n".join(part for part in parts if isinstance(part, str))
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": part.url}}
        for part in parts
    ]
