"""Runs on Ray: workers play single episodes, each in its own process, and one process writes the records.

The records are those that one worker writes, whatever came between: an episode whose worker died, hung or raised is
played again and written once.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mobile_gym.envs.ray.pool_state import DeviceReport, PoolError
from mobile_gym.evaluation.episodes import Stopwatch, unplayed
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming
from mobile_gym.evaluation.records import TRAJECTORIES, RecordsError, RunRecords
from mobile_gym.evaluation.run import Played, check_unchanged
from mobile_gym.evaluation.team import Caps, Team, cluster
from mobile_gym.evaluation.worker import (
    Cast,
    Opened,
    Outcome,
    Worker,
    device_fault,
    episode_folder,
    versions,
    write_files,
)
from mobile_gym.task_registry.catalog import load_task

if TYPE_CHECKING:
    from mobile_gym.envs.ray.pool import DevicePool

MOST_TRIES = 3
"""How often an episode is played whose worker or device fails, before it counts as not run."""

_LOOK_SECONDS = 1.0
_START_SECONDS = 300.0
_LEASE_SECONDS = 60.0
_END_SECONDS = 10.0

Key = tuple[str, int]


class EpisodeLost(RuntimeError):
    """An episode that could not be played to its end, though it was tried several times."""


@dataclass(slots=True)
class _Seat:
    """A place for a worker: its actor, what it does now (an episode, or opening) and until when."""

    number: int
    actor: Any = None
    opened: Opened | None = None
    episode: Key | None = None
    doing: Any = None
    until: float = 0.0
    failures: int = 0


def _lost(records: RunRecords, key: Key, problem: EpisodeLost) -> EpisodeRecord:
    task, seed = key
    return unplayed(load_task(task), seed, records.config, "not_run", problem)


class ParallelRun:
    """One run of a team.

    Args:
        records: where episodes are written, by this process alone.
        episodes: all episodes, in their order.
        cast: what makes the players.
        team: who plays.
        trajectories: whether to write each step's picture and action.
        caps: what may be spent; an episode that was begun is played to its end.
        started: called with task and seed when an episode is given to a worker.
        unchanged: looks whether an episode on record is still of the same task; raises `RecordsError` where not.
        lost: makes the record of an episode that could not be played.
        clock: seconds, for what hangs.

    Attributes:
        aside: devices that failed three times running and were put aside; known when the run is over.
    """

    def __init__(
        self,
        records: RunRecords,
        episodes: Sequence[Key],
        cast: Cast,
        team: Team,
        *,
        trajectories: bool = False,
        caps: Caps | None = None,
        started: Callable[[str, int], None] = lambda task, seed: None,
        unchanged: Callable[[RunRecords, EpisodeRecord], None] = check_unchanged,
        lost: Callable[[RunRecords, Key, EpisodeLost], EpisodeRecord] = _lost,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.records = records
        self.episodes = episodes
        self.cast = cast
        self.team = team
        self.trajectories = trajectories
        self.caps = caps or Caps()
        self.aside: tuple[DeviceReport, ...] = ()
        self._started = started
        self._unchanged = unchanged
        self._lost = lost
        self._clock = clock
        self._pool: DevicePool | None = None
        self._seats: list[_Seat] = []
        self._waiting: deque[Key] = deque()
        self._tries: dict[Key, int] = {}
        self._gone: list[str] = []
        self._stop = ""
        self._cost = 0.0
        self._tokens = 0

    def stop_reason(self) -> str:
        """Why the run ended before its last episode; empty where it did not."""
        return self._stop

    def play(self) -> Iterator[Played]:
        """Plays what is missing and gives every episode as it is on record: known ones first, then as they end.

        Raises:
            RecordsError: a record could not be written, or is of a task that has changed since.
            ParallelError: there is no such cluster.
        """
        known = {key: found for key in self.episodes if (found := self.records.get(*key)) is not None}
        for record in known.values():
            if record.status != "not_run":
                self._unchanged(self.records, record)
                yield Played(record, before=True)
        self._waiting.extend(key for key in self.episodes if key not in known or known[key].status == "not_run")
        if self._waiting:
            with cluster(self.team.address):
                yield from self._play()

    def _play(self) -> Iterator[Played]:
        import ray

        try:
            self._begin()
            while self._waiting or any(seat.episode is not None for seat in self._seats):
                self._give_out()
                busy = {seat.doing: seat for seat in self._seats if seat.doing is not None}
                if not busy:
                    self._stop = self._stop or f"no worker is left: {'; '.join(dict.fromkeys(self._gone))}"
                    break
                left = min(seat.until for seat in busy.values()) - self._clock()
                done, _ = ray.wait(list(busy), timeout=max(min(left, _LOOK_SECONDS), 0.0))
                late = [seat for seat in busy.values() if seat.until <= self._clock() and seat.doing not in done]
                for seat in [*(busy[one] for one in done), *late]:
                    record = self._ended(seat, late=seat in late)
                    if record is not None:
                        yield Played(record, before=False)
        finally:
            self._end()

    # Workers.

    def _begin(self) -> None:
        if self.team.devices is not None:
            from mobile_gym.envs.ray.pool import DevicePool

            self._pool = DevicePool(self.team.devices)
        for number in range(min(self.team.workers, len(self._waiting))):
            seat = _Seat(number + 1)
            self._seats.append(seat)
            self._open(seat)

    def _open(self, seat: _Seat) -> None:
        """Starts a worker in a seat; it is given an episode when it is ready."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = ray.get_runtime_context().get_node_id()
        # Devices that are lent are known to this node's adb server; phones that live in the process go anywhere.
        near = self._pool is not None or not self.team.address
        place = NodeAffinitySchedulingStrategy(here, soft=False) if near else "SPREAD"
        boots = [avd.boot_seconds for avd in self.team.devices.avds] if self.team.devices is not None else []
        patience = max([_LEASE_SECONDS, *(seconds + _LEASE_SECONDS for seconds in boots)])
        folder = self.records.folder.resolve() if self.trajectories else None
        worker = ray.remote(Worker).options(
            num_cpus=0, max_restarts=0, scheduling_strategy=place, enable_task_events=False
        )
        seat.actor = worker.remote(self.cast, self._pool, patience, folder, here)
        seat.opened, seat.episode = None, None
        seat.doing = seat.actor.open.remote()
        seat.until = self._clock() + patience + _START_SECONDS

    def _give_out(self) -> None:
        if self._waiting:
            self._stop = self._stop or self.caps.reached(self._cost, self._tokens)
        for seat in self._seats:
            if seat.opened is None or seat.doing is not None or not self._waiting or self._stop:
                continue
            self._hand(seat, self._waiting.popleft())
        if self._stop:
            self._waiting.clear()

    def _hand(self, seat: _Seat, key: Key) -> None:
        self._started(*key)
        seat.episode = key
        seat.doing = seat.actor.play.remote(*key)
        seat.until = self._clock() + self.team.episode_seconds

    def _dismiss(self, *seats: _Seat) -> None:
        """Ends workers, and waits until they have ended, so that they write nothing more."""
        import ray

        actors = [seat.actor for seat in seats if seat.actor is not None]
        for seat in seats:
            seat.actor, seat.doing, seat.opened, seat.episode = None, None, None, None
        for actor in actors:
            ray.kill(actor)
        if actors:
            ends = [actor.__ray_ready__.remote() for actor in actors]
            ray.wait(ends, num_returns=len(ends), timeout=_END_SECONDS)

    def _end(self) -> None:
        self._dismiss(*self._seats)
        if self._pool is not None:
            self.aside = self._pool.report().aside
            self._pool.close()

    # What comes back.

    def _ended(self, seat: _Seat, late: bool) -> EpisodeRecord | None:
        """Takes what a worker gave; gives the record of an episode that is over."""
        import ray
        from ray.exceptions import RayError, RayTaskError

        doing, seat.doing = seat.doing, None
        try:
            if late:
                what = "the episode did not end" if seat.episode is not None else "the worker was not ready"
                raise EpisodeLost(f"{what} in time, and its worker was ended")
            came: Opened | Outcome = ray.get(doing)
        except RayTaskError as failure:
            cause = failure.cause
            if isinstance(cause, RecordsError):
                raise cause from None
            return self._failed(seat, f"{type(cause).__name__}: {cause}", final=isinstance(cause, PoolError))
        except RayError as failure:
            return self._failed(seat, f"its worker died ({str(failure).splitlines()[0]})")
        except EpisodeLost as failure:
            return self._failed(seat, str(failure))
        if isinstance(came, Opened):
            self._ready(seat, came)
            return None
        return self._played(seat, came)

    def _ready(self, seat: _Seat, opened: Opened) -> None:
        if opened.versions != versions():
            self._gone.append(
                f"node {opened.node[:8]} has {_listed(opened.versions)}, this process {_listed(versions())}; "
                "install the same versions, or the records would not be equal"
            )
            self._dismiss(seat)
            return
        seat.opened, seat.failures = opened, 0

    def _failed(self, seat: _Seat, reason: str, final: bool = False) -> EpisodeRecord | None:
        """A worker that died, hung or raised: it is replaced, and its episode is played again."""
        key = seat.episode
        self._dismiss(seat)
        if key is None:
            seat.failures += 1
            if final or seat.failures >= MOST_TRIES:
                self._gone.append(reason)
                return None
        self._open(seat)
        return None if key is None else self._again(key, reason)

    def _again(
        self, key: Key, reason: str, record: tuple[EpisodeRecord, EpisodeTiming] | None = None
    ) -> EpisodeRecord | None:
        """Has an episode played again, or writes down that it was not run."""
        self._tries[key] = self._tries.get(key, 0) + 1
        if self._tries[key] < MOST_TRIES:
            self._waiting.appendleft(key)
            return None
        if record is not None:
            return self._written(*record)
        problem = EpisodeLost(f"{reason}; it was tried {MOST_TRIES} times")
        return self._written(self._lost(self.records, key, problem), Stopwatch(*key).timing())

    def _played(self, seat: _Seat, outcome: Outcome) -> EpisodeRecord | None:
        key, seat.episode = outcome.record.key, None
        self._spend(outcome.timing)
        self._stop = self._stop or outcome.stop
        fault = device_fault(outcome.record)
        device = seat.opened.device if seat.opened is not None else None
        if not fault:
            if self._pool is not None and device is not None and seat.failures:
                self._pool.report_success(device)
                seat.failures = 0
            if outcome.files:
                write_files(episode_folder(self.records.folder / TRAJECTORIES, *key), outcome.files)
            return self._written(outcome.record, outcome.timing)
        if self._pool is not None and device is not None and not outcome.record.turns:
            seat.failures += 1
            if not self._pool.report_failure(device, fault):
                self._hand(seat, key)
                return None
            # The device is put aside; the seat looks for another one, and so does the episode.
            self._dismiss(seat)
            self._open(seat)
        return self._again(key, fault, (outcome.record, outcome.timing))

    def _written(self, record: EpisodeRecord, timing: EpisodeTiming) -> EpisodeRecord:
        self.records.append(record, timing)
        return record

    def _spend(self, timing: EpisodeTiming) -> None:
        self._cost += sum(turn.cost or 0.0 for turn in timing.turns)
        self._tokens += sum((turn.prompt_tokens or 0) + (turn.generated_tokens or 0) for turn in timing.turns)


def _listed(found: Any) -> str:
    return ", ".join(f"{name} {version}" for name, version in found.items())
