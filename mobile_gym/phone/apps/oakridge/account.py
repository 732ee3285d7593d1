"""The account tab and the app's settings."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, LazyList, Row, Switch, Text, TextField


def build(ctx: Context) -> tuple[Node, Node]:
    """The tab: what is done most, the newest order, the account's pages."""
    name = store.get_setting(ctx.phone, "first_name")
    greeting = Node(
        "col",
        (
            Text(ctx.tr("hello", name=name), "titleLarge", "onHeader", text_weight=700, max_lines=1, id="greeting"),
            Text(store.get_setting(ctx.phone, "email"), "bodyMedium", "headerSoft", max_lines=1, id="email"),
        ),
        gap=2.0,
        width=FILL,
        bg="header",
        pad=(16.0, 10.0, 16.0, 16.0),
    )
    tiles = (
        ("orders", "package-variant-closed", ctx.open("orders")),
        ("again", "cart-arrow-down", ctx.open("orders", tab="again")),
        ("lists", "format-list-bulleted", ctx.open("lists")),
        ("returns", "keyboard-return", ctx.open("orders", tab="returns")),
    )
    pairs = [Row(*(_tile(ctx, *one) for one in tiles[at : at + 2]), gap=12.0, width=FILL) for at in (0, 2)]
    parts: list[Node] = [look.section(*pairs, gap=12.0)]
    newest = next((row for row in ordering.orders(ctx.phone) if row["status"] in ("placed", "shipped")), None)
    if newest is not None:
        parts += [look.gap(), _newest(ctx, newest)]
    rows = (
        look.menu_row(ctx, "map-marker-outline", ctx.tr("addresses"), ctx.open("addresses"), "account_addresses"),
        look.menu_row(ctx, "credit-card-outline", ctx.tr("payment"), ctx.open("payment"), "account_payment"),
        look.menu_row(
            ctx,
            "gift-outline",
            ctx.tr("credit"),
            ctx.open("payment"),
            "account_credit",
            look.money(store.credit(ctx.phone)),
        ),
        look.menu_row(ctx, "ticket-percent-outline", ctx.tr("offers"), ctx.open("offers"), "account_offers"),
        look.menu_row(ctx, "cog-outline", ctx.tr("settings"), ctx.open("settings"), "account_settings"),
    )
    parts += [look.gap(), look.chosen_list(rows), look.gap()]
    return greeting, Node("box", (LazyList(parts, id="account_list"),), width=FILL, bg="page", hidden_from_tree=True)


def _tile(ctx: Context, key: str, icon: str, on_tap: Handler) -> Node:
    return Node(
        "row",
        (
            Icon(icon, 24.0, "primary", hidden_from_tree=True),
            Text(
                ctx.tr(f"account_{key}"), "bodyLarge", text_weight=600, max_lines=2, weight=1.0, hidden_from_tree=True
            ),
        ),
        gap=10.0,
        weight=1.0,
        min_height=60.0,
        radius=8.0,
        border=1.0,
        pad=(14.0, 6.0, 10.0, 6.0),
        id=f"account_{key}",
        text=ctx.tr(f"account_{key}"),
        on_tap=on_tap,
    )


def _newest(ctx: Context, row: store.Row) -> Node:
    items = ordering.items(ctx.phone, row["_id"])
    picture = items[0]["picture"] if items else "product/package-variant-closed"
    inner = Row(
        look.picture(picture, 64.0),
        Node(
            "col",
            (
                Text(
                    ctx.tr("arriving", day=look.day(ctx, ordering.expected(row))),
                    "titleSmall",
                    "good",
                    text_weight=700,
                    id="arrival",
                ),
                Text(items[0]["name"] if items else row["number"], "bodyMedium", max_lines=2, id="title"),
            ),
            weight=1.0,
            gap=2.0,
        ),
        Icon("chevron-right", 22.0, "outline", hidden_from_tree=True),
        gap=12.0,
        width=FILL,
        id="newest_order",
        on_tap=ctx.open("order", order=row["_id"]),
    )
    return look.section(look.title(ctx.tr("on_its_way")), inner)


class Settings(Screen):
    """Name, notices, larger text, the version."""

    name = "settings"
    activity = ".SettingsActivity"

    def build(self, ctx: Context) -> Node:
        """The rows."""
        name = store.get_setting(ctx.phone, "first_name")
        rows = (
            look.menu_row(
                ctx, "account-outline", ctx.tr("first_name"), lambda: self._ask_name(ctx), "first_name", name
            ),
            self._switch(ctx, "notify_orders", "bell-outline"),
            self._switch(ctx, "notify_deals", "sale"),
            self._switch(ctx, "large_text", "format-size"),
            look.menu_row(ctx, "history", ctx.tr("viewed_clear"), ctx.show("clear_viewed"), "viewed_clear"),
        )
        about = Text(
            ctx.tr("version", version=ctx.app.version_name),
            "bodySmall",
            "soft",
            text_align="center",
            width=FILL,
            pad=(16.0, 20.0, 16.0, 20.0),
            id="version",
        )
        return look.page(
            ctx,
            LazyList([look.gap(), look.chosen_list(rows), about], id="settings_list"),
            look.bar(ctx, ctx.tr("settings")),
        )

    def _switch(self, ctx: Context, key: str, icon: str) -> Node:
        on = store.get_setting(ctx.phone, key, "0") == "1"
        return Node(
            "row",
            (
                Icon(icon, 24.0, "primary", hidden_from_tree=True),
                Text(ctx.tr(key), "bodyLarge", weight=1.0, id="title"),
                Switch(on, desc=ctx.tr(key)),
            ),
            gap=14.0,
            width=FILL,
            min_height=60.0,
            pad=(16.0, 8.0, 16.0, 8.0),
            bg="card",
            id=key,
            on_tap=lambda: store.put_setting(ctx.phone, key, "0" if on else "1"),
        )

    def _ask_name(self, ctx: Context) -> None:
        ctx.set_field("name_field", store.get_setting(ctx.phone, "first_name"))
        ctx.open_overlay("first_name")
        ctx.focus("name_field")

    def overlay_first_name(self, ctx: Context) -> Node:
        """Changes the name in the greeting."""

        def close() -> None:
            ctx.focus(None)
            ctx.dismiss()

        def save() -> None:
            text = ctx.field("name_field").strip()
            if text:
                store.put_setting(ctx.phone, "first_name", text)
            close()

        field = TextField(ctx, "name_field", ctx.tr("first_name"), max_length=20, on_submit=save)
        body = Node("col", (field,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        return Dialog(ctx, ctx.tr("first_name"), body, actions=((ctx.tr("cancel"), close), (ctx.tr("save"), save)))

    def overlay_clear_viewed(self, ctx: Context) -> Node:
        """Asks before what was looked at is forgotten."""

        def act() -> None:
            store.database(ctx.phone).execute("DELETE FROM view_history")
            ctx.toast(ctx.tr("viewed_cleared"))

        return Dialog(
            ctx,
            body=ctx.tr("viewed_ask"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("clear"), ctx.then_dismiss(act))),
        )
