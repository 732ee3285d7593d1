"""Whether an entry of a device is the one that an asset's document describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mobile_gym.assets.base import AssetType, Entry, Meaning
from mobile_gym.reward.normal_forms import contains_text, same_person, same_phone, same_text

_COMPARE: Mapping[Meaning, Callable[[str, str], bool]] = {
    Meaning.TEXT: same_text,
    Meaning.PERSON: same_person,
    Meaning.PHONE: same_phone,
    Meaning.PART: lambda expected, actual: contains_text(actual, expected),
}


def _same(meaning: Meaning, expected: Any, actual: Any) -> bool:
    if isinstance(actual, tuple):
        return any(_same(meaning, expected, one) for one in actual)
    if isinstance(expected, frozenset) and meaning is Meaning.PART:
        return any(_same(meaning, one, actual) for one in expected)
    if isinstance(expected, Mapping):
        # A thing of several parts: those that are given must be the same.
        return isinstance(actual, Mapping) and all(
            _same(meaning, value, actual.get(name)) for name, value in expected.items()
        )
    compare = _COMPARE.get(meaning)
    if compare is None or not isinstance(expected, str):
        return bool(expected == actual)
    return isinstance(actual, str) and compare(expected, actual)


def differing_fields(asset_type: AssetType, document: Any, entry: Entry) -> list[str]:
    """Names of the fields that a document gives and an entry lacks; empty where it is the one described.

    A document that gives several values for a field (two numbers of a contact) wants all of them.
    """
    differing = []
    for name, expected in asset_type.wanted(document).items():
        meaning = asset_type.meanings.get(name, Meaning.EXACT)
        wanted = expected if isinstance(expected, tuple) else (expected,)
        if name not in entry.fields or not all(_same(meaning, one, entry.fields[name]) for one in wanted):
            differing.append(name)
    return differing


def matches(asset_type: AssetType, document: Any, entry: Entry) -> bool:
    """Whether an entry is the one that a document describes."""
    return not differing_fields(asset_type, document, entry)
