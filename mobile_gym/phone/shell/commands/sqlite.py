"""`sqlite3` on the phone's databases and on database files.

SQL runs on the phone's own database, never on a file of the host: attaching is refused.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.language.streams import decode
from mobile_gym.phone.shell.shell_files import SQLITE_MAGIC, error_text
from mobile_gym.phone.state import Database

# Instructions of SQLite's machine after which a statement is taken to never end.
_STEP = 1_000_000
_MOST_STEPS = 200
_MODES = ("ascii", "box", "column", "csv", "html", "json", "line", "list", "markdown", "quote", "table", "tabs")


class _Session:
    def __init__(self, call: Call, database: Database) -> None:
        self.call = call
        self.database = database
        self.mode = "list"
        self.header = False
        self.separator = "|"
        self.null = ""
        self.steps = 0

    def option(self, name: str, args: list[str]) -> bool:
        """Takes one command line option; False for one that is not known."""
        if name in _MODES:
            self.mode = name
            if name in ("column", "box", "table", "markdown"):
                self.header = True
            if name == "csv":
                self.separator = ","
            if name == "tabs":
                self.mode, self.separator = "list", "\t"
        elif name in ("header", "noheader"):
            self.header = name == "header"
        elif name in ("separator", "nullvalue") and args:
            value = args.pop(0)
            if name == "separator":
                self.separator = value
            else:
                self.null = value
        elif name == "cmd" and args:
            return self.run(args.pop(0)) == 0
        elif name not in ("batch", "bail", "readonly", "init", "echo", "safe", "interactive"):
            return False
        return True

    def run(self, text: str) -> int:
        """Runs statements and dot commands; returns the exit status."""
        pending = ""
        for line in text.splitlines():
            if not pending and line.lstrip().startswith("."):
                status = self.dot(line.strip())
                if status is not None:
                    return status
                continue
            pending += line + "\n"
            if sqlite3.complete_statement(pending):
                status = self.statements(pending)
                if status:
                    return status
                pending = ""
        return self.statements(pending) if pending.strip() else 0

    def statements(self, text: str) -> int:
        """Runs the statements of a text one by one."""
        for statement in _split(text):
            status = self.statement(statement)
            if status:
                return status
        return 0

    def statement(self, text: str) -> int:
        connection = self.database.connection
        cursor = connection.cursor()
        cursor.row_factory = None
        schema = connection.execute("PRAGMA schema_version").fetchone()
        self.steps = 0
        connection.set_authorizer(_authorize)
        connection.set_progress_handler(self.tick, _STEP)
        try:
            cursor.execute(text)
            names = [column[0] for column in cursor.description or ()]
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        except sqlite3.IntegrityError as error:
            self.call.err(f"Error: stepping, {error} (19)")
            return 19
        except sqlite3.Error as error:
            self.call.err(f"Error: in prepare, {error}")
            return 1
        finally:
            cursor.close()
            connection.set_authorizer(None)
            connection.set_progress_handler(None, 0)
            if connection.execute("PRAGMA schema_version").fetchone() != schema:
                self.database.touch()
        if names:
            self.show(names, rows)
        return 0

    def tick(self) -> int:
        """Stops a statement that never ends."""
        self.steps += 1
        return int(self.steps > _MOST_STEPS)

    def show(self, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        call = self.call
        if self.mode == "json":
            if rows:
                parts = [json.dumps(dict(zip(names, map(_plain, row), strict=True)), **_JSON) for row in rows]
                call.out("[" + ",\n".join(parts) + "]\n")
            return
        if self.mode == "line":
            width = max((len(name) for name in names), default=0)
            for index, row in enumerate(rows):
                call.out("\n" if index else "")
                for name, value in zip(names, row, strict=True):
                    call.line(f"{name:>{width}} = {self.text(value)}")
            return
        table = [[self.text(value) for value in row] for row in rows]
        if self.mode == "csv":
            buffer = io.StringIO()
            writer = csv.writer(buffer, delimiter=self.separator[:1] or ",", lineterminator="\r\n")
            writer.writerows([names, *table] if self.header else table)
            call.out(buffer.getvalue())
        elif self.mode in ("column", "box", "table", "markdown"):
            widths = [max([len(names[i]), *(len(row[i]) for row in table)]) for i in range(len(names))]
            lines = [names, ["-" * width for width in widths], *table] if self.header and rows else table
            for line in lines:
                call.line("  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)))
        elif self.mode == "quote":
            for row in rows:
                call.line(",".join(_quoted(value) for value in row))
        else:
            for line in [names, *table] if self.header and rows else table:
                call.line(self.separator.join(line))

    def text(self, value: Any) -> str:
        if value is None:
            return self.null
        if isinstance(value, bytes):
            return decode(value)
        return repr(value) if isinstance(value, float) else str(value)

    def dot(self, line: str) -> int | None:
        """A dot command; a status ends the program."""
        words = line.split()
        name, args = words[0], words[1:]
        match name:
            case ".quit" | ".exit" | ".q":
                return 0
            case ".tables" | ".ta":
                names = self.database.tables()
                if names:
                    self.call.line("  ".join(names))
            case ".schema" | ".fullschema":
                for row in self.database.rows(
                    "SELECT name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
                ):
                    if not args or args[0] in (row["name"], row["tbl_name"]):
                        self.call.line(row["sql"] + ";")
            case ".headers" | ".header":
                self.header = args[:1] in (["on"], ["1"], ["yes"])
            case ".mode" if args and args[0] in _MODES:
                self.option(args[0], [])
            case ".separator" if args:
                self.separator = args[0]
            case ".nullvalue" if args:
                self.null = args[0]
            case ".dump":
                # Rows of a factory are dicts, which the dump of the library cannot read.
                plain = sqlite3.connect(":memory:")
                plain.deserialize(self.database.image())
                for text in plain.iterdump():
                    self.call.line(text)
                plain.close()
            case ".timeout" | ".bail" | ".echo" | ".changes":
                pass
            case _:
                self.call.err(f'Error: unknown command or invalid arguments:  "{name[1:]}". Enter ".help" for help')
                return 1
        return None


_JSON: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}


def _plain(value: Any) -> Any:
    return decode(value) if isinstance(value, bytes) else value


def _quoted(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def _authorize(action: int, first: str | None, *_: str | None) -> int:
    """Refuses to attach files, which would be the host's."""
    if action == sqlite3.SQLITE_ATTACH and first not in ("", ":memory:"):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _split(text: str) -> list[str]:
    """Statements of a text."""
    found: list[str] = []
    start = 0
    pos = text.find(";")
    while pos >= 0:
        if sqlite3.complete_statement(text[start : pos + 1]):
            found.append(text[start : pos + 1])
            start = pos + 1
        pos = text.find(";", pos + 1)
    found.append(text[start:])
    return [statement for statement in found if statement.strip().strip(";").strip()]


