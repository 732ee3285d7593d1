"""Sessions: set-up that verifies itself, verdicts, side effects."""

from __future__ import annotations

from typing import Any

import pytest

from mobile_gym.devices.base import Capability
from mobile_gym.reward.session import SetupError, TaskSession, Unverifiable
from mobile_gym.task_registry.models import Task
from tests.support.fake_device import FakeDevice

SMS = "content://sms"
ALARMS = "content://com.android.deskclock/alarms"


def task(**fields: Any) -> Task:
    document: dict[str, Any] = {
        "id": "test-1",
        "suite": "test",
        "protocol": "online",
        "instruction": {"zh": "测试", "en": "Test"},
        "subtasks": [{"setting": {"key": "system/volume_music", "above": "start"}}],
    }
    return Task.model_validate(document | fields)


def session(device: FakeDevice | None = None, **fields: Any) -> TaskSession:
    return TaskSession(task(**fields), device or FakeDevice())


def test_setup_makes_the_start_and_check_follows_the_device() -> None:
    device = FakeDevice()
    one = session(
        device,
        start={"settings": {"system/volume_music": 3}, "clock": "2026-05-01T08:00:00", "screen": "设置"},
        assets=[{"message": {"from": "10086", "body": "余额"}}],
    )
    device.settings.put("system", "volume_music", "14")
    one.setup()
    assert device.foreground().package == "com.android.settings"
    assert device.state.now.isoformat() == "2026-05-01T08:00:00+00:00"
    assert one.check().subtasks == {"1": False}
    device.settings.put("system", "volume_music", "4")
    found = one.check()
    assert found.clean
    assert found.progress == 1.0


def test_the_instruction_is_in_the_session_s_language_and_the_device_follows() -> None:
    device = FakeDevice()
    one = TaskSession(task(), device, language="en")
    one.setup()
    assert one.instruction == "Test"
    assert device.info.language == "en"


def test_a_device_that_will_not_change_its_language_is_said_so() -> None:
    device = FakeDevice()
    device.stubborn.add("system_locales")
    with pytest.raises(SetupError, match=r"language=.zh."):
        TaskSession(task(), device, language="en").setup()


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"start": {"snapshot": "nowhere"}}, "start.snapshot"),
        ({"start": {"screen": "没有的应用"}}, "start.screen"),
        ({"start": {"screen": {"app": "设置", "shows": "没有的字"}}}, "start.screen"),
        ({"start": {"settings": {"system/stubborn": 1}}}, "start.settings['system/stubborn']"),
        ({"assets": [{"message": {"body": "x"}}]}, "assets[0].message"),
        ({"assets": [{"contact": {"name": "x"}}, {"call": {"number": "1"}}]}, "assets[1].call"),
        ({"subtasks": [{"setting": {"key": "system/volume_music", "value": 5}}]}, "subtask '1'"),
    ],
)
def test_a_start_that_cannot_be_made_names_the_field(fields: dict[str, Any], where: str) -> None:
    device = FakeDevice()
    device.stubborn.add("stubborn")
    device.losing.add("content://call_log/calls")
    one = session(device, **fields)
    with pytest.raises(SetupError) as caught:
        one.setup()
    assert caught.value.where == where
    assert caught.value.task == "test-1"
    assert not one.ready
    with pytest.raises(RuntimeError, match="setup"):
        one.check()


def test_one_lost_message_of_several_is_noticed_whatever_their_order() -> None:
    device = FakeDevice()
    bodies = ["一", "二", "三"]
    one = session(device, assets=[{"message": {"from": "10086", "body": body}} for body in bodies])
    one.setup()
    insert = device.content.insert

    def reversed_and_short(uri: str, values: Any) -> None:
        if values.get("body") != "二":
            insert(uri, values)
            device.state.tables[SMS].reverse()

    device.content.insert = reversed_and_short  # type: ignore[method-assign]
    with pytest.raises(SetupError, match="the nearest entry has body") as caught:
        one.setup()
    assert caught.value.where == "assets[1].message"


