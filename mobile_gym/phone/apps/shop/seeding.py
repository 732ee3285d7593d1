"""What the shop holds on a new phone: the catalogue, and the owner's month in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.contacts_provider.seeding import days_ago
from mobile_gym.phone.apps.shop import ordering, store

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_FLAGS = ("free_shipping", "next_day", "self_operated", "returns", "flash")
_PRODUCT = (
    "_id",
    "category",
    "sub",
    "name_zh",
    "name_en",
    "brand",
    "brand_zh",
    "brand_en",
    "price_cents",
    "was_cents",
    "sales",
    "rating",
    "listed",
    *_FLAGS,
    "picture",
    "axes",
    "words",
)
_VARIANT = ("_id", "product_id", "name_zh", "name_en", "options", "price_cents", "stock", "picture")
_REVIEW = (
    "product_id",
    "variant_zh",
    "variant_en",
    "author",
    "stars",
    "text_zh",
    "text_en",
    "picture",
    "anonymous",
    "at",
)


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Any]:
    """The catalogue's file: `brands` and `products`."""
    found: dict[str, Any] = json.loads(files(store.MODULE).joinpath("catalogue.json").read_text(encoding="utf-8"))
    return found


def local(value: Any, language: str) -> str:
    """A text of the seed file: one for both languages, or one for each."""
    return str(value[language]) if isinstance(value, dict) else str(value)


def seed_catalogue(phone: Phone, language: str) -> None:
    """Products, variants, brands, reviews and coupons, which are there on any phone."""
    data = store.database(phone)
    brands = {brand["key"]: brand for brand in catalogue()["brands"]}
    data.insert_many(
        "brands",
        ("brand", "name_zh", "name_en", "fans", "rating"),
        [(b["key"], b["zh"], b["en"], b["fans"], b["rating"] / 10) for b in brands.values()],
    )
    products, variants = [], []
    for p in catalogue()["products"]:
        brand = brands[p["brand"]]
        listed = days_ago(phone, p["days"], f"{p['minute'] // 60 + 8:02d}:{p['minute'] % 60:02d}")
        groups = [store.category_name(lang, p["category"], sub) for lang in ("zh", "en") for sub in ("", p["sub"])]
        words = " ".join([p["zh"], p["en"], brand["zh"], brand["en"], *groups]).lower()
        products.append(
            (
                p["id"],
                p["category"],
                p["sub"],
                p["zh"],
                p["en"],
                p["brand"],
                brand["zh"],
                brand["en"],
                p["price"],
                p["was"],
                p["sales"],
                p["rating"] / 10,
                listed,
                *(int(flag in p["flags"]) for flag in _FLAGS),
                p["picture"],
                json.dumps(p["axes"], ensure_ascii=False),
                words,
            )
        )
        for number, (zh, en, cents, stock, picture) in enumerate(p["variants"], 1):
            options = json.dumps(list(zip(zh, en, strict=True)), ensure_ascii=False)
            key = p["id"] * 100 + number
            variants.append((key, p["id"], " ".join(zh), " ".join(en), options, cents, stock, picture))
    data.insert_many("products", _PRODUCT, products)
    data.insert_many("variants", _VARIANT, variants)
    data.insert_many("reviews", _REVIEW, _reviews(phone, language))
    for coupon in store.load_data("seed.yaml")["coupons"]:
        data.insert("coupons", **coupon)
    for name, value in store.load_data("seed.yaml")["settings"].items():
        store.put_setting(phone, name, local(value, language))
    data.insert("session", _id=1)


