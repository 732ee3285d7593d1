"""Names of tasks and suites. Imports nothing heavy: `import mobile_gym` reads it."""

from __future__ import annotations

import re

TASK_ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"
"""A task's id, which is also its file's name."""

SUITE_ID = r"^[a-z0-9]+(_[a-z0-9]+)*$"
"""A suite's name, which is also its folder's name."""

_TASK_ID = re.compile(TASK_ID)
_VERSION = re.compile(r"-v\d+$")


def is_task_id(name: str) -> bool:
    """Whether a task may have this id: Gymnasium would read an end such as `-v2` as a version."""
    return _TASK_ID.fullmatch(name) is not None and _VERSION.search(name) is None
