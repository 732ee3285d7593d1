"""Registers every task with Gymnasium. Reads no file and imports nothing heavy: `import mobile_gym` calls it."""

from __future__ import annotations

import gymnasium

from mobile_gym.task_registry.suite_files import task_files

NAMESPACE = "MoBench"
ENTRY_POINT = "mobile_gym.envs.task_env:MobileTaskEnv"


def register_all() -> None:
    """Registers `MoBench/<id>` for every task that is not registered yet."""
    for task_id in task_files():
        name = f"{NAMESPACE}/{task_id}"
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point=ENTRY_POINT, kwargs={"task": task_id})
