"""Trees and pictures of an Android device, on good and bad days."""

from __future__ import annotations

import io
import re
import struct

import numpy as np
import pytest
from PIL import Image

from mobile_gym.devices.adb import AdbDevice
from mobile_gym.devices.errors import CommandFailed, HierarchyUnavailable, ScreenshotUnavailable
from mobile_gym.devices.secure import likely_secure
from tests.devices.conftest import MakeDevice
from tests.support.fake_adb_server import Answer, FakeAndroid

CUT = "--mobile-gym--"
SIZE = "Physical size: 1080x2400\n"


def xml(text: str, rotation: int = 0) -> str:
    return (
        f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{rotation}\">"
        f'<node text="{text}" bounds="[0,0][1080,2400]" /></hierarchy>'
    )


def dump(said: str, data: str = "", size: str = SIZE) -> str:
    return f"{said}\n{CUT}\n{data}\n{CUT}\n{size}"


def png(size: tuple[int, int], color: tuple[int, int, int]) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, "PNG")
    return out.getvalue()


def facts(size: str = SIZE, turn: str = "   SurfaceOrientation: 0\n") -> str:
    return f"{size}{CUT}\nPhysical density: 420\n{CUT}\n{turn}"


def test_a_failed_dump_never_gives_the_tree_of_an_earlier_screen(phone: FakeAndroid, make: MakeDevice) -> None:
    phone.files["/sdcard/window_dump.xml"] = xml("earlier screen").encode()
    phone.on("uiautomator dump", dump("ERROR: null root node returned by UiTestAutomationBridge."))
    with pytest.raises(HierarchyUnavailable, match="no window could be read"):
        make(retries=2).hierarchy()
    commands = phone.asked("uiautomator dump")
    assert len(commands) == 3
    paths = [re.search(r"uiautomator dump (\S+)", command) for command in commands]
    assert len({path[1] for path in paths if path}) == 3
    for command, path in zip(commands, paths, strict=True):
        assert path is not None
        assert command.startswith(f"rm -f {path[1]};")


