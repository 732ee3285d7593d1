"""The space of frames: as Gymnasium's Box of bytes, without its arrays."""

from __future__ import annotations

import pickle

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from mobile_gym.envs.spaces import FrameBox

SHAPE = (8, 5, 3)


def test_it_equals_the_box_that_it_stands_for() -> None:
    box, plain = FrameBox(SHAPE), spaces.Box(0, 255, SHAPE, np.uint8)
    assert box == plain
    assert box == FrameBox(SHAPE)
    assert box != FrameBox((8, 6, 3))
    assert isinstance(box, spaces.Box)
    assert (box.low == plain.low).all()
    assert (box.high == plain.high).all()


def test_contains_asks_for_type_and_shape() -> None:
    box = FrameBox(SHAPE)
    assert box.contains(box.sample())
    assert not box.contains(np.zeros(SHAPE, np.int64))
    assert not box.contains(np.zeros((5, 8, 3), np.uint8))
    assert not box.contains([[1]])


def test_samples_follow_the_seed() -> None:
    box = FrameBox(SHAPE, seed=3)
    first = box.sample()
    box.seed(3)
    assert (box.sample() == first).all()


def test_it_pickles_small_and_batches_to_its_kind() -> None:
    data = pickle.dumps(FrameBox((2400, 1080, 3)))
    assert len(data) < 1000
    assert pickle.loads(data) == FrameBox((2400, 1080, 3))
    batch = batch_space(FrameBox(SHAPE), 4)
    assert batch == FrameBox((4, *SHAPE))
    out = create_empty_array(FrameBox(SHAPE), 2)
    frames = [FrameBox(SHAPE, seed=number).sample() for number in range(2)]
    concatenate(FrameBox(SHAPE), frames, out)
    assert (out == np.stack(frames)).all()
