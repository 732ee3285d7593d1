"""Developer options, once they are enabled."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import main_switch, note, setting_choice, setting_switch
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Dialog, Group, SectionTitle, SwitchRow

ENABLED = "development_settings_enabled"
SCALES = (
    ("0", "animation_off"),
    ("0.5", "animation_half"),
    ("1", "animation_1"),
    ("1.5", "animation_15"),
    ("2", "animation_2"),
    ("5", "animation_5"),
    ("10", "animation_10"),
)


def developer_enabled(ctx: Context) -> bool:
    """Whether developer options show."""
    return bool(ctx.settings.get_int("global", ENABLED))


class Developer(Page):
    """A few of the options."""

    name = "developer"
    activity = ".Settings$DevelopmentSettingsDashboardActivity"
    title = "developer"
    parent = "system"
    searchable = False
    actions = ("android.settings.APPLICATION_DEVELOPMENT_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The switch of all; while it is on, the options."""
        on = developer_enabled(ctx)
        items = main_switch(ctx.tr("use_developer"), on, lambda turned: ctx.put_setting("global", ENABLED, turned))
        if not on:
            return [*items, note(ctx.tr("developer_off_note"))]
        debugging = ctx.settings.get_int("global", "adb_enabled") == 1

        def debug(turned: bool) -> None:
            if turned:
                ctx.open_overlay("debugging")
            else:
                ctx.put_setting("global", "adb_enabled", False)

        general = [
            setting_switch(
                ctx, "stay_awake", "global", "stay_on_while_plugged_in", summary=ctx.tr("stay_awake_summary"), on="7"
            ),
            SwitchRow(ctx.tr("usb_debugging"), debugging, debug, ctx.tr("usb_debugging_summary"), id="enable_adb"),
        ]
        touch = [
            setting_switch(ctx, "show_taps", "system", "show_touches", summary=ctx.tr("show_taps_summary")),
            setting_switch(
                ctx, "pointer_location", "system", "pointer_location", summary=ctx.tr("pointer_location_summary")
            ),
        ]
        drawing = [
            setting_choice(ctx, title, "global", key, SCALES, "1")
            for title, key in (
                ("window_animation", "window_animation_scale"),
                ("transition_animation", "transition_animation_scale"),
                ("animator_duration", "animator_duration_scale"),
            )
        ]
        return [
            *items,
            *Group(general),
            SectionTitle(ctx.tr("input_section")),
            *Group(touch),
            SectionTitle(ctx.tr("drawing_section")),
            *Group(drawing),
        ]

    def overlay_debugging(self, ctx: Context) -> Node:
        """Asks before debugging is allowed."""
        return Dialog(
            ctx,
            ctx.tr("usb_debugging_ask"),
            ctx.tr("usb_debugging_text"),
            actions=[
                (ctx.tr("cancel"), ctx.dismiss),
                (ctx.tr("ok"), ctx.then_dismiss(ctx.put_setting, "global", "adb_enabled", True)),
            ],
        )


SCREENS = (Developer,)
