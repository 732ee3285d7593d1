"""What `adbd` needs of the phone's shell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from mobile_gym.phone.door import PhoneDoor


class ShellOutput(Protocol):
    """What a line gave.

    Attributes:
        stdout: standard output.
        stderr: standard error.
        merged: both as they came, in the order of time.
        exit_code: the exit status, 0 to 255.
        fate: `done`; `following` for a line that prints on for ever (`logcat`); `hang` for one that never ends without
            a word; `drop` for one in which the connection breaks.
    """

    @property
    def stdout(self) -> bytes: ...
    @property
    def stderr(self) -> bytes: ...
    @property
    def merged(self) -> bytes: ...
    @property
    def exit_code(self) -> int: ...
    @property
    def fate(self) -> Literal["done", "following", "hang", "drop"]: ...


class ShellPort(Protocol):
    """One shell process. Used on the phone's thread."""

    def run(self, line: str, stdin: bytes = b"") -> ShellOutput:
        """Runs the one line of a shell that has no more."""

    def feed(self, line: str) -> ShellOutput | None:
        """Runs the next line of a shell that goes on; None where it waits for the rest of an open quote or `if`."""

    def wants_stdin(self, line: str) -> bool:
        """Whether a line reads its standard input, so that all of it must be there first."""

    def poll(self) -> bytes:
        """What the last line, one that prints on for ever, has printed since the last look."""

    def interrupt(self) -> None:
        """Ends a line that prints on or is unfinished, as Ctrl-C does."""

    @property
    def prompt(self) -> str:
        """What an interactive shell prints when it is ready."""

    @property
    def exited(self) -> int | None:
        """The exit status after `exit`; None while the shell goes on."""


MakeShell = Callable[[PhoneDoor], ShellPort]
