"""A product's reviews."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Avatar, LazyList, Row, Text


def review_row(ctx: Context, row: store.Row) -> Node:
    """A review: who, how many stars, what they say."""
    who = Row(
        Avatar(row["author"][:1], 32.0, "#2C6B57"),
        Text(row["author"], "bodyMedium", text_weight=600, max_lines=1, weight=1.0, id="author"),
        Text(look.day(ctx, row["at"]), "bodySmall", "soft", max_lines=1, id="date"),
        gap=10.0,
        width=FILL,
    )
    title = Row(
        Row(*look.stars(row["stars"]), id="review_stars", desc=str(row["stars"])),
        Text(row["title"], "bodyMedium", text_weight=600, weight=1.0, max_lines=2, id="review_title"),
        gap=8.0,
        width=FILL,
    )
    parts = [who, title]
    if row["variant"]:
        parts.append(Text(row["variant"], "bodySmall", "soft", max_lines=1, id="variant"))
    if row["text"]:
        parts.append(Text(row["text"], "bodyMedium", width=FILL, id="review_text"))
    return Node("col", parts, gap=6.0, width=FILL, id="review")


class Reviews(Screen):
    """All reviews of a product, those of some stars only if asked for. Argument: `product`."""

    name = "reviews"
    activity = ".ReviewsActivity"

    def on_open(self, ctx: Context) -> None:
        """All stars."""
        ctx.ui["stars"] = 0

    def build(self, ctx: Context) -> Node:
        """How they are spread over the stars, then each."""
        key = str(ctx.args.get("product") or 0)
        found = store.product(ctx.phone, int(key) if key.isdigit() else 0)
        top = look.bar(ctx, ctx.tr("reviews"), look.cart_button(ctx))
        if found is None:
            return look.page(ctx, Node("box", (look.empty("package-variant-closed", ctx.tr("gone")),)), top)
        rows = store.database(ctx.phone).rows(
            "SELECT * FROM reviews WHERE product_id = ? ORDER BY at DESC, _id DESC", found["_id"]
        )
        bars = [self._bar(ctx, stars, rows) for stars in range(5, 0, -1)]
        parts: list[Node] = [
            look.section(
                Text(found["name"], "titleMedium", max_lines=2, id="title"), look.rating_row(found), *bars, gap=4.0
            )
        ]
        wanted = ctx.ui["stars"]
        shown = [row for row in rows if not wanted or row["stars"] == wanted]
        for row in shown:
            parts += [look.gap(), look.section(review_row(ctx, row))]
        if not shown:
            parts.append(look.empty("star-outline", ctx.tr("reviews_none")))
        return look.page(ctx, LazyList(parts, id="review_list", bottom_pad=8.0), top)

    def _bar(self, ctx: Context, stars: int, rows: list[store.Row]) -> Node:
        count = sum(row["stars"] == stars for row in rows)
        share = count / max(len(rows), 1)
        chosen = ctx.ui["stars"] == stars

        def choose() -> None:
            ctx.ui["stars"] = 0 if chosen else stars

        handle: Handler = choose
        full = Node("space", weight=max(share, 0.001), height=10.0, radius=5.0, bg="star", hidden_from_tree=True)
        rest = Node("space", weight=max(1.0 - share, 0.001), height=10.0, hidden_from_tree=True)
        track = Row(
            full, rest, weight=1.0, height=10.0, radius=5.0, bg="surfaceContainerHighest", hidden_from_tree=True
        )
        name = ctx.tr("stars_of", count=stars)
        return Row(
            Text(name, "bodyMedium", "link", text_weight=700 if chosen else 0, min_width=56.0, max_lines=1),
            track,
            Text(str(count), "bodyMedium", "soft", min_width=20.0, text_align="end", max_lines=1),
            gap=10.0,
            width=FILL,
            min_height=40.0,
            pad=(8.0, 0.0, 8.0, 0.0),
            radius=8.0,
            bg="primaryContainer" if chosen else None,
            id=f"stars_{stars}",
            selected=chosen,
            on_tap=handle,
        )
