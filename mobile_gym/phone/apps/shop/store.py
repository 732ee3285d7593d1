"""What the shop app reads and changes: products, lists, cart, favourites, settings, the session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.state import Database

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.system.app import Context

PACKAGE = "com.mobench.shop"
MODULE = "mobile_gym.phone.apps.shop"
DATABASE = f"{PACKAGE}/shop.db"
Product = dict[str, Any]

SORTS = {
    "default": "score DESC, sales * rating DESC, _id",
    "sales": "sales DESC, _id",
    "price_asc": "price_cents, sales DESC, _id",
    "price_desc": "price_cents DESC, sales DESC, _id",
    "newest": "listed DESC, _id",
    "rating": "rating DESC, sales DESC, _id",
}
FLAGS = ("free_shipping", "next_day", "self_operated", "returns", "in_stock")
_ENOUGH, _SOME = 0.6, 0.4
"""Share of a query's parts that a product must have; the lesser one for Chinese queries of several words."""


@lru_cache(maxsize=8)
def load_data(name: str) -> Any:
    """A YAML file of the app's folder."""
    text = files(MODULE).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def database(phone: Phone) -> Database:
    """The app's database."""
    return phone.state.database(DATABASE)


# ---- settings


def get_setting(phone: Phone, name: str, default: str = "") -> str:
    """One of the app's settings."""
    found = database(phone).value("SELECT value FROM settings WHERE name = ?", name)
    return default if found is None else str(found)


def put_setting(phone: Phone, name: str, value: str | int) -> None:
    """Sets one of the app's settings."""
    database(phone).insert("settings", name=name, value=str(value))


# ---- categories


def categories() -> list[dict[str, Any]]:
    """Categories with their second level."""
    found: list[dict[str, Any]] = load_data("categories.yaml")
    return found


def category_name(language: str, category: str, sub: str = "") -> str:
    """Name of a category, or of what lies under it."""
    for entry in categories():
        if entry["key"] == category:
            for inner in entry["subs"] if sub else ():
                if inner["key"] == sub:
                    return str(inner[language])
            return str(entry[language])
    return category


# ---- products


def name(product: Mapping[str, Any], language: str) -> str:
    """A product's or order item's name."""
    return str(product[f"name_{language}"])


def product(phone: Phone, key: int) -> Product | None:
    """A product."""
    return database(phone).row("SELECT * FROM products WHERE _id = ?", key)


def variants(phone: Phone, key: int) -> list[dict[str, Any]]:
    """A product's variants."""
    return database(phone).rows("SELECT * FROM variants WHERE product_id = ? ORDER BY _id", key)


def variant(phone: Phone, key: int) -> dict[str, Any] | None:
    """A variant."""
    return database(phone).row("SELECT * FROM variants WHERE _id = ?", key)


def brand(phone: Phone, key: str) -> dict[str, Any] | None:
    """A brand's shop."""
    return database(phone).row("SELECT * FROM brands WHERE brand = ?", key)


def query_parts(query: str) -> tuple[list[str], float]:
    """What a search looks for, and how many of these parts a product must have.

    Latin words stand whole; Chinese ones, which have no spaces inside, are cut into pairs of neighbouring letters.
    """
    found: list[str] = []
    words = query.lower().split()
    for word in words:
        pairs = [word] if word.isascii() else [word[at : at + 2] for at in range(len(word) - 1)] or [word]
        found += [pair for pair in pairs if pair not in found]
    share = _ENOUGH if len(words) == 1 or query.isascii() else _SOME
    return found, max(len(found) * share, 1.0)


