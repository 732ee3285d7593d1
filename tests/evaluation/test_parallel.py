"""Runs on Ray: the same records whatever the number of workers, and whatever befalls them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster
from ray.exceptions import RaySystemError
from typer.testing import CliRunner, Result

from mobile_gym.cli import build_app
from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.envs.ray.cluster import begin
from mobile_gym.envs.ray.pool_state import PoolPlan
from mobile_gym.evaluation.episodes import Stopwatch, unplayed
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig
from mobile_gym.evaluation.parallel import ParallelRun
from mobile_gym.evaluation.records import RecordsError, RunRecords, read_records, read_timings
from mobile_gym.evaluation.run import episodes_of, play, run_config
from mobile_gym.evaluation.team import Caps, ParallelError, Team, need_ray
from mobile_gym.evaluation.worker import Player, SuiteCast
from mobile_gym.policies import make_policy
from mobile_gym.reward.grounding import Box
from mobile_gym.task_registry.catalog import load_task
from mobile_gym.task_registry.grounding import GroundingItem
from mobile_gym.task_registry.grounding.own.export import export
from tests.support.adb import Adb, adb, free_port

__all__ = ["adb"]

TASKS = ("elder-020", "elder-021", "elder-022")
SEEDS = (0, 1)
EPISODES = episodes_of(TASKS, SEEDS)
SIZE = (36, 80)

FAULTY = """
import json, os, signal, time
from pathlib import Path
from mobile_gym.envs.actions import Action
from mobile_gym.policies.base import Usage

class Faulty:
    '''Finishes at once; of some episodes, the first tries go wrong.'''
    name = "faulty"
    def __init__(self, marks, faults):
        self.marks, self.faults = Path(marks), faults
    def reset(self, task, info, seed):
        self.episode = f"{task.id} {seed}"
    def act(self, observation, info):
        kind, times = self.faults.get(self.episode, ("", 0))
        if len(list(self.marks.glob(self.episode + "*"))) < times:
            (self.marks / f"{self.episode} {os.getpid()}").touch()
            if kind == "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            if kind == "hangs":
                time.sleep(600)
            raise ZeroDivisionError("an error of the policy's own")
        return Action.finish().encode()
    def usage(self):
        return Usage(0.1, 0.0, 40, 10, 0.5)
"""


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A package with the policy `faulty`, as if somebody had installed it."""
    folder = tmp_path_factory.mktemp("plugins")
    (folder / "faulty_policy.py").write_text(FAULTY)
    info = folder / "faulty-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mobile_gym.policies]\nfaulty = faulty_policy:Faulty\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.syspath_prepend(str(folder))
        yield folder


@pytest.fixture(scope="module")
def cluster(plugins: Path, adb: Adb) -> Iterator[Cluster]:
    """A cluster of two nodes, both on this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
        small = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 * 2**20}
        made = Cluster(initialize_head=True, head_node_args=small)
        made.add_node(num_cpus=1, object_store_memory=80 * 2**20)
        ray.init(address=made.address, log_to_driver=False, logging_level="error")
        yield made
        ray.shutdown()
        made.shutdown()


def config(policy: str = "random", device: str = "embedded:pixel_6a", **options: Any) -> RunConfig:
    return run_config("elder", "1", policy, device, observation_size=SIZE, policy_options=options)


def parallel(records: RunRecords, team: Team, policy: str = "random", **settings: Any) -> ParallelRun:
    options = records.config.policy_options
    return ParallelRun(records, EPISODES, SuiteCast(records.config, policy, options), team, **settings)


def run(folder: Path, team: Team, config: RunConfig, **settings: Any) -> tuple[list[EpisodeRecord], ParallelRun]:
    with RunRecords(folder, config) as records:
        playing = parallel(records, team, config.policy, **settings)
        played = [one.record for one in playing.play()]
        records.arrange(EPISODES)
    return played, playing


def faulty(tmp_path: Path, **faults: tuple[str, int]) -> RunConfig:
    marks = tmp_path / "marks"
    marks.mkdir()
    return config(
        "faulty", marks=str(marks), faults={name.replace("_", " "): list(how) for name, how in faults.items()}
    )


SHORT = {"finish_probability": 0.4}


def files_of(folder: Path) -> dict[str, bytes]:
    """The records and trajectories of a run."""
    paths = [folder / "episodes.jsonl", *(folder / "trajectories").rglob("*.*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files that a run in this process writes."""
    folder = tmp_path_factory.mktemp("alone")
    with RunRecords(folder, config(**SHORT)) as records:
        for _ in play(records, TASKS, SEEDS, make_policy("random", **SHORT), trajectories=True):
            pass
        records.arrange(EPISODES)
    return files_of(folder)


