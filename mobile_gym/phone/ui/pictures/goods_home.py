"""Things for the house: vessels, lamps, textiles, packs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from mobile_gym.phone.ui.pictures.drawing import arc, dark, ground, label, light, oval, ribbon, smooth
from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed

_STEEL, _STEEL_DARK = "#F2F4F6", "#8A9099"


def _thermos(scene: Scene, color: str) -> None:
    ground(scene, 0.9, 0.24)
    scene.turned(
        [(0.36, 0.12), (0.64, 0.12), (0.65, 0.14), (0.65, 0.25), (0.35, 0.25), (0.35, 0.14)], _STEEL, _STEEL_DARK
    )
    scene.turned([(0.39, 0.25), (0.61, 0.25), (0.61, 0.29), (0.39, 0.29)], "#7A808A", "#454A52")
    body: list[Point] = [
        (0.37, 0.29), (0.63, 0.29), (0.67, 0.34), (0.67, 0.87), (0.65, 0.9), (0.35, 0.9), (0.33, 0.87), (0.33, 0.34),
    ]  # fmt: skip
    scene.turned(body, light(color), dark(color))
    scene.rect(0.33, 0.74, 0.67, 0.765, "#FFFFFF", alpha=0.45)


def _flask(scene: Scene, color: str) -> None:
    """A slim bottle with a loop to carry it by."""
    ground(scene, 0.91, 0.2)
    ribbon(scene, arc(0.5, 0.16, 0.1, 0.085, math.pi, 2 * math.pi), 0.026, dark(color))
    scene.turned([(0.4, 0.15), (0.6, 0.15), (0.605, 0.26), (0.395, 0.26)], "#54585F", "#26292E")
    body: list[Point] = [
        (0.41, 0.26), (0.59, 0.26), (0.635, 0.36), (0.64, 0.88), (0.62, 0.91), (0.38, 0.91), (0.36, 0.88),
        (0.365, 0.36),
    ]  # fmt: skip
    scene.turned(body, light(color), dark(color))
    scene.rect(0.36, 0.84, 0.64, 0.865, _STEEL, alpha=0.5)
    scene.ellipse(0.5, 0.58, 0.05, 0.05, "#FFFFFF", alpha=0.8)


def _tumbler(scene: Scene, color: str) -> None:
    """A wide cup with a lid and a handle."""
    ground(scene, 0.89, 0.24, 0.47)
    ribbon(scene, arc(0.67, 0.5, 0.15, 0.17, -math.pi / 2, math.pi / 2), 0.05, dark(color))
    scene.turned(
        [(0.27, 0.32), (0.67, 0.32), (0.61, 0.87), (0.59, 0.89), (0.35, 0.89), (0.33, 0.87)], light(color), dark(color)
    )
    scene.turned([(0.335, 0.83), (0.607, 0.83), (0.59, 0.89), (0.35, 0.89)], _STEEL, _STEEL_DARK)
    scene.turned([(0.255, 0.25), (0.685, 0.25), (0.68, 0.33), (0.26, 0.33)], "#61666E", "#2C3036")
    scene.turned([(0.3, 0.2), (0.64, 0.2), (0.65, 0.25), (0.29, 0.25)], "#7A808A", "#3A3E45")
    scene.turned([(0.535, 0.06), (0.57, 0.06), (0.57, 0.21), (0.535, 0.21)], "#E4E8EE", "#9AA3B0")


def _jug(scene: Scene, color: str) -> None:
    """A vacuum jug for a table: spout and handle."""
    ground(scene, 0.89, 0.26)
    ribbon(scene, [(0.62, 0.3), (0.78, 0.3), (0.8, 0.36), (0.76, 0.62), (0.66, 0.66)], 0.052, "#3A3E45")
    scene.polygon([(0.38, 0.22), (0.24, 0.27), (0.3, 0.35), (0.4, 0.36)], "#6A707A", "#3A3E45")
    body: list[Point] = [
        (0.4, 0.3), (0.6, 0.3), (0.68, 0.46), (0.7, 0.84), (0.67, 0.89), (0.33, 0.89), (0.3, 0.84), (0.32, 0.46),
    ]  # fmt: skip
    scene.turned(body, light(color), dark(color))
    scene.turned([(0.39, 0.2), (0.61, 0.2), (0.62, 0.31), (0.38, 0.31)], "#6A707A", "#33373D")
    scene.turned([(0.45, 0.13), (0.55, 0.13), (0.57, 0.2), (0.43, 0.2)], _STEEL, _STEEL_DARK)


def _lamp(scene: Scene, color: str) -> None:
    scene.ellipse(0.5, 0.45, 0.39, 0.39, "#FFFFFF", alpha=0.25)
    ground(scene, 0.88, 0.24)
    scene.turned([(0.475, 0.5), (0.525, 0.5), (0.525, 0.85), (0.475, 0.85)], "#8A7563", "#4A3C32")
    scene.rect(0.33, 0.83, 0.67, 0.88, "#7A6655", "#4A3C32", radius=0.02)
    scene.polygon([(0.36, 0.16), (0.64, 0.16), (0.75, 0.5), (0.25, 0.5)], mixed(color, "#FFE08A", 0.6), "#FFF7DE")
    scene.glow(0.5, 0.45, 0.3, 0.2, "#FFFBEA", 0.7)


def _floor_lamp(scene: Scene, color: str) -> None:
    ground(scene, 0.9, 0.26)
    for x in (0.3, 0.7, 0.47):
        ribbon(scene, [(0.5, 0.4), (x, 0.9)], 0.022, "#8A6B4A")
    scene.polygon(
        [(0.38, 0.1), (0.62, 0.1), (0.68, 0.4), (0.32, 0.4)], mixed(color, "#FFFFFF", 0.3), mixed(color, "#FFF3D0", 0.7)
    )
    scene.glow(0.5, 0.38, 0.26, 0.14, "#FFF6D6", 0.7)


def _desk_lamp(scene: Scene, color: str) -> None:
    ground(scene, 0.88, 0.24, 0.4)
    scene.glow(0.78, 0.56, 0.24, 0.3, "#FFF3C4", 0.75)
    ribbon(scene, [(0.4, 0.86), (0.3, 0.54), (0.56, 0.26)], 0.03, dark(color))
    scene.rect(0.24, 0.84, 0.56, 0.885, light(color), dark(color), radius=0.022)
    scene.ellipse(0.3, 0.54, 0.03, 0.03, light(color), dark(color))
    scene.polygon([(0.5, 0.2), (0.6, 0.16), (0.84, 0.37), (0.64, 0.5)], light(color), dark(color))
    scene.polygon(oval(0.74, 0.435, 0.12, 0.03, -0.58), "#FFF6D6", "#FFE79A")


def _pan(scene: Scene, color: str) -> None:
    """A frying pan from above."""
    scene.glow(0.46, 0.6, 0.42, 0.4, "#3A3028", 0.45)
    ribbon(scene, [(0.62, 0.66), (0.94, 0.93)], 0.075, "#2E2A28")
    ribbon(scene, [(0.68, 0.7), (0.9, 0.885)], 0.03, "#6B5A4A")
    scene.ball(0.43, 0.46, 0.33, 0.33, light(color), dark(color))
    scene.ellipse(0.43, 0.46, 0.3, 0.3, mixed(color, "#15171C", 0.5), mixed(color, "#15171C", 0.2))
    scene.ellipse(0.43, 0.465, 0.235, 0.235, mixed(color, "#15171C", 0.32), mixed(color, "#FFFFFF", 0.06))
    scene.glow(0.35, 0.36, 0.14, 0.1, "#FFFFFF", 0.22)


def _pot(scene: Scene, color: str, knob: str = "#2E2A28") -> None:
    """A pot with two handles and its lid."""
    ground(scene, 0.81, 0.34)
    for side in (-1, 1):
        ribbon(
            scene,
            arc(0.5 + side * 0.33, 0.5, 0.065, 0.05, -math.pi / 2, -math.pi / 2 + side * math.pi, 10),
            0.034,
            dark(color),
        )
    body: list[Point] = [(0.17, 0.44), (0.83, 0.44), (0.82, 0.74), (0.77, 0.81), (0.23, 0.81), (0.18, 0.74)]
    scene.turned(body, light(color), dark(color))
    lid = [(0.16, 0.44), *arc(0.5, 0.43, 0.33, 0.16, math.pi, 2 * math.pi), (0.84, 0.44)]
    scene.turned(lid, mixed(color, "#FFFFFF", 0.5), mixed(color, "#15171C", 0.24))
    scene.turned([(0.155, 0.425), (0.845, 0.425), (0.845, 0.46), (0.155, 0.46)], light(color), dark(color))
    scene.rect(0.455, 0.2, 0.545, 0.255, mixed(knob, "#FFFFFF", 0.3), knob, radius=0.02)
    scene.rect(0.483, 0.245, 0.517, 0.285, knob)


def _folds(scene: Scene, color: str, layers: int, top: float) -> None:
    """Folded textiles one on another, the fold to the front."""
    ground(scene, 0.83, 0.36)
    high = (0.82 - top) / layers
    for layer in range(layers):
        bottom = 0.82 - layer * high
        tone = mixed(color, "#FFFFFF", (0.5, 0.1, 0.32, 0.2)[layer % 4])
        shift = (0.0, 0.014, -0.01, 0.006)[layer % 4]
        left, right, upper = 0.17 + shift, 0.83 + shift, bottom - high
        scene.rect(
            left, upper, right, bottom, mixed(tone, "#FFFFFF", 0.35), mixed(tone, "#15171C", 0.22), radius=high * 0.42
        )
        ribbon(
            scene,
            [(left + high * 0.5, bottom - high * 0.36), (right - 0.02, bottom - high * 0.36)],
            0.007,
            dark(tone),
            0.4,
        )
        ribbon(
            scene,
            [(left + high * 0.36, bottom - high * 0.68), (right - 0.02, bottom - high * 0.68)],
            0.005,
            "#FFFFFF",
            0.5,
        )


def _towels(scene: Scene, color: str) -> None:
    _folds(scene, color, 4, 0.26)
    for row in range(4):
        y = 0.82 - row * 0.14
        scene.rect(0.63, y - 0.135, 0.65, y - 0.006, "#FFFFFF", alpha=0.4)
        scene.rect(0.665, y - 0.135, 0.675, y - 0.006, "#FFFFFF", alpha=0.4)


def _quilt(scene: Scene, color: str) -> None:
    _folds(scene, color, 2, 0.36)
    for row in (0.42, 0.65):
        for column in range(5):
            x = 0.26 + 0.12 * column
            ribbon(scene, [(x, row), (x + 0.05, row + 0.13)], 0.006, dark(color), 0.28)
            ribbon(scene, [(x + 0.05, row), (x, row + 0.13)], 0.006, dark(color), 0.28)


def _pillow(scene: Scene, color: str) -> None:
    ground(scene, 0.74, 0.38)
    outline: list[Point] = [
        (0.12, 0.28), (0.3, 0.32), (0.5, 0.3), (0.7, 0.32), (0.88, 0.28), (0.86, 0.5), (0.89, 0.74), (0.7, 0.72),
        (0.5, 0.745), (0.3, 0.72), (0.11, 0.74), (0.14, 0.5),
    ]  # fmt: skip
    scene.lit(smooth(outline, 6), mixed(color, "#FFFFFF", 0.75), mixed(color, "#15171C", 0.12))
    scene.glow(0.5, 0.5, 0.28, 0.17, mixed(color, "#15171C", 0.2), 0.25)
    for x, y in ((0.2, 0.36), (0.8, 0.36), (0.2, 0.66), (0.8, 0.66)):
        ribbon(scene, [(x, y), (0.5 + (x - 0.5) * 0.72, 0.51 + (y - 0.51) * 0.6)], 0.008, dark(color), 0.25)


def _mat(scene: Scene, color: str) -> None:
    """An exercise mat, rolled up but for its end."""
    ground(scene, 0.74, 0.4)
    scene.polygon([(0.3, 0.7), (0.96, 0.7), (0.9, 0.8), (0.22, 0.8)], light(color), mixed(color, "#15171C", 0.1))
    scene.polygon([(0.22, 0.8), (0.9, 0.8), (0.9, 0.822), (0.22, 0.822)], dark(color))
    roll: list[Point] = [(0.26, 0.36), (0.86, 0.36), (0.86, 0.78), (0.26, 0.78)]
    scene.polygon(roll, mixed(color, "#FFFFFF", 0.42), mixed(color, "#15171C", 0.42))
    scene.polygon(oval(0.86, 0.57, 0.07, 0.21), mixed(color, "#15171C", 0.3), mixed(color, "#15171C", 0.46))
    scene.polygon(oval(0.26, 0.57, 0.09, 0.21), mixed(color, "#FFFFFF", 0.3), mixed(color, "#15171C", 0.12))
    turns = []
    for step in range(64):
        angle, reach = step * 0.33, 1 - step / 70
        turns.append((0.26 + 0.085 * reach * math.cos(angle), 0.57 + 0.2 * reach * math.sin(angle)))
    ribbon(scene, turns, 0.012, dark(color), 0.8)
    for x in (0.45, 0.68):
        scene.rect(x, 0.358, x + 0.035, 0.782, "#33363B", "#15171C", alpha=0.85)


def _pack(scene: Scene, color: str) -> None:
    """A soft pack with a strap, such as tissues come in."""
    ground(scene, 0.83, 0.37)
    ribbon(scene, arc(0.5, 0.28, 0.2, 0.05, math.pi, 2 * math.pi), 0.022, mixed(color, "#FFFFFF", 0.6))
    outline: list[Point] = [
        (0.13, 0.3), (0.5, 0.265), (0.87, 0.3), (0.885, 0.55), (0.87, 0.8), (0.5, 0.835), (0.13, 0.8), (0.115, 0.55),
    ]  # fmt: skip
    scene.lit(smooth(outline, 5), "#FFFFFF", mixed(color, "#D5D9DF", 0.6))
    scene.polygon([(0.125, 0.62), (0.88, 0.5), (0.875, 0.79), (0.5, 0.82), (0.125, 0.79)], light(color), color)
    for x in (0.31, 0.5, 0.69):
        ribbon(scene, [(x, 0.29), (x, 0.81)], 0.006, dark(color), 0.22)
    label(scene, 0.3, 0.37, 0.7, 0.54, color)


def _tin(scene: Scene, color: str) -> None:
    """A tin of powder."""
    ground(scene, 0.86, 0.28)
    scene.turned([(0.28, 0.24), (0.72, 0.24), (0.72, 0.86), (0.28, 0.86)], mixed(color, "#FFFFFF", 0.5), dark(color))
    scene.turned([(0.28, 0.4), (0.72, 0.4), (0.72, 0.74), (0.28, 0.74)], "#FFFFFF", "#CED4DB")
    label(scene, 0.35, 0.46, 0.65, 0.6, color)
    scene.ellipse(0.5, 0.67, 0.04, 0.03, mixed(color, "#FFFFFF", 0.2))
    for y in (0.84, 0.24):
        scene.turned([(0.272, y), (0.728, y), (0.728, y + 0.025), (0.272, y + 0.025)], _STEEL, _STEEL_DARK)
    scene.turned([(0.265, 0.14), (0.735, 0.14), (0.735, 0.24), (0.265, 0.24)], "#FFFFFF", mixed(color, "#A8B0BA", 0.5))


def _cans(scene: Scene, color: str) -> None:
    """Low tins in a pyramid."""
    ground(scene, 0.85, 0.4)
    for x, y in ((0.3, 0.62), (0.7, 0.62), (0.5, 0.36)):
        scene.turned(
            [(x - 0.18, y), (x + 0.18, y), (x + 0.18, y + 0.21), (x - 0.18, y + 0.21)], light(color), dark(color)
        )
        scene.rect(x - 0.09, y + 0.06, x + 0.09, y + 0.16, "#FFFFFF", radius=0.02, alpha=0.9)
        scene.icon("fish", x, y + 0.11, 0.1, color)
        for edge in (0.0, 0.2):
            scene.turned(
                [
                    (x - 0.185, y + edge),
                    (x + 0.185, y + edge),
                    (x + 0.185, y + edge + 0.022),
                    (x - 0.185, y + edge + 0.022),
                ],
                _STEEL,
                _STEEL_DARK,
            )


DRAWN: dict[str, Callable[[Scene, str], None]] = {
    "cans": _cans,
    "desk-lamp-lit": _desk_lamp,
    "dutch-oven": partial(_pot, knob="#C9A15A"),
    "exercise-mat": _mat,
    "flask": _flask,
    "floor-lamp-lit": _floor_lamp,
    "frying-pan": _pan,
    "lamp": _lamp,
    "pillow": _pillow,
    "quilt": _quilt,
    "soft-pack": _pack,
    "stock-pot": _pot,
    "thermos": _thermos,
    "tin": _tin,
    "towels": _towels,
    "tumbler": _tumbler,
    "vacuum-jug": _jug,
}
