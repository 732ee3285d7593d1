"""Do Not Disturb: the switch, who and what may interrupt, and its schedule."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import main_switch, note, setting_choice, setting_switch, setting_time
from mobile_gym.phone.apps.settings.schedules import NIGHT_END, NIGHT_START
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Group, SectionTitle

WHO = (("anyone", "who_anyone"), ("contacts", "who_contacts"), ("starred", "who_starred"), ("none", "who_none"))


class Dnd(Page):
    """The page of Do Not Disturb."""

    name = "dnd"
    activity = ".Settings$ZenModeSettingsActivity"
    title = "dnd"
    parent = "sound"
    keywords = "dnd_words"
    entries = {"dnd_calls": "", "dnd_messages": "", "dnd_schedule": "schedule_words"}
    actions = ("android.settings.ZEN_MODE_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Switch, exceptions, schedule."""
        on = bool(ctx.settings.get_int("global", "zen_mode"))
        scheduled = ctx.settings.get("secure", "zen_schedule_enabled") == "1"
        people = [
            setting_choice(ctx, "dnd_calls", "global", "zen_calls", WHO, "starred"),
            setting_choice(ctx, "dnd_messages", "global", "zen_messages", WHO, "none"),
            setting_switch(
                ctx, "dnd_repeat", "global", "zen_repeat_callers", summary=ctx.tr("dnd_repeat_summary"), default="1"
            ),
        ]
        sounds = [
            setting_switch(ctx, "dnd_alarms", "global", "zen_alarms", default="1"),
            setting_switch(ctx, "dnd_media", "global", "zen_media", default="1"),
        ]
        schedule = [
            setting_switch(
                ctx, "dnd_schedule", "secure", "zen_schedule_enabled", summary=ctx.tr("dnd_schedule_summary")
            )
        ]
        if scheduled:
            schedule += [
                setting_time(ctx, "start_time", "secure", "zen_schedule_start", NIGHT_START),
                setting_time(ctx, "end_time", "secure", "zen_schedule_end", NIGHT_END),
            ]
        return [
            *main_switch(ctx.tr("use_dnd"), on, lambda turned: ctx.put_setting("global", "zen_mode", turned)),
            SectionTitle(ctx.tr("dnd_people")),
            *Group(people),
            SectionTitle(ctx.tr("dnd_sounds")),
            *Group(sounds),
            SectionTitle(ctx.tr("schedule")),
            *Group(schedule),
            note(ctx.tr("dnd_note")),
        ]


SCREENS = (Dnd,)
