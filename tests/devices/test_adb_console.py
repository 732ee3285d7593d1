"""The emulator console: tokens, refusals and peers that are none."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mobile_gym.devices.adb_console import EmulatorConsole
from mobile_gym.devices.adb_server import Deadline
from mobile_gym.devices.errors import CapabilityMissing, CommandFailed, DeviceOffline, DeviceTimeout, SnapshotMissing
from tests.devices.conftest import MakeDevice

OPEN = "Android Console: type 'help' for a list of commands\r\nOK\r\n"


def locked(token: Path) -> str:
    return (
        "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\n"
        f"Android Console: you can find your <auth_token> in \r\n'{token}'\r\nOK\r\n"
    )


@contextmanager
def console(greeting: str, answer: Callable[[str], str]) -> Iterator[int]:
    """A console on a port; `answer` gives what it says to a line."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection, connection.makefile("r", newline="\r\n") as lines:
                    connection.sendall(greeting.encode())
                    for line in lines:
                        if line.strip() == "quit":
                            break
                        connection.sendall(answer(line.strip()).encode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def ask(port: int, line: str, token_file: Path | None = None, seconds: float = 5.0) -> tuple[bool, str]:
    reply = EmulatorConsole("127.0.0.1", port, token_file).command(line, Deadline(seconds, line))
    return reply.ok, reply.text


def test_an_open_console_answers() -> None:
    with console(OPEN, lambda line: "I am alive!\r\nOK\r\n" if line == "ping" else "KO: unknown command\r\n") as port:
        assert ask(port, "ping") == (True, "I am alive!")
        assert ask(port, "pong") == (False, "unknown command")


def test_the_token_comes_from_the_file_that_the_console_names(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("secret\n")
    heard: list[str] = []

    def answer(line: str) -> str:
        heard.append(line)
        return OPEN if line.startswith("auth") else "OK\r\n"

    with console(locked(token), answer) as port:
        assert ask(port, "ping")[0]
    assert heard == ["auth secret", "ping"]


def test_a_wrong_or_missing_token_is_a_missing_capability(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    token = tmp_path / "token"
    refusal = "KO: authentication token does not match ~/.emulator_console_auth_token\r\n"
    with console(locked(token), lambda line: refusal) as port:
        with pytest.raises(CapabilityMissing, match="does not exist"):
            ask(port, "ping")
        token.write_text("old")
        with pytest.raises(CapabilityMissing, match="token does not match"):
            ask(port, "ping")


def test_a_peer_that_is_no_console_and_a_port_that_is_closed() -> None:
    with (
        console("220 mail\r\nOK\r\n", lambda line: "OK\r\n") as port,
        pytest.raises(CapabilityMissing, match="no emulator"),
    ):
        ask(port, "ping")
    with pytest.raises(CapabilityMissing, match="only emulators"):
        ask(port, "ping")


def test_a_console_that_breaks_off_or_hangs() -> None:
    with console("Android Con", lambda line: "") as port, pytest.raises(DeviceTimeout):
        ask(port, "ping", seconds=0.2)
    with console(OPEN, lambda line: "half an ans") as port, pytest.raises((DeviceOffline, DeviceTimeout)):
        ask(port, "ping", seconds=0.2)


def test_a_command_has_one_line() -> None:
    with pytest.raises(CommandFailed, match="one line"):
        ask(1, "sms send 1 a\nkill")


def test_snapshots_read_what_the_console_says_and_not_its_exit_status(make: MakeDevice) -> None:
    table = (
        "List of snapshots present on all disks:\r\n"
        "ID        TAG                 VM SIZE                DATE       VM CLOCK\r\n"
        "--        clean                   75M 2026-09-09 11:41:45   00:10:07.753\r\nOK\r\n"
    )
    answers = {
        "avd snapshot list": table,
        "avd snapshot load clean": "OK\r\n",
        "avd snapshot save full": "KO: no space left on device\r\n",
        "avd snapshot delete clean": "OK\r\n",
        "sms send 10086 it's \\\\ two\\nlines": "OK\r\n",
        "gsm call +8610086": "OK\r\n",
    }

    def answer(line: str) -> str:
        return answers.get(line, f"KO: Device 'cache' does not have the requested snapshot {line!r}\r\n")

    with console(OPEN, answer) as port:
        device = make(console_port=port)
        assert device.snapshots.list() == ["clean"]
        device.snapshots.load("clean")
        device.snapshots.delete("clean")
        device.send_sms("100-86", "it's \\ two\nlines")
        device.incoming_call("+86 10086")
        with pytest.raises(SnapshotMissing, match="requested snapshot"):
            device.snapshots.load("other")
        with pytest.raises(SnapshotMissing):
            device.snapshots.delete("other")
        with pytest.raises(CommandFailed, match="no space left"):
            device.snapshots.save("full")
        with pytest.raises(CommandFailed, match="one word"):
            device.snapshots.save("two words")
