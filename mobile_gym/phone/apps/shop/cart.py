"""The cart's tab."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import cards, look, ordering, store
from mobile_gym.phone.apps.shop.sheets import Buying, close_row, coupon_card, date_text
from mobile_gym.phone.apps.shop.tabs import title
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, LazyList, Row, Sheet, Space, Text, TextButton

Line = dict[str, Any]


def build(ctx: Context) -> list[Node]:
    """Lines by shop, and the bar that pays."""
    lines = store.cart_lines(ctx.phone)
    editing = bool(ctx.ui.get("editing"))
    edit = TextButton(
        ctx.tr("done" if editing else "cart_manage"), ctx.toggle_ui("editing"), id="cart_edit", color="onSurface"
    )
    head = title(ctx, ctx.tr("cart_title", count=store.cart_count(ctx.phone)), *((edit,) if lines else ()))
    if not lines:
        go = look.pill(ctx.tr("go_shopping"), ctx.set_ui("tab", "home"), "go_shopping", "red")
        rest = look.empty("cart-outline", ctx.tr("cart_empty"), go)
        return [head, Node("box", (rest.replace(place="center-center"),), width=FILL, weight=1.0, bg="page")]
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line["brand"], []).append(line)
    listed = LazyList(
        list(groups.values()), row=lambda group: _group(ctx, group), id="cart_list", top_pad=10.0, bottom_pad=10.0
    )
    return [
        head,
        Node("box", (listed,), width=FILL, weight=1.0, bg="page", hidden_from_tree=True),
        _edit_bar(ctx, lines) if editing else _pay_bar(ctx, lines),
    ]


def _select(ctx: Context, keys: list[int], wanted: bool) -> Handler:
    def handle() -> None:
        for key in keys:
            store.database(ctx.phone).update("cart", key, selected=int(wanted))

    return handle


def _group(ctx: Context, lines: list[Line]) -> Node:
    first = lines[0]
    chosen = all(line["selected"] for line in lines)
    shop = Row(
        look.check(
            chosen, _select(ctx, [line["_id"] for line in lines], not chosen), "shop_check", ctx.tr("select_shop")
        ),
        Row(
            Icon("storefront-outline", 20.0, "onSurface", hidden_from_tree=True),
            Text(cards.shop_name(ctx, first), "titleSmall", max_lines=1, id="shop_name"),
            Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
            gap=6.0,
            min_height=44.0,
            id="shop_entry",
            on_tap=ctx.open("shop", brand=first["brand"]),
        ),
        width=FILL,
    )
    card = look.card(shop, *(_line(ctx, line) for line in lines), pad=(0.0, 0.0, 12.0, 10.0), id="cart_group")
    return Node("col", (card, Space(height=10.0)), width=FILL, hidden_from_tree=True)


def _line(ctx: Context, line: Line) -> Node:
    language = ctx.language

    def set_quantity(value: int) -> None:
        store.database(ctx.phone).update("cart", line["_id"], quantity=value)

    variant = Row(
        Text(line[f"variant_{language}"], "bodySmall", "onSurfaceVariant", max_lines=1, id="variant"),
        Icon("chevron-down", 16.0, "soft", hidden_from_tree=True),
        gap=2.0,
        bg="pale",
        radius=4.0,
        pad=(6.0, 3.0, 4.0, 3.0),
        min_height=28.0,
        id="cart_variant",
        desc=ctx.tr("change_variant"),
        on_tap=ctx.show(
            "variant", product=line["product_id"], mode="line", line=line["_id"], variant=line["variant_id"]
        ),
    )
    low = line["stock"] < line["quantity"]
    warning = (
        [Text(ctx.tr("stock_short", count=line["stock"]), "bodySmall", "primary", id="stock_short")] if low else []
    )
    texts = Node(
        "col",
        (
            Text(store.name(line, language), "bodyMedium", max_lines=2, id="title"),
            variant,
            *warning,
            Row(
                look.price(line["price_cents"], 19.0),
                Space(weight=1.0),
                look.stepper(ctx, line["quantity"], max(line["stock"], 1), set_quantity),
                width=FILL,
            ),
        ),
        gap=6.0,
        weight=1.0,
        align="start",
    )
    return Node(
        "row",
        (
            look.check(
                bool(line["selected"]),
                _select(ctx, [line["_id"]], not line["selected"]),
                "item_check",
                store.name(line, language),
            ),
            look.picture(line["picture"], 92.0, id="picture", on_tap=ctx.open("detail", product=line["product_id"])),
            Space(width=10.0),
            texts,
        ),
        width=FILL,
        align="start",
        pad=(0.0, 6.0, 0.0, 6.0),
        id="cart_item",
        on_tap=ctx.open("detail", product=line["product_id"]),
        on_long_press=ctx.show("cart_delete", keys=[line["_id"]]),
    )


def _all_check(ctx: Context, lines: list[Line]) -> Node:
    chosen = all(line["selected"] for line in lines)
    act = _select(ctx, [line["_id"] for line in lines], not chosen)
    return Row(
        look.check(chosen, act, "select_all_check", ctx.tr("select_all")),
        Text(ctx.tr("select_all"), "bodyMedium", max_lines=1, on_tap=act, id="select_all_label"),
    )


def _pay_bar(ctx: Context, lines: list[Line]) -> Node:
    chosen = [line for line in lines if line["selected"]]
    coupon = ordering.chosen_coupon(ctx.phone, chosen, ctx.ui.get("coupon"))
    totals = ordering.total(chosen, coupon)
    pieces = sum(line["quantity"] for line in chosen)
    short = any(line["stock"] < line["quantity"] for line in chosen)

    def check_out() -> None:
        if short:
            ctx.toast(ctx.tr("stock_short_toast"))
            return
        wanted = [{"variant": line["variant_id"], "quantity": line["quantity"]} for line in chosen]
        ctx.go("checkout", lines=wanted, from_cart=True, coupon=ctx.ui.get("coupon"))

    value = ctx.tr("coupon_none_usable")
    if coupon is not None:
        value = look.money(-totals.discount)
    elif ordering.usable(ctx.phone, chosen):
        value = ctx.tr("coupon_not_used")
    coupons = Row(
        Icon("ticket-percent-outline", 18.0, "primary", hidden_from_tree=True),
        Text(ctx.tr("coupons"), "bodySmall", max_lines=1),
        Space(weight=1.0),
        Text(value, "bodySmall", "primary" if coupon else "soft", max_lines=1, id="cart_coupon_value"),
        Icon("chevron-right", 16.0, "soft", hidden_from_tree=True),
        gap=6.0,
        width=FILL,
        min_height=40.0,
        pad=(16.0, 0.0, 12.0, 0.0),
        id="cart_coupon",
        on_tap=ctx.show("cart_coupon"),
    )
    details = []
    if totals.discount or totals.shipping:
        text = ctx.tr("cart_discount", amount=look.money(totals.discount)) if totals.discount else ""
        ship = ctx.tr("cart_shipping", amount=look.money(totals.shipping)) if totals.shipping else ""
        text = "  ".join(part for part in (text, ship) if part)
        details.append(Text(text, "labelSmall", "soft", max_lines=1, id="cart_detail", text_weight=400))
    amount = Node(
        "col",
        (
            Row(
                Text(ctx.tr("total"), "bodyMedium", max_lines=1),
                look.price(totals.total, 20.0, id="cart_total"),
                gap=2.0,
                align="baseline",
            ),
            *details,
        ),
        align="end",
        weight=1.0,
    )
    pay = look.pill(ctx.tr("check_out", count=pieces), check_out, "cart_checkout", height=42.0, enabled=bool(chosen))
    line = look.footer(_all_check(ctx, lines), amount, pay, gap=6.0)
    return Node("col", (coupons, line), width=FILL, bg="card")


def _edit_bar(ctx: Context, lines: list[Line]) -> Node:
    keys = [line["_id"] for line in lines if line["selected"]]

    def move() -> None:
        for line in lines:
            if line["selected"]:
                store.set_favourite(ctx.phone, line["product_id"], True)
                store.database(ctx.phone).delete("cart", line["_id"])
        ctx.ui["editing"] = False
        ctx.toast(ctx.tr("moved_to_favourites"))

    return look.footer(
        _all_check(ctx, lines),
        Space(weight=1.0),
        look.pill(ctx.tr("move_to_favourites"), move, "cart_move", "line", enabled=bool(keys)),
        look.pill(ctx.tr("delete"), ctx.show("cart_delete", keys=keys), "cart_delete", "red", enabled=bool(keys)),
    )


class CartSheets(Buying):
    """What comes up over the cart."""

    def overlay_cart_delete(self, ctx: Context, keys: list[int]) -> Node:
        """Asks before lines are deleted."""

        def act() -> None:
            for key in keys:
                store.database(ctx.phone).delete("cart", key)
            ctx.ui["editing"] = False

        return Dialog(
            ctx,
            body=ctx.tr("cart_delete_ask", count=len(keys)),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act))),
        )

    def overlay_cart_coupon(self, ctx: Context) -> Node:
        """Chooses the coupon of the lines that are chosen."""
        lines = store.cart_lines(ctx.phone, chosen_only=True)
        return coupon_sheet(ctx, lines, ctx.ui.get("coupon"), lambda key: ctx.ui.update(coupon=key))


def coupon_sheet(ctx: Context, lines: list[Line], choice: int | None, on_choose: Any) -> Node:
    """A sheet that chooses a coupon, or none."""
    current = ordering.chosen_coupon(ctx.phone, lines, choice)
    usable = ordering.usable(ctx.phone, lines)
    reached = {coupon["_id"] for coupon in usable}
    rest = [coupon for coupon in ordering.my_coupons(ctx.phone) if coupon["_id"] not in reached]

    def choose(key: int) -> Handler:
        return ctx.then_dismiss(on_choose, key)

    rows: list[Node] = []
    for coupon in usable:
        mark = look.check(current is not None and current["_id"] == coupon["_id"], None, "coupon_check")
        until = ctx.tr("coupon_until", date=date_text(ctx, coupon["expires_at"]))
        rows.append(coupon_card(ctx, coupon, until, mark).replace(on_tap=choose(coupon["_id"]), id="coupon_choice"))
    none = Row(
        Text(ctx.tr("coupon_use_none"), "bodyLarge", weight=1.0),
        look.check(current is None, None, "coupon_check"),
        width=FILL,
        min_height=52.0,
        pad=(24.0, 0.0, 24.0, 0.0),
        id="coupon_none",
        on_tap=choose(0),
    )
    rows.append(none)
    if rest:
        rows.append(Text(ctx.tr("coupon_unusable"), "bodySmall", "soft", pad=(20.0, 4.0, 20.0, 8.0)))
    for coupon in rest:
        until = ctx.tr("coupon_until", date=date_text(ctx, coupon["expires_at"]))
        rows.append(coupon_card(ctx, coupon, until, None, faded=True))
    height = min(104.0 * len(rows) + 20.0, 440.0)
    room = Node("box", (LazyList(rows, id="coupon_list"),), width=FILL, height=height, hidden_from_tree=True)
    return Sheet(ctx, close_row(ctx, ctx.tr("coupon_choose")), room)
