"""Wrappers for training: what they make of observations and actions, on the stub phone and on the embedded one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

import mobile_gym  # noqa: F401 - registers MoBench/...
from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.envs.spaces import CUT_MARK
from mobile_gym.envs.wrappers import (
    DrawnSeeds,
    ElementActions,
    EncodeTexts,
    FlatActions,
    GreyScreenshot,
    ResizeScreenshot,
    StackScreenshots,
    character_codes,
    ngram_vector,
    text_bytes,
)
from mobile_gym.envs.wrappers.elements import FIXED_FEATURES
from mobile_gym.envs.wrappers.vocabulary import quoted_texts
from tests.envs.conftest import MakeEnv

# The checkers remark on small pictures and on tables of elements.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*WARN:UserWarning",
    "ignore:Your observation elements has an unconventional shape:UserWarning",
    "ignore:The minimal resolution for an image:UserWarning",
)


@pytest.fixture
def launcher() -> Iterator[Callable[[], gym.Env[Any, Any]]]:
    made: list[gym.Env[Any, Any]] = []

    def make() -> gym.Env[Any, Any]:
        env = gym.make("MoBench/train-launcher", observation_size=(36, 80), language="en", disable_env_checker=True)
        made.append(env)
        return env

    yield make
    for env in made:
        env.close()


CHAINS: dict[str, Callable[[gym.Env[Any, Any]], gym.Env[Any, Any]]] = {
    "flat": lambda env: EncodeTexts(FlatActions(env, vocabulary=("hello",), instruction_texts=2)),
    "elements": lambda env: EncodeTexts(ElementActions(env, most=8, gestures=("tap", "long_press"))),
    "pictures": lambda env: EncodeTexts(
        FlatActions(StackScreenshots(GreyScreenshot(ResizeScreenshot(env, (18, 40))), 3), kinds=("tap", "finish")),
        encoding="characters",
        size=40,
    ),
    "bytes": lambda env: EncodeTexts(
        FlatActions(DrawnSeeds(env, 0, 1000)), texts=("instruction",), encoding="bytes", size=64
    ),
}


@pytest.mark.parametrize("chain", CHAINS)
def test_every_chain_passes_both_checkers(chain: str, launcher: Callable[[], gym.Env[Any, Any]]) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = CHAINS[chain](launcher())
    check_env(env, skip_render_check=True)
    checker.check_env(env)


@pytest.mark.parametrize("chain", CHAINS)
def test_spaces_and_dtypes_hold_along_an_episode(chain: str, launcher: Callable[[], gym.Env[Any, Any]]) -> None:
    env = CHAINS[chain](launcher())
    env.action_space.seed(1)
    looks: set[Any] = set()
    observation, _ = env.reset(seed=1)
    for step in range(20):
        assert env.observation_space.contains(observation)
        looks.add(tuple((name, part.shape, part.dtype) for name, part in observation.items()))
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            observation, _ = env.reset(seed=step)
    assert len(looks) == 1


@pytest.mark.parametrize("chain", CHAINS)
def test_a_wrapped_environment_is_made_again_from_its_spec(
    chain: str, launcher: Callable[[], gym.Env[Any, Any]]
) -> None:
    env = CHAINS[chain](launcher())
    assert env.spec is not None
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    try:
        assert (again.observation_space, again.action_space) == (env.observation_space, env.action_space)
        for left, right in zip(env.reset(seed=5)[0].values(), again.reset(seed=5)[0].values(), strict=True):
            assert np.array_equal(left, right)
    finally:
        again.close()


# Pictures.


def test_pictures_are_shrunk_by_means_made_grey_and_stacked(make_env: MakeEnv) -> None:
    env = make_env()
    plain, _ = env.reset(seed=0)
    small, _ = ResizeScreenshot(env, (9, 20)).reset(seed=0)
    block = plain["screenshot"][:10, :10].reshape(-1, 3).mean(0)
    assert np.abs(small["screenshot"][0, 0] - block).max() <= 1
    grey, _ = GreyScreenshot(env).reset(seed=0)
    assert grey["screenshot"].shape == (200, 90, 1)
    red, green, blue = (int(value) for value in plain["screenshot"][100, 40])
    assert abs(int(grey["screenshot"][100, 40, 0]) - (0.299 * red + 0.587 * green + 0.114 * blue)) <= 1
    stacked = StackScreenshots(env, 2)
    first, _ = stacked.reset(seed=0)
    assert np.array_equal(first["screenshot"][..., :3], first["screenshot"][..., 3:])
    second, *_ = stacked.step(Action.tap(500, 100).encode())
    assert np.array_equal(second["screenshot"][..., :3], first["screenshot"][..., 3:])
    assert np.array_equal(stacked.reset(seed=0)[0]["screenshot"], first["screenshot"])


@pytest.mark.parametrize(
    ("wrap", "said"),
    [
        (lambda env: StackScreenshots(env, 1), "at least 2 frames"),
        (lambda env: ResizeScreenshot(env, (0, 4)), "each at least 1"),
        (lambda env: GreyScreenshot(GreyScreenshot(env)), "RGB screenshots"),
        (lambda env: EncodeTexts(EncodeTexts(env)), "no text instruction, message; it has none"),
        (lambda env: EncodeTexts(env, encoding="words"), "ngrams, characters or bytes"),
        (lambda env: EncodeTexts(env, size=0), "size is at least 1"),
        (lambda env: FlatActions(env, grid=(1, 24)), "columns, rows"),
        (lambda env: FlatActions(env, kinds=("click",)), "not click"),
        (lambda env: FlatActions(env, distance=0), "distance is from 1"),
        (lambda env: FlatActions(EncodeTexts(env), instruction_texts=2), "put EncodeTexts over this wrapper"),
        (lambda env: ElementActions(env, most=0), "at least 1"),
        (lambda env: ElementActions(env, gestures=("pinch",)), "gestures are among"),
        (lambda env: ElementActions(env, others=("tap",)), "others are among"),
        (lambda env: DrawnSeeds(env, 0, 0), "count at least 1"),
    ],
)
def test_wrong_arguments_are_told(make_env: MakeEnv, wrap: Callable[[Any], Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        wrap(make_env())


# Texts.


@given(st.text(max_size=40), st.integers(1, 64))
def test_encodings_keep_their_shape_and_range(text: str, size: int) -> None:
    vector = ngram_vector(text, size)
    assert vector.shape == (size,)
    assert vector.dtype == np.float32
    assert np.abs(vector).max() <= 1.0
    codes = character_codes(text, size, 100)
    assert codes.shape == (size,)
    assert 0 <= codes.min() <= codes.max() < 100


def test_encodings_are_the_same_everywhere() -> None:
    assert character_codes("Ab你", 5, 4096).tolist() == [2271, 2463, 2247, 0, 0]
    assert np.flatnonzero(ngram_vector("你", 256)).tolist() == [57]


def test_texts_that_share_pieces_lie_near() -> None:
    wish, right, wrong = (ngram_vector(text, 256) for text in ("帮我点开计算器", "计算器", "日历"))
    assert wish @ right > 0.3
    assert wish @ right > 2 * abs(wish @ wrong)
    assert np.array_equal(ngram_vector("ＯＰＥＮ", 64), ngram_vector("open", 64))
    assert not ngram_vector("", 8).any()


def test_a_text_that_is_cut_is_marked() -> None:
    assert bytes(text_bytes("声" * 40, 60)).rstrip(b"\0").decode() == "声" * 17 + CUT_MARK
    assert bytes(text_bytes("声" * 20, 60)).decode() == "声" * 20
    assert character_codes("x" * 9, 4, 100)[-1] == 1
    assert character_codes("x" * 4, 4, 100)[-1] > 1


def test_other_texts_are_dropped(make_env: MakeEnv) -> None:
    env = EncodeTexts(make_env(hierarchy=True), texts=("instruction",))
    observation, _ = env.reset(seed=0)
    assert set(observation) == set(env.observation_space.spaces) == {"screenshot", "instruction"}


def test_pieces_of_an_instruction() -> None:
    assert quoted_texts("给“小丽”发“7点半见”，响 2 次") == ["小丽", "7点半见", "7", "2"]
    assert quoted_texts('Set it for 07:30, labelled "Pills"') == ["Pills", "07:30"]


# Flat actions.


def test_flat_actions_are_read(make_env: MakeEnv) -> None:
    env = FlatActions(make_env(), kinds=("tap", "swipe", "type", "finish"), vocabulary=("hi", "you"))
    assert env.action_space == spaces.MultiDiscrete([4, 288, 4, 2])
    assert env.decoded(np.array([0, 13, 0, 0]))["touch_point"] == (125, 62)
    swipe = env.decoded(np.array([1, 144, 0, 0]))
    assert (swipe["touch_point"], swipe["lift_point"]) == ((41, 520), (41, 120))
    assert env.decoded(np.array([1, 0, 2, 0]))["lift_point"] == (0, 20)
    assert env.decoded(np.array([2, 0, 0, 1]))["text"] == "you"
    env.reset(seed=0)
    _, reward, *_ = env.step(np.array([0, 2 * 12 + 6, 0, 0]))
    assert reward == 0.5, "the button of the stub phone lies there"
    *_, terminated, _, info = env.step(np.array([3, 0, 0, 0]))
    assert terminated
    assert info["success"]


def test_masks_of_flat_actions(make_env: MakeEnv) -> None:
    phone = make_env()
    env = FlatActions(phone, kinds=("tap", "type", "press_enter", "finish"))
    env.reset(seed=0)
    mask = env.action_masks()
    assert mask.shape == (4 + 288 + 4 + 1,)
    assert mask[:4].tolist() == [True, False, False, True], "nothing to type, and no such key in this protocol"
    assert mask[4:].all()
    pieces = FlatActions(phone, kinds=("type",), instruction_texts=1)
    pieces.reset(seed=0)
    assert pieces.action_masks().all(), "where nothing is left all are allowed"
    env = FlatActions(phone, kinds=("tap", "type"), vocabulary=("a",), instruction_texts=1)
    env.reset(seed=0)
    assert env.action_masks()[:2].all()
    assert env.action_masks()[-2:].tolist() == [True, False]


# Elements.


def test_elements_stand_in_reading_order_and_can_be_tapped(launcher: Callable[[], gym.Env[Any, Any]]) -> None:
    env = ElementActions(launcher())
    observation, info = env.reset(seed=1)
    said = [element.text for element in env.elements]
    assert {"Settings", "Calculator", "Messages"} <= set(said)
    tops = [(element.box.top, element.box.left) for element in env.elements]
    assert tops == sorted(tops)
    assert info["elements_left_out"] == 0
    features = observation["elements"]
    assert features[:, 0].tolist() == [1.0] * len(said) + [0.0] * (32 - len(said))
    assert not features[len(said) :].any()
    at = said.index("Calculator")
    assert np.allclose(features[at, FIXED_FEATURES:], ngram_vector("Calculator", 256))
    box = env.elements[at].box
    assert np.allclose(features[at, 1:5], [box.left / 1080, box.top / 2400, box.right / 1080, box.bottom / 2400])
    _, _, _, _, info = env.step(at)
    assert info["activity"].startswith("org.mobench.calculator")
    assert "Calculator" not in [element.text for element in env.elements] or len(env.elements) != len(said)


def test_masks_of_elements(launcher: Callable[[], gym.Env[Any, Any]]) -> None:
    env = ElementActions(launcher(), most=4, gestures=("tap", "long_press"), others=("swipe_up", "finish"))
    _, info = env.reset(seed=1)
    assert info["elements_left_out"] > 0
    mask = env.action_masks()
    assert mask.shape == (env.action_space.n,) == (10,)
    assert [element.takes(ActionType.TAP) for element in env.elements] == mask[:4].tolist()
    assert [element.takes(ActionType.LONG_PRESS) for element in env.elements] == mask[4:8].tolist()
    assert not mask[:8].all(), "the home screen itself takes long presses only"
    assert mask[8:].all()
    *_, info = env.step(8)
    assert info["action_error"] == ""
    *_, terminated, _, info = env.step(9)
    assert terminated
    assert not info["success"]


def test_an_element_that_is_not_there_costs_a_turn(launcher: Callable[[], gym.Env[Any, Any]]) -> None:
    env = ElementActions(launcher())
    before, _ = env.reset(seed=1)
    after, reward, terminated, _, info = env.step(31)
    assert "touch_point" in info["action_error"]
    assert (reward, terminated, info["turn"]) == (0.0, False, 1)
    assert np.array_equal(before["screenshot"], after["screenshot"])


def test_elements_type_from_the_vocabulary(make_env: MakeEnv) -> None:
    env = ElementActions(make_env(), most=4, others=("finish",), vocabulary=("hello",))
    env.reset(seed=0)
    assert env.decoded(5)["text"] == "hello"
    assert env.decoded(5)["action_type"] == ActionType.TYPE
    assert env.action_masks()[5]


# Seeds.


def test_drawn_seeds_stay_in_their_range_and_are_drawn_by_the_seed(launcher: Callable[[], gym.Env[Any, Any]]) -> None:
    env = DrawnSeeds(launcher(), 500, 20)
    first = [env.reset(seed=3)[1]["task_seed"], *(env.reset()[1]["task_seed"] for _ in range(5))]
    again = [env.reset(seed=3)[1]["task_seed"], *(env.reset()[1]["task_seed"] for _ in range(5))]
    assert first == again
    assert len(set(first)) > 1
    assert all(500 <= seed < 520 for seed in first)
