"""Formats in which models print actions, and one function to read them all.

A parser never raises for what a model wrote, never makes up a point and never takes an action from prose: what can be
read is read and flagged, what cannot is an error that costs a turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType

import yaml

from mobile_gym.policies.formats import autoglm, cogagent, gui_owl, plain, qwen, ui_tars, ui_venus
from mobile_gym.policies.formats.base import SPACES, Flag, Parsed, Parser, Screen, Space, adapted
from mobile_gym.policies.formats.reading import run

__all__ = [
    "FORMATS",
    "SPACES",
    "Flag",
    "Format",
    "ModelTraits",
    "Parsed",
    "Screen",
    "Space",
    "adapted",
    "format_named",
    "parse",
    "traits_of",
]


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    Attributes:
        name: its name.
        parser: what reads it.
        space: how its models count where nothing else is declared.
        factor: sides of pictures for it are multiples of this.
    """

    name: str
    parser: Parser
    space: Space
    factor: int = 1


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        found.name: found
        for found in (
            Format("ui_tars", ui_tars.parse, "thousand", 28),
            Format("autoglm", autoglm.parse, "thousand", 28),
            Format("qwen", qwen.parse, "pixels", 28),
            Format("ui_venus", ui_venus.parse, "pixels", 28),
            Format("gui_owl", gui_owl.parse, "pixels", 28),
            Format("cogagent", cogagent.parse, "thousand", 14),
            Format("json", plain.parse, "frame"),
        )
    }
)
"""All formats by name."""


@dataclass(frozen=True, slots=True)
class ModelTraits:
    """How a model prints actions.

    Attributes:
        format: the format's name.
        space: how it counts.
        factor: sides of its pictures are multiples of this.
        known: whether a rule knows the model, or its format was told; else this is a guess.
    """

    format: str
    space: Space
    factor: int
    known: bool = True


def format_named(name: str) -> Format:
    """A format by its name; dashes and case don't matter.

    Raises:
        ValueError: there is none of that name; lists those that there are.
    """
    found = FORMATS.get(name.lower().replace("-", "_"))
    if found is None:
        raise ValueError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return found


def _squeezed(name: str) -> str:
    """A name without what people leave out of names; a dot stays, as versions have one."""
    return re.sub(r"[-_\s/:]", "", name.lower())


def traits_of(model: str, format: str | None = None, space: str | None = None) -> ModelTraits:
    """How a model prints actions, by its name; `json` for one that no rule knows, and then `known` is false.

    Case, dashes, underscores and blanks in the name don't matter: `qwen2.5vl:7b` is Qwen2.5-VL.

    Args:
        model: the model's name.
        format: the format, where it is told.
        space: how it counts, where it is told.

    Raises:
        ValueError: there is no such format or space.
    """
    rules = yaml.safe_load(files(__package__).joinpath("models.yaml").read_text("utf-8"))
    rule = next((one for one in rules if _squeezed(one["name"]) in _squeezed(model)), None)
    told = format_named(format) if format is not None else None
    if rule is None or (told is not None and told.name != rule["format"]):
        chosen = told or FORMATS["json"]
        traits = ModelTraits(chosen.name, chosen.space, chosen.factor, known=told is not None)
    else:
        traits = ModelTraits(rule["format"], rule["space"], rule["factor"])
    if space is None:
        return traits
    for known in SPACES:
        if known == space:
            return replace(traits, space=known)
    raise ValueError(f"there is no space {space!r}; there are {', '.join(SPACES)}")


def parse(format: str, text: str, screen: Screen, declared_space: Space | None = None, cut_off: bool = False) -> Parsed:
    """Reads a model's answer.

    Args:
        format: the format's name.
        text: the answer, whatever it holds.
        screen: the screen that it speaks of.
        declared_space: how the model counts; the format's usual way where not given.
        cut_off: whether the endpoint cut the answer off (`finish_reason: length`); then nothing is added to a call,
            and no action ends the episode.

    Returns:
        The action, or why there is none; never an exception for what the text holds.

    Raises:
        ValueError: there is no such format.
    """
    found = format_named(format)
    return run(found.parser, text, screen, declared_space or found.space, cut_off)
