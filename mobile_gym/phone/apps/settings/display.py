"""Display and touch: brightness, themes, sizes, screen time-out, rotation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import (
    main_switch,
    note,
    sections,
    setting_choice,
    setting_switch,
    setting_time,
    two_target_row,
)
from mobile_gym.phone.apps.settings.schedules import NIGHT_END, NIGHT_START
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Avatar,
    Button,
    Group,
    IconButton,
    ListRow,
    Slider,
    SliderRow,
    Text,
)

TIMEOUTS = (
    ("15000", "seconds_15"),
    ("30000", "seconds_30"),
    ("60000", "minutes_1"),
    ("120000", "minutes_2"),
    ("300000", "minutes_5"),
    ("600000", "minutes_10"),
    ("1800000", "minutes_30"),
)
FONT_SCALES = ("0.85", "1.0", "1.15", "1.3", "1.5", "1.8", "2.0")
DISPLAY_SCALES = (0.85, 1.0, 1.1, 1.2, 1.3)
COOLEST, WARMEST = 4082, 2596
"""Colour temperatures between which Night Light goes, kelvin."""


class Display(Page):
    """The page that leads to all about the screen."""

    name = "display"
    activity = ".Settings$DisplaySettingsActivity"
    title = "display"
    icon, disc = "brightness-6", "Yellow"
    keywords = "display_words"
    entries = {
        "brightness": "brightness_words",
        "adaptive_brightness": "brightness_words",
        "screen_timeout": "screen_timeout_words",
        "auto_rotate": "auto_rotate_words",
    }
    actions = ("android.settings.DISPLAY_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Brightness, looks, sizes, behaviour."""
        level = ctx.settings.get_int("system", "screen_brightness", 128)
        dark = ctx.phone.dark
        night = bool(ctx.settings.get_int("secure", "night_display_activated"))
        light = [
            SliderRow(
                ctx.tr("brightness"),
                "brightness-6",
                level / 255,
                lambda share: ctx.put_setting("system", "screen_brightness", max(round(share * 255), 1)),
                id="brightness",
            ),
            setting_switch(
                ctx,
                "adaptive_brightness",
                "system",
                "screen_brightness_mode",
                summary=ctx.tr("adaptive_brightness_summary"),
            ),
        ]
        looks = [
            two_target_row(
                ctx.tr("dark_theme"),
                ctx.tr("on" if dark else "off"),
                ctx.open("dark_theme"),
                dark,
                lambda turned: ctx.put_setting("secure", "ui_night_mode", "2" if turned else "1"),
                id="dark_theme",
            ),
            ListRow(ctx.tr("font_size"), FontSize().summary(ctx), on_tap=ctx.open("font_size"), id="font_size"),
            ListRow(
                ctx.tr("display_size"), DisplaySize().summary(ctx), on_tap=ctx.open("display_size"), id="display_size"
            ),
            ListRow(ctx.tr("wallpaper"), ctx.tr("wallpaper_summary"), on_tap=ctx.open("wallpaper"), id="wallpaper"),
        ]
        comfort = [
            two_target_row(
                ctx.tr("night_light"),
                ctx.tr("on" if night else "off"),
                ctx.open("night_light"),
                night,
                lambda turned: ctx.put_setting("secure", "night_display_activated", turned),
                id="night_light",
            )
        ]
        more = [
            setting_choice(ctx, "screen_timeout", "system", "screen_off_timeout", TIMEOUTS, "60000"),
            setting_switch(
                ctx, "auto_rotate", "system", "accelerometer_rotation", summary=ctx.tr("auto_rotate_summary")
            ),
        ]
        return sections(
            ctx, ("brightness_section", light), ("appearance", looks), ("colors", comfort), ("other_controls", more)
        )


