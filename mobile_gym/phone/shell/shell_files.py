"""The phone's files as its shell and `adb pull` see them: the virtual tree, the databases of apps, and system folders.

Databases are no files of the virtual tree; here they look like ones. Reading `/data/data/<package>/databases/<name>`
gives the database's image, writing to it restores the database from the bytes, deleting it drops the database, which is
then made anew from its schema when its app touches it again.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat
from collections.abc import Callable, Sequence
from dataclasses import replace

from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.errors import PackageNotFound
from mobile_gym.phone.state.files import FileEntry, normalize

_DATA = "/data/data"
SQLITE_MAGIC = b"SQLite format 3\0"
_FOLDERS: dict[str, tuple[int, str, str]] = {
    "/": (0o755, "root", "root"),
    "/apex": (0o755, "root", "root"),
    "/cache": (0o770, "system", "cache"),
    "/data": (0o771, "system", "system"),
    "/data/app": (0o771, "system", "system"),
    "/data/data": (0o771, "system", "system"),
    "/data/local": (0o751, "root", "root"),
    "/data/local/tmp": (0o771, "shell", "shell"),
    "/data/system": (0o775, "system", "system"),
    "/dev": (0o755, "root", "root"),
    "/mnt": (0o755, "root", "system"),
    "/proc": (0o555, "root", "root"),
    "/product": (0o755, "root", "root"),
    "/storage": (0o755, "root", "root"),
    "/storage/emulated": (0o770, "media_rw", "media_rw"),
    "/storage/emulated/0": (0o770, "media_rw", "media_rw"),
    "/system": (0o755, "root", "root"),
    "/system/bin": (0o751, "root", "shell"),
    "/system/etc": (0o755, "root", "root"),
    "/vendor": (0o755, "root", "shell"),
}
_READ_ONLY = ("/system", "/vendor", "/product", "/apex", "/proc")
# What the user `shell` may not look into, and what it may reach through but not list.
_PRIVATE = ("/data/data", "/data/system", "/data/misc")
_UNLISTED = ("/data", "/data/app", "/data/local", "/cache", "/storage/emulated")
Listing = list[tuple[str, FileEntry]]
DEVICES = ("/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty")


def user_name(uid: int) -> str:
    """`u0_a158` for an app's uid, else the system's name or the number."""
    if uid >= 10000:
        return f"u{uid // 100000}_a{uid % 100000 - 10000}"
    return {0: "root", 1000: "system", 1001: "radio", 1023: "media_rw", 2000: "shell"}.get(uid, str(uid))


def user_id(name: str) -> int:
    """The uid of a user's or group's name."""
    if name.isdigit():
        return int(name)
    if name.startswith("u0_a") and name[4:].isdigit():
        return 10000 + int(name[4:])
    known = {"root": 0, "system": 1000, "radio": 1001, "sdcard_rw": 1015, "media_rw": 1023, "shell": 2000}
    return {**known, "cache": 2001, "everybody": 9997}.get(name, 0)


class ShellFiles:
    """Files by path, read and written through the shell's eyes. Errors are the usual kinds of OSError.

    Args:
        phone: the phone.
        root: whether the reader is root; the user `shell` may not see the private data of apps.
        commands: names that `/system/bin` shows.
    """

    def __init__(self, phone: PhoneDoor, root: bool = True, commands: Sequence[str] = ()) -> None:
        self._phone = phone
        self._files = phone.state.files
        self._commands = commands
        self.root = root

    def normal(self, path: str) -> str:
        """The absolute path with links resolved."""
        found = normalize(path)
        if found == "/data/user_de/0" or found.startswith("/data/user_de/0/"):
            return _DATA + found[len("/data/user_de/0") :]
        return found

    def entry(self, path: str) -> FileEntry:
        """The entry at a path.

        Raises:
            FileNotFoundError: nothing is there.
            NotADirectoryError: a parent of the path is a file.
            PermissionError: the user may not look there.
        """
        normal = self.normal(path)
        self._check(normal, path)
        special = self._special(normal)
        if special is not None:
            return special
        try:
            found = self._files.entry(normal)
        except OSError as error:
            raise type(error)(error.errno, error.strerror, path) from None
        if found.owner == "root" and normal.startswith("/storage/emulated/0/"):
            # The shared storage is a file system of its own that gives everything to one user.
            return replace(found, owner="media_rw", group="media_rw")
        return found

    def _special(self, path: str) -> FileEntry | None:
        """An entry that the virtual tree does not hold; None where there is none of that kind."""
        boot = self._phone.state.clock.boot_ms
        database = self._database_name(path)
        if database is not None and database in self._phone.state.database_names():
            owner = self._package_owner(database.partition("/")[0])
            image = self._phone.state.database(database).image()
            return FileEntry(stat.S_IFREG | 0o660, self._phone.state.clock.now_ms, image, owner, owner)
        if path in DEVICES:
            return FileEntry(stat.S_IFCHR | 0o666, boot)
        if path.startswith("/system/bin/") and path[12:] in self._commands:
            return FileEntry(stat.S_IFREG | 0o755, 1230768000000, b"", "root", "shell")
        if path.startswith("/proc/"):
            make = PROC.get(path[6:])
            return None if make is None else FileEntry(stat.S_IFREG | 0o444, boot, make(self._phone).encode())
        if path in _FOLDERS:
            mode, owner, group = _FOLDERS[path]
            changed = self._files.entry(path).mtime_ms if self._files.exists(path) else 0
            return FileEntry(stat.S_IFDIR | mode, changed or boot, b"", owner, group)
        if self._files.exists(path):
            return None
        parts = path.split("/")
        if path.startswith(_DATA + "/") and len(parts) in (4, 5):
            package = parts[3]
            names = self._database_files(package)
            if (len(parts) == 5 and parts[4] == "databases" and names) or (
                len(parts) == 4 and self._installed(package)
            ):
                owner = self._package_owner(package)
                mode = 0o771 if len(parts) == 5 else 0o700
                return FileEntry(stat.S_IFDIR | mode, self._phone.state.clock.boot_ms, b"", owner, owner)
        return None

    def _installed(self, package: str) -> bool:
        return package in self._phone.packages.names() or bool(self._database_files(package))

    def _package_owner(self, package: str) -> str:
        try:
            return user_name(self._phone.packages.info(package).uid)
        except PackageNotFound:
            return "system"

    @staticmethod
    def _database_name(path: str) -> str | None:
        parts = path.split("/")
        if path.startswith(_DATA + "/") and len(parts) == 6 and parts[4] == "databases":
            return f"{parts[3]}/{parts[5]}"
        return None

    def database_name(self, path: str) -> str | None:
        """`package/name` where the path is that of a database that exists, else None."""
        name = self._database_name(self.normal(path))
        return name if name is not None and name in self._phone.state.database_names() else None

    def _database_files(self, package: str) -> list[str]:
        return [
            name.partition("/")[2] for name in self._phone.state.database_names() if name.partition("/")[0] == package
        ]

    def _check(self, normal: str, path: str) -> None:
        if not self.root and any(normal.startswith(private + "/") for private in _PRIVATE):
            raise PermissionError(errno.EACCES, "Permission denied", path)

    def _check_write(self, normal: str, path: str) -> None:
        self._check(normal, path)
        if normal in DEVICES:
            return
        parent = posixpath.dirname(normal)
        if parent == "/" or any(normal == place or normal.startswith(place + "/") for place in _READ_ONLY):
            raise OSError(errno.EROFS, "Read-only file system", path)
        if not self.root and normal.startswith("/data/") and not normal.startswith("/data/local/tmp/"):
            raise PermissionError(errno.EACCES, "Permission denied", path)

    def exists(self, path: str) -> bool:
        """Whether something that the user may see is at the path."""
        try:
            self.entry(path)
        except OSError:
            return False
        return True

    def is_dir(self, path: str) -> bool:
        """Whether a directory that the user may see is at the path."""
        return self.exists(path) and self.entry(path).is_dir

    def read(self, path: str) -> bytes:
        """The bytes of a file; a database's are its image."""
        entry = self.entry(path)
        if entry.is_dir:
            raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
        return entry.data

    def list(self, path: str) -> Listing:
        """Names and entries in a directory, sorted by name."""
        normal = self.normal(path)
        if not self.entry(path).is_dir:
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)
        if not self.root and normal in (*_PRIVATE, *_UNLISTED):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        names = {name for name, _ in self._files.list(normal)} if self._files.is_dir(normal) else set()
        names |= {place.rsplit("/", 1)[1] for place in _FOLDERS if place != "/" and posixpath.dirname(place) == normal}
        if normal == "/":
            names |= {"sdcard"}
        elif normal == _DATA:
            names |= set(self._phone.packages.names())
            names |= {name.partition("/")[0] for name in self._phone.state.database_names()}
        elif normal == "/system/bin":
            names |= set(self._commands)
        elif normal == "/proc":
            names |= set(PROC)
        elif normal == "/dev":
            names |= {device[5:] for device in DEVICES}
        elif normal.startswith(_DATA + "/"):
            parts = normal.split("/")
            databases = self._database_files(parts[3])
            if len(parts) == 4 and databases:
                names.add("databases")
            elif len(parts) == 5 and parts[4] == "databases":
                names |= set(databases)
        base = normal.rstrip("/")
        return [(name, self.entry(f"{base}/{name}")) for name in sorted(names) if self.exists(f"{base}/{name}")]

    def walk(self, path: str) -> Listing:
        """The entry at a path and all below it, depth first and sorted; directories that may not be listed are bare."""
        found = [(path, self.entry(path))]
        if not found[0][1].is_dir:
            return found
        try:
            children = self.list(path)
        except PermissionError:
            return found
        for name, _ in children:
            found += self.walk(f"{path.rstrip('/')}/{name}")
        return found

    def write(
        self,
        path: str,
        data: bytes,
        *,
        mtime_ms: int | None = None,
        mode: int = 0o660,
        owner: str | None = None,
        parents: bool = False,
    ) -> None:
        """Writes a whole file; a database is restored from the bytes, and dropped where there are none.

        Raises:
            OSError: the place is read-only, private, a directory, or missing; or the bytes are no database.
        """
        normal = self.normal(path)
        self._check_write(normal, path)
        if normal in DEVICES:
            return
        database = self._database_name(normal)
        if database is not None and (database in self._phone.state.database_names() or data[:16] == SQLITE_MAGIC):
            if data and data[:16] != SQLITE_MAGIC:
                raise OSError(errno.EINVAL, "file is not a database", path)
            if data:
                self._phone.state.database(database).restore(data)
            else:
                self._phone.state.drop_database(database)
            return
        parent = posixpath.dirname(normal)
        if not parents and not self.is_dir(parent):
            self.entry(parent)
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)
        shared = normal.startswith("/storage/emulated/0/")
        name = owner or ("root" if self.root else "shell")
        now = self._phone.state.clock.now_ms if mtime_ms is None else mtime_ms
        is_new = not self._files.exists(normal)
        try:
            self._files.write(normal, data, mtime_ms=now, mode=mode, owner="media_rw" if shared else name, parents=True)
        except OSError as error:
            raise type(error)(error.errno, error.strerror, path) from None
        if is_new and shared:
            self._files.update(normal, mode=0o660)

    def make_dir(self, path: str, *, parents: bool = False, mode: int = 0o771) -> None:
        """Makes a directory.

        Raises:
            OSError: something is there (a directory is fine with `parents`), or the parent is missing or read-only.
        """
        normal = self.normal(path)
        if self.exists(path):
            if parents and self.is_dir(path):
                return
            raise FileExistsError(errno.EEXIST, "File exists", path)
        self._check_write(normal, path)
        parent = posixpath.dirname(normal)
        if not parents and not self.entry(parent).is_dir:
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)
        now = self._phone.state.clock.now_ms
        try:
            self._files.make_dir(normal, mtime_ms=now, parents=True, mode=mode)
        except OSError as error:
            raise type(error)(error.errno, error.strerror, path) from None
        shared = normal.startswith("/storage/emulated/0/")
        name = "media_rw" if shared else "root" if self.root else "shell"
        self._files.update(normal, owner=name, group=name)

    def update(
        self,
        path: str,
        *,
        mode: int | None = None,
        owner: str | None = None,
        group: str | None = None,
        mtime_ms: int | None = None,
    ) -> None:
        """Changes mode, owner, group or time; those of databases and system folders stay as they are."""
        normal = self.normal(path)
        self.entry(path)
        self._check_write(normal, path) if posixpath.dirname(normal) != "/" else None
        if self._special(normal) is None:
            self._files.update(normal, mode=mode, owner=owner, group=group, mtime_ms=mtime_ms)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Removes a file, or a directory with all in it; databases are dropped."""
        normal = self.normal(path)
        entry = self.entry(path)
        self._check_write(normal, path)
        if normal in _FOLDERS:
            raise OSError(errno.EBUSY, "Device or resource busy", path)
        if entry.is_dir and not recursive:
            raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
        for name in self._phone.state.database_names():
            package, _, file = name.partition("/")
            where = f"{_DATA}/{package}/databases/{file}"
            if where == normal or where.startswith(normal + "/"):
                self._phone.state.drop_database(name)
        if self._files.exists(normal):
            self._files.remove(normal, recursive=recursive)

    def rename(self, source: str, target: str) -> None:
        """Moves an entry and all below it to an exact new path."""
        normal_source, normal_target = self.normal(source), self.normal(target)
        self._check_write(normal_source, source)
        self._check_write(normal_target, target)
        if normal_source == normal_target:
            return
        below = self.walk(normal_source)
        for name, entry in below:
            place = normal_target + name[len(normal_source) :]
            if entry.is_dir:
                self.make_dir(place, parents=True, mode=stat.S_IMODE(entry.mode))
            else:
                mode = stat.S_IMODE(entry.mode)
                self.write(place, entry.data, mode=mode, mtime_ms=entry.mtime_ms, owner=entry.owner)
        self.remove(normal_source, recursive=True)


def error_text(error: OSError) -> str:
    """What C's strerror says for an error."""
    return error.strerror or (os.strerror(error.errno) if error.errno else str(error))


def _uptime(phone: PhoneDoor) -> str:
    seconds = phone.state.clock.uptime_ms / 1000
    return f"{seconds:.2f} {seconds * phone.profile.cores * 0.9:.2f}\n"


def _meminfo(phone: PhoneDoor) -> str:
    total = phone.profile.memory_mb * 1024
    return f"MemTotal:       {total:8d} kB\nMemFree:        {total // 4:8d} kB\nMemAvailable:   {total // 2:8d} kB\n"


def _cpuinfo(phone: PhoneDoor) -> str:
    return "".join(f"processor\t: {core}\nBogoMIPS\t: 49.15\n\n" for core in range(phone.profile.cores))


def _version(phone: PhoneDoor) -> str:
    del phone
    return "Linux version 6.1.99-android14 (build@localhost) #1 SMP PREEMPT\n"


PROC: dict[str, Callable[[PhoneDoor], str]] = {
    "cpuinfo": _cpuinfo,
    "meminfo": _meminfo,
    "uptime": _uptime,
    "version": _version,
}
