"""An adb server that gives the answers which real ones give on bad days: states, refusals, old versions, silence.

`FakeAndroid` stands for the phone behind it; it answers commands by rules and remembers what it was asked.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from mobile_gym.devices.adb_server import AdbServer

UNAUTHORIZED = (
    "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that seems wrong.\n"
    "Otherwise check for a confirmation dialog on your device."
)


@dataclass(frozen=True)
class Answer:
    """What a command answers. `cut` ends the connection before the exit status."""

    stdout: bytes | str = ""
    stderr: bytes | str = ""
    code: int = 0
    cut: bool = False


def _bytes(text: bytes | str) -> bytes:
    return text.encode() if isinstance(text, str) else text


READY = "1\n" + "".join(f"Service {name}: found\n" for name in ("input", "window", "activity", "package", "settings"))


@dataclass
class FakeAndroid:
    """Answers commands: the first rule whose words are in the command. A rule's last answer repeats."""

    rules: list[tuple[str, list[Answer]]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    run: Callable[[str], Answer] | None = None

    def __post_init__(self) -> None:
        self.on("sys.boot_completed", READY)
        self.on("getprop ro.product.model", "Fake\n34\n14\nzh-CN\n\n")
        self.on("dumpsys SurfaceFlinger", "")
        self.on("settings get secure default_input_method", "com.maker/.Keyboard\n")
        self.on("ime list", "com.maker/.Keyboard\n")

    def on(self, words: str, *answers: Answer | str | bytes) -> None:
        """Adds a rule, which comes before those that are there."""
        self.rules.insert(0, (words, [a if isinstance(a, Answer) else Answer(a) for a in answers]))

    def answer(self, command: str) -> Answer:
        """The answer to a command."""
        self.commands.append(command)
        for words, answers in self.rules:
            if words in command:
                return answers.pop(0) if len(answers) > 1 else answers[0]
        return self.run(command) if self.run else Answer()

    def asked(self, words: str) -> list[str]:
        """The commands with some words in them."""
        return [command for command in self.commands if words in command]


class FakeAdbServer:
    """The server. Change its attributes at any time.

    Attributes:
        version: what `host:version` answers.
        devices: state and the rest of the line in the list, by serial.
        failures: FAIL texts, by prefix of a service; each list is used up from the front, the last one stays.
        greeting: bytes that the peer sends at once, as other servers do; it is no adb server then.
        silent: whether it takes connections and never says a word.
        features: the devices' features.
        cut_files: whether the connection ends in the middle of a file.
        connecting: what `adb connect` says.
        services: all services that were asked for.
    """

    def __init__(self, phone: FakeAndroid | None = None, serial: str = "SERIAL1") -> None:
        self.version = 41
        self.phone = phone or FakeAndroid()
        self.serial = serial
        self.devices: dict[str, tuple[str, str]] = {serial: ("device", "product:p model:m device:d transport_id:1")}
        self.failures: dict[str, list[str]] = {}
        self.greeting: bytes | None = None
        self.silent = False
        self.features = "shell_v2,cmd"
        self.cut_files = False
        self.connecting = "connected to 127.0.0.1:5555"
        self.services: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)

    @property
    def address(self) -> AdbServer:
        """What `AdbDevice(server=…)` takes."""
        return AdbServer("127.0.0.1", self._listener.getsockname()[1])

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join(5)
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for connection in self._open:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, EOFError):
            if self.greeting is not None:
                connection.sendall(self.greeting)
            if self.silent or self.greeting is not None:
                _read(connection, 1 << 20)
                return
            self._talk(connection)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    def _talk(self, connection: socket.socket) -> None:
        while True:
            service = _read(connection, int(_read(connection, 4), 16)).decode("utf-8", "surrogateescape")
            self.services.append(service)
            failure = self._failure(service)
            if failure is not None:
                _fail(connection, failure)
                return
            if service.startswith("host:transport:"):
                connection.sendall(b"OKAY")
                continue
            if service.startswith("host"):
                text = self._host(service).encode()
                connection.sendall(b"OKAY%04x" % len(text) + text)
                return
            connection.sendall(b"OKAY")
            self._device(connection, service)
            return

    def _failure(self, service: str) -> str | None:
        for prefix, texts in self.failures.items():
            if service.startswith(prefix):
                text = texts.pop(0) if len(texts) > 1 else texts[0]
                if text:
                    return text
        if service.startswith("host:transport:"):
            serial = service.removeprefix("host:transport:")
            if serial not in self.devices:
                return f"device '{serial}' not found"
            state = self.devices[serial][0]
            texts = {
                "unauthorized": UNAUTHORIZED,
                "offline": "device offline",
                "authorizing": "device still authorizing",
            }
            if state.startswith("no permissions"):
                return f"insufficient permissions for device: {state}"
            return texts.get(state)
        return None

    def _host(self, service: str) -> str:
        if service == "host:version":
            return f"{self.version:04x}"
        if service == "host:devices-l":
            return "".join(f"{serial:<22} {state} {rest}\n" for serial, (state, rest) in self.devices.items())
        if service.startswith("host:connect:"):
            return self.connecting
        if service.endswith(":features"):
            return self.features
        return ""

    def _device(self, connection: socket.socket, service: str) -> None:
        if service.startswith("shell,v2"):
            answer = self.phone.answer(service.partition(":")[2])
            for kind, data in ((1, _bytes(answer.stdout)), (2, _bytes(answer.stderr))):
                if data:
                    connection.sendall(struct.pack("<BI", kind, len(data)) + data)
            if not answer.cut:
                connection.sendall(struct.pack("<BIB", 3, 1, answer.code))
        elif service.startswith("shell:"):
            command, _, _ = service.removeprefix("shell:").rpartition("\n")
            answer = self.phone.answer(command)
            tail = b"" if answer.cut else b"mobile-gym-exit:%d\r\n" % answer.code
            connection.sendall(_bytes(answer.stdout) + _bytes(answer.stderr) + tail)
        elif service.startswith("exec:"):
            answer = self.phone.answer(service.removeprefix("exec:"))
            connection.sendall(_bytes(answer.stdout) + _bytes(answer.stderr))
        elif service == "sync:":
            self._sync(connection)
        else:
            connection.sendall(_bytes(self.phone.answer(service).stdout))

    def _sync(self, connection: socket.socket) -> None:
        kind, size = struct.unpack("<4sI", _read(connection, 8))
        path = _read(connection, size).decode()
        if kind == b"STAT":
            data = self.phone.files.get(path)
            mode = 0o100644 if data is not None else 0o40755 if path.endswith("/.") or path == "/data/local/tmp" else 0
            connection.sendall(b"STAT" + struct.pack("<3I", mode, len(data or b""), 0))
        elif kind == b"RECV":
            data = self.phone.files.get(path)
            if data is None:
                reason = b"open failed: No such file or directory"
                connection.sendall(b"FAIL" + struct.pack("<I", len(reason)) + reason)
            elif self.cut_files:
                connection.sendall(b"DATA" + struct.pack("<I", len(data) + 9) + data)
            else:
                connection.sendall(b"DATA" + struct.pack("<I", len(data)) + data + b"DONE" + bytes(4))
        elif kind == b"LIST":
            for name in sorted(self.phone.files):
                if name.rpartition("/")[0] + "/" == path:
                    entry = name.rpartition("/")[2].encode()
                    connection.sendall(b"DENT" + struct.pack("<4I", 0o100644, 0, 0, len(entry)) + entry)
            connection.sendall(b"DONE" + bytes(16))
        elif kind == b"SEND":
            data = b""
            while True:
                kind, size = struct.unpack("<4sI", _read(connection, 8))
                if kind == b"DONE":
                    break
                data += _read(connection, size)
            self.phone.files[path.rpartition(",")[0]] = data
            connection.sendall(b"OKAY" + bytes(4))


def _read(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def _fail(connection: socket.socket, text: str) -> None:
    payload = text.encode()
    connection.sendall(b"FAIL%04x" % len(payload) + payload)
