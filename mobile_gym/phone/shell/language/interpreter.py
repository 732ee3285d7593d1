"""Walks the syntax tree and runs it on the phone."""

from __future__ import annotations

import contextlib
import posixpath
import re
import shlex
import stat
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.errors import PhoneError
from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.faults import ShellFaults
from mobile_gym.phone.shell.language import nodes, patterns
from mobile_gym.phone.shell.language.builtins import BUILTINS
from mobile_gym.phone.shell.language.errors import (
    CommandError,
    Cut,
    ExitShell,
    ExpansionError,
    Following,
    LeaveLoop,
    ReturnFrom,
    ShellSyntaxError,
)
from mobile_gym.phone.shell.language.expansion import Expander
from mobile_gym.phone.shell.language.parser import parse
from mobile_gym.phone.shell.language.redirects import redirected
from mobile_gym.phone.shell.language.state import ShellState
from mobile_gym.phone.shell.language.streams import Buffer, Input, Io, decode, encode
from mobile_gym.phone.shell.shell_files import ShellFiles, error_text

SHELL_NAME = "/system/bin/sh"
# Builtins that lie in `/system/bin` too.
_ALSO_PROGRAMS = ("[", "echo", "false", "pwd", "test", "true")
_MAX_DEPTH = 30
_MAX_ROUNDS = 10_000
_PLACES = ("/system/bin", "/bin", "/system/xbin", "/vendor/bin", "/product/bin", "/system_ext/bin", "/odm/bin")


