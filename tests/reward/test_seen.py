"""What the verifier found, in words: what was there, what was nearest, what was other."""

from __future__ import annotations

from typing import Any

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.reward.session import TaskSession
from mobile_gym.task_registry.models import Task
from tests.support.fake_device import FakeDevice

ALARMS = "content://com.android.deskclock/alarms"


def session(device: Device, *criteria: dict[str, Any], **fields: Any) -> TaskSession:
    document: dict[str, Any] = {
        "id": "test-1",
        "suite": "test",
        "protocol": "workflow",
        "instruction": {"zh": "测试", "en": "Test"},
        "subtasks": [{"id": f"s{number}", "criterion": one} for number, one in enumerate(criteria)],
    }
    found = TaskSession(Task.model_validate(document | fields), device)
    found.setup()
    return found


def told(device: Device, criterion: dict[str, Any], **check: Any) -> list[str]:
    one = session(device, criterion)
    one.check(**check)
    return one.seen()["s0"]


def test_a_setting_is_told_with_what_it_was_at_the_start() -> None:
    device = FakeDevice()
    one = session(device, {"setting": {"key": "system/volume_music", "above": "start"}})
    one.check()
    assert one.seen() == {"s0": ["it was “5”"]}
    device.settings.put("system", "volume_music", "4")
    one.check()
    assert one.seen() == {"s0": ["it was “4”, at the start “5”"]}


def test_each_leaf_has_its_words_in_the_order_of_the_tree() -> None:
    found = told(
        FakeDevice(),
        {
            "any": [
                {"setting": {"key": "system/none", "equals": 1}},
                {"all": [{"activity": "a.b"}, {"ended": "finished"}]},
            ]
        },
        ended_by="answer",
    )
    assert found[0] == "it was nothing"
    assert found[1].endswith(" was in front")
    assert found[2] == "it ended by answer"


def test_rows_are_counted_and_the_wanted_columns_told() -> None:
    device = FakeDevice()
    one = session(device, {"row": {"uri": ALARMS, "where": {"hour": 7}, "values": {"enabled": 1}}})
    device.content.insert(ALARMS, {"hour": 7, "minutes": 30, "enabled": 0})
    one.check()
    assert one.seen()["s0"] == ["1 such rows, 0 at the start; enabled = 0"]


@pytest.mark.parametrize(
    ("criterion", "check", "words"),
    [
        ({"answer": {"equals": "7"}}, {}, "no answer was given"),
        ({"answer": {"equals": "7"}}, {"answer": "8", "ended_by": "answer"}, "the answer was “8”"),
        ({"package": {"name": "a.b"}}, {}, "not installed"),
        ({"file": {"path": "/sdcard/a.txt"}}, {}, "none"),
        ({"clipboard": "x"}, {}, "it was "),
        ({"visible_text": "not there"}, {}, ""),
    ],
)
def test_every_other_kind_has_words(criterion: dict[str, Any], check: dict[str, Any], words: str) -> None:
    (found,) = told(FakeDevice(), criterion, **check)
    assert found.startswith(words)
    assert bool(found) == bool(words)


def test_the_nearest_thing_is_told_with_what_is_other() -> None:
    device = connect("embedded:pixel_6a")
    try:
        contact = {"name": "何大夫", "number": "13800138000"}
        one = session(device, {"contact": contact}, {"new": {"contact": contact}}, start={"snapshot": "clean"})
        one.check()
        assert one.seen()["s1"] == ["nothing of this kind was new"]
        assert one.seen()["s0"][0].endswith("none like it")
        contact_type = one.task.subtasks[1].criterion.spec.type
        contact_type.inject(device, contact_type.document(name="何大夫", number="13800138001"))
        one.check()
        for words in one.seen().values():
            assert words == ["name = “何大夫”, number = “13800138001” (other: number)"]
    finally:
        device.close()
