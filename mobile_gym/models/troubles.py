"""What an endpoint's error means: whether the chat was too long, or the trouble passes by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error that an endpoint tells.

    Attributes:
        told: its words.
        codes: its codes and types, in lower case.
    """

    told: str
    codes: frozenset[str] = frozenset()

    @property
    def too_long(self) -> bool:
        """Whether the chat is longer than the model's context."""
        return self._is("too_long")

    @property
    def passing(self) -> bool:
        """Whether the same request may go well later."""
        return not self.too_long and self._is("passing")

    def _is(self, kind: str) -> bool:
        codes, words = _known(kind)
        return bool(codes & self.codes) or words.search(self.told[:_LONGEST]) is not None


def trouble_in(data: object) -> Trouble | None:
    """The error that an answer holds, if any."""
    if not isinstance(data, Mapping):
        return None
    error = data.get("error") or data.get("detail")
    if not error and data.get("object") == "error":
        error = data
    if not error:
        return None
    if not isinstance(error, Mapping):
        return Trouble(error if isinstance(error, str) else json.dumps(error, ensure_ascii=False), _codes(data))
    told = error.get("message")
    return Trouble(told if isinstance(told, str) and told else json.dumps(error, ensure_ascii=False), _codes(error))


def trouble_of(text: str) -> Trouble:
    """The error that a body tells, JSON or not."""
    try:
        found = trouble_in(json.loads(text))
    except (ValueError, RecursionError):
        found = None
    return found or Trouble(text)


def _codes(error: Mapping[str, Any]) -> frozenset[str]:
    values = (error.get(name) for name in ("code", "type", "status"))
    return frozenset(str(value).lower() for value in values if isinstance(value, str | int))


@cache
def _known(kind: str) -> tuple[frozenset[str], re.Pattern[str]]:
    table = yaml.safe_load(files(__package__).joinpath("troubles.yaml").read_text("utf-8"))[kind]
    return frozenset(table["codes"]), re.compile("|".join(table["words"]), re.IGNORECASE)
