"""Colour roles and the type scale (Material 3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

# size sp, line height sp, weight
TYPE_SCALE: dict[str, tuple[float, float, int]] = {
    "displayLarge": (57, 64, 400),
    "displayMedium": (45, 52, 400),
    "displaySmall": (36, 44, 400),
    "headlineLarge": (32, 40, 400),
    "headlineMedium": (28, 36, 400),
    "headlineSmall": (24, 32, 400),
    "titleLarge": (22, 28, 400),
    "titleMedium": (16, 24, 500),
    "titleSmall": (14, 20, 500),
    "bodyLarge": (16, 24, 400),
    "bodyMedium": (14, 20, 400),
    "bodySmall": (12, 16, 400),
    "labelLarge": (14, 20, 500),
    "labelMedium": (12, 16, 500),
    "labelSmall": (11, 16, 500),
}

_ROLES = {
    # role: (light, dark)
    "primary": ("#39608F", "#A3C9FE"),
    "onPrimary": ("#FFFFFF", "#00315B"),
    "primaryContainer": ("#D3E4FF", "#1E4875"),
    "onPrimaryContainer": ("#1E4875", "#D3E4FF"),
    "secondary": ("#545F70", "#BBC7DB"),
    "onSecondary": ("#FFFFFF", "#263141"),
    "secondaryContainer": ("#D7E3F8", "#3C4758"),
    "onSecondaryContainer": ("#3C4758", "#D7E3F8"),
    "tertiary": ("#6C5677", "#D8BDE3"),
    "onTertiary": ("#FFFFFF", "#3C2946"),
    "tertiaryContainer": ("#F5D9FF", "#533F5E"),
    "onTertiaryContainer": ("#533F5E", "#F5D9FF"),
    "error": ("#BA1A1A", "#FFB4AB"),
    "onError": ("#FFFFFF", "#690005"),
    "errorContainer": ("#FFDAD6", "#93000A"),
    "onErrorContainer": ("#93000A", "#FFDAD6"),
    "surface": ("#F8F9FF", "#111418"),
    "surfaceBright": ("#F8F9FF", "#37393E"),
    "surfaceContainerLowest": ("#FFFFFF", "#0C0E13"),
    "surfaceContainerLow": ("#F2F3FA", "#191C20"),
    "surfaceContainer": ("#ECEDF4", "#1D2024"),
    "surfaceContainerHigh": ("#E7E8EE", "#272A2F"),
    "surfaceContainerHighest": ("#E1E2E8", "#32353A"),
    "onSurface": ("#191C20", "#E1E2E8"),
    "onSurfaceVariant": ("#43474E", "#C3C6CF"),
    "outline": ("#73777F", "#8D9199"),
    "outlineVariant": ("#C3C6CF", "#43474E"),
    "inverseSurface": ("#2E3035", "#E1E2E8"),
    "inverseOnSurface": ("#EFF0F7", "#2E3035"),
    "inversePrimary": ("#A3C9FE", "#39608F"),
    "scrim": ("#000000", "#000000"),
    # The settings app: page, cards, and the discs behind its icons.
    "page": ("#ECEDF4", "#191C20"),
    "card": ("#F8F9FF", "#272A2F"),
    "cardOff": ("#F2F3FA", "#202328"),
    "discBlue": ("#D3E4FF", "#1E4875"),
    "onDiscBlue": ("#1E4875", "#D3E4FF"),
    "discPurple": ("#E9DDFF", "#4F378A"),
    "onDiscPurple": ("#4F378A", "#E9DDFF"),
    "discGreen": ("#C4EED0", "#0F5223"),
    "onDiscGreen": ("#0F5223", "#C4EED0"),
    "discOrange": ("#FFDCC2", "#6D3A00"),
    "onDiscOrange": ("#6D3A00", "#FFDCC2"),
    "discTeal": ("#BDEBEE", "#0B4F53"),
    "onDiscTeal": ("#0B4F53", "#BDEBEE"),
    "discYellow": ("#FFE08C", "#574500"),
    "onDiscYellow": ("#574500", "#FFE08C"),
    "toast": ("#FBFBFF", "#32353A"),
    "key": ("#FFFFFF", "#32353A"),
    "keyFunction": ("#D7E3F8", "#3C4758"),
}


class Theme:
    """Colours by role. A role that is not one is taken for a `#RRGGBB` colour.

    Args:
        roles: colour by role.
        dark: whether this is the dark theme.
    """

    __slots__ = ("dark", "roles")

    def __init__(self, roles: Mapping[str, str], dark: bool) -> None:
        self.roles = dict(roles)
        self.dark = dark

    def color(self, role: str) -> str:
        """The colour of a role; a `#RRGGBB` comes back as it is.

        Raises:
            KeyError: the name is neither.
        """
        if role[0] == "#":
            return role
        return self.roles[role]


_HIGH_CONTRAST = ("onSurface", "onSurfaceVariant", "outline", "hint")
"""Roles of texts and lines that high contrast text draws in black or white."""


Palette = tuple[tuple[str, str, str], ...]
"""Roles that an app has in colours of its own, or adds: role, its light and its dark colour."""


@lru_cache(maxsize=64)
def theme_for(dark: bool, high_contrast: bool = False, palette: Palette = ()) -> Theme:
    """The light or the dark theme; with high contrast, texts on surfaces are black or white.

    Args:
        dark: whether the dark theme is meant.
        high_contrast: whether texts on surfaces are black or white.
        palette: roles that differ from the system's.
    """
    roles = {role: pair[dark] for role, pair in _ROLES.items()}
    roles.update({role: pair[dark] for role, *pair in palette})
    if high_contrast:
        roles.update(dict.fromkeys(_HIGH_CONTRAST, "#FFFFFF" if dark else "#000000"))
    roles.setdefault("hint", roles["onSurfaceVariant"])
    return Theme(roles, dark)


@lru_cache(maxsize=4096)
def mix(color: str, under: str, strength: float) -> str:
    """`color` laid over `under` with a strength of 0 to 1."""
    parts = []
    for place in (1, 3, 5):
        top, bottom = int(color[place : place + 2], 16), int(under[place : place + 2], 16)
        parts.append(int(top * strength + bottom * (1 - strength) + 0.5))
    return "#{:02X}{:02X}{:02X}".format(*parts)


@lru_cache(maxsize=1024)
def is_light(color: str) -> bool:
    """Whether dark glyphs read better on this colour."""
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140
