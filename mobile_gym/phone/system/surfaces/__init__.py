"""The system's own windows."""

from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.system.surfaces.call import Call
from mobile_gym.phone.system.surfaces.heads_up import HeadsUp
from mobile_gym.phone.system.surfaces.keyboard import Keyboard
from mobile_gym.phone.system.surfaces.lock import Lock
from mobile_gym.phone.system.surfaces.permission import PermissionDialog
from mobile_gym.phone.system.surfaces.power_menu import PowerMenu
from mobile_gym.phone.system.surfaces.recents import Recents
from mobile_gym.phone.system.surfaces.screenshot import Screenshot
from mobile_gym.phone.system.surfaces.shade import Shade
from mobile_gym.phone.system.surfaces.text_menu import TextMenu
from mobile_gym.phone.system.surfaces.toast import Toast
from mobile_gym.phone.system.surfaces.volume import Volume, VolumePanel


def all_surfaces() -> tuple[Surface, ...]:
    """Every surface, lowest layer first."""
    surfaces = (
        Keyboard(),
        Toast(),
        Screenshot(),
        Volume(),
        TextMenu(),
        HeadsUp(),
        Shade(),
        VolumePanel(),
        Recents(),
        PermissionDialog(),
        Lock(),
        Call(),
        PowerMenu(),
    )
    return tuple(sorted(surfaces, key=lambda surface: surface.layer))
