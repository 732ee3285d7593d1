"""What `adbd` needs of the phone's shell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from mobile_gym.phone.door import PhoneDoor


class ShellOutput(Protocol):
    """What a line gave.

    Attributes:
        stdout: standard output.
        stderr: standard error.
        merged: both as they came, in the order of time.
        exit_code: the exit status, 0 to 255.
    """

    @property
    def stdout(self) -> bytes: ...
    @property
    def stderr(self) -> bytes: ...
    @property
    def merged(self) -> bytes: ...
    @property
    def exit_code(self) -> int: ...


class ShellPort(Protocol):
    """One shell process: variables and working directory last from line to line. Used on the phone's thread."""

    def run(self, line: str, stdin: bytes = b"") -> ShellOutput:
        """Runs a line to its end, or to where it only waits for what comes later (see `poll`)."""

    def wants_stdin(self, line: str) -> bool:
        """Whether a line reads its standard input, so that all of it must be there first."""

    def complete(self, text: str) -> bool:
        """Whether typed text is whole, not an open quote, `if` or here-document."""

    def poll(self) -> bytes | None:
        """What came for a line that prints on for ever (`logcat`) since the last look; None where none is."""

    def interrupt(self) -> None:
        """Ends a line that prints on for ever, as Ctrl-C does."""

    @property
    def prompt(self) -> str:
        """What an interactive shell prints when it is ready."""

    @property
    def exited(self) -> int | None:
        """The exit status after `exit`; None while the shell goes on."""


MakeShell = Callable[[PhoneDoor], ShellPort]
