"""Wallpapers: layers of sky, light and hills, read from `wallpapers.yaml`."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml

from mobile_gym.phone.ui.pictures.scene import Scene, seeded


@cache
def _table() -> dict[str, list[dict[str, Any]]]:
    text = resources.files("mobile_gym.phone.ui.pictures").joinpath("wallpapers.yaml").read_text(encoding="utf-8")
    table: dict[str, list[dict[str, Any]]] = yaml.safe_load(text)
    return table


def names() -> tuple[str, ...]:
    """Names of all wallpapers, sorted."""
    return tuple(sorted(_table()))


def wallpaper(scene: Scene, name: str) -> None:
    """Draw the wallpaper of a name.

    Raises:
        ValueError: there is none of that name.
    """
    if name not in _table():
        raise ValueError(f"no wallpaper {name!r}; there are {', '.join(names())}")
    for number, layer in enumerate(_table()[name]):
        ((kind, values),) = layer.items()
        if kind == "sky":
            scene.vertical([(float(at), str(color)) for at, color in values])
        elif kind == "glow":
            scene.glow(**values)
        elif kind == "hill":
            scene.hill(**values)
        elif kind == "ellipse":
            scene.ellipse(**values)
        elif kind == "stars":
            _stars(scene, name, **values)
        else:
            raise ValueError(f"wallpapers.yaml: {name}: layer {number + 1} is of unknown kind {kind!r}")


def _stars(scene: Scene, name: str, count: int, lowest: float) -> None:
    chance = seeded(f"stars of {name}")
    for _ in range(count):
        x, y, light = chance.random(), chance.random() * lowest, chance.random()
        scene.glow(x, y, 0.002 + 0.004 * light, 0.002 + 0.004 * light, "#FFFFFF", 0.4 + 0.6 * light)
