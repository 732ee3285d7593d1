"""Food and drink in packages: bottles, bags, pouches, cups."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mobile_gym.phone.ui.pictures.drawing import dark, ground, label, leaf, light, oval, placed, ribbon, smooth
from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed, seeded

Contents = Callable[[Scene, str, float, float], None]


def _bottle(scene: Scene, color: str) -> None:
    ground(scene, 0.87, 0.22)
    scene.turned([(0.41, 0.16), (0.59, 0.16), (0.59, 0.24), (0.41, 0.24)], light(color), dark(color))
    body: list[Point] = [
        (0.42, 0.24), (0.58, 0.24), (0.6, 0.3), (0.68, 0.42), (0.69, 0.85), (0.67, 0.87), (0.33, 0.87), (0.31, 0.85),
        (0.32, 0.42), (0.4, 0.3),
    ]  # fmt: skip
    scene.turned(body, "#FFFFFF", "#C3CCD8")
    scene.turned([(0.315, 0.5), (0.685, 0.5), (0.688, 0.72), (0.312, 0.72)], light(color), dark(color))
    scene.ellipse(0.5, 0.61, 0.08, 0.08, "#FFFFFF", alpha=0.9)


def _sauce(scene: Scene, color: str) -> None:
    """A slim bottle of dark glass: soy sauce, vinegar."""
    ground(scene, 0.9, 0.18)
    scene.turned([(0.45, 0.08), (0.55, 0.08), (0.555, 0.17), (0.445, 0.17)], "#E8564A", "#8E1F1A")
    body: list[Point] = [
        (0.45, 0.17), (0.55, 0.17), (0.555, 0.28), (0.62, 0.38), (0.63, 0.88), (0.61, 0.9), (0.39, 0.9), (0.37, 0.88),
        (0.38, 0.38), (0.445, 0.28),
    ]  # fmt: skip
    scene.turned(body, mixed(color, "#FFFFFF", 0.28), mixed(color, "#0A0605", 0.5))
    scene.turned([(0.372, 0.5), (0.628, 0.5), (0.63, 0.78), (0.37, 0.78)], "#FFF8E8", "#D9C8A0")
    label(scene, 0.41, 0.55, 0.59, 0.67, "#B5342B")
    scene.rect(0.43, 0.71, 0.57, 0.725, "#8A6B4A", radius=0.006)


def _oil(scene: Scene, color: str) -> None:
    """A large bottle of cooking oil with its handle."""
    ground(scene, 0.9, 0.25)
    scene.turned([(0.42, 0.08), (0.56, 0.08), (0.565, 0.16), (0.415, 0.16)], "#F0584A", "#9E2A20")
    body: list[Point] = [
        (0.43, 0.16), (0.55, 0.16), (0.57, 0.22), (0.68, 0.3), (0.715, 0.42), (0.715, 0.87), (0.69, 0.9), (0.31, 0.9),
        (0.285, 0.87), (0.285, 0.42), (0.32, 0.3), (0.41, 0.22),
    ]  # fmt: skip
    scene.turned(smooth(body, 2), mixed(color, "#FFF6D0", 0.5), mixed(color, "#6A3A00", 0.3))
    hole = smooth([(0.585, 0.3), (0.645, 0.34), (0.655, 0.46), (0.6, 0.46)], 4)
    scene.polygon(hole, mixed(color, "#FFFFFF", 0.82), mixed(color, "#FFFFFF", 0.7))
    scene.turned([(0.285, 0.52), (0.715, 0.52), (0.715, 0.8), (0.285, 0.8)], "#FFFBEF", "#E3D3A8")
    label(scene, 0.34, 0.56, 0.66, 0.68, "#C2352B")
    scene.ellipse(0.5, 0.74, 0.05, 0.03, color)


def _bag(scene: Scene, color: str) -> None:
    ground(scene, 0.88, 0.3)
    body: list[Point] = [(0.28, 0.22), (0.72, 0.22), (0.75, 0.4), (0.77, 0.87), (0.23, 0.87), (0.25, 0.4)]
    scene.turned(body, "#FAF1DC", "#C9AE7C")
    scene.turned([(0.275, 0.19), (0.725, 0.19), (0.73, 0.25), (0.27, 0.25)], light(color), dark(color))
    scene.ellipse(0.5, 0.55, 0.14, 0.14, color, dark(color))
    scene.icon("barley", 0.5, 0.55, 0.17, "#FFF6E0")


def _sack(scene: Scene, color: str) -> None:
    """A woven sack of flour: a stitched top, a band of print."""
    ground(scene, 0.88, 0.32)
    body: list[Point] = [
        (0.3, 0.17), (0.7, 0.17), (0.76, 0.3), (0.785, 0.6), (0.77, 0.84), (0.7, 0.885), (0.3, 0.885), (0.23, 0.84),
        (0.215, 0.6), (0.24, 0.3),
    ]  # fmt: skip
    scene.turned(smooth(body, 4), "#FFFFFF", "#C5C9D2")
    ribbon(scene, [(0.29, 0.21), (0.71, 0.21)], 0.012, color)
    scene.turned([(0.218, 0.48), (0.783, 0.48), (0.783, 0.72), (0.218, 0.72)], light(color), dark(color))
    label(scene, 0.32, 0.51, 0.68, 0.69, color)
    scene.icon("barley", 0.5, 0.37, 0.18, color)


def _noodles(scene: Scene, color: str) -> None:
    """Dried noodles in bundles with a paper band."""
    ground(scene, 0.82, 0.34)
    for x, y, turn in ((0.62, 0.52, 0.22), (0.42, 0.54, -0.16)):
        scene.lit(
            placed([(-0.12, -0.36), (0.12, -0.36), (0.12, 0.3), (-0.12, 0.3)], x, y, turn),
            mixed(color, "#FFFFFF", 0.72),
            color,
        )
        for strand in range(8):
            at = -0.1 + 0.0285 * strand
            ribbon(scene, placed([(at, -0.36), (at, 0.3)], x, y, turn), 0.005, mixed(color, "#6A4A20", 0.4), 0.55)
        scene.lit(placed([(-0.13, -0.1), (0.13, -0.1), (0.13, 0.1), (-0.13, 0.1)], x, y, turn), "#D9584A", "#9E2F26")
        scene.lit(
            placed([(-0.07, -0.05), (0.07, -0.05), (0.07, 0.05), (-0.07, 0.05)], x, y, turn), "#FFF8E8", "#F0DFBC"
        )


def _yogurt(scene: Scene, color: str) -> None:
    ground(scene, 0.84, 0.36)
    for x, y in ((0.69, 0.34), (0.33, 0.38)):
        scene.turned([(x - 0.17, y), (x + 0.17, y), (x + 0.13, y + 0.46), (x - 0.13, y + 0.46)], "#FFFFFF", "#CBD2DC")
        scene.turned(
            [(x - 0.155, y + 0.14), (x + 0.155, y + 0.14), (x + 0.14, y + 0.36), (x - 0.14, y + 0.36)],
            light(color),
            dark(color),
        )
        label(scene, x - 0.09, y + 0.18, x + 0.09, y + 0.3, color)
        scene.ellipse(x, y, 0.18, 0.045, "#F4F6F9", "#C3CAD4")


def _pieces(scene: Scene, color: str, rx: float, ry: float) -> None:
    """Nuts, dates, cuts: many of one kind, one on another."""
    chance = seeded(f"pieces {color} {rx}")
    for row in range(5):
        for column in range(5):
            x = 0.335 + 0.082 * column + 0.03 * (chance.random() - 0.5)
            y = 0.545 + 0.058 * row + 0.02 * (chance.random() - 0.5)
            turn = 3 * chance.random()
            tone = mixed(color, "#FFFFFF", 0.14 * chance.random())
            scene.lit(oval(x, y, rx, ry, turn), mixed(tone, "#FFFFFF", 0.4), mixed(tone, "#15171C", 0.32))


def _curls(scene: Scene, color: str, rx: float, ry: float) -> None:
    """Wood ear and other dried things: thin, curled, with a paler inside."""
    chance = seeded(f"curls {color}")
    outline: list[Point] = [
        (-rx, 0.0), (-rx * 0.5, -ry), (rx * 0.4, -ry * 0.8), (rx, 0.1 * ry), (rx * 0.3, ry * 0.5), (-rx * 0.3, ry),
    ]  # fmt: skip
    ear = smooth(outline, 3)
    lit, shade = mixed(color, "#FFFFFF", 0.34), mixed(color, "#0A0605", 0.35)
    inside, deep = mixed(color, "#B59A80", 0.5), mixed(color, "#B59A80", 0.2)
    for row in range(4):
        for column in range(4):
            x = 0.365 + 0.09 * column + 0.03 * (chance.random() - 0.5)
            y = 0.555 + 0.07 * row + 0.03 * (chance.random() - 0.5)
            turn = 6 * chance.random()
            scene.lit(placed(ear, x, y, turn), lit, shade)
            scene.polygon(placed(ear, x, y, turn, 0.5), inside, deep, alpha=0.8)


def _leaves(scene: Scene, color: str, rx: float, ry: float) -> None:
    chance = seeded(f"leaves {color}")
    for _ in range(30):
        x, y = 0.36 + 0.28 * chance.random(), 0.55 + 0.23 * chance.random()
        tone = mixed(color, "#FFFFFF", 0.35 * chance.random())
        scene.polygon(placed(leaf(-rx, 0, 2 * rx, ry, 0), x, y, 6 * chance.random()), tone, dark(color))


def _pouch(scene: Scene, color: str, contents: Contents = _pieces, size: tuple[float, float] = (0.05, 0.04)) -> None:
    """A standing pouch of paper; a window shows what is in it."""
    ground(scene, 0.88, 0.32)
    body: list[Point] = [
        (0.25, 0.13), (0.75, 0.13), (0.765, 0.4), (0.79, 0.84), (0.74, 0.88), (0.26, 0.88), (0.21, 0.84), (0.235, 0.4),
    ]  # fmt: skip
    scene.turned(body, "#E9CFA4", "#A9814C")
    scene.rect(0.25, 0.13, 0.75, 0.19, "#D3B37F", "#B8945C")
    ribbon(scene, [(0.25, 0.205), (0.75, 0.205)], 0.006, "#8F6C3E", 0.7)
    label(scene, 0.33, 0.26, 0.67, 0.42, mixed(color, "#15171C", 0.25))
    scene.rect(0.275, 0.475, 0.725, 0.84, "#F3E6CC", mixed(color, "#F3E6CC", 0.5), radius=0.05)
    contents(scene, color, *size)
    scene.polygon([(0.3, 0.5), (0.4, 0.49), (0.33, 0.82), (0.3, 0.8)], "#FFFFFF", alpha=0.18)


DRAWN: dict[str, Callable[[Scene, str], None]] = {
    "bag": _bag,
    "bottle": _bottle,
    "dried-fruit": partial(_pouch, size=(0.05, 0.034)),
    "dried-mushrooms": partial(_pouch, contents=_curls, size=(0.072, 0.053)),
    "dried-sea-food": partial(_pouch, size=(0.046, 0.04)),
    "flour": _sack,
    "noodle-bundles": _noodles,
    "nuts": partial(_pouch, size=(0.046, 0.036)),
    "oil-bottle": _oil,
    "sauce-bottle": _sauce,
    "tea-leaves": partial(_pouch, contents=_leaves, size=(0.055, 0.012)),
    "yogurt": _yogurt,
}
