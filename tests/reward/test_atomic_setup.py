"""Set-up is one step: whatever fails in it, the device is left without any part of the start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import CommandFailed, DeviceOffline
from mobile_gym.reward.session import SetupError, TaskSession
from mobile_gym.task_registry.models import Task
from tests.support.fake_device import FakeDevice

ASSETS: list[dict[str, Any]] = [
    {"contact": {"name": "王芳", "number": "13800138000"}},
    {"message": {"from": "10086", "body": "余额不足"}},
    {"alarm": {"time": "7:30", "days": "daily", "label": "起床"}},
]


def task(**fields: Any) -> Task:
    document: dict[str, Any] = {
        "id": "test-1",
        "suite": "test",
        "protocol": "workflow",
        "instruction": {"zh": "测试", "en": "Test"},
        "apps": ["com.android.settings"],
        "start": {"settings": {"system/volume_music": 3}},
        "assets": ASSETS,
        "subtasks": [{"setting": {"key": "system/volume_music", "above": "start"}}],
    }
    return Task.model_validate(document | fields)


@pytest.fixture(scope="module")
def phone() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


class Failing:
    """The content door of a device that refuses its nth write."""

    def __init__(self, device: Device, number: int, error: Exception | None = None) -> None:
        self._inner = device.content
        self._left = number
        self._error = error or CommandFailed("the provider refused")

    def insert(self, uri: str, values: Any) -> None:
        self._left -= 1
        if self._left == 0:
            raise self._error
        self._inner.insert(uri, values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def held(device: Device) -> tuple[Any, ...]:
    """All that the task would put on a device."""
    return (
        device.settings.all("system"),
        device.content.query("content://com.android.contacts/data"),
        device.content.query("content://sms"),
        device.content.query("content://com.android.deskclock/alarms"),
        device.foreground(),
    )


@pytest.mark.parametrize(
    ("number", "where"), [(1, "[0].contact"), (3, "[0].contact"), (4, "[1].message"), (5, "[2].alarm")]
)
def test_a_failed_injection_is_named_and_leaves_nothing(
    phone: Device, monkeypatch: pytest.MonkeyPatch, number: int, where: str
) -> None:
    phone.snapshots.load("clean")
    before = held(phone)
    with monkeypatch.context() as patch:
        patch.setattr(phone, "content", Failing(phone, number))
        session = TaskSession(task(), phone)
        with pytest.raises(SetupError, match="the provider refused") as told:
            session.setup()
    assert told.value.where == f"assets{where}"
    assert not session.ready
    with pytest.raises(RuntimeError, match="not set up"):
        session.check()
    assert held(phone) == before
    session.setup()
    assert session.ready
    assert not session.check().goal_reached


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"start": {"screen": "没有的应用"}}, "start.screen"),
        ({"start": {"screen": "设置", "steps": [{"tap": "没有的字"}]}}, "start.steps"),
        ({"subtasks": [{"message": {"from": "10086", "body": "余额不足"}}]}, "subtask '1'"),
    ],
)
def test_what_fails_after_the_injection_takes_the_assets_back_too(
    phone: Device, fields: dict[str, Any], where: str
) -> None:
    phone.snapshots.load("clean")
    before = held(phone)
    with pytest.raises(SetupError) as told:
        TaskSession(task(**fields), phone).setup()
    assert told.value.where == where
    assert held(phone) == before


def test_a_snapshot_takes_data_caches_and_sessions_of_every_app_with_it(phone: Device) -> None:
    phone.snapshots.load("clean")
    before = held(phone)
    phone.open_app("设置")
    phone.settings.put("system", "volume_music", "14")
    phone.content.insert("content://sms", {"address": "1", "body": "left", "type": 1, "date": 0, "read": 0})
    caches = phone.content.query("content://mobile_gym.storage/caches")
    phone.snapshots.load("clean")
    assert held(phone) == before
    TaskSession(task(assets=[], start={}), phone).setup()
    assert held(phone)[:4] == before[:4]
    assert phone.content.query("content://mobile_gym.storage/caches") == caches


def test_a_start_that_cannot_be_taken_back_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    device = FakeDevice()
    monkeypatch.setattr(device, "content", Failing(device, 2))
    load, loads = device.snapshots.load, []

    def once(name: str) -> None:
        loads.append(name)
        if len(loads) > 1:
            raise DeviceOffline("gone")
        load(name)

    monkeypatch.setattr(device.snapshots, "load", once)
    with pytest.raises(SetupError, match=r"the provider refused; and it could not be taken back: .*gone") as told:
        TaskSession(task(), device).setup()
    assert told.value.where == "assets[0].contact"


def test_without_snapshots_the_apps_data_is_cleared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    device = FakeDevice()
    cleared: list[str] = []
    monkeypatch.setattr(device, "reset_app", cleared.append)
    monkeypatch.setattr(device, "content", Failing(device, 2))
    with pytest.raises(SetupError, match="the provider refused"):
        TaskSession(task(), device, reset_mode="app_data").setup()
    assert cleared == ["com.android.settings"] * 2


def test_a_device_that_is_gone_stays_a_device_error(monkeypatch: pytest.MonkeyPatch) -> None:
    device = FakeDevice()
    monkeypatch.setattr(device, "content", Failing(device, 2, DeviceOffline("gone")))
    session = TaskSession(task(), device)
    with pytest.raises(DeviceOffline):
        session.setup()
    assert not session.ready
