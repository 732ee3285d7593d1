"""Accessibility: the page that leads to all, text and display, magnification, the screen reader, timing."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.display import FontSize, step_slider
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_rows, main_switch, note, setting_choice, setting_switch
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Button, Dialog, Group, ListRow, SectionTitle, SwitchRow, Text

TALKBACK = "com.google.android.marvin.talkback/com.google.android.marvin.talkback.TalkBackService"
MAGNIFICATION = "accessibility_display_magnification_enabled"
SCALES = (("1.5", "zoom_150"), ("2.0", "zoom_200"), ("3.0", "zoom_300"), ("4.0", "zoom_400"))
ANIMATIONS = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
HOLD_DELAYS = (("400", "hold_short"), ("1000", "hold_medium"), ("1500", "hold_long"))
ACTION_TIMES = (("0", "time_default"), ("10000", "time_10"), ("30000", "time_30"), ("60000", "time_60"))
RATES = (60, 80, 100, 150, 200, 250, 300)
"""Speeds of speech, percent of the usual one."""


def services(ctx: Context) -> list[str]:
    """Accessibility services that are on."""
    return [name for name in (ctx.settings.get("secure", "enabled_accessibility_services") or "").split(":") if name]


def talkback_on(ctx: Context) -> bool:
    """Whether the screen reader is on."""
    return TALKBACK in services(ctx)


def set_talkback(ctx: Context, on: bool) -> None:
    """Turns the screen reader on or off."""
    others = [name for name in services(ctx) if name != TALKBACK]
    found = [*others, TALKBACK] if on else others
    ctx.put_setting("secure", "enabled_accessibility_services", ":".join(found))
    ctx.put_setting("secure", "accessibility_enabled", bool(found))
    ctx.put_setting("secure", "touch_exploration_enabled", on)


def page_row(ctx: Context, title: str, page: str, summary: str = "", icon: str = "") -> Node:
    """A row that opens a page; `title` is a string key."""
    return ListRow(ctx.tr(title), summary, icon=icon, on_tap=ctx.open(page), id=page)


def state_text(ctx: Context, namespace: str, key: str) -> str:
    """On or off."""
    return ctx.tr("on" if ctx.settings.get_int(namespace, key) else "off")


class Accessibility(Page):
    """The page that leads to all."""

    name = "accessibility"
    activity = ".Settings$AccessibilitySettingsActivity"
    title = "accessibility"
    icon, disc = "human", "Teal"
    keywords = "accessibility_words"
    entries = {"hold_delay": "hold_delay_words", "action_time": "", "auto_rotate": ""}
    actions = ("android.settings.ACCESSIBILITY_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Reader, display, touch, hearing."""
        reader = [
            page_row(ctx, "talkback", "talkback", ctx.tr("on" if talkback_on(ctx) else "off"), "account-voice"),
            page_row(ctx, "text_to_speech", "text_to_speech", ctx.tr("text_to_speech_summary"), "volume-source"),
        ]
        display = [
            page_row(ctx, "text_display", "text_display", ctx.tr("text_display_summary"), "format-size"),
            page_row(
                ctx,
                "color_correction",
                "color_correction",
                state_text(ctx, "secure", "accessibility_display_daltonizer_enabled"),
                "palette-outline",
            ),
            page_row(
                ctx,
                "color_inversion",
                "color_inversion",
                state_text(ctx, "secure", "accessibility_display_inversion_enabled"),
                "invert-colors",
            ),
            page_row(
                ctx, "magnification", "magnification", state_text(ctx, "secure", MAGNIFICATION), "magnify-plus-outline"
            ),
        ]
        touch = [
            setting_choice(ctx, "hold_delay", "secure", "long_press_timeout", HOLD_DELAYS, "400"),
            setting_choice(ctx, "action_time", "secure", "accessibility_interactive_ui_timeout_ms", ACTION_TIMES, "0"),
            setting_switch(ctx, "auto_rotate", "system", "accelerometer_rotation"),
        ]
        hearing = [
            page_row(
                ctx,
                "captions",
                "captions",
                state_text(ctx, "secure", "accessibility_captioning_enabled"),
                "closed-caption-outline",
            ),
            page_row(ctx, "hearing_devices", "hearing_devices", ctx.tr("hearing_devices_summary"), "ear-hearing"),
            page_row(ctx, "audio_adjustment", "audio_adjustment", ctx.tr("audio_adjustment_summary"), "tune"),
        ]
        return [
            SectionTitle(ctx.tr("screen_reader_section")),
            *Group(reader),
            SectionTitle(ctx.tr("display")),
            *Group(display),
            SectionTitle(ctx.tr("touch_section")),
            *Group(touch),
            SectionTitle(ctx.tr("audio_section")),
            *Group(hearing),
        ]


