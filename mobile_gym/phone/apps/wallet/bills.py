"""Bills: the list by month, one bill, statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.wallet import months, parts, store
from mobile_gym.phone.apps.wallet.money import month_start
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Chip,
    Column,
    Dialog,
    EmptyState,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Radio,
    Row,
    Scaffold,
    SearchField,
    Tabs,
    Text,
    TextField,
    TopBar,
    fitting,
)

DIRECTIONS = ("all", "out", "in", "move")


def categories() -> Mapping[str, Any]:
    """Kinds of bills."""
    found: Mapping[str, Any] = store.catalogue()["categories"]
    return found


class Bills(Screen):
    """All bills, newest first, with a head for each month."""

    name = "bills"
    activity = ".bill.BillListActivity"

    def on_open(self, ctx: Context) -> None:
        """Starts with the filter that was asked for."""
        direction, category = ctx.args.get("direction"), ctx.args.get("category")
        ctx.ui["direction"] = direction if direction in DIRECTIONS else "all"
        ctx.ui["category"] = category if category in categories() else "all"

    def _found(self, ctx: Context) -> list[store.Row]:
        where, values = ["1"], []
        direction, category = str(ctx.ui.get("direction", "all")), str(ctx.ui.get("category", "all"))
        if direction != "all":
            where.append("direction = ?")
            values.append(direction)
        if category != "all":
            where.append("category = ?")
            values.append(category)
        if ctx.args.get("card"):
            where.append(f"card_id = {parts.whole(ctx.args['card'])}")
        query = ctx.field("query").strip()
        if query:
            where.append("(title LIKE ? OR note LIKE ? OR printf('%.2f', amount_cents / 100.0) LIKE ?)")
            values += [f"%{query}%"] * 2 + [f"{query}%"]
        return ctx.db.rows(f"SELECT * FROM bills WHERE {' AND '.join(where)} ORDER BY date DESC, _id DESC", *values)

    def build(self, ctx: Context) -> Node:
        """Search, filters, months."""
        items = months.by_month(ctx, self._found(ctx))
        filtered = (
            any(ctx.ui.get(name, "all") != "all" for name in ("direction", "category"))
            or bool(ctx.args.get("card"))
            or bool(ctx.field("query").strip())
        )

        def row(item: dict[str, Any]) -> Node:
            if "head" not in item:
                return months.row(ctx, item)
            # Under a filter a total is only of what shows: one of nothing would be read as the month's.
            totals = [
                f"{ctx.tr(f'direction_{side}')} {store.yuan(item[side])}"
                for side in ("out", "in")
                if item[side] or not filtered
            ]
            return months.head(ctx, item["head"], "  ".join(totals))

        category = str(ctx.ui.get("category", "all"))
        chips = [
            Chip(
                ctx.tr(f"direction_{name}"),
                name == ctx.ui.get("direction", "all"),
                ctx.set_ui("direction", name),
                id=f"direction_{name}",
            )
            for name in DIRECTIONS
        ]
        label = ctx.tr("all_categories") if category == "all" else ctx.tr(f"category_{category}")
        chips.append(Chip(label, category != "all", ctx.show("category"), icon="filter-variant", id="filter_category"))
        bar = Node(
            "list",
            chips,
            axis="h",
            gap=8.0,
            width=FILL,
            pad=(12.0, 0.0, 12.0, 8.0),
            id="filter_chips",
            cls="android.widget.HorizontalScrollView",
        )
        search = Node(
            "box",
            (SearchField(ctx, "query", ctx.tr("search_bills"), height=48.0),),
            width=FILL,
            pad=(12.0, 0.0, 12.0, 8.0),
            hidden_from_tree=True,
        )
        listed = LazyList(
            items,
            row=row,
            id="bill_list",
            bottom_pad=24.0,
            empty=EmptyState("receipt-text-outline", ctx.tr("no_bills")),
        )
        body = Node("col", (search, bar, listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True)
        actions = [IconButton("chart-donut", ctx.open("stats"), ctx.tr("service_stats"), id="open_stats")]
        return Scaffold(body, top=TopBar(ctx, ctx.tr("service_bills"), actions=actions), bg="page")

    def overlay_category(self, ctx: Context) -> Node:
        """Which kind to show."""
        chosen = str(ctx.ui.get("category", "all"))

        def choice(name: str) -> Node:
            return ListRow(
                ctx.tr("all_categories" if name == "all" else f"category_{name}"),
                trailing=Radio(name == chosen),
                on_tap=ctx.then_dismiss(ctx.ui.__setitem__, "category", name),
                id=f"category_{name}",
            )

        rows = [choice(name) for name in ("all", *categories())]
        return parts.sheet(ctx, ctx.tr("category"), rows)


class Bill(Screen):
    """One bill: what it was, its note and kind, deleting the record."""

    name = "bill"
    activity = ".bill.BillDetailActivity"

    def _bill(self, ctx: Context) -> store.Row | None:
        return ctx.db.row("SELECT * FROM bills WHERE _id = ?", parts.key(ctx))

    def build(self, ctx: Context) -> Node:
        """Amount, facts, what can be changed."""
        bill = self._bill(ctx)
        if bill is None:
            return parts.page(
                ctx, ctx.tr("bill_title"), [], empty=EmptyState("receipt-text-outline", ctx.tr("bill_gone"))
            )
        look = categories().get(bill["category"], categories()["other"])
        top = parts.panel(
            parts.glyph(look["icon"], look["ink"], 48.0),
            Text(bill["title"], "titleMedium", text_align="center", id="bill_title"),
            Text(
                store.signed(bill),
                "headlineLarge",
                "moneyIn" if bill["direction"] == "in" else "onSurface",
                text_weight=500,
                max_lines=1,
                id="bill_amount",
            ),
            Text(ctx.tr("bill_done"), "bodyMedium", "onSurfaceVariant"),
            align="center",
            gap=6.0,
            pad=(16.0, 20.0, 16.0, 20.0),
        )
        facts = [
            parts.fact(ctx, ctx.tr("pay_method"), parts.bill_method(ctx, bill), "bill_method"),
            parts.fact(ctx, ctx.tr("bill_time"), parts.full_stamp(ctx, bill["date"]), "bill_time"),
            parts.fact(ctx, ctx.tr("order_no"), str(bill["order_no"]), "order_no"),
        ]
        transfer = ctx.db.row("SELECT * FROM transfers WHERE bill_id = ?", bill["_id"])
        if transfer is not None and transfer["account"]:
            text = store.grouped(transfer["account"]) if transfer["kind"] == "card" else transfer["account"]
            facts.insert(0, parts.fact(ctx, ctx.tr("other_account"), text, "other_account"))
        category = ctx.tr(f"category_{bill['category']}") if bill["category"] in categories() else bill["category"]
        menu = parts.panel(
            parts.entry(
                ctx, "shape-outline", "inkBlue", ctx.tr("category"), ctx.show("category"), category, "bill_category"
            ),
            parts.entry(
                ctx,
                "note-edit-outline",
                "inkOrange",
                ctx.tr("note"),
                self._edit(ctx, bill),
                bill["note"] or ctx.tr("add_note"),
                "bill_note",
            ),
        )
        rows = [top, parts.panel(*facts, pad=(0.0, 6.0, 0.0, 6.0)), menu]
        if transfer is not None and transfer["direction"] == "out" and transfer["kind"] == "wallet":
            again = ctx.open("transfer_amount", to=transfer["account"], name=transfer["name"])
            rows.append(
                parts.panel(
                    parts.entry(ctx, "repeat", "inkTeal", ctx.tr("transfer_again"), again, "", "transfer_again")
                )
            )
        actions = [IconButton("trash-can-outline", ctx.show("delete"), ctx.tr("delete_bill"), id="delete_bill")]
        return parts.page(ctx, ctx.tr("bill_title"), rows, actions=actions)

    def _edit(self, ctx: Context, bill: store.Row) -> Any:
        def handle() -> None:
            ctx.set_field("note", bill["note"])
            ctx.open_overlay("note")

        return handle

    def overlay_note(self, ctx: Context) -> Node:
        """The note of the bill."""

        def close() -> None:
            ctx.focus(None)
            ctx.dismiss()

        def save() -> None:
            ctx.db.update("bills", parts.key(ctx), note=ctx.field("note").strip())
            close()

        body = Node(
            "box",
            (TextField(ctx, "note", ctx.tr("note"), max_length=40, on_submit=save),),
            width=FILL,
            pad=(24.0, 0.0, 24.0, 0.0),
        )
        return Dialog(ctx, ctx.tr("note"), body, actions=[(ctx.tr("cancel"), close), (ctx.tr("save"), save)])

    def overlay_category(self, ctx: Context) -> Node:
        """The kind of the bill."""
        bill = self._bill(ctx) or {"_id": 0, "category": ""}

        def put(name: str) -> None:
            ctx.db.update("bills", bill["_id"], category=name)

        rows = [
            ListRow(
                ctx.tr(f"category_{name}"),
                leading=Icon(look["icon"], 24.0, look["ink"]),
                trailing=Radio(name == bill["category"]),
                on_tap=ctx.then_dismiss(put, name),
                id=f"category_{name}",
            )
            for name, look in categories().items()
        ]
        return parts.sheet(ctx, ctx.tr("category"), rows)

    def overlay_delete(self, ctx: Context) -> Node:
        """Asks before the record goes."""

        def delete() -> None:
            ctx.db.delete("bills", parts.key(ctx))
            ctx.finish()
            ctx.toast(ctx.tr("bill_deleted"))

        return Dialog(
            ctx,
            ctx.tr("delete_bill"),
            ctx.tr("delete_bill_text"),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(delete))],
        )


class Stats(Screen):
    """A month by kinds of bills."""

    name = "stats"
    activity = ".bill.BillStatsActivity"

    def build(self, ctx: Context) -> Node:
        """Month, direction, total, bars."""
        back = int(ctx.ui.get("back", 0))
        side = "in" if ctx.ui.get("side") else "out"
        start, end = month_start(ctx, back), month_start(ctx, back - 1)
        found = ctx.db.rows(
            "SELECT category, SUM(amount_cents) AS total, COUNT(*) AS n FROM bills "
            "WHERE direction = ? AND date >= ? AND date < ? GROUP BY category ORDER BY total DESC, category",
            side,
            start,
            end,
        )
        total = sum(row["total"] for row in found)
        switch = parts.panel(
            Row(
                IconButton(
                    "chevron-left",
                    lambda: ctx.ui.update(back=min(back + 1, 24)),
                    ctx.tr("month_before"),
                    id="month_before",
                ),
                Text(months.name(ctx, start), "titleMedium", weight=1.0, text_align="center", id="month_title"),
                IconButton(
                    "chevron-right",
                    lambda: ctx.ui.update(back=max(back - 1, 0)),
                    ctx.tr("month_after"),
                    id="month_after",
                    enabled=back > 0,
                ),
                width=FILL,
                min_height=48.0,
            ),
            Tabs(
                [ctx.tr("direction_out"), ctx.tr("direction_in")],
                int(side == "in"),
                lambda n: ctx.ui.update(side=n),
                id="side_tabs",
            ),
            Column(
                Text(ctx.tr(f"total_{side}"), "bodyMedium", "onSurfaceVariant"),
                parts.amount(total, "stats_total"),
                align="center",
                gap=2.0,
                width=FILL,
                pad=(16.0, 14.0, 16.0, 18.0),
            ),
        )
        bars = [self._bar(ctx, row, total, side) for row in found]
        if not bars:
            bars = [Text(ctx.tr("no_bills"), "bodyMedium", "onSurfaceVariant", pad=(16.0, 20.0, 16.0, 20.0))]
        return parts.page(
            ctx, ctx.tr("service_stats"), [switch, parts.panel(parts.heading(ctx.tr("by_category")), *bars)]
        )

    def _bar(self, ctx: Context, row: store.Row, total: int, side: str) -> Node:
        look = categories().get(row["category"], categories()["other"])
        share = row["total"] / total if total else 0.0
        known = row["category"] in categories()
        track = Row(
            Node("space", weight=max(share, 0.004), height=8.0, radius=4.0, bg=look["ink"], hidden_from_tree=True),
            Node("space", weight=max(1.0 - share, 0.004), height=8.0, hidden_from_tree=True),
            weight=1.0,
            hidden_from_tree=True,
        )
        percent = Text(
            f"{share * 100:.1f}%",
            "bodyMedium",
            "onSurfaceVariant",
            max_lines=1,
            text_align="end",
            width=50.0 * fitting.growth(ctx, 14.0),  # alike in all rows, so that bars can be compared
            id="share",
        )
        return Row(
            parts.glyph(look["icon"], look["ink"], hidden_from_tree=True),
            Column(
                Row(
                    Text(
                        ctx.tr(f"category_{row['category']}") if known else row["category"],
                        "bodyLarge",
                        weight=1.0,
                        max_lines=2,
                        id="category",
                    ),
                    Text(store.yuan(row["total"]), "titleMedium", max_lines=1, id="category_total"),
                    gap=8.0,
                    width=FILL,
                    hidden_from_tree=True,
                ),
                Row(track, percent, width=FILL, hidden_from_tree=True),
                weight=1.0,
            ),
            gap=14.0,
            width=FILL,
            min_height=64.0,
            pad=(16.0, 8.0, 16.0, 8.0),
            on_tap=ctx.open("bills", direction=side, category=row["category"]) if known else None,
            id="stats_row",
        )
