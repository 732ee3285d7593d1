"""Things for the garden, for camping and for pets."""

from __future__ import annotations

import math
from collections.abc import Callable

from mobile_gym.phone.ui.pictures.drawing import arc, dark, ground, leaf, light, oval, placed, ribbon, smooth
from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed

_WOOD = "#B5854F"


def _sleeping_bag(scene: Scene, color: str) -> None:
    ground(scene, 0.8, 0.4, depth=0.16)
    half: list[Point] = [
        (0.0, -0.4),
        (-0.12, -0.37),
        (-0.19, -0.25),
        (-0.2, -0.05),
        (-0.16, 0.2),
        (-0.11, 0.38),
        (0.0, 0.42),
    ]
    outline = smooth([*half, *((-x, y) for x, y in reversed(half[1:-1]))], 5)
    turn = 0.5
    scene.lit(placed(outline, 0.5, 0.5, turn), light(color), dark(color))
    for row in range(7):
        y = -0.16 + 0.085 * row
        wide = 0.19 - 0.012 * row
        ribbon(scene, placed([(-wide, y), (0.0, y + 0.02), (wide, y)], 0.5, 0.5, turn), 0.007, dark(color), 0.6)
    scene.polygon(placed(oval(0, -0.27, 0.125, 0.1), 0.5, 0.5, turn), mixed(color, "#15171C", 0.55))
    scene.polygon(placed(oval(0, -0.245, 0.11, 0.075), 0.5, 0.5, turn), "#F4E6CE", "#D3BE98")
    ribbon(scene, placed([(0.1, -0.2), (0.13, 0.05), (0.09, 0.3)], 0.5, 0.5, turn), 0.012, "#F2C14E")


def _hose(scene: Scene, color: str) -> None:
    """A coil of garden hose with its nozzle."""
    ground(scene, 0.84, 0.38)
    for step in range(4):
        y = 0.7 - 0.1 * step
        scene.polygon(oval(0.48, y, 0.36, 0.17), light(color), dark(color))
        scene.polygon(oval(0.48, y - 0.012, 0.335, 0.15), mixed(color, "#FFFFFF", 0.3), mixed(color, "#15171C", 0.12))
    scene.polygon(oval(0.48, 0.385, 0.27, 0.1), mixed(color, "#15171C", 0.62), mixed(color, "#15171C", 0.45))
    ribbon(scene, [(0.78, 0.36), (0.84, 0.26), (0.8, 0.2)], 0.05, color)
    nozzle: list[Point] = [(-0.04, 0.06), (0.04, 0.06), (0.03, -0.06), (0.06, -0.13), (-0.06, -0.13), (-0.03, -0.06)]
    scene.turned(placed(nozzle, 0.77, 0.17, -0.5), "#F2C14E", "#A8741E")


def _planter(scene: Scene, color: str) -> None:
    ground(scene, 0.89, 0.26)
    for turn in (-1.0, -0.6, -0.25, 0.1, 0.45, 0.85):
        blade = leaf(0.0, 0.0, 0.44 - 0.1 * abs(turn), 0.07, turn - math.pi / 2)
        scene.polygon(placed(blade, 0.5, 0.56), mixed("#6FB04E", "#FFFFFF", 0.2 - 0.1 * turn), "#2F6B33")
    scene.turned([(0.27, 0.54), (0.73, 0.54), (0.67, 0.89), (0.33, 0.89)], light(color), dark(color))
    scene.turned([(0.25, 0.49), (0.75, 0.49), (0.75, 0.57), (0.25, 0.57)], mixed(color, "#FFFFFF", 0.45), dark(color))


