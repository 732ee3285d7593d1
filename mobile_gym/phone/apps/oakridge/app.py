"""The department store."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.oakridge import look, ordering, seeding, store
from mobile_gym.phone.apps.oakridge.account import Settings
from mobile_gym.phone.apps.oakridge.addresses import AddressEdit, Addresses
from mobile_gym.phone.apps.oakridge.checkout import Checkout
from mobile_gym.phone.apps.oakridge.department import Deals, Department
from mobile_gym.phone.apps.oakridge.lists import WishList, WishLists
from mobile_gym.phone.apps.oakridge.main import Main
from mobile_gym.phone.apps.oakridge.order import OrderDetail, Tracking, WriteReview
from mobile_gym.phone.apps.oakridge.orders import Orders
from mobile_gym.phone.apps.oakridge.payment import CardEdit, Offers, Payment
from mobile_gym.phone.apps.oakridge.placed import Placed
from mobile_gym.phone.apps.oakridge.product import LINK, Detail
from mobile_gym.phone.apps.oakridge.results import Results
from mobile_gym.phone.apps.oakridge.returning import ReturnDetail, StartReturn
from mobile_gym.phone.apps.oakridge.reviews import Reviews
from mobile_gym.phone.apps.oakridge.search import Search
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.system.app import App, LauncherIcon, Target, load_strings
from mobile_gym.phone.system.providers import Provider, Table, TableProvider, Values

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_PRODUCT = re.compile(re.escape(LINK) + r"(\d+)/?$")
LARGE_FONT = 1.3
"""The least font scale of the app's windows while its own setting for larger text is on."""


