"""Refunds and returns: applied for by the user, moved on by time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.shop import ordering, store
from mobile_gym.phone.apps.shop.ordering import HOUR

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

APPROVE_MS = HOUR
"""From the request to the shop's consent."""
REFUND_MS = 2 * HOUR
"""From the consent to the money, where nothing is sent back."""
RETURN_MS = 24 * HOUR
"""From handing the parcel over to the money."""
REASONS = ("quality", "size", "broken", "wrong", "unwanted", "late")
OPEN = ("applied", "approved", "returning")

_DUE = f"""
SELECT MIN(at) FROM (
    SELECT changed_at + {APPROVE_MS} AS at FROM aftersales WHERE state = 'applied'
    UNION ALL SELECT changed_at + {REFUND_MS} FROM aftersales WHERE state = 'approved' AND kind = 'refund'
    UNION ALL SELECT changed_at + {RETURN_MS} FROM aftersales WHERE state = 'returning'
)
"""


def request(phone: Phone, key: int) -> dict[str, Any] | None:
    """A request."""
    return store.database(phone).row("SELECT * FROM aftersales WHERE _id = ?", key)


def requests(phone: Phone) -> list[dict[str, Any]]:
    """All requests, the newest first, with what they are about."""
    return store.database(phone).rows(
        "SELECT a.*, i.name_zh, i.name_en, i.variant_zh, i.variant_en, i.picture, i.quantity, i.price_cents, "
        "i.product_id FROM aftersales a JOIN order_items i ON i._id = a.item_id ORDER BY a.created_at DESC, a._id DESC"
    )


def of_item(phone: Phone, item_id: int) -> dict[str, Any] | None:
    """The newest request about an item that was not withdrawn."""
    return store.database(phone).row(
        "SELECT * FROM aftersales WHERE item_id = ? AND state <> 'withdrawn' ORDER BY _id DESC LIMIT 1", item_id
    )


def most(phone: Phone, item: Mapping[str, Any]) -> int:
    """What can be refunded for an item: its share of what was paid for the goods, in cents."""
    found = ordering.order(phone, item["order_id"])
    cents = int(item["price_cents"] * item["quantity"])
    if found is None or not found["goods_cents"]:
        return cents
    return cents - int(found["discount_cents"]) * cents // int(found["goods_cents"])


def apply(phone: Phone, item: Mapping[str, Any], kind: str, reason: str, amount: int, note: str) -> int:
    """Asks for a refund or a return."""
    now = phone.state.clock.now_ms
    return store.database(phone).insert(
        "aftersales",
        order_id=item["order_id"],
        item_id=item["_id"],
        kind=kind,
        reason=reason,
        note=note,
        amount_cents=amount,
        created_at=now,
        changed_at=now,
    )


def set_state(phone: Phone, key: int, state: str, **values: Any) -> None:
    """Moves a request to a state."""
    store.database(phone).update("aftersales", key, state=state, changed_at=phone.state.clock.now_ms, **values)


def next_due(phone: Phone) -> int | None:
    """When a request next moves on."""
    found: int | None = store.database(phone).value(_DUE)
    return found


def move_on(phone: Phone) -> list[tuple[int, str]]:
    """Lets requests that are due move on; returns what happened: order and kind of notice."""
    now = phone.state.clock.now_ms
    happened: list[tuple[int, str]] = []
    waiting = "SELECT * FROM aftersales WHERE state IN ('applied', 'approved', 'returning')"
    for row in store.database(phone).rows(waiting):
        age = now - row["changed_at"]
        if row["state"] == "applied" and age >= APPROVE_MS:
            set_state(phone, row["_id"], "approved")
            happened.append((row["order_id"], "approved"))
        elif (row["state"] == "approved" and row["kind"] == "refund" and age >= REFUND_MS) or (
            row["state"] == "returning" and age >= RETURN_MS
        ):
            _refund(phone, row)
            happened.append((row["order_id"], "refunded"))
    for key, kind in happened:
        store.database(phone).insert("notices", order_id=key, kind=kind, at=now)
    return happened


def _refund(phone: Phone, row: Mapping[str, Any]) -> None:
    set_state(phone, row["_id"], "refunded")
    data = store.database(phone)
    found = ordering.order(phone, row["order_id"])
    if found is None:
        return
    ordering.refund(phone, found, row["amount_cents"])
    item = data.row("SELECT * FROM order_items WHERE _id = ?", row["item_id"])
    if item is not None and (row["kind"] == "return" or found["status"] == "to_ship"):
        data.execute("UPDATE variants SET stock = stock + ? WHERE _id = ?", item["quantity"], item["variant_id"])
    left = data.value(
        "SELECT COUNT(*) FROM order_items i WHERE order_id = ? AND NOT EXISTS "
        "(SELECT 1 FROM aftersales a WHERE a.item_id = i._id AND a.state = 'refunded')",
        found["_id"],
    )
    if not left:
        data.update("orders", found["_id"], status="refunded", closed_at=phone.state.clock.now_ms)
