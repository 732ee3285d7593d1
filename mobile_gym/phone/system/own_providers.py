"""Providers of the system itself: notifications, clipboard, the launcher's apps, what caches take, pictures."""

from __future__ import annotations

import posixpath
import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.state import Database
from mobile_gym.phone.system.providers import Provider, Values

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone


class ReadOnlyProvider:
    """Rows that are computed from the phone's state; conditions and orders are SQL over those rows.

    Args:
        authority: the authority.
        path: the one path.
        columns: names of the columns.
        rows: computes the rows.
    """

    def __init__(
        self, authority: str, path: str, columns: tuple[str, ...], rows: Callable[[Phone], list[dict[str, Any]]]
    ) -> None:
        self.authority = authority
        self._path = path
        self._columns = columns
        self._rows = rows

    def query(self, phone: Phone, path: str, where: str | None, sort: str | None) -> list[dict[str, Any]]:
        """Rows at the path."""
        if path != self._path:
            raise ProviderError(f"Unknown URI content://{self.authority}/{path}")
        rows = self._rows(phone)
        if where is None and sort is None:
            return rows
        database = Database()
        database.script(f"CREATE TABLE found ({', '.join(self._columns)})")
        database.insert_many("found", self._columns, [tuple(row[name] for name in self._columns) for row in rows])
        condition = f" WHERE {where}" if where else ""
        order = f" ORDER BY {sort}" if sort else ""
        try:
            found = database.rows(f"SELECT * FROM found{condition}{order}")
        except sqlite3.Error as error:
            raise ProviderError(f"content://{self.authority}/{path}: {error}") from error
        finally:
            database.connection.close()
        return found

    def insert(self, phone: Phone, path: str, values: Values) -> str:
        """Refuses: the rows are computed."""
        raise ProviderError(f"content://{self.authority}/{path} is read-only")

    def update(self, phone: Phone, path: str, values: Values, where: str | None) -> int:
        """Refuses: the rows are computed."""
        raise ProviderError(f"content://{self.authority}/{path} is read-only")

    def delete(self, phone: Phone, path: str, where: str | None) -> int:
        """Refuses: the rows are computed."""
        raise ProviderError(f"content://{self.authority}/{path} is read-only")


def _notifications(phone: Phone) -> list[dict[str, Any]]:
    return [
        {
            "_id": number,
            "package": posted["package"],
            "key": posted["key"],
            "title": posted["title"],
            "text": posted["text"],
            "posted": posted["posted_ms"],
            "ongoing": int(posted["ongoing"]),
        }
        for number, posted in enumerate(phone.notifier.posted, 1)
    ]


def _clipboard(phone: Phone) -> list[dict[str, Any]]:
    return [{"_id": 1, "text": phone.state.interface["clipboard"]}]


def _launcher(phone: Phone) -> list[dict[str, Any]]:
    return [
        {
            "_id": number,
            "package": package,
            "label_zh": phone.apps[package].label("zh"),
            "label_en": phone.apps[package].label("en"),
        }
        for number, package in enumerate(phone.packages.launchable(), 1)
    ]


def _caches(phone: Phone) -> list[dict[str, Any]]:
    packages = phone.packages
    return [{"_id": 1, "bytes": sum(packages.entry(package)["sizes"][2] for package in packages.names())}]


def _images(phone: Phone) -> list[dict[str, Any]]:
    found = []
    for folder in ("/storage/emulated/0/DCIM", "/storage/emulated/0/Pictures"):
        for path, entry in phone.state.files.walk(folder):
            if not entry.is_dir and path.endswith((".png", ".jpg")):
                seconds = entry.mtime_ms // 1000
                found.append((path, entry, seconds))
    return [
        {
            "_id": number,
            "_display_name": posixpath.basename(path),
            "_data": path,
            "_size": len(entry.data),
            "date_added": seconds,
            "date_modified": seconds,
        }
        for number, (path, entry, seconds) in enumerate(found, 1)
    ]


def system_providers() -> list[Provider]:
    """The providers that every phone has."""
    return [
        ReadOnlyProvider(
            "mobile_gym.notifications",
            "active",
            ("_id", "package", "key", "title", "text", "posted", "ongoing"),
            _notifications,
        ),
        ReadOnlyProvider("mobile_gym.clipboard", "primary", ("_id", "text"), _clipboard),
        ReadOnlyProvider("mobile_gym.launcher", "apps", ("_id", "package", "label_zh", "label_en"), _launcher),
        ReadOnlyProvider("mobile_gym.storage", "caches", ("_id", "bytes"), _caches),
        ReadOnlyProvider(
            "media",
            "external/images/media",
            ("_id", "_display_name", "_data", "_size", "date_added", "date_modified"),
            _images,
        ),
    ]
