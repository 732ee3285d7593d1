"""Policies by name, and what the random one does."""

from collections import Counter
from importlib import metadata
from typing import Any

import pytest

from mobile_gym.devices.errors import HierarchyUnavailable
from mobile_gym.envs.actions import ActionType
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.policies import Privileged, UnknownPolicy, make_policy, policy_names
from mobile_gym.policies.base import PolicyError
from mobile_gym.policies.noop import NoopPolicy
from mobile_gym.policies.random import RandomPolicy
from mobile_gym.task_registry.models import Task
from tests.support.stub_phone import FIELD, LOUDER, StubPhone


@pytest.fixture
def task() -> Task:
    return Task.model_validate(
        {
            "id": "stub-001",
            "suite": "stub",
            "protocol": "online",
            "instruction": {"zh": "大声", "en": "louder"},
            "budget": {"steps": 1000},
            "subtasks": [{"setting": {"key": "system/volume_music", "above": 99}}],
        }
    )


def test_names_and_errors() -> None:
    assert {"demonstration", "noop", "random"} <= set(policy_names())
    for name in ("demonstration", "noop", "random"):
        assert make_policy(name).name == name
    with pytest.raises(UnknownPolicy, match="no policy 'randm'; did you mean 'random'"):
        make_policy("randm")
    with pytest.raises(TypeError):
        make_policy("noop", speed=3)
    with pytest.raises(ValueError, match="finish_probability"):
        make_policy("random", finish_probability=2)


def test_other_packages_offer_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint("lazy", "mobile_gym.policies.noop:NoopPolicy", "mobile_gym.policies")

    def entry_points(group: str, name: str | None = None) -> list[metadata.EntryPoint]:
        return [point] if name in (None, "lazy") else []

    monkeypatch.setattr("mobile_gym.policies.registry.entry_points", entry_points)
    assert "lazy" in policy_names()
    assert isinstance(make_policy("lazy"), NoopPolicy)


def test_privileged_policies_say_so() -> None:
    assert isinstance(make_policy("random"), Privileged)
    assert isinstance(make_policy("demonstration"), Privileged)
    assert not isinstance(make_policy("noop"), Privileged)
    for name in ("random", "demonstration"):
        with pytest.raises(PolicyError, match="attach"):
            _begin_and_act(make_policy(name))


def _begin_and_act(policy: Any) -> None:
    policy.reset(Task.model_construct(id="x", demonstrations=()), {}, 0)
    policy.act({}, {})


def moves(task: Task, seed: int, count: int = 150, **options: Any) -> list[tuple[ActionType, tuple[int, ...], str]]:
    env = MobileTaskEnv(task, device=StubPhone("embedded:stub"))
    policy = RandomPolicy(**options)
    policy.attach(env)
    observation, info = env.reset(seed=seed)
    policy.reset(task, info, seed)
    made = []
    for _ in range(count):
        action = policy.act(observation, info)
        assert env.action_space.contains(action)
        made.append((ActionType(action["action_type"]), tuple(action["touch_point"].tolist()), action["text"]))
        if action["action_type"] != ActionType.FINISH:
            observation, *_, info = env.step(action)
            assert info["action_error"] == ""
    env.close()
    return made


def test_random_play_hits_what_is_there(task: Task) -> None:
    made = moves(task, seed=0)
    kinds = Counter(kind for kind, _, _ in made)
    assert {ActionType.TAP, ActionType.SWIPE, ActionType.TYPE, ActionType.FINISH} <= set(kinds)
    assert ActionType.PRESS_ENTER not in kinds
    assert ActionType.LONG_PRESS not in kinds
    assert 1 <= kinds[ActionType.FINISH] <= 20
    points = {point for kind, point, _ in made if kind is ActionType.TAP}
    middles = {(x * 1000 // 89, y * 1000 // 199) for x, y in (LOUDER.center, FIELD.center)}
    assert len(points) == 2
    for x, y in points:
        assert any(abs(x - a) <= 1 and abs(y - b) <= 1 for a, b in middles)
    seen = {"louder", "大声"}
    assert all(text in seen or set(text) & set("louder大声") for kind, _, text in made if kind is ActionType.TYPE)


def test_random_play_follows_its_seed(task: Task) -> None:
    assert moves(task, seed=1, count=40) == moves(task, seed=1, count=40)
    assert moves(task, seed=1, count=40) != moves(task, seed=2, count=40)


def test_random_play_goes_on_without_a_hierarchy(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = StubPhone()
    env = MobileTaskEnv(task, device=phone)
    policy = RandomPolicy(finish_probability=0)
    policy.attach(env)
    observation, info = env.reset()
    policy.reset(task, info, 0)

    def unavailable() -> None:
        raise HierarchyUnavailable("busy")

    monkeypatch.setattr(phone, "hierarchy", unavailable)
    points = set()
    for _ in range(30):
        action = policy.act(observation, info)
        if action["action_type"] == ActionType.TAP:
            points.add(tuple(action["touch_point"].tolist()))
    assert len(points) > 5
    env.close()
