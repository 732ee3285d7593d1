"""`World`: one look at a device, through doors that a real Android has too, each asked at most once."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mobile_gym.assets.base import Reader
from mobile_gym.devices.base import Activity, Device, Row
from mobile_gym.devices.errors import CommandFailed, HierarchyUnavailable
from mobile_gym.devices.ui_tree import UiTree

CLIPBOARD = "content://mobile_gym.clipboard/primary"
_VOLATILE_AUTHORITIES = ("content://mobile_gym.",)
"""Providers of interface state, which the device's stamps do not speak for."""

_STAMP = re.compile(r"(\d+) (\d+) (/.*)")

Key = TypeVar("Key")
Value = TypeVar("Value")


class NotLooked(LookupError):
    """A frozen world was asked for something that was not looked at while it could be."""


@dataclass(slots=True)
class Kept:
    """What a look found in stored state: equal for as long as nothing is written."""

    settings: dict[str, Mapping[str, str]] = field(default_factory=dict)
    rows: dict[tuple[str, str | None], Sequence[Row]] = field(default_factory=dict)
    files: dict[str, bytes | None] = field(default_factory=dict)
    file_stamps: dict[str, Mapping[str, str]] = field(default_factory=dict)
    packages: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def still_true(self, before: Mapping[str, Hashable], now: Mapping[str, Hashable]) -> Kept:
        """What is left of it where a device's stamps by part were `before` and are `now`."""

        def same(part: str) -> bool:
            return part in before and part in now and before[part] == now[part]

        kept = Kept()
        if same("settings"):
            kept.settings = self.settings
        if same("rows"):
            kept.rows = self.rows
        if same("files"):
            kept.files, kept.file_stamps = self.files, self.file_stamps
        if same("packages"):
            kept.packages = self.packages
        return kept


class World(Reader):
    """One look at a device.

    Args:
        device: the device.
        kept: stored state that an earlier look found and that is known not to have changed.
    """

    def __init__(self, device: Device, kept: Kept | None = None) -> None:
        self._device = device
        self._frozen = False
        self._passing: dict[tuple[str, str | None], Sequence[Row]] = {}
        self._tree: UiTree | None = None
        self._activity: Activity | None = None
        self.kept = kept if kept is not None else Kept()

    def freeze(self) -> None:
        """From now on answers only what was asked before, so that it stays the look of this moment."""
        self._frozen = True

    def __getstate__(self) -> dict[str, Any]:
        if not self._frozen:
            raise TypeError("only a frozen look can be pickled: any other may ask its device again")
        return {name: value for name, value in self.__dict__.items() if name != "_device"}

    def _once(self, store: dict[Key, Value], key: Key, look: Callable[[], Value]) -> Value:
        if key not in store:
            if self._frozen:
                raise NotLooked(f"{key!r} was not looked at when the episode started")
            store[key] = look()
        return store[key]

    def settings(self, namespace: str) -> Mapping[str, str]:
        """All settings of a namespace."""
        return self._once(self.kept.settings, namespace, lambda: self._device.settings.all(namespace))

    def setting(self, namespace: str, key: str) -> str | None:
        """A setting's value, or None where it was never put."""
        return self.settings(namespace).get(key)

    def rows(self, uri: str, where: str | None = None) -> Sequence[Row]:
        """Rows of a content provider; raises CommandFailed where nobody serves the URI."""
        store = self._passing if uri.startswith(_VOLATILE_AUTHORITIES) else self.kept.rows
        return self._once(store, (uri, where), lambda: self._device.content.query(uri, where))

    def file(self, path: str) -> bytes | None:
        """A file's bytes, or None where it is missing."""

        def look() -> bytes | None:
            return self._device.files.read(path) if self._device.files.exists(path) else None

        return self._once(self.kept.files, path, look)

    def file_stamps(self, root: str) -> Mapping[str, str]:
        """Size and time of change of every file below a directory, by path.

        Raises:
            CommandFailed: the directory could not be listed.
        """
        return self._once(self.kept.file_stamps, root, lambda: _list_files(self._device, root))

    def packages(self) -> Mapping[str, str]:
        """Installed packages: `enabled` or `disabled` by name."""
        return self._once(self.kept.packages, "", lambda: _list_packages(self._device))

    @property
    def tree(self) -> UiTree:
        """The focused window; empty where it could not be read."""
        if self._tree is None:
            if self._frozen:
                raise NotLooked("the screen was not looked at when the episode started")
            try:
                self._tree = self._device.hierarchy()
            except HierarchyUnavailable as error:
                self._tree = UiTree((), notes=(str(error),))
        return self._tree

    @property
    def activity(self) -> Activity:
        """What is in front."""
        if self._activity is None:
            if self._frozen:
                raise NotLooked("the activity was not looked at when the episode started")
            self._activity = self._device.foreground()
        return self._activity

    @property
    def clipboard(self) -> str:
        """The text of the clipboard; empty where there is none."""
        rows = self.rows(CLIPBOARD)
        return str(rows[0].get("text") or "") if rows else ""


class EmptyWorld(World):
    """The look of a device that holds nothing, so that everything in another look is new beside it."""

    def __init__(self) -> None:
        self.kept = Kept()

    def settings(self, namespace: str) -> Mapping[str, str]:
        """No settings."""
        return {}

    def rows(self, uri: str, where: str | None = None) -> Sequence[Row]:
        """No rows."""
        return ()

    def file(self, path: str) -> bytes | None:
        """No file."""
        return None

    def file_stamps(self, root: str) -> Mapping[str, str]:
        """No files."""
        return {}

    def packages(self) -> Mapping[str, str]:
        """No packages."""
        return {}

    @property
    def tree(self) -> UiTree:
        """No windows."""
        return UiTree(())

    @property
    def activity(self) -> Activity:
        """Nothing in front."""
        return Activity("", "")


def _list_files(device: Device, root: str) -> Mapping[str, str]:
    direct: Callable[[str], Mapping[str, str]] | None = getattr(device, "file_stamps", None)
    if direct is not None:
        return direct(root)
    # The slash follows /sdcard, which is a link.
    command = f"find {root}/ -type f -exec stat -c '%s %Y %n' {{}} +"
    result = device.shell(command)
    stamps, complaints = {}, []
    for line in (*result.stdout.splitlines(), *result.stderr.splitlines()):
        match = _STAMP.fullmatch(line)
        if match is not None:
            stamps[match[3].replace("//", "/")] = f"{match[1]} bytes, changed {match[2]}"
        elif line.strip() and not line.rstrip().endswith("Permission denied"):
            complaints.append(line)
    # Directories that apps keep to themselves may not be read; they hold nothing that is watched.
    if complaints:
        raise CommandFailed(f"{command}: {complaints[0]}", result.exit_code)
    return stamps


def _list_packages(device: Device) -> Mapping[str, str]:
    direct: Callable[[], Mapping[str, str]] | None = getattr(device, "package_states", None)
    if direct is not None:
        return direct()
    found = {}
    for flag, state in (("-e", "enabled"), ("-d", "disabled")):
        result = device.shell(f"pm list packages {flag}")
        if result.exit_code != 0:
            raise CommandFailed(f"pm list packages {flag}: {result.stderr or result.stdout}".strip(), result.exit_code)
        for line in result.stdout.split():
            found[line.removeprefix("package:")] = state
    return found
