"""Commands that are part of the shell itself, because they change its state."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mobile_gym.phone.shell.language.arithmetic import evaluate
from mobile_gym.phone.shell.language.conditions import TestError, test
from mobile_gym.phone.shell.language.errors import CommandError, ExitShell, LeaveLoop, ReturnFrom
from mobile_gym.phone.shell.language.state import ShellState
from mobile_gym.phone.shell.language.streams import Io, decode, encode
from mobile_gym.phone.shell.shell_files import error_text
from mobile_gym.phone.state.files import normalize

if TYPE_CHECKING:
    from mobile_gym.phone.shell.language.interpreter import Interpreter

SHELL = "/system/bin/sh"
Builtin = Callable[["Interpreter", list[str], ShellState, Io], int]
_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


def _fail(text: str, code: int = 1) -> CommandError:
    return CommandError(f"{SHELL}: {text}", code)


def _number(words: Sequence[str], default: int) -> int:
    if len(words) < 2:
        return default
    if not re.fullmatch(r"[-+]?\d+", words[1]):
        raise _fail(f"{words[0]}: bad number: {words[1]}")
    return int(words[1])


def _colon(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    return 0


def _false(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    return 1


def _cd(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = [word for word in words[1:] if word not in ("-L", "-P", "--")]
    target = args[0] if args else state.get("HOME")
    if target is None:
        raise _fail("cd: no home directory (HOME not set)", 2)
    if target == "-":
        old = state.get("OLDPWD")
        if old is None:
            raise _fail("cd: no OLDPWD")
        io.out(encode(old + "\n"))
        target = old
    # The directory keeps the name that it was reached by (`/sdcard`), as the shell's own bookkeeping does.
    path = posixpath.normpath(posixpath.join(state.cwd, target))
    path = path[1:] if path.startswith("//") else path
    try:
        entry = shell.files(state).entry(path)
    except OSError as error:
        raise _fail(f"cd: {path}: {error_text(error)}", 2) from None
    if not entry.is_dir:
        raise _fail(f"cd: {path}: Not a directory", 2)
    state.assign("OLDPWD", state.cwd)
    state.cwd = path
    state.assign("PWD", path)
    return 0


def _pwd(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    io.out(encode((normalize(state.cwd) if "-P" in words[1:] else state.cwd) + "\n"))
    return 0


def unescape(text: str, *, zero_octal: bool = True) -> tuple[str, bool]:
    """Backslash escapes of `echo` and `printf %b`; the flag tells whether a `\\c` ended the output."""
    out: list[str] = []
    pos = 0
    simple = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
    while pos < len(text):
        char = text[pos]
        following = text[pos + 1 : pos + 2]
        if char != "\\" or not following:
            out.append(char)
            pos += 1
            continue
        if following == "c":
            return "".join(out), True
        if following in simple:
            out.append(simple[following])
            pos += 2
            continue
        digits = re.compile(r"0[0-7]{1,3}|0" if zero_octal else r"[0-7]{1,3}").match(text, pos + 1)
        hexa = re.compile(r"x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})").match(text, pos + 1)
        if digits:
            out.append(decode(bytes([int(digits[0], 8) & 0xFF])))
            pos += 1 + len(digits[0])
        elif hexa:
            value = int(hexa[1] or hexa[2] or hexa[3], 16)
            out.append(decode(bytes([value])) if hexa[1] else chr(value if value < 0x110000 else 0xFFFD))
            pos += 1 + len(hexa[0])
        else:
            out.append(char + following)
            pos += 2
    # Bytes that were written one by one may make up one UTF-8 character.
    return decode(encode("".join(out))), False


def _echo(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = words[1:]
    newline, escapes = True, True
    while args and re.fullmatch(r"-[neE]+", args[0]):
        for letter in args.pop(0)[1:]:
            if letter == "n":
                newline = False
            else:
                escapes = letter == "e"
    text = " ".join(args)
    stopped = False
    if escapes:
        text, stopped = unescape(text)
    io.out(encode(text + ("\n" if newline and not stopped else "")))
    return 0


def _exit(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    raise ExitShell(_number(words, state.status) & 0xFF)


def _return(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    raise ReturnFrom(_number(words, state.status) & 0xFF)


def _break(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    raise LeaveLoop(max(_number(words, 1), 1), words[0] == "continue")


def _shift(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    count = _number(words, 1)
    if count > len(state.positional):
        io.err(encode(f"{SHELL}: shift: nothing to shift\n"))
        raise ExitShell(1)
    del state.positional[:count]
    return 0


def _set(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = words[1:]
    if not args:
        for name in sorted(state.variables):
            io.out(encode(f"{name}={_quoted(state.variables[name])}\n"))
        return 0
    flags = {"e": "errexit", "u": "nounset", "f": "noglob", "x": "trace"}
    names = {"errexit": "errexit", "nounset": "nounset", "noglob": "noglob", "xtrace": "trace"}
    while args:
        arg = args.pop(0)
        if arg == "--" or arg[:1] not in ("-", "+") or len(arg) < 2:
            state.positional = args if arg == "--" else [arg, *args]
            return 0
        if arg[1:] == "o":
            name = args.pop(0) if args else ""
            if name in names:
                setattr(state, names[name], arg[0] == "-")
            elif name not in ("pipefail", ""):
                raise _fail(f"set: {name}: bad option")
            continue
        for letter in arg[1:]:
            if letter not in flags:
                raise _fail(f"set: -{letter}: unknown option")
            setattr(state, flags[letter], arg[0] == "-")
    return 0


def _quoted(text: str) -> str:
    if re.fullmatch(r"[\w@%+=:,./-]+", text, re.ASCII):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def _export(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = [word for word in words[1:] if word not in ("-p", "-x", "-r")]
    if not args:
        chosen = state.readonly if words[0] == "readonly" else state.exported
        for name in sorted(chosen):
            value = state.get(name)
            io.out(encode(f"{words[0]} {name}" + ("\n" if value is None else f"={_quoted(value)}\n")))
        return 0
    for arg in args:
        name, equals, value = arg.partition("=")
        if not _NAME.match(name):
            raise _fail(f"{words[0]}: {arg}: not an identifier")
        if equals:
            if name in state.readonly:
                raise _fail(f"read-only: {name}", 2)
            state.assign(name, value)
        if words[0] == "export" or "-x" in words[1:]:
            state.exported.add(name)
        elif words[0] == "readonly" or "-r" in words[1:]:
            state.readonly.add(name)
    return 0


def _unset(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    functions = "-f" in words[1:2]
    for name in words[1:]:
        if name in ("-v", "-f"):
            continue
        if functions:
            state.functions.pop(name, None)
            continue
        if name in state.readonly:
            raise _fail(f"read-only: {name}", 2)
        state.variables.pop(name, None)
        state.exported.discard(name)
    return 0


def _read(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = words[1:]
    raw = False
    while args and args[0].startswith("-"):
        option = args.pop(0)
        raw |= "r" in option
        if option[-1:] in ("p", "t", "n", "d") and args:
            args.pop(0)
    line = io.stdin.line()
    if line is None:
        for name in args or ["REPLY"]:
            state.assign(name, "")
        return 1
    text = decode(line)
    status = int(not text.endswith("\n"))
    text = text.rstrip("\n")
    if not raw:
        text = re.sub(r"\\(.)", r"\1", text)
    names = args or ["REPLY"]
    blanks = state.get("IFS")
    blanks = " \t\n" if blanks is None else blanks
    rest = text.strip(blanks)
    for name in names[:-1]:
        pieces = re.split(f"[{re.escape(blanks)}]+", rest, maxsplit=1) if blanks else [rest]
        state.assign(name, pieces[0])
        rest = pieces[1] if len(pieces) > 1 else ""
    state.assign(names[-1], rest)
    return status


def _test(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = words[1:]
    if words[0] == "[":
        if not args or args[-1] != "]":
            raise _fail("[: missing ]", 2)
        args = args[:-1]
    try:
        return int(not test(args, shell.files(state), state))
    except TestError as error:
        raise _fail(f"{words[0]}: {error}", 2) from None


def _eval(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    return shell.run_text(" ".join(words[1:]), state, io, inner=True)


def _source(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    if len(words) < 2:
        raise _fail(f"{words[0]}: missing argument")
    try:
        text = decode(shell.files(state).read(normalize(words[1], state.cwd)))
    except OSError as error:
        # A file that is missing ends the shell, as does any mistake of a special builtin.
        io.err(encode(f"{SHELL}: {words[0]}: {words[1]}: {error_text(error)}\n"))
        raise ExitShell(1) from None
    try:
        return shell.run_text(text, state, io, inner=True)
    except ReturnFrom as leave:
        return leave.code


def _command(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = words[1:]
    if args[:1] in (["-v"], ["-V"]) or words[0] in ("type", "whence"):
        names = args[1:] if args[:1] in (["-v"], ["-V"]) else args
        status = 0
        for name in names:
            shown = _where(shell, name, state, words[0] == "type" or args[:1] == ["-V"])
            if shown is None:
                status = 1
                if words[0] == "type":
                    io.out(encode(f"{name} not found\n"))
            else:
                io.out(encode(shown + "\n"))
        return status
    if args[:1] == ["-p"]:
        args = args[1:]
    if not args:
        return 0
    if args[0] == "exec":
        raise ExitShell(shell.run_words(args[1:], state, io)) if len(args) > 1 else ExitShell(0)
    builtin = BUILTINS.get(args[0])
    return builtin(shell, args, state, io) if builtin else shell.run_words(args, state, io)


def _where(shell: Interpreter, name: str, state: ShellState, long: bool) -> str | None:
    if name in state.functions:
        return f"{name} is a function" if long else name
    if name in BUILTINS:
        return f"{name} is a shell builtin" if long else name
    if name in shell.names:
        return f"{name} is a tracked alias for /system/bin/{name}" if long else f"/system/bin/{name}"
    if "/" in name and shell.files(state).exists(normalize(name, state.cwd)):
        return f"{name} is {name}" if long else name
    return None


def _let(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    value = 0
    for text in words[1:]:
        value = evaluate(text, state.variables)
    return int(value == 0)


def _local(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    # Variables of functions are not scoped: no script that phones are driven with relies on it.
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if name.startswith("-"):
            continue
        if not _NAME.match(name):
            raise _fail(f"{words[0]}: {word}: not an identifier")
        if equals:
            state.assign(name, value)
    return 0


def _trap(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = [word for word in words[1:] if word != "--"]
    for name in args[1:]:
        signal = {"0": "EXIT"}.get(name, name.upper().removeprefix("SIG"))
        if args[0] == "-":
            state.traps.pop(signal, None)
        else:
            state.traps[signal] = args[0]
    return 0


def _umask(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    if len(words) == 1:
        io.out(b"000\n" if state.root else b"022\n")
    return 0


def _print(shell: Interpreter, words: list[str], state: ShellState, io: Io) -> int:
    args = words[1:]
    newline, raw = True, False
    while args and re.fullmatch(r"-[nrR-]+", args[0]):
        option = args.pop(0)
        newline &= "n" not in option
        raw |= "r" in option or "R" in option
    text = " ".join(args)
    if not raw:
        text, stopped = unescape(text)
        newline &= not stopped
    io.out(encode(text + ("\n" if newline else "")))
    return 0


BUILTINS: dict[str, Builtin] = {
    ":": _colon,
    "true": _colon,
    "wait": _colon,
    "jobs": _colon,
    "ulimit": _colon,
    "false": _false,
    ".": _source,
    "source": _source,
    "[": _test,
    "test": _test,
    "break": _break,
    "continue": _break,
    "cd": _cd,
    "command": _command,
    "type": _command,
    "whence": _command,
    "echo": _echo,
    "eval": _eval,
    "exit": _exit,
    "export": _export,
    "readonly": _export,
    "typeset": _local,
    "local": _local,
    "let": _let,
    "print": _print,
    "pwd": _pwd,
    "read": _read,
    "return": _return,
    "set": _set,
    "shift": _shift,
    "trap": _trap,
    "umask": _umask,
    "unset": _unset,
}
