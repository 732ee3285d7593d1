"""The app's first screen: five tabs."""

from __future__ import annotations

from mobile_gym.phone.apps.shop import cart, home, look, store, tabs
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, Text

TABS = (
    ("home", "home", "home-outline"),
    ("category", "view-grid", "view-grid-outline"),
    ("messages", "message-text", "message-text-outline"),
    ("cart", "cart", "cart-outline"),
    ("me", "account", "account-outline"),
)
_BUILDERS = {
    "home": home.build,
    "category": tabs.build_categories,
    "messages": tabs.build_messages,
    "cart": cart.build,
    "me": tabs.build_me,
}


class Main(cart.CartSheets):
    """Home, categories, messages, cart, me. Argument: `tab`."""

    name = "main"
    activity = ".MainActivity"
    single = True

    def on_open(self, ctx: Context) -> None:
        """Shows the tab that was asked for; no list is in force."""
        tab = ctx.args.get("tab")
        if tab in _BUILDERS:
            ctx.ui["tab"] = tab
        store.end_list(ctx, str(ctx.ui.setdefault("tab", "home")))

    def on_resume(self, ctx: Context) -> None:
        """No list is in force any more."""
        store.end_list(ctx, str(ctx.ui["tab"]))

    def on_back(self, ctx: Context) -> bool:
        """Back first goes to the home page's tab."""
        if ctx.ui["tab"] == "home":
            return False
        ctx.ui["tab"] = "home"
        return True

    def build(self, ctx: Context) -> Node:
        """The tab in front over the tab bar."""
        tab = str(ctx.ui["tab"])
        parts = _BUILDERS[tab](ctx)
        bottom = [_tab_bar(ctx, tab), Node("space", inset="bottom", width=FILL, bg="card", hidden_from_tree=True)]
        if tab == "home":
            # The head's colours lie under the status bar, so the page itself has none.
            page = Node("col", [*parts, *bottom], width=FILL, height=FILL, hidden_from_tree=True)
            return Node(
                "box", (page,), width=FILL, height=FILL, blocks=True, light_glyphs=True, light_keys=ctx.phone.dark
            )
        top = Node("space", inset="status", hidden_from_tree=True)
        return Node(
            "col",
            [top, *parts, *bottom],
            width=FILL,
            height=FILL,
            bg="card",
            blocks=True,
            cls="android.widget.FrameLayout",
        )


def _tab_bar(ctx: Context, current: str) -> Node:
    data = store.database(ctx.phone)
    unread = int(
        data.value(
            "SELECT (SELECT COUNT(*) FROM notices WHERE read = 0) + (SELECT COUNT(*) FROM chats WHERE read = 0) AS n"
        )
    )
    counts = {"cart": store.cart_count(ctx.phone), "messages": unread}
    cells = []
    for key, icon, plain in TABS:
        chosen = key == current
        ink = "primary" if chosen else "onSurfaceVariant"
        glyph = [Icon(icon if chosen else plain, 26.0, ink, place="center-center", hidden_from_tree=True)]
        if counts.get(key):
            glyph.append(look.badge(counts[key], place="top-end", offset=(4.0, -2.0)))
        label = Text(ctx.tr(f"tab_{key}"), "labelMedium", ink, max_lines=1, text_weight=600 if chosen else 400)

        def choose(key: str = key) -> None:
            ctx.ui["tab"] = key
            store.end_list(ctx, key)

        cells.append(
            Node(
                "col",
                (Node("box", glyph, width=36.0, height=28.0, hidden_from_tree=True), label),
                gap=1.0,
                align="center",
                justify="center",
                weight=1.0,
                min_height=56.0,
                id=f"tab_{key}",
                desc=ctx.tr(f"tab_{key}"),
                selected=chosen,
                on_tap=choose,
            )
        )
    line = Node("space", width=FILL, height=1.0, bg="outlineVariant", hidden_from_tree=True)
    bar = Node("row", cells, width=FILL, bg="card", id="tab_bar")
    return Node("col", (line, bar), width=FILL, hidden_from_tree=True)