def _herb_garden(scene: Scene, color: str) -> None:
    """A tray of herbs under a lamp."""
    ground(scene, 0.86, 0.38)
    ribbon(scene, [(0.84, 0.7), (0.84, 0.16)], 0.03, "#C3CAD3")
    scene.rect(0.2, 0.13, 0.87, 0.19, "#FFFFFF", "#C9CFD7", radius=0.025)
    scene.polygon(
        [(0.24, 0.19), (0.8, 0.19), (0.86, 0.66), (0.16, 0.66)], mixed(color, "#FFF3C4", 0.75), "#FFFFFF", alpha=0.4
    )
    for at in range(5):
        x = 0.22 + 0.13 * at
        for turn in (-0.7, -0.25, 0.25, 0.7):
            blade = leaf(0.0, 0.0, 0.2 + 0.03 * (at % 2), 0.035, turn - math.pi / 2)
            scene.polygon(placed(blade, x, 0.66), "#8CC46A", "#3A7A3C")
    scene.rect(0.12, 0.64, 0.88, 0.86, "#FFFFFF", "#C5CCD5", radius=0.04)
    scene.rect(0.12, 0.8, 0.88, 0.86, mixed(color, "#FFFFFF", 0.4), radius=0.03)


def _leash(scene: Scene, color: str) -> None:
    """A leash that rolls up in its handle."""
    ground(scene, 0.82, 0.34, 0.44)
    ribbon(scene, [(0.62, 0.6), (0.78, 0.64), (0.9, 0.8), (0.92, 0.88)], 0.026, dark(color))
    scene.ellipse(0.92, 0.89, 0.035, 0.035, "#E4E8EE", "#8A919B")
    body: list[Point] = [
        (0.2, 0.5),
        (0.26, 0.24),
        (0.46, 0.16),
        (0.64, 0.28),
        (0.68, 0.54),
        (0.56, 0.76),
        (0.36, 0.8),
        (0.23, 0.68),
    ]
    scene.lit(smooth(body, 6), light(color), dark(color))
    hole: list[Point] = [(0.3, 0.32), (0.42, 0.25), (0.54, 0.3), (0.5, 0.4), (0.36, 0.43)]
    scene.polygon(smooth(hole, 5), mixed(color, "#FFFFFF", 0.85))
    scene.ellipse(0.45, 0.59, 0.14, 0.14, "#4A4E55", "#22252A")
    scene.icon("paw", 0.45, 0.59, 0.15, "#FFFFFF")


def _pet_bed(scene: Scene, color: str) -> None:
    ground(scene, 0.76, 0.42, depth=0.14)
    scene.polygon(oval(0.5, 0.6, 0.43, 0.2), light(color), dark(color))
    scene.polygon(oval(0.5, 0.53, 0.42, 0.2), mixed(color, "#FFFFFF", 0.5), mixed(color, "#FFFFFF", 0.1))
    scene.polygon(oval(0.5, 0.54, 0.31, 0.125), dark(color), mixed(color, "#15171C", 0.15))
    scene.polygon(oval(0.5, 0.575, 0.29, 0.095), "#FFF8EC", mixed(color, "#F0E0C4", 0.7))
    scene.icon("paw", 0.5, 0.575, 0.13, mixed(color, "#FFFFFF", 0.3), alpha=0.7)


def _litter_box(scene: Scene, color: str) -> None:
    ground(scene, 0.87, 0.34)
    scene.rect(0.18, 0.74, 0.82, 0.87, "#FFFFFF", "#B4BCC6", radius=0.05)
    scene.ball(0.5, 0.47, 0.36, 0.36, "#FFFFFF", mixed(color, "#B4BCC6", 0.6))
    scene.ellipse(0.5, 0.5, 0.235, 0.235, light(color), dark(color))
    scene.ellipse(0.5, 0.51, 0.2, 0.2, "#3A3F47", "#6A707A")
    scene.polygon([*arc(0.5, 0.51, 0.2, 0.2, 0.35, math.pi - 0.35)], "#E3D3B4", "#C9B48F")
    scene.rect(0.42, 0.79, 0.58, 0.82, mixed(color, "#FFFFFF", 0.3), radius=0.012)


