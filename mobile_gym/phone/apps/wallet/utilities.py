"""Bills of the household: electricity, water, gas, broadband."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.wallet import ledger, parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Chip, Column, Dialog, EmptyState, IconButton, Row, SwitchRow, Text


def kinds() -> Mapping[str, Any]:
    """Kinds of utilities."""
    found: Mapping[str, Any] = store.catalogue()["utilities"]
    return found


class Utilities(Screen):
    """The accounts that are bound, and the kinds to add."""

    name = "utilities"
    activity = ".utility.UtilitiesActivity"

    def on_open(self, ctx: Context) -> None:
        """Shows one kind where a service asks for it."""
        ctx.ui["kind"] = str(ctx.args.get("kind", "all"))

    def build(self, ctx: Context) -> Node:
        """Kinds, then accounts."""
        kind = str(ctx.ui.get("kind", "all"))
        where, values = ("", []) if kind == "all" else (" WHERE kind = ?", [kind])
        accounts = ctx.db.rows(f"SELECT * FROM utility_accounts{where} ORDER BY arrears_cents > 0 DESC, _id", *values)
        cells = [
            parts.cell(
                known["icon"], known["ink"], ctx.tr(f"kind_{name}"), ctx.open("utility_add", kind=name), f"add_{name}"
            )
            for name, known in kinds().items()
        ]
        grid = parts.panel(
            Text(ctx.tr("add_utility"), "titleMedium", pad=(12.0, 6.0, 12.0, 4.0)),
            parts.cells(ctx, cells, 4),
            pad=(4.0, 8.0, 4.0, 8.0),
        )
        chips = Node(
            "list",
            [
                Chip(
                    ctx.tr("all" if name == "all" else f"kind_{name}"),
                    name == kind,
                    ctx.set_ui("kind", name),
                    id=f"kind_{name}",
                )
                for name in ("all", *kinds())
            ],
            axis="h",
            gap=8.0,
            width=FILL,
            pad=(12.0, 4.0, 12.0, 8.0),
            id="kind_chips",
            cls="android.widget.HorizontalScrollView",
        )
        rows: list[Any] = [grid, chips, *accounts]
        if not accounts:
            rows.append(
                Node(
                    "box",
                    (EmptyState("home-lightning-bolt-outline", ctx.tr("no_utilities")).replace(place="center-center"),),
                    width=FILL,
                    height=180.0,
                )
            )
        rows.append(
            parts.panel(
                parts.entry(
                    ctx,
                    "receipt-text-outline",
                    "inkPurple",
                    ctx.tr("utility_records"),
                    ctx.open("bills", category="utility"),
                    "",
                    "utility_records",
                )
            )
        )
        return parts.page(ctx, ctx.tr("service_utilities"), rows, row=lambda row: self._row(ctx, row))

    def _row(self, ctx: Context, row: store.Row) -> Node:
        known = kinds().get(row["kind"], kinds()["electricity"])
        owed = row["arrears_cents"] > 0
        text = store.yuan(row["arrears_cents"]) if owed else ctx.tr("nothing_due")
        tag = Text(
            text,
            "titleMedium" if owed else "bodyMedium",
            "alert" if owed else "onSurfaceVariant",
            max_lines=1,
            id="arrears",
        )
        line = parts.topped_row(
            f"{ctx.tr('kind_' + row['kind'])} · {row['company']}" if row["kind"] in kinds() else row["company"],
            tag,
            f"{ctx.tr('utility_number')} {row['number']}" + (f"\n{row['address']}" if row["address"] else ""),
            parts.glyph(known["icon"], known["ink"]),
        )
        return parts.panel(line.replace(on_tap=ctx.open("utility", id=row["_id"]), id="utility_row"), below=8.0)


class UtilityPage(Screen):
    """One account: what is due, paying, paying automatically, unbinding."""

    name = "utility"
    activity = ".utility.UtilityAccountActivity"

    def _row(self, ctx: Context) -> store.Row | None:
        return ctx.db.row("SELECT * FROM utility_accounts WHERE _id = ?", parts.key(ctx))

    def build(self, ctx: Context) -> Node:
        """Amount, facts, switch."""
        row = self._row(ctx)
        if row is None:
            return parts.page(
                ctx, ctx.tr("service_utilities"), [], empty=EmptyState("home-alert-outline", ctx.tr("utility_gone"))
            )
        known = kinds().get(row["kind"], kinds()["electricity"])
        owed = row["arrears_cents"] > 0
        label = ctx.tr("arrears" if owed else "credit")
        top = parts.panel(
            Row(
                parts.glyph(known["icon"], known["ink"]),
                Text(row["company"], "titleMedium", id="company"),
                gap=12.0,
                min_height=48.0,
            ),
            Text(label, "bodyMedium", "onSurfaceVariant"),
            parts.amount(
                row["arrears_cents"] if owed else row["credit_cents"],
                "utility_amount",
                40.0,
                "alert" if owed else "onSurface",
            ),
            align="center",
            gap=4.0,
            pad=16.0,
        )
        facts = [
            parts.fact(ctx, ctx.tr("utility_number"), row["number"], "number"),
            parts.fact(ctx, ctx.tr("householder"), row["holder"]),
        ]
        if row["address"]:
            facts.append(parts.fact(ctx, ctx.tr("address"), row["address"]))
        if row["period"]:
            facts.append(parts.fact(ctx, ctx.tr("period"), row["period"]))
        if owed:
            facts.append(parts.fact(ctx, ctx.tr("due_day"), parts.day(ctx, row["due_date"]), "due_day"))

        def turn(on: bool) -> None:
            ctx.db.update("utility_accounts", row["_id"], auto_pay=int(on))
            ctx.toast(ctx.tr("auto_on" if on else "auto_off"))

        rows = [
            top,
            parts.panel(*facts, pad=(0.0, 6.0, 0.0, 6.0)),
            parts.panel(
                SwitchRow(ctx.tr("auto_pay"), bool(row["auto_pay"]), turn, ctx.tr("auto_pay_text"), id="auto_pay")
            ),
        ]
        if not owed:
            rows.insert(
                1,
                parts.panel(
                    parts.amount_field(
                        ctx,
                        "amount",
                        ctx.tr("prepay_amount"),
                        error=str(ctx.ui.get("wrong", "")),
                        note=ctx.tr("prepay_note"),
                    )
                ),
            )
        button = ctx.tr("pay_now", amount=store.yuan(row["arrears_cents"])) if owed else ctx.tr("prepay")
        actions = [IconButton("trash-can-outline", ctx.show("unbind"), ctx.tr("unbind_utility"), id="unbind_utility")]
        return parts.page(
            ctx,
            ctx.tr(f"kind_{row['kind']}") if row["kind"] in kinds() else row["company"],
            rows,
            actions=actions,
            bottom=parts.wide_button(button, lambda: self._pay(ctx, row), "pay_button"),
        )

    def _pay(self, ctx: Context, row: store.Row) -> None:
        cents = row["arrears_cents"] or store.parse_amount(ctx.field("amount"))
        if not cents:
            ctx.ui["wrong"] = ctx.tr("wrong_amount")
            return
        ctx.focus(None)
        ctx.go("cashier", order=ledger.utility_order(ctx.phone, row, int(cents)))

    def overlay_unbind(self, ctx: Context) -> Node:
        """Asks before the account goes."""

        def unbind() -> None:
            ctx.db.delete("utility_accounts", parts.key(ctx))
            ctx.finish()

        return Dialog(
            ctx,
            ctx.tr("unbind_utility"),
            ctx.tr("unbind_utility_text"),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("unbind"), ctx.then_dismiss(unbind))],
        )


class UtilityAdd(Screen):
    """Binds an account by its number."""

    name = "utility_add"
    activity = ".utility.AddUtilityActivity"

    def build(self, ctx: Context) -> Node:
        """Kind, company, number, holder."""
        kind = self._kind(ctx)
        known = kinds()[kind]
        wrong: Mapping[str, str] = ctx.ui.get("wrong") or {}
        chips = Node(
            "list",
            [
                Chip(ctx.tr(f"kind_{name}"), name == kind, ctx.set_ui("kind", name), id=f"kind_{name}")
                for name in kinds()
            ],
            axis="h",
            gap=8.0,
            width=FILL,
            pad=(12.0, 4.0, 12.0, 8.0),
            id="kind_chips",
            cls="android.widget.HorizontalScrollView",
        )
        form = parts.panel(
            parts.fact(ctx, ctx.tr("company"), known[ctx.language], "company"),
            parts.text_row(
                ctx,
                "number",
                ctx.tr("utility_number"),
                ctx.tr("digits_hint", n=known["digits"]),
                error=wrong.get("number", ""),
                input_type="number",
                max_length=16,
            ),
            parts.text_row(
                ctx,
                "holder",
                ctx.tr("householder"),
                ctx.tr("holder_hint"),
                error=wrong.get("holder", ""),
                max_length=16,
            ),
            parts.text_row(ctx, "address", ctx.tr("address"), ctx.tr("optional"), max_length=40),
            pad=(0.0, 6.0, 0.0, 6.0),
        )
        note = Column(
            Text(ctx.tr("utility_add_note"), "bodySmall", "onSurfaceVariant"), width=FILL, pad=(28.0, 0.0, 28.0, 0.0)
        )
        return parts.page(
            ctx,
            ctx.tr("add_utility"),
            [chips, form, note],
            bottom=parts.wide_button(ctx.tr("add"), lambda: self._add(ctx), "add_button"),
        )

    def _kind(self, ctx: Context) -> str:
        kind = str(ctx.ui.get("kind") or ctx.args.get("kind") or "electricity")
        return kind if kind in kinds() else "electricity"

    def _add(self, ctx: Context) -> None:
        kind = self._kind(ctx)
        number, holder = ctx.field("number").strip(), ctx.field("holder").strip()
        wrong = {}
        if len(number) < kinds()[kind]["digits"]:
            wrong["number"] = ctx.tr("wrong_utility_number", n=kinds()[kind]["digits"])
        elif ctx.db.value("SELECT 1 FROM utility_accounts WHERE kind = ? AND number = ?", kind, number):
            wrong["number"] = ctx.tr("utility_known")
        if not holder:
            wrong["holder"] = ctx.tr("wrong_name")
        ctx.ui["wrong"] = wrong
        if wrong:
            return
        key = ctx.db.insert(
            "utility_accounts",
            kind=kind,
            company=kinds()[kind][ctx.language],
            number=number,
            holder=holder,
            address=ctx.field("address").strip(),
        )
        ctx.finish()
        ctx.toast(ctx.tr("utility_added"))
        ctx.go("utility", id=key)
