"""What Oakridge reads and changes: products, lists of them, cart, wish lists, settings, the session."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.state import Database

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.system.app import Context

PACKAGE = "com.mobench.oakridge"
MODULE = "mobile_gym.phone.apps.oakridge"
DATABASE = f"{PACKAGE}/oakridge.db"
Row = dict[str, Any]

SORTS = {
    "featured": "score DESC, sold * rating DESC, _id",
    "best": "sold DESC, _id",
    "price_low": "price_cents, sold DESC, _id",
    "price_high": "price_cents DESC, sold DESC, _id",
    "rating": "rating DESC, ratings DESC, _id",
    "newest": "listed DESC, _id",
}
FLAGS = {"express": "express = 1", "deal": "deal = 1", "gift": "gift = 1", "stock": "stock > 0"}
"""What a product may be asked to have, and the condition of each."""
MOST = 10
"""Most pieces of one thing that an order takes."""


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
    """Sets one of the app's settings; one that has the value already keeps its row."""
    if get_setting(phone, name, "\0") == str(value):
        return
    data = database(phone)
    key = data.value("SELECT _id FROM settings WHERE name = ?", name)
    if key is None:
        data.insert("settings", name=name, value=str(value))
    else:
        data.update("settings", key, value=str(value))


# ---- departments


def departments() -> list[Row]:
    """Departments with their aisles."""
    found: list[Row] = load_data("departments.yaml")
    return found


def department_name(language: str, department: str, aisle: str = "") -> str:
    """Name of a department, or of one of its aisles."""
    for entry in departments():
        if entry["key"] == department:
            for inner in entry["aisles"] if aisle else ():
                if inner["key"] == aisle:
                    return str(inner[language])
            return str(entry[language])
    return department


def states() -> list[Row]:
    """The states that Oakridge delivers to."""
    found: list[Row] = load_data("states.yaml")
    return found


# ---- products


def product(phone: Phone, key: int) -> Row | None:
    """A product."""
    return database(phone).row("SELECT * FROM products WHERE _id = ?", key)


def variants(phone: Phone, key: int) -> list[Row]:
    """A product's variants."""
    return database(phone).rows("SELECT * FROM variants WHERE product_id = ? ORDER BY _id", key)


def variant(phone: Phone, key: int) -> Row | None:
    """A variant."""
    return database(phone).row("SELECT * FROM variants WHERE _id = ?", key)


def options(variant: Mapping[str, Any]) -> list[str]:
    """A variant's choice on each axis."""
    found: list[str] = json.loads(variant["options"])
    return found


def axes(product: Mapping[str, Any]) -> list[str]:
    """What a product's variants differ by."""
    found: list[str] = json.loads(product["axes"])
    return found


def list_products(phone: Phone, view: Mapping[str, Any]) -> list[Row]:
    """Products of a list.

    Args:
        phone: the phone.
        view: any of `query`, `department`, `aisle`, `filters` (a list), `price_min` and `price_max` (cents), `sort` (a
            key of `SORTS`).

    Returns:
        Rows of `products` with a `score`: how many words of the query each has.
    """
    where, values = ["1"], list[Any]()
    for column in ("department", "aisle"):
        if view.get(column):
            where.append(f"{column} = ?")
            values.append(view[column])
    brands = []
    for text in view.get("filters") or ():
        if text.startswith("brand:"):
            brands.append(text.removeprefix("brand:"))
        elif text.startswith("rating:"):
            where.append("rating >= ?")
            values.append(int(text.removeprefix("rating:")) / 10)
        elif text in FLAGS:
            where.append(FLAGS[text])
    if brands:
        where.append(f"brand IN ({', '.join('?' * len(brands))})")
        values += brands
    for column, sign in (("price_min", ">="), ("price_max", "<=")):
        if view.get(column) is not None:
            where.append(f"price_cents {sign} ?")
            values.append(int(view[column]))
    order = SORTS[str(view.get("sort") or "featured")]
    condition = " AND ".join(where)
    data = database(phone)
    words = list(dict.fromkeys(str(view.get("query") or "").lower().replace(",", " ").split()))
    if not words:
        return data.rows(f"SELECT *, 0 AS score FROM products WHERE {condition} ORDER BY {order}", *values)
    stems = [_stem(word) for word in words]
    score = " + ".join(["(instr(words, ?) > 0)"] * len(stems))
    scored = f"SELECT *, {score} AS score FROM products WHERE {condition}"
    enough = max(len(stems) * 0.6, 1.0)
    return data.rows(f"SELECT * FROM ({scored}) WHERE score >= ? ORDER BY {order}", *stems, *values, enough)


