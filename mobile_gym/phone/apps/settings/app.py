"""The settings app."""

from __future__ import annotations

from mobile_gym.phone.system.app import App, Context, LauncherIcon, Screen
from mobile_gym.phone.system.hardware import STREAMS
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Group, LargeTitle, LazyList, ListRow, Scaffold, SectionTitle, SliderRow, TopBar


class Main(Screen):
    """The first page."""

    name = "main"
    activity = ".Settings"

    def build(self, ctx: Context) -> Node:
        """Groups of pages."""
        rows = [
            ListRow(ctx.tr("sound"), ctx.tr("sound_summary"), icon="volume-high", disc="Orange", on_tap=ctx.open("sound")),
            ListRow(ctx.tr("display"), ctx.tr("display_summary"), icon="brightness-6", disc="Yellow"),
        ]
        return Scaffold(LazyList([LargeTitle(ctx.tr("app_name")), *Group(rows)], id="recycler_view"), bg="page")


class Sound(Screen):
    """Sound and vibration."""

    name = "sound"
    activity = ".Settings$SoundSettingsActivity"

    def build(self, ctx: Context) -> Node:
        """Volumes."""
        rows = [self._volume(ctx, *row) for row in (
            ("music", "media_volume", "music-note"),
            ("voice", "call_volume", "phone-in-talk-outline"),
            ("ring", "ring_volume", "bell-ring"),
            ("alarm", "alarm_volume", "alarm"),
        )]
        items = [LargeTitle(ctx.tr("sound")), SectionTitle(ctx.tr("volume")), *Group(rows)]
        return Scaffold(LazyList(items, id="recycler_view"), top=TopBar(ctx, "", disc=True), bg="page")

    def _volume(self, ctx: Context, stream: str, title: str, icon: str) -> Node:
        most = STREAMS[stream]
        level = ctx.settings.get_int("system", f"volume_{stream}")
        return SliderRow(
            ctx.tr(title), icon, level / most,
            lambda share: ctx.put_setting("system", f"volume_{stream}", round(share * most)),
            id=f"{title}", steps=most,
        )


class SettingsApp(App):
    """The settings app."""

    package = "com.android.settings"
    module = "mobile_gym.phone.apps.settings"
    icon = LauncherIcon("cog", ("#8A93A3", "#5B6372"))
    screens = (Main, Sound)
