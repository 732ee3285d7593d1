"""Tokens to the syntax tree, by recursive descent."""

from __future__ import annotations

import re

from mobile_gym.phone.shell.language.errors import ShellSyntaxError
from mobile_gym.phone.shell.language.lexer import MAX_DEPTH, Lexer, Token
from mobile_gym.phone.shell.language.nodes import (
    AndOr,
    Assign,
    Case,
    Command,
    For,
    Function,
    Group,
    HereDocument,
    If,
    Literal,
    Pipeline,
    Redirect,
    Sequence,
    Simple,
    Subshell,
    While,
    Word,
)

_REDIRECTS = frozenset(("<", ">", ">>", "<>", ">|", "<&", ">&", "&>", "<<", "<<-", "<<<"))
_CLOSERS = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}"))
_KEYWORDS = frozenset(("if", "for", "while", "until", "case", "{", "!", "time", "function")) | _CLOSERS
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")


def parse(text: str) -> Sequence:
    """The syntax tree of a line or a script.

    Raises:
        ShellSyntaxError: the text is not in the shell's language.
    """
    parser = Parser(Lexer(text.split("\0")[0], 0, 0, _parse_substitution))
    found = parser.sequence()
    parser.expect_end()
    return found


def _parse_substitution(text: str, pos: int, depth: int, whole: bool) -> tuple[Sequence, int]:
    parser = Parser(Lexer(text, pos, depth, _parse_substitution))
    found = parser.sequence()
    if whole:
        parser.expect_end()
    else:
        parser.close(")", "(")
    return found, parser.lexer.pos