def _stem(word: str) -> str:
    """A word without the plural's ending, which a search does not tell apart."""
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def brands(phone: Phone, view: Mapping[str, Any]) -> list[str]:
    """Brands of a list as it is without filters, by name."""
    bare = {**view, "filters": [], "price_min": None, "price_max": None}
    return sorted({row["brand"] for row in list_products(phone, bare)})


def suggestions(phone: Phone, text: str, language: str, most: int = 8) -> list[str]:
    """What a search might go on to: aisles and products that hold the text."""
    text = text.strip().lower()
    if not text:
        return []
    found = [aisle[language] for entry in departments() for aisle in entry["aisles"] if text in aisle[language].lower()]
    rows = database(phone).rows(
        "SELECT name FROM products WHERE instr(words, ?) ORDER BY sold DESC LIMIT ?", text, most
    )
    found += [row["name"].split(",")[0].lower() for row in rows]
    return list(dict.fromkeys(found))[:most]


def remember_search(phone: Phone, query: str) -> None:
    """Puts a query at the head of the history."""
    database(phone).insert("search_history", query=query, at=phone.state.clock.now_ms)


def forget_search(phone: Phone, key: int) -> None:
    """Takes a query out of the history."""
    database(phone).delete("search_history", key)


def viewed(phone: Phone, most: int = 12) -> list[Row]:
    """Products that were looked at, the newest first."""
    return database(phone).rows(
        "SELECT p.* FROM view_history h JOIN products p ON p._id = h.product_id ORDER BY h.at DESC, h._id DESC LIMIT ?",
        most,
    )


def bought(phone: Phone) -> list[Row]:
    """Variants that were bought before, each with its product's columns; the newest first."""
    return database(phone).rows(
        "SELECT p.*, i.variant_id, i.variant, i.picture AS variant_picture, v.price_cents AS variant_cents, "
        "v.stock AS variant_stock, MAX(o.created_at) AS bought_at "
        "FROM order_items i JOIN orders o ON o._id = i.order_id JOIN products p ON p._id = i.product_id "
        "JOIN variants v ON v._id = i.variant_id WHERE o.status <> 'cancelled' "
        "GROUP BY i.variant_id ORDER BY bought_at DESC, i.variant_id"
    )


# ---- wish lists


def lists(phone: Phone) -> list[Row]:
    """Wish lists, each with the number of its products (`n`) and the picture of the newest."""
    return database(phone).rows(
        "SELECT l.*, COUNT(i._id) AS n, (SELECT p.picture FROM list_items j JOIN products p ON p._id = j.product_id "
        "WHERE j.list_id = l._id ORDER BY j.at DESC, j._id DESC LIMIT 1) AS picture "
        "FROM lists l LEFT JOIN list_items i ON i.list_id = l._id GROUP BY l._id ORDER BY l._id"
    )


def listed(phone: Phone, key: int) -> list[Row]:
    """Products of a wish list, the newest first, with `saved_id`."""
    return database(phone).rows(
        "SELECT p.*, i._id AS saved_id FROM list_items i JOIN products p ON p._id = i.product_id "
        "WHERE i.list_id = ? ORDER BY i.at DESC, i._id DESC",
        key,
    )


def put_on_list(phone: Phone, key: int, product_id: int) -> bool:
    """Puts a product on a wish list; False where it is on it already."""
    data = database(phone)
    if data.value("SELECT 1 FROM list_items WHERE list_id = ? AND product_id = ?", key, product_id) is not None:
        return False
    data.insert("list_items", list_id=key, product_id=product_id, at=phone.state.clock.now_ms)
    return True


# ---- cart

