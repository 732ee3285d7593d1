"""Intents: what a user wants who means an element of a function, said without the element's label.

They are data: `data/intents/*.yaml`, a file or several for each app, and `common.yaml` for what all apps have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from string import Formatter
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from mobile_gym.task_registry.grounding.items import GroundingSetError
from mobile_gym.task_registry.grounding.own.elements import Element
from mobile_gym.task_registry.grounding.own.looks import load_data

FOLDER = "intents"
COMMON = "*"
SLOTS = frozenset({"label", "detail", "page", "near", "part", "number", "ordinal"})
"""What wordings may name, besides the named groups of `takes`. `part` is a part of the element's name that no rival
has, `number` and `ordinal` its label in words."""
_LEAST_WORDINGS = 2
Language = Literal["zh", "en"]
Wordings = Annotated[tuple[str, ...], Field(min_length=_LEAST_WORDINGS)]
Strings = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]


class Intent(BaseModel):
    """What is wanted of the elements that it fits: the first one of an app that fits an element is the element's.

    Attributes:
        id: patterns of resource-ids.
        screen: a pattern of the screen and its overlays, `edit/color`.
        within: a pattern of resource-ids one of which holds the element.
        role: a pattern of roles.
        label: regular expressions that the label holds, by language; where a language has none, it does not fit.
        name: which of the element's texts that have words is its name; without it the label is.
        near: whether the name is that of what the element belongs to.
        takes: regular expressions on the label, by language; their named groups are slots.
        means: intents of one meaning are rivals on a page; without it an intent means something of its own.
        most: of a page at most so many elements get it; 0 for all.
        only: elements that no wording tells from others are left out, and never spoken of by their label.
        omit: elements that mean nothing to a user are left out.
        zh: wordings.
        en: wordings.
        when_on: wordings for elements that are on.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Strings
    screen: str = "*"
    within: str = ""
    role: str = "*"
    label: dict[Language, str] = {}
    name: int | None = None
    near: bool = False
    takes: dict[Language, str] = {}
    means: str = ""
    most: int = 0
    only: bool = False
    omit: bool = False
    zh: Wordings | None = None
    en: Wordings | None = None
    when_on: dict[Language, Wordings] | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Intent:
        if not self.omit and (self.zh is None or self.en is None):
            raise ValueError(f"the intent of {', '.join(self.id)} needs wordings in zh and en, or `omit`")
        for language in ("zh", "en"):
            known = SLOTS | set(re.compile(self.takes.get(language, "")).groupindex)
            re.compile(self.label.get(language, ""))
            for wording in self._every(language):
                unknown = {slot for _, slot, _, _ in Formatter().parse(wording) if slot is not None} - known
                if unknown:
                    raise ValueError(f"{wording!r} names {', '.join(sorted(unknown))}, which there is not")
        return self

    def _every(self, language: Language) -> Iterator[str]:
        yield from (self.zh if language == "zh" else self.en) or ()
        yield from (self.when_on or {}).get(language, ())

    def wordings(self, language: str, on: bool) -> tuple[str, ...]:
        """The wordings of a language, for an element that is on or not."""
        if on and self.when_on is not None:
            return self.when_on["en" if language == "en" else "zh"]
        return (self.en if language == "en" else self.zh) or ()

    def fits(self, element: Element, role: str, language: str, screen: str) -> bool:
        """Whether it is an element's, the element's id aside."""
        if not fnmatchcase(screen, self.screen) or not fnmatchcase(role, self.role):
            return False
        if self.within and not any(fnmatchcase(name, self.within) for name in element.within):
            return False
        if self.label:
            pattern = self.label.get("en" if language == "en" else "zh")
            if pattern is None or re.search(pattern, element.label) is None:
                return False
        return not self.takes or self.groups(element.label, language) is not None

    def groups(self, label: str, language: str) -> dict[str, str] | None:
        """What `takes` finds in a label."""
        pattern = self.takes.get("en" if language == "en" else "zh")
        found = None if pattern is None else re.search(pattern, label)
        return None if found is None else {name: text or "" for name, text in found.groupdict().items()}


class IntentFile(BaseModel):
    """A file of intents of one package, or of all."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    package: str
    intents: tuple[Intent, ...]


@lru_cache(maxsize=1)
def intent_files() -> dict[str, IntentFile]:
    """All files of intents by name, in their order, those of all packages last.

    Raises:
        GroundingSetError: a file is not what it must be; the message names it.
    """
    folder = files(__package__).joinpath("data", FOLDER)
    found: dict[str, IntentFile] = {}
    for name in sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml")):
        data: Any = load_data(f"{FOLDER}/{name}")
        try:
            found[name] = IntentFile.model_validate(data)
        except ValueError as problem:
            raise GroundingSetError(f"{name}: {problem}") from None
    return dict(sorted(found.items(), key=lambda item: item[1].package == COMMON))


@lru_cache(maxsize=8192)
def _of_id(package: str, name: str) -> tuple[Intent, ...]:
    return tuple(
        intent
        for file in intent_files().values()
        if file.package in (package, COMMON)
        for intent in file.intents
        if any(fnmatchcase(name, pattern) for pattern in intent.id)
    )


def intent_of(element: Element, role: str, language: str, package: str, screen: str) -> Intent | None:
    """The intent of an element; None where it has none.

    Args:
        element: the element.
        role: by which it is spoken of.
        language: of its texts.
        package: the app.
        screen: the screen and its overlays.
    """
    fitting = (intent for intent in _of_id(package, element.id) if intent.fits(element, role, language, screen))
    return next(fitting, None)
