"""One order: its details, the parcel's way, the invoice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.shop import aftersales, cards, look, ordering, store
from mobile_gym.phone.apps.shop.checkout import slot_text, sums
from mobile_gym.phone.apps.shop.orders import OrderDeeds
from mobile_gym.phone.apps.shop.sheets import day_text, gap
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Row, Scaffold, Space, Text, TextField

Order = dict[str, Any]


def find_order(ctx: Context) -> Order | None:
    """The order of the argument `order`; without one the newest."""
    key = ctx.args.get("order")
    if key is None:
        key = store.database(ctx.phone).value("SELECT _id FROM orders ORDER BY created_at DESC LIMIT 1")
    return None if key is None else ordering.order(ctx.phone, int(key))


def gone(ctx: Context, title: str) -> Node:
    """The page of an order that is no more."""
    rest = look.empty("receipt-text-outline", ctx.tr("order_gone"))
    return Scaffold(Node("box", (rest.replace(place="center-center"),)), top=look.bar(ctx, title), bg="page")


class OrderDetail(OrderDeeds):
    """An order. Argument: `order`."""

    name = "order"
    activity = ".OrderDetailActivity"

    def on_open(self, ctx: Context) -> None:
        """This is the screen in front."""
        store.note(ctx, self.name)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Another address was chosen before the order is shipped."""
        found = find_order(ctx)
        if "address" in result and found is not None and found["status"] in ("to_pay", "to_ship"):
            columns = ordering.address_columns(ctx.phone, int(result["address"]))
            store.database(ctx.phone).update("orders", found["_id"], **columns)
            ctx.toast(ctx.tr("order_address_changed"))

    def build(self, ctx: Context) -> Node:
        """State, address, goods, sums, facts."""
        order = find_order(ctx)
        if order is None:
            return gone(ctx, ctx.tr("order_title"))
        items = [self._state(ctx, order), gap(), self._where(ctx, order), gap(), self._goods(ctx, order), gap()]
        items += [
            sums(ctx, order["goods_cents"], order["shipping_cents"], order["discount_cents"], order["total_cents"]),
            gap(),
            self._facts(ctx, order),
            gap(16.0),
        ]
        bottom = look.footer(Space(weight=1.0), *self.buttons(ctx, order, small=True))
        body = Node("box", (LazyList(items, id="order_list"),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("order_title")), bottom=bottom, bg="card")

    def _state(self, ctx: Context, order: Order) -> Node:
        status = order["status"]
        detail = ctx.tr(f"status_{status}_text")
        if status == "to_pay":
            left = max(order["created_at"] + ordering.PAY_MS - ctx.now_ms, 0) // 60_000
            detail = ctx.tr("pay_left", hours=left // 60, minutes=left % 60)
        if status == "cancelled" and order["cancel_reason"]:
            detail = ctx.tr(f"cancel_{order['cancel_reason']}")
        if status == "to_receive" and order["delivered_at"] <= ctx.now_ms:
            detail = ctx.tr("notice_delivered")
        return Node(
            "col",
            (
                Text(ctx.tr(f"status_{status}"), "titleLarge", "primary", text_weight=600, id="order_status"),
                Text(detail, "bodyMedium", "soft", id="order_status_detail"),
            ),
            gap=4.0,
            width=FILL,
            pad=(20.0, 16.0, 20.0, 4.0),
        )

    def _where(self, ctx: Context, order: Order) -> Node:
        rows = []
        if order["shipped_at"] is not None:
            step = logistics(ctx, order)[0]
            rows.append(
                Row(
                    Icon("truck-outline", 22.0, "primary", hidden_from_tree=True),
                    Node(
                        "col",
                        (
                            Text(step[1], "bodyMedium", max_lines=2, id="logistics_last"),
                            Text(day_text(ctx, step[0], True), "bodySmall", "soft", max_lines=1),
                        ),
                        weight=1.0,
                    ),
                    Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
                    gap=12.0,
                    width=FILL,
                    min_height=56.0,
                    id="logistics_entry",
                    on_tap=ctx.open("logistics", order=order["_id"]),
                )
            )
        can_change = order["status"] in ("to_pay", "to_ship")
        change = look.pill(ctx.tr("change"), ctx.open("addresses", pick=True), "change_address", "line", 30.0)
        rows.append(
            Row(
                Icon("map-marker-outline", 22.0, "primary", hidden_from_tree=True),
                Node(
                    "col",
                    (
                        Text(
                            f"{order['name']}  {store.shown_phone(order['phone'])}",
                            "titleSmall",
                            max_lines=2,
                            id="order_receiver",
                        ),
                        Text(order["address"], "bodyMedium", "onSurfaceVariant", id="order_address"),
                    ),
                    gap=2.0,
                    weight=1.0,
                ),
                *((change,) if can_change else ()),
                gap=12.0,
                width=FILL,
            )
        )
        return look.card(*rows, gap=6.0)

    def _goods(self, ctx: Context, order: Order) -> Node:
        rows = []
        for item in ordering.items(ctx.phone, order["_id"]):
            rows.append(cards.line_item(ctx, item, on_tap=ctx.open("detail", product=item["product_id"])))
            asked = aftersales.of_item(ctx.phone, item["_id"])
            if asked is not None:
                rows.append(
                    Row(
                        Space(weight=1.0),
                        look.pill(
                            ctx.tr(f"after_state_{asked['state']}"),
                            ctx.open("aftersale", request=asked["_id"]),
                            "aftersale_entry",
                            "red",
                            30.0,
                        ),
                        width=FILL,
                    )
                )
            elif order["status"] in ("to_ship", "to_receive", "to_review", "done"):
                rows.append(
                    Row(
                        Space(weight=1.0),
                        look.pill(
                            ctx.tr("do_aftersale"), ctx.open("apply", item=item["_id"]), "do_aftersale", "line", 30.0
                        ),
                        width=FILL,
                    )
                )
        return look.card(*rows, id="order_goods")

    def _facts(self, ctx: Context, order: Order) -> Node:
        def copy() -> None:
            ctx.phone.set_clipboard(order["order_no"])
            ctx.toast(ctx.tr("order_no_copied"))

        rows = [
            look.line_row(
                ctx.tr("order_no"), order["order_no"], copy, "order_no", value_color="onSurface", arrow=False
            ),
            look.line_row(ctx.tr("order_created"), day_text(ctx, order["created_at"], True), value_color="onSurface"),
        ]
        for key in ("paid_at", "shipped_at", "received_at"):
            if order[key] is not None:
                rows.append(
                    look.line_row(ctx.tr(f"order_{key}"), day_text(ctx, order[key], True), value_color="onSurface")
                )
        rows += [
            look.line_row(
                ctx.tr("payment"), ctx.tr(f"pay_{order['payment']}"), value_color="onSurface", id="order_payment"
            ),
            look.line_row(
                ctx.tr("delivery_time"), slot_text(ctx, order["slot"]), value_color="onSurface", id="order_slot"
            ),
        ]
        if order["note"]:
            rows.append(look.line_row(ctx.tr("order_note"), order["note"], value_color="onSurface", id="order_note"))
        if order["status"] not in ("to_pay", "cancelled", "refunded"):
            value = ctx.tr(f"invoice_{order['invoice_type'] or 'none'}")
            rows.append(look.line_row(ctx.tr("invoice"), value, ctx.open("invoice", order=order["_id"]), "invoice_row"))
        item = store.database(ctx.phone).row(
            "SELECT p.brand FROM order_items i JOIN products p ON p._id = i.product_id WHERE i.order_id = ?",
            order["_id"],
        )
        if item is not None:
            rows.append(
                look.line_row(ctx.tr("service_chat"), "", ctx.open("chat", brand=item["brand"]), "order_service")
            )
        return look.card(*rows, pad=(16.0, 4.0, 12.0, 4.0))


def logistics(ctx: Context, order: Order) -> list[tuple[int, str]]:
    """The parcel's way so far, the newest step first: moment and text."""
    steps = [(order["created_at"], ctx.tr("way_ordered"))]
    if order["paid_at"] is not None:
        steps.append((order["paid_at"] + 40 * 60_000, ctx.tr("way_packed")))
    shipped, delivered = order["shipped_at"], order["delivered_at"]
    if shipped is not None and delivered is not None:
        part = max(delivered - shipped, 1)
        steps += [
            (shipped, ctx.tr("way_shipped", number=order["tracking"])),
            (shipped + part * 2 // 5, ctx.tr("way_hub")),
            (shipped + part * 3 // 4, ctx.tr("way_city")),
            (delivered - part // 10, ctx.tr("way_courier")),
            (delivered, ctx.tr("way_delivered")),
        ]
    if order["received_at"] is not None:
        steps.append((order["received_at"], ctx.tr("way_received")))
    return [step for step in reversed(steps) if step[0] <= ctx.now_ms]


class Logistics(Screen):
    """The parcel's way. Argument: `order`."""

    name = "logistics"
    activity = ".LogisticsActivity"

    def build(self, ctx: Context) -> Node:
        """Steps, the newest on top."""
        order = find_order(ctx)
        if order is None:
            return gone(ctx, ctx.tr("logistics"))

        def copy() -> None:
            ctx.phone.set_clipboard(order["tracking"])
            ctx.toast(ctx.tr("tracking_copied"))

        items: list[Node] = [gap()]
        if order["tracking"]:
            items += [
                look.card(
                    look.line_row(ctx.tr("carrier"), ctx.tr("carrier_name"), value_color="onSurface"),
                    look.line_row(
                        ctx.tr("tracking_no"),
                        order["tracking"],
                        copy,
                        "tracking_no",
                        value_color="onSurface",
                        arrow=False,
                    ),
                    pad=(16.0, 2.0, 16.0, 2.0),
                ),
                gap(),
            ]
        rows = []
        for number, (at, text) in enumerate(logistics(ctx, order)):
            ink = "primary" if number == 0 else "outline"
            rows.append(
                Row(
                    Node("space", width=10.0, height=10.0, radius=5.0, bg=ink, hidden_from_tree=True),
                    Node(
                        "col",
                        (
                            Text(text, "bodyMedium", "onSurface" if number == 0 else "onSurfaceVariant", id="way_text"),
                            Text(day_text(ctx, at, True), "bodySmall", "soft", max_lines=1, id="way_time"),
                        ),
                        gap=2.0,
                        weight=1.0,
                    ),
                    gap=14.0,
                    width=FILL,
                    pad=(0.0, 8.0, 0.0, 8.0),
                    id="way_step",
                )
            )
        items.append(look.card(*rows, pad=(16.0, 8.0, 16.0, 8.0)))
        body = Node("box", (LazyList(items, id="logistics_list", bottom_pad=12.0),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("logistics")), bg="card")


class Invoice(Screen):
    """Asks for an invoice. Argument: `order`."""

    name = "invoice"
    activity = ".InvoiceActivity"

    def on_open(self, ctx: Context) -> None:
        """Starts from what was asked for before."""
        order = find_order(ctx)
        if order is None:
            return
        ctx.ui.update(kind=order["invoice_type"] or "personal", error="")
        ctx.set_field("invoice_title", order["invoice_title"] or store.get_setting(ctx.phone, "nickname"))
        ctx.set_field("invoice_tax_no", order["invoice_tax_no"])
        ctx.set_field("invoice_email", order["invoice_email"])

    def build(self, ctx: Context) -> Node:
        """Whose invoice, its title, where it goes."""
        order = find_order(ctx)
        if order is None:
            return gone(ctx, ctx.tr("invoice"))
        kind = ctx.ui["kind"]
        chips = [
            look.chip(ctx.tr(f"invoice_{key}"), key == kind, ctx.set_ui("kind", key), f"invoice_{key}")
            for key in ("personal", "company")
        ]
        fields = [
            Row(*chips, gap=10.0, width=FILL, pad=(0.0, 4.0, 0.0, 8.0)),
            TextField(ctx, "invoice_title", ctx.tr("invoice_title")),
        ]
        if kind == "company":
            fields.append(TextField(ctx, "invoice_tax_no", ctx.tr("invoice_tax_no"), error=ctx.ui["error"]))
        fields.append(TextField(ctx, "invoice_email", ctx.tr("invoice_email"), input_type="email"))
        amount = look.line_row(ctx.tr("invoice_amount"), look.money(order["total_cents"]), value_color="primary")
        save = look.pill(ctx.tr("submit"), lambda: self._save(ctx, order), "invoice_submit", height=44.0, weight=1.0)
        items = [gap(), look.card(amount, *fields, gap=10.0, pad=(16.0, 8.0, 16.0, 16.0))]
        body = Node("box", (LazyList(items, id="invoice_list"),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("invoice")), bottom=look.footer(save), bg="card")

    def _save(self, ctx: Context, order: Order) -> None:
        kind = ctx.ui["kind"]
        title, tax = ctx.field("invoice_title").strip(), ctx.field("invoice_tax_no").strip()
        if kind == "company" and not tax:
            ctx.ui["error"] = ctx.tr("invoice_tax_missing")
            return
        store.database(ctx.phone).update(
            "orders",
            order["_id"],
            invoice_type=kind,
            invoice_title=title,
            invoice_tax_no=tax if kind == "company" else "",
            invoice_email=ctx.field("invoice_email").strip(),
        )
        ctx.focus(None)
        ctx.finish()
        ctx.toast(ctx.tr("invoice_done"))
