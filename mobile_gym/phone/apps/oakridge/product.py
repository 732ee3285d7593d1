"""A product's page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.apps.oakridge.buying import Buying
from mobile_gym.phone.apps.oakridge.home import tile
from mobile_gym.phone.apps.oakridge.reviews import review_row
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, IconButton, LazyList, Row, Text

LINK = "mobench-oakridge://product/"


class Detail(Buying):
    """A product. Argument: `product`. Its plain values: `product`, `picked` (the choice on each axis), `quantity`."""

    name = "detail"
    activity = ".ProductActivity"
    load_ms = 200

    def on_open(self, ctx: Context) -> None:
        """Notes that it was looked at, and from which list."""
        key = str(ctx.args.get("product") or 0)
        ctx.ui.update(product=int(key) if key.isdigit() else 0, picked=[], quantity=1)
        found = store.product(ctx.phone, ctx.ui["product"])
        if found is None:
            return
        rows = store.variants(ctx.phone, found["_id"])
        first = next((row for row in rows if row["stock"]), rows[0] if rows else None)
        ctx.ui["picked"] = store.options(first) if first is not None else []
        data = store.database(ctx.phone)
        session = data.row("SELECT * FROM session WHERE _id = 1") or {}
        columns = (*store.LIST_STATE, "filters")
        data.insert("view_history", product_id=found["_id"], at=ctx.now_ms, **{key: session[key] for key in columns})
        store.note(ctx, self.name, opened_product=found["_id"])

    def on_resume(self, ctx: Context) -> None:
        """This is the product in front again."""
        store.note(ctx, self.name, opened_product=ctx.ui["product"] or None)

    def build(self, ctx: Context) -> Node:
        """Name, picture, price, drop-downs, deeds, what it is, reviews, what is like it."""
        back = IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="onHeader")
        bar = (back, look.search_box(ctx), look.cart_button(ctx))
        top = Row(*bar, width=FILL, height=58.0, bg="header", pad=(4.0, 0.0, 4.0, 0.0))
        found = store.product(ctx.phone, ctx.ui["product"])
        if found is None:
            return look.page(ctx, Node("box", (look.empty("package-variant-closed", ctx.tr("gone")),)), top)
        rows = store.variants(ctx.phone, found["_id"])
        chosen = self._chosen(ctx, rows)
        parts = [
            self._head(ctx, found, chosen),
            look.gap(),
            self._choices(ctx, found, rows, chosen),
            look.gap(),
            self._about(ctx, found),
            look.gap(),
            self._reviews(ctx, found),
            look.gap(),
            self._alike(ctx, found),
            look.gap(12.0),
        ]
        body = Node("box", (LazyList(parts, id="detail_list"),), width=FILL, bg="page", hidden_from_tree=True)
        return look.page(ctx, body, top)

    def _chosen(self, ctx: Context, rows: list[store.Row]) -> store.Row | None:
        return next((row for row in rows if store.options(row) == ctx.ui["picked"]), None)

    def _head(self, ctx: Context, found: store.Row, chosen: store.Row | None) -> Node:
        path = store.department_name(ctx.language, found["department"], found["aisle"])
        by = look.link(
            ctx.tr("visit_brand", brand=found["brand"]),
            ctx.open("results", department=found["department"], filters=f"brand:{found['brand']}"),
            "brand_link",
        )
        source = found["picture"] if chosen is None else chosen["picture"]
        side = min(look.width_dp(ctx) - 32.0, 250.0)
        image = Node(
            "picture", source=source, width=FILL, height=side, radius=8.0, id="product_picture", desc=found["name"]
        )
        deeds = Row(
            by,
            Node("space", weight=1.0, hidden_from_tree=True),
            look.rating_row(found, ctx.open("reviews", product=found["_id"])),
            width=FILL,
        )
        return look.section(
            Text(path, "labelMedium", "soft", max_lines=1, id="path"),
            Text(found["name"], "titleLarge", text_weight=600, size_sp=20.0, line_sp=26.0, id="title"),
            deeds,
            image,
            gap=4.0,
        )

    def _choices(self, ctx: Context, found: store.Row, rows: list[store.Row], chosen: store.Row | None) -> Node:
        cents = found["price_cents"] if chosen is None else chosen["price_cents"]
        stock = 0 if chosen is None else chosen["stock"]
        line = [look.price(cents, 30.0)]
        if found["list_cents"] > cents:
            line.append(
                Text(ctx.tr("list_price", price=look.money(found["list_cents"])), "bodyMedium", "soft", id="list_price")
            )
        parts: list[Node] = [Row(*line, gap=10.0, width=FILL)]
        for number, name in enumerate(store.axes(found)):
            picked = ctx.ui["picked"][number] if number < len(ctx.ui["picked"]) else ctx.tr("choose")
            key = f"option_{name.lower()}"
            shown = ctx.show("option", axis=number)
            parts.append(look.dropdown(f"{axis_name(ctx, name)}:", picked, shown, key, width=FILL))
        if stock:
            few = stock <= 5
            text = ctx.tr("few_left", count=stock) if few else ctx.tr("in_stock")
            parts.append(Text(text, "titleSmall", "sale" if few else "good", text_weight=600, id="stock"))
        else:
            parts.append(Text(ctx.tr("out_of_stock"), "titleSmall", "sale", text_weight=600, id="stock"))
        parts.append(self._delivery(ctx, found))
        amount = max(min(ctx.ui["quantity"], stock, store.MOST), 1)
        quantity = look.dropdown(
            ctx.tr("quantity_short"), str(amount), ctx.show("quantity") if stock else None, "quantity", 48.0
        )

        def add() -> None:
            if chosen is not None:
                self.put_into_cart(ctx, found["_id"], chosen["_id"], amount)

        def buy() -> None:
            if chosen is not None:
                ctx.go("checkout", lines=[{"variant": chosen["_id"], "quantity": amount}])

        parts += [
            Row(
                quantity,
                look.button(ctx.tr("add_to_cart"), add, "add_to_cart", enabled=bool(stock), weight=1.0),
                gap=10.0,
                width=FILL,
            ),
            look.button(ctx.tr("buy_now"), buy, "buy_now", "filled", enabled=bool(stock), width=FILL),
            Row(
                look.button(
                    ctx.tr("add_to_list"),
                    ctx.show("add_to_list", product=found["_id"]),
                    "add_to_list",
                    "line",
                    42.0,
                    weight=1.0,
                ),
                look.button(ctx.tr("share"), lambda: self._share(ctx, found), "share", "line", 42.0),
                gap=10.0,
                width=FILL,
            ),
        ]
        return look.section(*parts, gap=10.0)

    def _delivery(self, ctx: Context, found: store.Row) -> Node:
        speed = "express" if found["express"] else "standard"
        comes = look.day(ctx, ordering.arrival(ctx.now_ms, speed))
        lines = [
            Row(
                Icon("truck-outline", 20.0, "soft", hidden_from_tree=True),
                Text(
                    ctx.tr("get_it_express" if found["express"] else "get_it", day=comes),
                    "bodyMedium",
                    weight=1.0,
                    id="arrival",
                ),
                gap=8.0,
                width=FILL,
            ),
            Row(
                Icon("keyboard-return", 20.0, "soft", hidden_from_tree=True),
                Text(ctx.tr("free_returns", days=ordering.RETURN_DAYS), "bodyMedium", weight=1.0, id="returns"),
                gap=8.0,
                width=FILL,
            ),
        ]
        if found["gift"]:
            lines.append(
                Row(
                    Icon("gift-outline", 20.0, "soft", hidden_from_tree=True),
                    Text(ctx.tr("gift_possible"), "bodyMedium", weight=1.0, id="gift"),
                    gap=8.0,
                    width=FILL,
                )
            )
        return Node("col", lines, gap=4.0, width=FILL)

    def _about(self, ctx: Context, found: store.Row) -> Node:
        facts = [
            (ctx.tr("fact_brand"), found["brand"]),
            (ctx.tr("fact_department"), store.department_name(ctx.language, found["department"])),
            (ctx.tr("fact_number"), f"OK-{found['_id']:05d}"),
        ]
        rows = [
            Row(
                Text(name, "bodyMedium", "soft", width=130.0),
                Text(value, "bodyMedium", weight=1.0, id="fact"),
                width=FILL,
                min_height=30.0,
            )
            for name, value in facts
        ]
        return look.section(look.title(ctx.tr("about")), Text(found["about"], "bodyLarge", id="about"), *rows)

    def _reviews(self, ctx: Context, found: store.Row) -> Node:
        rows = store.database(ctx.phone).rows(
            "SELECT * FROM reviews WHERE product_id = ? ORDER BY at DESC, _id DESC LIMIT 2", found["_id"]
        )
        every = look.link(ctx.tr("see_all"), ctx.open("reviews", product=found["_id"]), "reviews_all")
        return look.section(look.title(ctx.tr("reviews"), every), *(review_row(ctx, row) for row in rows), gap=12.0)

    def _alike(self, ctx: Context, found: store.Row) -> Node:
        wanted = {"department": found["department"], "sort": "rating"}
        rows = [row for row in store.list_products(ctx.phone, wanted) if row["_id"] != found["_id"]][:8]
        head = Node("col", (look.title(ctx.tr("alike")),), width=FILL, pad=(16.0, 0.0, 16.0, 0.0))
        strip = Node(
            "list",
            [tile(ctx, row) for row in rows],
            axis="h",
            gap=12.0,
            width=FILL,
            pad=(16.0, 0.0, 16.0, 0.0),
            id="alike_list",
            cls="android.widget.HorizontalScrollView",
        )
        return Node("col", (head, strip), gap=10.0, width=FILL, bg="card", pad=(0.0, 14.0, 0.0, 16.0))

    def _share(self, ctx: Context, found: store.Row) -> None:
        ctx.phone.state.interface["clipboard"] = f"{found['name']} {LINK}{found['_id']}"
        ctx.toast(ctx.tr("link_copied"))

    def overlay_option(self, ctx: Context, axis: int) -> Node:
        """The choices on one axis: those that are sold out with the other choices say so."""
        found = store.product(ctx.phone, ctx.ui["product"])
        rows = store.variants(ctx.phone, ctx.ui["product"])
        if found is None:
            return Dialog(ctx, ctx.tr("gone"))
        picked: list[str] = ctx.ui["picked"]
        values = list(dict.fromkeys(store.options(row)[axis] for row in rows))

        def choose(value: str) -> Handler:
            def handle() -> None:
                ctx.ui["picked"] = [*picked[:axis], value, *picked[axis + 1 :]]

            return ctx.then_dismiss(handle)

        entries = []
        for value in values:
            wanted = [*picked[:axis], value, *picked[axis + 1 :]]
            row: Mapping[str, Any] | None = next((one for one in rows if store.options(one) == wanted), None)
            if row is None:
                detail = ctx.tr("not_made")
            elif row["stock"]:
                detail = look.money(row["price_cents"])
            else:
                detail = ctx.tr("out_of_stock")
            enabled = row is not None
            entries.append(
                look.radio_row(value, detail, value == picked[axis], choose(value), "option", enabled=enabled)
            )
        body = Node("col", entries, width=FILL, pad=(20.0, 0.0, 20.0, 0.0))
        return Dialog(ctx, axis_name(ctx, store.axes(found)[axis]), body, actions=((ctx.tr("cancel"), ctx.dismiss),))

    def overlay_quantity(self, ctx: Context) -> Node:
        """How many pieces."""
        chosen = self._chosen(ctx, store.variants(ctx.phone, ctx.ui["product"]))
        most = min(store.MOST, 0 if chosen is None else chosen["stock"])

        def choose(value: int) -> None:
            ctx.ui["quantity"] = value

        return quantity_dialog(ctx, ctx.ui["quantity"], most, choose)


def quantity_dialog(ctx: Context, current: int, most: int, on_set: Any) -> Node:
    """Numbers from one to what there is."""

    def act(value: int) -> Handler:
        return ctx.then_dismiss(on_set, value)

    rows = [
        look.radio_row(str(value), "", value == current, act(value), f"quantity_{value}")
        for value in range(1, max(most, 1) + 1)
    ]
    body = Node("col", rows, width=FILL, pad=(20.0, 0.0, 20.0, 0.0))
    return Dialog(ctx, ctx.tr("quantity"), body)


def axis_name(ctx: Context, name: str) -> str:
    """The name of what variants differ by; names that come from outside stay as they are."""
    known = (
        "Color",
        "Size",
        "Firmness",
        "Weight",
        "Finish",
        "Shade",
        "Switches",
        "Ports",
        "Length",
        "Rating",
        "Frame",
        "Picture",
    )
    return ctx.tr(f"axis_{name.lower()}") if name in known else name
