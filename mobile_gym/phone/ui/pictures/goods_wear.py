"""Things to wear."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from mobile_gym.phone.ui.pictures.drawing import arc, dark, ground, light, mirrored, oval, placed, ribbon, smooth
from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed

Place = Callable[[list[Point]], list[Point]]
_WIDE, _EDGE, _SAG = 0.2, 0.37, 0.075
"""Of a slipper: half its width, where its upper ends in the middle, and how much lower at the sides."""


def _half(y: float) -> float:
    """Half the width of a slipper's upper at a distance from its toe."""
    share = min(max(1 - y / (_EDGE + _SAG), 0.0), 1.0)
    return float(_WIDE * (1 - share**2.6) ** (1 / 2.6))


def _across(y: float, sag: float, reach: float = 1.0) -> list[Point]:
    """A line over the upper, from side to side."""
    found = []
    for step in range(17):
        u = reach * (step / 8 - 1)
        at = y + sag * u * u
        found.append((u * _half(at), at))
    return found


def _plain(scene: Scene, place: Place, color: str) -> None:
    pass


def _stripes(scene: Scene, place: Place, color: str) -> None:
    for y in (0.2, 0.275):
        ribbon(scene, place(_across(y, 0.06)), 0.024, "#FFFFFF", alpha=0.62)


def _patch(scene: Scene, place: Place, color: str) -> None:
    corners = [(-0.066, 0.165), (0.066, 0.165), (0.066, 0.255), (-0.066, 0.255)]
    scene.polygon(place(corners), "#FFF8EC", mixed(color, "#FFF8EC", 0.82))
    inner = [(x * 0.8, 0.21 + (y - 0.21) * 0.76) for x, y in corners]
    for first, second in pairwise([*inner, inner[0]]):
        ribbon(scene, place([first, second]), 0.005, mixed(color, "#FFFFFF", 0.35))


def _flowers(scene: Scene, place: Place, color: str) -> None:
    for x, y, size in ((-0.075, 0.2, 0.036), (0.06, 0.15, 0.036), (0.02, 0.265, 0.04)):
        for petal in range(5):
            angle = 2 * math.pi * (petal + 0.3) / 5
            ((px, py),) = place([(x + size * 0.8 * math.cos(angle), y + size * 0.8 * math.sin(angle))])
            scene.ellipse(px, py, size * 0.62, size * 0.62, "#FFFFFF", alpha=0.92)
        ((px, py),) = place([(x, y)])
        scene.ellipse(px, py, size * 0.5, size * 0.5, "#F2C14E")


def _checks(scene: Scene, place: Place, color: str) -> None:
    tone = mixed(color, "#FFFFFF", 0.55)
    for y in (0.1, 0.18, 0.26, 0.34):
        ribbon(scene, place(_across(y, 0.05)), 0.014, tone, alpha=0.6)
    for share in (-0.66, -0.22, 0.22, 0.66):
        steps = [0.05 + 0.03 * step for step in range(12)]
        ribbon(scene, place([(share * _half(y), y) for y in steps]), 0.014, tone, alpha=0.6)


