"""The emulator console's words: command lines, help, tables. Pure functions, no phone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

PROMPT = "Android Console: type 'help' for a list of commands"
_ESCAPE = re.compile(r"\\(n|\\|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|)")
_NUMBER = re.compile(r"\+?[0-9]+")
_SUFFIXES = "KMGT"


class SnapshotRow(NamedTuple):
    """One row of `avd snapshot list`: name, bytes, local time of taking, milliseconds that the phone had been up."""

    name: str
    size: int
    taken: datetime
    uptime_ms: int


def greeting(token_path: str | None) -> str:
    """What a console says first; it asks for the token where there is one."""
    if token_path is None:
        return f"{PROMPT}\nOK"
    return (
        "Android Console: Authentication required\n"
        "Android Console: type 'auth <auth_token>' to authenticate\n"
        f"Android Console: you can find your <auth_token> in \n'{token_path}'\nOK"
    )


def split_command(line: str) -> tuple[str, str]:
    """The first word and the rest, without the blanks between them."""
    word, _, rest = line.partition(" ")
    return word, rest.lstrip(" ")


def help_all(names: Iterable[str]) -> str:
    """The list of commands."""
    listed = "\n".join(f"    {name}" for name in names)
    return f"Android console commands:\n{listed}\n\nTry 'help <command>' for command-specific help"


def help_group(name: str, subcommands: Mapping[str, str]) -> str:
    """What a command's sub-commands are."""
    listed = "\n".join(f"   {name} {sub:<15}  {abstract}" for sub, abstract in subcommands.items())
    return f"\navailable sub-commands:\n{listed}\n"


def human_size(size: int) -> str:
    """Bytes in at most five characters: `998`, `1.5K`, `128M`."""
    if size <= 999:
        return str(size)
    base = 1024
    for suffix in _SUFFIXES:
        if size < 10 * base:
            return f"{size / base:.1f}{suffix}"
        if size < 1000 * base or suffix == _SUFFIXES[-1]:
            break
        base *= 1024
    return f"{(size + base // 2) // base}{suffix}"


def snapshot_table(rows: Iterable[SnapshotRow]) -> str:
    """`avd snapshot list` as the emulator prints it."""
    lines = []
    for row in rows:
        seconds, ms = divmod(row.uptime_ms, 1000)
        clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{ms:03d}"
        date = row.taken.strftime("%Y-%m-%d %H:%M:%S")
        # A name that fills its column still ends in a blank: readers split at white space.
        lines.append(f"{'--':<10}{row.name:<19} {human_size(row.size):>7}{date:>20}{clock:>15}")
    if not lines:
        return "There is no snapshot available."
    head = f"{'ID':<10}{'TAG':<20}{'VM SIZE':>7}{'DATE':>20}{'VM CLOCK':>15}"
    return "\n".join(["List of snapshots present on all disks:", head, *lines])


def is_phone_number(text: str) -> bool:
    """Whether a number is one that a message can come from."""
    return _NUMBER.fullmatch(text) is not None


def unescape_message(text: str) -> str:
    r"""The text of a message: `\n`, `\\`, `\xNN` and `\uNNNN` stand for what they do in C.

    Raises:
        ValueError: another escape.
    """

    def replace(match: re.Match[str]) -> str:
        escape = match[1]
        if not escape:
            raise ValueError("badly formatted text")
        if escape == "n":
            return "\n"
        return "\\" if escape == "\\" else chr(int(escape[1:], 16))

    return _ESCAPE.sub(replace, text)
