"""The system's own windows."""

from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.system.surfaces.keyboard import Keyboard
from mobile_gym.phone.system.surfaces.shade import Shade
from mobile_gym.phone.system.surfaces.toast import Toast


def all_surfaces() -> tuple[Surface, ...]:
    """Every surface, lowest layer first."""
    surfaces = (Keyboard(), Toast(), Shade())
    return tuple(sorted(surfaces, key=lambda surface: surface.layer))
