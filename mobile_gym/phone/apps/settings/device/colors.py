"""Colours for eyes that see them differently: inversion and correction."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_rows, main_switch, note
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Group, SectionTitle, Text

INVERSION = "accessibility_display_inversion_enabled"
CORRECTION = "accessibility_display_daltonizer_enabled"
MODE = "accessibility_display_daltonizer"
MODES = (("12", "mode_deuteranomaly"), ("11", "mode_protanomaly"), ("13", "mode_tritanomaly"), ("0", "mode_gray"))
SAMPLES = ("#D93A2B", "#F08A24", "#F2C230", "#3E9B4F", "#2D8C9E", "#3B6EA8", "#7E5EA8")


def samples(ctx: Context) -> Node:
    """Stripes of colour, so that the change is seen."""
    first, last = (12.0, 0.0, 0.0, 12.0), (0.0, 12.0, 12.0, 0.0)
    corners = [first, *[(0.0, 0.0, 0.0, 0.0)] * (len(SAMPLES) - 2), last]
    stripes = [
        Node("space", weight=1.0, height=72.0, bg=color, radius=radius, hidden_from_tree=True)
        for color, radius in zip(SAMPLES, corners, strict=True)
    ]
    stripe = Node("row", stripes, width=FILL, id="color_preview")
    caption = Text(ctx.tr("color_preview"), "bodyMedium", "onSurfaceVariant")
    return Node("col", (caption, stripe), gap=8.0, width=FILL, pad=(16.0, 16.0, 16.0, 16.0))


class ColorInversion(Page):
    """Every colour the other way round."""

    name = "color_inversion"
    activity = ".Settings$AccessibilityInversionSettingsActivity"
    title = "color_inversion"
    parent = "accessibility"
    keywords = "color_inversion_words"
    actions = ("android.settings.COLOR_INVERSION_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch and what it does."""
        on = bool(ctx.settings.get_int("secure", INVERSION))
        return [
            *main_switch(ctx.tr("use_inversion"), on, lambda turned: ctx.put_setting("secure", INVERSION, turned)),
            *Group([samples(ctx)]),
            note(ctx.tr("inversion_note")),
        ]


class ColorCorrection(Page):
    """Colours that are mixed up moved apart, or all colour taken away."""

    name = "color_correction"
    activity = ".Settings$AccessibilityDaltonizerSettingsActivity"
    title = "color_correction"
    parent = "accessibility"
    keywords = "color_correction_words"
    entries = {"mode_gray": "mode_gray_words"}
    actions = ("com.android.settings.ACCESSIBILITY_COLOR_SPACE_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch and the kinds."""
        on = bool(ctx.settings.get_int("secure", CORRECTION))
        mode = ctx.settings.get("secure", MODE) or "12"
        return [
            *main_switch(ctx.tr("use_correction"), on, lambda turned: ctx.put_setting("secure", CORRECTION, turned)),
            *Group([samples(ctx)]),
            SectionTitle(ctx.tr("correction_mode")),
            *choice_rows(
                [(value, ctx.tr(text)) for value, text in MODES],
                mode,
                lambda value: ctx.put_setting("secure", MODE, value),
            ),
            note(ctx.tr("correction_note")),
        ]


SCREENS = (ColorInversion, ColorCorrection)
