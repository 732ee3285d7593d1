"""Sound and vibration: volumes, ringer, ringtones and other sounds."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_row, sections, setting_choice, setting_switch, two_target_row
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.hardware import STREAMS
from mobile_gym.phone.system.tones import SILENT, tone_label, tone_names
from mobile_gym.phone.ui.node import Handler, Node
from mobile_gym.phone.ui.widgets import Group, Icon, ListRow, SliderRow, TextButton

RINGER_MODES = (("2", "ringer_ring"), ("1", "ringer_vibrate"), ("0", "ringer_silent"))
TONE_SETTINGS = {"ringtone": "ringtone", "notification": "notification_sound", "alarm": "alarm_alert"}
"""The setting in `system` that holds the sound of a kind."""


def volume_row(ctx: Context, title: str, icon: str, *streams: str) -> Node:
    """A slider for one stream, or for several that go together."""
    most = STREAMS[streams[0]]
    level = ctx.settings.get_int("system", f"volume_{streams[0]}")

    def move(share: float) -> None:
        for stream in streams:
            ctx.put_setting("system", f"volume_{stream}", round(share * STREAMS[stream]))

    return SliderRow(ctx.tr(title), icon, level / most, move, id=title, steps=most)


def ring_icon(ctx: Context) -> str:
    """The bell, or what stands for a phone that doesn't ring."""
    mode = ctx.settings.get_int("global", "mode_ringer", 2)
    return ("bell-off", "vibrate", "bell-ring")[mode]


def tone_row(ctx: Context, title: str, kind: str) -> Node:
    """A row that names a sound and leads to the list of them."""
    name = ctx.settings.get("system", TONE_SETTINGS[kind]) or SILENT
    return ListRow(ctx.tr(title), tone_label(name, ctx.language), on_tap=ctx.open(f"tone_{kind}"), id=title)


