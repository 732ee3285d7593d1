"""Fresh food: fruit, vegetables, sea food, eggs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from mobile_gym.phone.ui.pictures.drawing import (
    arc,
    dark,
    ground,
    leaf,
    light,
    mirrored,
    oval,
    placed,
    ribbon,
    smooth,
)
from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed, seeded


def _fruit(scene: Scene, color: str) -> None:
    ground(scene, 0.79, 0.36)
    for x, y in ((0.33, 0.62), (0.67, 0.62), (0.5, 0.43)):
        scene.ball(x, y, 0.2, 0.2, mixed(color, "#FFFFFF", 0.45), mixed(color, "#6A2A00", 0.12))
    scene.polygon(leaf(0.5, 0.26, 0.22, 0.06, -0.35), "#5FA349", "#2F6B33")
    scene.ellipse(0.5, 0.275, 0.012, 0.012, "#6B4A22")


def _apples(scene: Scene, color: str) -> None:
    ground(scene, 0.81, 0.36)
    half: list[Point] = [(0.0, -0.15), (-0.1, -0.19), (-0.2, -0.12), (-0.21, 0.02), (-0.14, 0.18), (-0.05, 0.2)]
    outline = smooth(mirrored(half), 5)
    for x, y, turn in ((0.68, 0.6, 0.12), (0.33, 0.61, -0.1), (0.51, 0.46, 0.0)):
        scene.lit(placed(outline, x, y, turn), mixed(color, "#FFE3B0", 0.42), mixed(color, "#2A0A0A", 0.22))
        scene.polygon(placed(oval(0, -0.145, 0.06, 0.02), x, y, turn), mixed(color, "#2A0A0A", 0.4))
        ribbon(scene, placed([(0, -0.14), (0.015, -0.2), (0.035, -0.24)], x, y, turn), 0.016, "#6B4A22")
    scene.polygon(leaf(0.535, 0.26, 0.16, 0.04, -0.3), "#6FB04E", "#2F6B33")


def _pears(scene: Scene, color: str) -> None:
    ground(scene, 0.84, 0.34)
    half: list[Point] = [(0.0, -0.27), (-0.07, -0.24), (-0.09, -0.12), (-0.17, 0.02), (-0.18, 0.15), (-0.09, 0.25)]
    outline = smooth(mirrored(half), 5)
    for x, y, turn in ((0.67, 0.58, 0.22), (0.36, 0.58, -0.14)):
        scene.lit(placed(outline, x, y, turn), mixed(color, "#FFFFFF", 0.42), mixed(color, "#3A2A00", 0.22))
        ribbon(scene, placed([(0, -0.26), (0.01, -0.32), (0.03, -0.36)], x, y, turn), 0.018, "#6B4A22")


def _bananas(scene: Scene, color: str) -> None:
    ground(scene, 0.84, 0.32, 0.54)
    one: list[Point] = [
        (0.0, 0.0), (-0.03, 0.17), (0.03, 0.36), (0.17, 0.5), (0.33, 0.56), (0.36, 0.52), (0.25, 0.42), (0.16, 0.28),
        (0.1, 0.13), (0.05, 0.0),
    ]  # fmt: skip
    outline = smooth(one, 5)
    for turn, tone in ((-0.6, 0.0), (-0.3, 0.12), (0.0, 0.24), (0.3, 0.36)):
        lit, shade = mixed(color, "#FFFFFF", tone + 0.1), mixed(color, "#7A4A00", 0.42 - tone)
        scene.lit(placed(outline, 0.37, 0.2, turn), lit, shade)
        ridge = smooth([(0.03, 0.06), (0.04, 0.2), (0.11, 0.36), (0.27, 0.5)], 4)[: 3 * 4 + 1]
        ribbon(scene, placed(ridge, 0.37, 0.2, turn), 0.006, mixed(color, "#7A4A00", 0.5), 0.5)
        ((x, y),) = placed([(0.345, 0.54)], 0.37, 0.2, turn)
        scene.ellipse(x, y, 0.02, 0.02, "#5A4A22")
    ribbon(scene, [(0.36, 0.08), (0.385, 0.24)], 0.06, "#8A7A2E")


def _mangoes(scene: Scene, color: str) -> None:
    ground(scene, 0.8, 0.36)
    for x, y, turn in ((0.64, 0.62, -0.5), (0.35, 0.62, 0.35), (0.5, 0.44, -0.15)):
        scene.lit(oval(x, y, 0.225, 0.155, turn), mixed(color, "#FFF3C4", 0.5), mixed(color, "#B5402A", 0.35))


def _tomatoes(scene: Scene, color: str) -> None:
    ground(scene, 0.8, 0.36)
    for x, y in ((0.32, 0.62), (0.68, 0.62), (0.5, 0.47)):
        scene.ball(x, y, 0.21, 0.185, mixed(color, "#FFFFFF", 0.45), mixed(color, "#4A0A00", 0.15))
        for petal in range(5):
            angle = 2 * math.pi * petal / 5 - 1.2
            scene.polygon(leaf(x, y - 0.12, 0.085, 0.018, angle), "#5FA349", "#2F6B33")


def _pumpkin(scene: Scene, color: str) -> None:
    ground(scene, 0.83, 0.34)
    for x, rx in ((0.24, 0.14), (0.76, 0.14), (0.34, 0.15), (0.66, 0.15), (0.5, 0.16)):
        scene.ball(x, 0.58, rx, 0.26, mixed(color, "#FFFFFF", 0.35), mixed(color, "#4A2000", 0.28))
    scene.polygon([(0.46, 0.34), (0.44, 0.2), (0.53, 0.18), (0.54, 0.34)], "#8A9A4A", "#4F5F2A")


def _rods(scene: Scene, color: str, thick: float) -> None:
    """Long roots or cucumbers, side by side."""
    ground(scene, 0.78, 0.38)
    for x, y, turn in ((0.5, 0.36, -0.62), (0.56, 0.5, -0.5), (0.45, 0.6, -0.66)):
        half: list[Point] = [(-0.37, 0.0), (-0.3, -thick), (0.0, -thick * 1.05), (0.3, -thick * 0.9)]
        outline = smooth([*half, (0.38, 0.0), *((px, -py) for px, py in reversed(half[1:]))], 5)
        scene.lit(placed(outline, x, y, turn), mixed(color, "#FFFFFF", 0.38), dark(color))
        for step in range(6):
            ((px, py),) = placed([(-0.26 + 0.1 * step, thick * (0.5 if step % 2 else -0.35))], x, y, turn)
            scene.ellipse(px, py, 0.011, 0.006, dark(color), alpha=0.5)


def _tubers(scene: Scene, color: str) -> None:
    """Potatoes and what is as round."""
    ground(scene, 0.79, 0.38)
    chance = seeded(f"tubers {color}")
    for x, y, rx, ry, turn in (
        (0.5, 0.44, 0.19, 0.14, 0.3), (0.28, 0.57, 0.17, 0.14, -0.3), (0.73, 0.56, 0.17, 0.135, 0.5),
        (0.42, 0.67, 0.18, 0.14, 0.1), (0.66, 0.7, 0.15, 0.11, -0.2),
    ):  # fmt: skip
        scene.lit(oval(x, y, rx, ry, turn), mixed(color, "#FFFFFF", 0.38), mixed(color, "#3A2A10", 0.32))
        for _ in range(4):
            px, py = x + (chance.random() - 0.5) * rx * 1.3, y + (chance.random() - 0.5) * ry * 1.3
            scene.ellipse(px, py, 0.012, 0.007, dark(color), alpha=0.5)


def _greens(scene: Scene, color: str) -> None:
    ground(scene, 0.86, 0.26)
    for turn in (-0.62, 0.62, -0.36, 0.36, -0.12, 0.12):
        half: list[Point] = [(-0.028, 0.0), (-0.035, -0.22), (-0.12, -0.36), (-0.13, -0.52), (-0.05, -0.64)]
        blade = smooth(mirrored(half), 4)
        scene.polygon(
            placed(blade, 0.5, 0.84, turn), mixed(color, "#FFFFFF", 0.2 + 0.2 * (0.62 - abs(turn))), dark(color)
        )
        stalk: list[Point] = [
            (-0.05, 0.01),
            (-0.03, -0.26),
            (-0.006, -0.55),
            (0.006, -0.55),
            (0.03, -0.26),
            (0.05, 0.01),
        ]
        scene.polygon(placed(stalk, 0.5, 0.84, turn), mixed(color, "#FFFFFF", 0.6), "#F6F8EC")
    scene.rect(0.41, 0.7, 0.59, 0.73, "#B5342B", radius=0.012)


def _mushrooms(scene: Scene, color: str) -> None:
    ground(scene, 0.81, 0.36)
    for x, y, size in ((0.69, 0.52, 0.8), (0.29, 0.53, 0.84), (0.5, 0.52, 1.0)):
        scene.turned(
            placed([(-0.065, 0.0), (0.065, 0.0), (0.08, 0.24), (0.0, 0.27), (-0.08, 0.24)], x, y, 0, size),
            "#FBF3E2", "#C9B48F",
        )  # fmt: skip
        scene.polygon(placed(oval(0, 0.0, 0.2, 0.055), x, y, 0, size), "#E9DCC0", "#CDB992")
        cap = placed(
            [*arc(0, 0.0, 0.21, 0.22, math.pi, 2 * math.pi), *arc(0, 0.0, 0.21, 0.035, 0, math.pi)], x, y, 0, size
        )
        scene.lit(cap, mixed(color, "#FFFFFF", 0.35), mixed(color, "#15171C", 0.28))


def _punnet(scene: Scene, color: str, size: float = 0.085, dots: bool = False, stalks: bool = False) -> None:
    """Berries in an open box."""
    ground(scene, 0.83, 0.36)
    scene.polygon([(0.16, 0.44), (0.84, 0.44), (0.82, 0.56), (0.18, 0.56)], "#CFE3D6")
    chance = seeded(f"punnet {color}")
    rows = max(round(0.26 / size), 2)
    for row in range(rows):
        y = 0.36 + row * 0.26 / rows
        count = round(0.56 / (size * 1.5))
        for column in range(count):
            x = 0.22 + (column + 0.5 * (row % 2)) * 0.56 / (count - 0.5) + 0.02 * (chance.random() - 0.5)
            scene.ball(
                x, y + 0.02 * chance.random(), size, size, mixed(color, "#FFFFFF", 0.42), mixed(color, "#15000A", 0.25)
            )
            if dots:
                for dx, dy in ((-0.028, 0.0), (0.024, -0.02), (0.012, 0.03)):
                    scene.ellipse(x + dx, y + dy, 0.006, 0.006, "#FBE6A0")
                scene.polygon(leaf(x - 0.04, y - size * 0.8, 0.08, 0.02, 0.1), "#5FA349", "#2F6B33")
            if stalks:
                ribbon(scene, [(x, y - size * 0.8), (x + 0.03, y - size * 1.7)], 0.01, "#6F8A3C")
    scene.polygon([(0.15, 0.54), (0.85, 0.54), (0.8, 0.84), (0.2, 0.84)], "#F2F8F4", "#BFD8CA", alpha=0.86)
    scene.rect(0.14, 0.52, 0.86, 0.56, "#FFFFFF", "#CFE3D6", radius=0.015)


def _shrimps(scene: Scene, color: str) -> None:
    ground(scene, 0.8, 0.36)
    for x, y, turn in ((0.62, 0.58, 0.5), (0.36, 0.6, -0.5), (0.5, 0.42, 0.0)):
        outer = arc(0, 0, 0.2, 0.19, -0.4, 3.5, 18)
        inner = arc(0.015, -0.02, 0.09, 0.09, 3.3, -0.2, 18)
        scene.polygon(placed([*outer, *inner], x, y, turn + math.pi), mixed(color, "#FFFFFF", 0.5), color)
        for step in range(7):
            angle = 0.0 + 0.48 * step
            line = [(0.1 * math.cos(angle), 0.1 * math.sin(angle)), (0.19 * math.cos(angle), 0.18 * math.sin(angle))]
            ribbon(scene, placed(line, x, y, turn + math.pi), 0.009, mixed(color, "#B5341B", 0.45), 0.8)
        for spread in (-0.3, 0.25):
            scene.polygon(
                placed(leaf(0.15, -0.06, 0.13, 0.03, -1.2 + spread), x, y, turn + math.pi), mixed(color, "#B5341B", 0.4)
            )


def _crab(scene: Scene, color: str) -> None:
    ground(scene, 0.78, 0.36)
    for side in (-1, 1):
        for y, reach, drop in ((0.5, 0.42, 0.08), (0.57, 0.43, 0.17), (0.64, 0.38, 0.2)):
            points = [(0.5 + side * 0.2, y), (0.5 + side * (reach - 0.08), y - 0.04), (0.5 + side * reach, y + drop)]
            ribbon(scene, points, 0.035, dark(color))
        ribbon(scene, [(0.5 + side * 0.22, 0.48), (0.5 + side * 0.36, 0.38), (0.5 + side * 0.3, 0.27)], 0.055, color)
        claw: list[Point] = [
            (-0.06, 0.05),
            (-0.085, -0.05),
            (-0.03, -0.15),
            (-0.005, -0.06),
            (0.045, -0.14),
            (0.075, -0.03),
            (0.05, 0.06),
        ]
        scene.lit(placed(smooth(claw, 4), 0.5 + side * 0.3, 0.25, -side * 0.3), light(color), dark(color))
    shell: list[Point] = [
        (0.24, 0.5),
        (0.32, 0.4),
        (0.5, 0.36),
        (0.68, 0.4),
        (0.76, 0.5),
        (0.68, 0.67),
        (0.5, 0.73),
        (0.32, 0.67),
    ]
    scene.lit(smooth(shell, 6), light(color), dark(color))
    for x in (0.44, 0.56):
        scene.ellipse(x, 0.36, 0.025, 0.03, "#22252A")
    for x in (0.38, 0.5, 0.62):
        scene.ellipse(x, 0.56 - 0.5 * (x - 0.5) ** 2, 0.02, 0.014, dark(color), alpha=0.5)


def _shells(scene: Scene, color: str) -> None:
    ground(scene, 0.79, 0.38)
    for x, y, turn in ((0.5, 0.46, 0.0), (0.3, 0.66, -0.3), (0.7, 0.66, 0.3)):
        fan = [(0.0, 0.13), *arc(0, 0, 0.2, 0.16, math.pi - 0.1, 2 * math.pi + 0.1, 20)]
        scene.lit(placed(fan, x, y, turn), mixed(color, "#FFFFFF", 0.6), dark(color))
        for step in range(5):
            angle = math.pi + math.pi * (step + 0.5) / 5
            rib = [(0.0, 0.11), (0.19 * math.cos(angle), 0.15 * math.sin(angle))]
            ribbon(scene, placed(rib, x, y, turn), 0.008, dark(color), 0.45)


def _eggs(scene: Scene, color: str) -> None:
    ground(scene, 0.76, 0.38)
    for x, y in ((0.38, 0.47), (0.6, 0.46), (0.27, 0.6), (0.73, 0.6), (0.5, 0.63)):
        scene.ball(x, y, 0.115, 0.145, mixed(color, "#FFFFFF", 0.6), mixed(color, "#7A4020", 0.15))


def _tray(scene: Scene) -> None:
    ground(scene, 0.8, 0.4)
    scene.rect(0.08, 0.3, 0.92, 0.8, "#F7F8FA", "#C9CFD7", radius=0.07)
    scene.rect(0.12, 0.335, 0.88, 0.755, "#DDE2E8", "#EEF1F4", radius=0.05)


def _film(scene: Scene) -> None:
    """The film over a tray, with the shop's label."""
    scene.polygon([(0.14, 0.34), (0.36, 0.34), (0.24, 0.75), (0.14, 0.75)], "#FFFFFF", alpha=0.22)
    scene.rect(0.66, 0.6, 0.85, 0.73, "#FFFFFF", radius=0.012)
    for y, right in ((0.625, 0.82), (0.66, 0.78), (0.695, 0.8)):
        scene.rect(0.68, y, right, y + 0.014, "#6A707A", radius=0.004)


