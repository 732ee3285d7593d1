"""Packages, launchers and what the package manager says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mobile_gym.devices.parse.common import ParseError, android_integer, lines

_NAME = re.compile(r"[A-Za-z][\w]*(?:\.[\w]+)*")
_COMPONENT = re.compile(r"^\s*([A-Za-z][\w.]*)/([\w.$]+)\s*$")
_VERSION_CODE = re.compile(r"versionCode=(\d+)")
_VERSION_NAME = re.compile(r"versionName=(.*)")


class PackagesError(ParseError):
    """The package manager answered with an error, or not at all."""


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """What `dumpsys package` tells of one package."""

    version_name: str
    version_code: int


def parse_packages(text: str) -> list[str]:
    """Names from `pm list packages`, sorted, also with `-f` (`package:/path/base.apk=name`), `-U` and version codes.

    Raises:
        PackagesError: the answer is an error. No packages is no error.
    """
    names: set[str] = set()
    other: list[str] = []
    for line in lines(text):
        line = line.strip()
        if not line.startswith("package:"):
            if line:
                other.append(line)
            continue
        word = line.removeprefix("package:").split(" ")[0]
        name = word.rpartition("=")[2] if word.startswith("/") else word
        if _NAME.fullmatch(name):
            names.add(name)
    if not names and other:
        raise PackagesError("expected package:NAME lines", text)
    return sorted(names)


def parse_launchers(text: str) -> dict[str, str]:
    """Launcher activity by package, from `cmd package query-activities --brief` or `resolve-activity --brief`.

    The first one a package counts; class names are in full.
    """
    found: dict[str, str] = {}
    for line in lines(text):
        match = _COMPONENT.match(line)
        if match is not None:
            name = match[2]
            found.setdefault(match[1], match[1] + name if name.startswith(".") else name)
    return found


def parse_package_facts(text: str) -> PackageFacts:
    """Version of a package, from `dumpsys package NAME`; the first one listed is in use.

    Raises:
        PackagesError: the package is not installed.
    """
    code = _VERSION_CODE.search(text)
    if code is None:
        raise PackagesError("the package is not installed", text)
    name = _VERSION_NAME.search(text)
    return PackageFacts(name[1].strip() if name else "", android_integer(code[1]) or 0)
