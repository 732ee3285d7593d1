"""The fund that pays a little every day."""

from __future__ import annotations

from mobile_gym.phone.apps.wallet import ledger, parts, store
from mobile_gym.phone.apps.wallet.money import choose_card, eye, yesterday_income
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Button, Column, ListRow, Row, Tabs, Text

_ICONS = {
    "in": ("arrow-down-bold-circle", "inkBlue"),
    "out": ("arrow-up-bold-circle", "inkOrange"),
    "income": ("sack", "inkRed"),
}


class Fund(Screen):
    """How much is in it, what it paid, its records."""

    name = "fund"
    activity = ".fund.FundActivity"

    def build(self, ctx: Context) -> Node:
        """Amount, income, two buttons, records."""
        mine, hidden = store.account(ctx.phone), store.flag(ctx.phone, "hide_balance")
        total = int(ctx.db.value("SELECT COALESCE(SUM(amount_cents), 0) FROM fund_records WHERE kind = 'income'"))
        rate = f"{store.catalogue()['fund_daily_ppm'] * 365 / 10_000:.2f}%"

        def figure(label: str, value: str, id: str) -> Node:
            return Column(
                Text(value, "titleMedium", max_lines=1, id=id),
                Text(label, "bodySmall", "onSurfaceVariant", max_lines=2, text_align="center"),
                weight=1.0,
                align="center",
                gap=2.0,
            )

        top = parts.panel(
            Row(Text(ctx.tr("fund_amount"), "bodyMedium", "onSurfaceVariant"), eye(ctx), gap=4.0, min_height=48.0),
            parts.amount(mine["fund_cents"], "fund_amount", 40.0, hidden=hidden),
            Row(
                figure(ctx.tr("fund_yesterday_label"), store.yuan(yesterday_income(ctx)), "fund_yesterday"),
                figure(ctx.tr("fund_total_label"), store.yuan(total), "fund_total"),
                figure(ctx.tr("fund_rate_label"), rate, "fund_rate"),
                width=FILL,
                align="start",
                pad=(0.0, 14.0, 0.0, 0.0),
            ),
            Row(
                Button(ctx.tr("fund_out"), ctx.open("fund_out"), tone="tonal", id="fund_out", weight=1.0),
                Button(ctx.tr("fund_in"), ctx.open("fund_in"), id="fund_in", weight=1.0),
                gap=12.0,
                width=FILL,
                pad=(0.0, 18.0, 0.0, 0.0),
            ),
            pad=16.0,
            align="center",
        )
        note = parts.panel(parts.banner(ctx.tr("fund_note")))
        records = ctx.db.rows("SELECT * FROM fund_records ORDER BY date DESC, _id DESC")
        rows = [top, note, parts.panel(parts.heading(ctx.tr("fund_records")), below=0.0, bg="page"), *records]
        return parts.page(ctx, ctx.tr("service_fund"), rows, row=lambda record: _record(ctx, record))


def _record(ctx: Context, record: store.Row) -> Node:
    icon, ink = _ICONS.get(record["kind"], _ICONS["in"])
    sign = "-" if record["kind"] == "out" else "+"
    amount = Text(sign + store.plain(record["amount_cents"]), "titleMedium", max_lines=1, id="record_amount")
    row = ListRow(
        ctx.tr(f"fund_{record['kind']}" if record["kind"] in _ICONS else "service_fund"),
        parts.stamp(ctx, record["date"]),
        leading=parts.glyph(icon, ink),
        trailing=amount,
        on_tap=ctx.open("bill", id=record["bill_id"]),
        id="fund_record",
    )
    return parts.panel(row, below=2.0)


class _Move(Screen):
    """Money into the fund or out of it."""

    kind = ""

    def on_open(self, ctx: Context) -> None:
        """The amount waits for its first digit."""
        cards = store.cards(ctx.phone)
        ctx.ui["card"] = cards[0]["_id"] if cards else 0
        ctx.focus("amount")

    def build(self, ctx: Context) -> Node:
        """From where, how much."""
        mine = store.account(ctx.phone)
        title = ctx.tr(f"fund_{self.kind}")
        source = int(ctx.ui.get("source", 0)) if self.kind == "in" else 0
        card = store.card(ctx.phone, int(ctx.ui.get("card", 0)))
        rows: list[Node] = []
        if self.kind == "in":
            rows.append(
                parts.panel(
                    Tabs(
                        [ctx.tr("from_balance"), ctx.tr("from_card")],
                        source,
                        lambda n: ctx.ui.update(source=n),
                        id="source_tabs",
                    )
                )
            )
            if source == 1:
                name = ctx.tr("card_name", bank=card["bank"], tail=card["tail"]) if card else ctx.tr("no_cards")
                rows.append(
                    parts.panel(
                        parts.entry(
                            ctx,
                            "credit-card",
                            "inkBlue",
                            ctx.tr("recharge_card"),
                            ctx.show("card"),
                            name,
                            "choose_card",
                        )
                    )
                )
        have = mine["fund_cents"] if self.kind == "out" else mine["balance_cents"]
        note = (
            ctx.tr("fund_have" if self.kind == "out" else "balance_is", amount=store.yuan(have))
            if source == 0
            else ctx.tr("recharge_note")
        )
        field = parts.amount_field(
            ctx,
            "amount",
            ctx.tr(f"fund_{self.kind}_amount"),
            error=str(ctx.ui.get("wrong", "")),
            note=note,
            max_tap=(lambda: ctx.set_field("amount", store.plain(have).replace(",", ""))) if source == 0 else None,
        )
        rows.append(parts.panel(field))

        def go() -> None:
            cents = store.parse_amount(ctx.field("amount"))
            if cents is None or (source == 1 and card is None):
                ctx.ui["wrong"] = ctx.tr("wrong_amount")
            elif source == 0 and cents > have:
                ctx.ui["wrong"] = ctx.tr("not_enough_fund" if self.kind == "out" else "not_enough_balance")
            else:
                ctx.focus(None)
                order: ledger.Order = {
                    "kind": f"fund_{self.kind}",
                    "amount": cents,
                    "title": title,
                    "to": ctx.tr("service_fund" if self.kind == "in" else "balance"),
                    "via": ["fund"] if self.kind == "out" else ["card"] if source else ["balance"],
                }
                if source and card is not None:
                    order["card_id"] = card["_id"]
                ctx.go("cashier", order=order)

        return parts.page(ctx, title, rows, bottom=parts.wide_button(title, go, "next_button"))

    def overlay_card(self, ctx: Context) -> Node:
        """Which card."""
        return choose_card(ctx)


class FundIn(_Move):
    """Into the fund."""

    name = "fund_in"
    activity = ".fund.FundInActivity"
    kind = "in"


class FundOut(_Move):
    """Out of the fund, to the balance."""

    name = "fund_out"
    activity = ".fund.FundOutActivity"
    kind = "out"
