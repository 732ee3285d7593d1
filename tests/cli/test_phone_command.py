"""`mobile-gym phone serve`."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mobile_gym.cli import build_app
from tests.support.adb import free_port, free_port_pair

pytestmark = pytest.mark.timeout(60)


def serve(*options: str) -> tuple[int, str]:
    """Exit status, and both outputs with their lines joined, of a command that ends by itself."""
    done = CliRunner().invoke(build_app("phone"), ["phone", "serve", *options])
    return done.exit_code, " ".join(done.output.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--profile", "brick"], "unknown phone profile 'brick'; there are pixel_6a, small"),
        (["--snapshot", "nowhere"], "nowhere"),
        (["--count", "0"], "--count 0: between 1 and 64 phones"),
        (["--port", "70000"], "do not lie between 1 and 65535"),
        (["--port", "7000", "--console", "7002", "--count", "2"], "would meet"),
        (["--host", "203.0.113.1"], "cannot listen on 203.0.113.1"),
    ],
)
def test_what_cannot_be_served_is_said(
    options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    _, port = free_port_pair()
    ports = [] if "--port" in options else ["--port", str(port)]
    status, output = serve(*options, *ports)
    assert status == 2
    assert message in output


def test_a_port_in_use_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, output = serve("--port", str(port), "--console", str(free_port()))
    assert status == 2
    assert f"ADB port {port} on 127.0.0.1 is in use" in output


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_phones_are_served_until_a_signal(ending: signal.Signals, tmp_path: Path) -> None:
    console, port = free_port_pair()
    command = [
        # As a background job of a script, which ignores SIGINT when it begins.
        *("sh", "-c", 'trap "" INT; exec "$@"', "sh"),
        sys.executable,
        "-c",
        "from mobile_gym.cli import main; main()",
        "phone",
        "serve",
        "--profile",
        "small",
        "--language",
        "en",
    ]
    environment = {**os.environ, "HOME": str(tmp_path), "ANDROID_ADB_SERVER_PORT": str(free_port())}
    with subprocess.Popen(
        [*command, "--port", str(port), "--count", "2"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for number in (0, 2):
            line = process.stdout.readline()
            assert line == (
                f"emulator-{console + number}  adb connect 127.0.0.1:{port + number}  "
                f"(console 127.0.0.1:{console + number})\n"
            )
        assert process.stdout.readline() == "Ctrl-C stops.\n"
        with socket.create_connection(("127.0.0.1", console + 2), timeout=10) as connected:
            assert connected.recv(100).startswith(b"Android Console: Authentication required")
        process.send_signal(ending)
        assert process.stdout.read() == "Stopped.\n"
        assert process.wait(10) == 0
