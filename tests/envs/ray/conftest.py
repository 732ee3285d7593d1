"""One Ray session for all tests of this folder."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import ray

from mobile_gym.envs.ray import RayAsyncEnv, RayVectorEnv

FEW = {"phones_per_actor": 8, "close_timeout": 1.0}
"""One actor for all is enough where a test does not say otherwise; each takes seconds to start."""

MakeVector = Callable[..., RayVectorEnv]
MakeAsync = Callable[..., RayAsyncEnv]


@pytest.fixture(scope="module")
def session() -> Iterator[None]:
    # Ends with the module: other tests have sessions of their own, and a process has one at a time.
    # The wait is for machines that are busy with other things.
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "240")
    ray.init(
        address="local",  # and not the session of somebody else on this machine
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=100 << 20,
        log_to_driver=False,
        resources={"android_device": 2},
    )
    yield
    ray.shutdown()


@pytest.fixture
def vector(session: None) -> Iterator[MakeVector]:
    made: list[RayVectorEnv] = []

    def make(*arguments: Any, **keywords: Any) -> RayVectorEnv:
        made.append(RayVectorEnv(*arguments, **{**FEW, **keywords}))
        return made[-1]

    yield make
    for envs in made:
        envs.close()


@pytest.fixture
def apart(session: None) -> Iterator[MakeAsync]:
    made: list[RayAsyncEnv] = []

    def make(*arguments: Any, **keywords: Any) -> RayAsyncEnv:
        made.append(RayAsyncEnv(*arguments, **{**FEW, **keywords}))
        return made[-1]

    yield make
    for envs in made:
        envs.close()
