"""What the embedded device tells directly is what its shell would tell."""

from __future__ import annotations

from mobile_gym.devices import Device, connect
from mobile_gym.devices.base import Result
from mobile_gym.devices.embedded import EmbeddedDevice
from mobile_gym.reward import world


class OnlyShell:
    """A device that offers nothing but its shell."""

    def __init__(self, device: Device) -> None:
        self.serial = device.serial
        self._device = device

    def shell(self, command: str) -> Result:
        return self._device.shell(command)


def test_files_and_packages_agree_with_the_shell() -> None:
    device = connect("embedded:small")
    assert isinstance(device, EmbeddedDevice)
    device.files.write("/sdcard/Download/a b.txt", b"12345")
    device.files.write("/sdcard/Pictures/deep/x.png", b"")
    device.phone.packages.set_enabled("com.android.deskclock", False)
    shell = OnlyShell(device)
    for root in ("/sdcard", "/sdcard/Download"):
        assert device.file_stamps(root) == world._list_files(shell, root)  # type: ignore[arg-type]
    assert device.package_states() == world._list_packages(shell)  # type: ignore[arg-type]
    assert device.package_states()["com.android.deskclock"] == "disabled"
    device.close()