def test_a_dump_that_crashes_without_a_word_is_tried_again(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("uiautomator dump", dump(""), dump(""), dump("UI hierchary dumped to: /x", xml("at last")))
    assert [node.text for node in device.hierarchy().walk()] == ["at last"]


def test_when_all_tries_crash_the_message_is_not_empty(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("uiautomator dump", dump(""))
    with pytest.raises(HierarchyUnavailable, match="without a word"):
        device.hierarchy()


def test_bars_alone_are_no_tree_of_a_focused_dialog(phone: FakeAndroid, device: AdbDevice) -> None:
    bars = xml("12:00").replace("<node ", '<node package="com.android.systemui" ')
    dialog = xml("Allow").replace("<node ", '<node package="com.android.permissioncontroller" ')
    said = "UI hierchary dumped to: /x"
    phone.on("dumpsys window", f"  mCurrentFocus=Window{{1 u0 com.android.permissioncontroller/.Grant}}\n{CUT}\n")
    phone.on("uiautomator dump", dump(said, bars), dump(said, dialog))
    assert [node.text for node in device.hierarchy().walk()] == ["Allow"]
    phone.on("uiautomator dump", dump(said, bars))
    with pytest.raises(HierarchyUnavailable, match="permissioncontroller has the focus"):
        device.hierarchy()
    phone.on("dumpsys window", f"  mCurrentFocus=Window{{1 u0 NotificationShade}}\n{CUT}\n")
    assert [node.text for node in device.hierarchy().walk()] == ["12:00"]


def test_the_path_that_the_message_names_is_read(phone: FakeAndroid, device: AdbDevice) -> None:
    path = "/storage/emulated/legacy/window_dump.xml"
    phone.on("uiautomator dump", dump(f"UI hierchary dumped to: {path}"))
    phone.on(f"cat {path}", xml("elsewhere"))
    assert [node.text for node in device.hierarchy().walk()] == ["elsewhere"]
    assert phone.asked(f"rm -f {path}")


def test_a_tree_knows_the_screen_as_it_is_turned(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("uiautomator dump", dump("UI hierchary dumped to: /x", xml("wide", rotation=1)))
    tree = device.hierarchy()
    assert (tree.size, tree.rotation) == ((2400, 1080), 1)


def test_info_follows_override_and_rotation_at_each_call(phone: FakeAndroid, device: AdbDevice) -> None:
    override = "Physical size: 1440x2560\r\nOverride size: 1080x1920\r\n"
    phone.on("wm density", facts(override), facts(override, "   InputDeviceOrientation: Rotation90\n"))
    info = device.info
    assert (info.width, info.height, info.rotation, info.dpi) == (1080, 1920, 0, 420)
    assert (info.model, info.sdk, info.release, info.language) == ("Fake", 34, "14", "zh")
    info = device.info
    assert (info.width, info.height, info.rotation) == (1920, 1080, 1)


def test_the_rotation_comes_from_elsewhere_where_the_input_does_not_tell(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("wm density", facts(turn=""))
    phone.on(
        "dumpsys display",
        "mViewports=[DisplayViewport{type=INTERNAL, valid=true, displayId=0, orientation=3, "
        "logicalFrame=Rect(0, 0 - 2400, 1080), physicalFrame=Rect(0, 0 - 2400, 1080)}]",
    )
    assert device.info.rotation == 3


def test_no_size_is_an_error_with_the_device_s_words(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("wm density", facts(size="Error: nothing\n"))
    with pytest.raises(CommandFailed, match="wm size"):
        _ = device.info


def test_a_picture_is_shrunk_on_demand(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("screencap", png((40, 80), (200, 100, 50)))
    assert device.screenshot().shape == (80, 40, 3)
    small = device.screenshot((20, 40))
    assert small.shape == (40, 20, 3)
    assert small[0, 0].tolist() == [200, 100, 50]
    assert device.screenshot((13, 29)).shape == (29, 13, 3)


def test_each_picture_is_an_array_of_its_own_that_can_be_changed(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("screencap", png((4, 4), (1, 2, 3)))
    first = device.screenshot()
    first[:] = 0
    assert device.screenshot()[0, 0].tolist() == [1, 2, 3]


def test_pictures_never_pass_through_a_file(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("screencap", png((4, 4), (1, 2, 3)))
    device.screenshot()
    assert phone.asked("screencap") == ["screencap -p"]


def test_raw_pixels_with_a_header_of_sixteen_bytes(phone: FakeAndroid, make: MakeDevice) -> None:
    pixels = bytes(range(2 * 3 * 4))
    phone.on("screencap", struct.pack("<4I", 2, 3, 1, 1) + pixels)
    frame = make(raw=True).screenshot()
    assert frame.shape == (3, 2, 3)
    assert frame[0, 0].tolist() == [0, 1, 2]


def test_a_short_read_is_tried_again_and_never_a_shifted_picture(phone: FakeAndroid, make: MakeDevice) -> None:
    whole = struct.pack("<4I", 2, 3, 1, 1) + bytes(range(24))
    phone.on("screencap", whole[:-4], whole)
    assert make(raw=True).screenshot()[0, 0].tolist() == [0, 1, 2]


def test_a_failed_capture_is_not_called_a_secure_window(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("screencap", "Failed to take screenshot. Status: -1\nCapturing failed.\n")
    with pytest.raises(ScreenshotUnavailable, match="Status: -1"):
        device.screenshot()
    phone.on("screencap", "")
    with pytest.raises(ScreenshotUnavailable, match="sent nothing"):
        device.screenshot()


def test_a_secure_window_is_black_with_a_tree(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("screencap", png((40, 80), (0, 0, 0)))
    phone.on("uiautomator dump", dump("UI hierchary dumped to: /x", xml("Pay")))
    frame, tree = device.screenshot(), device.hierarchy()
    assert likely_secure(frame, tree)
    assert not likely_secure(np.ones_like(frame), tree)


IDS = (
    'Display 4630946219955703955 (HWC display 0): port=147 pnpId=QCM displayName=""\n'
    'Display 4630946219955703956 (HWC display 1): port=148 pnpId=QCM displayName=""\n'
)


def displays(first: str, second: str) -> str:
    return (
        f'mBaseDisplayInfo=DisplayInfo{{"a", displayId 0, real 1200 x 2608, state {first}, type INTERNAL, '
        'uniqueId "local:4630946219955703955"}\n'
        f'mBaseDisplayInfo=DisplayInfo{{"b", displayId 1, real 976 x 596, state {second}, type INTERNAL, '
        'uniqueId "local:4630946219955703956"}\n'
    )


def test_the_display_that_is_on_is_captured(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("SurfaceFlinger --display-id", IDS)
    phone.on("dumpsys display", displays("ON", "OFF"))
    phone.on("screencap", png((976, 596), (0, 0, 0)))
    phone.on("-d 4630946219955703955", png((1200, 2608), (9, 9, 9)))
    assert device.screenshot().shape == (2608, 1200, 3)


def test_a_phone_that_was_folded_is_looked_at_anew(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("SurfaceFlinger --display-id", IDS)
    phone.on("dumpsys display", displays("ON", "OFF"), displays("OFF", "ON"))
    phone.on("-d 4630946219955703955", png((1200, 2608), (9, 9, 9)), png((1200, 2608), (0, 0, 0)))
    phone.on("-d 4630946219955703956", png((976, 596), (7, 7, 7)))
    assert device.screenshot()[0, 0, 0] == 9
    assert device.screenshot().shape == (596, 976, 3)


def test_the_display_may_be_named(phone: FakeAndroid, make: MakeDevice) -> None:
    phone.on("-d 123", png((4, 4), (5, 5, 5)))
    assert make(display="123").screenshot()[0, 0, 0] == 5
    assert not phone.asked("SurfaceFlinger")


def test_foreground_asks_further_only_where_windows_do_not_tell(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on("dumpsys window", f"  mCurrentFocus=Window{{1 u0 com.a/.Main}}\n{CUT}\n")
    assert device.foreground().package == "com.a"
    assert not phone.asked("activity top")
    phone.on("dumpsys window", Answer(f"{CUT}\n"))
    phone.on("dumpsys activity top", "  ACTIVITY com.a/.One 1 pid=1\n  ACTIVITY com.b/.Two 2 pid=2\n")
    assert device.foreground().package == "com.b"
    phone.on("dumpsys activity top", "")
    with pytest.raises(CommandFailed):
        device.foreground()


def test_settling_ends_when_two_trees_are_equal(phone: FakeAndroid, device: AdbDevice) -> None:
    phone.on(
        "uiautomator dump",
        dump("UI hierchary dumped to: /x", xml("a")),
        dump("UI hierchary dumped to: /x", xml("b")),
        dump("UI hierchary dumped to: /x", xml("b")),
        dump("UI hierchary dumped to: /x", xml("never asked")),
    )
    device.settle()
    assert len(phone.asked("uiautomator dump")) == 3
