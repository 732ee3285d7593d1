"""`sync:`, the service behind push and pull."""

from __future__ import annotations

import posixpath
import stat
import struct
from collections.abc import Callable
from typing import Protocol, TypeVar

from mobile_gym.phone.adbd import sync_wire as wire
from mobile_gym.phone.adbd.streams import Stream
from mobile_gym.phone.adbd.worker import PhoneWorker
from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.state.files import FileEntry, normalize

_BATCH = 1 << 20
# Shared storage gives every file the same mode, whatever is asked of it.
_SHARED = "/storage/emulated/"
T = TypeVar("T")


class FileTree(Protocol):
    """What push and pull need of the phone's files; errors are `OSError`."""

    def entry(self, path: str) -> FileEntry:
        """The entry at a path."""

    def list(self, path: str) -> list[tuple[str, FileEntry]]:
        """Names and entries of a directory's children."""

    def read(self, path: str) -> bytes:
        """The bytes of a file."""

    def write(
        self, path: str, data: bytes, *, mtime_ms: int, mode: int = ..., owner: str = ..., parents: bool = ...
    ) -> None:
        """Writes a whole file."""

    def update(self, path: str, *, mode: int | None = None) -> None:
        """Changes permission bits."""


MakeFiles = Callable[[PhoneDoor], FileTree]


class SyncService:
    """One `sync:` stream: requests one after another until `QUIT`.

    Args:
        stream: the stream.
        worker: the phone's thread.
        files: gives the phone's files.
    """

    def __init__(self, stream: Stream, worker: PhoneWorker, files: MakeFiles) -> None:
        self._stream = stream
        self._worker = worker
        self._files = files

    async def serve(self) -> None:
        """Answers until the client quits, or until a request fails that a client cannot go on from."""
        while True:
            name, length = wire.read_word(await self._stream.read_exactly(8))
            if name == b"QUIT":
                return
            if length > wire.MAX_PATH:
                await self._stream.write(wire.fail(f"path too long: {length} bytes"))
                return
            path = (await self._stream.read_exactly(length)).decode("utf-8", "surrogateescape")
            if not await self._answer(name, path):
                return

    async def _answer(self, name: bytes, path: str) -> bool:
        if name == b"STAT":
            entry, _ = await self._stat(path)
            await self._stream.write(wire.stat_1(entry))
        elif name in (b"STA2", b"LST2"):
            entry, error = await self._stat(path)
            await self._stream.write(wire.stat_2(name, path, entry, error))
        elif name == b"LIST":
            await self._list(path, 1)
        elif name == b"LIS2":
            await self._list(path, 2)
        elif name == b"RECV":
            await self._receive(path)
        elif name == b"RCV2":
            _, flags = struct.unpack("<4sI", await self._stream.read_exactly(8))
            if flags:
                await self._stream.write(wire.fail(f"unsupported compression flags {flags:#x}"))
                return False
            await self._receive(path)
        elif name == b"SEND":
            path, _, mode = path.rpartition(",")
            if not mode.isdigit() or not path:
                await self._stream.write(wire.fail("missing , in ID_SEND_V1"))
                return False
            return await self._take(path, int(mode))
        elif name == b"SND2":
            _, bits, flags = struct.unpack("<4sII", await self._stream.read_exactly(12))
            if flags:
                await self._stream.write(wire.fail(f"unsupported compression flags {flags:#x}"))
                return False
            return await self._take(path, bits)
        else:
            await self._stream.write(wire.fail(f"unknown command {name.decode('latin-1')}"))
            return False
        return True

    async def _ask(self, action: Callable[[FileTree], T]) -> T:
        return await self._worker.ask(lambda phone: action(self._files(phone)))

    async def _stat(self, path: str) -> tuple[FileEntry | None, int]:
        try:
            return await self._ask(lambda files: files.entry(path)), 0
        except OSError as error:
            return None, error.errno or 0

    async def _list(self, path: str, version: int) -> None:
        def records(files: FileTree) -> bytes:
            children = files.list(path)
            here, above = files.entry(path), files.entry(posixpath.dirname(posixpath.normpath(path)) or "/")
            named = [(".", here), ("..", above), *children]
            if version == 1:
                return b"".join(wire.dent_1(name, entry) for name, entry in named)
            return b"".join(wire.dent_2(posixpath.join(path, name), name, entry) for name, entry in named)

        try:
            listing = await self._ask(records)
        except OSError:
            listing = b""  # the protocol has no word for a directory that cannot be read
        await self._stream.write(listing + wire.end_of_list(version))

    async def _receive(self, path: str) -> None:
        try:
            data = await self._ask(lambda files: files.read(path))
        except IsADirectoryError:
            await self._stream.write(wire.fail("read failed: Is a directory"))
            return
        except OSError as error:
            await self._stream.write(wire.fail(f"open failed: {error.strerror}"))
            return
        for batch in wire.chunks(data, _BATCH):
            await self._stream.write(batch)

    async def _take(self, path: str, mode: int) -> bool:
        data = bytearray()
        while True:
            name, value = wire.read_word(await self._stream.read_exactly(8))
            if name == b"DONE":
                break
            if name != b"DATA" or value > wire.MAX_CHUNK:
                await self._stream.write(wire.fail("invalid data message"))
                return False
            data += await self._stream.read_exactly(value)
        if stat.S_ISLNK(mode):
            await self._stream.write(wire.fail("symlink failed: Operation not supported"))
            return False

        def store(files: FileTree) -> None:
            bits = wire.pushed_mode(mode)
            files.write(path, bytes(data), mtime_ms=value * 1000, mode=bits, owner="shell", parents=True)
            if not normalize(path).startswith(_SHARED):
                files.update(path, mode=bits)

        try:
            await self._ask(store)
        except OSError as error:
            await self._stream.write(wire.fail(f"couldn't create file: {error.strerror}"))
            return False
        await self._stream.write(wire.okay())
        return True
