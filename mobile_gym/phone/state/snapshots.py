"""Snapshots: a phone's whole state as one immutable value, and what differs between two of them."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mobile_gym.phone.state.database import Database
from mobile_gym.phone.state.files import FileEntry

Plain = dict[str, Any]


def freeze(value: Plain) -> bytes:
    """Plain data (dicts, lists, text, numbers, booleans, None) as bytes; raises ValueError for anything else."""
    return marshal.dumps(value, 4)


def thaw(data: bytes) -> Plain:
    """The plain data that `freeze` made bytes of, as new objects."""
    value: Plain = marshal.loads(data)
    return value


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state of a phone at one moment.

    Attributes:
        databases: SQLite images by `package/name`; an image is shared by all snapshots between which it did not change.
        settings: the three namespaces.
        files: the file tree; entries are immutable and shared.
        interface: activity stacks, text fields, scroll offsets, notifications and so on, frozen.
        now_ms: the virtual clock, milliseconds since the epoch.
        boot_ms: when the phone was started.
        zone: the time zone's IANA name.
        rng: the seed of the generator and how many numbers were drawn.
    """

    databases: Mapping[str, bytes]
    settings: Mapping[str, Mapping[str, str]]
    files: Mapping[str, FileEntry]
    interface: bytes
    now_ms: int
    boot_ms: int
    zone: str
    rng: tuple[int, int]

    def digest(self) -> str:
        """A hash of rows, settings, files, interface state and clock; equal in any process for equal states."""
        hasher = hashlib.sha256()
        for name in sorted(self.databases):
            hasher.update(f"{name}:{Database(self.databases[name]).digest()};".encode())
        hash_plain(hasher, {name: dict(values) for name, values in self.settings.items()})
        for path in sorted(self.files):
            entry = self.files[path]
            hasher.update(repr((path, entry.mode, entry.mtime_ms, entry.owner, entry.group)).encode())
            hasher.update(hashlib.sha256(entry.data).digest())
        hash_plain(hasher, thaw(self.interface))
        hasher.update(repr((self.now_ms, self.boot_ms, self.zone, self.rng)).encode())
        return hasher.hexdigest()

    @property
    def size(self) -> int:
        """Bytes that this snapshot refers to; most of them shared with others."""
        return (
            sum(len(image) for image in self.databases.values())
            + sum(len(entry.data) for entry in self.files.values())
            + len(self.interface)
        )


def hash_plain(hasher: Any, value: Any) -> None:
    """Feeds plain data to a hasher so that the order of keys in dicts makes no difference."""
    if isinstance(value, dict):
        hasher.update(b"{")
        for key in sorted(value, key=str):
            hasher.update(repr(key).encode())
            hash_plain(hasher, value[key])
        hasher.update(b"}")
    elif isinstance(value, list | tuple):
        hasher.update(b"[")
        for item in value:
            hash_plain(hasher, item)
        hasher.update(b"]")
    else:
        hasher.update(repr(value).encode())


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two snapshots.

    Attributes:
        kind: what sort of state changed.
        path: where: `system/font_scale`, `com.example/app.db/table/7`, a file path, or a key of the interface state.
        before: the old value (a row is a dict), None where there was none.
        after: the new value, None where it is gone.
    """

    kind: Literal["setting", "row", "file", "interface"]
    path: str
    before: Any
    after: Any


def _diff_maps(kind: Any, prefix: str, before: Mapping[Any, Any], after: Mapping[Any, Any]) -> list[Change]:
    keys = sorted({*before, *after}, key=str)
    return [
        Change(kind, f"{prefix}{key}", before.get(key), after.get(key))
        for key in keys
        if before.get(key) != after.get(key)
    ]


def _keyed_rows(image: bytes) -> dict[tuple[str, int], Plain]:
    database = Database(image)
    found: dict[tuple[str, int], Plain] = {}
    for table in database.tables():
        for row in database.rows(f'SELECT rowid AS "__rowid__", * FROM "{table}"'):
            found[(table, row.pop("__rowid__"))] = row
    return found


def diff(before: Snapshot, after: Snapshot) -> list[Change]:
    """What changed from one snapshot to another: settings, rows, files and interface state, in a fixed order.

    The clock is left out: it moves with every action. Databases that share their bytes are not read.
    """
    changes: list[Change] = []
    for namespace in sorted({*before.settings, *after.settings}):
        changes += _diff_maps(
            "setting", f"{namespace}/", before.settings.get(namespace, {}), after.settings.get(namespace, {})
        )
    for name in sorted({*before.databases, *after.databases}):
        old, new = before.databases.get(name, b""), after.databases.get(name, b"")
        if old is new or old == new:
            continue
        old_rows, new_rows = _keyed_rows(old), _keyed_rows(new)
        for table, rowid in sorted({*old_rows, *new_rows}):
            key = (table, rowid)
            if old_rows.get(key) != new_rows.get(key):
                changes.append(Change("row", f"{name}/{table}/{rowid}", old_rows.get(key), new_rows.get(key)))
    changes += _diff_maps("file", "", before.files, after.files)
    changes += _diff_maps("interface", "", thaw(before.interface), thaw(after.interface))
    return changes
