"""What an adb server answers on bad days, and what people are told."""

from __future__ import annotations

import pickle

import pytest

from mobile_gym.devices.adb import AdbDevice, listed
from mobile_gym.devices.adb_server import AdbServer
from mobile_gym.devices.base import Capability, Result
from mobile_gym.devices.errors import CapabilityMissing, CommandFailed, DeviceOffline, DeviceTimeout
from tests.devices.conftest import MakeDevice
from tests.support.fake_adb_server import UNAUTHORIZED, Answer, FakeAdbServer, FakeAndroid


def test_an_unauthorized_device_says_the_whole_text_and_what_to_do(server: FakeAdbServer, make: MakeDevice) -> None:
    server.devices[server.serial] = ("unauthorized", "usb:1-1")
    with pytest.raises(DeviceOffline) as caught:
        make()
    assert caught.value.state == "unauthorized"
    assert UNAUTHORIZED in str(caught.value)
    assert "Accept the dialog" in str(caught.value)
    transports = [service for service in server.services if service.startswith("host:transport")]
    assert len(transports) <= 2  # nobody tries for ever


def test_a_device_that_is_authorizing_is_told_from_one_that_is_offline(server: FakeAdbServer, make: MakeDevice) -> None:
    server.devices[server.serial] = ("authorizing", "")
    with pytest.raises(DeviceOffline, match="still authorizing") as caught:
        make()
    assert caught.value.state == "unauthorized"


def test_no_permissions_names_udev_and_leaves_others_usable(server: FakeAdbServer, make: MakeDevice) -> None:
    reason = "no permissions (missing udev rules? user is in the plugdev group); see [http://x/device.html]"
    server.devices["BAD"] = (reason, "usb:1-2")
    assert [(device.serial, device.state) for device in listed(server.address)] == [
        (server.serial, "device"),
        ("BAD", "no permissions"),
    ]
    make().close()
    with pytest.raises(DeviceOffline, match="udev") as caught:
        AdbDevice("BAD", 5.0, server=server.address, boot_timeout=1.0, pause=0.0)
    assert caught.value.state == "no permissions"


def test_an_unknown_serial_lists_those_that_are_there(server: FakeAdbServer) -> None:
    with pytest.raises(DeviceOffline, match=rf"OTHER.*{server.serial} \(device\)") as caught:
        AdbDevice("OTHER", 5.0, server=server.address, boot_timeout=1.0, pause=0.0)
    assert caught.value.state == "not found"


def test_an_old_server_works_without_the_newer_request(server: FakeAdbServer, make: MakeDevice) -> None:
    server.version = 39
    server.failures["host:tport"] = ["unknown host service"]
    assert make().shell("echo").exit_code == 0


def test_a_server_that_is_too_old_is_called_so(server: FakeAdbServer, make: MakeDevice) -> None:
    server.version = 39
    server.failures["host:transport"] = ["unknown host service"]
    with pytest.raises(DeviceOffline, match=r"1\.0\.39.*1\.0\.41") as caught:
        make()
    assert caught.value.state == "no server"


@pytest.mark.parametrize(
    ("greeting", "words"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", "SSH server"),
        (b"Android Console: type 'help' for a list of commands\r\nOK\r\n", "console of an emulator"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "web server"),
        (b"\x15\x03\x01\x00", "no adb server"),
    ],
)
def test_a_peer_that_is_no_adb_server_is_recognised_at_once(
    server: FakeAdbServer, make: MakeDevice, greeting: bytes, words: str
) -> None:
    server.greeting = greeting
    with pytest.raises(DeviceOffline, match=words) as caught:
        make(timeout=60.0)
    assert caught.value.state == "no server"


def test_a_peer_that_never_speaks_runs_into_the_time_out(server: FakeAdbServer, make: MakeDevice) -> None:
    server.silent = True
    with pytest.raises(DeviceOffline, match="did not end within"):
        make(timeout=0.2, boot_timeout=0.1)


def test_a_command_that_hangs_runs_into_the_time_out(server: FakeAdbServer, make: MakeDevice) -> None:
    device = make(timeout=0.2)
    server.silent = True
    with pytest.raises(DeviceTimeout, match=r"echo hi did not .*no answer to host:transport"):
        device.shell("echo hi")


def test_a_device_that_is_offline_for_a_moment_is_asked_once_more(server: FakeAdbServer, device: AdbDevice) -> None:
    server.failures["host:transport"] = ["device offline", ""]
    assert device.shell("echo").exit_code == 0
    server.failures["host:transport"] = ["device offline"]
    with pytest.raises(DeviceOffline) as caught:
        device.shell("echo")
    assert caught.value.state == "offline"


def test_a_reading_command_that_was_cut_off_runs_again_and_another_does_not(
    phone: FakeAndroid, device: AdbDevice
) -> None:
    phone.on("settings get", Answer("x", cut=True), "value\n")
    assert device.settings.get("system", "key") == "value"
    phone.on("input tap", Answer(cut=True), Answer())
    with pytest.raises(DeviceOffline, match="not known"):
        device.tap(1, 2)
    assert len(phone.asked("input tap")) == 1


