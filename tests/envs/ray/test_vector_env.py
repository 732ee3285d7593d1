"""`RayVectorEnv` beside Gymnasium's own vector environments."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
import ray
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import mobile_gym  # noqa: F401 - registers the tasks
from mobile_gym.envs import RayVectorEnv
from mobile_gym.envs.actions import Action, ActionType
from tests.envs.ray.conftest import MakeVector
from tests.envs.ray.faulty import END, GO, Faulty, faulty

SMALL = {"observation_size": (90, 200), "time_budget": "none", "language": "en"}
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def same(one: Any, other: Any, where: str = "") -> None:
    """Equal values of equal kinds, all the way down."""
    assert type(one) is type(other), where
    if isinstance(one, dict):
        assert set(one) == set(other), where
        for key in one:
            same(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, where
        assert one.shape == other.shape, where
        if one.dtype == object:
            for index, (left, right) in enumerate(zip(one, other, strict=True)):
                same(left, right, f"{where}[{index}]")
        else:
            np.testing.assert_array_equal(one, other, err_msg=where)
    elif isinstance(one, tuple | list):
        assert len(one) == len(other), where
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            same(left, right, f"{where}[{index}]")
    else:
        assert one == other, where


def without_errors(infos: dict[str, Any]) -> dict[str, Any]:
    """Infos as Gymnasium's own vector environment has them."""
    kept = {key: value for key, value in infos.items() if key not in ("env_error", "_env_error")}
    if "final_info" in kept:
        kept["final_info"] = without_errors(kept["final_info"])
    return kept


def compare(ours: RayVectorEnv, theirs: SyncVectorEnv, plan: list[Any], seed: Any = 5) -> None:
    """The same seeds and actions in both."""
    one, other = ours.reset(seed=seed), theirs.reset(seed=seed)
    same(one[0], other[0])
    same(without_errors(one[1]), other[1])
    for number, actions in enumerate(plan):
        left, right = ours.step(actions), theirs.step(actions)
        same(left[:4], right[:4], f"step {number}")
        same(without_errors(left[4]), right[4], f"step {number}")
        assert ours.observation_space.contains(left[0])


def tour(space: gym.Space[Any], count: int) -> list[Any]:
    """Batched actions: things that do something, and ends at different times."""
    steps = [
        [Action.tap(500, 300), Action.open_app("Settings"), Action.press("home")],
        [Action.tap(500, 500), Action.finish(), Action.tap(100, 100)],
        [Action.scroll("down"), Action.tap(500, 500), Action.finish()],
        [Action.finish(), Action.tap(500, 500), Action.tap(10, 10)],
        [Action.tap(1, 1), Action.press("back"), Action.tap(10, 10)],
    ]
    batches = []
    for row in steps:
        single = [action.encode() for action in row[:count]]
        batches.append(
            {
                "action_type": np.array([one["action_type"] for one in single]),
                "touch_point": np.array([one["touch_point"] for one in single]),
                "lift_point": np.array([one["lift_point"] for one in single]),
                "text": tuple(one["text"] for one in single),
            }
        )
    assert all(space.contains(batch) for batch in batches)
    return batches


@pytest.mark.parametrize("mode", MODES)
def test_phones_are_what_gymnasium_makes_of_them(vector: MakeVector, mode: AutoresetMode) -> None:
    tasks = ["MoBench/train-settings", "MoBench/elder-031", "MoBench/elder-034"]
    theirs = SyncVectorEnv([lambda task=task: gym.make(task, **SMALL) for task in tasks], autoreset_mode=mode)
    ours = vector([(task, SMALL) for task in tasks], autoreset_mode=mode)
    compare(ours, theirs, tour(theirs.action_space, 3))
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == mode
    assert [task.id for task in ours.get_attr("task")] == [task.removeprefix("MoBench/") for task in tasks]
    theirs.close()


@pytest.mark.parametrize("mode", [mode.value for mode in AutoresetMode])
def test_arrays_texts_and_infos_are_batched_alike(vector: MakeVector, tmp_path: Path, mode: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    ours = vector(faulty(tmp_path / "a", 5), autoreset_mode=mode)
    theirs = SyncVectorEnv(faulty(tmp_path / "b", 5), autoreset_mode=mode)
    plan = [np.full(5, GO), np.array([GO, END, GO, GO, GO]), np.full(5, GO), np.array([END, GO, END, GO, GO])]
    if mode == AutoresetMode.DISABLED.value:
        compare(ours, theirs, plan[:2])
        with pytest.raises(ResetNeeded, match="sub-environments 1 are over"):
            ours.step(plan[0])
        mask = np.array([True, True, False, False, False])
        seeds = [7, 8, None, None, None]
        one = ours.reset(seed=seeds, options={"reset_mask": mask})
        other = theirs.reset(seed=seeds, options={"reset_mask": mask})
        same(one[0], other[0])
        same(without_errors(one[1]), other[1])
        left, right = ours.step(plan[0]), theirs.step(plan[0])
        same(left[:4], right[:4])
    else:
        compare(ours, theirs, [*plan, *plan])
        compare(ours, theirs, plan, seed=[3, 1, 4, 1, 5])
    theirs.close()


def test_what_is_handed_out_stays_as_it_was(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 2))
    envs.reset(seed=0)
    first = envs.step([GO, GO])
    kept = deepcopy(first)
    for _ in range(3):
        envs.step([GO, GO])
    same(first, kept)