class Parser:
    """Reads commands off a lexer, one token ahead."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self._ahead: Token | None = None
        self._depth = lexer.depth

    def peek(self) -> Token:
        """The next token, left where it is."""
        if self._ahead is None:
            self._ahead = self.lexer.next()
        return self._ahead

    def take(self) -> Token:
        """The next token."""
        token = self.peek()
        self._ahead = None
        return token

    def expect_end(self) -> None:
        """Nothing may follow."""
        if self.peek().kind != "eof":
            raise self._unexpected()
        self.lexer.unread_here()

    def close(self, closer: str, opener: str) -> None:
        """Takes what closes a compound command or substitution."""
        token = self.peek()
        if token.kind == "eof":
            raise ShellSyntaxError(f"syntax error: unmatched '{opener}'")
        if token.text != closer or token.kind not in ("op", "word"):
            raise self._unexpected()
        self._ahead = None

    def _unexpected(self) -> ShellSyntaxError:
        return ShellSyntaxError(f"syntax error: unexpected {self.peek().shown()}")

    def _keyword(self) -> str | None:
        token = self.peek()
        return token.text if token.kind == "word" and token.text in _KEYWORDS else None

    def _operator(self) -> str | None:
        token = self.peek()
        return token.text if token.kind == "op" else None

    def _newlines(self) -> None:
        while self.peek().kind == "newline":
            self.take()

    def sequence(self) -> Sequence:
        """Lists up to something that closes them, or the end."""
        items: list[AndOr] = []
        while True:
            self._newlines()
            if self.peek().kind == "eof" or self._operator() in (")", ";;") or self._keyword() in _CLOSERS:
                return Sequence(tuple(items))
            item = self._and_or()
            operator = self._operator()
            items.append(AndOr(item.first, item.rest, operator == "&"))
            if operator in (";", "&"):
                self.take()
            elif self.peek().kind not in ("newline", "eof") and operator not in (")", ";;"):
                raise self._unexpected()

    def _and_or(self) -> AndOr:
        first = self._pipeline()
        rest: list[tuple[str, Pipeline]] = []
        while (operator := self._operator()) in ("&&", "||"):
            self.take()
            self._newlines()
            rest.append((operator or "", self._pipeline()))
        return AndOr(first, tuple(rest), False)

    def _pipeline(self) -> Pipeline:
        negated = timed = False
        while (keyword := self._keyword()) in ("!", "time"):
            self.take()
            negated ^= keyword == "!"
            timed |= keyword == "time"
        commands = [self._command()]
        while (operator := self._operator()) in ("|", "|&"):
            self.take()
            self._newlines()
            if operator == "|&":
                commands[-1] = Group(
                    Sequence((AndOr(Pipeline((commands[-1],), False, False), (), False),)),
                    (Redirect(2, ">&", (Literal("1", True),)),),
                )
            commands.append(self._command())
        return Pipeline(tuple(commands), negated, timed)

    def _command(self) -> Command:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deep")
        self.lexer.depth += 1
        try:
            return self._compound() or self._simple()
        finally:
            self._depth -= 1
            self.lexer.depth -= 1

    def _compound(self) -> Command | None:
        if self._operator() == "(":
            self.take()
            body = self.sequence()
            self.close(")", "(")
            return Subshell(body, self._redirects())
        match self._keyword():
            case "{":
                self.take()
                body = self.sequence()
                self.close("}", "{")
                return Group(body, self._redirects())
            case "if":
                return self._if()
            case "for":
                return self._for()
            case "while" | "until" as word:
                self.take()
                condition = self.sequence()
                body = self._do(word)
                return While(condition, body, word == "until", self._redirects())
            case "case":
                return self._case()
            case "function":
                self.take()
                name = self.take()
                if name.kind != "word":
                    raise ShellSyntaxError(f"syntax error: unexpected {name.shown()}")
                if self._operator() == "(":
                    self.take()
                    self.close(")", "(")
                return self._function(name.text)
            case None:
                return None
            case _:
                raise self._unexpected()

    def _function(self, name: str) -> Function:
        self._newlines()
        body = self._compound()
        if body is None:
            raise self._unexpected()
        return Function(name, body)

    def _do(self, opener: str) -> Sequence:
        self.close("do", opener)
        body = self.sequence()
        self.close("done", opener)
        return body

    def _if(self) -> If:
        branches: list[tuple[Sequence, Sequence]] = []
        otherwise: Sequence | None = None
        self.take()
        while True:
            condition = self.sequence()
            self.close("then", "if")
            branches.append((condition, self.sequence()))
            if self._keyword() == "elif":
                self.take()
                continue
            if self._keyword() == "else":
                self.take()
                otherwise = self.sequence()
            self.close("fi", "if")
            return If(tuple(branches), otherwise, self._redirects())

    def _for(self) -> For:
        self.take()
        name = self.take()
        if name.kind == "eof":
            raise ShellSyntaxError("syntax error: unmatched 'for'")
        if name.kind != "word" or not _NAME.match(name.text):
            raise ShellSyntaxError(f"{name.text}: not an identifier")
        self._newlines()
        words: list[Word] | None = None
        if self.peek().kind == "word" and self.peek().text == "in":
            self.take()
            words = []
            while self.peek().kind == "word":
                words.append(self.take().word)
        if self._operator() == ";":
            self.take()
        self._newlines()
        body = self._do("for")
        return For(name.text, None if words is None else tuple(words), body, self._redirects())

    def _case(self) -> Case:
        self.take()
        subject = self.take()
        if subject.kind == "eof":
            raise ShellSyntaxError("syntax error: unmatched 'case'")
        if subject.kind != "word":
            raise ShellSyntaxError(f"syntax error: unexpected {subject.shown()}")
        self._newlines()
        self.close("in", "case")
        arms: list[tuple[tuple[Word, ...], Sequence]] = []
        while True:
            self._newlines()
            if self.peek().kind == "word" and self.peek().text == "esac":
                break
            if self._operator() == "(":
                self.take()
            patterns: list[Word] = []
            while True:
                token = self.peek()
                if token.kind == "eof":
                    raise ShellSyntaxError("syntax error: unmatched 'case'")
                if token.kind not in ("word", "io"):
                    raise self._unexpected()
                self.take()
                patterns.append(token.word)
                if self._operator() != "|":
                    break
                self.take()
            self.close(")", "case")
            arms.append((tuple(patterns), self.sequence()))
            if self._operator() == ";;":
                self.take()
            elif not (self.peek().kind == "word" and self.peek().text == "esac"):
                if self.peek().kind == "eof":
                    raise ShellSyntaxError("syntax error: unmatched 'case'")
                raise self._unexpected()
        self.take()
        return Case(subject.word, tuple(arms), self._redirects())

    def _redirects(self) -> tuple[Redirect, ...]:
        found: list[Redirect] = []
        while (redirect := self._redirect()) is not None:
            found.append(redirect)
        return tuple(found)

    def _redirect(self) -> Redirect | None:
        token = self.peek()
        fd: int | None = None
        if token.kind == "io":
            fd = int(token.text[:4])
            self.take()
        operator = self._operator()
        if operator not in _REDIRECTS:
            return None
        self.take()
        target = self.peek()
        if target.kind not in ("word", "io"):
            raise self._unexpected()
        self.take()
        word: Word = target.word or (Literal(target.text, True),) if target.kind == "io" else target.word
        if fd is None:
            fd = 0 if operator.startswith("<") else 1
        if operator in ("<<", "<<-"):
            raw = any(isinstance(part, Literal) and part.quoted for part in word)
            end = "".join(part.text for part in word if isinstance(part, Literal))
            document = HereDocument(end, operator == "<<-", raw)
            self.lexer.await_here(document)
            return Redirect(fd, "<<", (), document)
        return Redirect(fd, operator, word)

    def _simple(self) -> Command:
        assigns: list[Assign] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            redirect = self._redirect()
            if redirect is not None:
                redirects.append(redirect)
                continue
            token = self.peek()
            if token.kind != "word":
                break
            self.take()
            assign = None if words else _assignment(token.word)
            if assign is not None:
                assigns.append(assign)
                continue
            words.append(token.word)
            if len(words) == 1 and not assigns and not redirects and self._operator() == "(":
                self.take()
                if self.peek().kind == "eof":
                    raise self._unexpected()
                self.close(")", "(")
                return self._function(token.text)
        if not assigns and not words and not redirects:
            raise self._unexpected()
        return Simple(tuple(assigns), tuple(words), tuple(redirects))


def _assignment(word: Word) -> Assign | None:
    if not word or not isinstance(word[0], Literal) or word[0].quoted:
        return None
    found = _ASSIGN.match(word[0].text)
    if found is None:
        return None
    rest = word[0].text[found.end() :]
    value: Word = (Literal(rest, False), *word[1:]) if rest else word[1:]
    return Assign(found[1], value, found[2] == "+")
