"""Display lists: what a laid-out tree asks the painter to draw, in order, back to front.

Coordinates are whole pixels of the phone's screen at its own resolution, origin top left. Colours are `#RRGGBB`.

Every operation carries

- `clip`: `(left, top, right, bottom)`, nothing is drawn outside it;
- `bg`: the one colour that lies under the whole operation, or None where that is not known (over a picture, say);
  with a known background a tile is opaque and can be copied, otherwise it is blended;
- `dim`: how much black, in percent, lies over it (a scrim); the operation is drawn already dimmed, so that a dialog
  over a page costs no extra pass over the pixels.
"""

from __future__ import annotations

from typing import NamedTuple

Clip = tuple[int, int, int, int]
Radii = tuple[int, int, int, int]


class Font(NamedTuple):
    """A font: size in pixels of the phone's own screen, weight 100 to 900, and the family's name.

    Families: `sans` (Roboto for Latin, digits and the signs that Roboto has, Noto Sans SC for the rest) and `mono`.
    """

    size: int
    weight: int = 400
    family: str = "sans"


class Fill(NamedTuple):
    """A rectangle of one colour."""

    x: int
    y: int
    w: int
    h: int
    color: str
    clip: Clip
    dim: int = 0


class Round(NamedTuple):
    """A rectangle with round corners (top left, top right, bottom right, bottom left), filled, bordered or both."""

    x: int
    y: int
    w: int
    h: int
    radii: Radii
    color: str | None
    border: int
    border_color: str | None
    clip: Clip
    bg: str | None
    dim: int = 0


class Shadow(NamedTuple):
    """The shadow that a round rectangle of this place and size casts; level 1 to 5 as in Material 3."""

    x: int
    y: int
    w: int
    h: int
    radius: int
    level: int
    clip: Clip
    bg: str | None
    dim: int = 0


class Text(NamedTuple):
    """One line of text; `y` is the baseline. `shadow` adds the launcher's soft shadow under the glyphs.

    `w` is the width that the layout measured. `underline` draws a line under the run.
    """

    x: int
    y: int
    w: int
    text: str
    font: Font
    color: str
    clip: Clip
    bg: str | None
    dim: int = 0
    shadow: bool = False
    underline: bool = False


class Icon(NamedTuple):
    """A Material Design icon in a square box; `turn` rotates it clockwise, degrees."""

    x: int
    y: int
    size: int
    name: str
    color: str
    clip: Clip
    bg: str | None
    dim: int = 0
    turn: int = 0


class Picture(NamedTuple):
    """A picture that covers a box; `source` names it (see `pictures`), `radii` round its corners."""

    x: int
    y: int
    w: int
    h: int
    source: str
    radii: Radii
    clip: Clip
    bg: str | None
    dim: int = 0


class Line(NamedTuple):
    """A polyline: points relative to (x, y), pixels, stroked with round caps; for clock hands, rings, strokes.

    With `filled` the points are a closed outline whose inside is painted too.
    """

    x: int
    y: int
    w: int
    h: int
    points: tuple[tuple[float, float], ...]
    width: float
    color: str
    clip: Clip
    bg: str | None
    dim: int = 0
    filled: bool = False


Op = Fill | Round | Shadow | Text | Icon | Picture | Line
DisplayList = list[Op]