class TextDisplay(Page):
    """Sizes, bold and high contrast text, and what else makes the screen easier to read."""

    name = "text_display"
    activity = ".Settings$AccessibilityTextReadingActivity"
    title = "text_display"
    parent = "accessibility"
    keywords = "text_display_words"
    entries = {
        "bold_text": "bold_text_words",
        "high_contrast": "high_contrast_words",
        "remove_animations": "remove_animations_words",
    }

    def rows(self, ctx: Context) -> list[Node]:
        """Ways to the sizes, then switches that act at once."""
        sizes = [
            page_row(ctx, "font_size", "font_size", FontSize().summary(ctx)),
            page_row(ctx, "display_size", "display_size"),
        ]
        still = all(ctx.settings.get_float("global", key, 1.0) == 0.0 for key in ANIMATIONS)

        def animate(turned: bool) -> None:
            for key in ANIMATIONS:
                ctx.put_setting("global", key, "0" if turned else "1")

        switches = [
            setting_switch(
                ctx, "bold_text", "secure", "font_weight_adjustment", summary=ctx.tr("bold_text_summary"), on="300"
            ),
            setting_switch(
                ctx, "high_contrast", "secure", "high_text_contrast_enabled", summary=ctx.tr("high_contrast_summary")
            ),
            setting_switch(ctx, "dark_theme", "secure", "ui_night_mode", on="2", off="1", default="1"),
            SwitchRow(
                ctx.tr("remove_animations"),
                still,
                animate,
                ctx.tr("remove_animations_summary"),
                id="remove_animations",
            ),
        ]
        return [*Group(sizes), *Group(switches)]


class Magnification(Page):
    """The switch, how large, and a look at it."""

    name = "magnification"
    activity = ".Settings$AccessibilityMagnificationActivity"
    title = "magnification"
    parent = "accessibility"
    keywords = "magnification_words"

    def rows(self, ctx: Context) -> list[Node]:
        """Switch, scale, the button that magnifies."""
        on = bool(ctx.settings.get_int("secure", MAGNIFICATION))
        scale = setting_choice(
            ctx, "magnification_scale", "secure", "accessibility_display_magnification_scale", SCALES, "2.0"
        )
        button = Button(
            ctx.tr("magnify_now"),
            ctx.open("magnified") if on else None,
            icon="magnify-plus-outline",
            id="magnify_now",
            enabled=on,
            width=FILL,
        )
        return [
            *main_switch(
                ctx.tr("use_magnification"), on, lambda turned: ctx.put_setting("secure", MAGNIFICATION, turned)
            ),
            *Group([scale]),
            Node("box", (button,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0), hidden_from_tree=True),
            note(ctx.tr("magnification_note" if on else "magnification_off_note")),
        ]


class Magnified(Screen):
    """A text under the magnifier: a tap or a drag moves it, Back ends it."""

    name = "magnified"
    activity = ".accessibility.MagnificationPreviewActivity"

    def on_open(self, ctx: Context) -> None:
        """The magnifier comes up over the beginning of the text; it belongs to this screen."""
        if ctx.settings.get_int("secure", MAGNIFICATION):
            width, height, _ = ctx.phone.screen
            scale = ctx.settings.get_float("secure", "accessibility_display_magnification_scale", 2.0)
            ctx.phone.state.interface["magnifier"] = {
                "scale": scale,
                "x": round(width / scale / 2),
                "y": height // 3,
                "uid": ctx.record["uid"],
            }

    def on_back(self, ctx: Context) -> bool:
        """The magnifier goes."""
        ctx.phone.state.interface["magnifier"] = None
        return False

    def build(self, ctx: Context) -> Node:
        """The text; the whole page takes taps and drags."""

        def drag(x1: float, y1: float, x2: float, y2: float) -> None:
            glass = ctx.phone.state.interface["magnifier"]
            if glass is None:
                return
            width, height, _ = ctx.phone.screen
            tapped = (x1, y1) == (x2, y2)
            # A tap brings its place to the middle; a drag pulls the page along with the finger.
            by = (x2 - 0.5, y2 - 0.5) if tapped else (x1 - x2, y1 - y2)
            half = (width / glass["scale"] / 2, height / glass["scale"] / 2)
            x = glass["x"] + by[0] * width / glass["scale"]
            y = glass["y"] + by[1] * height / glass["scale"]
            glass["x"] = round(min(max(x, half[0]), width - half[0]))
            glass["y"] = round(min(max(y, half[1]), height - half[1]))

        texts = (
            Text(ctx.tr("magnified_title"), "headlineMedium", id="title"),
            Text(ctx.tr("magnified_text"), "bodyLarge", id="message"),
            Text(ctx.tr("magnified_help"), "bodyMedium", "onSurfaceVariant", id="help"),
        )
        return Node(
            "col",
            (Node("space", inset="status", hidden_from_tree=True), *texts),
            gap=16.0,
            width=FILL,
            height=FILL,
            pad=(24.0, 48.0, 24.0, 24.0),
            bg="surface",
            blocks=True,
            on_drag=drag,
            id="magnified_page",
            desc=ctx.tr("magnified_help"),
        )


