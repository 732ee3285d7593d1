"""The adb server on this machine: short requests, one socket each, every one with a deadline.

No socket outlives a call, so a device may be used before and after a fork. (adbutils' own calls take 21 ms at least,
for each of its two connections sleeps 10 ms when it closes; these take less than 1 ms. adbutils still finds the adb
binary and starts the server.)
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import adbutils

from mobile_gym.devices.errors import CommandFailed, DeviceError, DeviceOffline, DeviceTimeout
from mobile_gym.devices.parse.devices_list import ListedDevice, parse_devices

NEEDED_VERSION: Final = 41
_CHUNK: Final = 1 << 18
_CONNECT_SECONDS: Final = 3.0
_HANDSHAKE_SECONDS: Final = 10.0


class Deadline:
    """When a call must be over.

    Args:
        seconds: from now.
        what: what is being done, for the message.
    """

    def __init__(self, seconds: float, what: str) -> None:
        self._end = time.monotonic() + seconds
        self._seconds = seconds
        self.what = what

    def left(self, most: float | None = None) -> float:
        """Seconds left, at most `most`; raises DeviceTimeout where there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.error()
        return left if most is None else min(left, most)

    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self._end

    def error(self, where: str = "") -> DeviceTimeout:
        """The error for a call that took too long; `where` tells how far it came."""
        shown = f" ({where})" if where else ""
        return DeviceTimeout(f"{self.what} did not end within {self._seconds:g} seconds{shown}")


class Refused(DeviceOffline):
    """The adb server answered FAIL; `reason` is its whole text."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the adb server said: {reason}", "offline")
        self.reason = reason


class Interrupted(DeviceOffline):
    """The connection ended in the middle of an answer."""


class Wire:
    """One connection to the adb server. Use it as a context manager."""

    def __init__(self, connection: socket.socket, deadline: Deadline, address: str) -> None:
        self._socket = connection
        self._deadline = deadline
        self._address = address
        self._waits_for = ""
        self._received = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def what(self) -> str:
        """What is being done, for messages."""
        return self._deadline.what

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Sends all of some bytes."""
        try:
            self._socket.settimeout(self._deadline.left())
            self._socket.sendall(data)
        except TimeoutError as error:
            raise self._deadline.error(f"{self._address} did not take {len(data)} bytes") from error
        except OSError as error:
            raise Interrupted(f"{self._deadline.what}: the connection broke ({error})") from error

    def request(self, service: str) -> None:
        """Asks for a service and reads OKAY.

        Raises:
            Refused: the server says FAIL.
            DeviceOffline: the peer is no adb server.
        """
        payload = service.encode("utf-8", "surrogateescape")
        if len(payload) > 0xFFFF:
            raise CommandFailed(f"a command of {len(payload)} bytes is longer than adb takes (65535)")
        self._waits_for = _kind(service)
        self.send(b"%04x" % len(payload) + payload)
        status = self._status()
        if status == b"FAIL":
            raise Refused(self.block())
        if status != b"OKAY":
            raise self._stranger(status)

    def block(self) -> str:
        """A text that its length in four hexadecimal digits precedes."""
        size = self.exactly(4)
        try:
            length = int(size, 16)
        except ValueError as error:
            raise self._stranger(size) from error
        return self.exactly(length).decode("utf-8", "replace")

    def exactly(self, count: int) -> bytes:
        """Exactly so many bytes; raises Interrupted where the connection ends before."""
        parts = bytearray()
        while len(parts) < count:
            data = self.some(count - len(parts))
            if not data:
                raise Interrupted(f"{self._deadline.what}: the connection ended in the middle of an answer")
            parts += data
        return bytes(parts)

    def some(self, most: int = _CHUNK) -> bytes:
        """The bytes that come next; none at the end."""
        try:
            self._socket.settimeout(self._deadline.left())
            data = self._socket.recv(min(most, _CHUNK))
        except TimeoutError as error:
            raise self._deadline.error(f"{self._waits_for} began and sent {self._received} bytes") from error
        except ConnectionError as error:
            raise Interrupted(f"{self._deadline.what}: the connection broke ({error})") from error
        self._received += len(data)
        return data

    def everything(self) -> bytes:
        """All bytes up to the end."""
        parts = []
        while data := self.some():
            parts.append(data)
        return b"".join(parts)

    def _status(self) -> bytes:
        seconds = self._deadline.left(_HANDSHAKE_SECONDS)
        try:
            self._socket.settimeout(seconds)
            status = b""
            while len(status) < 4:
                data = self._socket.recv(4 - len(status))
                if not data:
                    break
                status += data
        except TimeoutError as error:
            raise self._deadline.error(f"no answer to {self._waits_for} for {seconds:.1f} seconds") from error
        except ConnectionError as error:
            raise Interrupted(f"{self._deadline.what}: the connection broke ({error})") from error
        if not status:
            raise Interrupted(f"{self._deadline.what}: the adb server at {self._address} hung up")
        return status

    def _stranger(self, start: bytes) -> DeviceOffline:
        """The error for a peer that speaks something else."""
        shown = start.decode("ascii", "backslashreplace")
        if start.startswith(b"SSH"):
            who = "an SSH server"
        elif start.startswith(b"Andr"):
            who = "the console of an emulator (the adb server's port is mostly 5037, a console's 5554 to 5682)"
        elif start.startswith(b"HTTP"):
            who = "a web server"
        else:
            who = "no adb server"
        return DeviceOffline(
            f"what answers at {self._address} is {who}: it began with {shown!r}. Check ANDROID_ADB_SERVER_PORT.",
            "no server",
        )


