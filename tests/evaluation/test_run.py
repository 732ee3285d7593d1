"""Runs: what is played, what is written, what is kept apart and what is continued."""

import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.envs.actions import Action, EncodedAction
from mobile_gym.envs.task_env import Observation
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.records import RecordsError, RunRecords, read_records, read_timings
from mobile_gym.evaluation.run import play, run_config
from mobile_gym.evaluation.summary import summarise
from mobile_gym.policies import make_policy
from mobile_gym.policies.base import Policy, Usage
from mobile_gym.task_registry.models import Task
from tests.support.stub_phone import LOUDER_AT, StubPhone

pytestmark = pytest.mark.usefixtures("stub_suite")


def run(
    folder: Path, policy: Policy, tasks: tuple[str, ...] = ("stub-001",), seeds: tuple[int, ...] = (0,), **settings: Any
) -> list[tuple[EpisodeRecord, bool]]:
    trajectories = bool(settings.pop("trajectories", False))
    config = run_config("stub", "0.1.0", policy.name, settings.pop("device", "stub:any"), **settings)
    with RunRecords(folder, config) as records:
        return [(played.record, played.before) for played in play(records, tasks, seeds, policy, trajectories)]


def test_a_demonstration_is_proved(tmp_path: Path, phones: list[StubPhone]) -> None:
    [(record, before)] = run(tmp_path / "run", make_policy("demonstration"))
    assert not before
    assert record.success
    assert record.status == "done"
    assert (record.ended_by, record.turns, record.reward, record.terminated) == ("finish", 2, 1.0, True)
    assert record.subtasks == {"1": True}
    assert record.tags["semantics"] == "indirect_speech"
    assert len(record.task_hash) == 64
    assert phones[0].closed == 1


def test_doing_nothing_fails(tmp_path: Path, phones: list[StubPhone]) -> None:
    [(record, _)] = run(tmp_path / "run", make_policy("noop"))
    assert (record.status, record.success, record.claimed, record.turns, record.reward) == ("done", False, True, 1, 0.0)


def test_records_of_deterministic_policies_repeat(tmp_path: Path, phones: list[StubPhone]) -> None:
    files = []
    for name in ("one", "two"):
        run(tmp_path / name, make_policy("random"), seeds=(0, 1, 2))
        files.append((tmp_path / name / "episodes.jsonl").read_bytes())
    assert files[0] == files[1]
    assert files[0].count(b"\n") == 3


def test_a_run_plays_what_is_missing(tmp_path: Path, phones: list[StubPhone]) -> None:
    run(tmp_path / "run", make_policy("noop"), seeds=(0, 1))
    again = run(tmp_path / "run", make_policy("noop"), seeds=(0, 1, 2))
    assert [before for _, before in again] == [True, True, False]
    assert [record.seed for record, _ in again] == [0, 1, 2]


def test_a_stopped_run_goes_on(tmp_path: Path, phones: list[StubPhone]) -> None:
    class Stopped(Exception):
        pass

    class Stopping:
        name = "noop"
        left = 1

        def reset(self, task: Task, info: dict[str, Any], seed: int) -> None:
            pass

        def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
            self.left -= 1
            if self.left < 0:
                raise Stopped
            return Action.finish().encode()

    with pytest.raises(Stopped):
        run(tmp_path / "run", Stopping(), seeds=(0, 1, 2))
    assert phones[0].closed == 1
    again = run(tmp_path / "run", make_policy("noop"), seeds=(0, 1, 2))
    assert [before for _, before in again] == [True, False, False]


def test_what_a_device_cannot_verify_is_kept_apart(tmp_path: Path, phones: list[StubPhone]) -> None:
    played = run(tmp_path / "run", make_policy("noop"), tasks=("stub-001", "stub-002", "stub-003"))
    records = [record for record, _ in played]
    assert [record.status for record in records] == ["done", "unverifiable", "unverifiable"]
    assert "lacks calls" in records[1].error
    assert "MobileTaskEnv runs online" in records[2].error
    assert summarise(records).overall.episodes == 1


def test_a_missing_device_is_not_the_agents_failure(tmp_path: Path, phones: list[StubPhone]) -> None:
    for settings in ({}, {"observation_size": (45, 100)}):
        [(record, _)] = run(tmp_path / f"{len(settings)}", make_policy("noop"), device="stub:missing", **settings)
        assert record.status == "not_run"
        assert "plug it in" in record.error