def test_the_live_batch_is_the_shared_memory(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 2), copy=False)
    envs.reset(seed=0)
    first = envs.step([GO, GO])[0]["screenshot"]
    assert first[0, 0, 0, 0] == 1
    for _ in range(2):
        envs.step([GO, GO])
    assert first[0, 0, 0, 0] == 3


def test_attributes_and_methods_of_all(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 3))
    envs.reset(seed=0)
    assert envs.get_attr("name") == ("0", "1", "2")
    envs.set_attr("extra", [5, 6, 7])
    assert envs.get_attr("extra") == (5, 6, 7)
    envs.set_attr("extra", "all")
    assert envs.call("extra") == ("all",) * 3
    assert envs.np_random_seed == (0, 1, 2)
    frames = envs.render()
    assert frames is not None
    assert [frame.shape for frame in frames] == [(4, 4, 3)] * 3
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        envs.get_attr("nothing_of_the_kind")
    with pytest.raises(ValueError, match="Got `2` values for 3"):
        envs.set_attr("extra", [1, 2])


def test_mistakes_are_told(vector: MakeVector, tmp_path: Path) -> None:
    envs = vector(faulty(tmp_path, 2))
    with pytest.raises(ResetNeeded, match="call reset"):
        envs.step([GO, GO])
    with pytest.raises(ValueError, match="length must match num_envs=2"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="unknown options"):
        envs.reset(options={"level": 3})
    with pytest.raises(TypeError, match="dtype bool"):
        envs.reset(options={"reset_mask": [True, False]})
    with pytest.raises(ValueError, match="at least one True"):
        envs.reset(options={"reset_mask": np.zeros(2, np.bool_)})
    envs.reset()
    with pytest.raises(ValueError, match="3 actions for 2"):
        envs.step([GO, GO, GO])
    envs.step(np.array([GO, GO]))
    envs.close()
    envs.close()
    with pytest.raises(ClosedEnvironmentError):
        envs.step([GO, GO])


def test_what_cannot_stand_side_by_side_is_told(vector: MakeVector, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"same observation space: number 0 .* number 1 .*same observation_size"):
        vector([*faulty(tmp_path, 1), *faulty(tmp_path, 1, side=5)])
    with pytest.raises(ValueError, match="specs is empty"):
        vector([])
    with pytest.raises(TypeError, match="must be a list"):
        vector("MoBench/elder-031")
    with pytest.raises(TypeError, match=r"specs\[0\]"):
        vector([3])
    with pytest.raises(gym.error.NameNotFound):
        vector(["MoBench/elder-999"])
    with pytest.raises(ValueError, match="no such"):
        vector([_no_env])


def _no_env() -> Faulty:
    raise ValueError("no such environment")


def test_make_vec_makes_it(session: None) -> None:
    envs = gym.make_vec(
        "MoBench/train-settings",
        num_envs=3,
        vectorization_mode="vector_entry_point",
        phones_per_actor=2,
        autoreset_mode="SameStep",
        **SMALL,
    )
    try:
        assert isinstance(envs, RayVectorEnv)
        assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
        observation, infos = envs.reset(seed=1)
        assert observation["screenshot"].shape == (3, 200, 90, 3)
        assert infos["task_id"].tolist() == ["train-settings"] * 3
        assert infos["task_seed"].tolist() == [1, 2, 3]
        assert envs.spec is not None
        again = gym.envs.registration.EnvSpec.from_json(envs.spec.to_json())
        assert again.kwargs["num_envs"] == 3
        stepped = envs.step({**envs.action_space.sample(), "action_type": np.full(3, ActionType.FINISH)})
        assert stepped[2].all()
        assert stepped[4]["final_info"]["ended_by"].tolist() == ["finish"] * 3
    finally:
        envs.close()


@pytest.mark.parametrize("name", ["MoBench/elder-031", "MoBench/trans-web"])
def test_specs_are_still_json(name: str) -> None:
    spec = gym.spec(name)
    assert spec.vector_entry_point is not None
    assert gym.envs.registration.EnvSpec.from_json(spec.to_json()) == spec


def test_the_session_of_others_is_left_alone(vector: MakeVector, tmp_path: Path) -> None:
    vector(faulty(tmp_path, 1)).close()
    assert ray.is_initialized()
