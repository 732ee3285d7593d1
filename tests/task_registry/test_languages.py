"""Values given by language: one task, two twins."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from pydantic import ValidationError

from mobile_gym.devices import connect
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.models import Task

DOCUMENT: dict[str, Any] = {
    "id": "test-1",
    "suite": "test",
    "protocol": "online",
    "instruction": {"zh": "发短信", "en": "Send it"},
    "assets": [{"contact": {"name": {"zh": "王芳", "en": "Fay"}, "number": "10086"}}],
    "start": {"snapshot": "lived_in", "screen": {"zh": "短信", "en": "Messages"}},
    "subtasks": [{"message": {"to": "10086", "body": {"zh": "好", "en": "Fine"}}}],
    "demonstrations": [[{"tap": {"zh": "好", "en": "Fine"}}]],
}


def test_each_language_has_its_values() -> None:
    task = Task.model_validate(DOCUMENT)
    english = task.in_language("en")
    assert task.in_language("zh") is task
    assert task.assets[0].spec.name == "王芳"
    assert english.assets[0].spec.name == "Fay"
    assert english.subtasks[0].criterion.spec.body == "Fine"
    assert english.demonstrations == task.demonstrations
    assert pickle.loads(pickle.dumps(task)).in_language("en") == english


def test_a_task_without_such_values_is_its_own_twin() -> None:
    task = Task.model_validate(DOCUMENT | {"assets": [], "start": {}, "subtasks": [{"activity": "a"}]})
    assert task.in_language("en") is task


def test_the_hash_holds_both_languages() -> None:
    other = DOCUMENT | {"subtasks": [{"message": {"to": "10086", "body": {"zh": "好", "en": "Good"}}}]}
    assert Task.model_validate(DOCUMENT).content_hash != Task.model_validate(other).content_hash


def test_a_mistake_in_one_language_is_told() -> None:
    wrong = DOCUMENT | {"subtasks": [{"alarm": {"time": {"zh": "7:30", "en": "half past"}}}]}
    with pytest.raises(ValidationError, match="half past"):
        Task.model_validate(wrong)


@pytest.mark.parametrize(("language", "name"), [("zh", "儿子"), ("en", "(son)")])
def test_the_phone_starts_with_the_data_of_the_language(language: Language, name: str) -> None:
    with connect("embedded:pixel_6a") as device:
        TaskSession(Task.model_validate(DOCUMENT), device, language).setup()
        texts = [node.text for node in device.hierarchy().visible()]
        assert any(name in text for text in texts)
