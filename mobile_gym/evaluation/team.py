"""Who plays a run: how many workers, on which cluster and devices, and what they may spend together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from mobile_gym.envs.ray.errors import RayNotStarted
from mobile_gym.envs.ray.pool_state import PoolPlan

EPISODE_SECONDS = 3600.0
_STORE_BYTES = 100 * 2**20


class ParallelError(RuntimeError):
    """A run that cannot be spread over workers; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Team:
    """Who plays a run, and where.

    Attributes:
        workers: how many play at once, each in its own process.
        address: a Ray cluster, `auto` or `HOST:PORT`; empty for a new one on this machine.
        episode_seconds: how long an episode may take before its worker is replaced.
        devices: devices that are lent one to a worker; None where each opens the configuration's own.

    Raises:
        ValueError: a number is too small, or the address is none.
    """

    workers: int = 1
    address: str = ""
    episode_seconds: float = EPISODE_SECONDS
    devices: PoolPlan | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ValueError(f"--workers is 1 or more, not {self.workers}")
        if not self.episode_seconds > 0:
            raise ValueError(f"--episode-timeout is more than 0 seconds, not {self.episode_seconds:g}")
        if self.address and self.address != "auto" and not re.fullmatch(r"[^\s/:]+:\d{1,5}", self.address):
            raise ValueError(f"--ray-address is auto or HOST:PORT, such as 10.0.0.1:6379, not {self.address!r}")

    @property
    def alone(self) -> bool:
        """Whether one worker in this process is enough."""
        return self.workers == 1 and not self.address and self.devices is None


@dataclass(frozen=True, slots=True)
class Caps:
    """What a run may spend on all workers together; None for any.

    Attributes:
        cost: money, in the price table's currency.
        tokens: tokens, sent and received.
    """

    cost: float | None = None
    tokens: int | None = None

    def reached(self, cost: float, tokens: int) -> str:
        """Why no further episode is begun; empty while they are."""
        if self.cost is not None and cost >= self.cost:
            return f"the cost cap of {self.cost:g} is reached ({cost:.4f} spent); raise the cap to go on"
        if self.tokens is not None and tokens >= self.tokens:
            return f"the cap of {self.tokens} tokens is reached ({tokens} spent); raise the cap to go on"
        return ""


def need_ray() -> None:
    """Looks whether Ray is installed.

    Raises:
        ParallelError: it is not.
    """
    if find_spec("ray") is None:
        raise ParallelError("several workers need Ray, which is not installed: pip install 'mobile-gym[ray]'")


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """The Ray cluster that this process uses: the one that it is connected to, else one at an address or a new one.

    Raises:
        ParallelError: Ray is not installed or did not start, or there is no cluster at the address.
    """
    need_ray()
    import ray

    from mobile_gym.envs.ray.cluster import begin

    if ray.is_initialized():
        yield
        return
    settings: dict[str, Any] = {"logging_level": "error", "log_to_driver": False}
    if not address:
        settings |= {"include_dashboard": False, "object_store_memory": _STORE_BYTES}
    try:
        begin(address or None, **settings)
    except RayNotStarted as problem:
        raise ParallelError(str(problem)) from problem
    try:
        yield
    finally:
        ray.shutdown()
