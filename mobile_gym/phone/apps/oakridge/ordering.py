"""Orders: what they cost, how they are placed, how they move on as time passes, and what goes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.oakridge import store

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

Line = Mapping[str, Any]
HOUR = 3_600_000
DAY = 24 * HOUR
SPEEDS = ("standard", "express")
SHIP_MS = {"standard": 18 * HOUR, "express": 4 * HOUR}
"""From the order to the parcel's leaving."""
TRAVEL_MS = {"standard": 72 * HOUR, "express": 24 * HOUR}
"""From its leaving to the door."""
REFUND_MS = 48 * HOUR
"""From a parcel's way back to the money."""
RETURN_DAYS = 30
FREE_FROM_CENTS = 3500
STANDARD_CENTS = 599
EXPRESS_CENTS = 999
WRAP_CENTS = 499
CANCEL_REASONS = ("mistake", "cheaper", "late", "need", "other")
RETURN_REASONS = ("size", "damaged", "wrong", "described", "need")
OUTCOMES = ("refund", "credit", "replacement")
DROPOFFS = ("store", "carrier", "pickup")


@dataclass(frozen=True, slots=True)
class Totals:
    """What an order costs, in cents."""

    goods: int
    delivery: int
    wrap: int
    discount: int
    tax: int

    @property
    def total(self) -> int:
        """What is to be paid."""
        return max(self.goods + self.delivery + self.wrap - self.discount, 0) + self.tax


def goods(lines: Sequence[Line]) -> int:
    """What lines cost without anything else."""
    return sum(line["price_cents"] * line["quantity"] for line in lines)


def takes_express(lines: Sequence[Line]) -> bool:
    """Whether all of it can be sent by express."""
    return all(line["express"] for line in lines)


def tax_rate(state: str) -> int:
    """A state's sales tax in hundredths of a percent."""
    return next((int(entry["tax"]) for entry in store.states() if entry["code"] == state), 0)


def total(
    lines: Sequence[Line],
    speed: str = "standard",
    gift: bool = False,
    promo: Mapping[str, Any] | None = None,
    state: str = "OR",
) -> Totals:
    """What lines cost.

    Args:
        lines: what is bought.
        speed: standard, which is free from 35 dollars on, or express.
        gift: whether it is wrapped.
        promo: the code in force, a row of `promos` that `refusal` has nothing against.
        state: code of the state it goes to, whose tax it bears.
    """
    sum_cents = goods(lines)
    delivery = EXPRESS_CENTS if speed == "express" else STANDARD_CENTS if 0 < sum_cents < FREE_FROM_CENTS else 0
    discount = 0
    if promo is not None:
        counted = _counted(lines, promo)
        if promo["kind"] == "delivery":
            discount = delivery
        elif promo["kind"] == "percent":
            discount = counted * promo["value"] // 100
        else:
            discount = min(promo["value"], counted)
    wrap = WRAP_CENTS if gift else 0
    taxed = max(sum_cents - (discount if promo is not None and promo["kind"] != "delivery" else 0), 0)
    tax = (taxed * tax_rate(state) + 5_000) // 10_000
    return Totals(sum_cents, delivery, wrap, discount, tax)


def _counted(lines: Sequence[Line], promo: Mapping[str, Any]) -> int:
    wanted = promo["department"]
    return goods([line for line in lines if not wanted or line["department"] == wanted])


# ---- promo codes


def promo(phone: Phone, code: str) -> dict[str, Any] | None:
    """A promo code, however its letters are written."""
    return store.database(phone).row("SELECT * FROM promos WHERE code = ?", code.strip().upper())


def refusal(phone: Phone, lines: Sequence[Line], found: Mapping[str, Any] | None) -> str:
    """Why a code does not count for lines, as the key of a text; empty where it does."""
    if found is None:
        return "promo_unknown"
    if found["expires_at"] <= phone.state.clock.now_ms:
        return "promo_expired"
    if found["used"]:
        return "promo_used"
    counted = _counted(lines, found)
    if found["department"] and not counted:
        return "promo_department"
    if counted < found["min_cents"]:
        return "promo_min"
    return ""


def cart_promo(phone: Phone) -> str:
    """The code that the cart has, or nothing."""
    return str(store.database(phone).value("SELECT code FROM cart_promo WHERE _id = 1") or "")