def test_a_device_that_goes_is_tried_again(
    tmp_path: Path, phones: list[StubPhone], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: StubPhone, x: int, y: int) -> None:
        raise DeviceOffline("the stub was unplugged")

    with monkeypatch.context() as patch:
        patch.setattr(StubPhone, "tap", gone)
        [(record, _)] = run(tmp_path / "run", make_policy("demonstration"))
    assert (record.status, record.truncated, record.ended_by) == ("not_run", True, "device")
    assert "unplugged" in record.error
    [(record, before)] = run(tmp_path / "run", make_policy("demonstration"))
    assert (record.status, record.success, before) == ("done", True, False)


def test_a_demonstration_that_does_not_fit_is_told(tmp_path: Path, phones: list[StubPhone]) -> None:
    [(record, _)] = run(tmp_path / "one", make_policy("demonstration", number=1))
    assert record.status == "not_run"
    assert "quieter" in record.error
    assert "louder" in record.error
    [(record, _)] = run(tmp_path / "two", make_policy("demonstration", number=7))
    assert "3 demonstrations; there is no number 7" in record.error


def test_a_task_that_changed_is_not_mixed_in(tmp_path: Path, phones: list[StubPhone], stub_suite: Path) -> None:
    run(tmp_path / "run", make_policy("noop"))
    path = stub_suite / "stub-001.yaml"
    text = path.read_text("utf-8")
    path.write_text("# a comment changes nothing\n" + text, "utf-8")
    run(tmp_path / "run", make_policy("noop"))
    path.write_text(text.replace("above: start", "above: 5"), "utf-8")
    with pytest.raises(RecordsError, match="stub-001 has changed"):
        run(tmp_path / "run", make_policy("noop"))


def test_trajectories_hold_every_step(tmp_path: Path, phones: list[StubPhone]) -> None:
    run(tmp_path / "run", make_policy("demonstration"), trajectories=True)
    folder = tmp_path / "run" / "trajectories" / "stub-001" / "seed-0"
    assert sorted(path.name for path in folder.iterdir()) == [
        "000.json", "000.png", "000.xml", "001.json", "001.png", "001.xml", "002.png", "002.xml",
    ]  # fmt: skip
    first = json.loads((folder / "000.json").read_text("utf-8"))
    assert first["action"]["kind"] == "tap"
    assert (first["turn"], first["reward"], first["progress"]) == (1, 0.5, 1.0)
    assert np.asarray(Image.open(folder / "000.png")).shape == (200, 90, 3)
    assert 'text="louder 大声"' in (folder / "001.xml").read_text("utf-8")


def test_costs_are_kept_with_the_timings(tmp_path: Path, phones: list[StubPhone]) -> None:
    class Model:
        name = "model"
        turn = 0

        def reset(self, task: Task, info: dict[str, Any], seed: int) -> None:
            self.turn = 0

        def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
            self.turn += 1
            return (Action.tap(*LOUDER_AT) if self.turn == 1 else Action.finish()).encode()

        def usage(self) -> Usage:
            return Usage(2.0 * self.turn, 0.5, 100, 10)

    [(record, _)] = run(tmp_path / "run", Model())
    timings = read_timings(tmp_path / "run")
    assert [turn.reasoning_seconds for turn in timings[0].turns] == [2.0, 4.0]
    summary = summarise([record], timings)
    assert summary.latency_seconds == pytest.approx(3.5)
    assert summary.tokens == 220
    assert "seconds" not in (tmp_path / "run" / "episodes.jsonl").read_text("utf-8")


def test_a_full_disk_ends_a_trajectory_with_a_reason(
    tmp_path: Path, phones: list[StubPhone], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "run", make_policy("noop"))

    def full(self: Image.Image, *rest: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", full)
    with pytest.raises(RecordsError, match=r"trajectory .* could not be written: No space left"):
        run(tmp_path / "run", make_policy("noop"), seeds=(0, 1), trajectories=True)
    assert [record.seed for record in read_records(tmp_path / "run")] == [0]
    assert phones[-1].closed == 1