class Sound(Page):
    """Volumes, ringtone, vibration, and what makes a sound."""

    name = "sound"
    activity = ".Settings$SoundSettingsActivity"
    title = "sound"
    icon, disc = "volume-high", "Orange"
    keywords = "sound_words"
    entries = {
        "media_volume": "volume_words",
        "call_volume": "volume_words",
        "ring_notification_volume": "volume_words",
        "alarm_volume": "volume_words",
        "vibrate_for_calls": "vibrate_words",
        "dial_pad_tones": "tones_words",
        "ringer_mode": "ringer_words",
        "haptics": "vibrate_words",
        "touch_sounds": "tones_words",
        "lock_sounds": "tones_words",
        "charging_sounds": "tones_words",
    }
    actions = ("android.settings.SOUND_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Volumes first, as they are wanted most."""
        volumes = [
            volume_row(ctx, "media_volume", "music-note", "music"),
            volume_row(ctx, "call_volume", "phone-in-talk-outline", "voice"),
            volume_row(ctx, "ring_notification_volume", ring_icon(ctx), "ring", "notification"),
            volume_row(ctx, "alarm_volume", "alarm", "alarm"),
        ]
        ring = [
            tone_row(ctx, "ringtone", "ringtone"),
            setting_switch(
                ctx, "vibrate_for_calls", "system", "vibrate_when_ringing", summary=ctx.tr("vibrate_for_calls_summary")
            ),
            setting_switch(ctx, "dial_pad_tones", "system", "dtmf_tone"),
        ]
        quiet = bool(ctx.settings.get_int("global", "zen_mode"))
        modes = [
            ListRow(
                ctx.tr("more_volumes"), ctx.tr("more_volumes_summary"), on_tap=ctx.open("volumes"), id="more_volumes"
            ),
            setting_choice(ctx, "ringer_mode", "global", "mode_ringer", RINGER_MODES, "2"),
            two_target_row(
                ctx.tr("dnd"),
                ctx.tr("on" if quiet else "off"),
                ctx.open("dnd"),
                quiet,
                lambda turned: ctx.put_setting("global", "zen_mode", turned),
                id="dnd",
            ),
        ]
        more = [
            tone_row(ctx, "notification_sound", "notification"),
            tone_row(ctx, "alarm_sound", "alarm"),
            setting_switch(ctx, "haptics", "system", "haptic_feedback_enabled", summary=ctx.tr("haptics_summary")),
            setting_switch(ctx, "touch_sounds", "system", "sound_effects_enabled"),
            setting_switch(ctx, "lock_sounds", "system", "lockscreen_sounds_enabled"),
            setting_switch(ctx, "charging_sounds", "secure", "charging_sounds_enabled", default="1"),
        ]
        return sections(ctx, ("volume", volumes), ("ring_and_touch", ring), ("", modes), ("more_sounds", more))


class Volumes(Page):
    """Every stream by itself."""

    name = "volumes"
    activity = ".Settings$VolumesSettingsActivity"
    title = "more_volumes"
    parent = "sound"
    keywords = "volume_words"
    entries = {"ring_volume": "volume_words", "notification_volume": "volume_words"}

    def rows(self, ctx: Context) -> list[Node]:
        """Media, call, ring, notifications, alarm."""
        return Group(
            [
                volume_row(ctx, "media_volume", "music-note", "music"),
                volume_row(ctx, "call_volume", "phone-in-talk-outline", "voice"),
                volume_row(ctx, "ring_volume", ring_icon(ctx), "ring"),
                volume_row(ctx, "notification_volume", "bell-outline", "notification"),
                volume_row(ctx, "alarm_volume", "alarm", "alarm"),
            ]
        )


class _Tones(Page):
    """Sounds of one kind: a tap plays one, Save keeps it."""

    kind: str

    def on_open(self, ctx: Context) -> None:
        """Starts from the sound that is set."""
        ctx.ui["picked"] = ctx.settings.get("system", TONE_SETTINGS[self.kind]) or SILENT

    def bar_actions(self, ctx: Context) -> list[Node]:
        """Save."""
        picked = str(ctx.ui.get("picked", SILENT))

        def save() -> None:
            ctx.put_setting("system", TONE_SETTINGS[self.kind], picked)
            ctx.finish()

        return [TextButton(ctx.tr("save"), save, id="save")]

    def rows(self, ctx: Context) -> list[Node]:
        """Silence, then the sounds; the picked one is playing."""
        picked = ctx.ui.get("picked", SILENT)
        playing = ctx.ui.get("playing")
        rows = []
        for name in (SILENT, *tone_names(self.kind)):
            summary = ctx.tr("playing") if name == playing else ""
            row = choice_row(tone_label(name, ctx.language), name == picked, self._pick(ctx, name), summary=summary)
            if name == playing:
                row = row.replace(children=(*row.children, Icon("volume-high", 24.0, "primary", id="playing")))
            rows.append(row)
        return Group(rows)

    def _pick(self, ctx: Context, name: str) -> Handler:
        def handle() -> None:
            ctx.ui["picked"] = name
            ctx.ui["playing"] = None if name == SILENT else name

        return handle


class Ringtones(_Tones):
    """Ringtones."""

    name = "tone_ringtone"
    activity = ".sound.RingtonePickerActivity"
    title = "ringtone"
    parent = "sound"
    keywords = "ringtone_words"
    kind = "ringtone"


class NotificationSounds(_Tones):
    """Sounds of notifications."""

    name = "tone_notification"
    activity = ".sound.NotificationSoundPickerActivity"
    title = "notification_sound"
    parent = "sound"
    keywords = "notification_sound_words"
    kind = "notification"


class AlarmSounds(_Tones):
    """Sounds of alarms."""

    name = "tone_alarm"
    activity = ".sound.AlarmSoundPickerActivity"
    title = "alarm_sound"
    parent = "sound"
    keywords = "alarm_sound_words"
    kind = "alarm"


SCREENS = (Sound, Volumes, Ringtones, NotificationSounds, AlarmSounds)
