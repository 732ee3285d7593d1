"""Gymnasium environments over tasks and devices.

This folder is also reachable as `envs` at the top of the repository, for reading and editing; imports always say
`mobile_gym.envs`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mobile_gym.envs.ray.async_env import RayAsyncEnv
    from mobile_gym.envs.ray.vector_env import RayVectorEnv

__all__ = ["RayAsyncEnv", "RayVectorEnv"]

if __name__ != "mobile_gym.envs":
    raise ImportError(
        f"this package is imported as {__name__!r}; import it as 'mobile_gym.envs'. The folder 'envs' at the top of "
        "the repository is only a link for people, and a second copy of its classes would not be equal to the first."
    )


def __getattr__(name: str) -> Any:
    # Ray is only imported by who asks for it.
    if name in __all__:
        from mobile_gym.envs import ray

        return getattr(ray, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
