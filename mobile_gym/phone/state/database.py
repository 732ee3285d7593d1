"""One application's SQLite database, opened when first touched and restored by reference.

A database that nobody wrote to since its bytes were taken shares those bytes with every snapshot and fork that holds
them, so saving, forking and restoring a phone cost only what was touched.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

SqlValue = str | int | float | bytes | None
Row = dict[str, Any]


def _dict_row(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class Database:
    """A SQLite database that lives in memory.

    Rows come back as plain dicts. `version` grows with every write, so that whoever caches what it read can tell when
    to read again.

    Args:
        image: the bytes of a SQLite database, as `serialize` gives them; empty for a new database.
    """

    __slots__ = ("_connection", "_digest", "_image", "_mark", "_version")

    def __init__(self, image: bytes = b"") -> None:
        self._image = image
        self._connection: sqlite3.Connection | None = None
        self._mark = 0
        self._version = 0
        self._digest: tuple[int, str] | None = None

    @property
    def connection(self) -> sqlite3.Connection:
        """The open connection; opens the database on first use."""
        if self._connection is None:
            connection = sqlite3.connect(
                ":memory:", isolation_level=None, check_same_thread=False, cached_statements=64
            )
            if self._image:
                connection.deserialize(self._image)
            connection.execute("PRAGMA cache_size = -256")
            connection.row_factory = _dict_row
            self._connection = connection
            self._mark = connection.total_changes
        return self._connection

    @property
    def version(self) -> int:
        """A number that changes with every write and every restore."""
        written = 0 if self._connection is None else self._connection.total_changes - self._mark
        return self._version + written

    def rows(self, sql: str, *parameters: SqlValue) -> list[Row]:
        """All rows of a query, each as a dict from column to value."""
        # Names once, not by row as `_dict_row` has them: looks for side effects read whole tables.
        cursor = self.connection.cursor()
        cursor.row_factory = None
        cursor.execute(sql, parameters)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def row(self, sql: str, *parameters: SqlValue) -> Row | None:
        """The first row of a query, or None."""
        found: Row | None = self.connection.execute(sql, parameters).fetchone()
        return found

    def value(self, sql: str, *parameters: SqlValue) -> Any:
        """The first column of the first row of a query, or None."""
        found = self.row(sql, *parameters)
        return None if found is None else next(iter(found.values()))

    def execute(self, sql: str, *parameters: SqlValue) -> int:
        """Runs one statement and returns how many rows it changed."""
        cursor = self.connection.execute(sql, parameters)
        return max(cursor.rowcount, 0)

    def insert(self, table: str, **values: SqlValue) -> int:
        """Inserts one row and returns its rowid."""
        columns = ", ".join(_quote(name) for name in values)
        marks = ", ".join("?" * len(values))
        cursor = self.connection.execute(
            f"INSERT INTO {_quote(table)} ({columns}) VALUES ({marks})", tuple(values.values())
        )
        return int(cursor.lastrowid or 0)

    def insert_many(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[SqlValue]]) -> None:
        """Inserts many rows of the same columns."""
        names = ", ".join(_quote(name) for name in columns)
        marks = ", ".join("?" * len(columns))
        self.connection.execute("BEGIN")
        self.connection.executemany(f"INSERT INTO {_quote(table)} ({names}) VALUES ({marks})", rows)
        self.connection.execute("COMMIT")

    def update(self, table: str, key: int, **values: SqlValue) -> int:
        """Updates the row whose `_id` is `key`; returns how many rows changed."""
        sets = ", ".join(f"{_quote(name)} = ?" for name in values)
        return self.execute(f"UPDATE {_quote(table)} SET {sets} WHERE _id = ?", *values.values(), key)

    def delete(self, table: str, key: int) -> int:
        """Deletes the row whose `_id` is `key`; returns how many rows went."""
        return self.execute(f"DELETE FROM {_quote(table)} WHERE _id = ?", key)

    def script(self, sql: str) -> None:
        """Runs several statements; the database counts as written to, even if they only define tables."""
        self.connection.executescript(sql)
        self.touch()

    def touch(self) -> None:
        """Declares the database written to; for statements whose changes SQLite does not count (DDL)."""
        self._version += 1
        self._image = b""

    def tables(self) -> list[str]:
        """Names of the tables, sorted; SQLite's own are left out."""
        found = self.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        return [row["name"] for row in found]

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table as a tuple in the order of the columns; rows ordered by rowid."""
        return {
            table: [tuple(row.values()) for row in self.rows(f"SELECT * FROM {_quote(table)} ORDER BY rowid")]
            for table in self.tables()
        }

    def digest(self) -> str:
        """A hash of all rows; equal rows give equal digests, whatever the file's pages look like."""
        version = self.version
        if self._digest is None or self._digest[0] != version:
            hasher = hashlib.sha256()
            for table, rows in self.dump().items():
                hasher.update(repr((table, rows)).encode())
            self._digest = (version, hasher.hexdigest())
        return self._digest[1]

    def image(self) -> bytes:
        """The database as bytes; the very same object as before if nothing was written since."""
        if self._connection is not None and (not self._image or self._connection.total_changes != self._mark):
            self._version = self.version
            # SQLite cannot serialise a database that never got a table.
            pages = self._connection.execute("PRAGMA page_count").fetchone()["page_count"]
            self._image = self._connection.serialize() if pages else b""
            self._mark = self._connection.total_changes
        return self._image

    def restore(self, image: bytes) -> None:
        """Makes this database the one that `image` holds. Costs nothing if it already is."""
        if image is self._image and (self._connection is None or self._connection.total_changes == self._mark):
            return
        self._version = self.version + 1
        self._image = image
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Closes the connection; the database opens again on the next use."""
        self.image()
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def schema_image(sql: str) -> bytes:
    """The bytes of a new database with the tables that a script makes."""
    database = Database()
    database.script(sql)
    image = database.image()
    database.connection.close()
    return image
