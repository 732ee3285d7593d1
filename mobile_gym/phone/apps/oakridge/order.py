"""One order: its state, its parcel, its items, what can be done with each; and the form of a review."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.apps.oakridge.buying import Buying
from mobile_gym.phone.apps.oakridge.orders import headline
from mobile_gym.phone.apps.oakridge.payment import card_name
from mobile_gym.phone.apps.oakridge.placed import bill
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.formats import time_text
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, LazyList, Row, Text, TextField

STAGES = ("placed", "shipped", "out", "delivered")
OUT_MS = 6 * ordering.HOUR
"""How long before it comes a parcel is out for delivery."""


def number_of(ctx: Context, name: str) -> int:
    """A number among a screen's arguments; 0 where it is none."""
    text = str(ctx.args.get(name) or 0)
    return int(text) if text.isdigit() else 0


def stage(ctx: Context, row: store.Row) -> int:
    """How far an order has come, as a number of `STAGES`."""
    if row["status"] == "delivered":
        return 3
    if row["status"] == "shipped":
        return 2 if ctx.now_ms >= ordering.expected(row) - OUT_MS else 1
    return 0


def progress(ctx: Context, row: store.Row) -> Node:
    """The way of an order as a bar in four parts."""
    reached = stage(ctx, row)
    cells = []
    for number, key in enumerate(STAGES):
        ink = "good" if number <= reached else "outlineVariant"
        mark = Node("space", width=FILL, height=6.0, radius=3.0, bg=ink, hidden_from_tree=True)
        label = Text(
            ctx.tr(f"stage_{key}"),
            "labelSmall",
            "onSurface" if number == reached else "soft",
            text_weight=700 if number == reached else 400,
            text_align="center",
            max_lines=2,
            width=FILL,
        )
        cells.append(Node("col", (mark, label), gap=4.0, weight=1.0, selected=number == reached, id=f"stage_{key}"))
    return Row(*cells, gap=6.0, width=FILL, align="start", id="progress")