def _meat(scene: Scene, color: str) -> None:
    _tray(scene)
    slab: list[Point] = [
        (-0.29, 0.02),
        (-0.2, -0.12),
        (0.02, -0.15),
        (0.24, -0.12),
        (0.3, 0.02),
        (0.2, 0.13),
        (-0.05, 0.12),
        (-0.22, 0.14),
    ]
    for x, y, size in ((0.52, 0.46, 0.95), (0.48, 0.6, 1.0)):
        scene.lit(placed(smooth(slab, 5), x, y, 0, size), "#FBEDE2", mixed(color, "#FBEDE2", 0.55))
        scene.lit(placed(smooth(slab, 5), x, y + 0.012, 0, size * 0.9), light(color), mixed(color, "#3A0A0A", 0.15))
        for vein in ((-0.2, -0.02, 0.0, -0.05), (-0.1, 0.06, 0.16, 0.03), (0.04, -0.06, 0.22, -0.03)):
            ax, ay, bx, by = vein
            middle = ((ax + bx) / 2, (ay + by) / 2 - 0.03)
            ribbon(scene, placed([(ax, ay), middle, (bx, by)], x, y, 0, size), 0.014, "#FBEDE2", 0.85)
    _film(scene)


def _fish(scene: Scene, color: str) -> None:
    """Two whole fish on a tray."""
    _tray(scene)
    body: list[Point] = [
        (-0.34, 0.0),
        (-0.24, -0.08),
        (-0.05, -0.11),
        (0.14, -0.075),
        (0.26, -0.02),
        (0.26, 0.025),
        (0.14, 0.075),
        (-0.05, 0.1),
        (-0.24, 0.075),
    ]
    for x, y, turn in ((0.5, 0.45, -0.06), (0.49, 0.62, -0.02)):
        tail: list[Point] = [(0.23, 0.0), (0.36, -0.1), (0.33, 0.0), (0.36, 0.1)]
        scene.polygon(placed(tail, x, y, turn), color, dark(color))
        scene.polygon(placed([(-0.1, -0.09), (0.02, -0.145), (0.12, -0.075)], x, y, turn), dark(color))
        scene.polygon(placed(smooth(body, 5), x, y, turn), mixed(color, "#15171C", 0.22), mixed(color, "#FFFFFF", 0.72))
        ribbon(scene, placed(arc(-0.3, 0.0, 0.11, 0.09, -0.9, 0.9), x, y, turn), 0.008, dark(color), 0.7)
        scene.polygon(placed(leaf(-0.15, 0.02, 0.1, 0.025, 0.35), x, y, turn), dark(color), alpha=0.7)
        ((ex, ey),) = placed([(-0.265, -0.02)], x, y, turn)
        scene.ellipse(ex, ey, 0.02, 0.02, "#F4F0E0")
        scene.ellipse(ex, ey, 0.011, 0.011, "#15171C")
    _film(scene)


