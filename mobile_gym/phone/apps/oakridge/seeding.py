"""What Oakridge holds on a new phone: the catalogue, the account, and the owner's month in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.contacts_provider.seeding import days_ago
from mobile_gym.phone.apps.oakridge import ordering, store

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_FLAGS = ("express", "deal", "gift")
_PRODUCT = (
    "_id",
    "department",
    "aisle",
    "name",
    "brand",
    "about",
    "price_cents",
    "list_cents",
    "rating",
    "ratings",
    "sold",
    "listed",
    *_FLAGS,
    "picture",
    "axes",
    "words",
)
_VARIANT = ("_id", "product_id", "name", "options", "price_cents", "stock", "picture")
_REVIEW = ("product_id", "variant", "author", "stars", "title", "text", "at")


@lru_cache(maxsize=1)
def catalogue() -> list[dict[str, Any]]:
    """The products of the catalogue's file."""
    text = files(store.MODULE).joinpath("catalogue.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found


def local(value: Any, language: str) -> str:
    """A text of the seed file: one for both languages, or one for each."""
    return str(value[language]) if isinstance(value, dict) else str(value)


def words_of(product: Mapping[str, Any]) -> str:
    """What a search looks in: name, brand, department and aisle in both languages."""
    groups = [
        store.department_name(language, product["department"], aisle)
        for language in ("zh", "en")
        for aisle in ("", str(product.get("aisle") or ""))
    ]
    return " ".join([product["name"], product["brand"], *groups]).lower()


def seed_catalogue(phone: Phone) -> None:
    """Products, variants, reviews and promo codes, which are there on any phone."""
    data = store.database(phone)
    products, variants, reviews = [], [], []
    texts = store.load_data("reviews.yaml")
    for p in catalogue():
        key = p["id"]
        rows = p["variants"]
        minute = key * 37 % 600
        products.append(
            (
                key,
                p["department"],
                p["aisle"],
                p["name"],
                p["brand"],
                p["about"],
                min(cents for _, cents, _, _ in rows),
                p["was"],
                p["rating"],
                p["ratings"],
                p["sold"],
                days_ago(phone, p["days"], f"{8 + minute // 60:02d}:{minute % 60:02d}"),
                *(int(flag in p["flags"]) for flag in _FLAGS),
                rows[0][3],
                json.dumps(p["axes"]),
                words_of(p),
            )
        )
        for number, (options, cents, stock, picture) in enumerate(rows, 1):
            name = ", ".join(options)
            variants.append((key * 100 + number, key, name, json.dumps(options), cents, stock, picture))
        for number in range(3 + key % 3):
            text = texts["texts"][(key * 3 + number * 4) % len(texts["texts"])]
            author = texts["authors"][(key * 7 + number * 3) % len(texts["authors"])]
            at = days_ago(phone, 2 + (key * 11 + number * 17) % 90, f"{9 + number:02d}:{key % 60:02d}")
            about = ", ".join(rows[(key + number) % len(rows)][0])
            reviews.append((key, about, author, text["stars"], text["title"], text["text"], at))
    data.insert_many("products", _PRODUCT, products)
    data.insert_many("variants", _VARIANT, variants)
    data.insert_many("reviews", _REVIEW, reviews)
    for entry in store.load_data("seed.yaml")["promos"]:
        values = {name: value for name, value in entry.items() if name != "days"}
        data.insert("promos", **values, expires_at=days_ago(phone, -entry["days"], "23:59"))
    data.insert("session", _id=1)


def seed_account(phone: Phone, language: str) -> None:
    """The account's settings, addresses and cards."""
    data = store.database(phone)
    seed = store.load_data("seed.yaml")
    for name, value in seed["settings"].items():
        store.put_setting(phone, name, local(value, language))
    for entry in seed["addresses"]:
        data.insert("addresses", **{**entry, "name": local(entry["name"], language)})
    for entry in seed["cards"]:
        data.insert("cards", **entry)


def seed_life(phone: Phone) -> None:
    """Two months of shopping."""
    data = store.database(phone)
    life = store.load_data("seed.yaml")["lived_in"]
    store.put_setting(phone, "credit_cents", life["credit_cents"])
    for line in life["cart"]:
        data.insert(
            "cart",
            product_id=line["variant"] // 100,
            variant_id=line["variant"],
            quantity=line["quantity"],
            saved=line["saved"],
            added_at=days_ago(phone, line["days"], line["time"]),
        )
    for entry in life["lists"]:
        key = data.insert("lists", name=entry["name"], created_at=days_ago(phone, entry["days"], "19:00"))
        for number, product in enumerate(entry["products"]):
            at = days_ago(phone, max(entry["days"] - number * 4, 1), "19:10")
            data.insert("list_items", list_id=key, product_id=product, at=at)
    keys = [_seed_order(phone, entry) for entry in life["orders"]]
    for entry in life["returns"]:
        item = ordering.items(phone, keys[entry["order"] - 1])[entry["item"]]
        key = ordering.start_return(phone, item, {**entry, "comment": ""})
        at = days_ago(phone, entry["days"], entry["time"])
        data.update("returns", key, state=entry["state"], created_at=at, changed_at=at + 2 * ordering.DAY)
    for number, product in enumerate(life["viewed"]):
        data.insert("view_history", product_id=product, at=days_ago(phone, 1 + number, "20:10"))
    for entry in life["searches"]:
        data.insert("search_history", query=entry["query"], at=days_ago(phone, entry["days"], entry["time"]))


def _seed_order(phone: Phone, entry: Mapping[str, Any]) -> int:
    data = store.database(phone)
    at = days_ago(phone, entry["days"], entry["time"])
    speed, status = entry["speed"], entry["status"]
    key = int(data.value("SELECT COALESCE(MAX(_id), 0) + 1 FROM orders"))
    number = ordering.order_number(at, key)
    sent = status in ("shipped", "delivered")
    place = store.address(phone, entry["address"])
    lines = store.lines_of(phone, [{"variant": variant, "quantity": n} for variant, n in entry["items"]])
    sums = ordering.total(lines, speed, "gift" in entry, None, "OR" if place is None else place["state"])
    data.insert(
        "orders",
        number=number,
        status=status,
        created_at=at,
        shipped_at=at + ordering.SHIP_MS[speed] if sent else None,
        delivered_at=ordering.arrival(at, speed) if sent else None,
        closed_at=at + ordering.HOUR if status == "cancelled" else None,
        cancel_reason=entry.get("reason", ""),
        speed=speed,
        gift=int("gift" in entry),
        gift_message=entry.get("gift", ""),
        card_id=entry["card"],
        delivery_cents=sums.delivery,
        wrap_cents=sums.wrap,
        tax_cents=sums.tax,
        tracking=ordering.tracking_number(number) if sent else "",
        **ordering.address_columns(place),
    )
    for variant, quantity in entry["items"]:
        data.insert("order_items", order_id=key, product_id=variant // 100, variant_id=variant, quantity=quantity)
    return key
