"""The home tab: where to deliver to, today's deals, what was bought and looked at."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Row, Text


def build(ctx: Context) -> tuple[Node, Node]:
    """The search bar, and the page under it."""
    name = Text(
        ctx.tr("app_name"), "titleLarge", "onHeader", text_weight=700, max_lines=1, hidden_from_tree=True, size_sp=21.0
    )
    brand = Row(Icon("tree", 24.0, "action", hidden_from_tree=True), name, gap=4.0, height=38.0, id="brand")
    top = Node(
        "col",
        (
            Row(brand, width=FILL, justify="start"),
            Row(look.search_box(ctx), width=FILL),
        ),
        gap=4.0,
        width=FILL,
        bg="header",
        pad=(16.0, 4.0, 16.0, 10.0),
    )
    deals = store.list_products(ctx.phone, {"filters": ["deal"], "sort": "best"})
    parts = [
        _deliver_to(ctx),
        _hero(ctx),
        look.gap(),
        _strip(ctx, "home_deals", deals[:10], ctx.open("deals"), "deals_all", sale=True),
    ]
    bought = list({row["_id"]: row for row in store.bought(ctx.phone)}.values())
    if bought:
        again = ctx.open("orders", tab="again")
        parts += [look.gap(), _strip(ctx, "home_again", bought[:10], again, "again_all")]
    parts += [look.gap(), _departments(ctx)]
    seen = store.viewed(ctx.phone)
    if seen:
        parts += [look.gap(), _strip(ctx, "home_viewed", seen, None, "")]
    new = store.list_products(ctx.phone, {"sort": "newest"})
    parts += [
        look.gap(),
        _strip(ctx, "home_new", new[:10], ctx.open("results", sort="newest"), "new_all"),
        look.gap(12.0),
    ]
    return top, Node("box", (LazyList(parts, id="home_list"),), width=FILL, bg="page", hidden_from_tree=True)


def _deliver_to(ctx: Context) -> Node:
    found = store.address(ctx.phone)
    text = ctx.tr("deliver_none")
    if found is not None:
        text = ctx.tr("deliver_to", name=found["name"].split()[0], place=f"{found['city']} {found['zip']}")
    return Row(
        Icon("map-marker-outline", 20.0, "onPrimaryContainer", hidden_from_tree=True),
        Text(text, "bodyMedium", "onPrimaryContainer", max_lines=1, weight=1.0, id="deliver_text"),
        Icon("chevron-down", 20.0, "onPrimaryContainer", hidden_from_tree=True),
        gap=6.0,
        width=FILL,
        min_height=44.0,
        pad=(16.0, 0.0, 16.0, 0.0),
        bg="primaryContainer",
        id="deliver_to",
        on_tap=ctx.open("addresses"),
    )


def _hero(ctx: Context) -> Node:
    text = Node(
        "col",
        (
            Text(ctx.tr("hero_title"), "headlineSmall", "#FFFFFF", text_weight=700, max_lines=3, id="hero_title"),
            Text(ctx.tr("hero_text"), "bodyMedium", "#E4F0EA", max_lines=3, id="hero_text"),
            look.button(ctx.tr("hero_button"), ctx.open("department", department="garden"), "hero_button", height=36.0),
        ),
        gap=8.0,
        weight=1.0,
        align="start",
    )
    picture = look.picture("product/watering-can/#3E8E6B", 116.0)
    return Row(text, picture, gap=12.0, width=FILL, bg="#2C6B57", pad=(16.0, 18.0, 16.0, 18.0), id="hero")


def tile(ctx: Context, product: store.Row, sale: bool = False) -> Node:
    """A product in a row of pictures."""
    parts: list[Node] = [
        look.picture(product["picture"], 132.0),
        Text(product["name"], "bodyMedium", max_lines=2, width=FILL, id="title"),
    ]
    percent = look.off(product)
    if sale and percent:
        mark = Text(ctx.tr("off", percent=percent), "labelMedium", "#FFFFFF", max_lines=1, hidden_from_tree=True)
        parts.append(Row(mark, bg="#B3261E", radius=4.0, pad=(6.0, 2.0, 6.0, 2.0), id="off", text=mark.text))
    parts.append(look.price(product["price_cents"], 18.0))
    return Node(
        "col",
        parts,
        gap=4.0,
        width=132.0,
        align="start",
        id="product_tile",
        desc=product["name"],
        on_tap=ctx.open("detail", product=product["_id"]),
    )


def _strip(
    ctx: Context, key: str, products: list[store.Row], all_of_it: Handler | None, id: str, sale: bool = False
) -> Node:
    more = look.link(ctx.tr("see_all"), all_of_it, id) if all_of_it is not None else None
    head = Node("col", (look.title(ctx.tr(key), more),), width=FILL, pad=(16.0, 6.0, 16.0, 0.0))
    rows = Node(
        "list",
        [tile(ctx, product, sale) for product in products],
        axis="h",
        gap=12.0,
        width=FILL,
        pad=(16.0, 0.0, 16.0, 0.0),
        id=f"{key}_list",
        cls="android.widget.HorizontalScrollView",
    )
    return Node("col", (head, rows), gap=6.0, width=FILL, bg="card", pad=(0.0, 6.0, 0.0, 14.0))


def _departments(ctx: Context) -> Node:
    chips = []
    for entry in store.departments()[:6]:
        chips.append(
            Node(
                "row",
                (
                    look.picture(entry["picture"], 40.0),
                    Text(entry[ctx.language], "bodyMedium", max_lines=2, weight=1.0, hidden_from_tree=True),
                ),
                gap=10.0,
                weight=1.0,
                min_height=56.0,
                radius=8.0,
                border=1.0,
                pad=(8.0, 6.0, 8.0, 6.0),
                id="home_department",
                text=entry[ctx.language],
                on_tap=ctx.open("department", department=entry["key"]),
            )
        )
    rows = [Row(*chips[at : at + 2], gap=10.0, width=FILL, align="stretch") for at in range(0, len(chips), 2)]
    return look.section(look.title(ctx.tr("home_departments")), *rows, gap=10.0)
