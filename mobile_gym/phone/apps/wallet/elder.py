"""The elder mode: one page with few, big buttons; and the page that turns it on and off."""

from __future__ import annotations

from mobile_gym.phone.apps.wallet import parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Column, Icon, IconButton, LazyList, Row, SwitchRow, Text
from mobile_gym.phone.ui.widgets.basics import spread


def head(ctx: Context) -> Node:
    """The name of the mode, messages and settings."""
    unread = store.unread(ctx.phone)
    return Row(
        Text(ctx.tr("elder_title"), "titleLarge", "onBrand", weight=1.0, max_lines=1, id="elder_title"),
        IconButton(
            "bell-badge" if unread else "bell-outline",
            ctx.open("notices"),
            ctx.tr("tab_inbox"),
            id="elder_messages",
            color="onBrand",
            glyph=28.0,
        ),
        IconButton("cog", ctx.open("settings"), ctx.tr("settings"), id="elder_settings", color="onBrand", glyph=28.0),
        width=FILL,
        min_height=64.0,
        pad=(20.0, 4.0, 8.0, 4.0),
        id="elder_head",
    )


def body(ctx: Context) -> Node:
    """Two rows of very big buttons, the balance, and a few services."""
    hidden = store.flag(ctx.phone, "hide_balance")
    mine = store.account(ctx.phone)
    bigs = [
        _big(ctx, "scan", "line-scan"),
        _big(ctx, "paycode", "qrcode"),
        _big(ctx, "transfer", "swap-horizontal-circle-outline"),
        _big(ctx, "collect", "cash-plus"),
    ]
    balance = Row(
        Column(
            Text(ctx.tr("balance"), "titleMedium", "onSurfaceVariant"),
            parts.amount(mine["balance_cents"], "elder_balance", 34.0, hidden=hidden),
            weight=1.0,
            gap=4.0,
        ),
        Icon("chevron-right", 28.0, hidden_from_tree=True),
        width=FILL,
        pad=(20.0, 16.0, 12.0, 16.0),
        on_tap=ctx.open("balance"),
        id="elder_balance_row",
    )
    services = store.catalogue()["services"]
    rows = [
        parts.gap(12.0),
        Node("box", (spread(bigs, 2, 12.0, 12.0),), width=FILL, pad=(12.0, 0.0, 12.0, 12.0), hidden_from_tree=True),
        parts.panel(balance),
        parts.panel(
            *(
                Row(
                    parts.glyph(services[name]["icon"], services[name]["ink"], 48.0, hidden_from_tree=True),
                    Text(ctx.tr(f"service_{name}"), "titleLarge", weight=1.0, id="title"),
                    Icon("chevron-right", 28.0, hidden_from_tree=True),
                    gap=16.0,
                    width=FILL,
                    min_height=76.0,
                    pad=(16.0, 8.0, 12.0, 8.0),
                    on_tap=parts.service_tap(ctx, name),
                    id=f"elder_{name}",
                )
                for name in store.catalogue()["elder"]
            )
        ),
        parts.gap(16.0),
    ]
    return LazyList(rows, id="elder_list")


def _big(ctx: Context, name: str, icon: str) -> Node:
    return Node(
        "col",
        (
            Icon(icon, 48.0, "onPrimary", hidden_from_tree=True),
            Text(
                ctx.tr(f"big_{name}"),
                "headlineSmall",
                "onPrimary",
                text_align="center",
                max_lines=1,
                hidden_from_tree=True,
            ),
        ),
        gap=10.0,
        align="center",
        justify="center",
        min_height=132.0,
        radius=20.0,
        bg="primary",
        pad=8.0,
        on_tap=ctx.open(name),
        id=f"elder_{name}",
        text=ctx.tr(f"big_{name}"),
        cls="android.widget.Button",
    )


class Elder(Screen):
    """Turns the elder mode on and off."""

    name = "elder"
    activity = ".elder.ElderModeActivity"

    def build(self, ctx: Context) -> Node:
        """What it is, and its switch."""

        def turn(on: bool) -> None:
            store.put_pref(ctx.phone, "elder_mode", on)
            ctx.toast(ctx.tr("elder_on_done" if on else "elder_off_done"))

        switch = SwitchRow(
            ctx.tr("elder_switch"),
            store.flag(ctx.phone, "elder_mode"),
            turn,
            ctx.tr("elder_switch_text"),
            id="elder_switch",
        )
        facts = [
            Row(
                Icon(icon, 24.0, "primary", hidden_from_tree=True),
                Text(ctx.tr(key), "bodyLarge", weight=1.0),
                gap=16.0,
                width=FILL,
                min_height=56.0,
                pad=(16.0, 8.0, 16.0, 8.0),
            )
            for icon, key in (
                ("format-size", "elder_fact_size"),
                ("view-grid-outline", "elder_fact_simple"),
                ("shield-check-outline", "elder_fact_safe"),
            )
        ]
        return parts.page(ctx, ctx.tr("service_elder"), [parts.panel(switch), parts.panel(*facts)])
