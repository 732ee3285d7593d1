"""The real adb command line and adbutils against the embedded phone itself: what a user does with a device."""

import io
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import adbutils
import numpy as np
import pytest
from PIL import Image

from mobile_gym.phone.adbd.announce import announce
from mobile_gym.phone.adbd.serve import PhoneServer
from mobile_gym.phone.phone import Phone
from tests.support.adb import Adb, free_port_pair
from tests.support.apk import make_apk

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def server(adb: Adb) -> Iterator[PhoneServer]:
    """A Pixel 6a that the private ADB server knows as an emulator."""
    console, port = free_port_pair()
    token = adb.home / ".emulator_console_auth_token"
    with PhoneServer(partial(Phone, "pixel_6a", "en"), port, console, console_token=token) as running:
        assert announce(port, adb.port)
        adb.text("wait-for-device", serial=running.serial)
        yield running


@pytest.fixture
def shell(adb: Adb, server: PhoneServer):
    """Standard output of `adb shell`, for a command that ends well."""
    return lambda line: adb.text("shell", line, serial=server.serial)


@pytest.fixture(scope="module")
def device(adb: Adb, server: PhoneServer) -> adbutils.AdbDevice:
    return adb.client().device(serial=server.serial)


def frame(server: PhoneServer) -> np.ndarray:
    return server.worker.call(lambda phone: phone.frame())


def test_the_phone_is_the_profile_that_was_asked_for(adb: Adb, server: PhoneServer, shell) -> None:
    assert "product:bluejay model:Pixel_6a device:bluejay" in adb.text("devices", "-l")
    assert shell("getprop sys.boot_completed") == "1\n"
    assert shell("wm size") == "Physical size: 1080x2400\n"


def test_exit_status_and_errors(adb: Adb, server: PhoneServer) -> None:
    done = adb.run("shell", "echo out; ls /nope; false || exit 42", serial=server.serial)
    assert (done.returncode, done.stdout) == (42, b"out\n")
    assert done.stderr == b"ls: /nope: No such file or directory\n"


def test_shells_inside_the_shell(adb: Adb, server: PhoneServer) -> None:
    typed = b"whoami\nsu\nwhoami\nexit\ncd /sdcard\npwd\nif true\nthen echo yes\nfi\nexit 3\n"
    done = adb.run("shell", serial=server.serial, stdin=typed)
    assert (done.returncode, done.stdout) == (3, b"shell\nroot\n/sdcard\nyes\n")


def test_a_terminal_shows_the_prompt_of_the_phone(adb: Adb, server: PhoneServer) -> None:
    done = adb.run("shell", "-tt", serial=server.serial, stdin=b"cd /data\nexit\n")
    assert done.stdout.startswith(b"bluejay:/ $ cd /data\r\nbluejay:/data $ exit\r\n")


def test_input_reaches_commands(adb: Adb, server: PhoneServer) -> None:
    done = adb.run("shell", "cat > /sdcard/typed; wc -c /sdcard/typed", serial=server.serial, stdin=b"12345")
    assert done.stdout.split() == [b"5", b"/sdcard/typed"]


def test_screencap_and_framebuffer_show_the_frame(adb: Adb, server: PhoneServer, device: adbutils.AdbDevice) -> None:
    seen = frame(server)
    picture = Image.open(io.BytesIO(adb.run("exec-out", "screencap", "-p", serial=server.serial).stdout))
    assert np.array_equal(np.asarray(picture.convert("RGB")), seen)
    assert np.array_equal(np.asarray(device.screenshot().convert("RGB")), seen)
    with device.open_transport() as connected:
        connected.send_command("framebuffer:")
        connected.check_okay()
        # adbutils' own reading of so many bytes takes seconds.
        with connected.conn.makefile("rb") as whole:
            data = whole.read()
    assert np.array_equal(np.frombuffer(data[56:], np.uint8).reshape(2400, 1080, 4)[..., :3], seen)


def test_uiautomator_dump(device: adbutils.AdbDevice, shell) -> None:
    xml = device.dump_hierarchy()
    assert xml.startswith("<?xml")
    assert "bounds=" in xml
    assert "UI hierchary dumped to: /sdcard/w.xml" in shell("uiautomator dump /sdcard/w.xml")
    assert shell("cat /sdcard/w.xml").startswith("<?xml")


def test_adbutils_reads_the_phone(device: adbutils.AdbDevice) -> None:
    size = device.window_size()
    assert (size.width, size.height) == (1080, 2400)
    assert "com.android.settings" in device.list_packages()
    device.app_start("com.android.settings")
    assert device.app_current().package == "com.android.settings"
    device.keyevent("HOME")
    assert device.app_current().package != "com.android.settings"
    assert device.is_screen_on()
    assert device.prop.model == "Pixel 6a"


