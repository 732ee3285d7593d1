"""Observations of many sub-environments as one batch, and the memory that processes of one machine share for it."""

from __future__ import annotations

import mmap
import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate
from numpy.typing import NDArray

Space = spaces.Space[Any]
BANKS = 2
_TOKEN = 32


def array_spaces(space: Space) -> list[spaces.Box]:
    """The parts of an observation that are arrays of fixed shape, in order."""
    return [part for part in _leaves(space) if isinstance(part, spaces.Box)]


def plain_spaces(space: Space) -> list[Space]:
    """The other parts (texts, discrete values…), in order."""
    return [part for part in _leaves(space) if not isinstance(part, spaces.Box)]


def _leaves(space: Space) -> Iterator[Space]:
    if isinstance(space, spaces.Dict):
        for part in space.spaces.values():
            yield from _leaves(part)
    elif isinstance(space, spaces.Tuple):
        for part in space.spaces:
            yield from _leaves(part)
    else:
        yield space


def split(space: Space, observation: Any) -> tuple[list[NDArray[Any]], list[Any]]:
    """An observation as its arrays and its other parts."""
    arrays: list[NDArray[Any]] = []
    plain: list[Any] = []
    _sort(space, observation, arrays, plain)
    return arrays, plain


# Functions of the module: one that is defined inside another and calls itself is a cycle, and keeps whole batches until
# the next collection of garbage.
def _sort(space: Space, value: Any, arrays: list[NDArray[Any]], plain: list[Any]) -> None:
    if isinstance(space, spaces.Dict):
        for key, part in space.spaces.items():
            _sort(part, value[key], arrays, plain)
    elif isinstance(space, spaces.Tuple):
        for part, item in zip(space.spaces, value, strict=True):
            _sort(part, item, arrays, plain)
    elif isinstance(space, spaces.Box):
        arrays.append(np.asarray(value, dtype=space.dtype))
    else:
        plain.append(value)


def join(space: Space, arrays: Sequence[Any], plain: Sequence[Any]) -> Any:
    """One observation from its parts; the inverse of `split`."""
    return _joined(space, iter(arrays), iter(plain))


def _joined(space: Space, arrays: Iterator[Any], plain: Iterator[Any]) -> Any:
    if isinstance(space, spaces.Dict):
        return {key: _joined(part, arrays, plain) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(_joined(part, arrays, plain) for part in space.spaces)
    return next(arrays) if isinstance(space, spaces.Box) else next(plain)


def batch(space: Space, arrays: Sequence[NDArray[Any]], plain: Sequence[Sequence[Any]]) -> Any:
    """A batch as `gymnasium.vector.SyncVectorEnv` gives it.

    Args:
        space: of a single observation.
        arrays: the batched arrays, one a part, (n, …).
        plain: for each of the n sub-environments its other parts.
    """
    columns = []
    for number, part in enumerate(plain_spaces(space)):
        items = [row[number] for row in plain]
        into: Any = create_empty_array(part, len(items))
        columns.append(concatenate(part, items, into))
    return join(space, arrays, columns)


def blank(space: Space) -> list[Any]:
    """Other parts of an observation where none was made yet: empty texts, zeros."""
    return [_blank(part) for part in plain_spaces(space)]


def _blank(space: Space) -> Any:
    if isinstance(space, spaces.Text):
        return ""
    if isinstance(space, spaces.Discrete):
        return space.start
    return next(iter(iterate(batch_space(space, 1), create_empty_array(space, 1))))


@dataclass(frozen=True, slots=True)
class BatchHandle:
    """How another process of the same machine finds a shared batch.

    Attributes:
        pid: the process that holds it.
        descriptor: the file descriptor in that process.
        token: what it begins with, so that no other file is taken for it.
        shapes: shape and type of each array of a single observation.
        count: number of sub-environments.
    """

    pid: int
    descriptor: int
    token: bytes
    shapes: tuple[tuple[tuple[int, ...], str], ...]
    count: int


class SharedBatch:
    """Arrays of all sub-environments in memory that processes share, twice: a step writes one half (bank) and the last
    good observations stay in the other.

    The memory has no name in any file system (`memfd_create`), so that nothing is left when a process is killed, and no
    limit on `/dev/shm` applies.

    Attributes:
        banks: for each bank the arrays, (count, …) each.
        started: int64[count], how many commands each sub-environment has begun.
        done: int64[count], how many it has ended.
        handle: for others to `attach` with.
    """

    def __init__(self, memory: mmap.mmap, handle: BatchHandle, own: bool) -> None:
        self.handle = handle
        self._own = own
        offset = _TOKEN
        self.started: NDArray[np.int64] = np.frombuffer(memory, np.int64, handle.count, offset)
        offset += 8 * handle.count
        self.done: NDArray[np.int64] = np.frombuffer(memory, np.int64, handle.count, offset)
        offset = _aligned(offset + 8 * handle.count)
        self.banks: list[list[NDArray[Any]]] = []
        for _ in range(BANKS):
            arrays = []
            for shape, dtype in handle.shapes:
                items = handle.count * int(np.prod(shape, dtype=np.int64))
                flat = np.frombuffer(memory, np.dtype(dtype), items, offset)
                arrays.append(flat.reshape((handle.count, *shape)))
                offset = _aligned(offset + flat.nbytes)
            self.banks.append(arrays)

    @classmethod
    def create(cls, parts: Sequence[spaces.Box], count: int) -> SharedBatch:
        """New memory, all zero, for observations with these arrays."""
        shapes = tuple((tuple(int(side) for side in part.shape), np.dtype(part.dtype).str) for part in parts)
        descriptor = os.memfd_create("mobile_gym_batch", os.MFD_CLOEXEC)
        handle = BatchHandle(os.getpid(), descriptor, secrets.token_bytes(_TOKEN), shapes, count)
        os.ftruncate(descriptor, _size(handle))
        memory = mmap.mmap(descriptor, _size(handle))
        memory[:_TOKEN] = handle.token
        return cls(memory, handle, own=True)

    @classmethod
    def attach(cls, handle: BatchHandle) -> SharedBatch | None:
        """The memory of another process; None where it cannot be reached from here (another machine or container)."""
        try:
            with open(f"/proc/{handle.pid}/fd/{handle.descriptor}", "r+b") as file:
                if os.fstat(file.fileno()).st_size != _size(handle):
                    return None
                memory = mmap.mmap(file.fileno(), _size(handle))
        except OSError:
            return None
        if memory[:_TOKEN] != handle.token:
            memory.close()
            return None
        return cls(memory, handle, own=False)

    def close(self) -> None:
        """Gives the memory up; it goes when the last array that somebody still holds has gone."""
        if self._own and self.handle.pid == os.getpid():
            os.close(self.handle.descriptor)
        self._own = False


def _aligned(offset: int) -> int:
    return -(-offset // 64) * 64


def _size(handle: BatchHandle) -> int:
    size = _aligned(_TOKEN + 16 * handle.count)
    for _ in range(BANKS):
        for shape, dtype in handle.shapes:
            items = handle.count * int(np.prod(shape, dtype=np.int64))
            size = _aligned(size + items * np.dtype(dtype).itemsize)
    return max(size, mmap.PAGESIZE)
