"""Times of the painter for a list screen of about a hundred operations, cold and warm, at two sizes.

Run `python benchmarks/paint.py`; add `--profile` for the time of each kind of operation.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable

import numpy as np

from mobile_gym.phone.ui.display import DisplayList, Fill, Font, Icon, Op, Picture, Round, Text
from mobile_gym.phone.ui.paint import paint
from mobile_gym.phone.ui.text import baseline, text_width
from mobile_gym.phone.ui.tiles import TileCache

SCREEN = (0, 0, 1080, 2400)
PAGE, CARD, INK, SOFT = "#ECEDF4", "#F8F9FF", "#191C20", "#43474E"
# Common characters, so that every row has glyphs of its own, as real lists do.
FIRST_CHARACTER = 0x4E00


def row_text(row: int, count: int) -> str:
    """Some Chinese characters and digits that differ by row."""
    return "".join(chr(FIRST_CHARACTER + (row * 37 + step * 11) % 900) for step in range(count)) + f" {row}:30"


def list_screen() -> DisplayList:
    """A page of cards, each with a disc, an icon, three texts and a switch."""
    ops: list[Op] = [Fill(0, 0, 1080, 2400, PAGE, SCREEN)]

    def text(x: int, y: int, height: int, content: str, font: Font, color: str, bg: str) -> None:
        pen = y + round(baseline(height, font))
        ops.append(Text(x, pen, round(text_width(content, font)), content, font, color, SCREEN, bg))

    text(63, 43, 42, "8:27", Font(37, 500), INK, PAGE)
    text(63, 130, 105, row_text(0, 2), Font(84), INK, PAGE)
    for row in range(12):
        y = 280 + row * 168
        ops.append(Round(42, y, 996, 164, (52, 52, 10, 10) if not row else (10,) * 4, CARD, 0, None, SCREEN, PAGE))
        ops.append(Round(84, y + 28, 105, 105, (53,) * 4, "#D3E4FF", 0, None, SCREEN, CARD))
        icon = ("wifi", "bell", "apps", "battery", "lock", "volume-high")[row % 6]
        ops.append(Icon(107, y + 51, 58, icon, "#1E4875", SCREEN, "#D3E4FF"))
        text(231, y + 22, 63, row_text(row, 6), Font(42), INK, CARD)
        text(231, y + 85, 53, row_text(row + 50, 14), Font(37), SOFT, CARD)
        ops.append(Round(850, y + 40, 137, 84, (42,) * 4, "#E1E2E8", 5, "#73777F", SCREEN, CARD))
        ops.append(Round(871, y + 61, 42, 42, (21,) * 4, "#73777F", 0, None, SCREEN, "#E1E2E8"))
        ops.append(Fill(231, y + 162, 765, 2, "#C3C6CF", SCREEN))
    ops.append(Fill(0, 2274, 1080, 126, PAGE, SCREEN))
    return ops


def picture_screen() -> DisplayList:
    """A wallpaper with 24 discs, icons and shadowed labels: everything blends."""
    ops: list[Op] = [Picture(0, 0, 1080, 2400, "wallpaper/dusk", (0, 0, 0, 0), SCREEN, None)]
    for index in range(24):
        x, y = 97 + 242 * (index % 4), 300 + 262 * (index // 4)
        ops.append(Picture(x, y, 158, 158, "gradient/#33C4A0/#0F8A78", (79,) * 4, SCREEN, None))
        ops.append(Icon(x + 40, y + 40, 79, "calendar-month", "#FFFFFF", SCREEN, None))
        label = row_text(index, 2)
        ops.append(Text(x - 10, y + 205, 160, label, Font(34), "#FFFFFF", SCREEN, None, 0, True))
    return ops


def milliseconds(call: Callable[[], object], times: int) -> float:
    """Median time of a call."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken) * 1000


def profile(ops: DisplayList, size: tuple[int, int], scale: float, tiles: TileCache) -> None:
    """Print the warm time of each kind of operation, painted alone."""
    by_kind: dict[str, list[Op]] = defaultdict(list)
    for op in ops:
        by_kind[type(op).__name__].append(op)
    out = np.empty((size[1], size[0], 3), np.uint8)
    for kind, some in by_kind.items():
        taken = milliseconds(lambda some=some: paint(some, size, scale, out, tiles=tiles), 30)  # type: ignore[misc]
        print(f"    {len(some):3d} x {kind:<8} {taken:6.2f} ms")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", action="store_true", help="also print each kind of operation")
    wanted = parser.parse_args()
    for name, ops in (("list", list_screen()), ("pictures", picture_screen())):
        for size, scale in (((1080, 2400), 1.0), ((360, 800), 1 / 3)):
            tiles = TileCache()
            out = np.empty((size[1], size[0], 3), np.uint8)
            cold = milliseconds(lambda: paint(ops, size, scale, out, tiles=tiles), 1)  # noqa: B023
            warm = milliseconds(lambda: paint(ops, size, scale, out, tiles=tiles), 100)  # noqa: B023
            print(
                f"{name}: {len(ops)} operations, {size[0]}x{size[1]}: cold {cold:.1f} ms, warm {warm:.2f} ms, "
                f"tiles {tiles.nbytes / 1e6:.1f} MB"
            )
            if wanted.profile:
                profile(ops, size, scale, tiles)


if __name__ == "__main__":
    main()