def test_a_device_that_comes_back_keeps_its_streams_apart(
    server: FakeAdbServer, phone: FakeAndroid, make: MakeDevice
) -> None:
    server.failures["host-serial"] = ["device offline", ""]
    phone.on("both", Answer("out", "err"))
    assert make().shell("both").stderr == "err"


def test_a_device_on_the_network_is_connected_anew(server: FakeAdbServer) -> None:
    serial = "127.0.0.1:5555"
    server.devices[serial] = ("device", "")
    device = AdbDevice(serial, 5.0, server=server.address, pause=0.0)
    server.failures["host:transport"] = ["device offline", ""]
    assert device.shell("echo").exit_code == 0
    assert f"host:connect:{serial}" in server.services


def test_a_device_on_the_network_that_nobody_answers_for_is_told_in_adb_s_words(server: FakeAdbServer) -> None:
    server.connecting = "failed to connect to '10.0.0.9:5555': Connection refused"
    with pytest.raises(DeviceOffline, match="Connection refused") as caught:
        AdbDevice("10.0.0.9:5555", 5.0, server=server.address, pause=0.0)
    assert caught.value.state == "not found"


def test_a_broken_connection_in_a_file_is_a_device_that_is_offline(server: FakeAdbServer, device: AdbDevice) -> None:
    server.phone.files["/sdcard/x"] = b"x"
    server.cut_files = True
    with pytest.raises(DeviceOffline):
        device.files.read("/sdcard/x")


def test_readiness_is_boot_completed_and_services(server: FakeAdbServer, phone: FakeAndroid, make: MakeDevice) -> None:
    server.failures["host:transport"] = ["device offline", "device offline", "device offline", ""]
    ready = phone.rules[-1][1][0]
    phone.on(
        "sys.boot_completed",
        Answer("\n"),
        Answer("1\nService input: not found\nService window: found\n"),
        ready,
    )
    make()
    assert len(phone.asked("sys.boot_completed")) == 3


def test_a_boot_that_never_ends_says_what_is_missing(phone: FakeAndroid, make: MakeDevice) -> None:
    phone.on("sys.boot_completed", "1\nService input: not found\n")
    with pytest.raises(DeviceOffline, match="Service input: not found") as caught:
        make(boot_timeout=0.05)
    assert caught.value.state == "booting"


def test_a_missing_service_later_is_booting_and_no_success(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("input keyevent", Answer(stderr="cmd: Can't find service: input\n", code=20))
    with pytest.raises(DeviceOffline) as caught:
        device.press("home")
    assert caught.value.state == "booting"


def test_streams_and_exit_status_are_kept_apart(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("both", Answer("out\n", "err\n", 3))
    assert device.shell("both") == Result("out\n", 3, "err\n")


def test_old_android_gives_its_exit_status_too(server: FakeAdbServer, phone: FakeAndroid, make: MakeDevice) -> None:
    server.features = "cmd"
    phone.on("both", Answer("out\r\n", "err\r\n", 3))
    assert make().shell("both") == Result("out\nerr\n", 3)


def test_root_on_a_production_build_is_a_missing_capability(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("id -u", "2000\n")
    phone.on("su 0", Answer(stderr="su: not found", code=127))
    phone.on("root:", "adbd cannot run as root in production builds\n")
    with pytest.raises(CapabilityMissing, match="production builds") as caught:
        device.root()
    assert caught.value.capability == Capability.ROOT


def test_root_after_a_restart_is_checked(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("root:", "restarting adbd as root\n")
    phone.on("id -u", "2000\n", "0\n")
    device.root()
    phone.on("id -u", "0\n")
    asked = len(phone.asked("root:"))
    device.root()
    assert len(phone.asked("root:")) == asked


def test_without_a_console_there_are_no_snapshots_messages_or_calls(device: AdbDevice) -> None:
    for call in (
        lambda: device.snapshots.load("clean"),
        lambda: device.send_sms("1", "a"),
        lambda: device.incoming_call("1"),
    ):
        with pytest.raises(CapabilityMissing):
            call()
    assert Capability.SNAPSHOTS not in device.capabilities


def test_a_device_refuses_to_be_pickled_and_says_what_to_send(device: AdbDevice) -> None:
    with pytest.raises(TypeError, match="adb:SERIAL1"):
        pickle.dumps(device)


def test_an_environment_with_a_bad_port_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "none")
    with pytest.raises(DeviceOffline, match="ANDROID_ADB_SERVER_PORT"):
        AdbServer.from_environment()
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "5038")
    assert AdbServer.from_environment().port == 5038


def test_another_machines_server_is_never_started() -> None:
    with pytest.raises(DeviceOffline) as caught:
        AdbDevice("X", 1.0, server=AdbServer("127.0.0.2", 1), boot_timeout=0.1)
    assert caught.value.state == "no server"


def test_a_command_longer_than_adb_takes_is_refused(device: AdbDevice) -> None:
    with pytest.raises(CommandFailed, match="65535"):
        device.shell("x" * 70000)
