"""The shopping app."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.shop import aftersales, look, ordering, seeding, store
from mobile_gym.phone.apps.shop.addresses import AddressEdit, Addresses
from mobile_gym.phone.apps.shop.after import AfterSale, Apply, WriteReview
from mobile_gym.phone.apps.shop.cashier import Cashier, Placed
from mobile_gym.phone.apps.shop.checkout import Checkout
from mobile_gym.phone.apps.shop.detail import LINK, Detail
from mobile_gym.phone.apps.shop.kept import CouponCenter, Coupons, Favourites, Footprints
from mobile_gym.phone.apps.shop.main import Main
from mobile_gym.phone.apps.shop.order import Invoice, Logistics, OrderDetail
from mobile_gym.phone.apps.shop.orders import Orders
from mobile_gym.phone.apps.shop.results import Results
from mobile_gym.phone.apps.shop.reviews import Reviews
from mobile_gym.phone.apps.shop.search import Search
from mobile_gym.phone.apps.shop.settings import Account, Settings
from mobile_gym.phone.apps.shop.shop_pages import Chat, Flash, Notices, Shop
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.system.app import App, LauncherIcon, Target, load_strings
from mobile_gym.phone.system.providers import Provider, Table, TableProvider, Values

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_PRODUCT = re.compile(re.escape(LINK) + r"(\d+)/?$")
LARGE_FONT = 1.3
"""The least font scale of the app's windows while its own setting for larger text is on."""


