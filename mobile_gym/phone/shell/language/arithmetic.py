"""`$((…))`: whole numbers, variables, and C's operators without assignment to more than a plain `=`."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping

from mobile_gym.phone.shell.language.errors import ExpansionError

_TOKEN = re.compile(
    r"\s*(0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|[-+*/%<>!~&^|()?:=])"
)
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_MAX_DEPTH = 40


def _wrap(value: int) -> int:
    """A 32-bit number, as mksh counts."""
    return (value + 2**31) % 2**32 - 2**31


class _Evaluator:
    def __init__(self, text: str, variables: MutableMapping[str, str], depth: int) -> None:
        self.text = text
        self.variables = variables
        self.depth = depth
        self.tokens: list[str] = []
        pos = 0
        while text[pos:].strip():
            found = _TOKEN.match(text, pos)
            if found is None:
                raise ExpansionError(f"{text}: unexpected '{text[pos:].strip()[0]}'")
            self.tokens.append(found[1])
            pos = found.end()
        self.pos = 0

    def peek(self) -> str:
        return self.tokens[self.pos] if self.pos < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.pos += 1
        return token

    def unexpected(self) -> ExpansionError:
        return ExpansionError(f"{self.text}: unexpected '{self.peek() or 'end of expression'}'")

    def run(self) -> int:
        if not self.tokens:
            return 0
        value = self.assignment()
        if self.peek():
            raise self.unexpected()
        return value

    def assignment(self) -> int:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise ExpansionError(f"{self.text}: expression recurses too deep")
        try:
            name = self.peek()
            following = self.tokens[self.pos + 1] if self.pos + 1 < len(self.tokens) else ""
            if (name[:1].isalpha() or name[:1] == "_") and following in ("=", "+=", "-=", "*="):
                self.pos += 2
                value = self.assignment()
                if following != "=":
                    value = _OPERATIONS[following[0]](self.variable(name), value)
                self.variables[name] = str(_wrap(value))
                return _wrap(value)
            value = self.binary(0)
            if self.peek() == "?":
                self.take()
                first = self.assignment()
                if self.take() != ":":
                    self.pos -= 1
                    raise self.unexpected()
                second = self.assignment()
                return first if value else second
            return value
        finally:
            self.depth -= 1

    def binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            operator = self.take()
            other = self.binary(level + 1)
            if operator in "/%" and other == 0:
                raise ExpansionError(f"{self.text}: zero divisor")
            value = _wrap(_OPERATIONS[operator](value, other))
        return value

    def unary(self) -> int:
        signs: list[str] = []
        while self.peek() in ("!", "~", "-", "+") and self.peek():
            signs.append(self.take())
        value = self.atom()
        for sign in reversed(signs):
            value = {"!": int(not value), "~": ~value, "-": -value, "+": value}[sign]
        return _wrap(value)

    def atom(self) -> int:
        token = self.peek()
        if token == "(":
            self.take()
            value = self.assignment()
            if self.peek() != ")":
                raise self.unexpected()
            self.take()
            return value
        if token[:1].isdigit():
            self.take()
            return _number(token)
        if token[:1].isalpha() or token[:1] == "_":
            self.take()
            return self.variable(token)
        raise self.unexpected()

    def variable(self, name: str) -> int:
        text = self.variables.get(name, "").strip()
        if not text:
            return 0
        if re.fullmatch(r"-?\d{1,100}", text):
            return _wrap(int(text))
        if self.depth > _MAX_DEPTH // 2:
            raise ExpansionError(f"{self.text}: expression recurses on parameter '{name}'")
        return _Evaluator(text, self.variables, self.depth + 5).run()


def _number(token: str) -> int:
    if len(token) > 100:
        raise ExpansionError(f"{token[:20]}…: bad number")
    return _wrap(int(token, 16) if token[:2].lower() == "0x" else int(token))


def _divide(first: int, second: int) -> int:
    quotient = abs(first) // abs(second)
    return quotient if (first < 0) == (second < 0) else -quotient


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a or b)),
    "&&": lambda a, b: int(bool(a and b)),
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: a << (b % 32),
    ">>": lambda a, b: a >> (b % 32),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b),
}


def evaluate(text: str, variables: MutableMapping[str, str]) -> int:
    """The value of an arithmetic expression; assignments in it change `variables`.

    Raises:
        ExpansionError: the expression is wrong, divides by zero or recurses.
    """
    return _Evaluator(text, variables, 0).run()