def _kind(service: str) -> str:
    """A service without what it acts on: `host:transport`, `shell,v2,raw`."""
    return ":".join(service.split(":", 2)[: 2 if service.startswith("host:") else 1])


@dataclass(frozen=True, slots=True)
class AdbServer:
    """Where the adb server is; it is started where none runs on this machine.

    Attributes:
        host: its host.
        port: its port.
    """

    host: str = "127.0.0.1"
    port: int = 5037

    @classmethod
    def from_environment(cls) -> AdbServer:
        """The server that adb itself would use: `ANDROID_ADB_SERVER_ADDRESS`, `ANDROID_ADB_SERVER_PORT`, else 5037."""
        port = os.environ.get("ANDROID_ADB_SERVER_PORT", "5037")
        if not port.isdigit() or not 0 < int(port) < 65536:
            raise DeviceOffline(f"ANDROID_ADB_SERVER_PORT is {port!r}, which is no port", "no server")
        host = os.environ.get("ANDROID_ADB_SERVER_ADDRESS") or os.environ.get("ANDROID_ADB_SERVER_HOST")
        return cls(host or "127.0.0.1", int(port))

    @property
    def address(self) -> str:
        """Host and port."""
        return f"{self.host}:{self.port}"

    def connect(self, deadline: Deadline) -> Wire:
        """Opens a connection, and starts the server first where it does not run.

        Raises:
            DeviceOffline: there is no server and none can be started.
        """
        try:
            connection = self._socket(deadline)
        except ConnectionRefusedError:
            self.start(deadline)
            try:
                connection = self._socket(deadline)
            except OSError as error:
                raise DeviceOffline(
                    f"the adb server at {self.address} was started and cannot be reached: {error}", "no server"
                ) from error
        except TimeoutError as error:
            raise DeviceTimeout(f"{deadline.what}: {self.address} does not answer") from error
        except OSError as error:
            raise DeviceOffline(f"the adb server at {self.address} cannot be reached: {error}", "no server") from error
        return Wire(connection, deadline, self.address)

    def start(self, deadline: Deadline) -> None:
        """Starts the server with the adb binary in PATH, else with the one that adbutils brings.

        Raises:
            DeviceOffline: it is another machine's, or there is no binary, or it does not start.
        """
        if self.host not in {"127.0.0.1", "localhost", "::1"}:
            raise DeviceOffline(f"no adb server runs at {self.address}; start one there", "no server")
        try:
            binary = adbutils.adb_path()
            subprocess.run(
                [binary, "-P", str(self.port), "start-server"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=deadline.left(),
                check=True,
            )
        except subprocess.TimeoutExpired as error:
            raise deadline.error() from error
        except (OSError, adbutils.AdbError, subprocess.CalledProcessError) as error:
            raise DeviceOffline(
                f"no adb server runs at {self.address} and none could be started: {error}", "no server"
            ) from error

    def _socket(self, deadline: Deadline) -> socket.socket:
        connection = socket.create_connection((self.host, self.port), timeout=deadline.left(_CONNECT_SECONDS))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def query(self, service: str, deadline: Deadline) -> str:
        """Asks the server itself, e.g. `host:version`."""
        with self.connect(deadline) as wire:
            wire.request(service)
            return wire.block()

    def version(self, deadline: Deadline) -> int:
        """The server's version; 41 is what adb calls 1.0.41."""
        answer = self.query("host:version", deadline)
        try:
            return int(answer, 16)
        except ValueError as error:
            raise DeviceOffline(f"the adb server at {self.address} has version {answer!r}", "no server") from error

    def devices(self, deadline: Deadline) -> list[ListedDevice]:
        """All devices that the server knows, usable or not."""
        return parse_devices(self.query("host:devices-l", deadline))

    def open(self, serial: str, service: str, deadline: Deadline) -> Wire:
        """Opens a service on a device.

        Raises:
            DeviceOffline: the device cannot be used; `state` says why.
        """
        wire = self.connect(deadline)
        try:
            # `host:transport` rather than the newer `host:tport`, which servers before 1.0.41 do not know.
            wire.request(f"host:transport:{serial}")
            wire.request(service)
        except Refused as refused:
            wire.close()
            raise self._explained(serial, refused.reason, deadline) from None
        except BaseException:
            wire.close()
            raise
        return wire

    def _explained(self, serial: str, reason: str, deadline: Deadline) -> DeviceError:
        """What a FAIL text means for people; the whole text stays in the message."""
        said = f"{serial}: the adb server said: {reason.strip()}"
        low = reason.lower()
        if "unauthorized" in low or "authorizing" in low:
            return DeviceOffline(
                f"{said}\nAccept the dialog 'Allow USB debugging?' on the phone's screen, and tick 'always allow'.",
                "unauthorized",
            )
        if "permission" in low:
            return DeviceOffline(f"{said}\n{_UDEV}", "no permissions")
        if "unknown host service" in low:
            version = self.version(deadline)
            return DeviceOffline(
                f"{said}. The adb server at {self.address} is version 1.0.{version}; "
                f"1.0.{NEEDED_VERSION} is needed. Update the platform tools and run 'adb kill-server'.",
                "no server",
            )
        if "not found" in low or "no devices" in low:
            return self._missing(serial, said, deadline)
        if "still connecting" in low or "offline" in low or "closed" in low:
            return DeviceOffline(f"{said}. It is booting, or its cable or network is bad.", "offline")
        if "more than one" in low:
            return DeviceOffline(f"{said}. Give the serial.", "not found")
        return DeviceOffline(said, "offline")

    def _missing(self, serial: str, said: str, deadline: Deadline) -> DeviceOffline:
        known = self.devices(deadline)
        for device in known:
            if device.serial == serial and device.state == "no permissions":
                return DeviceOffline(f"{said} {device.detail}\n{_UDEV}", "no permissions")
        listed = ", ".join(f"{device.serial} ({device.state})" for device in known) or "none"
        return DeviceOffline(f"{said}. Devices: {listed}.", "not found")


_UDEV: Final = "This user may not open the phone's USB device: add a udev rule for it (see https://developer.android.com/tools/device)."
