"""How a user names things: in part, by first names, with numbers in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from mobile_gym.task_registry.grounding.own.looks import load_data

FILE = "names.yaml"
_LEAST_LETTERS = 2
_LEAST_PART = {"zh": 2, "en": 3}
_LONGEST_PART = {"zh": 14, "en": 32}


def folded(text: str) -> str:
    """A text without spaces and case, for comparisons."""
    return "".join(text.casefold().split())


def holds(text: str, label: str) -> bool:
    """Whether an instruction has a label verbatim."""
    return bool(label) and folded(label) in folded(text)


@lru_cache(maxsize=20_000)
def is_wordy(text: str) -> bool:
    """Whether a text says something: emoticons, digits, prices and single letters do not."""
    return sum(sign.isalpha() for sign in text) >= _LEAST_LETTERS


def part_of(label: str, language: str, others: Iterable[str]) -> str:
    """The shortest natural part of a name that no other text holds: its first words, or what stands beside them.

    Args:
        label: the whole name.
        language: zh or en.
        others: texts of what else the part could mean.
    """
    known = [folded(text) for text in others]
    # Foreign names in a Chinese page are shortened as in their own language.
    for found in _parts(label, "en" if label.isascii() else language):
        if not any(folded(found) in text for text in known):
            return found
    return label


@lru_cache(maxsize=20_000)
def _parts(label: str, language: str) -> tuple[str, ...]:
    chunks = [chunk.strip(" .。!！?？~～…'’") for chunk in re.split(_separators(language), label)]
    chunks = [chunk for chunk in chunks if _fitting(chunk, language)]
    found = [chunk for chunk in chunks if folded(chunk) != folded(label)]
    shortened = _shortened(chunks[0], language) if chunks else ""
    return tuple([shortened, *found] if shortened else found)


def _separators(language: str) -> str:
    separators = str(load_data(FILE)["separators"])
    # English names have spaces within: there, only signs separate.
    return separators if language == "zh" else separators.replace(r"\s", "")


def _fitting(chunk: str, language: str) -> bool:
    wordy = is_wordy(chunk) and not any(sign.isdigit() for sign in chunk)
    return wordy and _LEAST_PART[language] <= len(chunk) <= _LONGEST_PART[language]


def _shortened(name: str, language: str) -> str:
    """A name without its family name, or without the first of three and more words; empty where that is no name."""
    data = load_data(FILE)
    if language == "zh":
        return name[1:] if len(name) == 3 and name[0] in data["surnames"] and name[1:] not in data["titles"] else ""
    words = name.split()
    if len(words) == 2 and all(word.isalpha() and word[0].isupper() for word in words):
        return "" if any(word.casefold() in data["firms"] for word in words) else words[0]
    if 3 <= len(words) <= 5 and words[1][0].islower() and words[1] not in data["small"]:
        return " ".join(words[1:])
    return ""


def number_words(text: str, language: str) -> str:
    """A number below 100 in words; other texts as they are."""
    digits = text.strip()
    if not digits.isdecimal() or len(digits) > 2:
        return text
    return _SPEAKERS[language](int(digits), load_data(FILE)["numbers"][language])


def ordinal(text: str, language: str) -> str:
    """A number below 100 as a place in a row: in Chinese its word, in English its ordinal."""
    words = number_words(text, language)
    if language == "zh" or words == text:
        return words
    head, dash, last = words.rpartition("-")
    irregular: dict[str, str] = load_data(FILE)["numbers"]["en"]["ordinals"]
    last = irregular.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{head}{dash}{last}"


def _chinese(number: int, data: dict[str, Any]) -> str:
    tens, ones = divmod(number, 10)
    head = "" if tens == 0 else data["ten"] if tens == 1 else f"{data['digits'][tens]}{data['ten']}"
    return head + (data["digits"][ones] if ones or not tens else "")


def _english(number: int, data: dict[str, Any]) -> str:
    if number < len(data["small"]):
        return str(data["small"][number])
    tens, ones = divmod(number, 10)
    return f"{data['tens'][tens]}-{data['small'][ones]}" if ones else str(data["tens"][tens])


_SPEAKERS: dict[str, Callable[[int, dict[str, Any]], str]] = {"zh": _chinese, "en": _english}