def list_products(phone: Phone, view: Mapping[str, Any]) -> list[Product]:
    """Products of a list.

    Args:
        phone: the phone.
        view: any of `query`, `category` (one, or several by commas), `sub`, `brand`, `flash`, `ids`, `filters` (a
            list), `price_min` and `price_max` (cents), `sort` (a key of `SORTS`).

    Returns:
        Rows of `products` with a `score`: how many parts of the query each has.
    """
    where, values = ["1"], list[Any]()
    if view.get("category"):
        keys = str(view["category"]).split(",")
        where.append(f"category IN ({', '.join('?' * len(keys))})")
        values += keys
    for column in ("sub", "brand"):
        if view.get(column):
            where.append(f"{column} = ?")
            values.append(view[column])
    if view.get("flash"):
        where.append("flash = 1")
    brands = []
    for text in view.get("filters") or ():
        if text.startswith("brand:"):
            brands.append(text.removeprefix("brand:"))
        elif text == "in_stock":
            where.append("stock > 0")
        elif text in FLAGS:
            where.append(f"{text} = 1")
    if brands:
        where.append(f"brand IN ({', '.join('?' * len(brands))})")
        values += brands
    for column, sign in (("price_min", ">="), ("price_max", "<=")):
        if view.get(column) is not None:
            where.append(f"price_cents {sign} ?")
            values.append(int(view[column]))
    order = SORTS[str(view.get("sort") or "default")]
    query = str(view.get("query") or "").strip()
    data = database(phone)
    condition = " AND ".join(where)
    if not query:
        return data.rows(f"SELECT *, 0 AS score FROM products WHERE {condition} ORDER BY {order}", *values)
    parts, enough = query_parts(query)
    score = " + ".join(["(instr(words, ?) > 0)"] * len(parts))
    scored = f"SELECT *, {score} AS score FROM products WHERE {condition}"
    return data.rows(f"SELECT * FROM ({scored}) WHERE score >= ? ORDER BY {order}", *parts, *values, enough)


def suggestions(phone: Phone, text: str, language: str, most: int = 8) -> list[str]:
    """What a search might go on to: categories and products that hold the text."""
    text = text.strip().lower()
    if not text:
        return []
    found: list[str] = []
    for entry in categories():
        found += [inner[language] for inner in entry["subs"] if text in inner[language].lower()]
    rows = database(phone).rows("SELECT * FROM products WHERE instr(words, ?) ORDER BY sales DESC LIMIT ?", text, most)
    for row in rows:
        full = name(row, language)
        found.append(full.split(" ")[0] if language == "zh" else full.split(",")[0])
    return list(dict.fromkeys(found))[:most]


def remember_search(phone: Phone, query: str) -> None:
    """Puts a query at the head of the history."""
    database(phone).insert("search_history", query=query, at=phone.state.clock.now_ms)


# ---- favourites, footprints, follows


def is_favourite(phone: Phone, key: int) -> bool:
    """Whether a product is among the favourites."""
    return database(phone).value("SELECT 1 FROM favourites WHERE product_id = ?", key) is not None


def set_favourite(phone: Phone, key: int, wanted: bool) -> None:
    """Adds a product to the favourites, or takes it out."""
    if wanted:
        database(phone).insert("favourites", product_id=key, at=phone.state.clock.now_ms)
    else:
        database(phone).execute("DELETE FROM favourites WHERE product_id = ?", key)


def saved_products(phone: Phone, table: str) -> list[Product]:
    """Products of `favourites` or `footprints`, the newest first, with `at` and `saved_id`."""
    return database(phone).rows(
        f"SELECT p.*, s.at AS at, s._id AS saved_id FROM {table} s JOIN products p ON p._id = s.product_id "
        "ORDER BY s.at DESC, s._id DESC"
    )


# ---- cart


def cart_lines(phone: Phone, chosen_only: bool = False) -> list[dict[str, Any]]:
    """Lines of the cart, the newest first, with what is bought."""
    where = "WHERE c.selected = 1" if chosen_only else ""
    return database(phone).rows(
        "SELECT c._id, c.product_id, c.variant_id, c.quantity, c.selected, p.name_zh, p.name_en, p.brand, "
        "p.brand_zh, p.brand_en, p.category, p.free_shipping, p.self_operated, v.name_zh AS variant_zh, "
        "v.name_en AS variant_en, v.price_cents, v.stock, v.picture FROM cart c "
        "JOIN products p ON p._id = c.product_id JOIN variants v ON v._id = c.variant_id "
        f"{where} ORDER BY c.added_at DESC, c._id DESC"
    )


