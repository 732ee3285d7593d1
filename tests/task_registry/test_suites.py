"""The suites themselves: what ElderBench online must be made of, and that training families hold for any seed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.reward.demonstration import DemonstrationRunner
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.catalog import load_task, suite_facts, task_ids
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.proofs import play, prove
from mobile_gym.task_registry.statistics import statistics

ELDER = [task_id for task_id in task_ids("elder") if load_task(task_id).protocol == "online"]
OFFLINE = [task_id for task_id in task_ids("elder") if load_task(task_id).protocol == "graph"]
FAMILIES = ["train-alarm", "train-launcher", "train-settings"]


@pytest.fixture(scope="module")
def phone() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


# ---- ElderBench


def test_the_instructions_are_made_up_as_the_paper_counts() -> None:
    found = statistics([load_task(task_id) for task_id in ELDER], suite_facts("elder")["statistics"])
    assert [share.name for share in found.off] == []
    assert abs(found.mean_length - found.wanted["mean_length"]) <= 1
    assert found.mean_verbs is not None
    assert abs(found.mean_verbs - found.wanted["mean_verbs"]) <= 0.1


def test_online_tasks_have_the_numbers_1_to_130() -> None:
    assert len(ELDER) == 24
    assert all(1 <= int(task_id.removeprefix("elder-")) <= 130 for task_id in ELDER)


@pytest.mark.parametrize("task_id", ELDER)
def test_a_task_says_all_that_the_suite_wants(task_id: str) -> None:
    task = load_task(task_id)
    assert task.instruction_normalized is not None
    assert task.instruction_normalized != task.instruction
    assert None not in (task.tags.syntax, task.tags.semantics, task.tags.scenario, task.tags.verbs)
    assert (task.budget.steps, task.budget.seconds, task.budget.clock) == (25, 120, "wall")
    assert len(task.near_misses) >= 4, "a wrong target, half done, nothing done, and one change too many"
    assert any(miss.unexpected for miss in task.near_misses), "no near miss does more than was asked"


def test_every_instruction_is_said_once() -> None:
    said = [load_task(task_id).instruction for task_id in ELDER]
    assert len({words.zh for words in said}) == len({words.en for words in said}) == len(ELDER)


@pytest.mark.parametrize("task_id", ELDER)
def test_the_task_is_proved_in_english(phone: Device, task_id: str) -> None:
    proof = prove(load_task(task_id), phone, "en", random_episodes=0)
    assert proof.outcome == "proved", "\n".join(finding.text for finding in proof.findings)


def test_offline_tasks_have_the_numbers_131_to_249() -> None:
    assert len(OFFLINE) >= 24
    assert all(131 <= int(task_id.removeprefix("elder-")) <= 249 for task_id in OFFLINE)


def test_online_and_offline_together_are_made_up_as_the_paper_counts() -> None:
    found = statistics([load_task(task_id) for task_id in ELDER + OFFLINE], suite_facts("elder")["statistics"])
    assert [share.name for share in found.off] == []
    assert abs(found.mean_length - found.wanted["mean_length"]) <= 1
    assert found.mean_verbs is not None
    assert abs(found.mean_verbs - found.wanted["mean_verbs"]) <= 0.1
    said = [load_task(task_id).instruction for task_id in ELDER + OFFLINE]
    assert len({words.zh for words in said}) == len({words.en for words in said}) == len(said)


@pytest.mark.parametrize("task_id", OFFLINE)
def test_an_offline_task_says_all_that_the_suite_wants(task_id: str) -> None:
    task = load_task(task_id)
    assert task.instruction_normalized is not None
    assert task.instruction_normalized != task.instruction
    assert None not in (task.tags.syntax, task.tags.semantics, task.tags.scenario, task.tags.verbs)
    assert (task.budget.steps, task.budget.seconds, task.budget.clock) == (25, 120, "wall")
    assert len(task.demonstrations) >= 2, "one way would be a golden one"
    assert len(task.near_misses) >= 3, "a wrong target, half done, and one change too many"
    assert any(miss.unexpected for miss in task.near_misses), "no near miss does more than was asked"


# ---- Training families


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_solved_by_its_demonstration_for_any_seed(phone: Device, family: str) -> None:
    for seed in range(20):
        task = load_task(family, seed)
        language: Language = "en" if seed % 3 == 0 else "zh"
        assert demonstrated(task, phone, language), f"seed {seed}: {task.instruction.zh}"


def demonstrated(task: Task, phone: Device, language: Language) -> bool:
    session = TaskSession(task, phone, language)
    return play(session, DemonstrationRunner(phone, session).steps(task.demonstrations[0])).success


@pytest.mark.parametrize(("family", "least"), [("train-alarm", 58), ("train-settings", 25)])
def test_a_family_draws_many_different_tasks(family: str, least: int) -> None:
    drawn = [load_task(family, seed) for seed in range(60)]
    assert len({task.instruction.zh for task in drawn}) >= least
    assert len({task.instruction.en for task in drawn}) >= least
    assert all("{" not in task.instruction.zh + task.instruction.en for task in drawn)


def test_the_settings_family_has_at_least_eight_kinds_of_goals() -> None:
    keys = {key for seed in range(60) for key in load_task("train-settings", seed).start.settings}
    assert len(keys) >= 8


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_is_the_same_task(family: str) -> None:
    assert load_task(family, 7).content_hash == load_task(family, 7).content_hash
    assert load_task(family, 7).content_hash != load_task(family, 8).content_hash


def test_training_says_nothing_of_the_benchmark() -> None:
    held_back = {load_task(task_id).instruction.zh for task_id in ELDER}
    drawn = {load_task(family, seed).instruction.zh for family in FAMILIES for seed in range(60)}
    assert not held_back & drawn
