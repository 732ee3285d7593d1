"""Texts of a recoloured tree stay legible: what has too little contrast to the surface under it gets another ink."""

from __future__ import annotations

from functools import lru_cache

from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.theme import Theme

LEAST_CONTRAST = 4.5
"""Of texts of normal size (WCAG 2, level AA)."""
_LEAST_SIGN = 3.0
"""Of icons."""
_INKS = ("#212121", "#FFFFFF", "#000000")
_PAIRS = (("primary", "onPrimary"), ("primaryContainer", "onPrimaryContainer"))
"""Surfaces that are deepened until what is written on them can be read, and their inks."""
_DEEPER = 0.96


@lru_cache(maxsize=4096)
def luminance(color: str) -> float:
    """The relative luminance of a `#RRGGBB` colour, 0 to 1."""
    shares = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def deepened(theme: Theme) -> Theme:
    """The theme with filled surfaces as deep as their inks need it."""
    roles = dict(theme.roles)
    for surface, ink in _PAIRS:
        if luminance(roles[ink]) <= luminance(roles[surface]):
            continue
        while contrast(roles[surface], roles[ink]) < LEAST_CONTRAST:
            roles[surface] = _scaled(roles[surface], _DEEPER)
    return Theme(roles, theme.dark)


def _scaled(color: str, share: float) -> str:
    return "#" + "".join(f"{int(int(color[place : place + 2], 16) * share):02X}" for place in (1, 3, 5))


def legible(root: Node, theme: Theme, before: Theme) -> Node:
    """A copy of a tree whose texts, and icons of another colour, can be told from the plain colours under them.

    Args:
        root: the tree.
        theme: in which it is painted.
        before: the theme that it was made for.
    """
    return _legible(root, theme, before, root.bg or "surface")


def _legible(node: Node, theme: Theme, before: Theme, ground: str | None) -> Node:
    if node.bg is not None:
        ground = node.bg
    new = node
    if ground is not None and node.kind in ("text", "field", "icon"):
        under = theme.color(ground)
        sign = node.kind == "icon"
        found = contrast(theme.color(node.color), under)
        told = not sign and found >= LEAST_CONTRAST
        # Signs keep the contrast that their app gave them: stars of a rating may be yellow on white.
        same = sign and not any(_recoloured(role, theme, before) for role in (ground, node.color))
        if not told and not same and not (sign and found >= _LEAST_SIGN):
            new = node.replace(color=_ink(under, _LEAST_SIGN if sign else LEAST_CONTRAST))
    children = []
    for child in node.children:
        children.append(_legible(child, theme, before, ground))
        # What lies over a picture or another surface in a box has no known plain colour under it.
        if node.kind == "box" and (child.kind == "picture" or child.bg is not None):
            ground = None
    return new.replace(children=children)


def _recoloured(role: str, theme: Theme, before: Theme) -> bool:
    return theme.color(role) != before.roles.get(role, role)


def _ink(under: str, least: float) -> str:
    """White or dark grey, whichever is told better; black where neither is enough."""
    best = max(_INKS[:2], key=lambda ink: contrast(ink, under))
    return best if contrast(best, under) >= least else max(_INKS, key=lambda ink: contrast(ink, under))
