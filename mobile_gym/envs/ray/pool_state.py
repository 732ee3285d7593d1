"""What a device pool knows and decides; nothing here needs Ray.

A device is free, lent to one owner, or put aside. It is put aside when it failed three times running, and stays so
until a person puts it back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from mobile_gym import devices
from mobile_gym.envs.ray.avd import Avd

MOST_FAILURES = 3
"""Failures running after which a device is put aside."""

FILE_PREFIX = "pool:"
"""What a pool's file begins with where a device's spec could stand too."""

DeviceStatus = Literal["free", "lent", "aside"]


class PoolError(RuntimeError):
    """A pool that cannot be made or asked so; the message says what to do."""


class NoDeviceLeft(PoolError):
    """Every device of the pool was put aside; the message says why each was."""


class LeaseTimeout(PoolError):
    """No device became free in time."""


class PoolPlan(BaseModel):
    """What a pool is made of, as its file says.

    Attributes:
        name: what records and messages call the pool.
        devices: specs, such as `adb:emulator-5554`.
        avds: Android virtual devices to start, where an SDK is installed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = "pool"
    devices: tuple[str, ...] = ()
    avds: tuple[Avd, ...] = ()


def load_plan(path: Path) -> PoolPlan:
    """Reads a pool's file, YAML: `name`, `devices` (a list of specs), `avds` (a list of `name`, `port`, `options`).

    Raises:
        PoolError: it cannot be read, or holds something else.
    """
    try:
        data = yaml.safe_load(path.read_text("utf-8"))
    except OSError as problem:
        raise PoolError(f"the pool file {path} cannot be read: {problem.strerror}") from problem
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise PoolError(f"the pool file {path} is no YAML: {problem}") from problem
    try:
        plan = PoolPlan.model_validate(data)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise PoolError(
            f"the pool file {path} is wrong at {where}: {first['msg']}; it should read "
            "'devices: [adb:emulator-5554, adb:10.0.0.2:5555]'"
        ) from problem
    try:
        PoolState(plan.devices)
    except (PoolError, ValueError) as problem:
        raise PoolError(f"the pool file {path}: {problem}") from problem
    if not plan.devices and not plan.avds:
        raise PoolError(f"the pool file {path} names no device; give it 'devices' or 'avds'")
    return plan


def chosen_pool(text: str) -> PoolPlan:
    """The pool that a text names: specs with commas, or a pool's file as `pool:FILE`.

    Raises:
        ValueError: one of the specs names no device.
        PoolError: the file is wrong, or a device is named twice.
    """
    if text.startswith(FILE_PREFIX):
        return load_plan(Path(text.removeprefix(FILE_PREFIX)))
    plan = PoolPlan(devices=tuple(spec.strip() for spec in text.split(",")))
    PoolState(plan.devices)
    return plan


class DeviceReport(BaseModel):
    """One device of a pool.

    Attributes:
        spec: what it is opened with.
        status: `free`, `lent` or `aside`.
        owner: who has it; empty where nobody has.
        leases: how often it was lent.
        failures: how often it failed since its last success.
        reason: its last failure; for one that was put aside, why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    spec: str
    status: DeviceStatus
    owner: str = ""
    leases: int = 0
    failures: int = 0
    reason: str = ""


class PoolReport(BaseModel):
    """All devices of a pool, in its order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    devices: tuple[DeviceReport, ...]

    @property
    def aside(self) -> tuple[DeviceReport, ...]:
        """Those that were put aside."""
        return tuple(device for device in self.devices if device.status == "aside")

    def to_text(self) -> str:
        """One line a device."""
        lines = []
        for device in self.devices:
            about = [f"to {device.owner}"] if device.owner else []
            about += [f"{device.failures} failures: {device.reason}"] if device.failures else []
            lines.append(f"{device.spec:<32} {device.status:<6} {'; '.join(about)}".rstrip())
        return "\n".join(lines)


@dataclass(slots=True)
class _Place:
    """What is known of one device; `loaned` numbers the leases of the pool, so that the longest idle one goes first."""

    owner: str = ""
    leases: int = 0
    failures: int = 0
    reason: str = ""
    aside: bool = False
    loaned: int = 0


