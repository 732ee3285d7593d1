"""A small phone behind `PhoneDoor` with a real `PhoneState`: for tests of the shell that need no app and no screen."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mobile_gym.phone.door import (
    Component,
    Frame,
    Intent,
    LogLine,
    NotificationInfo,
    PackageInfo,
    SavedSnapshot,
    TaskInfo,
)
from mobile_gym.phone.errors import (
    ActivityNotFound,
    InstallError,
    PackageNotFound,
    ProviderError,
    SnapshotNotFound,
)
from mobile_gym.phone.profiles import Profile, get_profile
from mobile_gym.phone.state import PhoneState, VirtualClock

NOW_MS = 1_697_389_456_000  # Sun Oct 15 17:04:16 UTC 2023
LAUNCHER = Component("com.example.launcher3", "com.example.launcher3.Launcher")


def package_info(package: str, **changes: Any) -> PackageInfo:
    """Facts of a package that opens `.Main`."""
    info = PackageInfo(
        package=package,
        label={"zh": package, "en": package},
        version_name="1.2",
        version_code=12,
        system=False,
        enabled=True,
        launcher=f"{package}.Main",
        permissions={},
        installed_ms=NOW_MS - 86_400_000,
        apk_path=f"/data/app/{package}/base.apk",
        uid=10158,
        stopped=False,
        size_bytes=(1000, 100, 10),
    )
    return replace(info, **changes)


class FakePackages:
    def __init__(self) -> None:
        self.table: dict[str, PackageInfo] = {}
        self.cleared: list[str] = []

    def add(self, package: str, **changes: Any) -> None:
        self.table[package] = package_info(package, **changes)

    def names(self) -> list[str]:
        return sorted(self.table)

    def info(self, package: str) -> PackageInfo:
        if package not in self.table:
            raise PackageNotFound(package)
        return self.table[package]

    def install(self, apk: bytes) -> str:
        try:
            with zipfile.ZipFile(io.BytesIO(apk)) as archive:
                package = archive.read("package").decode()
        except (zipfile.BadZipFile, KeyError):
            raise InstallError("INSTALL_FAILED_INVALID_APK", "not an APK") from None
        self.add(package)
        return package

    def uninstall(self, package: str) -> None:
        if self.info(package).system:
            raise InstallError("DELETE_FAILED_INTERNAL_ERROR", "came with the phone")
        del self.table[package]

    def clear(self, package: str) -> None:
        self.cleared.append(self.info(package).package)

    def clear_cache(self, package: str) -> None:
        self.info(package)

    def set_enabled(self, package: str, enabled: bool) -> None:
        self.table[package] = replace(self.info(package), enabled=enabled)

    def set_permission(self, package: str, permission: str, granted: bool) -> None:
        info = self.info(package)
        if permission not in info.permissions:
            raise ProviderError(permission)
        self.table[package] = replace(info, permissions={**info.permissions, permission: granted})


class FakeActivities:
    def __init__(self, phone: FakePhone) -> None:
        self._phone = phone
        self.stack: list[TaskInfo] = []
        self.started: list[Intent] = []
        self.stopped: list[str] = []
        self.broadcasts: list[Intent] = []
        self.answer: tuple[int, str | None] = (0, None)
        self.covering: Component | None = None

    def start(self, intent: Intent) -> Component:
        if intent.package is None:
            raise ActivityNotFound(intent.action or "")
        info = self._phone.packages.info(intent.package)
        name = intent.activity or info.launcher or ""
        if name not in (info.launcher, f"{info.package}.Second"):
            raise ActivityNotFound(name)
        self.started.append(intent)
        component = Component(info.package, name)
        known = next((t for t in self.stack if t.activities[0].package == info.package), None)
        number = known.task_id if known else 1 + max((t.task_id for t in self.stack), default=0)
        others = [replace(t, visible=False) for t in self.stack if t is not known]
        self.stack = [TaskInfo(number, (component,), True), *others]
        return component

    def force_stop(self, package: str) -> None:
        self.stopped.append(package)
        self.stack = [t for t in self.stack if t.activities[0].package != package]

    def foreground(self) -> Component:
        return self.covering or self.resumed()

    def resumed(self) -> Component:
        return next((t.activities[-1] for t in self.stack if t.visible), LAUNCHER)

    def locked(self) -> bool:
        return bool(self._phone.state.interface.get("locked"))

    def tasks(self) -> list[TaskInfo]:
        return list(self.stack)

    def remove_task(self, task_id: int) -> bool:
        before = len(self.stack)
        self.stack = [t for t in self.stack if t.task_id != task_id]
        return len(self.stack) < before

    def broadcast(self, intent: Intent) -> tuple[int, str | None]:
        self.broadcasts.append(intent)
        return self.answer


class FakeProviders:
    """One authority, `notes`, whose rows live in a list."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.asked: list[tuple[Any, ...]] = []

    def _check(self, uri: str) -> None:
        if not uri.startswith("content://notes"):
            raise ProviderError(f"Could not find provider: {uri.removeprefix('content://').split('/')[0]}")

    def query(
        self, uri: str, projection: Sequence[str] | None = None, where: str | None = None, sort: str | None = None
    ) -> list[dict[str, Any]]:
        self._check(uri)
        self.asked.append((uri, projection, where, sort))
        return [{name: row[name] for name in projection or row} for row in self.rows]

    def insert(self, uri: str, values: Mapping[str, Any]) -> str:
        self._check(uri)
        self.rows.append(dict(values))
        return f"{uri}/{len(self.rows)}"

    def update(self, uri: str, values: Mapping[str, Any], where: str | None = None) -> int:
        self._check(uri)
        self.asked.append((uri, where))
        for row in self.rows:
            row.update(values)
        return len(self.rows)

    def delete(self, uri: str, where: str | None = None) -> int:
        self._check(uri)
        self.asked.append((uri, where))
        count = len(self.rows)
        self.rows.clear()
        return count


