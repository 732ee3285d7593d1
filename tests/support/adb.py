"""Real ADB clients for tests: the binary that adbutils bundles, its own server, its own home folder."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import adbutils
import pytest

_SECONDS = 20


def free_port() -> int:
    """A TCP port on loopback that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def free_port_pair() -> tuple[int, int]:
    """Two free ports in a row, the first one even: console and ADB of an emulator."""
    while True:
        first = free_port() & ~1
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", first))
            two.bind(("127.0.0.1", first + 1))
            return first, first + 1


@dataclass(frozen=True)
class Adb:
    """A private ADB server and the command line that talks to it.

    Attributes:
        port: the server's port.
        home: the home folder of server and clients.
    """

    port: int
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """The environment of adb processes."""
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.home),
            "TMPDIR": str(self.home),
            "ANDROID_ADB_SERVER_PORT": str(self.port),
            "ADB_MDNS": "0",
            "ADB_MDNS_OPENSCREEN": "0",
            "ADB_USB": "0",
        }

    def run(
        self,
        *args: str,
        serial: str | None = None,
        stdin: bytes | None = None,
        timeout: float = _SECONDS,
    ) -> subprocess.CompletedProcess[bytes]:
        """Runs adb with its outputs captured; the exit status is left to the caller to look at."""
        picked = ["-s", serial] if serial else []
        feed = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
        return subprocess.run(
            [adbutils.adb_path(), *picked, *args], env=self.environment, capture_output=True, timeout=timeout, **feed
        )

    def text(self, *args: str, serial: str | None = None) -> str:
        """Standard output of adb; fails the test where adb fails."""
        done = self.run(*args, serial=serial)
        assert done.returncode == 0, (args, done)
        return done.stdout.decode()

    def start(self) -> None:
        """Starts the server, which looks for emulators while it does."""
        self.text("start-server")

    def client(self) -> adbutils.AdbClient:
        """adbutils on this server."""
        return adbutils.AdbClient(host="127.0.0.1", port=self.port)

    def kill(self) -> None:
        """Ends the server."""
        self.run("kill-server")


@pytest.fixture(scope="module")
def adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Adb]:
    """A private ADB server, ended after the module."""
    private = Adb(free_port(), tmp_path_factory.mktemp("home"))
    private.start()
    yield private
    private.kill()
