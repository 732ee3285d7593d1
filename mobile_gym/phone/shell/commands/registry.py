"""All programs by name."""

from __future__ import annotations

from mobile_gym.phone.shell.commands import (
    am,
    awk,
    changing,
    content,
    dates,
    display,
    dumpsys,
    encodings,
    finding,
    keyboards,
    listing,
    logs,
    pm,
    processes,
    screen,
    searching,
    sed,
    services,
    settings,
    sqlite,
    switches,
    system,
    text,
    touch_and_keys,
)
from mobile_gym.phone.shell.commands.call import Command

_FAMILIES = (
    am,
    awk,
    changing,
    content,
    dates,
    display,
    dumpsys,
    encodings,
    finding,
    keyboards,
    listing,
    logs,
    pm,
    processes,
    screen,
    searching,
    sed,
    services,
    settings,
    sqlite,
    switches,
    system,
    text,
    touch_and_keys,
)

COMMANDS: dict[str, Command] = {name: command for family in _FAMILIES for name, command in family.COMMANDS.items()}