def _slippers(
    scene: Scene, color: str, pattern: Callable[[Scene, Place, str], None] = _plain, fluffy: bool = False
) -> None:
    ground(scene, 0.72, 0.42, depth=0.22, strength=0.32)
    for x, turn in ((0.285, -0.16), (0.725, 0.11)):

        def place(points: list[Point], x: float = x, turn: float = turn) -> list[Point]:
            return placed([(px, py - 0.36) for px, py in points], x, 0.475, turn)

        half_sole: list[Point] = [
            (-0.15, 0.34), (-0.172, 0.42), (-0.155, 0.56), (-0.13, 0.7), (-0.095, 0.748), (-0.04, 0.765),
        ]  # fmt: skip
        sole = smooth(mirrored(half_sole), 5)
        scene.polygon(place(sole), "#7A6252", "#5A4638")
        inner = [(px * 0.9, 0.34 + (py - 0.34) * 0.966) for px, py in sole]
        scene.polygon(place(inner), "#FFFDF8", mixed(color, "#F3E6D2", 0.82))
        edge = _across(_EDGE, _SAG)
        top = [(side * _half(y), y) for side, ys in ((1, range(24, -1, -1)), (-1, range(1, 25)))
               for y in ((_EDGE + _SAG) * (step / 24) ** 2.2 for step in ys)]  # fmt: skip
        scene.lit(place([*edge, *top]), mixed(color, "#FFFFFF", 0.24), mixed(color, "#15171C", 0.26))
        pattern(scene, place, color)
        trim = mixed(color, "#FFF9F4", 0.88)
        if fluffy:
            for px, py in place(_across(_EDGE + 0.005, _SAG))[::2]:
                scene.ellipse(px, py, 0.037, 0.034, "#FFFDFA", trim)
        else:
            ribbon(scene, place(_across(_EDGE + 0.01, _SAG)), 0.05, trim)


def _slides(scene: Scene, color: str) -> None:
    ground(scene, 0.72, 0.42, depth=0.22, strength=0.32)
    for x, turn in ((0.285, -0.12), (0.715, 0.1)):
        half: list[Point] = [
            (-0.05, -0.36), (-0.14, -0.31), (-0.175, -0.18), (-0.165, 0.0), (-0.14, 0.2), (-0.12, 0.31), (-0.05, 0.365),
        ]  # fmt: skip
        sole = smooth(mirrored(half), 4)
        scene.polygon(placed(sole, x, 0.5, turn), dark(color))
        scene.polygon(placed(sole, x, 0.49, turn, 0.92), mixed(color, "#FFFFFF", 0.5), mixed(color, "#FFFFFF", 0.28))
        for row in range(6):
            y = 0.08 + 0.045 * row
            ribbon(scene, placed([(-0.09 + 0.004 * row, y), (0.09 - 0.004 * row, y)], x, 0.49, turn), 0.009, color, 0.5)
        strap: list[Point] = [
            (-0.2, -0.17), (-0.11, -0.235), (0.0, -0.25), (0.11, -0.235), (0.2, -0.17), (0.205, -0.02), (0.11, -0.075),
            (0.0, -0.09), (-0.11, -0.075), (-0.205, -0.02),
        ]  # fmt: skip
        scene.lit(placed(smooth(strap, 4), x, 0.5, turn), light(color), mixed(color, "#15171C", 0.2))
        for hole in (-0.09, 0.0, 0.09):
            ((hx, hy),) = placed([(hole, -0.155 + hole * hole)], x, 0.5, turn)
            scene.ellipse(hx, hy, 0.014, 0.014, dark(color), alpha=0.7)


def _socks(scene: Scene, color: str) -> None:
    ground(scene, 0.86, 0.34, 0.47)
    sock: list[Point] = [
        (-0.1, -0.36), (0.1, -0.36), (0.1, 0.0), (0.09, 0.12), (0.0, 0.28), (-0.12, 0.38), (-0.24, 0.37),
        (-0.27, 0.27), (-0.2, 0.18), (-0.11, 0.08), (-0.1, -0.05),
    ]  # fmt: skip
    for x, y, turn, tone in ((0.68, 0.46, 0.16, mixed(color, "#15171C", 0.18)), (0.47, 0.47, -0.02, color)):
        outline = [(px, py) for px, py in smooth(sock, 5)]
        scene.lit(placed(outline, x, y, turn), light(tone), dark(tone))
        scene.polygon(placed(oval(-0.21, 0.3, 0.075, 0.085, 0.5), x, y, turn), mixed(tone, "#FFFFFF", 0.45), alpha=0.7)
        scene.polygon(placed(oval(0.055, 0.11, 0.06, 0.08, 0.6), x, y, turn), mixed(tone, "#FFFFFF", 0.45), alpha=0.55)
        cuff: list[Point] = [(-0.108, -0.375), (0.108, -0.375), (0.106, -0.25), (-0.106, -0.25)]
        scene.polygon(placed(cuff, x, y, turn), mixed(tone, "#FFFFFF", 0.28), mixed(tone, "#FFFFFF", 0.1))
        for rib in range(7):
            at = -0.09 + 0.03 * rib
            ribbon(scene, placed([(at, -0.37), (at, -0.255)], x, y, turn), 0.004, dark(tone), 0.35)


