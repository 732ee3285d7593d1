"""What every page of the settings is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mobile_gym.phone.apps.settings.parts import choice_dialog
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import IconButton, LargeTitle, LazyList, Scaffold, TopBar
from mobile_gym.phone.ui.widgets.pickers import TimePicker


class Page(Screen):
    """A page of the settings: a title that scrolls with its rows, Back and search above.

    The class attributes are the one declaration that the first page, navigation, search and intents come from.
    Subclasses write `rows`, and `summary` where the row that leads here tells the state.
    """

    title: ClassVar[str]
    """String key of the title."""
    parent: ClassVar[str] = "main"
    """Name of the page that leads here; search shows the way."""
    icon: ClassVar[str] = ""
    """Icon on the first page; pages below one take the icon of the page above in search."""
    disc: ClassVar[str] = ""
    """Colour of the icon's disc: Blue, Purple, Green, Orange, Teal or Yellow."""
    keywords: ClassVar[str] = ""
    """String key of further words that find the page."""
    entries: ClassVar[Mapping[str, str]] = {}
    """Rows that search finds by themselves: string key of the title -> that of further words, or nothing."""
    actions: ClassVar[tuple[str, ...]] = ()
    """Actions of implicit intents that open the page, such as `android.settings.WIFI_SETTINGS`."""
    searchable: ClassVar[bool] = True
    """Whether search lists the page; one that needs arguments isn't listed."""

    def heading(self, ctx: Context) -> str:
        """The large title."""
        return ctx.tr(self.title)

    def summary(self, ctx: Context) -> str:
        """The second line of the row that leads here; the text `<title>_summary` unless overridden."""
        return ctx.tr(f"{self.title}_summary")

    def rows(self, ctx: Context) -> Sequence[Node]:
        """What the page lists under its title."""
        raise NotImplementedError

    def bar_actions(self, ctx: Context) -> Sequence[Node]:
        """Icon buttons at the right of the bar."""
        return (IconButton("magnify", ctx.open("search"), ctx.tr("search_settings"), id="search_action"),)

    def overlay_choose(
        self, ctx: Context, title: str, namespace: str, key: str, choices: Sequence[Sequence[str]], default: str
    ) -> Node:
        """Choices of a setting (`parts.setting_choice` opens it)."""
        named = [(value, ctx.tr(text)) for value, text in choices]
        chosen = ctx.settings.get(namespace, key) or default
        return choice_dialog(ctx, ctx.tr(title), named, chosen, lambda value: ctx.put_setting(namespace, key, value))

    def overlay_time(self, ctx: Context, title: str, namespace: str, key: str, default: str) -> Node:
        """A time of day as a setting, in milliseconds since midnight (`parts.setting_time` opens it)."""
        minutes = int(ctx.settings.get(namespace, key) or default) // 60_000

        def put(hour: int, minute: int) -> None:
            ctx.put_setting(namespace, key, (hour * 60 + minute) * 60_000)

        return TimePicker(ctx, ctx.tr(title), minutes // 60, minutes % 60, put)

    def build(self, ctx: Context) -> Node:
        """Bar, title, rows."""
        body = LazyList([LargeTitle(self.heading(ctx)), *self.rows(ctx)], id="recycler_view", bottom_pad=8.0)
        return Scaffold(body, top=TopBar(ctx, "", disc=True, actions=self.bar_actions(ctx)), bg="page")
