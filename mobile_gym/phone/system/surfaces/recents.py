"""Recents: a card for each task, with a small likeness of its screen."""

from __future__ import annotations

from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.bars import StatusBar
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.theme import theme_for
from mobile_gym.phone.ui.widgets import AppDisc, Icon, IconButton, Text

_FRAME_DP = 7.0


class Recents(Surface):
    """Cards side by side, the newest first: a tap resumes, a swipe up or the cross removes."""

    name = "recents"
    layer = 60
    focusable = True

    def on_back(self, ctx: Context) -> bool:
        """Back to what was in front."""
        ctx.phone.close_surface(self.name)
        return True

    def build(self, ctx: Context) -> Node:
        """The cards over the wallpaper, and the button that removes all."""
        phone = ctx.phone
        wallpaper = ctx.settings.get("system", "wallpaper") or "wallpaper/dusk"
        picture = Node("picture", source=wallpaper, width=FILL, height=FILL, hidden_from_tree=True)
        tasks: list[Record] = [task for task in phone.state.interface["tasks"] if task["stack"]]
        width, height, _ = phone.screen
        density = phone.density_dpi / 160
        wide, high = width / density, height / density
        card_high = min(high * 0.62, high - 230)
        card_wide = (card_high - 2 * _FRAME_DP) * wide / high + 2 * _FRAME_DP

        def clear() -> None:
            for task in tasks:
                phone.packages.end_one_time(task["stack"][0]["package"])
            phone.state.interface["tasks"].clear()
            phone.close_surface(self.name)
            phone.activities.go_home()

        def close() -> None:
            phone.close_surface(self.name)

        if tasks:
            cards = Node(
                "list",
                [Node("space", width=(wide - card_wide) / 2 - 16, height=10.0, hidden_from_tree=True), *tasks],
                build_row=lambda task: self._card(ctx, task, card_wide, card_high),
                axis="h",
                gap=16.0,
                width=FILL,
                id="overview_panel",
            )
            label = Text(ctx.tr("clear_all"), "labelLarge", "#191C20", hidden_from_tree=True)
            button = Node(
                "row",
                (label,),
                min_height=44.0,
                pad=(24.0, 0.0, 24.0, 0.0),
                radius=22.0,
                bg="#ECEDF7",
                cls="android.widget.Button",
                text=ctx.tr("clear_all"),
                id="clear_all",
                on_tap=clear,
            )
            middle = [cards, button]
        else:
            middle = [
                Icon("clock-outline", 48.0, "#FFFFFF"),
                Text(ctx.tr("no_recents"), "titleMedium", "#FFFFFF", id="no_recents"),
            ]
        column = Node(
            "col",
            middle,
            gap=24.0,
            align="center",
            width=FILL,
            place="center-center",
            hidden_from_tree=True,
        )
        bar = Node(
            "box",
            (StatusBar().build(phone, True),),
            width=FILL,
            height=45.0,
            place="top-start",
            hidden_from_tree=True,
        )
        return Node(
            "box",
            (picture, bar, column),
            width=FILL,
            height=FILL,
            light_glyphs=True,
            blocks=True,
            on_tap=close,
            id="recents_view",
        )

    def _card(self, ctx: Context, task: Record, wide: float, high: float) -> Node:
        phone = ctx.phone
        root, top = task["stack"][0], task["stack"][-1]
        app = phone.apps[root["package"]]
        name = app.label(ctx.language)

        def resume() -> None:
            phone.close_surface(self.name)
            phone.activities.resume_task(task["id"])

        def remove() -> None:
            phone.packages.end_one_time(root["package"])
            phone.activities.remove_task(task["id"])
            # Removing what is in front shows the launcher below; the cards stay until the user leaves.
            if phone.state.interface["tasks"]:
                phone.open_surface(self.name)
            else:
                phone.close_surface(self.name)
                phone.activities.go_home()

        def swiped(direction: str) -> bool:
            if direction == "up":
                remove()
            return direction == "up"

        head: list[Node] = [Text(name, "titleSmall", "#FFFFFF", max_lines=1, weight=1.0, soft_shadow=True, id="title")]
        if app.icon is not None:
            head.insert(0, AppDisc(app.icon, 32.0, id="icon"))
        cross: Handler = remove
        head.append(
            IconButton("close", cross, ctx.tr("dismiss_card", name=name), id="dismiss", color="#FFFFFF", size=40.0)
        )
        likeness = self._likeness(ctx, top, wide, high)
        return Node(
            "col",
            (Node("row", head, gap=10.0, width=wide, height=44.0, pad=(8.0, 0.0, 0.0, 0.0)), likeness),
            gap=6.0,
            width=wide,
            on_tap=resume,
            on_swipe=swiped,
            id="task",
            desc=name,
        )

    def _likeness(self, ctx: Context, record: Record, wide: float, high: float) -> Node:
        """The task's screen as it is, small; a picture to the hierarchy, as a snapshot is."""
        phone = ctx.phone
        own = phone.activities.context(record)
        root = phone.activities.screen(record).build(own)
        theme = theme_for(phone.dark, palette=own.app.palette)
        width, _, _ = phone.screen
        zoom = (wide - 2 * _FRAME_DP) / (width / (phone.density_dpi / 160))
        picture = Node(
            "miniature",
            screen=root,
            zoom=zoom,
            palette=own.app.palette,
            font_scale=own.app.font_scale(phone, phone.font_scale),
            scrolls={name: [at[0], round(at[1] * zoom)] for name, at in record["scroll"].items()},
            width=FILL,
            height=FILL,
            hidden_from_tree=True,
        )
        # The frame's round corners leave just room for the square ones of the picture.
        return Node(
            "box",
            (picture,),
            width=wide,
            height=high,
            radius=3 * _FRAME_DP,
            bg=theme.color(root.bg or "surface"),
            pad=_FRAME_DP,
            cls="android.widget.ImageView",
            id="snapshot",
        )
