"""All programs by name."""

from __future__ import annotations

from importlib import import_module

from mobile_gym.phone.shell.commands.call import Command

_FAMILIES = (
    "am",
    "awk",
    "changing",
    "content",
    "dates",
    "display",
    "dumpsys",
    "encodings",
    "finding",
    "keyboards",
    "listing",
    "logs",
    "pm",
    "processes",
    "screen",
    "searching",
    "sed",
    "services",
    "settings",
    "sqlite",
    "switches",
    "system",
    "text",
    "touch_and_keys",
)
"""Modules beside this one, each with its programs in `COMMANDS`."""


def _programs(family: str) -> dict[str, Command]:
    programs: dict[str, Command] = import_module(f"{__package__}.{family}").COMMANDS
    return programs


COMMANDS = {name: program for family in _FAMILIES for name, program in _programs(family).items()}
