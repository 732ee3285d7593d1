"""Things for sale, drawn in a soft studio light: many by hand, every other one from its icon."""

from __future__ import annotations

from collections.abc import Callable

from mobile_gym.phone.ui.fonts import icon_names
from mobile_gym.phone.ui.pictures import (
    goods_devices,
    goods_fresh,
    goods_home,
    goods_outdoor,
    goods_packed,
    goods_wear,
)
from mobile_gym.phone.ui.pictures.drawing import dark, ground, light
from mobile_gym.phone.ui.pictures.scene import Scene, mixed, seeded

_TONES = ("#3B6EA8", "#C2573B", "#3E8E6B", "#8A5AA8", "#C88A2B", "#2F8C9E", "#B84A6B", "#5C6F8A")
_DRAWN: dict[str, Callable[[Scene, str], None]] = {
    **goods_devices.DRAWN,
    **goods_fresh.DRAWN,
    **goods_home.DRAWN,
    **goods_outdoor.DRAWN,
    **goods_packed.DRAWN,
    **goods_wear.DRAWN,
}


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


def _from_icon(scene: Scene, icon: str, color: str) -> None:
    ground(scene, 0.8, 0.27)
    scene.icon(icon, 0.508, 0.508, 0.64, mixed(color, "#20242C", 0.45), alpha=0.35)
    scene.icon(icon, 0.5, 0.495, 0.64, light(color), dark(color))
