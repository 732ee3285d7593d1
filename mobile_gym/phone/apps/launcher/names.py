"""Names of apps: their order, and what of a query finds them."""

from __future__ import annotations

from bisect import bisect_right

# Where each initial begins among the common characters, which GB 2312 orders by their Pinyin.
_STARTS = (
    0xB0A1, 0xB0C5, 0xB2C1, 0xB4EE, 0xB6EA, 0xB7A2, 0xB8C1, 0xB9FE, 0xBBF7, 0xBFA6, 0xC0AC, 0xC2E8,
    0xC4C3, 0xC5B6, 0xC5BE, 0xC6DA, 0xC8BB, 0xC8F6, 0xCBFA, 0xCDDA, 0xCEF4, 0xD1B9, 0xD4D1, 0xD7FA,
)  # fmt: skip
_LETTERS = "abcdefghjklmnopqrstwxyz"


def sort_key(label: str) -> bytes:
    """A key that puts labels into the order of their Pinyin, Latin ones first and regardless of case."""
    return label.lower().encode("gbk", "replace")


def initials(label: str) -> str:
    """The first letters of the Pinyin of a label; a Latin letter stands for itself, what is unknown is left out."""
    found = ""
    for char in label.lower():
        code = char.encode("gbk", "ignore")
        if len(code) == 1:
            found += char if char.isalnum() else ""
        elif len(code) == 2:
            place = bisect_right(_STARTS, code[0] << 8 | code[1]) - 1
            if 0 <= place < len(_LETTERS):
                found += _LETTERS[place]
    return found


def matches(query: str, *labels: str) -> bool:
    """Whether a query is part of one of the labels, or of its initials."""
    wanted = query.strip().lower()
    return bool(wanted) and any(wanted in label.lower() or wanted in initials(label) for label in labels)
