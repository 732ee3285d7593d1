"""Faults that a test puts into a shell, so that devices can be tried against failing dumps, captures and slow boots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class ShellFault:
    """What a command answers instead of running.

    Attributes:
        prefix: the beginning of the command's words joined by spaces, such as `uiautomator dump`.
        times: how often it strikes; None for ever.
        after: how many matching commands run as usual before.
        stdout: what goes to standard output.
        stderr: what goes to standard error.
        exit_code: the exit status.
        effect: `answer` as above, `hang` for ever, or `drop` the connection.
        writes: files that appear all the same, by path.
    """

    prefix: str
    times: int | None = None
    after: int = 0
    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int = 1
    effect: Literal["answer", "hang", "drop"] = "answer"
    writes: Mapping[str, bytes] = field(default_factory=dict)


class ShellFaults:
    """The faults of a shell, in the order in which they are tried."""

    def __init__(self) -> None:
        self._faults: list[tuple[ShellFault, list[int]]] = []

    def add(self, fault: ShellFault) -> None:
        """Adds a fault."""
        self._faults.append((fault, [0]))

    def clear(self) -> None:
        """Removes all faults."""
        self._faults.clear()

    def strike(self, words: str) -> ShellFault | None:
        """The fault that strikes a command, if one does; counts it."""
        for fault, seen in self._faults:
            if not words.startswith(fault.prefix):
                continue
            seen[0] += 1
            if seen[0] > fault.after and (fault.times is None or seen[0] <= fault.after + fault.times):
                return fault
        return None