@pytest.mark.parametrize(("workers", "far"), [(2, False), (3, True)])
def test_files_are_the_same_whatever_the_number_of_workers(
    cluster: Cluster, tmp_path: Path, alone: dict[str, bytes], workers: int, far: bool
) -> None:
    team = Team(workers, cluster.address if far else "")
    played, playing = run(tmp_path, team, config(**SHORT), trajectories=True)
    assert sorted(record.key for record in played) == sorted(EPISODES)
    assert files_of(tmp_path) == alone
    assert {timing.key for timing in read_timings(tmp_path)} == set(EPISODES)
    assert playing.stop_reason() == ""


def test_an_episode_whose_worker_fails_is_played_again_and_written_once(cluster: Cluster, tmp_path: Path) -> None:
    faults = {"elder-020_0": ("dies", 1), "elder-021_0": ("raises", 1), "elder-022_0": ("dies", 9)}
    played, playing = run(tmp_path / "run", Team(2), faulty(tmp_path, **faults))
    records = {f"{record.task} {record.seed}": record for record in played}
    assert len(played) == len(records) == len(EPISODES)
    [lost] = [record for record in played if record.status == "not_run"]
    assert lost.key == ("elder-022", 0)
    assert "its worker died" in lost.error
    assert "it was tried 3 times" in lost.error
    assert {record.ended_by for record in played if record.status == "done"} == {"finish"}
    tries = [path.name.rpartition(" ")[0] for path in (tmp_path / "marks").iterdir()]
    assert sorted(tries) == ["elder-020 0", "elder-021 0", *["elder-022 0"] * 3]
    assert len((tmp_path / "run" / "episodes.jsonl").read_bytes().splitlines()) == len(EPISODES)
    assert playing.stop_reason() == ""


def test_a_node_that_is_removed_loses_no_episode(cluster: Cluster, tmp_path: Path, alone: dict[str, bytes]) -> None:
    """Three workers over three nodes; one node goes, with its worker in the middle of an episode."""
    added = cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)
    given: list[tuple[str, int]] = []
    removed: list[str] = []

    def remove(task: str, seed: int) -> None:
        given.append((task, seed))
        at_work = [seat for seat in playing._seats if seat.episode is not None and seat.opened is not None]
        others = {node.node_id: node for node in cluster.worker_nodes}
        victim = next((seat for seat in at_work if seat.opened.node in others), None)
        if not removed and victim is not None:
            removed.append(f"{victim.episode}")
            cluster.remove_node(others[victim.opened.node], allow_graceful=False)
            cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)

    try:
        with RunRecords(tmp_path, config(**SHORT)) as records:
            playing = parallel(records, Team(3, cluster.address), trajectories=True, started=remove)
            played = [one.record for one in playing.play()]
            records.arrange(EPISODES)
    finally:
        if added in cluster.worker_nodes:
            cluster.remove_node(added)
    assert len(removed) == 1, "no worker was on a node that could be removed"
    assert len(given) > len(EPISODES), "what the lost worker played was not given out again"
    assert sorted(record.key for record in played) == sorted(EPISODES)
    assert files_of(tmp_path) == alone


