"""Cart and orders of the embedded phone's department store Oakridge, with products by name or number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import MinLen
from pydantic import Field

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_bool, as_int, row_path
from mobile_gym.assets.documents import Strict, TextLike
from mobile_gym.assets.goods import Goods, OrdersType, lines_by_order, put_order, words
from mobile_gym.devices.base import Device, Row

_STORE = "content://com.mobench.oakridge"
CART, CARDS = f"{_STORE}/cart", f"{_STORE}/cards"
ORDERS, ITEMS = f"{_STORE}/orders", f"{_STORE}/order_items"
_GOODS = Goods("Oakridge", _STORE, ("name",))

Status = Literal["placed", "shipped", "delivered", "cancelled"]


class OakridgeItem(Strict):
    """Something in the cart.

    Attributes:
        product: its name, or its number.
        variant: the variant's name, or its number; the first where it is injected without.
        quantity: how many; 1 where it is injected without.
        saved: whether it lies aside for later; an expected one may lie in either place where it is left out.
    """

    product: TextLike | None = None
    variant: TextLike | None = None
    quantity: int | None = Field(default=None, ge=1)
    saved: bool | None = None


class OakridgeItemType(AssetType):
    """`oakridge_item: {product: ..., quantity: 2}`."""

    name = "oakridge_item"
    document = OakridgeItem
    identity = ("product", "variant")
    meanings: ClassVar[Mapping[str, Meaning]] = {"product": Meaning.TEXT, "variant": Meaning.TEXT}
    requires = frozenset({"content", "provider:com.mobench.oakridge"})

    def inject(self, device: Device, document: Any) -> None:
        """Puts it into the cart; what is in it already becomes more, what lay aside comes back."""
        item: OakridgeItem = document
        product, variant = _GOODS.chosen(device, item.product, item.variant)
        values: dict[str, str | int | float | None] = {
            "product_id": product,
            "variant_id": variant,
            "quantity": item.quantity or 1,
        }
        device.content.insert(CART, values)
        if item.saved:
            device.content.update(CART, {"saved": 1}, where=f"variant_id = {variant}")

    def entries(self, reader: Reader) -> list[Entry]:
        """What is in the cart, and what lies aside."""
        products = _GOODS.called(reader.rows(_GOODS.products))
        variants = _GOODS.called(reader.rows(_GOODS.variants))
        found = []
        for row in reader.rows(CART):
            key = row_path(CART, row)
            fields = {
                "product": products.get(str(row.get("product_id")), ()),
                "variant": variants.get(str(row.get("variant_id")), ()),
                "quantity": as_int(row.get("quantity")),
                "saved": as_bool(row.get("saved")) or False,
            }
            found.append(Entry(key, fields, frozenset({key})))
        return found


class OakridgeLine(Strict):
    """Something that was ordered.

    Attributes:
        product: its name, or its number.
        variant: the variant's name, or its number.
        quantity: how many.
    """

    product: TextLike
    variant: TextLike | None = None
    quantity: int | None = Field(default=None, ge=1)


class OakridgeOrder(Strict):
    """An order.

    Attributes:
        items: things that must be among those ordered.
        count: how many different things it holds, where it is expected.
        status: where it stands; placed where it is injected without.
        name: who it goes to.
        address: where it goes, or a part of that.
        speed: `standard` or `express`.
        gift: whether it is wrapped.
        gift_message: what the card with it says.
        payment: `card` or `credit`.
        card: the last four digits of the card that pays.
        promo: the promo code that counted; empty: none.
        total: what it costs, in dollars, where it is expected.
        minutes_ago: how long before the device's now it was made, where it is injected.
    """

    items: Annotated[tuple[OakridgeLine, ...], MinLen(1)] | None = None
    count: int | None = Field(default=None, ge=1)
    status: Status | None = None
    name: str | None = None
    address: str | None = None
    speed: Literal["standard", "express"] | None = None
    gift: bool | None = None
    gift_message: str | None = None
    payment: Literal["card", "credit"] | None = None
    card: TextLike | None = None
    promo: str | None = None
    total: float | None = Field(default=None, ge=0)
    minutes_ago: float | None = Field(default=None, ge=0)


class OakridgeOrderType(OrdersType):
    """`oakridge_order: {items: [{product: ..., quantity: 2}], status: placed}`."""

    name = "oakridge_order"
    document = OakridgeOrder
    # An order is never another one: rows are not given anew.
    identity = ("name", "address")
    meanings: ClassVar[Mapping[str, Meaning]] = {
        "items": Meaning.TEXT,
        "name": Meaning.PERSON,
        "address": Meaning.PART,
        "gift_message": Meaning.TEXT,
        "promo": Meaning.TEXT,
    }
    requires = frozenset({"content", "provider:com.mobench.oakridge"})

    def inject(self, device: Device, document: Any) -> None:
        """Inserts the order and what was ordered."""
        order: OakridgeOrder = document
        if order.items is None:
            raise ValueError("an order needs 'items' to be put on a device")
        chosen = [(*_GOODS.chosen(device, item.product, item.variant), item.quantity or 1) for item in order.items]
        values: dict[str, str | int | float | None] = {"status": order.status or "placed"}
        for name in ("name", "address", "speed", "gift_message", "payment", "promo"):
            if getattr(order, name) is not None:
                values[name] = getattr(order, name)
        if order.gift is not None:
            values["gift"] = int(order.gift)
        if order.card is not None:
            values["card_id"] = _card(device, order.card)
        if order.minutes_ago is not None:
            values["created_at"] = int((device.clock.now().timestamp() - 60 * order.minutes_ago) * 1000)
        put_order(device, _GOODS, values, chosen)

    def entries(self, reader: Reader) -> list[Entry]:
        """All orders with what was ordered."""
        items = lines_by_order(reader, _GOODS)
        cards = {str(row.get("_id")): str(row.get("last4")) for row in reader.rows(CARDS)}
        return [_order_entry(row, items.get(str(row.get("_id")), []), cards) for row in reader.rows(ORDERS)]


def _order_entry(row: Row, items: list[Row], cards: Mapping[str, str]) -> Entry:
    key = row_path(ORDERS, row)
    texts = ("status", "name", "address", "speed", "gift_message", "payment", "promo")
    fields: dict[str, Any] = {name: str(row.get(name) or "") for name in texts}
    fields |= {
        "gift": as_bool(row.get("gift")) or False,
        "card": cards.get(str(row.get("card_id")), ""),
        "count": len(items),
        "total": (as_int(row.get("total_cents")) or 0) / 100,
        "items": tuple(
            {
                "product": words(item, "product_id", "name"),
                "variant": words(item, "variant_id", "variant"),
                "quantity": as_int(item.get("quantity")),
            }
            for item in items
        ),
    }
    return Entry(key, fields, frozenset({key, *(row_path(ITEMS, item) for item in items)}))


def _card(device: Device, last4: str) -> int:
    """The number of the card that ends so."""
    rows = device.content.query(CARDS)
    for row in rows:
        if str(row.get("last4")) == last4:
            return int(str(row["_id"]))
    known = ", ".join(str(row.get("last4")) for row in rows) or "none"
    raise ValueError(f"Oakridge has no card that ends in {last4!r}; there are {known}")
