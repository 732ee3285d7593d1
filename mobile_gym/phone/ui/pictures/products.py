"""Things for sale, drawn in a soft studio light: a few by hand, every other one from its icon."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mobile_gym.phone.ui.fonts import icon_names
from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed, seeded

_TONES = ("#3B6EA8", "#C2573B", "#3E8E6B", "#8A5AA8", "#C88A2B", "#2F8C9E", "#B84A6B", "#5C6F8A")


def product(scene: Scene, what: str) -> None:
    """`<thing>/#rrggbb`: a thing of `drawn_products()` or a Material Design icon, in that colour.

    Without a colour the digest of the words chooses one; an unknown thing is a parcel.
    """
    thing, _, color = what.partition("/")
    color = color or seeded(f"product {what}").choice(_TONES)
    scene.diagonal(mixed(color, "#FFFFFF", 0.9), mixed(color, "#FFF6EA", 0.7))
    scene.glow(0.5, 0.42, 0.46, 0.46, "#FFFFFF", 0.55)
    if thing in _DRAWN:
        _DRAWN[thing](scene, color)
    else:
        _from_icon(scene, thing if thing in icon_names() else "package-variant-closed", color)


def drawn_products() -> tuple[str, ...]:
    """Names of the things that are drawn by hand, sorted."""
    return tuple(sorted(_DRAWN))


def _light(color: str) -> str:
    return mixed(color, "#FFFFFF", 0.35)


def _dark(color: str) -> str:
    return mixed(color, "#15171C", 0.35)


def _ground(scene: Scene, y: float, width: float) -> None:
    scene.ellipse(0.5, y, width, 0.045, "#3A3028", alpha=0.38, soft=0.03)


def _from_icon(scene: Scene, icon: str, color: str) -> None:
    _ground(scene, 0.8, 0.27)
    scene.icon(icon, 0.508, 0.508, 0.64, mixed(color, "#20242C", 0.45), alpha=0.35)
    scene.icon(icon, 0.5, 0.495, 0.64, _light(color), _dark(color))


def _fruit(scene: Scene, color: str) -> None:
    _ground(scene, 0.79, 0.36)
    for x, y in ((0.33, 0.62), (0.67, 0.62), (0.5, 0.43)):
        scene.ball(x, y, 0.2, 0.2, mixed(color, "#FFFFFF", 0.45), mixed(color, "#6A2A00", 0.12))
    scene.polygon(_leaf(0.5, 0.26, 0.22, 0.06, -0.35), "#5FA349", "#2F6B33")
    scene.ellipse(0.5, 0.275, 0.012, 0.012, "#6B4A22")


def _leaf(x: float, y: float, long: float, wide: float, turn: float) -> list[Point]:
    points = []
    for step in range(33):
        along = step / 16 if step <= 16 else (32 - step) / 16
        across = wide * math.sin(math.pi * along) * (1 if step <= 16 else -1)
        points.append(
            (
                x + along * long * math.cos(turn) - across * math.sin(turn),
                y + along * long * math.sin(turn) + across * math.cos(turn),
            )
        )
    return points


def _eggs(scene: Scene, color: str) -> None:
    _ground(scene, 0.76, 0.38)
    for x, y in ((0.38, 0.47), (0.6, 0.46), (0.27, 0.6), (0.73, 0.6), (0.5, 0.63)):
        scene.ball(x, y, 0.115, 0.145, mixed(color, "#FFFFFF", 0.6), mixed(color, "#7A4020", 0.15))


def _bottle(scene: Scene, color: str) -> None:
    _ground(scene, 0.87, 0.22)
    scene.turned([(0.41, 0.16), (0.59, 0.16), (0.59, 0.24), (0.41, 0.24)], _light(color), _dark(color))
    body: Sequence[Point] = [
        (0.42, 0.24), (0.58, 0.24), (0.6, 0.3), (0.68, 0.42), (0.69, 0.85), (0.67, 0.87), (0.33, 0.87), (0.31, 0.85),
        (0.32, 0.42), (0.4, 0.3),
    ]  # fmt: skip
    scene.turned(body, "#FFFFFF", "#C3CCD8")
    scene.turned([(0.315, 0.5), (0.685, 0.5), (0.688, 0.72), (0.312, 0.72)], _light(color), _dark(color))
    scene.ellipse(0.5, 0.61, 0.08, 0.08, "#FFFFFF", alpha=0.9)


def _thermos(scene: Scene, color: str) -> None:
    _ground(scene, 0.9, 0.24)
    scene.turned(
        [(0.36, 0.12), (0.64, 0.12), (0.65, 0.14), (0.65, 0.25), (0.35, 0.25), (0.35, 0.14)], "#F2F4F6", "#8A9099"
    )
    scene.turned([(0.39, 0.25), (0.61, 0.25), (0.61, 0.29), (0.39, 0.29)], "#7A808A", "#454A52")
    body: Sequence[Point] = [
        (0.37, 0.29), (0.63, 0.29), (0.67, 0.34), (0.67, 0.87), (0.65, 0.9), (0.35, 0.9), (0.33, 0.87), (0.33, 0.34),
    ]  # fmt: skip
    scene.turned(body, _light(color), _dark(color))
    scene.rect(0.33, 0.74, 0.67, 0.765, "#FFFFFF", alpha=0.45)


def _lamp(scene: Scene, color: str) -> None:
    scene.ellipse(0.5, 0.45, 0.39, 0.39, "#FFFFFF", alpha=0.25)
    _ground(scene, 0.88, 0.24)
    scene.turned([(0.475, 0.5), (0.525, 0.5), (0.525, 0.85), (0.475, 0.85)], "#8A7563", "#4A3C32")
    scene.rect(0.33, 0.83, 0.67, 0.88, "#7A6655", "#4A3C32", radius=0.02)
    scene.polygon([(0.36, 0.16), (0.64, 0.16), (0.75, 0.5), (0.25, 0.5)], mixed(color, "#FFE08A", 0.6), "#FFF7DE")
    scene.glow(0.5, 0.45, 0.3, 0.2, "#FFFBEA", 0.7)


def _bag(scene: Scene, color: str) -> None:
    _ground(scene, 0.88, 0.3)
    body: Sequence[Point] = [(0.28, 0.22), (0.72, 0.22), (0.75, 0.4), (0.77, 0.87), (0.23, 0.87), (0.25, 0.4)]
    scene.turned(body, "#FAF1DC", "#C9AE7C")
    scene.turned([(0.275, 0.19), (0.725, 0.19), (0.73, 0.25), (0.27, 0.25)], _light(color), _dark(color))
    scene.ellipse(0.5, 0.55, 0.14, 0.14, color, _dark(color))
    scene.icon("barley", 0.5, 0.55, 0.17, "#FFF6E0")


def _slippers(scene: Scene, color: str) -> None:
    scene.ellipse(0.5, 0.74, 0.42, 0.14, "#3A3028", alpha=0.3, soft=0.05)
    for x, lean in ((0.29, -0.1), (0.71, 0.06)):
        _slipper(scene, x, lean, color)


def _slipper(scene: Scene, x: float, lean: float, color: str) -> None:
    def shape(wide: float, top: float, bottom: float, taper: float) -> list[Point]:
        points = []
        for step in range(49):
            around = 2 * math.pi * step / 48
            y = (top + bottom) / 2 - (bottom - top) / 2 * math.cos(around)
            narrow = 1 - taper * (y - top) / (bottom - top)
            side = wide * narrow * math.copysign(abs(math.sin(around)) ** 0.72, math.sin(around))
            points.append((x + side + lean * (0.5 - y), y))
        return points

    scene.polygon(shape(0.175, 0.15, 0.86, 0.3), "#7A6252", "#5A4638")
    scene.polygon(shape(0.158, 0.17, 0.835, 0.3), "#FFFBF2", mixed(color, "#F3E6D2", 0.8))
    upper = [point for point in shape(0.2, 0.11, 0.92, 0.34) if point[1] < 0.53]
    scene.turned(_sorted_around(upper, x), _light(color), _dark(color))
    scene.line(
        [(x - 0.185 + lean * 0.0, 0.55), (x - 0.08, 0.505), (x + 0.08, 0.505), (x + 0.185, 0.55)], 0.045, "#F7EAE6"
    )


def _sorted_around(points: Sequence[Point], x: float) -> list[Point]:
    """Points of an open outline in one turn around a place above its lower edge."""
    return sorted(points, key=lambda point: math.atan2(point[1] - 0.45, point[0] - x))


_DRAWN: dict[str, Callable[[Scene, str], None]] = {
    "bag": _bag,
    "bottle": _bottle,
    "eggs": _eggs,
    "fruit": _fruit,
    "lamp": _lamp,
    "slippers": _slippers,
    "thermos": _thermos,
}
