"""`PhoneActor`: a `PhoneWorker` as an actor of Ray."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Any

from mobile_gym.envs.ray.batches import BatchHandle
from mobile_gym.envs.ray.cluster import ray
from mobile_gym.envs.ray.messages import pack, unpack_commands
from mobile_gym.envs.ray.recipes import Recipe
from mobile_gym.envs.ray.worker import Description, PhoneWorker

_COLLECT_SECONDS = 5.0
_GARBAGE = 50_000
"""Objects made before a collection of garbage; Python's own 700 is for small programs."""
_THREADED_CALLS = 4
"""Calls that an actor with threads takes at once: one collects while others submit."""


class PhoneActor:
    """What an actor does; see `PhoneWorker`.

    Args:
        recipes: how each sub-environment is made, by its number.
        threads: whether each has a thread of its own.
        handle: the shared batch; None where there is none yet.
    """

    def __init__(self, recipes: Mapping[int, Recipe], threads: bool, handle: BatchHandle | None) -> None:
        # A step makes thousands of short-lived objects. With Python's own threshold a fifth of the time went into
        # looking through what lives for as long as the process; this costs some hundred kB a phone.
        gc.freeze()
        gc.set_threshold(_GARBAGE)
        self._worker = PhoneWorker(recipes, threads)
        if handle is not None:
            self._worker.attach(handle)

    def ready(self) -> None:
        """Answers once the actor lives."""

    def describe(self) -> Description:
        """See `PhoneWorker.describe`."""
        return self._worker.describe()

    def attach(self, handle: BatchHandle) -> bool:
        """See `PhoneWorker.attach`."""
        return self._worker.attach(handle)

    def run(self, parcels: list[bytes]) -> bytes:
        """Does packed commands in order and gives the packed replies."""
        return pack(self._worker.run([command for parcel in parcels for command in unpack_commands(parcel)]))

    def submit(self, parcels: list[bytes]) -> None:
        """Hands packed commands to the threads of their sub-environments."""
        for parcel in parcels:
            self._worker.submit(unpack_commands(parcel))

    def collect(self) -> bytes:
        """Packed replies to what was submitted, once there is one; none where nothing comes for some seconds."""
        return pack(self._worker.collect(_COLLECT_SECONDS))

    def close(self) -> None:
        """See `PhoneWorker.close`."""
        self._worker.close()


def hire(
    recipes: Mapping[int, Recipe],
    threads: bool,
    handle: BatchHandle | None,
    num_cpus: float,
    resources: Mapping[str, float],
) -> Any:
    """Starts an actor; gives its handle at once, wherever and whenever Ray places it.

    An actor that dies is never restarted by Ray: whoever holds the handle starts another one, so that nothing is
    carried out twice.
    """
    options = ray.remote(PhoneActor).options(
        num_cpus=num_cpus,
        resources=dict(resources) or None,
        max_restarts=0,
        max_task_retries=0,
        max_concurrency=_THREADED_CALLS if threads else 1,
        scheduling_strategy="SPREAD",
        enable_task_events=False,  # Ray would keep a record of every call, and grow with the steps that were made
    )
    return options.remote(dict(recipes), threads, handle)