class Interpreter:
    """Runs shell text.

    Args:
        phone: the phone.
        commands: programs by name.
        faults: faults that strike before a command runs.
    """

    def __init__(self, phone: PhoneDoor, commands: Mapping[str, Command], faults: ShellFaults) -> None:
        self.phone = phone
        self.commands = commands
        self.faults = faults
        self.history: deque[str] = deque(maxlen=1000)
        self._depth = 0
        self._names = sorted({*commands, *_ALSO_PROGRAMS})

    @property
    def names(self) -> Sequence[str]:
        """Names of the programs, sorted."""
        return self._names

    def files(self, state: ShellState) -> ShellFiles:
        """The files as the shell's user sees them."""
        return ShellFiles(self.phone, state.root, self._names)

    def run_text(self, text: str, state: ShellState, io: Io, inner: bool = False) -> int:
        """Runs a script; what is wrong with it goes to standard error. `exit` leaves by ExitShell.

        Args:
            text: the script.
            state: the shell's state.
            io: its streams.
            inner: whether the script is part of another one (`eval`), which a mistake in it ends.
        """
        try:
            tree = parse(text)
        except ShellSyntaxError as error:
            self._complain(io, str(error))
            state.status = 1
            if inner:
                raise ExitShell(1) from None
            return 1
        return self.run_sequence(tree, state, io)

    def run_program(self, text: str, state: ShellState, io: Io) -> int:
        """Runs a script as a shell of its own: `exit` ends it, and its exit trap runs."""
        self._enter()
        try:
            try:
                status = self.run_text(text, state, io)
            except ExitShell as leave:
                status = leave.code
            except ReturnFrom as leave:
                status = leave.code
            except LeaveLoop:
                status = state.status
            except ExpansionError as error:
                self._complain(io, str(error))
                status = error.code
            trap = state.traps.pop("EXIT", "")
            if trap:
                state.status = status
                self.run_program(trap, state, io)
            return status
        finally:
            self._depth -= 1

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._depth -= 1
            raise CommandError(f"{SHELL_NAME}: recursion too deep")

    def _complain(self, io: Io, text: str) -> None:
        io.err(encode(f"{SHELL_NAME}: {text}\n"))

    def run_sequence(self, node: nodes.Sequence, state: ShellState, io: Io) -> int:
        """Runs lists one after the other; returns the last status."""
        status = 0
        for item in node.items:
            status = self._and_or(item, state, io)
        return status

    def _and_or(self, node: nodes.AndOr, state: ShellState, io: Io) -> int:
        if node.background:
            # The phone has one thread: a job in the background is done before the next command starts.
            with contextlib.suppress(ExitShell, ReturnFrom, LeaveLoop, Following):
                self._chain(node, state.fork(), io)
            state.status = 0
            return 0
        return self._chain(node, state, io)

    def _chain(self, node: nodes.AndOr, state: ShellState, io: Io) -> int:
        status = self._pipeline(node.first, state, io, bool(node.rest))
        for index, (operator, pipeline) in enumerate(node.rest):
            if (operator == "&&") == (status == 0):
                status = self._pipeline(pipeline, state, io, index < len(node.rest) - 1)
        return status

    def _pipeline(self, node: nodes.Pipeline, state: ShellState, io: Io, tested: bool) -> int:
        started = self.phone.state.clock.now_ms
        if len(node.commands) == 1:
            status = self._command(node.commands[0], state, io)
        else:
            status = self._stages(node.commands, state, io)
        if node.negated:
            status = int(not status)
        state.status = status
        if node.timed:
            seconds = (self.phone.state.clock.now_ms - started) / 1000
            real = f"{int(seconds // 60)}m{seconds % 60:05.2f}s"
            io.err(f"    {real} real     0m00.00s user     0m00.00s system\n".encode())
        if status and state.errexit and not tested and not node.negated:
            raise ExitShell(status)
        return status

    def _stages(self, commands: Sequence[nodes.Command], state: ShellState, io: Io) -> int:
        """Runs the stages of a pipe one after the other; one that follows feeds the later ones piece by piece."""
        source = io.stdin
        status = 0
        for index, command in enumerate(commands):
            last = index == len(commands) - 1
            buffer = Buffer()
            stage = Io(source, io.sinks if last else {**io.sinks, 1: buffer})
            follow: Following | None = None
            try:
                status = self._isolated(command, state.fork(), stage)
            except Following as following:
                if last:
                    raise
                follow = following
            if follow is not None:
                rest = commands[index + 1 :]
                self._feed(rest, state, io, buffer.joined())
                raise Following(self._through(rest, state, io, follow.poll))
            source = Input(buffer.joined())
        return status

    def _through(
        self, commands: Sequence[nodes.Command], state: ShellState, io: Io, poll: Callable[[], bytes]
    ) -> Callable[[], bytes]:
        """What comes out of the later stages of a pipe for each piece that its first stage goes on to print."""

        def next_piece() -> bytes:
            piece = poll()
            found = Buffer()
            if piece:
                self._feed(commands, state, io.with_output(found), piece)
            return found.joined()

        return next_piece

    def _feed(self, commands: Sequence[nodes.Command], state: ShellState, io: Io, data: bytes) -> None:
        self._stages(commands, state, Io(Input(data), io.sinks))

    def _isolated(self, command: nodes.Command, state: ShellState, io: Io) -> int:
        """Runs a command as a process of its own."""
        self._enter()
        try:
            return self._command(command, state, io)
        except ExitShell as leave:
            return leave.code
        except ReturnFrom as leave:
            return leave.code
        except LeaveLoop:
            return state.status
        except ExpansionError as error:
            self._complain(io, str(error))
            return error.code
        finally:
            self._depth -= 1

    def _command(self, node: nodes.Command, state: ShellState, io: Io) -> int:
        if isinstance(node, nodes.Simple):
            return self._simple(node, state, io)
        if isinstance(node, nodes.Function):
            state.functions[node.name] = node.body
            return 0
        try:
            with redirected(self, node.redirects, state, io) as inner:
                return self._compound(node, state, inner)
        except CommandError as error:
            io.err(encode(error.message + "\n"))
            return error.code

    def _compound(self, node: nodes.Command, state: ShellState, io: Io) -> int:
        match node:
            case nodes.Group(body):
                return self.run_sequence(body, state, io)
            case nodes.Subshell(body):
                inner = state.fork()
                group = nodes.Group(body)
                return self._isolated(group, inner, io)
            case nodes.If(branches, otherwise):
                for condition, body in branches:
                    if self._condition(condition, state, io) == 0:
                        return self.run_sequence(body, state, io)
                return 0 if otherwise is None else self.run_sequence(otherwise, state, io)
            case nodes.For(name, words, body):
                values = state.positional if words is None else self.expander(state, io).fields(words)
                status = 0
                for value in list(values):
                    state.assign(name, value)
                    try:
                        status = self.run_sequence(body, state, io)
                    except LeaveLoop as leave:
                        if self._left(leave):
                            break
                return status
            case nodes.While():
                return self._while(node, state, io)
            case nodes.Case(subject, arms):
                expander = self.expander(state, io)
                text = expander.text(subject)
                for choices, body in arms:
                    if any(_fits(expander.pieces(choice), text) for choice in choices):
                        return self.run_sequence(body, state, io)
                return 0
        raise AssertionError(f"no such node: {node}")

    def _condition(self, node: nodes.Sequence, state: ShellState, io: Io) -> int:
        errexit, state.errexit = state.errexit, False
        try:
            return self.run_sequence(node, state, io)
        finally:
            state.errexit = errexit

    @staticmethod
    def _left(leave: LeaveLoop) -> bool:
        """Whether a loop ends; passes `break 2` on to the loop around."""
        if leave.levels > 1:
            raise LeaveLoop(leave.levels - 1, leave.again)
        return not leave.again

    def _while(self, node: nodes.While, state: ShellState, io: Io) -> int:
        status = 0
        for _ in range(_MAX_ROUNDS):
            if (self._condition(node.condition, state, io) == 0) == node.until:
                return status
            try:
                status = self.run_sequence(node.body, state, io)
            except LeaveLoop as leave:
                if self._left(leave):
                    return status
        raise CommandError(f"{SHELL_NAME}: loop killed after {_MAX_ROUNDS} rounds", 137)

    def expander(self, state: ShellState, io: Io) -> Expander:
        """Expands words in a state; substitutions write their errors where `io` does."""

        def substitute(body: nodes.Sequence) -> str:
            buffer = Buffer()
            inner = state.fork()
            state.status = self._isolated(nodes.Group(_file_read(body)), inner, io.with_output(buffer))
            return decode(buffer.joined().replace(b"\0", b""))

        def names(folder: str) -> list[str]:
            if state.noglob:
                return []
            files = self.files(state)
            path = posixpath.join(state.cwd, folder)
            try:
                return [".", "..", *(name for name, _ in files.list(path))]
            except OSError:
                return []

        return Expander(state, substitute, names)

    def _simple(self, node: nodes.Simple, state: ShellState, io: Io) -> int:
        expander = self.expander(state, io)
        words = expander.fields(node.words)
        try:
            with redirected(self, node.redirects, state, io) as inner:
                if not words:
                    for assign in node.assigns:
                        self._assign(assign, state, expander)
                    return state.status if _substitutes(node) else 0
                if state.trace:
                    io.err(encode("+ " + shlex.join(words) + "\n"))
                try:
                    return self._with_assigns(node, words, state, inner, expander)
                except CommandError as error:
                    # Said where the command's own errors go; what is wrong with a redirection is said outside of it.
                    inner.err(encode(error.message + "\n"))
                    return error.code
        except CommandError as error:
            io.err(encode(error.message + "\n"))
            return error.code

    def _assign(self, assign: nodes.Assign, state: ShellState, expander: Expander) -> None:
        if assign.name in state.readonly:
            raise ExpansionError(f"read-only: {assign.name}", 2)
        old = (state.get(assign.name) or "") if assign.append else ""
        state.assign(assign.name, old + expander.text(assign.value))

    def _with_assigns(self, node: nodes.Simple, words: list[str], state: ShellState, io: Io, expander: Expander) -> int:
        if not node.assigns:
            return self._dispatch(words, state, io)
        saved = {assign.name: state.get(assign.name) for assign in node.assigns}
        exported = set(state.exported)
        for assign in node.assigns:
            self._assign(assign, state, expander)
            state.exported.add(assign.name)
        try:
            return self._dispatch(words, state, io)
        finally:
            for name, value in saved.items():
                if value is None:
                    state.variables.pop(name, None)
                else:
                    state.assign(name, value)
            state.exported = exported

    def _dispatch(self, words: list[str], state: ShellState, io: Io) -> int:
        name = words[0]
        if name in state.functions:
            return self._function(state.functions[name], words[1:], state, io)
        if name == "exec":
            if len(words) == 1:
                return 0
            raise ExitShell(self.run_words(words[1:], state, io))
        builtin = BUILTINS.get(name)
        if builtin is None:
            return self.run_words(words, state, io)
        self.history.append(shlex.join(words))
        return builtin(self, words, state, io)

    def _function(self, body: nodes.Command, args: list[str], state: ShellState, io: Io) -> int:
        saved, state.positional = state.positional, args
        self._enter()
        try:
            return self._command(body, state, io)
        except ReturnFrom as leave:
            return leave.code
        finally:
            self._depth -= 1
            state.positional = saved

    def run_words(self, words: Sequence[str], state: ShellState, io: Io) -> int:
        """Runs a program, not a builtin, by its name or path."""
        self.history.append(shlex.join(words))
        fault = self.faults.strike(" ".join(words))
        if fault is not None:
            for path, data in fault.writes.items():
                ShellFiles(self.phone).write(path, data, parents=True)
            io.out(fault.stdout)
            io.err(fault.stderr)
            if fault.effect != "answer":
                raise Cut(fault.effect)
            return fault.exit_code
        name = words[0]
        folder, base = posixpath.split(name)
        if folder and posixpath.normpath(folder) not in _PLACES:
            return self._file(words, state, io)
        command = self.commands.get(base)
        if command is None:
            builtin = BUILTINS.get(base)
            if builtin is not None and (not folder or base in _ALSO_PROGRAMS):
                return builtin(self, list(words), state, io)
            raise CommandError(f"{SHELL_NAME}: {name}: inaccessible or not found", 127)
        call = Call(base, list(words[1:]), self.phone, self.files(state), state, io, self)
        self._enter()
        try:
            return command(call)
        except CommandError as error:
            call.err(error.message)
            return error.code
        except PhoneError as error:
            return call.complain(str(error), 255)
        except OSError as error:
            return call.complain(f"{error.filename}: {error_text(error)}" if error.filename else error_text(error))
        finally:
            self._depth -= 1

    def _file(self, words: Sequence[str], state: ShellState, io: Io) -> int:
        """Runs a script by its path."""
        path = posixpath.join(state.cwd, words[0])
        files = self.files(state)
        try:
            entry = files.entry(path)
        except PermissionError:
            raise CommandError(f"{SHELL_NAME}: {words[0]}: can't execute: Permission denied", 126) from None
        except OSError:
            raise CommandError(f"{SHELL_NAME}: {words[0]}: inaccessible or not found", 127) from None
        if entry.is_dir:
            raise CommandError(f"{SHELL_NAME}: {words[0]}: can't execute: Is a directory", 126)
        if not stat.S_IMODE(entry.mode) & 0o111:
            raise CommandError(f"{SHELL_NAME}: {words[0]}: can't execute: Permission denied", 126)
        if entry.data[:4] == b"\x7fELF":
            raise CommandError(f"{SHELL_NAME}: {words[0]}: not executable: 64-bit ELF file", 126)
        inner = state.fork()
        inner.name, inner.positional = words[0], list(words[1:])
        return self.run_program(decode(entry.data), inner, io)


def _fits(pieces: Sequence[patterns.Piece], text: str) -> bool:
    return re.fullmatch(patterns.to_regex(pieces), text, re.DOTALL) is not None


def _substitutes(node: nodes.Simple) -> bool:
    """Whether a command of assignments only takes its status from a command substitution."""
    words = [assign.value for assign in node.assigns] + list(node.words)
    return any(isinstance(part, nodes.Substitution) for word in words for part in word)


def _file_read(body: nodes.Sequence) -> nodes.Sequence:
    """`$(< file)` as `$(cat < file)`."""
    if len(body.items) != 1 or body.items[0].rest:
        return body
    commands = body.items[0].first.commands
    if len(commands) != 1 or not isinstance(commands[0], nodes.Simple):
        return body
    simple = commands[0]
    if simple.words or simple.assigns or not simple.redirects or simple.redirects[0].op != "<":
        return body
    cat = nodes.Simple((), ((nodes.Literal("cat", True),),), simple.redirects)
    return nodes.Sequence((nodes.AndOr(nodes.Pipeline((cat,), False, False), (), False),))
