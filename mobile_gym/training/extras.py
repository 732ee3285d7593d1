"""Libraries that come with extras: asked for only where they are needed, and named where they are missing."""

from __future__ import annotations

from importlib.util import find_spec


class MissingExtra(ImportError):
    """A library is not installed; the message names the extra that brings it."""


def need(extra: str, *libraries: str) -> None:
    """Sees to it that an extra's libraries are there.

    Args:
        extra: the extra's name.
        libraries: top-level modules.

    Raises:
        MissingExtra: one is missing.
    """
    missing = [library for library in libraries if find_spec(library) is None]
    if missing:
        raise MissingExtra(f"{', '.join(missing)} is not installed; pip install 'mobile-gym[{extra}]' brings it")
