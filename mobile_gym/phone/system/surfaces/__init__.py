"""The system's own windows."""

from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.system.surfaces.toast import Toast


def all_surfaces() -> tuple[Surface, ...]:
    """Every surface, lowest layer first."""
    return tuple(sorted((Toast(),), key=lambda surface: surface.layer))
