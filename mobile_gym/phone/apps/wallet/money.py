"""The money tab, and the pages of balance and fund."""

from __future__ import annotations

from mobile_gym.phone.apps.wallet import ledger, parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Column,
    EmptyState,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Radio,
    Row,
    Text,
)


def head(ctx: Context) -> Node:
    """All the money, with an eye that hides it."""
    mine = store.account(ctx.phone)
    hidden = store.flag(ctx.phone, "hide_balance")
    total = mine["balance_cents"] + mine["fund_cents"]
    return Column(
        Row(
            Text(ctx.tr("total_money"), "bodyMedium", "onBrand", max_lines=1),
            eye(ctx, "onBrand"),
            Node("space", weight=1.0, hidden_from_tree=True),
            Row(
                Icon("receipt-text-outline", 20.0, "onBrand", hidden_from_tree=True),
                Text(ctx.tr("service_bills"), "labelLarge", "onBrand", max_lines=1, hidden_from_tree=True),
                gap=4.0,
                min_height=48.0,
                pad=(8.0, 0.0, 12.0, 0.0),
                on_tap=ctx.open("bills"),
                id="money_bills",
                text=ctx.tr("service_bills"),
                cls="android.widget.Button",
            ),
            width=FILL,
            min_height=48.0,
        ),
        parts.amount(total, "total_amount", 34.0, "onBrand", hidden),
        width=FILL,
        pad=(16.0, 4.0, 4.0, 18.0),
        id="money_head",
    )


def eye(ctx: Context, ink: str = "onSurfaceVariant") -> Node:
    """The button that hides or shows amounts."""
    hidden = store.flag(ctx.phone, "hide_balance")
    return IconButton(
        "eye-off-outline" if hidden else "eye-outline",
        lambda: store.put_pref(ctx.phone, "hide_balance", not hidden),
        ctx.tr("show_balance" if hidden else "hide_balance"),
        id="hide_balance",
        color=ink,
        glyph=20.0,
    )


def body(ctx: Context) -> Node:
    """Balance, fund, cards, coupons, bills of the month."""
    mine, hidden = store.account(ctx.phone), store.flag(ctx.phone, "hide_balance")
    cards = store.cards(ctx.phone)
    start = month_start(ctx, 0)
    spent = int(
        ctx.db.value("SELECT COALESCE(SUM(amount_cents), 0) FROM bills WHERE direction = 'out' AND date >= ?", start)
    )
    coupons = int(ctx.db.value("SELECT COUNT(*) FROM coupons WHERE used_date IS NULL AND expires > ?", ctx.now_ms))

    def money(cents: int) -> str:
        return "****" if hidden else store.yuan(cents)

    tails = ctx.tr("list_comma").join(card["tail"] for card in cards[:3])
    rows = [
        parts.gap(10.0),
        parts.panel(
            parts.entry(
                ctx,
                "wallet",
                "inkBlue",
                ctx.tr("balance"),
                ctx.open("balance"),
                money(mine["balance_cents"]),
                "row_balance",
            ),
            parts.entry(
                ctx,
                "sack",
                "inkRed",
                ctx.tr("service_fund"),
                ctx.open("fund"),
                money(mine["fund_cents"]),
                "row_fund",
                ctx.tr("fund_yesterday", amount=store.yuan(yesterday_income(ctx))),
            ),
            parts.entry(
                ctx,
                "credit-card-multiple",
                "inkTeal",
                ctx.tr("service_cards"),
                ctx.open("cards"),
                ctx.tr("cards_count", n=len(cards)),
                "row_cards",
                ctx.tr("tails", tails=tails) if tails else "",
            ),
        ),
        parts.panel(
            parts.cells(
                ctx,
                [
                    _quick(ctx, "wallet-plus", "inkGreen", "recharge"),
                    _quick(ctx, "bank-transfer-out", "inkTeal", "withdraw"),
                    _quick(ctx, "swap-horizontal-circle", "inkBlue", "transfer"),
                    _quick(ctx, "chart-donut", "inkPurple", "stats"),
                ],
                4,
            ),
            pad=(4.0, 6.0, 4.0, 6.0),
        ),
        parts.panel(
            parts.entry(
                ctx,
                "receipt-text",
                "inkPurple",
                ctx.tr("service_bills"),
                ctx.open("bills"),
                ctx.tr("month_spent", amount=money(spent)),
                "row_bills",
            ),
            parts.entry(
                ctx,
                "ticket-percent",
                "inkRed",
                ctx.tr("service_coupons"),
                ctx.open("coupons"),
                ctx.tr("coupons_short", n=coupons),
                "row_coupons",
            ),
            parts.entry(
                ctx, "star-circle", "inkOrange", ctx.tr("points"), ctx.open("points"), str(mine["points"]), "row_points"
            ),
            parts.entry(
                ctx, "sort-variant", "inkBlue", ctx.tr("pay_order"), ctx.open("pay_order"), "", "row_pay_order"
            ),
        ),
        Text(
            ctx.tr("safe_money"),
            "bodySmall",
            "onSurfaceVariant",
            width=FILL,
            text_align="center",
            pad=(24.0, 6.0, 24.0, 20.0),
        ),
    ]
    return LazyList(rows, id="money_list")


