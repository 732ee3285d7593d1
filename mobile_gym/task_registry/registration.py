"""Registers every task with Gymnasium. Imports nothing heavy: `import mobile_gym` calls it.

Of the files it reads one line: `graph: 131-249` in a suite's `suite.yaml` says that the tasks of these numbers are
played over task graphs; all others are played on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import gymnasium

from mobile_gym.task_registry.ids import is_task_id
from mobile_gym.task_registry.suite_files import SUITE_FILE, task_files

NAMESPACE = "MoBench"
ENTRY_POINT = "mobile_gym.envs.task_env:MobileTaskEnv"
GRAPH_ENTRY_POINT = "mobile_gym.envs.graph_env:TaskGraphEnv"
GROUNDING_ENTRY_POINT = "mobile_gym.envs.grounding_env:GroundingEnv"
VECTOR_ENTRY_POINTS = {
    ENTRY_POINT: "mobile_gym.envs.ray.entry:tasks",
    GRAPH_ENTRY_POINT: "mobile_gym.envs.ray.entry:graphs",
    GROUNDING_ENTRY_POINT: "mobile_gym.envs.ray.entry:grounding",
}
"""What makes many of an environment, on Ray: `gymnasium.make_vec(…, vectorization_mode="vector_entry_point")`."""
GROUNDING_CANVAS = {
    "android-old": [540, 1200],
    "android-new": [540, 1200],
    "ios": [585, 1268],
    "web": [1280, 800],
    "all": [1280, 1200],
}
"""Splits of our own grounding set, each with its canvas, (width, height) in pixels."""
_GRAPH = re.compile(r"""^graph:\s*["']?(\d+)-(\d+)["']?\s*(?:#.*)?$""", re.MULTILINE)
_NUMBER = re.compile(r"(\d+)$")


def register_all() -> None:
    """Registers `MoBench/<id>` for every task, and `MoBench/trans-<split>`, where they are not registered yet.

    A file whose name is no id is left out, so that it does not break the import; `mobile-gym tasks check` names it.
    """
    for split, canvas in GROUNDING_CANVAS.items():
        name = f"{NAMESPACE}/trans-{split}"
        if name not in gymnasium.registry:
            kwargs = {"split": split, "dataset": "own", "observation_size": canvas}
            _register(name, GROUNDING_ENTRY_POINT, kwargs)
    graphs: dict[Path, range] = {}
    for task_id, path in task_files().items():
        name = f"{NAMESPACE}/{task_id}"
        if name in gymnasium.registry or not is_task_id(task_id):
            continue
        if path.parent not in graphs:
            graphs[path.parent] = graph_numbers(path.parent)
        number = _NUMBER.search(task_id)
        over_graph = number is not None and int(number[1]) in graphs[path.parent]
        entry_point = GRAPH_ENTRY_POINT if over_graph else ENTRY_POINT
        _register(name, entry_point, {"task": task_id})


def _register(name: str, entry_point: str, kwargs: Mapping[str, object]) -> None:
    vector_entry_point = VECTOR_ENTRY_POINTS[entry_point]
    gymnasium.register(id=name, entry_point=entry_point, vector_entry_point=vector_entry_point, kwargs=dict(kwargs))


def graph_numbers(folder: Path) -> range:
    """The numbers of a suite's tasks that are played over task graphs; none where its `suite.yaml` names none."""
    try:
        text = (folder / SUITE_FILE).read_text(encoding="utf-8")
    except OSError:
        return range(0)
    found = _GRAPH.search(text)
    return range(int(found[1]), int(found[2]) + 1) if found else range(0)
