"""`content`: content providers from the shell.

As on Android, a provider that is missing or refuses is told on standard error only: the exit status stays 0.
"""

from __future__ import annotations

import re
from typing import Any

from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.shell.commands.call import Call, Command

_USAGE = """usage: adb shell content [subcommand] [options]

usage: adb shell content insert --uri <URI> [--user <USER_ID>] --bind <BINDING> [--bind <BINDING>...]
  <URI> a content provider URI.
  <BINDING> binds a typed value to a column and is formatted:
  <COLUMN_NAME>:<TYPE>:<COLUMN_VALUE> where:
  <TYPE> specifies data type such as:
  b - boolean, s - string, i - integer, l - long, f - float, d - double, n - null

usage: adb shell content update --uri <URI> [--user <USER_ID>] [--where <WHERE>]

usage: adb shell content delete --uri <URI> [--user <USER_ID>] [--bind <BINDING>] [--bind <BINDING>...] [--where <WHERE>]

usage: adb shell content query --uri <URI> [--user <USER_ID>] [--projection <PROJECTION>] [--where <WHERE>] [--sort <SORT_ORDER>]

usage: adb shell content read --uri <URI> [--user <USER_ID>]
"""  # noqa: E501
_VERBS = ("insert", "update", "delete", "query", "read", "write", "call", "gettype")


class _Wrong(Exception):
    """Arguments that are wrong; the message is the tool's."""


class _Arguments:
    def __init__(self, args: list[str]) -> None:
        self.uri: str | None = None
        self.where: str | None = None
        self.sort: str | None = None
        self.projection: list[str] | None = None
        self.values: dict[str, Any] = {}
        rest = list(args)
        while rest:
            option = rest.pop(0)
            if option not in (
                "--uri",
                "--user",
                "--where",
                "--sort",
                "--projection",
                "--bind",
                "--method",
                "--arg",
                "--extra",
            ):
                raise _Wrong(f"Unsupported argument: {option}")
            if not rest or rest[0].startswith("--"):
                raise _Wrong(f"Missing value for argument: {option}")
            value = rest.pop(0)
            match option:
                case "--uri":
                    self.uri = value
                case "--where":
                    self.where = value or None
                case "--sort":
                    self.sort = value or None
                case "--projection":
                    self.projection = [name for name in re.split("[:]", value) if name]
                case "--bind":
                    self.bind(value)
        if self.uri is None:
            raise _Wrong("Content provider URI not specified. Did you specify --uri argument?")

    def bind(self, text: str) -> None:
        column, colon, rest = text.partition(":")
        kind, second, value = rest.partition(":")
        if not colon or not second:
            raise _Wrong(f"Binding not well formed: {text}")
        self.values[column] = _typed(kind, value)


def _typed(kind: str, value: str) -> Any:
    try:
        match kind.lower():
            case "b" | "boolean":
                return int(value.lower() == "true")
            case "s" | "string":
                return value
            case "i" | "l" | "integer" | "long":
                return int(value)
            case "f" | "d" | "float" | "double":
                return float(value)
            case "n" | "null":
                return None
    except ValueError:
        raise _Wrong(f'For input string: "{value}"') from None
    raise _Wrong(f"Unsupported type: {kind}")


def shown(value: Any) -> str:
    """A column's value as a row prints it."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return "BLOB"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return repr(value)
    return str(value)


def content(call: Call) -> int:
    """Queries and changes content providers."""
    if not call.args or call.args[0] not in _VERBS:
        if call.args:
            call.err(f"[ERROR] Unsupported operation: {call.args[0]}")
        call.err(_USAGE)
        return 1 if call.args else 0
    verb = call.args[0]
    try:
        arguments = _Arguments(call.args[1:])
        if verb == "insert" and not arguments.values:
            raise _Wrong("Bindings not specified. Did you specify --bind argument(s)?")
        if verb == "update" and not arguments.values:
            raise _Wrong("Bindings not specified. Did you specify --bind argument(s)?")
    except _Wrong as error:
        call.err(f"[ERROR] {error}")
        call.err(_USAGE)
        return 1
    uri = arguments.uri or ""
    authority = re.match(r"content://([^/?#]*)", uri)
    try:
        _run(call, verb, uri, arguments)
    except ProviderError as error:
        call.err(f"Error while accessing provider:{authority[1] if authority else 'null'}")
        call.err(f"java.lang.IllegalArgumentException: {error}")
        call.err("\tat com.android.commands.content.Content$Command.execute(Content.java:521)")
    return 0


def _run(call: Call, verb: str, uri: str, arguments: _Arguments) -> None:
    providers = call.phone.providers
    match verb:
        case "query":
            rows = providers.query(uri, arguments.projection, arguments.where, arguments.sort)
            if not rows:
                call.line("No result found.")
            for number, row in enumerate(rows):
                call.line(f"Row: {number} " + ", ".join(f"{name}={shown(value)}" for name, value in row.items()))
        case "insert":
            providers.insert(uri, arguments.values)
        case "update":
            providers.update(uri, arguments.values, arguments.where)
        case "delete":
            providers.delete(uri, arguments.where)
        case "gettype":
            call.line("Result: vnd.android.cursor.dir/" + uri.rsplit("/", 1)[-1])
        case "read":
            rows = providers.query(uri)
            path = rows[0].get("_data") if rows else None
            if not isinstance(path, str) or not call.files.exists(path):
                raise ProviderError(f"No file of {uri} can be opened")
            call.out(call.files.read(path))
        case _:
            raise ProviderError(f"{verb} is not supported by {uri}")


COMMANDS: dict[str, Command] = {"content": content}
