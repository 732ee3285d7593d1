"""The emulator console."""

import socket
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.adbd import console_text as text
from mobile_gym.phone.adbd.auth_token import read_or_make_token
from mobile_gym.phone.adbd.serve import PhoneServer, ServeError
from tests.phone.adbd.fakes import FakePhone, FakeShell

OPEN = "Android Console: type 'help' for a list of commands\r\nOK\r\n"


def make_server(token: Path) -> PhoneServer:
    return PhoneServer(
        FakePhone, 0, 0, console_token=token, make_shell=FakeShell, make_files=lambda phone: phone.state.files
    )


@pytest.fixture
def token(tmp_path: Path) -> Path:
    """A token file that is empty: the owner wants consoles without authentication."""
    path = tmp_path / "token"
    path.touch()
    return path


@pytest.fixture
def server(token: Path) -> Iterator[PhoneServer]:
    with make_server(token) as running:
        yield running


def talk(server: PhoneServer, *lines: str | bytes) -> str:
    """All that the console says when these lines are sent, without the greeting of an open console."""
    assert server.console_port is not None
    data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in (*lines, "quit"))
    with socket.create_connection(("127.0.0.1", server.console_port), timeout=10) as connected:
        connected.sendall(data)
        shown = b""
        while part := connected.recv(65536):
            shown += part
    return shown.decode().removeprefix(OPEN)


def test_without_the_token_only_harmless_commands_are_known(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("s3cret\n")
    with make_server(path) as server:
        greeting = (
            "Android Console: Authentication required\r\n"
            "Android Console: type 'auth <auth_token>' to authenticate\r\n"
            f"Android Console: you can find your <auth_token> in \r\n'{path}'\r\nOK\r\n"
        )
        assert talk(server, "avd name", "kill", "ping") == (
            greeting + "KO: unknown command, try 'help'\r\n" * 2 + "I am alive!\r\nOK\r\n"
        )
        assert talk(server, "auth wrong") == (
            greeting + "KO: authentication token does not match ~/.emulator_console_auth_token\r\n"
        )
        assert talk(server, "auth s3cret", "", "avd name") == greeting + OPEN + "mobile_gym\r\nOK\r\n"
    assert path.read_text() == "s3cret\n"


def test_a_missing_token_is_made_once_and_kept_private(tmp_path: Path) -> None:
    path = tmp_path / "token"
    made = read_or_make_token(path)
    assert len(made) >= 16
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_or_make_token(path) == made
    assert read_or_make_token(tmp_path / "other") != made


def test_a_token_that_cannot_be_read_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ServeError, match=rf"token in {tmp_path} can neither be read nor made"):
        make_server(tmp_path).start()


def test_snapshots(server: PhoneServer) -> None:
    def write(data: bytes) -> None:
        server.worker.call(lambda phone: phone.state.files.write("/data/local/tmp/f", data, mtime_ms=0))

    assert talk(server, "avd snapshot list") == "There is no snapshot available.\r\nOK\r\n"
    write(b"before")
    assert talk(server, "avd snapshot save start") == "OK\r\n"
    write(b"after")
    assert talk(server, "avd snapshot load start") == "OK\r\n"
    assert server.worker.call(lambda phone: phone.state.files.read("/data/local/tmp/f")) == b"before"
    assert talk(server, "avd snapshot list") == (
        "List of snapshots present on all disks:\r\n"
        "ID        TAG                 VM SIZE                DATE       VM CLOCK\r\n"
        "--        start                  128M 2026-05-28 20:26:40   01:02:03.004\r\nOK\r\n"
    )
    assert talk(server, "avd snapshot load none") == (
        "KO: Device 'cache' does not have the requested snapshot 'none'\r\n"
        "KO: Snapshot load failure: snapshot doesn't exist\r\n"
    )
    assert talk(server, "avd snapshot delete start", "avd snapshot del start").startswith("OK\r\nKO: Device 'cache' ")
    assert talk(server, "avd snapshot save") == "KO: Argument missing, try 'avd snapshot save <name>'\r\n"


def test_messages_and_calls(server: PhoneServer) -> None:
    assert talk(server, r"sms send +15551234 Hello, \u4f60\n\\ there") == "OK\r\n"
    assert talk(server, "sms send 123 你好") == "OK\r\n"
    assert talk(server, "gsm list", "gsm call 5551234", "gsm list", "gsm accept 5551234", "gsm list") == (
        "OK\r\nOK\r\ninbound from 5551234    : incoming\r\nOK\r\nOK\r\ninbound from 5551234    : active\r\nOK\r\n"
    )
    assert talk(server, "gsm cancel 1", "gsm cancel 5551234", "gsm list") == (
        "KO: could not cancel this number\r\nOK\r\nOK\r\n"
    )
    assert server.worker.call(lambda phone: phone.told) == [
        ("sms", "+15551234", "Hello, 你\n\\ there"),
        ("sms", "123", "你好"),
        ("call", "5551234"),
        ("key", "CALL"),
        ("key", "ENDCALL"),
    ]


