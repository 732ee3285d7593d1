"""The wallet: balance, putting money in and taking it out, records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.messenger import look, store
from mobile_gym.phone.apps.messenger.pin import balance
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Text


class Wallet(Screen):
    """The balance."""

    name = "wallet"
    activity = ".plugin.wallet.balance.ui.WalletBalanceManagerUI"

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Money came or went."""
        if result.get("done"):
            ctx.toast(ctx.tr("done_toast"))

    def build(self, ctx: Context) -> Node:
        """Balance, buttons, rows."""
        t = look.tone(ctx)
        coin = Node(
            "box",
            (Icon("currency-cny", 30.0, "#FFFFFF", place="center-center"),),
            width=56.0,
            height=56.0,
            radius=28.0,
            bg="#F0A732",
            hidden_from_tree=True,
        )
        buttons = Node(
            "col",
            (
                look.button(ctx, ctx.tr("top_up"), ctx.open("transfer", purpose="top_up"), id="top_up"),
                look.button(
                    ctx, ctx.tr("withdraw"), ctx.open("transfer", purpose="withdraw"), id="withdraw", plain=True
                ),
            ),
            gap=12.0,
            align="center",
            hidden_from_tree=True,
        )
        head = Node(
            "col",
            (
                coin,
                Text(ctx.tr("my_balance"), "bodyLarge", t.ink, id="balance_label"),
                Text(look.money(ctx, balance(ctx)), "displaySmall", t.ink, text_weight=500, id="balance"),
                Node("space", height=16.0, hidden_from_tree=True),
                buttons,
            ),
            gap=10.0,
            align="center",
            width=FILL,
            pad=(24.0, 32.0, 24.0, 36.0),
            bg=t.card,
            hidden_from_tree=True,
        )
        rows = [
            head,
            look.gap(),
            look.row(ctx, ctx.tr("records"), id="entry_records", on_tap=ctx.open("records")),
            look.row(ctx, ctx.tr("change_pin"), id="change_pin", on_tap=ctx.open("pay_pin", change=True), line=False),
        ]
        return look.page(ctx, LazyList(rows, id="wallet_list"), top=look.top_bar(ctx, ctx.tr("wallet")))


class Records(Screen):
    """What came and went."""

    name = "records"
    activity = ".plugin.wallet.ui.WalletBalanceDetailUI"

    def build(self, ctx: Context) -> Node:
        """Records, newest first."""
        t = look.tone(ctx)
        rows = ctx.db.rows(
            "SELECT r.*, COALESCE(v.title, p.title, '') AS who FROM wallet_records r"
            " LEFT JOIN people p ON p._id = r.contact_id LEFT JOIN view_chats v ON v._id = r.chat_id"
            " ORDER BY r.date DESC, r._id DESC"
        )

        def row(record: store.Row) -> Node:
            title = ctx.tr(f"record_{record['kind']}")
            if record["who"]:
                title = ctx.tr("record_with", kind=title, name=record["who"])
            cents = int(record["amount_cents"])
            amount = Text(
                ("+" if cents > 0 else "") + look.money(ctx, cents),
                "bodyLarge",
                "#D08A1E" if cents > 0 else t.ink,
                text_weight=500,
                max_lines=1,
                id="record_amount",
            )
            return look.row(
                ctx,
                title,
                id="record_item",
                summary=look.stamp(ctx, record["date"]),
                trailing=amount,
                line=record is not rows[-1],
            )

        empty = look.empty(ctx, "wallet", ctx.tr("no_records"))
        return look.page(
            ctx, LazyList(rows, row=row, id="record_list", empty=empty), top=look.top_bar(ctx, ctx.tr("records"))
        )
