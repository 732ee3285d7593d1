"""A tiny device for tests of tasks: dict-backed settings, providers and files, and four plain screens.

Home shows two icons: "设置" opens a list whose "声音和振动" opens sliders, "时钟" opens the alarms with a switch each.
"""

from __future__ import annotations

import copy
import fnmatch
import sqlite3
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from mobile_gym.devices.base import (
    Activity,
    Capability,
    Clock,
    Content,
    Device,
    DeviceInfo,
    Files,
    Frame,
    Key,
    Result,
    Row,
    Settings,
    Snapshots,
)
from mobile_gym.devices.errors import CommandFailed, SnapshotMissing, TextInputUnsupported
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree

WIDTH, HEIGHT = 1000, 2000
TABLES = {
    "content://com.android.contacts/raw_contacts": ("_id", "account_type", "account_name", "starred", "version"),
    "content://com.android.contacts/data": ("_id", "raw_contact_id", "mimetype", "data1", "data2", "display_name"),
    "content://sms": ("_id", "thread_id", "address", "body", "date", "read", "type"),
    "content://com.android.messaging/conversations": (
        "thread_id",
        "address",
        "pinned",
        "muted",
        "archived",
        "blocked",
        "snippet",
    ),
    "content://com.android.deskclock/alarms": (
        "_id",
        "hour",
        "minutes",
        "daysofweek",
        "enabled",
        "vibrate",
        "label",
        "ringtone",
        "next_ring",
    ),
    "content://com.android.deskclock/timers": (
        "_id",
        "length_ms",
        "remaining_ms",
        "total_ms",
        "end_ms",
        "label",
        "state",
    ),
    "content://com.android.deskclock/cities": ("_id", "city"),
    "content://call_log/calls": ("_id", "number", "type", "date", "duration", "new"),
    "content://com.android.blockednumber/blocked": ("_id", "original_number"),
    "content://mobile_gym.notifications/active": ("_id", "package", "key", "title", "text"),
    "content://mobile_gym.clipboard/primary": ("_id", "text"),
}
SLIDERS = {"媒体音量": "volume_music", "铃声和通知音量": "volume_ring", "闹钟音量": "volume_alarm"}


@dataclass
class State:
    """All that a snapshot keeps."""

    settings: dict[str, dict[str, str]] = field(
        default_factory=lambda: {
            "system": {"volume_music": "5", "volume_ring": "5", "volume_alarm": "5", "system_locales": "zh-CN"},
            "secure": {},
            "global": {"airplane_mode_on": "0"},
        }
    )
    tables: dict[str, list[Row]] = field(default_factory=lambda: {uri: [] for uri in TABLES})
    files: dict[str, bytes] = field(default_factory=dict)
    packages: dict[str, str] = field(
        default_factory=lambda: {"com.android.settings": "enabled", "com.android.deskclock": "enabled"}
    )
    screen: str = "home"
    locked: bool = False
    now: datetime = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class FakeSettings(Settings):
    def __init__(self, device: FakeDevice) -> None:
        self.device = device

    def get(self, namespace: str, key: str) -> str | None:
        return self.device.state.settings[namespace].get(key)

    def put(self, namespace: str, key: str, value: str) -> None:
        if key in self.device.stubborn:
            return
        self.device.changed()
        self.device.state.settings[namespace][key] = value

    def delete(self, namespace: str, key: str) -> None:
        self.device.changed()
        self.device.state.settings[namespace].pop(key, None)

    def all(self, namespace: str) -> dict[str, str]:
        self.device.reads += 1
        return dict(self.device.state.settings[namespace])