def test_what_the_phone_refuses_is_refused_with_its_reason(server: PhoneServer) -> None:
    assert talk(server, "sms send 666 no way") == "KO: Could not find provider: sms\r\n"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("sms send 123", "KO: missing argument, try 'sms send <phonenumber> <text message>'"),
        ("sms send Bob hello", "KO: bad phone number format, must be [+](0-9)*"),
        (r"sms send 123 a\q", "KO: badly formatted text"),
        ("gsm call", "KO: missing argument, try 'gsm call <phonenumber>'"),
        ("gsm call Bob", "KO: bad phone number format, use digits, # and + only"),
        ("gsm accept 1", "KO: no current call to/from number '1'"),
        ("geo fix 1", "KO: not enough arguments: see 'help geo fix' for details"),
        ("geo fix east 2", "KO: argument 'east' is not a number"),
        ("geo fix 1 200", "KO: invalid latitude value. Must be in the [-90,90] range"),
        ("power capacity 101", 'KO: Usage: "capacity <percentage>"'),
        ("power ac maybe", 'KO: Usage: "ac on" or "ac off"'),
        ("avd start", "KO: virtual device already running"),
        ("nonsense", "KO: unknown command, try 'help'"),
        ("x" * 5000, "KO: line too long"),
        (b"\xff\xfe", "KO: Forbidden binary request. Aborting"),
    ],
)
def test_refusals(server: PhoneServer, line: str | bytes, answer: str) -> None:
    assert talk(server, line) == answer + "\r\n"


def test_power_place_and_rotation(server: PhoneServer) -> None:
    assert talk(server, "power capacity 42", "power ac off", "power display") == (
        "OK\r\nOK\r\nAC: offline\r\nstatus: Discharging\r\nhealth: Good\r\npresent: true\r\ncapacity: 42\r\nOK\r\n"
    )
    assert talk(server, "geo fix -122.156 37.438", "rotate") == "OK\r\nOK\r\n"
    settings = server.worker.call(lambda phone: phone.state.settings)
    assert settings.get("secure", "last_location") == "37.438,-122.156"
    assert settings.get("system", "user_rotation") == "1"
    assert talk(server, "network status").startswith("Current network status:\r\n  download speed: ")


def test_stop_and_start(server: PhoneServer) -> None:
    assert talk(server, "avd status", "avd stop", "avd status", "avd stop", "avd start", "avd status") == (
        "virtual device is running\r\nOK\r\nOK\r\nvirtual device is stopped\r\nOK\r\n"
        "KO: virtual device already stopped\r\nOK\r\nvirtual device is running\r\nOK\r\n"
    )


def test_help(server: PhoneServer) -> None:
    shown = talk(server, "help")
    assert shown.startswith("Android console commands:\r\n    help|h|?\r\n")
    assert "    sms\r\n" in shown
    assert "   sms send             send inbound SMS text message\r\n" in talk(server, "help sms")
    assert talk(server, "sms").endswith("KO: missing sub-command\r\n")
    assert talk(server, "sms eat").endswith("KO:  bad sub-command\r\n")
    assert talk(server, "help nothing").endswith("KO: unknown command\r\n")


def test_kill_ends_the_phone(token: Path) -> None:
    server = make_server(token).start()
    try:
        assert talk(server, "kill") == "OK: killing emulator, bye bye\r\n"
        assert server.wait(10)
    finally:
        server.stop()


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_escaped_messages_come_back(message: str) -> None:
    escaped = "".join("\\\\" if c == "\\" else f"\\u{ord(c):04x}" if ord(c) < 65536 else c for c in message)
    assert text.unescape_message(escaped) == message


@given(st.integers(0, (1 << 50) - 1))
def test_sizes_fit_their_column(size: int) -> None:
    assert len(text.human_size(size)) <= 5


@given(st.from_regex(r"[a-z]{1,40}", fullmatch=True))
def test_names_of_any_length_can_be_read_back(name: str) -> None:
    row = text.SnapshotRow(name, 5, datetime(2026, 1, 2, 3, 4, 5), 0)  # noqa: DTZ001
    assert text.snapshot_table([row]).split("\n")[2].split()[1] == name