def _reviews(phone: Phone, language: str) -> list[tuple[Any, ...]]:
    """Three to six reviews a product: which ones follows from its number."""
    texts = store.load_data("reviews.yaml")
    authors = texts["authors" if language == "zh" else "authors_en"]
    found = []
    for p in catalogue()["products"]:
        pool = texts["groups"][texts["group_of"][p["category"]]]
        for number in range(3 + p["id"] % 4):
            # The step has no common divisor with the pool's size, so that no text comes twice.
            entry = pool[(p["id"] + number * (1 if len(pool) % 2 == 0 else 3)) % len(pool)]
            variant = p["variants"][(p["id"] + number) % len(p["variants"])]
            author = authors[(p["id"] * 5 + number * 3) % len(authors)]
            days = 1 + (p["id"] * 7 + number * 11) % 60
            at = days_ago(phone, days, f"{8 + (p['id'] + number * 5) % 14:02d}:{p['id'] * 13 % 60:02d}")
            picture = variant[4] if number % 3 == 0 and entry["stars"] >= 4 else ""
            anonymous = int(author == authors[-1])
            found.append(
                (
                    p["id"],
                    " ".join(variant[0]),
                    " ".join(variant[1]),
                    author,
                    entry["stars"],
                    entry["zh"],
                    entry["en"],
                    picture,
                    anonymous,
                    at,
                )
            )
    return found


def seed_addresses(phone: Phone, language: str) -> None:
    """The account's addresses."""
    regions = store.load_data("regions.yaml")
    for entry in store.load_data("seed.yaml")["addresses"]:
        province = regions[entry["region"][0]]
        city = province["cities"][entry["region"][1]]
        store.database(phone).insert(
            "addresses",
            name=local(entry["name"], language),
            phone=local(entry["phone"], language),
            province=province[language],
            city=city[language],
            district=city["districts"][entry["region"][2]][language],
            detail=local(entry["detail"], language),
            tag=entry["tag"],
            is_default=entry["is_default"],
        )


def seed_life(phone: Phone, language: str) -> None:
    """A month of shopping."""
    data = store.database(phone)
    life = store.load_data("seed.yaml")["lived_in"]
    store.put_setting(phone, "balance_cents", life["balance_cents"])
    for line in life["cart"]:
        data.insert(
            "cart",
            product_id=line["variant"] // 100,
            variant_id=line["variant"],
            quantity=line["quantity"],
            selected=line["selected"],
            added_at=days_ago(phone, line["days"], line["time"]),
        )
    for entry in sorted(life["orders"], key=lambda one: days_ago(phone, one["days"], one["time"])):
        _seed_order(phone, entry, language)
    for entry in life["coupons"]:
        claimed = days_ago(phone, entry["days"], entry["time"])
        days = int(data.value("SELECT days FROM coupons WHERE _id = ?", entry["coupon"]))
        expires = claimed + days * ordering.DAY
        data.insert(
            "my_coupons",
            coupon_id=entry["coupon"],
            status=entry["status"],
            claimed_at=claimed,
            expires_at=expires,
        )
    for number, key in enumerate(life["favourites"]):
        data.insert("favourites", product_id=key, at=days_ago(phone, 1 + number * 3, "19:20"))
    for entry in reversed(life["footprints"]):
        at = days_ago(phone, entry["days"], entry["time"])
        query = local(entry["query"], language) if "query" in entry else ""
        data.insert("footprints", product_id=entry["product"], at=at, query=query)
    for entry in life["searches"]:
        at = days_ago(phone, entry["days"], entry["time"])
        data.insert("search_history", query=local(entry["text"], language), at=at)
    for number, brand in enumerate(life["follows"]):
        data.insert("shop_follows", brand=brand, at=days_ago(phone, 4 + number, "20:00"))
    for entry in life["chats"]:
        at = days_ago(phone, entry["days"], entry["time"])
        text = local(entry["text"], language)
        data.insert("chats", brand=entry["brand"], own=entry["own"], text=text, at=at, read=entry.get("read", 1))


