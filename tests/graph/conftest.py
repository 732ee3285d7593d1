"""Two tasks over task graphs, recorded once on the embedded phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.reward.graph.merging import merge
from mobile_gym.reward.graph.model import TaskGraph
from mobile_gym.reward.graph.recordings import Recording
from mobile_gym.task_registry.loading import load_file
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.recording import record_demonstrations

OWN = Path(__file__).parent / "own"


@pytest.fixture(scope="session")
def phone() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


@pytest.fixture(scope="session")
def brightness() -> Task:
    return load_file(OWN / "own-131.yaml")


@pytest.fixture(scope="session")
def reply() -> Task:
    return load_file(OWN / "own-132.yaml")


@pytest.fixture(scope="session")
def brightness_recordings(phone: Device, brightness: Task) -> list[Recording]:
    return record_demonstrations(brightness, phone)


@pytest.fixture(scope="session")
def reply_recordings(phone: Device, reply: Task) -> list[Recording]:
    return record_demonstrations(reply, phone)


@pytest.fixture(scope="session")
def brightness_graph(brightness_recordings: list[Recording]) -> TaskGraph:
    return merge(brightness_recordings)


@pytest.fixture(scope="session")
def reply_graph(reply_recordings: list[Recording]) -> TaskGraph:
    return merge(reply_recordings)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOBILE_GYM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
