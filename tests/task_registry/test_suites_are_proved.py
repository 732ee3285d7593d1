"""Every task of every suite is proved on the embedded phone: what is not proved is no task."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.task_registry.catalog import load_task, task_ids
from mobile_gym.task_registry.proofs import prove

LIVE = ("online", "graph", "process", "workflow")


@pytest.fixture(scope="module")
def phone() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


@pytest.mark.parametrize("task_id", task_ids())
def test_the_task_is_proved(phone: Device, task_id: str) -> None:
    task = load_task(task_id)
    if task.protocol not in LIVE:
        pytest.skip(f"protocol {task.protocol} is proved by its own environment")
    for seed in range(3 if task.params else 1):
        proof = prove(load_task(task_id, seed), phone, random_episodes=1)
        problems = [finding.text for finding in proof.findings if finding.severity == "problem"]
        assert proof.outcome == "proved", "\n".join(problems)
