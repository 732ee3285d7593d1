"""Memory for batches is used again, and never while somebody holds it."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from gymnasium import spaces

from mobile_gym.envs.ray.batches import join, split
from mobile_gym.envs.ray.buffers import Buffers


def test_what_was_let_go_is_used_again() -> None:
    buffers = Buffers((4, 5), np.uint8)
    first = buffers.take(8)
    assert first.shape == (8, 4, 5)
    assert first.dtype == np.uint8
    place = first.ctypes.data
    del first
    assert buffers.take(8).ctypes.data == place


@pytest.mark.parametrize("hold", [lambda rows: rows, lambda rows: rows[2:3], lambda rows: memoryview(rows[1])])
def test_what_is_held_stays_as_it_is(hold: object) -> None:
    buffers = Buffers((3,), np.int64)
    rows = buffers.take(4)
    rows[:] = 7
    held = hold(rows)  # type: ignore[operator]
    del rows
    for number in range(20):
        buffers.take(4)[:] = number
    assert np.asarray(held).min() == np.asarray(held).max() == 7


def test_all_batches_of_a_long_memory_are_kept_apart() -> None:
    buffers = Buffers((2,), np.int64)
    memory = []
    for number in range(30):
        rows = buffers.take(3)
        rows[:] = number
        memory.append(rows)
    assert [int(rows[0, 0]) for rows in memory] == list(range(30))


def test_few_rows_do_not_hold_the_memory_of_many() -> None:
    buffers = Buffers((2,), np.int64)
    many = buffers.take(32)
    del many
    few = buffers.take(4)
    assert few.base is not None
    assert len(few.base) <= 8


def test_an_observation_goes_when_it_is_let_go() -> None:
    space = spaces.Dict({"frame": spaces.Box(0, 255, (4,), np.uint8), "pair": spaces.Tuple([spaces.Text(5)])})
    buffers = Buffers((4,), np.uint8)
    gc.disable()
    try:
        places = set()
        for _ in range(5):
            observation = join(space, [buffers.take(1)[0]], ["text"])
            arrays, plain = split(space, observation)
            places.add(arrays[0].ctypes.data)
            del observation, arrays, plain
        assert len(places) == 1
    finally:
        gc.enable()
