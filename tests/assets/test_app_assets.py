"""Assets of the apps, on the embedded phone: one document is put there and found again, and no near one is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from mobile_gym.assets.table import Asset
from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.reward.criteria import Criterion, judge
from mobile_gym.reward.leaves import Evidence
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.world import World
from mobile_gym.task_registry.models import Task

CASES: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    (
        "event",
        {
            "title": "看牙",
            "start": "2026-03-15T14:00",
            "end": "2026-03-15T15:30",
            "location": "口腔医院",
            "reminder": 30,
        },
        [
            {"title": "看牙", "start": "2026-03-15T14:01"},
            {"title": "看牙", "end": "2026-03-15T15:00"},
            {"title": "看牙", "reminder": 60},
            {"title": "看牙", "repeat": "weekly"},
        ],
    ),
    (
        "event",
        {"title": "旅游", "start": "2026-04-01", "end": "2026-04-03", "reminder": [0, 1440]},
        [{"title": "旅游", "end": "2026-04-04"}, {"title": "旅游", "start": "2026-04-01T00:00"}],
    ),
    (
        "event",
        {"title": "打太极", "start": "2026-03-16T07:00", "end": "2026-03-16T08:30", "repeat": "daily"},
        [{"title": "打太极", "repeat": "never"}, {"title": "打太极", "end": "2026-03-16T09:30"}],
    ),
    (
        "chat_message",
        {"chat": "小丽（女儿）", "from": "me", "body": "到楼下了"},
        [
            {"chat": "小丽（女儿）", "from": "小丽（女儿）", "body": "到楼下了"},
            {"body": "到楼下"},
            {"contains": ["到楼下", "快"]},
        ],
    ),
    (
        "chat_message",
        {"chat": "小丽（女儿）", "body": "今晚七点半吃饭", "minutes_ago": 30, "read": False},
        [{"chat": "小丽（女儿）", "from": "me", "body": "今晚七点半吃饭"}],
    ),
    (
        "cart_item",
        {"product": "101", "quantity": 3},
        [{"product": "赣南脐橙 新鲜手剥大果", "quantity": 2}, {"product": "102", "quantity": 3}],
    ),
    (
        "order",
        {
            "items": [{"product": "Gannan navel oranges, large", "quantity": 2}, {"product": "713", "variant": "暖黄"}],
            "status": "to_receive",
            "note": "放门口",
        },
        [
            {"items": [{"product": "101", "quantity": 1}], "note": "放门口"},
            {"items": [{"product": "101"}], "note": "放门口", "count": 1},
            {"items": [{"product": "713", "quantity": 2}], "note": "放门口"},
            {"note": "放门口", "status": "to_pay"},
        ],
    ),
    (
        "oakridge_item",
        {"product": "102", "variant": "10 in", "quantity": 3},
        [
            {"product": "Non-stick frying pan", "quantity": 2},
            {"product": "102", "variant": "12 in"},
            {"product": "103"},
        ],
    ),
    (
        "oakridge_item",
        {"product": "Non-stick frying pan", "saved": True},
        [{"product": "102", "saved": False}, {"product": "103", "saved": True}],
    ),
    (
        "oakridge_order",
        {
            "items": [
                {"product": "Stainless steel stock pot", "variant": "12 qt", "quantity": 2},
                {"product": "102", "variant": "8 in"},
            ],
            "status": "shipped",
            "speed": "express",
            "gift": True,
            "gift_message": "For your kitchen",
            "card": "8052",
            "promo": "TENOFF",
        },
        [
            {"items": [{"product": "103", "quantity": 1}], "promo": "TENOFF"},
            {"items": [{"product": "103", "variant": "8 qt"}], "promo": "TENOFF"},
            {"items": [{"product": "103"}], "promo": "TENOFF", "count": 1},
            {"promo": "TENOFF", "status": "placed"},
            {"promo": "TENOFF", "card": "4417"},
            {"promo": "TENOFF", "gift": False},
            {"promo": "TENOFF", "speed": "standard"},
            {"promo": "TENOFF", "total": 146.96},
        ],
    ),
    (
        "bill",
        {"title": "幸福面馆", "amount": 28.8, "note": "午饭", "minutes_ago": 90},
        [{"title": "幸福面馆", "amount": 28.81}, {"title": "幸福面馆", "direction": "in"}],
    ),
]
IDS = [f"{kind}-{number}" for number, (kind, _, _) in enumerate(CASES)]


@pytest.fixture(scope="module")
def phone() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


def holds(device: Device, kind: str, document: dict[str, Any]) -> bool:
    world = World(device)
    return judge(Criterion.of(kind, document), Evidence(world, world)).holds


@pytest.mark.parametrize(("kind", "document", "near"), CASES, ids=IDS)
def test_one_document_is_injected_and_expected(
    phone: Device, kind: str, document: dict[str, Any], near: list[dict[str, Any]]
) -> None:
    phone.snapshots.load("lived_in")
    assert not holds(phone, kind, document)
    asset = Asset.of(kind, document)
    asset.type.inject(phone, asset.spec)
    assert holds(phone, kind, document)
    for other in near:
        assert not holds(phone, kind, other), other


def test_a_part_of_it_is_enough(phone: Device) -> None:
    phone.snapshots.load("lived_in")
    for kind, document, _ in CASES:
        asset = Asset.of(kind, document)
        asset.type.inject(phone, asset.spec)
    assert holds(phone, "chat_message", {"chat": "小丽（女儿）", "contains_one_of": ["楼上", "楼下"]})
    assert holds(phone, "order", {"items": [{"product": "赣南脐橙 新鲜手剥大果"}], "count": 2})
    assert holds(phone, "oakridge_order", {"items": [{"product": "102"}], "count": 2, "total": 146.97})
    assert holds(phone, "oakridge_order", {"gift_message": "for your kitchen", "address": "218 Linden Street"})
    assert holds(phone, "bill", {"amount": 28.80})
    assert holds(phone, "event", {"title": "旅游", "reminder": 1440})


@pytest.mark.parametrize(("kind", "document", "near"), CASES, ids=IDS)
def test_what_is_expected_is_no_side_effect(
    phone: Device, kind: str, document: dict[str, Any], near: list[dict[str, Any]]
) -> None:
    task = Task.model_validate(
        {
            "id": "test-1",
            "suite": "test",
            "protocol": "workflow",
            "instruction": {"zh": "测试", "en": "Test"},
            "start": {"snapshot": "lived_in"},
            "subtasks": [{"new": {kind: document}}],
        }
    )
    session = TaskSession(task, phone)
    session.setup()
    asset = Asset.of(kind, document)
    asset.type.inject(phone, asset.spec)
    found = session.check()
    assert (found.goal_reached, found.unexpected_changes) == (True, ())


@pytest.mark.parametrize(
    ("kind", "document", "said"),
    [
        ("event", {"title": "x"}, "needs 'title' and 'start'"),
        ("event", {"title": "x", "start": "2026-03-15", "calendar": "没有"}, "no calendar '没有'"),
        ("chat_message", {"chat": "小丽（女儿）"}, "needs 'chat' and 'body'"),
        ("cart_item", {"product": "没有的货"}, "no product '没有的货'"),
        ("cart_item", {"product": "101", "variant": "没有"}, "no variant '没有'"),
        ("order", {"note": "x"}, "needs 'items'"),
        ("oakridge_item", {"quantity": 2}, "needs 'product'"),
        ("oakridge_item", {"product": "no such thing"}, "Oakridge has no product 'no such thing'"),
        ("oakridge_item", {"product": "102", "variant": "9 in"}, "no variant '9 in'; there are 8 in, 10 in, 12 in"),
        ("oakridge_order", {"promo": "TENOFF"}, "needs 'items'"),
        ("oakridge_order", {"items": [{"product": "102"}], "card": "1234"}, "'1234'; there are 4417, 8052"),
        ("bill", {"title": "x"}, "needs 'title' and 'amount'"),
    ],
)
def test_what_cannot_be_injected_says_what_is_missing(
    phone: Device, kind: str, document: dict[str, Any], said: str
) -> None:
    asset = Asset.of(kind, document)
    with pytest.raises(ValueError, match=said):
        asset.type.inject(phone, asset.spec)


@pytest.mark.parametrize(
    "document",
    [
        {"start": "soon"},
        {"start": "2026-03-15T14:00+08:00"},
        {"start": "2026-03-15", "end": "2026-03-15T14:00"},
        {"start": "2026-03-15", "end": "2026-03-14"},
    ],
)
def test_events_that_make_no_sense_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Asset.of("event", document)