def _fillet(scene: Scene, color: str) -> None:
    """Fish without bones, cut."""
    _tray(scene)
    piece: list[Point] = [
        (-0.3, 0.03),
        (-0.22, -0.09),
        (0.1, -0.12),
        (0.29, -0.04),
        (0.28, 0.06),
        (0.05, 0.11),
        (-0.24, 0.1),
    ]
    for x, y in ((0.51, 0.45), (0.49, 0.61)):
        scene.lit(placed(smooth(piece, 5), x, y), mixed(color, "#FFFFFF", 0.5), mixed(color, "#15171C", 0.08))
        for step in range(6):
            at = -0.2 + 0.08 * step
            ribbon(
                scene, placed([(at + 0.03, -0.085), (at - 0.015, 0.0), (at + 0.03, 0.085)], x, y), 0.008, "#FFFFFF", 0.6
            )
    _film(scene)


DRAWN: dict[str, Callable[[Scene, str], None]] = {
    "apples": _apples,
    "bananas": _bananas,
    "berries": partial(_punnet, size=0.055),
    "cherries": partial(_punnet, size=0.075, stalks=True),
    "crab": _crab,
    "cucumbers": partial(_rods, thick=0.062),
    "eggs": _eggs,
    "fish-tray": _fish,
    "fillet-tray": _fillet,
    "fruit": _fruit,
    "greens": _greens,
    "mangoes": _mangoes,
    "meat-tray": _meat,
    "mushrooms": _mushrooms,
    "pears": _pears,
    "pumpkin": _pumpkin,
    "roots": partial(_rods, thick=0.075),
    "shells": _shells,
    "shrimps": _shrimps,
    "strawberries": partial(_punnet, size=0.09, dots=True),
    "tomatoes": _tomatoes,
    "tubers": _tubers,
}
