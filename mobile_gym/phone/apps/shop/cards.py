"""Products as cards: two columns, a list, a strip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from mobile_gym.phone.apps.shop import look, store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, Row, Space, Text

MARGIN, GUTTER = 12.0, 9.0
Product = dict[str, Any]
_T = TypeVar("_T")


def sold(ctx: Context, count: int) -> str:
    """How often a product was sold, as shops say it."""
    if count < 10_000:
        return ctx.tr("sold", count=f"{count}")
    if ctx.language == "zh":
        return ctx.tr("sold", count=f"{look.yuan(count // 1000 * 10)} {ctx.tr('ten_thousand')}")
    return ctx.tr("sold", count=f"{count / 1000:.1f}k")


def shop_name(ctx: Context, row: Product) -> str:
    """Name of the shop that sells a product: its brand's, self-operated (a tag says so) or not."""
    return ctx.tr("brand_shop", brand=row[f"brand_{ctx.language}"])


def grid_card(ctx: Context, product: Product) -> Node:
    """A card of the two columns; a tap opens the product, one on the shop's name its page."""
    width = (look.width_dp(ctx) - 2 * MARGIN - GUTTER) / 2
    key = product["_id"]
    shop = Row(
        Text(shop_name(ctx, product), "bodySmall", "soft", max_lines=1, weight=1.0, id="shop_name"),
        Icon("chevron-right", 16.0, "soft", hidden_from_tree=True),
        width=FILL,
        min_height=28.0,
        id="shop_entry",
        on_tap=ctx.open("shop", brand=product["brand"]),
    )
    bought = Text(sold(ctx, product["sales"]), "bodySmall", "soft", max_lines=1, id="sales", weight=1.0)
    name = store.name(product, ctx.language)
    texts = Node(
        "col",
        (
            Node("col", (Text(name, "bodyMedium", "onSurface", max_lines=2, id="title"),), min_height=40.0),
            Row(*look.tags(ctx, product, width - 18.0), gap=4.0, min_height=17.0),
            Row(look.price(product["price_cents"]), bought, gap=8.0, align="baseline", width=FILL),
            shop,
        ),
        gap=4.0,
        width=FILL,
        pad=(10.0, 8.0, 8.0, 4.0),
    )
    return Node(
        "col",
        (Node("picture", source=product["picture"], width=width, height=width, id="picture"), texts),
        width=width,
        bg="card",
        radius=10.0,
        clip_children=True,
        id="product_card",
        on_tap=ctx.open("detail", product=key),
    )


def grid_row(ctx: Context, pair: Sequence[Product]) -> Node:
    """Two cards side by side, as high as the higher one."""
    cards = [grid_card(ctx, product) for product in pair]
    return Node(
        "row", cards, gap=GUTTER, width=FILL, align="stretch", pad=(MARGIN, 0.0, MARGIN, GUTTER), hidden_from_tree=True
    )


def list_card(ctx: Context, product: Product, trailing: Node | None = None, **attributes: Any) -> Node:
    """A product as a row: the picture at the left."""
    attributes.setdefault("on_tap", ctx.open("detail", product=product["_id"]))
    bought = Text(sold(ctx, product["sales"]), "bodySmall", "soft", max_lines=1, id="sales", weight=1.0)
    texts = Node(
        "col",
        (
            Text(store.name(product, ctx.language), "bodyMedium", "onSurface", max_lines=2, id="title"),
            Row(
                *look.tags(ctx, product, look.width_dp(ctx) - 170.0 - (50.0 if trailing else 0.0)),
                gap=4.0,
                min_height=17.0,
            ),
            Row(look.price(product["price_cents"]), bought, gap=8.0, align="baseline", width=FILL),
            Text(shop_name(ctx, product), "bodySmall", "soft", max_lines=1, id="shop_name"),
        ),
        gap=5.0,
        weight=1.0,
    )
    parts = [look.picture(product["picture"], 110.0, id="picture"), texts]
    if trailing is not None:
        parts.append(trailing)
    inner = Node(
        "row",
        parts,
        gap=10.0,
        width=FILL,
        bg="card",
        radius=10.0,
        pad=(8.0, 8.0, 8.0, 8.0),
        id="product_card",
        **attributes,
    )
    return Node("box", (inner,), width=FILL, pad=(MARGIN, 0.0, MARGIN, GUTTER), hidden_from_tree=True)


def pairs(products: Sequence[_T]) -> list[list[_T]]:
    """Products, or their numbers, two by two."""
    return [list(products[at : at + 2]) for at in range(0, len(products), 2)]


def line_item(
    ctx: Context, line: Product, *, on_tap: Any = None, trailing: Node | None = None, size: float = 72.0
) -> Node:
    """A bought product in a row: picture, name, variant, price, pieces."""
    language = ctx.language
    texts = Node(
        "col",
        (
            Text(store.name(line, language), "bodyMedium", "onSurface", max_lines=2, id="title"),
            Text(line[f"variant_{language}"], "bodySmall", "soft", max_lines=1, id="variant"),
            Row(
                look.price(line["price_cents"], 16.0, "onSurface"),
                Space(weight=1.0),
                Text(f"\u00d7{line['quantity']}", "bodySmall", "soft", max_lines=1, id="count"),
                width=FILL,
            ),
        ),
        gap=3.0,
        weight=1.0,
    )
    parts = [look.picture(line["picture"], size, id="picture"), texts]
    if trailing is not None:
        parts.append(trailing)
    return Node("row", parts, gap=10.0, width=FILL, pad=(0.0, 6.0, 0.0, 6.0), align="start", on_tap=on_tap, id="item")
