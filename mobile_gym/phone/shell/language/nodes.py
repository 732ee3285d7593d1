"""The syntax tree of a shell line; every node is immutable but a here-document, whose body comes on later lines."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Literal:
    """Plain text; quoted text is neither split nor a pattern."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$name` or `${name<op>word}`; `op` is empty, `length`, or one of `:- - := = :+ + :? ? # ## % %% / // :`."""

    name: str
    op: str
    word: Word
    second: Word
    quoted: bool


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(…)` or backquotes."""

    body: Sequence
    quoted: bool


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`$((…))`; `text` is expanded before it is evaluated."""

    text: Word
    quoted: bool


Part = Literal | Parameter | Substitution | Arithmetic
Word = tuple[Part, ...]


@dataclass(slots=True)
class HereDocument:
    """The body of `<<END`; filled in when the lexer reaches the lines after."""

    end: str
    strip_tabs: bool
    raw: bool
    body: Word = ()


@dataclass(frozen=True, slots=True)
class Redirect:
    """`fd op target`; `op` is one of `< > >> <> >| <& >& &> << <<<`."""

    fd: int
    op: str
    target: Word
    here: HereDocument | None = None


@dataclass(frozen=True, slots=True)
class Assign:
    """`name=value`, or `name+=value`."""

    name: str
    value: Word
    append: bool


@dataclass(frozen=True, slots=True)
class Simple:
    """A command with its words."""

    assigns: tuple[Assign, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by `|`."""

    commands: tuple[Command, ...]
    negated: bool
    timed: bool


@dataclass(frozen=True, slots=True)
class AndOr:
    """Pipelines joined by `&&` and `||`; `background` where `&` follows."""

    first: Pipeline
    rest: tuple[tuple[str, Pipeline], ...]
    background: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """Lists joined by `;`, `&` and newlines."""

    items: tuple[AndOr, ...]


@dataclass(frozen=True, slots=True)
class If:
    """`if … then … elif … else … fi`."""

    branches: tuple[tuple[Sequence, Sequence], ...]
    otherwise: Sequence | None
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """`for name in words; do … done`; without `in`, over the positional parameters."""

    name: str
    words: tuple[Word, ...] | None
    body: Sequence
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """`while` and `until`."""

    condition: Sequence
    body: Sequence
    until: bool
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """`case word in pattern) … ;; esac`."""

    subject: Word
    arms: tuple[tuple[tuple[Word, ...], Sequence], ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """`{ …; }`."""

    body: Sequence
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Subshell:
    """`( … )`."""

    body: Sequence
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """`name() { …; }`."""

    name: str
    body: Command = field()


Command = Simple | If | For | While | Case | Group | Subshell | Function
