"""Grounding: scores, the official release's rows, splits, the environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mobile_gym.envs.actions import Action
from mobile_gym.envs.grounding_env import GroundingEnv
from mobile_gym.reward.grounding import NO_POINT_DISTANCE, Box, score
from mobile_gym.task_registry.grounding import GroundingItem, GroundingSetError, load_official, of_split, partition

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


def row(**changes: Any) -> dict[str, Any]:
    return {
        "grounding_instruction": "打开购物车",
        "target_bbox": [[0.2, 0.4, 0.4, 0.5], [0.1, 0.3, 0.5, 0.6]],
        "platform_type": "Android",
        "app_version_type": "low",
        "screenshot_path": "shots/a.png",
        "app_name": "Shop",
        "app_type": "Shopping",
        **changes,
    }


@pytest.fixture
def release(tmp_path: Path) -> Path:
    (tmp_path / "shots").mkdir()
    Image.fromarray(np.full((120, 60, 3), 90, np.uint8)).save(tmp_path / "shots" / "a.png")
    rows = [
        row(),
        row(app_version_type="high"),
        row(platform_type="iOS", app_version_type=""),
        row(platform_type="Web"),
    ]
    text = "\n".join(json.dumps(one) for one in rows)
    (tmp_path / "all_test.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "ios_train.json").write_text(json.dumps(rows[2:3]), encoding="utf-8")
    return tmp_path


def test_rows_are_read_and_split(release: Path) -> None:
    items = load_official(release)
    assert [(item.platform, item.version) for item in items] == [
        ("android", "old"),
        ("android", "new"),
        ("ios", ""),
        ("web", ""),
    ]
    assert items[0].box == BOX, "the first box counts"
    assert items[0].load().shape == (120, 60, 3)
    assert items[0].picture == "shots/a.png", "items of one screenshot share its name"
    assert [len(of_split(items, name)) for name in ("android-old", "android-new", "ios", "web", "all")] == [
        1,
        1,
        1,
        1,
        4,
    ]
    assert len(load_official(release, "ios", "train")) == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"target_bbox": []}, "target_bbox"),
        ({"target_bbox": [[0.1, 0.2, 0.3]]}, "target_bbox"),
        ({"target_bbox": [[10, 20, 30, 40]]}, "target_bbox"),
        ({"target_bbox": "nonsense"}, "target_bbox"),
        ({"grounding_instruction": ""}, "grounding_instruction"),
        ({"platform_type": "symbian"}, "platform_type"),
        ({"app_version_type": "middle"}, "app_version_type"),
        ({"app_name": None}, "app_name"),
    ],
)
def test_a_bad_row_is_named(release: Path, changes: dict[str, Any], field: str) -> None:
    (release / "web_test.jsonl").write_text(json.dumps(row()) + "\n" + json.dumps(row(**changes)), encoding="utf-8")
    with pytest.raises(GroundingSetError, match=rf"web_test\.jsonl, row 2, {field}"):
        load_official(release, "web")


def test_missing_files_and_pictures_are_named(release: Path) -> None:
    with pytest.raises(GroundingSetError, match=r"normal_test\.jsonl"):
        load_official(release, "normal")
    with pytest.raises(GroundingSetError, match="no split"):
        load_official(release, "symbian")
    (release / "shots" / "a.png").write_bytes(b"no picture")
    with pytest.raises(GroundingSetError, match="screenshot_path"):
        load_official(release)[0].load()
    (release / "app_test.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(GroundingSetError, match="not readable as JSON"):
        load_official(release, "app")


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
    with pytest.raises(ValueError, match="out of range"):
        env.reset(options={"index": 50})
    with pytest.raises(ValueError, match="unknown reset options colour"):
        env.reset(options={"colour": 1})


def test_gymnasiums_checker_is_content() -> None:
    check_env(GroundingEnv("all", items(8), observation_size=(50, 100)), skip_render_check=True)


def test_the_official_release_is_an_environment(release: Path) -> None:
    env = GroundingEnv("ios", str(release), observation_size=(60, 120))
    _, info = env.reset(seed=0)
    assert (info["platform"], info["source"]) == ("ios", "transbench")
