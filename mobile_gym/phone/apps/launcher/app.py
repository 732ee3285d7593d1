"""The launcher: home screen with clock, icons and dock."""

from __future__ import annotations

from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import App, Context, Screen
from mobile_gym.phone.system.formats import month_day, weekday
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import AppDisc, Column, Text
from mobile_gym.phone.ui.widgets.basics import spread


class Home(Screen):
    """The home screen."""

    name = "home"
    activity = ".Launcher"

    def build(self, ctx: Context) -> Node:
        """Clock, then the icons of all apps."""
        wallpaper = ctx.settings.get("system", "wallpaper") or "wallpaper/dusk"
        now = ctx.now
        date = f"{month_day(now, ctx.language)} {weekday(now, ctx.language)}"
        clock = Column(
            Text(ctx.phone.clock_text(), size_sp=76, line_sp=84, text_weight=300, color="#FFFFFF", soft_shadow=True),
            Text(date, "bodyLarge", "#FFFFFF", soft_shadow=True),
            pad=(28.0, 16.0, 28.0, 24.0),
        )
        icons = [self._icon(ctx, package) for package in ctx.phone.packages.launchable()]
        body = Node(
            "col",
            (Node("space", inset="status"), clock, Node("box", (spread(icons, 4, row_gap=16.0),), width=FILL, pad=(21.0, 0.0, 21.0, 0.0))),
            width=FILL,
            height=FILL,
        )
        picture = Node("picture", source=wallpaper, width=FILL, height=FILL, id="wallpaper")
        return Node("box", (picture, body), width=FILL, height=FILL, light_glyphs=True, blocks=True)

    def _icon(self, ctx: Context, package: str) -> Node:
        app = ctx.phone.apps[package]
        assert app.icon is not None
        label = Text(app.label(ctx.language), size_sp=13, line_sp=18, color="#FFFFFF", max_lines=1, soft_shadow=True)
        return Node(
            "col",
            (AppDisc(app.icon, 60.0, shadow=1), label),
            gap=6.0,
            align="center",
            on_tap=self._open(ctx, package),
            desc=app.label(ctx.language),
            id="icon",
        )

    def _open(self, ctx: Context, package: str) -> Handler:
        return lambda: void(ctx.phone.activities.start(Intent(package=package)))


def void(value: object) -> None:
    """Drops a value, so that a handler returns nothing."""


class LauncherApp(App):
    """The launcher."""

    package = "com.android.launcher3"
    module = "mobile_gym.phone.apps.launcher"
    screens = (Home,)
