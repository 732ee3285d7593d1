"""The app's first screen: home, departments, cart, account."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import account, cart, department, home, look, store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, Text

TABS = (
    ("home", "home-variant", "home-variant-outline"),
    ("departments", "view-dashboard", "view-dashboard-outline"),
    ("cart", "cart", "cart-outline"),
    ("account", "account-circle", "account-circle-outline"),
)
_BUILDERS = {
    "home": home.build,
    "departments": department.build,
    "cart": cart.build,
    "account": account.build,
}


class Main(cart.CartScreen):
    """Home, departments, cart, account. Argument: `tab`."""

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
        """Back first goes to the home tab."""
        if ctx.ui["tab"] == "home":
            return False
        ctx.ui["tab"] = "home"
        store.end_list(ctx, "home")
        return True

    def build(self, ctx: Context) -> Node:
        """The tab in front over the tab bar."""
        tab = str(ctx.ui["tab"])
        top, body = _BUILDERS[tab](ctx)
        return look.page(ctx, body, top, _tab_bar(ctx, tab))


def _tab_bar(ctx: Context, current: str) -> Node:
    count = store.cart_count(ctx.phone)
    cells = []
    for key, icon, plain in TABS:
        chosen = key == current
        ink = "primary" if chosen else "onSurfaceVariant"
        glyph = [Icon(icon if chosen else plain, 26.0, ink, place="center-center", hidden_from_tree=True)]
        if key == "cart" and count:
            glyph.append(look.badge(count, place="top-end", offset=(6.0, -4.0)))
        label = Text(ctx.tr(f"tab_{key}"), "labelMedium", ink, max_lines=1, text_weight=700 if chosen else 500)

        def choose(key: str = key) -> None:
            ctx.ui["tab"] = key
            store.end_list(ctx, key)

        mark = Node(
            "space", width=44.0, height=3.0, radius=1.5, bg="primary" if chosen else None, hidden_from_tree=True
        )
        cells.append(
            Node(
                "col",
                (mark, Node("box", glyph, width=36.0, height=28.0, hidden_from_tree=True), label),
                gap=3.0,
                align="center",
                weight=1.0,
                min_height=58.0,
                id=f"tab_{key}",
                desc=ctx.tr(f"tab_{key}"),
                selected=chosen,
                on_tap=choose,
            )
        )
    bar = Node("row", cells, width=FILL, bg="card", id="tab_bar")
    return Node("col", (look.divider(), bar), width=FILL, hidden_from_tree=True)
