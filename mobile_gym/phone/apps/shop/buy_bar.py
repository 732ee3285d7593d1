"""The bar at the bottom of a product's page."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import look, store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, Row, Text, fitting

Product = dict[str, Any]
SMALL = 46.0
"""Least width of the small buttons."""


def buy_bar(ctx: Context, found: Product, rows: list[Product]) -> Node:
    """The shop, its service and the favourites as small buttons, and what buys the product."""
    key = found["_id"]
    liked = store.is_favourite(ctx.phone, key)

    def like() -> None:
        store.set_favourite(ctx.phone, key, not liked)
        ctx.toast(ctx.tr("favourite_removed" if liked else "favourite_added"))

    def small(icon: str, label: str, on_tap: Handler, id: str, color: str = "onSurfaceVariant") -> Node:
        return Node(
            "col",
            (
                Icon(icon, 22.0, color, hidden_from_tree=True),
                Text(label, "labelSmall", "onSurfaceVariant", max_lines=1, text_weight=400),
            ),
            align="center",
            justify="center",
            min_width=SMALL,
            min_height=48.0,
            id=id,
            desc=label,
            on_tap=on_tap,
        )

    parts = [
        small("storefront-outline", ctx.tr("shop"), ctx.open("shop", brand=found["brand"]), "bottom_shop"),
        small("headset", ctx.tr("service_chat"), ctx.open("chat", brand=found["brand"], product=key), "bottom_service"),
        small(
            "heart" if liked else "heart-outline",
            ctx.tr("favourited" if liked else "favourite"),
            like,
            "bottom_favourite",
            "primary" if liked else "onSurfaceVariant",
        ),
    ]
    if found["stock"] and rows:
        cart, buy = ctx.show("variant", product=key, mode="cart"), ctx.show("variant", product=key, mode="buy")
        deeds = [
            look.pill(ctx.tr("deed_cart"), cart, "add_to_cart", "amber", 44.0),
            look.pill(ctx.tr("deed_buy"), buy, "buy_now", height=44.0),
        ]
    else:
        deeds = [look.pill(ctx.tr("sold_out"), None, "sold_out", height=44.0, enabled=False)]
    # A label stays on one line: the buttons share the room by their labels, and where text is too large for
    # the small ones beside them, they have a row of their own.
    needs = [fitting.width_of(ctx, deed.text, "labelLarge") + 14.0 for deed in deeds]
    deeds = [deed.replace(pad=(6.0, 4.0, 6.0, 4.0), weight=need) for deed, need in zip(deeds, needs, strict=True)]
    taken = sum(max(SMALL, fitting.width_of(ctx, part.desc, "labelSmall")) + 4.0 for part in parts)
    if taken + sum(needs) + 4.0 * len(deeds) <= look.width_dp(ctx) - 24.0:
        return look.footer(*parts, *deeds, gap=4.0)
    first = Row(*(part.replace(weight=1.0) for part in parts), width=FILL, pad=(12.0, 4.0, 12.0, 0.0))
    return Node("col", (first, look.footer(*deeds, gap=4.0)), width=FILL, bg="card")
