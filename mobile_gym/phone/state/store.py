"""Everything a phone is: databases, settings, files, interface state, clock and generator."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from mobile_gym.phone.state.clock import VirtualClock
from mobile_gym.phone.state.database import Database
from mobile_gym.phone.state.files import VirtualFiles
from mobile_gym.phone.state.settings_store import SettingsStore
from mobile_gym.phone.state.snapshots import Snapshot, freeze, thaw


class PhoneState:
    """The mutable state of one phone.

    `interface` is plain data only (dicts, lists, text, numbers, booleans, None): activity stacks with their text fields
    and scroll offsets, packages, notifications, clipboard. Whatever is not in here does not survive a snapshot.

    Args:
        clock: the virtual clock.
        seed: the seed of the phone's generator.
        make_database: gives the image of a database that is opened for the first time, by `package/name`.
    """

    def __init__(self, clock: VirtualClock, seed: int, make_database: Callable[[str], bytes]) -> None:
        self.clock = clock
        self.settings = SettingsStore()
        self.files = VirtualFiles()
        self.interface: dict[str, Any] = {}
        self._databases: dict[str, Database] = {}
        self._make_database = make_database
        self._seed = seed
        self._drawn = 0
        self._dropped = 0

    def database(self, name: str) -> Database:
        """The database called `package/name`; made from its schema when first touched."""
        found = self._databases.get(name)
        if found is None:
            found = self._databases[name] = Database(self._make_database(name))
        return found

    def database_names(self) -> list[str]:
        """Names of the databases that exist, sorted."""
        return sorted(self._databases)

    def drop_database(self, name: str) -> None:
        """Forgets a database; the next touch makes it anew from its schema."""
        found = self._databases.pop(name, None)
        if found is not None:
            # What the version counted stays counted: it never comes back to a value that it had.
            self._dropped += found.version + 1
            found.close()

    def data_version(self) -> tuple[int, ...]:
        """Changes whenever a row, a setting or a file changes; cheap, for those who cache what they read."""
        databases = self._databases
        return (
            self.settings.version,
            self.files.version,
            len(databases),
            self._dropped + sum(database.version for database in databases.values()),
        )

    def random(self) -> float:
        """The next number in [0, 1) of the phone's own generator."""
        self._drawn += 1
        return random.Random(f"{self._seed}/{self._drawn}").random()

    def reseed(self, seed: int) -> None:
        """Starts the generator anew."""
        self._seed = seed
        self._drawn = 0

    def save(self) -> Snapshot:
        """The whole state as one immutable value."""
        return Snapshot(
            databases={name: database.image() for name, database in self._databases.items()},
            settings=self.settings.dump(),
            files=self.files.dump(),
            interface=freeze(self.interface),
            now_ms=self.clock.now_ms,
            boot_ms=self.clock.boot_ms,
            zone=self.clock.zone,
            rng=(self._seed, self._drawn),
        )

    def load(self, snapshot: Snapshot) -> None:
        """Makes this state the one that a snapshot holds."""
        for name in [name for name in self._databases if name not in snapshot.databases]:
            self.drop_database(name)
        for name, image in snapshot.databases.items():
            found = self._databases.get(name)
            if found is None:
                self._databases[name] = Database(image)
            else:
                found.restore(image)
        self.settings.restore(snapshot.settings)
        self.files.restore(snapshot.files)
        self.interface = thaw(snapshot.interface)
        self.clock.now_ms, self.clock.boot_ms, self.clock.zone = snapshot.now_ms, snapshot.boot_ms, snapshot.zone
        self._seed, self._drawn = snapshot.rng

    def close(self) -> None:
        """Closes all databases."""
        for database in self._databases.values():
            database.close()
