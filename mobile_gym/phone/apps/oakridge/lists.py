"""Wish lists."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, store
from mobile_gym.phone.apps.oakridge.buying import Buying
from mobile_gym.phone.apps.oakridge.order import number_of
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, IconButton, LazyList, Menu, MenuItem, Row, Text, TextField


class WishLists(Buying):
    """All wish lists."""

    name = "lists"
    activity = ".ListsActivity"

    def build(self, ctx: Context) -> Node:
        """Each with the number of its products."""
        rows: list[Node] = [look.gap()]
        for row in store.lists(ctx.phone):
            rows += [self._row(ctx, row), look.divider()]
        if len(rows) == 1:
            rows.append(look.empty("format-list-bulleted", ctx.tr("lists_none")))
        new = look.button(ctx.tr("list_new"), lambda: self.ask_new_list(ctx), "list_new", "filled", weight=1.0)
        top = look.bar(ctx, ctx.tr("account_lists"), look.cart_button(ctx))
        return look.page(ctx, LazyList(rows, id="lists_list"), top, look.footer(new))

    def _row(self, ctx: Context, row: store.Row) -> Node:
        return Row(
            look.picture(row["picture"] or "product/gift-outline/#8A948F", 56.0),
            Node(
                "col",
                (
                    Text(row["name"], "titleMedium", text_weight=600, max_lines=1, id="list_name"),
                    Text(look.counted(ctx, "list_count", row["n"]), "bodyMedium", "soft", max_lines=1, id="list_count"),
                ),
                weight=1.0,
            ),
            Icon("chevron-right", 22.0, "outline", hidden_from_tree=True),
            gap=14.0,
            width=FILL,
            min_height=76.0,
            bg="card",
            pad=(16.0, 8.0, 12.0, 8.0),
            id="list_row",
            on_tap=ctx.open("list", list=row["_id"]),
        )


class WishList(Buying):
    """One wish list. Argument: `list`; without it the first one."""

    name = "list"
    activity = ".ListActivity"

    def _found(self, ctx: Context) -> store.Row | None:
        key = number_of(ctx, "list")
        rows = store.lists(ctx.phone)
        return next((row for row in rows if row["_id"] == key or not key), None)

    def build(self, ctx: Context) -> Node:
        """Its products."""
        found = self._found(ctx)
        if found is None:
            gone = Node("box", (look.empty("format-list-bulleted", ctx.tr("lists_none")),))
            return look.page(ctx, gone, look.bar(ctx, ctx.tr("account_lists")))
        more = IconButton(
            "dots-vertical", ctx.show("list_menu"), ctx.tr("more_options"), id="list_menu", color="onHeader"
        )
        products = store.listed(ctx.phone, found["_id"])
        rows: list[Node] = [look.gap()]
        for product in products:
            rows += [self._product(ctx, found, product), look.gap()]
        if not products:
            rows.append(look.empty("gift-outline", ctx.tr("list_empty")))
        return look.page(
            ctx, LazyList(rows, id="list_products"), look.bar(ctx, found["name"], look.cart_button(ctx), more)
        )

    def _product(self, ctx: Context, found: store.Row, product: store.Row) -> Node:
        data = store.database(ctx.phone)

        def remove() -> None:
            data.delete("list_items", product["saved_id"])
            row = {"list_id": found["_id"], "product_id": product["_id"]}
            ctx.snackbar(ctx.tr("list_removed", name=product["name"]), ctx.tr("undo"), {"row": row})

        variants = store.variants(ctx.phone, product["_id"])
        single = len(variants) == 1
        if not product["stock"]:
            act = look.button(ctx.tr("out_of_stock"), None, "list_add", "line", 38.0, enabled=False)
        elif single:
            key = variants[0]["_id"]
            act = look.button(
                ctx.tr("add_to_cart"),
                lambda: self.put_into_cart(ctx, product["_id"], key, 1),
                "list_add",
                "action",
                38.0,
            )
        else:
            act = look.button(
                ctx.tr("see_options"), ctx.open("detail", product=product["_id"]), "list_options", "line", 38.0
            )
        drop = look.button(ctx.tr("remove"), remove, "list_remove", "line", 38.0)
        texts = (
            Text(product["name"], "bodyLarge", max_lines=2, id="title"),
            look.rating_row(product),
            look.price(product["price_cents"], 20.0),
        )
        head = Row(
            look.picture(product["picture"], 92.0),
            Node("col", texts, weight=1.0, gap=3.0, align="start"),
            gap=14.0,
            width=FILL,
            align="start",
            id="list_product",
            desc=product["name"],
            on_tap=ctx.open("detail", product=product["_id"]),
        )
        return look.section(head, Row(act, drop, gap=8.0, width=FILL), gap=10.0)

    def on_snackbar(self, ctx: Context, undo: store.Row) -> None:
        """Puts a removed product back."""
        row = undo.get("row")
        if row:
            store.put_on_list(ctx.phone, row["list_id"], row["product_id"])

    def overlay_list_menu(self, ctx: Context) -> Node:
        """What can be done with the list."""

        def rename() -> None:
            found = self._found(ctx)
            ctx.set_field("rename", "" if found is None else found["name"])
            ctx.open_overlay("rename_list")
            ctx.focus("rename")

        items = (
            MenuItem(ctx.tr("list_rename"), ctx.then_dismiss(rename), "pencil-outline", id="list_rename"),
            MenuItem(
                ctx.tr("list_delete"),
                ctx.then_dismiss(ctx.open_overlay, "delete_list"),
                "delete-outline",
                id="list_delete",
            ),
        )
        return Menu(ctx, items, top=84.0)

    def overlay_rename_list(self, ctx: Context) -> Node:
        """Changes the list's name."""
        found = self._found(ctx)

        def close() -> None:
            ctx.focus(None)
            ctx.dismiss()

        def act() -> None:
            name = ctx.field("rename").strip()
            if found is not None and name:
                store.database(ctx.phone).update("lists", found["_id"], name=name)
            close()

        field = TextField(ctx, "rename", ctx.tr("list_name"), max_length=30, on_submit=act)
        body = Node("col", (field,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        return Dialog(ctx, ctx.tr("list_rename"), body, actions=((ctx.tr("cancel"), close), (ctx.tr("save"), act)))

    def overlay_delete_list(self, ctx: Context) -> Node:
        """Asks before the list is deleted."""
        found = self._found(ctx)

        def handle() -> None:
            if found is not None:
                store.database(ctx.phone).delete("lists", found["_id"])
            ctx.finish()

        act: Handler = ctx.then_dismiss(handle)
        name = "" if found is None else found["name"]
        return Dialog(
            ctx,
            ctx.tr("list_delete_ask"),
            name,
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), act)),
        )
