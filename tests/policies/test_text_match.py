"""The baseline that matches texts."""

from __future__ import annotations

from typing import Any

import pytest

from mobile_gym.devices.errors import HierarchyUnavailable
from mobile_gym.envs.actions import ActionType
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.policies import make_policy
from mobile_gym.policies.base import PolicyError
from mobile_gym.policies.text_match import TextMatchPolicy, match, quoted
from mobile_gym.task_registry.models import Task
from tests.support.stub_phone import StubPhone


def task(english: str) -> Task:
    return Task.model_validate(
        {
            "id": "stub-001",
            "suite": "stub",
            "protocol": "online",
            "instruction": {"zh": "大声", "en": english},
            "budget": {"steps": 20},
            "start": {"settings": {"system/volume_music": 3}},
            "subtasks": [{"setting": {"key": "system/volume_music", "above": "start"}}],
            "allowed_changes": ["system/*"],
        }
    )


def play(english: str, phone: StubPhone | None = None) -> tuple[list[tuple[ActionType, str]], dict[str, Any]]:
    env = MobileTaskEnv(task(english), device=phone or StubPhone(), language="en")
    policy = TextMatchPolicy()
    policy.attach(env)
    observation, info = env.reset(seed=0)
    policy.reset(env.task, info, 0)
    made = []
    over = False
    while not over:
        action = policy.act(observation, info)
        made.append((ActionType(action["action_type"]), action["text"]))
        observation, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    env.close()
    return made, info


def test_it_taps_what_reads_like_the_instruction_once_and_finishes() -> None:
    made, info = play("make it louder 大声 please")
    assert [kind for kind, _ in made] == [ActionType.TAP, ActionType.FINISH]
    assert info["success"]
    assert info["turn"] == 2


def test_it_types_what_is_quoted() -> None:
    made, _ = play('write "hello there" in it')
    assert made == [(ActionType.TAP, ""), (ActionType.TYPE, "hello there"), (ActionType.FINISH, "")]


def test_it_finishes_where_nothing_matches_or_nothing_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert play("0123456789")[0] == [(ActionType.FINISH, "")]
    phone = StubPhone()

    def unavailable() -> None:
        raise HierarchyUnavailable("busy")

    monkeypatch.setattr(phone, "hierarchy", unavailable)
    assert play("make it louder", phone)[0] == [(ActionType.FINISH, "")]


def test_matches_and_quotes() -> None:
    assert match("settings", "open settings now") == 100
    assert match("s", "open settings now") == 0
    assert match("x" * 41, "x" * 41) == 0
    assert match("", "a") == 0
    assert quoted('发“晚安”给他，再发「你好」 and "ok", it\'s fine') == ["晚安", "你好", "ok"]
    assert quoted("nothing") == []
    assert make_policy("text_match").name == "text_match"
    with pytest.raises(ValueError, match="threshold"):
        TextMatchPolicy(0)
    with pytest.raises(PolicyError, match="attach"):
        TextMatchPolicy().act({}, {})