def test_an_episode_that_hangs_is_played_again(cluster: Cluster, tmp_path: Path) -> None:
    settings = faulty(tmp_path, **{"elder-020_1": ("hangs", 1)})
    hanging = tmp_path / "marks"
    team = Team(1)

    def clock() -> float:
        return time.monotonic() + 2 * team.episode_seconds * len(list(hanging.iterdir()))

    played, playing = run(tmp_path / "run", team, settings, clock=clock)
    assert [record.key for record in played] == EPISODES
    assert {(record.status, record.ended_by) for record in played} == {("done", "finish")}
    assert len(list(hanging.iterdir())) == 1
    assert playing.stop_reason() == ""


def test_a_run_stops_at_its_cap_and_goes_on(cluster: Cluster, tmp_path: Path) -> None:
    settings = faulty(tmp_path)
    played, playing = run(tmp_path / "run", Team(1), settings, caps=Caps(tokens=100))
    assert "the cap of 100 tokens is reached (100 spent)" in playing.stop_reason()
    assert [record.key for record in played] == EPISODES[:2]
    # A cap that the last episode reaches stops nothing.
    played, playing = run(tmp_path / "run", Team(2), settings, caps=Caps(tokens=200))
    assert playing.stop_reason() == ""
    assert [record.key for record in read_records(tmp_path / "run")] == EPISODES


def test_caps() -> None:
    assert Caps().reached(1e9, 10**9) == ""
    assert Caps(cost=2.0).reached(1.99, 0) == ""
    assert "cost cap of 2 is reached (2.5000 spent)" in Caps(cost=2.0).reached(2.5, 0)


def test_a_device_that_is_not_there_is_put_aside(cluster: Cluster, tmp_path: Path) -> None:
    plan = PoolPlan(devices=("adb:nobody", "embedded:pixel_6a"))
    played, playing = run(tmp_path / "run", Team(2, devices=plan), faulty(tmp_path))
    assert {record.status for record in played} == {"done"}
    assert len(played) == len(EPISODES)
    assert [one.spec for one in playing.aside] == ["adb:nobody"]
    assert "not found" in playing.aside[0].reason


@dataclass(frozen=True)
class DarkCast:
    """Plays as the suite's cast does, but on one device every reset fails."""

    sound: SuiteCast
    dark: str
    marks: Path

    def player(self, device: str | None, trajectories: Path | None) -> Player:
        return DarkPlayer(self) if device == self.dark else self.sound.player(device, trajectories)


class DarkPlayer:
    def __init__(self, cast: DarkCast) -> None:
        self.cast = cast

    def play(self, task: str, seed: int) -> tuple[EpisodeRecord, EpisodeTiming]:
        (self.cast.marks / f"{len(list(self.cast.marks.iterdir()))} {task} {seed}").touch()
        problem = DeviceOffline("its screen is dark")
        record = unplayed(load_task(task), seed, self.cast.sound.config, "not_run", problem)
        return record, Stopwatch(task, seed).timing()

    def stop_reason(self) -> str:
        return ""

    def close(self) -> None:
        pass


def test_a_device_whose_resets_fail_is_put_aside(cluster: Cluster, tmp_path: Path) -> None:
    settings = faulty(tmp_path)
    cast = DarkCast(SuiteCast(settings, "faulty", settings.policy_options), "embedded:small", tmp_path / "marks")
    with RunRecords(tmp_path / "run", settings) as records:
        team = Team(1, devices=PoolPlan(devices=("embedded:small", "embedded:pixel_6a")))
        playing = ParallelRun(records, EPISODES, cast, team)
        played = [one.record for one in playing.play()]
    assert [(record.key, record.status) for record in played] == [(key, "done") for key in EPISODES]
    first, _ = EPISODES[0]
    assert sorted(path.name for path in cast.marks.iterdir()) == [f"{number} {first} 0" for number in range(3)]
    assert [(one.spec, one.reason) for one in playing.aside] == [
        ("embedded:small", "DeviceOffline: its screen is dark")
    ]


