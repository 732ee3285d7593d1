"""What can stop a shell line, and how control leaves a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal


class ShellSyntaxError(Exception):
    """A line that is not in the shell's language; the message reads as mksh prints it, without the shell's name."""


class CommandError(Exception):
    """A command that gives up: `message` goes to standard error as it is, `code` is the exit status."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class ExpansionError(Exception):
    """A parameter that cannot be expanded (`${x:?}`, `set -u`, bad arithmetic); it ends the shell with `code`."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


class Control(Exception):
    """Base of the ways in which control leaves a command."""


class ExitShell(Control):
    """`exit`."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class ReturnFrom(Control):
    """`return`."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class LeaveLoop(Control):
    """`break` and `continue`, out of `levels` loops."""

    def __init__(self, levels: int, again: bool) -> None:
        super().__init__(levels)
        self.levels = levels
        self.again = again


class Following(Control):
    """A command that prints on for ever, such as `logcat`: `poll` gives what came since it was last asked."""

    def __init__(self, poll: Callable[[], bytes]) -> None:
        super().__init__("following")
        self.poll = poll


class Cut(Control):
    """A fault that a test put in: the command never ends (`hang`) or the connection breaks (`drop`)."""

    def __init__(self, effect: Literal["hang", "drop"]) -> None:
        super().__init__(effect)
        self.effect: Literal["hang", "drop"] = effect