class OakridgeApp(App):
    """Things for house, garden and play, from a store across the sea."""

    package = store.PACKAGE
    module = store.MODULE
    icon = LauncherIcon("tree", ("#2F7D64", "#124335"))
    palette = look.PALETTE
    system = False
    version_name = "24.5.1"
    version_code = 2451
    screens = (
        Main,
        Search,
        Results,
        Department,
        Deals,
        Detail,
        Reviews,
        Checkout,
        Placed,
        Orders,
        OrderDetail,
        Tracking,
        WriteReview,
        StartReturn,
        ReturnDetail,
        WishLists,
        WishList,
        Addresses,
        AddressEdit,
        Payment,
        CardEdit,
        Offers,
        Settings,
    )
    databases = {"oakridge.db": "schema.sql"}
    permissions = {
        "android.permission.POST_NOTIFICATIONS": True,
        "android.permission.ACCESS_FINE_LOCATION": False,
        "android.permission.CAMERA": False,
    }
    sizes_mb = (96.4, 21.7, 33.8)

    def providers(self) -> Sequence[Provider]:
        """Catalogue, cart, orders and all else that the app keeps; see `schema.sql` for the columns."""

        def now(phone: Phone, values: Values) -> int:
            return phone.state.clock.now_ms

        def table(name: str, **options: Any) -> Table:
            return Table(store.DATABASE, name, name, **options)

        tables = {
            "products": table("products", check=_check_product, defaults=_PRODUCT_DEFAULTS),
            "variants": table("variants", defaults=_VARIANT_DEFAULTS),
            "cart": table("cart", defaults={"added_at": now, "product_id": _product_of}),
            "cart_promo": table("cart_promo", defaults={"_id": 1}),
            "promos": table("promos"),
            "addresses": table("addresses"),
            "cards": table("cards"),
            "orders": table("orders", defaults=_ORDER_DEFAULTS, on_change=_settle),
            "order_items": table("order_items", defaults={"product_id": _product_of}),
            "returns": table("returns", defaults={"created_at": now, "changed_at": now}),
            "lists": table("lists", defaults={"created_at": now}),
            "list_items": table("list_items", defaults={"at": now}),
            "reviews": table("reviews", defaults={"at": now}),
            "view_history": table("view_history", defaults={"at": now}),
            "search_history": table("search_history", defaults={"at": now}),
            "settings": table("settings"),
            "session": Table(store.DATABASE, "session"),
        }
        return (TableProvider(self.package, tables),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """The catalogue and the account; in `lived_in` two months of shopping too."""
        seeding.seed_catalogue(phone)
        seeding.seed_account(phone, language)
        if snapshot == "lived_in":
            seeding.seed_life(phone)

    def on_data_cleared(self, phone: Phone) -> None:
        """The catalogue is fetched again; the account lives at the store, so its addresses and cards come back too."""
        seeding.seed_catalogue(phone)
        seeding.seed_account(phone, phone.language)

    def font_scale(self, phone: Phone, scale: float) -> float:
        """Larger text where the app's own setting asks for it."""
        return max(scale, LARGE_FONT) if store.get_setting(phone, "large_text", "0") == "1" else scale

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """Links to products: `mobench-oakridge://product/401`."""
        match = _PRODUCT.match(data or "")
        if action != "android.intent.action.VIEW" or match is None:
            return None
        return Target("detail", {"product": int(match[1])}, ("main",))

    def next_wakeup(self, phone: Phone) -> int | None:
        """When an order or a return next moves on."""
        return ordering.next_due(phone)

    def on_wakeup(self, phone: Phone) -> None:
        """Lets them move on, and tells the user."""
        wanted = store.get_setting(phone, "notify_orders", "1") == "1"
        texts = load_strings(self.module)
        for key, kind in ordering.move_on(phone):
            found = ordering.items(phone, key)
            if not wanted or not found:
                continue
            phone.notifier.post(
                self.package,
                f"order-{key}",
                texts[f"notice_{kind}"][phone.language],
                found[0]["name"],
                channel="orders",
                icon="package-variant-closed",
                color="#1B5E4B",
                target={"screen": "order", "args": {"order": key}},
            )


def _check_product(values: Values) -> None:
    for column in ("name", "department", "brand"):
        if column in values and not values[column]:
            raise ProviderError(f"products: {column} must not be empty")


_PRODUCT_DEFAULTS: dict[str, Any] = {
    "brand": "Oakridge",
    "list_cents": lambda phone, values: values.get("price_cents"),
    "listed": lambda phone, values: phone.state.clock.now_ms,
    "words": lambda phone, values: " ".join(
        str(values.get(key, "")) for key in ("name", "brand", "department", "aisle")
    ).lower(),
}
_VARIANT_DEFAULTS: dict[str, Any] = {
    "price_cents": lambda phone, values: _of_product(phone, values, "price_cents"),
    "picture": lambda phone, values: _of_product(phone, values, "picture"),
}
_ORDER_DEFAULTS: dict[str, Any] = {
    "created_at": lambda phone, values: phone.state.clock.now_ms,
    "number": lambda phone, values: ordering.new_number(phone, int(values["created_at"])),
    "address_id": lambda phone, values: _address_of(phone, None)["address_id"],
    "name": lambda phone, values: _address_of(phone, values["address_id"])["name"],
    "address": lambda phone, values: _address_of(phone, values["address_id"])["address"],
}


def _of_product(phone: Phone, values: Values, column: str) -> Any:
    found = store.product(phone, int(values.get("product_id") or 0))
    return None if found is None else found[column]


def _product_of(phone: Phone, values: Values) -> int | None:
    """The product of the variant that an insert names."""
    found = store.variant(phone, int(values.get("variant_id") or 0))
    return None if found is None else int(found["product_id"])


def _address_of(phone: Phone, key: int | None) -> dict[str, Any]:
    return ordering.address_columns(store.address(phone, key))


def _settle(phone: Phone) -> None:
    """Fills the times that an order's state implies where they were left out."""
    data = store.database(phone)
    sent = "status IN ('shipped', 'delivered')"
    for row in data.rows(f"SELECT * FROM orders WHERE shipped_at IS NULL AND {sent}"):
        data.update("orders", row["_id"], shipped_at=row["created_at"] + ordering.SHIP_MS[row["speed"]])
    for row in data.rows(f"SELECT * FROM orders WHERE delivered_at IS NULL AND {sent}"):
        data.update("orders", row["_id"], delivered_at=ordering.arrival(row["created_at"], row["speed"]))
