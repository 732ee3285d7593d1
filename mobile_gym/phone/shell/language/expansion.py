"""Words to fields: parameters, substitutions, arithmetic, braces, splitting and file names, in mksh's order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from mobile_gym.phone.shell.language import patterns
from mobile_gym.phone.shell.language.arithmetic import evaluate
from mobile_gym.phone.shell.language.errors import ExpansionError
from mobile_gym.phone.shell.language.nodes import Arithmetic, Literal, Parameter, Part, Substitution, Word
from mobile_gym.phone.shell.language.nodes import Sequence as Commands
from mobile_gym.phone.shell.language.state import ShellState

Piece = patterns.Piece
Field = list[Piece]
_DEFAULTS = frozenset((":-", "-", ":=", "=", ":?", "?", ":+", "+"))
_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


class Expander:
    """Expands words in a shell's state.

    Args:
        state: variables and positional parameters.
        substitute: runs a command substitution and gives its output.
        names: lists a directory; nothing where it is none.
    """

    def __init__(
        self,
        state: ShellState,
        substitute: Callable[[Commands], str],
        names: Callable[[str], Sequence[str]],
    ) -> None:
        self.state = state
        self._substitute = substitute
        self._names = names

    def fields(self, words: Sequence[Word]) -> list[str]:
        """The arguments that words stand for."""
        found: list[str] = []
        for word in words:
            for alternative in _braces(word):
                for field in self._split(alternative):
                    text = "".join(piece for piece, _ in field)
                    if patterns.has_magic(field) and (paths := patterns.expand_paths(field, self._names)):
                        found += paths
                    else:
                        found.append(text)
        return found

    def text(self, word: Word) -> str:
        """A word as one text, neither split nor matched: what assignments and redirections take."""
        return "".join(piece for piece, _ in self.pieces(word))

    def pieces(self, word: Word) -> list[Piece]:
        """A word as text that knows what was quoted: what `case` and `${x#…}` match against."""
        found: list[Piece] = []
        for part in self._tilde(word):
            if isinstance(part, Literal):
                found.append((part.text, part.quoted))
            else:
                found.append((" ".join(self._values(part)), part.quoted))
        return found

    def _tilde(self, word: Word) -> Word:
        if not word or not isinstance(word[0], Literal) or word[0].quoted or not word[0].text.startswith("~"):
            return word
        text = word[0].text
        name, slash, rest = text[1:].partition("/")
        if name or (not slash and len(word) > 1):
            return word
        home = self.state.get("HOME") or "/"
        return (Literal(home, True), Literal(slash + rest, False), *word[1:])

    def _split(self, word: Word) -> list[Field]:
        """Fields of a word: unquoted expansions are split at blanks, `"$@"` gives a field for each parameter."""
        separators = self.state.get("IFS")
        separators = " \t\n" if separators is None else separators
        fields: list[Field] = []
        current: Field | None = None
        for part, from_default in self._inline(self._tilde(word)):
            if isinstance(part, Literal) and (part.quoted or not from_default):
                current = [] if current is None else current
                current.append((part.text, part.quoted))
                continue
            values = self._values(part)
            if part.quoted:
                if isinstance(part, Parameter) and part.name == "@" and part.op == "":
                    for index, value in enumerate(values):
                        if index and current is not None:
                            fields.append(current)
                            current = None
                        current = [] if current is None else current
                        current.append((value, True))
                    continue
                current = [] if current is None else current
                current.append(((separators[:1] if separators else "").join(values), True))
                continue
            for index, value in enumerate(values):
                if index and current is not None:
                    fields.append(current)
                    current = None
                chunks = _split_text(value, separators)
                for position, chunk in enumerate(chunks):
                    if position and current is not None:
                        fields.append(current)
                        current = None
                    if chunk is not None:
                        current = [] if current is None else current
                        current.append((chunk, False))
        if current is not None:
            fields.append(current)
        return fields

    def _inline(self, word: Word, from_default: bool = False) -> Iterator[tuple[Part, bool]]:
        """The parts, with the words of defaults that apply (`${x:-"a b"}`) in place of the parameters.

        The flag tells whether a part comes out of such a default, where plain text is split too.
        """
        for part in word:
            if isinstance(part, Parameter) and not part.quoted and part.op in (":-", "-", ":+", "+"):
                value = "".join(self.state.positional) if part.name in "@*" else self.state.lookup(part.name)
                missing = value is None or (part.op.startswith(":") and not value)
                if missing == part.op.endswith("-"):
                    yield from self._inline(self._tilde(part.word), True)
                    continue
                if part.op.endswith("+"):
                    continue
            yield part, from_default

    def _values(self, part: Part) -> list[str]:
        if isinstance(part, Substitution):
            return [self._substitute(part.body).rstrip("\n")]
        if isinstance(part, Arithmetic):
            return [str(evaluate(self.text(part.text), self.state.variables))]
        if isinstance(part, Parameter):
            return self._parameter(part)
        return [part.text]

    def _parameter(self, part: Parameter) -> list[str]:
        state, name, op = self.state, part.name, part.op
        if name in ("@", "*"):
            values: list[str] | None = list(state.positional)
            if op in ("", "length"):
                return [str(len(state.positional))] if op else list(state.positional)
        else:
            value = state.lookup(name)
            values = None if value is None else [value]
        if op == "length":
            if values is None and state.nounset:
                raise ExpansionError(f"{name}: parameter not set")
            return [str(len(values[0] if values else ""))]
        if op in _DEFAULTS:
            missing = values is None or (op.startswith(":") and not "".join(values))
            return self._default(part, op[-1], values or [], missing)
        if values is None and state.nounset:
            raise ExpansionError(f"{name}: parameter not set")
        if op in ("#", "##", "%", "%%"):
            return [_trim(value, op, self.pieces(part.word)) for value in values or []]
        if op in ("/", "//"):
            regex = re.compile(patterns.to_regex(self.pieces(part.word)), re.DOTALL)
            replacement = self.text(part.second)
            count = 1 if op == "/" else 0
            return [regex.sub(lambda _: replacement, value, count=count) for value in values or []]
        if op == ":":
            start, _, size = self.text(part.word).partition(":")
            first = evaluate(start, state.variables)
            return [_slice(value, first, evaluate(size, state.variables) if size else None) for value in values or []]
        return values or []

    def _default(self, part: Parameter, op: str, values: list[str], missing: bool) -> list[str]:
        if op == "+":
            return [] if missing else [self.text(part.word)]
        if not missing:
            return values
        if op == "-":
            return [self.text(part.word)]
        if op == "=":
            if not _NAME.match(part.name):
                raise ExpansionError(f"${{{part.name}=…}}: cannot assign")
            value = self.text(part.word)
            self.state.assign(part.name, value)
            return [value]
        raise ExpansionError(f"{part.name}: {self.text(part.word) or 'parameter null or not set'}")


def _split_text(text: str, separators: str) -> list[str | None]:
    """Chunks of an unquoted value; a None at an end tells that blanks stood there, so that a field ends."""
    if not separators or not text:
        return [text] if text else [None]
    blanks = "".join(char for char in separators if char in " \t\n")
    others = "".join(char for char in separators if char not in " \t\n")
    chunks: list[str | None] = []
    if text[0] in separators:
        chunks.append(None)
    if others:
        pattern = f"[{re.escape(blanks)}]*[{re.escape(others)}][{re.escape(blanks)}]*" if blanks else re.escape(others)
        pattern += f"|[{re.escape(blanks)}]+" if blanks else ""
        pieces = re.split(pattern, text.strip(blanks))
        if pieces and pieces[-1] == "":
            pieces.pop()
        chunks += pieces
    else:
        chunks += re.split(f"[{re.escape(blanks)}]+", text.strip(blanks)) if text.strip(blanks) else []
    if text[-1] in separators:
        chunks.append(None)
    return chunks


def _trim(value: str, op: str, pieces: Sequence[Piece]) -> str:
    regex = re.compile(patterns.to_regex(pieces), re.DOTALL)
    sizes = range(len(value) + 1)
    for size in sizes if op in ("#", "%") else reversed(sizes):
        if op.startswith("#"):
            if regex.fullmatch(value, 0, size):
                return value[size:]
        elif regex.fullmatch(value, len(value) - size):
            return value[: len(value) - size]
    return value


def _slice(value: str, start: int, size: int | None) -> str:
    if start < 0:
        start = max(len(value) + start, 0)
    end = len(value) if size is None else (start + size if size >= 0 else len(value) + size)
    return value[start : max(end, start)]


def _braces(word: Word, budget: int = 512) -> list[Word]:
    """`a{b,c}` as the words `ab` and `ac`; only plain unquoted text is looked at."""
    for index, part in enumerate(word):
        if not isinstance(part, Literal) or part.quoted or "{" not in part.text:
            continue
        found = _brace_span(part.text)
        if found is None:
            continue
        start, end, choices = found
        words: list[Word] = []
        for choice in choices:
            pieces = (part.text[:start], choice, part.text[end:])
            middle = tuple(Literal(text, False) for text in ("".join(pieces),) if text)
            words += _braces((*word[:index], *middle, *word[index + 1 :]), budget // max(len(choices), 1))
            if len(words) > budget:
                return [word]
        return words
    return [word]


def _brace_span(text: str) -> tuple[int, int, list[str]] | None:
    start = text.find("{")
    while start >= 0:
        depth, choices, last = 0, [], start + 1
        for pos in range(start, len(text)):
            char = text[pos]
            if char == "{":
                depth += 1
            elif char == "," and depth == 1:
                choices.append(text[last:pos])
                last = pos + 1
            elif char == "}":
                depth -= 1
                if depth == 0:
                    if choices:
                        return start, pos + 1, [*choices, text[last:pos]]
                    break
        start = text.find("{", start + 1)
    return None
