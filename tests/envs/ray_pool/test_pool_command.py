"""`mobile-gym device pool`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from mobile_gym.cli import build_app
from mobile_gym.envs.ray.pool_state import PoolReport
from tests.support.fake_adb_server import FakeAdbServer


def command(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(build_app("device"), ["device", "pool", *arguments])
    return result.exit_code, result.output


def test_devices_of_a_pool_are_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "pool.yaml"
    file.write_text("devices: [embedded:small, adb:BAD]\navds: [{name: pixel}]\n")
    with FakeAdbServer() as server:
        server.devices["BAD"] = ("no permissions (missing udev rules?); see [http://x]", "usb:1-2")
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.address.port))
        status, shown = command(f"pool:{file}", "--timeout", "2")
        assert status == 1
        assert [line.split()[:2] for line in shown.splitlines() if line.startswith(("embedded", "adb", "avd"))] == [
            ["embedded:small", "free"], ["adb:BAD", "aside"], ["avd:pixel", "started"],
        ]  # fmt: skip
        assert "udev" in shown
        status, shown = command("embedded:small,embedded:pixel_6a", "--json")
    assert status == 0
    assert [one.status for one in PoolReport.model_validate_json(shown).devices] == ["free", "free"]


def test_what_makes_no_sense_is_refused() -> None:
    assert command("adb:a,adb:a")[0] == 2
    status, shown = command("pool:/nowhere.yaml")
    assert status == 2
    assert "/nowhere.yaml cannot be read" in shown
