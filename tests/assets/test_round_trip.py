"""Every asset: put on a device by its document, found again by the same document, and by no near one."""

from __future__ import annotations

from typing import Any

import pytest

from mobile_gym.assets.table import Asset, asset_types
from mobile_gym.devices.base import Capability
from mobile_gym.devices.errors import CommandFailed
from mobile_gym.reward.criteria import Criterion, judge
from mobile_gym.reward.leaves import Evidence
from mobile_gym.reward.world import World
from tests.support.fake_device import FakeDevice, plain_rows

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "contact",
        {"name": "王芳", "number": "138 0013 8000", "starred": True},
        {"name": "王芳", "number": "13800138001"},
    ),
    ("contact", {"name": "Li Wei", "number": ["10086", "10010"]}, {"name": "Wei Li", "number": ["10086", "10000"]}),
    ("message", {"from": "10086", "body": "余额不足"}, {"to": "10086", "body": "余额不足"}),
    ("message", {"to": "+86 13800138000", "body": "好的"}, {"to": "13800138000", "body": "好的吗"}),
    ("alarm", {"time": "7:30", "days": ["mon", "fri"], "label": "起床"}, {"time": "7:30", "days": ["mon"]}),
    ("timer", {"seconds": 300, "label": "煮蛋", "running": True}, {"seconds": 300, "running": False}),
    ("city", {"name": "tokyo"}, {"name": "kyoto"}),
    ("call", {"number": 10086, "kind": "missed"}, {"number": 10086, "kind": "incoming"}),
    ("blocked_number", {"number": "400-800-1234"}, {"number": "400-800-1235"}),
    ("setting", {"key": "system/font_scale", "value": 1.3}, {"key": "system/font_scale", "value": 1.0}),
    ("file", {"path": "/sdcard/list.txt", "content": "牛奶"}, {"path": "/sdcard/list.txt", "content": "鸡蛋"}),
    (
        "row",
        {"uri": "content://call_log/calls", "values": {"number": "10086", "new": True}},
        {"uri": "content://call_log/calls", "values": {"number": "10086", "new": False}},
    ),
]


def present(device: FakeDevice, kind: str, document: dict[str, Any]) -> bool:
    world = World(device)
    return judge(Criterion.of(kind, document), Evidence(world, world)).holds


@pytest.mark.parametrize(
    ("kind", "document", "near"), CASES, ids=[f"{kind}-{i}" for i, (kind, _, _) in enumerate(CASES)]
)
def test_one_document_is_injected_and_expected(kind: str, document: dict[str, Any], near: dict[str, Any]) -> None:
    device = FakeDevice()
    assert not present(device, kind, document)
    asset = Asset.of(kind, document)
    asset.type.inject(device, asset.spec)
    assert present(device, kind, document)
    assert not present(device, kind, near)


def test_every_type_that_can_be_injected_here_has_a_case() -> None:
    others = {"conversation", "notification"}  # these come with their messages, and by the shell
    # tests/assets/test_app_assets.py has those of the phone's own apps.
    on_the_phone = {"event", "chat_message", "cart_item", "order", "oakridge_item", "oakridge_order", "bill"}
    assert {kind for kind, _, _ in CASES} | others | on_the_phone == set(asset_types())


def test_flags_of_a_conversation() -> None:
    device = FakeDevice()
    device.send_sms("10086", "您好")
    asset = Asset.of("conversation", {"number": "10086", "muted": True})
    asset.type.inject(device, asset.spec)
    assert present(device, "conversation", {"number": "+8610086", "muted": True, "pinned": False})
    assert not present(device, "conversation", {"number": "10086", "pinned": True})


def test_a_notification_is_posted_by_the_shell_and_refusals_are_errors() -> None:
    device = FakeDevice()
    asset = Asset.of("notification", {"title": "快递", "text": "it's here"})
    with pytest.raises(CommandFailed, match="not found"):
        asset.type.inject(device, asset.spec)
    assert device.commands == ["cmd notification post -t '快递' mobile_gym 'it'\"'\"'s here'"]


def test_messages_arrive_where_the_shell_may_not_insert_them() -> None:
    device = FakeDevice(capabilities=frozenset(Capability) - {Capability.ROOT})
    asset = Asset.of("message", {"from": "10086", "body": "您好", "read": True})
    asset.type.inject(device, asset.spec)
    [row] = plain_rows(device, "content://sms")
    assert (row["date"], row["read"]) == (0, 0)  # what `send_sms` of the fake leaves


def test_history_is_dated_by_the_device_s_clock() -> None:
    device = FakeDevice()
    asset = Asset.of("message", {"from": "10086", "body": "您好", "minutes_ago": 60})
    asset.type.inject(device, asset.spec)
    [row] = plain_rows(device, "content://sms")
    assert row["date"] == int(device.state.now.timestamp() - 3600) * 1000


@pytest.mark.parametrize(
    ("kind", "document"),
    [("message", {"body": "x"}), ("alarm", {"label": "x"}), ("timer", {"label": "x"}), ("call", {"kind": "missed"})],
)
def test_a_document_that_says_too_little_cannot_be_injected(kind: str, document: dict[str, Any]) -> None:
    asset = Asset.of(kind, document)
    with pytest.raises(ValueError, match="needs"):
        asset.type.inject(FakeDevice(), asset.spec)


def test_a_contact_keeps_its_fields_together() -> None:
    device = FakeDevice()
    for document in ({"name": "王芳", "number": "10086"}, {"name": "李强", "number": "10010"}):
        asset = Asset.of("contact", document)
        asset.type.inject(device, asset.spec)
    assert not present(device, "contact", {"name": "王芳", "number": "10010"})