def _top(scene: Scene, color: str, neck: list[Point], long: float = 0.0) -> None:
    """Body and sleeves of what is worn above, lying flat; `neck` is the left half of its opening, from the middle."""
    ground(scene, 0.87, 0.3)
    for side in (-1, 1):
        sleeve: list[Point] = [
            (0.5 + side * 0.2, 0.2), (0.5 + side * 0.3, 0.26), (0.5 + side * 0.385, 0.66 + long),
            (0.5 + side * 0.28, 0.69 + long), (0.5 + side * 0.2, 0.42),
        ]  # fmt: skip
        scene.lit(sleeve, mixed(color, "#FFFFFF", 0.16), dark(color))
        cuff: list[Point] = [
            (0.5 + side * 0.379, 0.63 + long), (0.5 + side * 0.386, 0.67 + long), (0.5 + side * 0.278, 0.7 + long),
            (0.5 + side * 0.274, 0.66 + long),
        ]  # fmt: skip
        scene.polygon(cuff, mixed(color, "#15171C", 0.3))
    left = [(0.5 + x, y) for x, y in neck]
    right = [(1 - x, y) for x, y in left]
    body: list[Point] = [
        *left, (0.29, 0.2), (0.265, 0.4), (0.28, 0.86), (0.72, 0.86), (0.735, 0.4), (0.71, 0.2), *reversed(right),
    ]  # fmt: skip
    scene.lit(body, light(color), mixed(color, "#15171C", 0.2))
    scene.polygon([(0.28, 0.83), (0.72, 0.83), (0.72, 0.865), (0.28, 0.865)], mixed(color, "#15171C", 0.28))


def _jacket(scene: Scene, color: str) -> None:
    _top(scene, color, [(0.0, 0.2), (-0.09, 0.17)])
    for side in (-1, 1):
        collar: list[Point] = [
            (0.5, 0.27), (0.5 + side * 0.12, 0.2), (0.5 + side * 0.1, 0.125), (0.5 + side * 0.02, 0.155), (0.5, 0.2),
        ]  # fmt: skip
        scene.polygon(collar, mixed(color, "#15171C", 0.12), mixed(color, "#15171C", 0.34))
        pocket = [
            (0.5 + side * 0.09, 0.64),
            (0.5 + side * 0.17, 0.6),
            (0.5 + side * 0.175, 0.62),
            (0.5 + side * 0.095, 0.66),
        ]
        scene.polygon(pocket, mixed(color, "#15171C", 0.45))
    ribbon(scene, [(0.5, 0.2), (0.5, 0.86)], 0.016, mixed(color, "#15171C", 0.5))
    ribbon(scene, [(0.5, 0.2), (0.5, 0.86)], 0.005, "#D9DCE2")
    scene.rect(0.492, 0.3, 0.508, 0.345, "#E8EAEE", radius=0.006)


