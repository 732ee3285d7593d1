"""`DevicePool`: lends devices to actors of a Ray cluster, and takes them back when one dies.

The pool is an actor of its own; what it decides is in `pool_state`, which needs no Ray.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Any

import ray
from ray.actor import ActorHandle
from ray.exceptions import ActorDiedError, ActorUnavailableError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from mobile_gym.envs.ray.avd import Avd, AvdError, RunningAvd, find_sdk, start_avd
from mobile_gym.envs.ray.health import ailment
from mobile_gym.envs.ray.pool_state import (
    DeviceReport,
    LeaseTimeout,
    NoDeviceLeft,
    PoolError,
    PoolPlan,
    PoolReport,
    PoolState,
)

__all__ = ["DevicePool", "LeaseTimeout", "NoDeviceLeft", "PoolError", "PoolPlan", "PoolReport"]

_LOOK_SECONDS = 0.25
"""How often owners are asked whether they live; one that is busy is asked once and may take its time to answer."""

Incarnation = tuple[str, int]
"""Node and process of an actor: one that was restarted has another, and no longer knows what it had."""


class _Keeper:
    """Lives as long as the process that made it, since Ray ends an actor with its owner; so the pool sees that one end.

    A driver or a task is no actor that could be asked whether it lives.
    """


class DevicePool:
    """A pool of devices on a Ray cluster; a copy of it, sent to an actor, is the same pool.

    ```python
    pool = DevicePool(["adb:emulator-5554", "adb:10.0.0.2:5555"])
    spec = pool.lease(timeout=60)
    pool.give_back(spec)
    ```

    The pool's own process looks at the devices (over ADB) and starts AVDs, on the node where the pool was made. It
    ends with the process that made it.

    Args:
        devices: specs, or a plan with AVDs to start.
        check: whether a device is looked at before it is lent: it must have booted, and its shell must respond.
        check_seconds: how long each call of such a look may take.

    Raises:
        PoolError: a device is named twice.
        ValueError: a spec names no device.
    """

    def __init__(self, devices: Sequence[str] | PoolPlan, *, check: bool = True, check_seconds: float = 20.0) -> None:
        plan = devices if isinstance(devices, PoolPlan) else PoolPlan(devices=tuple(devices))
        PoolState(plan.devices)  # what is wrong with the names is told here, not by an actor
        here = ray.get_runtime_context().get_node_id()
        self._maker = ray.get_runtime_context().get_worker_id()
        self._keeper: Any = None
        self._actor: Any = (
            ray.remote(_Pool)
            .options(num_cpus=0, scheduling_strategy=NodeAffinitySchedulingStrategy(here, soft=False))
            .remote(plan, check, check_seconds)
        )

    def __getstate__(self) -> dict[str, Any]:
        """What a copy has: all but the keeper, which is of this process."""
        return {**self.__dict__, "_keeper": None}

    def lease(self, owner: ActorHandle[Any] | str | None = None, timeout: float = 60.0) -> str:
        """Lends a device.

        Args:
            owner: for whom. An actor's lease ends when it dies, or is restarted; a name's when the process that asks
                does. None is the actor that asks; outside an actor it needs a name.
            timeout: seconds to wait for one.

        Returns:
            The device's spec.

        Raises:
            NoDeviceLeft: all were put aside.
            LeaseTimeout: none became free in time.
        """
        asker = ray.get_runtime_context().get_actor_id()
        if owner is None and asker is None:
            raise ValueError("a lease outside an actor needs an owner: an actor's handle or a name")
        watched = self._watched() if owner is None or isinstance(owner, str) else owner
        name = owner if isinstance(owner, str) else f"actor {watched._actor_id.hex()}"
        here = watched is not None and watched._actor_id.hex() == asker
        spec: str = self._ask("lease", name, watched, _incarnation() if here else None, timeout)
        return spec

    def _watched(self) -> Any:
        """What lives as long as this process: its actor, or a keeper. None where the pool ends with the process."""
        context = ray.get_runtime_context()
        if context.get_actor_id() is not None:
            return context.current_actor
        if context.get_worker_id() == self._maker:
            return None
        if self._keeper is None:
            near = NodeAffinitySchedulingStrategy(context.get_node_id(), soft=False)
            self._keeper = ray.remote(_Keeper).options(num_cpus=0, scheduling_strategy=near).remote()
        return self._keeper

    def give_back(self, spec: str) -> None:
        """Ends a lease; no error where it has ended already."""
        self._ask("give_back", spec)

    def report_failure(self, spec: str, reason: str) -> bool:
        """Says that a reset of a device failed; the third time running it is put aside, and its lease ends.

        Returns:
            Whether the device is put aside.
        """
        aside: bool = self._ask("report_failure", spec, reason)
        return aside

    def report_success(self, spec: str) -> None:
        """Says that a reset of a device was right; failures before it no longer count."""
        self._ask("report_success", spec)

    def put_back(self, spec: str) -> None:
        """Lends a device again that was put aside."""
        self._ask("put_back", spec)

    def report(self) -> PoolReport:
        """All devices as they are now."""
        report: PoolReport = self._ask("report")
        return report

    def close(self) -> None:
        """Stops the AVDs that the pool started, and ends it; calling it twice is fine."""
        try:
            self._ask("close")
        except ActorDiedError:
            return
        ray.kill(self._actor)
        self._keeper = None

    def _ask(self, method: str, *arguments: object) -> Any:
        try:
            return ray.get(getattr(self._actor, method).remote(*arguments))
        except RayTaskError as failure:
            # People get the pool's own error, without the story of the actor around it.
            if isinstance(failure.cause, PoolError | ValueError | AvdError):
                raise failure.cause from None
            raise


class _Pool:
    """The pool's actor. It is asynchronous: whoever waits for a device keeps nobody from giving one back."""

    def __init__(self, plan: PoolPlan, check: bool, check_seconds: float) -> None:
        self._state = PoolState(plan.devices)
        self._check, self._check_seconds = check, check_seconds
        self._changed = asyncio.Condition()
        self._running: list[RunningAvd] = []
        self._booting = len(plan.avds)
        self._sick: dict[str, str] = {}
        self._watches: set[asyncio.Task[None]] = set()
        self._avds = plan.avds
        self._boots: list[asyncio.Task[None]] = []

    async def lease(
        self, name: str, watched: ActorHandle[Any] | None, incarnation: Incarnation | None, timeout: float
    ) -> str:
        self._boot_all()
        end = asyncio.get_running_loop().time() + timeout
        while True:
            spec = self._state.lease(name)
            lease = 0 if spec is None else self._state.lease_of(spec)
            if spec is not None and await self._well(spec, name):
                if watched is not None:
                    watch = asyncio.create_task(self._watch(spec, lease, watched, incarnation))
                    self._watches.add(watch)
                    watch.add_done_callback(self._watches.discard)
                return spec
            if spec is not None:
                continue
            if self._state.exhausted and not self._booting:
                raise NoDeviceLeft(self._told())
            left = end - asyncio.get_running_loop().time()
            try:
                async with self._changed:
                    await asyncio.wait_for(self._changed.wait(), max(left, 0.0))
            except TimeoutError:
                raise LeaseTimeout(
                    f"no device became free within {timeout:g} s:\n{self._state.report().to_text()}"
                ) from None

    async def give_back(self, spec: str) -> None:
        self._state.give_back(spec)
        await self._tell()

    async def report_failure(self, spec: str, reason: str) -> bool:
        aside = self._state.report_failure(spec, reason)
        await self._tell()
        return aside

    async def report_success(self, spec: str) -> None:
        self._state.report_success(spec)

    async def put_back(self, spec: str) -> None:
        self._state.put_back(spec)
        await self._tell()

    async def report(self) -> PoolReport:
        sick = (DeviceReport(spec=f"avd:{name}", status="aside", reason=reason) for name, reason in self._sick.items())
        return PoolReport(devices=(*self._state.report().devices, *sick))

    async def close(self) -> None:
        for task in [*self._watches, *self._boots]:
            task.cancel()
        await asyncio.gather(*(asyncio.to_thread(avd.stop) for avd in self._running))
        self._running.clear()

    async def _well(self, spec: str, owner: str) -> bool:
        """Looks at a device that was just lent; one that is not well goes back, with the failure counted."""
        problem = await asyncio.to_thread(ailment, spec, self._check_seconds) if self._check else ""
        if not problem:
            return True
        if self._state.owner_of(spec) == owner:
            self._state.give_back(spec)
        self._state.report_failure(spec, problem)
        await self._tell()
        return False

    async def _watch(self, spec: str, lease: int, watched: ActorHandle[Any], incarnation: Incarnation | None) -> None:
        """Ends a lease when the actor that it hangs on dies, or is another process than the one that leased."""
        while self._state.lease_of(spec) == lease:
            try:
                living = await watched.__ray_call__.remote(_incarnation_of)
            except (ActorDiedError, ActorUnavailableError):
                break
            incarnation = incarnation or living
            if living != incarnation:
                break
            await asyncio.sleep(_LOOK_SECONDS)
        if self._state.lease_of(spec) == lease:
            self._state.give_back(spec)
            await self._tell()

    def _boot_all(self) -> None:
        if self._boots or not self._avds:
            return
        self._boots = [asyncio.create_task(self._boot())]

    async def _boot(self) -> None:
        """Starts the virtual devices and takes each in as soon as it has booted."""
        try:
            sdk = find_sdk()
            for avd in self._avds:
                running = await asyncio.to_thread(start_avd, avd, sdk, [one.port for one in self._running])
                self._running.append(running)
        except AvdError as problem:
            for avd in self._avds[len(self._running) :]:
                self._sick[avd.name] = str(problem)
            self._booting = len(self._running)
        await asyncio.gather(*(self._take_in(running.avd, running) for running in self._running))
        await self._tell()

    async def _take_in(self, avd: Avd, running: RunningAvd) -> None:
        try:
            await asyncio.to_thread(running.wait_booted)
            self._state.add(running.spec)
        except (AvdError, PoolError) as problem:
            self._sick[avd.name] = str(problem)
        self._booting -= 1
        await self._tell()

    def _told(self) -> str:
        sick = [f"the virtual device {name} did not start: {reason}" for name, reason in self._sick.items()]
        return "; ".join([self._state.why_none(), *sick])

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def _incarnation() -> Incarnation:
    return ray.get_runtime_context().get_node_id(), os.getpid()


def _incarnation_of(actor: object) -> Incarnation:
    return _incarnation()
