"""What a command gets: its arguments, streams, the phone and its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol

from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.shell.language.errors import CommandError, Following
from mobile_gym.phone.shell.language.state import ShellState
from mobile_gym.phone.shell.language.streams import Buffer, Input, Io, encode
from mobile_gym.phone.shell.shell_files import ShellFiles
from mobile_gym.phone.state.files import normalize


class Runner(Protocol):
    """What commands that run commands (`xargs`, `su`, `sh`) may ask of the interpreter."""

    def run_words(self, words: Sequence[str], state: ShellState, io: Io) -> int:
        """Runs one command; returns its exit status."""

    def run_text(self, text: str, state: ShellState, io: Io) -> int:
        """Runs a script; returns its exit status."""

    def run_program(self, text: str, state: ShellState, io: Io) -> int:
        """Runs a script as a shell of its own."""

    @property
    def names(self) -> Sequence[str]:
        """Names of the commands in `/system/bin`."""


@dataclass(slots=True)
class Call:
    """One call of a command.

    Attributes:
        name: the name that it was called by.
        args: its arguments.
        phone: the phone.
        files: the phone's files, as the user of the shell sees them.
        state: the shell's state.
        io: where it reads and writes.
        runner: runs other commands.
    """

    name: str
    args: list[str]
    phone: PhoneDoor
    files: ShellFiles
    state: ShellState
    io: Io
    runner: Runner

    @property
    def stdin(self) -> Input:
        """Standard input."""
        return self.io.stdin

    def out(self, text: str | bytes) -> None:
        """Writes to standard output as it is."""
        self.io.out(encode(text) if isinstance(text, str) else text)

    def line(self, text: str = "") -> None:
        """Writes a line to standard output."""
        self.io.out(encode(text + "\n"))

    def err(self, text: str) -> None:
        """Writes a line to standard error."""
        self.io.err(encode(text + "\n"))

    def complain(self, text: str, code: int = 1) -> int:
        """Writes `name: text` to standard error and returns `code`."""
        self.err(f"{self.name}: {text}")
        return code

    def fail(self, text: str, code: int = 1) -> NoReturn:
        """Gives up with `name: text` on standard error."""
        raise CommandError(f"{self.name}: {text}", code)

    def path(self, path: str) -> str:
        """The absolute path of an argument."""
        return normalize(path, self.state.cwd)

    def read(self, path: str) -> bytes:
        """The bytes of a file named by an argument; `-` and `/dev/stdin` are standard input."""
        if path in ("-", "/dev/stdin"):
            return self.stdin.read()
        try:
            return self.files.read(self.path(path))
        except OSError as error:
            raise type(error)(error.errno, error.strerror, path) from None

    def write(self, path: str, data: bytes, append: bool = False) -> None:
        """Writes to a file named by an argument; knows the standard streams' names."""
        full = self.path(path)
        if full in ("/dev/stdout", "/dev/tty"):
            self.io.out(data)
        elif full == "/dev/stderr":
            self.io.err(data)
        else:
            old = self.files.read(full) if append and self.files.exists(full) else b""
            self.files.write(full, old + data, mode=0o644)

    def run(self, words: Sequence[str], stdin: bytes | None = None) -> int:
        """Runs another command with this one's streams."""
        io = self.io if stdin is None else Io(Input(stdin), self.io.sinks)
        return self.runner.run_words(words, self.state.fork(), io)

    def capture(self, words: Sequence[str], stdin: bytes = b"") -> tuple[int, bytes]:
        """Runs another command and keeps its output."""
        buffer = Buffer()
        io = Io(Input(stdin), {**self.io.sinks, 1: buffer})
        return self.runner.run_words(words, self.state.fork(), io), buffer.joined()

    def follow(self, poll: Callable[[], bytes]) -> NoReturn:
        """Goes on printing what `poll` gives."""
        raise Following(poll)


Command = Callable[[Call], int]


@dataclass(frozen=True, slots=True)
class Options:
    """Parsed options.

    Attributes:
        flags: letters (or long names) without a value, in the order given.
        values: values by letter or long name; the last one wins.
        operands: the rest.
    """

    flags: tuple[str, ...]
    values: Mapping[str, str]
    operands: tuple[str, ...]

    def __contains__(self, name: str) -> bool:
        return name in self.flags or name in self.values


def options(
    call: Call,
    flags: str = "",
    values: str = "",
    long: Mapping[str, str] | None = None,
    least: int = 0,
    code: int = 1,
    stop: bool = False,
) -> Options:
    """Parses a toybox command's options; they may stand after operands.

    Args:
        call: the call.
        flags: letters without a value.
        values: letters with one.
        long: letters by long name.
        least: how many operands there must be.
        code: the exit status of a usage error.
        stop: whether the first operand ends the options.
    """
    found: list[str] = []
    named: dict[str, str] = {}
    operands: list[str] = []
    args = list(call.args)
    usage = f'(see "{call.name} --help")'
    while args:
        arg = args.pop(0)
        if arg == "--":
            operands += args
            break
        if arg.startswith("--"):
            name, equals, value = arg[2:].partition("=")
            letter = (long or {}).get(name)
            if letter is None:
                call.fail(f"Unknown option '{name}' {usage}", code)
            if letter in values:
                named[letter] = value if equals else (args.pop(0) if args else "")
            else:
                found.append(letter)
            continue
        if not arg.startswith("-") or arg == "-":
            operands.append(arg)
            if stop:
                operands += args
                break
            continue
        pos = 1
        while pos < len(arg):
            letter = arg[pos]
            pos += 1
            if letter in values:
                if pos < len(arg):
                    named[letter] = arg[pos:]
                elif args:
                    named[letter] = args.pop(0)
                else:
                    call.fail(f"Missing argument to -{letter} {usage}", code)
                break
            if letter not in flags:
                call.fail(f"Unknown option '{arg[pos - 1 :]}' {usage}", code)
            found.append(letter)
    if len(operands) < least:
        plural = "" if least == 1 else "s"
        call.fail(f"Needs {least} argument{plural} {usage}", code)
    return Options(tuple(found), named, tuple(operands))


def whole_number(call: Call, text: str, base: int = 10, least: int = 0) -> int:
    """A whole number that an option takes; anything else ends the command.

    Args:
        call: the call.
        text: the number.
        base: its base; 0 for the one that its prefix (`0x`) names.
        least: the smallest that may be.
    """
    try:
        number = int(text[:30], base)
    except ValueError:
        call.fail(f"not integer: {text}")
    if number < least:
        call.fail(f"{number} < {least}")
    return number
