"""Vector environments on Ray: many phones on one machine or on a cluster.

`RayVectorEnv` is a `gymnasium.vector.VectorEnv`; `RayAsyncEnv` hands out each phone's step as it comes. Both need the
extra `ray` (`pip install 'mobile-gym[ray]'`); it is only imported when one of the names below is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mobile_gym.envs.ray.async_env import RayAsyncEnv
    from mobile_gym.envs.ray.errors import ActorsNotPlaced, NoPhonesLeft, RayNotStarted, SubEnvLost
    from mobile_gym.envs.ray.groups import fork_group
    from mobile_gym.envs.ray.vector_env import RayVectorEnv

__all__ = [
    "ActorsNotPlaced",
    "NoPhonesLeft",
    "RayAsyncEnv",
    "RayNotStarted",
    "RayVectorEnv",
    "SubEnvLost",
    "fork_group",
]

_PLACES = {
    "ActorsNotPlaced": "errors",
    "NoPhonesLeft": "errors",
    "RayAsyncEnv": "async_env",
    "RayNotStarted": "errors",
    "RayVectorEnv": "vector_env",
    "SubEnvLost": "errors",
    "fork_group": "groups",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    importlib.import_module(f"{__name__}.cluster")  # says which extra is missing
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
