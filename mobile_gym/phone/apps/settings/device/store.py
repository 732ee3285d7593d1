"""What the device's pages keep that is no setting of Android's: tables, facts, and the seed."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.providers import Table
from mobile_gym.phone.ui.node import FILL, Node

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.state import Database

DATABASE = "com.android.settings/device.db"
MODULE = "mobile_gym.phone.apps.settings.device"
DAYS = 7
"""Days of screen time that a phone that is lived in knows."""


def _table(name: str, sort: str = "_id") -> Table:
    return Table(DATABASE, name, name, sort=sort)


TABLES: Mapping[str, Table] = {
    "emergency_info": _table("emergency_info"),
    "emergency_contacts": _table("emergency_contacts"),
    "app_timers": _table("app_timers"),
    "app_usage": _table("app_usage", "day, package"),
    "permission_uses": _table("permission_uses", "used_ms DESC"),
    "accounts": _table("accounts"),
}


@lru_cache(maxsize=8)
def load_yaml(name: str) -> Any:
    """A data file of this part, such as `zones.yaml`."""
    text = files(MODULE).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def base(ctx: Context) -> Database:
    """The database of the device's pages."""
    return ctx.database(DATABASE)


def fact(ctx: Context, name: str, default: str = "") -> str:
    """Something that the phone knows by itself."""
    found = base(ctx).value("SELECT value FROM facts WHERE name = ?", name)
    return default if found is None else str(found)


def put_fact(ctx: Context, name: str, value: str | int) -> None:
    """Keeps a fact."""
    base(ctx).execute(
        "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        str(value),
    )


def app_op(ctx: Context, package: str, operation: str, default: bool) -> bool:
    """Whether an operation (as `appops` names it) is allowed to an app."""
    mode = ctx.phone.state.interface.get("appops", {}).get(package, {}).get(operation)
    return default if mode in (None, "default") else mode == "allow"


def set_app_op(ctx: Context, package: str, operation: str, allowed: bool) -> None:
    """Allows an operation to an app, or takes it away."""
    kept: dict[str, dict[str, str]] = ctx.phone.state.interface.setdefault("appops", {})
    kept.setdefault(package, {})[operation] = "allow" if allowed else "ignore"


def carded(row: Node, first: bool, last: bool) -> Node:
    """One row of a group, as `Group` makes them all at once; for lists that build only what shows."""
    top, bottom = (20.0 if first else 4.0), (20.0 if last else 4.0)
    surface = row.replace(bg="card", radius=(top, top, bottom, bottom))
    return Node("box", (surface,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0 if last else 2.0), hidden_from_tree=True)


def size_text(size: float) -> str:
    """An amount of storage: `1.2 GB`, `38 MB`, `512 KB`, `0 B`."""
    for unit, factor in (("GB", 1024**3), ("MB", 1024**2), ("KB", 1024)):
        if size >= factor:
            amount = size / factor
            return f"{amount:.1f} {unit}" if amount < 10 and unit != "KB" else f"{amount:.0f} {unit}"
    return f"{size:.0f} B"


def seed(phone: Phone, snapshot: str, language: str) -> None:
    """The owner's account and the network's zone; where somebody lived, screen time, uses and emergency facts too."""
    database = phone.state.database(DATABASE)
    clock = phone.state.clock
    content = load_yaml("seed.yaml")
    database.insert("facts", name="network_zone", value=clock.zone)
    database.insert("accounts", **content["account"][language], synced_ms=clock.now_ms - 35 * 60_000)
    if snapshot != "lived_in":
        return
    database.insert("facts", name="update_checked_ms", value=str(clock.now_ms - 11 * 3_600_000))
    database.insert("facts", name="backup_ms", value=str(clock.now_ms - 6 * 3_600_000))
    info = content["emergency_info"][language]
    database.update("emergency_info", 1, **info)
    for contact in content["emergency_contacts"][language]:
        database.insert("emergency_contacts", **contact)
    today = clock.now().date()
    minutes: Mapping[str, int] = content["minutes_a_day"]
    for package in phone.packages.launchable():
        usual = minutes.get(package, zlib.crc32(package.encode()) % 18 + 3)
        for back in range(DAYS):
            day = today - timedelta(days=back)
            noise = zlib.crc32(f"{package} {day}".encode()) % 61 + 70
            # The first clock is in the morning: of today there is a fifth.
            share = 0.2 if back == 0 else 1.0
            spent = round(usual * noise / 100 * share)
            if spent:
                database.insert("app_usage", package=package, day=day.isoformat(), minutes=spent)
    for use in content["permission_uses"]:
        if use["package"] in phone.packages.names():
            used = clock.now_ms - use["minutes_ago"] * 60_000
            database.insert("permission_uses", package=use["package"], permission_group=use["group"], used_ms=used)
