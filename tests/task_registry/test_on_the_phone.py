"""Tasks on the embedded phone: its providers take every asset, and its looks are cheap and complete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.reward.session import SetupError, TaskSession
from mobile_gym.task_registry.models import Task

ASSETS: list[dict[str, Any]] = [
    {"contact": {"name": "王芳", "number": ["138 0013 8000", "10086"], "starred": True}},
    {"message": {"from": "10086", "body": "余额不足", "read": True, "minutes_ago": 5}},
    {"message": {"to": "10086", "body": "好的"}},
    {"message": {"from": "10010", "body": "新消息", "arrives": True}},
    {"call": {"number": "10086", "kind": "missed", "minutes_ago": 30}},
    {"blocked_number": {"number": "400-800-1234"}},
    {"setting": {"key": "system/font_scale", "value": 1.15}},
    {"file": {"path": "/sdcard/Download/买菜 清单.txt", "content": "牛奶"}},
    {"alarm": {"time": "7:30", "days": "weekdays", "label": "起床", "enabled": False, "vibrate": False}},
    {"timer": {"seconds": 300, "label": "煮蛋"}},
    {"city": {"name": "tokyo"}},
    {
        "row": {
            "uri": "content://com.android.settings/wifi_networks",
            "where": {"connected": 1},
            "values": {"metered": True},
        }
    },
]


@pytest.fixture(scope="module")
def phone() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


def session(phone: Device, **fields: Any) -> TaskSession:
    document: dict[str, Any] = {
        "id": "test-1",
        "suite": "test",
        "protocol": "online",
        "instruction": {"zh": "测试", "en": "Test"},
        "subtasks": [{"setting": {"key": "system/volume_music", "above": "start"}}],
    }
    return TaskSession(Task.model_validate(document | fields), phone)


@pytest.mark.parametrize("asset", ASSETS, ids=[next(iter(asset)) + str(n) for n, asset in enumerate(ASSETS)])
def test_the_phone_takes_the_asset_and_it_is_found_again(phone: Device, asset: dict[str, Any]) -> None:
    one = session(phone, assets=[asset])
    one.setup()  # looks for what it injected
    assert not one.check().goal_reached
    phone.settings.put("system", "volume_music", "15")
    assert one.check().clean


def test_a_stray_message_a_deleted_contact_and_a_file_are_told(phone: Device) -> None:
    one = session(phone, assets=ASSETS[:2])
    one.setup()
    phone.settings.put("system", "volume_music", "15")
    phone.content.insert("content://sms", {"address": "10000", "body": "stray", "type": 2, "date": 0, "read": 1})
    phone.content.delete("content://com.android.contacts/raw_contacts", "display_name = '王芳'")
    phone.files.write("/sdcard/Pictures/a b.png", b"x")
    told = "\n".join(one.check().unexpected_changes)
    for part in ("content://sms/", "stray", "content://com.android.contacts/raw_contacts/", "/sdcard/Pictures/a b.png"):
        assert part in told


def test_deleting_the_contact_asked_for_is_clean(phone: Device) -> None:
    one = session(phone, assets=ASSETS[:1], subtasks=[{"not": {"contact": {"name": "王芳"}}}])
    one.setup()
    phone.content.delete("content://com.android.contacts/raw_contacts", "display_name = '王芳'")
    assert one.check().clean


def test_moving_about_changes_nothing_that_counts(phone: Device) -> None:
    one = session(phone, assets=ASSETS[:2], subtasks=[{"activity": "com.android.settings"}])
    one.setup()
    phone.open_app("设置")
    phone.settle()
    phone.press("home")
    phone.press("recents")
    phone.press("home")
    phone.open_app("com.android.settings")
    assert one.check().clean


def test_both_languages_can_be_set_up(phone: Device) -> None:
    for language in ("en", "zh"):
        one = TaskSession(session(phone).task, phone, language)  # type: ignore[arg-type]
        one.setup()
        assert phone.info.language == language


def test_the_same_start_is_the_same_state(phone: Device) -> None:
    digests = set()
    for _ in range(2):
        session(phone, assets=ASSETS, start={"clock": "2026-03-02T09:00:00"}).setup()
        digests.add(phone.digest())
    assert len(digests) == 1


def test_every_table_that_can_be_written_is_watched(phone: Device) -> None:
    one = session(phone)
    one.setup()
    phone.settings.put("system", "volume_music", "15")
    phone.content.insert("content://com.android.messaging/preferences", {"name": "test", "value": 1})
    assert any("content://com.android.messaging/preferences/" in text for text in one.check().unexpected_changes)
    assert all("com.android.calendar" in text for text in one.unwatched)


# ---- starts, side effects


def test_steps_lead_to_where_the_episode_starts(phone: Device) -> None:
    one = session(
        phone,
        assets=[{"alarm": {"time": "9:00", "label": "牛奶"}}],
        start={"screen": {"action": "android.intent.action.SHOW_ALARMS"}, "steps": [{"tap": "牛奶"}]},
    )
    one.setup()
    assert any(node.resource_id.endswith("day_button_0") for node in phone.hierarchy().visible())


def test_a_start_step_that_finds_nothing_names_the_field(phone: Device) -> None:
    one = session(phone, start={"screen": "com.android.deskclock", "steps": [{"tap": "不存在"}]})
    with pytest.raises(SetupError, match=r"start\.steps.*不存在"):
        one.setup()


@pytest.mark.parametrize(
    ("expected", "sent", "met"),
    [
        ({"contains": "6-2-3017"}, "取件码 6-2-3017，谢谢", True),
        ({"contains": ["取件码", "6-2-3017"]}, "6-2-3017", False),
        ({"contains_one_of": ["去不了", "不去"]}, "明天我不去了", True),
        ({"contains_one_of": ["去不了", "不去"]}, "明天见", False),
    ],
)
def test_a_message_can_be_known_by_a_part(phone: Device, expected: Any, sent: str, met: bool) -> None:
    one = session(phone, subtasks=[{"message": {"to": "10086", **expected}}])
    one.setup()
    phone.content.insert("content://sms", {"address": "10086", "body": sent, "type": 2, "date": 0, "read": 1})
    assert one.check().goal_reached is met


def test_a_message_that_was_asked_for_hides_no_change_of_its_thread(phone: Device) -> None:
    one = session(
        phone, assets=[{"message": {"from": "10086", "body": "余额"}}], subtasks=[{"message": {"to": "10086"}}]
    )
    one.setup()
    phone.content.insert("content://sms", {"address": "10086", "body": "好", "type": 2, "date": 0, "read": 1})
    assert one.check().clean
    phone.content.update("content://com.android.messaging/conversations", {"muted": 1}, where="address = '10086'")
    assert any("muted" in text for text in one.check().unexpected_changes)


def test_the_icon_goes_with_its_app_and_another_icon_does_not(phone: Device) -> None:
    one = session(phone, subtasks=[{"package": {"name": "org.mobench.calculator", "installed": False}}])
    one.setup()
    phone.shell("pm uninstall org.mobench.calculator")
    assert one.check().clean
    phone.content.delete("content://com.android.launcher3.settings/favorites", "package = 'com.android.deskclock'")
    assert not one.check().clean
