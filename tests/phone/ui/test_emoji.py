"""How emoji look: those that a person can choose among differ, and their faces hide what is behind them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mobile_gym.phone.apps.messenger.composer import faces
from mobile_gym.phone.system.surfaces.keyboard import layouts
from mobile_gym.phone.ui.display import Font, Text
from mobile_gym.phone.ui.fonts import emoji_of
from mobile_gym.phone.ui.paint import paint

SIDE = 54
"""Pixels of an emoji in a bubble: 17 sp at 420 dpi, and the advance of 1.2 em."""
PAPER = (149, 236, 105)


def drawn(char: str) -> NDArray[np.int64]:
    """An emoji in a green bubble."""
    clip = (0, 0, SIDE, SIDE)
    text = Text(0, round(SIDE / 2 + 0.342 * SIDE / 1.2), SIDE, char, Font(round(SIDE / 1.2)), "#16210F", clip, None, 0)
    ground = np.empty((SIDE, SIDE, 3), np.uint8)
    ground[:] = PAPER
    return paint([text], (SIDE, SIDE), out=ground).astype(np.int64)


def test_all_emoji_that_are_offered_look_different() -> None:
    keys = {name for row in layouts()["emoji"] for name in row if emoji_of(name) is not None}
    pictures = {char: drawn(char) for char in {*faces(), *keys}}
    alike = [
        f"{one}{other}"
        for one, other in combinations(pictures, 2)
        if (np.abs(pictures[one] - pictures[other]).max(axis=2) > 60).mean() < 0.015
    ]
    assert not alike


def test_a_face_hides_what_is_behind_it() -> None:
    for char in "😀🐱👶👻":
        inside = drawn(char)[SIDE // 3 : 2 * SIDE // 3, SIDE // 3 : 2 * SIDE // 3]
        assert not (np.abs(inside - np.array(PAPER)).max(axis=2) < 8).any(), char
