"""The adb shell of the phone: runs lines and gives what they print, apart and in the order of time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.shell.commands.registry import COMMANDS
from mobile_gym.phone.shell.faults import ShellFaults
from mobile_gym.phone.shell.language.errors import CommandError, Cut, Following
from mobile_gym.phone.shell.language.interpreter import SHELL_NAME, Interpreter
from mobile_gym.phone.shell.language.state import ShellState, initial_state
from mobile_gym.phone.shell.language.streams import Input, Io, Recorder, encode

Fate = Literal["done", "following", "hang", "drop"]


@dataclass(frozen=True, slots=True)
class ShellResult:
    """What a line gave.

    Attributes:
        stdout: standard output.
        stderr: standard error.
        merged: both in the order in which they were written, as a shell without separate streams (v1) shows them.
        exit_code: the exit status.
        fate: `done`; `following` where the line would print on for ever (`logcat`); `hang` and `drop` are faults that
            a test put in: the line never ends, or the connection breaks.
    """

    stdout: bytes
    stderr: bytes
    merged: bytes
    exit_code: int
    fate: Fate = "done"


@dataclass(frozen=True, slots=True)
class ShellStream:
    """A line that may print on.

    Attributes:
        result: what it gave at once.
    """

    result: ShellResult
    _poll: Callable[[], bytes] | None = None

    @property
    def following(self) -> bool:
        """Whether more may come."""
        return self._poll is not None

    def poll(self) -> bytes:
        """What came to standard output since the last call; empty where nothing did."""
        return b"" if self._poll is None else self._poll()

    def __iter__(self) -> Iterator[bytes]:
        """The first output, then whatever each poll gives, for ever where the line follows."""
        yield self.result.merged
        while self._poll is not None:
            yield self._poll()


class Shell:
    """A way to run shell lines on a phone; every line is a process of its own, so nothing is kept between lines.

    Args:
        phone: the phone.
        root: whether lines run as root (`adb root`) instead of as the user `shell`.

    Attributes:
        root: whether lines run as root; may be changed at any time.
        faults: faults that a test put in.
    """

    def __init__(self, phone: PhoneDoor, root: bool = False) -> None:
        self.phone = phone
        self.root = root
        self.faults = ShellFaults()
        self._interpreter = Interpreter(phone, COMMANDS, self.faults)

    @property
    def history(self) -> deque[str]:
        """The last thousand commands that ran, each with its words quoted."""
        return self._interpreter.history

    def new_state(self) -> ShellState:
        """The state of a fresh shell process."""
        return initial_state(self.root, self.phone.profile.device)

    def run(self, line: str, stdin: bytes = b"") -> ShellResult:
        """Runs a line (or a script of many lines) to its end.

        Args:
            line: what follows `adb shell`. Bytes that are no UTF-8 come as surrogates (`surrogateescape`).
            stdin: standard input.
        """
        return self.stream(line, stdin).result

    def stream(self, line: str, stdin: bytes = b"") -> ShellStream:
        """Runs a line; one that prints on for ever can be polled for more."""
        return self.run_in(self.new_state(), line, stdin)

    def run_in(self, state: ShellState, line: str, stdin: bytes = b"") -> ShellStream:
        """Runs a line in a given state, which it may change."""
        recorder = Recorder()
        io = Io(Input(stdin), {1: recorder.sink(1), 2: recorder.sink(2)})
        poll: Callable[[], bytes] | None = None
        fate: Fate = "done"
        status = 0
        version = self.phone.state.data_version()
        try:
            status = self._interpreter.run_program(line, state, io)
        except Following as following:
            poll, fate = following.poll, "following"
        except Cut as cut:
            fate = cut.effect
        except CommandError as error:
            io.err(encode(error.message + "\n"))
            status = error.code
        except RecursionError:
            io.err(encode(f"{SHELL_NAME}: recursion too deep\n"))
            status = 1
        state.status = status
        if self.phone.state.data_version() != version:
            self.phone.invalidate()
        result = ShellResult(recorder.joined(1), recorder.joined(2), recorder.joined(), status, fate)
        return ShellStream(result, poll)