_LINE = (
    "p._id AS product_id, v._id AS variant_id, p.name, p.brand, p.department, p.express, p.gift, v.name AS variant, "
    "v.price_cents, v.stock, v.picture"
)


def cart_lines(phone: Phone, saved: bool = False) -> list[Row]:
    """Lines of the cart, or what was saved for later; the newest first."""
    return database(phone).rows(
        f"SELECT c._id, c.quantity, {_LINE} FROM cart c JOIN products p ON p._id = c.product_id "
        "JOIN variants v ON v._id = c.variant_id WHERE c.saved = ? ORDER BY c.added_at DESC, c._id DESC",
        int(saved),
    )


def lines_of(phone: Phone, wanted: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Lines as `cart_lines` has them, of variants and quantities."""
    found = []
    for one in wanted:
        row = database(phone).row(
            f"SELECT {_LINE} FROM variants v JOIN products p ON p._id = v.product_id WHERE v._id = ?",
            int(one["variant"]),
        )
        if row is not None:
            found.append({**row, "quantity": int(one["quantity"])})
    return found


def cart_count(phone: Phone) -> int:
    """How many pieces are in the cart."""
    return int(database(phone).value("SELECT COALESCE(SUM(quantity), 0) FROM cart WHERE saved = 0"))


def add_to_cart(phone: Phone, product_id: int, variant_id: int, quantity: int) -> None:
    """Puts pieces of a variant into the cart, no more than there are in stock."""
    data = database(phone)
    data.insert(
        "cart", product_id=product_id, variant_id=variant_id, quantity=quantity, added_at=phone.state.clock.now_ms
    )
    data.execute(
        "UPDATE cart SET quantity = MAX(MIN(quantity, ?, (SELECT stock FROM variants WHERE _id = variant_id)), 1) "
        "WHERE variant_id = ?",
        MOST,
        variant_id,
    )


def set_saved(phone: Phone, key: int, saved: int) -> None:
    """Puts a line of the cart among those saved for later, or back."""
    database(phone).update("cart", key, saved=saved)


# ---- addresses and cards


def set_default(phone: Phone, table: str, key: int) -> None:
    """Makes a row of `addresses` or `cards` the default one; triggers take the mark from the other."""
    database(phone).update(table, key, is_default=1)


def addresses(phone: Phone) -> list[Row]:
    """The address book, the default one first."""
    return database(phone).rows("SELECT * FROM addresses ORDER BY is_default DESC, _id")


def address(phone: Phone, key: int | None = None) -> Row | None:
    """An address of the book, or without a key the default one."""
    if key is not None:
        return database(phone).row("SELECT * FROM addresses WHERE _id = ?", key)
    return database(phone).row("SELECT * FROM addresses ORDER BY is_default DESC, _id LIMIT 1")


def address_text(row: Mapping[str, Any]) -> str:
    """An address in one line, without the name."""
    street = ", ".join(part for part in (row["line1"], row["line2"]) if part)
    return f"{street}, {row['city']}, {row['state']} {row['zip']}"


def cards(phone: Phone) -> list[Row]:
    """Payment cards, the default one first."""
    return database(phone).rows("SELECT * FROM cards ORDER BY is_default DESC, _id")


def card(phone: Phone, key: int | None) -> Row | None:
    """A payment card."""
    return None if key is None else database(phone).row("SELECT * FROM cards WHERE _id = ?", key)


def credit(phone: Phone) -> int:
    """What the account has in store credit, cents."""
    return int(get_setting(phone, "credit_cents", "0"))


# ---- session

LIST_STATE = ("query", "department", "aisle", "sort", "price_min", "price_max")
"""Plain values of a list's screen that the session shows as they are; `filters` is a list there."""


def note(ctx: Context, screen: str, **values: Any) -> None:
    """Writes what the screen in front shows to the session; what is not named stays as it is."""
    database(ctx.phone).update("session", 1, screen=screen, **values)


def end_list(ctx: Context, screen: str) -> None:
    """No list is in front any more: its state is forgotten."""
    note(
        ctx,
        screen,
        query="",
        department="",
        aisle="",
        sort="featured",
        filters="",
        price_min=None,
        price_max=None,
        results=None,
        opened_product=None,
    )
