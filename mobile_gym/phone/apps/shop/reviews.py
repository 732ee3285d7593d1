"""Reviews of a product, with filters."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import look, store
from mobile_gym.phone.apps.shop.sheets import day_text
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Disc, LazyList, Row, Scaffold, Text

FILTERS = {
    "all": "1",
    "good": "stars >= 4",
    "middle": "stars = 3",
    "bad": "stars <= 2",
    "picture": "picture <> ''",
    "own": "own = 1",
}


def review_row(ctx: Context, row: dict[str, Any]) -> Node:
    """A review: who, stars, text, picture, what was bought and when."""
    who = ctx.tr("anonymous") if row["anonymous"] else row["author"]
    parts = [
        Row(
            Disc("account", 30.0, "pale", "soft", 18.0, hidden_from_tree=True),
            Text(who, "bodyMedium", "onSurfaceVariant", max_lines=1, id="review_author"),
            look.stars(row["stars"]),
            gap=8.0,
            width=FILL,
        ),
        Text(row[f"text_{ctx.language}"], "bodyMedium", id="review_text", width=FILL),
    ]
    if row["picture"]:
        parts.append(look.picture(row["picture"], 84.0, id="review_picture"))
    detail = f"{day_text(ctx, row['at'])}  {row[f'variant_{ctx.language}']}"
    parts.append(Text(detail, "bodySmall", "soft", max_lines=1, id="review_detail"))
    return Node("col", parts, gap=5.0, width=FILL, pad=(0.0, 8.0, 0.0, 8.0), id="review")


class Reviews(Screen):
    """All reviews of a product. Argument: `product`."""

    name = "reviews"
    activity = ".ReviewListActivity"

    def build(self, ctx: Context) -> Node:
        """Chips over the list."""
        product = int(ctx.args.get("product") or 0)
        data = store.database(ctx.phone)
        kind = str(ctx.ui.get("filter", "all"))
        newest = bool(ctx.ui.get("newest"))

        def choose(key: str) -> Handler:
            return ctx.set_ui("filter", key)

        chips = []
        for key, condition in FILTERS.items():
            count = int(data.value(f"SELECT COUNT(*) FROM reviews WHERE product_id = ? AND {condition}", product))
            if count or key != "own":
                label = ctx.tr(f"review_{key}", count=count)
                chips.append(look.chip(label, key == kind, choose(key), f"review_{key}"))
        chips.append(look.chip(ctx.tr("review_newest"), newest, ctx.toggle_ui("newest"), "review_newest"))
        bar = Node(
            "list",
            chips,
            axis="h",
            gap=8.0,
            width=FILL,
            pad=(12.0, 4.0, 12.0, 10.0),
            id="review_chips",
            bg="card",
            cls="android.widget.HorizontalScrollView",
        )
        order = "at DESC, _id" if newest else "stars DESC, at DESC, _id"
        rows = data.rows(f"SELECT * FROM reviews WHERE product_id = ? AND {FILTERS[kind]} ORDER BY {order}", product)

        def row(review: dict[str, Any]) -> Node:
            return look.card(review_row(ctx, review), margin=0.0, pad=(16.0, 4.0, 16.0, 4.0))

        listed = LazyList(
            rows,
            row=row,
            id="review_list",
            gap=8.0,
            top_pad=0.0,
            empty=look.empty("comment-text-outline", ctx.tr("reviews_none")),
        )
        top = Node("col", (look.bar(ctx, ctx.tr("reviews")), bar), width=FILL)
        return Scaffold(Node("box", (listed,), width=FILL, bg="page"), top=top, bg="card")
