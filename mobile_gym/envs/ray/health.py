"""Whether a device can be lent: it answers, it has booted, and its shell responds."""

from __future__ import annotations

from mobile_gym.devices import connect
from mobile_gym.devices.errors import DeviceError

_WORD = "mobile-gym"


def ailment(spec: str, seconds: float = 20.0) -> str:
    """What a device lacks to be lent; empty where it is well.

    A device of the process (`embedded:`) is made anew whenever it is opened, so there is nothing to look at.

    Args:
        spec: the device.
        seconds: how long each call to it may take, and how long it may go on booting.
    """
    if spec.startswith("embedded:"):
        return ""
    try:
        # Opening it waits until Android has booted.
        with connect(spec, timeout=seconds, boot_timeout=seconds) as device:
            answer = device.shell(f"echo {_WORD}")
    except DeviceError as problem:
        return f"{type(problem).__name__}: {problem}"
    if answer.exit_code or answer.stdout.strip() != _WORD:
        return f"its shell said {answer.stdout.strip()[:100]!r} to 'echo {_WORD}'"
    return ""
