"""Hearing aids, and sound for one ear."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.bluetooth import paired, paired_row
from mobile_gym.phone.apps.settings.display import step_slider
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import note, setting_switch
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Group, ListRow, SectionTitle, Text

BALANCE_STEPS = 9


class HearingDevices(Page):
    """Hearing aids that are paired, and the way to pair one."""

    name = "hearing_devices"
    activity = ".Settings$HearingDevicesActivity"
    title = "hearing_devices"
    parent = "accessibility"
    keywords = "hearing_devices_words"
    actions = ("android.settings.HEARING_DEVICES_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Devices, pairing, compatibility with telephone coils."""
        found = [*paired(ctx, 1), *paired(ctx, 0)]
        aids = [paired_row(ctx, device) for device in found if device["kind"] == "hearing_aid"]
        pair = ListRow(ctx.tr("pair_new"), icon="plus", on_tap=ctx.open("bluetooth_pair"), id="add_bt_devices")
        controls = [
            setting_switch(
                ctx, "hearing_aid_compatibility", "system", "hearing_aid", summary=ctx.tr("hearing_aid_summary")
            )
        ]
        return [
            SectionTitle(ctx.tr("saved_devices")),
            *Group([*aids, pair]),
            SectionTitle(ctx.tr("hearing_controls")),
            *Group(controls),
            note(ctx.tr("hearing_note")),
        ]


class AudioAdjustment(Page):
    """Both channels as one, and the balance of left and right."""

    name = "audio_adjustment"
    activity = ".Settings$AccessibilityAudioAdjustmentActivity"
    title = "audio_adjustment"
    parent = "accessibility"
    keywords = "audio_adjustment_words"
    entries = {"mono_audio": "mono_audio_words", "audio_balance": ""}

    def rows(self, ctx: Context) -> list[Node]:
        """The switch and the balance."""
        balance = ctx.settings.get_float("system", "master_balance")
        middle = BALANCE_STEPS // 2
        step = round((balance + 1) * middle)

        def choose(number: int) -> None:
            ctx.put_setting("system", "master_balance", f"{number / middle - 1:.2f}")

        side = "balance_middle" if step == middle else "balance_left" if step < middle else "balance_right"
        label = Text(
            ctx.tr(side), "bodyMedium", "onSurfaceVariant", pad=(24.0, 14.0, 24.0, 0.0), id="audio_balance_value"
        )
        slider = step_slider(ctx, "audio_balance", step, BALANCE_STEPS, choose, "to_left", "to_right")
        mono = setting_switch(ctx, "mono_audio", "system", "master_mono", summary=ctx.tr("mono_audio_summary"))
        return [
            *Group([mono]),
            SectionTitle(ctx.tr("audio_balance")),
            *Group([Node("col", (label, slider), width=FILL)]),
        ]


SCREENS = (HearingDevices, AudioAdjustment)
