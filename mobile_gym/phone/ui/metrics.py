"""From dp and sp to pixels: density, display size and Android's non-linear font scale."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from mobile_gym.phone.ui.display import Font
from mobile_gym.phone.ui.theme import TYPE_SCALE

# Android 14's tables: what these sp become, in dp, at each scale; in between both are interpolated.
_SP = (8.0, 10.0, 12.0, 14.0, 18.0, 20.0, 24.0, 30.0, 100.0)
_TABLES: dict[float, tuple[float, ...]] = {
    1.0: _SP,
    1.15: (9.2, 11.5, 13.8, 16.4, 19.8, 21.8, 25.2, 30.0, 100.0),
    1.3: (10.4, 13.0, 15.6, 18.8, 21.6, 23.6, 26.4, 30.0, 100.0),
    1.5: (12.0, 15.0, 18.0, 22.0, 24.0, 26.0, 28.0, 30.0, 100.0),
    1.8: (14.4, 18.0, 21.6, 24.4, 27.6, 30.8, 32.8, 34.8, 100.0),
    2.0: (16.0, 20.0, 24.0, 26.0, 30.0, 34.0, 36.0, 38.0, 100.0),
}


def _lookup(table: tuple[float, ...], sp: float) -> float:
    if sp <= _SP[0]:
        return sp * table[0] / _SP[0]
    if sp >= _SP[-1]:
        return sp
    place = bisect_right(_SP, sp)
    share = (sp - _SP[place - 1]) / (_SP[place] - _SP[place - 1])
    return table[place - 1] + share * (table[place] - table[place - 1])


@lru_cache(maxsize=1024)
def scaled_sp(sp: float, font_scale: float) -> float:
    """What `sp` comes to in dp at a font scale. Large text grows less than small text, or not at all."""
    if font_scale <= 1.0:
        return sp * font_scale
    scales = sorted(_TABLES)
    if font_scale >= scales[-1]:
        return _lookup(_TABLES[scales[-1]], sp)
    place = bisect_right(scales, font_scale)
    low, high = scales[place - 1], scales[place]
    share = (font_scale - low) / (high - low)
    return _lookup(_TABLES[low], sp) * (1 - share) + _lookup(_TABLES[high], sp) * share


class Metrics:
    """Pixels of dp, and fonts of text styles, for one density and font scale.

    Args:
        density: pixels of one dp.
        font_scale: the user's font scale, 1.0 by default.
        bolder: what is added to the weight of every text (Android's bold text adds 300).
    """

    __slots__ = ("_edges", "_styles", "bolder", "density", "font_scale")

    def __init__(self, density: float, font_scale: float, bolder: int = 0) -> None:
        self.density = density
        self.font_scale = font_scale
        self.bolder = bolder
        self._styles: dict[tuple[str, int, float, float], tuple[Font, int]] = {}
        self._edges: dict[float | tuple[float, float, float, float], tuple[int, int, int, int]] = {}

    def px(self, dp: float) -> int:
        """Whole pixels of a length in dp."""
        return int(dp * self.density + 0.5)

    def edges(self, dp: float | tuple[float, float, float, float]) -> tuple[int, int, int, int]:
        """Whole pixels of four lengths in dp, or of one for all four; remembered, as few differ."""
        found = self._edges.get(dp)
        if found is None:
            first, second, third, fourth = dp if isinstance(dp, tuple) else (dp, dp, dp, dp)
            found = self._edges[dp] = (self.px(first), self.px(second), self.px(third), self.px(fourth))
        return found

    def sp_px(self, sp: float) -> int:
        """Whole pixels of a text size."""
        return self.px(scaled_sp(sp, self.font_scale))

    def style(self, name: str, weight: int = 0, size_sp: float = 0.0, line_sp: float = 0.0) -> tuple[Font, int]:
        """Font and line height in pixels of a text style; weight, size and line height may be overridden."""
        key = (name, weight, size_sp, line_sp)
        found = self._styles.get(key)
        if found is None:
            size, line, base_weight = TYPE_SCALE[name]
            if size_sp:
                size, line = size_sp, line_sp or size_sp * 1.3
            grown = scaled_sp(size, self.font_scale)
            font = Font(self.px(grown), min((weight or base_weight) + self.bolder, 900))
            found = self._styles[key] = (font, self.px(max(line * grown / size, grown * 1.17)))
        return found


@lru_cache(maxsize=64)
def metrics_for(density: float, font_scale: float, bolder: int = 0) -> Metrics:
    """The shared `Metrics` of a density, a font scale and a weight to add."""
    return Metrics(density, font_scale, bolder)
