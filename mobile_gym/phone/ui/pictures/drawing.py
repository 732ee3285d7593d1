"""Pieces that the drawings of goods share: smooth outlines, places and turns, light and dark of a colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed


def light(color: str) -> str:
    """The side of a thing that the light falls on."""
    return mixed(color, "#FFFFFF", 0.35)


def dark(color: str) -> str:
    """The side of a thing that lies in the shade."""
    return mixed(color, "#15171C", 0.35)


def ground(scene: Scene, y: float, width: float, x: float = 0.5, depth: float = 0.1, strength: float = 0.5) -> None:
    """The soft shadow under a thing."""
    scene.glow(x, y, width + 0.07, depth, "#3A3028", strength)


def placed(points: Sequence[Point], x: float, y: float, turn: float = 0.0, size: float = 1.0) -> list[Point]:
    """Points around (0, 0), turned clockwise (radians), scaled and moved to (x, y)."""
    cos, sin = size * math.cos(turn), size * math.sin(turn)
    return [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points]


def mirrored(points: Sequence[Point]) -> list[Point]:
    """An outline's left half, from top to bottom, with its right half: x runs from the middle, leftwards below 0."""
    return [*points, *((-x, y) for x, y in reversed(points))]


def smooth(points: Sequence[Point], steps: int = 6) -> list[Point]:
    """A closed curve through the points."""
    count = len(points)
    found = []
    for at in range(count):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (points[(at + shift) % count] for shift in (-1, 0, 1, 2))
        for step in range(steps):
            t = step / steps
            found.append((_spline(ax, bx, cx, dx, t), _spline(ay, by, cy, dy, t)))
    return found


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


def oval(x: float, y: float, rx: float, ry: float, turn: float = 0.0) -> list[Point]:
    """The outline of an ellipse that is turned clockwise (radians)."""
    around = [2 * math.pi * step / 32 for step in range(32)]
    return placed([(rx * math.cos(angle), ry * math.sin(angle)) for angle in around], x, y, turn)


def ribbon(scene: Scene, points: Sequence[Point], width: float, color: str, alpha: float = 1.0) -> None:
    """A stroke with flat ends: as a polygon it is far cheaper than a line with round joints."""
    upper, lower = [], []
    last = len(points) - 1
    for at, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(at - 1, 0)], points[min(at + 1, last)]
        long = math.hypot(bx - ax, by - ay) or 1.0
        dx, dy = -(by - ay) / long * width / 2, (bx - ax) / long * width / 2
        upper.append((x + dx, y + dy))
        lower.append((x - dx, y - dy))
    scene.polygon([*upper, *reversed(lower)], color, alpha=alpha)


def arc(x: float, y: float, rx: float, ry: float, first: float, last: float, steps: int = 16) -> list[Point]:
    """Points of an ellipse from an angle to another, radians; 0 is right, a quarter turn is down."""
    angles = [first + (last - first) * step / steps for step in range(steps + 1)]
    return [(x + rx * math.cos(angle), y + ry * math.sin(angle)) for angle in angles]


def leaf(x: float, y: float, long: float, wide: float, turn: float) -> list[Point]:
    """The outline of a leaf that grows from (x, y)."""
    steps = [step / 16 for step in range(17)]
    upper = [(along * long, wide * math.sin(math.pi * along)) for along in steps]
    return placed([*upper, *((px, -py) for px, py in reversed(upper))], x, y, turn)


def label(scene: Scene, left: float, top: float, right: float, bottom: float, color: str) -> None:
    """Print on a package: a colour with two lines of type."""
    scene.rect(left, top, right, bottom, color, radius=0.012)
    wide, high = right - left, bottom - top
    for at, share in ((0.34, 0.7), (0.6, 0.46)):
        side = wide * (1 - share) / 2
        y = top + high * at
        scene.rect(left + side, y, right - side, y + high * 0.13, "#FFFFFF", alpha=0.85, radius=0.006)
