"""Entry points of `gymnasium.make_vec(…, vectorization_mode="vector_entry_point")`.

Gymnasium calls them with the arguments of the environment and of the vector environment side by side, and without the
id; there is one for each class of environment.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec

from mobile_gym.envs.ray.vector_env import RayVectorEnv
from mobile_gym.task_registry.registration import ENTRY_POINT, GRAPH_ENTRY_POINT, GROUNDING_ENTRY_POINT, NAMESPACE

VECTOR_ARGUMENTS = (
    "autoreset_mode",
    "copy",
    "phones_per_actor",
    "threads",
    "address",
    "num_cpus",
    "actor_resources",
    "pool",
    "start_timeout",
    "step_timeout",
    "close_timeout",
)
"""Arguments that are `RayVectorEnv`'s; all others go to the environments."""


def tasks(num_envs: int, **arguments: Any) -> RayVectorEnv:
    """Environments of one task on phones."""
    return _vector(ENTRY_POINT, f"{arguments.get('task', '')}", num_envs, arguments)


def graphs(num_envs: int, **arguments: Any) -> RayVectorEnv:
    """Environments of one task over a graph of recorded screens."""
    return _vector(GRAPH_ENTRY_POINT, f"{arguments.get('task', '')}", num_envs, arguments)


def grounding(num_envs: int, **arguments: Any) -> RayVectorEnv:
    """Environments of one split of a grounding set."""
    return _vector(GROUNDING_ENTRY_POINT, f"trans-{arguments.get('split', '')}", num_envs, arguments)


def _vector(entry_point: str, name: str, num_envs: int, arguments: dict[str, Any]) -> RayVectorEnv:
    if num_envs < 1:
        raise ValueError(f"num_envs must be at least 1, not {num_envs}")
    own = {key: arguments.pop(key) for key in VECTOR_ARGUMENTS if key in arguments}
    steps = arguments.pop("max_episode_steps", None)
    env_id = f"{NAMESPACE}/{name}"
    # A task may also be a file or an object, which no id is registered for.
    registered = gym.registry.get(env_id)
    spec = EnvSpec(
        id=env_id if registered is not None else f"{NAMESPACE}/task",
        entry_point=entry_point,
        max_episode_steps=steps,
        kwargs=arguments,
    )
    return RayVectorEnv([spec] * num_envs, **own)
