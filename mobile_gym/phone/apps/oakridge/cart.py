"""The cart: what is to be bought, a promo code, what was saved for later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.apps.oakridge.product import quantity_dialog
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, LazyList, Row, Text
from mobile_gym.phone.ui.widgets.fields import field


def build(ctx: Context) -> tuple[Node, Node]:
    """The tab: what it comes to and the way to the checkout, the lines, what was saved for later."""
    lines = store.cart_lines(ctx.phone)
    saved = store.cart_lines(ctx.phone, saved=True)
    top = Row(
        Text(
            ctx.tr("cart_title"), "titleLarge", "onHeader", text_weight=700, weight=1.0, max_lines=1, id="toolbar_title"
        ),
        IconButton("magnify", ctx.open("search"), ctx.tr("search"), id="open_search", color="onHeader"),
        width=FILL,
        height=56.0,
        bg="header",
        pad=(16.0, 0.0, 4.0, 0.0),
    )
    parts: list[Node] = []
    if lines:
        parts += [_summary(ctx, lines), look.gap()]
        for line in lines:
            parts += [_line(ctx, line), look.divider()]
        parts += [look.gap(), promo_box(ctx, lines)]
    else:
        shop = look.button(ctx.tr("cart_deals"), ctx.open("deals"), "cart_deals")
        parts.append(look.section(look.empty("cart-outline", ctx.tr("cart_empty"), shop)))
    if saved:
        parts += [look.gap(), look.section(look.title(ctx.tr("saved_title", count=len(saved))))]
        for line in saved:
            parts += [look.divider(), _line(ctx, line, saved=True)]
    body = LazyList(parts, id="cart_list", bottom_pad=12.0)
    return top, Node("box", (body,), width=FILL, bg="page", hidden_from_tree=True)


def _summary(ctx: Context, lines: list[store.Row]) -> Node:
    count = sum(line["quantity"] for line in lines)
    goods = ordering.goods(lines)
    missing = ordering.FREE_FROM_CENTS - goods
    hint = ctx.tr("free_delivery") if missing <= 0 else ctx.tr("free_delivery_from", amount=look.money(missing))
    parts: list[Node] = [
        Row(
            Text(look.counted(ctx, "subtotal", count), "titleMedium", weight=1.0),
            look.price(goods, 24.0, id="cart_subtotal"),
            gap=8.0,
            width=FILL,
        )
    ]
    code = ordering.promo_in_force(ctx.phone, lines)
    if code is not None:
        discount = ordering.total(lines, promo=code).discount
        text = ctx.tr("promo_saves", code=code["code"], amount=look.money(discount))
        parts.append(Text(text, "bodyMedium", "good", text_weight=600, id="cart_saving"))
    parts += [
        Row(
            Icon("truck-outline", 20.0, "good" if missing <= 0 else "soft", hidden_from_tree=True),
            Text(hint, "bodyMedium", "good" if missing <= 0 else "soft", weight=1.0, id="cart_delivery"),
            gap=8.0,
            width=FILL,
        ),
        look.button(ctx.tr("checkout_go", count=count), lambda: _checkout(ctx), "cart_checkout", width=FILL),
    ]
    return look.section(*parts, gap=10.0)


def _checkout(ctx: Context) -> None:
    for line in store.cart_lines(ctx.phone):
        if line["quantity"] > line["stock"]:
            ctx.toast(ctx.tr("cart_short", name=line["name"]))
            return
    ctx.go("checkout", from_cart=True)


def _line(ctx: Context, line: store.Row, saved: bool = False) -> Node:
    key = line["_id"]
    data = store.database(ctx.phone)
    texts: list[Node] = [Text(line["name"], "bodyLarge", max_lines=2, width=FILL, id="title")]
    if line["variant"]:
        texts.append(Text(line["variant"], "bodyMedium", "soft", max_lines=2, id="variant"))
    texts.append(look.price(line["price_cents"], 20.0))
    if line["stock"] < line["quantity"]:
        texts.append(Text(ctx.tr("few_left", count=line["stock"]), "bodyMedium", "sale", id="stock"))
    elif line["stock"] <= 5:
        texts.append(Text(ctx.tr("few_left", count=line["stock"]), "bodySmall", "sale", id="stock"))
    else:
        texts.append(Text(ctx.tr("in_stock"), "bodySmall", "good", id="stock"))
    head = Row(
        look.picture(line["picture"], 96.0),
        Node("col", texts, gap=3.0, weight=1.0, align="start"),
        gap=14.0,
        width=FILL,
        align="start",
        id="saved_item" if saved else "cart_item",
        desc=line["name"],
        on_tap=ctx.open("detail", product=line["product_id"]),
    )

    def drop() -> None:
        row = data.row("SELECT * FROM cart WHERE _id = ?", key)
        data.delete("cart", key)
        ctx.snackbar(ctx.tr("line_deleted", name=line["name"]), ctx.tr("undo"), {"row": row})

    def move(to_saved: int) -> Handler:
        return lambda: store.set_saved(ctx.phone, key, to_saved)

    def deed(label: str, on_tap: Handler, id: str) -> Node:
        return look.button(label, on_tap, id, "line", 38.0, desc=f"{label}, {line['name']}")

    delete = deed(ctx.tr("delete"), drop, "saved_delete" if saved else "line_delete")
    if saved:
        deeds = [deed(ctx.tr("move_to_cart"), move(0), "saved_move"), delete]
    else:
        amount = look.dropdown(
            ctx.tr("quantity_short"),
            str(line["quantity"]),
            ctx.show("line", line=key),
            "line_quantity",
            38.0,
            desc=f"{ctx.tr('quantity_of', count=line['quantity'])}, {line['name']}",
        )
        deeds = [amount, delete, deed(ctx.tr("save_for_later"), move(1), "line_save")]
    wide = look.width_dp(ctx) / look.font_scale(ctx) > 330.0
    if wide or saved:
        foot: Node = Row(*deeds, gap=8.0, width=FILL)
    else:
        foot = Node("col", (Row(*deeds[:2], gap=8.0, width=FILL), deeds[2]), gap=8.0, width=FILL, align="start")
    return look.section(head, foot, gap=12.0)


def promo_box(ctx: Context, lines: list[store.Row]) -> Node:
    """The field of the promo code, or the code in force with a button that takes it away."""
    current = ordering.cart_promo(ctx.phone)
    found = ordering.promo(ctx.phone, current) if current else None
    if found is not None:
        problem = ordering.refusal(ctx.phone, lines, found)
        text = promo_text(ctx, problem, found) if problem else offer_text(ctx, found)
        chip = Row(
            Icon("ticket-percent-outline", 24.0, "sale" if problem else "good", hidden_from_tree=True),
            Node(
                "col",
                (
                    Text(found["code"], "titleSmall", text_weight=700, id="promo_code"),
                    Text(text, "bodySmall", "sale" if problem else "soft", id="promo_note"),
                ),
                weight=1.0,
            ),
            look.button(ctx.tr("remove"), lambda: ordering.set_cart_promo(ctx.phone, ""), "promo_remove", "line", 38.0),
            gap=10.0,
            width=FILL,
        )
        return look.section(look.title(ctx.tr("promo_title")), chip)

    def apply() -> None:
        ctx.focus(None)
        code = ctx.field("promo_field").strip()
        if not code:
            ctx.ui["promo_error"] = ctx.tr("promo_empty")
            return
        entry = ordering.promo(ctx.phone, code)
        problem = ordering.refusal(ctx.phone, lines, entry)
        ctx.ui["promo_error"] = promo_text(ctx, problem, entry) if problem else ""
        if entry is not None and not problem:
            ordering.set_cart_promo(ctx.phone, entry["code"])
            ctx.set_field("promo_field", "")

    box = field(
        ctx,
        "promo_field",
        hint=ctx.tr("promo_hint"),
        max_length=20,
        weight=1.0,
        height=46.0,
        radius=8.0,
        border=1.0,
        border_color="outline",
        pad=(12.0, 0.0, 8.0, 0.0),
        on_submit=apply,
    )
    row = Row(box, look.button(ctx.tr("apply"), apply, "promo_apply", "line", 46.0), gap=10.0, width=FILL)
    error = ctx.ui.get("promo_error")
    notes = [Text(error, "bodySmall", "sale", id="promo_error")] if error else []
    return look.section(look.title(ctx.tr("promo_title")), row, *notes)


def promo_text(ctx: Context, problem: str, found: Mapping[str, Any] | None) -> str:
    """Why a code does not count."""
    if found is None:
        return ctx.tr(problem)
    department = store.department_name(ctx.language, found["department"]) if found["department"] else ""
    return ctx.tr(problem, amount=look.money(found["min_cents"]), department=department)


def offer_text(ctx: Context, found: Mapping[str, Any]) -> str:
    """What a code takes off."""
    name = store.department_name(ctx.language, found["department"]) if found["department"] else ""
    if found["kind"] == "delivery":
        text = ctx.tr("offer_delivery")
    elif found["kind"] == "percent":
        text = ctx.tr("offer_percent", percent=found["value"])
    else:
        text = ctx.tr("offer_amount", amount=look.money(found["value"]))
    parts = [text, ctx.tr("offer_department", name=name) if name else ""]
    parts.append(ctx.tr("offer_min", amount=look.money(found["min_cents"])) if found["min_cents"] else "")
    return " \u00b7 ".join(part for part in parts if part)


class CartScreen(Screen):
    """What the cart asks and takes back."""

    def overlay_line(self, ctx: Context, line: int) -> Node:
        """How many pieces of a line."""
        row = store.database(ctx.phone).row(
            "SELECT c.quantity, v.stock FROM cart c JOIN variants v ON v._id = c.variant_id WHERE c._id = ?", line
        ) or {"quantity": 1, "stock": 1}

        def choose(value: int) -> None:
            store.database(ctx.phone).update("cart", line, quantity=value)

        return quantity_dialog(ctx, row["quantity"], min(store.MOST, row["stock"]), choose)

    def on_snackbar(self, ctx: Context, undo: Mapping[str, Any]) -> None:
        """Puts a deleted line back."""
        row = undo.get("row")
        if row:
            store.database(ctx.phone).insert("cart", **row)
