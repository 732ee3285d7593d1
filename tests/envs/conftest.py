"""A task on a stub phone: the person wants it louder."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.task_registry.models import Task
from tests.support.stub_phone import StubPhone

MakeTask = Callable[..., Task]
MakeEnv = Callable[..., MobileTaskEnv]


@pytest.fixture
def make_task() -> MakeTask:
    def make(**changes: Any) -> Task:
        document: dict[str, Any] = {
            "id": "stub-001",
            "suite": "stub",
            "protocol": "online",
            "instruction": {"zh": "声音太小了，我听不见", "en": "The sound is too low"},
            "apps": ["com.stub"],
            "tags": {"syntax": "narrative", "semantics": "indirect_speech", "scenario": "system_settings"},
            "start": {"snapshot": "clean", "settings": {"system/volume_music": 3}},
            "budget": {"steps": 6, "seconds": 100, "clock": "none"},
            "subtasks": [{"id": "louder", "criterion": {"setting": {"key": "system/volume_music", "above": "start"}}}],
            "allowed_changes": ["system/volume_*"],
        }
        return Task.model_validate({**document, **changes})

    return make


@pytest.fixture
def phone() -> StubPhone:
    return StubPhone()


@pytest.fixture
def make_env(make_task: MakeTask, phone: StubPhone) -> Iterator[MakeEnv]:
    made: list[MobileTaskEnv] = []

    def make(task: Task | None = None, **arguments: Any) -> MobileTaskEnv:
        made.append(MobileTaskEnv(task or make_task(), **{"device": phone, **arguments}))
        return made[-1]

    yield make
    for env in made:
        env.close()
