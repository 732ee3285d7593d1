"""Cart and orders of the embedded phone's shop, with products by name or number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import MinLen
from pydantic import Field

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_bool, as_int, row_path
from mobile_gym.assets.documents import Strict, TextLike
from mobile_gym.assets.goods import Goods, OrdersType, lines_by_order, put_order, words
from mobile_gym.devices.base import Device, Row

_SHOP = "content://com.mobench.shop"
CART, ORDERS, ITEMS = f"{_SHOP}/cart", f"{_SHOP}/orders", f"{_SHOP}/order_items"
_GOODS = Goods("the shop", _SHOP, ("name_zh", "name_en"))

Status = Literal["to_pay", "to_ship", "to_receive", "to_review", "done", "cancelled", "refunded"]


class CartItem(Strict):
    """Something in the cart.

    Attributes:
        product: its name in either language, or its number.
        variant: the variant's name in either language, or its number; the first where it is injected without.
        quantity: how many; 1 where it is injected without.
        selected: whether it is ticked for the checkout.
    """

    product: TextLike | None = None
    variant: TextLike | None = None
    quantity: int | None = Field(default=None, ge=1)
    selected: bool | None = None


class CartItemType(AssetType):
    """`cart_item: {product: ..., quantity: 2}`."""

    name = "cart_item"
    document = CartItem
    identity = ("product", "variant")
    meanings: ClassVar[Mapping[str, Meaning]] = {"product": Meaning.TEXT, "variant": Meaning.TEXT}
    requires = frozenset({"content", "provider:com.mobench.shop"})

    def inject(self, device: Device, document: Any) -> None:
        """Puts it into the cart; what is in it already becomes more."""
        item: CartItem = document
        product, variant = _GOODS.chosen(device, item.product, item.variant)
        values: dict[str, str | int | float | None] = {
            "product_id": product,
            "variant_id": variant,
            "quantity": item.quantity or 1,
        }
        if item.selected is not None:
            values["selected"] = int(item.selected)
        device.content.insert(CART, values)

    def entries(self, reader: Reader) -> list[Entry]:
        """What is in the cart."""
        products = _GOODS.called(reader.rows(_GOODS.products))
        variants = _GOODS.called(reader.rows(_GOODS.variants))
        found = []
        for row in reader.rows(CART):
            key = row_path(CART, row)
            fields = {
                "product": products.get(str(row.get("product_id")), ()),
                "variant": variants.get(str(row.get("variant_id")), ()),
                "quantity": as_int(row.get("quantity")),
                "selected": as_bool(row.get("selected")) or False,
            }
            found.append(Entry(key, fields, frozenset({key})))
        return found


class OrderItem(Strict):
    """Something that was ordered.

    Attributes:
        product: its name in either language, or its number.
        variant: the variant's name in either language, or its number.
        quantity: how many.
    """

    product: TextLike
    variant: TextLike | None = None
    quantity: int | None = Field(default=None, ge=1)


class Order(Strict):
    """An order.

    Attributes:
        items: things that must be among those ordered.
        count: how many different things it holds, where it is expected.
        status: where it stands; to be shipped where it is injected without.
        name: who it goes to.
        phone: their number.
        address: where it goes, or a part of that.
        slot: `soon`, or a day and hours.
        note: the note to the shop.
        payment: `wallet`, `card` or `cod`.
        total: what it costs, in yuan, where it is expected.
        minutes_ago: how long before the device's now it was made, where it is injected.
    """

    items: Annotated[tuple[OrderItem, ...], MinLen(1)] | None = None
    count: int | None = Field(default=None, ge=1)
    status: Status | None = None
    name: str | None = None
    phone: TextLike | None = None
    address: str | None = None
    slot: str | None = None
    note: str | None = None
    payment: Literal["wallet", "card", "cod"] | None = None
    total: float | None = Field(default=None, ge=0)
    minutes_ago: float | None = Field(default=None, ge=0)


class OrderType(OrdersType):
    """`order: {items: [{product: ..., quantity: 2}], status: to_ship}`."""

    name = "order"
    document = Order
    # An order is never another one: rows are not given anew.
    identity = ("name", "phone")
    meanings: ClassVar[Mapping[str, Meaning]] = {
        "items": Meaning.TEXT,
        "name": Meaning.PERSON,
        "phone": Meaning.PHONE,
        "address": Meaning.PART,
        "note": Meaning.TEXT,
    }
    requires = frozenset({"content", "provider:com.mobench.shop"})

    def inject(self, device: Device, document: Any) -> None:
        """Inserts the order and what was ordered."""
        order: Order = document
        if order.items is None:
            raise ValueError("an order needs 'items' to be put on a device")
        chosen = [(*_GOODS.chosen(device, item.product, item.variant), item.quantity or 1) for item in order.items]
        values: dict[str, str | int | float | None] = {"status": order.status or "to_ship"}
        for name in ("name", "phone", "address", "slot", "note", "payment"):
            if getattr(order, name) is not None:
                values[name] = getattr(order, name)
        if order.minutes_ago is not None:
            values["created_at"] = int((device.clock.now().timestamp() - 60 * order.minutes_ago) * 1000)
        put_order(device, _GOODS, values, chosen)

    def entries(self, reader: Reader) -> list[Entry]:
        """All orders with what was ordered."""
        items = lines_by_order(reader, _GOODS)
        return [self._entry(row, items.get(str(row.get("_id")), [])) for row in reader.rows(ORDERS)]

    def _entry(self, row: Row, items: list[Row]) -> Entry:
        key = row_path(ORDERS, row)
        fields: dict[str, Any] = {
            name: str(row.get(name) or "") for name in ("name", "phone", "address", "slot", "note")
        }
        fields |= {
            "status": str(row.get("status")),
            "payment": str(row.get("payment")),
            "count": len(items),
            "total": (as_int(row.get("total_cents")) or 0) / 100,
            "items": tuple(
                {
                    "product": words(item, "product_id", "name_zh", "name_en"),
                    "variant": words(item, "variant_id", "variant_zh", "variant_en"),
                    "quantity": as_int(item.get("quantity")),
                }
                for item in items
            ),
        }
        return Entry(key, fields, frozenset({key, *(row_path(ITEMS, item) for item in items)}))
