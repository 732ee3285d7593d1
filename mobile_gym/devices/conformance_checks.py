"""The checks of the conformance suite, one rule of the contract each; `conformance` runs them."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from importlib import resources
from typing import Any

import numpy as np
import yaml

from mobile_gym.devices.base import Capability, Device
from mobile_gym.devices.errors import (
    CapabilityMissing,
    CommandFailed,
    DeviceError,
    SnapshotMissing,
    TextInputUnsupported,
)
from mobile_gym.devices.ui_tree import UiNode, UiTree

FOLDER = "/sdcard/mobile gym's check"
KEY = "mobile_gym_check"


def texts() -> dict[str, Any]:
    """The texts that checks type, store and send."""
    source = resources.files("mobile_gym.devices").joinpath("conformance.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(source)
    return found


@dataclass(frozen=True, slots=True)
class Stage:
    """What checks need of the apps on a device; what is None is not checked.

    Attributes:
        app: package of an app that opens.
        label: a label of that app.
        focus_field: brings up an empty text field of one line that has the focus.
        table: URI of a content provider with rows that may be made, changed and deleted.
        row: values of a row of that table.
        change: values to change it to.
    """

    app: str = "com.android.settings"
    label: str | None = None
    focus_field: Callable[[Device], None] | None = None
    table: str | None = None
    row: dict[str, str | int | None] | None = None
    change: dict[str, str | int | None] | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One rule of the contract: its name, what a device needs for it to make sense, and how it is checked."""

    name: str
    needs: tuple[Capability, ...]
    act: Callable[[Device, Stage], None]

    @property
    def rule(self) -> str:
        """The rule in words."""
        return (self.act.__doc__ or self.name).strip()


def _check(*needs: Capability) -> Callable[[Callable[[Device, Stage], None]], Check]:
    return lambda act: Check(act.__name__, needs, act)


def _that(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)


def _fails(error: type[DeviceError], act: Callable[[], object], what: str) -> None:
    try:
        act()
    except error:
        return
    raise AssertionError(f"{what} did not raise {error.__name__}")


@_check()
def info_tells_the_screen_as_it_is_turned(device: Device, stage: Stage) -> None:
    """`info` agrees with the picture."""
    info, frame = device.info, device.screenshot()
    _that(
        (info.height, info.width) == frame.shape[:2], f"info says {info.width}x{info.height}, the frame {frame.shape}"
    )
    _that(info.dpi > 0 and info.sdk > 0 and bool(info.model and info.release and info.language), f"empty facts: {info}")
    _that(0 <= info.rotation <= 3, f"rotation {info.rotation}")
    _that(info.serial == device.serial, f"info.serial is {info.serial}, the device's {device.serial}")


@_check()
def a_screenshot_is_an_array_of_its_own(device: Device, stage: Stage) -> None:
    """Pictures are uint8[H, W, 3], may be changed, and have the size that was asked for."""
    frame = device.screenshot()
    _that(frame.dtype == np.uint8 and frame.ndim == 3 and frame.shape[2] == 3, f"{frame.dtype}{frame.shape}")
    frame[:] = 1
    _that(bool((device.screenshot() != 1).any()), "a frame that was handed out came back changed")
    small = device.screenshot((120, 90))
    _that(small.shape == (90, 120, 3) and small.dtype == np.uint8, f"asked for 120x90, got {small.shape}")


@_check(Capability.HIERARCHY)
def the_tree_covers_the_screen(device: Device, stage: Stage) -> None:
    """The tree has roots, the screen's size, and visible nodes inside it."""
    tree, info = device.hierarchy(), device.info
    _that(len(tree.roots) > 0, "no roots")
    _that(tree.size == (info.width, info.height), f"tree {tree.size}, screen {(info.width, info.height)}")
    _that(any(True for _ in tree.visible()), "nothing is visible")
    _that(all(node.class_name and node.package for node in tree.walk()), "a node without class or package")


@_check(Capability.HIERARCHY)
def trees_of_a_screen_at_rest_are_equal(device: Device, stage: Stage) -> None:
    """Looking changes nothing."""
    device.settle()
    first = device.hierarchy()
    device.screenshot()
    _that(_content(first) == _content(device.hierarchy()), "two trees of the same screen differ")