def test_databases_of_apps_are_files_for_root_only(adb: Adb, server: PhoneServer, tmp_path: Path) -> None:
    name = server.worker.call(lambda phone: phone.state.database_names()[0])
    package, _, database = name.partition("/")
    path = f"/data/data/{package}/databases/{database}"
    refused = adb.run("pull", path, str(tmp_path / "none"), serial=server.serial)
    assert refused.returncode == 1
    adb.text("root", serial=server.serial)
    adb.text("wait-for-device", serial=server.serial)
    assert adb.text("shell", "whoami", serial=server.serial) == "root\n"
    adb.text("pull", path, str(tmp_path / "copy"), serial=server.serial)
    assert (tmp_path / "copy").read_bytes().startswith(b"SQLite format 3\0")
    adb.text("push", str(tmp_path / "copy"), path, serial=server.serial)
    adb.text("unroot", serial=server.serial)
    adb.text("wait-for-device", serial=server.serial)


def test_install_and_uninstall(adb: Adb, server: PhoneServer, device: adbutils.AdbDevice, tmp_path: Path) -> None:
    apk = tmp_path / "tool.apk"
    apk.write_bytes(make_apk("com.example.tool", "2.1", 7, ["android.permission.CAMERA"]))
    assert "Success" in adb.text("install", "-r", str(apk), serial=server.serial)
    assert "com.example.tool" in device.list_packages()
    assert "Success" in adb.text("uninstall", "com.example.tool", serial=server.serial)
    assert "com.example.tool" not in device.list_packages()
    apk.write_bytes(b"no apk")
    failed = adb.run("install", str(apk), serial=server.serial)
    assert failed.returncode == 1
    assert b"INSTALL_PARSE_FAILED_NOT_APK" in failed.stderr + failed.stdout


def test_logcat_dumps_the_log(adb: Adb, server: PhoneServer) -> None:
    server.worker.call(lambda phone: phone.log("I", "AdbTest", "a line to find"))
    assert "AdbTest" in adb.text("logcat", "-d", serial=server.serial)
    assert "a line to find" in adb.text("logcat", "-d", "-s", "AdbTest", serial=server.serial)


def test_logcat_follows_the_log(adb: Adb, server: PhoneServer) -> None:
    server.worker.call(lambda phone: phone.log("I", "Followed", "before"))
    with subprocess.Popen(
        [adbutils.adb_path(), "-s", server.serial, "logcat", "-s", "Followed"],
        env=adb.environment,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        while not process.stdout.readline().endswith(b"before\n"):
            pass  # the module's time-out ends this
        server.worker.call(lambda phone: phone.log("W", "Other", "not this"))
        server.worker.call(lambda phone: phone.log("W", "Followed", "after"))
        line = process.stdout.readline()
        process.kill()
    assert line.endswith(b" W Followed: after\n")


def test_snapshots_through_the_console(adb: Adb, server: PhoneServer, shell) -> None:
    def snapshot(*args: str) -> str:
        return emu(adb, server, "avd", "snapshot", *args)

    shell("settings put system screen_brightness 77")
    assert snapshot("save", "bright") == "OK\n"
    shell("settings put system screen_brightness 5")
    assert "bright" in snapshot("list")
    assert snapshot("load", "bright") == "OK\n"
    assert shell("settings get system screen_brightness") == "77\n"
    assert snapshot("delete", "bright") == "OK\n"
    assert snapshot("load", "bright").startswith("KO: ")


def emu(adb: Adb, server: PhoneServer, *args: str) -> str:
    """What the console says to `adb emu`."""
    return adb.text("emu", *args, serial=server.serial).replace("\r\n", "\n")


def test_messages_through_the_console(adb: Adb, server: PhoneServer, shell) -> None:
    assert emu(adb, server, "sms", "send", "5551234", "lunch at noon?") == "OK\n"
    assert "body=lunch at noon?" in shell("content query --uri content://sms/inbox --projection address:body")


def test_calls_through_the_console(adb: Adb, server: PhoneServer) -> None:
    assert emu(adb, server, "gsm", "call", "5559876") == "OK\n"
    assert emu(adb, server, "gsm", "list") == "inbound from 5559876    : incoming\nOK\n"
    assert emu(adb, server, "gsm", "accept", "5559876") == "OK\n"
    assert emu(adb, server, "gsm", "list") == "inbound from 5559876    : active\nOK\n"
    assert emu(adb, server, "gsm", "cancel", "5559876") == "OK\n"
    assert emu(adb, server, "gsm", "list") == "OK\n"


def test_the_battery_through_the_console(adb: Adb, server: PhoneServer, shell) -> None:
    assert emu(adb, server, "power", "capacity", "33") == "OK\n"
    assert "level: 33" in shell("dumpsys battery")


def test_reboot_keeps_data_and_ends_apps(adb: Adb, server: PhoneServer, shell, device: adbutils.AdbDevice) -> None:
    shell("settings put system screen_brightness 99")
    device.app_start("com.android.settings")
    adb.text("reboot", serial=server.serial)
    adb.text("wait-for-device", serial=server.serial)
    assert shell("settings get system screen_brightness") == "99\n"
    assert device.app_current().package != "com.android.settings"
