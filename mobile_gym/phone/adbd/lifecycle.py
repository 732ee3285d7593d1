"""`root:`, `reboot:` and the other services that restart the daemon or the phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from mobile_gym.phone.adbd.connection import Service
from mobile_gym.phone.adbd.streams import Stream
from mobile_gym.phone.adbd.worker import PhoneWorker
from mobile_gym.phone.door import PhoneDoor

# What `adbd` itself reads at its start: `1` makes it, and every shell under it, run as root.
ROOT_PROPERTY = "service.adb.root"
_LARGEST_PORT = 65535
T = TypeVar("T")


class Daemon(Protocol):
    """What these services may do to the server that they run in."""

    @property
    def worker(self) -> PhoneWorker: ...

    def restart(self) -> None:
        """Cuts all connections; clients find the phone again."""

    def power_off(self) -> None:
        """Stops the server for good."""


def is_root(phone: PhoneDoor) -> bool:
    """Whether the daemon runs as root."""
    return phone.props.get(ROOT_PROPERTY) == "1"


def run_and_watch(phone: PhoneDoor, action: Callable[[], T]) -> tuple[T, bool]:
    """Runs an action on the phone's thread; also tells whether it rebooted the phone, which ends the daemon too.

    Nothing but a reboot takes the time since boot back here: setting the clock leaves it alone. A phone that booted
    at this very moment of its clock cannot be seen to boot again.
    """
    before = phone.state.clock.uptime_ms
    result = action()
    rebooted = phone.state.clock.uptime_ms < before
    if rebooted:
        phone.props.pop(ROOT_PROPERTY, None)
    return result, rebooted


def lifecycle_service(daemon: Daemon, name: str) -> Service | None:
    """The service of this kind that a name stands for, or None."""
    verb, colon, argument = name.partition(":")
    if not colon:
        return None
    if verb == "reboot":
        return lambda stream: _reboot(daemon, stream, argument)
    decide = {"root": _root, "unroot": _unroot, "remount": _remount, "tcpip": _tcpip, "usb": _usb}.get(verb)
    if decide is None:
        return None
    return lambda stream: _say(daemon, stream, argument, decide)


async def _say(
    daemon: Daemon, stream: Stream, argument: str, decide: Callable[[PhoneDoor, str], tuple[str, bool]]
) -> None:
    message, restart = await daemon.worker.ask(lambda phone: decide(phone, argument))
    await stream.write(message.encode())
    stream.close()
    if restart:
        daemon.restart()


def _root(phone: PhoneDoor, argument: str) -> tuple[str, bool]:
    if is_root(phone):
        return "adbd is already running as root\n", False
    if phone.props.get("ro.debuggable") != "1":
        return "adbd cannot run as root in production builds\n", False
    phone.props[ROOT_PROPERTY] = "1"
    return "restarting adbd as root\n", True


def _unroot(phone: PhoneDoor, argument: str) -> tuple[str, bool]:
    if not is_root(phone):
        return "adbd not running as root\n", False
    phone.props[ROOT_PROPERTY] = "0"
    return "restarting adbd as non root\n", True


def _remount(phone: PhoneDoor, argument: str) -> tuple[str, bool]:
    if not is_root(phone):
        return 'Not running as root. Try "adb root" first.\n', False
    return "remount succeeded\n", False


def _tcpip(phone: PhoneDoor, argument: str) -> tuple[str, bool]:
    if not argument.isdigit() or not 0 < int(argument) <= _LARGEST_PORT:
        return "invalid port\n", False
    # The port that the host sees is the server's own: like an emulator's, it does not move with the daemon's.
    return f"restarting in TCP mode port: {int(argument)}\n", True


def _usb(phone: PhoneDoor, argument: str) -> tuple[str, bool]:
    return "restarting in USB mode\n", True


async def _reboot(daemon: Daemon, stream: Stream, argument: str) -> None:
    if argument == "-p":
        stream.close()
        daemon.power_off()
        return

    def reboot(phone: PhoneDoor) -> None:
        phone.props.pop(ROOT_PROPERTY, None)
        phone.reboot()

    await daemon.worker.ask(reboot)
    stream.close()
    daemon.restart()
