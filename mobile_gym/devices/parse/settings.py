"""`settings get` and `settings list`."""

from __future__ import annotations

import re

from mobile_gym.devices.parse.common import ParseError

_ERROR = re.compile(
    r"^(?:Invalid (?:namespace|command)|Invalid arguments|Bad arguments|cmd: Can't find service|Error|usage:"
    r"|Exception occurred|java\.lang\.\w+|Security exception|Unknown command)",
    re.IGNORECASE | re.MULTILINE,
)
_KEY = re.compile(r"[^\s=][^=\n]*=")


class SettingsError(ParseError):
    """The `settings` command answered with an error."""


def check_settings(text: str) -> None:
    """Raises SettingsError where an answer of `settings put`, `delete` or `reset` is an error."""
    if _ERROR.match(text.lstrip()):
        raise SettingsError("settings refused", text)


def parse_setting(text: str) -> str | None:
    """The value from `settings get`; None where it prints `null`, which is what a missing key looks like.

    Raises:
        SettingsError: it answered with nothing or an error.
    """
    value = text.removesuffix("\n").removesuffix("\r")
    if not text:
        raise SettingsError("settings get answered with nothing")
    if value.startswith(("Invalid namespace", "cmd: Can't find service")) or "\n\tat " in value:
        raise SettingsError("settings refused", text)
    return None if value == "null" else value


def parse_settings(text: str) -> dict[str, str]:
    """All of `settings list`, by key; a value may hold line ends and equals signs.

    Raises:
        SettingsError: it answered with an error.
    """
    if text.startswith(("Invalid namespace", "cmd: Can't find service")) or "\n\tat " in text:
        raise SettingsError("settings refused", text)
    found: dict[str, str] = {}
    key: str | None = None
    for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n"):
        if _KEY.match(line):
            key, _, value = line.partition("=")
            found[key] = value
        elif key is not None:
            found[key] += "\n" + line
    return found