class FakeContent(Content):
    def __init__(self, device: FakeDevice) -> None:
        self.device = device

    def table(self, uri: str) -> list[Row]:
        uri = uri.rstrip("/")
        if uri not in TABLES or uri.split("/")[2] in self.device.missing_providers:
            raise CommandFailed(f"Could not find provider: {uri}")
        return self.device.state.tables[uri]

    def query(self, uri: str, where: str | None = None, sort: str | None = None) -> list[Row]:
        self.device.reads += 1
        rows = self.table(uri)
        return [dict(row) for row in rows if self.fits(uri, row, where)]

    def fits(self, uri: str, row: Row, where: str | None) -> bool:
        if where is None:
            return True
        columns = TABLES[uri.rstrip("/")]
        database = sqlite3.connect(":memory:")
        try:
            database.execute(f"CREATE TABLE t ({', '.join(columns)})")
            database.execute(
                f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", [row.get(column) for column in columns]
            )
            return database.execute(f"SELECT count(*) FROM t WHERE {where}").fetchone()[0] == 1
        except sqlite3.Error as error:
            raise CommandFailed(f"{uri}: {error}") from error
        finally:
            database.close()

    def insert(self, uri: str, values: Mapping[str, str | int | float | None]) -> None:
        rows = self.table(uri)
        if uri.rstrip("/") in self.device.losing:
            return
        self.device.changed()
        row: Row = dict.fromkeys(TABLES[uri.rstrip("/")])
        row |= values
        row["_id"] = 1 + max((int(other["_id"]) for other in rows), default=0)
        if uri == "content://sms":
            row["thread_id"] = self.device.thread(str(row["address"]))
        rows.append(row)

    def update(self, uri: str, values: Mapping[str, str | int | float | None], where: str | None = None) -> None:
        self.device.changed()
        for row in self.table(uri):
            if self.fits(uri, row, where):
                row |= values

    def delete(self, uri: str, where: str | None = None) -> None:
        self.device.changed()
        rows = self.table(uri)
        rows[:] = [row for row in rows if not self.fits(uri, row, where)]


class FakeFiles(Files):
    def __init__(self, device: FakeDevice) -> None:
        self.device = device

    def read(self, path: str) -> bytes:
        if path not in self.device.state.files:
            raise CommandFailed(f"{path}: No such file or directory")
        return self.device.state.files[path]

    def write(self, path: str, data: bytes) -> None:
        self.device.changed()
        self.device.state.files[path] = data

    def list(self, path: str) -> list[str]:
        prefix = path.rstrip("/") + "/"
        return sorted(name[len(prefix) :] for name in self.device.state.files if name.startswith(prefix))

    def exists(self, path: str) -> bool:
        return path in self.device.state.files

    def delete(self, path: str) -> None:
        self.device.changed()
        self.device.state.files.pop(path, None)


class FakeSnapshots(Snapshots):
    def __init__(self, device: FakeDevice) -> None:
        self.device = device
        self.kept: dict[str, State] = {"clean": State()}

    def save(self, name: str) -> None:
        self.kept[name] = copy.deepcopy(self.device.state)

    def load(self, name: str) -> None:
        if name not in self.kept:
            raise SnapshotMissing(f"no snapshot {name!r}; there are {', '.join(self.kept)}")
        self.device.changed()
        self.device.state = copy.deepcopy(self.kept[name])

    def list(self) -> list[str]:
        return sorted(self.kept)

    def delete(self, name: str) -> None:
        self.kept.pop(name)


class FakeClock(Clock):
    def __init__(self, device: FakeDevice) -> None:
        self.device = device

    def now(self) -> datetime:
        return self.device.state.now

    def set(self, moment: datetime) -> None:
        self.device.state.now = moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def wait(self, seconds: float) -> None:
        self.device.state.now += timedelta(seconds=seconds)


@dataclass(frozen=True)
class Element:
    text: str
    box: tuple[int, int, int, int]
    does: str
    kind: str = "TextView"
    checked: bool = False
    group: str = ""


