"""What kind of app each package is, by `apps.yaml`, and where a captured screen is."""

from __future__ import annotations

from typing import Any

from mobile_gym.task_registry.grounding.own.capture import Capture
from mobile_gym.task_registry.grounding.own.instructions import Place
from mobile_gym.task_registry.grounding.own.looks import load_data

FILE = "apps.yaml"


def kind_of(package: str) -> dict[str, Any]:
    """Category, platforms and role of entries of an app."""
    data = load_data(FILE)
    return {**data["default"], **data["apps"].get(package, {})}


def place_of(screen: Capture) -> Place:
    """Where a screen's elements are."""
    return Place(
        title=screen.title,
        language=screen.language,
        package=screen.package,
        screen="/".join((screen.screen, *screen.overlays)),
        launcher=kind_of(screen.package).get("role") == "app",
    )
