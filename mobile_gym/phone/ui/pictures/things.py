"""Discs of apps, covers, and the picture of a broken file."""

from __future__ import annotations

from mobile_gym.phone.ui.pictures.scene import Scene, mixed, seeded

_COVERS = ("#3B6EA8", "#C2573B", "#3E8E6B", "#8A5AA8", "#C88A2B", "#2F8C9E", "#B84A6B", "#5C6F8A")


def gradient(scene: Scene, what: str) -> None:
    """`#rrggbb/#rrggbb`: the first colour at the top left, the second at the bottom right."""
    first, slash, second = what.partition("/")
    if not slash:
        raise ValueError(f"gradient/{what}: expected gradient/#rrggbb/#rrggbb")
    scene.diagonal(first, second)


def fall(scene: Scene, what: str) -> None:
    """`#rrggbb/#rrggbb`: the first colour at the top, the second at the bottom."""
    first, slash, second = what.partition("/")
    if not slash:
        raise ValueError(f"fall/{what}: expected fall/#rrggbb/#rrggbb")
    scene.vertical([(0, first), (1, second)])


def cover(scene: Scene, what: str) -> None:
    """An abstract cover: a deep gradient with a few large translucent discs and waves, by the words' digest."""
    chance = seeded(f"cover {what}")
    color = chance.choice(_COVERS)
    second = chance.choice(_COVERS)
    scene.diagonal(mixed(color, "#FFFFFF", 0.12), mixed(second, "#10131A", 0.45))
    for _ in range(chance.randint(3, 5)):
        radius = 0.12 + 0.3 * chance.random()
        tone = mixed(second, "#FFFFFF", 0.3 + 0.5 * chance.random())
        scene.ellipse(chance.random(), chance.random(), radius, radius, tone, color, alpha=0.25 + 0.2 * chance.random())
    level = 0.6 + 0.2 * chance.random()
    points = [(-0.2 + 0.35 * step, level + 0.08 * (chance.random() - 0.5)) for step in range(5)]
    scene.hill(points, mixed(second, "#FFFFFF", 0.35), mixed(color, "#10131A", 0.4), depth=0.4, alpha=0.75)


def broken(scene: Scene) -> None:
    """The grey picture that stands for a file that is missing or no image."""
    scene.vertical([(0, "#E1E2E8"), (1, "#E1E2E8")])
    scene.icon("image-broken-variant", 0.5, 0.5, 0.4, "#8D9199")
