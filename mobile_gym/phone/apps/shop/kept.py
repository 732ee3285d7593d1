"""Coupons, favourites and footprints."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import cards, look, ordering, store
from mobile_gym.phone.apps.shop.sheets import claim_button, coupon_card, day_text
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, IconButton, LazyList, Row, Scaffold, Space, Tabs, Text, TextButton

STATES = ("available", "used", "expired")


class Coupons(Screen):
    """The user's coupons: available, used, expired."""

    name = "coupons"
    activity = ".CouponListActivity"

    def build(self, ctx: Context) -> Node:
        """Tabs over the coupons."""
        at = int(ctx.ui.get("tab", 0))
        rows = ordering.my_coupons(ctx.phone, STATES[at])
        data = store.database(ctx.phone)
        labels = []
        for state in STATES:
            count = int(data.value("SELECT COUNT(*) FROM my_coupons WHERE status = ?", state))
            labels.append(ctx.tr(f"coupons_{state}", count=count))

        def use(coupon: dict[str, Any]) -> Handler:
            scope, value = coupon["scope"], coupon["scope_value"]
            if scope == "category":
                return ctx.open("results", category=value)
            if scope == "shop":
                return ctx.open("shop", brand=value)
            if scope == "product":
                return ctx.open("detail", product=int(value))
            return ctx.open("main", tab="home")

        def row(coupon: dict[str, Any]) -> Node:
            until = ctx.tr("coupon_until", date=day_text(ctx, coupon["expires_at"]))
            button = look.pill(ctx.tr("coupon_use"), use(coupon), "coupon_use", height=30.0) if at == 0 else None
            return coupon_card(ctx, coupon, until, button, faded=at > 0)

        listed = LazyList(
            rows,
            row=row,
            id="my_coupon_list",
            top_pad=10.0,
            empty=look.empty("ticket-percent-outline", ctx.tr("coupons_none")),
        )
        center = TextButton(ctx.tr("coupon_center"), ctx.open("coupon_center"), id="coupon_center")
        tabs = Tabs(labels, at, lambda number: ctx.ui.update(tab=number))
        top = Node("col", (look.bar(ctx, ctx.tr("my_coupons"), center), tabs), width=FILL, bg="card")
        return Scaffold(Node("box", (listed,), width=FILL, bg="page"), top=top, bg="card")


class CouponCenter(Screen):
    """Coupons that can be claimed."""

    name = "coupon_center"
    activity = ".CouponCenterActivity"

    def build(self, ctx: Context) -> Node:
        """All of them, the largest first."""
        rows = store.database(ctx.phone).rows("SELECT * FROM coupons WHERE claimable = 1 ORDER BY off_cents DESC, _id")

        def row(coupon: dict[str, Any]) -> Node:
            until = ctx.tr("coupon_days", days=coupon["days"])
            return coupon_card(ctx, coupon, until, claim_button(ctx, coupon))

        listed = LazyList(rows, row=row, id="coupon_center_list", top_pad=10.0)
        mine = TextButton(ctx.tr("my_coupons"), ctx.open("coupons"), id="my_coupons")
        body = Node("box", (listed,), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("coupon_center"), mine), bg="card")


class Kept(Screen):
    """A list of products that the user kept, or left by looking at them."""

    table = ""
    """The table that the list is of; its name is the key of its title too."""

    def build(self, ctx: Context) -> Node:
        """Products; several can be chosen and deleted."""
        rows = store.saved_products(ctx.phone, self.table)
        editing = bool(ctx.ui.get("editing"))
        chosen = [key for key in ctx.ui.get("chosen", []) if any(row["_id"] == key for row in rows)]

        def start() -> None:
            ctx.ui.update(editing=not editing, chosen=[])

        def toggle(key: int) -> Handler:
            def handle() -> None:
                ctx.ui["chosen"] = [k for k in chosen if k != key] if key in chosen else [*chosen, key]

            return handle

        def row(product: dict[str, Any]) -> Node:
            key = product["_id"]
            if editing:
                mark = look.check(key in chosen, None, "kept_check")
                card = cards.list_card(ctx, product, mark, on_tap=toggle(key))
            else:
                card = cards.list_card(ctx, product, self._trailing(ctx, product))
            if product.get("day"):
                label = Text(product["day"], "titleSmall", pad=(16.0, 4.0, 16.0, 8.0), id="kept_day")
                return Node("col", (label, card), width=FILL, hidden_from_tree=True)
            return card

        if self.table == "footprints":
            days = [day_text(ctx, one["at"]) for one in rows]
            rows = [
                {**one, "day": day if number == 0 or day != days[number - 1] else ""}
                for number, (one, day) in enumerate(zip(rows, days, strict=True))
            ]
        actions = (
            [TextButton(ctx.tr("done" if editing else "cart_manage"), start, id="kept_edit", color="onSurface")]
            if rows
            else []
        )
        listed = LazyList(
            rows,
            row=row,
            id="kept_list",
            top_pad=10.0,
            empty=look.empty(
                "heart-outline" if self.table == "favourites" else "shoe-print", ctx.tr(f"{self.table}_none")
            ),
        )
        bottom = None
        if editing and rows:
            every = [one["_id"] for one in rows]
            full = len(chosen) == len(every)
            all_check = Row(
                look.check(
                    full, lambda: ctx.ui.update(chosen=[] if full else every), "select_all_check", ctx.tr("select_all")
                ),
                Text(ctx.tr("select_all"), "bodyMedium", max_lines=1),
            )
            delete = look.pill(
                ctx.tr("delete"), ctx.show("delete_kept", keys=chosen), "kept_delete", "red", enabled=bool(chosen)
            )
            bottom = look.footer(all_check, Space(weight=1.0), delete)
        body = Node("box", (listed,), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr(self.table), *actions), bottom=bottom, bg="card")

    def _trailing(self, ctx: Context, product: dict[str, Any]) -> Node:
        key = product["_id"]
        return IconButton(
            "cart-plus",
            ctx.open("detail", product=key),
            ctx.tr("deed_cart"),
            id="kept_cart",
            color="primary",
            size=40.0,
        )

    def overlay_delete_kept(self, ctx: Context, keys: list[int]) -> Node:
        """Asks before they are deleted."""

        def act() -> None:
            for key in keys:
                store.database(ctx.phone).execute(f"DELETE FROM {self.table} WHERE product_id = ?", key)
            ctx.ui.update(editing=False, chosen=[])

        return Dialog(
            ctx,
            body=ctx.tr(f"{self.table}_delete_ask", count=len(keys)),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act))),
        )


class Favourites(Kept):
    """Products that the user likes."""

    name = "favourites"
    activity = ".FavouriteListActivity"
    table = "favourites"


class Footprints(Kept):
    """Products that were looked at."""

    name = "footprints"
    activity = ".FootprintListActivity"
    table = "footprints"
