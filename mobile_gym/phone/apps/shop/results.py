"""Lists of products: of a search, a category or a shop, with orders and filters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.shop import cards, look, store
from mobile_gym.phone.apps.shop.filters import FilterSheet, cents
from mobile_gym.phone.apps.shop.sheets import close_row
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, LazyList, Row, Scaffold, Sheet, Space, Text

QUICK = ("free_shipping", "next_day", "self_operated", "in_stock")
STATE = ("query", "category", "sub", "brand", "sort", "price_min", "price_max")
"""Plain values of a list's screen that the session shows as they are; `filters` is a list there."""


class ProductList(FilterSheet):
    """A list with a bar of orders. Its plain values: those of `STATE`, `filters` and `view` (grid or list)."""

    def start(self, ctx: Context, **state: Any) -> None:
        """Sets the list's state, and tells the session."""
        first = {"query": "", "category": "", "sub": "", "brand": "", "sort": "default", "filters": [], "view": "grid"}
        ctx.ui.update({**first, "price_min": None, "price_max": None, **state})
        self.tell(ctx)

    def tell(self, ctx: Context) -> None:
        """Writes the list's state to the session."""
        values = {key: ctx.ui[key] for key in STATE}
        count = len(store.list_products(ctx.phone, ctx.ui))
        store.note(
            ctx,
            self.name,
            **values,
            filters=",".join(ctx.ui["filters"]),
            view=ctx.ui["view"],
            results=count,
            opened_product=None,
        )

    def change(self, ctx: Context, **state: Any) -> None:
        """Changes the list's state; the list is shown from its top."""
        ctx.ui.update(state)
        ctx.record["scroll"].pop("product_list", None)
        self.tell(ctx)

    def on_resume(self, ctx: Context) -> None:
        """The list is in force again."""
        self.tell(ctx)

    # ---- orders and quick filters

    def sort_bar(self, ctx: Context) -> Node:
        """Default, sales, price, newest, and the filter sheet."""
        sort = ctx.ui["sort"]

        def cell(key: str, label: str, chosen: bool, icon: str, on_tap: Handler) -> Node:
            ink = "primary" if chosen else "onSurface"
            parts = [
                Text(label, "bodyMedium", ink, text_weight=600 if chosen else 0, max_lines=1, hidden_from_tree=True)
            ]
            if icon:
                parts.append(Icon(icon, 16.0, ink, hidden_from_tree=True))
            return Row(
                *parts,
                gap=1.0,
                weight=1.0,
                min_height=44.0,
                justify="center",
                id=f"sort_{key}",
                text=label,
                selected=chosen,
                on_tap=on_tap,
                cls="android.widget.TextView",
            )

        leading = sort if sort in ("default", "rating") else "default"
        price_icon = {"price_asc": "chevron-up", "price_desc": "chevron-down"}.get(sort, "unfold-more-horizontal")
        next_price = "price_desc" if sort == "price_asc" else "price_asc"
        active = bool(ctx.ui["filters"]) or ctx.ui["price_min"] is not None or ctx.ui["price_max"] is not None
        return Row(
            cell("default", ctx.tr(f"sort_{leading}"), sort in ("default", "rating"), "menu-down", ctx.show("sort")),
            cell("sales", ctx.tr("sort_sales"), sort == "sales", "", lambda: self.change(ctx, sort="sales")),
            cell(
                "price",
                ctx.tr("sort_price"),
                sort.startswith("price"),
                price_icon,
                lambda: self.change(ctx, sort=next_price),
            ),
            cell("newest", ctx.tr("sort_newest"), sort == "newest", "", lambda: self.change(ctx, sort="newest")),
            Node("space", width=1.0, height=18.0, bg="outlineVariant", hidden_from_tree=True),
            cell("filter", ctx.tr("filter"), active, "filter-outline", ctx.show("filter")),
            width=FILL,
            bg="card",
            id="sort_bar",
        )

    def chip_bar(self, ctx: Context) -> Node:
        """Filters that one tap sets, and those that are in force."""
        chosen = ctx.ui["filters"]

        def toggle(key: str) -> Handler:
            return lambda: self.change(
                ctx, filters=sorted(f for f in chosen if f != key) if key in chosen else sorted([*chosen, key])
            )

        chips = [look.chip(ctx.tr(f"flag_{key}"), key in chosen, toggle(key), f"chip_{key}") for key in QUICK]
        for text in chosen:
            if text.startswith("brand:"):
                found = store.brand(ctx.phone, text.removeprefix("brand:"))
                label = found[f"name_{ctx.language}"] if found else text
                chips.append(look.chip(label, True, toggle(text), "chip_brand", "close"))
        low, high = ctx.ui["price_min"], ctx.ui["price_max"]
        if low is not None or high is not None:

            def clear() -> None:
                ctx.set_field("price_min", "")
                ctx.set_field("price_max", "")
                self.change(ctx, price_min=None, price_max=None)

            label = f"{look.money(low or 0)}\u2013{look.money(high) if high is not None else ''}"
            chips.append(look.chip(label, True, clear, "chip_price", "close"))
        chips.append(look.chip(ctx.tr("brand"), False, ctx.show("filter"), "chip_brands", "menu-down"))
        return Node(
            "list",
            chips,
            axis="h",
            gap=8.0,
            width=FILL,
            pad=(12.0, 4.0, 12.0, 10.0),
            bg="card",
            id="filter_chips",
            cls="android.widget.HorizontalScrollView",
        )

    def overlay_sort(self, ctx: Context) -> Node:
        """All orders."""

        def choose(key: str) -> Handler:
            return ctx.then_dismiss(lambda: self.change(ctx, sort=key))

        rows = look.choices(
            ctx,
            [
                (ctx.tr(f"sort_{key}_long"), f"order_{key}", key == ctx.ui["sort"], choose(key))
                for key in ("default", "rating", "sales", "price_asc", "price_desc", "newest")
            ],
        )
        return Sheet(ctx, close_row(ctx, ctx.tr("sort_title")), *rows, Space(height=8.0))

    def listed(self, ctx: Context, top: list[Node] | None = None) -> Node:
        """The products."""
        found = store.list_products(ctx.phone, ctx.ui)
        head: list[Any] = list(top or ())
        if not found:
            filtered = bool(ctx.ui["filters"]) or ctx.ui["price_min"] is not None or ctx.ui["price_max"] is not None
            text = ctx.tr("results_none_filtered" if filtered else "results_none")
            reset = look.pill(ctx.tr("filter_reset"), lambda: self.reset(ctx), "results_reset", "red")
            rest = look.empty("magnify-close", text, reset if filtered else None)
            return LazyList([*head, rest], id="product_list")
        if ctx.ui["view"] == "list":
            return LazyList(
                [*head, *found], row=lambda p: cards.list_card(ctx, p), id="product_list", top_pad=9.0, bottom_pad=8.0
            )
        return LazyList(
            [*head, *cards.pairs(found)],
            row=lambda pair: cards.grid_row(ctx, pair),
            id="product_list",
            top_pad=0.0 if head else 9.0,
            bottom_pad=8.0,
        )

    def reset(self, ctx: Context) -> None:
        """Takes all filters away."""
        ctx.set_field("price_min", "")
        ctx.set_field("price_max", "")
        self.change(ctx, filters=[], price_min=None, price_max=None)


