"""Instructions: what a user says who means one element of a screen (TransBench, section 3.4 and table 10)."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mobile_gym.task_registry.grounding.own.elements import Element
from mobile_gym.task_registry.grounding.own.looks import load_data

FILE = "instructions.yaml"
MOST_KEYS = 6
"""Keys of a pad and days of a month that one screen gives: more of them ask for more of the same."""


@dataclass(frozen=True, slots=True)
class Said:
    """An element and the one instruction that means it alone on its screen."""

    element: Element
    role: str
    text: str


def instructions_for(elements: Sequence[Element], title: str, language: str, launcher: bool = False) -> list[Said]:
    """Instructions of a screen's elements. An element that no sentence tells from all others gets none.

    Args:
        elements: all elements of the screen.
        title: the page's title.
        language: of the sentences; the elements' texts are in it too.
        launcher: whether entries are apps.
    """
    roles = {id(element): role_of(element, launcher) for element in elements}
    left_out = _left_out(elements, title)
    found = []
    for element in elements:
        if (element.role == "tab" and element.chosen) or id(element) in left_out:
            continue
        role = roles[id(element)]
        rivals = [
            other for other in elements if other is not element and fits(element.label, role, other, roles[id(other)])
        ]
        if not rivals:
            text = _sentence(role, language, element, title)
        elif _told(rivals, element) and "told" in _roles()[role]:
            text = str(_roles()[role]["told"][language]).format(label=element.label, detail=element.detail, page=title)
        else:
            continue
        found.append(Said(element, role, text))
    counts = Counter(said.text for said in found)
    return [said for said in found if counts[said.text] == 1]


def _left_out(elements: Sequence[Element], title: str) -> set[int]:
    """Keys beyond the most, the same ones in every rendering that has them all."""
    keys = [element for element in elements if element.role == "key"]
    keys.sort(key=lambda element: (zlib.crc32(f"{title}/{element.label}".encode()), element.label))
    return {id(element) for element in keys[MOST_KEYS:]}


def fits(label: str, role: str, other: Element, other_role: str) -> bool:
    """Whether an instruction for a label and a role could mean another element too."""
    wanted = _folded(label)
    names = {_folded(other.label), *(_folded(text) for text in other.texts)}
    if role == "back":
        return other_role == "back"
    if wanted not in names:
        return False
    return not _distinct(role, other_role)


def role_of(element: Element, launcher: bool = False) -> str:
    """The role by which an element is spoken of: whether a switch is turned on or off depends on how it stands."""
    if element.role == "switch":
        return "switch_off" if element.checked else "switch_on"
    if element.role == "checkbox" and element.checked:
        return "checkbox_off"
    if launcher and element.role in ("row", "entry", "picture"):
        return "app"
    return element.role


def _told(rivals: Sequence[Element], element: Element) -> bool:
    """Whether its detail tells an element from all that have its label."""
    detail = _folded(element.detail)
    return bool(detail) and all(detail not in {_folded(text) for text in rival.texts} for rival in rivals)


def _sentence(role: str, language: str, element: Element, title: str) -> str:
    sentences = _roles()[role][language]
    draw = zlib.crc32(f"{title}/{element.label}/{role}".encode())
    return str(sentences[draw % len(sentences)]).format(label=element.label, detail=element.detail, page=title)


def _distinct(one: str, other: str) -> bool:
    return any({one, other} == set(pair) for pair in load_data(FILE)["distinct"])


def _roles() -> dict[str, Any]:
    roles: dict[str, Any] = load_data(FILE)["roles"]
    return roles


def _folded(text: str) -> str:
    return "".join(text.casefold().split())
