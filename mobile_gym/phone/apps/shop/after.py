"""What follows an order: reviews, refunds and returns."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import aftersales, cards, look, ordering, store
from mobile_gym.phone.apps.shop.filters import cents
from mobile_gym.phone.apps.shop.order import find_order, gone
from mobile_gym.phone.apps.shop.sheets import close_row, day_text, gap, wrapped
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, LazyList, Row, Scaffold, Sheet, Space, Text, TextField
from mobile_gym.phone.ui.widgets.fields import field


class WriteReview(Screen):
    """Reviews an order, item by item. Argument: `order`."""

    name = "review"
    activity = ".WriteReviewActivity"

    def on_open(self, ctx: Context) -> None:
        """Five stars are a habit, none is fair: nothing is chosen."""
        ctx.ui.update(stars=0, anonymous=False, picture=False, error="")

    def _item(self, ctx: Context) -> dict[str, Any] | None:
        order = find_order(ctx)
        rows = [] if order is None else ordering.items(ctx.phone, order["_id"])
        return next((row for row in rows if not row["reviewed"]), None)

    def build(self, ctx: Context) -> Node:
        """The item, stars, text, picture, whether anonymous."""
        item = self._item(ctx)
        if item is None:
            return gone(ctx, ctx.tr("do_review"))
        count = int(ctx.ui["stars"])
        rate = Row(
            Text(ctx.tr("review_rate"), "titleSmall"),
            look.stars(count, 30.0, lambda value: ctx.ui.update(stars=value, error="")),
            gap=8.0,
            width=FILL,
        )
        word = Text(
            ctx.ui["error"] or (ctx.tr(f"stars_{count}") if count else ctx.tr("stars_0")),
            "bodySmall",
            "primary" if ctx.ui["error"] else "soft",
            id="review_word",
        )
        text = Node(
            "col",
            (
                field(
                    ctx,
                    "review_text",
                    hint=ctx.tr("review_hint"),
                    multiline=True,
                    max_lines=6,
                    max_length=300,
                    width=FILL,
                    style="bodyMedium",
                ),
            ),
            width=FILL,
            min_height=120.0,
            bg="pale",
            radius=8.0,
            pad=(12.0, 10.0, 12.0, 10.0),
            id="review_text_box",
            on_tap=lambda: ctx.focus("review_text"),
        )
        shown = bool(ctx.ui["picture"])
        add = Node(
            "box",
            (
                look.picture(item["picture"], 76.0)
                if shown
                else Icon("camera-plus-outline", 30.0, "soft", place="center-center", hidden_from_tree=True),
            ),
            width=76.0,
            height=76.0,
            radius=8.0,
            bg="pale",
            id="review_add_picture",
            desc=ctx.tr("review_remove_picture" if shown else "review_add_picture"),
            on_tap=ctx.toggle_ui("picture"),
        )
        anonymous = bool(ctx.ui["anonymous"])
        hide = Row(
            look.check(anonymous, None, "anonymous_check"),
            Text(ctx.tr("review_anonymous"), "bodyMedium", weight=1.0),
            width=FILL,
            min_height=48.0,
            id="review_anonymous",
            on_tap=ctx.toggle_ui("anonymous"),
        )
        card = look.card(cards.line_item(ctx, item, size=56.0), rate, word, text, add, hide, gap=8.0)
        send = look.pill(ctx.tr("review_send"), lambda: self._send(ctx, item), "review_send", height=44.0, weight=1.0)
        body = Node("box", (LazyList([gap(), card, gap()], id="review_form"),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("do_review")), bottom=look.footer(send), bg="card")

    def _send(self, ctx: Context, item: dict[str, Any]) -> None:
        if not ctx.ui["stars"]:
            ctx.ui["error"] = ctx.tr("review_no_stars")
            return
        text = ctx.field("review_text").strip() or ctx.tr("review_default")
        picture = item["picture"] if ctx.ui["picture"] else ""
        ordering.review(ctx.phone, item, int(ctx.ui["stars"]), text, bool(ctx.ui["anonymous"]), picture)
        ctx.focus(None)
        ctx.set_field("review_text", "")
        self.on_open(ctx)
        ctx.toast(ctx.tr("review_done"))
        if self._item(ctx) is None:
            ctx.finish()


class Apply(Screen):
    """Asks for a refund or a return. Argument: `item`, a row of `order_items`."""

    name = "apply"
    activity = ".AfterSaleApplyActivity"

    def _item(self, ctx: Context) -> dict[str, Any] | None:
        key = int(ctx.args.get("item") or 0)
        return store.database(ctx.phone).row("SELECT * FROM order_items WHERE _id = ?", key)

    def on_open(self, ctx: Context) -> None:
        """All of the money, by default."""
        item = self._item(ctx)
        ctx.ui.update(kind="refund", reason="", error="")
        if item is not None:
            ctx.set_field("after_amount", look.yuan(aftersales.most(ctx.phone, item)))

    def build(self, ctx: Context) -> Node:
        """The item, refund or return, reason, amount, note."""
        item = self._item(ctx)
        order = None if item is None else ordering.order(ctx.phone, item["order_id"])
        if item is None or order is None:
            return gone(ctx, ctx.tr("do_aftersale"))
        kinds = ("refund",) if order["status"] == "to_ship" else ("refund", "return")
        chips = [
            look.chip(ctx.tr(f"after_{key}"), key == ctx.ui["kind"], ctx.set_ui("kind", key), f"after_{key}")
            for key in kinds
        ]
        most = aftersales.most(ctx.phone, item)
        reason = ctx.ui["reason"]
        parts = [
            Node("col", wrapped(ctx, chips, 56.0), gap=8.0, width=FILL, pad=(0.0, 8.0, 0.0, 4.0)),
            look.line_row(
                ctx.tr("after_reason"),
                ctx.tr(f"reason_{reason}") if reason else ctx.tr("please_choose"),
                ctx.show("reason"),
                "after_reason",
                value_color="onSurface" if reason else "soft",
            ),
            TextField(
                ctx,
                "after_amount",
                ctx.tr("after_amount"),
                input_type="decimal",
                max_length=9,
                helper=ctx.tr("after_most", amount=look.money(most)),
                error=ctx.ui["error"],
            ),
            TextField(ctx, "after_note", ctx.tr("after_note"), multiline=True, max_length=200),
        ]
        send = look.pill(ctx.tr("submit"), lambda: self._send(ctx, item, most), "after_submit", height=44.0, weight=1.0)
        items = [gap(), look.card(cards.line_item(ctx, item)), gap(), look.card(*parts, gap=8.0), gap()]
        body = Node("box", (LazyList(items, id="apply_list"),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("do_aftersale")), bottom=look.footer(send), bg="card")

    def _send(self, ctx: Context, item: dict[str, Any], most: int) -> None:
        amount = cents(ctx.field("after_amount"))
        if not ctx.ui["reason"]:
            ctx.toast(ctx.tr("after_no_reason"))
            return
        if amount is None or not 0 < amount <= most:
            ctx.ui["error"] = ctx.tr("after_bad_amount", amount=look.money(most))
            return
        key = aftersales.apply(
            ctx.phone, item, ctx.ui["kind"], ctx.ui["reason"], amount, ctx.field("after_note").strip()
        )
        ctx.focus(None)
        ctx.finish()
        ctx.go("aftersale", request=key)

    def overlay_reason(self, ctx: Context) -> Node:
        """Why."""

        def choose(key: str) -> Handler:
            return ctx.then_dismiss(lambda: ctx.ui.update(reason=key))

        entries = [
            (ctx.tr(f"reason_{key}"), f"reason_{key}", key == ctx.ui["reason"], choose(key))
            for key in aftersales.REASONS
        ]
        return Sheet(ctx, close_row(ctx, ctx.tr("after_reason")), *look.choices(ctx, entries), Space(height=8.0))


class AfterSale(Screen):
    """A request and how far it is. Argument: `request`."""

    name = "aftersale"
    activity = ".AfterSaleDetailActivity"

    def build(self, ctx: Context) -> Node:
        """State, steps, item, facts, what can be done."""
        key = ctx.args.get("request")
        if key is None:
            key = store.database(ctx.phone).value("SELECT MAX(_id) FROM aftersales")
        row = next((one for one in aftersales.requests(ctx.phone) if one["_id"] == key), None)
        if row is None:
            return gone(ctx, ctx.tr("orders_aftersale"))
        state, kind = row["state"], row["kind"]
        detail_key = f"after_text_{state}_{kind}" if state == "approved" else f"after_text_{state}"
        head = Node(
            "col",
            (
                Text(ctx.tr(f"after_state_{state}"), "titleLarge", "primary", text_weight=600, id="after_state"),
                Text(
                    ctx.tr(detail_key, amount=look.money(row["amount_cents"])), "bodyMedium", "soft", id="after_detail"
                ),
            ),
            gap=4.0,
            width=FILL,
            pad=(20.0, 16.0, 20.0, 6.0),
        )
        facts = [
            look.line_row(ctx.tr("after_kind"), ctx.tr(f"after_{kind}"), value_color="onSurface"),
            look.line_row(ctx.tr("after_reason"), ctx.tr(f"reason_{row['reason']}"), value_color="onSurface"),
            look.line_row(
                ctx.tr("after_amount"), look.money(row["amount_cents"]), value_color="primary", id="after_amount_row"
            ),
            look.line_row(ctx.tr("after_created"), day_text(ctx, row["created_at"], True), value_color="onSurface"),
        ]
        if row["note"]:
            facts.append(look.line_row(ctx.tr("after_note"), row["note"], value_color="onSurface"))
        if row["tracking"]:
            facts.append(look.line_row(ctx.tr("tracking_no"), row["tracking"], value_color="onSurface"))
        buttons = []
        if state in ("applied", "approved"):
            buttons.append(
                look.pill(ctx.tr("after_withdraw"), ctx.show("withdraw", request=key), "after_withdraw", "line")
            )
        if state == "approved" and kind == "return":
            buttons.append(look.pill(ctx.tr("after_send_back"), ctx.show("send_back", request=key), "after_send_back"))
        items = [
            head,
            gap(),
            look.card(cards.line_item(ctx, row), on_tap=ctx.open("order", order=row["order_id"]), id="after_order"),
            gap(),
            look.card(*facts, pad=(16.0, 4.0, 16.0, 4.0)),
        ]
        body = Node("box", (LazyList(items, id="aftersale_list"),), width=FILL, bg="page")
        bottom = look.footer(Space(weight=1.0), *buttons) if buttons else None
        return Scaffold(body, top=look.bar(ctx, ctx.tr("orders_aftersale")), bottom=bottom, bg="card")

    def overlay_withdraw(self, ctx: Context, request: int) -> Node:
        """Asks before a request is withdrawn."""

        def act() -> None:
            aftersales.set_state(ctx.phone, request, "withdrawn")
            ctx.toast(ctx.tr("after_withdrawn"))

        return Dialog(
            ctx,
            body=ctx.tr("after_withdraw_ask"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("ok"), ctx.then_dismiss(act))),
        )

    def overlay_send_back(self, ctx: Context, request: int) -> Node:
        """Asks for the number of the parcel that goes back."""

        def act() -> None:
            number = ctx.field("tracking").strip()
            if not number:
                ctx.toast(ctx.tr("tracking_missing"))
                return
            ctx.focus(None)
            ctx.dismiss()
            aftersales.set_state(ctx.phone, request, "returning", tracking=number)

        body = Node(
            "col", (TextField(ctx, "tracking", ctx.tr("tracking_no"), max_length=24),), pad=(24.0, 0.0, 24.0, 0.0)
        )
        return Dialog(
            ctx,
            ctx.tr("after_send_back"),
            body,
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("submit"), act)),
        )
