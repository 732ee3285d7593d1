"""What an Android device holds, through its shell and its console: settings, content, files, snapshots, clock."""

from __future__ import annotations

import builtins
import shlex
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from mobile_gym.devices.adb_console import EmulatorConsole
from mobile_gym.devices.adb_link import AdbLink
from mobile_gym.devices.base import Capability, Clock, Content, Files, Result, Row, Settings, Snapshots
from mobile_gym.devices.errors import CapabilityMissing, CommandFailed, SnapshotMissing
from mobile_gym.devices.parse.common import ParseError
from mobile_gym.devices.parse.console import ConsoleReply, parse_snapshots
from mobile_gym.devices.parse.content import guess_columns, missing_column, parse_rows
from mobile_gym.devices.parse.date import parse_date
from mobile_gym.devices.parse.settings import check_settings, parse_setting, parse_settings

_SNAPSHOT_SECONDS: Final = 120.0
_WAIT_STEP: Final = 5.0
_NAMESPACES: Final = ("system", "secure", "global")

Value = str | int | float | None


def failed(link: AdbLink, what: str, result: Result) -> CommandFailed:
    """The error for a command of the device that failed."""
    said = (result.stdout + result.stderr).strip()
    return CommandFailed(f"{link.serial}: {what}: {said[:500] or 'no answer'}", result.exit_code or 1)


class AdbSettings(Settings):
    """`settings get|put|delete|list`. A value that is the text `null` looks like a missing one."""

    def __init__(self, link: AdbLink) -> None:
        self._link = link

    def get(self, namespace: str, key: str) -> str | None:
        result = self._ask("get", namespace, key)
        try:
            return parse_setting(result.stdout)
        except ParseError as error:
            raise CommandFailed(f"{self._link.serial}: settings get {namespace} {key}: {error}") from error

    def put(self, namespace: str, key: str, value: str) -> None:
        self._ask("put", namespace, key, value)

    def delete(self, namespace: str, key: str) -> None:
        self._ask("delete", namespace, key)

    def all(self, namespace: str) -> dict[str, str]:
        result = self._ask("list", namespace)
        try:
            return parse_settings(result.stdout)
        except ParseError as error:
            raise CommandFailed(f"{self._link.serial}: settings list {namespace}: {error}") from error

    def _ask(self, verb: str, namespace: str, *words: str) -> Result:
        if namespace not in _NAMESPACES:
            raise CommandFailed(
                f"{self._link.serial}: settings have no namespace {namespace!r}; there are {', '.join(_NAMESPACES)}"
            )
        command = " ".join(["settings", verb, namespace, *map(shlex.quote, words)])
        result = self._link.run(command, repeatable=verb in {"get", "list"})
        if result.exit_code != 0:
            raise failed(self._link, command, result)
        if verb in {"put", "delete"}:
            try:
                check_settings(result.stdout + result.stderr)
            except ParseError as error:
                raise CommandFailed(
                    f"{self._link.serial}: {command}: {error}. Some makers need 'USB debugging (security settings)' on."
                ) from error
        return result


