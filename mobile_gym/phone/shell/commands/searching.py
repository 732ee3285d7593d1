"""`grep`: lines that match."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mobile_gym.phone.shell.commands.call import Call, Command, Options, options, whole_number
from mobile_gym.phone.shell.commands.regex import RegexError, compile_regex
from mobile_gym.phone.shell.commands.text import lines_of
from mobile_gym.phone.shell.shell_files import error_text


def grep(call: Call) -> int:
    """Lines that match."""
    long = {"color": "0", "line-buffered": "0", "ignore-case": "i", "count": "c", "invert-match": "v", "regexp": "e"}
    parsed = options(call, "0EFHILMRTZabchilnoqrsvwxyz", "ABCSefm", {**long, "only-matching": "o"}, code=2)
    patterns = list(_all_values(call.args, "e")) or [parsed.values["e"]] if "e" in parsed else []
    operands = list(parsed.operands)
    if "f" in parsed:
        patterns += lines_of(call.read(parsed.values["f"]))
    if not patterns:
        if not operands:
            call.fail("no REGEX", 2)
        patterns = operands.pop(0).split("\n")
    try:
        extended = "E" in parsed or call.name == "egrep"
        regexes = [
            compile_regex(
                pattern,
                extended=extended,
                fixed="F" in parsed or call.name == "fgrep",
                ignore_case="i" in parsed or "y" in parsed,
                whole_line="x" in parsed,
                whole_word="w" in parsed,
            )
            for pattern in patterns
        ]
    except RegexError as error:
        call.fail(f"bad regex '{patterns[0]}': {error}", 2)
    return _Grep(call, parsed, regexes).run(operands)


def _all_values(args: list[str], letter: str) -> Iterator[str]:
    for index, arg in enumerate(args[:-1]):
        if arg == f"-{letter}":
            yield args[index + 1]


class _Grep:
    def __init__(self, call: Call, parsed: Options, regexes: list[re.Pattern[str]]) -> None:
        self.call = call
        self.parsed = parsed
        self.regexes = regexes
        self.found = False
        self.failed = False

    def run(self, operands: list[str]) -> int:
        recursive = "r" in self.parsed or "R" in self.parsed
        named = ("H" in self.parsed or len(operands) > 1 or recursive) and "h" not in self.parsed
        for operand in operands or (["."] if recursive else ["-"]):
            for name, data in self.sources(operand, recursive):
                self.search(name if name != "-" else "(standard input)", data, named)
        if self.found:
            return 0
        return 2 if self.failed else 1

    def sources(self, operand: str, recursive: bool) -> Iterator[tuple[str, bytes]]:
        call = self.call
        try:
            if recursive and operand != "-" and call.files.is_dir(call.path(operand)):
                base = call.path(operand)
                for path, entry in call.files.walk(base):
                    if not entry.is_dir:
                        yield operand.rstrip("/") + path[len(base) :], entry.data
            else:
                yield operand, call.read(operand)
        except OSError as error:
            self.failed = True
            if "s" not in self.parsed:
                call.complain(f"{operand}: {error_text(error)}")

    def number(self, letter: str, default: int) -> int:
        text = self.parsed.values.get(letter)
        return default if text is None else whole_number(self.call, text)

    def search(self, name: str, data: bytes, named: bool) -> None:
        call, parsed = self.call, self.parsed
        lines = lines_of(data)
        limit = self.number("m", 0)
        around = self.number("C", 0)
        before, after = self.number("B", around), self.number("A", around)
        prefix = f"{name}:" if named else ""
        hits: list[int] = []
        for number, line in enumerate(lines):
            if any(regex.search(line) for regex in self.regexes) != ("v" in parsed):
                hits.append(number)
                if limit and len(hits) == limit:
                    break
        self.found |= bool(hits)
        if "q" in parsed:
            return
        if "c" in parsed:
            call.line(f"{prefix}{len(hits)}")
        elif "l" in parsed or "L" in parsed:
            if bool(hits) == ("l" in parsed):
                call.line(name)
        elif "o" in parsed and "v" not in parsed:
            for number in hits:
                numbered = f"{number + 1}:" if "n" in parsed else ""
                for match in sorted(self.matches(lines[number])):
                    call.line(f"{prefix}{numbered}{lines[number][match[0] : match[1]]}")
        else:
            self.show(lines, hits, before, after, name if named else "")

    def matches(self, line: str) -> set[tuple[int, int]]:
        return {found.span() for regex in self.regexes for found in regex.finditer(line) if found[0]}

    def show(self, lines: list[str], hits: list[int], before: int, after: int, name: str) -> None:
        last = -1
        for index, hit in enumerate(hits):
            start = max(hit - before, last + 1)
            if (before or after) and index and start > last + 1:
                self.call.line("--")
            following = hits[index + 1] if index + 1 < len(hits) else len(lines)
            end = min(hit + after, len(lines) - 1, max(following - 1, hit))
            for number in range(start, end + 1):
                mark = ":" if number == hit else "-"
                numbered = f"{number + 1}{mark}" if "n" in self.parsed else ""
                self.call.line((f"{name}{mark}" if name else "") + numbered + lines[number])
            last = max(last, end)


COMMANDS: dict[str, Command] = {"egrep": grep, "fgrep": grep, "grep": grep}
