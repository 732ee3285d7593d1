"""One phone in the process and one through real ADB: the same actions give the same pictures, trees and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import numpy as np
import pytest

from mobile_gym.devices import Capability, Device, Key, UiTree, connect
from tests.devices.phone_over_adb import LANGUAGE, PROFILE, SEED, focus_search, over_adb, served
from tests.support.adb import Adb, adb

__all__ = ["adb"]

Doors = tuple[Device, Device]


@pytest.fixture(scope="module")
def pair(adb: Adb) -> Iterator[Doors]:
    with (
        connect(f"embedded:{PROFILE}", language=LANGUAGE, seed=SEED) as inside,
        served(adb) as server,
        over_adb(adb, server) as outside,
    ):
        for device in (inside, outside):
            device.snapshots.save("start")
        yield inside, outside


@pytest.fixture
def doors(pair: Doors) -> Doors:
    for device in pair:
        device.snapshots.load("start")
    return pair


def both(doors: Doors, act: Callable[[Device], object]) -> tuple[object, object]:
    return act(doors[0]), act(doors[1])


def same_screen(doors: Doors) -> None:
    inside, outside = both(doors, lambda device: device.foreground())
    assert inside == outside
    trees = [device.hierarchy() for device in doors]
    assert strip(trees[0]) == strip(trees[1])
    frames = [device.screenshot() for device in doors]
    assert np.array_equal(*frames), f"{(frames[0] != frames[1]).any(axis=2).sum()} pixels differ"


def strip(tree: UiTree) -> tuple[object, ...]:
    return tree.roots, tree.rotation, tree.size


def test_facts_agree(doors: Doors) -> None:
    inside, outside = (device.info for device in doors)
    for name in ("model", "sdk", "release", "width", "height", "dpi", "rotation", "language"):
        assert getattr(inside, name) == getattr(outside, name), name
    assert doors[1].capabilities >= {Capability.SNAPSHOTS, Capability.HIERARCHY, Capability.SMS, Capability.ROOT}


@pytest.mark.parametrize(
    "act",
    [
        lambda d: d.press("home"),
        lambda d: d.open_app("Settings"),
        lambda d: d.start_activity("com.android.settings/.Settings"),
        lambda d: (d.open_app("com.android.settings"), d.tap(360, 700)),
        lambda d: (d.open_app("com.android.settings"), d.swipe(360, 1000, 360, 400, 0.3)),
        lambda d: (d.open_app("com.android.settings"), d.drag(360, 1000, 360, 400, 1.0)),
        lambda d: (d.open_app("com.android.settings"), d.press("recents")),
        lambda d: (d.open_app("com.android.settings"), d.press("home"), d.press("recents"), d.press("back")),
        lambda d: d.swipe(360, 5, 360, 900, 0.3),
        lambda d: d.long_press(360, 300, 1.0),
        lambda d: d.double_tap(360, 300),
        lambda d: d.press("power"),
        lambda d: d.press("volume_up"),
        lambda d: d.settings.put("system", "font_scale", "1.3"),
        lambda d: d.settings.put("secure", "ui_night_mode", "2"),
        lambda d: (
            d.settings.put("system", "accelerometer_rotation", "0"),
            d.settings.put("system", "user_rotation", "1"),
        ),
        lambda d: d.send_sms("10086", 'code 1234, it\'s "ok"'),
        lambda d: d.incoming_call("13800138000"),
    ],
    ids=[
        "home",
        "open by label",
        "start activity",
        "tap",
        "swipe",
        "drag",
        "recents",
        "back from recents",
        "shade",
        "long press",
        "double tap",
        "power",
        "volume",
        "font scale",
        "night",
        "rotation",
        "message",
        "call",
    ],
)
def test_the_same_action_gives_the_same_screen(doors: Doors, act: Callable[[Device], object]) -> None:
    both(doors, act)
    both(doors, lambda device: device.settle())
    same_screen(doors)


def test_typing_agrees(doors: Doors) -> None:
    both(doors, focus_search)
    both(doors, lambda device: device.type_text("it's 100%s  $x"))
    both(doors, lambda device: device.press("delete"))
    same_screen(doors)


@pytest.mark.parametrize("text", ["a\nb", "wifi\n", "abc " * 100, "%s%%s"])
def test_any_typed_text_agrees(doors: Doors, text: str) -> None:
    both(doors, focus_search)
    both(doors, lambda device: device.type_text(text))
    same_screen(doors)


@pytest.mark.parametrize("key", ["enter", "tab", "escape", "back"])
def test_keys_in_a_field_agree(doors: Doors, key: Key) -> None:
    both(doors, focus_search)
    both(doors, lambda device: device.type_text("hello"))
    both(doors, lambda device: device.press(key))
    same_screen(doors)


def test_settings_agree(doors: Doors) -> None:
    for namespace in ("system", "secure", "global"):
        both(doors, lambda device, n=namespace: device.settings.put(n, "mine", 'a b; "c"=$d 你'))
        inside, outside = both(doors, lambda device, n=namespace: device.settings.all(n))
        assert inside == outside


def test_rows_agree_apart_from_numbers_that_come_as_text(doors: Doors) -> None:
    row = {"number": "10086", "date": 1_700_000_000_000, "duration": 60, "type": 1, "name": "a, b=c\nRow: 0 _id=1"}
    both(doors, lambda device: device.content.insert("content://call_log/calls", row))
    both(doors, lambda device: device.content.insert("content://call_log/calls", {**row, "name": None}))

    def rows(device: Device) -> list[dict[str, str | None]]:
        found = device.content.query("content://call_log/calls", "number='10086'", "_id DESC")
        return [{name: None if value is None else str(value) for name, value in one.items()} for one in found]

    inside, outside = both(doors, rows)
    assert inside == outside
    assert len(rows(doors[0])) == 2


def test_files_agree(doors: Doors) -> None:
    both(doors, lambda device: device.files.write("/sdcard/Download/a b/你's.bin", bytes(range(256))))
    for path in ("/sdcard", "/sdcard/Download", "/sdcard/Download/a b"):
        inside, outside = both(doors, lambda device, p=path: device.files.list(p))
        assert inside == outside
    inside, outside = both(doors, lambda device: device.files.read("/storage/emulated/0/Download/a b/你's.bin"))
    assert inside == outside == bytes(range(256))


def test_files_that_only_root_sees_agree(doors: Doors) -> None:
    folder = "/data/data/com.android.settings"
    both(doors, lambda device: device.files.write(f"{folder}/files/a b", b"mine"))
    for look in (
        lambda device: device.files.list(f"{folder}/files"),
        lambda device: device.files.read(f"{folder}/files/a b"),
        lambda device: device.files.exists(f"{folder}/files/none"),
    ):
        inside, outside = both(doors, look)
        assert inside == outside
    both(doors, lambda device: device.files.delete(f"{folder}/files"))
    assert [device.files.exists(f"{folder}/files/a b") for device in doors] == [False, False]


def test_clocks_agree(doors: Doors) -> None:
    for device in doors:
        device.clock.set((device.clock.now() + timedelta(days=3)).replace(hour=8, minute=0, second=0, microsecond=0))
        device.clock.wait(90)
    inside, outside = (device.clock.now() for device in doors)
    assert abs(inside - outside) < timedelta(seconds=3)
    assert inside.utcoffset() == outside.utcoffset()
    same_screen(doors)


def test_shells_agree(doors: Doors) -> None:
    for command in ("getprop ro.product.model", "echo 'a  b'; exit 3", "ls /sdcard", "nothing_here", "wm density"):
        inside, outside = both(doors, lambda device, c=command: device.shell(c))
        assert inside == outside
