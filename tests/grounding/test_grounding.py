"""Grounding: scores, splits, the environment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.envs.actions import Action
from mobile_gym.envs.grounding_env import GroundingEnv
from mobile_gym.reward.grounding import NO_POINT_DISTANCE, Box, score
from mobile_gym.task_registry.grounding import SPLITS, GroundingItem, of_split, partition, split_name

BOX = Box(0.2, 0.4, 0.4, 0.5)


@pytest.mark.parametrize(
    ("point", "inside", "distance"),
    [
        ((0.3, 0.45), True, 0.0),
        ((0.2, 0.45), False, 10.0),
        ((0.4, 0.45), False, 10.0),
        ((0.3, 0.5), False, 5.0),
        ((0.21, 0.45), True, 9.0),
        ((0.6, 0.85), False, 50.0),
        (None, False, NO_POINT_DISTANCE),
        ((1.2, 0.5), False, NO_POINT_DISTANCE),
        ((0.3, -0.01), False, NO_POINT_DISTANCE),
    ],
)
def test_scores(point: tuple[float, float] | None, inside: bool, distance: float) -> None:
    found = score(point, BOX)
    assert found.inside is inside
    assert found.distance == pytest.approx(distance)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_point_inside_is_never_further_than_a_corner(x: float, y: float) -> None:
    found = score((x, y), BOX)
    corner = score((BOX.left, BOX.top), BOX).distance
    assert found.distance <= corner + 1e-9 or not found.inside


@pytest.mark.parametrize(
    "sides", [(0.5, 0.1, 0.4, 0.2), (0.1, 0.1, 0.1, 0.2), (-0.1, 0, 0.5, 0.5), (0, 0, float("nan"), 1)]
)
def test_boxes_that_are_none(sides: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="box"):
        Box(*sides)


def items(count: int) -> list[GroundingItem]:
    def load() -> Any:
        return np.full((200, 100, 3), 7, np.uint8)

    platforms = (("android", "old"), ("android", "new"), ("ios", ""), ("web", ""))
    return [
        GroundingItem(
            f"i{n}",
            {"zh": f"第{n}个", "en": f"number {n}"},
            BOX,
            platforms[n % 4][0],
            platforms[n % 4][1],  # type: ignore[arg-type]
            f"app{n % 20}",
            f"category{n % 9}",
            "home",
            "none",
            "synthetic",
            load,
        )
        for n in range(count)
    ]


@pytest.mark.parametrize("name", ["android_low", "ios", "web", "normal", "app"])
def test_partitions_never_train_on_what_they_test(name: str) -> None:
    whole = items(400)
    train, test = partition(whole, name)
    assert train
    assert not {item.id for item in train} & {item.id for item in test}
    assert len(train) + len(test) == len(whole)
    assert partition(whole, name) == (train, test)
    if name == "app":
        assert len({item.app for item in train}) <= 12, "two apps in five are held back"


def test_the_app_partition_tells_apps_of_trained_categories_from_others() -> None:
    # Every app is of one category, as in a real set.
    whole = [replace(item, category=f"category{int(item.app[3:]) % 9}") for item in items(400)]
    train, test = of_split(whole, "app_train"), of_split(whole, "app_test")
    apps, categories = {item.app for item in train}, {item.category for item in train}
    assert {item.transfer for item in test} == {"", "same category", "different category"}
    for item in test:
        assert (item.transfer == "") == (item.app in apps)
        assert (item.transfer == "same category") == (item.category in categories and item.app not in apps)
    assert {item.transfer for item in of_split(whole, "normal_test")} == {""}


def test_splits_have_one_name() -> None:
    assert [split_name(name) for name in ("app", "all_test", "ios", "ios_test")] == [
        "app_test",
        "all",
        "ios",
        "ios_test",
    ]
    whole = items(400)
    assert {item.platform for item in of_split(whole, "ios")} == {"ios"}
    assert len({item.platform for item in of_split(whole, "ios_test")}) == 3
    for name in SPLITS:
        assert of_split(whole, name)
    with pytest.raises(ValueError, match=r"did you mean 'android_low_train'.*app_test"):
        of_split(whole, "android_low_trian")


def test_the_environment_scores_one_point() -> None:
    env = GroundingEnv("all", items(8), observation_size=(50, 100))
    observation, info = env.reset(options={"index": 3})
    assert observation["instruction"] == "第3个"
    assert "box" not in info, "the answer is not told before it is given"
    _, reward, terminated, truncated, info = env.step(Action.tap(300, 450).encode())
    assert (reward, terminated, truncated, info["distance"]) == (1.0, True, False, pytest.approx(0.0))
    with pytest.raises(ResetNeeded):
        env.step(Action.tap(1, 1).encode())
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(Action.finish().encode())
    assert (reward, terminated, info["distance"]) == (0.0, True, NO_POINT_DISTANCE)
    assert "only tap" in info["action_error"]


def test_items_follow_the_seed_and_bad_options_are_named() -> None:
    env = GroundingEnv("all", items(50), observation_size=(50, 100))
    drawn = [env.reset(seed=seed)[1]["index"] for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1]
    for index in (50, -1):
        with pytest.raises(ValueError, match="out of range"):
            env.reset(options={"index": index})
    for nonsense in ("abc", [0], {}, float("nan"), 1.5, True):
        with pytest.raises(ValueError, match="index is a whole number from 0 to 49"):
            env.reset(options={"index": nonsense})
    assert env.reset(options={"index": np.int64(7)})[1]["index"] == 7
    with pytest.raises(ValueError, match="unknown reset options colour"):
        env.reset(options={"colour": 1})


def test_gymnasiums_checker_is_content() -> None:
    check_env(GroundingEnv("all", items(8), observation_size=(50, 100)), skip_render_check=True)
