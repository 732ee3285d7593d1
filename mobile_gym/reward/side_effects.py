"""Side effects: what an episode changed on the device beyond what its task asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from mobile_gym.assets.base import row_path
from mobile_gym.devices.base import Capability, Device, Row
from mobile_gym.devices.errors import CommandFailed
from mobile_gym.reward.world import World

NAMESPACES = ("system", "secure", "global")


@dataclass(frozen=True, slots=True)
class Provider:
    """A content provider that is watched.

    Attributes:
        uri: its URI.
        id: the column that tells rows apart.
        volatile: patterns of columns that change by mere use.
    """

    uri: str
    id: str = "_id"
    volatile: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Watch:
    """Where side effects are looked for.

    Attributes:
        settings: whether the settings are.
        packages: whether the installed packages are.
        providers: the providers.
        roots: directories whose files are.
        volatile_settings: patterns of settings that change by mere use.
        volatile_rows: patterns of rows that change by mere use.
        volatile_files: patterns of files that change by mere use.
        volatile_columns: patterns of columns, of any provider, that change by mere use.
        unwatched: what this device does not let be watched, and why.
    """

    settings: bool
    packages: bool
    providers: tuple[Provider, ...]
    roots: tuple[str, ...]
    volatile_settings: tuple[str, ...]
    volatile_rows: tuple[str, ...]
    volatile_files: tuple[str, ...]
    volatile_columns: tuple[str, ...] = ()
    unwatched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two looks at a device.

    Attributes:
        path: `system/font_scale`, `content://sms/7`, `package/com.example` or a file's path.
        before: what was there, None where nothing was.
        after: what is there now, None where nothing is.
    """

    path: str
    before: Any
    after: Any

    def __str__(self) -> str:
        if self.before is None:
            return f"{self.path} added: {_brief(self.after)}"
        if self.after is None:
            return f"{self.path} removed: {_brief(self.before)}"
        if isinstance(self.before, Mapping) and isinstance(self.after, Mapping):
            columns = [name for name in self.after if self.before.get(name) != self.after[name]]
            parts = (f"{name} {self.before.get(name)!r} -> {self.after[name]!r}" for name in columns)
            return f"{self.path} changed: {', '.join(parts)}"
        return f"{self.path} changed: {self.before!r} -> {self.after!r}"


def _brief(value: Any) -> str:
    text = ", ".join(f"{name}={item!r}" for name, item in value.items()) if isinstance(value, Mapping) else repr(value)
    limit = 200
    return text if len(text) <= limit else text[:limit] + "…"


