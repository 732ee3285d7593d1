"""`mobile-gym devices` and `mobile-gym device`."""

from __future__ import annotations

import json

import pytest

from mobile_gym.cli import main
from tests.support.fake_adb_server import FakeAdbServer


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> object:
    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return call


def test_devices_are_listed_with_their_states(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    with FakeAdbServer() as server:
        server.devices["BAD"] = ("no permissions (missing udev rules?); see [http://x]", "usb:1-2")
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.address.port))
        status, out, _ = run("devices", "--json")
        assert status == 0
        states = {row["device"]: row["state"] for row in json.loads(out)["devices"]}
        assert states["embedded:pixel_6a"] == "device"
        assert states["adb:SERIAL1"] == "device"
        assert states["adb:BAD"] == "no permissions"
        status, out, _ = run("devices")
        assert "adb:BAD" in out


def test_a_peer_that_is_no_adb_server_is_told(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    with FakeAdbServer() as server:
        server.greeting = b"SSH-2.0-x\r\n"
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.address.port))
        status, out, err = run("devices")
        assert status == 1
        assert "embedded:pixel_6a" in out
        assert "SSH server" in err


def test_the_doctor_looks_at_the_embedded_phone(run) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = run("device", "doctor", "embedded:small", "--json")
    report = json.loads(out)
    assert status == 0
    assert report["sound"] is True
    assert {finding["capability"] for finding in report["findings"]} >= {"snapshots", "hierarchy"}


def test_preparing_the_embedded_phone(run) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = run("device", "prepare", "embedded:small", "--snapshot", "ready")
    assert status == 0
    assert "done    global/window_animation_scale = 0" in out
    assert "save the snapshot ready" in out


def test_a_wrong_device_is_told_without_a_traceback(run) -> None:  # type: ignore[no-untyped-def]
    status, _, err = run("device", "doctor", "embedded:none")
    assert status == 2
    assert "pixel_6a" in err
