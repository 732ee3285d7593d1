"""Wallpapers: the list, and one seen whole before it is set."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.pictures import wallpaper_names
from mobile_gym.phone.ui.widgets import Button, Dialog, IconButton, ListRow, SectionTitle, Text
from mobile_gym.phone.ui.widgets.basics import spread

HOME, LOCK = "wallpaper", "lock_wallpaper"
"""Settings in `system` that hold the pictures' sources."""


class Wallpaper(Page):
    """The wallpapers that the phone has."""

    name = "wallpaper"
    activity = ".wallpaper.WallpaperSuggestionActivity"
    title = "wallpaper"
    parent = "display"
    keywords = "wallpaper_words"
    actions = ("android.intent.action.SET_WALLPAPER",)

    def rows(self, ctx: Context) -> list[Node]:
        """The two in use, then all."""
        used = ctx.settings.get("system", HOME) or "wallpaper/dusk"
        lock = ctx.settings.get("system", LOCK) or used
        current = [self._current(ctx, "home_screen", used), self._current(ctx, "lock_screen", lock)]
        cells = [self._cell(ctx, name, used == f"wallpaper/{name}") for name in wallpaper_names()]
        return [
            Node("box", (spread(current, 2, gap=12.0),), width=FILL, pad=(24.0, 0.0, 24.0, 8.0)),
            SectionTitle(ctx.tr("choose_wallpaper"), inset=24.0),
            Node("box", (spread(cells, 3, gap=12.0, row_gap=12.0),), width=FILL, pad=(24.0, 0.0, 24.0, 16.0)),
        ]

    def _current(self, ctx: Context, title: str, source: str) -> Node:
        picture = Node(
            "picture", source=source, width=FILL, height=260.0, radius=20.0, id=f"{title}_preview", desc=ctx.tr(title)
        )
        return Node(
            "col", (picture, Text(ctx.tr(title), "bodyMedium", "onSurfaceVariant")), gap=8.0, align="center", width=FILL
        )

    def _cell(self, ctx: Context, name: str, chosen: bool) -> Node:
        label = ctx.tr(f"wallpaper_{name}")
        picture = Node(
            "picture", source=f"wallpaper/{name}", width=FILL, height=180.0, radius=16.0, id="thumbnail", desc=label
        )
        text = Text(label, "bodyMedium", "primary" if chosen else "onSurfaceVariant", max_lines=1, id="tile_title")
        return Node(
            "col",
            (picture, text),
            gap=6.0,
            align="center",
            selected=chosen,
            on_tap=ctx.open("wallpaper_preview", name=name),
            id="tile",
        )


class WallpaperPreview(Screen):
    """One wallpaper on the whole screen, with the button that sets it."""

    name = "wallpaper_preview"
    activity = ".wallpaper.PreviewActivity"

    def build(self, ctx: Context) -> Node:
        """The picture, Back, and the button."""
        name = str(ctx.args.get("name", wallpaper_names()[0]))
        picture = Node("picture", source=f"wallpaper/{name}", width=FILL, height=FILL, id="wallpaper_preview")
        bar = Node(
            "row",
            (
                IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="#FFFFFF", bg="#33415C"),
                Text(ctx.tr(f"wallpaper_{name}"), "titleLarge", "#FFFFFF", soft_shadow=True, id="toolbar_title"),
            ),
            gap=4.0,
            width=FILL,
            height=64.0,
            pad=(12.0, 0.0, 12.0, 0.0),
        )
        button = Button(ctx.tr("set_wallpaper"), ctx.show("where", paper=name), id="button_set_wallpaper")
        front = Node(
            "col",
            (
                Node("space", inset="status", hidden_from_tree=True),
                bar,
                Node("space", weight=1.0, hidden_from_tree=True),
                Node("row", (button,), width=FILL, justify="center", pad=(0.0, 0.0, 0.0, 24.0)),
                Node("space", inset="bottom", hidden_from_tree=True),
            ),
            width=FILL,
            height=FILL,
        )
        return Node("box", (picture, front), width=FILL, height=FILL, light_glyphs=True, blocks=True)

    def overlay_where(self, ctx: Context, paper: str) -> Node:
        """Home screen, lock screen, or both."""

        def put(*keys: str) -> None:
            ctx.dismiss()
            if LOCK not in keys and not ctx.settings.get("system", LOCK):
                # The lock screen keeps the picture that it showed so far.
                ctx.put_setting("system", LOCK, ctx.settings.get("system", HOME) or "wallpaper/dusk")
            for key in keys:
                ctx.put_setting("system", key, f"wallpaper/{paper}")
            ctx.toast(ctx.tr("wallpaper_set"))
            ctx.finish()

        rows = [
            ListRow(ctx.tr("home_screen"), icon="home-outline", on_tap=lambda: put(HOME), id="home_screen"),
            ListRow(ctx.tr("lock_screen"), icon="lock-outline", on_tap=lambda: put(LOCK), id="lock_screen"),
            ListRow(ctx.tr("both_screens"), icon="cellphone", on_tap=lambda: put(HOME, LOCK), id="both_screens"),
        ]
        body = Node("col", [row.replace(pad=(24.0, 8.0, 24.0, 8.0)) for row in rows], width=FILL)
        return Dialog(ctx, ctx.tr("set_wallpaper"), body, actions=[(ctx.tr("cancel"), ctx.dismiss)])


SCREENS = (Wallpaper, WallpaperPreview)
