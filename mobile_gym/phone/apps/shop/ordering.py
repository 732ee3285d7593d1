"""Orders: what they cost, how they are placed and paid, and how they move on as time passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.shop import store

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

Line = Mapping[str, Any]
HOUR = 3_600_000
DAY = 24 * HOUR
PAY_MS = DAY
"""An order that is not paid is cancelled after this time."""
SHIP_MS = 3 * HOUR
"""From payment to shipping."""
TRAVEL_MS = 26 * HOUR
"""From shipping to the door."""
CONFIRM_MS = 10 * DAY
"""A parcel counts as received this long after it came."""
FREE_FROM_CENTS = 5900
SHIPPING_CENTS = 600
TABS = ("all", "to_pay", "to_ship", "to_receive", "to_review", "aftersale")
CANCEL_REASONS = ("unwanted", "wrong", "price", "slow", "other")


@dataclass(frozen=True, slots=True)
class Totals:
    """What lines cost together, in cents."""

    goods: int
    shipping: int
    discount: int

    @property
    def total(self) -> int:
        """What is to be paid."""
        return max(self.goods + self.shipping - self.discount, 0)


def in_scope(line: Line, coupon: Mapping[str, Any]) -> bool:
    """Whether a coupon counts a line."""
    scope, value = coupon["scope"], str(coupon["scope_value"])
    if scope == "category":
        return bool(line["category"] == value)
    if scope == "shop":
        return bool(line["brand"] == value)
    if scope == "product":
        return str(line["product_id"]) == value
    return True


def applies(lines: Sequence[Line], coupon: Mapping[str, Any]) -> bool:
    """Whether lines reach the sum that a coupon asks for."""
    counted = [line["price_cents"] * line["quantity"] for line in lines if in_scope(line, coupon)]
    return bool(counted) and sum(counted) >= coupon["threshold_cents"]


def total(lines: Sequence[Line], coupon: Mapping[str, Any] | None = None) -> Totals:
    """What lines cost. Shipping is free from 59 yuan on, or where all lines say so."""
    goods = sum(line["price_cents"] * line["quantity"] for line in lines)
    free = goods >= FREE_FROM_CENTS or all(line["free_shipping"] for line in lines)
    counted = sum(
        line["price_cents"] * line["quantity"] for line in lines if coupon is not None and in_scope(line, coupon)
    )
    discount = 0 if coupon is None or not applies(lines, coupon) else min(coupon["off_cents"], counted)
    return Totals(goods, 0 if free or not lines else SHIPPING_CENTS, discount)


def my_coupons(phone: Phone, status: str = "available") -> list[dict[str, Any]]:
    """Coupons of the user in a state, the soonest to expire first."""
    return store.database(phone).rows("SELECT * FROM view_my_coupons WHERE status = ? ORDER BY expires_at, _id", status)


def my_coupon(phone: Phone, key: int | None) -> dict[str, Any] | None:
    """One of the user's coupons."""
    return None if key is None else store.database(phone).row("SELECT * FROM view_my_coupons WHERE _id = ?", key)


