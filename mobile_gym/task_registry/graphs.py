"""Task graphs of tasks: built from their demonstrations when first asked for, then kept in a cache.

The repository holds demonstrations and no pictures: the same demonstrations give the same graph on the embedded phone.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import closing
from functools import cache
from importlib.metadata import version
from pathlib import Path

import PIL
from PIL import features

import mobile_gym
from mobile_gym import devices
from mobile_gym.devices.base import Device
from mobile_gym.reward.graph.merging import merge
from mobile_gym.reward.graph.model import FORMAT, GraphError, TaskGraph, load_graph, save_graph
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.recording import record_demonstrations

CACHE_VARIABLE = "MOBILE_GYM_CACHE"
"""Names the cache's folder; `off` turns the cache off."""


_MAKERS = ("phone", "devices", "reward", "assets", "task_registry/recording.py")
"""What of the package has a say in a graph besides the task: the phone, who acts on it, and who merges."""


def cache_folder() -> Path | None:
    """The folder of the cache: what `MOBILE_GYM_CACHE` names, else the platform's; None where it is turned off."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return None if named == "off" else Path(named)
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "mobile-gym"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "mobile-gym"


def cache_file(task: Task, device: str, language: Language) -> Path | None:
    """Where a task's graph is kept: by the task's content, what makes graphs, device and language."""
    folder = cache_folder()
    if folder is None:
        return None
    key = "\n".join((task.content_hash, makers(), str(FORMAT), device, language))
    return folder / "graphs" / f"{task.id}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"


@cache
def makers() -> str:
    """A digest of all that makes a graph of a task: the package's version and code, and what paints its text.

    The code counts as well as the version, so that an app that is changed in a checkout leaves no stale screens.
    """
    digest = hashlib.sha256()
    for part in (version("mobile-gym"), PIL.__version__, str(features.version("freetype2"))):
        digest.update(f"{part}\n".encode())
    root = Path(mobile_gym.__file__).parent
    for path in sorted(file for maker in _MAKERS for file in _files(root / maker)):
        digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return [file for file in files if "__pycache__" not in file.parts]


def build_graph(task: Task, device: Device, language: Language = "zh") -> TaskGraph:
    """Builds a task's graph anew by playing all of its demonstrations on a device.

    Raises:
        GraphError: a demonstration does not solve the task, or they give no graph.
        DemonstrationError: a step matches nothing.
        SetupError: the start could not be made.
        DeviceError: the device refused an action or failed.
    """
    recordings = record_demonstrations(task, device, language)
    for recording in recordings:
        if not recording.solved:
            raise GraphError(f"{recording.source} of {task.id} does not solve it; `mobile-gym tasks check` says why")
    return merge(recordings)


def graph_of(task: Task, device: str | Device = "embedded:pixel_6a", language: Language = "zh") -> TaskGraph:
    """A task's graph, from the cache where it is there, else built and kept.

    A cached file that cannot be read is built again.

    Args:
        task: the task.
        device: what it is built on: a device's spec, opened only where the graph must be built, or an open device.
        language: language of the screens.

    Raises:
        GraphError: see `build_graph`, which it raises as.
        OSError: the cache cannot be written.
    """
    name = device if isinstance(device, str) else device.serial
    path = cache_file(task, name, language)
    if path is not None and path.exists():
        try:
            return load_graph(path)
        except GraphError:
            path.unlink(missing_ok=True)
    if isinstance(device, str):
        with closing(devices.connect(device)) as phone:
            graph = build_graph(task, phone, language)
    else:
        graph = build_graph(task, device, language)
    if path is not None:
        save_graph(graph, path)
    return graph
