"""The first screen: four tabs, or the simple page of the elder mode."""

from __future__ import annotations

from collections.abc import Callable

from mobile_gym.phone.apps.wallet import elder, home, inbox, me, money, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Column, Icon, Menu, MenuItem, Text, fitting

TABS = ("home", "money", "inbox", "me")
_ICONS = {
    "home": ("wallet", "wallet-outline"),
    "money": ("cash-multiple", "cash-multiple"),
    "inbox": ("message-text", "message-text-outline"),
    "me": ("account", "account-outline"),
}


class Main(Screen):
    """Home, money, messages, me."""

    name = "main"
    activity = ".HomeActivity"
    single = True

    def on_open(self, ctx: Context) -> None:
        """Opens the tab that was asked for."""
        if ctx.args.get("tab") in TABS:
            ctx.ui["tab"] = ctx.args["tab"]

    def build(self, ctx: Context) -> Node:
        """The chosen tab under its blue head, and the tabs' bar."""
        if store.flag(ctx.phone, "elder_mode"):
            return _page(ctx, elder.head(ctx), elder.body(ctx), None)
        tab = str(ctx.ui.get("tab", "home"))
        parts: dict[str, tuple[Callable[[Context], Node], Callable[[Context], Node]]] = {
            "home": (home.head, home.body),
            "money": (money.head, money.body),
            "inbox": (inbox.head, inbox.body),
            "me": (me.head, me.body),
        }
        head, body = parts[tab]
        return _page(ctx, head(ctx), body(ctx), _bar(ctx, tab))

    def on_back(self, ctx: Context) -> bool:
        """Back goes to the first tab before it leaves."""
        if store.flag(ctx.phone, "elder_mode") or ctx.ui.get("tab", "home") == "home":
            return False
        ctx.ui["tab"] = "home"
        return True

    def overlay_plus(self, ctx: Context) -> Node:
        """The menu behind the plus."""
        return Menu(
            ctx,
            [
                MenuItem(ctx.tr(f"service_{name}"), ctx.then_dismiss(ctx.go, name), icon, id=f"menu_{name}")
                for name, icon in (("scan", "line-scan"), ("paycode", "qrcode"), ("collect", "cash-plus"))
            ]
            + [
                MenuItem(
                    ctx.tr("add_card"),
                    ctx.then_dismiss(ctx.go, "add_card"),
                    "credit-card-plus-outline",
                    id="menu_add_card",
                )
            ],
            top=96.0,
        )

    def overlay_message(self, ctx: Context, id: int) -> Node:
        """What can be done with a notice."""
        return inbox.actions(ctx, id)

    def overlay_clear_messages(self, ctx: Context) -> Node:
        """Asks before all notices go."""
        return inbox.clear_dialog(ctx)


def _page(ctx: Context, head: Node, body: Node, bar: Node | None) -> Node:
    """The head takes the status bar with it; each part has its own colour, so the page has none."""
    top = Node(
        "col",
        (Node("space", inset="status", hidden_from_tree=True), head),
        width=FILL,
        bg="brand",
        hidden_from_tree=True,
    )
    foot = Node("space", width=FILL, inset="bottom", bg="page" if bar is None else "card", hidden_from_tree=True)
    middle = Node("box", (body,), weight=1.0, width=FILL, bg="page", hidden_from_tree=True)
    parts = [part for part in (top, middle, bar, foot) if part is not None]
    return Node(
        "col",
        parts,
        width=FILL,
        height=FILL,
        cls="android.widget.FrameLayout",
        blocks=True,
        light_glyphs=True,
        light_keys=ctx.phone.dark,
    )


def _bar(ctx: Context, tab: str) -> Node:
    cells = []
    count = store.unread(ctx.phone)
    labels = [ctx.tr(f"tab_{name}") for name in TABS]
    size = fitting.size_to_fit(ctx, labels, "labelMedium", fitting.screen_width(ctx) / len(TABS) - 4.0)
    for name in TABS:
        chosen = name == tab
        ink = "primary" if chosen else "onSurfaceVariant"
        icon: Node = Icon(_ICONS[name][0 if chosen else 1], 26.0, ink, place="center-center", hidden_from_tree=True)
        marks = [icon]
        if name == "inbox" and count:
            number = Text(
                str(count),
                "labelSmall",
                "#FFFFFF",
                place="center-center",
                max_lines=1,
                id="badge",
                size_sp=10.0,
                line_sp=14.0,
            )
            marks.append(
                Node(
                    "box",
                    (number,),
                    min_width=16.0,
                    min_height=16.0,
                    radius=8.0,
                    pad=(4.0, 0.0, 4.0, 0.0),
                    bg="#D92D20",
                    place="top-end",
                )
            )
        cells.append(
            Column(
                Node("box", marks, width=44.0, height=28.0, hidden_from_tree=True),
                Text(ctx.tr(f"tab_{name}"), "labelMedium", ink, size_sp=size, max_lines=1, hidden_from_tree=True),
                align="center",
                justify="center",
                weight=1.0,
                min_height=56.0,
                id=f"tab_{name}",
                text=ctx.tr(f"tab_{name}"),
                cls="android.widget.TextView",
                selected=chosen,
                on_tap=_choose(ctx, name),
            )
        )
    return Node("row", cells, width=FILL, min_height=56.0, bg="card", id="tab_bar", align="stretch")


def _choose(ctx: Context, name: str) -> Handler:
    return ctx.set_ui("tab", name)
