"""Draws the curves that `train_ppo.py` wrote as one picture.

python examples/plot_curves.py runs/ppo-grid-seed-0/curve.json runs/ppo-grid-seed-1/curve.json -o curves.png
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#9a6700", "#57606a")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 520, 70, 20, 50, 60


def draw(curves: dict[str, list[dict[str, Any]]], title: str) -> Image.Image:
    """Held-out success over turns, thick, and success in training, thin, of each named run."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(15)
    most = max(row["steps"] for rows in curves.values() for row in rows) or 1

    def at(steps: float, share: float) -> tuple[float, float]:
        across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        return LEFT + across * steps / most, TOP + down * (1.0 - share)

    pen.text((LEFT, 15), title, "black", ImageFont.load_default(18))
    for tenth in range(0, 11, 2):
        share = tenth / 10
        pen.line([at(0, share), at(most, share)], "#d0d7de")
        pen.text((at(0, share)[0] - 10, at(0, share)[1]), f"{10 * tenth} %", "black", font, anchor="rm")
        pen.text(
            (at(most * share, 0)[0], HEIGHT - BOTTOM + 8),
            f"{most * share:,.0f}",
            "black",
            font,
            anchor="rt" if tenth == 10 else "mt",
        )
    pen.text((WIDTH - RIGHT, HEIGHT - 20), "turns", "black", font, anchor="rm")
    for number, (name, rows) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        for key, width in (("train_success", 1), ("held_out_success", 3)):
            points = [at(row["steps"], row[key]) for row in rows if row[key] is not None]
            if len(points) > 1:
                pen.line(points, colour, width)
            if width > 1:
                for x, y in points:
                    pen.ellipse([x - 4, y - 4, x + 4, y + 4], colour)
        down = TOP + 12 + 22 * number
        pen.line([(LEFT + 15, down), (LEFT + 45, down)], colour, 3)
        pen.text((LEFT + 55, down), name, "black", font, anchor="lm")
    return picture


def main(arguments: Sequence[str] | None = None) -> None:
    """Reads the curves and writes the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("curves", nargs="+", type=Path, help="curve.json of runs")
    parser.add_argument("-o", "--output", type=Path, default=Path("curves.png"))
    parser.add_argument("--title", default="Held-out success (thick) and success in training (thin)")
    options = parser.parse_args(arguments)
    curves = {}
    for path in options.curves:
        curve = json.loads(path.read_text(encoding="utf-8"))
        settings = curve["settings"]
        blank = f", blank {settings['blank']}" if settings["blank"] else ""
        curves[f"{settings['actions']}, seed {settings['seed']}{blank}"] = curve["rows"]
    draw(curves, options.title).save(options.output)
    print(options.output)


if __name__ == "__main__":
    main()
