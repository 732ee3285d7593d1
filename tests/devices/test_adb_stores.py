"""Settings, rows, files and the clock of an Android device."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime, timedelta, timezone

import pytest

from mobile_gym.devices.adb import AdbDevice
from mobile_gym.devices.errors import CapabilityMissing, CommandFailed
from tests.support.fake_adb_server import Answer, FakeAndroid

CHINA = timezone(timedelta(hours=8))


def test_settings_are_quoted_for_the_device_s_shell(phone: FakeAndroid, device: AdbDevice) -> None:
    device.settings.put("global", "k", "it's; $(reboot)")
    assert shlex.split(phone.asked("settings put")[0]) == ["settings", "put", "global", "k", "it's; $(reboot)"]
    device.settings.put("global", "k", "")
    assert shlex.split(phone.asked("settings put")[1])[-1] == ""


def test_a_maker_that_forbids_writing_settings_is_told(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("settings put", Answer("\nSecurity exception: Permission denial: writing to settings requires\n"))
    with pytest.raises(CommandFailed, match="security settings"):
        device.settings.put("system", "k", "1")


def test_a_namespace_that_does_not_exist_is_told(phone: FakeAndroid, device: AdbDevice) -> None:
    before = len(phone.commands)
    with pytest.raises(CommandFailed, match=r"nope.*system, secure, global"):
        device.settings.get("nope", "k")
    assert len(phone.commands) == before


def test_columns_are_made_certain_once_for_a_uri(phone: FakeAndroid, device: AdbDevice) -> None:
    plain = "Row: 0 _id=1, body=hello, x=5, date=7\n"
    phone.on("content query --uri content://sms", plain)
    phone.on(
        "--projection _id:body:x:date",
        "Error while accessing provider:sms\nandroid.database.sqlite.SQLiteException: no such column: x (code 1)\n",
    )
    phone.on("--projection _id:body:date", plain)
    expected = [{"_id": "1", "body": "hello, x=5", "date": "7"}]
    assert device.content.query("content://sms") == expected
    asked = len(phone.asked("content query"))
    assert device.content.query("content://sms") == expected
    assert len(phone.asked("content query")) == asked + 1


def test_no_row_leaves_the_columns_open(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("content query", "No result found.\n")
    assert device.content.query("content://sms", "read=0", "date DESC") == []
    (command,) = phone.asked("content query")
    assert shlex.split(command)[3:] == ["content://sms", "--where", "read=0", "--sort", "date DESC"]


@pytest.mark.parametrize(
    "answer",
    [
        Answer("Error while accessing provider:call_log\njava.lang.SecurityException: Permission Denial\n"),
        Answer(stderr="Could not find provider: x\n", code=1),
        Answer(),
    ],
)
def test_a_refused_query_is_never_an_empty_table(phone: FakeAndroid, device: AdbDevice, answer: Answer) -> None:
    phone.on("content query", answer)
    with pytest.raises(CommandFailed):
        device.content.query("content://x")


def test_values_are_bound_with_their_types(phone: FakeAndroid, device: AdbDevice) -> None:
    device.content.insert("content://x", {"s": "a:b 'c'", "i": 5, "f": 0.5, "n": None})
    words = shlex.split(phone.asked("content insert")[0])
    assert [word for word in words if ":" in word][1:] == ["s:s:a:b 'c'", "i:l:5", "f:d:0.5", "n:n:"]
    phone.on("content update", Answer("Error while accessing provider:x\njava.lang.X: y\n"))
    with pytest.raises(CommandFailed):
        device.content.update("content://x", {"i": 1}, "_id=1")


def test_files_by_sync(device: AdbDevice) -> None:
    device.files.write("/sdcard/d/a", b"1" * 200_000)
    device.files.write("/sdcard/d/b", b"")
    assert device.files.read("/sdcard/d/a") == b"1" * 200_000
    assert device.files.exists("/sdcard/d/b")
    assert device.files.list("/sdcard/d") == ["a", "b"]
    with pytest.raises(CommandFailed, match="No such file"):
        device.files.read("/sdcard/none")


def test_the_whole_device_is_never_deleted(phone: FakeAndroid, device: AdbDevice) -> None:
    for path in ("/", "", "//"):
        with pytest.raises(CommandFailed, match="whole device"):
            device.files.delete(path)
    assert not phone.asked("rm -rf")


def test_the_clock_is_read_with_its_zone(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("date '+%s %z'", "1732796466 +0800\n")
    assert device.clock.now() == datetime(2024, 11, 28, 12, 21, 6, tzinfo=UTC)
    assert device.clock.now().utcoffset() == timedelta(hours=8)


def test_a_naive_time_is_local_and_a_zone_is_turned_into_the_device_s(phone: FakeAndroid, device: AdbDevice) -> None:
    wanted = datetime(2026, 5, 1, 9, 30, tzinfo=CHINA)
    for moment in (wanted, wanted.replace(tzinfo=None), wanted.astimezone(UTC)):
        phone.on("date '+%s %z'", "1732796466 +0800\n", f"{int(wanted.timestamp())} +0800\n")
        device.clock.set(moment)
        assert phone.commands[-2].endswith("date 050109302026.00")


def test_a_clock_that_does_not_move_is_a_missing_capability(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("date '+%s %z'", "1732796466 +0800\n")
    phone.on("date 0501", Answer(stderr="date: cannot set date: Operation not permitted\n", code=1))
    with pytest.raises(CapabilityMissing, match="Operation not permitted"):
        device.clock.set(datetime(2026, 5, 1, 9, 30, tzinfo=CHINA))


def test_waiting_lets_the_device_sleep_in_steps_shorter_than_the_time_out(
    phone: FakeAndroid, device: AdbDevice
) -> None:
    device.clock.wait(6.0)
    assert phone.asked("sleep") == ["sleep 2.5", "sleep 2.5", "sleep 1"]
