"""Goods of the embedded phone's stores: products and variants, known by number or by whole name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mobile_gym.assets.base import AssetType, Reader, newest_id
from mobile_gym.devices.base import Device, Row


@dataclass(frozen=True, slots=True)
class Goods:
    """What a store sells.

    Attributes:
        store: what messages call it, such as `the shop`.
        provider: URI of its provider; the tables `products` and `variants` are below it.
        names: columns of both tables that hold a name.
    """

    store: str
    provider: str
    names: tuple[str, ...]

    @property
    def products(self) -> str:
        """URI of the products."""
        return f"{self.provider}/products"

    @property
    def variants(self) -> str:
        """URI of the variants."""
        return f"{self.provider}/variants"

    @property
    def orders(self) -> str:
        """URI of the orders."""
        return f"{self.provider}/orders"

    @property
    def order_items(self) -> str:
        """URI of what was ordered."""
        return f"{self.provider}/order_items"

    def called(self, rows: Iterable[Row]) -> dict[str, tuple[str, ...]]:
        """What products or variants are called, their numbers among it, by their numbers."""
        return {str(row.get("_id")): words(row, "_id", *self.names) for row in rows}

    def chosen(self, device: Device, product: str | None, variant: str | None) -> tuple[int, int]:
        """The numbers of a product and its variant; the first variant where none is named.

        Raises:
            ValueError: the store has none such.
        """
        if product is None:
            raise ValueError("it needs 'product' to be put on a device")
        known = self.called(device.content.query(self.products))
        there = [key for key, names in known.items() if product in names]
        if not there:
            raise ValueError(f"{self.store} has no product {product!r}; give its whole name or its number")
        rows = [row for row in device.content.query(self.variants) if str(row.get("product_id")) == there[0]]
        names = self.called(rows)
        fitting = [key for key in names if variant is None or variant in names[key]]
        if not fitting:
            others = ", ".join(words[-1] for words in names.values())
            raise ValueError(f"the product {product!r} has no variant {variant!r}; there are {others}")
        return int(there[0]), int(fitting[0])


class OrdersType(AssetType):
    """What orders of all stores have in common."""

    def wanted(self, document: Any) -> dict[str, Any]:
        """What the order must be; not when it was made."""
        fields = super().wanted(document)
        fields.pop("minutes_ago", None)
        if "items" in fields:
            fields["items"] = tuple(item.model_dump(exclude_none=True) for item in fields["items"])
        return fields


def put_order(
    device: Device,
    goods: Goods,
    values: Mapping[str, str | int | float | None],
    chosen: Iterable[tuple[int, int, int]],
) -> None:
    """Inserts an order and what was ordered: product, variant and quantity of each line."""
    device.content.insert(goods.orders, values)
    key = newest_id(device.content.query(goods.orders))
    for product, variant, quantity in chosen:
        line = {"order_id": key, "product_id": product, "variant_id": variant, "quantity": quantity}
        device.content.insert(goods.order_items, line)


def lines_by_order(reader: Reader, goods: Goods) -> dict[str, list[Row]]:
    """What was ordered, by the order's number."""
    items: dict[str, list[Row]] = {}
    for row in reader.rows(goods.order_items):
        items.setdefault(str(row.get("order_id")), []).append(row)
    return items


def words(row: Row, *columns: str) -> tuple[str, ...]:
    """A row's texts in some columns, without those that are empty."""
    return tuple(str(row[column]) for column in columns if row.get(column) not in (None, ""))
