"""Text to tokens: words with their quoted and substituted parts, operators, newlines and here-documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal as Choice

from mobile_gym.phone.shell.language.errors import ShellSyntaxError
from mobile_gym.phone.shell.language.nodes import (
    Arithmetic,
    HereDocument,
    Literal,
    Parameter,
    Part,
    Sequence,
    Substitution,
    Word,
)

# Deeper nesting is refused: no real command comes near, and the walk over the tree is recursive.
MAX_DEPTH = 25
_OPERATORS = ("<<<", "<<-", "&&", "||", ";;", "<<", ">>", "<&", ">&", "<>", ">|", "&>", "|&", ";", "&", "|", "<", ">")
_WORD_END = frozenset(" \t\n;&|<>()")
_SPECIAL = "@*#?-$!0123456789"
_OPERATIONS = (":-", ":=", ":?", ":+", "##", "%%", "//", "-", "=", "?", "+", "#", "%", "/", ":")

Parse = Callable[[str, int, int, bool], tuple[Sequence, int]]


@dataclass(frozen=True, slots=True)
class Token:
    """A token.

    Attributes:
        kind: `word`, `op`, `newline` or `eof`; `io` is the number before a redirection.
        text: the operator, or the word as it was written.
        word: the parts of a word.
    """

    kind: Choice["word", "op", "io", "newline", "eof"]
    text: str
    word: Word = ()

    def shown(self) -> str:
        """As an error message names it."""
        return "EOF" if self.kind == "eof" else "'newline'" if self.kind == "newline" else f"'{self.text}'"


class Lexer:
    """Reads tokens off a text.

    Args:
        text: what to read.
        pos: where to start.
        depth: how deep in substitutions this text lies.
        parse: parses a command substitution: text, position after `$(`, depth, whether it is the whole text instead of
            what `)` ends; gives its body and where it ends.
    """

    def __init__(self, text: str, pos: int, depth: int, parse: Parse) -> None:
        if depth > MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deep")
        self.text = text
        self.pos = pos
        self.depth = depth
        self._parse = parse
        self._pending: list[HereDocument] = []

    def await_here(self, document: HereDocument) -> None:
        """The body of a here-document starts after the next newline."""
        self._pending.append(document)

    def unread_here(self) -> None:
        """At the end of the text, no here-document may still wait for its body."""
        if self._pending:
            raise ShellSyntaxError(f"here document '{self._pending[0].end}' unclosed")

    def next(self) -> Token:
        """The next token."""
        text, size = self.text, len(self.text)
        while self.pos < size:
            char = text[self.pos]
            if char in " \t":
                self.pos += 1
            elif text.startswith("\\\n", self.pos):
                self.pos += 2
            elif char == "#":
                end = text.find("\n", self.pos)
                self.pos = size if end < 0 else end
            else:
                break
        if self.pos >= size:
            return Token("eof", "")
        if text[self.pos] == "\n":
            self.pos += 1
            self._read_here()
            return Token("newline", "\n")
        if text[self.pos] in "()":
            self.pos += 1
            return Token("op", text[self.pos - 1])
        for operator in _OPERATORS:
            if text.startswith(operator, self.pos):
                self.pos += len(operator)
                return Token("op", operator)
        return self._word_token()

    def _word_token(self) -> Token:
        start = self.pos
        word = self.word(_WORD_END)
        raw = self.text[start : self.pos]
        if raw.isdigit() and raw.isascii() and self.pos < len(self.text) and self.text[self.pos] in "<>":
            return Token("io", raw)
        return Token("word", raw, word)

    def _read_here(self) -> None:
        pending, self._pending = self._pending, []
        for document in pending:
            lines: list[str] = []
            while True:
                if self.pos >= len(self.text):
                    raise ShellSyntaxError(f"here document '{document.end}' unclosed")
                end = self.text.find("\n", self.pos)
                end = len(self.text) if end < 0 else end
                line = self.text[self.pos : end]
                self.pos = end + 1
                if document.strip_tabs:
                    line = line.lstrip("\t")
                if line == document.end:
                    break
                lines.append(line + "\n")
            body = "".join(lines)
            if document.raw:
                document.body = (Literal(body, True),)
            else:
                document.body = Lexer(body, 0, self.depth + 1, self._parse).double_quoted(None)

    def word(self, end: frozenset[str], in_quotes: bool = False) -> Word:
        """The parts of a word, up to an unquoted character of `end` or the end of the text.

        Args:
            end: what ends the word.
            in_quotes: whether double quotes lie around it, so that single quotes mean nothing.
        """
        parts: list[Part] = []
        plain: list[str] = []

        def flush() -> None:
            if plain:
                parts.append(Literal("".join(plain), False))
                plain.clear()

        text, size = self.text, len(self.text)
        while self.pos < size:
            char = text[self.pos]
            if char in end:
                break
            if char == "\\":
                if self.pos + 1 >= size:
                    self.pos += 1
                elif text[self.pos + 1] == "\n":
                    self.pos += 2
                elif in_quotes and text[self.pos + 1] not in '$`"\\}':
                    plain.append(char)
                    self.pos += 1
                else:
                    flush()
                    parts.append(Literal(text[self.pos + 1], True))
                    self.pos += 2
            elif char == "'" and not in_quotes:
                flush()
                parts.append(Literal(self._single_quoted(), True))
            elif char == '"':
                flush()
                self.pos += 1
                parts.extend(self.double_quoted('"') or (Literal("", True),))
            elif text.startswith("$'", self.pos) and not in_quotes:
                flush()
                self.pos += 1
                parts.append(Literal(_dollar_quoted(self._single_quoted(escapes=True)), True))
            elif char in "$`":
                part = self._dollar(in_quotes)
                if part is None:
                    plain.append("$")
                else:
                    flush()
                    parts.append(part)
            else:
                plain.append(char)
                self.pos += 1
        flush()
        return tuple(parts)

    def _single_quoted(self, escapes: bool = False) -> str:
        start = self.pos + 1
        end = start
        while True:
            if end >= len(self.text):
                raise ShellSyntaxError("no closing quote")
            if self.text[end] == "'":
                break
            end += 2 if escapes and self.text[end] == "\\" else 1
        self.pos = end + 1
        return self.text[start:end]

    def double_quoted(self, end: str | None) -> Word:
        """The parts up to the closing `end`, or up to the end of the text where `end` is None (a here-document)."""
        parts: list[Part] = []
        plain: list[str] = []
        text, size = self.text, len(self.text)
        escapable = '$`"\\' if end else "$`\\"
        while True:
            if self.pos >= size:
                if end is None:
                    break
                raise ShellSyntaxError("no closing quote")
            char = text[self.pos]
            if char == end:
                self.pos += 1
                break
            if char == "\\" and self.pos + 1 < size and text[self.pos + 1] in escapable + "\n":
                if text[self.pos + 1] != "\n":
                    plain.append(text[self.pos + 1])
                self.pos += 2
            elif char in "$`":
                part = self._dollar(True)
                if part is None:
                    plain.append("$")
                else:
                    if plain:
                        parts.append(Literal("".join(plain), True))
                        plain.clear()
                    parts.append(part)
            else:
                plain.append(char)
                self.pos += 1
        if plain:
            parts.append(Literal("".join(plain), True))
        return tuple(parts)

    def _dollar(self, quoted: bool) -> Part | None:
        """The expansion at `$` or a backquote; None for a `$` that stands for itself."""
        text = self.text
        if text[self.pos] == "`":
            return self._backquoted(quoted)
        if text.startswith("$((", self.pos):
            inner = _arithmetic_end(text, self.pos + 3)
            if inner is not None:
                body = Lexer(text[self.pos + 3 : inner], 0, self.depth + 1, self._parse).double_quoted(None)
                self.pos = inner + 2
                return Arithmetic(body, quoted)
        if text.startswith("$(", self.pos):
            body_nodes, self.pos = self._parse(text, self.pos + 2, self.depth + 1, False)
            return Substitution(body_nodes, quoted)
        if text.startswith("${", self.pos):
            return self._braced(quoted)
        start = self.pos + 1
        if start < len(text) and text[start] in _SPECIAL:
            self.pos = start + 1
            return Parameter(text[start], "", (), (), quoted)
        end = _name_end(text, start)
        self.pos = max(end, start)
        return Parameter(text[start:end], "", (), (), quoted) if end > start else None

    def _backquoted(self, quoted: bool) -> Part:
        start = self.pos + 1
        end = start
        chars: list[str] = []
        special = '$`\\"' if quoted else "$`\\"
        while end < len(self.text) and self.text[end] != "`":
            if self.text[end] == "\\" and end + 1 < len(self.text) and self.text[end + 1] in special:
                end += 1
            chars.append(self.text[end])
            end += 1
        if end >= len(self.text):
            raise ShellSyntaxError("no closing quote")
        self.pos = end + 1
        body, _ = self._parse("".join(chars), 0, self.depth + 1, True)
        return Substitution(body, quoted)

    def _braced(self, quoted: bool) -> Part:
        text, start = self.text, self.pos + 2
        length = text.startswith("#", start) and not text.startswith("#}", start)
        start += length
        end = start + 1 if start < len(text) and text[start] in _SPECIAL else _name_end(text, start)
        while text[start:end].isdigit() and text[end : end + 1].isdigit():
            end += 1
        name = text[start:end]
        self.pos = end
        if length and text.startswith("}", end):
            self.pos = end + 1
            return Parameter(name, "length", (), (), quoted)
        if name and not length and text.startswith("}", end):
            self.pos = end + 1
            return Parameter(name, "", (), (), quoted)
        op = next((op for op in _OPERATIONS if text.startswith(op, end)), None)
        if not name or length or op is None:
            close = text.find("}", end)
            if close < 0:
                raise ShellSyntaxError("no closing quote")
            raise ShellSyntaxError(f"{text[start - 2 - length : close + 1]}: bad substitution")
        self.pos = end + len(op)
        if self.depth + 1 > MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deep")
        self.depth += 1
        word = self._operand(quoted, "/}" if op in ("/", "//") else "}")
        second: Word = ()
        if text.startswith("/", self.pos) and op in ("/", "//"):
            self.pos += 1
            second = self._operand(quoted, "}")
        self.depth -= 1
        if not text.startswith("}", self.pos):
            raise ShellSyntaxError("no closing quote")
        self.pos += 1
        return Parameter(name, op, word, second, quoted)

    def _operand(self, quoted: bool, end: str) -> Word:
        if not quoted:
            return self.word(frozenset(end))
        word = self.word(frozenset(end), in_quotes=True)
        return tuple(Literal(part.text, True) if isinstance(part, Literal) else part for part in word)


def _name_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "_"):
        if end == start and text[end].isdigit():
            break
        end += 1
    return end


def _arithmetic_end(text: str, start: int) -> int | None:
    """Where the `))` that closes an arithmetic expansion starts; None where this is a subshell in a substitution."""
    depth = 0
    for pos in range(start, len(text)):
        if text[pos] == "(":
            depth += 1
        elif text[pos] == ")":
            if depth == 0:
                return pos if text.startswith("))", pos) else None
            depth -= 1
    return None


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


def _dollar_quoted(text: str) -> str:
    out: list[str] = []
    pos = 0
    while pos < len(text):
        if text[pos] == "\\" and pos + 1 < len(text):
            char = text[pos + 1]
            width = {"x": 2, "u": 4, "U": 8}.get(char, 0)
            digits = text[pos + 2 : pos + 2 + width]
            while digits and not all(digit in "0123456789abcdefABCDEF" for digit in digits):
                digits = digits[:-1]
            if width and digits and int(digits, 16) < 0x110000:
                out.append(chr(int(digits, 16)))
                pos += 2 + len(digits)
                continue
            out.append(_ESCAPES.get(char, char))
            pos += 2
        else:
            out.append(text[pos])
            pos += 1
    return "".join(out)
