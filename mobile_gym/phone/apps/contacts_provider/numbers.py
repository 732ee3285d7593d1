"""Telephone numbers: when two are the same, and how one is shown."""

from __future__ import annotations

from functools import lru_cache

_DIGITS = frozenset("0123456789")
_COUNTRY = (("+86", 5, 11), ("0086", 5, 11), ("+1", 10, 10))
"""Prefix of a country, and how many digits may follow it."""


@lru_cache(maxsize=4096)
def normalise(number: str) -> str:
    """What two ways to write one number have in common: its digits without separators and country code.

    A sender that is a name (`Parcel`) comes back in lower case.
    """
    text = number.strip()
    if any(letter.isalpha() for letter in text):
        return text.lower()
    digits = "".join(letter for letter in text if letter in _DIGITS)
    if not digits:
        return text.lower()
    full = "+" + digits if text.startswith("+") else digits
    for prefix, least, most in _COUNTRY:
        if full.startswith(prefix) and least <= len(full) - len(prefix) <= most:
            return full[len(prefix) :]
    return digits


@lru_cache(maxsize=4096)
def shown(number: str, language: str) -> str:
    """A number in groups: `138 0013 7725`, `(555) 013-7725`; short and foreign ones stay as they are."""
    key = normalise(number)
    if not key.isdigit():
        return number
    if language == "zh" and len(key) == 11 and key[0] == "1":
        return f"{key[:3]} {key[3:7]} {key[7:]}"
    if language == "en" and len(key) == 10:
        return f"({key[:3]}) {key[3:6]}-{key[6:]}"
    return number
