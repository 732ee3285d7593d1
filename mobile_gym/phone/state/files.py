"""The virtual file tree: paths, modes, times and bytes. It never reaches the host's files."""

from __future__ import annotations

import posixpath
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

_LINKS = {
    "/sdcard": "/storage/emulated/0",
    "/storage/self/primary": "/storage/emulated/0",
    "/mnt/sdcard": "/storage/emulated/0",
    "/data/user/0": "/data/data",
    "/etc": "/system/etc",
    "/bin": "/system/bin",
}


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file or directory.

    Attributes:
        mode: type and permission bits as in `stat.st_mode`.
        mtime_ms: time of the last change, milliseconds since the epoch.
        data: the bytes of a file; empty for a directory.
        owner: name of the owner.
        group: name of the group.
    """

    mode: int
    mtime_ms: int
    data: bytes = b""
    owner: str = "root"
    group: str = "root"

    @property
    def is_dir(self) -> bool:
        """Whether this is a directory."""
        return stat.S_ISDIR(self.mode)


def normalize(path: str, cwd: str = "/") -> str:
    """The absolute path with `.`, `..` and the phone's fixed links (`/sdcard`, `/data/user/0`, …) resolved."""
    path = posixpath.normpath(posixpath.join(cwd, path))
    if path.startswith("//"):
        path = path[1:]
    for link, target in _LINKS.items():
        if path == link or path.startswith(link + "/"):
            return target + path[len(link) :]
    return path


