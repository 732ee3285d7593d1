"""Every parser on answers that real devices of several makers gave; `golden/SOURCES.yaml` says which."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image

from mobile_gym.devices.parse.battery import parse_battery
from mobile_gym.devices.parse.console import parse_reply, parse_snapshots, token_path
from mobile_gym.devices.parse.content import ContentError, parse_rows
from mobile_gym.devices.parse.date import parse_date
from mobile_gym.devices.parse.devices_list import parse_devices
from mobile_gym.devices.parse.foreground import ForegroundError, parse_foreground
from mobile_gym.devices.parse.hierarchy import HierarchyError, dump_path, parse_hierarchy
from mobile_gym.devices.parse.packages import parse_packages
from mobile_gym.devices.parse.screen import (
    choose_display,
    parse_displays,
    parse_physical_displays,
    parse_rotation,
    parse_wm_size,
)
from mobile_gym.devices.parse.screencap import CaptureFailed, parse_png
from mobile_gym.devices.parse.settings import parse_setting

GOLDEN = Path(__file__).parent / "golden"
SOURCES: dict[str, list[dict[str, Any]]] = yaml.safe_load((GOLDEN / "SOURCES.yaml").read_text(encoding="utf-8"))


def goldens(family: str) -> Any:
    folder = GOLDEN / family if (GOLDEN / family).is_dir() else GOLDEN
    entries = SOURCES[family]
    return pytest.mark.parametrize(
        ("data", "golden"),
        [((folder / entry["file"]).read_bytes(), entry) for entry in entries],
        ids=[Path(entry["file"]).stem for entry in entries],
    )


def test_every_golden_file_is_listed_with_its_source() -> None:
    listed = {
        path
        for family, entries in SOURCES.items()
        for entry in entries
        for path in (GOLDEN / family / entry["file"], GOLDEN / entry["file"])
        if path.is_file() and entry["says"]
    }
    assert listed == {path for path in GOLDEN.rglob("*") if path.is_file() and path.name != "SOURCES.yaml"}


@goldens("foreground")
def test_foreground(data: bytes, golden: dict[str, Any]) -> None:
    text = data.decode()
    dump = golden.get("dump", "window")
    answers = {"window": "", "activities": "", "top": "", dump: text}
    if golden["expect"] == "error":
        with pytest.raises(ForegroundError):
            parse_foreground(**answers)
        return
    activity = parse_foreground(**answers)
    assert [activity.package, activity.name, activity.locked] == golden["expect"]


@goldens("wm_size")
def test_size(data: bytes, golden: dict[str, Any]) -> None:
    assert list(parse_wm_size(data.decode()).used) == golden["expect"]


@goldens("rotation")
def test_rotation(data: bytes, golden: dict[str, Any]) -> None:
    assert parse_rotation(data.decode()) == golden["expect"]


@goldens("displays")
def test_display_in_use(data: bytes, golden: dict[str, Any]) -> None:
    display = choose_display(parse_displays(data.decode()))
    assert [display.number, list(display.size), display.state] == golden["expect"]


@goldens("physical_displays")
def test_physical_displays(data: bytes, golden: dict[str, Any]) -> None:
    assert [[display.id, display.hwc] for display in parse_physical_displays(data.decode())] == golden["expect"]


@goldens("content")
def test_content(data: bytes, golden: dict[str, Any]) -> None:
    if golden["expect"] == "error":
        with pytest.raises(ContentError):
            parse_rows(data.decode())
        return
    (row,) = parse_rows(data.decode())
    assert {name: row[name] for name in golden["expect"]} == golden["expect"]


@goldens("devices")
def test_devices(data: bytes, golden: dict[str, Any]) -> None:
    assert [[device.serial, device.state] for device in parse_devices(data.decode())] == golden["expect"]


@goldens("battery")
def test_battery(data: bytes, golden: dict[str, Any]) -> None:
    battery = parse_battery(data.decode())
    assert [battery.percent, battery.plugged, battery.status, battery.temperature] == golden["expect"]


@goldens("packages")
def test_packages(data: bytes, golden: dict[str, Any]) -> None:
    assert parse_packages(data.decode()) == golden["expect"]


@goldens("console")
def test_console(data: bytes, golden: dict[str, Any]) -> None:
    text, expect = data.decode(), golden["expect"]
    reply = parse_reply(text)
    assert reply is not None
    assert reply.ok is expect["ok"]
    if "message" in expect:
        assert reply.message == expect["message"]
    if "token" in expect:
        assert token_path(text) == expect["token"]
    if "snapshots" in expect:
        assert parse_snapshots(reply) == expect["snapshots"]


@goldens("hierarchy")
def test_hierarchy(data: bytes, golden: dict[str, Any]) -> None:
    expect = golden["expect"]
    if isinstance(expect, str):
        with pytest.raises(HierarchyError, match=expect):
            parse_hierarchy(data)
        return
    if "path" in expect:
        assert dump_path(data.decode()) == expect["path"]
        return
    tree = parse_hierarchy(data)
    nodes = list(tree.walk())
    assert len(nodes) == expect["nodes"]
    assert tree.rotation == expect["rotation"]
    assert nodes[0].package == expect["package"]
    assert [node.text for node in nodes if node.text] == expect["texts"]


@goldens("screencap")
def test_text_of_screencap(data: bytes, golden: dict[str, Any]) -> None:
    if golden["expect"] == "failure":
        with pytest.raises(CaptureFailed, match="Status: -1"):
            parse_png(data)
        return
    out = io.BytesIO()
    Image.new("RGB", (3, 2), (9, 8, 7)).save(out, "PNG")
    assert np.array_equal(parse_png(data + out.getvalue()), np.full((2, 3, 3), (9, 8, 7), np.uint8))


@goldens("settings")
def test_setting(data: bytes, golden: dict[str, Any]) -> None:
    assert parse_setting(data.decode()) == golden["expect"]


@goldens("date")
def test_date(data: bytes, golden: dict[str, Any]) -> None:
    assert parse_date(data.decode()).isoformat() == golden["expect"]
