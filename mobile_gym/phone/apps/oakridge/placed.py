"""An order's bill, and the page of one that was placed."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Row, Text


def bill(ctx: Context, sums: ordering.Totals) -> list[Node]:
    """The lines of a bill."""
    rows = [
        look.sum_row(ctx.tr("sum_goods"), look.money(sums.goods), id="sum_goods"),
        look.sum_row(
            ctx.tr("sum_delivery"), look.money(sums.delivery) if sums.delivery else ctx.tr("free"), id="sum_delivery"
        ),
    ]
    if sums.wrap:
        rows.append(look.sum_row(ctx.tr("sum_wrap"), look.money(sums.wrap), id="sum_wrap"))
    if sums.discount:
        rows.append(look.sum_row(ctx.tr("sum_discount"), look.money(-sums.discount), color="good", id="sum_discount"))
    rows += [
        look.sum_row(ctx.tr("sum_tax"), look.money(sums.tax), id="sum_tax"),
        look.divider(),
        look.sum_row(ctx.tr("order_total"), look.money(sums.total), strong=True, id="sum_total"),
    ]
    return rows


class Placed(Screen):
    """Thanks for an order. Argument: `order`."""

    name = "placed"
    activity = ".OrderPlacedActivity"

    def on_open(self, ctx: Context) -> None:
        """No list is in front."""
        store.end_list(ctx, self.name)

    def on_back(self, ctx: Context) -> bool:
        """Back leads to the home page, not to the checkout."""
        ctx.go("main", tab="home")
        return True

    def build(self, ctx: Context) -> Node:
        """The number, when it comes, where it goes."""
        key = str(ctx.args.get("order") or 0)
        found = ordering.order(ctx.phone, int(key) if key.isdigit() else 0)
        top = look.bar(ctx, ctx.tr("placed_bar"))
        if found is None:
            return look.page(ctx, Node("box", (look.empty("package-variant-closed", ctx.tr("order_gone")),)), top)
        comes = look.day(ctx, ordering.expected(found))
        parts = [
            look.gap(),
            look.section(
                Row(
                    Icon("check-circle", 32.0, "good", hidden_from_tree=True),
                    Text(ctx.tr("placed_title"), "titleLarge", text_weight=700, weight=1.0, id="placed_title"),
                    gap=12.0,
                    width=FILL,
                ),
                Text(ctx.tr("order_number", number=found["number"]), "bodyMedium", "soft", id="order_number"),
                Text(ctx.tr("arriving", day=comes), "titleMedium", "good", text_weight=700, id="arrival"),
                Text(f"{found['name']}, {found['address']}", "bodyLarge", id="address"),
                look.sum_row(ctx.tr("order_total"), look.money(found["total_cents"]), strong=True, id="sum_total"),
                gap=8.0,
            ),
            look.gap(),
            look.section(
                look.button(
                    ctx.tr("placed_order"), ctx.open("order", order=found["_id"]), "placed_order", "filled", width=FILL
                ),
                look.button(ctx.tr("keep_shopping"), ctx.open("main", tab="home"), "placed_home", "line", width=FILL),
                gap=10.0,
            ),
        ]
        return look.page(ctx, LazyList(parts, id="placed_list"), top)