class Results(ProductList):
    """What a search or a category holds. Arguments: `query`, or `category` and `sub`."""

    name = "results"
    activity = ".SearchResultActivity"

    def on_open(self, ctx: Context) -> None:
        """Starts from the arguments, which may name an order and filters too."""
        self.start(ctx, **list_arguments(ctx.args))

    def build(self, ctx: Context) -> Node:
        """Search bar, orders, chips, products."""
        query, category, sub = ctx.ui["query"], ctx.ui["category"], ctx.ui["sub"]
        text = query or store.category_name(ctx.language, category, sub) or ctx.tr("all_products")
        pill = Row(
            Icon("magnify", 20.0, "soft", hidden_from_tree=True),
            Text(text, "bodyLarge", max_lines=1, weight=1.0, id="search_text"),
            IconButton(
                "close-circle",
                ctx.open("search"),
                ctx.tr("clear"),
                id="search_clear",
                size=36.0,
                glyph=18.0,
                color="outline",
            ),
            gap=6.0,
            weight=1.0,
            height=40.0,
            radius=20.0,
            bg="pale",
            pad=(14.0, 0.0, 2.0, 0.0),
            id="search_bar",
            on_tap=ctx.open("search", text=query),
        )
        grid = ctx.ui["view"] == "grid"
        view = IconButton(
            "view-list-outline" if grid else "view-grid-outline",
            lambda: self.change(ctx, view="list" if grid else "grid"),
            ctx.tr("view_list" if grid else "view_grid"),
            id="view_toggle",
            color="onSurface",
            size=44.0,
        )
        cart = look.counted_icon(
            "cart-outline", store.cart_count(ctx.phone), ctx.open("main", tab="cart"), ctx.tr("tab_cart"), "open_cart"
        )
        bar = Row(
            IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="onSurface"),
            pill,
            view,
            cart,
            width=FILL,
            height=58.0,
            bg="card",
            pad=(0.0, 0.0, 4.0, 0.0),
        )
        top = Node("col", (bar, self.sort_bar(ctx), self.chip_bar(ctx)), width=FILL)
        body = Node("box", (self.listed(ctx),), width=FILL, bg="page", hidden_from_tree=True)
        return Scaffold(body, top=top, bg="card")


def list_arguments(args: Mapping[str, Any]) -> dict[str, Any]:
    """A list's state from an intent's extras or a screen's arguments; what it does not know is left out."""
    found: dict[str, Any] = {key: str(args[key]) for key in ("query", "category", "sub", "brand") if args.get(key)}
    if str(args.get("sort")) in store.SORTS:
        found["sort"] = str(args["sort"])
    if args.get("filters"):
        found["filters"] = sorted(part for part in str(args["filters"]).split(",") if part)
    for key in ("price_min", "price_max"):
        value = cents(str(args.get(key) or ""))
        if value is not None:
            found[key] = value
    return found