class AdbContent(Content):
    """`content query|insert|update|delete`. All values come back as text, or None for NULL.

    The command quotes nothing, so columns are made certain by a second query with a projection, once for each URI.
    """

    def __init__(self, link: AdbLink) -> None:
        self._link = link
        self._columns: dict[str, list[str]] = {}

    def query(self, uri: str, where: str | None = None, sort: str | None = None) -> list[Row]:
        options = (f" --where {shlex.quote(where)}" if where else "") + (f" --sort {shlex.quote(sort)}" if sort else "")
        known = self._columns.get(uri)
        answer = self._query(uri, options, known)
        try:
            if known is not None:
                return [dict(row) for row in parse_rows(answer, known)]
            if not parse_rows(answer):
                return []
            columns = self._certain(uri, options, guess_columns(answer))
            rows = [dict(row) for row in parse_rows(self._query(uri, options, columns), columns)]
        except ParseError as error:
            raise CommandFailed(f"{self._link.serial}: content query {uri}: {error}") from error
        self._columns[uri] = columns
        return rows

    def insert(self, uri: str, values: Mapping[str, Value]) -> None:
        self._change(f"content insert --uri {shlex.quote(uri)}{_bindings(values)}")

    def update(self, uri: str, values: Mapping[str, Value], where: str | None = None) -> None:
        self._change(f"content update --uri {shlex.quote(uri)}{_bindings(values)}{_where(where)}")

    def delete(self, uri: str, where: str | None = None) -> None:
        self._change(f"content delete --uri {shlex.quote(uri)}{_where(where)}")

    def _query(self, uri: str, options: str, columns: builtins.list[str] | None) -> str:
        projection = f" --projection {shlex.quote(':'.join(columns))}" if columns else ""
        command = f"content query --uri {shlex.quote(uri)}{projection}{options}"
        result = self._link.run(command, repeatable=True)
        if result.exit_code != 0 or not result.stdout.strip():
            raise failed(self._link, command, result)
        return result.stdout

    def _certain(self, uri: str, options: str, guess: builtins.list[str]) -> builtins.list[str]:
        """The guessed columns without those that the provider does not have."""
        while len(guess) > 1:
            command = f"content query --uri {shlex.quote(uri)} --projection {shlex.quote(':'.join(guess))}{options}"
            result = self._link.run(command, repeatable=True)
            wrong = missing_column(result.stdout + result.stderr)
            if wrong is None or wrong not in guess or result.stdout.startswith("Row:"):
                return guess
            guess = [name for name in guess if name != wrong]
        return guess

    def _change(self, command: str) -> None:
        result = self._link.run(command)
        said = result.stdout + result.stderr
        if result.exit_code != 0 or "Error while accessing provider" in said or "Could not find provider" in said:
            raise failed(self._link, command, result)
        if "[ERROR]" in said or "Exception" in said:
            raise failed(self._link, command, result)


def _where(where: str | None) -> str:
    return f" --where {shlex.quote(where)}" if where else ""


def _bindings(values: Mapping[str, Value]) -> str:
    words = []
    for name, value in values.items():
        if value is None:
            bound = f"{name}:n:"
        elif isinstance(value, bool):
            bound = f"{name}:b:{str(value).lower()}"
        elif isinstance(value, int):
            bound = f"{name}:l:{value}"
        elif isinstance(value, float):
            bound = f"{name}:d:{value!r}"
        else:
            bound = f"{name}:s:{value}"
        words.append(f" --bind {shlex.quote(bound)}")
    return "".join(words)


class AdbFiles(Files):
    """Files by adb's sync service; as root by `su` where the daemon itself may not.

    Args:
        link: the device.
        su: tells whether `su 0` works.
    """

    def __init__(self, link: AdbLink, su: Callable[[], bool]) -> None:
        self._link = link
        self._su = su

    def read(self, path: str) -> bytes:
        try:
            return self._link.read(path)
        except CommandFailed as error:
            if "Permission denied" not in str(error) or not self._su():
                raise
        result = self._link.run(f"su 0 test -f {shlex.quote(path)}", repeatable=True)
        if result.exit_code != 0:
            raise CommandFailed(f"{self._link.serial}: reading {path}: No such file")
        return self._link.out(f"su 0 cat {shlex.quote(path)}")

    def write(self, path: str, data: bytes) -> None:
        try:
            self._link.write(path, data)
        except CommandFailed as error:
            if "Permission denied" not in str(error) or not self._su():
                raise
        else:
            return
        staged = "/data/local/tmp/mobile-gym-write"
        self._link.write(staged, data)
        folder = path.rpartition("/")[0] or "/"
        command = f"su 0 mkdir -p {shlex.quote(folder)} && su 0 cp {staged} {shlex.quote(path)} && rm -f {staged}"
        result = self._link.run(command)
        if result.exit_code != 0:
            raise failed(self._link, f"writing {path}", result)

    def list(self, path: str) -> builtins.list[str]:
        folder = path.rstrip("/") + "/"
        if self._link.stat(f"{folder}.").is_dir:
            names = self._link.names(folder)
            if names or not self._su():
                return names
        elif not self._su():
            raise CommandFailed(f"{self._link.serial}: listing {path}: no such directory")
        # A folder that is closed to adb looks missing or empty to it.
        quoted = shlex.quote(folder)
        result = self._link.run(f"su 0 test -d {quoted} && su 0 ls -1A {quoted}", repeatable=True)
        if result.exit_code != 0:
            raise CommandFailed(f"{self._link.serial}: listing {path}: no such directory")
        return sorted(result.stdout.splitlines())

    def exists(self, path: str) -> bool:
        if self._link.stat(path).exists:
            return True
        return self._su() and self._link.run(f"su 0 test -e {shlex.quote(path)}", repeatable=True).exit_code == 0

    def delete(self, path: str) -> None:
        if path.strip("/") == "":
            raise CommandFailed(f"{self._link.serial}: {path!r} is the whole device and is not deleted")
        command = f"rm -rf {shlex.quote(path)}"
        result = self._link.run(command)
        if result.exit_code != 0 and "Permission denied" in result.stderr + result.stdout and self._su():
            result = self._link.run(f"su 0 {command}")
        if result.exit_code != 0:
            raise failed(self._link, f"deleting {path}", result)


