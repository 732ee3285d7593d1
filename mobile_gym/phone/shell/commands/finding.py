"""`find`: walks trees by an expression."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass

from mobile_gym.phone.shell.commands.call import Call, Command, whole_number
from mobile_gym.phone.shell.commands.listing import size_of
from mobile_gym.phone.shell.language import patterns
from mobile_gym.phone.shell.shell_files import error_text
from mobile_gym.phone.state.files import FileEntry


@dataclass(frozen=True, slots=True)
class _Found:
    path: str
    depth: int
    entry: FileEntry


_Test = Callable[[_Found], bool]


class _Find:
    """The expression of `find`, parsed by recursive descent."""

    def __init__(self, call: Call, args: list[str]) -> None:
        self.call = call
        self.args = args
        self.pos = 0
        self.acts = False
        self.least = 0
        self.most = 1 << 30
        self.status = 0

    def parse(self) -> _Test:
        if not self.args:
            return lambda found: True
        test = self.either()
        if self.pos < len(self.args):
            self.call.fail(f"bad arg '{self.args[self.pos]}'")
        return test

    def either(self) -> _Test:
        tests = [self.both()]
        while self.pos < len(self.args) and self.args[self.pos] in ("-o", "-or"):
            self.pos += 1
            tests.append(self.both())
        return lambda found: any(test(found) for test in tests)

    def both(self) -> _Test:
        tests: list[_Test] = []
        while self.pos < len(self.args) and self.args[self.pos] not in ("-o", "-or", ")"):
            if self.args[self.pos] in ("-a", "-and"):
                self.pos += 1
                continue
            tests.append(self.primary())
        return lambda found: all(test(found) for test in tests)

    def value(self, name: str) -> str:
        self.pos += 1
        if self.pos > len(self.args):
            self.call.fail(f"Missing argument '{name}'")
        return self.args[self.pos - 1]

    def primary(self) -> _Test:
        name = self.args[self.pos]
        self.pos += 1
        if name in ("!", "-not"):
            if self.pos >= len(self.args):
                self.call.fail(f"Missing argument '{name}'")
            inner = self.primary()
            return lambda found: not inner(found)
        if name == "(":
            inner = self.either()
            if self.pos >= len(self.args):
                self.call.fail("need )")
            self.pos += 1
            return inner
        return self.named(name)

    def named(self, name: str) -> _Test:
        call = self.call
        match name:
            case "-name" | "-iname" | "-path" | "-ipath" | "-wholename":
                pattern = self.value(name)
                lower = name.startswith("-i")
                whole = "name" not in name or name == "-wholename"

                def named(found: _Found) -> bool:
                    text = found.path if whole else found.path.rstrip("/").rsplit("/", 1)[-1] or "/"
                    if lower:
                        return patterns.matches(pattern.lower(), text.lower())
                    return patterns.matches(pattern, text)

                return named
            case "-type":
                kinds = self.value(name).split(",")
                return lambda found: ("d" if found.entry.is_dir else "f") in kinds
            case "-mindepth":
                self.least = self.number(name)
                return lambda found: True
            case "-maxdepth":
                self.most = self.number(name)
                return lambda found: True
            case "-size":
                return self.size(self.value(name))
            case "-empty":
                return lambda found: not found.entry.data and (not found.entry.is_dir or self.bare(found.path))
            case "-mtime" | "-mmin":
                return self.age(self.value(name), 86_400_000 if name == "-mtime" else 60_000)
            case "-newer":
                reference = call.files.entry(call.path(self.value(name))).mtime_ms
                return lambda found: found.entry.mtime_ms > reference
            case "-user":
                user = self.value(name)
                return lambda found: found.entry.owner == user
            case "-perm":
                bits = whole_number(call, self.value(name).lstrip("-/") or "0", 8)
                return lambda found: found.entry.mode & bits == bits
            case "-true" | "-depth" | "-xdev" | "-noleaf":
                return lambda found: True
            case "-print" | "-print0":
                return self.action(lambda found: call.out(found.path + ("\0" if name == "-print0" else "\n")))
            case "-delete":
                return self.action(self.delete)
            case "-exec" | "-execdir" | "-ok":
                return self.execute()
            case "-printf":
                return self.printf(self.value(name))
        call.fail(f"bad arg '{name}'")
        return None

    def bare(self, path: str) -> bool:
        return not self.call.files.list(self.call.path(path))

    def number(self, name: str) -> int:
        text = self.value(name)
        if not text.isdecimal():
            self.call.fail(f"bad arg '{text}'")
        return int(text)

    def compared(self, text: str) -> Callable[[int], bool]:
        found = re.fullmatch(r"([-+]?)(\d+)[a-zA-Z]?", text)
        if found is None:
            self.call.fail(f"bad arg '{text}'")
        sign, number = found[1], int(found[2])
        if sign == "+":
            return lambda value: value > number
        if sign == "-":
            return lambda value: value < number
        return lambda value: value == number

    def size(self, text: str) -> _Test:
        unit = {"c": 1, "k": 1024, "M": 1 << 20, "G": 1 << 30}.get(text[-1:], 512)
        fits = self.compared(text)
        return lambda found: fits(-(-size_of(found.entry) // unit))

    def age(self, text: str, unit: int) -> _Test:
        fits = self.compared(text)
        return lambda found: fits((self.call.phone.state.clock.now_ms - found.entry.mtime_ms) // unit)

    def action(self, act: Callable[[_Found], object]) -> _Test:
        self.acts = True

        def run(found: _Found) -> bool:
            act(found)
            return True

        return run

    def delete(self, found: _Found) -> None:
        path = self.call.path(found.path)
        try:
            if found.entry.is_dir and self.call.files.list(path):
                self.status = self.call.complain(f"{found.path}: Directory not empty")
                return
            self.call.files.remove(path, recursive=True)
        except OSError as error:
            self.status = self.call.complain(f"{found.path}: {error_text(error)}")

    def execute(self) -> _Test:
        self.acts = True
        words: list[str] = []
        while self.pos < len(self.args) and self.args[self.pos] not in (";", "+"):
            words.append(self.args[self.pos])
            self.pos += 1
        if self.pos >= len(self.args):
            self.call.fail("-exec needs ;")
        self.pos += 1
        return lambda found: self.call.run([word.replace("{}", found.path) for word in words], b"") == 0

    def printf(self, text: str) -> _Test:
        escaped = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0")

        def show(found: _Found) -> None:
            table = {
                "p": found.path,
                "f": found.path.rsplit("/", 1)[-1],
                "s": str(size_of(found.entry)),
                "h": posixpath.dirname(found.path) or ".",
                "%": "%",
            }
            self.call.out(re.sub(r"%(.)", lambda mark: table.get(mark[1], "%" + mark[1]), escaped))

        return self.action(show)


def find(call: Call) -> int:
    """Walks trees."""
    args = list(call.args)
    roots: list[str] = []
    while args and args[0] in ("-H", "-L"):
        args.pop(0)
    while args and not args[0].startswith("-") and args[0] not in ("(", "!"):
        roots.append(args.pop(0))
    expression = _Find(call, args)
    test = expression.parse()
    backwards = "-delete" in args or "-depth" in args
    for root in roots or ["."]:
        try:
            walked = call.files.walk(call.path(root))
        except OSError as error:
            expression.status = call.complain(f"'{root}': {error_text(error)}")
            continue
        base = walked[0][0]
        found: list[_Found] = []
        for path, entry in walked:
            below = path[len(base) :] if base != "/" else path
            shown = root if path == base else root.rstrip("/") + "/" + below.lstrip("/")
            found.append(_Found(shown, below.count("/") if path != base else 0, entry))
        for item in found[::-1] if backwards else found:
            if expression.least <= item.depth <= expression.most and test(item) and not expression.acts:
                call.line(item.path)
    return expression.status


COMMANDS: dict[str, Command] = {"find": find}
