"""A tiny phone for tests of environments: a volume button, a text field, settings, snapshots and ways to fail."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn

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
from mobile_gym.devices.errors import CommandFailed, DeviceError, SnapshotMissing, TextInputUnsupported
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree

WIDTH, HEIGHT = 90, 200
LOUDER, FIELD = Bounds(0, 0, 90, 60), Bounds(0, 100, 90, 140)
LOUDER_AT, FIELD_AT, NOWHERE_AT = (500, 100), (500, 600), (500, 900)
"""Points of the 0-1000 frame on the button, on the field and beside both."""


class StubPhone(Device):
    """See the module. Attributes that tests set: `failure` (raised by the next call that touches or looks), `turned`.

    Tapping the button puts `system/volume_music` up by one; typing goes to `system/typed`.
    """

    def __init__(self, serial: str = "stub:one") -> None:
        self.serial = serial
        self.timeout = 1.0
        self.state: dict[str, Any] = {"system": {"volume_music": "3"}, "secure": {}, "global": {}, "focus": False}
        self.now = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
        self.language = "zh"
        self.turned = False
        self.failure: DeviceError | None = None
        self.can: frozenset[Capability] = frozenset(
            {Capability.SNAPSHOTS, Capability.HIERARCHY, Capability.SETTINGS, Capability.CLOCK, Capability.VIRTUAL_TIME}
        )
        self.closed = 0
        self.screenshots = 0
        self.saved: dict[str, Any] = {"clean": (copy.deepcopy(self.state), self.now)}
        self.settings = _Settings(self)
        self.content = _Content()
        self.files = _Files()
        self.snapshots = _Snapshots(self)
        self.clock = _Clock(self)

    def _may_fail(self) -> None:
        if self.failure is not None:
            raise self.failure

    @property
    def size(self) -> tuple[int, int]:
        return (HEIGHT, WIDTH) if self.turned else (WIDTH, HEIGHT)

    @property
    def info(self) -> DeviceInfo:
        width, height = self.size
        return DeviceInfo(self.serial, "Stub", 37, "17", width, height, 160, int(self.turned), self.language)

    @property
    def capabilities(self) -> frozenset[Capability]:
        return self.can

    def screenshot(self, size: tuple[int, int] | None = None) -> Frame:
        self._may_fail()
        self.screenshots += 1
        width, height = size or self.size
        shade = hashlib.sha256(repr((self.state, self.turned)).encode()).digest()
        frame = np.empty((height, width, 3), np.uint8)
        frame[:] = [128 + shade[0] // 2, shade[1], shade[2]]
        return frame

    def hierarchy(self) -> UiTree:
        self._may_fail()
        package = "com.stub"
        typed = self.state["system"].get("typed", "")
        button = UiNode(
            text="louder 大声", class_name="android.widget.Button", clickable=True, bounds=LOUDER, package=package
        )
        field = UiNode(
            index=1,
            text=typed,
            class_name="android.widget.EditText",
            clickable=True,
            focused=self.state["focus"],
            bounds=FIELD,
            package=package,
        )
        root = UiNode(
            class_name="android.widget.FrameLayout",
            bounds=Bounds(0, 0, *self.size),
            children=(button, field),
            package=package,
        )
        return UiTree((root,), int(self.turned), self.size)

    def foreground(self) -> Activity:
        return Activity("com.stub", "com.stub.Main")

    def tap(self, x: int, y: int) -> None:
        self._may_fail()
        self.now += timedelta(seconds=1)
        if LOUDER.contains(x, y):
            self.state["system"]["volume_music"] = str(int(self.state["system"]["volume_music"]) + 1)
        self.state["focus"] = FIELD.contains(x, y)

    def double_tap(self, x: int, y: int) -> None:
        self.tap(x, y)
        self.tap(x, y)

    def long_press(self, x: int, y: int, seconds: float = 1.0) -> None:
        self._may_fail()

    def swipe(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 0.2) -> None:
        self._may_fail()
        self.state["system"]["swiped"] = f"{x1},{y1},{x2},{y2}"

    def drag(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 1.0) -> None:
        self.swipe(x1, y1, x2, y2)

    def type_text(self, text: str) -> None:
        self._may_fail()
        if not self.state["focus"]:
            raise TextInputUnsupported("no field has the focus; tap one first")
        self.state["system"]["typed"] = self.state["system"].get("typed", "") + text

    def press(self, key: Key) -> None:
        self._may_fail()
        self.state["focus"] = False

    def open_app(self, name: str) -> None:
        self._may_fail()
        raise CommandFailed(f"no app is called {name!r}")

    def start_activity(
        self,
        component: str | None = None,
        action: str | None = None,
        data: str | None = None,
        extras: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        self._may_fail()

    def settle(self) -> None:
        self._may_fail()

    def shell(self, command: str) -> Result:
        return Result("", 127, "no shell")

    def send_sms(self, sender: str, body: str) -> None:
        raise CommandFailed("no sms")

    def incoming_call(self, number: str) -> None:
        raise CommandFailed("no calls")

    def reset_app(self, package: str) -> None:
        self._may_fail()

    def close(self) -> None:
        self.closed += 1


class _Settings(Settings):
    def __init__(self, phone: StubPhone) -> None:
        self._phone = phone

    def get(self, namespace: str, key: str) -> str | None:
        return self.all(namespace).get(key)

    def put(self, namespace: str, key: str, value: str) -> None:
        self._phone._may_fail()
        self._phone.state[namespace][key] = value
        if key == "system_locales":
            self._phone.language = value.partition("-")[0]

    def delete(self, namespace: str, key: str) -> None:
        self._phone.state[namespace].pop(key, None)

    def all(self, namespace: str) -> dict[str, str]:
        self._phone._may_fail()
        return dict(self._phone.state[namespace])


class _Content(Content):
    def _refuse(self, uri: str) -> NoReturn:
        raise CommandFailed(f"nobody serves {uri}")

    def query(self, uri: str, where: str | None = None, sort: str | None = None) -> list[Row]:
        self._refuse(uri)

    def insert(self, uri: str, values: Mapping[str, str | int | float | None]) -> None:
        self._refuse(uri)

    def update(self, uri: str, values: Mapping[str, str | int | float | None], where: str | None = None) -> None:
        self._refuse(uri)

    def delete(self, uri: str, where: str | None = None) -> None:
        self._refuse(uri)


class _Files(Files):
    def read(self, path: str) -> bytes:
        raise CommandFailed(f"no file {path}")

    def write(self, path: str, data: bytes) -> None:
        raise CommandFailed("read only")

    def list(self, path: str) -> list[str]:
        raise CommandFailed(f"no folder {path}")

    def exists(self, path: str) -> bool:
        return False

    def delete(self, path: str) -> None:
        pass


class _Snapshots(Snapshots):
    def __init__(self, phone: StubPhone) -> None:
        self._phone = phone

    def save(self, name: str) -> None:
        self._phone.saved[name] = (copy.deepcopy(self._phone.state), self._phone.now)

    def load(self, name: str) -> None:
        self._phone._may_fail()
        if name not in self._phone.saved:
            raise SnapshotMissing(f"there is no snapshot {name!r}; there are {', '.join(self.list())}")
        state, self._phone.now = self._phone.saved[name]
        self._phone.state = copy.deepcopy(state)

    def list(self) -> list[str]:
        return sorted(self._phone.saved)

    def delete(self, name: str) -> None:
        del self._phone.saved[name]


class _Clock(Clock):
    def __init__(self, phone: StubPhone) -> None:
        self._phone = phone

    def now(self) -> datetime:
        return self._phone.now

    def set(self, moment: datetime) -> None:
        self._phone.now = moment

    def wait(self, seconds: float) -> None:
        self._phone._may_fail()
        self._phone.now += timedelta(seconds=seconds)
