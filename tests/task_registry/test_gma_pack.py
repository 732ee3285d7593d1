"""The pack of GMA tasks: tiers, apps, dimensions, users and invalid instructions are what their labels say."""

from __future__ import annotations

from collections import Counter

import pytest

from mobile_gym.task_registry.catalog import load_task, task_ids
from mobile_gym.task_registry.models import INFEASIBLE, NearMiss, Task

TASKS = [load_task(name) for name in task_ids("gma")]
NAMES = [task.id for task in TASKS]
DIMENSIONS = {
    "multi_step_workflow",
    "selection_optimization",
    "information_gathering",
    "conditional",
    "invalid_instruction",
}
APPS = {
    "com.android.messaging",
    "com.android.contacts",
    "com.android.calendar",
    "com.android.deskclock",
    "com.android.settings",
    "com.mobench.shop",
    "com.mobench.messenger",
    "com.mobench.wallet",
}
each = pytest.mark.parametrize("task", TASKS, ids=NAMES)


def kinds(task: Task) -> set[str]:
    return {part.kind for criterion in task.criteria() for _, part in criterion.walk()}


def test_the_tiers_are_the_paper_s_shares() -> None:
    tiers = Counter(task.tags.tier for task in TASKS)
    assert tiers == {"atomic": 8, "compositional": 12, "cross_application": 8, "realistic": 4}


def test_all_eight_apps_are_used() -> None:
    assert {app for task in TASKS for app in task.apps} == APPS


def test_realistic_tasks_span_four_to_seven_apps() -> None:
    spans = sorted(len(set(task.apps)) for task in TASKS if task.tags.tier == "realistic")
    assert spans == [4, 5, 6, 7]


def test_asking_and_refusing_are_wanted_in_every_tier_that_can_have_them() -> None:
    asking = Counter(task.tags.tier for task in TASKS if task.user is not None)
    assert sum(asking.values()) >= 8
    assert set(asking) == {"atomic", "compositional", "cross_application", "realistic"}
    hopeless = Counter(task.tags.tier for task in TASKS if task.infeasible)
    assert sum(hopeless.values()) >= 4
    assert set(hopeless) == {"atomic", "compositional", "cross_application"}


@each
def test_the_protocol_and_the_budget_are_gma_s(task: Task) -> None:
    assert task.protocol == "workflow"
    assert task.budget.steps == 150


@each
def test_dimensions_are_the_paper_s_and_true(task: Task) -> None:
    found = task.tags.dimensions
    assert set(found) <= DIMENSIONS
    assert len(set(found)) == len(found)
    across = len(set(task.apps)) > 1
    assert ("multi_step_workflow" in found) == across
    assert across == (task.tags.tier in ("cross_application", "realistic"))
    assert ("invalid_instruction" in found) == (task.infeasible or task.user is not None)


@each
def test_who_can_be_asked_has_to_be_and_guessing_fails(task: Task) -> None:
    if task.user is None:
        assert "asked" not in kinds(task)
        return
    assert "asked" in kinds(task)
    asking = [subtask.id for subtask in task.subtasks if "asked" in {part.kind for _, part in subtask.criterion.walk()}]
    assert asking == ["asked"]
    rest = {subtask.id for subtask in task.subtasks} - {"asked"}
    lucky = [miss for miss in task.near_misses if miss.subtasks.get("asked") is False and not miss.success]
    assert any(all(miss.subtasks.get(name) is True for name in rest) for miss in lucky), "no lucky guess is declared"
    assert len(task.user.knows) > 1, "a user who knows but one thing cannot tell too much"


@each
def test_infeasible_tasks_have_a_false_claim_and_something_similar_among_their_near_misses(task: Task) -> None:
    if not task.infeasible:
        assert INFEASIBLE not in {subtask.id for subtask in task.subtasks}
        return
    assert all(way[-1].kind == "finish_infeasible" for way in task.demonstrations)
    claims = [miss for miss in task.near_misses if miss.steps[-1].kind == "finish"]
    assert any(not miss.unexpected for miss in claims), "no near miss claims that it is done"
    assert any(miss.unexpected for miss in claims), "no near miss does something similar instead"


@each
def test_realistic_tasks_have_subtasks_enough_for_an_average(task: Task) -> None:
    if task.tags.tier == "realistic":
        assert len(task.subtasks) >= 5
        assert task.assets
    assert {subtask.weight for subtask in task.subtasks} == {1}


@each
def test_no_criterion_knows_rows_by_their_numbers(task: Task) -> None:
    for twin in (task, task.in_language("en")):
        for criterion in twin.criteria():
            for _, part in criterion.walk():
                if part.kind == "row":
                    assert not [name for name in part.spec.where or {} if name.endswith("_id")], part.plain()
    assert not [pattern for pattern in task.allowed_changes if pattern.rpartition("/")[2].isdigit()]


def test_a_list_among_steps_stands_for_its_steps() -> None:
    shared = [{"tap": "A"}, ["back", [{"type": "b"}]]]
    miss = NearMiss.model_validate({"steps": [shared, "home", shared, "finish"]})
    assert [step.kind for step in miss.steps] == ["tap", "back", "type", "home", "tap", "back", "type", "finish"]
