"""Measuring and breaking text: what layout needs to know before anything is drawn.

Widths are in pixels of the phone's own screen and linear: the sum of the characters' unhinted advances, without
kerning, so that a prefix of a text is always a prefix of its picture. All functions are pure and cached.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import accumulate

from mobile_gym.phone.ui.display import Font
from mobile_gym.phone.ui.fonts import advance_em

ELLIPSIS = "\u2026"
# Sums of floats may differ by their order; far below a pixel.
_SLACK = 1e-6
_NO_BREAK_BEFORE = ("Pe", "Pf", "Po", "Mn", "Me", "Cf")
_NO_BREAK_AFTER = ("Ps", "Pi")
_BREAKING_SPACES = " \t\u3000"


class _Advances(dict[str, float]):
    """Advances of one font in pixels, filled as characters are met."""

    def __init__(self, font: Font) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, char: str) -> float:
        font = self._font
        width = advance_em(char, font.weight, font.family) * font.size
        self[char] = width
        return width


@cache
def advances(font: Font) -> dict[str, float]:
    """Advance of every character of a font, in pixels; index it with any one character."""
    return _Advances(font)


@lru_cache(maxsize=1 << 16)
def text_width(text: str, font: Font) -> float:
    """Width of one line in pixels: where the pen stands after the last character."""
    return sum(map(advances(font).__getitem__, text))


def prefix_widths(text: str, font: Font) -> list[float]:
    """Where the pen stands before each character and after the last: `len(text) + 1` numbers from 0.0 up."""
    return list(accumulate(map(advances(font).__getitem__, text), initial=0.0))


def baseline(height: float, font: Font) -> float:
    """Distance of the baseline from the top of a line box of this height, in pixels."""
    return height / 2 + 0.342 * font.size


@lru_cache(maxsize=1 << 15)
def fit(text: str, font: Font, width: float) -> str:
    """The text itself when it fits the width, else its longest beginning with an ellipsis after it.

    Where not even the ellipsis fits, the result is the ellipsis alone.
    """
    if text_width(text, font) <= width + _SLACK:
        return text
    return _cut(text, font, width)


def _cut(text: str, font: Font, width: float) -> str:
    room = width - text_width(ELLIPSIS, font) + _SLACK
    pens = prefix_widths(text, font)
    count = len(text)
    while count > 0 and pens[count] > room:
        count -= 1
    return text[:count].rstrip() + ELLIPSIS


def break_lines(text: str, font: Font, width: float, max_lines: int | None = None) -> list[str]:
    """Break a text into lines no wider than `width` pixels.

    Chinese breaks anywhere except before closing and after opening punctuation; Latin breaks at spaces; a word that is
    wider than the line breaks anywhere; `\\n` always breaks. Spaces at a break are dropped. A line holds at least one
    character, however narrow it is.

    Args:
        text: what to break; the empty text is one empty line.
        font: the font to measure with.
        width: width of the box in pixels.
        max_lines: how many lines may be kept; when there are more, the last kept one ends in an ellipsis.
    """
    return list(_break_lines(text, font, width, max_lines))


@lru_cache(maxsize=1 << 14)
def _break_lines(text: str, font: Font, width: float, max_lines: int | None) -> tuple[str, ...]:
    lines: list[str] = []
    paragraphs = text.split("\n")
    for number, paragraph in enumerate(paragraphs):
        at = 0
        while True:
            end, following = _next_line(paragraph, at, font, width)
            rest = following < len(paragraph)
            if max_lines is not None and len(lines) + 1 >= max_lines and (rest or number + 1 < len(paragraphs)):
                last = paragraph[at:].rstrip(_BREAKING_SPACES)
                lines.append(_cut(last, font, width) if rest else fit(last + ELLIPSIS, font, width))
                return tuple(lines)
            lines.append(paragraph[at:end])
            at = following
            if not rest:
                break
    return tuple(lines)


def _next_line(text: str, start: int, font: Font, width: float) -> tuple[int, int]:
    """Where the line that starts at `start` ends, and where the next one starts."""
    widths = advances(font)
    limit = width + _SLACK
    pen = 0.0
    chance = 0  # the last place where the line may end, 0 while there is none
    size = len(text)
    index = start
    while index < size:
        char = text[index]
        if index > start and _may_break(text[index - 1], char):
            chance = index
        pen += widths[char]
        if pen > limit and index > start and char not in _BREAKING_SPACES:
            end = chance or index
            stop = end
            while stop > start and text[stop - 1] in _BREAKING_SPACES:
                stop -= 1
            if stop == start:  # nothing but spaces would stand on the line: they stay there
                stop = end
            return stop, end
        index += 1
    return size, size


@lru_cache(maxsize=1 << 14)
def _may_break(before: str, after: str) -> bool:
    """Whether a line may end between two characters that stand side by side."""
    if after in _BREAKING_SPACES:
        return False
    if before in _BREAKING_SPACES:
        return True
    if unicodedata.category(after) in _NO_BREAK_BEFORE or unicodedata.category(before) in _NO_BREAK_AFTER:
        return False
    return _is_wide(before) or _is_wide(after)


@cache
def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"