@dataclass(slots=True)
class PoolState:
    """The devices of a pool and who has them.

    Args:
        specs: the devices; each once.
        most_failures: failures running after which a device is put aside.

    Raises:
        PoolError: a device is named twice.
        ValueError: a spec names no device.
    """

    specs: Iterable[str] = ()
    most_failures: int = MOST_FAILURES
    _places: dict[str, _Place] = field(default_factory=dict, init=False)
    _loans: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        for spec in self.specs:
            self.add(spec)

    def add(self, spec: str) -> None:
        """Takes a further device in.

        Raises:
            PoolError: it is there already.
            ValueError: the spec names no device.
        """
        devices.check_spec(spec)
        if spec in self._places:
            raise PoolError(f"the device {spec} is in the pool twice; two owners cannot share a phone")
        self._places[spec] = _Place()

    def lease(self, owner: str) -> str | None:
        """Lends a free device; None where none is free.

        Devices that failed least go first, then those that were lent the longest time ago, then those named first.

        Raises:
            ValueError: the owner has no name.
        """
        if not owner:
            raise ValueError("a lease needs an owner")
        free = [spec for spec, place in self._places.items() if not place.owner and not place.aside]
        if not free:
            return None
        spec = min(free, key=lambda one: (self._places[one].failures, self._places[one].loaned))
        place = self._places[spec]
        self._loans += 1
        place.owner, place.leases, place.loaned = owner, place.leases + 1, self._loans
        return spec

    def give_back(self, spec: str) -> None:
        """Ends a lease; no error where it has ended already."""
        self._place(spec).owner = ""

    def report_success(self, spec: str) -> None:
        """A reset of the device was right: what failed before no longer counts."""
        self._place(spec).failures = 0

    def report_failure(self, spec: str, reason: str) -> bool:
        """A reset or a health check of the device failed; at the third running it is put aside, lent or not.

        Returns:
            Whether the device is put aside.
        """
        place = self._place(spec)
        place.failures += 1
        place.reason = reason
        if place.failures >= self.most_failures:
            self.put_aside(spec, reason)
        return place.aside

    def put_aside(self, spec: str, reason: str) -> None:
        """Lends the device no more, and ends its lease."""
        place = self._place(spec)
        place.aside, place.owner, place.reason = True, "", reason
        place.failures = max(place.failures, 1)

    def put_back(self, spec: str) -> None:
        """Lends a device again that was put aside."""
        place = self._place(spec)
        place.aside, place.failures, place.reason = False, 0, ""

    def owner_died(self, owner: str) -> list[str]:
        """Takes back what an owner had; gives the specs."""
        had = [spec for spec, place in self._places.items() if place.owner == owner]
        for spec in had:
            self.give_back(spec)
        return had

    def owner_of(self, spec: str) -> str:
        """Who has a device; empty where nobody has."""
        return self._place(spec).owner

    def lease_of(self, spec: str) -> int:
        """The number of a device's lease, which no other lease of the pool has; 0 where nobody has the device."""
        place = self._place(spec)
        return place.loaned if place.owner else 0

    @property
    def exhausted(self) -> bool:
        """Whether every device was put aside."""
        return all(place.aside for place in self._places.values())

    def why_none(self) -> str:
        """Why no device is left, for a message."""
        told = "; ".join(f"{spec}: {place.reason}" for spec, place in self._places.items() if place.aside)
        return f"no device is left in the pool; all were put aside: {told}" if told else "the pool has no devices"

    def report(self) -> PoolReport:
        """All devices as they are now."""
        return PoolReport(
            devices=tuple(
                DeviceReport(
                    spec=spec,
                    status="aside" if place.aside else "lent" if place.owner else "free",
                    owner=place.owner,
                    leases=place.leases,
                    failures=place.failures,
                    reason=place.reason,
                )
                for spec, place in self._places.items()
            )
        )

    def _place(self, spec: str) -> _Place:
        if spec not in self._places:
            raise PoolError(f"the pool has no device {spec!r}; it has {', '.join(self._places) or 'none'}")
        return self._places[spec]
