"""What only older versions of the apps had: rows and actions that fit a page, and what a user wants of them."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from mobile_gym.task_registry.grounding.own.elements import Element
from mobile_gym.task_registry.grounding.own.intents import Intent
from mobile_gym.task_registry.grounding.own.looks import load_data

FILE = "retired.yaml"
ADDED = "old"
"""What the origins of elements begin with that an older version alone has."""
Entry = dict[str, Any]


def retired(kind: str, package: str, screen: str) -> list[Entry]:
    """The entries that fit a screen.

    Args:
        kind: `rows` or `actions`.
        package: the app.
        screen: the screen, without overlays.
    """
    return [
        entry
        for group in load_data(FILE)[kind]
        if group["package"] == package and any(fnmatchcase(screen, pattern) for pattern in group["screens"])
        for entry in group["entries"]
    ]


def notices(package: str, language: str) -> list[str]:
    """What strips under the bar of an app told."""
    return [entry[language] for entry in load_data(FILE)["notices"] if entry["package"] == package]


@lru_cache(maxsize=2)
def earlier_names(language: str) -> dict[str, str]:
    """What whole texts were before."""
    return {entry[language][0]: entry[language][1] for entry in load_data(FILE)["names"]}


def retired_intent(element: Element, package: str, language: str) -> Intent | None:
    """What is wanted of an element that an older version of an app alone has; None for all others."""
    return _wishes(language).get((package, element.label)) if element.origin.startswith(ADDED) else None


@lru_cache(maxsize=2)
def _wishes(language: str) -> dict[tuple[str, str], Intent]:
    data = load_data(FILE)
    return {
        (group["package"], entry[language]): Intent.model_validate({"id": "*", **entry["wish"]})
        for kind in ("rows", "actions")
        for group in data[kind]
        for entry in group["entries"]
    }