@_check()
def home_and_open_app(device: Device, stage: Stage) -> None:
    """`press("home")` and `open_app` change what is in front; the app is opened by package and by label."""
    device.press("home")
    device.settle()
    home = device.foreground()
    _that(home.package != stage.app, f"home is {home}")
    for name in (stage.app, stage.label):
        if name is None:
            continue
        device.open_app(name)
        device.settle()
        front = device.foreground()
        _that(front.package == stage.app and bool(front.name) and not front.locked, f"opened {name}: {front}")
        device.press("home")
        device.settle()
        _that(device.foreground() == home, f"home is {device.foreground()}, was {home}")


@_check()
def back_leaves_an_app(device: Device, stage: Stage) -> None:
    """`press("back")` on the first screen of an app leaves it."""
    device.press("home")
    device.open_app(stage.app)
    device.settle()
    device.press("back")
    device.settle()
    _that(device.foreground().package != stage.app, f"still {device.foreground()}")


@_check()
def unknown_apps_and_activities_fail(device: Device, stage: Stage) -> None:
    """What does not exist raises CommandFailed."""
    _fails(CommandFailed, lambda: device.open_app("no app has this name"), "opening an unknown app")
    _fails(CommandFailed, lambda: device.start_activity("no.such.app/.Main"), "starting an unknown activity")
    _fails(CommandFailed, lambda: device.reset_app("no.such.app"), "resetting an unknown app")


