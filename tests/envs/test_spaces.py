"""Texts of any script, and how long ones are cut."""

import json
import multiprocessing

import pytest
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils import create_shared_memory
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.envs.spaces import CUT_MARK, UnicodeText, action_space, cut, observation_space


@given(st.text(max_size=60))
def test_any_text_belongs_once_it_is_cut(text: str) -> None:
    space = UnicodeText(20)
    short = cut(text, 20)
    assert space.contains(short)
    if space.contains(text):
        assert short == text
    elif len(text) > 20:
        assert short.endswith(CUT_MARK)
        assert len(short) == 20


def test_what_does_not_belong() -> None:
    space = UnicodeText(3)
    assert space.contains("声音小")
    assert space.contains("")
    assert space.contains("😀")
    for wrong in ("声音太小", b"abc", 3, None, ["a"], "\ud83d"):
        assert not space.contains(wrong)


def test_samples_belong_and_follow_the_seed() -> None:
    one, two = UnicodeText(500, seed=3), UnicodeText(500, seed=3)
    samples = [one.sample() for _ in range(20)]
    assert samples == [two.sample() for _ in range(20)]
    assert len(set(samples)) > 10
    assert all(one.contains(sample) for sample in samples)
    assert one.from_jsonable(json.loads(json.dumps(one.to_jsonable(samples)))) == samples


def test_spaces_are_equal_by_their_bound() -> None:
    assert UnicodeText(5) == UnicodeText(5)
    assert UnicodeText(5) != UnicodeText(6)
    assert action_space() == action_space()
    assert observation_space((3, 4), True) == observation_space((3, 4), True)
    assert observation_space((3, 4), True) != observation_space((3, 4), False)
    assert observation_space((3, 4), False)["screenshot"].shape == (4, 3, 3)


def test_shared_memory_is_refused_with_the_way_out() -> None:
    with pytest.raises(CustomSpaceError, match="shared_memory=False"):
        create_shared_memory(UnicodeText(5), n=2, ctx=multiprocessing.get_context("spawn"))