def test_a_subtask_may_hold_at_the_start_where_it_says_so() -> None:
    done = {"id": "a", "criterion": {"setting": {"key": "system/volume_music", "value": 5}}, "holds_at_start": True}
    one = session(subtasks=[done, {"setting": {"key": "system/volume_ring", "value": 9}}])
    one.setup()
    assert one.check().subtasks == {"a": True, "2": False}


def test_a_device_that_lacks_something_cannot_verify() -> None:
    device = FakeDevice(capabilities=frozenset(Capability) - {Capability.SETTINGS})
    with pytest.raises(Unverifiable) as caught:
        session(device).setup()
    assert caught.value.missing == ("settings",)
    device = FakeDevice()
    device.missing_providers.add("com.android.deskclock")
    with pytest.raises(Unverifiable) as caught:
        session(device, subtasks=[{"alarm": {"time": "7:30"}}]).setup()
    assert caught.value.missing == ("provider:com.android.deskclock",)


def test_devices_without_snapshots_reset_otherwise_when_told() -> None:
    device = FakeDevice(capabilities=frozenset(Capability) - {Capability.SNAPSHOTS})
    with pytest.raises(SetupError, match="app_data"):
        session(device).setup()
    TaskSession(task(apps=["com.android.settings"]), device, reset_mode="app_data").setup()
    assert "clear com.android.settings" in device.commands
    device.settings.put("system", "volume_music", "9")
    manual = TaskSession(task(), device, reset_mode="manual")
    manual.setup()
    assert not manual.check().goal_reached
    with pytest.raises(SetupError, match=r"com\.example"):
        TaskSession(task(apps=["com.example"]), device, reset_mode="app_data").setup()


def test_stored_state_is_not_read_again_while_nothing_changes() -> None:
    device = FakeDevice()
    one = session(device)
    one.setup()
    one.check()
    reads = device.reads
    for _ in range(5):
        one.check()
    assert device.reads == reads
    device.settings.put("system", "volume_music", "9")
    assert one.check().goal_reached
    assert device.reads > reads


def test_a_device_without_stamps_is_read_at_every_check() -> None:
    device = FakeDevice(stamps=False)
    one = session(device)
    one.setup()
    assert not one.check().goal_reached
    device.settings.put("system", "volume_music", "9")
    assert one.check().goal_reached


def test_screen_criteria_are_judged_anew_though_nothing_stored_changed() -> None:
    device = FakeDevice()
    one = session(device, subtasks=[{"activity": "com.android.settings"}])
    one.setup()
    assert not one.check().goal_reached
    device.open_app("设置")
    assert one.check().goal_reached


def test_an_answer_is_kept_for_later_checks() -> None:
    one = session(subtasks=[{"answer": "25"}])
    one.setup()
    assert not one.check().goal_reached
    assert one.check(answer="25").goal_reached
    assert one.check().goal_reached
    one.setup()
    assert not one.check().goal_reached


