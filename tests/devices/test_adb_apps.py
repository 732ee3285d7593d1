"""Opening apps by label or package, and activities with what they are given."""

from __future__ import annotations

import shlex

import pytest

from mobile_gym.devices.adb import AdbDevice
from mobile_gym.devices.adb_apps import known_labels, package_of
from mobile_gym.devices.errors import CommandFailed
from mobile_gym.phone.apps import BUILT_IN, load_app
from tests.devices.conftest import MakeDevice
from tests.support.fake_adb_server import Answer, FakeAndroid

INSTALLED = "package:com.tencent.mm\npackage:com.android.settings\npackage:com.example.app\n"


@pytest.fixture
def apps(phone: FakeAndroid) -> FakeAndroid:
    """A handset with three apps and no list of labels."""
    phone.on("pm list packages", INSTALLED)
    phone.on("content query", "Error while accessing provider:mobile_gym.launcher\njava.lang.X: y\n")
    phone.on("resolve-activity", "No activity found\n")
    for package, activity in (("com.tencent.mm", ".ui.LauncherUI"), ("com.android.settings", ".Settings")):
        phone.on(f"LAUNCHER {package}", f"priority=0 preferredOrder=0 match=0x108000\n{package}/{activity}\n")
    phone.on("am start", "Starting: Intent { act=android.intent.action.MAIN }\n")
    return phone


@pytest.mark.parametrize("name", ["微信", "wechat", " WeChat ", "com.tencent.mm"])
def test_apps_are_opened_by_package_or_any_label(apps: FakeAndroid, device: AdbDevice, name: str) -> None:
    device.open_app(name)
    (command,) = apps.asked("am start")
    assert command.endswith("-n com.tencent.mm/com.tencent.mm.ui.LauncherUI")
    assert "android.intent.category.LAUNCHER" in command


def test_an_unknown_name_lists_the_labels_that_are_there(apps: FakeAndroid, device: AdbDevice) -> None:
    with pytest.raises(CommandFailed, match=r"'支付宝'.*微信"):
        device.open_app("支付宝")
    assert not apps.asked("am start")


def test_labels_can_be_added(apps: FakeAndroid, make: MakeDevice) -> None:
    apps.on("LAUNCHER com.example.app", "com.example.app/.Main\n")
    make(labels={"com.example.app": ["My app"]}).open_app("my APP")
    assert apps.asked("am start")[0].endswith("com.example.app/com.example.app.Main")


def test_what_the_device_itself_calls_its_apps_comes_first(apps: FakeAndroid, device: AdbDevice) -> None:
    row = "Row: 0 _id=1, package=com.android.settings, label_zh=微信, label_en=WeChat\n"
    apps.on("content query --uri content://mobile_gym.launcher/apps", row)
    device.open_app("微信")
    assert "com.android.settings" in apps.asked("am start")[0]


def test_an_app_without_a_launcher_activity_is_told(apps: FakeAndroid, device: AdbDevice) -> None:
    with pytest.raises(CommandFailed, match="no activity that a launcher"):
        device.open_app("com.example.app")


@pytest.mark.parametrize(
    "said",
    [
        "Starting: Intent { cmp=a/.B }\nError type 3\nError: Activity class {a/a.B} does not exist.\n",
        "Error: Activity not started, unable to resolve Intent { act=x }\n",
        "Security exception: Permission Denial: starting Intent\n",
        "java.lang.SecurityException: Permission Denial\n",
    ],
)
def test_a_start_that_fails_with_exit_status_zero_is_a_failure(apps: FakeAndroid, device: AdbDevice, said: str) -> None:
    apps.on("am start", said)
    with pytest.raises(CommandFailed):
        device.start_activity("a/.B")


def test_extras_reach_the_activity_with_their_types_and_as_one_word_each(apps: FakeAndroid, device: AdbDevice) -> None:
    device.start_activity(
        "a/.B", "act", "tel:1 2", {"s": 'it\'s; $x "q"', "i": 5, "l": 2**40, "yes": True, "empty": ""}
    )
    assert shlex.split(apps.asked("am start")[0]) == [
        *["am", "start", "-n", "a/.B", "-a", "act", "-d", "tel:1 2", "--es", "s", 'it\'s; $x "q"'],
        *["--ei", "i", "5", "--el", "l", str(2**40), "--ez", "yes", "true", "--es", "empty", ""],
    ]


def test_resetting_an_app_reads_what_is_said(apps: FakeAndroid, device: AdbDevice) -> None:
    apps.on("pm clear", "Failed\n", "Success\n")
    with pytest.raises(CommandFailed, match="Failed"):
        device.reset_app("com.example.app")
    device.reset_app("com.example.app")


def test_the_table_of_labels_is_whole() -> None:
    table = known_labels()
    assert len(table) > 50
    assert all(labels and all(label.strip() == label for label in labels) for labels in table.values())
    assert package_of("12306", ["com.MobileTicket"], table) == "com.MobileTicket"
    assert package_of("nothing", ["com.MobileTicket"], table) is None


def test_the_table_knows_the_apps_of_the_embedded_phone() -> None:
    table = known_labels()
    shown = [app for app in map(load_app, BUILT_IN) if app.icon is not None]
    assert not [app.package for app in shown if not {app.label("zh"), app.label("en")} <= {*table.get(app.package, [])}]


@pytest.mark.parametrize("key", ["home", "back", "recents", "enter", "volume_up"])
def test_keys_are_sent_by_android_s_names(phone: FakeAndroid, device: AdbDevice, key: str) -> None:
    device.press(key)  # type: ignore[arg-type]
    assert phone.asked("input keyevent KEYCODE_")


def test_an_unknown_key_is_told(device: AdbDevice) -> None:
    with pytest.raises(CommandFailed, match=r"banana.*home"):
        device.press("banana")  # type: ignore[arg-type]


def test_each_gesture_is_one_line(phone: FakeAndroid, device: AdbDevice) -> None:
    device.tap(1, 2)
    device.double_tap(1, 2)
    device.long_press(1, 2, 1.5)
    device.swipe(1, 2, 3, 4, 0.25)
    device.drag(1, 2, 3, 4, 2.0)
    assert [command for command in phone.commands if command.startswith("input ")] == [
        "input tap 1 2",
        "input tap 1 2 && input tap 1 2",
        "input swipe 1 2 1 2 1500",
        "input swipe 1 2 3 4 250",
        "input draganddrop 1 2 3 4 2000",
    ]


def test_a_gesture_that_the_device_refuses_is_a_failure(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("input tap", Answer("Error: Invalid arguments for command: tap\nUsage: input\n", code=0))
    with pytest.raises(CommandFailed, match="Invalid arguments"):
        device.tap(1, 2)
    phone.on("input tap", Answer(stderr="java.lang.SecurityException: Injecting requires\n", code=0))
    with pytest.raises(CommandFailed, match="SecurityException"):
        device.tap(1, 2)
