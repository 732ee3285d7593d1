"""How a contact's picture is drawn, the same in every app."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Avatar

_COLORS = ("#39608F", "#8B5000", "#7B294A", "#2B6A46", "#7E5EA8", "#0B7A73", "#8A3B2A", "#545F70")


def contact_face(name: str, photo: str, size: float, **attributes: Any) -> Node:
    """A contact's disc.

    Args:
        name: the contact's name; its first letter and a colour of its own where there is no picture.
        photo: `letter/<text>/<colour>` or `icon/<glyph>/<colour>`; empty for none.
        size: diameter, dp.
        attributes: attributes of the node.
    """
    kind, _, rest = photo.partition("/")
    what, _, color = rest.partition("/")
    if kind == "icon":
        return Avatar("", size, color, icon=what, **attributes)
    if kind == "letter":
        return Avatar(what, size, color, **attributes)
    if not name[:1].isalpha():
        return Avatar("", size, "#545F70", icon="account", **attributes)
    return Avatar(name[:1].upper(), size, _COLORS[sum(map(ord, name)) % len(_COLORS)], **attributes)
