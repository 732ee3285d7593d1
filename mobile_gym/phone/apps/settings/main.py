"""The first page of the settings."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Avatar, Group, Icon, LazyList, ListRow, Scaffold, Text

GROUPS = (
    ("network", "connected_devices"),
    ("apps", "notifications", "sound", "display"),
    ("accessibility", "security", "battery", "storage", "location", "safety", "accounts", "wellbeing"),
    ("system", "about"),
)
"""Names of the pages that the first page lists, card by card; what the app has no page for is left out."""


class Main(Screen):
    """The first page."""

    name = "main"
    activity = ".Settings"

    def build(self, ctx: Context) -> Node:
        """Title, search bar, groups of pages."""
        pages = {screen.name: screen for screen in ctx.app.screens}
        items = [
            Text(ctx.tr("app_name"), "headlineLarge", pad=(24.0, 8.0, 24.0, 12.0), width=FILL, id="homepage_title"),
            self._search_bar(ctx),
        ]
        for names in GROUPS:
            items += Group([self._row(ctx, pages[name]) for name in names if name in pages])
        return Scaffold(LazyList(items, id="recycler_view"), bg="page")

    def _row(self, ctx: Context, screen: type[Screen]) -> Node:
        page = screen()
        assert isinstance(page, Page), f"{screen.__name__} is listed on the first page and must be a Page"
        return ListRow(
            ctx.tr(page.title),
            page.summary(ctx),
            icon=page.icon,
            disc=page.disc,
            on_tap=ctx.open(page.name),
            id=f"top_level_{page.name}",
        )

    def _search_bar(self, ctx: Context) -> Node:
        hint = Text(
            ctx.tr("search_settings"),
            "bodyLarge",
            "onSurfaceVariant",
            weight=1.0,
            max_lines=1,
            id="search_action_bar_title",
        )
        avatar = Avatar(ctx.tr("owner_letter"), 32.0, "tertiary", "onTertiary", id="account_avatar")
        bar = Node(
            "row",
            (Icon("magnify", 24.0), hint, avatar),
            gap=12.0,
            width=FILL,
            min_height=56.0,
            radius=28.0,
            bg="surfaceBright",
            pad=(16.0, 8.0, 12.0, 8.0),
            on_tap=ctx.open("search"),
            id="search_action_bar",
            desc=ctx.tr("search_settings"),
        )
        return Node("box", (bar,), width=FILL, pad=(16.0, 0.0, 16.0, 12.0), hidden_from_tree=True)
