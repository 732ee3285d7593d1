"""What others paid to the user: the records behind the collect code."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.wallet import months, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import EmptyState, LazyList, Scaffold, TopBar


class Received(Screen):
    """Payments that came in, by month; neither interest nor money between the user's own accounts."""

    name = "received"
    activity = ".code.ReceivedListActivity"

    def build(self, ctx: Context) -> Node:
        """Months with what came in."""
        found = ctx.db.rows(
            "SELECT * FROM bills WHERE _id IN (SELECT bill_id FROM transfers WHERE direction = 'in') "
            "ORDER BY date DESC, _id DESC"
        )

        def row(item: dict[str, Any]) -> Node:
            if "head" not in item:
                return months.row(ctx, item)
            return months.head(ctx, item["head"], ctx.tr("received_total", amount=store.yuan(item["in"])))

        listed = LazyList(
            months.by_month(ctx, found),
            row=row,
            id="received_list",
            bottom_pad=24.0,
            empty=EmptyState("receipt-text-outline", ctx.tr("nothing_received")),
        )
        return Scaffold(listed, top=TopBar(ctx, ctx.tr("collect_records")), bg="page")
