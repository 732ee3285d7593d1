"""Photos: scenes drawn by rule, varied by the digest of their words; `scenes.json` has the words of each scene."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from functools import cache
from importlib import resources

from mobile_gym.phone.ui.pictures import papers
from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed, seeded


@cache
def _words() -> dict[str, list[str]]:
    text = resources.files("mobile_gym.phone.ui.pictures").joinpath("scenes.json").read_text(encoding="utf-8")
    words: dict[str, list[str]] = json.loads(text)
    return words


def photo(scene: Scene, words: str) -> None:
    """Draw the scene that the words name, or one chosen by their digest."""
    chance = seeded(f"photo {words}")
    lower = words.lower()
    latin = set(re.findall("[a-z]+", lower))
    for name, known in _words().items():
        # Latin words stand apart from each other, Chinese ones don't.
        if any(word in latin if word.isascii() else word in lower for word in known):
            _SCENES[name](scene, chance)
            return
    _SCENES[chance.choice(_OUTDOORS)](scene, chance)


def _ridge(chance: random.Random, level: float, swing: float, count: int) -> list[Point]:
    step = 1.4 / count
    points = []
    for index in range(count + 1):
        up = swing if index % 2 else -swing
        points.append((-0.2 + (index + 0.35 * (chance.random() - 0.5)) * step, level - up * (0.5 + chance.random())))
    return points


def _mountain(scene: Scene, chance: random.Random) -> None:
    scene.vertical([(0, "#5F9BD0"), (0.45, "#BFDCEC"), (0.6, "#F1EBDD")])
    scene.glow(0.2 + 0.6 * chance.random(), 0.15, 0.5, 0.5, "#FFFDEB", 0.8)
    _clouds(scene, chance, 3)
    scene.hill(_ridge(chance, 0.42, 0.07, 5), "#E9F0F5", "#7F9BB3", 0.22)
    scene.hill(_ridge(chance, 0.56, 0.05, 7), "#6F8FA6", "#5D7F86", 0.2)
    scene.hill(_ridge(chance, 0.68, 0.03, 4), "#5B8A5E", "#3E6F47", 0.25)
    _trees(scene, chance, 0.74, 9)
    scene.hill(_ridge(chance, 0.85, 0.02, 4), "#7DA65A", "#4E7F3C", 0.2)


def _sea(scene: Scene, chance: random.Random) -> None:
    scene.vertical([(0, "#3E8FD0"), (0.45, "#BCE0EF")])
    _clouds(scene, chance, 4)
    scene.rect(0, 0.46, 1, 0.78, "#3C9BC0", "#56BFC6")
    for _ in range(26):
        x, y = chance.random(), 0.48 + 0.26 * chance.random()
        scene.rect(x, y, x + 0.03 + 0.08 * chance.random(), y + 0.004, "#FFFFFF", alpha=0.35)
    scene.hill([(-0.1, 0.73), (0.3, 0.76), (0.65, 0.71), (1.1, 0.77)], "#FFFFFF", "#F3E6C6", 0.03)
    scene.hill([(-0.1, 0.75), (0.3, 0.785), (0.65, 0.735), (1.1, 0.79)], "#F0DCB0", "#DDBF86", 0.25)
    x = 0.15 + 0.55 * chance.random()
    scene.icon("sail-boat", x, 0.435, 0.12, "#FFFFFF", "#E6EAF0")
    scene.icon("umbrella-beach", 0.75, 0.8, 0.3, "#D9574A", "#8A4A3A")


def _sunset(scene: Scene, chance: random.Random) -> None:
    scene.vertical([(0, "#3B3A6B"), (0.3, "#A2567E"), (0.48, "#F08A5B"), (0.58, "#FBC77A")])
    x = 0.3 + 0.4 * chance.random()
    scene.glow(x, 0.55, 0.6, 0.5, "#FFE9AE", 0.9)
    scene.ellipse(x, 0.545, 0.08, 0.08, "#FFF3CC", "#FFD98A")
    scene.rect(0, 0.6, 1, 1, "#D67B5C", "#3A2F52")
    for step in range(14):
        y = 0.61 + 0.025 * step
        half = 0.05 + 0.012 * step + 0.03 * chance.random()
        scene.rect(x - half, y, x + half, y + 0.008, "#FFE0A0", alpha=0.6 - 0.035 * step)
    scene.hill(_ridge(chance, 0.585, 0.02, 6), "#5B3B5C", "#4A3250", 0.1, alpha=0.0)
    scene.polygon([(0, 0.6), (0, 0.53), (0.12, 0.5), (0.3, 0.57), (0.42, 0.6)], "#4E3458", "#3D2B4A")
    scene.polygon([(1, 0.6), (1, 0.55), (0.9, 0.53), (0.75, 0.58), (0.68, 0.6)], "#553859", "#3D2B4A")


def _forest(scene: Scene, chance: random.Random) -> None:
    scene.vertical([(0, "#DCEBD2"), (0.6, "#A9CBA0"), (1, "#5E8A52")])
    scene.glow(0.6, 0.2, 0.6, 0.6, "#FFFFE6", 0.9)
    for layer in range(3):
        tone = mixed("#A8C9A0", "#24442A", 0.25 + 0.35 * layer)
        for _ in range(7 - layer):
            x, wide = chance.random(), 0.012 + 0.016 * layer
            scene.polygon([(x, 0), (x + wide, 0), (x + wide * 1.4, 0.9), (x - wide * 0.4, 0.9)], tone)
        for _ in range(8):
            radius = 0.08 + 0.1 * chance.random()
            scene.ellipse(chance.random(), 0.22 * chance.random(), radius, radius * 0.7, tone, alpha=0.55, soft=0.006)
    scene.hill(_ridge(chance, 0.82, 0.02, 4), "#6E9E55", "#355E33", 0.2)
    scene.polygon([(0.42, 0.83), (0.52, 0.83), (0.8, 1), (0.2, 1)], "#C9B084", "#A58C60")


def _flower(scene: Scene, chance: random.Random) -> None:
    scene.vertical([(0, "#A9C98B"), (1, "#4F7F45")])
    for _ in range(18):
        radius = 0.05 + 0.14 * chance.random()
        tone = chance.choice(("#7FB069", "#C7DFA0", "#5B8F4F", "#E8F0C0", "#3F7A45"))
        scene.ellipse(chance.random(), chance.random(), radius, radius, tone, alpha=0.35, soft=0.03)
    tint = chance.choice(("#E8628C", "#F2A63B", "#B86BD1", "#E5484D", "#F4F0E6", "#F27BA5"))
    spots = ((0.5, 0.46, 0.3), (0.17, 0.76, 0.17), (0.85, 0.78, 0.15))
    for x, y, size in spots[: chance.randint(1, 3)]:
        scene.line([(x, y), (x + 0.03, y + 0.3), (x - 0.02, 1.05)], 0.018, "#3F7A3C")
        scene.ellipse(x + 0.1 * size / 0.3, min(0.97, y + 0.33), 0.09, 0.035, "#5FA353", "#3B7A3A")
        _blossom(scene, x, y, size, tint, chance.randint(6, 9))


def _blossom(scene: Scene, x: float, y: float, size: float, tint: str, petals: int) -> None:
    aspect = scene.w / scene.h
    for ring, (reach, wide) in enumerate(((1.0, 0.36), (0.66, 0.26))):
        tone = mixed(tint, "#FFFFFF", 0.25 * ring)
        for petal in range(petals):
            angle = 2 * math.pi * (petal + 0.5 * ring) / petals
            points = []
            for step in range(25):
                around = 2 * math.pi * step / 24
                along = reach * size * (0.5 + 0.5 * math.cos(around))
                across = wide * size * math.sin(around) * (0.55 + 0.45 * math.cos(around / 2) ** 2)
                points.append(
                    (
                        x + along * math.cos(angle) - across * math.sin(angle),
                        y + (along * math.sin(angle) + across * math.cos(angle)) * aspect,
                    )
                )
            scene.polygon(points, mixed(tone, "#FFFFFF", 0.2), mixed(tone, "#5A1030", 0.18))
    scene.ellipse(x, y, size * 0.17, size * 0.17, "#F9D65C", "#C98A1E")


def _food(scene: Scene, chance: random.Random) -> None:
    wood = chance.choice(("#A9774B", "#8C6A4F", "#C9B79C", "#6F5544"))
    scene.diagonal(mixed(wood, "#FFFFFF", 0.2), mixed(wood, "#000000", 0.2))
    for step in range(5):
        scene.line([(0, 0.2 * step + 0.1), (1, 0.2 * step + 0.09)], 0.004, mixed(wood, "#000000", 0.3), 0.6)
    scene.ellipse(0.52, 0.55, 0.4, 0.4, "#000000", alpha=0.35, soft=0.02)
    scene.ellipse(0.5, 0.5, 0.4, 0.4, "#FFFFFF", "#E3E3E0")
    scene.ellipse(0.5, 0.5, 0.32, 0.32, "#ECECE8", "#FAFAF8")
    sauce = chance.choice(("#B5482A", "#8A4B22", "#C9862B", "#6F7F35"))
    scene.ellipse(0.5, 0.505, 0.27, 0.26, mixed(sauce, "#FFFFFF", 0.1), mixed(sauce, "#000000", 0.25))
    aspect = scene.w / scene.h
    for _ in range(34):
        angle, reach = 2 * math.pi * chance.random(), 0.22 * math.sqrt(chance.random())
        x, y = 0.5 + reach * math.cos(angle), 0.5 + reach * math.sin(angle) * aspect
        tone = chance.choice(("#E8A33D", "#D95B35", "#6FA544", "#F1D9A7", "#9C4A2A", "#F0C75E"))
        radius = 0.022 + 0.03 * chance.random()
        scene.ellipse(x, y + 0.008, radius, radius * 0.8, "#2A1408", alpha=0.3, soft=0.004)
        scene.ellipse(x, y, radius, radius * 0.8, mixed(tone, "#FFFFFF", 0.2), mixed(tone, "#000000", 0.2))
    scene.line([(0.93, 0.1), (0.97, 0.9)], 0.014, "#3B2A20")
    scene.line([(0.965, 0.1), (0.985, 0.9)], 0.014, "#4A3628")


def _street(scene: Scene, chance: random.Random) -> None:
    scene.vertical([(0, "#8FBCE0"), (0.5, "#DCEAF0"), (0.7, "#EFE6D8")])
    _clouds(scene, chance, 2)
    for layer, (low, tone) in enumerate(((0.3, "#B9C6D2"), (0.4, "#A9A39B"))):
        x = -0.05
        while x < 1.02:
            wide, top = 0.1 + 0.12 * chance.random(), low + 0.12 * chance.random() + 0.05 * layer
            wall = mixed(tone, chance.choice(("#C9704F", "#E3CFA8", "#7F93A8", "#D9B08C")), 0.3 + 0.3 * layer)
            scene.rect(x, top, x + wide, 0.78, mixed(wall, "#FFFFFF", 0.12), wall)
            for row in range(int((0.76 - top) / 0.055)):
                for column in range(max(1, int(wide / 0.045))):
                    left, up = x + 0.014 + 0.043 * column, top + 0.022 + 0.055 * row
                    glass = "#FCE9B5" if chance.random() < 0.15 else "#5F7488"
                    scene.rect(left, up, min(left + 0.022, x + wide - 0.006), up + 0.03, glass, alpha=0.8)
            x += wide + 0.006
    scene.polygon([(0, 0.78), (1, 0.78), (1, 1), (0, 1)], "#C9C4BA", "#B0ABA2")
    scene.polygon([(0.3, 0.78), (0.7, 0.78), (1.15, 1), (-0.15, 1)], "#6B6F76", "#4F535A")
    for step in range(3):
        y, half = 0.81 + 0.07 * step, 0.008 + 0.006 * step
        scene.polygon(
            [(0.5 - half, y), (0.5 + half, y), (0.503 + half, y + 0.035), (0.497 - half, y + 0.035)], "#F3F0E4"
        )
    scene.icon("tree", 0.12, 0.7, 0.28, "#5F9A52", "#37683A")
    scene.icon("tree", 0.9, 0.68, 0.32, "#6BA65A", "#3C6F3C")
    scene.icon("car-side", 0.68, 0.86, 0.17, "#D9483B", "#A33027")


def _room(scene: Scene, chance: random.Random) -> None:
    wall = chance.choice(("#E6DCCB", "#D5DFE2", "#E8D8D0", "#DDE3D2"))
    scene.vertical([(0, mixed(wall, "#FFFFFF", 0.3)), (0.72, wall)])
    scene.rect(0, 0.72, 1, 1, "#B98A5E", "#94673F")
    scene.rect(0.1, 0.1, 0.46, 0.48, "#FFFFFF", radius=0.008)
    scene.rect(0.12, 0.12, 0.44, 0.46, "#9CCBEA", "#DDEFF3")
    scene.line([(0.28, 0.12), (0.28, 0.46)], 0.01, "#FFFFFF")
    scene.glow(0.3, 0.35, 0.6, 0.6, "#FFF8E0", 0.45)
    scene.ellipse(0.55, 0.9, 0.42, 0.06, "#C9776A", "#A9564E", alpha=0.8)
    scene.icon("sofa", 0.6, 0.7, 0.5, chance.choice(("#5F86A8", "#7A9A6B", "#B5705A")), "#3E4F60")
    scene.icon("floor-lamp", 0.9, 0.57, 0.5, "#E0B55A", "#5A4632")
    scene.icon("flower-tulip", 0.2, 0.62, 0.2, "#D9577B", "#4E8A4A")


def _pet(scene: Scene, chance: random.Random) -> None:
    ground = chance.choice(("#DDE8CF", "#EADFD0", "#D9E3EE", "#F0E0E0"))
    scene.diagonal(mixed(ground, "#FFFFFF", 0.4), mixed(ground, "#6A6A60", 0.25))
    scene.ellipse(0.5, 0.84, 0.42, 0.1, mixed(ground, "#A0522D", 0.35), soft=0.006)
    scene.ellipse(0.5, 0.8, 0.27, 0.045, "#000000", alpha=0.3, soft=0.02)
    fur = chance.choice(("#C98A4B", "#8A8F99", "#4A4644", "#D9A866"))
    scene.icon(chance.choice(("cat", "dog-side", "rabbit")), 0.5, 0.52, 0.62, mixed(fur, "#FFFFFF", 0.2), fur)
    scene.glow(0.3, 0.2, 0.6, 0.6, "#FFFFFF", 0.3)


def _document(scene: Scene, chance: random.Random) -> None:
    papers.document(scene, str(chance.random()))


def _clouds(scene: Scene, chance: random.Random, count: int) -> None:
    for _ in range(count):
        x, y = chance.random(), 0.06 + 0.22 * chance.random()
        for puff in range(4):
            radius = 0.04 + 0.05 * chance.random()
            scene.ellipse(
                x + 0.06 * (puff - 1.5),
                y - 0.01 * chance.random(),
                radius,
                radius * 0.5,
                "#FFFFFF",
                alpha=0.5,
                soft=0.012,
            )


def _trees(scene: Scene, chance: random.Random, level: float, count: int) -> None:
    for _ in range(count):
        size = 0.09 + 0.07 * chance.random()
        tone = chance.choice(("#3F6F45", "#4B7F4A", "#35613F"))
        scene.icon(
            "pine-tree", chance.random(), level + 0.05 * chance.random(), size, tone, mixed(tone, "#000000", 0.25)
        )


_SCENES: dict[str, Callable[[Scene, random.Random], None]] = {
    "document": _document,
    "flower": _flower,
    "food": _food,
    "forest": _forest,
    "mountain": _mountain,
    "pet": _pet,
    "room": _room,
    "sea": _sea,
    "street": _street,
    "sunset": _sunset,
}
_OUTDOORS = ("flower", "forest", "mountain", "sea", "street", "sunset")
