"""Settings of paying: the PIN, small amounts, the order of the ways to pay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.wallet import ledger, parts, store
from mobile_gym.phone.apps.wallet.cashier import boxes, keypad
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Column,
    Dialog,
    Icon,
    IconButton,
    ListRow,
    Radio,
    Row,
    Scaffold,
    SwitchRow,
    Text,
    TopBar,
)


class PaySettings(Screen):
    """PIN, small amounts, order of payment."""

    name = "pay_settings"
    activity = ".setting.PaySettingsActivity"

    def build(self, ctx: Context) -> Node:
        """The rows."""
        on = store.flag(ctx.phone, "nopin")

        def turn(wanted: bool) -> None:
            if wanted:
                ctx.go("pin", about="nopin")
            else:
                store.put_pref(ctx.phone, "nopin", False)

        rows = [
            parts.panel(
                parts.entry(
                    ctx, "lock-reset", "inkBlue", ctx.tr("change_pin"), ctx.open("change_pin"), "", "change_pin"
                ),
                parts.entry(
                    ctx, "sort-variant", "inkTeal", ctx.tr("pay_order"), ctx.open("pay_order"), "", "pay_order"
                ),
            ),
            parts.panel(
                SwitchRow(ctx.tr("nopin"), on, turn, ctx.tr("nopin_text"), id="nopin"),
                *(
                    (
                        parts.entry(
                            ctx,
                            "",
                            "inkBlue",
                            ctx.tr("nopin_limit"),
                            ctx.show("limit"),
                            store.yuan(store.number(ctx.phone, "nopin_limit_cents")),
                            "nopin_limit",
                        ),
                    )
                    if on
                    else ()
                ),
            ),
        ]
        return parts.page(ctx, ctx.tr("pay_settings"), rows)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """The PIN was right: small amounts go without it."""
        if result.get("verified") and result.get("about") == "nopin":
            store.put_pref(ctx.phone, "nopin", True)

    def overlay_limit(self, ctx: Context) -> Node:
        """Up to which amount."""
        chosen = store.number(ctx.phone, "nopin_limit_cents")
        rows = [
            ListRow(
                store.yuan(cents),
                leading=Radio(cents == chosen),
                on_tap=ctx.then_dismiss(store.put_pref, ctx.phone, "nopin_limit_cents", cents),
                id=f"limit_{cents // 100}",
            ).replace(pad=(24.0, 8.0, 24.0, 8.0))
            for cents in store.catalogue()["nopin_limits"]
        ]
        return Dialog(ctx, ctx.tr("nopin_limit"), Node("col", rows), actions=[(ctx.tr("cancel"), ctx.dismiss)])


class ChangePin(Screen):
    """The old PIN, then the new one twice."""

    name = "change_pin"
    activity = ".setting.ChangePinActivity"

    def build(self, ctx: Context) -> Node:
        """One step of the three."""
        step, pin = str(ctx.ui.get("step", "old")), str(ctx.ui.get("pin", ""))
        minutes = ledger.lock_minutes(ctx.phone)
        wrong = ctx.tr("pin_locked", minutes=minutes) if minutes and step == "old" else str(ctx.ui.get("wrong", ""))

        def press(digit: str) -> None:
            if len(pin) >= 6 or (step == "old" and ledger.lock_minutes(ctx.phone)):
                return
            ctx.ui.update(pin=pin + digit, wrong="")
            if len(pin) == 5:
                self._step(ctx, step, pin + digit)

        middle = [Text(ctx.tr(f"pin_{step}"), "titleLarge", text_align="center", id="pin_title"), boxes(len(pin))]
        if wrong:
            middle.append(Text(wrong, "bodyMedium", "alert", text_align="center", id="pin_error"))
        elif step == "new":
            middle.append(Text(ctx.tr("pin_advice"), "bodyMedium", "onSurfaceVariant", text_align="center"))
        page = Node(
            "list",
            (Column(*middle, gap=16.0, align="center", width=FILL, pad=(24.0, 24.0, 24.0, 16.0)),),
            weight=1.0,
            width=FILL,
            id="pin_page",
        )
        keys = keypad(ctx, press, lambda: ctx.ui.update(pin=pin[:-1]))
        return Scaffold(
            Node("col", (page, keys), width=FILL, hidden_from_tree=True),
            top=TopBar(ctx, ctx.tr("change_pin")),
            bg="surface",
        )

    def _step(self, ctx: Context, step: str, pin: str) -> None:
        ctx.ui["pin"] = ""
        if step == "old":
            found = ledger.check_pin(ctx.phone, pin)
            if found == ledger.RIGHT:
                ctx.ui["step"] = "new"
            elif found == ledger.WRONG:
                ctx.ui["wrong"] = ctx.tr("pin_wrong", n=ledger.tries_left(ctx.phone))
        elif step == "new":
            if len(set(pin)) == 1 or pin in "01234567890" or pin in "09876543210":
                ctx.ui["wrong"] = ctx.tr("pin_too_easy")
            elif pin == store.pref(ctx.phone, "pin"):
                ctx.ui["wrong"] = ctx.tr("pin_same")
            else:
                ctx.ui.update(step="again", first=pin)
        elif pin != ctx.ui.get("first"):
            ctx.ui.update(step="new", first="", wrong=ctx.tr("pin_differs"))
        else:
            store.put_pref(ctx.phone, "pin", pin)
            ctx.finish()
            ctx.toast(ctx.tr("pin_changed"))


class PayOrder(Screen):
    """The order in which ways to pay are tried."""

    name = "pay_order"
    activity = ".setting.PayOrderActivity"

    def build(self, ctx: Context) -> Node:
        """Ways with arrows."""
        ways = store.methods(ctx.phone)

        def step(place: int, by: int) -> Handler:
            def handle() -> None:
                ids = [way["_id"] for way in ways]
                ids.insert(place + by, ids.pop(place))
                for number, key in enumerate(ids):
                    ctx.db.update("pay_methods", key, position=number + 1)

            return handle

        icons = {"balance": "wallet", "fund": "sack", "card": "credit-card"}
        rows = []
        for place, way in enumerate(ways):
            arrows = Row(
                IconButton("arrow-up", step(place, -1), ctx.tr("move_up"), id="move_up", enabled=place > 0),
                IconButton(
                    "arrow-down", step(place, 1), ctx.tr("move_down"), id="move_down", enabled=place < len(ways) - 1
                ),
                hidden_from_tree=True,
            )
            name = parts.method_name(ctx, way["method"], way["bank"], way["tail"])
            row = ListRow(
                f"{place + 1}. {name}",
                leading=Icon(icons.get(way["method"], "wallet"), 24.0, "inkBlue"),
                trailing=arrows,
                id="way_row",
            )
            rows.append(row.replace(pad=(16.0, 8.0, 4.0, 8.0)))
        note = Text(ctx.tr("pay_order_text"), "bodyMedium", "onSurfaceVariant", pad=(24.0, 4.0, 24.0, 12.0))
        return parts.page(ctx, ctx.tr("pay_order"), [note, parts.panel(*rows)])