def _seed_order(phone: Phone, entry: Mapping[str, Any], language: str) -> None:
    data = store.database(phone)
    created = days_ago(phone, entry["days"], entry["time"])
    lines = store.lines_of(phone, [{"variant": v, "quantity": q} for v, q in entry["items"]])
    coupon = None
    if "coupon" in entry:
        coupon = data.row("SELECT * FROM coupons WHERE _id = ?", entry["coupon"])
    totals = ordering.total(lines, coupon)
    status = entry["status"]
    times = _times(created, status)
    addresses = store.addresses(phone)
    where = addresses[entry.get("address", 0)]
    number = ordering.order_no(created, int(data.value("SELECT COALESCE(MAX(_id), 0) + 1 FROM orders")))
    key = data.insert(
        "orders",
        order_no=number,
        status=status,
        created_at=created,
        slot=entry.get("slot", "soon"),
        payment=entry["payment"],
        cancel_reason=entry.get("reason", ""),
        shipping_cents=totals.shipping,
        discount_cents=totals.discount,
        tracking=ordering.tracking_no(number) if "shipped_at" in times else "",
        **ordering.address_columns(phone, where["_id"]),
        **times,
    )
    for line in lines:
        data.insert(
            "order_items",
            order_id=key,
            product_id=line["product_id"],
            variant_id=line["variant_id"],
            price_cents=line["price_cents"],
            quantity=line["quantity"],
        )
    if coupon is not None:
        used = data.insert(
            "my_coupons",
            coupon_id=coupon["_id"],
            status="used",
            claimed_at=created - ordering.HOUR,
            expires_at=created + coupon["days"] * ordering.DAY,
            order_id=key,
        )
        data.update("orders", key, my_coupon_id=used)
    if "delivered_at" in times and times["delivered_at"] <= phone.state.clock.now_ms:
        data.insert("notices", order_id=key, kind="delivered", at=times["delivered_at"], read=int(entry["days"] > 2))
    elif "shipped_at" in times:
        data.insert("notices", order_id=key, kind="shipped", at=times["shipped_at"], read=int(entry["days"] > 0))
    _seed_after(phone, key, entry)


def _times(created: int, status: str) -> dict[str, int]:
    """Columns of the steps that an order in a state has behind it."""
    paid = created + 60_000
    shipped = paid + ordering.SHIP_MS
    delivered = shipped + ordering.TRAVEL_MS
    received = delivered + 3 * ordering.HOUR
    steps = {
        "to_pay": {},
        "cancelled": {"closed_at": created + ordering.HOUR},
        "to_ship": {"paid_at": paid},
        "to_receive": {"paid_at": paid, "shipped_at": shipped, "delivered_at": delivered},
    }
    after = {"paid_at": paid, "shipped_at": shipped, "delivered_at": delivered, "received_at": received}
    if status in ("done", "refunded"):
        return {**after, "closed_at": received + ordering.DAY}
    return steps.get(status, after)


def _seed_after(phone: Phone, key: int, entry: Mapping[str, Any]) -> None:
    """Reviews of an order that is done, and the request of one that was given back."""
    data = store.database(phone)
    found = ordering.order(phone, key)
    if found is None:
        return
    for item in ordering.items(phone, key):
        if "stars" in entry:
            texts = store.load_data("reviews.yaml")
            category = data.value("SELECT category FROM products WHERE _id = ?", item["product_id"])
            pool = texts["groups"][texts["group_of"][category]]
            text = next(one for one in pool if one["stars"] == entry["stars"])
            data.insert(
                "reviews",
                product_id=item["product_id"],
                variant_zh=item["variant_zh"],
                variant_en=item["variant_en"],
                author=store.get_setting(phone, "nickname"),
                stars=entry["stars"],
                text_zh=text["zh"],
                text_en=text["en"],
                own=1,
                order_item_id=item["_id"],
                at=found["closed_at"],
            )
            data.update("order_items", item["_id"], reviewed=1)
        if "aftersale" in entry:
            asked = phone.state.clock.now_ms - 20 * 60_000
            if entry["aftersale"]["state"] == "refunded":
                asked = found["received_at"] + ordering.HOUR
            data.insert(
                "aftersales",
                order_id=key,
                item_id=item["_id"],
                amount_cents=item["price_cents"] * item["quantity"],
                created_at=asked,
                changed_at=asked,
                **entry["aftersale"],
            )
