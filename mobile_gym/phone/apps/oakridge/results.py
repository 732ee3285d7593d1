"""Lists of products: of a search, a department or an aisle, with an order and filters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.apps.oakridge.buying import Buying
from mobile_gym.phone.apps.oakridge.filters import FilterSheet, cents, range_text
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, LazyList, Menu, MenuItem, Row, Text


class Results(FilterSheet, Buying):
    """A list. Arguments: `query`, or `department` and `aisle`; `sort`, `filters`, `price_min`, `price_max`.

    Its plain values: those of `store.LIST_STATE`, and `filters`, a list.
    """

    name = "results"
    activity = ".ResultsActivity"

    def on_open(self, ctx: Context) -> None:
        """Starts from the arguments."""
        first: dict[str, Any] = {"query": "", "department": "", "aisle": "", "sort": "featured", "filters": []}
        ctx.ui.update({**first, "price_min": None, "price_max": None, **list_arguments(ctx.args)})
        self.tell(ctx)

    def on_resume(self, ctx: Context) -> None:
        """The list is in force again."""
        self.tell(ctx)

    def tell(self, ctx: Context) -> None:
        """Writes the list's state to the session."""
        values = {key: ctx.ui[key] for key in store.LIST_STATE}
        count = len(store.list_products(ctx.phone, ctx.ui))
        store.note(ctx, self.name, **values, filters=",".join(ctx.ui["filters"]), results=count, opened_product=None)

    def change(self, ctx: Context, **state: Any) -> None:
        """Changes the list's state; the list is shown from its top."""
        ctx.ui.update(state)
        ctx.record["scroll"].pop("product_list", None)
        self.tell(ctx)

    def build(self, ctx: Context) -> Node:
        """Search box, what the list is of, order and filters, products."""
        found = store.list_products(ctx.phone, ctx.ui)
        back = IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="onHeader")
        box = look.search_box(ctx, ctx.ui["query"])
        top = Row(back, box, look.cart_button(ctx), width=FILL, height=58.0, bg="header", pad=(4.0, 0.0, 4.0, 0.0))
        head = Node("col", (self._path(ctx, len(found)), self._tools(ctx), look.divider()), width=FILL, bg="card")
        rows: list[Any] = list(found)
        if not found:
            clear = look.button(ctx.tr("filter_clear"), lambda: self._clear(ctx), "results_clear", "line")
            rows = [look.empty("magnify-close", ctx.tr("results_none"), clear if self._filtered(ctx) else None)]
        body = LazyList(rows, row=lambda product: self._card(ctx, product), id="product_list", bottom_pad=8.0)
        whole = Node(
            "col", (head, Node("box", (body,), width=FILL, weight=1.0)), width=FILL, bg="page", hidden_from_tree=True
        )
        return look.page(ctx, whole, top)

    def _filtered(self, ctx: Context) -> bool:
        return bool(ctx.ui["filters"]) or ctx.ui["price_min"] is not None or ctx.ui["price_max"] is not None

    def _clear(self, ctx: Context) -> None:
        self.change(ctx, filters=[], price_min=None, price_max=None)

    def _path(self, ctx: Context, count: int) -> Node:
        """What the list is of: the way through the departments, or the search; and how long it is."""
        department, aisle = ctx.ui["department"], ctx.ui["aisle"]
        if department:
            name = store.department_name(ctx.language, department)
            parts: list[Node] = [Text(name, "bodyMedium", "soft" if aisle else "onSurface", max_lines=1, id="path")]
            if aisle:
                inner = store.department_name(ctx.language, department, aisle)
                parts += [
                    Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
                    Text(inner, "bodyMedium", text_weight=600, max_lines=1, weight=1.0, id="path"),
                ]
            else:
                parts[0] = parts[0].replace(weight=1.0, text_weight=600)
        else:
            query = ctx.ui["query"]
            text = ctx.tr("results_for", query=query) if query else ctx.tr("all_products")
            parts = [Text(text, "bodyMedium", text_weight=600, max_lines=1, weight=1.0, id="path")]
        total = Text(look.counted(ctx, "results_count", count), "bodyMedium", "soft", max_lines=1, id="results_count")
        return Row(*parts, total, gap=4.0, width=FILL, min_height=38.0, pad=(16.0, 6.0, 16.0, 0.0))

    def _tools(self, ctx: Context) -> Node:
        """The order, the filters, and what is in force of them."""
        chosen = ctx.ui["filters"]
        priced = ctx.ui["price_min"] is not None or ctx.ui["price_max"] is not None
        count = len(chosen) + int(priced)
        label = ctx.tr("filter_count", count=count) if count else ctx.tr("filter")
        tools = [
            look.dropdown(
                ctx.tr("sort_label"),
                ctx.tr(f"sort_{ctx.ui['sort']}"),
                ctx.show("sort"),
                "sort_button",
                40.0,
                weight=1.0,
            ),
            Row(
                Icon("tune-variant", 20.0, "onSurface", hidden_from_tree=True),
                Text(label, "bodyMedium", text_weight=600, max_lines=1, hidden_from_tree=True),
                gap=6.0,
                min_height=40.0,
                radius=8.0,
                border=1.0,
                border_color="primary" if count else "outlineVariant",
                bg="primaryContainer" if count else "surfaceContainerHighest",
                pad=(12.0, 0.0, 14.0, 0.0),
                id="filter_button",
                text=label,
                on_tap=ctx.show("filter"),
            ),
        ]
        rows: list[Node] = [Row(*tools, gap=10.0, width=FILL, pad=(16.0, 4.0, 16.0, 8.0))]
        if count:
            chips = [self._chip(ctx, _filter_name(ctx, text), self._without(ctx, text)) for text in chosen]
            if priced:
                name = range_text(ctx, ctx.ui["price_min"], ctx.ui["price_max"])
                chips.insert(0, self._chip(ctx, name, lambda: self.change(ctx, price_min=None, price_max=None)))
            rows.append(
                Node(
                    "list",
                    chips,
                    axis="h",
                    gap=8.0,
                    width=FILL,
                    pad=(16.0, 0.0, 16.0, 8.0),
                    id="active_filters",
                    cls="android.widget.HorizontalScrollView",
                )
            )
        return Node("col", rows, width=FILL)

    def _without(self, ctx: Context, text: str) -> Handler:
        return lambda: self.change(ctx, filters=[one for one in ctx.ui["filters"] if one != text])

    def _chip(self, ctx: Context, name: str, on_tap: Handler) -> Node:
        return Row(
            Text(name, "bodyMedium", "onPrimaryContainer", max_lines=1, hidden_from_tree=True),
            Icon("close", 16.0, "onPrimaryContainer", hidden_from_tree=True),
            gap=6.0,
            min_height=32.0,
            radius=6.0,
            bg="primaryContainer",
            pad=(10.0, 2.0, 8.0, 2.0),
            id="active_filter",
            text=name,
            desc=ctx.tr("filter_remove", name=name),
            on_tap=on_tap,
        )

    def overlay_sort(self, ctx: Context) -> Node:
        """All orders, in a menu under their button."""

        def choose(key: str) -> Handler:
            return ctx.then_dismiss(lambda: self.change(ctx, sort=key))

        items = [
            MenuItem(
                ctx.tr(f"sort_{key}"),
                choose(key),
                "radiobox-marked" if key == ctx.ui["sort"] else "radiobox-blank",
                id=f"sort_{key}",
            )
            for key in store.SORTS
        ]
        return Menu(ctx, items, top=188.0, place="top-start")

    def _card(self, ctx: Context, product: store.Row) -> Node:
        """A product: picture at the left, all about it at the right."""
        lines: list[Node] = [
            Text(product["brand"], "labelMedium", "soft", max_lines=1, id="brand"),
            Text(product["name"], "bodyLarge", max_lines=2, width=FILL, id="title"),
            look.rating_row(product),
            self._price_line(ctx, product),
        ]
        express = product["express"]
        comes = look.day(ctx, ordering.arrival(ctx.now_ms, "express" if express else "standard"))
        lines.append(
            Row(
                *((Icon("lightning-bolt", 16.0, "star", hidden_from_tree=True),) if express else ()),
                Text(
                    ctx.tr("get_it_express" if express else "get_it", day=comes),
                    "bodySmall",
                    "soft",
                    max_lines=2,
                    weight=1.0,
                    id="arrival",
                ),
                gap=2.0,
                width=FILL,
            )
        )
        lines.append(self._deed(ctx, product))
        parts = (look.picture(product["picture"], 120.0), Node("col", lines, gap=3.0, weight=1.0, align="start"))
        inner = Node(
            "row",
            parts,
            gap=14.0,
            width=FILL,
            align="start",
            bg="card",
            pad=(16.0, 14.0, 16.0, 14.0),
            id="product_row",
            on_tap=ctx.open("detail", product=product["_id"]),
        )
        return Node("col", (inner, look.divider()), width=FILL, hidden_from_tree=True)

    def _price_line(self, ctx: Context, product: store.Row) -> Node:
        parts = [look.price(product["price_cents"], 22.0)]
        percent = look.off(product)
        if percent:
            parts.append(Text(ctx.tr("off", percent=percent), "labelMedium", "sale", max_lines=1, id="off"))
        return Row(*parts, gap=8.0, width=FILL)

    def _deed(self, ctx: Context, product: store.Row) -> Node:
        if not product["stock"]:
            return Text(ctx.tr("out_of_stock"), "labelLarge", "sale", id="out_of_stock", pad=(0.0, 6.0, 0.0, 0.0))
        if store.axes(product):
            see = ctx.open("detail", product=product["_id"])
            return look.button(ctx.tr("see_options"), see, "row_options", "line", 36.0)
        rows = store.variants(ctx.phone, product["_id"])

        def add() -> None:
            self.put_into_cart(ctx, product["_id"], rows[0]["_id"], 1)

        return look.button(ctx.tr("add_to_cart"), add if rows else None, "row_add", "action", 36.0, enabled=bool(rows))


def _filter_name(ctx: Context, text: str) -> str:
    if text.startswith("brand:"):
        return text.removeprefix("brand:")
    if text.startswith("rating:"):
        return ctx.tr("rating_from", stars=f"{int(text.removeprefix('rating:')) / 10:.1f}")
    return ctx.tr(f"flag_{text}")


def list_arguments(args: Mapping[str, Any]) -> dict[str, Any]:
    """A list's state from an intent's extras or a screen's arguments; what it does not know is left out."""
    found: dict[str, Any] = {key: str(args[key]) for key in ("query", "department", "aisle") if args.get(key)}
    if str(args.get("sort")) in store.SORTS:
        found["sort"] = str(args["sort"])
    if args.get("filters"):
        parts = [part for part in str(args["filters"]).split(",") if part]
        found["filters"] = sorted(part for part in parts if _known_filter(part))
    for key in ("price_min", "price_max"):
        value = cents(str(args.get(key) or ""))
        if value is not None:
            found[key] = value
    return found


def _known_filter(text: str) -> bool:
    kind, _, value = text.partition(":")
    return text in store.FLAGS or (kind == "brand" and bool(value)) or (kind == "rating" and value.isdigit())
