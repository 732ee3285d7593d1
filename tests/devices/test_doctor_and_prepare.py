"""What a device lacks in plain words, and making it ready step by step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mobile_gym.devices import Capability, Device, connect
from mobile_gym.devices.doctor import examine, lacks
from mobile_gym.devices.prepare import Plan, prepare
from tests.devices.conftest import MakeDevice
from tests.support.fake_adb_server import Answer, FakeAndroid

CUT = "--mobile-gym--"
FACTS = f"Physical size: 10x20\n{CUT}\nPhysical density: 160\n{CUT}\n   SurfaceOrientation: 0\n"


@pytest.fixture
def handset(phone: FakeAndroid, make: MakeDevice) -> Device:
    """A handset without root, keyboard and console, which keeps its settings."""
    values: dict[str, str] = {}

    def run(command: str) -> Answer:
        words = command.split()
        if words[:2] == ["settings", "put"] and ";" not in command:
            values[" ".join(words[2:4])] = words[4].strip("'")
        if words[:2] == ["settings", "get"]:
            return Answer(values.get(" ".join(words[2:4]), "null") + "\n")
        if "wm density" in command:
            return Answer(FACTS)
        if command.startswith("settings put global mobile_gym_probe"):
            return Answer("1\nDeleted 1 rows\n")
        if command.startswith("pm install"):
            return Answer("Success\n" if phone.files.get(words[-1]) == b"apk" else "Failure [INSTALL_FAILED]\n")
        return Answer("2000\n" if "id -u" in command and "su" not in command else "", code=int("su 0" in command))

    phone.run = run
    return make()


def test_the_embedded_phone_lacks_nothing() -> None:
    with connect("embedded:small") as device:
        report = examine(device, {"elder": {"elder-001": ["settings", "snapshots"]}})
        assert report.sound
        assert report.lacking == ()
        assert report.tasks == {"elder": (1, 1)}


def test_what_a_handset_lacks_is_said_with_the_suites_that_need_it(handset: Device) -> None:
    report = examine(handset, {"elder": {"a": ["settings"], "b": ["sms", "settings"]}, "graph": {"c": []}})
    assert not report.sound
    assert report.tasks == {"elder": (2, 1), "graph": (1, 1)}
    first = report.lacking[0]
    assert (first.capability, first.needed_by) == ("sms", {"elder": 1})
    text = report.to_text()
    assert "Needed by elder (1 tasks)" in text
    assert "To get it: use an Android emulator" in text
    assert "Suite elder: 1 of 2 tasks" in text
    assert json.loads(report.to_json())["sound"] is False


def test_every_capability_is_described(handset: Device) -> None:
    findings = examine(handset).findings
    assert [finding.capability for finding in findings] == list(Capability)
    assert all(finding.what and finding.without and finding.how for finding in findings)


def test_a_name_that_is_no_capability_is_told_with_its_task(handset: Device) -> None:
    with pytest.raises(ValueError, match="telepathy"):
        lacks(handset, ["telepathy"])
    with pytest.raises(ValueError, match=r"task t-1: .*telepathy"):
        examine(handset, {"s": {"t-1": ["telepathy"]}})


def test_preparing_reports_each_step(handset: Device, tmp_path: Path) -> None:
    apk = tmp_path / "keyboard.apk"
    apk.write_bytes(b"apk")
    seeded: list[Device] = []
    steps = list(prepare(handset, Plan(keyboard=apk, language="zh", seed=seeded.append)))
    assert all(step.done for step in steps), steps
    assert [step.name for step in steps][:3] == [
        "install keyboard.apk",
        "language zh",
        "global/window_animation_scale = 0",
    ]
    assert handset.settings.get("system", "time_12_24") == "24"
    assert seeded == [handset]


def test_a_failed_step_is_reported_and_nothing_is_saved(handset: Device, tmp_path: Path) -> None:
    apk = tmp_path / "keyboard.apk"
    apk.write_bytes(b"no apk")
    steps = list(prepare(handset, Plan(keyboard=apk, language="en", snapshot="clean")))
    failed = {step.name: step.detail for step in steps if not step.done}
    assert list(failed) == ["install keyboard.apk", "language en", "save the snapshot clean"]
    assert "INSTALL_FAILED" in failed["install keyboard.apk"]
    assert "by hand" in failed["language en"]
    assert "a step before failed" in failed["save the snapshot clean"]


def test_the_embedded_phone_is_prepared_and_saved() -> None:
    with connect("embedded:small") as device:
        steps = list(prepare(device, Plan(snapshot="ready")))
        assert all(step.done for step in steps), steps
        assert "ready" in device.snapshots.list()
        assert device.settings.get("global", "animator_duration_scale") == "0"
