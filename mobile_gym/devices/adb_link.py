"""One device behind an adb server: commands with exit status, raw output, files. Each call is one short connection."""

from __future__ import annotations

import re
import stat
import struct
import time
from dataclasses import dataclass, field
from typing import Final, TypeVar

from mobile_gym.devices.adb_server import AdbServer, Deadline, Interrupted, Refused, Wire
from mobile_gym.devices.base import Result
from mobile_gym.devices.errors import CommandFailed, DeviceOffline

_STDOUT, _STDERR, _EXIT = 1, 2, 3
_MARK: Final = "mobile-gym-exit:"
_END = re.compile(rb"mobile-gym-exit:(\d{1,3})\r?\n?$")
_SYNC_CHUNK: Final = 64 * 1024
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What the device tells of a path. A mode of 0 means that nothing is there."""

    mode: int
    size: int

    @property
    def exists(self) -> bool:
        """Whether something is there."""
        return self.mode != 0

    @property
    def is_dir(self) -> bool:
        """Whether it is a directory."""
        return stat.S_ISDIR(self.mode)


@dataclass(slots=True)
class AdbLink:
    """A device as the adb server reaches it.

    Attributes:
        server: the server.
        serial: the device's serial there.
        timeout: seconds that a call may take.
        pause: seconds between tries.
    """

    server: AdbServer
    serial: str
    timeout: float = 20.0
    pause: float = 0.3
    _shell_v2: bool | None = field(default=None, repr=False)

    def deadline(self, what: str, seconds: float | None = None) -> Deadline:
        """A deadline for a call on this device."""
        return Deadline(self.timeout if seconds is None else seconds, f"{self.serial}: {what}")

    def run(self, command: str, *, seconds: float | None = None, repeatable: bool = False) -> Result:
        """Runs a line in the device's shell.

        Args:
            command: the line.
            seconds: how long it may take, by default `timeout`.
            repeatable: whether it only reads, so that it may run again where the connection breaks in the middle.

        Raises:
            DeviceOffline: the device cannot be reached, also after one more try.
            DeviceTimeout: it does not end in time.
        """
        deadline = self.deadline(_shown(command), seconds)
        for last in (False, True):
            try:
                return self._run(command, deadline)
            except Interrupted as error:
                if last or not repeatable:
                    raise DeviceOffline(f"{error}; whether the command ran is not known", "offline") from error
                self.reconnect(deadline)
        raise AssertionError("unreachable")

    def out(self, command: str, *, seconds: float | None = None) -> bytes:
        """The bytes that a reading command sends to its standard output, without a terminal in between."""
        deadline = self.deadline(_shown(command), seconds)
        for last in (False, True):
            try:
                with self._open(f"exec:{command}", deadline) as wire:
                    return wire.everything()
            except Interrupted as error:
                if last:
                    raise DeviceOffline(str(error), "offline") from error
                self.reconnect(deadline)
        raise AssertionError("unreachable")

    def service(self, name: str) -> str:
        """Opens a service of the daemon, such as `root:`, and gives all that it says."""
        deadline = self.deadline(name)
        try:
            with self._open(name, deadline) as wire:
                return wire.everything().decode("utf-8", "replace")
        except Interrupted:
            return ""  # the daemon restarts and takes the connection with it

    def connect(self) -> None:
        """Connects a device on the network that the server does not know yet.

        Raises:
            DeviceOffline: nobody answers there; the message holds adb's words.
        """
        if ":" not in self.serial or self.state() != "not found":
            return
        said = self.server.query(f"host:connect:{self.serial}", self.deadline("connect"))
        if "connected to" not in said and "authenticate" not in said:
            raise DeviceOffline(f"{self.serial}: {said.strip() or 'it cannot be connected'}", "not found")

    def state(self) -> str:
        """The device's state in the server's list: `device`, `offline`, `unauthorized`, …, or `not found`."""
        for device in self.server.devices(self.deadline("list of devices")):
            if device.serial == self.serial:
                return device.state
        return "not found"

    def reconnect(self, deadline: Deadline) -> None:
        """Gives a device that went away a moment to come back; one on the network is connected anew."""
        self._shell_v2 = None
        if ":" in self.serial:
            for service in (f"host:disconnect:{self.serial}", f"host:connect:{self.serial}"):
                try:
                    self.server.query(service, deadline)
                except Refused:
                    continue  # it was not connected
        time.sleep(deadline.left(self.pause))

    def _open(self, service: str, deadline: Deadline) -> Wire:
        """Opens a service; once more where the device was offline, for then nothing ran."""
        try:
            return self.server.open(self.serial, service, deadline)
        except DeviceOffline as error:
            if not self._may_return(error):
                raise
        self.reconnect(deadline)
        return self.server.open(self.serial, service, deadline)

    def _may_return(self, error: DeviceOffline) -> bool:
        return error.state == "offline" or (error.state == "not found" and ":" in self.serial)

    def _run(self, command: str, deadline: Deadline) -> Result:
        if self._has_shell_v2(deadline):
            with self._open(f"shell,v2,raw:{command}", deadline) as wire:
                return _packets(wire)
        # Android 6 and older: one stream without an exit status, which the shell then prints itself.
        with self._open(f"shell:{command}\necho {_MARK}$?", deadline) as wire:
            data = wire.everything()
        end = _END.search(data)
        if end is None:
            raise Interrupted(f"{deadline.what}: the connection ended in the middle of an answer")
        text = data[: end.start()].decode("utf-8", "replace").replace("\r\n", "\n")
        return Result(text, int(end[1]))

    def _has_shell_v2(self, deadline: Deadline) -> bool:
        if self._shell_v2 is None:
            service = f"host-serial:{self.serial}:features"
            try:
                features = self.server.query(service, deadline)
            except Refused:
                # The transport's own error says more, and it may be back by now.
                self._open("shell:true", deadline).close()
                try:
                    features = self.server.query(service, deadline)
                except Refused:
                    return False  # a server so old that it does not know the question
            self._shell_v2 = "shell_v2" in features.split(",")
        return self._shell_v2

    def stat(self, path: str) -> FileFacts:
        """What is at a path; links are followed as the daemon does (it does not)."""
        with self._sync(path) as wire:
            self._ask(wire, b"STAT", path)
            return _facts(wire)

    def read(self, path: str) -> bytes:
        """The bytes of a file.

        Raises:
            CommandFailed: it cannot be read.
        """
        with self._sync(path) as wire:
            self._ask(wire, b"RECV", path)
            parts = []
            while True:
                kind, size = _header(wire)
                if kind == b"DATA":
                    parts.append(wire.exactly(size))
                elif kind == b"DONE":
                    return b"".join(parts)
                else:
                    raise self._sync_failure(wire, kind, size, f"reading {path}")

    def write(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """Writes a whole file; the daemon makes missing directories.

        Raises:
            CommandFailed: it cannot be written.
        """
        with self._sync(path) as wire:
            self._ask(wire, b"SEND", f"{path},{stat.S_IFREG | mode}")
            body = bytearray()
            for start in range(0, len(data), _SYNC_CHUNK):
                chunk = data[start : start + _SYNC_CHUNK]
                body += b"DATA" + struct.pack("<I", len(chunk)) + chunk
            wire.send(bytes(body) + b"DONE" + struct.pack("<I", int(time.time())))
            kind, size = _header(wire)
            if kind != b"OKAY":
                raise self._sync_failure(wire, kind, size, f"writing {path}")

    def names(self, path: str) -> list[str]:
        """Names in a directory, sorted; empty where it is none."""
        found: list[str] = []
        with self._sync(path) as wire:
            self._ask(wire, b"LIST", path)
            while True:
                kind = wire.exactly(4)
                size = struct.unpack("<4I", wire.exactly(16))[3]
                if kind == b"DONE":
                    return sorted(name for name in found if name not in {".", ".."})
                if kind != b"DENT":
                    raise CommandFailed(f"{self.serial}: listing {path}: the device answered {kind!r}")
                found.append(wire.exactly(size).decode("utf-8", "surrogateescape"))

    def _sync(self, path: str) -> Wire:
        return self._open("sync:", self.deadline(f"file {path}"))

    def _ask(self, wire: Wire, kind: bytes, path: str) -> None:
        payload = path.encode("utf-8", "surrogateescape")
        wire.send(kind + struct.pack("<I", len(payload)) + payload)

    def _sync_failure(self, wire: Wire, kind: bytes, size: int, what: str) -> CommandFailed:
        if kind != b"FAIL":
            return CommandFailed(f"{self.serial}: {what}: the device answered {kind!r}")
        reason = wire.exactly(min(size, 4096)).decode("utf-8", "replace")
        return CommandFailed(f"{self.serial}: {what}: {reason}")


def _packets(wire: Wire) -> Result:
    """Reads the packets of shell protocol 2 up to the exit status."""
    streams = {_STDOUT: bytearray(), _STDERR: bytearray()}
    while True:
        kind, size = struct.unpack("<BI", wire.exactly(5))
        if kind == _EXIT and size == 1:
            status = wire.exactly(size)[0]
            out, err = (bytes(stream).decode("utf-8", "replace") for stream in streams.values())
            return Result(out, status, err)
        if kind not in streams:
            # Before its data is waited for: a broken size could be anything.
            raise CommandFailed(f"{wire.what}: the device sent a shell packet of kind {kind} with {size} bytes")
        streams[kind] += wire.exactly(size)


def _header(wire: Wire) -> tuple[bytes, int]:
    head = wire.exactly(8)
    return head[:4], struct.unpack("<I", head[4:])[0]


def _facts(wire: Wire) -> FileFacts:
    kind = wire.exactly(4)
    if kind != b"STAT":
        raise CommandFailed(f"{wire.what}: the device answered {kind!r}")
    mode, size, _ = struct.unpack("<3I", wire.exactly(12))
    return FileFacts(mode, size)


def _shown(command: str) -> str:
    command = " ".join(command.split())
    return command if len(command) <= 80 else command[:80] + "…"