def _cardigan(scene: Scene, color: str) -> None:
    _top(scene, color, [(0.0, 0.48), (-0.1, 0.17)])
    scene.polygon([(0.4, 0.17), (0.6, 0.17), (0.5, 0.475)], mixed(color, "#15171C", 0.5), mixed(color, "#15171C", 0.3))
    edge = mixed(color, "#FFFFFF", 0.18)
    ribbon(scene, [(0.4, 0.17), (0.5, 0.48)], 0.036, edge)
    ribbon(scene, [(0.5, 0.46), (0.5, 0.86)], 0.036, edge)
    ribbon(scene, [(0.6, 0.17), (0.5, 0.47)], 0.036, edge)
    for row in range(9):
        y = 0.3 + 0.06 * row
        ribbon(scene, [(0.275, y), (0.725, y)], 0.004, dark(color), 0.16)
    for row in range(5):
        scene.ellipse(0.5, 0.51 + 0.08 * row, 0.015, 0.015, "#F7EEDD", "#C9B48F")


def _underwear(scene: Scene, color: str) -> None:
    """A top with long sleeves over trousers that lie folded."""
    ground(scene, 0.88, 0.32)
    scene.rect(0.3, 0.56, 0.88, 0.88, mixed(color, "#FFFFFF", 0.2), dark(color), radius=0.03)
    ribbon(scene, [(0.32, 0.72), (0.86, 0.72)], 0.006, dark(color), 0.6)
    _top(scene, color, [(0.0, 0.225), (-0.05, 0.215), (-0.09, 0.17)], -0.02)
    ribbon(scene, arc(0.5, 0.165, 0.09, 0.062, 0, math.pi), 0.022, mixed(color, "#15171C", 0.3))
    for rib in range(14):
        x = 0.3 + 0.031 * rib
        ribbon(scene, [(x, 0.26), (x, 0.83)], 0.004, "#FFFFFF", 0.13)


def _hat(scene: Scene, color: str) -> None:
    """A warm hat with flaps over the ears."""
    ground(scene, 0.85, 0.3)
    fleece = mixed(color, "#FFF6EA", 0.82)
    for side in (-1, 1):
        flap: list[Point] = [
            (0.5 + side * 0.3, 0.5), (0.5 + side * 0.33, 0.64), (0.5 + side * 0.28, 0.8), (0.5 + side * 0.2, 0.83),
            (0.5 + side * 0.15, 0.7), (0.5 + side * 0.16, 0.54),
        ]  # fmt: skip
        scene.lit(smooth(flap, 5), light(color), dark(color))
    crown: list[Point] = [(-0.08, 0.14), (-0.22, 0.22), (-0.29, 0.38), (-0.3, 0.56), (-0.1, 0.6)]
    scene.lit([(0.5 + x, y) for x, y in smooth(mirrored(crown), 5)], light(color), dark(color))
    ribbon(scene, [(0.5, 0.14), (0.5, 0.5)], 0.006, dark(color), 0.6)
    for step in range(11):
        x = 0.5 + 0.3 * (step / 5 - 1)
        scene.ball(x, 0.55 + 0.03 * (1 - (step / 5 - 1) ** 2), 0.055, 0.075, "#FFFDF8", fleece)


def _scarf(scene: Scene, color: str) -> None:
    ground(scene, 0.86, 0.33)
    for x, y, tone in ((0.4, 0.9, mixed(color, "#15171C", 0.16)), (0.6, 0.83, color)):
        for thread in range(9):
            at = x - 0.105 + 0.026 * thread
            ribbon(scene, [(at, y - 0.06), (at + 0.004, y)], 0.009, mixed(tone, "#FFFFFF", 0.2))
        scene.lit(
            [(x - 0.115, 0.32), (x + 0.115, 0.32), (x + 0.12, y - 0.05), (x - 0.115, y - 0.05)], light(tone), dark(tone)
        )
        for row in (0.13, 0.17):
            ribbon(scene, [(x - 0.115, y - row), (x + 0.119, y - row)], 0.014, "#FFFFFF", 0.5)
    loop: list[Point] = [
        (0.5, 0.14), (0.7, 0.18), (0.78, 0.3), (0.7, 0.42), (0.5, 0.46), (0.3, 0.42), (0.22, 0.3), (0.3, 0.18),
    ]  # fmt: skip
    scene.lit(smooth(loop, 5), mixed(color, "#FFFFFF", 0.4), dark(color))
    scene.polygon(oval(0.5, 0.24, 0.16, 0.055), mixed(color, "#15171C", 0.6), mixed(color, "#15171C", 0.4))
    for fold in (0.04, 0.09):
        ribbon(scene, arc(0.5, 0.27, 0.2 + fold, 0.07 + fold, 0.5, math.pi - 0.5), 0.007, dark(color), 0.5)