class AdbSnapshots(Snapshots):
    """Snapshots of an emulator, by its console.

    Args:
        link: the device.
        console: gives the console, or raises CapabilityMissing.
        loaded: called after a state was restored, to wait until the device is ready again.
    """

    def __init__(self, link: AdbLink, console: Callable[[], EmulatorConsole], loaded: Callable[[], None]) -> None:
        self._link = link
        self._console = console
        self._loaded = loaded

    def save(self, name: str) -> None:
        reply = self._ask(f"save {_snapshot_name(name)}")
        if not reply.ok:
            raise CommandFailed(f"{self._link.serial}: saving the snapshot {name!r}: {reply.text}")

    def load(self, name: str) -> None:
        reply = self._ask(f"load {_snapshot_name(name)}")
        if not reply.ok:
            raise SnapshotMissing(f"{self._link.serial}: the snapshot {name!r} could not be loaded: {reply.text}")
        self._loaded()

    def list(self) -> builtins.list[str]:
        try:
            return parse_snapshots(self._ask("list"))
        except ParseError as error:
            raise CommandFailed(f"{self._link.serial}: {error}") from error

    def delete(self, name: str) -> None:
        # Emulators answer OK for a name that does not exist, so the list decides.
        if name not in self.list():
            raise SnapshotMissing(f"{self._link.serial}: there is no snapshot {name!r}")
        reply = self._ask(f"delete {_snapshot_name(name)}")
        if not reply.ok:
            raise CommandFailed(f"{self._link.serial}: deleting the snapshot {name!r}: {reply.text}")

    def _ask(self, what: str) -> ConsoleReply:
        deadline = self._link.deadline(f"snapshot {what}", max(self._link.timeout, _SNAPSHOT_SECONDS))
        return self._console().command(f"avd snapshot {what}", deadline)


def _snapshot_name(name: str) -> str:
    if not name or any(char.isspace() for char in name):
        raise CommandFailed(f"a snapshot's name is one word: {name!r}")
    return name


class AdbClock(Clock):
    """The device's clock; set as root. Waiting lets the device sleep: virtual time passes where there is one."""

    def __init__(self, link: AdbLink, su: Callable[[], bool]) -> None:
        self._link = link
        self._su = su

    def now(self) -> datetime:
        result = self._link.run("date '+%s %z'", repeatable=True)
        try:
            return parse_date(result.stdout)
        except ParseError as error:
            raise CommandFailed(f"{self._link.serial}: {error}") from error

    def set(self, moment: datetime) -> None:
        zone = self.now().tzinfo
        local = moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)
        prefix = "su 0 " if self._su() else ""
        stamp = local.strftime("%m%d%H%M%Y.%S")
        command = f"settings put global auto_time 0; {prefix}date {stamp}"
        result = self._link.run(command)
        if abs(self.now() - local) > timedelta(seconds=5):
            said = (result.stdout + result.stderr).strip()
            raise CapabilityMissing(
                f"{self._link.serial}: the clock did not take {local.isoformat()}; it needs root ({said[:200]})",
                Capability.CLOCK,
            )

    def wait(self, seconds: float) -> None:
        left = seconds
        while left > 0:
            step = min(left, _WAIT_STEP, max(self._link.timeout / 2, 0.1))
            result = self._link.run(f"sleep {step:g}", seconds=self._link.timeout + step)
            if result.exit_code != 0:
                raise failed(self._link, "sleep", result)
            left -= step
