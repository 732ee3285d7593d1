"""Volume: the slider that the keys bring up, and the panel of all streams.

Interface state of `volume`: `stream`, and `until` when it shows; of `volume_panel` only `open`.
"""

from __future__ import annotations

from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ActivityNotFound
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.hardware import STREAMS
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Button, Icon, IconButton, LazyList, SliderRow, Text, TextButton

SHOWN_MS = 3000
_TRACK_DP, _WIDE_DP, _HIGH_DP = 196.0, 64.0, 336.0
_GLYPHS = {
    "music": ("music-note", "music-note-off"),
    "voice": ("phone-outline", "phone-outline"),
    "ring": ("bell-outline", "bell-off-outline"),
    "notification": ("message-outline", "message-off-outline"),
    "alarm": ("alarm", "alarm"),
}
_RINGERS = {2: "bell-ring-outline", 1: "vibrate", 0: "bell-off-outline"}


def glyph(stream: str, level: int) -> str:
    """The icon of a stream at a level."""
    return _GLYPHS[stream][0 if level else 1]


def set_volume(ctx: Context, stream: str, share: float) -> None:
    """Sets a stream to a share of its highest step; a call never goes silent."""
    level = round(min(max(share, 0.0), 1.0) * STREAMS[stream])
    ctx.put_setting("system", f"volume_{stream}", max(level, 1) if stream == "voice" else level)


class Volume(Surface):
    """One vertical slider at the right, with the ringer mode above it and the way to all streams below."""

    name = "volume"
    layer = 40
    listed = True

    def box(self, ctx: Context, width: int, height: int) -> Clip:
        """At the right edge, in the upper half."""
        density = ctx.phone.density_dpi / 160
        wide, high = round((_WIDE_DP + 24) * density), round((_HIGH_DP + 24) * density)
        top = max((height - high) // 3, 0)
        return (width - wide, top, width, min(top + high, height))

    def build(self, ctx: Context) -> Node:
        """The slider's card."""
        stream = ctx.ui.get("stream") or "music"
        level, most = ctx.settings.get_int("system", f"volume_{stream}"), STREAMS[stream]
        share = min(max(level / most, 0.0), 1.0)

        def stay() -> None:
            ctx.ui["until"] = ctx.now_ms + SHOWN_MS

        def moved(x1: float, y1: float, x2: float, y2: float) -> None:
            set_volume(ctx, stream, 1 - y2)
            stay()

        fill = Node(
            "space", width=48.0, height=max(_TRACK_DP * share, 48.0 if level else 0.0), radius=24.0, bg="primary"
        ).replace(place="bottom-start", hidden_from_tree=True)
        track = Node("space", width=48.0, height=_TRACK_DP, radius=24.0, bg="secondaryContainer", hidden_from_tree=True)
        icon = Icon(
            glyph(stream, level), 22.0, "onPrimary" if level else "onSecondaryContainer", place="bottom-center"
        ).replace(offset=(0.0, -13.0), hidden_from_tree=True)
        slider = Node(
            "box",
            (track, fill, icon),
            width=48.0,
            height=_TRACK_DP,
            cls="android.widget.SeekBar",
            id="volume_row_slider",
            desc=ctx.tr(f"stream_{stream}"),
            focusable=True,
            on_drag=moved,
        )
        ringer = ctx.settings.get_int("global", "mode_ringer", 2)

        def turn() -> None:
            ctx.put_setting("global", "mode_ringer", {2: 1, 1: 0, 0: 2}[ringer])
            stay()

        def show_all() -> None:
            ctx.phone.close_surface(self.name)
            ctx.phone.open_surface("volume_panel")

        mode = ctx.tr("ringer_to", mode=ctx.tr(f"ringer_{ringer}"))
        card = Node(
            "col",
            (
                IconButton(_RINGERS[ringer], turn, mode, id="ringer_icon", color="onSurface"),
                slider,
                IconButton("dots-horizontal", show_all, ctx.tr("volume_all"), id="settings", color="onSurface"),
            ),
            gap=8.0,
            align="center",
            width=_WIDE_DP,
            pad=(8.0, 8.0, 8.0, 8.0),
            radius=32.0,
            bg="surfaceContainer",
            shadow=2,
            blocks=True,
            place="center-center",
            id="volume_dialog",
        )
        return Node("box", (card,), width=FILL, height=FILL)

    def next_wakeup(self, ctx: Context) -> int | None:
        """When it goes."""
        return int(ctx.ui["until"]) if ctx.ui.get("open") else None

    def on_wakeup(self, ctx: Context) -> None:
        """Goes."""
        ctx.phone.close_surface(self.name)


class VolumePanel(Surface):
    """All streams in a sheet."""

    name = "volume_panel"
    layer = 51
    focusable = True

    def dim(self, ctx: Context) -> int:
        """The page under it is dimmed."""
        return 32

    def build(self, ctx: Context) -> Node:
        """A slider for each stream, and the way to the settings."""

        def close() -> None:
            ctx.phone.close_surface(self.name)

        def settings() -> None:
            close()
            try:
                ctx.phone.activities.start(Intent(action="android.settings.SOUND_SETTINGS"))
            except ActivityNotFound as error:
                ctx.phone.log("W", "SystemUI", str(error))

        rows = [self._row(ctx, stream) for stream in STREAMS]
        room = ctx.phone.screen[1] / (ctx.phone.density_dpi / 160) - 240
        sliders = LazyList(rows, id="panel_parent_layout").replace(
            height=min((76.0 + 24.0 * ctx.phone.font_scale) * len(rows), room)
        )
        buttons = Node(
            "row",
            (
                TextButton(ctx.tr("sound_settings"), settings, id="see_more"),
                Button(ctx.tr("done"), close, id="done"),
            ),
            width=FILL,
            justify="between",
            pad=(16.0, 8.0, 24.0, 16.0),
            hidden_from_tree=True,
        )
        sheet = Node(
            "col",
            (
                Text(ctx.tr("volume_title"), "titleLarge", pad=(24.0, 20.0, 24.0, 8.0), id="panel_title"),
                sliders,
                buttons,
                Node("space", inset="bottom", hidden_from_tree=True),
            ),
            width=FILL,
            radius=(28.0, 28.0, 0.0, 0.0),
            bg="surfaceContainerLow",
            place="bottom-start",
            blocks=True,
            id="volume_panel",
        )
        return Node("box", (sheet,), width=FILL, height=FILL, on_tap=close, blocks=True)

    def _row(self, ctx: Context, stream: str) -> Node:
        level, most = ctx.settings.get_int("system", f"volume_{stream}"), STREAMS[stream]
        return SliderRow(
            ctx.tr(f"stream_{stream}"),
            glyph(stream, level),
            level / most,
            lambda share: set_volume(ctx, stream, share),
            id=f"volume_{stream}",
            steps=most,
        )