class ShopApp(App):
    """Things for a household: lists, cart, orders."""

    package = store.PACKAGE
    module = store.MODULE
    icon = LauncherIcon("storefront", ("#FF6A4D", "#E8311C"))
    palette = look.PALETTE
    system = False
    version_name = "8.6.2"
    version_code = 862
    screens = (
        Main,
        Search,
        Results,
        Detail,
        Reviews,
        Shop,
        Flash,
        Chat,
        Notices,
        Checkout,
        Cashier,
        Placed,
        Orders,
        OrderDetail,
        Logistics,
        Invoice,
        WriteReview,
        Apply,
        AfterSale,
        Addresses,
        AddressEdit,
        Coupons,
        CouponCenter,
        Favourites,
        Footprints,
        Settings,
        Account,
    )
    databases = {"shop.db": "schema.sql"}
    permissions = {
        "android.permission.POST_NOTIFICATIONS": True,
        "android.permission.ACCESS_FINE_LOCATION": False,
        "android.permission.CAMERA": False,
    }
    sizes_mb = (142.6, 38.2, 47.1)

    def providers(self) -> Sequence[Provider]:
        """Catalogue, cart, orders and all else that the app keeps; see `schema.sql` for the columns."""

        def now(phone: Phone, values: Values) -> int:
            return phone.state.clock.now_ms

        def table(name: str, sort: str = "_id", **options: Any) -> Table:
            return Table(store.DATABASE, name, name, sort=sort, **options)

        def named(name: str, **options: Any) -> Table:
            """A table that is read with the names of products beside their numbers."""
            return Table(store.DATABASE, f"view_{name}", name, **options)

        tables = {
            "products": table("products", check=_check_product, defaults=_PRODUCT_DEFAULTS),
            "variants": table("variants", defaults=_VARIANT_DEFAULTS),
            "cart": named("cart", defaults={"added_at": now, "product_id": _product_of}),
            "orders": named("orders", defaults=_ORDER_DEFAULTS, on_change=_settle),
            "order_items": table("order_items", defaults={"product_id": _product_of}),
            "addresses": table("addresses"),
            "coupons": table("coupons"),
            "my_coupons": named("my_coupons", defaults={"claimed_at": now, "expires_at": _expiry}),
            "favourites": named("favourites", defaults={"at": now}),
            "footprints": named("footprints", defaults={"at": now}),
            "search_history": table("search_history", defaults={"at": now}),
            "follows": table("shop_follows", defaults={"at": now}),
            "reviews": table("reviews", defaults={"at": now, "author": "***"}),
            "aftersales": table("aftersales", defaults={"created_at": now, "changed_at": now}, on_change=_settle),
            "brands": Table(store.DATABASE, "brands"),
            "chats": table("chats", defaults={"at": now}),
            "notices": table("notices", defaults={"at": now}),
            "settings": table("settings"),
            "session": Table(store.DATABASE, "view_session"),
        }
        return (TableProvider(self.package, tables),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """The catalogue and the account; in `lived_in` a month of shopping too."""
        seeding.seed_catalogue(phone, language)
        seeding.seed_addresses(phone, language)
        if snapshot == "lived_in":
            seeding.seed_life(phone, language)

    def on_data_cleared(self, phone: Phone) -> None:
        """The catalogue is fetched again; the account lives at the shop, so its addresses come back too."""
        seeding.seed_catalogue(phone, phone.language)
        seeding.seed_addresses(phone, phone.language)

    def font_scale(self, phone: Phone, scale: float) -> float:
        """Larger text where the app's own setting asks for it."""
        return max(scale, LARGE_FONT) if store.get_setting(phone, "large_font", "0") == "1" else scale

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """Links to products: `mobench-shop://product/601`."""
        match = _PRODUCT.match(data or "")
        if action != "android.intent.action.VIEW" or match is None:
            return None
        return Target("detail", {"product": int(match[1])}, ("main",))

    def next_wakeup(self, phone: Phone) -> int | None:
        """When an order, a request or a coupon next moves on."""
        due = (ordering.next_due(phone), aftersales.next_due(phone))
        return min((moment for moment in due if moment is not None), default=None)

    def on_wakeup(self, phone: Phone) -> None:
        """Lets them move on, and tells the user."""
        wanted = store.get_setting(phone, "notify_orders", "1") == "1"
        for key, kind in (*ordering.move_on(phone), *aftersales.move_on(phone)):
            order = ordering.order(phone, key)
            found = ordering.items(phone, key)
            if not wanted or order is None or not found:
                continue
            texts = load_strings(self.module)
            phone.notifier.post(
                self.package,
                f"order-{key}",
                texts[f"notice_{kind}"][phone.language],
                store.name(found[0], phone.language),
                channel="orders",
                icon="storefront",
                color="#F2402A",
                target={"screen": "order", "args": {"order": key}},
            )


def _check_product(values: Values) -> None:
    for column in ("name_zh", "name_en", "category", "brand"):
        if column in values and not values[column]:
            raise ProviderError(f"products: {column} must not be empty")


_PRODUCT_DEFAULTS: dict[str, Any] = {
    "sub": "",
    "name_en": lambda phone, values: values.get("name_zh"),
    "brand_zh": lambda phone, values: _brand_name(phone, values, "zh"),
    "brand_en": lambda phone, values: _brand_name(phone, values, "en"),
    "was_cents": lambda phone, values: values.get("price_cents"),
    "listed": lambda phone, values: phone.state.clock.now_ms,
    "words": lambda phone, values: " ".join(
        str(values.get(key, "")) for key in ("name_zh", "name_en", "brand_zh", "brand_en", "category")
    ).lower(),
}


def _brand_name(phone: Phone, values: Values, language: str) -> str:
    found = store.brand(phone, str(values.get("brand")))
    return str(values.get("brand")) if found is None else str(found[f"name_{language}"])


_VARIANT_DEFAULTS: dict[str, Any] = {
    "name_en": lambda phone, values: values.get("name_zh"),
    "price_cents": lambda phone, values: _of_product(phone, values, "price_cents"),
    "picture": lambda phone, values: _of_product(phone, values, "picture"),
}


def _of_product(phone: Phone, values: Values, column: str) -> Any:
    found = store.product(phone, int(values.get("product_id") or 0))
    return None if found is None else found[column]


def _product_of(phone: Phone, values: Values) -> int | None:
    """The product of the variant that an insert names."""
    found = store.variant(phone, int(values.get("variant_id") or 0))
    return None if found is None else int(found["product_id"])


_ORDER_DEFAULTS: dict[str, Any] = {
    "created_at": lambda phone, values: phone.state.clock.now_ms,
    "order_no": lambda phone, values: ordering.new_order_no(phone, int(values["created_at"])),
    "address_id": lambda phone, values: ordering.address_columns(phone, None)["address_id"],
    "name": lambda phone, values: ordering.address_columns(phone, values["address_id"])["name"],
    "phone": lambda phone, values: ordering.address_columns(phone, values["address_id"])["phone"],
    "address": lambda phone, values: ordering.address_columns(phone, values["address_id"])["address"],
}


def _settle(phone: Phone) -> None:
    """Fills the times that an order's state implies where they were left out."""
    data = store.database(phone)
    data.execute(
        "UPDATE orders SET paid_at = created_at WHERE paid_at IS NULL AND status NOT IN ('to_pay', 'cancelled')"
    )
    shipped = "('to_receive', 'to_review', 'done')"
    data.execute(f"UPDATE orders SET shipped_at = paid_at WHERE shipped_at IS NULL AND status IN {shipped}")
    data.execute(
        f"UPDATE orders SET delivered_at = shipped_at + {ordering.TRAVEL_MS} WHERE delivered_at IS NULL AND "
        "shipped_at IS NOT NULL"
    )
    data.execute(
        "UPDATE orders SET received_at = delivered_at WHERE received_at IS NULL AND status IN ('to_review', 'done')"
    )


def _expiry(phone: Phone, values: Values) -> int:
    days = store.database(phone).value("SELECT days FROM coupons WHERE _id = ?", values.get("coupon_id"))
    return int(values["claimed_at"]) + int(days or 7) * ordering.DAY