class OrderDetail(Buying):
    """An order. Argument: `order`."""

    name = "order"
    activity = ".OrderDetailActivity"

    def on_open(self, ctx: Context) -> None:
        """No list is in front."""
        store.end_list(ctx, self.name)

    def on_resume(self, ctx: Context) -> None:
        """No list is in front."""
        store.end_list(ctx, self.name)

    def build(self, ctx: Context) -> Node:
        """State, items with their deeds, address, bill."""
        found = ordering.order(ctx.phone, number_of(ctx, "order"))
        top = look.bar(ctx, ctx.tr("order_title"), look.cart_button(ctx))
        if found is None:
            return look.page(ctx, Node("box", (look.empty("package-variant-closed", ctx.tr("order_gone")),)), top)
        key = found["_id"]
        text, ink = headline(ctx, found)
        state: list[Node] = [Text(text, "titleLarge", ink, text_weight=700, id="order_status")]
        if found["status"] == "cancelled":
            reason = (
                ctx.tr(f"cancel_{found['cancel_reason']}") if found["cancel_reason"] in ordering.CANCEL_REASONS else ""
            )
            state.append(Text(ctx.tr("cancelled_for", reason=reason), "bodyMedium", "soft", id="cancel_reason"))
        else:
            state.append(progress(ctx, found))
        deeds = []
        if found["status"] in ("shipped", "delivered"):
            deeds.append(
                look.button(ctx.tr("track"), ctx.open("tracking", order=key), "order_track", "action", 44.0, weight=1.0)
            )
        if found["status"] == "placed":
            deeds.append(
                look.button(
                    ctx.tr("cancel_order"),
                    ctx.show("cancel_order", order=key),
                    "order_cancel",
                    "line",
                    44.0,
                    weight=1.0,
                )
            )
        archived = bool(found["archived"])

        def archive() -> None:
            store.database(ctx.phone).update("orders", key, archived=0 if archived else 1)
            ctx.toast(ctx.tr("unarchived" if archived else "archived"))

        if found["status"] in ("delivered", "cancelled"):
            label = ctx.tr("unarchive" if archived else "archive")
            deeds.append(look.button(label, archive, "order_archive", "line", 44.0, weight=1.0))
        if deeds:
            state.append(Row(*deeds, gap=10.0, width=FILL))
        items = ordering.items(ctx.phone, key)
        rows: list[Node] = []
        for item in items:
            rows += [*([look.divider()] if rows else []), self._item(ctx, found, item)]
        sums = ordering.Totals(
            found["goods_cents"],
            found["delivery_cents"],
            found["wrap_cents"],
            found["discount_cents"],
            found["tax_cents"],
        )
        parts = [
            look.gap(),
            look.section(*state, gap=12.0),
            look.gap(),
            look.section(look.title(ctx.tr("items", count=sum(item["quantity"] for item in items))), *rows, gap=12.0),
            look.gap(),
            self._where(ctx, found),
            look.gap(),
            look.section(look.title(ctx.tr("summary")), *bill(ctx, sums), gap=4.0),
            look.gap(12.0),
        ]
        return look.page(ctx, LazyList(parts, id="order_detail_list"), top)

    def _item(self, ctx: Context, found: store.Row, item: store.Row) -> Node:
        about = ", ".join(part for part in (item["variant"], ctx.tr("quantity_of", count=item["quantity"])) if part)
        head = Row(
            look.picture(item["picture"], 72.0),
            Node(
                "col",
                (
                    Text(item["name"], "bodyLarge", max_lines=2, id="title"),
                    Text(about, "bodyMedium", "soft", max_lines=2, id="variant"),
                    Text(look.money(item["price_cents"]), "bodyMedium", text_weight=600, id="item_price"),
                ),
                weight=1.0,
                gap=2.0,
            ),
            gap=12.0,
            width=FILL,
            id="order_item",
            desc=item["name"],
            on_tap=ctx.open("detail", product=item["product_id"]),
        )
        deeds: list[Node] = []
        request = ordering.return_of(ctx.phone, item["_id"])
        if ordering.returnable(ctx.phone, found, item["_id"]):
            deeds.append(self._deed(ctx, "return_start", ctx.open("return_start", item=item["_id"])))
        elif request is not None:
            deeds.append(self._deed(ctx, "return_see", ctx.open("return", request=request["_id"])))
        if found["status"] != "placed":
            deeds.append(self._deed(ctx, "buy_again", lambda: self._again(ctx, item)))
        if found["status"] == "delivered" and not item["reviewed"]:
            deeds.append(self._deed(ctx, "write_review", ctx.open("write_review", item=item["_id"])))
        return Node("col", (head, *deeds), gap=8.0, width=FILL)

    def _deed(self, ctx: Context, key: str, on_tap: Handler) -> Node:
        return look.button(ctx.tr(key), on_tap, key, "line", 42.0, width=FILL)

    def _again(self, ctx: Context, item: store.Row) -> None:
        row = store.variant(ctx.phone, item["variant_id"])
        if row is None or not row["stock"]:
            ctx.toast(ctx.tr("out_of_stock"))
            return
        self.put_into_cart(ctx, item["product_id"], item["variant_id"], 1)

    def _where(self, ctx: Context, found: store.Row) -> Node:
        card = store.card(ctx.phone, found["card_id"])
        pay = (
            ctx.tr("credit")
            if found["payment"] == "credit"
            else card_name(card)
            if card is not None
            else ctx.tr("card")
        )
        facts = [
            (ctx.tr("ship_to"), f"{found['name']}\n{found['address']}"),
            (ctx.tr("speed"), ctx.tr(f"speed_{found['speed']}")),
            (ctx.tr("pay_with"), pay),
        ]
        if found["gift"]:
            facts.append((ctx.tr("gift_short"), found["gift_message"] or ctx.tr("gift_no_message")))
        if found["promo"]:
            facts.append((ctx.tr("promo_title"), found["promo"]))
        facts.append((ctx.tr("order_number_label"), found["number"]))
        rows = [
            Row(
                Text(name, "bodyMedium", "soft", width=120.0),
                Text(value, "bodyMedium", weight=1.0, id="fact"),
                gap=8.0,
                width=FILL,
                align="start",
                min_height=28.0,
            )
            for name, value in facts
        ]
        return look.section(look.title(ctx.tr("order_details")), *rows, gap=4.0)

    def overlay_cancel_order(self, ctx: Context, order: int) -> Node:
        """Asks why it is cancelled; the answer cancels."""

        def act(reason: str) -> Handler:
            def handle() -> None:
                ordering.cancel(ctx.phone, order, reason)
                ctx.toast(ctx.tr("order_cancelled"))

            return ctx.then_dismiss(handle)

        rows = [
            look.radio_row(ctx.tr(f"cancel_{reason}"), "", False, act(reason), f"cancel_{reason}")
            for reason in ordering.CANCEL_REASONS
        ]
        body = Node("col", rows, width=FILL, pad=(20.0, 0.0, 20.0, 0.0))
        return Dialog(ctx, ctx.tr("cancel_why"), body, actions=((ctx.tr("keep_order"), ctx.dismiss),))


