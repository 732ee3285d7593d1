"""Instructions: what a user says who means one element of a screen (TransBench, section 3.4 and table 10).

An element of a known function is spoken of by what the user wants of it (`intents`); another one by its label.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

from mobile_gym.task_registry.grounding.own.elements import Element
from mobile_gym.task_registry.grounding.own.intents import Intent, intent_of
from mobile_gym.task_registry.grounding.own.looks import load_data
from mobile_gym.task_registry.grounding.own.naming import folded, holds, is_wordy, number_words, ordinal, part_of
from mobile_gym.task_registry.grounding.own.retired import retired_intent

FILE = "instructions.yaml"
MOST_KEYS = 6
"""Keys of a pad and days of a month that one screen gives: more of them ask for more of the same."""
_INNER_QUOTES = str.maketrans({"“": "‘", "”": "’"})
LEAST_ASKED = 2
"""Pages with fewer elements that are spoken of are left out."""
_NAMES = frozenset({"label", "part", "near", "detail"})
"""Slots that are names: what they say must not be a part of a rival's texts."""


@dataclass(frozen=True, slots=True)
class Said:
    """An element and the one instruction that means it alone on its screen."""

    element: Element
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where elements are.

    Attributes:
        title: the page's title.
        language: of the texts.
        package: the app; empty where it is unknown, and elements have no intents.
        screen: the screen and its overlays, `edit/color`.
        launcher: whether entries are apps.
    """

    title: str
    language: str
    package: str = ""
    screen: str = ""
    launcher: bool = False

    @property
    def name(self) -> str:
        """The title as a part of a sentence: without its own end, and with inner quotes."""
        return self.title.rstrip("？?。.！!…").translate(_INNER_QUOTES)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An element with its intent and all that wordings may name of it."""

    element: Element
    role: str
    intent: Intent
    slots: dict[str, str]

    @property
    def meaning(self) -> tuple[str, bool]:
        return self.intent.means or f"{id(self.intent)}", self.on

    @property
    def on(self) -> bool:
        return self.role.endswith("_off")


def instructions_for(elements: Sequence[Element], place: Place) -> list[Said]:
    """Instructions of a screen's elements. An element that no sentence tells from all others gets none.

    Args:
        elements: all elements of the screen.
        place: where they are.
    """
    roles = [role_of(element, place.launcher) for element in elements]
    wanted = _wanted(elements, roles, place)
    said = {**_by_label(elements, roles, wanted, place), **_by_intent(wanted, place)}
    found = [Said(elements[number], roles[number], said[number]) for number in sorted(said)]
    counts = Counter(folded(one.text) for one in found)
    found = [one for one in found if counts[folded(one.text)] == 1]
    left_out = _left_out([one.element for one in found], wanted.values(), place.title)
    return [one for one in found if id(one.element) not in left_out]


def is_worth_asking(said: Sequence[Said]) -> bool:
    """Whether a page has more to ask for than one thing or a way back."""
    return len(said) >= LEAST_ASKED and any(one.role != "back" for one in said)


# ---- by intent


def _wanted(elements: Sequence[Element], roles: Sequence[str], place: Place) -> dict[int, _Wanted]:
    """Elements with an intent, by number; an intent that is left out is among them."""
    found: dict[int, tuple[Element, str, Intent]] = {}
    for number, (element, role) in enumerate(zip(elements, roles, strict=True)):
        intent = retired_intent(element, place.package, place.language)
        if intent is None and place.package:
            intent = intent_of(element, role, place.language, place.package, place.screen)
        if intent is not None:
            found[number] = element, role, intent
    return {
        number: _Wanted(element, role, intent, _slots(element, intent, found, number, place))
        for number, (element, role, intent) in found.items()
    }


def _slots(
    element: Element, intent: Intent, every: dict[int, tuple[Element, str, Intent]], number: int, place: Place
) -> dict[str, str]:
    language = place.language
    name = _name(element, intent)
    meant = intent.means or intent
    rivals = [
        _name(other, theirs)
        for rank, (other, _, theirs) in every.items()
        if rank != number and (theirs.means or theirs) == meant
    ]
    return {
        "label": element.label,
        "detail": element.detail,
        "page": place.name,
        "near": part_of(element.near, language, ()) if element.near else "",
        "part": part_of(name, language, rivals),
        "number": number_words(element.label, language),
        "ordinal": ordinal(element.label, language),
        **(intent.groups(element.label, language) or {}),
    }


def _name(element: Element, intent: Intent) -> str:
    """What an element is called: its label, another text of it, or what it belongs to."""
    if intent.near:
        return element.near
    words = [text for text in element.texts if is_wordy(text)]
    if intent.name is None:
        return element.label
    return words[intent.name] if intent.name < len(words) else ""


