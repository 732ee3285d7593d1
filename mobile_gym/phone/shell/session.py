"""`adb shell` without a command: a shell that is fed line by line and remembers."""

from __future__ import annotations

import shlex

from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.shell.language.errors import ShellSyntaxError
from mobile_gym.phone.shell.language.parser import parse
from mobile_gym.phone.shell.language.state import ShellState
from mobile_gym.phone.shell.shell import Shell, ShellStream


class ShellSession:
    """An interactive shell.

    Lines are run as they come; `su` and `sh` open a shell inside this one, which `exit` leaves again.

    Args:
        phone: the phone.
        shell: the shell to run lines with (its user and its faults count); None for a new one.

    Attributes:
        closed: whether the outermost shell was left.
        exit_code: its exit status.
    """

    def __init__(self, phone: PhoneDoor, shell: Shell | None = None) -> None:
        self._shell = shell or Shell(phone)
        self._states: list[ShellState] = [self._shell.new_state()]
        self._pending = ""
        self.closed = False
        self.exit_code = 0

    @property
    def prompt(self) -> str:
        """`bluejay:/ $ `, with the last status before it if that was not 0; `> ` inside an unfinished command."""
        if self._pending:
            return "> "
        state = self._states[-1]
        status = f"{state.status}|" if state.status else ""
        return f"{status}{self._shell.phone.profile.device}:{state.cwd} {'#' if state.root else '$'} "

    def feed(self, line: str) -> bytes:
        """Runs one line, without its newline; returns what it printed, in order.

        A line that leaves something open (a quote, an `if`) prints nothing until the rest of it came.
        """
        stream = self.stream(line)
        return b"" if stream is None else stream.result.merged

    def stream(self, line: str) -> ShellStream | None:
        """Runs one line; one that prints on can be polled. None where nothing ran."""
        if self.closed:
            return None
        text = self._pending + line.removesuffix("\r")
        if _unfinished(text):
            self._pending = text + "\n"
            return None
        self._pending = ""
        state = self._states[-1]
        words = _words(text)
        if words[:1] in (["su"], ["sh"], ["/system/bin/sh"]) and words[1:] in ([], ["-"], ["0"], ["root"]):
            inner = state.fork()
            inner.root |= words[0] == "su"
            inner.status = 0
            self._states.append(inner)
            return None
        if words[:1] == ["exit"] and len(words) <= 2:
            return self._leave(text)
        return self._shell.run_in(state, text)

    def interrupt(self) -> None:
        """Control-C: gives up an unfinished command, or one that prints on."""
        self._pending = ""
        self._states[-1].status = 130

    def end(self) -> None:
        """The input ended (control-D, or a script that ran out): all shells are left."""
        self.exit_code = self._states[0].status
        self.closed = True

    def _leave(self, text: str) -> ShellStream:
        state = self._states[-1]
        stream = self._shell.run_in(state, text)
        result = stream.result
        self._states.pop()
        if self._states:
            self._states[-1].status = result.exit_code
        else:
            self._states.append(state)
            self.exit_code = result.exit_code
            self.closed = True
        return stream


def _unfinished(text: str) -> bool:
    if text.endswith("\\") and not text.endswith("\\\\"):
        return True
    try:
        parse(text)
    except ShellSyntaxError as error:
        message = str(error)
        return "unmatched" in message or "closing quote" in message or "unclosed" in message or "EOF" in message
    return False


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []
