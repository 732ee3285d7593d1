"""Runs the tree of an `awk` program."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from mobile_gym.phone.shell.commands.awk_parser import Rule, Tree, WrongProgram
from mobile_gym.phone.shell.commands.awk_values import Input, Value, compare, formatted, number, text, truth
from mobile_gym.phone.shell.commands.regex import RegexError, compile_regex

_MOST_STEPS = 200_000


class Next(Exception):
    """`next`."""


class Exit(Exception):
    """`exit`."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class _Leave(Exception):
    """`break` and `continue`."""

    def __init__(self, again: bool) -> None:
        super().__init__(again)
        self.again = again


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return compile_regex(pattern, extended=True)
    except RegexError as error:
        raise WrongProgram(f"illegal regular expression {pattern}: {error}") from error


class Machine:
    """Variables, arrays and the fields of the line.

    Args:
        out: takes what the program prints.
    """

    def __init__(self, out: Callable[[str], None]) -> None:
        self.out = out
        self.variables: dict[str, Value] = {"FS": " ", "OFS": " ", "ORS": "\n", "NR": 0.0, "FNR": 0.0, "SUBSEP": "\x1c"}
        self.arrays: dict[str, dict[str, Value]] = {}
        self.fields: list[str] = [""]
        self._inside: set[int] = set()
        self._steps = 0

    def take(self, line: str) -> None:
        """Makes a line the current one."""
        self.variables["NR"] = number(self.variables["NR"]) + 1
        self.variables["FNR"] = number(self.variables["FNR"]) + 1
        self._split(line)

    def _split(self, line: str) -> None:
        self.fields = [line, *split_fields(line, text(self.variables["FS"]))]
        self.variables["NF"] = float(len(self.fields) - 1)

    def run_all(self, rules: list[Rule]) -> None:
        """Runs the actions whose patterns match."""
        for place, rule in enumerate(rules):
            if self._applies(place, rule):
                self.statement(rule.action if rule.action is not None else ("print", []))

    def _applies(self, place: int, rule: Rule) -> bool:
        if rule.pattern is None:
            return True
        if rule.last is None:
            return truth(self.value(rule.pattern))
        if place not in self._inside:
            if not truth(self.value(rule.pattern)):
                return False
            self._inside.add(place)
        if truth(self.value(rule.last)):
            self._inside.discard(place)
        return True

    def statement(self, tree: Tree) -> None:
        """Runs one statement."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise WrongProgram("program stopped: it does not end")
        match tree:
            case ("block", body):
                for inner in body:
                    self.statement(inner)
            case ("value", inner):
                self.value(inner)
            case ("print", values):
                shown = [text(self.value(value)) for value in values] if values else [self.fields[0]]
                self.out(text(self.variables["OFS"]).join(shown) + text(self.variables["ORS"]))
            case ("printf", values):
                if not values:
                    raise WrongProgram("printf needs a format")
                self.out(formatted(text(self.value(values[0])), [self.value(value) for value in values[1:]]))
            case ("if", condition, then, otherwise):
                if truth(self.value(condition)):
                    self.statement(then)
                elif otherwise is not None:
                    self.statement(otherwise)
            case ("next",):
                raise Next
            case ("exit", code):
                raise Exit(0 if code is None else int(number(self.value(code))) & 0xFF)
            case ("break",) | ("continue",):
                raise _Leave(tree[0] == "continue")
            case ("delete", name, key):
                array = self.arrays.setdefault(name, {})
                array.clear() if key is None else array.pop(text(self.value(key)), None)
            case _:
                self._loop(tree)

    def _loop(self, tree: Tree) -> None:
        try:
            match tree:
                case ("while", condition, body):
                    while truth(self.value(condition)):
                        self._round(body)
                case ("for", first, condition, step, body):
                    if first is not None:
                        self.statement(first)
                    while condition is None or truth(self.value(condition)):
                        self._round(body)
                        if step is not None:
                            self.statement(step)
                case ("each", name, array, body):
                    for key in list(self.arrays.get(array, {})):
                        self.variables[name] = Input(key)
                        self._round(body)
        except _Leave:
            return

    def _round(self, body: Tree) -> None:
        self._steps += 1
        try:
            self.statement(body)
        except _Leave as leave:
            if not leave.again:
                raise

    def value(self, tree: Tree) -> Value:
        """The value of an expression."""
        match tree:
            case ("number" | "string", found):
                return found  # type: ignore[no-any-return]
            case ("group", inner):
                return self.value(inner)
            case ("name", name):
                return self.variables.get(name, Input(""))
            case ("field", inner):
                place = int(number(self.value(inner)))
                if place < 0:
                    raise WrongProgram(f"trying to access out of range field {place}")
                return Input(self.fields[place]) if place < len(self.fields) else Input("")
            case ("item", name, keys):
                return self.arrays.setdefault(name, {}).setdefault(self._key(keys), Input(""))
            case ("regex", pattern):
                return float(_compiled(pattern).search(self.fields[0]) is not None)
            case ("assign", target, operator, inner):
                found = self.value(inner)
                if operator:
                    found = self._arithmetic(operator, self.value(target), found)
                return self._assign(target, found)
            case ("step", target, operator, first):
                old = number(self.value(target))
                new = old + (1 if operator == "++" else -1)
                self._assign(target, new)
                return new if first else old
            case ("choose", condition, yes, no):
                return self.value(yes if truth(self.value(condition)) else no)
            case ("unary", operator, inner):
                found = self.value(inner)
                return float(not truth(found)) if operator == "!" else number(found) * (-1 if operator == "-" else 1)
            case ("join", first, second):
                return text(self.value(first)) + text(self.value(second))
            case ("in", key, array):
                return float(text(self.value(key)) in self.arrays.get(array, {}))
            case ("call", name, values):
                return self._call(name, values)
            case ("list", _):
                raise WrongProgram("syntax error")
        return self._operation(tree)

    def _operation(self, tree: Tree) -> Value:
        operator, first, second = tree
        if operator == "&&":
            return float(truth(self.value(first)) and truth(self.value(second)))
        if operator == "||":
            return float(truth(self.value(first)) or truth(self.value(second)))
        if operator in ("~", "!~"):
            found = self._pattern(second).search(text(self.value(first))) is not None
            return float(found == (operator == "~"))
        left, right = self.value(first), self.value(second)
        if operator in ("<", "<=", "==", "!=", ">", ">="):
            order = compare(left, right)
            table = {"<": order < 0, "<=": order <= 0, "==": order == 0, "!=": order != 0, ">": order > 0}
            return float(table.get(operator, order >= 0))
        return self._arithmetic(operator, left, right)

    @staticmethod
    def _arithmetic(operator: str, left: Value, right: Value) -> Value:
        one, two = number(left), number(right)
        if operator in "/%" and two == 0:
            raise WrongProgram("division by zero")
        match operator:
            case "+":
                return one + two
            case "-":
                return one - two
            case "*":
                return one * two
            case "/":
                return one / two
            case "%":
                return one - two * int(one / two)
        try:
            power: Any = one**two
        except (OverflowError, ZeroDivisionError) as error:
            raise WrongProgram("number out of range") from error
        return float(power) if isinstance(power, float) else 0.0

    def _key(self, keys: list[Tree]) -> str:
        return text(self.variables["SUBSEP"]).join(text(self.value(key)) for key in keys)

    def _assign(self, target: Tree, value: Value) -> Value:
        match target:
            case ("name", "NF"):
                count = min(max(int(number(value)), 0), 10_000)
                self.fields = [*self.fields[: count + 1], *[""] * (count + 1 - len(self.fields))]
                self._join()
            case ("name", name):
                self.variables[name] = value
            case ("item", name, keys):
                self.arrays.setdefault(name, {})[self._key(keys)] = value
            case ("field", inner):
                place = int(number(self.value(inner)))
                if not 0 <= place <= 10_000:
                    raise WrongProgram(f"trying to access out of range field {place}")
                if place == 0:
                    self._split(text(value))
                else:
                    self.fields += [""] * (place + 1 - len(self.fields))
                    self.fields[place] = text(value)
                    self._join()
        return value

    def _join(self) -> None:
        self.variables["NF"] = float(len(self.fields) - 1)
        self.fields[0] = text(self.variables["OFS"]).join(self.fields[1:])

    def _pattern(self, tree: Tree) -> re.Pattern[str]:
        return _compiled(tree[1] if tree[0] == "regex" else text(self.value(tree)))

    def _call(self, name: str, trees: list[Tree]) -> Value:
        if name in ("sub", "gsub"):
            return self._substitute(name, trees)
        if name == "split":
            return self._split_into(trees)
        if name == "match":
            found = self._pattern(trees[1]).search(text(self.value(trees[0]))) if len(trees) > 1 else None
            self.variables["RSTART"] = float(found.start() + 1) if found else 0.0
            self.variables["RLENGTH"] = float(len(found[0])) if found else -1.0
            return self.variables["RSTART"]
        if name == "length" and trees and trees[0][0] == "name" and trees[0][1] in self.arrays:
            return float(len(self.arrays[trees[0][1]]))
        values = [self.value(tree) for tree in trees]
        subject = text(values[0]) if values else self.fields[0]
        match name:
            case "length":
                return float(len(subject))
            case "tolower":
                return subject.lower()
            case "toupper":
                return subject.upper()
            case "int":
                return float(int(number(values[0]))) if values else 0.0
            case "index" if len(values) > 1:
                return float(subject.find(text(values[1])) + 1)
            case "sprintf":
                return formatted(subject, values[1:])
            case "substr" if len(values) > 1:
                start = round(number(values[1]))
                end = start + round(number(values[2])) if len(values) > 2 else len(subject) + 1
                return subject[max(start, 1) - 1 : max(end, 1) - 1]
        raise WrongProgram(f"not enough args to {name}")

    def _substitute(self, name: str, trees: list[Tree]) -> Value:
        if len(trees) < 2:
            raise WrongProgram(f"not enough args to {name}")
        target = trees[2] if len(trees) > 2 else ("field", ("number", 0.0))
        template = text(self.value(trees[1]))

        def replace(found: re.Match[str]) -> str:
            return re.sub(r"\\\\|\\&|&", lambda mark: {"&": found[0], "\\&": "&"}.get(mark[0], "\\"), template)

        changed, count = self._pattern(trees[0]).subn(replace, text(self.value(target)), count=int(name == "sub"))
        if count:
            self._assign(target, changed)
        return float(count)

    def _split_into(self, trees: list[Tree]) -> Value:
        if len(trees) < 2 or trees[1][0] != "name":
            raise WrongProgram("not enough args to split")
        subject = text(self.value(trees[0]))
        if len(trees) > 2 and trees[2][0] == "regex":
            parts = _compiled(trees[2][1]).split(subject) if subject else []
        else:
            separator = text(self.value(trees[2])) if len(trees) > 2 else text(self.variables["FS"])
            parts = split_fields(subject, separator)
        self.arrays[trees[1][1]] = {str(place): Input(part) for place, part in enumerate(parts, 1)}
        return float(len(parts))


def split_fields(line: str, separator: str) -> list[str]:
    """Fields of a line: at blanks for a single blank, at a character, or at a pattern."""
    if separator == " ":
        return line.split()
    if not line:
        return []
    if not separator:
        return list(line)
    return line.split(separator) if len(separator) == 1 else _compiled(separator).split(line)