class Tracking(Screen):
    """Where a parcel is. Argument: `order`."""

    name = "tracking"
    activity = ".TrackingActivity"

    def build(self, ctx: Context) -> Node:
        """The bar, the parcel's number, what happened so far."""
        found = ordering.order(ctx.phone, number_of(ctx, "order"))
        top = look.bar(ctx, ctx.tr("track"))
        if found is None:
            return look.page(ctx, Node("box", (look.empty("package-variant-closed", ctx.tr("order_gone")),)), top)
        text, ink = headline(ctx, found)
        number = found["tracking"]
        head = [Text(text, "titleLarge", ink, text_weight=700, id="order_status"), progress(ctx, found)]
        if number:

            def copy() -> None:
                ctx.phone.state.interface["clipboard"] = number
                ctx.toast(ctx.tr("number_copied"))

            head.append(
                Row(
                    Text(ctx.tr("tracking_number", number=number), "bodyMedium", weight=1.0, id="tracking_number"),
                    look.link(ctx.tr("copy"), copy, "tracking_copy"),
                    gap=10.0,
                    width=FILL,
                )
            )
        events = []
        for at, key in self._events(ctx, found):
            moment = ctx.phone.state.clock.at(at)
            time = time_text(moment.hour, moment.minute, ctx.phone.use_24_hours, ctx.language)
            events.append(
                Row(
                    Icon("circle-medium", 22.0, "good", hidden_from_tree=True),
                    Node(
                        "col",
                        (
                            Text(ctx.tr(f"event_{key}"), "bodyLarge", id="event"),
                            Text(f"{look.day(ctx, at)}, {time}", "bodySmall", "soft", id="event_time"),
                        ),
                        weight=1.0,
                    ),
                    gap=10.0,
                    width=FILL,
                    min_height=48.0,
                )
            )
        parts = [look.gap(), look.section(*head, gap=12.0), look.gap(), look.section(*events, gap=8.0)]
        return look.page(ctx, LazyList(parts, id="tracking_list"), top)

    def _events(self, ctx: Context, found: store.Row) -> list[tuple[int, str]]:
        """What happened, the newest first."""
        events = [(found["created_at"], "placed")]
        if found["shipped_at"]:
            comes = ordering.expected(found)
            span = comes - found["shipped_at"]
            events += [
                (found["shipped_at"], "shipped"),
                (found["shipped_at"] + span // 3, "hub"),
                (comes - OUT_MS, "out"),
                (comes, "delivered"),
            ]
        if found["status"] == "cancelled":
            events = [(found["created_at"], "placed"), (found["closed_at"] or found["created_at"], "cancelled")]
        return [event for event in reversed(events) if event[0] <= ctx.now_ms]


class WriteReview(Screen):
    """Stars, a headline, a text. Argument: `item`, a row of `order_items`."""

    name = "write_review"
    activity = ".WriteReviewActivity"

    def on_open(self, ctx: Context) -> None:
        """No stars yet."""
        ctx.ui["stars"] = 0

    def build(self, ctx: Context) -> Node:
        """The form."""
        item = store.database(ctx.phone).row("SELECT * FROM order_items WHERE _id = ?", number_of(ctx, "item"))
        top = look.bar(ctx, ctx.tr("write_review"))
        if item is None:
            return look.page(ctx, Node("box", (look.empty("star-outline", ctx.tr("order_gone")),)), top)
        marks = []
        for number in range(1, 6):
            full = number <= ctx.ui["stars"]
            glyph = Icon("star" if full else "star-outline", 34.0, "star", place="center-center", hidden_from_tree=True)
            marks.append(
                Node(
                    "box",
                    (glyph,),
                    width=50.0,
                    height=50.0,
                    id=f"star_{number}",
                    desc=ctx.tr("stars_of", count=number),
                    checkable=True,
                    checked=full,
                    on_tap=ctx.set_ui("stars", number),
                    cls="android.widget.ImageButton",
                )
            )
        head = Row(
            look.picture(item["picture"], 56.0),
            Text(item["name"], "bodyLarge", max_lines=2, weight=1.0, id="title"),
            gap=12.0,
            width=FILL,
        )
        form = look.section(
            head,
            Text(ctx.tr("review_stars"), "titleSmall", pad=(0.0, 8.0, 0.0, 0.0)),
            Row(*marks, width=FILL, id="rating_bar"),
            TextField(ctx, "review_title", ctx.tr("review_title"), max_length=60, action="next"),
            TextField(ctx, "review_text", ctx.tr("review_text"), max_length=300, multiline=True),
            gap=12.0,
        )
        send = look.button(ctx.tr("review_send"), lambda: self._send(ctx, item), "review_send", "filled", weight=1.0)
        return look.page(ctx, LazyList([form], id="review_form"), top, look.footer(send), bg="card")

    def _send(self, ctx: Context, item: store.Row) -> None:
        if not ctx.ui["stars"]:
            ctx.toast(ctx.tr("review_stars_missing"))
            return
        ctx.focus(None)
        data = store.database(ctx.phone)
        data.insert(
            "reviews",
            product_id=item["product_id"],
            variant=item["variant"],
            author=store.get_setting(ctx.phone, "first_name"),
            stars=ctx.ui["stars"],
            title=ctx.field("review_title").strip(),
            text=ctx.field("review_text").strip(),
            own=1,
            order_item_id=item["_id"],
            at=ctx.now_ms,
        )
        data.update("order_items", item["_id"], reviewed=1)
        ctx.toast(ctx.tr("review_thanks"))
        ctx.finish()