@_check()
def touches_are_taken(device: Device, stage: Stage) -> None:
    """Every gesture is carried out without an error."""
    device.press("home")
    info = device.info
    x, y = info.width // 2, info.height // 2
    device.swipe(x, y, x, y // 2)
    device.drag(x, y, x, y // 2, 0.6)
    device.press("home")
    device.double_tap(1, info.height // 3)
    device.long_press(1, info.height // 3, 0.6)
    device.tap(1, info.height // 3)
    device.press("home")
    device.settle()


@_check(Capability.HIERARCHY)
def text_needs_a_focused_field(device: Device, stage: Stage) -> None:
    """Text without a field raises TextInputUnsupported; empty text does nothing at all."""
    device.press("home")
    device.settle()
    device.type_text("")
    if any(node.focused and node.class_name.endswith("EditText") for node in device.hierarchy().walk()):
        raise unittest.SkipTest("the home screen has a focused field")
    _fails(TextInputUnsupported, lambda: device.type_text("x"), "typing without a field")


@_check(Capability.HIERARCHY)
def text_arrives_unchanged(device: Device, stage: Stage) -> None:
    """ASCII text arrives as it is, whatever it means to a shell."""
    _type_all(device, stage, texts()["plain"])


@_check(Capability.HIERARCHY, Capability.UNICODE_TEXT)
def unicode_text_arrives_unchanged(device: Device, stage: Stage) -> None:
    """Any text arrives as it is."""
    _type_all(device, stage, texts()["unicode"])


def _type_all(device: Device, stage: Stage, wanted: list[str]) -> None:
    if stage.focus_field is None:
        raise unittest.SkipTest("the stage names no text field")
    for text in wanted:
        stage.focus_field(device)
        device.type_text(text)
        found = _focused_text(device.hierarchy())
        _that(found == text, f"typed {text!r}, the field holds {found!r}")


@_check(Capability.SETTINGS)
def settings_come_back(device: Device, stage: Stage) -> None:
    """What was put is got, is in `all`, and goes when it is deleted."""
    for namespace in ("system", "secure", "global"):
        _that(device.settings.get(namespace, KEY) is None, "a setting that nobody put")
        for value in texts()["values"]:
            device.settings.put(namespace, KEY, value)
            found = device.settings.get(namespace, KEY)
            _that(found == value, f"put {value!r} into {namespace}, got {found!r}")
            _that(device.settings.all(namespace).get(KEY) == value, f"all({namespace!r}) lacks {KEY}={value!r}")
        device.settings.delete(namespace, KEY)
        device.settings.delete(namespace, KEY)
        _that(device.settings.get(namespace, KEY) is None, "a deleted setting is still there")
        _that(KEY not in device.settings.all(namespace), "a deleted setting is still listed")


@_check(Capability.CONTENT)
def content_of_nobody_fails(device: Device, stage: Stage) -> None:
    """A URI that nobody serves raises CommandFailed."""
    _fails(CommandFailed, lambda: device.content.query("content://no.such.provider/x"), "querying an unknown provider")
    _fails(CommandFailed, lambda: device.content.insert("content://no.such.provider/x", {"a": 1}), "inserting there")


@_check(Capability.CONTENT)
def rows_come_back(device: Device, stage: Stage) -> None:
    """Rows are made, found, changed and deleted."""
    if stage.table is None or not stage.row or not stage.change:
        raise unittest.SkipTest("the stage names no table")
    table = device.content
    before = table.query(stage.table)
    table.insert(stage.table, stage.row)
    rows = [row for row in table.query(stage.table) if row not in before]
    _that(len(rows) == 1 and _agrees(rows[0], stage.row), f"inserted {stage.row}, found {rows}")
    where = f"_id={rows[0]['_id']}"
    table.update(stage.table, stage.change, where)
    changed = table.query(stage.table, where)
    _that(len(changed) == 1 and _agrees(changed[0], stage.change), f"changed to {stage.change}, found {changed}")
    _fails(CommandFailed, lambda: table.query(stage.table or "", "no such column = 1"), "a wrong condition")
    table.delete(stage.table, where)
    _that(table.query(stage.table, where) == [], "a deleted row is still there")
    _that(table.query(stage.table) == before, "other rows changed")


@_check(Capability.FILES)
def files_come_back(device: Device, stage: Stage) -> None:
    """Bytes are written with their folders, read, listed and deleted."""
    files = device.files
    files.delete(FOLDER)
    _that(not files.exists(FOLDER), "a folder that was deleted exists")
    data, odd = bytes(range(256)) * 300, texts()["file"]
    for name, content in (("b.bin", data), (odd, b"x"), ("empty", b"")):
        files.write(f"{FOLDER}/in/{name}", content)
        _that(files.exists(f"{FOLDER}/in/{name}"), f"{name} does not exist")
        _that(files.read(f"{FOLDER}/in/{name}") == content, f"{name} came back with other bytes")
    files.write(f"{FOLDER}/in/b.bin", b"short")
    _that(files.read(f"{FOLDER}/in/b.bin") == b"short", "a file was not replaced as a whole")
    _that(files.list(f"{FOLDER}/in") == sorted([odd, "b.bin", "empty"]), f"listed {files.list(FOLDER + '/in')}")
    _that(files.list(FOLDER) == ["in"], f"listed {files.list(FOLDER)}")
    files.delete(FOLDER)
    files.delete(FOLDER)
    _that(not files.exists(f"{FOLDER}/in/empty"), "deleting a folder left a file")
    _fails(CommandFailed, lambda: files.read(f"{FOLDER}/in/empty"), "reading a missing file")
    _fails(CommandFailed, lambda: files.list(FOLDER), "listing a missing folder")


@_check(Capability.SHELL)
def the_shell_gives_streams_and_status(device: Device, stage: Stage) -> None:
    """Standard output and the exit status come back; a status other than 0 is no error."""
    word = texts()["word"]
    result = device.shell(f"echo 'a  b' \"{word}$((1+1))\"; exit 3")
    _that((result.stdout, result.exit_code) == (f"a  b {word}2\n", 3), f"{result}")
    result = device.shell("echo out; echo err >&2")
    _that(result.stdout.startswith("out\n") and result.exit_code == 0, f"{result}")
    _that(result.stderr in {"err\n", ""}, f"{result}")
    _that(device.shell("no_such_command_here").exit_code == 127, "an unknown command has another status than 127")
    _that(device.shell("printf 'c\\na\\n' | sort | head -n 1").stdout == "a\n", "pipes do not work")


@_check(Capability.SNAPSHOTS, Capability.SETTINGS)
def snapshots_restore(device: Device, stage: Stage) -> None:
    """Loading a snapshot brings the state back; what does not exist raises SnapshotMissing."""
    name = "mobile-gym-check"
    device.settings.put("global", KEY, "saved")
    device.snapshots.save(name)
    _that(name in device.snapshots.list(), "a saved snapshot is not listed")
    _that(device.snapshots.list() == sorted(device.snapshots.list()), "names are not sorted")
    device.settings.put("global", KEY, "changed")
    device.snapshots.load(name)
    _that(device.settings.get("global", KEY) == "saved", "the setting did not come back")
    device.settings.delete("global", KEY)
    device.snapshots.save(name)
    device.settings.put("global", KEY, "changed")
    device.snapshots.load(name)
    _that(device.settings.get("global", KEY) is None, "saving under the same name did not replace")
    device.snapshots.delete(name)
    _that(name not in device.snapshots.list(), "a deleted snapshot is still listed")
    _fails(SnapshotMissing, lambda: device.snapshots.load(name), "loading a missing snapshot")
    _fails(SnapshotMissing, lambda: device.snapshots.delete(name), "deleting a missing snapshot")


@_check()
def the_clock_tells_time_with_its_zone(device: Device, stage: Stage) -> None:
    """`now` has a zone, and waiting lets time pass."""
    first = device.clock.now()
    _that(first.tzinfo is not None and first.utcoffset() is not None, f"{first} has no zone")
    device.clock.wait(1.0)
    passed = (device.clock.now() - first).total_seconds()
    _that(0.9 <= passed <= 30, f"waited 1 s, {passed} s passed")


@_check(Capability.CLOCK)
def the_clock_can_be_set(device: Device, stage: Stage) -> None:
    """A naive time is the device's local time."""
    before = device.clock.now()
    wanted = (before + timedelta(days=1)).replace(hour=9, minute=30, second=0, microsecond=0)
    for moment in (wanted, wanted.replace(tzinfo=None)):
        device.clock.set(moment)
        _that(abs(device.clock.now() - wanted) < timedelta(seconds=10), f"set {moment}, now {device.clock.now()}")
    device.clock.set(before)


@_check(Capability.SMS, Capability.CONTENT)
def messages_arrive(device: Device, stage: Stage) -> None:
    """A message that arrives is in the inbox, with its line ends and signs."""
    body = texts()["message"]
    before = device.content.query("content://sms/inbox")
    device.send_sms("10086", body)
    device.settle()
    new = [row for row in device.content.query("content://sms/inbox") if row not in before]
    _that([(row["address"], row["body"]) for row in new] == [("10086", body)], f"the inbox has {new}")
    device.content.delete("content://sms", f"_id={new[0]['_id']}")


@_check()
def capabilities_are_kept_to(device: Device, stage: Stage) -> None:
    """What is not a capability raises CapabilityMissing."""
    acts: dict[Capability, Callable[[], object]] = {
        Capability.SNAPSHOTS: lambda: device.snapshots.load("x"),
        Capability.SMS: lambda: device.send_sms("1", "x"),
        Capability.CALLS: lambda: device.incoming_call("1"),
        Capability.DIGEST: device.digest,
    }
    for capability, act in acts.items():
        if capability not in device.capabilities:
            _fails(CapabilityMissing, act, capability)


@_check(Capability.DIGEST, Capability.SETTINGS)
def the_digest_follows_the_state(device: Device, stage: Stage) -> None:
    """Looking leaves the digest as it is, a setting changes it."""
    before = device.digest()
    device.screenshot()
    device.hierarchy()
    _that(device.digest() == before, "looking changed the digest")
    device.settings.put("global", KEY, "1")
    _that(device.digest() != before, "a setting did not change the digest")
    device.settings.delete("global", KEY)


@_check()
def closing_twice_is_fine(device: Device, stage: Stage) -> None:
    """`close` may be called again."""
    device.close()
    device.close()


def _content(tree: UiTree) -> list[tuple[str, str, str, object]]:
    """What a tree says, without what a clock's tick changes."""
    return [(node.class_name, node.resource_id, node.content_desc, node.bounds) for node in tree.walk()]


def _focused_text(tree: UiTree) -> str | None:
    fields: list[UiNode] = [node for node in tree.walk() if node.focused and node.class_name.endswith("EditText")]
    if not fields:
        return None
    node = fields[0]
    return "" if node.hint and node.text == node.hint else node.text


def _agrees(row: dict[str, Any], values: dict[str, str | int | None]) -> bool:
    """Whether a row has some values; numbers may have come as text."""
    return all(str(row.get(name)) == str(value) for name, value in values.items())


CHECKS: tuple[Check, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Check))
"""All checks in the order in which they run; the last one closes the device."""