class TestSideEffects:
    """Volatile state is left out, what the task asked for is accounted for, all else is told."""

    def alarm_session(self, device: FakeDevice, **fields: Any) -> TaskSession:
        old = {"alarm": {"time": "6:00", "label": "旧的"}}
        one = session(device, assets=[old], subtasks=[{"alarm": {"time": "7:30"}}], **fields)
        one.setup()
        return one

    def add_alarm(self, device: FakeDevice, hour: int, minutes: int) -> None:
        device.content.insert(ALARMS, {"hour": hour, "minutes": minutes, "daysofweek": 0, "enabled": 1, "label": ""})

    def test_what_the_task_asks_for_is_no_side_effect(self) -> None:
        device = FakeDevice()
        one = self.alarm_session(device)
        self.add_alarm(device, 7, 30)
        assert one.check().clean

    def test_volatile_state_is_no_side_effect(self) -> None:
        device = FakeDevice()
        one = self.alarm_session(device)
        self.add_alarm(device, 7, 30)
        device.content.update(ALARMS, {"next_ring": 123})
        device.settings.put("secure", "search_history_settings", "闹钟")
        device.files.write("/sdcard/Android/data/com.example/cache/x", b"x")
        device.files.write("/sdcard/window_dump.xml", b"<hierarchy/>")
        assert one.check().clean

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (lambda device: device.settings.put("global", "airplane_mode_on", "1"), "global/airplane_mode_on changed"),
            (lambda device: device.settings.delete("system", "volume_ring"), "system/volume_ring removed"),
            (lambda device: device.content.delete(ALARMS, "hour = 6"), f"{ALARMS}/1 removed"),
            (lambda device: device.content.update(ALARMS, {"label": "x"}, "hour = 6"), "label '旧的' -> 'x'"),
            (lambda device: device.send_sms("10010", "stray"), "content://sms/1 added"),
            (lambda device: device.files.write("/sdcard/a.txt", b"x"), "/sdcard/a.txt added"),
            (lambda device: device.state.packages.pop("com.android.settings"), "package/com.android.settings removed"),
        ],
    )
    def test_everything_else_costs_the_clean_pass(self, change: Any, told: str) -> None:
        device = FakeDevice()
        one = self.alarm_session(device)
        self.add_alarm(device, 7, 30)
        change(device)
        device.changed()
        found = one.check()
        assert found.goal_reached
        assert not found.clean
        assert any(told in text for text in found.unexpected_changes)

    def test_entries_are_compared_and_not_counted(self) -> None:
        device = FakeDevice()
        one = self.alarm_session(device)
        device.content.delete(ALARMS)
        self.add_alarm(device, 7, 30)
        found = one.check()
        assert found.goal_reached
        assert len(found.unexpected_changes) == 1  # the old one is gone, though there is one alarm as before
        self.add_alarm(device, 8, 0)
        assert len(one.check().unexpected_changes) == 2

    def test_patterns_of_the_task_allow_more(self) -> None:
        device = FakeDevice()
        one = self.alarm_session(device, allowed_changes=["system/volume_*", "content://sms/*", "*/conversations/*"])
        self.add_alarm(device, 7, 30)
        device.settings.put("system", "volume_ring", "1")
        device.send_sms("10010", "x")
        assert one.check().clean

    def test_sending_the_message_asked_for_brings_its_thread(self) -> None:
        device = FakeDevice()
        one = session(device, subtasks=[{"message": {"to": "10086", "body": "好的"}}])
        one.setup()
        device.content.insert(SMS, {"address": "10086", "body": "好的", "type": 2, "read": 1})
        assert one.check().clean
        device.content.insert(SMS, {"address": "10010", "body": "好的", "type": 2, "read": 1})
        assert not one.check().clean

    def test_taking_away_what_should_go_is_meant_and_all_else_is_not(self) -> None:
        device = FakeDevice()
        people = [{"contact": {"name": name, "number": number}} for name, number in (("王芳", "1"), ("李强", "2"))]
        one = session(device, assets=people, subtasks=[{"not": {"contact": {"name": "王芳"}}}])
        one.setup()
        data, raw = "content://com.android.contacts/data", "content://com.android.contacts/raw_contacts"
        device.content.delete(data, "raw_contact_id = 1")
        device.content.delete(raw, "_id = 1")
        assert one.check().clean
        device.content.delete(data, "raw_contact_id = 2")
        found = one.check()
        assert found.goal_reached
        assert not found.clean

    def test_an_alternative_that_does_not_hold_excuses_nothing(self) -> None:
        device = FakeDevice()
        streams = [{"setting": {"key": f"system/volume_{name}", "above": "start"}} for name in ("music", "ring")]
        one = session(device, subtasks=[{"any": streams}])
        one.setup()
        device.settings.put("system", "volume_music", "9")
        assert one.check().clean
        device.settings.put("system", "volume_ring", "1")
        assert not one.check().clean
