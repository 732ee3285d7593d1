"""Texts that differ by language: `{zh: ..., en: ...}` wherever a document of assets or criteria may hold a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.reward.task_spec import Language

FIELDS = ("assets", "start", "subtasks", "process", "allowed_changes")
"""Fields of a task in which a value may be given by language. Instructions and steps always hold both languages."""

_BOTH = {"zh", "en"}


def by_language(value: Any) -> bool:
    """Whether a value, or something in it, is given by language."""
    if isinstance(value, Mapping):
        return value.keys() == _BOTH or any(by_language(part) for part in value.values())
    return isinstance(value, list | tuple) and any(by_language(part) for part in value)


def said_in(value: Any, language: Language) -> Any:
    """A value with all that is given by language replaced by what holds for one."""
    if isinstance(value, Mapping):
        if value.keys() == _BOTH:
            return said_in(value[language], language)
        return {key: said_in(part, language) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [said_in(part, language) for part in value]
    return value


def task_in(data: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """The document of a task as it holds for one language."""
    return {key: said_in(value, language) if key in FIELDS else value for key, value in data.items()}
