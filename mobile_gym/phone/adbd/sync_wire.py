"""The records of the sync protocol, as bytes: four letters, then little-endian numbers. Pure functions."""

from __future__ import annotations

import errno
import stat
import struct
import zlib
from collections.abc import Iterator

from mobile_gym.phone.state.files import FileEntry

MAX_CHUNK = 64 * 1024
MAX_PATH = 1024

_STAT_1 = struct.Struct("<4sIII")
_STAT_2 = struct.Struct("<4sIQQIIIIQqqq")
_DENT_1 = struct.Struct("<4sIIII")
_WORD = struct.Struct("<4sI")
_DIR_SIZE = 4096
_DEVICE = 0xFE05

_OWNERS = {"root": 0, "system": 1000, "media_rw": 1023, "shell": 2000, "sdcard_rw": 1015, "everybody": 9997}


def user_id(owner: str) -> int:
    """The Linux id of an owner: the fixed ones, and `u0_a123` for the app with uid 10123."""
    if owner in _OWNERS:
        return _OWNERS[owner]
    _, mark, number = owner.partition("_a")
    return 10000 + int(number) if mark and number.isdigit() else 0


def entry_size(entry: FileEntry) -> int:
    """Bytes that `stat` gives for an entry."""
    return _DIR_SIZE if entry.is_dir else len(entry.data)


def word(name: bytes, value: int) -> bytes:
    """Four letters and one number, such as `DONE` and a time."""
    return _WORD.pack(name, value)


def read_word(data: bytes) -> tuple[bytes, int]:
    """The four letters and the number of an 8-byte record."""
    name, value = _WORD.unpack(data)
    return name, value


def okay() -> bytes:
    """The answer to a file that was taken."""
    return word(b"OKAY", 0)


def fail(message: str) -> bytes:
    """The answer to what went wrong."""
    text = message.encode("utf-8", "surrogateescape")
    return word(b"FAIL", len(text)) + text


def stat_1(entry: FileEntry | None) -> bytes:
    """The answer to `STAT`; all zero for a path where nothing is."""
    if entry is None:
        return _STAT_1.pack(b"STAT", 0, 0, 0)
    return _STAT_1.pack(b"STAT", entry.mode, entry_size(entry) & 0xFFFFFFFF, entry.mtime_ms // 1000)


def stat_2(name: bytes, path: str, entry: FileEntry | None, error: int = errno.ENOENT) -> bytes:
    """The answer to `STA2` and `LST2`, and the head of a `DNT2`; with an errno for a path where nothing is."""
    if entry is None:
        return _STAT_2.pack(name, error, *(0,) * 10)
    seconds = entry.mtime_ms // 1000
    inode = zlib.crc32(path.encode("utf-8", "surrogateescape"))
    links = 2 if entry.is_dir else 1
    uid, gid = user_id(entry.owner), user_id(entry.group)
    return _STAT_2.pack(
        name, 0, _DEVICE, inode, entry.mode, links, uid, gid, entry_size(entry), seconds, seconds, seconds
    )


def dent_1(name: str, entry: FileEntry) -> bytes:
    """One record of the answer to `LIST`."""
    text = name.encode("utf-8", "surrogateescape")
    size = entry_size(entry) & 0xFFFFFFFF
    return _DENT_1.pack(b"DENT", entry.mode, size, entry.mtime_ms // 1000, len(text)) + text


def dent_2(path: str, name: str, entry: FileEntry) -> bytes:
    """One record of the answer to `LIS2`."""
    text = name.encode("utf-8", "surrogateescape")
    return stat_2(b"DNT2", path, entry) + struct.pack("<I", len(text)) + text


def end_of_list(version: int) -> bytes:
    """What follows the last record of a listing: `DONE`, padded to the size of a record."""
    return b"DONE" + bytes(16 if version == 1 else _STAT_2.size)


def chunks(data: bytes, batch: int) -> Iterator[bytes]:
    """A file as `DATA` records with `DONE` behind, put together to about `batch` bytes at a time."""
    parts = bytearray()
    view = memoryview(data)
    for start in range(0, len(data), MAX_CHUNK):
        piece = view[start : start + MAX_CHUNK]
        parts += word(b"DATA", len(piece))
        parts += piece
        if len(parts) >= batch:
            yield bytes(parts)
            parts.clear()
    yield bytes(parts) + word(b"DONE", 0)


def pushed_mode(mode: int) -> int:
    """Permission bits of a file that is pushed: the owner's are given to group and others too, as `adbd` does."""
    bits = stat.S_IMODE(mode) & 0o777
    owner = bits & 0o700
    return bits | owner >> 3 | owner >> 6
