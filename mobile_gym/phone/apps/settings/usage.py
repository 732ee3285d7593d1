"""Which app used how much battery and data: no measurement, but the same on every phone with the same apps."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import yaml

from mobile_gym.phone.system.app import Context, LauncherIcon
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import AppDisc


@dataclass(frozen=True, slots=True)
class Use:
    """What one app used; `amount` is percent of the battery or megabytes."""

    package: str
    label: str
    icon: LauncherIcon
    amount: float

    def disc(self, size: float) -> Node:
        """The app's icon."""
        return AppDisc(self.icon, size)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, int]]:
    text = files("mobile_gym.phone.apps.settings").joinpath("usage.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, int]] = yaml.safe_load(text)
    return found


def _uses(ctx: Context, kind: str, total: float) -> list[Use]:
    parts = {
        package: _table()[kind].get(package, zlib.crc32(f"{kind} {package}".encode()) % 23 + 2)
        for package in ctx.phone.packages.launchable()
    }
    whole = sum(parts.values()) or 1
    uses = []
    for package, part in parts.items():
        app = ctx.phone.apps[package]
        if part and app.icon is not None:
            uses.append(Use(package, app.label(ctx.language), app.icon, total * part / whole))
    return sorted(uses, key=lambda use: (-use.amount, use.package))


def data_usage(ctx: Context, total_mb: float) -> list[Use]:
    """Apps by the mobile data that they used, megabytes; the most first."""
    return _uses(ctx, "data", total_mb)


def battery_usage(ctx: Context, total_percent: float) -> list[Use]:
    """Apps by the battery that they used, percent of a full one; the most first."""
    return _uses(ctx, "battery", total_percent)