@dataclass
class FakeInput:
    """Writes down what it is asked."""

    phone: FakePhone
    events: list[tuple[Any, ...]] = field(default_factory=list)
    typed: str = ""
    focused: bool = True

    def tap(self, x: int, y: int) -> None:
        self.events.append(("tap", x, y))

    def double_tap(self, x: int, y: int) -> None:
        self.events.append(("double_tap", x, y))

    def long_press(self, x: int, y: int, ms: int = 1000) -> None:
        self.events.append(("long_press", x, y, ms))

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        self.events.append(("swipe", x1, y1, x2, y2, ms))

    def drag(self, x1: int, y1: int, x2: int, y2: int, ms: int = 1000) -> None:
        self.events.append(("drag", x1, y1, x2, y2, ms))

    def key(self, name: str) -> None:
        self.events.append(("key", name))

    def key_combination(self, names: Sequence[str]) -> None:
        self.events.append(("keys", *names))

    def text(self, text: str) -> bool:
        self.typed += text
        return self.focused


class FakePhone:
    """See `PhoneDoor`."""

    def __init__(self) -> None:
        self.profile: Profile = get_profile("pixel_6a")
        self.state = PhoneState(VirtualClock(NOW_MS, "UTC", NOW_MS - 600_000), 0, lambda name: b"")
        self.packages = FakePackages()
        self.activities = FakeActivities(self)
        self.providers = FakeProviders()
        self.input = FakeInput(self)
        self.props: dict[str, str] = {"sys.boot_completed": "1", "ro.build.version.sdk": "37"}
        self.invalidated = 0
        self.reboots = 0
        self._log: list[LogLine] = []
        self.state.interface["battery"] = {"level": 82, "charging": False}

    @property
    def screen(self) -> tuple[int, int, int]:
        return (self.profile.width, self.profile.height, self.state.settings.get_int("system", "user_rotation"))

    @property
    def density_dpi(self) -> int:
        return self.state.settings.get_int("secure", "display_density_forced", self.profile.dpi)

    def frame(self, size: tuple[int, int] | None = None) -> Frame:
        width, height = size or (8, 4)
        picture: Frame = np.zeros((height, width, 3), np.uint8)
        picture[:, :, 0] = 200
        return picture

    def hierarchy_xml(self) -> str:
        return (
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" "
            'text="h\u00e9" resource-id="a:id/b" class="android.widget.TextView" package="com.example.app" '
            'focusable="false" enabled="true" bounds="[0,1][2,3]" /></hierarchy>'
        )

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        self.state.settings.put(namespace, key, value)
        if (namespace, key) == ("global", "time_zone"):
            self.state.clock.zone = value

    def delete_setting(self, namespace: str, key: str) -> None:
        self.state.settings.delete(namespace, key)

    def invalidate(self) -> None:
        self.invalidated += 1

    def notifications(self) -> list[NotificationInfo]:
        return [NotificationInfo("7", "com.example.app", "default", "Title", "Text", NOW_MS, False, ("Reply",))]

    def log_lines(self) -> list[LogLine]:
        return list(self._log)

    def log(self, priority: str, tag: str, message: str) -> None:
        self._log.append(LogLine(self.state.clock.now_ms, 5583, 5658, priority, tag, message))

    def clear_log(self) -> None:
        self._log.clear()

    def set_time(self, now_ms: int) -> None:
        self.state.clock.set_time(now_ms)

    def advance(self, ms: int) -> None:
        self.state.clock.advance(ms)

    def settle(self) -> None:
        self.advance(300)

    def receive_sms(self, sender: str, body: str) -> None:
        raise NotImplementedError

    def incoming_call(self, number: str) -> None:
        raise NotImplementedError

    def save_snapshot(self, name: str) -> None:
        raise NotImplementedError

    def load_snapshot(self, name: str) -> None:
        raise SnapshotNotFound(name)

    def delete_snapshot(self, name: str) -> None:
        raise SnapshotNotFound(name)

    def list_snapshots(self) -> list[SavedSnapshot]:
        return []

    def reboot(self) -> None:
        self.reboots += 1

    def digest(self) -> str:
        return self.state.save().digest()
