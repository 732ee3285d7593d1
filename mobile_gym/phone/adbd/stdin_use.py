"""Which shell lines read their standard input.

A client of `adbd` may keep its end open for as long as it likes, so a line runs at once unless it reads its input.
Commands behind a pipe or a redirection read something else and do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mobile_gym.phone.shell.language import nodes
from mobile_gym.phone.shell.language.errors import ShellSyntaxError
from mobile_gym.phone.shell.language.parser import parse

# Commands that read their input when they are given fewer operands than this.
_FILTERS = {
    "awk": 2,
    "base64": 1,
    "cat": 1,
    "cut": 1,
    "grep": 2,
    "egrep": 2,
    "fgrep": 2,
    "head": 1,
    "md5sum": 1,
    "od": 1,
    "read": 99,
    "rev": 1,
    "sed": 2,
    "sha1sum": 1,
    "sha256sum": 1,
    "sh": 1,
    "sort": 1,
    "sqlite3": 2,
    "tac": 1,
    "tail": 1,
    "tee": 99,
    "tr": 99,
    "uniq": 1,
    "wc": 1,
    "xargs": 99,
    "xxd": 1,
}
# Options that take the next word, so that it is no operand; and those that stand for one (a pattern, a script).
_VALUES = {"head": ("-n", "-c"), "tail": ("-n", "-c"), "cut": ("-d", "-f", "-c", "-b"), "sort": ("-k", "-t", "-o")}
_STANDS_FOR_OPERAND = {"grep": ("-e", "-f"), "sed": ("-e", "-f"), "sh": ("-c",), "awk": ("-f",)}
_WRAPPERS = ("exec", "nohup", "toybox", "command", "time", "builtin")
_USERS = ("0", "root", "shell", "2000", "-")


def reads_stdin(line: str) -> bool:
    """Whether a line reads its standard input. A line with a syntax error does not: it does not run."""
    try:
        return _in_sequence(parse(line))
    except ShellSyntaxError:
        return False


def _in_sequence(sequence: nodes.Sequence) -> bool:
    return any(
        _in_pipeline(pipeline)
        for item in sequence.items
        if not item.background
        for pipeline in (item.first, *(following for _, following in item.rest))
    )


def _in_pipeline(pipeline: nodes.Pipeline) -> bool:
    return _in_command(pipeline.commands[0])


def _in_command(command: nodes.Command) -> bool:
    if isinstance(command, nodes.Function):
        return False
    if any(redirect.fd == 0 for redirect in command.redirects):
        return False
    match command:
        case nodes.Simple():
            return command_reads(["".join(map(_text, word)) for word in command.words])
        case nodes.If():
            parts = [part for branch in command.branches for part in branch]
            return any(map(_in_sequence, [*parts, *([command.otherwise] if command.otherwise else [])]))
        case nodes.While():
            return _in_sequence(command.condition) or _in_sequence(command.body)
        case nodes.Case():
            return any(_in_sequence(body) for _, body in command.arms)
        case _:
            return _in_sequence(command.body)


def _text(part: nodes.Part) -> str:
    # An expansion is some operand; which one makes no difference here.
    return part.text if isinstance(part, nodes.Literal) else "x"


def command_reads(words: Sequence[str]) -> bool:
    """Whether a command with its arguments reads its standard input."""
    if not words:
        return False
    name, args = words[0].rsplit("/", 1)[-1], list(words[1:])
    if name in _WRAPPERS:
        return command_reads(args)
    if name == "su":
        while args and args[0] in _USERS:
            args.pop(0)
        if args[:1] == ["-c"]:
            return len(args) > 1 and reads_stdin(args[1])
        return not args or command_reads(args)
    if name == "dd":
        return not any(arg.startswith("if=") for arg in args)
    if name == "sh" and "-c" in args[:-1]:
        return reads_stdin(args[args.index("-c") + 1])
    if name not in _FILTERS:
        return False
    return _count_operands(name, args, lambda option: option in _VALUES.get(name, ())) < _FILTERS[name]


def _count_operands(name: str, args: Sequence[str], takes_value: Callable[[str], bool]) -> int:
    count = 0
    words = iter(args)
    for word in words:
        if word == "--":
            return count + sum(1 for _ in words)
        if word in _STANDS_FOR_OPERAND.get(name, ()):
            next(words, None)
            count += 1
        elif word.startswith("-") and word != "-":
            if takes_value(word):
                next(words, None)
            if name in ("grep", "egrep", "fgrep") and "r" in word[1:].lower() and not word.startswith("--"):
                count += 1
        elif word != "-":
            count += 1
    return count