def usable(phone: Phone, lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Coupons that lines reach, the best first."""
    found = [coupon for coupon in my_coupons(phone) if applies(lines, coupon)]
    return sorted(found, key=lambda coupon: (-total(lines, coupon).discount, coupon["expires_at"], coupon["_id"]))


def chosen_coupon(phone: Phone, lines: Sequence[Line], choice: int | None) -> dict[str, Any] | None:
    """The coupon in force: none where the user chose 0, the best where nothing was chosen."""
    if choice == 0 or not lines:
        return None
    found = usable(phone, lines)
    return next((coupon for coupon in found if coupon["_id"] == choice), found[0] if found else None)


def claim(phone: Phone, coupon_id: int) -> bool:
    """Takes a coupon; False where it is taken already and not used yet."""
    data = store.database(phone)
    owned = "SELECT 1 FROM my_coupons WHERE coupon_id = ? AND status = 'available'"
    if data.value(owned, coupon_id) is not None:
        return False
    days = data.value("SELECT days FROM coupons WHERE _id = ?", coupon_id)
    now = phone.state.clock.now_ms
    data.insert("my_coupons", coupon_id=coupon_id, claimed_at=now, expires_at=now + int(days) * DAY)
    return True


# ---- an order's life


def order(phone: Phone, key: int) -> dict[str, Any] | None:
    """An order."""
    return store.database(phone).row("SELECT * FROM orders WHERE _id = ?", key)


def items(phone: Phone, key: int) -> list[dict[str, Any]]:
    """What an order holds."""
    return store.database(phone).rows("SELECT * FROM order_items WHERE order_id = ? ORDER BY _id", key)


def orders(phone: Phone, tab: str, query: str = "") -> list[dict[str, Any]]:
    """Orders of a tab, the newest first; with a query those that hold it in a name or in their number."""
    where, values = ["1"], list[Any]()
    if tab in ("to_pay", "to_ship", "to_receive", "to_review"):
        where.append("status = ?")
        values.append(tab)
    if query:
        where.append(
            "(instr(order_no, ?) OR EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = orders._id AND "
            "(instr(i.name_zh, ?) OR instr(lower(i.name_en), lower(?)))))"
        )
        values += [query] * 3
    sql = f"SELECT * FROM orders WHERE {' AND '.join(where)} ORDER BY created_at DESC, _id DESC"
    return store.database(phone).rows(sql, *values)


def counts(phone: Phone) -> dict[str, int]:
    """How many orders are in each state, and how many requests are open after the sale."""
    data = store.database(phone)
    found = {row["status"]: row["n"] for row in data.rows("SELECT status, COUNT(*) AS n FROM orders GROUP BY status")}
    sql = "SELECT COUNT(*) FROM aftersales WHERE state IN ('applied', 'approved', 'returning')"
    found["aftersale"] = int(data.value(sql))
    return found


def order_no(at_ms: int, key: int) -> str:
    """An order's number, from its time and its row."""
    return f"{at_ms // 1000 % 10_000_000_000:010d}{key * 7919 % 10_000:04d}"


def new_order_no(phone: Phone, at_ms: int) -> str:
    """A number that no order has."""
    data = store.database(phone)
    key = int(data.value("SELECT COALESCE(MAX(_id), 0) + 1 FROM orders"))
    while data.value("SELECT 1 FROM orders WHERE order_no = ?", order_no(at_ms, key)) is not None:
        key += 1
    return order_no(at_ms, key)


def address_columns(phone: Phone, key: int | None) -> dict[str, Any]:
    """Columns of an order that say where it goes."""
    found = store.address(phone, key)
    if found is None:
        return {"address_id": None, "name": "", "phone": "", "address": ""}
    text = store.address_text(found, phone.language)
    return {"address_id": found["_id"], "name": found["name"], "phone": found["phone"], "address": text}


def place(phone: Phone, lines: Sequence[Line], choice: Mapping[str, Any]) -> int:
    """Makes an order that is to be paid; its goods leave stock and cart.

    Args:
        phone: the phone.
        lines: what is bought; none may be more than its stock.
        choice: `address`, `slot`, `note`, `payment`, `coupon` (a row of `view_my_coupons` or None).
    """
    data = store.database(phone)
    now = phone.state.clock.now_ms
    coupon = choice["coupon"]
    totals = total(lines, coupon)
    key = data.insert(
        "orders",
        order_no=new_order_no(phone, now),
        status="to_pay",
        created_at=now,
        slot=choice["slot"],
        note=choice["note"],
        payment=choice["payment"],
        shipping_cents=totals.shipping,
        discount_cents=totals.discount,
        my_coupon_id=None if coupon is None else coupon["_id"],
        **address_columns(phone, choice["address"]),
    )
    for line in reversed(lines):
        data.insert(
            "order_items",
            order_id=key,
            product_id=line["product_id"],
            variant_id=line["variant_id"],
            price_cents=line["price_cents"],
            quantity=line["quantity"],
        )
        data.execute("UPDATE variants SET stock = stock - ? WHERE _id = ?", line["quantity"], line["variant_id"])
        if choice["from_cart"]:
            data.execute("DELETE FROM cart WHERE variant_id = ?", line["variant_id"])
    if coupon is not None:
        data.update("my_coupons", coupon["_id"], status="used", order_id=key)
    return key


def pay(phone: Phone, key: int, payment: str) -> None:
    """The order is paid (or will be, at the door); it ships some hours later."""
    found = order(phone, key)
    if found is None or found["status"] != "to_pay":
        return
    if payment == "wallet":
        balance = int(store.get_setting(phone, "balance_cents", "0"))
        store.put_setting(phone, "balance_cents", balance - found["total_cents"])
    now = phone.state.clock.now_ms
    store.database(phone).update("orders", key, status="to_ship", paid_at=now, payment=payment)


def _give_back(phone: Phone, found: Mapping[str, Any]) -> None:
    data = store.database(phone)
    for item in items(phone, found["_id"]):
        data.execute("UPDATE variants SET stock = stock + ? WHERE _id = ?", item["quantity"], item["variant_id"])
    if found["my_coupon_id"] is not None:
        data.execute(
            "UPDATE my_coupons SET order_id = NULL, status = CASE WHEN expires_at > ? THEN 'available' ELSE 'expired' "
            "END WHERE _id = ?",
            phone.state.clock.now_ms,
            found["my_coupon_id"],
        )


def refund(phone: Phone, found: Mapping[str, Any], cents: int) -> None:
    """Pays an amount back to where it came from; only the wallet is kept on this phone."""
    if found["payment"] == "wallet":
        balance = int(store.get_setting(phone, "balance_cents", "0"))
        store.put_setting(phone, "balance_cents", balance + cents)


def cancel(phone: Phone, key: int, reason: str) -> None:
    """Cancels an order that has not been shipped; goods, coupon and money go back."""
    found = order(phone, key)
    if found is None or found["status"] not in ("to_pay", "to_ship"):
        return
    _give_back(phone, found)
    if found["status"] == "to_ship":
        refund(phone, found, found["total_cents"])
    now = phone.state.clock.now_ms
    store.database(phone).update("orders", key, status="cancelled", cancel_reason=reason, closed_at=now)


def receive(phone: Phone, key: int) -> None:
    """The user, or time, confirms that the parcel came."""
    now = phone.state.clock.now_ms
    store.database(phone).execute(
        "UPDATE orders SET status = 'to_review', received_at = ?, delivered_at = MIN(COALESCE(delivered_at, ?), ?) "
        "WHERE _id = ? AND status = 'to_receive'",
        now,
        now,
        now,
        key,
    )


def review(phone: Phone, item: Mapping[str, Any], stars: int, text: str, anonymous: bool, picture: str) -> None:
    """Writes a review; when all items of the order are reviewed it is done."""
    data = store.database(phone)
    author = store.get_setting(phone, "nickname")
    data.insert(
        "reviews",
        product_id=item["product_id"],
        variant_zh=item["variant_zh"],
        variant_en=item["variant_en"],
        author=author,
        stars=stars,
        text_zh=text,
        text_en=text,
        picture=picture,
        anonymous=int(anonymous),
        own=1,
        order_item_id=item["_id"],
        at=phone.state.clock.now_ms,
    )
    data.update("order_items", item["_id"], reviewed=1)
    data.execute(
        "UPDATE orders SET status = 'done', closed_at = ? WHERE _id = ? AND status = 'to_review' AND NOT EXISTS "
        "(SELECT 1 FROM order_items WHERE order_id = orders._id AND reviewed = 0)",
        phone.state.clock.now_ms,
        item["order_id"],
    )


# ---- what time does

_DUE = f"""
SELECT MIN(at) FROM (
    SELECT created_at + {PAY_MS} AS at FROM orders WHERE status = 'to_pay'
    UNION ALL SELECT paid_at + {SHIP_MS} FROM orders WHERE status = 'to_ship'
    UNION ALL SELECT delivered_at FROM orders o WHERE status = 'to_receive' AND NOT EXISTS
        (SELECT 1 FROM notices WHERE order_id = o._id AND kind = 'delivered')
    UNION ALL SELECT delivered_at + {CONFIRM_MS} FROM orders WHERE status = 'to_receive'
    UNION ALL SELECT expires_at FROM my_coupons WHERE status = 'available'
)
"""


def next_due(phone: Phone) -> int | None:
    """When an order next moves on, or a coupon expires."""
    found: int | None = store.database(phone).value(_DUE)
    return found


def move_on(phone: Phone) -> list[tuple[int, str]]:
    """Lets orders that are due move on; returns what happened: order and kind of notice."""
    data = store.database(phone)
    now = phone.state.clock.now_ms
    happened: list[tuple[int, str]] = []
    for row in data.rows("SELECT * FROM orders WHERE status = 'to_pay' AND created_at <= ?", now - PAY_MS):
        cancel(phone, row["_id"], "unpaid")
        happened.append((row["_id"], "unpaid"))
    for row in data.rows("SELECT * FROM orders WHERE status = 'to_ship' AND paid_at <= ?", now - SHIP_MS):
        shipped = row["paid_at"] + SHIP_MS
        data.update(
            "orders",
            row["_id"],
            status="to_receive",
            shipped_at=shipped,
            delivered_at=shipped + TRAVEL_MS,
            tracking=tracking_no(row["order_no"]),
        )
        happened.append((row["_id"], "shipped"))
    arrived = data.rows("SELECT * FROM orders WHERE status = 'to_receive' AND delivered_at <= ?", now)
    for row in arrived:
        if data.value("SELECT 1 FROM notices WHERE order_id = ? AND kind = 'delivered'", row["_id"]) is None:
            happened.append((row["_id"], "delivered"))
        if row["delivered_at"] <= now - CONFIRM_MS:
            receive(phone, row["_id"])
    data.execute("UPDATE my_coupons SET status = 'expired' WHERE status = 'available' AND expires_at <= ?", now)
    for key, kind in happened:
        data.insert("notices", order_id=key, kind=kind, at=now)
    return happened


def tracking_no(number: str) -> str:
    """The parcel's number, from the order's."""
    return f"HL{number[2:]}"