def _by_intent(wanted: dict[int, _Wanted], place: Place) -> dict[int, str]:
    """One wording for each element that some wording tells from all with the same intent."""
    every = {
        number: {wording: _filled(wording, one) for wording in one.intent.wordings(place.language, one.on)}
        for number, one in wanted.items()
    }
    counts = Counter(text for texts in every.values() for text in {folded(text) for text in texts.values() if text})
    found = {}
    for number, one in wanted.items():
        rivals = [other for rank, other in wanted.items() if rank != number and other.meaning == one.meaning]
        fitting = [
            text
            for wording, text in every[number].items()
            if text and counts[folded(text)] == 1 and all(_told(wording, one, rival) for rival in rivals)
        ]
        # A wording that does without the label says more of what the user wants.
        free = [text for text in fitting if not holds(text, one.element.label)]
        if fitting and not (one.element.role == "tab" and one.element.chosen):
            found[number] = _draw(free or fitting, f"{place.title}/{one.element.label}/{one.element.id}")
    return found


def _filled(wording: str, one: _Wanted) -> str:
    """A wording with its slots; empty where the element has nothing to fill one with."""
    used = _used(wording)
    if any(not one.slots.get(slot) for slot in used) or ("near" in used and not is_wordy(one.slots["near"])):
        return ""
    return wording.format(**one.slots)


def _told(wording: str, one: _Wanted, rival: _Wanted) -> bool:
    """Whether a wording's slots tell an element from a rival of the same intent."""
    own = [folded(text) for text in (rival.element.label, rival.slots["part"], *rival.element.texts)]
    for slot in _used(wording) & (set(rival.slots) - {"page"}):
        said, theirs = folded(one.slots[slot]), folded(rival.slots[slot])
        # A name may be a part of another one; of numbers and what a label's pattern takes, the whole is said.
        if said != theirs and (slot not in _NAMES or all(said not in text for text in (*own, theirs))):
            return True
    return False


def _used(wording: str) -> frozenset[str]:
    return frozenset(slot for _, slot, _, _ in Formatter().parse(wording) if slot)


# ---- by label


def _by_label(
    elements: Sequence[Element], roles: Sequence[str], wanted: dict[int, _Wanted], place: Place
) -> dict[int, str]:
    found = {}
    for number, element in enumerate(elements):
        if element.role == "tab" and element.chosen:
            continue
        omitted = number in wanted and (wanted[number].intent.omit or wanted[number].intent.only)
        if omitted or (element.role != "back" and not is_wordy(element.label)):
            continue
        role = roles[number]
        rivals = [
            other
            for rank, other in enumerate(elements)
            if rank != number and fits(element.label, role, other, roles[rank])
        ]
        if not rivals:
            found[number] = _sentence(role, element, place)
        elif _detailed(rivals, element) and "told" in _roles()[role]:
            text = str(_roles()[role]["told"][place.language])
            found[number] = text.format(label=element.label, detail=element.detail, page=place.name)
    return found


def _left_out(elements: Sequence[Element], wanted: Iterable[_Wanted], title: str) -> set[int]:
    """Elements beyond the most of their kind, the same ones in every rendering that has them all."""
    groups: dict[tuple[str, int], list[Element]] = {}
    limits = {id(one.element): (str(id(one.intent)), one.intent.most) for one in wanted if one.intent.most}
    for element in elements:
        group = limits.get(id(element)) or (("key", MOST_KEYS) if element.role == "key" else None)
        if group is not None:
            groups.setdefault(group, []).append(element)
    found = set()
    for (_, most), members in groups.items():
        members.sort(key=lambda element: (zlib.crc32(f"{title}/{element.label}".encode()), element.label))
        found |= {id(element) for element in members[most:]}
    return found


def fits(label: str, role: str, other: Element, other_role: str) -> bool:
    """Whether an instruction for a label and a role could mean another element too."""
    wanted = folded(label)
    names = {folded(other.label), *(folded(text) for text in other.texts)}
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


def _detailed(rivals: Sequence[Element], element: Element) -> bool:
    """Whether its detail tells an element from all that have its label."""
    detail = folded(element.detail)
    return bool(detail) and all(detail not in {folded(text) for text in rival.texts} for rival in rivals)


def _sentence(role: str, element: Element, place: Place) -> str:
    text = _draw(_roles()[role][place.language], f"{place.title}/{element.label}/{role}")
    return text.format(label=element.label, detail=element.detail, page=place.name)


def _draw(texts: Sequence[str], key: str) -> str:
    return texts[zlib.crc32(key.encode()) % len(texts)]


def _distinct(one: str, other: str) -> bool:
    return any({one, other} == set(pair) for pair in load_data(FILE)["distinct"])


def _roles() -> dict[str, Any]:
    roles: dict[str, Any] = load_data(FILE)["roles"]
    return roles