class TalkBack(Page):
    """The screen reader's switch."""

    name = "talkback"
    activity = ".Settings$AccessibilityDetailsSettingsActivity"
    title = "talkback"
    parent = "accessibility"
    keywords = "talkback_words"
    actions = ("android.settings.ACCESSIBILITY_DETAILS_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch and what it means."""

        def turn(turned: bool) -> None:
            if turned:
                ctx.open_overlay("turn_on")
            else:
                ctx.open_overlay("turn_off")

        return [*main_switch(ctx.tr("use_talkback"), talkback_on(ctx), turn), note(ctx.tr("talkback_note"))]

    def overlay_turn_on(self, ctx: Context) -> Node:
        """Asks before the reader gets to see everything."""
        return Dialog(
            ctx,
            ctx.tr("talkback_on_title"),
            ctx.tr("talkback_on_text"),
            icon="account-voice",
            actions=[
                (ctx.tr("deny"), ctx.dismiss),
                (ctx.tr("allow"), ctx.then_dismiss(set_talkback, ctx, True)),
            ],
        )

    def overlay_turn_off(self, ctx: Context) -> Node:
        """Asks before the reader stops."""
        return Dialog(
            ctx,
            ctx.tr("talkback_off_title"),
            ctx.tr("talkback_off_text"),
            actions=[
                (ctx.tr("cancel"), ctx.dismiss),
                (ctx.tr("talkback_stop"), ctx.then_dismiss(set_talkback, ctx, False)),
            ],
        )


class TextToSpeech(Page):
    """How fast and how high the phone speaks."""

    name = "text_to_speech"
    activity = ".Settings$TextToSpeechSettingsActivity"
    title = "text_to_speech"
    parent = "accessibility"
    keywords = "text_to_speech_words"
    entries = {"speech_rate": "speech_rate_words", "speech_pitch": ""}
    actions = ("com.android.settings.TTS_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Speed and pitch by steps."""
        items: list[Node] = []
        for title, key in (("speech_rate", "tts_default_rate"), ("speech_pitch", "tts_default_pitch")):
            rate = ctx.settings.get_int("secure", key, 100)
            step = min(range(len(RATES)), key=lambda number: abs(RATES[number] - rate))

            def choose(number: int, key: str = key) -> None:
                ctx.put_setting("secure", key, RATES[number])

            label = Text(
                ctx.tr("speech_percent", percent=rate),
                "bodyMedium",
                "onSurfaceVariant",
                pad=(24.0, 14.0, 24.0, 0.0),
                id=f"{title}_value",
            )
            slider = step_slider(ctx, title, step, len(RATES), choose, "less", "more")
            items += [SectionTitle(ctx.tr(title)), *Group([Node("col", (label, slider), width=FILL)])]

        def reset() -> None:
            ctx.put_setting("secure", "tts_default_rate", 100)
            ctx.put_setting("secure", "tts_default_pitch", 100)

        button = Button(ctx.tr("reset_speech"), reset, tone="outlined", id="reset_button")
        return [*items, Node("box", (button,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0), hidden_from_tree=True)]


class Captions(Page):
    """Captions, how large and how they look."""

    name = "captions"
    activity = ".Settings$CaptioningSettingsActivity"
    title = "captions"
    parent = "accessibility"
    keywords = "captions_words"
    actions = ("android.settings.CAPTIONING_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch and the size."""
        key = "accessibility_captioning_enabled"
        on = bool(ctx.settings.get_int("secure", key))
        size = ctx.settings.get("secure", "accessibility_captioning_font_scale") or "1.0"
        sizes = [("0.5", "caption_small"), ("1.0", "caption_medium"), ("1.5", "caption_large"), ("2.0", "caption_huge")]
        return [
            *main_switch(ctx.tr("use_captions"), on, lambda turned: ctx.put_setting("secure", key, turned)),
            SectionTitle(ctx.tr("caption_size")),
            *choice_rows(
                [(value, ctx.tr(text)) for value, text in sizes],
                size,
                lambda value: ctx.put_setting("secure", "accessibility_captioning_font_scale", value),
            ),
            note(ctx.tr("captions_note")),
        ]


SCREENS = (Accessibility, TextDisplay, Magnification, Magnified, TalkBack, TextToSpeech, Captions)