def set_cart_promo(phone: Phone, code: str) -> None:
    """Gives the cart a code, or takes it away."""
    data = store.database(phone)
    data.execute("DELETE FROM cart_promo")
    if code:
        data.insert("cart_promo", _id=1, code=code)


def promo_in_force(phone: Phone, lines: Sequence[Line]) -> dict[str, Any] | None:
    """The cart's code where it counts for lines."""
    found = promo(phone, cart_promo(phone))
    return None if refusal(phone, lines, found) else found


# ---- an order's life


def order(phone: Phone, key: int) -> dict[str, Any] | None:
    """An order."""
    return store.database(phone).row("SELECT * FROM orders WHERE _id = ?", key)


def items(phone: Phone, key: int) -> list[dict[str, Any]]:
    """What an order holds."""
    return store.database(phone).rows("SELECT * FROM order_items WHERE order_id = ? ORDER BY _id", key)


def orders(phone: Phone, query: str = "", archived: bool = False) -> list[dict[str, Any]]:
    """Orders, the newest first; with a query those that hold it in a product's name or in their number."""
    where, values = ["archived = ?"], list[Any]([int(archived)])
    if query:
        where.append(
            "(instr(number, ?) OR EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = orders._id AND "
            "instr(lower(i.name), lower(?))))"
        )
        values += [query, query]
    return store.database(phone).rows(
        f"SELECT * FROM orders WHERE {' AND '.join(where)} ORDER BY created_at DESC, _id DESC", *values
    )


def arrival(at_ms: int, speed: str) -> int:
    """When what is ordered at a moment comes."""
    return at_ms + SHIP_MS[speed] + TRAVEL_MS[speed]


def expected(found: Mapping[str, Any]) -> int:
    """When an order comes or came."""
    return int(found["delivered_at"] or arrival(found["created_at"], found["speed"]))


def order_number(at_ms: int, key: int) -> str:
    """An order's number, from its time and its row: three groups of digits."""
    return f"114-{at_ms // 60_000 % 10_000_000:07d}-{key * 7_919_317 % 10_000_000:07d}"


def new_number(phone: Phone, at_ms: int) -> str:
    """A number that no order has."""
    data = store.database(phone)
    key = int(data.value("SELECT COALESCE(MAX(_id), 0) + 1 FROM orders"))
    while data.value("SELECT 1 FROM orders WHERE number = ?", order_number(at_ms, key)) is not None:
        key += 1
    return order_number(at_ms, key)


def address_columns(row: Mapping[str, Any] | None) -> dict[str, Any]:
    """Columns of an order that say where it goes; an address without `_id` is none of the book."""
    if row is None:
        return {"address_id": None, "name": "", "address": ""}
    return {"address_id": row.get("_id"), "name": row["name"], "address": store.address_text(row)}


