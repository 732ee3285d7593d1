"""`Buffers`: memory for batches that belong to the caller, used again once the caller has let go of it."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_KEPT = 2
"""One that the caller looks at, and one that is filled meanwhile."""
_NOBODY = 3
"""What `sys.getrefcount` says of an array that only the list, the loop over it and the question itself know."""


class Buffers:
    """Arrays of some rows. Fresh memory for every batch would cost more than filling it: the system hands out pages one
    by one and blanks each.

    Whoever holds a batch, a view of it or a tensor over it keeps its memory, so that none is written while in use.

    Args:
        shape: of one row.
        dtype: of the array.
    """

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike) -> None:
        self._shape = shape
        self._dtype = np.dtype(dtype)
        self._arrays: list[NDArray[Any]] = []

    def take(self, rows: int) -> NDArray[Any]:
        """An array (rows, …) of anything; it is the caller's for as long as somebody holds it."""
        for array in self._arrays:
            # Twice the rows at most, as a few rows that somebody keeps hold all of the memory.
            if rows <= len(array) <= 2 * rows and sys.getrefcount(array) == _NOBODY:
                return array[:rows]
        made: NDArray[Any] = np.empty((rows, *self._shape), self._dtype)
        self._arrays = [*self._arrays[-_KEPT + 1 :], made]
        return made[:]
