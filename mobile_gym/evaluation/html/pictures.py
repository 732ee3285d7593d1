"""Thumbnails: small pictures as data URIs, each kept once, until the page is as large as it may become."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

_QUALITY = 60
_WIDTHS = ((400, 360), (1500, 270))
"""Up to so many pictures, so many pixels wide; beyond these `_NARROWEST`. The page shows them 180 pixels wide."""
_NARROWEST = 180


def width_for(count: int) -> int:
    """How wide thumbnails are where there are so many: sharp on dense screens where the page stays small."""
    return next((width for most, width in _WIDTHS if count <= most), _NARROWEST)


class Pictures:
    """The pictures of a page.

    Args:
        width: of each, pixels; smaller ones stay as they are.
        limit: how many bytes they may have together, as they stand in the page.
    """

    def __init__(self, width: int, limit: int) -> None:
        self._width = width
        self._left = limit
        self._names: dict[str, str] = {}
        self.kept: dict[str, str] = {}
        self.sizes: dict[str, tuple[int, int]] = {}
        self.left_out = 0
        self._last: tuple[NDArray[np.uint8], str] | None = None

    @property
    def full(self) -> bool:
        """Whether no further picture fits in."""
        return self._left <= 0

    def add_file(self, path: Path) -> str | None:
        """The name of a file's picture on the page; None where the page is full.

        Raises:
            OSError: it cannot be read, or is no picture.
        """
        data = path.read_bytes()
        return self._add(data, lambda: Image.open(io.BytesIO(data)))

    def add_frame(self, frame: NDArray[np.uint8]) -> str | None:
        """The name of a frame's picture, uint8[H, W, 3], on the page; None where the page is full.

        Items of one page follow each other with the same array, which is not looked at again.
        """
        if self._last is not None and self._last[0] is frame:
            return self._last[1]
        name = self._add(frame.tobytes(), lambda: Image.fromarray(frame))
        if name is not None:
            self._last = frame, name
        return name

    def _add(self, data: bytes, opened: Callable[[], Image.Image]) -> str | None:
        digest = hashlib.sha256(data).hexdigest()[:16]
        if digest in self._names:
            return self._names[digest]
        if self.full:
            self.left_out += 1
            return None
        try:
            with opened() as picture:
                size = picture.size
                uri = self._thumbnail(picture)
        except (ValueError, SyntaxError, Image.DecompressionBombError) as problem:
            # Pillow tells of damaged files by several errors.
            raise OSError(f"is no picture: {problem}") from problem
        name = f"p{len(self._names)}"
        self._names[digest] = name
        self.kept[name], self.sizes[name] = uri, size
        self._left -= len(uri)
        return name

    def _thumbnail(self, picture: Image.Image) -> str:
        small = picture.convert("RGB")
        if small.width > self._width:
            high = max(1, round(small.height * self._width / small.width))
            small = small.resize((self._width, high), Image.Resampling.BILINEAR, reducing_gap=2.0)
        out = io.BytesIO()
        small.save(out, "WEBP", quality=_QUALITY, method=2)
        return f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode('ascii')}"
