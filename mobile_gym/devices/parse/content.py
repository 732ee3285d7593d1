"""`content query`: rows of `column=value`, whose values are not quoted and may hold commas and line ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mobile_gym.devices.parse.common import ParseError, lines

ContentRow = dict[str, str | None]

_ROW: Final = r"^Row: (\d+) "
_NEXT = re.compile(r", ([A-Za-z_][\w.()*]*)=")
_FIRST = re.compile(r"([A-Za-z_][\w.()*]*)=")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:E[-+]?\d+)?")
_MISSING = re.compile(r"no such column: (\S+)|Invalid column (\S+)|Invalid column: (\S+)", re.IGNORECASE)
_ERRORS: Final = (
    "Error while accessing provider",
    "Could not find provider",
    "Exception",
    "[ERROR]",
    "usage: adb shell content",
    "Can't find service",
    "Unsupported",
)


class ContentError(ParseError):
    """The provider or the `content` command answered with an error."""


def parse_rows(text: str, columns: Sequence[str] | None = None) -> list[ContentRow]:
    """Rows of a query; `NULL` becomes None.

    A value may hold what looks like the next column or like the next row. With `columns` (the projection that was
    asked for, in order) that is told apart: of all ways to cut a row into these columns the one is taken that gives
    most numbers and NULLs, and the leftmost cuts among equals. Without, columns are those that every row has.

    Args:
        text: standard output of `content query`.
        columns: names in the order of the answer, or None where they are not known.

    Raises:
        ContentError: the answer is an error, is empty, or does not have these columns.
    """
    bodies = _bodies(text, columns)
    names = list(columns) if columns else _columns(bodies)
    return [_row(body, tuple(names), number) for number, body in enumerate(bodies)]


def guess_columns(text: str) -> list[str]:
    """Column names that every row seems to have, in order.

    A value that looks like a column is taken for one where all rows hold it.

    Raises:
        ContentError: the answer is an error or is empty.
    """
    return _columns(_bodies(text, None))


def missing_column(error: str) -> str | None:
    """The column that a provider says it does not have, where that is what an error text says."""
    match = _MISSING.search(error)
    name = next((group for group in match.groups() if group), None) if match else None
    return name.strip("'\"`()[],.") if name else None


def _bodies(text: str, columns: Sequence[str] | None) -> list[str]:
    if "\r\n" in text and text.count("\r\n") == text.count("\n"):
        text = text.replace("\r\n", "\n")
    if text.strip() == "No result found.":
        return []
    first = re.escape(columns[0]) if columns else r"[A-Za-z_][\w.()*]*"
    starts: list[re.Match[str]] = []
    for match in re.finditer(_ROW + rf"(?={first}=)", text, re.MULTILINE):
        if int(match[1]) == len(starts):
            starts.append(match)
    if not starts:
        raise _error(text)
    ends = [start.start() - 1 for start in starts[1:]] + [len(text)]
    bodies = [text[start.end() : end] for start, end in zip(starts, ends, strict=True)]
    bodies[-1] = bodies[-1].removesuffix("\n")
    return bodies


def _error(text: str) -> ContentError:
    if not text.strip():
        return ContentError("the query answered with nothing")
    for line in lines(text):
        if any(words in line for words in _ERRORS):
            return ContentError("the provider refused", text)
    return ContentError("expected rows", text)


def _columns(bodies: Sequence[str]) -> list[str]:
    names: list[str] | None = None
    for body in bodies:
        first = _FIRST.match(body)
        if first is None:
            raise ContentError("expected column=value", body)
        here = list(dict.fromkeys([first[1], *(match[1] for match in _NEXT.finditer(body))]))
        names = here if names is None else [name for name in names if name in here]
    return names or []


def _row(body: str, names: tuple[str, ...], number: int) -> ContentRow:
    prefix = f"{names[0]}="
    if not body.startswith(prefix):
        raise ContentError(f"row {number} does not begin with {prefix}", body)
    lengths = [len(f", {name}=") for name in names[1:]]
    cuts = [[match.start() for match in re.finditer(re.escape(f", {name}="), body)] for name in names[1:]]
    starts = [[len(prefix)], *([cut + size for cut in found] for found, size in zip(cuts, lengths, strict=True))]
    # From the last column to the first: for every place where its value may begin, the best score and the next cut.
    tails: list[dict[int, tuple[int, int]]] = [{start: (_score(body[start:]), len(body)) for start in starts[-1]}]
    for column in range(len(names) - 2, -1, -1):
        after = tails[-1]
        table: dict[int, tuple[int, int]] = {}
        for start in starts[column]:
            best: tuple[int, int] | None = None
            for cut in cuts[column]:
                rest = after.get(cut + lengths[column]) if cut >= start else None
                if rest is not None:
                    score = _score(body[start:cut]) + rest[0]
                    if best is None or score > best[0]:
                        best = score, cut
            if best is not None:
                table[start] = best
        tails.append(table)
    tails.reverse()
    start = len(prefix)
    if start not in tails[0]:
        raise ContentError(f"row {number} does not have the columns {', '.join(names)}", body)
    row: ContentRow = {}
    for column, name in enumerate(names):
        cut = tails[column][start][1]
        value = body[start:cut]
        row[name] = None if value == "NULL" else value
        start = cut + len(f", {names[column + 1]}=") if column + 1 < len(names) else cut
    return row


def _score(value: str) -> int:
    return 1 if value in {"", "NULL"} or _NUMBER.fullmatch(value) else 0