def place(phone: Phone, lines: Sequence[Line], choice: Mapping[str, Any]) -> int:
    """Makes an order; its goods leave stock and cart.

    Args:
        phone: the phone.
        lines: what is bought; none may be more than its stock.
        choice: `address` (a row, or one given just once), `speed`, `gift`, `gift_message`, `payment` (card or credit),
            `card_id`, `promo` (a row of `promos` or None), `from_cart`.

    Returns:
        The order's row.
    """
    data = store.database(phone)
    now = phone.state.clock.now_ms
    code = choice["promo"]
    sums = total(lines, choice["speed"], choice["gift"], code, choice["address"]["state"])
    key = data.insert(
        "orders",
        number=new_number(phone, now),
        created_at=now,
        speed=choice["speed"],
        gift=int(choice["gift"]),
        gift_message=choice["gift_message"] if choice["gift"] else "",
        payment=choice["payment"],
        card_id=choice["card_id"] if choice["payment"] == "card" else None,
        promo="" if code is None else code["code"],
        delivery_cents=sums.delivery,
        wrap_cents=sums.wrap,
        discount_cents=sums.discount,
        tax_cents=sums.tax,
        **address_columns(choice["address"]),
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
    if code is not None:
        data.update("promos", code["_id"], used=1)
        set_cart_promo(phone, "")
    if choice["payment"] == "credit":
        store.put_setting(phone, "credit_cents", store.credit(phone) - sums.total)
    return key


def cancel(phone: Phone, key: int, reason: str) -> None:
    """Cancels an order that has not left; goods, code and credit go back."""
    found = order(phone, key)
    if found is None or found["status"] != "placed":
        return
    data = store.database(phone)
    for item in items(phone, key):
        data.execute("UPDATE variants SET stock = stock + ? WHERE _id = ?", item["quantity"], item["variant_id"])
    if found["promo"]:
        data.execute("UPDATE promos SET used = 0 WHERE code = ?", found["promo"])
    if found["payment"] == "credit":
        store.put_setting(phone, "credit_cents", store.credit(phone) + found["total_cents"])
    data.update("orders", key, status="cancelled", cancel_reason=reason, closed_at=phone.state.clock.now_ms)


# ---- what goes back


def return_of(phone: Phone, item: int) -> dict[str, Any] | None:
    """The return of an order's item that was not cancelled."""
    return store.database(phone).row(
        "SELECT * FROM returns WHERE item_id = ? AND state <> 'cancelled' ORDER BY _id DESC LIMIT 1", item
    )


def returnable(phone: Phone, found: Mapping[str, Any], item: int) -> bool:
    """Whether an item of an order may go back: it came, not long ago, and is not on its way back."""
    if found["status"] != "delivered" or return_of(phone, item) is not None:
        return False
    return phone.state.clock.now_ms <= expected(found) + RETURN_DAYS * DAY


def start_return(phone: Phone, item: Mapping[str, Any], choice: Mapping[str, Any]) -> int:
    """Asks for a return: `reason`, `comment`, `outcome`, `dropoff`; returns its row."""
    now = phone.state.clock.now_ms
    amount = 0 if choice["outcome"] == "replacement" else item["price_cents"] * item["quantity"]
    return store.database(phone).insert(
        "returns",
        order_id=item["order_id"],
        item_id=item["_id"],
        reason=choice["reason"],
        comment=choice["comment"],
        outcome=choice["outcome"],
        dropoff=choice["dropoff"],
        amount_cents=amount,
        created_at=now,
        changed_at=now,
    )


def set_return(phone: Phone, key: int, state: str) -> None:
    """Moves a return to another state; one that is closed pays store credit."""
    data = store.database(phone)
    found = data.row("SELECT * FROM returns WHERE _id = ?", key)
    if found is None or found["state"] == state:
        return
    data.update("returns", key, state=state, changed_at=phone.state.clock.now_ms)
    if state == "closed" and found["outcome"] == "credit":
        store.put_setting(phone, "credit_cents", store.credit(phone) + found["amount_cents"])


# ---- what time does

_BY_SPEED = "CASE speed WHEN 'express' THEN {express} ELSE {standard} END"
_SHIP = _BY_SPEED.format(**SHIP_MS)
_DUE = f"""
SELECT MIN(at) FROM (
    SELECT created_at + {_SHIP} AS at FROM orders WHERE status = 'placed'
    UNION ALL SELECT delivered_at FROM orders WHERE status = 'shipped'
    UNION ALL SELECT changed_at + {REFUND_MS} FROM returns WHERE state = 'sent'
)
"""


def next_due(phone: Phone) -> int | None:
    """When an order or a return next moves on."""
    found: int | None = store.database(phone).value(_DUE)
    return found


def move_on(phone: Phone) -> list[tuple[int, str]]:
    """Lets orders and returns that are due move on; returns what happened: order and kind of notice."""
    data = store.database(phone)
    now = phone.state.clock.now_ms
    happened: list[tuple[int, str]] = []
    for row in data.rows(f"SELECT * FROM orders WHERE status = 'placed' AND created_at + {_SHIP} <= ?", now):
        shipped = row["created_at"] + SHIP_MS[row["speed"]]
        comes = shipped + TRAVEL_MS[row["speed"]]
        number = tracking_number(row["number"])
        data.update("orders", row["_id"], status="shipped", shipped_at=shipped, delivered_at=comes, tracking=number)
        happened.append((row["_id"], "shipped"))
    for row in data.rows("SELECT _id FROM orders WHERE status = 'shipped' AND delivered_at <= ?", now):
        data.update("orders", row["_id"], status="delivered")
        happened.append((row["_id"], "delivered"))
    for row in data.rows("SELECT * FROM returns WHERE state = 'sent' AND changed_at + ? <= ?", REFUND_MS, now):
        set_return(phone, row["_id"], "closed")
        happened.append((row["order_id"], "refunded"))
    return happened


def tracking_number(number: str) -> str:
    """The parcel's number, from the order's."""
    return f"OKR{number.replace('-', '')[3:]}"
