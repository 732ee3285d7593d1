"""The departments: their tab, the page of each with its aisles, and the page of today's deals."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, store
from mobile_gym.phone.apps.oakridge.home import tile
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Row, Text


def build(ctx: Context) -> tuple[Node, Node]:
    """The tab: a tile for each department, two side by side."""
    top = Row(look.search_box(ctx), width=FILL, bg="header", pad=(16.0, 6.0, 16.0, 10.0))
    tiles = [_tile(ctx, entry) for entry in store.departments()]
    deals = _tile(
        ctx, {"zh": ctx.tr("home_deals"), "en": ctx.tr("home_deals"), "picture": "product/tag/#B3261E", "key": ""}
    )
    tiles.append(deals.replace(on_tap=ctx.open("deals"), id="departments_deals"))
    rows: list[Node] = [
        Text(
            ctx.tr("departments_title"),
            "titleLarge",
            text_weight=700,
            pad=(16.0, 14.0, 16.0, 4.0),
            width=FILL,
            id="departments_title",
        )
    ]
    for at in range(0, len(tiles), 2):
        pair = tiles[at : at + 2]
        rows.append(Row(*pair, gap=12.0, width=FILL, pad=(16.0, 0.0, 16.0, 0.0), align="stretch"))
    body = LazyList(rows, id="department_list", gap=12.0, bottom_pad=4.0)
    return top, Node("box", (body,), width=FILL, bg="page", hidden_from_tree=True)


def _tile(ctx: Context, entry: store.Row) -> Node:
    name = entry[ctx.language]
    return Node(
        "row",
        (
            Text(name, "titleMedium", text_weight=600, max_lines=3, weight=1.0, hidden_from_tree=True),
            look.picture(entry["picture"], 64.0 / look.font_scale(ctx)),  # room for larger words
        ),
        gap=6.0,
        weight=1.0,
        min_height=88.0,
        bg="card",
        radius=8.0,
        pad=(12.0, 10.0, 10.0, 10.0),
        id=f"department_{entry['key']}",
        text=name,
        on_tap=ctx.open("department", department=entry["key"]),
    )


class Department(Screen):
    """A department's aisles and best sellers. Argument: `department`."""

    name = "department"
    activity = ".DepartmentActivity"

    def on_open(self, ctx: Context) -> None:
        """The first department where none is named."""
        keys = [entry["key"] for entry in store.departments()]
        wanted = str(ctx.args.get("department"))
        ctx.ui["department"] = wanted if wanted in keys else keys[0]
        self.on_resume(ctx)

    def on_resume(self, ctx: Context) -> None:
        """No list is in force on this page."""
        store.end_list(ctx, self.name)

    def build(self, ctx: Context) -> Node:
        """Aisles, one under the other, and what sells best."""
        key = ctx.ui["department"]
        entry = next(one for one in store.departments() if one["key"] == key)
        top = look.bar(ctx, entry[ctx.language], _search_button(ctx), look.cart_button(ctx))
        rows = [self._row(ctx, ctx.tr("shop_all", name=entry[ctx.language]), "", "shop_all")]
        for aisle in entry["aisles"]:
            rows += [look.divider(), self._row(ctx, aisle[ctx.language], aisle["key"], f"aisle_{aisle['key']}")]
        best = store.list_products(ctx.phone, {"department": key, "sort": "best"})[:8]
        strip = Node(
            "list",
            [tile(ctx, product) for product in best],
            axis="h",
            gap=12.0,
            width=FILL,
            pad=(16.0, 0.0, 16.0, 0.0),
            id="best_list",
            cls="android.widget.HorizontalScrollView",
        )
        head = Node("col", (look.title(ctx.tr("best_sellers")),), width=FILL, pad=(16.0, 0.0, 16.0, 0.0))
        parts = [
            Node("col", rows, width=FILL, bg="card"),
            look.gap(),
            Node("col", (head, strip), gap=10.0, width=FILL, bg="card", pad=(0.0, 14.0, 0.0, 16.0)),
        ]
        return look.page(ctx, LazyList(parts, id="aisle_list"), top)

    def _row(self, ctx: Context, name: str, aisle: str, id: str) -> Node:
        weight = 0 if aisle else 700
        return Row(
            Text(name, "bodyLarge", text_weight=weight, weight=1.0, id="title"),
            Icon("chevron-right", 22.0, "outline", hidden_from_tree=True),
            width=FILL,
            min_height=54.0,
            pad=(16.0, 8.0, 12.0, 8.0),
            id=id,
            on_tap=ctx.open("results", department=ctx.ui["department"], aisle=aisle),
        )


class Deals(Screen):
    """Today's deals, the largest first."""

    name = "deals"
    activity = ".DealsActivity"

    def on_open(self, ctx: Context) -> None:
        """No list is in force on this page."""
        store.end_list(ctx, self.name)

    def on_resume(self, ctx: Context) -> None:
        """No list is in force on this page."""
        store.end_list(ctx, self.name)

    def build(self, ctx: Context) -> Node:
        """Pairs of products, with how much they are off."""
        found = store.list_products(ctx.phone, {"filters": ["deal"]})
        found.sort(key=lambda product: (-look.off(product), product["_id"]))
        width = (look.width_dp(ctx) - 44.0) / 2
        pairs = [found[at : at + 2] for at in range(0, len(found), 2)]

        def row(pair: list[store.Row]) -> Node:
            cells = [self._cell(ctx, product, width) for product in pair]
            return Row(*cells, gap=12.0, width=FILL, pad=(16.0, 0.0, 16.0, 12.0), align="stretch")

        top = look.bar(ctx, ctx.tr("home_deals"), _search_button(ctx), look.cart_button(ctx))
        return look.page(ctx, LazyList(pairs, row=row, id="deal_list", top_pad=12.0), top)

    def _cell(self, ctx: Context, product: store.Row, width: float) -> Node:
        parts = (
            look.picture(product["picture"], width - 20.0),
            Row(
                Text(
                    ctx.tr("off", percent=look.off(product)),
                    "labelMedium",
                    "#FFFFFF",
                    max_lines=1,
                    hidden_from_tree=True,
                ),
                bg="#B3261E",
                radius=4.0,
                pad=(6.0, 2.0, 6.0, 2.0),
                id="off",
                text=ctx.tr("off", percent=look.off(product)),
            ),
            Text(product["name"], "bodyMedium", max_lines=2, width=FILL, id="title"),
            look.price(product["price_cents"], 20.0),
            Text(ctx.tr("list_price", price=look.money(product["list_cents"])), "bodySmall", "soft", id="list_price"),
        )
        return Node(
            "col",
            parts,
            gap=4.0,
            align="start",
            width=width,
            bg="card",
            radius=8.0,
            pad=10.0,
            id="deal_card",
            desc=product["name"],
            on_tap=ctx.open("detail", product=product["_id"]),
        )


def _search_button(ctx: Context) -> Node:
    glyph = Icon("magnify", 24.0, "onHeader", place="center-center", hidden_from_tree=True)
    return Node(
        "box",
        (glyph,),
        width=48.0,
        height=48.0,
        id="open_search",
        desc=ctx.tr("search"),
        on_tap=ctx.open("search"),
        cls="android.widget.ImageButton",
    )
