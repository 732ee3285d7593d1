"""The shade: clock, brightness, quick settings, notifications; the editor of tiles, the history.

Its interface state (`ctx.ui`): `open`; `view`, empty, `edit` or `history`; `expanded`, by notification; `reply`, the
notification whose reply is being typed. Scroll offsets: `notification_stack_scroller`, and `qs_pager` for the tiles.
"""

from __future__ import annotations

from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ActivityNotFound
from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.bars import status_glyphs
from mobile_gym.phone.system.formats import month_day, weekday
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.system.surfaces import shade_pages, tiles
from mobile_gym.phone.system.surfaces.notices import card, clear_all, mark
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Text


class Shade(Surface):
    """The notification shade; covers the screen."""

    name = "shade"
    layer = 50
    focusable = True

    def on_back(self, ctx: Context) -> bool:
        """Leaves editor, history or a reply, else closes."""
        if ctx.ui.get("reply"):
            ctx.ui["reply"] = ""
            ctx.focus(None)
        elif ctx.ui.get("view"):
            ctx.ui["view"] = ""
        else:
            ctx.phone.close_surface(self.name)
        return True

    def build(self, ctx: Context) -> Node:
        """The view that is up."""
        view = ctx.ui.get("view")
        if view == "edit":
            return shade_pages.edit(ctx)
        if view == "history":
            return shade_pages.history(ctx)
        rows = [
            Node("box", (tiles.brightness(ctx),), width=FILL, pad=(16.0, 0.0, 16.0, 12.0), hidden_from_tree=True),
            tiles.pager(ctx),
            self._footer(ctx),
            *self._notices(ctx),
            self._buttons(ctx),
        ]
        body = LazyList(rows, id="notification_stack_scroller", bottom_pad=24.0).replace(weight=1.0, height=None)

        def swiped(direction: str) -> bool:
            if direction == "up":
                ctx.phone.close_surface(self.name)
            return direction == "up"

        return Node(
            "col",
            (self._header(ctx), body, Node("space", inset="bottom", hidden_from_tree=True)),
            width=FILL,
            height=FILL,
            bg="surfaceContainer",
            blocks=True,
            on_swipe=swiped,
            id="notification_panel",
        )

    def _header(self, ctx: Context) -> Node:
        ink = "#E1E2E8" if ctx.phone.dark else "#191C20"
        now = ctx.now
        room = ctx.phone.screen[0] * 160 / ctx.phone.density_dpi / ctx.phone.font_scale
        day = weekday(now, ctx.language, short=ctx.language == "en" or room < 400)
        date = month_day(now, ctx.language)
        if room >= 340:
            date = ctx.tr("date_line", date=date, weekday=day)
        clock = Text(ctx.phone.clock_text(), size_sp=30, line_sp=36, max_lines=1, id="clock")
        line = Node(
            "row",
            (clock, Text(date, "bodyMedium", max_lines=1, id="date", offset=(0.0, 2.6))),
            gap=12.0,
            weight=1.0,
            hidden_from_tree=True,
        )
        glyphs = Node(
            "row", status_glyphs(ctx.phone, ink, True, carrier=True), gap=6.0, id="statusIcons", offset=(0.0, 4.0)
        )
        return Node(
            "row",
            (line, glyphs),
            width=FILL,
            height=76.0,
            gap=10.0,
            pad=(24.0, 8.0, 22.0, 0.0),
            id="split_shade_status_bar",
        )

    def _footer(self, ctx: Context) -> Node:
        def open_settings() -> None:
            try:
                ctx.phone.activities.start(Intent(action="android.settings.SETTINGS"))
            except ActivityNotFound as error:
                ctx.phone.log("W", "SystemUI", str(error))

        buttons = Node(
            "row",
            (
                tiles.round_button("pencil", ctx.set_ui("view", "edit"), ctx.tr("edit_tiles"), "edit_tiles"),
                tiles.round_button("cog", open_settings, ctx.tr("open_settings"), "settings_button_container"),
                tiles.round_button(
                    "power", lambda: ctx.phone.open_surface("power_menu"), ctx.tr("power_menu"), "pm_lite", strong=True
                ),
            ),
            gap=8.0,
            place="center-end",
            hidden_from_tree=True,
        )
        return Node(
            "box",
            (tiles.page_indicator(ctx), buttons),
            width=FILL,
            height=64.0,
            pad=(16.0, 0.0, 16.0, 4.0),
            hidden_from_tree=True,
        )

    def _notices(self, ctx: Context) -> list[Node]:
        posted = ctx.phone.notifier.posted
        expanded: Record = ctx.ui.get("expanded") or {}
        found = []
        last = len(posted) - 1
        for number, notice in enumerate(posted):
            name = mark(notice)
            is_open = bool(expanded.get(name, number == 0))
            top, bottom = (28.0 if number == 0 else 4.0), (28.0 if number == last else 4.0)
            body = card(ctx, notice, is_open, self._expander(ctx, name, is_open), ctx.ui.get("reply") or "")
            surface = body.replace(bg="surfaceBright", radius=(top, top, bottom, bottom))
            found.append(Node("box", (surface,), width=FILL, pad=(16.0, 0.0, 16.0, 2.0 if number < last else 12.0)))
        if not posted:
            empty = Text(ctx.tr("no_notifications"), "bodyMedium", "onSurfaceVariant", id="no_notifications")
            found.append(Node("col", (empty,), align="center", width=FILL, pad=(16.0, 32.0, 16.0, 32.0)))
        return found

    def _expander(self, ctx: Context, name: str, is_open: bool) -> Handler:
        def turn() -> None:
            ctx.ui["expanded"] = {**(ctx.ui.get("expanded") or {}), name: not is_open}

        return turn

    def _buttons(self, ctx: Context) -> Node:
        history = _pill(ctx.tr("history"), ctx.set_ui("view", "history"), "history_button", "history")
        parts = [history]
        if any(not notice["ongoing"] for notice in ctx.phone.notifier.posted):
            parts.append(_pill(ctx.tr("clear_all"), lambda: clear_all(ctx.phone), "dismiss_text"))
        return Node("row", parts, width=FILL, justify="between", pad=(16.0, 0.0, 16.0, 0.0), hidden_from_tree=True)


def _pill(label: str, on_tap: Handler, id: str, icon: str = "") -> Node:
    parts = [Icon(icon, 20.0, "onSurface", hidden_from_tree=True)] if icon else []
    parts.append(Text(label, "labelLarge", "onSurface", max_lines=1, hidden_from_tree=True))
    return Node(
        "row",
        parts,
        gap=8.0,
        min_height=40.0,
        radius=20.0,
        pad=(18.0 if icon else 20.0, 0.0, 20.0, 0.0),
        bg="surfaceBright",
        cls="android.widget.Button",
        text=label,
        id=id,
        on_tap=on_tap,
    )
