"""Sounds that the phone comes with: ringtones, notification sounds, alarm sounds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

KINDS = ("ringtone", "notification", "alarm")
SILENT = "silent"
"""The name that stands for no sound."""


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:
    text = files("mobile_gym.phone.system").joinpath("tones.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = yaml.safe_load(text)
    return found


def tone_names(kind: str) -> tuple[str, ...]:
    """Names of the sounds of a kind (`ringtone`, `notification`, `alarm`), in the order of the list."""
    return tuple(_table()[kind])


def tone_label(name: str, language: str) -> str:
    """What people call a sound; a name that the phone doesn't know is shown as it is (a file of the user's)."""
    table = _table()
    if name == SILENT:
        return str(table[SILENT][language])
    for kind in KINDS:
        if name in table[kind]:
            return str(table[kind][name][language])
    return name
