"""What a run's workers do: each plays single episodes in a process of its own, on a device of its own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from mobile_gym import __version__
from mobile_gym.devices.errors import DeviceOffline, DeviceTimeout, ScreenshotUnavailable
from mobile_gym.evaluation.grounding_run import ask, make_pointer
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig
from mobile_gym.evaluation.records import TRAJECTORIES, RecordsError
from mobile_gym.evaluation.run import Stage, painter_versions
from mobile_gym.policies.base import Closable, Stoppable
from mobile_gym.policies.registry import make_policy
from mobile_gym.task_registry.grounding.sets import load_set

_FAULTS = tuple(kind.__name__ for kind in (DeviceOffline, DeviceTimeout, ScreenshotUnavailable))
"""Errors that mean that the device itself failed; a record's error begins with its kind."""


class Player(Protocol):
    """Who plays a run's episodes in a worker."""

    def play(self, task: str, seed: int) -> tuple[EpisodeRecord, EpisodeTiming]:
        """Plays one episode, whatever was played before."""

    def stop_reason(self) -> str:
        """Why no further episode can be played; empty while they can."""

    def close(self) -> None:
        """Gives up what it holds."""


class Cast(Protocol):
    """What makes a run's players; it is sent to the workers, so it can be pickled."""

    def player(self, device: str | None, trajectories: Path | None) -> Player:
        """A player on a device; None for the configuration's own, made anew for each player.

        Args:
            device: the device's spec.
            trajectories: the folder of all trajectories; None for none.
        """


@dataclass(frozen=True, slots=True)
class SuiteCast:
    """A policy that plays a suite.

    Attributes:
        config: how episodes are played.
        policy: the policy's name.
        options: what it is made with.
    """

    config: RunConfig
    policy: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def player(self, device: str | None, trajectories: Path | None) -> Player:
        """Makes the policy and a stage for it."""
        return _SuitePlayer(self, device, trajectories)


class _SuitePlayer:
    def __init__(self, cast: SuiteCast, device: str | None, trajectories: Path | None) -> None:
        self._policy = make_policy(cast.policy, **cast.options)
        self._stage = Stage(cast.config, self._policy, device, trajectories)

    def play(self, task: str, seed: int) -> tuple[EpisodeRecord, EpisodeTiming]:
        return self._stage.play(task, seed)

    def stop_reason(self) -> str:
        return self._policy.stop_reason() if isinstance(self._policy, Stoppable) else ""

    def close(self) -> None:
        self._stage.close()
        if isinstance(self._policy, Closable):
            self._policy.close()


@dataclass(frozen=True, slots=True)
class GroundingCast:
    """A pointer that answers the items of a grounding set.

    Attributes:
        config: how items are asked.
        dataset: the set's name or folder.
        split: its platform split.
        pointer: the pointer's name.
        options: what it is made with.
    """

    config: RunConfig
    dataset: str
    split: str
    pointer: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def player(self, device: str | None, trajectories: Path | None) -> Player:
        """Reads the set and makes the pointer; pictures need no device."""
        return _GroundingPlayer(self)


class _GroundingPlayer:
    def __init__(self, cast: GroundingCast) -> None:
        self._config = cast.config
        self._items = {item.id: item for item in load_set(cast.dataset, cast.split, cast.config.language)}
        self._pointer = make_pointer(cast.pointer, **cast.options)

    def play(self, task: str, seed: int) -> tuple[EpisodeRecord, EpisodeTiming]:
        return ask(self._config, self._items[task], self._pointer)

    def stop_reason(self) -> str:
        return self._pointer.stop_reason() if isinstance(self._pointer, Stoppable) else ""

    def close(self) -> None:
        if isinstance(self._pointer, Closable):
            self._pointer.close()


class Lender(Protocol):
    """What lends devices to workers: `mobile_gym.envs.ray.pool.DevicePool`."""

    def lease(self, *, timeout: float) -> str:
        """A device for the actor that asks."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A worker that is ready.

    Attributes:
        node: the node of the cluster that it is on.
        pid: its process.
        device: the spec that it was lent; None where it opens the configuration's own.
        versions: of the package and of what pixels depend on.
    """

    node: str
    pid: int
    device: str | None
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one try of an episode.

    Attributes:
        record: its record.
        timing: its timing.
        stop: why no further episode can be played; empty while they can.
        files: the trajectory's files by name, where the worker is on another node than the records.
    """

    record: EpisodeRecord
    timing: EpisodeTiming
    stop: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)


class Worker:
    """The actor. `open` comes first; a worker whose call fails is not used again.

    Args:
        cast: what makes its player.
        lender: who lends it a device; None where it opens the configuration's own.
        lease_seconds: how long it waits for a device.
        records: the run's folder, where trajectories are kept; else None.
        home: the node that the folder is on.
    """

    def __init__(
        self, cast: Cast, lender: Lender | None, lease_seconds: float, records: Path | None, home: str
    ) -> None:
        self._cast = cast
        self._lender = lender
        self._lease_seconds = lease_seconds
        self._records = records
        self._home = home
        self._away: tempfile.TemporaryDirectory[str] | None = None
        self._player: Player | None = None

    def open(self) -> Opened:
        """Leases a device and makes the player.

        Raises:
            PoolError: there is no device.
        """
        import ray

        node = ray.get_runtime_context().get_node_id()
        device = self._lender.lease(timeout=self._lease_seconds) if self._lender is not None else None
        self._player = self._cast.player(device, self._trajectories(node))
        return Opened(node, os.getpid(), device, versions())

    def play(self, task: str, seed: int) -> Outcome:
        """Plays one episode.

        Raises:
            RecordsError: the trajectory could not be written.
        """
        if self._player is None:
            raise RuntimeError("a worker plays only after open()")
        record, timing = self._player.play(task, seed)
        return Outcome(record, timing, self._player.stop_reason(), self._carried(task, seed))

    def close(self) -> None:
        """Gives the player's connections up."""
        if self._player is not None:
            self._player.close()
        if self._away is not None:
            self._away.cleanup()

    def _trajectories(self, node: str) -> Path | None:
        if self._records is None:
            return None
        if node == self._home:
            return self._records / TRAJECTORIES
        self._away = tempfile.TemporaryDirectory(prefix="mobile-gym-")
        return Path(self._away.name)

    def _carried(self, task: str, seed: int) -> dict[str, bytes]:
        if self._away is None:
            return {}
        folder = episode_folder(Path(self._away.name), task, seed)
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())} if folder.is_dir() else {}
        for name in files:
            (folder / name).unlink()
        return files


def versions() -> dict[str, str]:
    """Versions that must be the same in all workers of a run."""
    return {"mobile-gym": __version__, **painter_versions()}


def episode_folder(trajectories: Path, task: str, seed: int) -> Path:
    """The folder of one episode's trajectory."""
    return trajectories / task / f"seed-{seed}"


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes a trajectory that came from another node, in place of an earlier one.

    Raises:
        RecordsError: it could not be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        for name, data in files.items():
            (folder / name).write_bytes(data)
    except OSError as problem:
        raise RecordsError(
            f"the trajectory {folder} could not be written: {problem.strerror}; free some space or turn it off"
        ) from problem


def device_fault(record: EpisodeRecord) -> str:
    """Why the device itself failed in an episode; empty where it did not."""
    failed = record.status == "not_run" and record.error.startswith(tuple(f"{kind}:" for kind in _FAULTS))
    return record.error if failed else ""
