"""`test` and `[ … ]`."""

from __future__ import annotations

import stat
from collections.abc import Sequence

from mobile_gym.phone.shell.language import patterns
from mobile_gym.phone.shell.language.arithmetic import evaluate
from mobile_gym.phone.shell.language.errors import ExpansionError
from mobile_gym.phone.shell.language.state import ShellState
from mobile_gym.phone.shell.shell_files import ShellFiles
from mobile_gym.phone.state.files import FileEntry, normalize

_UNARY = frozenset("-" + letter for letter in "abcdefghkLnprsStuwxzGO")
_BINARY = frozenset(
    ("=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "-a", "-o")
)
_MAX_DEPTH = 50


class TestError(Exception):
    """A condition that is not one; the message is mksh's."""

    __test__ = False


def test(args: Sequence[str], files: ShellFiles, state: ShellState) -> bool:
    """Whether a condition holds.

    Raises:
        TestError: the words are no condition.
    """
    return _Condition(args, files, state).run()


class _Condition:
    def __init__(self, args: Sequence[str], files: ShellFiles, state: ShellState) -> None:
        self.args = list(args)
        self.files = files
        self.state = state
        self.pos = 0
        self.depth = 0

    def run(self) -> bool:
        size = len(self.args)
        if size == 0:
            return False
        if size == 1:
            return self.args[0] != ""
        if size == 2 and self.args[0] == "!":
            return self.args[1] == ""
        if size == 3 and self.args[1] in _BINARY and self.args[1] not in ("-a", "-o"):
            return self.binary(self.args[0], self.args[1], self.args[2])
        if size == 4 and self.args[0] == "!" and self.args[2] in _BINARY:
            return not self.binary(self.args[1], self.args[2], self.args[3])
        value = self.either()
        if self.pos < size:
            raise TestError(f"{self.args[self.pos]}: unexpected operator/operand")
        return value

    def peek(self) -> str | None:
        return self.args[self.pos] if self.pos < len(self.args) else None

    def either(self) -> bool:
        value = self.both()
        while self.peek() == "-o":
            self.pos += 1
            value = self.both() or value
        return value

    def both(self) -> bool:
        value = self.primary()
        while self.peek() == "-a":
            self.pos += 1
            value = self.primary() and value
        return value

    def primary(self) -> bool:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise TestError("nested too deep")
        try:
            word = self.peek()
            if word is None:
                raise TestError("expression expected")
            self.pos += 1
            following = self.peek()
            if following in _BINARY and following not in ("-a", "-o") and self.pos + 1 < len(self.args):
                other = self.args[self.pos + 1]
                self.pos += 2
                return self.binary(word, following or "", other)
            if word == "!":
                return not self.primary()
            if word == "(":
                value = self.either()
                if self.peek() != ")":
                    raise TestError("missing )")
                self.pos += 1
                return value
            if word in _UNARY and following is not None:
                self.pos += 1
                return self.unary(word, following)
            return word != ""
        finally:
            self.depth -= 1

    def entry(self, path: str) -> FileEntry | None:
        full = normalize(path, self.state.cwd)
        if not path or not self.files.exists(full):
            return None
        return self.files.entry(full)

    def unary(self, operator: str, operand: str) -> bool:
        if operator == "-z":
            return operand == ""
        if operator == "-n":
            return operand != ""
        if operator == "-t":
            return False
        if operator == "-o":
            return operand in ("errexit",) and self.state.errexit
        entry = self.entry(operand)
        if entry is None or operator in ("-L", "-h", "-p", "-S", "-b", "-g", "-k", "-u"):
            return False
        if operator in ("-r", "-w", "-x") and self.state.root and operator != "-x":
            return True
        bits = {"-r": 0o444, "-w": 0o222, "-x": 0o111}.get(operator)
        if bits is not None:
            return bool(entry.mode & bits)
        return {
            "-d": entry.is_dir,
            "-f": stat.S_ISREG(entry.mode),
            "-c": stat.S_ISCHR(entry.mode),
            "-s": entry.is_dir or len(entry.data) > 0,
        }.get(operator, True)

    def binary(self, first: str, operator: str, second: str) -> bool:
        if operator in ("=", "=="):
            return first == second if operator == "=" else patterns.matches(second, first)
        if operator == "!=":
            return first != second
        if operator in ("<", ">"):
            return first < second if operator == "<" else first > second
        if operator in ("-nt", "-ot", "-ef"):
            one, two = self.entry(first), self.entry(second)
            if operator == "-ef":
                cwd = self.state.cwd
                return one is not None and normalize(first, cwd) == normalize(second, cwd)
            if one is None or two is None:
                return (one is not None) if operator == "-nt" else (two is not None)
            return one.mtime_ms > two.mtime_ms if operator == "-nt" else one.mtime_ms < two.mtime_ms
        left, right = self.number(first), self.number(second)
        return {
            "-eq": left == right,
            "-ne": left != right,
            "-lt": left < right,
            "-le": left <= right,
            "-gt": left > right,
            "-ge": left >= right,
        }[operator]

    def number(self, text: str) -> int:
        try:
            return evaluate(text, dict(self.state.variables))
        except ExpansionError as error:
            raise TestError(f"bad number: {text}") from error