def test_without_any_device_nothing_is_begun(cluster: Cluster, tmp_path: Path) -> None:
    played, playing = run(tmp_path / "run", Team(1, devices=PoolPlan(devices=("adb:nobody",))), faulty(tmp_path))
    assert played == []
    assert "no worker is left" in playing.stop_reason()
    assert "adb:nobody" in playing.stop_reason()


def test_a_killed_run_goes_on(cluster: Cluster, tmp_path: Path, alone: dict[str, bytes]) -> None:
    config_of_it = config(**SHORT).model_dump_json()
    code = (
        "import sys; from pathlib import Path\n"
        "import ray\n"
        "from mobile_gym.evaluation.models import RunConfig\n"
        "from mobile_gym.evaluation.records import RunRecords\n"
        "from mobile_gym.evaluation.parallel import ParallelRun\n"
        "from mobile_gym.evaluation.team import Team\n"
        "from mobile_gym.evaluation.worker import SuiteCast\n"
        "import json\n"
        "config = RunConfig.model_validate_json(sys.argv[1])\n"
        "episodes = [tuple(one) for one in json.loads(sys.argv[2])]\n"
        "cast = SuiteCast(config, config.policy, config.policy_options)\n"
        "with RunRecords(Path(sys.argv[3]), config) as records:\n"
        "    for _ in ParallelRun(records, episodes, cast, Team(2, sys.argv[4])).play():\n"
        "        print('played', flush=True)\n"
    )
    given = [config_of_it, json.dumps(EPISODES), str(tmp_path), cluster.address]
    with subprocess.Popen([sys.executable, "-c", code, *given], stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        lines = iter(driver.stdout)
        assert [next(lines), next(lines)] == ["played\n", "played\n"]
        os.kill(driver.pid, signal.SIGKILL)
    before = len(read_records(tmp_path))
    assert 2 <= before <= len(EPISODES)
    played, _ = run(tmp_path, Team(1), config(**SHORT))
    assert len(played) == len(EPISODES)
    assert (tmp_path / "episodes.jsonl").read_bytes() == alone["episodes.jsonl"]


def test_the_command(cluster: Cluster, tmp_path: Path) -> None:
    files = []
    for workers in ("1", "2"):
        out = tmp_path / workers
        result = command(
            "elder", "--policy", "text_match", "--tasks", "elder-02[01]", "--observation", "36x80", "--workers",
            workers, "--out", str(out),
        )  # fmt: skip
        assert result.exit_code == 0, result.output
        assert "2/2" in result.output
        files.append((out / "episodes.jsonl").read_bytes())
    assert files[0] == files[1]


def test_points_on_pictures_by_two_workers(cluster: Cluster, tmp_path: Path) -> None:
    items = [
        GroundingItem(
            id=f"own-zh-android-new-app-{name}-0",
            instruction={"zh": f"打开{name}"},
            box=Box(0.4, 0.4, 0.6, 0.6),
            platform="android",
            version="new",
            app="App",
            category="Shopping",
            page=name,
            change="none",
            source="synthetic",
            load=lambda: np.full((40, 20, 3), 90, np.uint8),
        )
        for name in "abc"
    ]
    export(items, tmp_path / "set")
    files = []
    for workers in ("1", "2"):
        out = tmp_path / workers
        result = command(
            "trans", "--policy", "random", "--dataset", str(tmp_path / "set"), "--split", "android-new", "--workers",
            workers, "--out", str(out),
        )  # fmt: skip
        assert result.exit_code == 0, result.output
        files.append((out / "episodes.jsonl").read_bytes())
    assert files[0] == files[1]
    assert files[0].count(b"\n") == 3


def command(*arguments: str) -> Result:
    return CliRunner().invoke(build_app("eval"), ["eval", *arguments], env={"COLUMNS": "200"})


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--workers", "0"), "--workers is 1 or more, not 0"),
        (("--workers", "2", "--episode-timeout", "0"), "--episode-timeout is more than 0 seconds"),
        (("--ray-address", "somewhere"), "--ray-address is auto or HOST:PORT"),
        (("--workers", "2", "--device", "adb:one"), "--workers 2 need as many devices, and --device names 1"),
        (("--workers", "3", "--device", "adb:one,adb:two"), "--device names 2"),
        (("--device", "adb:one,adb:one"), "adb:one is in the pool twice"),
        (("--device", "adb:one,nonsense"), "'nonsense' names no device"),
        (("--device", "pool:/nowhere.yaml"), "the pool file /nowhere.yaml cannot be read"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    result = command("elder", "--policy", "noop", "--out", str(tmp_path / "run"), *arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert not (tmp_path / "run").exists()


def test_without_ray_several_workers_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("mobile_gym.evaluation.team.find_spec", lambda name: None)
    with pytest.raises(ParallelError, match=r"pip install 'mobile-gym\[ray\]'"):
        need_ray()
    result = command("elder", "--policy", "noop", "--out", str(tmp_path / "run"), "--workers", "2")
    assert result.exit_code == 2
    assert "mobile-gym[ray]" in result.output


# Ray raises a bare `Exception` where its node does not come up in time.
SLOW = Exception("The current node timed out during startup. This could happen because\n some of the raylet failed.")


@pytest.mark.parametrize(
    ("far", "raised", "told"),
    [
        (False, SLOW, "error: Ray did not start on this machine: The current node timed out during startup."),
        (True, ConnectionError("refused"), "error: no Ray cluster answers at {address}: refused. See with"),
        (True, RaySystemError("no session"), "error: no Ray cluster answers at {address}: System error: no"),
    ],
)
def test_ray_that_does_not_start_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, far: bool, raised: Exception, told: str
) -> None:
    def fails(**settings: Any) -> None:
        raise raised

    monkeypatch.setattr(ray, "init", fails)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    task = ("elder", "--tasks", "elder-031", "--policy", "noop")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        where = ("--ray-address", address) if far else ()
        result = command(*task, "--out", str(tmp_path), "--workers", "2", *where)
    assert result.exit_code == 2
    assert told.format(address=address) in " ".join(result.output.split())
    assert isinstance(result.exception, SystemExit)  # an error for people, and nothing else
    assert not (tmp_path / "episodes.jsonl").exists()


def test_where_nobody_listens_is_told_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", lambda **settings: pytest.fail("Ray was asked, which takes minutes to give up"))
    address = f"127.0.0.1:{free_port()}"
    task = ("elder", "--tasks", "elder-031", "--policy", "noop")
    result = command(*task, "--ray-address", address, "--out", str(tmp_path))
    assert result.exit_code == 2
    assert f"error: no Ray cluster answers at {address}" in " ".join(result.output.split())


def test_an_error_of_another_kind_is_not_taken_for_one_of_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**settings: Any) -> None:
        raise ZeroDivisionError("a mistake of ours")

    monkeypatch.setattr(ray, "init", fails)
    with pytest.raises(ZeroDivisionError):
        begin(None)


def test_records_of_a_changed_task_are_refused(tmp_path: Path) -> None:
    def changed(records: RunRecords, known: EpisodeRecord) -> None:
        raise RecordsError(f"{known.task} has changed")

    settings = config("noop")
    with RunRecords(tmp_path, settings) as records:
        cast = SuiteCast(settings, "noop")
        stage = cast.player(None, None)
        records.append(*stage.play(*EPISODES[0]))
        stage.close()
        with pytest.raises(RecordsError, match="elder-020 has changed"):
            list(ParallelRun(records, EPISODES, cast, Team(2), unchanged=changed).play())
