"""Content providers: how a phone's data is read and written from outside, as on Android."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from mobile_gym.phone.errors import ProviderError

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

Values = Mapping[str, Any]
_T = TypeVar("_T")
_URI = re.compile(r"content://([^/?#]+)(?:/([^?#]*))?")


class Provider(Protocol):
    """One authority. `path` is what follows it in the URI, without slashes at its ends."""

    authority: str

    def query(self, phone: Phone, path: str, where: str | None, sort: str | None) -> list[dict[str, Any]]:
        """Rows at a path."""

    def insert(self, phone: Phone, path: str, values: Values) -> str:
        """Inserts a row; returns the path of it."""

    def update(self, phone: Phone, path: str, values: Values, where: str | None) -> int:
        """Updates rows; returns how many."""

    def delete(self, phone: Phone, path: str, where: str | None) -> int:
        """Deletes rows; returns how many."""


@dataclass(frozen=True)
class Table:
    """A path of a `TableProvider`.

    Attributes:
        database: `package/name`.
        source: the table or view that rows are read from.
        target: the table that is written to; None where the path is read-only.
        condition: SQL that limits the rows of this path, such as `type = 1`.
        defaults: values of columns that an insert leaves out; a callable gets the phone and the values given.
        sort: the order where none is asked for.
        on_change: called after a write, so that the app can bring what depends on it in line.
        check: called with the values of an insert or update; raises ProviderError for bad ones.
    """

    database: str
    source: str
    target: str | None = None
    condition: str = ""
    defaults: Mapping[str, Any | Callable[[Phone, Values], Any]] = field(default_factory=dict)
    sort: str = "_id"
    on_change: Callable[[Phone], None] | None = None
    check: Callable[[Values], None] | None = None


class TableProvider:
    """A provider whose paths are tables; `path/7` is the row whose `_id` is 7.

    Args:
        authority: such as `sms`.
        tables: table by path; the empty path is the authority itself.
    """

    def __init__(self, authority: str, tables: Mapping[str, Table]) -> None:
        self.authority = authority
        self.tables = tables

    def query(self, phone: Phone, path: str, where: str | None, sort: str | None) -> list[dict[str, Any]]:
        """Rows at a path."""
        table, condition = self._find(path, where)
        sql = f"SELECT * FROM {table.source}{condition} ORDER BY {sort or table.sort}"
        return self._run(path, lambda: phone.state.database(table.database).rows(sql))

    def insert(self, phone: Phone, path: str, values: Values) -> str:
        """Inserts a row; returns the path of it."""
        table, _ = self._find(path, None)
        target = self._target(path, table)
        if table.check is not None:
            table.check(values)
        row = dict(values)
        for name, default in table.defaults.items():
            if name not in row:
                row[name] = default(phone, row) if callable(default) else default
        key = self._run(path, lambda: phone.state.database(table.database).insert(target, **row))
        if table.on_change is not None:
            table.on_change(phone)
        return f"{path}/{key}".strip("/")

    def update(self, phone: Phone, path: str, values: Values, where: str | None) -> int:
        """Updates rows; returns how many."""
        table, condition = self._find(path, where)
        target = self._target(path, table)
        if table.check is not None:
            table.check(values)
        sets = ", ".join(f'"{name}" = ?' for name in values)
        sql = f"UPDATE {target} SET {sets} WHERE _id IN (SELECT _id FROM {table.source}{condition})"
        changed = self._run(path, lambda: phone.state.database(table.database).execute(sql, *values.values()))
        if table.on_change is not None:
            table.on_change(phone)
        return changed

    def delete(self, phone: Phone, path: str, where: str | None) -> int:
        """Deletes rows; returns how many."""
        table, condition = self._find(path, where)
        target = self._target(path, table)
        sql = f"DELETE FROM {target} WHERE _id IN (SELECT _id FROM {table.source}{condition})"
        changed = self._run(path, lambda: phone.state.database(table.database).execute(sql))
        if table.on_change is not None:
            table.on_change(phone)
        return changed

    def _find(self, path: str, where: str | None) -> tuple[Table, str]:
        conditions = [where] if where else []
        table = self.tables.get(path)
        if table is None:
            head, _, tail = path.rpartition("/")
            if tail.isdigit() and head in self.tables:
                table = self.tables[head]
                conditions.append(f"_id = {int(tail)}")
        if table is None:
            raise ProviderError(f"Unknown URI content://{self.authority}/{path}")
        if table.condition:
            conditions.append(table.condition)
        return table, " WHERE " + " AND ".join(f"({text})" for text in conditions) if conditions else ""

    def _target(self, path: str, table: Table) -> str:
        if table.target is None:
            raise ProviderError(f"content://{self.authority}/{path} is read-only")
        return table.target

    def _run(self, path: str, call: Callable[[], _T]) -> _T:
        try:
            return call()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise ProviderError(f"content://{self.authority}/{path}: {error}") from error


class ContentResolver:
    """Finds the provider of a URI among those of the installed apps."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._providers: dict[str, Provider] = {}

    def add(self, provider: Provider) -> None:
        """Makes a provider known."""
        self._providers[provider.authority] = provider

    def query(
        self, uri: str, projection: Sequence[str] | None = None, where: str | None = None, sort: str | None = None
    ) -> list[dict[str, Any]]:
        """Rows of a URI; see `PhoneDoor.providers`."""
        provider, path = self._find(uri)
        rows = provider.query(self._phone, path, where, sort)
        if not projection:
            return rows
        for name in projection:
            if rows and name not in rows[0]:
                raise ProviderError(f"Invalid column {name}")
        return [{name: row[name] for name in projection} for row in rows]

    def insert(self, uri: str, values: Values) -> str:
        """Inserts a row; returns its URI."""
        provider, path = self._find(uri)
        key = provider.insert(self._phone, path, values)
        self._phone.invalidate()
        return f"content://{provider.authority}/{key}"

    def update(self, uri: str, values: Values, where: str | None = None) -> int:
        """Updates rows; returns how many."""
        provider, path = self._find(uri)
        changed = provider.update(self._phone, path, values, where)
        self._phone.invalidate()
        return changed

    def delete(self, uri: str, where: str | None = None) -> int:
        """Deletes rows; returns how many."""
        provider, path = self._find(uri)
        changed = provider.delete(self._phone, path, where)
        self._phone.invalidate()
        return changed

    def base_tables(self) -> list[str]:
        """The URI of each table that can be written from outside, sorted; the plainest where several show it."""
        best: dict[tuple[str, str], tuple[bool, int, str]] = {}
        for authority, provider in self._providers.items():
            for path, table in provider.tables.items() if isinstance(provider, TableProvider) else ():
                if table.target is None:
                    continue
                uri = f"content://{authority}/{path}".rstrip("/")
                rank = (table.source != table.target, len(path), uri)
                key = (table.database, table.target)
                best[key] = min(rank, best.get(key, rank))
        return sorted(uri for _, _, uri in best.values())

    def _find(self, uri: str) -> tuple[Provider, str]:
        match = _URI.match(uri)
        provider = self._providers.get(match[1]) if match else None
        if match is None or provider is None:
            raise ProviderError(f"Could not find provider: {match[1] if match else uri}")
        return provider, (match[2] or "").strip("/")
