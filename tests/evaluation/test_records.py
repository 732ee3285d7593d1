"""Records survive kills, full disks and mixed-up folders."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig
from mobile_gym.evaluation.records import (
    CONFIG,
    EPISODES,
    TIMINGS,
    RecordsError,
    RunRecords,
    read_config,
    read_records,
    read_timings,
)

Make = Callable[..., EpisodeRecord]
MakeTiming = Callable[..., EpisodeTiming]


def test_what_is_appended_is_on_disk_at_once(
    tmp_path: Path, config: RunConfig, record: Make, timing: MakeTiming
) -> None:
    with RunRecords(tmp_path / "a" / "run", config) as records:
        records.append(record(success=True), timing())
        assert read_records(tmp_path / "a" / "run") == [record(success=True)]
        assert read_timings(tmp_path / "a" / "run") == [timing()]
        assert read_config(tmp_path / "a" / "run") == config


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, config: RunConfig, record: Make, timing: MakeTiming) -> None:
    with RunRecords(tmp_path, config) as records:
        records.append(record(seed=1), timing(seed=1))
        records.append(record(seed=2, status="not_run", error="gone"), timing(seed=2))
    with RunRecords(tmp_path, config) as records:
        assert records.get("elder-001", 1) == record(seed=1)
        assert records.get("elder-001", 3) is None
        records.append(record(seed=2, success=True), timing(seed=2))
        assert records.all() == [record(seed=1), record(seed=2, success=True)]
    assert read_records(tmp_path) == [record(seed=1), record(seed=2, success=True)]


@pytest.mark.parametrize("torn", [b"{", b'{"suite": "elder', "声".encode()[:2]])
def test_a_torn_last_line_is_taken_away(
    tmp_path: Path, config: RunConfig, record: Make, timing: MakeTiming, torn: bytes
) -> None:
    with RunRecords(tmp_path, config) as records:
        records.append(record(), timing())
    for name in (EPISODES, TIMINGS):
        with open(tmp_path / name, "ab") as file:
            file.write(torn)
    with RunRecords(tmp_path, config) as records:
        assert records.all() == [record()]
        records.append(record(seed=1), timing(seed=1))
    assert read_records(tmp_path) == [record(), record(seed=1)]
    assert len(read_timings(tmp_path)) == 2


def test_damage_in_the_middle_is_named(tmp_path: Path, config: RunConfig, record: Make, timing: MakeTiming) -> None:
    with RunRecords(tmp_path, config) as records:
        records.append(record(), timing())
    path = tmp_path / EPISODES
    path.write_bytes(b"{}\n" + path.read_bytes())
    with pytest.raises(RecordsError, match=r"episodes\.jsonl, line 1 is damaged"):
        RunRecords(tmp_path, config)


def test_two_configurations_do_not_mix(tmp_path: Path, config: RunConfig) -> None:
    RunRecords(tmp_path, config).close()
    other = config.model_copy(update={"policy": "random", "suite_version": "2"})
    with pytest.raises(RecordsError, match="another configuration") as caught:
        RunRecords(tmp_path, other)
    assert "policy: the records have 'noop', this run has 'random'" in str(caught.value)
    assert "suite_version: the records have '1', this run has '2'" in str(caught.value)
    assert "device" not in str(caught.value)
    RunRecords(tmp_path, config).close()


def test_records_without_a_configuration_are_not_touched(tmp_path: Path, config: RunConfig) -> None:
    (tmp_path / EPISODES).write_text("{}\n")
    with pytest.raises(RecordsError, match=r"no run\.json"):
        RunRecords(tmp_path, config)


def test_a_damaged_configuration_is_named(tmp_path: Path, config: RunConfig) -> None:
    (tmp_path / CONFIG).write_text("{")
    with pytest.raises(RecordsError, match=r"run\.json is no run's configuration"):
        RunRecords(tmp_path, config)


def test_one_process_at_a_time(tmp_path: Path, config: RunConfig) -> None:
    with RunRecords(tmp_path, config), pytest.raises(RecordsError, match="another process"):
        RunRecords(tmp_path, config)
    RunRecords(tmp_path, config).close()


def test_a_full_disk_loses_nothing(
    tmp_path: Path, config: RunConfig, record: Make, timing: MakeTiming, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with RunRecords(tmp_path, config) as records:
        records.append(record(), timing())
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(RecordsError, match="the disk is full"):
            records.append(record(seed=1), timing(seed=1))
        monkeypatch.undo()
        assert records.get("elder-001", 1) is None
        assert read_records(tmp_path) == [record()]
        assert read_timings(tmp_path) == [timing()]
        records.append(record(seed=1), timing(seed=1))
    assert read_records(tmp_path) == [record(), record(seed=1)]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, config: RunConfig) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordsError, match="a run needs a folder"):
        RunRecords(tmp_path / "file" / "run", config)
