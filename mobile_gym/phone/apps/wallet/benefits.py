"""Coupons and the member's points."""

from __future__ import annotations

from mobile_gym.phone.apps.wallet import parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Column,
    EmptyState,
    Icon,
    ListRow,
    Row,
    Tabs,
    Text,
)


class Coupons(Screen):
    """Coupons that can be used, and old ones."""

    name = "coupons"
    activity = ".coupon.CouponsActivity"

    def build(self, ctx: Context) -> Node:
        """Tabs over a list."""
        tab = int(ctx.ui.get("tab", 0))
        where = "used_date IS NULL AND expires > ?" if tab == 0 else "(used_date IS NOT NULL OR expires <= ?)"
        found = ctx.db.rows(f"SELECT * FROM coupons WHERE {where} ORDER BY expires, _id", ctx.now_ms)
        tabs = parts.panel(
            Tabs(
                [ctx.tr("coupons_open"), ctx.tr("coupons_old")], tab, lambda n: ctx.ui.update(tab=n), id="coupon_tabs"
            ),
            below=8.0,
        )
        empty = EmptyState("ticket-percent-outline", ctx.tr("no_coupons"))
        return parts.page(
            ctx,
            ctx.tr("service_coupons"),
            found,
            row=lambda row: self._row(ctx, row, tab == 0),
            head=(tabs,),
            empty=empty,
            id="coupon_list",
        )

    def _row(self, ctx: Context, row: store.Row, fresh: bool) -> Node:
        use = {"topup": "topup", "utility": "utilities"}.get(row["kind"], "scan")
        value = Node(
            "col",
            (
                Text(
                    store.yuan(row["amount_cents"]).removesuffix(".00"),
                    "headlineSmall",
                    "inkRed",
                    text_weight=500,
                    max_lines=1,
                ),
                Text(
                    ctx.tr("coupon_min", amount=store.plain(row["min_cents"]).removesuffix(".00")),
                    "labelSmall",
                    "onSurfaceVariant",
                    max_lines=1,
                ),
            ),
            align="center",
            min_width=76.0,
        )
        texts = Column(
            Text(row["title"], "bodyLarge", id="coupon_title"),
            Text(ctx.tr("expires", day=parts.day(ctx, row["expires"])), "bodySmall", "onSurfaceVariant"),
            weight=1.0,
            gap=2.0,
        )
        state = ctx.tr("coupon_used" if row["used_date"] else "coupon_expired")
        tail = (
            Button(ctx.tr("use_it"), ctx.open(use), id="use_coupon", tone="tonal")
            if fresh
            else Text(state, "bodyMedium", "onSurfaceVariant", max_lines=1)
        )
        return parts.panel(
            Row(value, texts, tail, gap=12.0, width=FILL, min_height=84.0, pad=12.0, fade=1.0 if fresh else 0.6),
            below=8.0,
            id="coupon_row",
        )


class Points(Screen):
    """The member's points."""

    name = "points"
    activity = ".member.PointsActivity"

    def build(self, ctx: Context) -> Node:
        """How many, which level, what they change into."""
        points = store.account(ctx.phone)["points"]
        level = "gold" if points >= 2000 else "silver" if points >= 500 else "start"
        needed = {"start": 500, "silver": 2000}.get(level)
        top = parts.panel(
            Icon("star-circle", 48.0, "inkOrange", hidden_from_tree=True),
            Text(str(points), "headlineLarge", text_weight=500, id="points"),
            Text(ctx.tr(f"level_{level}"), "titleMedium", "inkOrange", id="level"),
            Text(
                ctx.tr("level_next", n=needed - points) if needed else ctx.tr("level_top"),
                "bodyMedium",
                "onSurfaceVariant",
                text_align="center",
            ),
            align="center",
            gap=6.0,
            pad=(16.0, 20.0, 16.0, 20.0),
        )
        offers = [
            ListRow(
                ctx.tr("points_offer", amount=cents // 100, least=least // 100),
                ctx.tr("points_cost", n=cost),
                leading=parts.glyph("ticket-percent", "inkRed"),
                trailing=Button(
                    ctx.tr("exchange"),
                    self._exchange(ctx, cents, least, cost) if points >= cost else None,
                    id=f"exchange_{cost}",
                    tone="tonal",
                    enabled=points >= cost,
                ),
                id="offer_row",
            )
            for cents, least, cost in ((100, 3000, 200), (300, 10000, 500), (1000, 20000, 1500))
        ]
        note = Text(ctx.tr("points_rule"), "bodySmall", "onSurfaceVariant", pad=(28.0, 4.0, 28.0, 8.0))
        return parts.page(
            ctx, ctx.tr("points"), [top, parts.panel(parts.heading(ctx.tr("points_offers")), *offers), note]
        )

    def _exchange(self, ctx: Context, cents: int, least: int, cost: int) -> Handler:
        def handle() -> None:
            mine = store.account(ctx.phone)
            ctx.db.update("accounts", mine["_id"], points=mine["points"] - cost)
            ctx.db.insert(
                "coupons",
                title=ctx.tr("points_offer", amount=cents // 100, least=least // 100),
                kind="pay",
                amount_cents=cents,
                min_cents=least,
                expires=ctx.now_ms + 30 * 86_400_000,
            )
            ctx.toast(ctx.tr("exchanged"))

        return handle
