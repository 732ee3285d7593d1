"""Runs: one policy over many tasks and seeds, written down as it goes, continued where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from mobile_gym import __version__
from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import DeviceError
from mobile_gym.envs.graph_env import TaskGraphEnv
from mobile_gym.envs.kinds import TaskEnv
from mobile_gym.envs.protocols import UnsupportedProtocol
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.evaluation.episodes import Stopwatch, run_episode, unplayed
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig, Status
from mobile_gym.evaluation.records import TRAJECTORIES, RecordsError, RunRecords
from mobile_gym.policies.base import Policy
from mobile_gym.reward.errors import SetupError, Unverifiable
from mobile_gym.task_registry.catalog import load_task


@dataclass(frozen=True, slots=True)
class Played:
    """An episode that is on record now: its record, and whether it was there before this run."""

    record: EpisodeRecord
    before: bool


def painter_versions() -> dict[str, str]:
    """Versions of the libraries that pixels depend on."""
    from PIL import features

    return {"pillow": version("pillow"), "freetype": features.version("freetype2") or "none"}


def run_config(suite: str, suite_version: str, policy: str, device: str, **settings: object) -> RunConfig:
    """The configuration of a run of this version of the package; `settings` are `RunConfig`'s other fields."""
    fixed = {"package_version": __version__, "suite": suite, "suite_version": suite_version}
    chosen = {"policy": policy, "device": device, "painter": painter_versions()}
    return RunConfig.model_validate({**fixed, **chosen, **settings})


def episodes_of(tasks: Sequence[str], seeds: Sequence[int]) -> list[tuple[str, int]]:
    """All episodes of a run in their order: each task with every seed, task by task."""
    return [(task, seed) for task in tasks for seed in seeds]


def without_normalized(tasks: Sequence[str]) -> list[str]:
    """Tasks that have no normalised instruction, so that they can't be played with `instructions="normalized"`."""
    return [task for task in tasks if load_task(task).instruction_normalized is None]


def without_demonstration(tasks: Sequence[str], number: int) -> list[str]:
    """Tasks that have no demonstration of this number, counted from 0."""
    return [task for task in tasks if number >= len(load_task(task).demonstrations)]


def play(
    records: RunRecords,
    tasks: Sequence[str],
    seeds: Sequence[int],
    policy: Policy,
    trajectories: bool = False,
    device: Device | None = None,
    started: Callable[[str, int], None] = lambda task, seed: None,
) -> Iterator[Played]:
    """Plays what is missing and gives every episode as it is on record, one at a time.

    An episode that was not run is tried again; one that is done or unverifiable is not. Stopping between two episodes,
    or in the middle of one, loses nothing that is on record.

    Args:
        records: where episodes are written; its configuration says how they are played.
        tasks: the tasks' ids.
        seeds: the seeds, each played on every task.
        policy: who acts.
        trajectories: whether to write each step's picture and action.
        device: an open device to play on; None opens the configuration's for each task anew.
        started: called with task and seed before an episode is played.

    Raises:
        RecordsError: a record could not be written, or is of a task that has changed since.
    """
    stage = Stage(records.config, policy, device, records.folder / TRAJECTORIES if trajectories else None)
    try:
        for task, seed in episodes_of(tasks, seeds):
            known = records.get(task, seed)
            if known is not None and known.status != "not_run":
                check_unchanged(records, known)
                yield Played(known, before=True)
                continue
            started(task, seed)
            record, timing = stage.play(task, seed)
            records.append(record, timing)
            yield Played(record, before=False)
    finally:
        stage.close()


class Stage:
    """Plays single episodes with one policy; the environment stays open while the task stays the same.

    Args:
        config: how episodes are played.
        policy: who acts.
        device: an open device or a spec; None opens the configuration's.
        trajectories: the folder of all trajectories; None for none.
    """

    def __init__(
        self,
        config: RunConfig,
        policy: Policy,
        device: Device | str | None = None,
        trajectories: Path | None = None,
    ) -> None:
        self._config = config
        self._policy = policy
        self._device = device
        self._trajectories = trajectories
        self._env: TaskEnv | None = None
        self._task = ""

    def play(self, task: str, seed: int) -> tuple[EpisodeRecord, EpisodeTiming]:
        """Plays one episode, whatever was played before.

        Raises:
            RecordsError: the trajectory could not be written.
        """
        clock = Stopwatch(task, seed)
        try:
            env = self._opened(task)
        except (DeviceError, SetupError, UnsupportedProtocol) as problem:
            told = isinstance(problem, UnsupportedProtocol | Unverifiable)
            status: Status = "unverifiable" if told else "not_run"
            return unplayed(load_task(task), seed, self._config, status, problem), clock.timing()
        folder = self._trajectories / task / f"seed-{seed}" if self._trajectories is not None else None
        return run_episode(env, self._policy, seed, self._config, folder)

    def close(self) -> None:
        """Closes the environment; the stage can go on afterwards."""
        env, self._env = self._env, None
        if env is not None:
            env.close()

    def _opened(self, task: str) -> TaskEnv:
        if self._env is None or self._task != task:
            self.close()
            self._env = make_env(self._config, task, self._device, self._trajectories is not None)
            self._task = task
        return self._env


def make_env(config: RunConfig, task: str, device: Device | str | None = None, hierarchy: bool = False) -> TaskEnv:
    """The environment that a configuration plays a task in: over its task graph, or on a phone.

    Task graphs are matched leniently; their records tell the strict successes too.

    Raises:
        ValueError: the configuration wants normalised instructions, and the task has none; see `without_normalized`.
    """
    if load_task(task).protocol == "graph":
        return TaskGraphEnv(
            task,
            device=config.device if device is None else device,
            language=config.language,
            observation_size=config.observation_size,
            hierarchy=hierarchy,
            # Recordings have no clock of their own.
            time_budget=None if config.time_budget is None else "wall" if config.time_budget == "wall" else "none",
            instructions=config.instructions,
        )
    return MobileTaskEnv(
        task,
        device=config.device if device is None else device,
        language=config.language,
        observation_size=config.observation_size,
        hierarchy=hierarchy,
        time_budget=config.time_budget,
        reset_mode=config.reset_mode,
        user=config.user,
        instructions=config.instructions,
    )


def check_unchanged(records: RunRecords, known: EpisodeRecord) -> None:
    """Looks whether the task of an episode on record is still the same.

    Raises:
        RecordsError: it has changed.
    """
    current = load_task(known.task, known.seed)
    if current.content_hash != known.task_hash:
        raise RecordsError(
            f"the task {known.task} has changed since its episode in {records.folder} was played; use another folder "
            "with --out, so that results of two versions don't mix"
        )
