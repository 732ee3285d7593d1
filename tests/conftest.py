"""What holds for every test: how property tests search, and what priority Ray's workers have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, and no clock, so that a busy machine changes nothing.
# `pytest --hypothesis-profile=search` looks for new examples.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("search"), derandomize=True, database=None)
settings.load_profile("same")


@pytest.fixture(scope="session", autouse=True)
def _workers_have_their_share() -> Iterator[None]:
    """Ray runs its workers at nice 15: beside another process of tests that computes, phones there would time out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")
        yield
