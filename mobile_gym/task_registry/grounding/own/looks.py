"""The looks of `looks.yaml`: sizes, colours, type scales and icons of each rendering."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from mobile_gym.phone.ui.fonts import icon_names
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.theme import Palette, Theme, theme_for
from mobile_gym.task_registry.grounding.items import GroundingSetError


@lru_cache(maxsize=64)
def load_data(name: str) -> Any:
    """A YAML file of the folder `data`."""
    text = files(__package__).joinpath("data", *name.split("/")).read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@lru_cache(maxsize=8)
def look(name: str) -> dict[str, Any]:
    """A rendering's entry.

    Raises:
        GroundingSetError: it names an icon that there is not.
    """
    found: dict[str, Any] = load_data("looks.yaml")[name]
    unknown = sorted({icon for icon in found.get("icons", {}).values() if icon not in icon_names()})
    if unknown:
        raise GroundingSetError(f"looks.yaml, {name}, icons: there is no icon {', '.join(unknown)}")
    return found


def theme_of(name: str, palette: Palette) -> Theme:
    """The light theme of a rendering; colours that an app alone has stay the app's."""
    base = theme_for(False, False, palette)
    return Theme({**base.roles, **look(name).get("roles", {}), **_own(palette)}, False)


def _own(palette: Palette) -> dict[str, str]:
    known = theme_for(False).roles
    return {role: light for role, light, _ in palette if role not in known or role in ("primary", "onPrimary")}


def restyled(node: Node, name: str) -> Node:
    """A text in the rendering's type scale, an icon by the rendering's name for it; other nodes as they are."""
    entry = look(name)
    if node.kind in ("text", "field") and not node.size_sp and "scale" in entry:
        size, line, weight = entry["scale"][node.style]
        return node.replace(size_sp=float(size), line_sp=float(line), text_weight=node.text_weight or int(weight))
    if node.kind == "icon" and node.icon in entry["icons"]:
        return node.replace(icon=entry["icons"][node.icon])
    return node
