"""What a task's file must hold is told in plain words, not in pydantic's."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from mobile_gym.task_registry.catalog import task_file
from mobile_gym.task_registry.errors import TaskFileError
from mobile_gym.task_registry.loading import parse_task

FOREIGN = (
    "tuple",
    "Input",
    "pattern",
    "validation",
    "parse",
    "dictionary",
    "instance",
    "datetime",
    "integer",
    "string",
)


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ({"apps": 3}, "apps: must be a list, not 3"),
        ({"apps": [3]}, "apps[0]: must be a text, not 3"),
        ({"id": "Elder 31"}, "id: must be small letters and digits in words joined by '-', such as elder-120"),
        ({"suite": "my suite"}, "suite: must be small letters and digits in words joined by '_'"),
        ({"budget": {"steps": 0}}, "budget.steps: must be at least 1, not 0"),
        ({"budget": {"steps": 2.5}}, "budget.steps: must be a whole number, not 2.5"),
        ({"budget": {"steps": "many"}}, "budget.steps: must be a whole number, not 'many'"),
        ({"budget": None}, "budget: must be a mapping of fields (name: value), not nothing"),
        ({"budget": {"steps": 9, "seconds": -1}}, "budget.seconds: must be more than 0, not -1"),
        ({"start": {"clock": "soon"}}, "start.clock: must be a date and time, such as 2026-03-02 09:30, not 'soon'"),
        ({"start": 7}, "start: must be a mapping of fields (name: value), not 7"),
        ({"demonstrations": [[]]}, "demonstrations[0]: must not be empty, not []"),
        ({"instruction": {"zh": "", "en": "x"}}, "instruction.zh: must not be empty, not ''"),
        ({"infeasible": "maybe"}, "infeasible: must be true or false, not 'maybe'"),
        ({"near_misses": [{"steps": [{"tap": "x"}], "progress": 2}]}, "progress: must be at most 1, not 2"),
        ({"params": 3}, "params: must be a mapping (name: value), not 3"),
        ({"assets": [{"contact": 3}]}, "assets[0].contact: must be a mapping of fields (name: value), not 3"),
    ],
)
def test_what_a_field_must_hold(field: dict[str, Any], told: str) -> None:
    task = yaml.safe_load(task_file("elder-031").read_text("utf-8"))
    with pytest.raises(TaskFileError) as caught:
        parse_task(yaml.safe_dump({**task, **field}, allow_unicode=True))
    assert told in str(caught.value)
    assert not [word for word in FOREIGN if word in str(caught.value)]
