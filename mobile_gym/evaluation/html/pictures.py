"""Thumbnails: small pictures as data URIs, each kept once, until the page is as large as it may become."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mobile_gym.task_registry.grounding.items import GroundingSetError

_QUALITY = 60
_WIDTHS = ((400, 360), (1500, 270))
"""Up to so many pictures, so many pixels wide; beyond these `_NARROWEST`. The page shows them 180 pixels wide."""
_NARROWEST = 180


def width_for(count: int) -> int:
    """How wide thumbnails are where there are so many: sharp on dense screens where the page stays small."""
    return next((width for most, width in _WIDTHS if count <= most), _NARROWEST)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a picture comes from.

    Attributes:
        name: the same for the same picture, whoever shows it.
        place: its file, or what reads or paints it: uint8[H, W, 3].
    """

    name: str
    place: Path | Callable[[], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture that is on the page.

    Attributes:
        name: its name there.
        size: width and height of the picture that it was made of, pixels.
    """

    name: str
    size: tuple[int, int]


class Pictures:
    """The pictures of a page.

    Args:
        width: of each, pixels; smaller ones stay as they are.
        limit: how many bytes they may have together, as they stand in the page.
    """

    def __init__(self, width: int, limit: int) -> None:
        self._width = width
        self._left = limit
        self._found: dict[str, Kept] = {}
        self._of_bytes: dict[str, Kept] = {}
        self._names: dict[str, str] = {}
        self._without: set[str] = set()
        self.problems: dict[str, str] = {}

    @property
    def kept(self) -> dict[str, str]:
        """Data URIs by name, each different from the others."""
        return {name: uri for uri, name in self._names.items()}

    @property
    def left_out(self) -> int:
        """How many pictures the limit left no room for."""
        return len(self._without)

    def find(self, source: Source | None) -> Kept | None:
        """A source's picture; None where it is not on the page."""
        return None if source is None else self._found.get(source.name)

    def add(self, source: Source) -> None:
        """Puts a source's picture on the page, where there is room; a source is read once.

        What cannot be read is told in `problems`, by the source's name.
        """
        if source.name in self._found or source.name in self._without or source.name in self.problems:
            return
        try:
            kept = self._of_file(source.place) if isinstance(source.place, Path) else self._of_frame(source.place)
        except GroundingSetError as problem:
            self.problems[source.name] = str(problem)
        except OSError as problem:
            self.problems[source.name] = str(problem.strerror or problem)
        else:
            if kept is None:
                self._without.add(source.name)
            else:
                self._found[source.name] = kept

    def _of_file(self, path: Path) -> Kept | None:
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._of_bytes:
            if self._left <= 0:
                return None
            try:
                with Image.open(io.BytesIO(data)) as picture:
                    self._of_bytes[digest] = self._keep(picture)
            except (ValueError, SyntaxError, Image.DecompressionBombError) as problem:
                # Pillow tells of damaged files by several errors.
                raise OSError(f"is no picture: {problem}") from problem
        return self._of_bytes[digest]

    def _of_frame(self, painted: Callable[[], NDArray[np.uint8]]) -> Kept | None:
        return None if self._left <= 0 else self._keep(Image.fromarray(painted()))

    def _keep(self, picture: Image.Image) -> Kept:
        uri = self._thumbnail(picture)
        if uri not in self._names:
            self._names[uri] = f"p{len(self._names)}"
            self._left -= len(uri)
        return Kept(self._names[uri], picture.size)

    def _thumbnail(self, picture: Image.Image) -> str:
        small = picture if picture.mode == "RGB" else picture.convert("RGB")
        if small.width > self._width:
            high = max(1, round(small.height * self._width / small.width))
            small = small.resize((self._width, high), Image.Resampling.BILINEAR, reducing_gap=2.0)
        out = io.BytesIO()
        small.save(out, "WEBP", quality=_QUALITY, method=2)
        return f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode('ascii')}"
