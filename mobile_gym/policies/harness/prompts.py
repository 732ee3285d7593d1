"""Prompts, out of data files: one a format, and one that all share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, Literal

import yaml

from mobile_gym.envs.actions import ActionType
from mobile_gym.policies.formats import ModelTraits

Language = Literal["zh", "en"]


class Prompts:
    """The sentences of one format in one language.

    Args:
        traits: the format and how the model counts.
        language: of the prompts; thoughts follow it.
    """

    def __init__(self, traits: ModelTraits, language: Language) -> None:
        if language not in ("zh", "en"):
            raise ValueError(f"the language is zh or en, not {language!r}")
        self._traits = traits
        self._language = language
        self._format = _file(traits.format)

    def system(self, allowed: Sequence[int], shown: tuple[int, int], state_rule: str = "") -> str:
        """What the model is told first.

        Args:
            allowed: the action mask; only actions that the task allows are listed.
            shown: (width, height) of the pictures.
            state_rule: the name of the sentence about state tracking, or empty.
        """
        kinds = {kind.word for kind in ActionType if allowed[kind]}
        lines = [
            f"- {action['write']}  {action[self._language]}"
            for action in self._format["actions"]
            if kinds & set(action["kinds"])
        ]
        space = Template(_file("common")["space"][self._traits.space][self._language])
        parts = [
            self.say("role"),
            self._format["answer"][self._language],
            "\n".join([self.say("actions_title"), *lines]),
            space.substitute(width=shown[0], height=shown[1]),
            self.say("rules"),
        ]
        if state_rule:
            parts.append(self.say(state_rule))
        return "\n\n".join(parts)

    def say(self, name: str, **values: object) -> str:
        """A shared sentence, filled in."""
        return Template(_file("common")[name][self._language]).substitute(values)


@cache
def _file(name: str) -> Any:
    folder = files("mobile_gym.policies").joinpath("prompts")
    return yaml.safe_load(folder.joinpath(f"{name}.yaml").read_text("utf-8"))
