"""Topping up a mobile number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise, shown
from mobile_gym.phone.apps.wallet import ledger, parts, store
from mobile_gym.phone.apps.wallet.transfer import face
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Column,
    EmptyState,
    IconButton,
    LazyList,
    ListRow,
    Row,
    Scaffold,
    SearchField,
    Text,
    TopBar,
    fitting,
)
from mobile_gym.phone.ui.widgets.basics import spread
from mobile_gym.phone.ui.widgets.fields import field


class TopUp(Screen):
    """A number, an amount; then the cashier."""

    name = "topup"
    activity = ".topup.TopUpActivity"

    def on_open(self, ctx: Context) -> None:
        """Starts with the user's own number."""
        ctx.set_field("phone", normalise(str(ctx.args.get("phone") or store.account(ctx.phone)["phone"])))

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """A contact was chosen."""
        if "number" in result:
            ctx.set_field("phone", normalise(str(result["number"])))
            ctx.ui.pop("wrong", None)

    def build(self, ctx: Context) -> Node:
        """Number with operator and owner, amounts, records."""
        number = normalise(ctx.field("phone"))
        valid = store.valid_mobile(number, ctx.language)
        mine = store.account(ctx.phone)
        whose = ctx.tr("my_number") if number == mine["phone"] else store.owner(ctx.phone, number) if number else None
        about = (
            f"{store.operator_of(number, ctx.language)} · {whose or ctx.tr('not_in_contacts')}"
            if valid
            else ctx.tr("type_number")
        )
        inner = field(
            ctx,
            "phone",
            hint=ctx.tr("phone_number"),
            input_type="phone",
            max_length=16,
            style="headlineMedium",
            width=FILL,
            weight=1.0,
            on_change=lambda _: ctx.ui.pop("wrong", None),
        )
        wrong = str(ctx.ui.get("wrong", ""))
        top = parts.panel(
            Row(
                inner,
                IconButton(
                    "close-circle", lambda: ctx.set_field("phone", ""), ctx.tr("clear"), id="phone_clear", glyph=20.0
                ),
                IconButton(
                    "contacts-outline",
                    ctx.open("pick_contact"),
                    ctx.tr("choose_contact"),
                    id="pick_contact",
                    color="primary",
                ),
                width=FILL,
                min_height=56.0,
            ),
            Text(wrong or about, "bodyMedium", "alert" if wrong else "onSurfaceVariant", id="operator"),
            pad=(16.0, 8.0, 4.0, 14.0),
        )
        amounts = [self._amount(ctx, cents, valid) for cents in store.catalogue()["topup_amounts"]]
        prices = [ctx.tr("sold_for", amount=store.plain(cents)) for cents in store.catalogue()["topup_amounts"]]
        room = fitting.screen_width(ctx) - 24.0 - 24.0 - 8.0  # without the sides of page, panel and one button
        grid = parts.panel(
            Text(ctx.tr("topup_choose"), "titleMedium", pad=(4.0, 4.0, 4.0, 12.0)),
            spread(amounts, fitting.columns(ctx, prices, "bodySmall", room, 3, gap=18.0), 10.0, 10.0),
            pad=(12.0, 10.0, 12.0, 14.0),
        )
        records = ctx.db.rows("SELECT * FROM topups ORDER BY date DESC, _id DESC LIMIT 20")
        rows: list[object] = [top, grid]
        if records:
            rows.append(parts.panel(parts.heading(ctx.tr("topup_records")), below=0.0, bg="page"))
            rows += records
        return parts.page(ctx, ctx.tr("service_topup"), rows, row=lambda record: _record(ctx, record))

    def _amount(self, ctx: Context, cents: int, valid: bool) -> Node:
        order: ledger.Order = {"kind": "topup", "amount": cents}
        coupons = ledger.fitting_coupons(ctx.phone, order)
        price = cents - (coupons[0]["amount_cents"] if coupons else 0)

        def go() -> None:
            number = normalise(ctx.field("phone"))
            if not store.valid_mobile(number, ctx.language):
                ctx.ui["wrong"] = ctx.tr("wrong_number")
                return
            operator = store.operator_of(number, ctx.language)
            ctx.focus(None)
            ctx.go(
                "cashier",
                order={
                    **order,
                    "title": ctx.tr("title_topup", operator=operator),
                    "to": ctx.tr("title_topup", operator=operator),
                    "account": number,
                    "operator": operator,
                    "via": ["balance", "fund", "card"],
                },
            )

        return Column(
            Text(ctx.tr("whole_yuan", n=cents // 100), "titleLarge", "primary", max_lines=1, hidden_from_tree=True),
            Text(
                ctx.tr("sold_for", amount=store.plain(price)),
                "bodySmall",
                "onSurfaceVariant",
                max_lines=1,
                hidden_from_tree=True,
            ),
            align="center",
            justify="center",
            min_height=68.0,
            radius=10.0,
            bg="tintBlue",
            pad=(4.0, 8.0, 4.0, 8.0),
            on_tap=go,
            id=f"amount_{cents // 100}",
            text=ctx.tr("whole_yuan", n=cents // 100),
            cls="android.widget.Button",
            fade=1.0 if valid else 0.5,
        )


def _record(ctx: Context, record: store.Row) -> Node:
    row = ListRow(
        shown(record["phone"], ctx.language),
        f"{record['operator']} · {parts.stamp(ctx, record['date'])}",
        trailing=Text(store.yuan(record["amount_cents"]), "titleMedium", max_lines=1),
        on_tap=ctx.open("bill", id=record["bill_id"]),
        id="topup_record",
    )
    return parts.panel(row, below=2.0)


class PickContact(Screen):
    """Chooses a contact with a mobile number."""

    name = "pick_contact"
    activity = ".topup.PickContactActivity"

    def build(self, ctx: Context) -> Node:
        """Search over the contacts."""
        query = ctx.field("query").strip()
        people = [p for p in store.mobiles(ctx.phone, ctx.language) if not query or p.matches(query)]
        bar = SearchField(ctx, "query", ctx.tr("search_contacts"), height=48.0)
        listed = LazyList(
            people,
            row=lambda p: ListRow(
                p.name,
                shown(p.number, ctx.language),
                leading=face(p.name),
                on_tap=lambda: ctx.finish({"number": p.number}),
                id="contact_row",
                bg="card",
            ),
            id="contact_list",
            empty=EmptyState("account-search-outline", ctx.tr("nobody_found")),
        )
        head = Node("box", (bar,), width=FILL, pad=(12.0, 4.0, 12.0, 8.0), hidden_from_tree=True)
        body = Node("col", (head, listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True)
        return Scaffold(body, top=TopBar(ctx, ctx.tr("choose_contact")), bg="page")
