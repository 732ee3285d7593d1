"""Records and timings to evaluate."""

from collections.abc import Callable
from typing import Any

import pytest

from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig, TurnTiming


@pytest.fixture
def config() -> RunConfig:
    return RunConfig(
        package_version="0.1.0", suite="elder", suite_version="1", policy="noop", device="embedded:pixel_6a"
    )


@pytest.fixture
def record() -> Callable[..., EpisodeRecord]:
    def make(task: str = "elder-001", seed: int = 0, **fields: Any) -> EpisodeRecord:
        fixed: dict[str, Any] = {
            "suite": "elder",
            "suite_version": "1",
            "task_hash": "h",
            "protocol": "online",
            "device": "embedded:pixel_6a",
            "policy": "noop",
            "language": "zh",
            "status": "done",
        }
        return EpisodeRecord(task=task, seed=seed, **{**fixed, **fields})

    return make


@pytest.fixture
def timing() -> Callable[..., EpisodeTiming]:
    def make(task: str = "elder-001", seed: int = 0, turns: tuple[TurnTiming, ...] = ()) -> EpisodeTiming:
        return EpisodeTiming(
            task=task, seed=seed, started="2026-01-01T00:00:00+00:00", reset_seconds=0, seconds=1, turns=list(turns)
        )

    return make
