"""The language of `awk` as a tree of tuples: `(kind, …)`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mobile_gym.phone.shell.language.builtins import unescape

Tree = tuple[Any, ...]
_MAX_DEPTH = 40
_TOKEN = re.compile(
    r"""[ \t\r]*(?:\\\n|\#[^\n]*)?[ \t\r]*(?:
    (?P<number>0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<op>\+\+|--|&&|\|\||[-+*/%^<>=!]=|!~|[-+*/%^<>=!~?:,;(){}\[\]$\n|]))""",
    re.VERBOSE | re.ASCII,
)
_KEYWORDS = frozenset(
    ("BEGIN", "END", "if", "else", "while", "for", "in", "print", "printf", "next", "exit", "delete", "do", "break",
     "continue", "function", "func", "getline", "return")
)  # fmt: skip
FUNCTIONS = frozenset(
    ("length", "substr", "index", "split", "sub", "gsub", "match", "sprintf", "tolower", "toupper", "int")
)


class WrongProgram(Exception):
    """A program that is not one, or that does what this awk does not."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with its action.

    Attributes:
        kind: `BEGIN`, `END` or `main`.
        pattern: the condition, or None.
        last: the end of a range of lines, or None.
        action: the statements; None prints the line.
    """

    kind: str
    pattern: Tree | None
    last: Tree | None
    action: Tree | None


def parse_program(program: str) -> list[Rule]:
    """The rules of a program.

    Raises:
        WrongProgram: it is not one.
    """
    return _Parser(program).rules()


class _Parser:
    def __init__(self, program: str) -> None:
        self.text = program
        self.pos = 0
        self.kind = ""
        self.token = ""
        self.before = ""
        self.depth = 0
        self.in_print = False
        self.advance()

    def advance(self) -> str:
        taken = self.token
        self.before = self.kind if self.kind in ("number", "name", "string", "regex") else self.token
        if not self.text[self.pos :].strip(" \t\r"):
            self.kind, self.token = "end", ""
            return taken
        found = _TOKEN.match(self.text, self.pos)
        if found is None or found.lastgroup is None:
            raise WrongProgram("syntax error")
        self.kind = found.lastgroup
        self.token = found[self.kind]
        self.pos = found.end()
        return taken

    def accept(self, token: str) -> bool:
        if self.token == token and self.kind in ("op", "name"):
            self.advance()
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise WrongProgram("syntax error")

    def newlines(self, more: str = "") -> None:
        while self.kind == "op" and (self.token == "\n" or (more and self.token in more)):
            self.advance()

    def rules(self) -> list[Rule]:
        found: list[Rule] = []
        while True:
            self.newlines(";")
            if self.kind == "end":
                return found
            if self.token in ("function", "func"):
                raise WrongProgram("functions are not supported")
            kind = self.advance() if self.token in ("BEGIN", "END") and self.kind == "name" else "main"
            pattern = last = None
            if kind == "main" and self.token != "{":
                pattern = self.expression()
                if self.accept(","):
                    last = self.expression()
            action = self.block() if self.token == "{" else None
            if action is None and kind != "main":
                raise WrongProgram("syntax error")
            found.append(Rule(kind, pattern, last, action))

    def block(self) -> Tree:
        self.expect("{")
        body: list[Tree] = []
        while True:
            self.newlines(";")
            if self.accept("}"):
                return ("block", body)
            body.append(self.statement())

    def statement(self) -> Tree:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise WrongProgram("nested too deep")
        try:
            return self.any_statement()
        finally:
            self.depth -= 1

    def any_statement(self) -> Tree:
        if self.token == "{":
            return self.block()
        if self.kind == "name" and self.token in _KEYWORDS:
            return self.keyword(self.advance())
        return ("value", self.expression())

    def keyword(self, word: str) -> Tree:
        match word:
            case "if":
                condition, then = self.condition(), self.inner()
                mark = (self.pos, self.kind, self.token)
                self.newlines(";")
                if self.accept("else"):
                    return ("if", condition, then, self.inner())
                self.pos, self.kind, self.token = mark
                return ("if", condition, then, None)
            case "while":
                return ("while", self.condition(), self.inner())
            case "for":
                return self.loop()
            case "print" | "printf":
                return self.output(word)
            case "next" | "break" | "continue":
                return (word,)
            case "exit":
                ends = self.kind == "end" or self.token in (";", "}", "\n")
                return ("exit", None if ends else self.expression())
            case "delete":
                name = self.advance()
                if not self.accept("["):
                    return ("delete", name, None)
                key = self.expression()
                self.expect("]")
                return ("delete", name, key)
        raise WrongProgram(f"{word} is not supported")

    def condition(self) -> Tree:
        self.expect("(")
        found = self.expression()
        self.expect(")")
        return found

    def inner(self) -> Tree:
        self.newlines()
        if self.accept(";"):
            return ("block", [])
        return self.statement()

    def loop(self) -> Tree:
        self.expect("(")
        if self.kind == "name" and self.token not in _KEYWORDS:
            mark = (self.pos, self.kind, self.token)
            name = self.advance()
            if self.accept("in"):
                array = self.advance()
                self.expect(")")
                return ("each", name, array, self.inner())
            self.pos, self.kind, self.token = mark
        first = None if self.token == ";" else self.statement()
        self.expect(";")
        condition = None if self.token == ";" else self.expression()
        self.expect(";")
        step = None if self.token == ")" else self.statement()
        self.expect(")")
        return ("for", first, condition, step, self.inner())

    def output(self, word: str) -> Tree:
        values: list[Tree] = []
        self.in_print = True
        if self.kind != "end" and self.token not in (";", "}", "\n", ">", "|"):
            values.append(self.expression())
            while self.accept(","):
                values.append(self.expression())
            if len(values) == 1 and values[0][0] == "list":
                values = list(values[0][1])
        self.in_print = False
        if self.token in (">", "|"):
            raise WrongProgram("redirections are not supported")
        return (word, values)

    # ---- expressions, loosest first

    def expression(self) -> Tree:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise WrongProgram("nested too deep")
        try:
            target = self.ternary()
            if self.kind == "op" and self.token in ("=", "+=", "-=", "*=", "/=", "%=", "^="):
                if target[0] not in ("name", "field", "item"):
                    raise WrongProgram("syntax error")
                operator = self.advance()
                return ("assign", target, operator[:-1], self.expression())
            return target
        finally:
            self.depth -= 1

    def ternary(self) -> Tree:
        condition = self.binary(0)
        if self.accept("?"):
            first = self.expression()
            self.expect(":")
            return ("choose", condition, first, self.expression())
        return condition

    def binary(self, level: int) -> Tree:
        levels: tuple[tuple[str, ...], ...] = (
            ("||",),
            ("&&",),
            ("in",),
            ("~", "!~"),
            ("<", "<=", "==", "!=", ">", ">="),
        )
        if level == len(levels):
            return self.concatenation()
        found = self.binary(level + 1)
        while self.token in levels[level] and self.kind in ("op", "name") and not (self.in_print and self.token == ">"):
            operator = self.advance()
            if operator == "in":
                found = ("in", found, self.advance())
            else:
                self.newlines()
                found = (operator, found, self.binary(level + 1))
        return found

    def concatenation(self) -> Tree:
        found = self.sum()
        while self.kind in ("number", "string") or (
            (self.kind == "name" and self.token not in _KEYWORDS)
            or (self.kind == "op" and self.token in ("$", "(", "!", "-"))
        ):
            if self.token == "!":
                break
            found = ("join", found, self.sum())
        return found

    def sum(self) -> Tree:
        found = self.product()
        while self.kind == "op" and self.token in ("+", "-"):
            found = (self.advance(), found, self.product())
        return found

    def product(self) -> Tree:
        found = self.unary()
        while self.kind == "op" and self.token in ("*", "/", "%"):
            found = (self.advance(), found, self.unary())
        return found

    def unary(self) -> Tree:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise WrongProgram("nested too deep")
        try:
            if self.kind == "op" and self.token in ("!", "-", "+"):
                return ("unary", self.advance(), self.unary())
            found = self.postfix()
            if self.kind == "op" and self.token == "^":
                self.advance()
                return ("^", found, self.unary())
            return found
        finally:
            self.depth -= 1

    def postfix(self) -> Tree:
        if self.kind == "op" and self.token in ("++", "--"):
            operator = self.advance()
            return ("step", self.postfix(), operator, True)
        found = self.atom()
        if self.kind == "op" and self.token in ("++", "--") and found[0] in ("name", "field", "item"):
            return ("step", found, self.advance(), False)
        return found

    def atom(self) -> Tree:
        kind = self.kind
        if kind == "number":
            token = self.advance()
            return ("number", float(int(token, 16) if token[:2].lower() == "0x" else float(token)))
        if kind == "string":
            return ("string", unescape(self.advance()[1:-1].replace('\\"', '"').replace("\\/", "/"))[0])
        if kind == "op" and self.token in ("/", "/="):
            return self.regex()
        if self.accept("$"):
            return ("field", self.postfix())
        if self.accept("("):
            outer, self.in_print = self.in_print, False
            values = [self.expression()]
            while self.accept(","):
                values.append(self.expression())
            self.in_print = outer
            self.expect(")")
            return ("group", values[0]) if len(values) == 1 else ("list", values)
        if kind == "name" and self.token not in _KEYWORDS:
            return self.named(self.advance())
        raise WrongProgram("syntax error")

    def regex(self) -> Tree:
        start = self.pos - len(self.token) + 1
        end = start
        inside = False
        while end < len(self.text) and (self.text[end] != "/" or inside):
            if self.text[end] == "\\":
                end += 1
            elif self.text[end] in "[]":
                inside = self.text[end] == "["
            end += 1
        if end >= len(self.text):
            raise WrongProgram("nonterminated regular expression")
        self.pos = end + 1
        self.kind, self.token = "regex", ""
        self.advance()
        return ("regex", self.text[start:end].replace("\\/", "/"))

    def named(self, name: str) -> Tree:
        if name in FUNCTIONS:
            values: list[Tree] = []
            if self.accept("("):
                while not self.accept(")"):
                    values.append(self.expression())
                    if not self.accept(",") and self.token != ")":
                        raise WrongProgram("syntax error")
            return ("call", name, values)
        if self.accept("["):
            values = [self.expression()]
            while self.accept(","):
                values.append(self.expression())
            self.expect("]")
            return ("item", name, values)
        if self.token == "(" and self.text[self.pos - 2 : self.pos - 1] not in (" ", "\t"):
            raise WrongProgram(f"calling undefined function {name}")
        return ("name", name)