def _patterns(entries: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    return tuple(entry["pattern"] for entry in entries)


@cache
def _watched() -> Watch:
    text = files("mobile_gym.reward").joinpath("watched.yaml").read_text("utf-8")
    data: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    everywhere = _patterns(data["rows"]["volatile_columns"])
    providers = tuple(
        Provider(entry["uri"], entry.get("id", "_id"), (*everywhere, *_patterns(entry.get("volatile", ()))))
        for entry in data["providers"]
    )
    return Watch(
        settings=True,
        packages=True,
        providers=providers,
        roots=tuple(data["files"]["roots"]),
        volatile_settings=_patterns(data["settings"]["volatile"]),
        volatile_rows=_patterns(data["rows"]["volatile"]),
        volatile_columns=everywhere,
        volatile_files=_patterns(data["files"]["volatile"]),
    )


def watch_for(device: Device, world: World, uris: Iterable[str] = ()) -> Watch:
    """What can be watched on a device: the standard list, and further providers that a task names or the device offers.

    Args:
        device: the device.
        world: a look at it, which reads every provider on the way.
        uris: further providers.
    """
    standard = _watched()
    known = {provider.uri for provider in standard.providers}
    offered = getattr(device, "stored_tables", None)
    extra = sorted({*uris, *(offered() if callable(offered) else ())} - known)
    unwatched: list[str] = []
    providers = []
    stored = [uri for uri in extra if not uri.startswith("content://mobile_gym.")]
    further = [Provider(uri, volatile=standard.volatile_columns) for uri in stored]
    for provider in (*standard.providers, *further):
        try:
            world.rows(provider.uri)
        except CommandFailed as error:
            unwatched.append(f"{provider.uri}: {error}")
        else:
            providers.append(provider)
    roots = []
    for root in standard.roots:
        try:
            world.file_stamps(root)
        except CommandFailed as error:
            unwatched.append(f"files below {root}: {error}")
        else:
            roots.append(root)
    packages = Capability.SHELL in device.capabilities
    if packages:
        try:
            world.packages()
        except CommandFailed as error:
            packages = False
            unwatched.append(f"packages: {error}")
    settings = Capability.SETTINGS in device.capabilities
    return replace(
        standard,
        settings=settings,
        packages=packages,
        providers=tuple(providers),
        roots=tuple(roots),
        unwatched=tuple(unwatched),
    )


def look_at(world: World, watch: Watch) -> None:
    """Reads all that is watched, so that a frozen look holds it."""
    for _ in _pairs(world, world, watch):
        pass


def _matches_any(path: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def _changed_rows(old: Sequence[Row], new: Sequence[Row], provider: Provider) -> tuple[dict[str, Row], dict[str, Row]]:
    """The rows that differ, by path, without their volatile columns."""
    before = {row_path(provider.uri, row, provider.id): row for row in old}
    after = {row_path(provider.uri, row, provider.id): row for row in new}
    differing = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    columns = {name for row in (*old[:1], *new[:1]) for name in row}
    steady = {name for name in columns if not _matches_any(name, provider.volatile)}

    def kept(rows: Mapping[str, Row]) -> dict[str, Row]:
        return {
            path: {name: value for name, value in rows[path].items() if name in steady}
            for path in differing
            if path in rows
        }

    return kept(before), kept(after)


def _pairs(before: World, after: World, watch: Watch) -> Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    if watch.settings:
        for namespace in NAMESPACES:
            old, new = before.settings(namespace), after.settings(namespace)
            if old is not new:
                yield _prefixed(namespace, old), _prefixed(namespace, new)
    for provider in watch.providers:
        old_rows, new_rows = before.rows(provider.uri), after.rows(provider.uri)
        if old_rows is not new_rows and old_rows != new_rows:
            yield _changed_rows(old_rows, new_rows, provider)
    for root in watch.roots:
        yield before.file_stamps(root), after.file_stamps(root)
    if watch.packages:
        yield _prefixed("package", before.packages()), _prefixed("package", after.packages())


def _prefixed(prefix: str, values: Mapping[str, str]) -> dict[str, str]:
    return {f"{prefix}/{name}": value for name, value in values.items()}


def changes(before: World, after: World, watch: Watch) -> tuple[Change, ...]:
    """All changes between two looks that use alone does not explain, in a fixed order."""
    found = []
    volatile = (*watch.volatile_settings, *watch.volatile_rows, *watch.volatile_files)
    for old, new in _pairs(before, after, watch):
        if old == new:
            continue
        for path in sorted({*old, *new}):
            if old.get(path) != new.get(path) and not _matches_any(path, volatile):
                found.append(Change(path, old.get(path), new.get(path)))
    return tuple(found)


def unexpected(found: Iterable[Change], allowed: Iterable[str], claims: Iterable[str]) -> tuple[Change, ...]:
    """The changes that neither a pattern of the task nor a criterion accounts for.

    Rows about an app (its icon on the home screen) that went with an app that was meant to go are accounted for.
    """
    patterns, accounted, all_found = tuple(allowed), frozenset(claims), tuple(found)

    def meant(change: Change) -> bool:
        comes_or_goes = change.before is None or change.after is None
        return (
            change.path in accounted
            or (comes_or_goes and f"{change.path}#row" in accounted)
            or _matches_any(change.path, patterns)
        )

    gone = {change.path for change in all_found if change.after is None and meant(change)}

    def went_along(change: Change) -> bool:
        row = change.before
        return change.after is None and isinstance(row, Mapping) and f"package/{row.get('package')}" in gone

    return tuple(change for change in all_found if not meant(change) and not went_along(change))
