"""The table of emoji: of which shapes each is drawn.

`emoji.json` names colours, parts and drawings. A drawing is a line of words, back to front: a word is a part, or an
icon that fills the box in one colour (`gift#E53935`). A part is a list of shapes `[kind, colour, …]` in a box of
24 x 24 units, with degrees clockwise from three o'clock:

- `dot`: x, y, horizontal and vertical radius
- `arc`: x, y, both radii, start, end, width; `chord`: the same without width, filled
- `line`: width, then the points; `area`: the points of a filled outline
- `icon`: name, x, y, size[, degrees]

Emoji that share a row look alike; `face` and `thing` draw those which no row has.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

BOX = 24
"""Side of the box that shapes are measured in."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of a drawing.

    Attributes:
        kind: `dot`, `arc`, `chord`, `line`, `area` or `icon`.
        color: `#RRGGBB`.
        numbers: where it lies, as its kind wants it.
        icon: public name of a Material Design icon.
    """

    kind: str
    color: str
    numbers: tuple[float, ...]
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Emoji:
    """How an emoji is drawn: shapes from back to front, all of them turned by some degrees clockwise."""

    shapes: tuple[Shape, ...]
    turn: int = 0


@cache
def emoji_table() -> dict[str, Emoji]:
    """Every emoji that has a drawing, and the two that stand for others: `face` and `thing`."""
    text = resources.files("mobile_gym.phone.ui").joinpath("emoji.json").read_text(encoding="utf-8")
    data = json.loads(text)
    colors, parts = data["colors"], data["parts"]

    def shapes(word: str) -> list[Shape]:
        if "#" in word:
            name, _, color = word.partition("#")
            return [Shape("icon", f"#{color}", (BOX / 2, BOX / 2, BOX), name)]
        return [_shape(part, colors) for part in parts[word]]

    def drawing(words: str, turn: int = 0) -> Emoji:
        return Emoji(tuple(shape for word in words.split() for shape in shapes(word)), turn)

    found = {name: drawing(data[name]) for name in ("face", "thing")}
    for chars, *how in data["emoji"]:
        emoji = drawing(*how)
        found |= dict.fromkeys(chars, emoji)
    return found


def _shape(part: list[Any], colors: dict[str, str]) -> Shape:
    kind, color, *rest = part
    icon = rest.pop(0) if kind == "icon" else ""
    return Shape(kind, colors[color], tuple(rest), icon)
