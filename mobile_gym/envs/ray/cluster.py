"""The Ray session of this process: joined or started when first needed, and ended by the last one who used it."""

from __future__ import annotations

import json
import logging
import os
import re
import socket
import threading
from collections.abc import Mapping
from typing import Any

from mobile_gym.envs.ray.errors import RayNotStarted

try:
    import ray as ray
except ImportError as missing:
    raise ImportError("vector environments on Ray need the extra 'ray': pip install 'mobile-gym[ray]'") from missing
from ray.exceptions import RayError

OBJECT_STORE_BYTES = 200 << 20
"""Frames don't pass through Ray's object store on one machine, so that a session started here needs little of it."""

DEVICE_RESOURCE = "android_device"
"""The custom resource of a node: how many emulators and handsets it serves."""


class _Session:
    """How many use the session that this process itself joined or started; Ray has one a process."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.users = 0
        self.ours = False


_session = _Session()


class Lease:
    """A use of the session; `release` ends it, and the last one ends a session that was begun here.

    Args:
        address: of a cluster, `auto` for one that runs on this machine; None for the session that is there, or a new
            one of this machine alone.
        devices: how many emulators and handsets a new session says that it serves.
    """

    def __init__(self, address: str | None, devices: int) -> None:
        with _session.guard:
            if not ray.is_initialized():
                _begin(address, devices)
                _session.ours, _session.users = True, 0
            _session.users += 1
        self._held = True

    def release(self) -> None:
        """Ends the use; calling it twice is fine."""
        with _session.guard:
            if not self._held:
                return
            self._held = False
            _session.users -= 1
            if _session.ours and _session.users == 0 and ray.is_initialized():
                ray.shutdown()
                _session.ours = False


def begin(address: str | None, **settings: Any) -> None:
    """Joins a cluster, or starts a session of this machine alone.

    Args:
        address: of the cluster, `auto` for one that runs on this machine; None for a new session.
        settings: what `ray.init` takes beside it.

    Raises:
        RayNotStarted: it did not come up, or there is no cluster.
    """
    try:
        if address is not None and (there := _HOST_PORT.fullmatch(address)) is not None:
            # Ray itself would ask for minutes where nobody listens.
            socket.create_connection((there[1], int(there[2])), _KNOCK_SECONDS).close()
        # Without an address Ray would join whichever session runs on this machine.
        ray.init(address=address or "local", **settings)
    except Exception as problem:
        # Where a node does not come up in time Ray raises a bare `Exception`, which nothing narrower catches.
        if type(problem) is not Exception and not isinstance(problem, _START_FAILURES):
            raise
        raise RayNotStarted(_why_not(address, problem)) from problem


_HOST_PORT = re.compile(r"([^\s/:]+):(\d{1,5})")
_KNOCK_SECONDS = 5.0
_START_FAILURES = (OSError, RuntimeError, ValueError, RayError)


def _why_not(address: str | None, problem: Exception) -> str:
    told = " ".join(str(problem).split()).rstrip(".") or type(problem).__name__
    if address is not None:
        return (
            f"no Ray cluster answers at {address}: {told}. See with 'ray status --address {address}' whether it runs; "
            "'ray start --head' starts one, and all its nodes need the same versions of Ray and Python"
        )
    return (
        f"Ray did not start on this machine: {told}. It waits 30 seconds for its own processes: where the machine is "
        "busy, try again when it is less so. Their logs are in /tmp/ray/session_latest/logs; 'ray stop' ends those "
        "that an earlier session left, and memory and /dev/shm need some hundred MB free"
    )


def _begin(address: str | None, devices: int) -> None:
    address = address or os.environ.get("RAY_ADDRESS") or None
    if address is not None:
        begin(address, logging_level=logging.WARNING)
        return
    begin(
        None,
        include_dashboard=False,
        object_store_memory=OBJECT_STORE_BYTES,
        resources={DEVICE_RESOURCE: devices} if devices else None,
        logging_level=logging.WARNING,
    )


def cores() -> int:
    """Cores of the cluster; at least 1."""
    return max(1, int(_resources("cluster_resources").get("CPU", 1)))


def lack(waiting: int, wanted: int, resources: Mapping[str, float], seconds: float) -> str:
    """Says which actors did not start, and which resource is missing.

    Args:
        waiting: how many did not start.
        wanted: of how many.
        resources: what each asks for.
        seconds: how long they were waited for.
    """
    everything, free = _resources("cluster_resources"), _resources("available_resources")
    text = f"{waiting} of {wanted} actors did not start within {seconds:g} s"
    short = [name for name, amount in resources.items() if free.get(name, 0.0) < amount]
    if not short:
        return f"{text}, though what each asks for ({_shown(resources)}) is free; raise start_timeout"
    told = ", ".join(
        f"{name} (each asks for {resources[name]:g}; the cluster has {everything.get(name, 0.0):g}, of which "
        f"{free.get(name, 0.0):g} free)"
        for name in short
    )
    start = json.dumps({name: 1 for name in short if name not in ("CPU", "GPU", "memory")})
    hint = f"; a node that serves them is started with: ray start --resources='{start}'" if start != "{}" else ""
    return f"{text} for lack of {told}{hint}"


def _resources(which: str) -> dict[str, float]:
    untyped: Any = ray
    found: dict[str, float] = getattr(untyped, which)()
    return found


def _shown(resources: Mapping[str, float]) -> str:
    return ", ".join(f"{name}: {amount:g}" for name, amount in resources.items()) or "nothing"