def _quick(ctx: Context, icon: str, ink: str, name: str) -> Node:
    return parts.cell(icon, ink, ctx.tr(f"service_{name}"), ctx.open(name), f"quick_{name}")


def month_start(ctx: Context, back: int) -> int:
    """Milliseconds of the first moment of a month, some months before the present one."""
    now = ctx.now
    months = now.year * 12 + now.month - 1 - back
    first = now.replace(year=months // 12, month=months % 12 + 1, day=1, hour=0, minute=0, second=0, microsecond=0)
    return ctx.phone.state.clock.to_ms(first.replace(tzinfo=None))


def yesterday_income(ctx: Context) -> int:
    """What the fund paid last, if it was within a day and a half."""
    found = ctx.db.value(
        "SELECT amount_cents FROM fund_records WHERE kind = 'income' AND date > ? ORDER BY date DESC LIMIT 1",
        ctx.now_ms - 129_600_000,
    )
    return int(found or 0)


class Balance(Screen):
    """The balance, and what moves it."""

    name = "balance"
    activity = ".money.BalanceActivity"

    def build(self, ctx: Context) -> Node:
        """Amount, two buttons, the last movements."""
        mine, hidden = store.account(ctx.phone), store.flag(ctx.phone, "hide_balance")
        bills = ctx.db.rows("SELECT * FROM bills WHERE balance_change_cents <> 0 ORDER BY date DESC, _id DESC LIMIT 30")
        top = parts.panel(
            Row(Text(ctx.tr("balance_yuan"), "bodyMedium", "onSurfaceVariant"), eye(ctx), gap=4.0, min_height=48.0),
            parts.amount(mine["balance_cents"], "balance_amount", 40.0, hidden=hidden),
            Row(
                Button(ctx.tr("service_recharge"), ctx.open("recharge"), id="recharge", weight=1.0),
                Button(ctx.tr("service_withdraw"), ctx.open("withdraw"), id="withdraw", tone="tonal", weight=1.0),
                gap=12.0,
                width=FILL,
                pad=(0.0, 16.0, 0.0, 0.0),
            ),
            pad=16.0,
            align="center",
        )
        rows = [top, parts.panel(parts.heading(ctx.tr("balance_details")), below=0.0, bg="page"), *bills]
        return parts.page(
            ctx, ctx.tr("balance"), rows, row=lambda bill: parts.panel(parts.bill_row(ctx, bill), below=2.0)
        )


class _Cash(Screen):
    """Money between a card and the balance."""

    kind = ""

    def on_open(self, ctx: Context) -> None:
        """Chooses the default card."""
        cards = store.cards(ctx.phone)
        ctx.ui["card"] = cards[0]["_id"] if cards else 0
        if "amount" in ctx.args:
            ctx.set_field("amount", str(ctx.args["amount"]))
        ctx.focus("amount")

    def build(self, ctx: Context) -> Node:
        """Card, amount, button."""
        card = store.card(ctx.phone, int(ctx.ui.get("card", 0)))
        title = ctx.tr(f"service_{self.kind}")
        if card is None:
            return parts.page(
                ctx,
                title,
                [],
                empty=EmptyState("credit-card-off-outline", ctx.tr("no_cards")),
                bottom=parts.wide_button(ctx.tr("add_card"), ctx.open("add_card"), "add_card"),
            )
        balance = store.account(ctx.phone)["balance_cents"]
        out = self.kind == "withdraw"
        name = ctx.tr("card_name", bank=card["bank"], tail=card["tail"])
        field = parts.amount_field(
            ctx,
            "amount",
            ctx.tr(f"{self.kind}_amount"),
            error=str(ctx.ui.get("wrong", "")),
            note=ctx.tr("balance_is", amount=store.yuan(balance)) if out else ctx.tr("recharge_note"),
            max_tap=(lambda: ctx.set_field("amount", store.plain(balance).replace(",", ""))) if out else None,
        )
        rows = [
            parts.panel(
                parts.entry(
                    ctx, "credit-card", "inkBlue", ctx.tr(f"{self.kind}_card"), ctx.show("card"), name, "choose_card"
                )
            ),
            parts.panel(field),
        ]
        return parts.page(ctx, title, rows, bottom=parts.wide_button(title, self._next(ctx), "next_button"))

    def _next(self, ctx: Context) -> Handler:
        def handle() -> None:
            cents = store.parse_amount(ctx.field("amount"))
            card = store.card(ctx.phone, int(ctx.ui.get("card", 0)))
            if cents is None or card is None:
                ctx.ui["wrong"] = ctx.tr("wrong_amount")
                return
            out = self.kind == "withdraw"
            if out and cents > store.account(ctx.phone)["balance_cents"]:
                ctx.ui["wrong"] = ctx.tr("not_enough_balance")
                return
            order: ledger.Order = {
                "kind": self.kind,
                "amount": cents,
                "title": ctx.tr(f"title_{self.kind}", card=card["tail"]),
                "to": ctx.tr("card_name", bank=card["bank"], tail=card["tail"]) if out else ctx.tr("balance"),
                "via": ["balance"] if out else ["card"],
            }
            order["to_card" if out else "card_id"] = card["_id"]
            ctx.focus(None)
            ctx.go("cashier", order=order)

        return handle

    def on_resume(self, ctx: Context) -> None:
        """A card that was added meanwhile is chosen."""
        if store.card(ctx.phone, int(ctx.ui.get("card", 0))) is None:
            cards = store.cards(ctx.phone)
            ctx.ui["card"] = cards[0]["_id"] if cards else 0

    def overlay_card(self, ctx: Context) -> Node:
        """Which card."""
        return choose_card(ctx)


def choose_card(ctx: Context) -> Node:
    """A sheet of the user's cards; the chosen one is `ctx.ui["card"]`."""
    rows = [
        ListRow(
            ctx.tr("card_name", bank=card["bank"], tail=card["tail"]),
            ctx.tr(f"card_{card['kind']}"),
            leading=Icon("credit-card", 24.0, store.bank_color(card["bank"])),
            trailing=Radio(card["_id"] == ctx.ui.get("card")),
            on_tap=ctx.then_dismiss(ctx.ui.__setitem__, "card", card["_id"]),
            id="card_choice",
        )
        for card in store.cards(ctx.phone)
    ]
    rows.append(
        ListRow(
            ctx.tr("add_card"),
            icon="credit-card-plus-outline",
            on_tap=ctx.then_dismiss(ctx.go, "add_card"),
            id="card_add",
        )
    )
    return parts.sheet(ctx, ctx.tr("choose_card"), rows)


class Recharge(_Cash):
    """Card to balance."""

    name = "recharge"
    activity = ".money.RechargeActivity"
    kind = "recharge"


class Withdraw(_Cash):
    """Balance to card."""

    name = "withdraw"
    activity = ".money.WithdrawActivity"
    kind = "withdraw"