class FakeDevice(Device):
    """See the module.

    Attributes:
        reads: how many reads of settings and providers there were.
        stubborn: settings that a put does not change.
        losing: providers whose inserts get lost.
        missing_providers: authorities that are not served.
    """

    def __init__(self, capabilities: frozenset[Capability] = frozenset(Capability), stamps: bool = True) -> None:
        self.serial = "fake:1"
        self.timeout = 5.0
        self.state = State()
        self.settings = FakeSettings(self)
        self.content = FakeContent(self)
        self.files = FakeFiles(self)
        self.snapshots = FakeSnapshots(self)
        self.clock = FakeClock(self)
        self.reads = 0
        self.stubborn: set[str] = set()
        self.losing: set[str] = set()
        self.missing_providers: set[str] = set()
        self.commands: list[str] = []
        self._capabilities = capabilities
        self._version = 0
        if stamps:
            self.change_stamps = self._stamps

    def _stamps(self) -> dict[str, Hashable]:
        return dict.fromkeys(("settings", "rows", "files", "packages"), self._version)

    def changed(self) -> None:
        self._version += 1

    def thread(self, address: str) -> int:
        threads = self.state.tables["content://com.android.messaging/conversations"]
        for row in threads:
            if row["address"] == address:
                return int(row["thread_id"])
        row: Row = dict.fromkeys(TABLES["content://com.android.messaging/conversations"], 0)
        threads.append(row | {"thread_id": len(threads) + 1, "address": address})
        return len(threads)

    @property
    def info(self) -> DeviceInfo:
        language = self.state.settings["system"].get("system_locales", "zh-CN")[:2]
        return DeviceInfo(self.serial, "Fake", 37, "17", WIDTH, HEIGHT, 420, 0, language)

    @property
    def capabilities(self) -> frozenset[Capability]:
        return self._capabilities

    def screenshot(self, size: tuple[int, int] | None = None) -> Frame:
        width, height = size or (WIDTH, HEIGHT)
        return np.zeros((height, width, 3), np.uint8)

    def elements(self) -> list[Element]:
        if self.state.screen == "home":
            return [
                Element("设置", (100, 200, 300, 400), "open:settings"),
                Element("时钟", (400, 200, 600, 400), "open:clock"),
            ]
        if self.state.screen == "settings":
            return [
                Element("声音和振动", (0, 200, 1000, 300), "open:sound"),
                Element("飞行模式", (0, 300, 1000, 400), "toggle"),
            ]
        if self.state.screen == "sound":
            rows = []
            for index, name in enumerate(SLIDERS):
                top = 200 + 200 * index
                rows.append(Element(name, (0, top, 1000, top + 80), "", group=name))
                rows.append(Element("", (0, top + 100, 1000, top + 180), f"slide:{name}", "SeekBar", group=name))
            return rows
        rows = []
        for index, row in enumerate(self.state.tables["content://com.android.deskclock/alarms"]):
            top = 200 + 200 * index
            text = f"{row['hour']:02d}:{row['minutes']:02d}"
            rows.append(Element(text, (0, top, 500, top + 100), "", group=text))
            rows.append(
                Element("", (700, top, 900, top + 100), f"alarm:{row['_id']}", "Switch", bool(row["enabled"]), text)
            )
        return rows

    def hierarchy(self) -> UiTree:
        groups: dict[str, list[UiNode]] = {}
        for number, element in enumerate(self.elements()):
            node = UiNode(
                text=element.text,
                class_name=f"android.widget.{element.kind}",
                package=self.foreground().package,
                clickable=bool(element.does),
                checked=element.checked,
                bounds=Bounds(*element.box),
            )
            groups.setdefault(element.group or str(number), []).append(node)
        rows = []
        for nodes in groups.values():
            boxes = [node.bounds for node in nodes]
            around = Bounds(
                min(b.left for b in boxes),
                min(b.top for b in boxes),
                max(b.right for b in boxes),
                max(b.bottom for b in boxes),
            )
            rows.append(UiNode(class_name="android.widget.LinearLayout", bounds=around, children=tuple(nodes)))
        root = UiNode(class_name="android.widget.FrameLayout", bounds=Bounds(0, 0, WIDTH, HEIGHT), children=tuple(rows))
        return UiTree((root,), 0, (WIDTH, HEIGHT))

    def foreground(self) -> Activity:
        package = {"home": "launcher", "settings": "com.android.settings", "sound": "com.android.settings"}.get(
            self.state.screen, "com.android.deskclock"
        )
        return Activity(package, f"{package}.{self.state.screen.title()}", self.state.locked)

    def tap(self, x: int, y: int) -> None:
        for element in self.elements():
            left, top, right, bottom = element.box
            if left <= x < right and top <= y < bottom:
                self.act(element.does, x)
                return

    def act(self, does: str, x: int) -> None:
        verb, _, what = does.partition(":")
        if verb == "open":
            self.state.screen = what
        elif verb == "slide":
            self.settings.put("system", SLIDERS[what], str(round(15 * x / WIDTH)))
        elif verb == "toggle":
            self.settings.put("global", "airplane_mode_on", "1")
        elif verb == "alarm":
            self.changed()
            for row in self.state.tables["content://com.android.deskclock/alarms"]:
                if row["_id"] == int(what):
                    row["enabled"] = 1 - int(row["enabled"])

    def double_tap(self, x: int, y: int) -> None:
        self.tap(x, y)
        self.tap(x, y)

    def long_press(self, x: int, y: int, seconds: float = 1.0) -> None:
        pass

    def swipe(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 0.2) -> None:
        self.drag(x1, y1, x2, y2)

    def drag(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 1.0) -> None:
        for element in self.elements():
            left, top, right, bottom = element.box
            if element.does.startswith("slide") and left <= x1 < right and top <= y1 < bottom:
                self.act(element.does, x2)

    def type_text(self, text: str) -> None:
        raise TextInputUnsupported("no field has the focus")

    def press(self, key: Key) -> None:
        if key == "home":
            self.state.screen = "home"
        elif key == "back":
            self.state.screen = {"sound": "settings"}.get(self.state.screen, "home")

    def open_app(self, name: str) -> None:
        screens = {
            "设置": "settings",
            "com.android.settings": "settings",
            "时钟": "clock",
            "com.android.deskclock": "clock",
        }
        if name not in screens:
            raise CommandFailed(f"no app {name!r}")
        self.state.screen = screens[name]

    def start_activity(
        self,
        component: str | None = None,
        action: str | None = None,
        data: str | None = None,
        extras: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        self.open_app((component or "").partition("/")[0])

    def settle(self) -> None:
        pass

    def shell(self, command: str) -> Result:
        self.commands.append(command)
        if command.startswith("find "):
            root = command.split()[1]
            names = [name for name in sorted(self.state.files) if fnmatch.fnmatchcase(name, f"{root}*")]
            return Result("".join(f"{len(self.state.files[n])} {hash_of(self.state.files[n])} {n}\n" for n in names), 0)
        if command.startswith("pm list packages "):
            state = {"-e": "enabled", "-d": "disabled"}[command.split()[-1]]
            names = [name for name, value in self.state.packages.items() if value == state]
            return Result("".join(f"package:{name}\n" for name in names), 0)
        return Result("", 127, f"{command}: not found")

    def send_sms(self, sender: str, body: str) -> None:
        self.content.insert("content://sms", {"address": sender, "body": body, "date": 0, "read": 0, "type": 1})

    def incoming_call(self, number: str) -> None:
        pass

    def reset_app(self, package: str) -> None:
        if package not in self.state.packages:
            raise CommandFailed(f"Unknown package: {package}")
        self.commands.append(f"clear {package}")

    def close(self) -> None:
        pass


def hash_of(data: bytes) -> int:
    """A stand-in for the time of change: other bytes, other number."""
    return sum(data) % 997


def plain_rows(device: FakeDevice, uri: str) -> list[dict[str, Any]]:
    """Rows of a provider."""
    return [dict(row) for row in device.state.tables[uri]]
