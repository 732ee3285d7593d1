"""Devices, console, settings, packages, battery and date."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.devices.parse.battery import BatteryError, parse_battery
from mobile_gym.devices.parse.common import ParseError
from mobile_gym.devices.parse.console import ConsoleError, parse_reply, parse_snapshots, token_path
from mobile_gym.devices.parse.date import DateError, parse_date
from mobile_gym.devices.parse.devices_list import parse_devices
from mobile_gym.devices.parse.packages import PackagesError, parse_launchers, parse_package_facts, parse_packages
from mobile_gym.devices.parse.settings import SettingsError, check_settings, parse_setting, parse_settings


@pytest.mark.parametrize(
    ("line", "serial", "state", "usable"),
    [
        ("emulator-5554\tdevice", "emulator-5554", "device", True),
        (
            "10.0.0.2:5555          device product:p model:Pixel_9 device:d transport_id:3",
            "10.0.0.2:5555",
            "device",
            True,
        ),
        ("R58M\tunauthorized", "R58M", "unauthorized", False),
        ("R58M            unauthorized usb:1-2 transport_id:4", "R58M", "unauthorized", False),
        ("R58M\tauthorizing", "R58M", "authorizing", False),
        ("R58M\toffline", "R58M", "offline", False),
        ("FBE0\trecovery product:sample transport_id:3", "FBE0", "recovery", False),
        ("X\tno permissions (user is in group; see [http://x])", "X", "no permissions", False),
        (
            "X      no permissions; see [http://developer.android.com/tools/device.html] usb:1-2",
            "X",
            "no permissions",
            False,
        ),
        ("(no serial number)\tdevice", "(no serial number)", "device", True),
        ("????????????\tno permissions", "????????????", "no permissions", False),
        ("adb-1-x (2)._adb-tls-connect._tcp\tdevice", "adb-1-x (2)._adb-tls-connect._tcp", "device", True),
    ],
)
def test_every_state_of_a_device(line: str, serial: str, state: str, usable: bool) -> None:
    (device,) = parse_devices(f"List of devices attached\r\n{line}\r\n\r\n")
    assert (device.serial, device.state, device.usable) == (serial, state, usable)


def test_properties_of_the_long_list() -> None:
    (device,) = parse_devices("S             device usb:1-1 product:tokay model:Pixel_9 device:tokay transport_id:3")
    assert device.properties == {
        "usb": "1-1",
        "product": "tokay",
        "model": "Pixel_9",
        "device": "tokay",
        "transport_id": "3",
    }
    (other,) = parse_devices("S\tno permissions (missing udev rules? a b); see [http://x] usb:1-2 transport_id:9")
    assert other.detail == "(missing udev rules? a b); see [http://x]"


def test_a_reply_of_the_console_ends_with_ok_or_ko() -> None:
    assert parse_reply("I am alive!\r\n") is None
    assert parse_reply("OK") is None  # its line is not over yet
    reply = parse_reply("I am alive!\r\nOK\r\n")
    assert reply is not None
    assert (reply.ok, reply.body) == (True, ("I am alive!",))
    failed = parse_reply("KO: Device 'cache' does not have the requested snapshot 'x'\r\n")
    assert failed is not None
    assert not failed.ok
    assert "requested snapshot" in failed.text


@pytest.mark.parametrize(
    "line",
    [
        "--        clean-boot              75M 2026-09-09 11:41:45   00:10:07.753",
        "2         clean-boot           1.2 GB 2026-09-30 10:00:00   00:01:00.000",
        "--        clean-boot          913 MiB 2026-03-25 23:42:16 00:00:28.552",
        "1         clean-boot                0 1970-01-01 00:00:00   00:00:00.000            5",
    ],
)
def test_every_form_of_the_snapshot_list(line: str) -> None:
    reply = parse_reply(f"List of snapshots present on all disks:\r\nID        TAG  VM SIZE  DATE\r\n{line}\r\nOK\r\n")
    assert reply is not None
    assert parse_snapshots(reply) == ["clean-boot"]


def test_no_snapshots_and_a_refusal() -> None:
    reply = parse_reply("There is no snapshot available.\r\nOK\r\n")
    assert reply is not None
    assert parse_snapshots(reply) == []
    refused = parse_reply("KO: no\r\n")
    assert refused is not None
    with pytest.raises(ConsoleError):
        parse_snapshots(refused)
    assert token_path("Android Console: type 'help' for a list of commands\r\nOK\r\n") is None


def test_settings_values() -> None:
    assert parse_setting("null\n") is None
    assert parse_setting("\n") == ""
    assert parse_setting("a b \r\n") == "a b "
    assert parse_setting("two\nlines\n") == "two\nlines"
    for error in ("", "Invalid namespace 'x'\n", "cmd: Can't find service: settings\n", "java.lang.X\n\tat y\n"):
        with pytest.raises(SettingsError):
            parse_setting(error)


def test_settings_lists_hold_equals_signs_and_line_ends() -> None:
    assert parse_settings('a=1\nb={"x"="y"}\nc=two\nlines\nd=\n') == {
        "a": "1",
        "b": '{"x"="y"}',
        "c": "two\nlines",
        "d": "",
    }
    assert parse_settings("") == {}
    with pytest.raises(SettingsError):
        parse_settings("Invalid namespace 'x'")


def test_a_refused_put_is_an_error() -> None:
    check_settings("")
    check_settings("Deleted 1 rows\n")
    with pytest.raises(SettingsError):
        check_settings("Security exception: Permission denial\n")
    with pytest.raises(SettingsError):
        check_settings("Invalid namespace 'x'\n")


def test_packages_and_launchers() -> None:
    assert parse_packages("package:b.c\r\npackage:a\r\n") == ["a", "b.c"]
    assert parse_packages("") == []
    with pytest.raises(PackagesError):
        parse_packages("cmd: Can't find service: package")
    text = (
        "2 activities found:\n  Activity #0:\n    priority=0\n    com.a/.Main\n  Activity #1:\n    com.b/com.c.Main\n"
    )
    assert parse_launchers(text) == {"com.a": "com.a.Main", "com.b": "com.c.Main"}
    assert parse_launchers("No activity found\n") == {}
    facts = parse_package_facts("  Package [x]\n    versionCode=12 minSdk=21\n    versionName=1.2 beta\n")
    assert (facts.version_code, facts.version_name) == (12, "1.2 beta")
    with pytest.raises(PackagesError):
        parse_package_facts("Unable to find package: x")


def test_battery_without_a_level_is_an_error() -> None:
    for text in ("", "Can't find service: battery", "  level: x\n", "  level: 5\n  scale: 0\n"):
        with pytest.raises(BatteryError):
            parse_battery(text)
    assert parse_battery("  level: 50\n  scale: 200\n").percent == 25


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1732796466 +0800\n", datetime(2024, 11, 28, 20, 21, 6, tzinfo=timezone(timedelta(hours=8)))),
        ("1732796466 -0330", datetime(2024, 11, 28, 8, 51, 6, tzinfo=timezone(timedelta(hours=-3.5)))),
        (
            "Thu Nov 28 20:31:06 GMT+08:00 2024\r\n",
            datetime(2024, 11, 28, 20, 31, 6, tzinfo=timezone(timedelta(hours=8))),
        ),
    ],
)
def test_dates(text: str, expected: datetime) -> None:
    found = parse_date(text)
    assert found == expected
    assert found.utcoffset() == expected.utcoffset()


@pytest.mark.parametrize(
    "text", ["", "Thu Nov 28 20:31:06 CST 2024", "1732796466", "Thu Nov 31 20:31:06 UTC 2024", "999999999999 +0000"]
)
def test_a_date_without_a_certain_zone_is_an_error(text: str) -> None:
    with pytest.raises(DateError):
        parse_date(text)


@pytest.mark.parametrize(
    "parser",
    [
        parse_devices,
        parse_reply,
        token_path,
        parse_setting,
        parse_settings,
        check_settings,
        parse_packages,
        parse_launchers,
        parse_package_facts,
        parse_battery,
        parse_date,
    ],
)
@given(text=st.text())
def test_any_text_gives_data_or_a_parse_error(parser: Callable[[str], object], text: str) -> None:
    with contextlib.suppress(ParseError):
        parser(text)