class DarkTheme(Page):
    """The dark theme and its schedule."""

    name = "dark_theme"
    activity = ".Settings$DarkThemeSettingsActivity"
    title = "dark_theme"
    parent = "display"
    keywords = "dark_theme_words"
    actions = ("android.settings.DARK_THEME_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch and when it goes by itself."""
        scheduled = ctx.settings.get("secure", "dark_theme_schedule_enabled") == "1"
        schedule = [
            setting_switch(
                ctx, "by_schedule", "secure", "dark_theme_schedule_enabled", summary=ctx.tr("dark_schedule_summary")
            )
        ]
        if scheduled:
            schedule += [
                setting_time(ctx, "start_time", "secure", "dark_theme_custom_start_time", NIGHT_START),
                setting_time(ctx, "end_time", "secure", "dark_theme_custom_end_time", NIGHT_END),
            ]
        return [
            *main_switch(
                ctx.tr("use_dark_theme"),
                ctx.phone.dark,
                lambda turned: ctx.put_setting("secure", "ui_night_mode", "2" if turned else "1"),
            ),
            *sections(ctx, ("schedule", schedule)),
            note(ctx.tr("dark_note")),
        ]


class NightLight(Page):
    """Warmer colours in the evening."""

    name = "night_light"
    activity = ".Settings$NightDisplaySettingsActivity"
    title = "night_light"
    parent = "display"
    keywords = "night_light_words"
    entries = {"night_strength": ""}
    actions = ("android.settings.NIGHT_DISPLAY_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch, how warm, and when it goes by itself."""
        on = bool(ctx.settings.get_int("secure", "night_display_activated"))
        kelvin = ctx.settings.get_int("secure", "night_display_color_temperature", 3488)
        strength = SliderRow(
            ctx.tr("night_strength"),
            "thermometer",
            (COOLEST - kelvin) / (COOLEST - WARMEST),
            lambda share: ctx.put_setting(
                "secure", "night_display_color_temperature", round(COOLEST - share * (COOLEST - WARMEST))
            ),
            id="night_strength",
            enabled=on,
        )
        schedule = [
            setting_switch(
                ctx, "by_schedule", "secure", "night_display_auto_mode", summary=ctx.tr("night_schedule_summary")
            )
        ]
        if ctx.settings.get("secure", "night_display_auto_mode") == "1":
            schedule += [
                setting_time(ctx, "start_time", "secure", "night_display_custom_start_time", NIGHT_START),
                setting_time(ctx, "end_time", "secure", "night_display_custom_end_time", NIGHT_END),
            ]
        return [
            *main_switch(
                ctx.tr("use_night_light"),
                on,
                lambda turned: ctx.put_setting("secure", "night_display_activated", turned),
            ),
            *sections(ctx, ("", [strength]), ("schedule", schedule)),
            note(ctx.tr("night_note")),
        ]


def step_slider(
    ctx: Context, title: str, step: int, steps: int, on_step: Callable[[int], None], smaller: str, larger: str
) -> Node:
    """A slider of few steps with a button at each end."""

    def moved(share: float) -> None:
        on_step(round(share * (steps - 1)))

    slider = Slider(step / (steps - 1), moved, id="seekbar", desc=ctx.tr(title), steps=steps - 1)
    parts = (
        IconButton(
            "minus",
            lambda: on_step(max(step - 1, 0)),
            ctx.tr(smaller),
            id="icon_start",
            enabled=step > 0,
            color="onSurface",
        ),
        slider.replace(weight=1.0),
        IconButton(
            "plus",
            lambda: on_step(min(step + 1, steps - 1)),
            ctx.tr(larger),
            id="icon_end",
            enabled=step < steps - 1,
            color="onSurface",
        ),
    )
    return Node("row", parts, gap=4.0, width=FILL, min_height=72.0, pad=(8.0, 0.0, 8.0, 0.0), id=title)


def preview(ctx: Context) -> Node:
    """A message as the chosen size shows it."""
    people = (
        ("preview_name_1", "preview_text_1", "#2E7D6B"),
        ("preview_name_2", "preview_text_2", "#8E5A2B"),
    )
    rows: list[Node] = []
    for name, text, color in people:
        rows.append(ListRow(ctx.tr(name), ctx.tr(text), leading=Avatar(ctx.tr(name)[:1], 40.0, color), min_height=72.0))
    return Node(
        "col",
        (Text(ctx.tr("preview"), "labelLarge", "primary", pad=(16.0, 16.0, 16.0, 4.0)), *rows),
        width=FILL,
        id="preview",
    )


class FontSize(Page):
    """The size of all texts."""

    name = "font_size"
    activity = ".Settings$TextReadingSettingsActivity"
    title = "font_size"
    parent = "display"
    keywords = "font_size_words"
    actions = ("android.settings.TEXT_READING_SETTINGS",)

    def step(self, ctx: Context) -> int:
        """Number of the step that is nearest to the scale in use."""
        scale = ctx.phone.font_scale
        return min(range(len(FONT_SCALES)), key=lambda number: abs(float(FONT_SCALES[number]) - scale))

    def summary(self, ctx: Context) -> str:
        """The step's name."""
        return ctx.tr(f"font_step_{self.step(ctx)}")

    def rows(self, ctx: Context) -> Sequence[Node]:
        """Preview and slider; the change is seen at once."""
        step = self.step(ctx)

        def choose(number: int) -> None:
            ctx.put_setting("system", "font_scale", FONT_SCALES[number])

        slider = step_slider(ctx, "font_size", step, len(FONT_SCALES), choose, "smaller", "larger")
        label = Text(
            self.summary(ctx), "bodyMedium", "onSurfaceVariant", pad=(24.0, 14.0, 24.0, 0.0), id="font_size_value"
        )
        reset = Button(
            ctx.tr("reset_size"),
            (lambda: choose(1)) if step != 1 else None,
            tone="outlined",
            id="reset_button",
            enabled=step != 1,
        )
        return [
            *Group([preview(ctx)]),
            *Group([Node("col", (label, slider), width=FILL)]),
            Node("box", (reset,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0)),
            note(ctx.tr("font_note")),
        ]


class DisplaySize(Page):
    """The size of everything on the screen."""

    name = "display_size"
    activity = ".Settings$ScreenZoomActivity"
    title = "display_size"
    parent = "display"
    keywords = "display_size_words"

    def densities(self, ctx: Context) -> list[int]:
        """Pixels an inch of each step."""
        return [round(ctx.phone.profile.dpi * scale / 2) * 2 for scale in DISPLAY_SCALES]

    def step(self, ctx: Context) -> int:
        """Number of the step that is nearest to the density in use."""
        densities = self.densities(ctx)
        return min(range(len(densities)), key=lambda number: abs(densities[number] - ctx.phone.density_dpi))

    def summary(self, ctx: Context) -> str:
        """The step's name."""
        return ctx.tr(f"display_step_{self.step(ctx)}")

    def rows(self, ctx: Context) -> Sequence[Node]:
        """Preview and slider."""
        step = self.step(ctx)

        def choose(number: int) -> None:
            if number == 1:
                ctx.phone.delete_setting("secure", "display_density_forced")
            else:
                ctx.put_setting("secure", "display_density_forced", self.densities(ctx)[number])

        slider = step_slider(ctx, "display_size", step, len(DISPLAY_SCALES), choose, "smaller", "larger")
        label = Text(
            self.summary(ctx), "bodyMedium", "onSurfaceVariant", pad=(24.0, 14.0, 24.0, 0.0), id="display_size_value"
        )
        return [
            *Group([preview(ctx)]),
            *Group([Node("col", (label, slider), width=FILL)]),
            note(ctx.tr("display_size_note")),
        ]


SCREENS = (Display, DarkTheme, NightLight, FontSize, DisplaySize)