def _sneakers(scene: Scene, color: str) -> None:
    shoe: list[Point] = [
        (-0.36, -0.13), (-0.3, -0.17), (-0.2, -0.16), (-0.12, -0.1), (0.02, -0.03), (0.2, 0.0), (0.33, 0.04),
        (0.38, 0.12), (0.3, 0.16), (-0.34, 0.16), (-0.37, 0.0),
    ]  # fmt: skip
    ground(scene, 0.8, 0.38, 0.52)
    for x, y, tone in ((0.56, 0.48, mixed(color, "#15171C", 0.22)), (0.47, 0.64, color)):
        scene.lit(placed(smooth(shoe, 5), x, y), light(tone), dark(tone))
        scene.rect(x - 0.38, y + 0.11, x + 0.39, y + 0.185, "#FFFFFF", "#D5D9E0", radius=0.035)
        scene.polygon(placed(oval(-0.25, -0.145, 0.1, 0.03, 0.12), x, y), mixed(tone, "#15171C", 0.6))
        for lace in range(4):
            at = -0.1 + 0.06 * lace
            ribbon(
                scene,
                placed([(at, -0.1 + 0.036 * lace), (at + 0.055, -0.02 + 0.03 * lace)], x, y),
                0.017,
                "#FFFFFF",
                0.9,
            )
        ribbon(scene, placed([(-0.3, 0.06), (-0.14, 0.0), (0.06, 0.09)], x, y), 0.026, "#FFFFFF", 0.55)


def _cloth_shoes(scene: Scene, color: str) -> None:
    ground(scene, 0.74, 0.4, depth=0.2, strength=0.32)
    for x, turn in ((0.3, -0.1), (0.7, 0.1)):
        half: list[Point] = [
            (-0.06, -0.37), (-0.14, -0.29), (-0.165, -0.14), (-0.15, 0.06), (-0.135, 0.26), (-0.09, 0.36),
            (-0.03, 0.38),
        ]  # fmt: skip
        outline = smooth(mirrored(half), 4)
        scene.polygon(placed(outline, x, 0.505, turn, 1.05), "#F6F1E6", "#CFC6B4")
        scene.lit(placed(outline, x, 0.5, turn), light(color), dark(color))
        opening: list[Point] = [(-0.03, -0.11), (-0.1, -0.04), (-0.105, 0.12), (-0.09, 0.26), (-0.04, 0.315)]
        inside = smooth(mirrored(opening), 4)
        scene.polygon(placed(inside, x, 0.5, turn, 1.07), mixed(color, "#15171C", 0.4))
        scene.polygon(placed(inside, x, 0.5, turn), "#F4EAD6", "#DDCBAA")


DRAWN: dict[str, Callable[[Scene, str], None]] = {
    "cardigan": _cardigan,
    "cloth-shoes": _cloth_shoes,
    "hat": _hat,
    "jacket": _jacket,
    "scarf": _scarf,
    "slides": _slides,
    "slippers": _slippers,
    "slippers-checked": partial(_slippers, pattern=_checks),
    "slippers-flowered": partial(_slippers, pattern=_flowers, fluffy=True),
    "slippers-patched": partial(_slippers, pattern=_patch),
    "slippers-striped": partial(_slippers, pattern=_stripes),
    "sneakers": _sneakers,
    "socks": _socks,
    "underwear": _underwear,
}
