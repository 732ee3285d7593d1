"""Orders, what can be bought again, and returns."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.apps.oakridge.buying import Buying
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import month_day
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, LazyList, Row, Tabs, Text
from mobile_gym.phone.ui.widgets.fields import field

TABS = ("orders", "again", "returns")


def headline(ctx: Context, row: store.Row) -> tuple[str, str]:
    """What an order's state comes to in words, and the colour of it."""
    status = row["status"]
    if status == "cancelled":
        return ctx.tr("status_cancelled"), "sale"
    comes = look.day(ctx, ordering.expected(row))
    if status == "delivered":
        return ctx.tr("status_delivered", day=comes), "onSurface"
    return ctx.tr("arriving", day=comes), "good"


class Orders(Buying):
    """Three tabs. Argument: `tab`."""

    name = "orders"
    activity = ".OrdersActivity"

    def on_open(self, ctx: Context) -> None:
        """The tab that was asked for."""
        tab = ctx.args.get("tab")
        ctx.ui.update(tab=tab if tab in TABS else "orders", archived=False)
        store.end_list(ctx, self.name)

    def on_resume(self, ctx: Context) -> None:
        """No list is in front."""
        store.end_list(ctx, self.name)

    def build(self, ctx: Context) -> Node:
        """Tabs over what the chosen one holds."""
        tab = ctx.ui["tab"]

        def choose(number: int) -> None:
            ctx.focus(None)
            ctx.ui["tab"] = TABS[number]

        labels = [ctx.tr(f"account_{key}") for key in TABS]
        tabs = Node("col", (Tabs(labels, TABS.index(tab), choose, "order_tabs"), look.divider()), width=FILL, bg="card")
        builder = {"orders": self._orders, "again": self._again, "returns": self._returns}[tab]
        body = Node(
            "col",
            (tabs, Node("box", (builder(ctx),), width=FILL, weight=1.0)),
            width=FILL,
            bg="page",
            hidden_from_tree=True,
        )
        top = look.bar(ctx, ctx.tr("account_orders"), look.cart_button(ctx))
        return look.page(ctx, body, top)

    def _orders(self, ctx: Context) -> Node:
        query = ctx.field("order_query").strip()
        archived = bool(ctx.ui["archived"])
        found = ordering.orders(ctx.phone, query, archived)
        box = Row(
            Icon("magnify", 22.0, "soft", hidden_from_tree=True),
            field(
                ctx,
                "order_query",
                hint=ctx.tr("orders_search"),
                weight=1.0,
                action="search",
                on_submit=lambda: ctx.focus(None),
            ),
            *(
                (
                    IconButton(
                        "close",
                        lambda: ctx.set_field("order_query", ""),
                        ctx.tr("clear"),
                        id="order_query_clear",
                        size=40.0,
                    ),
                )
                if query
                else ()
            ),
            gap=8.0,
            weight=1.0,
            height=44.0,
            radius=8.0,
            bg="surfaceContainerHighest",
            pad=(12.0, 0.0, 4.0, 0.0),
        )
        which = look.button(
            ctx.tr("orders_current" if archived else "orders_archived"),
            ctx.toggle_ui("archived"),
            "orders_archived",
            "line",
            44.0,
        )
        head = look.section(Row(box, which, gap=10.0, width=FILL), pad=(16.0, 10.0, 16.0, 10.0))
        rows: list[Any] = [head, look.gap(), *found]
        if not found:
            rows.append(look.empty("package-variant-closed", ctx.tr("orders_none")))
        return LazyList(rows, row=lambda row: self._card(ctx, row), id="order_list")

    def _card(self, ctx: Context, row: store.Row) -> Node:
        items = ordering.items(ctx.phone, row["_id"])
        text, ink = headline(ctx, row)
        date = month_day(ctx.phone.state.clock.at(row["created_at"]), ctx.language)
        names = ", ".join(item["name"] for item in items)
        pieces = [
            look.picture(item["picture"], 64.0)
            for item in items[: 2 if look.width_dp(ctx) / look.font_scale(ctx) > 380.0 else 1]
        ]
        middle = Node(
            "col",
            (
                Text(text, "titleMedium", ink, text_weight=700, max_lines=2, id="order_status"),
                Text(names, "bodyMedium", max_lines=2, id="order_names"),
                Text(
                    ctx.tr("order_line", date=date, total=look.money(row["total_cents"])),
                    "bodySmall",
                    "soft",
                    max_lines=1,
                    id="order_line",
                ),
            ),
            weight=1.0,
            gap=2.0,
        )
        inner = Row(
            *pieces,
            middle,
            Icon("chevron-right", 22.0, "outline", hidden_from_tree=True),
            gap=10.0,
            width=FILL,
            bg="card",
            pad=(16.0, 12.0, 10.0, 12.0),
            id="order_card",
            on_tap=ctx.open("order", order=row["_id"]),
        )
        return Node("col", (inner, look.gap()), width=FILL, hidden_from_tree=True)

    def _again(self, ctx: Context) -> Node:
        found = store.bought(ctx.phone)
        if not found:
            return LazyList([look.empty("cart-outline", ctx.tr("again_none"))], id="again_list")
        return LazyList([look.gap(), *found], row=lambda row: self._again_row(ctx, row), id="again_list")

    def _again_row(self, ctx: Context, row: store.Row) -> Node:
        date = month_day(ctx.phone.state.clock.at(row["bought_at"]), ctx.language)

        def add() -> None:
            self.put_into_cart(ctx, row["_id"], row["variant_id"], 1)

        texts = [Text(row["name"], "bodyLarge", max_lines=2, id="title")]
        if row["variant"]:
            texts.append(Text(row["variant"], "bodyMedium", "soft", max_lines=1, id="variant"))
        texts += [
            Text(ctx.tr("bought_on", date=date), "bodySmall", "soft", max_lines=1, id="bought_on"),
            look.price(row["variant_cents"], 18.0),
        ]
        stock = row["variant_stock"]
        label = ctx.tr("add_to_cart" if stock else "out_of_stock")
        texts.append(
            look.button(label, add, "again_add", "action", 38.0, enabled=bool(stock), desc=f"{label}, {row['name']}")
        )
        inner = Row(
            look.picture(row["variant_picture"], 96.0),
            Node("col", texts, weight=1.0, gap=3.0, align="start"),
            gap=14.0,
            width=FILL,
            align="start",
            bg="card",
            pad=(16.0, 12.0, 16.0, 12.0),
            id="again_row",
            desc=row["name"],
            on_tap=ctx.open("detail", product=row["_id"]),
        )
        return Node("col", (inner, look.gap()), width=FILL, hidden_from_tree=True)

    def _returns(self, ctx: Context) -> Node:
        found = store.database(ctx.phone).rows(
            "SELECT r.*, i.name, i.picture, i.variant FROM returns r JOIN order_items i ON i._id = r.item_id "
            "ORDER BY r.created_at DESC, r._id DESC"
        )
        if not found:
            return LazyList([look.empty("keyboard-return", ctx.tr("returns_none"))], id="return_list")
        return LazyList([look.gap(), *found], row=lambda row: self._return_row(ctx, row), id="return_list")

    def _return_row(self, ctx: Context, row: store.Row) -> Node:
        texts = (
            Text(ctx.tr(f"return_{row['state']}"), "titleMedium", text_weight=700, max_lines=2, id="return_state"),
            Text(row["name"], "bodyMedium", max_lines=2, id="title"),
            Text(ctx.tr(f"outcome_{row['outcome']}"), "bodySmall", "soft", max_lines=1, id="return_outcome"),
        )
        inner = Row(
            look.picture(row["picture"], 64.0),
            Node("col", texts, weight=1.0, gap=2.0),
            Icon("chevron-right", 22.0, "outline", hidden_from_tree=True),
            gap=12.0,
            width=FILL,
            bg="card",
            pad=(16.0, 12.0, 10.0, 12.0),
            id="return_card",
            on_tap=ctx.open("return", request=row["_id"]),
        )
        return Node("col", (inner, look.gap()), width=FILL, hidden_from_tree=True)
