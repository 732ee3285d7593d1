"""What several screens do with a product: put it into the cart, put it on a wish list."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, Row, Sheet, Text, TextField


class Buying(Screen):
    """A screen from which products go into the cart and on wish lists."""

    def put_into_cart(self, ctx: Context, product: int, variant: int, quantity: int) -> None:
        """Puts pieces into the cart, and shows a sheet that says so."""
        store.add_to_cart(ctx.phone, product, variant, quantity)
        ctx.open_overlay("added", variant=variant, quantity=quantity)

    def overlay_added(self, ctx: Context, variant: int, quantity: int) -> Node:
        """Says what went into the cart; leads on to it, or back."""
        lines = store.lines_of(ctx.phone, [{"variant": variant, "quantity": quantity}])
        count = store.cart_count(ctx.phone)
        sum_cents = sum(line["price_cents"] * line["quantity"] for line in store.cart_lines(ctx.phone))
        head = Row(
            Icon("check-circle", 26.0, "good", hidden_from_tree=True),
            Text(ctx.tr("added"), "titleMedium", text_weight=700, weight=1.0, id="added_title"),
            gap=10.0,
            width=FILL,
        )
        parts: list[Node] = [head]
        for line in lines:
            about = ", ".join(part for part in (line["variant"], ctx.tr("quantity_of", count=quantity)) if part)
            parts.append(
                Row(
                    look.picture(line["picture"], 64.0),
                    Node(
                        "col",
                        (
                            Text(line["name"], "bodyLarge", max_lines=2, id="title"),
                            Text(about, "bodyMedium", "soft", max_lines=1, id="variant"),
                        ),
                        weight=1.0,
                        gap=2.0,
                    ),
                    gap=12.0,
                    width=FILL,
                )
            )
        parts.append(
            look.sum_row(look.counted(ctx, "subtotal", count), look.money(sum_cents), strong=True, id="subtotal")
        )
        cart = ctx.then_dismiss(ctx.open("main", tab="cart"))
        parts.append(
            Row(
                look.button(ctx.tr("keep_shopping"), ctx.dismiss, "added_close", "line", weight=1.0),
                look.button(ctx.tr("view_cart"), cart, "added_cart", weight=1.0),
                gap=10.0,
                width=FILL,
            )
        )
        return Sheet(ctx, Node("col", parts, gap=14.0, width=FILL, pad=(20.0, 0.0, 20.0, 16.0)))

    def overlay_add_to_list(self, ctx: Context, product: int) -> Node:
        """Which wish list it goes on."""

        def put(key: int, name: str) -> Handler:
            def handle() -> None:
                fresh = store.put_on_list(ctx.phone, key, product)
                ctx.dismiss()
                ctx.toast(ctx.tr("list_added" if fresh else "list_has", name=name))

            return handle

        rows = [
            Row(
                look.picture(row["picture"] or "product/gift-outline/#8A948F", 44.0),
                Node(
                    "col",
                    (
                        Text(row["name"], "bodyLarge", max_lines=1, id="list_name"),
                        Text(look.counted(ctx, "list_count", row["n"]), "bodySmall", "soft", id="list_count"),
                    ),
                    weight=1.0,
                ),
                gap=12.0,
                width=FILL,
                min_height=60.0,
                pad=(20.0, 4.0, 20.0, 4.0),
                id="list_choice",
                on_tap=put(row["_id"], row["name"]),
            )
            for row in store.lists(ctx.phone)
        ]
        new = Row(
            Icon("plus", 24.0, "link", hidden_from_tree=True),
            Text(ctx.tr("list_new"), "bodyLarge", "link", weight=1.0, hidden_from_tree=True),
            gap=12.0,
            width=FILL,
            min_height=56.0,
            pad=(20.0, 4.0, 20.0, 4.0),
            id="list_new",
            text=ctx.tr("list_new"),
            on_tap=ctx.then_dismiss(self.ask_new_list, ctx, product),
        )
        height = min(60.0 * max(len(rows), 1), 300.0) * look.font_scale(ctx)
        room = Node("list", rows, width=FILL, height=height if rows else 0.0, id="list_choices")
        title = Text(
            ctx.tr("list_add_title"), "titleLarge", text_weight=700, pad=(20.0, 0.0, 20.0, 8.0), id="sheet_title"
        )
        return Sheet(ctx, title, room, look.divider(), new, look.gap(8.0))

    def ask_new_list(self, ctx: Context, product: int = 0) -> None:
        """Asks for the name of a new wish list."""
        ctx.set_field("list_name", "")
        ctx.open_overlay("new_list", product=product)
        ctx.focus("list_name")

    def overlay_new_list(self, ctx: Context, product: int = 0) -> Node:
        """The name of a new wish list, on which a product goes at once."""

        def act() -> None:
            name = ctx.field("list_name").strip()
            if not name:
                ctx.toast(ctx.tr("list_name_missing"))
                return
            ctx.focus(None)
            key = store.database(ctx.phone).insert("lists", name=name, created_at=ctx.now_ms)
            if product:
                store.put_on_list(ctx.phone, key, product)
            ctx.dismiss()
            ctx.toast(ctx.tr("list_added" if product else "list_created", name=name))

        body = Node(
            "col",
            (TextField(ctx, "list_name", ctx.tr("list_name"), max_length=30, on_submit=act),),
            width=FILL,
            pad=(24.0, 0.0, 24.0, 0.0),
        )

        def close() -> None:
            ctx.focus(None)
            ctx.dismiss()

        return Dialog(ctx, ctx.tr("list_new"), body, actions=((ctx.tr("cancel"), close), (ctx.tr("list_create"), act)))
