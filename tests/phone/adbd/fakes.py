"""A small phone and shell: just enough of both to test the transport without the apps."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from mobile_gym.phone.door import SavedSnapshot
from mobile_gym.phone.errors import ProviderError, SnapshotNotFound
from mobile_gym.phone.state import PhoneState
from mobile_gym.phone.state.clock import VirtualClock

NOW = 1_780_000_000_000


def png(width: int, height: int) -> bytes:
    """A picture with noise in it, so that it does not shrink."""
    rows = np.random.default_rng(0).integers(0, 256, (height, width * 3 + 1), np.uint8)
    rows[:, 0] = 0

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


class FakePhone:
    """A phone without apps; what it is told is written down in `told`."""

    def __init__(self) -> None:
        self.state = PhoneState(VirtualClock(NOW, "UTC", NOW - 3_723_004), 0, lambda name: b"")
        for path in ("/data", "/data/local", "/data/local/tmp", "/storage", "/storage/emulated"):
            self.state.files.make_dir(path, mtime_ms=NOW)
        self.state.files.make_dir("/storage/emulated/0", mtime_ms=NOW)
        self.props = {"ro.product.name": "fake", "ro.product.model": "Fake_Phone", "ro.product.device": "fake"}
        self.props["ro.debuggable"] = "1"
        self.state.interface = {"battery": {"level": 100, "charging": True}, "call": None}
        self.told: list[Any] = []
        self.saved: dict[str, Any] = {}
        self.lines: list[bytes] = []
        self.screen = (320, 480, 0)
        self.input = SimpleNamespace(key=self._key)

    def frame(self) -> np.ndarray:
        frame = np.zeros((480, 320, 3), np.uint8)
        frame[..., 0] = 10
        frame[..., 1] = 20
        frame[:240, :, 2] = 30
        return frame

    def _key(self, name: str) -> None:
        self.told.append(("key", name))
        if name == "CALL":
            self.state.interface["call"]["state"] = "active"
        else:
            self.state.interface["call"] = None

    def receive_sms(self, sender: str, body: str) -> None:
        if sender == "666":
            raise ProviderError("Could not find provider: sms")
        self.told.append(("sms", sender, body))

    def incoming_call(self, number: str) -> None:
        self.told.append(("call", number))
        self.state.interface["call"] = {"number": number, "state": "ringing", "since_ms": NOW}

    def invalidate(self) -> None:
        self.told.append("invalidate")

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        self.state.settings.put(namespace, key, value)

    def save_snapshot(self, name: str) -> None:
        self.saved[name] = self.state.save()

    def load_snapshot(self, name: str) -> None:
        if name not in self.saved:
            raise SnapshotNotFound(name)
        self.state.load(self.saved[name])

    def delete_snapshot(self, name: str) -> None:
        if name not in self.saved:
            raise SnapshotNotFound(name)
        del self.saved[name]

    def list_snapshots(self) -> list[SavedSnapshot]:
        return [SavedSnapshot(name, 128 << 20, NOW) for name in sorted(self.saved)]

    def reboot(self) -> None:
        self.told.append("reboot")
        self.state.clock.boot_ms = self.state.clock.now_ms


@dataclass
class Output:
    """What a line of the fake shell gave."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int = 0
    merged: bytes = b""
    fate: str = "done"

    def out(self, data: bytes) -> None:
        self.stdout += data
        self.merged += data

    def err(self, data: bytes) -> None:
        self.stderr += data
        self.merged += data


@dataclass
class FakeShell:
    """Runs commands parted by `;`, each a word and arguments parted by blanks."""

    phone: FakePhone
    exited: int | None = None
    _followed: int = 0
    _pending: str = ""

    @property
    def prompt(self) -> str:
        if self._pending:
            return "> "
        return "fake:/ # " if self.phone.props.get("service.adb.root") == "1" else "fake:/ $ "

    def wants_stdin(self, line: str) -> bool:
        return line.split(">")[0].strip() in ("cat", "wc -c", "sh")

    def poll(self) -> bytes:
        fresh = self.phone.lines[self._followed :]
        self._followed += len(fresh)
        return b"".join(fresh)

    def interrupt(self) -> None:
        self._pending = ""

    def feed(self, line: str) -> Output | None:
        line = self._pending + line
        self._pending = line + ";" if line.count('"') % 2 else ""
        return None if self._pending else self.run(line)

    def run(self, line: str, stdin: bytes = b"") -> Output:
        output = Output()
        for command in line.replace("\n", ";").split(";"):
            words = command.replace("'", "").replace('"', "").split()
            if words and self.exited is None:
                output.exit_code = self._one(words, stdin, output)
        return output

    def _one(self, words: list[str], stdin: bytes, output: Output) -> int:
        name, args = words[0], words[1:]
        files = self.phone.state.files
        match name:
            case "echo":
                shown = " ".join(args).replace("$?", str(output.exit_code))
                (output.err if shown.startswith("oops") else output.out)(shown.encode() + b"\n")
            case "exit":
                self.exited = int(args[0]) if args else 0
                return self.exited
            case "false":
                return 1
            case "id":
                output.out(b"root\n" if "#" in self.prompt else b"shell\n")
            case "wc":
                output.out(b"%d\n" % len(stdin))
            case "cat" if args[:1] == [">"]:
                files.write(args[1], stdin, mtime_ms=NOW)
            case "cat":
                output.out(files.read(args[0]) if args else stdin)
            case "screencap":
                output.out(png(1080, 2400))
            case "zeros":
                output.out(bytes(int(args[0])))
            case "logcat":
                output.fate = "following"
                output.out(self.poll())
            case "reboot":
                self.phone.reboot()
            case "hang" | "drop":
                output.fate = name
            case "cmd" | "pm":
                self.phone.told.append((*words, len(stdin)))
                output.out(b"Success\n")
            case _:
                output.err(f"/system/bin/sh: {name}: inaccessible or not found\n".encode())
                return 127
        return 0
