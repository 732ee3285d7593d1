"""The list of orders, and what can be done with one."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import aftersales, cards, look, ordering, store
from mobile_gym.phone.apps.shop.sheets import close_row
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, LazyList, Row, Scaffold, Sheet, Space, Text
from mobile_gym.phone.ui.widgets.fields import field

Order = dict[str, Any]


class OrderDeeds(Screen):
    """A screen with buttons that act on orders."""

    def buttons(self, ctx: Context, order: Order, small: bool = True) -> list[Node]:
        """What can be done with an order in its state; the last one is what is done most."""
        key, status = order["_id"], order["status"]
        height = 32.0 if small else 40.0

        def button(label: str, on_tap: Handler, tone: str = "line") -> Node:
            return look.pill(ctx.tr(f"do_{label}"), on_tap, f"do_{label}", tone, height)

        rebuy = button("rebuy", lambda: self._buy_again(ctx, key))
        remove = button("delete", ctx.show("delete_order", order=key))
        way = button("logistics", ctx.open("logistics", order=key))
        if status == "to_pay":
            return [
                button("cancel", ctx.show("cancel_order", order=key)),
                button("pay", ctx.open("cashier", order=key), "red"),
            ]
        if status == "to_ship":
            return [
                button("cancel", ctx.show("cancel_order", order=key)),
                button("address", ctx.open("addresses", order=key)),
                button("remind", lambda: ctx.toast(ctx.tr("reminded")), "red"),
            ]
        if status == "to_receive":
            return [way, button("receive", ctx.show("receive_order", order=key), "red")]
        if status == "to_review":
            return [rebuy, way, button("review", ctx.open("review", order=key), "red")]
        return [remove, rebuy.replace(id="do_rebuy")]

    def _buy_again(self, ctx: Context, key: int) -> None:
        added = 0
        for item in ordering.items(ctx.phone, key):
            found = store.variant(ctx.phone, item["variant_id"])
            if found is not None and found["stock"]:
                store.add_to_cart(ctx.phone, item["product_id"], item["variant_id"], item["quantity"])
                added += 1
        if not added:
            ctx.toast(ctx.tr("rebuy_none"))
            return
        ctx.toast(ctx.tr("added_to_cart"))
        ctx.go("main", tab="cart")

    def overlay_cancel_order(self, ctx: Context, order: int) -> Node:
        """Why the order is cancelled."""

        def act(reason: str) -> Handler:
            def handle() -> None:
                ordering.cancel(ctx.phone, order, reason)
                ctx.toast(ctx.tr("order_cancelled"))

            return ctx.then_dismiss(handle)

        entries = [
            (ctx.tr(f"cancel_{reason}"), f"reason_{reason}", False, act(reason)) for reason in ordering.CANCEL_REASONS
        ]
        return Sheet(ctx, close_row(ctx, ctx.tr("cancel_title")), *look.choices(ctx, entries), Space(height=8.0))

    def overlay_receive_order(self, ctx: Context, order: int) -> Node:
        """Asks whether the parcel came."""

        def act() -> None:
            ordering.receive(ctx.phone, order)
            ctx.toast(ctx.tr("received"))

        return Dialog(
            ctx,
            ctx.tr("receive_title"),
            ctx.tr("receive_text"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("ok"), ctx.then_dismiss(act))),
        )

    def overlay_delete_order(self, ctx: Context, order: int) -> Node:
        """Asks before an order is deleted."""

        def act() -> None:
            store.database(ctx.phone).delete("orders", order)
            ctx.toast(ctx.tr("order_deleted"))
            if self.name == "order":
                ctx.finish()

        return Dialog(
            ctx,
            body=ctx.tr("order_delete_ask"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act))),
        )


class Orders(OrderDeeds):
    """Orders by state. Argument: `tab`."""

    name = "orders"
    activity = ".OrderListActivity"

    def on_open(self, ctx: Context) -> None:
        """Shows the tab that was asked for."""
        tab = str(ctx.args.get("tab") or "all")
        ctx.ui["tab"] = tab if tab in ordering.TABS else "all"
        store.note(ctx, self.name)

    def build(self, ctx: Context) -> Node:
        """Search, tabs, cards."""
        tab = ctx.ui["tab"]
        cells = []
        for key in ordering.TABS:
            chosen = key == tab
            ink = "primary" if chosen else "onSurface"
            line = Node(
                "space", width=22.0, height=3.0, radius=1.5, bg="primary" if chosen else None, hidden_from_tree=True
            )

            def choose(key: str = key) -> None:
                ctx.ui["tab"] = key
                ctx.record["scroll"].pop("order_list", None)

            text = Text(ctx.tr(f"orders_{key}"), "bodyMedium", ink, max_lines=1, text_weight=600 if chosen else 0)
            cells.append(
                Node(
                    "col",
                    (text, line),
                    gap=4.0,
                    align="center",
                    justify="center",
                    min_height=44.0,
                    min_width=52.0,
                    pad=(8.0, 4.0, 8.0, 0.0),
                    id=f"tab_{key}",
                    selected=chosen,
                    on_tap=choose,
                )
            )
        tabs = Node(
            "list",
            cells,
            axis="h",
            width=FILL,
            pad=(6.0, 0.0, 6.0, 0.0),
            bg="card",
            id="order_tabs",
            cls="android.widget.HorizontalScrollView",
        )
        box = Row(
            Icon("magnify", 20.0, "soft", hidden_from_tree=True),
            field(
                ctx,
                "order_search",
                hint=ctx.tr("order_search"),
                weight=1.0,
                style="bodyMedium",
                action="search",
                on_submit=lambda: ctx.focus(None),
            ),
            gap=8.0,
            width=FILL,
            height=38.0,
            radius=19.0,
            bg="pale",
            pad=(14.0, 0.0, 14.0, 0.0),
        )
        search = Node("box", (box,), width=FILL, bg="card", pad=(12.0, 0.0, 12.0, 6.0), hidden_from_tree=True)
        top = Node("col", (look.bar(ctx, ctx.tr("my_orders")), search, tabs), width=FILL)
        empty = look.empty("clipboard-text-outline", ctx.tr("orders_none"))
        query = ctx.field("order_search").strip()
        if tab == "aftersale":
            found = [row for row in aftersales.requests(ctx.phone) if query in store.name(row, ctx.language)]
            listed = LazyList(
                found, row=lambda row: _request_card(ctx, row), id="order_list", top_pad=10.0, empty=empty
            )
        else:
            orders = ordering.orders(ctx.phone, tab, query)
            listed = LazyList(
                orders, row=lambda order: self._card(ctx, order), id="order_list", top_pad=10.0, empty=empty
            )
        return Scaffold(Node("box", (listed,), width=FILL, bg="page"), top=top, bg="card")

    def _card(self, ctx: Context, order: Order) -> Node:
        items = ordering.items(ctx.phone, order["_id"])
        pieces = sum(item["quantity"] for item in items)
        brands = store.database(ctx.phone).rows(
            "SELECT DISTINCT p.* FROM order_items i JOIN products p ON p._id = i.product_id WHERE i.order_id = ? "
            "ORDER BY i._id LIMIT 1",
            order["_id"],
        )
        shop = cards.shop_name(ctx, brands[0]) if brands else ctx.tr("app_name")
        head = Row(
            Icon("storefront-outline", 20.0, "onSurface", hidden_from_tree=True),
            Text(shop, "titleSmall", max_lines=1, weight=1.0, id="shop_name"),
            Text(ctx.tr(f"status_{order['status']}"), "bodyMedium", "primary", max_lines=1, id="order_status"),
            gap=6.0,
            width=FILL,
            min_height=36.0,
        )
        total = Row(
            Space(weight=1.0),
            Text(ctx.tr("order_pieces", count=pieces), "bodySmall", "soft", max_lines=1),
            look.price(order["total_cents"], 18.0, "onSurface", id="order_total"),
            gap=6.0,
            width=FILL,
            align="baseline",
        )
        deeds = Row(*self.buttons(ctx, order), gap=8.0, width=FILL, justify="end")
        card = look.card(
            head,
            *(cards.line_item(ctx, item, size=64.0) for item in items),
            total,
            deeds,
            gap=4.0,
            id="order_card",
            pad=(12.0, 6.0, 12.0, 12.0),
            on_tap=ctx.open("order", order=order["_id"]),
        )
        return Node("col", (card, Space(height=10.0)), width=FILL, hidden_from_tree=True)


def _request_card(ctx: Context, row: Order) -> Node:
    head = Row(
        Icon("cash-refund", 20.0, "primary", hidden_from_tree=True),
        Text(ctx.tr(f"after_{row['kind']}"), "titleSmall", weight=1.0, max_lines=1),
        Text(ctx.tr(f"after_state_{row['state']}"), "bodyMedium", "primary", max_lines=1, id="after_state"),
        gap=6.0,
        width=FILL,
        min_height=36.0,
    )
    money = Row(
        Space(weight=1.0),
        Text(ctx.tr("after_amount"), "bodySmall", "soft", max_lines=1),
        look.price(row["amount_cents"], 18.0, "onSurface"),
        gap=6.0,
        width=FILL,
        align="baseline",
    )
    card = look.card(
        head,
        cards.line_item(ctx, row, size=64.0),
        money,
        gap=4.0,
        id="after_card",
        on_tap=ctx.open("aftersale", request=row["_id"]),
    )
    return Node("col", (card, Space(height=10.0)), width=FILL, hidden_from_tree=True)
