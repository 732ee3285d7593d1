"""Makes the keyboard's table of Pinyin candidates from jieba's word counts and pypinyin's readings.

Needs `pip install jieba pypinyin`, which the package itself does not. Usage: python tools/make_pinyin_table.py
"""

from __future__ import annotations

from collections import defaultdict
from importlib.resources import files
from pathlib import Path

from pypinyin import Style, lazy_pinyin, pinyin

TARGET = Path(__file__).parents[1] / "mobile_gym/phone/system/keyboard/pinyin.tsv"
WORDS, MOST_A_KEY = 45_000, 24


def is_hanzi(word: str) -> bool:
    """Whether a word is made of common Chinese characters only."""
    return all("\u4e00" <= char <= "\u9fff" for char in word)


def main() -> None:
    """Writes one line a reading: syllables, a tab, then words, the commonest first."""
    counts: dict[str, int] = {}
    for line in files("jieba").joinpath("dict.txt").read_text(encoding="utf-8").splitlines():
        word, count, *_ = line.split(" ")
        if 1 <= len(word) <= 4 and is_hanzi(word):
            counts[word] = int(count)
    single = [word for word in counts if len(word) == 1]
    common = sorted((word for word in counts if len(word) > 1), key=lambda word: (-counts[word], word))[:WORDS]
    table: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for word in common:
        table[" ".join(lazy_pinyin(word, style=Style.NORMAL, v_to_u=False))].append((-counts[word], word))
    for char in single:
        readings = pinyin(char, style=Style.NORMAL, heteronym=True, v_to_u=False)[0]
        for place, reading in enumerate(readings):
            # The first reading is the usual one; rarer ones come later in the list of candidates.
            table[reading].append((-counts[char] // (1 + 20 * place), char))
    lines = []
    for reading in sorted(table):
        if reading.replace(" ", "").isascii() and reading.replace(" ", "").isalpha():
            words = [word for _, word in sorted(table[reading])][: MOST_A_KEY if " " in reading else 60]
            lines.append(f"{reading}\t{' '.join(words)}")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
