"""The fonts of the phone, and which of them draws which character.

Three packages carry the files: Roboto (Latin, digits, signs), Noto Sans CJK (the Simplified Chinese face, for
everything that Roboto lacks) and the Material Design Icons. Faces open at first use and stay open. Text is shaped by
Pillow's basic layout only: no library of the host may move a glyph.
"""

from __future__ import annotations

import struct
import unicodedata
from functools import cache, lru_cache
from importlib import resources
from typing import BinaryIO, Literal

from PIL import ImageFont

from mobile_gym.phone.ui.emoji import Emoji, emoji_table

FaceName = Literal["roboto", "roboto_narrow", "sc", "icons"]

_PACKAGES: dict[FaceName, tuple[str, str]] = {
    "roboto": ("fontpkg_roboto", "files/Roboto[wdth,wght].ttf"),
    "roboto_narrow": ("fontpkg_roboto", "files/Roboto[wdth,wght].ttf"),
    "sc": ("manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc"),
    "icons": ("fonticon_mdi7", "fonts/materialdesignicons-webfont.ttf"),
}
# Place of the Simplified Chinese face in the Noto collection.
_COLLECTION_INDEX: dict[FaceName, int] = {"sc": 2}
# A size at which one pixel is one font unit: hinting rounds advances to whole pixels, so here it rounds nothing.
_UNITS: dict[FaceName, int] = {"roboto": 2048, "roboto_narrow": 2048, "sc": 1000, "icons": 512}

EMOJI_EM = 1.2
"""Advance of an emoji in ems."""

MONO_EM = 0.6
"""Advance of every Latin character of the `mono` family in ems; wide characters take two."""


def font_path(name: FaceName) -> str:
    """Path of the file that holds a face.

    Raises:
        ModuleNotFoundError: the package that carries the font isn't installed.
    """
    package, inner = _PACKAGES[name]
    return str(resources.files(package).joinpath(inner))


# An open Noto face takes 1.6 MB and a third of a millisecond to open.
@lru_cache(maxsize=32)
def face(name: FaceName, size: float, weight: int) -> ImageFont.FreeTypeFont:
    """The open face at a size in pixels (a fraction is fine) and a weight from 100 to 900.

    FreeType knows no size of nothing: text of a miniature that is smaller than a pixel is drawn as one.
    """
    font = ImageFont.truetype(
        font_path(name), max(size, 1.0), index=_COLLECTION_INDEX.get(name, 0), layout_engine=ImageFont.Layout.BASIC
    )
    if name == "roboto":
        font.set_variation_by_axes([weight, 100])
    elif name == "roboto_narrow":
        font.set_variation_by_axes([weight, 75])
    elif name == "sc":
        font.set_variation_by_axes([weight])
    return font


@cache
def advance_em(char: str, weight: int, family: str) -> float:
    """Advance of one character in ems, unhinted, without kerning."""
    name = face_of(char)
    if name is None:
        return 0.0
    if name == "icons":
        return EMOJI_EM
    wide = unicodedata.east_asian_width(char) in "WF"
    if family == "mono":
        return 2 * MONO_EM if wide else MONO_EM
    if wide and name == "sc":
        return 1.0
    return face(name, _UNITS[name], weight).getlength(char) / _UNITS[name]


@cache
def face_of(char: str) -> FaceName | None:
    """The face that draws a character; None for one that shows nothing (joiners, selectors, control characters)."""
    if emoji_of(char) is not None:
        return "icons"
    if unicodedata.category(char) in ("Cc", "Cf", "Cs") or "\ufe00" <= char <= "\ufe0f":
        return None
    if "\U0001f3fb" <= char <= "\U0001f3ff":  # skin tones change the emoji before them
        return None
    if ord(char) in _coverage("roboto"):
        return "roboto"
    return "sc"


@cache
def emoji_of(char: str) -> Emoji | None:
    """How to draw an emoji, or None for a character that is none."""
    known = emoji_table()
    if char in known:
        return known[char]
    if "\U0001f3fb" <= char <= "\U0001f3ff":
        return None
    if "\U0001f300" <= char <= "\U0001faff" and ord(char) not in _coverage("sc"):
        return known["face" if "\U0001f600" <= char <= "\U0001f64f" else "thing"]
    return None


@cache
def icon_char(name: str) -> str:
    """The character of a Material Design icon, by its public name (`battery-charging-80`).

    Raises:
        KeyError: there is no icon of that name; the message names a few that are near.
    """
    table = _icon_table()
    if name not in table:
        near = sorted(known for known in table if name.split("-")[0] in known)[:6]
        raise KeyError(f"no icon {name!r} among the Material Design Icons; near it: {', '.join(near) or 'none'}")
    return table[name]


def icon_names() -> frozenset[str]:
    """Names of all icons."""
    return frozenset(_icon_table())


@cache
def _icon_table() -> dict[str, str]:
    from fonticon_mdi7 import MDI7  # a class of 7,000 names: loaded when the first icon is drawn

    return {
        name.rstrip("_").replace("_", "-"): value[-1] for name, value in vars(MDI7).items() if not name.startswith("_")
    }


@cache
def _coverage(name: FaceName) -> frozenset[int]:
    """Code points that a face has, read from its `cmap` table (OpenType, formats 4 and 12)."""
    with open(font_path(name), "rb") as file:
        start = 0
        if file.read(4) == b"ttcf":
            file.seek(12 + 4 * _COLLECTION_INDEX[name])
            (start,) = struct.unpack(">I", file.read(4))
        file.seek(start + 4)
        (tables,) = struct.unpack(">H", file.read(2))
        file.seek(start + 12)
        records = [struct.unpack(">4sIII", file.read(16)) for _ in range(tables)]
        offset, length = next((record[2], record[3]) for record in records if record[0] == b"cmap")
        return frozenset(_read_cmap(file, offset, length))


def _read_cmap(file: BinaryIO, offset: int, length: int) -> set[int]:
    file.seek(offset)
    data = file.read(length)
    (count,) = struct.unpack_from(">H", data, 2)
    found: set[int] = set()
    for index in range(count):
        (at,) = struct.unpack_from(">I", data, 4 + 8 * index + 4)
        (kind,) = struct.unpack_from(">H", data, at)
        if kind == 12:
            (groups,) = struct.unpack_from(">I", data, at + 12)
            for group in range(groups):
                first, last, _ = struct.unpack_from(">III", data, at + 16 + 12 * group)
                found.update(range(first, last + 1))
        elif kind == 4:
            (doubled,) = struct.unpack_from(">H", data, at + 6)
            ends = struct.unpack_from(f">{doubled // 2}H", data, at + 14)
            starts = struct.unpack_from(f">{doubled // 2}H", data, at + 16 + doubled)
            for first, last in zip(starts, ends, strict=True):
                found.update(range(first, min(last, 0xFFFE) + 1))
    return found
