"""`sed`: s, d, p, q, =, a, i, c, y and groups with addresses, `-n`, `-E`, `-i`, `-e`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mobile_gym.phone.shell.commands.call import Call, Command, options
from mobile_gym.phone.shell.commands.regex import RegexError, compile_regex
from mobile_gym.phone.shell.commands.text import inputs, lines_of
from mobile_gym.phone.shell.language.streams import encode
from mobile_gym.phone.shell.shell_files import error_text


class _Wrong(Exception):
    """A script that is not one."""


@dataclass(slots=True)
class _Address:
    """A line number, `$`, or a pattern."""

    line: int = 0
    last: bool = False
    regex: re.Pattern[str] | None = None

    def fits(self, number: int, last: bool, text: str) -> bool:
        if self.regex is not None:
            return self.regex.search(text) is not None
        return last if self.last else number == self.line


@dataclass(slots=True)
class _Order:
    """One command of a script."""

    name: str
    first: _Address | None = None
    second: _Address | None = None
    negated: bool = False
    text: str = ""
    regex: re.Pattern[str] | None = None
    replacement: str = ""
    count: int = 1
    every: bool = False
    prints: bool = False
    active: bool = False
    body: list[_Order] = field(default_factory=list)

    def chosen(self, number: int, last: bool, text: str) -> bool:
        return self._within(number, last, text) != self.negated

    def _within(self, number: int, last: bool, text: str) -> bool:
        if self.first is None:
            return True
        if self.second is None:
            return self.first.fits(number, last, text)
        if self.active:
            over = self.second.line and self.second.line <= number
            self.active = not (over or self.second.fits(number, last, text))
            return True
        if self.first.fits(number, last, text):
            self.active = not (self.second.line and self.second.line <= number)
            return True
        return False


class _Parser:
    def __init__(self, script: str, extended: bool) -> None:
        self.script = script
        self.extended = extended
        self.pos = 0

    def orders(self, depth: int = 0) -> list[_Order]:
        found: list[_Order] = []
        while True:
            while self.pos < len(self.script) and self.script[self.pos] in " \t\n;":
                self.pos += 1
            if self.pos >= len(self.script):
                if depth:
                    raise _Wrong("no }")
                return found
            if self.script[self.pos] == "}" and depth:
                self.pos += 1
                return found
            found.append(self.order(depth))

    def address(self) -> _Address | None:
        rest = self.script[self.pos :]
        number = re.match(r"\d+", rest)
        if number:
            self.pos += number.end()
            return _Address(line=int(number[0]))
        if rest.startswith("$"):
            self.pos += 1
            return _Address(last=True)
        if rest.startswith("/") or (rest.startswith("\\") and len(rest) > 1):
            self.pos += 1 + rest.startswith("\\")
            text = self.until(self.script[self.pos - 1])
            ignore = self.script[self.pos : self.pos + 1] == "I"
            self.pos += ignore
            return _Address(regex=self.compile(text, ignore))
        return None

    def compile(self, text: str, ignore: bool) -> re.Pattern[str]:
        try:
            return compile_regex(text, extended=self.extended, ignore_case=ignore)
        except RegexError as error:
            raise _Wrong(str(error)) from error

    def until(self, end: str) -> str:
        out: list[str] = []
        inside = False
        while True:
            if self.pos >= len(self.script):
                raise _Wrong("unterminated")
            char = self.script[self.pos]
            self.pos += 1
            if char == "\\" and self.pos < len(self.script):
                following = self.script[self.pos]
                self.pos += 1
                out.append(following if following == end and end not in "\\" else "\\" + following)
                continue
            inside = (char == "[" or inside) and char != "]"
            if char == end and not inside:
                return "".join(out)
            out.append(char)

    def order(self, depth: int) -> _Order:
        first = self.address()
        second: _Address | None = None
        if first is not None and self.script.startswith(",", self.pos):
            self.pos += 1
            second = self.address()
            if second is None:
                raise _Wrong("bad address")
        while self.script[self.pos : self.pos + 1] in (" ", "\t"):
            self.pos += 1
        negated = self.script.startswith("!", self.pos)
        self.pos += negated
        name = self.script[self.pos : self.pos + 1]
        self.pos += 1
        order = _Order(name, first, second, negated)
        if name == "s":
            self.substitution(order)
        elif name == "{":
            if depth > 20:
                raise _Wrong("nested too deep")
            order.body = self.orders(depth + 1)
        elif name == "y":
            end = self.script[self.pos : self.pos + 1]
            self.pos += 1
            order.text, order.replacement = self.until(end), self.until(end)
            if len(order.text) != len(order.replacement):
                raise _Wrong("y lengths differ")
        elif name and name in "aic":
            rest = self.script[self.pos :]
            body = re.match(r"[ \t]*(?:\\\n?)?(.*)", rest)
            order.text = body[1] if body else ""
            self.pos += body.end() if body else 0
        elif not name or name not in "dpqD=nN":
            raise _Wrong(f"unknown {name}")
        return order

    def substitution(self, order: _Order) -> None:
        end = self.script[self.pos : self.pos + 1]
        if not end or end in "\n\\":
            raise _Wrong("bad separator")
        self.pos += 1
        pattern = self.until(end)
        order.replacement = self.until(end)
        ignore = False
        flags = re.compile(r"[gpiI0-9]*").match(self.script, self.pos)
        text = flags[0] if flags else ""
        self.pos += len(text)
        ignore = "i" in text or "I" in text
        order.every = "g" in text
        order.prints = "p" in text
        number = re.search(r"\d+", text)
        order.count = int(number[0]) if number else 1
        if self.script[self.pos : self.pos + 1] not in ("", ";", "\n", " ", "}"):
            raise _Wrong("bad flag")
        order.regex = self.compile(pattern, ignore)


def _replace(order: _Order, line: str) -> tuple[str, bool]:
    """The line after `s`, and whether anything matched."""
    assert order.regex is not None
    out: list[str] = []
    last = seen = 0
    for found in order.regex.finditer(line):
        seen += 1
        if seen < order.count:
            continue
        out.append(line[last : found.start()])
        out.append(_filled(order.replacement, found))
        last = found.end()
        if not order.every:
            break
    if not out:
        return line, False
    return "".join(out) + line[last:], True


def _filled(template: str, found: re.Match[str]) -> str:
    def part(mark: re.Match[str]) -> str:
        text = mark[0]
        if text == "&":
            return found[0]
        if text[1:].isdecimal():
            index = int(text[1:])
            return (found[index] or "") if index <= (found.re.groups or 0) else ""
        return {"n": "\n", "t": "\t"}.get(text[1:], text[1:])

    return re.sub(r"&|\\(.|\n)", part, template, flags=re.DOTALL)


def _flat(orders: list[_Order], number: int, last: bool, line: str) -> Iterator[_Order]:
    """The orders to try for a line, with those of groups that apply to it."""
    for order in orders:
        if order.name == "{":
            if order.chosen(number, last, line):
                yield from _flat(order.body, number, last, line)
        else:
            yield order


def _run(orders: list[_Order], lines: list[str], quiet: bool) -> list[str]:
    """The lines that a script prints."""
    out: list[str] = []
    for index, line in enumerate(lines):
        number, last = index + 1, index == len(lines) - 1
        after: list[str] = []
        keep, stop = True, False
        for order in _flat(orders, number, last, line):
            if not order.chosen(number, last, line):
                continue
            match order.name:
                case "s":
                    line, hit = _replace(order, line)
                    if hit and order.prints:
                        out.append(line)
                case "y":
                    line = line.translate(str.maketrans(order.text, order.replacement))
                case "p":
                    out.append(line)
                case "=":
                    out.append(str(number))
                case "i":
                    out.append(order.text)
                case "a":
                    after.append(order.text)
                case "c":
                    out.append(order.text)
                    keep = False
                case "d" | "D":
                    keep = False
                case "q":
                    stop = True
            if not keep or stop:
                break
        if keep and not quiet:
            out.append(line)
        out += after
        if stop:
            break
    return out


def sed(call: Call) -> int:
    """Edits lines."""
    args = [("-n" if arg == "--quiet" else arg) for arg in call.args]
    call.args = args
    scripts = [args[index + 1] for index, arg in enumerate(args[:-1]) if arg in ("-e", "-ne", "-Ee", "-re")]
    parsed = options(call, "nErizs", "ef", {"expression": "e", "in-place": "i", "regexp-extended": "E"})
    operands = list(parsed.operands)
    if "f" in parsed:
        scripts.append(call.read(parsed.values["f"]).decode("utf-8", "surrogateescape"))
    if "e" in parsed and not scripts:
        scripts = [parsed.values["e"]]
    if not scripts:
        if not operands:
            call.fail("no pattern")
        scripts = [operands.pop(0)]
    script = "\n".join(scripts)
    parser = _Parser(script, "E" in parsed or "r" in parsed)
    try:
        orders = parser.orders()
    except _Wrong as error:
        call.fail(f"bad pattern '{script}'@{parser.pos} ({error})")
    failures: list[int] = []
    if "i" in parsed:
        for name, data in inputs(call, tuple(operands), failures):
            text = "".join(line + "\n" for line in _run(orders, lines_of(data), "n" in parsed))
            try:
                call.write(name, encode(text))
            except OSError as error:
                failures.append(call.complain(f"{name}: {error_text(error)}"))
        return max(failures, default=0)
    whole = b"".join(data for _, data in inputs(call, tuple(operands), failures))
    out = _run(orders, lines_of(whole), "n" in parsed)
    text = "".join(line + "\n" for line in out)
    if out and whole and not whole.endswith(b"\n"):
        text = text[:-1]
    call.out(text)
    return max(failures, default=0)


COMMANDS: dict[str, Command] = {"sed": sed}
