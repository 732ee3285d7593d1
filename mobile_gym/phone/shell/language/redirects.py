"""Redirections: which descriptor goes where while a command runs."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

from mobile_gym.phone.shell.language import nodes
from mobile_gym.phone.shell.language.errors import CommandError
from mobile_gym.phone.shell.language.expansion import Expander
from mobile_gym.phone.shell.language.state import ShellState
from mobile_gym.phone.shell.language.streams import FileSink, Input, Io, Null, Sink, encode
from mobile_gym.phone.shell.shell_files import ShellFiles, error_text
from mobile_gym.phone.state.files import normalize

_SHELL = "/system/bin/sh"


class Host(Protocol):
    """What redirections ask of the interpreter."""

    def expander(self, state: ShellState, io: Io) -> Expander: ...
    def files(self, state: ShellState) -> ShellFiles: ...


@contextmanager
def redirected(host: Host, redirects: Sequence[nodes.Redirect], state: ShellState, io: Io) -> Iterator[Io]:
    """The streams of a command with its redirections applied, left to right; files are written when it ends.

    Raises:
        CommandError: a file cannot be opened, or a descriptor is not open.
    """
    if not redirects:
        yield io
        return
    inner = io.copy()
    opened: list[FileSink] = []
    expander = host.expander(state, io)
    files = host.files(state)
    for redirect in redirects:
        if redirect.here is not None:
            inner.stdin = Input(encode(expander.text(redirect.here.body)))
            continue
        target = expander.text(redirect.target)
        if redirect.op == "<<<":
            inner.stdin = Input(encode(target + "\n"))
        elif redirect.op in (">&", "<&"):
            _duplicate(inner, redirect, target)
        elif redirect.op in ("<", "<>"):
            inner.stdin = _open_input(files, normalize(target, state.cwd), target, io)
        else:
            sink = _open_output(files, normalize(target, state.cwd), target, redirect.op == ">>", inner, opened)
            inner.sinks[redirect.fd] = sink
            if redirect.op == "&>":
                inner.sinks[2] = sink
    done = False
    try:
        yield inner
        done = True
    finally:
        if not done:
            for file in opened:
                with suppress(OSError):
                    file.flush()
    for file in opened:
        try:
            file.flush()
        except OSError as error:
            raise CommandError(f"{_SHELL}: {error.filename}: {error_text(error)}") from None


def _duplicate(io: Io, redirect: nodes.Redirect, target: str) -> None:
    if target == "-":
        io.sinks.pop(redirect.fd, None)
    elif redirect.op == "<&" and target == "0":
        return
    elif target.isdigit() and int(target) in io.sinks:
        io.sinks[redirect.fd] = io.sinks[int(target)]
    else:
        raise CommandError(f"{_SHELL}: {redirect.op}{target}: bad file descriptor")


def _open_input(files: ShellFiles, path: str, shown: str, io: Io) -> Input:
    if path == "/dev/null":
        return Input()
    if path in ("/dev/stdin", "/dev/tty"):
        return io.stdin
    try:
        return Input(files.read(path))
    except OSError as error:
        raise CommandError(f"{_SHELL}: can't open {shown}: {error_text(error)}") from None


def _open_output(files: ShellFiles, path: str, shown: str, append: bool, io: Io, opened: list[FileSink]) -> Sink:
    if path == "/dev/null":
        return Null()
    standard = {"/dev/stdout": 1, "/dev/tty": 1, "/dev/stderr": 2}.get(path)
    if standard is not None and standard in io.sinks:
        return io.sinks[standard]
    old = b""
    try:
        if files.is_dir(path):
            raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
        if append and files.exists(path):
            old = files.read(path)
        elif files.database_name(path) is None:
            files.write(path, b"", mode=0o644)
    except OSError as error:
        raise CommandError(f"{_SHELL}: can't create {shown}: {error_text(error)}") from None
    written = [old]

    def save(data: bytes) -> None:
        written.append(data)
        files.write(path, b"".join(written), mode=0o644)

    sink = FileSink(save)
    opened.append(sink)
    return sink
