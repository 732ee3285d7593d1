"""Records and timings to evaluate."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mobile_gym import devices
from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig, TurnTiming
from mobile_gym.task_registry import catalog
from tests.support.stub_phone import StubPhone


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


LOUDER = """\
id: {id}
suite: stub
protocol: {protocol}
instruction: {{zh: 声音太小了, en: It is too low}}
apps: [com.stub]
tags: {{syntax: narrative, semantics: indirect_speech, scenario: system_settings}}
start: {{settings: {{system/volume_music: 3}}}}
budget: {{steps: 6, clock: none}}
subtasks:
  - setting: {{key: system/volume_music, above: start}}
allowed_changes: [system/volume_*]
{rest}
demonstrations:
  - [tap: louder 大声, finish: null]
  - [tap: quieter, finish: null]
  - [finish: null]
"""


@pytest.fixture
def stub_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite `stub` of three tasks for the stub phone: one plain, one that needs calls, one of another protocol."""
    folder = tmp_path / "suites" / "stub"
    folder.mkdir(parents=True)
    (folder / "suite.yaml").write_text('version: "0.1.0"\ntitle: Stub\n')
    for name, protocol, rest in (
        ("stub-001", "online", ""),
        ("stub-002", "online", "requires: [calls]"),
        ("stub-003", "grounding", ""),
    ):
        (folder / f"{name}.yaml").write_text(LOUDER.format(id=name, protocol=protocol, rest=rest), "utf-8")
    monkeypatch.setattr(catalog, "suite_folders", lambda: {"stub": folder})
    monkeypatch.setattr(catalog, "task_files", lambda: {path.stem: path for path in sorted(folder.glob("stub-*.yaml"))})
    return folder


@pytest.fixture
def phones(monkeypatch: pytest.MonkeyPatch) -> list[StubPhone]:
    """The stub phones that were opened, in order; `connect` opens a new one for every spec."""
    opened: list[StubPhone] = []

    def connect(spec: str) -> StubPhone:
        if spec == "stub:missing":
            raise DeviceOffline("there is no device stub:missing; plug it in", "not found")
        opened.append(StubPhone(spec))
        return opened[-1]

    check_spec = devices.check_spec

    def check(spec: str) -> tuple[str, str]:
        return ("stub", spec) if spec.startswith("stub:") else check_spec(spec)

    monkeypatch.setattr(devices, "check_spec", check)
    monkeypatch.setattr(devices, "connect", connect, raising=False)
    return opened
