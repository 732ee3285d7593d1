"""Every kind of criterion, over the fake device."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from mobile_gym.reward.criteria import Criterion, judge
from mobile_gym.reward.leaves import Evidence
from mobile_gym.reward.world import NotLooked, World
from tests.support.fake_device import FakeDevice

ALARMS = "content://com.android.deskclock/alarms"


def criterion(document: dict[str, Any]) -> Criterion:
    return Criterion.model_validate(document)


def holds(device: FakeDevice, document: dict[str, Any], start: World | None = None, answer: str | None = None) -> bool:
    now = World(device)
    return judge(criterion(document), Evidence(now, start or now, answer)).holds


def started(device: FakeDevice, document: dict[str, Any]) -> World:
    """The look at the start, frozen, as a session takes it."""
    world = World(device)
    judge(criterion(document), Evidence(world, world))
    world.freeze()
    return world


@pytest.mark.parametrize(
    ("check", "value", "result"),
    [
        ({"above": "start"}, "6", True),
        ({"above": "start"}, "5", False),
        ({"below": "start"}, "4", True),
        ({"at_least": {"start": 2}}, "7", True),
        ({"at_least": {"start": 2}}, "6", False),
        ({"at_most": {"start": -1}}, "4", True),
        ({"equals": {"start": 1}}, "6", True),
        ({"equals": "start"}, "5.0", True),
        ({"changed": True}, "6", True),
        ({"changed": True}, "5", False),
        ({"changed": False}, "5", True),
        ({"near": {"value": 10, "tolerance": 1}}, "11", True),
        ({"near": {"value": 10, "tolerance": 1}}, "12", False),
        ({"one_of": [1, 2]}, "2", True),
        ({"value": 7}, "7.0", True),
        ({"value": True}, "1", True),
        ({"equals": 7, "above": "start"}, "7", True),
        ({"contains": "7"}, "17", False),
    ],
)
def test_settings_against_values_and_the_start(check: dict[str, Any], value: str, result: bool) -> None:
    device = FakeDevice()
    document = {"setting": {"key": "system/volume_music", **check}}
    start = started(device, document)
    device.settings.put("system", "volume_music", value)
    assert holds(device, document, start) is result


def test_a_setting_that_was_never_put_has_the_default_that_the_task_gives() -> None:
    device = FakeDevice()
    document = {"setting": {"key": "system/font_scale", "above": "start", "default": 1.0}}
    start = started(device, document)
    assert not holds(device, document, start)
    device.settings.put("system", "font_scale", "1.15")
    assert holds(device, document, start)


def test_an_alarm_is_judged_by_what_is_stored() -> None:
    device = FakeDevice()
    wanted = {"alarm": {"time": "15:00"}}
    for hour, enabled in ((3, 1), (13, 1), (15, 0)):
        device.content.insert(ALARMS, {"hour": hour, "minutes": 0, "daysofweek": 0, "enabled": enabled, "label": ""})
        assert not holds(device, wanted)
    device.content.insert(ALARMS, {"hour": 15, "minutes": 0, "daysofweek": 31, "enabled": 1, "label": ""})
    assert holds(device, wanted)
    assert holds(device, {"alarm": {"time": "15:00", "days": "weekdays"}})
    assert not holds(device, {"alarm": {"time": "15:00", "days": "once"}})
    assert holds(device, {"alarm": {"time": "15:00", "days": "once", "enabled": None}})


def test_a_new_thing_is_not_one_that_was_there() -> None:
    device = FakeDevice()
    document = {"new": {"contact": {"name": "王芳"}}}
    contact = criterion({"contact": {"name": "王芳"}})
    from mobile_gym.assets.table import Asset

    asset = Asset.of("contact", {"name": "王芳"})
    asset.type.inject(device, asset.spec)
    start = started(device, document)
    assert judge(contact, Evidence(start, start)).holds
    assert not holds(device, document, start)
    asset.type.inject(device, asset.spec)
    assert holds(device, document, start)


def test_rows_by_meaning_by_sql_and_by_count() -> None:
    device = FakeDevice()
    uri = "content://sms"
    document = {"row": {"uri": uri, "where": {"body": "好的"}, "count": {"at_least": {"start": 1}}}}
    device.content.insert(uri, {"address": "10086", "body": "好的。", "type": 2, "read": 1})
    start = started(device, document)
    assert not holds(device, document, start)
    device.content.insert(uri, {"address": "10086", "body": "好 的", "type": 2, "read": 1})
    assert holds(device, document, start)
    assert holds(device, {"row": {"uri": uri, "sql": "type = 2", "count": 2}})
    assert holds(device, {"row": {"uri": uri, "values": {"address": 10086, "read": {"above": 0}}}})
    assert not holds(device, {"row": {"uri": uri, "where": {"address": "1008"}}})


def test_files_by_path_pattern_and_content() -> None:
    device = FakeDevice()
    document = {"file": {"path": "/sdcard/Pictures/*.png", "new": True}}
    device.files.write("/sdcard/Pictures/old.png", b"old")
    start = started(device, document)
    assert not holds(device, document, start)
    device.files.write("/sdcard/Pictures/new.png", b"new")
    assert holds(device, document, start)
    device.files.write("/sdcard/list.txt", "牛奶 鸡蛋\n".encode())
    assert holds(device, {"file": {"path": "/sdcard/list.txt", "content": "牛奶鸡蛋"}})
    assert holds(device, {"file": {"path": "/sdcard/list.txt", "contains": "鸡蛋"}})
    assert holds(device, {"file": {"path": "/sdcard/none.txt", "exists": False}})
    assert not holds(device, {"file": {"path": "/sdcard/none.txt"}})


def test_screen_criteria_never_hold_with_the_lock_screen_up() -> None:
    device = FakeDevice()
    activity, text = {"activity": "launcher"}, {"visible_text": "设置"}
    assert holds(device, activity)
    assert holds(device, text)
    device.state.locked = True
    assert not holds(device, activity)
    assert not holds(device, text)


def test_visible_text_is_the_whole_text_of_an_element() -> None:
    device = FakeDevice()
    assert not holds(device, {"visible_text": "设"})
    assert holds(device, {"visible_text": {"contains": "设"}})
    assert not holds(device, {"visible_text": {"text": "设置", "package": "other"}})


@pytest.mark.parametrize(
    ("check", "answer", "result"),
    [
        ("25", "25", True),
        ("25", "125", False),
        ("15:00", "下午三点", True),
        ({"one_of": ["王芳", "Wang Fang"]}, "wang fang", True),
        ({"contains": ["王芳", "25"]}, "王芳今年 25 岁", True),
        ({"contains": ["王芳", "25"]}, "王芳今年 125 岁", False),
        ({"near": {"near": {"value": 10, "tolerance": 0.5}}}, "10.4", True),
        ({"equals": 3}, None, False),
    ],
)
def test_answers(check: Any, answer: str | None, result: bool) -> None:
    assert holds(FakeDevice(), {"answer": check}, answer=answer) is result


def test_the_clipboard_and_packages() -> None:
    device = FakeDevice()
    device.state.tables["content://mobile_gym.clipboard/primary"].append({"_id": 1, "text": "138 0013 8000"})
    assert holds(device, {"clipboard": {"contains": "0013"}})
    assert holds(device, {"package": {"name": "com.android.settings"}})
    assert holds(device, {"package": {"name": "com.example", "installed": False}})
    device.state.packages["com.android.settings"] = "disabled"
    assert not holds(device, {"package": {"name": "com.android.settings", "enabled": True}})


def test_all_any_and_not() -> None:
    device = FakeDevice()
    yes, no = {"activity": "launcher"}, {"activity": "other"}
    assert holds(device, {"all": [yes, {"not": no}]})
    assert not holds(device, {"all": [yes, no]})
    assert holds(device, {"any": [no, yes]})
    assert not holds(device, {"any": [no, no]})


def test_what_is_taken_away_counts_as_met() -> None:
    device = FakeDevice()
    document = criterion({"all": [{"activity": "launcher"}, {"not": {"activity": "launcher"}}]})
    world = World(device)
    evidence = Evidence(world, world)
    assert not judge(document, evidence).holds
    assert not judge(document, evidence, without=(0,)).holds
    assert judge(document, evidence, without=(1, 0)).holds


def test_a_frozen_look_answers_only_what_was_asked() -> None:
    device = FakeDevice()
    world = World(device)
    world.setting("system", "volume_music")
    world.freeze()
    device.settings.put("system", "volume_music", "9")
    assert world.setting("system", "volume_music") == "5"
    with pytest.raises(NotLooked):
        world.rows("content://sms")


@pytest.mark.parametrize(
    "document",
    [
        {"setting": {"key": "volume_music", "value": 1}},
        {"setting": {"key": "system/volume_music"}},
        {"alarm": {"time": "25:00"}},
        {"row": {"uri": "sms"}},
        {"file": {"path": "list.txt"}},
        {"visible_text": {"text": "a", "contains": "b"}},
        {"new": {"setting": {"key": "system/a", "value": 1}}},
        {"contact": {"name": "a"}, "alarm": {"time": "7:00"}},
        {"any": []},
        {"nonsense": 1},
    ],
)
def test_documents_that_make_no_sense_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        criterion(document)


def test_what_a_criterion_requires_comes_from_its_leaves() -> None:
    document = criterion({"all": [{"new": {"alarm": {"time": "7:00"}}}, {"not": {"visible_text": "x"}}]})
    assert document.requires() == {"content", "provider:com.android.deskclock", "hierarchy"}


def test_a_row_of_the_embedded_phone_needs_its_provider() -> None:
    own = Criterion.of("row", {"uri": "content://mobile_gym.storage/caches"})
    assert own.requires() == {"content", "provider:mobile_gym.storage"}
    assert Criterion.of("row", {"uri": "content://sms"}).requires() == {"content"}
