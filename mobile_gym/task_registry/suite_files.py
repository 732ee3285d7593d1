"""Where suites lie. Nothing here reads a file, so that registering every task costs a listing of directories."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

SUITE_FILE = "suite.yaml"
GROUP = "mobile_gym.suites"


@cache
def suite_folders() -> Mapping[str, Path]:
    """The folder of each suite: those of this package, and those that other packages offer.

    An entry point of the group `mobile_gym.suites` has the suite's name and, as its value, the package that is its
    folder.

    Raises:
        ValueError: two suites have the same name, or an entry point's package is not there.
    """
    home = Path(__file__).parent / "suites"
    found = {
        path.name: path for path in sorted(home.iterdir()) if path.is_dir() and not path.name.startswith((".", "_"))
    }
    for point in entry_points(group=GROUP):
        spec = find_spec(point.module)
        places = list(spec.submodule_search_locations or ()) if spec is not None else []
        if not places:
            raise ValueError(
                f"entry point {GROUP}:{point.name} names {point.value!r}, which is no package with a folder"
            )
        if point.name in found:
            raise ValueError(f"entry point {GROUP}:{point.name}: there is a suite of that name already")
        found[sys.intern(point.name)] = Path(places[0])
    return found


@cache
def task_files() -> Mapping[str, Path]:
    """The file of each task by its id, suite by suite.

    Raises:
        ValueError: two files have the same name.
    """
    found: dict[str, Path] = {}
    for folder in suite_folders().values():
        for path in sorted(folder.glob("*.yaml")):
            if path.name == SUITE_FILE:
                continue
            if path.stem in found:
                raise ValueError(f"two tasks have the id {path.stem!r}: {found[path.stem]} and {path}")
            found[path.stem] = path
    return found
