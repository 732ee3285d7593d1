"""The family of home screens, and the shuffled parameters that it is laid out by."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.reward.demonstration import DemonstrationRunner
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.catalog import load_task
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.params import Param, draw
from mobile_gym.task_registry.proofs import play

FAMILY = "train-launcher"


def layout(task: Task) -> list[object]:
    return [asset.plain()["row"]["values"]["cell"] for asset in task.assets]


def test_a_shuffle_is_the_list_in_another_order() -> None:
    params = {"cell": Param.model_validate({"shuffle": [3, 5, "x", 9]})}
    drawn = [draw("t", params, seed, None)["cell"] for seed in range(20)]
    assert all(set(values) == {"1", "2", "3", "4"} for values in drawn)
    assert all(sorted(map(str, values.values())) == ["3", "5", "9", "x"] for values in drawn)
    assert len({tuple(map(str, values.values())) for values in drawn}) > 5
    assert draw("t", params, 4, None) == draw("t", params, 4, None)
    with pytest.raises(ValidationError):
        Param.model_validate({"shuffle": [1]})


def test_goals_words_and_places_are_drawn_by_the_seed() -> None:
    tasks = [load_task(FAMILY, seed) for seed in range(80)]
    goals = {task.subtasks[0].criterion.plain()["activity"] for task in tasks}
    assert len(goals) == 10
    assert len({task.instruction.en for task in tasks}) > 25
    places = [layout(task) for task in tasks]
    assert all(len(set(cells)) == 10 and set(cells) <= set(range(20)) for cells in places)
    assert len({tuple(map(str, cells)) for cells in places}) == 80, "no two seeds share a home screen"
    assert load_task(FAMILY, 7).content_hash == load_task(FAMILY, 7).content_hash


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_goal_is_reached_by_its_icon(language: Language) -> None:
    with connect("embedded:pixel_6a") as device:
        assert isinstance(device, Device)
        for seed in range(12):
            session = TaskSession(load_task(FAMILY, seed), device, language)
            played = play(session, DemonstrationRunner(device, session).steps(session.task.demonstrations[0]))
            assert played.success, seed
