"""Pinyin: from letters to syllables, from syllables to words.

The table is made by `tools/make_pinyin_table.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

_LONGEST_SYLLABLE = 6
_LONGEST_WORD = 4


@lru_cache(maxsize=1)
def _table() -> Mapping[str, str]:
    text = files("mobile_gym.phone.system.keyboard").joinpath("pinyin.tsv").read_text(encoding="utf-8")
    return dict(line.split("\t", 1) for line in text.splitlines())


@lru_cache(maxsize=1)
def _syllables() -> tuple[str, ...]:
    return tuple(sorted(key for key in _table() if " " not in key))


def _words(syllables: tuple[str, ...]) -> list[str]:
    found = _table().get(" ".join(syllables))
    return found.split(" ") if found else []


@lru_cache(maxsize=2048)
def split(letters: str) -> tuple[str, ...]:
    """Letters as syllables; the last part may be the beginning of one. An apostrophe separates.

    Of all ways to split, the one with the fewest parts that leaves the fewest letters over is taken.
    """
    parts: list[str] = []
    for piece in letters.split("'"):
        parts.extend(_split_piece(piece))
    return tuple(parts)


def _split_piece(piece: str) -> list[str]:
    known = set(_syllables())
    # best[i]: (letters in no syllable, number of parts, parts) of the first i letters.
    best: list[tuple[int, int, list[str]] | None] = [None] * (len(piece) + 1)
    best[0] = (0, 0, [])
    for end in range(1, len(piece) + 1):
        for start in range(max(0, end - _LONGEST_SYLLABLE), end):
            before = best[start]
            part = piece[start:end]
            if before is None or not (part in known or end - start == 1):
                continue
            lost = 0 if part in known else 1
            option = (before[0] + lost, before[1] + 1, [*before[2], part])
            current = best[end]
            if current is None or option[:2] < current[:2]:
                best[end] = option
    found = best[len(piece)]
    parts = [] if found is None else found[2]
    return _join_beginning(parts)


def _join_beginning(parts: list[str]) -> list[str]:
    """Joins single letters at the end that together begin a syllable (`z`, `h` to `zh`)."""
    while len(parts) > 1 and len(parts[-1]) == 1 and len(parts[-2]) <= 2:
        joined = parts[-2] + parts[-1]
        if parts[-2] in _syllables() or not any(name.startswith(joined) for name in _syllables()):
            break
        parts[-2:] = [joined]
    return parts


def _completions(part: str) -> list[str]:
    """Characters of a syllable, or of the syllables that a part begins."""
    exact = _words((part,))
    if exact:
        return exact
    columns = [_words((name,)) for name in _syllables() if name.startswith(part)]
    return [column[rank] for rank in range(3) for column in columns if rank < len(column)]


@lru_cache(maxsize=2048)
def candidates(letters: str) -> tuple[tuple[str, int], ...]:
    """Words for letters, best first, each with how many of the letters' syllables it takes up.

    First the whole, put together from the longest words; then words for the first syllables, longest first.
    """
    parts = split(letters)
    if not parts:
        return ()
    found: list[tuple[str, int]] = []
    whole, at = "", 0
    while at < len(parts):
        for size in range(min(_LONGEST_WORD, len(parts) - at), 0, -1):
            words = _words(parts[at : at + size]) if size > 1 else _completions(parts[at])
            if words:
                whole, at = whole + words[0], at + size
                break
        else:
            break
    if whole:
        found.append((whole, at))
    for size in range(min(_LONGEST_WORD, len(parts)), 1, -1):
        found.extend((word, size) for word in _words(parts[:size]))
    found.extend((char, 1) for char in _completions(parts[0])[:60])
    first: dict[str, int] = {}
    for word, size in found:
        first.setdefault(word, size)
    return tuple(first.items())


def rest_after(letters: str, syllables: int) -> str:
    """The letters that are left once the first syllables are taken up."""
    left = letters
    for part in split(letters)[:syllables]:
        left = left.lstrip("'")[len(part) :]
    return left.lstrip("'")