class VirtualFiles:
    """A tree of `FileEntry`. Errors are the usual `OSError` kinds, with the path in `filename`.

    `version` grows with every change. Paths may be given through the phone's fixed links.
    """

    __slots__ = ("_entries", "version")

    def __init__(self, entries: Mapping[str, FileEntry] | None = None) -> None:
        self._entries: dict[str, FileEntry] = dict(entries or {"/": FileEntry(stat.S_IFDIR | 0o755, 0)})
        self.version = 0

    def entry(self, path: str) -> FileEntry:
        """The entry at a path.

        Raises:
            FileNotFoundError: nothing is there.
            NotADirectoryError: a parent of the path is a file.
        """
        path = normalize(path)
        found = self._entries.get(path)
        if found is None:
            parent = posixpath.dirname(path)
            while parent != "/":
                above = self._entries.get(parent)
                if above is not None and not above.is_dir:
                    raise NotADirectoryError(20, "Not a directory", path)
                parent = posixpath.dirname(parent)
            raise FileNotFoundError(2, "No such file or directory", path)
        return found

    def exists(self, path: str) -> bool:
        """Whether anything is at the path."""
        return normalize(path) in self._entries

    def is_dir(self, path: str) -> bool:
        """Whether a directory is at the path."""
        found = self._entries.get(normalize(path))
        return found is not None and found.is_dir

    def read(self, path: str) -> bytes:
        """The bytes of a file.

        Raises:
            FileNotFoundError: nothing is there.
            IsADirectoryError: a directory is there.
        """
        entry = self.entry(path)
        if entry.is_dir:
            raise IsADirectoryError(21, "Is a directory", path)
        return entry.data

    def write(
        self, path: str, data: bytes, *, mtime_ms: int, mode: int = 0o660, owner: str = "root", parents: bool = False
    ) -> None:
        """Writes a whole file; keeps mode and owner of one that was there.

        Args:
            path: where.
            data: the new content.
            mtime_ms: the new modification time.
            mode: permission bits of a new file.
            owner: owner and group of a new file.
            parents: make missing directories.

        Raises:
            FileNotFoundError: the directory is missing and `parents` is off.
            IsADirectoryError: a directory is there.
        """
        path = normalize(path)
        old = self._entries.get(path)
        if old is not None:
            if old.is_dir:
                raise IsADirectoryError(21, "Is a directory", path)
            self._put(path, replace(old, data=data, mtime_ms=mtime_ms))
            return
        self._need_parent(path, mtime_ms, parents)
        self._put(path, FileEntry(stat.S_IFREG | (mode & 0o7777), mtime_ms, data, owner, owner))

    def make_dir(self, path: str, *, mtime_ms: int, parents: bool = False, mode: int = 0o771) -> None:
        """Makes a directory.

        Raises:
            FileExistsError: something is there (a directory is fine when `parents` is on).
            FileNotFoundError: the parent is missing and `parents` is off.
        """
        path = normalize(path)
        old = self._entries.get(path)
        if old is not None:
            if parents and old.is_dir:
                return
            raise FileExistsError(17, "File exists", path)
        self._need_parent(path, mtime_ms, parents)
        self._put(path, FileEntry(stat.S_IFDIR | mode, mtime_ms))

    def update(
        self,
        path: str,
        *,
        mode: int | None = None,
        owner: str | None = None,
        group: str | None = None,
        mtime_ms: int | None = None,
    ) -> None:
        """Changes permission bits, owner, group or time of an entry; what is None stays."""
        entry = self.entry(path)
        bits = entry.mode if mode is None else stat.S_IFMT(entry.mode) | (mode & 0o7777)
        self._put(
            normalize(path),
            replace(
                entry,
                mode=bits,
                owner=entry.owner if owner is None else owner,
                group=entry.group if group is None else group,
                mtime_ms=entry.mtime_ms if mtime_ms is None else mtime_ms,
            ),
        )

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Removes a file, or a directory with all that is in it when `recursive` is on.

        Raises:
            FileNotFoundError: nothing is there.
            IsADirectoryError: a directory is there and `recursive` is off.
        """
        path = normalize(path)
        entry = self.entry(path)
        if entry.is_dir and not recursive:
            raise IsADirectoryError(21, "Is a directory", path)
        for below in [name for name in self._entries if name == path or name.startswith(path.rstrip("/") + "/")]:
            if below != "/":
                del self._entries[below]
        self.version += 1

    def rename(self, source: str, target: str) -> None:
        """Moves an entry, and all below it, to an exact new path; replaces a file that was there."""
        source, target = normalize(source), normalize(target)
        entry = self.entry(source)
        if self.is_dir(target) and not entry.is_dir:
            raise IsADirectoryError(21, "Is a directory", target)
        self._need_parent(target, entry.mtime_ms, False)
        moved = {name: e for name, e in self._entries.items() if name == source or name.startswith(source + "/")}
        for name in moved:
            del self._entries[name]
        for name, moved_entry in moved.items():
            self._entries[target + name[len(source) :]] = moved_entry
        self.version += 1

    def list(self, path: str) -> list[tuple[str, FileEntry]]:
        """Names and entries of a directory's children, sorted by name.

        Raises:
            NotADirectoryError: a file is there.
        """
        path = normalize(path)
        if not self.entry(path).is_dir:
            raise NotADirectoryError(20, "Not a directory", path)
        prefix = "/" if path == "/" else path + "/"
        size = len(prefix)
        return sorted(
            (name[size:], entry)
            for name, entry in self._entries.items()
            if name.startswith(prefix) and len(name) > size and "/" not in name[size:]
        )

    def walk(self, path: str) -> Iterable[tuple[str, FileEntry]]:
        """The entry at a path and all below it, sorted by full path."""
        path = normalize(path)
        self.entry(path)
        prefix = path.rstrip("/") + "/"
        return sorted((name, e) for name, e in self._entries.items() if name == path or name.startswith(prefix))

    def dump(self) -> dict[str, FileEntry]:
        """A copy of the whole tree; entries are immutable and shared."""
        return dict(self._entries)

    def restore(self, entries: Mapping[str, FileEntry]) -> None:
        """Replaces the whole tree."""
        self._entries = dict(entries)
        self.version += 1

    def _put(self, path: str, entry: FileEntry) -> None:
        self._entries[path] = entry
        self.version += 1

    def _need_parent(self, path: str, mtime_ms: int, parents: bool) -> None:
        parent = posixpath.dirname(path)
        above = self._entries.get(parent)
        if above is None:
            if not parents:
                raise FileNotFoundError(2, "No such file or directory", path)
            self.make_dir(parent, mtime_ms=mtime_ms, parents=True)
        elif not above.is_dir:
            raise NotADirectoryError(20, "Not a directory", path)