def _bird_feeder(scene: Scene, color: str) -> None:
    ground(scene, 0.88, 0.26)
    ribbon(scene, [(0.5, 0.04), (0.5, 0.16)], 0.016, "#6A707A")
    scene.polygon([(0.3, 0.34), (0.7, 0.34), (0.68, 0.74), (0.32, 0.74)], "#E8F2F6", "#C3D6DE")
    scene.polygon([(0.315, 0.5), (0.685, 0.5), (0.68, 0.74), (0.32, 0.74)], "#D9B26A", "#A87C36")
    scene.ellipse(0.5, 0.45, 0.06, 0.06, "#4A4E55", "#15171C")
    scene.ellipse(0.49, 0.44, 0.018, 0.018, "#9FD4F0")
    scene.polygon([(0.5, 0.12), (0.82, 0.36), (0.18, 0.36)], light(color), dark(color))
    scene.rect(0.2, 0.72, 0.8, 0.79, mixed(_WOOD, "#FFFFFF", 0.25), _WOOD, radius=0.02)
    scene.icon("bird", 0.73, 0.61, 0.24, "#C2573B", "#6A2A1A")


def _hutch(scene: Scene, color: str) -> None:
    ground(scene, 0.88, 0.4)
    for x in (0.17, 0.8):
        scene.rect(x, 0.36, x + 0.045, 0.9, mixed(_WOOD, "#15171C", 0.2))
    scene.rect(0.17, 0.36, 0.845, 0.8, mixed(_WOOD, "#FFFFFF", 0.35), _WOOD)
    scene.rect(0.46, 0.42, 0.8, 0.75, "#5A4632", "#8A6B4A")
    for step in range(8):
        ribbon(scene, [(0.47 + 0.045 * step, 0.42), (0.47 + 0.045 * step, 0.75)], 0.005, "#E4E8EE", 0.8)
    for step in range(7):
        ribbon(scene, [(0.46, 0.45 + 0.045 * step), (0.8, 0.45 + 0.045 * step)], 0.005, "#E4E8EE", 0.8)
    scene.icon("rabbit", 0.64, 0.66, 0.2, "#FFFFFF", "#D5CFC4")
    scene.rect(0.22, 0.42, 0.42, 0.75, mixed(_WOOD, "#15171C", 0.12))
    scene.polygon([*arc(0.32, 0.56, 0.065, 0.07, math.pi, 2 * math.pi), (0.385, 0.75), (0.255, 0.75)], "#4A3826")
    scene.polygon([(0.22, 0.16), (0.8, 0.16), (0.93, 0.38), (0.09, 0.38)], light(color), dark(color))


def _footrest(scene: Scene, color: str) -> None:
    ground(scene, 0.78, 0.4)
    scene.polygon([(0.12, 0.5), (0.8, 0.36), (0.93, 0.76), (0.1, 0.78)], mixed(color, "#15171C", 0.12), dark(color))
    top: list[Point] = [(0.2, 0.4), (0.5, 0.31), (0.8, 0.3), (0.83, 0.38), (0.5, 0.46), (0.12, 0.55), (0.12, 0.48)]
    scene.lit(smooth(top, 5), mixed(color, "#FFFFFF", 0.5), color)
    for row in range(3):
        y = 0.6 + 0.05 * row
        ribbon(scene, [(0.14, y), (0.84, y - 0.09 + 0.03 * row)], 0.006, light(color), 0.5)


def _bike_lights(scene: Scene, color: str) -> None:
    """A white one for the front, a red one for the back."""
    ground(scene, 0.8, 0.36)
    for x, tone, glass in ((0.33, "#2C3036", "#FFF8DC"), (0.71, "#2C3036", "#E0352B")):
        scene.rect(x - 0.05, 0.62, x + 0.05, 0.8, "#54585F", "#22252A", radius=0.02)
        scene.rect(x - 0.17, 0.26, x + 0.17, 0.66, mixed(tone, color, 0.25), "#15171C", radius=0.1)
        scene.ellipse(x, 0.45, 0.125, 0.125, "#E4E8EE", "#8A919B")
        scene.ball(x, 0.45, 0.105, 0.105, "#FFFFFF", glass)
        scene.glow(x, 0.45, 0.2, 0.2, glass, 0.45)


DRAWN: dict[str, Callable[[Scene, str], None]] = {
    "bike-lights": _bike_lights,
    "bird-feeder": _bird_feeder,
    "footrest": _footrest,
    "garden-hose": _hose,
    "herb-garden": _herb_garden,
    "hutch": _hutch,
    "leash": _leash,
    "litter-box": _litter_box,
    "pet-bed": _pet_bed,
    "planter": _planter,
    "sleeping-bag": _sleeping_bag,
}
