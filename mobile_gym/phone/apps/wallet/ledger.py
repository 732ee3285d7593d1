"""What paying does: which way is taken, the PIN, the rows that are written, the notices that follow."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.wallet import store
from mobile_gym.phone.apps.wallet.store import Row
from mobile_gym.phone.system.app import translate

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

Order = dict[str, Any]
"""What is to be paid, plain data: `kind`, `amount`, `title`, `to`, `via` (ways allowed), and the kind's own facts."""

RIGHT, WRONG, LOCKED = "right", "wrong", "locked"
_NEAR_MS = 60_000
"""An incoming transfer so near the present is announced; an older one is history."""


def tr(phone: Phone, key: str, **values: Any) -> str:
    """A text of the wallet in the phone's language."""
    return translate(store.MODULE, key, phone.language, values)


def tr_in(language: str, key: str, **values: Any) -> str:
    """A text of the wallet in a language."""
    return translate(store.MODULE, key, language, values)


# ---- the PIN


def lock_minutes(phone: Phone) -> int:
    """How many minutes the PIN is still locked; 0 where it is not."""
    left = store.number(phone, "pin_locked_until") - phone.state.clock.now_ms
    return max(0, -(-left // 60_000))


def tries_left(phone: Phone) -> int:
    """How many wrong PINs are still allowed."""
    return max(0, int(store.catalogue()["pin_tries"]) - store.number(phone, "pin_wrong"))


def check_pin(phone: Phone, pin: str) -> str:
    """Compares a PIN: `right`, `wrong`, or `locked` (already, or by this one)."""
    if lock_minutes(phone):
        return LOCKED
    if store.number(phone, "pin_locked_until"):
        store.put_pref(phone, "pin_locked_until", 0)
        store.put_pref(phone, "pin_wrong", 0)
    if pin == store.pref(phone, "pin"):
        store.put_pref(phone, "pin_wrong", 0)
        return RIGHT
    store.put_pref(phone, "pin_wrong", store.number(phone, "pin_wrong") + 1)
    if tries_left(phone):
        return WRONG
    until = phone.state.clock.now_ms + int(store.catalogue()["pin_lock_minutes"]) * 60_000
    store.put_pref(phone, "pin_locked_until", until)
    return LOCKED


def needs_pin(phone: Phone, amount: int) -> bool:
    """Whether an amount wants the PIN."""
    return not (store.flag(phone, "nopin") and amount <= store.number(phone, "nopin_limit_cents"))


# ---- ways to pay, coupons


def best_method(phone: Phone, order: Order, due: int) -> Row | None:
    """The first way in the user's order that has the money; the first one where none has; None where there is none."""
    ways = store.methods(phone, order["via"])
    wanted = [way for way in ways if way["card_id"] == order.get("card_id")] if order.get("card_id") else ways
    return next((way for way in wanted if way["funds"] >= due), wanted[0] if wanted else None)


def fitting_coupons(phone: Phone, order: Order) -> list[Row]:
    """Coupons that an order may use, the best first."""
    return store.database(phone).rows(
        "SELECT * FROM coupons WHERE used_date IS NULL AND kind = ? AND min_cents <= ? AND expires > ? "
        "ORDER BY amount_cents DESC, _id",
        order["kind"],
        order["amount"],
        phone.state.clock.now_ms,
    )


# ---- writing


def execute(phone: Phone, order: Order, method: str, card_id: int | None, coupon: Row | None) -> int:
    """Writes what an order does and returns the `_id` of its bill. The caller has checked the money and the PIN."""
    data, now, kind = store.database(phone), phone.state.clock.now_ms, order["kind"]
    amount = int(order["amount"])
    paid = amount - (coupon["amount_cents"] if coupon else 0)
    way: Row = {"method": method, "card_id": card_id}
    if kind == "transfer":
        key = data.insert(
            "transfers",
            date=now,
            kind=order["target"],
            name=order["to"],
            account=order["account"],
            bank=order.get("bank", ""),
            amount_cents=amount,
            note=order.get("note", ""),
            announced=1,
            **way,
        )
        table = "transfers"
    elif kind == "topup":
        table = "topups"
        key = data.insert(
            table,
            date=now,
            phone=order["account"],
            operator=order["operator"],
            amount_cents=amount,
            paid_cents=paid,
            coupon_id=coupon["_id"] if coupon else None,
            title=order["title"],
            **way,
        )
    elif kind == "utility":
        table = "utility_payments"
        key = data.insert(
            table,
            date=now,
            account_id=order["account_id"],
            amount_cents=amount,
            paid_cents=paid,
            coupon_id=coupon["_id"] if coupon else None,
            title=order["title"],
            **way,
        )
    elif kind in ("recharge", "withdraw"):
        table = "cash_transfers"
        target = card_id if kind == "recharge" else order["to_card"]
        key = data.insert(table, date=now, kind=kind, amount_cents=amount, card_id=target, title=order["title"])
    elif kind in ("fund_in", "fund_out"):
        table = "fund_records"
        keep_income_planned(phone)
        key = data.insert(
            table, date=now, kind=kind.removeprefix("fund_"), amount_cents=amount, title=order["title"], **way
        )
    else:
        bill = data.insert(
            "bills",
            date=now,
            amount_cents=paid,
            title=order["to"],
            category=order.get("category", "shopping"),
            note=order.get("note", ""),
            **way,
        )
        if coupon:
            data.update("coupons", coupon["_id"], used_date=now)
        _paid(phone, bill)
        return bill
    bill = int(data.value(f"SELECT bill_id FROM {table} WHERE _id = ?", key))
    _paid(phone, bill)
    return bill


def _paid(phone: Phone, bill_id: int) -> None:
    bill = store.database(phone).row("SELECT * FROM bills WHERE _id = ?", bill_id)
    if bill is None:
        return
    if bill["direction"] == "out" and bill["category"] != "transfer":
        mine = store.account(phone)
        store.database(phone).update("accounts", mine["_id"], points=mine["points"] + bill["amount_cents"] // 1000)
    text = tr(phone, "notice_paid", title=bill["title"], amount=store.yuan(bill["amount_cents"]))
    notice(phone, "payment", tr(phone, "notice_paid_title"), text, f"bill/{bill_id}")


def notice(phone: Phone, kind: str, title: str, text: str, link: str) -> None:
    """Puts a service notice among the messages and posts it, unless its kind is switched off."""
    key = store.database(phone).insert(
        "messages", kind=kind, title=title, text=text, date=phone.state.clock.now_ms, link=link
    )
    name = f"notify_{kind}"
    if name in store.DEFAULTS and not store.flag(phone, name):
        return
    screen, _, about = link.partition("/")
    phone.notifier.post(
        store.PACKAGE,
        f"notice-{key}",
        title,
        text,
        channel=kind,
        icon="wallet",
        color="#1677FF",
        target={"screen": screen, "args": {"id": int(about)} if about.isdigit() else {}},
        # The user has just paid: no need to ring for it.
        silent=kind == "payment",
    )


def announce(phone: Phone) -> None:
    """Tells of what has just come: transfers, bills of the household, parcels. Called after writes from outside."""
    data, now = store.database(phone), phone.state.clock.now_ms
    for row in data.rows("SELECT * FROM transfers WHERE announced = 0 ORDER BY _id"):
        data.update("transfers", row["_id"], announced=1)
        if row["direction"] == "in" and abs(now - row["date"]) <= _NEAR_MS:
            text = tr(phone, "notice_in", name=row["name"], amount=store.yuan(row["amount_cents"]))
            notice(phone, "transfer", tr(phone, "notice_in_title"), text, f"bill/{row['bill_id']}")
    for row in data.rows("SELECT * FROM utility_accounts WHERE announced_cents <> arrears_cents ORDER BY _id"):
        data.update("utility_accounts", row["_id"], announced_cents=row["arrears_cents"])
        if row["arrears_cents"] > 0:
            text = tr(phone, "notice_due", company=row["company"], amount=store.yuan(row["arrears_cents"]))
            notice(phone, "arrears", tr(phone, "notice_due_title"), text, f"utility/{row['_id']}")
    for row in data.rows("SELECT * FROM parcels WHERE announced = 0 ORDER BY _id"):
        data.update("parcels", row["_id"], announced=1)
        text = tr(phone, "notice_parcel", title=row["title"], place=row["place"], code=row["code"])
        notice(phone, "logistics", tr(phone, "notice_parcel_title"), text, f"parcel/{row['_id']}")


# ---- what happens by itself


def next_due(phone: Phone) -> int | None:
    """When the fund next pays, or a utility bill with automatic payment is due."""
    data = store.database(phone)
    due = data.value("SELECT MIN(due_date) FROM utility_accounts WHERE auto_pay = 1 AND arrears_cents > 0")
    fund = store.number(phone, "fund_day") if _income(phone) else 0
    return min((moment for moment in (due, fund) if moment), default=None)


def _income(phone: Phone) -> int:
    return int(store.account(phone)["fund_cents"] * store.catalogue()["fund_daily_ppm"] // 1_000_000)


def plan_income(phone: Phone) -> None:
    """Sets when the fund next pays: at two o'clock of the next night."""
    clock = phone.state.clock
    tomorrow = clock.now().replace(hour=2, minute=0, second=0, microsecond=0) + timedelta(days=1)
    store.put_pref(phone, "fund_day", clock.to_ms(tomorrow))


def keep_income_planned(phone: Phone) -> None:
    """Plans anew where the planned moment has passed without the fund having had anything to pay."""
    if store.number(phone, "fund_day") <= phone.state.clock.now_ms:
        plan_income(phone)


def run_due(phone: Phone) -> None:
    """Pays the fund's income and the bills whose day it is."""
    now, data = phone.state.clock.now_ms, store.database(phone)
    income = _income(phone)
    if store.number(phone, "fund_day") <= now:
        if income and store.number(phone, "fund_day"):
            title = tr(phone, "fund_income")
            data.insert("fund_records", date=now, kind="income", amount_cents=income, title=title)
        plan_income(phone)
    for row in data.rows(
        "SELECT * FROM utility_accounts WHERE auto_pay = 1 AND arrears_cents > 0 AND due_date <= ?", now
    ):
        pay_automatically(phone, row)


def pay_automatically(phone: Phone, row: Row) -> bool:
    """Pays a utility bill the way that comes first; where no way has the money, says so and turns it off."""
    order = utility_order(phone, row, row["arrears_cents"])
    way = best_method(phone, order, order["amount"])
    if way is None or way["funds"] < order["amount"]:
        store.database(phone).update("utility_accounts", row["_id"], auto_pay=0)
        text = tr(phone, "notice_auto_failed", company=row["company"], amount=store.yuan(row["arrears_cents"]))
        notice(phone, "arrears", tr(phone, "notice_auto_failed_title"), text, f"utility/{row['_id']}")
        return False
    execute(phone, order, way["method"], way["card_id"], None)
    return True


def utility_order(phone: Phone, row: Row, amount: int) -> Order:
    """The order that pays for a utility account."""
    return {
        "kind": "utility",
        "amount": amount,
        "title": f"{tr(phone, 'kind_' + row['kind'])} - {row['company']}",
        "to": row["company"],
        "account": row["number"],
        "account_id": row["_id"],
        "via": ["balance", "fund", "card"],
    }