def lines_of(phone: Phone, wanted: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Lines as `cart_lines` has them, of variants and quantities."""
    found = []
    for one in wanted:
        row = database(phone).row(
            "SELECT p._id AS product_id, v._id AS variant_id, p.name_zh, p.name_en, p.brand, p.brand_zh, p.brand_en, "
            "p.category, p.free_shipping, p.self_operated, v.name_zh AS variant_zh, v.name_en AS variant_en, "
            "v.price_cents, v.stock, v.picture FROM variants v JOIN products p ON p._id = v.product_id WHERE v._id = ?",
            int(one["variant"]),
        )
        if row is not None:
            found.append({**row, "quantity": int(one["quantity"])})
    return found


def cart_count(phone: Phone) -> int:
    """How many pieces are in the cart."""
    return int(database(phone).value("SELECT COALESCE(SUM(quantity), 0) FROM cart"))


def add_to_cart(phone: Phone, product_id: int, variant_id: int, quantity: int) -> None:
    """Puts pieces of a variant into the cart, no more than there are in stock."""
    data = database(phone)
    data.insert(
        "cart", product_id=product_id, variant_id=variant_id, quantity=quantity, added_at=phone.state.clock.now_ms
    )
    data.execute(
        "UPDATE cart SET quantity = MAX(MIN(quantity, (SELECT stock FROM variants WHERE _id = variant_id)), 1) "
        "WHERE variant_id = ?",
        variant_id,
    )


def change_variant(phone: Phone, line: int, variant_id: int, quantity: int) -> None:
    """Puts another variant in place of that of a line; a line that has it already takes both."""
    data = database(phone)
    other = data.row("SELECT * FROM cart WHERE variant_id = ? AND _id <> ?", variant_id, line)
    if other is None:
        data.update("cart", line, variant_id=variant_id, quantity=quantity)
        return
    data.delete("cart", line)
    add_to_cart(phone, other["product_id"], variant_id, quantity)


# ---- addresses


def addresses(phone: Phone) -> list[dict[str, Any]]:
    """Addresses, the default one first."""
    return database(phone).rows("SELECT * FROM addresses ORDER BY is_default DESC, _id")


def address(phone: Phone, key: int | None) -> dict[str, Any] | None:
    """An address, or without a key the default one."""
    if key is not None:
        found = database(phone).row("SELECT * FROM addresses WHERE _id = ?", key)
        if found is not None:
            return found
    return database(phone).row("SELECT * FROM addresses ORDER BY is_default DESC, _id LIMIT 1")


def region_text(row: Mapping[str, Any], language: str) -> str:
    """Province, city and district; a city that is its own province once."""
    parts = [row["province"], row["city"], row["district"]]
    parts = list(dict.fromkeys(part for part in parts if part))
    return "".join(parts) if language == "zh" else ", ".join(reversed(parts))


def address_text(row: Mapping[str, Any], language: str) -> str:
    """An address in one line."""
    region = region_text(row, language)
    return f"{region}{row['detail']}" if language == "zh" else f"{row['detail']}, {region}"


def shown_phone(number: str) -> str:
    """A number with its middle hidden."""
    return f"{number[:3]}****{number[-4:]}" if len(number) >= 8 else number


# ---- session


def note(ctx: Context, screen: str, **values: Any) -> None:
    """Writes what the screen in front shows to the session; what is not named stays as it is."""
    database(ctx.phone).update("session", 1, screen=screen, **values)


def end_list(ctx: Context, screen: str) -> None:
    """No list is in front any more: its state is forgotten."""
    note(
        ctx,
        screen,
        query="",
        category="",
        sub="",
        brand="",
        sort="default",
        filters="",
        price_min=None,
        price_max=None,
        results=None,
        opened_product=None,
    )


def delivery_address(phone: Phone) -> dict[str, Any] | None:
    """The address that the home page and the product pages deliver to."""
    key = database(phone).value("SELECT address_id FROM session WHERE _id = 1")
    return address(phone, key)