def _open(call: Call, path: str) -> tuple[Database, bytes | None]:
    """The database at a path; for a plain file also its bytes, to tell later whether it changed."""
    full = call.path(path)
    name = call.files.database_name(full)
    if name is not None:
        call.files.entry(full)
        return call.phone.state.database(name), None
    if path in (":memory:", "") or not call.files.exists(full):
        call.files.exists(full) or call.files.entry(call.path(full.rsplit("/", 1)[0] or "/"))
        return Database(), b""
    data = call.files.read(full)
    if data and data[:16] != SQLITE_MAGIC:
        call.err("Error: in prepare, file is not a database (26)")
        raise sqlite3.DatabaseError("file is not a database")
    return Database(data), data


def sqlite3_(call: Call) -> int:
    """`sqlite3 [OPTIONS] DATABASE [SQL…]`."""
    args = list(call.args)
    before: list[tuple[str, list[str]]] = []
    operands: list[str] = []
    while args:
        arg = args.pop(0)
        if arg.startswith("-") and len(arg) > 1:
            name = arg.lstrip("-")
            if name == "version":
                call.line(f"{sqlite3.sqlite_version} (64-bit)")
                return 0
            taken = [args.pop(0)] if name in ("separator", "nullvalue", "cmd", "init", "newline") and args else []
            before.append((name, taken))
        else:
            operands.append(arg)
    path = operands[0] if operands else ":memory:"
    try:
        database, data = _open(call, path)
    except sqlite3.DatabaseError:
        return 1
    except OSError as error:
        call.err(f'Error: unable to open database "{path}": unable to open database file ({error_text(error)})')
        return 1
    session = _Session(call, database)
    try:
        return _run(session, before, operands[1:])
    finally:
        if database.connection.in_transaction:
            database.connection.rollback()
        if data is not None:
            # A database without a page has no image.
            image = database.image() if database.value("PRAGMA page_count") else b""
            if path not in (":memory:", "") and image != data and image:
                call.files.write(call.path(path), image)
            database.connection.close()


def _run(session: _Session, before: Sequence[tuple[str, list[str]]], sql: Sequence[str]) -> int:
    for name, taken in before:
        if not session.option(name, taken):
            session.call.err(f"sqlite3: Error: unknown option: -{name}\nUse -help for a list of options.")
            return 1
    if not sql:
        return session.run(decode(session.call.stdin.read()))
    for text in sql:
        status = session.run(text)
        if status:
            return status
    return 0


COMMANDS: dict[str, Command] = {"sqlite3": sqlite3_}
